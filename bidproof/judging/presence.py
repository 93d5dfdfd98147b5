"""Reading a presence predicate: does the bid really say or enclose what the rule speaks of.

Belongs here: coverage of a rule's concept by statements of the bidder, with their polarity. Does not belong
here: figures, standards and forms, which have readers of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bidproof.judging.concept import EVERY, ONLY, Concept, asks_absence, asks_every, asks_only, concept_of
from bidproof.judging.evidence import (
    BARE,
    DECLARED,
    DEVIATES,
    NAMED_ONLY,
    SAYS_LESS,
    STRONG,
    Evidence,
    Outcome,
    Reading,
    State,
    contradicted_by,
    tempered,
    weigh,
)
from bidproof.judging.form import left_blank
from bidproof.judging.frequency import intervals_in, is_frequency, less_often
from bidproof.judging.named_parts import all_years, either, remark_on_forbidden, said_of_forbidden, whole
from bidproof.judging.polarity import denied, promise_in
from bidproof.judging.prohibition import forbidden_in
from bidproof.judging.quantity import declared
from bidproof.judging.topic import designators
from bidproof.judging.units import Unit
from bidproof.judging.validity import day_of, find_expiry, needs_validity
from bidproof.judging.words import words_of
from bidproof.records import Predicate

_MIN_OWN = 0.25  # share of the concept that the statement itself must name; the rest may stand in headings
_MIN_SAID = 0.5  # share that the bidder must have said itself for a Pass: headings prove nothing
_TELLING = 0.7  # a term of this weight may not go unseen
_MIN_PART = 0.1  # and that a statement must name to speak against a part of it
_LONG_SENTENCE = 60  # words
_STATEMENT_CHARS = 240
_NEAR_SHARE = 0.8
_REMARK = 0.8  # strength of a remark in a matrix against that of a statement
_ANYWHERE = "\x00"
_JOIN = 3  # statements under one heading that may prove a rule together
_SAYS = re.compile(r"\b(?:we|nous|is|are|has|have|est|sont|sommes|ont|ne)\b|\bn['’]", re.IGNORECASE)
_PAPER = re.compile(
    r"\b(?:enclos\w+|attach\w*|provided|includ\w+|submit\w*|furnish\w*|present|filled|signed|shown|evidenced|documented|listed|described|stated|mapped|join\w*|fourni\w*|produi\w+|remet\w*|annex\w+|sign[ée]\w*)\b",
    re.IGNORECASE,
)


def read_presence(predicate: Predicate, reading: Reading) -> Outcome:
    """What the passages say about the thing asked for."""
    concept = concept_of(predicate, reading.requirement, reading.weights)
    found: list[Evidence] = []
    for unit in reading.units:
        evidence = (
            _matrix_row(concept, reading, unit)
            if unit.is_matrix
            else _statement(predicate, concept, reading, unit)
        )
        if evidence:
            found.append(evidence)
    if not any(e.state is State.HOLDS for e in found):
        found += _together(predicate, concept, reading)
    open_parts = any(e.state is State.HOLDS and not e.unit.is_matrix for e in found)
    speaking = [u for u in reading.units if open_parts and not u.is_matrix and _speaks(concept, reading, u)]
    outcome = weigh(predicate, [_probed(e, concept, speaking) for e in found])
    against = [e for e in found if e.note == DEVIATES]
    return contradicted_by(against[0], outcome) if against and outcome.state is State.HOLDS else outcome


def _own(concept: Concept, unit: Unit) -> frozenset[int]:
    return concept.told(unit)


def _above(concept: Concept, unit: Unit) -> frozenset[int]:
    return concept.seen(w.stem for w in words_of(unit.heading))


def _statement(predicate: Predicate, concept: Concept, reading: Reading, unit: Unit) -> Evidence | None:
    own = _own(concept, unit)
    share = concept.share(own, _above(concept, unit))
    if share < reading.params.partial_coverage or concept.share(own) < _MIN_OWN:
        return None
    if echo := reading.echo(unit):
        return Evidence(unit, State.ECHO, share, echo, "echo")
    return _judged(predicate, concept, reading, unit, own, share)


def _judged(
    predicate: Predicate,
    concept: Concept,
    reading: Reading,
    unit: Unit,
    covered: frozenset[int],
    share: float,
) -> Evidence:
    """One statement that names enough of the concept, alone or with others."""
    if not _asserts(unit):
        return Evidence(unit, State.UNCLEAR, BARE * share, "named, nothing said about it", NAMED_ONLY)
    own = _own(concept, unit)
    places = [(w.start, w.end) for w in unit.own_words if concept.seen([w.stem])] or [(0, 1)]
    evidence = Evidence(
        unit, State.HOLDS, share, f"stated ({len(covered)} of {len(concept.terms)} terms)", "", places[0]
    )
    answered = {"no": State.FAILS, "partly": State.UNCLEAR}.get(unit.answer)
    of_forbidden = said_of_forbidden(concept, reading, unit, answered_no=answered is State.FAILS)
    if unit.deviation == "declared" and not of_forbidden and answered is not State.FAILS:
        return replace(evidence, state=State.UNCLEAR, note=DEVIATES, doubt=DEVIATES)
    if not of_forbidden and answered:
        return replace(evidence, state=answered, note="said not to be there", strength=max(STRONG, share))
    if of_forbidden and not asks_absence(reading.requirement):
        core = concept.seen(forbidden_in(reading.requirement.text).stems)
        places = [(w.start, w.end) for w in unit.own_words if concept.seen([w.stem]) - core] or places
    paper = bool(_PAPER.search(reading.requirement.text))
    evidence = tempered(
        evidence,
        places,
        rule=reading.requirement.text,
        day=reading.submission_date,
        paper=paper,
        absence=asks_absence(reading.requirement),
        of_forbidden=of_forbidden,
    )
    if evidence.state is State.FAILS and concept.share(own) < _denied_share(reading):
        weaker = evidence.strength * DECLARED  # it may deny something else
        return replace(evidence, state=State.UNCLEAR, strength=weaker, doubt=evidence.note)
    for question in (
        whole,
        either,
        all_years,
        _designator,
        _rhythm,
        _completeness,
        _closeness,
        _universality,
    ):
        if evidence.state is State.HOLDS:
            evidence = question(evidence, concept, reading, covered)
    if evidence.state is State.HOLDS and needs_validity(predicate, reading.requirement):
        evidence = _valid(evidence, predicate, reading)
    return evidence


def _denied_share(reading: Reading) -> float:
    """Share of the concept that a denial must name: one counterexample defeats a rule on all."""
    every = asks_every(reading.requirement)
    return reading.params.partial_coverage if every else reading.params.pass_coverage


def _asserts(unit: Unit) -> bool:
    """The unit says something: a row with a value, or a sentence with more than a title's words; no blank of a form."""
    if left_blank(unit) or unit.deviation == "none":
        return False
    if unit.kind == "row":
        return any(
            re.search(r"\w", unit.passage.text[c.start : c.end]) for c in unit.cells if c.role == "own"
        )
    size, closed = len(unit.text.split()), unit.text.rstrip()[-1:] in ".;:!)"
    if 3 <= size < 5:  # "All goods are new."
        return closed and bool(_SAYS.search(unit.text))
    return size >= 5 and (closed or len(unit.words) >= 5)


