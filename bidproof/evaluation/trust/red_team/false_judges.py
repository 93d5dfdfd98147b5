"""Judgements that are wrong: put in the place of a right one, or answered by a model that keeps the contract's form.

Two ways in. As a judgement, nothing but the live checks stands against it: the harder test. As a model's answer it goes
through the reading of answers, the refusals, and the second opinion of the typed predicates, as any model's does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bidproof.judging import Passage, RfpShingles
from bidproof.judging.asking.answers import read_items
from bidproof.judging.asking.cases import AskedAlone, Case, Judged
from bidproof.judging.asking.checking import check_items, unanswered
from bidproof.judging.asking.opinion import by_predicates, with_second_opinion
from bidproof.params import Params

Answering = Callable[[Case], str]
"""A model's answer on one case, as text."""


@dataclass
class AnsweringJudge(AskedAlone):
    """A judge that gives prepared answers, heard as those of a model are."""

    params: Params
    answering: Answering
    name: str = "openai"
    model: str = "red-team"

    def judge_all(self, cases: Sequence[Case], rfp: RfpShingles | None, pack: str = "") -> dict[str, Judged]:
        """The verdict on each case: what is refused is Missing, what code does not bear out is for a person."""
        found = {}
        for case in cases:
            checked = check_items(read_items(self.answering(case)), [case])
            sound = checked.sound.get(case.rule_id)
            if sound is None:
                found[case.rule_id] = Judged(unanswered(case, checked.refused[case.rule_id]))
                continue
            code = by_predicates(case, self.params.judging, rfp)
            found[case.rule_id] = Judged(with_second_opinion(sound.judgement, code), sound.text)
        return found


def false_row(row: dict[str, Any], **said: Any) -> dict[str, Any]:
    """A Pass without doubts in the place of a row of `judgements`."""
    certain = {
        "status": "Pass", "rationale": "The bid states it.", "risk": "Low", "needs_review": False, "review_reason": "",
        "other_quotes": [],
    }  # fmt: skip
    return {**row, **certain, **said}


def first_shown(passages: Sequence[Passage]) -> tuple[str, tuple[int, ...]]:
    """Chunk and pages of the passage shown first; none where nothing was shown."""
    return (passages[0].chunk_id, passages[0].pages) if passages else ("", ())
