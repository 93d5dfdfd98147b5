"""From predicates to one verdict: combination, quote, rationale, risk.

Belongs here: what the outcomes of a rule's predicates mean together and how they are put to a reader. Does
not belong here: how a predicate's outcome was reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Literal

from bidproof.facts import convert
from bidproof.judging import quantity, standard
from bidproof.judging.evidence import CONFLICT, NEAR, Evidence, Outcome, State
from bidproof.judging.residue import Left, allowance, left_over, not_shown
from bidproof.judging.units import Unit
from bidproof.judging.untested import left_open, untested
from bidproof.records import Judgement, Predicate, Requirement, Status

_SUBSTANCE = 0.4  # strength of evidence that bears out a part of a rule: half of it in a remark
MAX_QUOTE_WORDS = 40
MAX_ROW_WORDS = 60
MAX_RATIONALE_WORDS = 78
_CLAUSE_EDGE = re.compile(r"(?<=[;:|])\s+|(?<=,)\s+|\s+(?=\()")
_RANK = {Status.PASS: 0, Status.PARTIAL: 1, Status.FAIL: 2, Status.MISSING: 3}


def name_of(predicate: Predicate) -> str:
    """The predicate in a few words."""
    if predicate.kind == "quantity":
        what = " ".join(predicate.measure[:1])
        return " ".join(part for part in (what, quantity.in_words(predicate)) if part)
    if predicate.kind == "standard":
        return standard.in_words(predicate)
    if predicate.kind == "form":
        return f"form {predicate.code}"
    if predicate.kind == "date":
        return " ".join(
            (*predicate.measure[:1], predicate.comparator, predicate.date or " or ".join(predicate.readings))
        ).strip()
    return " ".join((predicate.measure or predicate.terms)[:4]) or "subject of the rule"


def status_of_group(outcomes: Sequence[Outcome], requirement: Requirement) -> Status:
    """Verdict on predicates that must all hold.

    A required form of which there is no trace is Missing however much else was found, and so is a mandatory
    rule of which an element is not spoken of, unless the bidder says something of substance on the rest.
    """
    states = [outcome.state for outcome in outcomes]
    if State.FAILS in states:
        return Status.FAIL
    if all(state is State.HOLDS for state in states):
        return Status.PASS
    absent = [o for o in outcomes if o.state in (State.ABSENT, State.ECHO)]
    if len(absent) == len(outcomes):
        return Status.MISSING
    if any(o.predicate.kind == "form" for o in absent):
        return Status.MISSING
    spoken = any(_of_substance(o) for o in outcomes)
    return Status.PARTIAL if spoken or not (absent and requirement.mandatory) else Status.MISSING


def _of_substance(outcome: Outcome) -> bool:
    """The bidder itself says something that bears out a part: more than a declaration in the matrix."""
    return any(
        e.state in (State.HOLDS, State.UNCLEAR) and e.strength >= _SUBSTANCE for e in outcome.evidence[:1]
    )


def best_group(
    groups: Iterable[Sequence[Outcome]], requirement: Requirement
) -> tuple[Status, Sequence[Outcome]]:
    """The alternative that serves the bidder best: one group of predicates is enough."""
    judged = [(status_of_group(group, requirement), group) for group in groups]
    return min(judged, key=lambda pair: _RANK[pair[0]])


def _deciding(status: Status, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes in the order in which they carry the verdict."""
    first = {
        Status.PASS: (State.HOLDS,),
        Status.FAIL: (State.FAILS, State.CONFLICT, State.UNCLEAR, State.HOLDS),
        Status.PARTIAL: (State.CONFLICT, State.UNCLEAR, State.HOLDS),
        Status.MISSING: (),
    }[status]
    return [o for state in first for o in outcomes if o.state is state and o.evidence]


def _best_evidence(status: Status, deciding: list[Outcome]) -> Evidence:
    """For a Pass the unit that proves most predicates, else the strongest of the first outcome."""
    if status is Status.PASS and len(deciding) > 1:
        options = [e for outcome in deciding for e in outcome.evidence if e.state is State.HOLDS]
        return max(
            options, key=lambda e: (_proves(e, deciding), e.strength, -len(e.unit.text), -e.unit.start)
        )
    return deciding[0].evidence[0]


def _proves(evidence: Evidence, outcomes: list[Outcome]) -> int:
    return sum(any(e.unit == evidence.unit and e.state is State.HOLDS for e in o.evidence) for o in outcomes)


def quote_of(unit: Unit, focus: tuple[int, int] = (0, 0)) -> str:
    """The shortest complete piece of the unit that carries the decision: a slice of the passage.

    A row or sentence is quoted whole; one that is too long is cut at clause edges around `focus`.
    """
    limit = MAX_ROW_WORDS if unit.kind == "row" else MAX_QUOTE_WORDS
    if len(unit.text.split()) <= limit:
        return unit.text.strip()
    edges = [0, *(m.end() for m in _CLAUSE_EDGE.finditer(unit.text)), len(unit.text)]
    start = max((e for e in edges if e <= focus[0]), default=0)
    end = min((e for e in edges if e >= max(focus[1], start + 1)), default=len(unit.text))
    for _ in edges:
        before = max((e for e in edges if e < start), default=start)
        after = min((e for e in edges if e > end), default=end)
        if after > end and len(unit.text[start:after].split()) <= limit:
            end = after
        elif before < start and len(unit.text[before:end].split()) <= limit:
            start = before
        else:
            break
    return _words(unit.text[start:end], limit)


