"""Who is told how far a stage has come: nobody by default, a progress bar under the command line."""

from __future__ import annotations

from collections.abc import Callable


class Progress:
    """Receives steps of a stage.

    Args:
        tell: called with stage, partition, steps done and steps in all.
    """

    def __init__(self, tell: Callable[[str, str, int, int], None] | None = None) -> None:
        self._tell = tell

    def step(self, stage: str, partition: str, done: int, total: int) -> None:
        """Report that `done` of `total` steps of a stage are behind us."""
        if self._tell is not None:
            self._tell(stage, partition, done, total)
