"""What is put to a judge and what comes back, whichever judge it is.

Values, and the seam by which a whole pack is judged. Does not belong here: how a judge makes up its mind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from bidproof.errors import StageError
from bidproof.judging.echo import RfpShingles
from bidproof.judging.passages import Passage
from bidproof.records import Judgement, Requirement


@dataclass(frozen=True)
class Case:
    """A rule with all that it is judged by.

    Attributes:
        requirement: the rule.
        passages: what is shown, best first.
        weights: how telling each stem is in this pack.
    """

    requirement: Requirement
    passages: tuple[Passage, ...]
    weights: Mapping[str, float] = field(default_factory=dict)

    @property
    def rule_id(self) -> str:
        """Id of the rule."""
        return self.requirement.rule_id


@dataclass(frozen=True)
class Judged:
    """A verdict with the answer that it was read from.

    Attributes:
        judgement: the verdict.
        raw_answer: the model's own words on this rule; empty where no model was asked.
        tokens_in: this rule's share of the tokens sent; 0 where nothing was sent, as from the cache.
        tokens_out: likewise, returned.
    """

    judgement: Judgement
    raw_answer: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


class OneByOne(Protocol):
    """A judge of one rule at a time."""

    def judge(
        self,
        requirement: Requirement,
        passages: Sequence[Passage],
        rfp: RfpShingles | None,
        weights: Mapping[str, float] | None = None,
    ) -> Judgement:
        """The verdict on one rule."""
        ...


@runtime_checkable
class AsksTogether(Protocol):
    """A judge that is better asked about many rules at once: several go into a request."""

    def judge_all(self, cases: Sequence[Case], rfp: RfpShingles | None, pack: str = "") -> dict[str, Judged]:
        """The verdict on each case, by rule id; none is left out."""
        ...


class AskedAlone:
    """The verdict on one rule from a judge that is better asked about many."""

    def judge(
        self: AsksTogether,
        requirement: Requirement,
        passages: Sequence[Passage],
        rfp: RfpShingles | None,
        weights: Mapping[str, float] | None = None,
    ) -> Judgement:
        """The verdict on one rule; many are better asked together by `judge_all`."""
        case = Case(requirement, tuple(passages), weights or {})
        return self.judge_all([case], rfp)[case.rule_id].judgement


def judged_all(
    judge: OneByOne, cases: Sequence[Case], rfp: RfpShingles | None, pack: str = ""
) -> dict[str, Judged]:
    """The verdict on each case of one pack, by rule id, from either kind of judge.

    Raises:
        StageError: the judge left a rule out; a rule that nobody judged must never look like one that was.
    """
    if isinstance(judge, AsksTogether):
        judged = judge.judge_all(cases, rfp, pack)
    else:
        judged = {
            case.rule_id: Judged(judge.judge(case.requirement, case.passages, rfp, case.weights))
            for case in cases
        }
    if left_out := sorted({case.rule_id for case in cases} - judged.keys()):
        raise StageError(f"{pack or 'pack'}: the judge left out {', '.join(left_out[:5])}; report it")
    return judged
