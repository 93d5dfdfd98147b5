"""The judge that the parameters name."""

from __future__ import annotations

import dagster as dg

from bidproof.judging import Judge
from bidproof.judging.asking.judges import judge_named
from bidproof.judging.asking.kept import Shelf
from bidproof.judging.scheduling import Schedulers
from bidproof.params import Params

_SCHEDULERS = Schedulers()
"""Of this process: what a server has counted for one pack still counts when the next is asked about."""


class JudgeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Makes the judge of a run. The key of a server comes from the environment, never from parameters."""

    def make(self, params: Params, shelf: Shelf | None = None) -> Judge:
        """Judge named by `params.judging.judge`; a model's answers are kept on `shelf`.

        Raises:
            BadInputError: it has no server, model, key or library to ask with.
        """
        return judge_named(params, shelf, schedulers=_SCHEDULERS)