def _words(text: str, limit: int) -> str:
    """The first `limit` words of `text`, verbatim."""
    places = list(re.finditer(r"\S+", text))
    return text[: places[limit - 1].end()].strip() if len(places) > limit else text.strip()


def _others(first: Evidence, deciding: list[Outcome]) -> tuple[str, ...]:
    quotes: list[str] = []
    chain = [*[(u, (0, 0)) for u in first.support]]
    for outcome in deciding:
        width = 2 if outcome.state is State.CONFLICT else 1
        for evidence in outcome.evidence[:width]:
            chain += [(evidence.unit, evidence.focus), *[(u, (0, 0)) for u in evidence.support]]
    for unit, focus in chain:
        quote = quote_of(unit, focus)
        if unit != first.unit and quote and quote not in quotes:
            quotes.append(quote)
    return tuple(quotes[:4])


def _rationale(outcomes: Sequence[Outcome]) -> str:
    parts = [
        f"{name_of(o.predicate)}: {o.state.value}"
        + (f" ({o.note})" if o.note and o.note != o.state.value else "")
        for o in outcomes
    ]
    text = "; ".join(parts)
    words = text.split()
    return " ".join(words[:MAX_RATIONALE_WORDS]) + "…" if len(words) > MAX_RATIONALE_WORDS else text + "."


def _risk(
    status: Status, requirement: Requirement, outcomes: Sequence[Outcome]
) -> Literal["Low", "Medium", "High"]:
    if any(o.state is State.CONFLICT for o in outcomes):
        return "High"
    if status in (Status.FAIL, Status.MISSING):
        return "High" if requirement.mandatory else "Medium"
    if status is Status.PARTIAL:
        return (
            "High"
            if requirement.mandatory and any(o.state in (State.ABSENT, State.ECHO) for o in outcomes)
            else "Medium"
        )
    return "Medium" if any(o.doubt for o in outcomes) else "Low"


def _with_open_figures(outcomes: Sequence[Outcome], requirement: Requirement) -> tuple[Status, list[str]]:
    """Verdict on predicates that all hold, and what a person must look at since no predicate tests it.

    A figure of the rule that the evidence repeats beside the same words leaves a Pass to be looked at; one that it
    does not repeat leaves the rule open, and so does one figure that would have to answer two limits.
    """
    proving = [e for o in outcomes for e in o.evidence if e.state is State.HOLDS]
    texts = [u.own_text for e in proving for u in (e.unit, *e.support)]
    # What another alternative asks is not asked of this one.
    own = [o.predicate for o in outcomes]
    figures = untested(requirement, [*own, *(p for p in requirement.predicates if p.group != own[0].group)])
    unseen = [f for f in figures if left_open(f, texts)]
    reasons = [f"no predicate tests “{requirement.text[f.start : f.end]}” of the rule" for f in figures]
    alone = _said_of_each(outcomes, requirement, texts)
    reasons += ["asked of each, not said of each"] if alone else []
    limits = _limits_of_one_kind(outcomes)
    reasons += [f"limits of several cases: {name_of(a.predicate)}, {name_of(b.predicate)}" for a, b in limits]
    shared = any(_figure(a) == _figure(b) for a, b in limits)
    return Status.PARTIAL if unseen or shared or alone else Status.PASS, reasons


# "EUR 1 million each": a single sum or a total says nothing of each.
_EACH = re.compile(r"\beach\b(?=\s*(?:[.;,)]|$))|\bchacune?\b|\b(?:dans|pour) chaque\b", re.IGNORECASE)
_OF_EACH = re.compile(r"\b(?:each|every|all|per|both|chaque|chacune?|tous|toutes|par)\b", re.IGNORECASE)


def _said_of_each(outcomes: Sequence[Outcome], requirement: Requirement, texts: Iterable[str]) -> bool:
    """An amount is asked of each of several things, and no evidence says it of each: one sum, or a total."""
    amounts = any(o.predicate.kind == "quantity" for o in outcomes)
    return (
        amounts and bool(_EACH.search(requirement.text)) and not any(_OF_EACH.search(text) for text in texts)
    )


def _limits_of_one_kind(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, Outcome]]:
    """Pairs of limits of which one would imply the other, were they not for two cases (4 h here, 8 h there)."""
    amounts = [o for o in outcomes if o.predicate.kind == "quantity" and o.predicate.value is not None]
    return [
        (a, b)
        for a, b in combinations(amounts, 2)
        if (a.predicate.comparator, a.predicate.per, a.predicate.base)
        == (b.predicate.comparator, b.predicate.per, b.predicate.base)
        and (told := convert(b.predicate.value or 0.0, b.predicate.unit, a.predicate.unit)) is not None
        and a.predicate.value != told
    ]


