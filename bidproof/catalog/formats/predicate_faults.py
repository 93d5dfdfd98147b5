"""What is wrong with a predicate, in words: a unit nobody knows, a quantity without a value, an empty range.

Judges predicates on their own and beside each other. Whether they say what the rule's text says is told in
`checking`.
"""

from __future__ import annotations

import datetime as dt
import difflib
import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from bidproof.catalog.lexicon import language_of
from bidproof.facts import convert, find_facts, words_of
from bidproof.facts.units import DAY_UNITS, TIME_UNITS, TIME_WORDS, UNIT_NAMES, counted_noun
from bidproof.records import Predicate

_COMMON = frozenset({
    "percent", "percentage_point", "class", "level", "tier", "grade", "type", "severity", "person", "meter",
    "reference", "copy", "user", "subscriber", "site", "project", "contract", "unit", "item", "point", "lot",
    "personnel", "staff", "people",
})  # fmt: skip
_KNOWN = UNIT_NAMES | DAY_UNITS | TIME_UNITS | _COMMON
_CURRENCY = re.compile(r"[A-Z]{3}|[€$£¥₹]")
_ALIKE = 0.75
_LOWER, _UPPER = (">=", ">"), ("<=", "<")


@lru_cache(maxsize=4096)
def units_of_text(text: str) -> frozenset[str]:
    """Units that a rule's own words may count in: those of its facts, and each word as a counted noun."""
    facts = find_facts(text, language=language_of(text))
    said = {unit for fact in facts for unit in (fact.unit, fact.per) if unit}
    words = set(words_of(text))
    return frozenset(said | words | {counted_noun(word) for word in words})


def faults_of(predicate: Predicate, text_units: frozenset[str] = frozenset()) -> Iterator[str]:
    """What is wrong with one predicate, one line each; `text_units` are units that its rule's text names."""
    if predicate.kind == "quantity":
        yield from _quantity_faults(predicate)
    if predicate.kind in ("standard", "form") and not predicate.code.strip():
        yield f"a {predicate.kind} without its code"
    if predicate.kind == "presence" and not any(term.strip() for term in predicate.terms):
        yield "presence of nothing: name at least one term"
    if predicate.date and not is_date(predicate.date):
        yield f"date `{predicate.date}` is no date; write 2026-09-17"
    undated = not (predicate.date or predicate.readings or predicate.valid_on_submission)
    if predicate.kind == "date" and undated:
        yield "a date predicate with neither a date nor `valid on submission`"
    for name in ("unit", "per"):
        if fault := _unit_fault(name, getattr(predicate, name), text_units):
            yield fault


def is_date(text: str) -> bool:
    """Whether a text is an ISO date."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _quantity_faults(predicate: Predicate) -> Iterator[str]:
    value, top = predicate.value, predicate.value_max
    if value is None:
        if not getattr(predicate, "readings", ()):
            yield "a quantity without a value"
        return
    if not math.isfinite(value) or (top is not None and not math.isfinite(top)):
        yield "a value is no finite number"
    elif top is not None and top < value:
        yield f"min {value:g} is above max {top:g}"
    elif top is not None and predicate.comparator not in ("", "="):
        yield f"a range cannot have the comparator {predicate.comparator}; write = {value:g} to {top:g}"


def _unit_fault(name: str, unit: str, text_units: frozenset[str]) -> str:
    """A unit that is a misspelt one: unlike any known, close to one, and no word of the rule."""
    if not unit or unit in _KNOWN or unit in TIME_WORDS or unit in text_units or _CURRENCY.fullmatch(unit):
        return ""
    if all(part in _KNOWN or part in text_units for part in re.split(r"[\s_/-]+", unit)):
        return ""
    candidates = sorted({*_KNOWN, *TIME_WORDS})
    close = difflib.get_close_matches(unit, candidates, 1, _ALIKE) or difflib.get_close_matches(
        unit.lower(), candidates, 1, _ALIKE
    )
    if len(unit) < 3 or not close:
        return ""
    return f"{name} {unit} is unknown; did you mean {TIME_WORDS.get(close[0], close[0])}?"


def unmeetable(predicates: Iterable[Predicate]) -> Iterator[str]:
    """Pairs of one alternative that nothing can meet both: a lower bound above an upper one.

    Two fixed values are no such pair: a rule may list both, and a bid answers each.
    """
    bounds = [p for p in predicates if p.comparator in (*_LOWER, *_UPPER)]
    for low in (p for p in bounds if p.comparator in _LOWER):
        for high in (p for p in bounds if p.comparator in _UPPER):
            if _same_thing(low, high) and _apart(low, high):
                where = f"alternative {low.group}: " if low.group else ""
                yield f"{where}nothing can be both {_bound(low)} and {_bound(high)}"


def _same_thing(a: Predicate, b: Predicate) -> bool:
    return (a.kind, a.group, a.measure, a.base, a.per, a.code) == (
        b.kind, b.group, b.measure, b.base, b.per, b.code,
    )  # fmt: skip


def _apart(low: Predicate, high: Predicate) -> bool:
    strict = ">" in (low.comparator,) or "<" in (high.comparator,)
    if low.kind == "date":
        return bool(low.date and high.date) and (low.date > high.date or (strict and low.date == high.date))
    if low.kind != "quantity" or low.value is None or high.value is None:
        return False
    top = convert(high.value, high.unit, low.unit)
    return top is not None and (low.value > top or (strict and low.value == top))


def _bound(predicate: Predicate) -> str:
    if predicate.kind == "date":
        return f"{predicate.comparator} {predicate.date}"
    value = f"{predicate.value:.10g}" if predicate.value is not None else ""
    return f"{predicate.comparator} {value} {predicate.unit}".rstrip()
