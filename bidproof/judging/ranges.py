"""A range that is asked for: one to stay inside, or one to be covered.

Belongs here: which of the two a rule means, and what a figure of the bid is to it. Does not belong here: rules with
one limit (`bidproof.facts.comparison`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from bidproof.facts import Comparison, compare, convert, find_facts
from bidproof.records import Fact, Predicate

# A thing works over the whole range ("operate between -20 and +50 °C"); a state is held within it ("kept between 2 and 8 °C").
_OVER = re.compile(
    r"\b(?:operat\w+|work\w*|run\w*|functions?|functioning|open\w*|hours|available|availability|present|presence|attend\w*|cover\w*|measur\w+|adjust\w*|"
    r"accept\w*|withstand\w*|suppl(?:y|ies|ied)|input|voltages?|range\w*|span\w*|support\w*|bandwidth|frequenc\w+|detect\w*|staff\w*|mann?ed|"
    r"fonctionn\w+|ouvert\w*|ouvr\w+|horaires?|permanence|assur\w+|couvr\w+|mesur\w+|r[ée]glable\w*|plages?|gammes?|d[ée]tect\w+|pr[ée]sen\w+|utilis\w+|accueil)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:keep\w*|kept|maintain\w*|held|hold|remain\w*|stay\w*|limit\w*|control\w*|regulat\w+|lies?|fall\w*|stored?|storage|toleran\w+|"
    r"mainten\w+|maintien\w*|conserv\w*|compris\w*|rest(?:e|er|ent)|limit[ée]\w*|r[ée]gul\w+|situ\w+)\b",
    re.IGNORECASE,
)


_BETWEEN = re.compile(
    r"\b(?:deliver\w*|visits?|livr\w+|interven\w+|works?|travaux|noise|bruit)\b", re.IGNORECASE
)


def is_range(predicate: Predicate) -> bool:
    """The predicate asks for a range."""
    return predicate.value_max is not None and predicate.comparator in ("", "=")


@lru_cache(maxsize=2048)
def _clock(text: str) -> bool:
    return any(fact.role == "clock" for fact in find_facts(text))


def is_clock(predicate: Predicate) -> bool:
    """The predicate asks for hours of the day, which no duration answers."""
    return is_range(predicate) and predicate.unit == "hour" and _clock(predicate.text)


def in_range(fact: Fact, predicate: Predicate, rule: str) -> Comparison:
    """Whether `fact` satisfies a predicate that asks for a range.

    The same range holds, whatever is meant. A range to be covered is not met by a part of it, and no single value
    covers it; a range to stay inside is not met beyond it. Where the rule does not tell which it means, nothing but
    the same range holds of two ranges.
    """
    first, last = (
        convert(v, fact.unit, predicate.unit) if v is not None else None for v in (fact.value, fact.value_max)
    )
    inside: Comparison = compare(fact, predicate)
    if first is None or predicate.value is None or predicate.value_max is None:
        return inside
    covering = _asks_cover(predicate, rule)
    if last is None:
        return "unlike" if covering and inside == "holds" else inside
    low, high = _reach(predicate.value, predicate.value_max, predicate)
    first, last = _reach(first, last, predicate)
    below, above = first <= low + 1e-9, last >= high - 1e-9
    if fact.comparator or (covering is None and not (below and above and inside == "holds")):
        return "fails" if inside == "fails" else "unlike"
    if covering:
        return "holds" if below and above else "fails"
    return inside


def _reach(first: float, last: float, predicate: Predicate) -> tuple[float, float]:
    """A range in order; hours over midnight ("18:00 to 06:00") go on into the next day."""
    return (first, last + 24) if predicate.unit == "hour" and last < first else (first, last)


def _asks_cover(predicate: Predicate, rule: str) -> bool | None:
    """The rule asks for the whole range (True), for a place inside it (False), or does not tell (None)."""
    if is_clock(predicate) and not _BETWEEN.search(rule):
        return True
    at = rule.find(predicate.text) if predicate.text else -1
    before = rule[: at if at >= 0 else len(rule)]
    over = max((m.start() for m in _OVER.finditer(before)), default=-1)
    within = max((m.start() for m in _WITHIN.finditer(before)), default=-1)
    if over == within:
        return None
    return over > within
