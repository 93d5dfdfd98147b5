"""Reading a standard predicate: certificates and conformity, editions, classes, and their validity.

Belongs here: which mention of a standard counts and what edition, class and expiry it shows. Does not
belong here: spelling of codes (`bidproof.facts`), dates as such (`validity`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from bidproof.facts import attached_classes, class_label, edition_before, fold, in_series, same_standard
from bidproof.judging.evidence import BARE, DECLARED, Evidence, Outcome, Reading, State, tempered, weigh
from bidproof.judging.quantity import TOPIC, declared
from bidproof.judging.topic import unit_fit
from bidproof.judging.units import Unit
from bidproof.judging.validity import day_of, find_expiry, needs_validity, superseded
from bidproof.judging.words import MEASURE_GENERIC, concept_terms
from bidproof.records import Fact, Predicate

_REPLACED = re.compile(
    r"\b(?:replac\w+|former\w*|previous\w*|earlier|old(?:er)?|ended|lapsed|supersed\w+|withdrawn|transition\w*|migrat\w+|upgrad\w+|remplac\w+|ancien\w*|pr[ée]c[ée]dent\w*)\b",
    re.IGNORECASE,
)
_CERTIFICATE = re.compile(r"certif|accredit|attest|registration|enregistrement", re.IGNORECASE)
_ASKS_CERTIFICATE = re.compile(r"certif|accredit|attest", re.IGNORECASE)
_AIMS = re.compile(
    r"\b(?:align\w*|inspired|based\s+on|in\s+line\s+with|in\s+the\s+spirit|similar|equivalent|s'inspire|comparable)\b",
    re.IGNORECASE,
)


def in_words(predicate: Predicate) -> str:
    """The predicate as a person would write it, e.g. 'ISO/IEC 27001:2022, class 1'."""
    code = predicate.code + (f":{predicate.edition}" if predicate.edition else "")
    return ", ".join((code, *_classes_asked(predicate)))


def _classes_asked(predicate: Predicate) -> tuple[str, ...]:
    return tuple(term for term in predicate.terms if re.match(r"[a-z]+ [0-9ivx]", term))


def read_standard(predicate: Predicate, reading: Reading) -> Outcome:
    """What the passages say about a standard: each mention with its edition, class and expiry."""
    found: list[Evidence] = []
    for unit in reading.units:
        mentions = [f for f in unit.facts() if _names(f, predicate)]
        echo = reading.echo(unit) if mentions else ""
        for fact in mentions:
            focus = (fact.start - unit.start, fact.end - unit.start)
            if echo:
                found.append(Evidence(unit, State.ECHO, 1.0, echo, "echo", focus))
            elif not _is_history(fact, predicate, unit):
                found.append(_mention(fact, predicate, reading, unit, focus))
        if not mentions and (row := _matrix_row(predicate, unit)):
            found.append(row)
    if not any(e.state is not State.ECHO for e in found):
        found += _unnamed(predicate, reading)
    classes = bool(_classes_asked(predicate))
    return weigh(predicate, found, latest_wins=not classes, one_fails=classes)


def _names(fact: Fact, predicate: Predicate) -> bool:
    return fact.kind == "standard" and (
        same_standard(fact.code, predicate.code) or in_series(fact.code, predicate.code)
    )


def _is_history(fact: Fact, predicate: Predicate, unit: Unit) -> bool:
    """The mention is of an edition that the bid itself calls replaced."""
    older = bool(
        predicate.edition and fact.edition and edition_before(fact.edition, predicate.edition)
    ) or bool(superseded(fact.code, fact.edition, ""))
    return older and bool(_REPLACED.search(unit.own_text))


def _mention(
    fact: Fact, predicate: Predicate, reading: Reading, unit: Unit, focus: tuple[int, int]
) -> Evidence:
    """One mention: each question it has to answer may spoil or weaken it."""
    evidence = Evidence(unit, State.HOLDS, 1.0, " ".join(fact.text.split()), "", focus)
    for step in (_edition, _class, _certificate, _validity):
        evidence = step(evidence, fact, predicate, reading)
        if evidence.state is not State.HOLDS:
            break
    paper = bool(_ASKS_CERTIFICATE.search(reading.requirement.text))
    return tempered(
        evidence, [focus], rule=reading.requirement.text, day=reading.submission_date, paper=paper
    )


def _edition(evidence: Evidence, fact: Fact, predicate: Predicate, reading: Reading) -> Evidence:
    named = f"{fact.code}:{fact.edition}" if fact.edition else fact.code
    old = (
        superseded(fact.code, fact.edition, day_of(predicate, reading.requirement)) if fact.edition else None
    )
    if predicate.edition and fact.edition and edition_before(fact.edition, predicate.edition):
        return replace(
            evidence,
            state=State.FAILS,
            note=f"{named}, an older edition than {predicate.edition}",
            doubt="superseded edition",
        )
    if old:
        return replace(
            evidence,
            state=State.UNCLEAR,
            note=f"{named} is superseded by {old.by}",
            doubt="superseded edition",
        )
    if predicate.edition and not fact.edition:
        return replace(
            evidence,
            state=State.UNCLEAR,
            strength=DECLARED,
            note=f"{fact.code} without its edition",
            doubt="edition not stated",
        )
    if predicate.edition and edition_before(predicate.edition, fact.edition):
        doubt = "" if predicate.comparator == ">=" else "newer edition than asked"
        return replace(evidence, note=f"{named}, newer than {predicate.edition}", doubt=doubt)
    return replace(evidence, note=named, strength=1.0 if fact.edition or not predicate.edition else 0.9)


def _class(evidence: Evidence, fact: Fact, predicate: Predicate, reading: Reading) -> Evidence:
    asked = _classes_asked(predicate)
    if not asked:
        return evidence
    unit = evidence.unit
    facts = list(unit.facts())
    attached = [
        c
        for s, classes in attached_classes(facts, unit.passage.text)
        if s.start == fact.start
        for c in classes
    ]
    if not attached:
        attached = (
            [f for f in facts if f.kind == "class"] if sum(f.kind == "standard" for f in facts) == 1 else []
        )
    if not attached and unit.kind == "row":
        attached = [
            f for u in reading.record(unit) if len(u.cells) <= 2 for f in u.facts() if f.kind == "class"
        ]
    for wanted in asked:
        scale, _, step = wanted.partition(" ")
        same_scale = [c for c in attached if c.unit == scale]
        if any(class_label(c) == wanted for c in same_scale):
            others = sorted({class_label(c) for c in same_scale if class_label(c) != wanted})
            if others:
                return replace(
                    evidence,
                    state=State.FAILS,
                    note=f"{evidence.note} {', '.join(others)} beside {wanted}",
                    doubt=f"also {', '.join(others)}",
                )
            evidence = replace(evidence, note=f"{evidence.note} {wanted}")
        elif same_scale:
            return _other_class(evidence, same_scale[0], scale, step, predicate)
        else:
            return replace(
                evidence,
                state=State.UNCLEAR,
                strength=DECLARED,
                note=f"{evidence.note} without its {scale}",
                doubt=f"{scale} not stated",
            )
    return evidence


def _other_class(evidence: Evidence, found: Fact, scale: str, step: str, predicate: Predicate) -> Evidence:
    """Another class than asked: for accuracy a smaller number is finer, for levels a larger one."""
    wanted = re.match(r"[0-9.]+", step)
    note = f"{evidence.note} {class_label(found)} against {scale} {step}"
    if scale == "type":  # types are no scale: another one may be equivalent
        return replace(evidence, state=State.UNCLEAR, note=note, doubt="another type than asked")
    if wanted and found.value is not None:
        asked = float(wanted.group())
        finer = found.value < asked if scale == "class" else found.value > asked
        if finer:
            said = predicate.comparator in (">=", "<=")  # "Level 3 or above" admits level 4
            return replace(evidence, note=note, doubt="" if said else f"better {scale} than asked")
    return replace(evidence, state=State.FAILS, note=note)


def _certificate(evidence: Evidence, fact: Fact, predicate: Predicate, reading: Reading) -> Evidence:
    if not _ASKS_CERTIFICATE.search(
        " ".join((predicate.text, *predicate.measure)) or reading.requirement.text
    ):
        return evidence
    unit = evidence.unit
    around = " ".join(
        (unit.own_text, unit.heading, *(u.text for u in reading.record(unit) if u.kind == "row"))
    )
    if _CERTIFICATE.search(around) and not (
        _AIMS.search(unit.own_text) and not _CERTIFICATE.search(unit.own_text)
    ):
        return evidence
    return replace(
        evidence,
        state=State.UNCLEAR,
        strength=DECLARED,
        note=f"{evidence.note} named, no certificate shown",
        doubt="no certificate shown",
    )


def _validity(evidence: Evidence, fact: Fact, predicate: Predicate, reading: Reading) -> Evidence:
    if not needs_validity(predicate, reading.requirement):
        return evidence
    unit = evidence.unit
    own = [u for u in reading.record(unit) if u is not unit and not _other_standard(u, predicate)]
    expiry = find_expiry([unit, *own], day_of(predicate, reading.requirement), of=fact)
    note = f"{evidence.note}, {expiry.note}"
    if expiry.state is State.ABSENT:
        return replace(
            evidence, state=State.UNCLEAR, strength=DECLARED, note=note, doubt="no date of expiry shown"
        )
    support = (expiry.unit,) if expiry.unit is not None and expiry.unit is not unit else ()
    state = expiry.state
    return replace(
        evidence, state=state, note=note, doubt="" if state is State.HOLDS else expiry.note, support=support
    )


def _other_standard(unit: Unit, predicate: Predicate) -> bool:
    """The unit describes the certificate of another standard."""
    named = [f for f in unit.facts() if f.kind == "standard"]
    return bool(named) and not any(_names(f, predicate) for f in named)


def _matrix_row(predicate: Predicate, unit: Unit) -> Evidence | None:
    """A matrix row that repeats the standard in its requirement column and declares something."""
    if not unit.is_matrix or not any(_names(f, predicate) for f in unit.asked_facts()):
        return None
    evidence = declared(unit, 1.0, unit_has_answer=False) if unit.status not in ("", "noted") else None
    if evidence is None or evidence.state is not State.HOLDS:
        return evidence
    if predicate.edition or _classes_asked(predicate):
        return replace(
            evidence,
            state=State.UNCLEAR,
            note="declared compliant, edition or class only in the repeated requirement",
            doubt="edition or class not stated by the bidder",
        )
    return evidence


def _unnamed(predicate: Predicate, reading: Reading) -> list[Evidence]:
    """Units that speak of what the standard is about without naming it."""
    terms = concept_terms(predicate.measure, generic=MEASURE_GENERIC) if predicate.measure else ()
    found = []
    for unit in reading.units:
        if not terms or unit.is_matrix or reading.echo(unit):
            continue
        own = sum(any(w.stem == t for w in unit.own_words) for t in terms)
        if own * 2 >= len(terms) and unit_fit(terms, unit) >= TOPIC:
            note = f"spoken of, but {in_words(predicate)} is not named"
            found.append(
                Evidence(unit, State.UNCLEAR, BARE, note, f"{fold(predicate.code).upper()} not named")
            )
    return found
