"""Reading a date predicate: does the bid name a date that satisfies the rule.

Belongs here: which date of a unit answers the predicate. Does not belong here: the end of validity of
certificates (`validity`) and the reading of dates (`bidproof.facts`).
"""

from __future__ import annotations

from bidproof.facts import compare
from bidproof.judging.evidence import Evidence, Outcome, Reading, State, tempered, weigh
from bidproof.judging.quantity import MIN_FIT
from bidproof.judging.topic import figure_fit
from bidproof.judging.units import Unit
from bidproof.records import Predicate


def read_date(predicate: Predicate, reading: Reading) -> Outcome:
    """What the passages say about a date."""
    found: list[Evidence] = []
    for unit in reading.units:
        found += _dates(predicate, reading, unit)
    return weigh(predicate, found)


def _dates(predicate: Predicate, reading: Reading, unit: Unit) -> list[Evidence]:
    rivals = [f for f in unit.facts() if f.kind == "date"]
    echo = reading.echo(unit) if rivals else ""
    asked = f"{predicate.comparator} {predicate.date}".strip()
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
        result = compare(fact, predicate)
        state = {"holds": State.HOLDS, "fails": State.FAILS}.get(result, State.UNCLEAR)
        doubt = "date cannot be compared" if state is State.UNCLEAR else ""
        found.append(tempered(Evidence(unit, state, fit, f"{stated} against {asked}", doubt, focus), [focus]))
    return found