def _designator(evidence: Evidence, concept: Concept, reading: Reading, covered: frozenset[int]) -> Evidence:
    """The statement speaks of Type I where the rule asks for Type II, and for nothing else of that kind."""
    asked: dict[str, set[str]] = {}
    for family, value, _, _ in designators(reading.requirement.text):
        asked.setdefault(family, set()).add(value)
    here = designators(evidence.unit.own_text)
    for family, values in sorted(asked.items()):
        said = {v for f, v, _, _ in here if f == family}
        if len(values) == 1 and said and not said & values:
            note = f"{family} {', '.join(sorted(said))} instead of {', '.join(values)}"
            return replace(evidence, state=State.UNCLEAR, note=note, doubt=note)
    return evidence


def _rhythm(evidence: Evidence, concept: Concept, reading: Reading, covered: frozenset[int]) -> Evidence:
    """What is asked quarterly is done every six months."""
    said = " ".join(u.own_text for u in (evidence.unit, *evidence.support))
    if not less_often(reading.requirement.text, said):
        return evidence
    note = "less often than asked"
    return replace(evidence, state=State.UNCLEAR, note=f"{evidence.note}, {note}", doubt=note)


def _completeness(
    evidence: Evidence, concept: Concept, reading: Reading, covered: frozenset[int]
) -> Evidence:
    if evidence.strength >= reading.params.pass_coverage and concept.share(covered) >= _MIN_SAID:
        return evidence
    unseen = ", ".join(concept.names(set(range(len(concept.terms))) - covered)[:5])
    return replace(
        evidence,
        state=State.UNCLEAR,
        note=f"{evidence.note}; unseen: {unseen}",
        doubt=f"{SAYS_LESS}: {unseen}",
    )


