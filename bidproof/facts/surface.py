"""Canonical wording of a fact: how a number is spelled in a query, whatever its source wrote.

"two percent (2%)", `2 %` and `2 per cent` all read `2%`. Comparators, bases and rates are left out: this is
the
token to look for, not the condition to test.
"""

from __future__ import annotations

from bidproof.records import Fact

_LONG = {
    "calendar_day": "calendar day",
    "working_day": "working day",
    "millisecond": "ms",
    "microsecond": "us",
}
_UNINFLECTED = frozenset(
    {
        "ms",
        "us",
        "fte",
        "tps",
        "rps",
        "iops",
        "qps",
        "eps",
        "vcpu",
        "staff",
        "personnel",
        "people",
        "mm",
        "cm",
        "m",
        "km",
        "g",
        "kg",
        "t",
        "ha",
        "l",
        "ml",
        "bps",
        "ppm",
        "rpm",
        "bar",
        "lux",
        "lm",
        "m2",
        "m3",
        "mm2",
    }
)


def number(value: float) -> str:
    """`value` with thousands in commas and no idle decimals: 5,000,000; 0.1; 120."""
    return f"{value:,.10g}" if value != int(value) else f"{int(value):,}"


def surface(fact: Fact) -> str:
    """The fact as a query spells it: `2%`, `90 days`, `EUR 5,000,000`, `IEC 62053-21`, `class 0.5S`."""
    if fact.kind in ("standard", "form"):
        link = ":" if fact.code[-1:].isdigit() else " "  # ISO 9001:2015, but TLS 1.3
        return f"{fact.code}{link}{fact.edition}" if fact.edition else fact.code
    if fact.kind == "class":
        return f"{fact.unit} {fact.code}"
    if fact.kind == "date":
        return fact.date or " / ".join(fact.readings)
    if fact.kind == "obligation" or fact.value is None:
        return fact.text.lower()
    low = number(fact.value)
    span = low if fact.value_max is None else f"{low}-{number(fact.value_max)}"
    if fact.kind == "percent":
        return f"{span}%"
    if fact.kind == "money":
        return f"{fact.unit} {span}"
    unit = _LONG.get(fact.unit, fact.unit)
    single = fact.value == 1 and fact.value_max is None
    plain = single or unit in _UNINFLECTED or not unit.replace(" ", "").islower()
    return f"{span} {unit}" if plain else f"{span} {_plural(unit)}"


def _plural(unit: str) -> str:
    if unit.endswith("y") and not unit.endswith(("ay", "ey", "oy", "uy")):
        return unit[:-1] + "ies"
    return unit + ("es" if unit.endswith(("s", "x", "ch", "sh")) else "s")
