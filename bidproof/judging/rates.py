"""Rates of data as they are written: 200 Mbit/s against 200 kbit/s.

Belongs here: reading the prefix of a rate, which is no unit of the facts. Does not belong here: the comparison of figures
in general (`quantity`, `bidproof.facts`).
"""

from __future__ import annotations

import re

from bidproof.records import Fact, Predicate

_RATE = re.compile(
    r"\d[\d.,\s\u00a0\u202f]*(?P<prefix>[kKMGT]?)(?P<base>bits?|b|B|[Bb]ytes?|o|octets?)(?:/\s?s(?:ec(?:ond[e]?)?)?|ps)\b"
)
_TIMES = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}


def _per_second(text: str) -> float:
    """Bits a second of one unit of the rate that `text` states; 0 where it states none."""
    found = _RATE.search(text)
    if not found:
        return 0.0
    byte = found["base"][0] in "Bo" or found["base"].lower().startswith("byte")
    return _TIMES[found["prefix"].lower()] * (8.0 if byte else 1.0)


def in_one_rate(fact: Fact, predicate: Predicate) -> tuple[Fact, str]:
    """The fact in the predicate's unit where both are rates of data; else why they cannot be compared."""
    said, asked = _per_second(fact.text), _per_second(predicate.text)
    if said == asked:
        return fact, ""
    if not (said and asked) or fact.value is None:
        return fact, "written in another unit"
    top = None if fact.value_max is None else fact.value_max * said / asked
    return fact.model_copy(update={"value": fact.value * said / asked, "value_max": top}), ""
