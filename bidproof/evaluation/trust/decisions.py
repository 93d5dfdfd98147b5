"""A verdict with the doubts that came with it, and the order of confidence that these give.

Reads rows of `findings`. Measures nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bidproof.records import Record, Status

_LEFT_OVER = ("unexplained: ", "not shown: ")
"""How judging names words that nothing accounts for: those of the bid's statement, those of the rule."""


class Decision(Record):
    """What the product decided of a rule, and how sure it was.

    `left_over` counts the words that judging could not account for, `doubts` all other reasons to look.
    """

    status: str
    needs_review: bool
    doubts: int = 0
    left_over: int = 0

    @property
    def level(self) -> tuple[int, int, int]:
        """Place in the order of confidence, surest first; equal places are equally sure.

        First what no person need look at; then what only words left over speak against, fewest first; then the
        rest, fewest doubts first; last every Partial, which by its meaning is for a person to decide. The order of
        doubts was fixed before any labelled set was measured by it.
        """
        if self.status == Status.PARTIAL:
            return (3, self.doubts, self.left_over)
        if not self.needs_review:
            return (0, 0, 0)
        return (1, 0, self.left_over) if not self.doubts else (2, self.doubts, self.left_over)


def decision_of(finding: Mapping[str, Any]) -> Decision:
    """The decision that a row of `findings` holds."""
    reasons = [one for one in (finding["review_reason"] or "").split("; ") if one]
    words = [one for one in reasons if one.startswith(_LEFT_OVER)]
    return Decision(
        status=finding["status"],
        needs_review=finding["needs_review"],
        doubts=len(reasons) - len(words) if reasons else int(finding["needs_review"]),
        left_over=sum(one.count(", ") + 1 for one in words),
    )
