"""Facts that answer a tender's own rules, made from what its catalog tests. Draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bidproof.evaluation.labelled import StatedFact
from bidproof.evaluation.planting.plants import Form, Language, Plant, Shape
from bidproof.evaluation.planting.wording import capital, fact_words, wording
from bidproof.records import Predicate, Requirement

_TIMES = frozenset({"hour", "day", "calendar_day", "working_day", "week", "month", "year", "minute"})
SPELT: frozenset[Form] = frozenset({"words", "french words"})
"""Forms that write numbers in words: for amounts only, for a code has no words."""


def plantable(rules: Sequence[Requirement]) -> list[tuple[Requirement, Predicate]]:
    """Rules that an invented fact can answer, each with the condition that it is to meet.

    A rule of concept words alone asks for no fact, and neither does a rate or a unit that has no words here.
    """
    found = []
    for rule in rules:
        tested = next((one for one in rule.predicates if _shape(one)), None)
        if tested is not None:
            found.append((rule, tested))
    return found


def _shape(tested: Predicate) -> Shape | None:
    if tested.per or tested.readings:
        return None
    if tested.kind == "quantity" and tested.value is not None and tested.measure:
        if tested.unit in _TIMES:
            return "duration"
        if tested.unit not in wording()["units"]:
            return None
        if tested.unit == "percent":
            return "percent"
        return "money" if tested.unit == "EUR" else "quantity"
    if tested.kind == "standard" and tested.code:
        return "standard"
    if tested.kind == "form" and tested.code:
        return "form"
    return "date" if tested.kind == "date" and tested.date and tested.measure else None


def catalog_plant(
    number: int, rule: Requirement, tested: Predicate, form: Form, language: Language, chance: Random
) -> Plant:
    """A fact that meets `tested`, which is one of those that `plantable` gives."""
    words = wording()
    shape = _shape(tested) or "quantity"
    value = _value(tested, chance)
    code = f"{tested.code}:{tested.edition}" if tested.edition else tested.code
    said = fact_words(shape, language, form in SPELT, value, tested.unit, code, tested.date)
    if tested.base and shape == "percent":
        said += f" of the {tested.base}" if language == "en" else f" de {tested.base}"
    kind = "amount" if value is not None else shape
    measure = tested.measure[0] if tested.measure else rule.area
    statement = words["catalog_statements"][kind][language].format(measure=measure, amount=said)
    subject = words["subjects"]["catalog"][language].format(Measure=capital(measure or rule.rule_id))
    fact = StatedFact(
        value=value, unit=tested.unit if value is not None else "", code=tested.code, edition=tested.edition,
        date=tested.date if shape == "date" else "",
    )  # fmt: skip
    return Plant(
        number=number, form=form, language=language, shape=shape, rule=rule, of_catalog=True,
        statement=statement, cells=(subject, said), fact=fact,
    )  # fmt: skip


def _value(tested: Predicate, chance: Random) -> float | None:
    """A value that meets the bound and is not the rule's own, where the rule allows another."""
    if tested.value is None:
        return None
    if tested.comparator in ("", "=") or tested.value_max is not None:
        return tested.value
    part = 1 + chance.randint(1, 9) / 30
    value = tested.value * part if tested.comparator in (">=", ">") else tested.value / part
    if tested.unit == "percent":
        value = min(value, 100.0) if tested.value < 100 else tested.value
    near = float(round(value))
    holds = near >= tested.value if tested.comparator in (">=", ">") else near <= tested.value
    return near if holds and near > 0 else tested.value
