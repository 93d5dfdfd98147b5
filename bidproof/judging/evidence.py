"""What one unit says about one predicate, and what all units together say.

Belongs here: the record of evidence, its strength, and how agreeing and conflicting evidence is weighed.
Does not belong here: the reading of a kind of predicate (`quantity`, `standard`, `form`, `presence`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bidproof.judging.bearer import other_bearer
from bidproof.judging.beside import taken_back
from bidproof.judging.echo import RfpShingles
from bidproof.judging.passages import Passage
from bidproof.judging.plainness import not_plain
from bidproof.judging.polarity import condition_in, denies, elsewhere_in, hedge_in, lapsed_in, promise_in
from bidproof.judging.reservations import reservation_in
from bidproof.judging.units import Unit, units_of
from bidproof.params import JudgingParams
from bidproof.records import Predicate, Requirement

STRONG = 0.6  # a failing figure below this fit may be about something else: doubt, not Fail
NEAR = 0.15  # evidence this close in strength counts as equally good
CONFLICT = 0.25  # and a contrary figure this close as a contradiction
DECLARED = 0.5  # a matrix row that declares compliance and says something of its own
BARE = 0.25  # a bare "Compliant"


# Doubts of a statement that says less than the proof, and so takes nothing from it.
SAYS_LESS, NAMED_ONLY, DEVIATES = "not all is covered", "named only", "a deviation is declared"


class State(StrEnum):
    """What is known of one predicate."""

    HOLDS = "holds"
    FAILS = "fails"
    CONFLICT = "contradicted"
    UNCLEAR = "unclear"
    ECHO = "echo only"
    ABSENT = "not found"


@dataclass(frozen=True)
class Evidence:
    """One unit's word on a predicate: `strength` 0 to 1, `doubt` why a person should look.

    `support` are further units on which it rests, such as the row with a certificate's expiry date.
    """

    unit: Unit
    state: State
    strength: float
    note: str
    doubt: str = ""
    focus: tuple[int, int] = (0, 0)
    support: tuple[Unit, ...] = ()

    @property
    def order(self) -> tuple[float, int, str, int]:
        """Sort key: strongest, then shortest, then by place."""
        return (-round(self.strength, 6), len(self.unit.text), self.unit.passage.chunk_id, self.unit.start)


@dataclass(frozen=True)
class Outcome:
    """A predicate with its state and the evidence behind it, best first."""

    predicate: Predicate
    state: State
    note: str
    evidence: tuple[Evidence, ...] = ()
    doubt: str = ""


@dataclass(frozen=True)
class Reading:
    """All that a predicate is read against."""

    requirement: Requirement
    passages: tuple[Passage, ...]
    params: JudgingParams
    rfp: RfpShingles | None = None
    submission_date: str = ""
    units: tuple[Unit, ...] = field(default=(), compare=False)
    weights: Mapping[str, float] = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls,
        requirement: Requirement,
        passages: Iterable[Passage],
        params: JudgingParams,
        rfp: RfpShingles | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> Reading:
        """The reading of `passages` for `requirement`, with their units cut."""
        shown = tuple(passages)
        units = tuple(unit for passage in shown for unit in units_of(passage))
        return cls(requirement, shown, params, rfp, requirement.submission_date, units, weights or {})

    def echo(self, unit: Unit) -> str:
        """Why the unit's own words are an echo of the RFP; empty when they are not."""
        text = unit.own_text.strip()
        return self.rfp.echoes(" ".join(text.split())) if self.rfp and text else ""

    def record(self, unit: Unit) -> tuple[Unit, ...]:
        """The units that belong to the same form, certificate or paragraph as `unit`, itself included."""
        here = unit.passage
        if unit.kind == "row":
            return tuple(
                u
                for u in self.units
                if u.passage.doc_id == here.doc_id
                and u.passage.heading_path == here.heading_path
                and abs(u.passage.page - here.page) <= 1
            )
        same_heading = [
            u
            for u in self.units
            if u.passage.doc_id == here.doc_id
            and u.passage.heading_path == here.heading_path
            and abs(u.passage.page - here.page) <= 1
        ]
        return tuple(u for u in same_heading if u.passage is here or u.kind == "row")


