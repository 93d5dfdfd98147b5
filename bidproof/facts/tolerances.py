"""Tolerances: "10 mm ± 1" is the range from 9 to 11 mm, "accuracy of ± 0.5 %" a deviation of up to 0.5 %.

Reworks amounts that are already found. A tolerance read as a plain figure would turn a limit around.
"""

from __future__ import annotations

import re

from bidproof.facts.numbers import parse_digits
from bidproof.facts.units import convert
from bidproof.facts.view import View
from bidproof.records import Fact

_SIGN = (
    r"(?:\u00b1|\+[ ]?/[ ]?-|\+[ ]?-|\+[ ]ou[ ]-|plus or minus|plus ou moins|more or less|a plus ou moins)"
)
_BEFORE = re.compile(
    rf"(?P<lead>[ \n]*[,(]?[ \n]*(?:(?:with a )?tolerance(?: of)?[ ]*|avec une tolerance de[ ]*)?){_SIGN}[ ]?$"
)
_BARE_BEHIND = re.compile(
    rf"[ \n]*[,(]?[ \n]*{_SIGN}[ ]?(?P<number>[0-9]+(?:[.,][0-9]+)?)(?![0-9A-Za-z%])(?P<close>[ ]?\))?"
)
_BARE_AHEAD = re.compile(r"(?<![0-9A-Za-z.,/-])(?P<number>[0-9]+(?:[.,][0-9]+)?)[ ]?$")


def with_tolerances(view: View, facts: list[Fact], language: str = "") -> list[Fact]:
    """`facts` with each tolerance joined to its figure as a range, or standing alone as an upper limit."""
    found: list[Fact] = []
    starts = {fact.start for fact in facts}
    for fact in facts:
        sign = _BEFORE.search(view.low[max(0, fact.start - 40) : fact.start])
        if sign is None or fact.value is None or fact.value_max is not None:
            found.append(_bare_behind(view, fact, starts, language))
            continue
        begin = fact.start - (sign.end() - sign.start()) + len(sign["lead"])
        figure = found[-1] if found else None
        if (
            figure is not None
            and figure.end == begin - len(sign["lead"])
            and (spread := _spread(figure, fact))
        ):
            found[-1] = _around(view, figure, spread, fact.end)
        elif ahead := _BARE_AHEAD.search(view.plain, max(0, fact.start - 80), begin - len(sign["lead"])):
            value = parse_digits(ahead["number"], language)
            bare = fact.model_copy(update={"value": value, "start": ahead.start("number"), "comparator": ""})
            found.append(_around(view, bare, fact.value, fact.end))
        else:
            found.append(
                fact.model_copy(
                    update={"start": begin, "text": view.raw[begin : fact.end], "comparator": "<="}
                )
            )
    return found


def _bare_behind(view: View, fact: Fact, starts: set[int], language: str) -> Fact:
    match = _BARE_BEHIND.match(view.low, fact.end)
    if match is None or fact.value is None or fact.value_max is not None or match.start("number") in starts:
        return fact
    return _around(view, fact, parse_digits(match["number"], language), match.end("number"))


def _spread(figure: Fact, tolerance: Fact) -> float | None:
    """The tolerance in the figure's unit."""
    if figure.value is None or figure.value_max is not None or tolerance.value is None:
        return None
    if tolerance.unit == "percent" and figure.unit != "percent":
        return abs(figure.value) * tolerance.value / 100
    return convert(tolerance.value, tolerance.unit, figure.unit)


def _around(view: View, figure: Fact, spread: float, end: int) -> Fact:
    assert figure.value is not None
    low, high = round(figure.value - spread, 10), round(figure.value + spread, 10)
    return figure.model_copy(
        update={
            "value": low,
            "value_max": high,
            "end": end,
            "text": view.raw[figure.start : end],
            "comparator": "",
        }
    )
