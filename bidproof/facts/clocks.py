"""Hours of the day from one to another: "from 07:00 to 19:00", "de 7h30 à 19h", "8 am - 6 pm".

Given as ranges of hours after midnight, of role `clock`, since no duration is stated. A lone clock time is no fact.
"""

from __future__ import annotations

import re

from bidproof.facts.view import View
from bidproof.records import Fact

ROLE = "clock"
_AT = (
    r"(?P<{0}h>[01]?[0-9]|2[0-4])(?:(?P<{0}c>[:.h])(?P<{0}m>[0-5][0-9])[ ]?(?P<{0}n>[ap]\.?m\b\.?|h(?![a-z])|hrs?\b|hours\b)?"
    r"|[ ]?(?P<{0}u>[ap]\.?m\b\.?|h(?![a-z0-9])|heures\b))"
)
_SPAN = re.compile(
    r"(?<![0-9a-z.,:/-])(?:"
    + _AT.format("a")
    + r")[ ]?(?:to|until|till|a|jusqu'a|and|et|-|\u2013|\u2014)[ ]?"
    r"(?:" + _AT.format("b") + r")(?![0-9a-z])"
)
_EARLIEST_BARE, _LONGEST_BARE = 5.0, 4.0


def find_clocks(view: View) -> list[Fact]:
    """Facts of kind duration and unit hour, in order of start; hours over midnight end below where they begin."""
    found = []
    for match in _SPAN.finditer(view.low):
        first, last = _hours(match, "a"), _hours(match, "b")
        bare = not (match["am"] or match["bm"] or _half(match, "a") or _half(match, "b"))
        # "de 1h à 2h" may well be two durations
        if first == last or (bare and (first < _EARLIEST_BARE or last - first < _LONGEST_BARE)):
            continue
        if (match["ac"] or "") == "." and not _half(match, "a") and match["an"] is None:
            continue  # "2.30 to 4.50" are two numbers
        found.append(Fact(
            kind="duration", start=match.start(), end=match.end(), text=view.raw[match.start() : match.end()],
            value=first, value_max=last, unit="hour", role=ROLE,
        ))  # fmt: skip
    return found


def _half(match: re.Match[str], which: str) -> str:
    """`am` or `pm` where it is said."""
    said = (match[f"{which}n"] or match[f"{which}u"] or "").replace(".", "")
    return said if said in ("am", "pm") else ""


def _hours(match: re.Match[str], which: str) -> float:
    hours, half = int(match[f"{which}h"]), _half(match, which)
    if half:
        hours = hours % 12 + (12 if half == "pm" else 0)
    return hours + int(match[f"{which}m"] or 0) / 60
