"""Reading a presence predicate: does the bid really say or enclose what the rule speaks of.

Belongs here: coverage of a rule's concept terms by one statement of the bidder, with its polarity. Does not
belong here: figures, standards and forms, which have readers of their own.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bidproof.facts import fold, stem
from bidproof.judging.evidence import (
    BARE,
    DECLARED,
    STRONG,
    Evidence,
    Outcome,
    Reading,
    State,
    tempered,
    weigh,
)
from bidproof.judging.quantity import declared
from bidproof.judging.topic import designators
from bidproof.judging.units import Unit, status_of
from bidproof.judging.validity import day_of, find_expiry, needs_validity
from bidproof.judging.words import concept_terms, seen_terms, words_of
from bidproof.records import Predicate

_HEADING_WEIGHT = 0.6
_MIN_OWN = 0.25  # share of the terms that the statement itself must name; the rest may stand in headings
_JOIN = 3  # statements under one heading that may prove a rule together
_PAPER = re.compile(
    r"\b(?:enclos\w+|attach\w+|provided|includ\w+|submit\w+|present|filled|signed|shown|evidenced|documented|listed|described|stated|mapped|joint\w*|fourni\w*|sign[ée]\w*)\b",
    re.IGNORECASE,
)


def terms_asked(predicate: Predicate, reading: Reading) -> tuple[str, ...]:
    """Stems that evidence must name."""
    return concept_terms(
        predicate.terms or predicate.measure or (predicate.text or reading.requirement.text,)
    )


def read_presence(predicate: Predicate, reading: Reading) -> Outcome:
    """What the passages say about the thing asked for."""
    terms = terms_asked(predicate, reading)
    found: list[Evidence] = []
    for unit in reading.units:
        evidence = _statement(predicate, terms, reading, unit)
        if evidence:
            found.append(evidence)
    if not any(e.state is State.HOLDS for e in found):
        found += _together(predicate, terms, reading)
    return weigh(predicate, found)


def _covered(terms: tuple[str, ...], unit: Unit, reading: Reading) -> tuple[set[str], set[str]]:
    """Terms named by the statement itself, and those that only its headings name."""
    synonyms = reading.requirement.synonyms
    own = seen_terms(terms, [w.stem for w in unit.own_words], synonyms)
    above = seen_terms(terms, [w.stem for w in words_of(unit.heading)], synonyms) - own
    return own, above


def _share(terms: tuple[str, ...], own: set[str], above: set[str]) -> float:
    return (len(own) + _HEADING_WEIGHT * len(above)) / len(terms) if terms else 0.0


def _statement(predicate: Predicate, terms: tuple[str, ...], reading: Reading, unit: Unit) -> Evidence | None:
    if unit.is_matrix:
        return _matrix_row(predicate, terms, reading, unit)
    own, above = _covered(terms, unit, reading)
    share = _share(terms, own, above)
    if share < reading.params.partial_coverage or len(own) < max(1, _MIN_OWN * len(terms)):
        return None
    if echo := reading.echo(unit):
        return Evidence(unit, State.ECHO, share, echo, "echo")
    return _judged(predicate, terms, reading, unit, own, share)


def _judged(
    predicate: Predicate, terms: tuple[str, ...], reading: Reading, unit: Unit, own: set[str], share: float
) -> Evidence:
    unseen = [term for term in terms if term not in own]
    places = [(w.start, w.end) for w in unit.own_words if seen_terms([*own], [w.stem])] or [(0, 1)]
    paper = bool(_PAPER.search(reading.requirement.text))
    if not _asserts(unit):
        return Evidence(unit, State.UNCLEAR, BARE * share, "named, nothing said about it", "named only")
    evidence = Evidence(unit, State.HOLDS, share, _note(terms, own), "", places[0])
    if answered := _answer_of_row(unit):
        return replace(evidence, state=answered, note="said not to be there", strength=max(STRONG, share))
    evidence = tempered(evidence, places, paper=paper)
    if evidence.state is State.HOLDS and (other := _other_designator(predicate, reading, unit)):
        evidence = replace(evidence, state=State.UNCLEAR, note=other, doubt=other)
    if evidence.state is State.HOLDS and share < reading.params.pass_coverage:
        doubt = "not all is covered: " + ", ".join(unseen[:5])
        evidence = replace(
            evidence,
            state=State.UNCLEAR,
            note=f"{evidence.note}; unseen: {', '.join(unseen[:5])}",
            doubt=doubt,
        )
    if evidence.state is State.HOLDS and needs_validity(predicate, reading.requirement):
        evidence = _valid(evidence, predicate, reading)
    return evidence


def _answer_of_row(unit: Unit) -> State | None:
    """What a row such as "SOC 2 report | not available" says of its label."""
    answers = {
        status_of(unit.passage.text[c.start : c.end]) for c in unit.cells if c.role in ("own", "status")
    }
    if unit.kind != "row" or not answers & {"no", "partly"}:
        return None
    return State.FAILS if "no" in answers else State.UNCLEAR


def _note(terms: tuple[str, ...], own: set[str]) -> str:
    return f"stated ({len(own)} of {len(terms)} terms)"


def _asserts(unit: Unit) -> bool:
    """The unit says something: a row with a value, or a sentence with more than a title's words."""
    if unit.kind == "row":
        return any(
            re.search(r"\w", unit.passage.text[c.start : c.end]) for c in unit.cells if c.role == "own"
        )
    return len(unit.text.split()) >= 5 and (unit.text.rstrip()[-1:] in ".;:!)" or len(unit.words) >= 5)