def _figure(outcome: Outcome) -> tuple[str, int, tuple[int, int]]:
    """Place of the figure that decides an outcome."""
    best = outcome.evidence[0]
    return best.unit.passage.chunk_id, best.unit.start, best.focus


def _unearned(outcomes: Sequence[Outcome], requirement: Requirement, allowed: int) -> list[str]:
    """What nothing accounts for in the statements of a Pass, and what they leave unsaid of the rule.

    More than one statement may prove a predicate: the one with the fewest words left over speaks for it.
    """
    rule = " ".join((requirement.text, *requirement.synonyms))
    left: list[str] = []
    less: list[str] = []
    said: list[str] = []
    for outcome in outcomes:
        best = outcome.evidence[0]
        proving = [
            e for e in outcome.evidence if e.state is State.HOLDS and e.strength >= best.strength - NEAR
        ]
        left += (
            sorted((_left_in(e, rule, outcomes, allowed).words for e in proving), key=len)[0]
            if proving
            else ()
        )
        less += _narrowed_elsewhere(outcome, rule, outcomes, allowed)
        said += [text for e in proving for u in (e.unit, *e.support) for text in (u.text, u.heading)]
    rows = all(
        e.unit.kind == "row" for o in outcomes for e in o.evidence[:1]
    )  # a row shows its values, not the words
    unsaid = () if rows else not_shown(requirement.text, said)
    reasons = [f"unexplained: {', '.join(list(dict.fromkeys(left))[:6])}"] if left else []
    reasons += (
        [f"another statement narrows it: {', '.join(list(dict.fromkeys(less))[:6])}"]
        if less and not left
        else []
    )
    short = len(unsaid) <= allowance(requirement.text, allowed, rule=True)
    return reasons if short else [*reasons, f"not shown: {', '.join(unsaid[:6])}"]


def _left_in(evidence: Evidence, rule: str, outcomes: Sequence[Outcome], allowed: int) -> Left:
    """Words of a statement that nothing accounts for, none where it may hold as many."""
    unit = evidence.unit
    read = [e.focus for o in outcomes for e in o.evidence if e.unit == unit]
    left = left_over(unit.own_text, rule, decided=read, row=unit.kind == "row")
    few = len(left.narrowing) <= allowed and len(left.words) <= allowance(unit.own_text, allowed)
    return Left() if few else left


def _narrowed_elsewhere(outcome: Outcome, rule: str, outcomes: Sequence[Outcome], allowed: int) -> list[str]:
    """Words by which another sentence that says as much as the proof narrows it; rows tell of one item each."""
    best = outcome.evidence[0]
    alike = (
        e
        for e in outcome.evidence
        if e.state is State.HOLDS and e.strength >= best.strength - CONFLICT and e.unit.kind != "row"
    )
    if best.unit.kind == "row":
        return []
    return [word for e in alike for word in _left_in(e, rule, outcomes, allowed).narrowing]


def judgement_of(
    requirement: Requirement, groups: Iterable[Sequence[Outcome]], *, residue: int | None = None
) -> Judgement:
    """The verdict on a rule from the outcomes of its groups of predicates.

    Args:
        requirement: the rule.
        groups: outcomes of its predicates by group; one group is enough.
        residue: words that may stay unexplained before a person looks at a Pass; None where none is asked for them.
    """
    status, outcomes = best_group(groups, requirement)
    reasons = [o.doubt for o in outcomes if o.doubt and o.state is not State.ABSENT]
    if status is Status.PASS:
        status, doubts = _with_open_figures(outcomes, requirement)
        reasons += doubts
    if status is Status.PASS and residue is not None:
        reasons += _unearned(outcomes, requirement, residue)
    if status is not Status.PASS:
        reasons += [
            f"{name_of(o.predicate)}: not found"
            for o in outcomes
            if o.state is State.ABSENT and status is Status.PARTIAL
        ]
    deciding = _deciding(status, outcomes)
    review = "; ".join(dict.fromkeys(reasons))
    rationale, risk = _rationale(outcomes), _risk(status, requirement, outcomes)
    if status is Status.MISSING or not deciding:
        missing = Status.MISSING
        return Judgement(
            rule_id=requirement.rule_id,
            status=missing,
            rationale=rationale,
            risk=risk,
            needs_review=bool(review),
            review_reason=review,
        )
    first = _best_evidence(status, deciding)
    return Judgement(
        rule_id=requirement.rule_id,
        status=status,
        rationale=rationale,
        quote=quote_of(first.unit, first.focus),
        chunk_id=first.unit.passage.chunk_id,
        pages=first.unit.pages,
        risk=risk,
        needs_review=bool(review) or status is Status.PARTIAL,
        review_reason=review or ("partly met" if status is Status.PARTIAL else ""),
        other_quotes=_others(first, deciding),
    )