def _closeness(evidence: Evidence, concept: Concept, reading: Reading, covered: frozenset[int]) -> Evidence:
    """The words of the rule stand near one another: over a sentence of a page they make no statement."""
    unit = evidence.unit
    if unit.kind == "row" or len(unit.text.split()) <= _LONG_SENTENCE:
        return evidence
    words = unit.own_words
    enough = _NEAR_SHARE * concept.share(concept.seen(w.stem for w in words))
    for n, first in enumerate(words):
        near = [w.stem for w in words[n:] if w.end - first.start <= _STATEMENT_CHARS]
        if concept.share(concept.seen(near)) >= enough:
            return evidence
    note = "the words of the rule stand far apart"
    return replace(evidence, state=State.UNCLEAR, note=f"{evidence.note}; {note}", doubt=note)


def _universality(
    evidence: Evidence, concept: Concept, reading: Reading, covered: frozenset[int]
) -> Evidence:
    """Neither "all" nor "only" is proven by one instance."""
    text = evidence.unit.own_text
    if asks_only(reading.requirement):
        note = "that there is nothing else cannot be seen from one statement"
        return replace(evidence, state=State.UNCLEAR, note=f"{evidence.note}; {note}", doubt=note)
    if asks_every(reading.requirement) and not EVERY.search(text):
        note = "said of some, not of all"
        return replace(evidence, state=State.UNCLEAR, note=f"{evidence.note}; {note}", doubt=note)
    return evidence


def _valid(evidence: Evidence, predicate: Predicate, reading: Reading) -> Evidence:
    unit = evidence.unit
    nearest = [unit, *(u for u in reading.record(unit) if u is not unit)]
    expiry = find_expiry(nearest, day_of(predicate, reading.requirement))
    note = f"{evidence.note}, {expiry.note}"
    other = expiry.unit if expiry.unit is not None and expiry.unit is not unit else None
    if expiry.state is State.HOLDS:
        return replace(
            evidence, note=note, support=(other,) if other else (), strength=evidence.strength + 0.2
        )
    if expiry.state is State.FAILS and expiry.unit is not None:
        strength = max(STRONG, evidence.strength)
        return replace(
            evidence,
            unit=expiry.unit,
            state=State.FAILS,
            note=expiry.note,
            strength=strength,
            support=(unit,) if other else (),
        )
    return replace(
        evidence, state=State.UNCLEAR, note=note, doubt=expiry.note, strength=DECLARED * evidence.strength
    )


def _probed(evidence: Evidence, concept: Concept, speaking: Sequence[Unit]) -> Evidence:
    """A statement that holds, after a look for the part it leaves out: another unit may deny just that.

    "The interface is in English and French" leaves out the manuals, of which the next sentence says
    "in English only". A telling part of which nothing is said at all leaves the rule open. `speaking` are the units
    that say something of the concept.
    """
    if evidence.state is not State.HOLDS or evidence.unit.is_matrix:
        return evidence
    covered = frozenset(n for u in (evidence.unit, *evidence.support) for n in _own(concept, u))
    above = _above(concept, evidence.unit)
    support: list[Unit] = list(evidence.support)
    others = [u for u in speaking if u is not evidence.unit]
    for number in sorted(set(range(len(concept.terms))) - covered):
        part = concept.names([number])[0]
        if spoiling := next((u for u in others if _spoils(number, concept, u)), None):
            note, doubt = (
                f"{evidence.note}, but of “{part}” it is said otherwise",
                f"another statement on {part}",
            )
            return replace(evidence, state=State.UNCLEAR, note=note, doubt=doubt, support=(spoiling,))
        adding = next((u for u in others if number in _own(concept, u)), None)
        if adding and adding not in support:
            support.append(adding)
        if adding is None and number not in above and concept.weights[number] >= _TELLING:
            note = f"{evidence.note}; unseen: {part}"
            return replace(evidence, state=State.UNCLEAR, note=note, doubt=f"{SAYS_LESS}: {part}")
    return replace(evidence, support=tuple(support))


def _speaks(concept: Concept, reading: Reading, unit: Unit) -> bool:
    """The unit says something of the concept in the bidder's own voice."""
    return _asserts(unit) and concept.share(_own(concept, unit)) >= _MIN_PART and not reading.echo(unit)


def _spoils(number: int, concept: Concept, unit: Unit) -> bool:
    """The unit, which speaks of the concept, denies or restricts the term in question."""
    places = [w for w in unit.own_words if concept.is_named(number, w.stem)]
    if not places:
        return False
    reach = denied(unit.own_text)
    inside = any(a <= w.start < b for a, b in reach for w in places)
    return inside or bool(ONLY.search(unit.own_text)) or bool(promise_in(unit.own_text, paper=True))