# A rule that asks for what was done before, or that names others, is answered by just that.
_ASKS_BACK = re.compile(
    r"\b(?:experience\w*|references?|track\s+record|previous\w*|past|completed|executed|revenue|turnover|implementations?|in\s+production|"
    r"demonstrated|historical|similar\s+(?:contracts?|projects?)|subcontract\w*|sub-contract\w*|sub-?suppliers?|subprocessors?|consorti\w+|"
    r"exp[ée]riences?|r[ée]f[ée]rences?|chiffre\s+d['’]affaires|sous-?trait\w+)\b",
    re.IGNORECASE,
)


def asks_back(rule: str) -> bool:
    """The rule itself asks about earlier work or about other firms."""
    return bool(_ASKS_BACK.search(rule))


def tempered(
    evidence: Evidence,
    places: Iterable[tuple[int, int]],
    *,
    rule: str = "",
    day: str = "",
    paper: bool = False,
    absence: bool = False,
    of_forbidden: str = "",
) -> Evidence:
    """`evidence` after its unit's negation, promise, condition and hedge have been heard.

    Args:
        evidence: a reading of the words or figures alone.
        places: offsets into the unit's text of what would have to be affirmed.
        rule: text of the rule.
        day: ISO date of submission.
        paper: the rule asks for something to be in the bid, so a promise of it is no presence.
        absence: the rule itself is a denial, so that only a denial fulfils it.
        of_forbidden: what the unit says of the thing that the rule forbids: affirmed, denied or unclear.
    """
    if evidence.state is not State.HOLDS:
        return evidence
    text = evidence.unit.own_text
    if of_forbidden and (absence or of_forbidden != "denied"):
        return _reserved(_of_forbidden(evidence, of_forbidden, rule), rule, day)
    if denies(text, places) != absence:
        return _turned(evidence, State.FAILS, "the bid says the opposite" if absence else "denied by the bid")
    if promise := promise_in(text, paper=paper):
        later = f"only announced ({promise})"
        return _turned(evidence, State.FAILS if paper else State.UNCLEAR, later, later)
    if condition := condition_in(text):
        return _turned(evidence, State.UNCLEAR, f"conditional ({condition})", "conditional statement")
    if hedge := hedge_in(text):
        return _turned(evidence, State.UNCLEAR, hedge, hedge)
    if lapsed := lapsed_in(text):
        return _turned(evidence, State.FAILS, f"said to have run out ({lapsed})")
    if rule and (bearer := other_bearer(text, rule)):
        said = f"said of something else ({bearer})"
        return _turned(evidence, State.UNCLEAR, said, said)
    if not asks_back(rule) and (other := elsewhere_in(text)):
        said = f"speaks of another firm or contract ({other})"
        return _turned(evidence, State.UNCLEAR, said, said)
    return _reserved(evidence, rule, day)


def _reserved(evidence: Evidence, rule: str, day: str) -> Evidence:
    """Evidence that holds, after what its statement keeps back: it leaves the rule open, or a person looks."""
    if evidence.state is not State.HOLDS or not rule:
        return evidence
    unit = evidence.unit
    kept = reservation_in(unit.own_text, rule, day)
    if kept is None:
        if loose := not_plain(unit.own_text, rule, row=unit.kind == "row"):
            return replace(evidence, doubt=evidence.doubt or f"not said plainly ({loose})")
        aside = taken_back(unit, rule)
        return replace(evidence, doubt=evidence.doubt or (f"beside it: {aside}" if aside else ""))
    if kept.open:
        return _turned(evidence, State.UNCLEAR, kept.note, kept.note)
    return replace(evidence, doubt=evidence.doubt or kept.note)


def _of_forbidden(evidence: Evidence, said: str, rule: str) -> Evidence:
    """Evidence on a forbidden thing: only a plain denial holds, only a plain admission fails."""
    text = evidence.unit.own_text
    if said == "unclear":
        note = "not clear whether the forbidden thing is denied"
        return _turned(evidence, State.UNCLEAR, note, note)
    bearer = other_bearer(text, rule) if rule else ""
    other = "" if asks_back(rule) else elsewhere_in(text, bygone=said == "denied")
    if doubt := condition_in(text) or promise_in(text) or hedge_in(text) or bearer or other:
        note = f"not plainly said of the bidder as it is ({doubt})"
        return _turned(evidence, State.UNCLEAR, note, note)
    if said == "affirmed":
        return _turned(evidence, State.FAILS, "the bid says the opposite")
    return evidence


def _turned(evidence: Evidence, state: State, note: str, doubt: str = "") -> Evidence:
    return replace(evidence, state=state, note=note, doubt=doubt or evidence.doubt)


