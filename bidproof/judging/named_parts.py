"""Parts that a rule names one by one: things of which none may be denied, and things forbidden.

Belongs here: a part that a statement names only to deny it, what it says of a part that the rule forbids, and
years that it does not show. Does not belong here: how much of the concept is named (`presence`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from bidproof.judging.concept import Concept, asks_absence
from bidproof.judging.evidence import STRONG, Evidence, Reading, State
from bidproof.judging.polarity import denied
from bidproof.judging.prohibition import forbidden_in, says_of_forbidden
from bidproof.judging.units import Unit
from bidproof.judging.untested import repeated, untested
from bidproof.judging.years import unseen_years, years_asked


def denied_part(concept: Concept, unit: Unit, aside: frozenset[int] = frozenset()) -> str:
    """A term that the unit names only to deny it ("in English; a French version is not included").

    Terms numbered in `aside` are left out.
    """
    text = unit.own_text
    reach = denied(text)
    if not reach:
        return ""
    for number in range(len(concept.terms)):
        places = [w.start for w in unit.own_words if concept.is_named(number, w.stem)]
        if number not in aside and places and all(any(a <= p < b for a, b in reach) for p in places):
            return concept.names([number])[0]
    return ""


def whole(evidence: Evidence, concept: Concept, reading: Reading, covered: frozenset[int]) -> Evidence:
    """Each thing that the rule names is affirmed: one that is named only to be denied leaves the rule open."""
    if asks_absence(reading.requirement):
        return evidence
    aside = concept.seen(forbidden_in(reading.requirement.text).stems)
    if not (part := denied_part(concept, evidence.unit, aside)):
        return evidence
    note = f"denied of a part ({part})"
    return replace(evidence, state=State.UNCLEAR, note=f"{evidence.note}, {note}", doubt=note)


_OR = re.compile(
    r"\b(?:or|ou)\b(?!\s+(?:more|less|fewer|higher|lower|above|below|better|equivalent|plus|moins|[ée]quivalent|later|earlier|longer)\b)",
    re.IGNORECASE,
)
_OR_REACH = 40  # characters on either side in which the things stand that are said in the alternative


def either(evidence: Evidence, concept: Concept, reading: Reading, covered: frozenset[int]) -> Evidence:
    """What is asked for together is not offered in the alternative ("on iOS or Android", where both are asked)."""
    if _OR.search(reading.requirement.text):
        return evidence
    unit = evidence.unit
    for found in _OR.finditer(unit.own_text):
        left = [w for w in unit.own_words if 0 <= found.start() - w.end <= _OR_REACH]
        right = [w for w in unit.own_words if 0 <= w.start - found.end() <= _OR_REACH]
        before = concept.seen([w.stem for w in left[-1:]])
        behind = concept.seen([w.stem for w in right[:1]]) - before
        if before and behind:
            note = f"said of one or the other ({concept.names(before)[0]} or {concept.names(behind)[0]})"
            return replace(evidence, state=State.UNCLEAR, note=f"{evidence.note}, {note}", doubt=note)
    return evidence


def all_years(evidence: Evidence, concept: Concept, reading: Reading, covered: frozenset[int]) -> Evidence:
    """Each year that the rule names is shown, by the statement or by others that say as much of the subject."""
    if not years_asked(reading.requirement.text):
        return evidence
    alike = [
        u
        for u in reading.units
        if concept.share(concept.told(u)) >= reading.params.pass_coverage
        and not u.is_matrix
        and not denied(u.own_text)
        and not reading.echo(u)
    ]
    units = (evidence.unit, *evidence.support, *alike)
    unseen = unseen_years(reading.requirement.text, [t for u in units for t in (u.own_text, u.heading)])
    if not unseen:
        return evidence
    note = f"years not shown: {', '.join(map(str, unseen))}"
    return replace(evidence, state=State.UNCLEAR, note=f"{evidence.note}, {note}", doubt=note)


def said_of_forbidden(concept: Concept, reading: Reading, unit: Unit, *, answered_no: bool = False) -> str:
    """What the unit says of the things that the rule forbids; empty when it forbids none of the concept.

    Where the rule asks for something besides, an admission or silence leaves the verdict on that part as it is.
    """
    forbidden = forbidden_in(reading.requirement.text)
    core = concept.seen(forbidden.stems)
    figures = untested(reading.requirement, reading.requirement.predicates) if forbidden.stems else ()
    other_figure = not all(repeated(figure, [unit.own_text]) for figure in figures)
    if not core:  # "must not be 400 V" forbids the figure alone, and 230 V does not break it
        return "unclear" if forbidden.whole and other_figure else ""
    named = {n: [(w.start, w.end) for w in unit.own_words if concept.is_named(n, w.stem)] for n in core}
    said = {n: places for n, places in named.items() if places}
    if not said:
        return "unclear" if forbidden.whole else ""
    answer = says_of_forbidden(unit.own_text, said.values(), by_ban=forbidden.by_ban)
    if answered_no:  # "Convicted of fraud | No"
        answer = {"affirmed": "denied"}.get(answer, "unclear")
    if answer == "affirmed" and (len(said) < len(core) or not forbidden.whole):
        return "unclear"
    return "unclear" if answer == "affirmed" and other_figure else answer


def remark_on_forbidden(evidence: Evidence, concept: Concept, reading: Reading) -> Evidence:
    """A remark beside "Compliant" that speaks of what the rule forbids: to deny it is to comply."""
    match said_of_forbidden(concept, reading, evidence.unit):
        case "affirmed":
            return replace(evidence, state=State.FAILS, note="the remark says the opposite", strength=STRONG)
        case "denied" if asks_absence(reading.requirement) and evidence.state is State.FAILS:
            return replace(evidence, state=State.HOLDS, note="declared compliant with a remark", doubt="")
        case "unclear" if any(
            concept.is_named(n, w.stem)
            for n in concept.seen(forbidden_in(reading.requirement.text).stems)
            for w in evidence.unit.own_words
        ):
            note = "not clear whether the forbidden thing is denied"
            return replace(evidence, state=State.UNCLEAR, note=note, doubt=note)
    return evidence