def _other_designator(predicate: Predicate, reading: Reading, unit: Unit) -> str:
    """The unit speaks of Type I where the rule asks for Type II."""
    text = predicate.text or reading.requirement.text
    here = designators(unit.own_text)
    for family, value, _, _ in designators(text):
        same_family = {v for f, v, _, _ in here if f == family}
        if same_family and value not in same_family:
            return f"{family} {', '.join(sorted(same_family))} instead of {value}"
    return ""


def _valid(evidence: Evidence, predicate: Predicate, reading: Reading) -> Evidence:
    unit = evidence.unit
    nearest = [unit, *(u for u in reading.record(unit) if u is not unit)]
    expiry = find_expiry(nearest, day_of(predicate, reading.requirement))
    note = f"{evidence.note}, {expiry.note}"
    if expiry.state is State.HOLDS:
        support = (expiry.unit,) if expiry.unit is not None and expiry.unit is not unit else ()
        return replace(evidence, note=note, support=support, strength=evidence.strength + 0.2)
    if expiry.state is State.FAILS and expiry.unit is not None:
        return replace(
            evidence,
            unit=expiry.unit,
            state=State.FAILS,
            note=expiry.note,
            strength=max(STRONG, evidence.strength),
            support=(unit,) if unit is not expiry.unit else (),
        )
    return replace(
        evidence, state=State.UNCLEAR, note=note, doubt=expiry.note, strength=DECLARED * evidence.strength
    )


def _matrix_row(
    predicate: Predicate, terms: tuple[str, ...], reading: Reading, unit: Unit
) -> Evidence | None:
    """A compliance row: the requirement column says what it is about, status and remark what the bidder says."""
    asked = [
        w.stem for c in unit.cells if c.role == "asked" for w in words_of(unit.passage.text[c.start : c.end])
    ]
    about = len(seen_terms(terms, asked, reading.requirement.synonyms)) / len(terms) if terms else 0.0
    remark = len(seen_terms(terms, [w.stem for w in words_of(unit.substance)], reading.requirement.synonyms))
    if about < reading.params.partial_coverage or unit.status in ("", "noted"):
        return None
    evidence = declared(unit, about, unit_has_answer=False)
    if evidence and evidence.state is State.HOLDS:
        if remark and about >= reading.params.pass_coverage:
            return replace(
                evidence,
                note="declared compliant with a remark on it",
                doubt="rests on a declaration in the compliance matrix",
            )
        return replace(
            evidence,
            state=State.UNCLEAR,
            note="declared compliant, the remark says little of it",
            doubt="rests on a declaration in the compliance matrix",
        )
    return evidence


def _together(predicate: Predicate, terms: tuple[str, ...], reading: Reading) -> list[Evidence]:
    """Statements under one heading that cover the terms only jointly; the one that adds most comes first."""
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in reading.units:
        if not unit.is_matrix and not reading.echo(unit) and _asserts(unit):
            groups.setdefault((unit.passage.doc_id, unit.passage.heading_path), []).append(unit)
    found = []
    for _, units in sorted(groups.items()):
        chosen, seen = _greedy(terms, units, reading)
        if len(chosen) < 2:
            continue
        above = (
            seen_terms(terms, [w.stem for w in words_of(chosen[0].heading)], reading.requirement.synonyms)
            - seen
        )
        share = _share(terms, seen, above)
        if share < reading.params.partial_coverage:
            continue
        first = _judged(predicate, terms, reading, chosen[0], seen, share)
        rest = [_judged(predicate, terms, reading, unit, seen, share) for unit in chosen[1:]]
        worst = next((e for e in (first, *rest) if e.state is not State.HOLDS), first)
        strength = share * 0.95
        others = tuple(u for u in chosen if u is not worst.unit)
        found.append(replace(worst, strength=strength, support=(*worst.support, *others)))
    return found


def _greedy(terms: tuple[str, ...], units: list[Unit], reading: Reading) -> tuple[list[Unit], set[str]]:
    chosen: list[Unit] = []
    seen: set[str] = set()
    synonyms = reading.requirement.synonyms
    cover = {n: seen_terms(terms, [w.stem for w in u.own_words], synonyms) for n, u in enumerate(units)}
    while len(chosen) < _JOIN:
        n = max(cover, key=lambda k: (len(cover[k] - seen), -len(units[k].text), -k))
        if not cover[n] - seen:
            break
        chosen.append(units[n])
        seen |= cover[n]
    return chosen, seen