def weigh(
    predicate: Predicate, found: Iterable[Evidence], *, latest_wins: bool = False, one_fails: bool = False
) -> Outcome:
    """What all evidence says together.

    The strongest evidence decides; contrary evidence of near strength makes a contradiction, and a weak
    failure stays a doubt. With `latest_wins` one unit that holds is enough: two certificates of which one
    has run out prove the rule. With `one_fails` one unit that fails is enough: of two meter types offered
    both must reach the class.
    """
    ranked = sorted(found, key=lambda e: e.order)
    real = [e for e in ranked if e.state is not State.ECHO]
    if not real:
        if ranked:
            return Outcome(predicate, State.ECHO, "only the RFP's own words", tuple(ranked), "echo")
        return Outcome(predicate, State.ABSENT, "nothing found")
    best = real[0].strength
    holds = [e for e in real if e.state is State.HOLDS and e.strength >= best - CONFLICT]
    fails = [e for e in real if e.state is State.FAILS and e.strength >= max(STRONG, best - CONFLICT)]
    if holds and fails and one_fails and fails[0].strength >= holds[0].strength - NEAR:
        others = f"elsewhere {holds[0].note}"
        return Outcome(predicate, State.FAILS, fails[0].note, (*fails, *holds), others)
    if holds and fails:
        return _conflict(predicate, holds, fails, latest_wins=latest_wins)
    if fails:
        return Outcome(predicate, State.FAILS, fails[0].note, (*fails, *holds), fails[0].doubt)
    top = [e for e in real if e.strength >= best - NEAR]
    unclear = [e for e in top if e.state is State.UNCLEAR]
    if holds and (weak := _equally_weak(holds[0], real)):
        note = f"perhaps {holds[0].note}, but elsewhere {weak.note}"
        return Outcome(predicate, State.UNCLEAR, note, (holds[0], weak, *holds[1:]), note)
    if holds and not (unclear and unclear[0].strength > holds[0].strength):
        return Outcome(predicate, State.HOLDS, holds[0].note, tuple(holds), _doubt(holds, real))
    first = (unclear or [e for e in real if e.state is not State.HOLDS])[0]
    note = first.note if first.state is State.UNCLEAR else f"perhaps not met: {first.note}"
    return Outcome(
        predicate, State.UNCLEAR, note, (first, *(e for e in real if e is not first)), first.doubt or note
    )


def contradicted_by(against: Evidence, outcome: Outcome) -> Outcome:
    """An outcome that holds, beside a statement that takes it back: both are shown."""
    note = f"{outcome.note}, but elsewhere {against.note}"
    said = against.doubt or against.note
    doubt = f"contradiction: {said}"
    doubt = f"{outcome.doubt}; {doubt}" if outcome.doubt not in ("", said) else doubt
    return Outcome(outcome.predicate, State.CONFLICT, note, (against, *outcome.evidence), doubt)


def _doubt(holds: list[Evidence], real: list[Evidence]) -> str:
    """What a person must see before a Pass: a doubt of the proof, else of another statement on the same thing."""
    near = max(STRONG, real[0].strength - CONFLICT)
    others = (
        e.doubt
        for e in real
        if e.state in (State.UNCLEAR, State.HOLDS)
        and not e.unit.is_matrix
        and e.strength >= near
        and not e.doubt.startswith((SAYS_LESS, NAMED_ONLY))
    )
    return holds[0].doubt or next(filter(None, others), "")


def _equally_weak(best: Evidence, real: list[Evidence]) -> Evidence | None:
    """Evidence that fails about as surely as the best holds, where that is not surely at all."""
    if best.strength >= STRONG:
        return None
    return next((e for e in real if e.state is State.FAILS and e.strength >= best.strength - NEAR), None)


def _conflict(
    predicate: Predicate, holds: list[Evidence], fails: list[Evidence], *, latest_wins: bool
) -> Outcome:
    both = f"{holds[0].note}, but elsewhere {fails[0].note}"
    if latest_wins and holds[0].strength >= fails[0].strength:
        return Outcome(
            predicate, State.HOLDS, holds[0].note, (*holds, *fails), f"also found: {fails[0].note}"
        )
    if fails[0].strength > holds[0].strength + NEAR:
        return Outcome(predicate, State.FAILS, fails[0].note, (*fails, *holds), both)
    return Outcome(
        predicate,
        State.CONFLICT,
        both,
        (fails[0], holds[0], *holds[1:], *fails[1:]),
        f"contradiction: {both}",
    )


Reader = Callable[[Predicate, Reading], Outcome]
