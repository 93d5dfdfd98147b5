"""Reading a date predicate: a date named by the rule, or something that must be in force on a day.

Belongs here: which date of a unit answers the predicate. Does not belong here: how the end of validity is
recognised (`validity`) and the reading of dates (`bidproof.facts`).
"""

from __future__ import annotations

from bidproof.facts import compare, find_facts
from bidproof.judging.evidence import BARE, Evidence, Outcome, Reading, State, tempered, weigh
from bidproof.judging.quantity import MIN_FIT
from bidproof.judging.topic import figure_fit, measure_terms
from bidproof.judging.units import Unit
from bidproof.judging.validity import day_of, find_expiry, is_beginning
from bidproof.judging.words import coverage, words_of
from bidproof.records import Predicate


def read_date(predicate: Predicate, reading: Reading) -> Outcome:
    """What the passages say about a date."""
    read = _in_force if predicate.valid_on_submission else _dates
    return weigh(predicate, [e for unit in reading.units for e in read(predicate, reading, unit)])


def _dates(predicate: Predicate, reading: Reading, unit: Unit) -> list[Evidence]:
    rivals = [f for f in unit.facts() if f.kind == "date"]
    echo = reading.echo(unit) if rivals else ""
    asked = f"{predicate.comparator} {predicate.date or ' or '.join(predicate.readings)}".strip()
    first_days = [f for f in rivals if f.role == "issued" or is_beginning(f, unit)]
    if _asks_end(predicate, reading) and first_days != rivals:
        rivals, first_days = [f for f in rivals if f not in first_days], []
    found = []
    for fact in rivals:
        fit = figure_fit(predicate, reading.requirement, unit, fact, rivals)
        if fit < MIN_FIT:
            continue
        focus = (fact.start - unit.start, fact.end - unit.start)
        stated = " ".join(fact.text.split())
        if echo:
            found.append(Evidence(unit, State.ECHO, fit, echo, "echo", focus))
            continue
        ends = fact not in first_days or not _asks_end(predicate, reading)
        result = compare(fact, predicate) if ends else "unlike"
        state = {"holds": State.HOLDS, "fails": State.FAILS}.get(result, State.UNCLEAR)
        doubt = "date cannot be compared" if state is State.UNCLEAR else ""
        found.append(
            tempered(
                Evidence(unit, state, fit, f"{stated} against {asked}", doubt, focus),
                [focus],
                rule=reading.requirement.text,
                day=reading.submission_date,
            )
        )
    return found


def _asks_end(predicate: Predicate, reading: Reading) -> bool:
    """The date of the rule is the last day of something ("valid until"): a first day does not answer it."""
    facts = find_facts(reading.requirement.text)
    return any(f.kind == "date" and f.role == "expiry" and f.text == predicate.text for f in facts)


def _in_force(predicate: Predicate, reading: Reading, unit: Unit) -> list[Evidence]:
    """The thing named by the measure, with the end of its validity in the same statement, form or section."""
    terms = measure_terms(predicate, reading.requirement)
    synonyms = reading.requirement.synonyms
    expiry = find_expiry([unit], day_of(predicate, reading.requirement))
    record = reading.record(unit)
    words = [w.stem for u in record for w in u.own_words] + [w.stem for w in words_of(unit.heading)]
    fit = coverage(terms, words, synonyms)
    if fit < MIN_FIT or unit.is_matrix or reading.echo(unit):
        return []
    if expiry.state is State.ABSENT:
        own = coverage(terms, [w.stem for w in unit.own_words], synonyms)
        note = "no date of expiry shown"
        return [Evidence(unit, State.UNCLEAR, BARE * own, note, note)] if own >= MIN_FIT else []
    doubt = expiry.note if expiry.state is State.UNCLEAR else ""
    focus = (expiry.fact.start - unit.start, expiry.fact.end - unit.start) if expiry.fact else (0, 0)
    return [
        tempered(
            Evidence(unit, expiry.state, fit, expiry.note, doubt, focus),
            [focus],
            rule=reading.requirement.text,
            day=reading.submission_date,
        )
    ]
