"""Rates in thousandths, as French contracts write delay damages: "1/1000 par jour", "un pour mille", "0,5 ‰".

Given as percentages, so that they compare with rates in percent. A scale ("1/50000") or a date is no rate.
"""

from __future__ import annotations

import re

from bidproof.facts.context import base_at, comparator_at, role_at
from bidproof.facts.numbers import parse_digits
from bidproof.facts.rates import rate_at, rate_behind_base
from bidproof.facts.view import View
from bidproof.records import Fact

_WORDS = {
    "un": 1,
    "une": 1,
    "deux": 2,
    "trois": 3,
    "quatre": 4,
    "cinq": 5,
    "one": 1,
    "two": 2,
    "three": 3,
    "five": 5,
}
_RATE = re.compile(
    r"(?<![0-9a-z.,/])(?:(?P<number>[0-9]+(?:[.,][0-9]+)?)[ ]?(?:\u2030|(?:per|pour)[ ]mill?e(?![a-z]))"
    rf"|(?P<word>{'|'.join(_WORDS)})[ ](?:(?:per|pour)[ ]mill?e|milliemes?|thousandths?)(?:[ ]\([0-9 ./,\u2030]+\))?"
    r"|(?P<over>[0-9]{1,2})[ ]?/[ ]?(?P<under>[1-9][ .]?000)(?:[ ]?(?:e|eme|th)(?![a-z]))?"
    r"(?=\)?[ \n]+(?:par|per|du|de la|of|a|each|for)(?![a-z])))"
)


def find_thousandths(view: View, language: str = "") -> list[Fact]:
    """Facts of kind percent, in order of start; `1/1000` is 0.1."""
    found = []
    for match in _RATE.finditer(view.low) if _MARK.search(view.low) else ():
        if match["number"]:
            value = parse_digits(match["number"], language) / 10
        elif match["word"]:
            value = _WORDS[match["word"]] / 10
        else:
            value = 100 * int(match["over"]) / float(re.sub("[ .]", "", match["under"]))
        start, end = match.span()
        comparator, end, before = comparator_at(view, start, end)
        base = base_at(view, end)
        per, rate_end = rate_at(view, start, end, percentage=True)
        if base and not per:
            per = rate_behind_base(view, end, base)
        found.append(Fact(
            kind="percent", start=start, end=end, text=view.raw[start:end], value=round(value, 10), unit="percent",
            comparator=comparator, base=base or base_at(view, rate_end), per=per,
            role=role_at(view, start, end, before, duration=False),
        ))  # fmt: skip
    return found


_MARK = re.compile(r"\u2030|mille|/[ ]?[1-9]?[ .]?000|thousandth|milliemes?")