def _matrix_row(concept: Concept, reading: Reading, unit: Unit) -> Evidence | None:
    """A compliance row: its requirement column is the subject, status and remark are the bidder's word."""
    asked = concept.seen(w.stem for w in words_of(unit.asked_text))
    remark = concept.seen(w.stem for w in words_of(unit.substance))
    if intervals_in(unit.substance):
        remark |= {n for n, group in enumerate(concept.terms) if any(map(is_frequency, group))}
    about = concept.share(asked | remark)
    if about < reading.params.partial_coverage or unit.status in ("", "noted"):
        return None
    evidence = declared(unit, about, unit_has_answer=False)
    if evidence and unit.status == "yes":
        evidence = remark_on_forbidden(evidence, concept, reading)
    if evidence is None or evidence.state is not State.HOLDS:
        return evidence
    if less_often(reading.requirement.text, unit.own_text):
        note = "less often than asked"
        return replace(evidence, state=State.UNCLEAR, note=note, doubt=note)
    doubt = "rests on a declaration in the compliance matrix"
    if concept.share(remark) >= reading.params.pass_coverage:
        return replace(
            evidence, strength=about, note="declared compliant with a remark that says it", doubt=""
        )
    if concept.share(remark) >= reading.params.partial_coverage and about >= reading.params.pass_coverage:
        return replace(evidence, note="declared compliant with a remark on it", doubt=doubt)
    if concept.share(remark) >= reading.params.partial_coverage:  # the remark itself bears out a part
        evidence = replace(evidence, strength=max(evidence.strength, _REMARK * concept.share(remark)))
    return replace(
        evidence, state=State.UNCLEAR, note="declared compliant, the remark says little of it", doubt=doubt
    )


def _together(predicate: Predicate, concept: Concept, reading: Reading) -> list[Evidence]:
    """Statements under one heading that cover the concept only jointly, the most telling first."""
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in reading.units:
        if not unit.is_matrix and _asserts(unit) and _own(concept, unit) and not reading.echo(unit):
            for heading in _sections(concept, unit):
                groups.setdefault((unit.passage.doc_id, heading), []).append(unit)
    found = []
    for _, units in sorted(groups.items()):
        chosen, seen = _greedy(concept, [u for u in units if not _of_its_label(concept, u, units)])
        share = concept.share(seen, _above(concept, chosen[0]))
        if len(chosen) < 2 or share < reading.params.partial_coverage:
            continue
        judged = [_judged(predicate, concept, reading, unit, seen, share) for unit in chosen]
        worst = next((e for e in judged if e.state is not State.HOLDS), judged[0])
        others = tuple(u for u in chosen if u is not worst.unit)
        found.append(replace(worst, strength=share * 0.95, support=(*worst.support, *others)))
    return found


def _of_its_label(concept: Concept, unit: Unit, units: list[Unit]) -> bool:
    """A row that denies something of its own label only ("Servers | none needed"), where others affirm."""
    if unit.kind != "row" or not denied(unit.own_text) or concept.seen(w.stem for w in unit.own_words):
        return False
    same = [
        u for u in units if u is not unit and u.kind == "row" and u.passage.headers == unit.passage.headers
    ]
    return any(not denied(u.own_text) for u in same)


def _sections(concept: Concept, unit: Unit) -> list[str]:
    """The unit's heading, and the section above when its title is on the subject ("4 Quality Plan > 4.1 ...").

    A statement that names the whole subject itself goes with others of its document that do so too.
    """
    path = unit.passage.heading_path.split(" > ")
    above = " > ".join(path[:-1])
    titled = len(path) > 1 and bool(concept.seen(w.stem for w in words_of(path[-2])))
    found = [unit.passage.heading_path, above] if titled else [unit.passage.heading_path]
    subject = concept.subject
    whole = 0 < len(subject) < len(concept.terms) and subject <= concept.seen(unit.said)
    return [*found, _ANYWHERE] if whole else found


def _greedy(concept: Concept, units: list[Unit]) -> tuple[list[Unit], frozenset[int]]:
    chosen: list[Unit] = []
    seen: frozenset[int] = frozenset()
    cover = [_own(concept, unit) for unit in units]
    while len(chosen) < _JOIN:
        best = max(range(len(units)), key=lambda n: (concept.share(cover[n] - seen), -len(units[n].text), -n))
        if not cover[best] - seen:
            break
        chosen.append(units[best])
        seen |= cover[best]
    return chosen, seen
