"""The judge without a model: typed predicates, evaluated by code on the passages.

Belongs here: the judge protocol and the routing of each predicate to its reader. Does not belong here: the
readers, and judges that ask a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Protocol

from bidproof.judging.concept import concept_of
from bidproof.judging.dates import read_date
from bidproof.judging.echo import RfpShingles
from bidproof.judging.evidence import (
    DEVIATES,
    STRONG,
    Evidence,
    Outcome,
    Reader,
    Reading,
    State,
    contradicted_by,
)
from bidproof.judging.form import read_form
from bidproof.judging.frequency import asks_rhythm, intervals_in, less_often
from bidproof.judging.passages import Passage, has_code
from bidproof.judging.presence import read_presence
from bidproof.judging.quantity import read_quantity
from bidproof.judging.standard import read_standard
from bidproof.judging.topic import measure_terms
from bidproof.judging.units import Unit
from bidproof.judging.verdict import judgement_of
from bidproof.judging.withdrawn import withdrawals_from
from bidproof.judging.words import coverage
from bidproof.params import JudgingParams
from bidproof.records import Judgement, Predicate, Requirement

CODE = "1"
_CITED = 12  # words of another statement in the reason for a review


def _read_quantity(predicate: Predicate, reading: Reading) -> Outcome:
    """A figure; a rhythm ("quarterly drills") is stated in words and read as such."""
    if not asks_rhythm(predicate):
        return read_quantity(predicate, reading)
    worded = predicate.model_copy(update={"kind": "presence"})
    outcome = replace(read_presence(worded, reading), predicate=predicate)
    if outcome.state is not State.HOLDS:
        return outcome
    said = outcome.evidence[0].unit.text
    doubt = "how often is not stated" if not intervals_in(said) else ""
    doubt = "less often than asked" if less_often(predicate.text, said) else doubt
    return replace(outcome, state=State.UNCLEAR, note=doubt, doubt=doubt) if doubt else outcome


READERS: dict[str, Reader] = {
    "quantity": _read_quantity,
    "standard": read_standard,
    "form": read_form,
    "date": read_date,
    "presence": read_presence,
}


class Judge(Protocol):
    """Anything that can judge one rule on its passages."""

    name: str
    model: str

    def judge(
        self,
        requirement: Requirement,
        passages: Sequence[Passage],
        rfp: RfpShingles | None,
        weights: Mapping[str, float] | None = None,
    ) -> Judgement:
        """The verdict on `requirement` with a verbatim quote from `passages`, or Missing."""
        ...


class PredicateJudge:
    """Evaluates typed predicates by code; asks no model and never guesses."""

    name = "predicate"
    model = f"predicate-{CODE}"

    def __init__(self, params: JudgingParams) -> None:
        """Judge under `params`."""
        self.params = params

    def judge(
        self,
        requirement: Requirement,
        passages: Sequence[Passage],
        rfp: RfpShingles | None,
        weights: Mapping[str, float] | None = None,
    ) -> Judgement:
        """The verdict on `requirement`: all predicates of one group must hold."""
        reading = Reading.of(requirement, passages, self.params, rfp, weights)
        strict = self.params.residue if self.params.residue >= 0 else None
        return judgement_of(requirement, outcomes_of(reading), residue=strict)


def predicates_of(requirement: Requirement) -> tuple[Predicate, ...]:
    """The rule's predicates; a rule without any asks that its text be answered."""
    return requirement.predicates or (Predicate(kind="presence", text=requirement.text),)


def concept_stems(requirement: Requirement) -> list[str]:
    """Stems of the rule whose weight in the pack decides how much of a concept is covered."""
    presence = [p for p in predicates_of(requirement) if p.kind == "presence"]
    return sorted({s for p in presence for s in concept_of(p, requirement, {}).stems})


def outcomes_of(reading: Reading) -> list[list[Outcome]]:
    """Outcome of each predicate, by group in order of group number."""
    ordered = sorted(predicates_of(reading.requirement), key=lambda p: p.group)
    return [
        [_with_withdrawal(_with_deviation(READERS[p.kind](p, reading), reading), reading) for p in group]
        for _, group in groupby(ordered, key=lambda p: p.group)
    ]


def deviations_from(predicate: Predicate, reading: Reading) -> list[Unit]:
    """Rows of a table of deviations that name the standard, form or dated thing that is asked for."""
    if predicate.kind not in ("standard", "form", "date"):
        return []  # their readers know what a row is about
    declared = [u for u in reading.units if u.deviation == "declared" and not u.is_matrix]
    if predicate.kind == "date":
        terms = measure_terms(predicate, reading.requirement)
        return [u for u in declared if terms and coverage(terms, [w.stem for w in u.own_words]) == 1.0]
    code = predicate.code.rpartition(" ")[2] if predicate.kind == "standard" else predicate.code
    return [u for u in declared if code and has_code(u.text, code)]


def _with_deviation(outcome: Outcome, reading: Reading) -> Outcome:
    """What holds by its figure, code or form, beside a deviation from just that."""
    if outcome.state is not State.HOLDS:
        return outcome
    proven = {e.unit for e in outcome.evidence if e.state is State.HOLDS}
    rows = [u for u in deviations_from(outcome.predicate, reading) if u not in proven]
    return (
        contradicted_by(Evidence(rows[0], State.UNCLEAR, 1.0, DEVIATES, DEVIATES), outcome)
        if rows
        else outcome
    )


def _with_withdrawal(outcome: Outcome, reading: Reading) -> Outcome:
    """What holds, beside a statement elsewhere that may take it back: it holds, and a person is to read both."""
    if outcome.state is not State.HOLDS:
        return outcome
    proven = {e.unit for e in outcome.evidence if e.state is State.HOLDS}
    gone = [u for u in withdrawals_from(outcome.predicate, reading) if u not in proven]
    if not gone:
        return outcome
    said = f"elsewhere: {' '.join(gone[0].text.split()[:_CITED])}"
    against = Evidence(gone[0], State.UNCLEAR, STRONG, said, said)
    return replace(outcome, evidence=(*outcome.evidence, against), doubt=outcome.doubt or said)
