"""Figures of a rule that none of its predicates tests: "3:1", "power factor 0.95", "70 out of 100", "PostgreSQL 15".

Belongs here: which figures of a rule's text are left open, and whether evidence repeats them. Does not belong here:
what is read of figures that a predicate holds (`quantity`), and the verdict that follows (`verdict`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isclose

from bidproof.catalog.predicates.wording import is_condition
from bidproof.chunking.references import all_references
from bidproof.facts import convert, find_facts, fold
from bidproof.facts.numbers import find_numerals
from bidproof.facts.terms import ROUND_THE_CLOCK
from bidproof.facts.view import View
from bidproof.judging.years import years_asked
from bidproof.records import Fact, Predicate, Requirement

Span = tuple[int, int]

# Digits that begin a word; "IPv6", "TMF620" and "BS-1" are names, which the concept of a rule holds.
_DIGITS = re.compile(r"(?<![^\W_])(?<![^\W\d_][-./])\d[\d.,:/'’]*(?<=\d)|[½⅓⅔¼¾⅛⅜⅝⅞]")
_WORDED = re.compile(
    r"\b(?:half|twice|thrice|dozens?|triplicate|duplicate|(?:two|three)[- ](?:thirds|fifths)|three[- ]quarters"
    r"|moiti[ée]|douzaine|deux\s+tiers|trois\s+quarts)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
# Numbers that name an item of a list, or what comes after its kind: they count nothing.
_NUMBERED = re.compile(
    r"^\W*\d+(?:\.\d+)*[.)](?=\s)|\(\d{1,2}\)(?=\s)"
    r"|\b(?:no\.?|n°|lots?|items?|questions?|pages?|tables?|figures?|volumes?|envelopes?|phases?|rows?|steps?|lignes?|postes?|étapes?)\s*\d+(?:\.\d+)*\b"
    r"|§+\s*\d[\d.]*",
    re.IGNORECASE,
)
_NAMES = ("form", "standard")


@dataclass(frozen=True)
class Figure:
    """A figure of a text: its place, its value or spelling, and the words that stand next to it.

    `circumstance` where it only says when or under what load something holds ("in the last 3 years").
    """

    start: int
    end: int
    key: str
    beside: tuple[str, str]
    circumstance: bool = False


@lru_cache(maxsize=8192)
def figures_in(text: str) -> tuple[Figure, ...]:
    """All figures of `text` in digits or in words, in order; "one" counts nothing by itself."""
    found: dict[Span, str] = {m.span(): unicodedata.normalize("NFKC", m[0]) for m in _DIGITS.finditer(text)}
    found |= {m.span(): fold(m[0]) for m in _WORDED.finditer(text)}
    for numeral in find_numerals(View.of(text)):
        span = (numeral.start, numeral.end)
        inside = [s for s in found if s[0] < span[1] and span[0] < s[1]]
        if numeral.worded and numeral.value != 1 and not inside:
            found[span] = f"{numeral.value:g}"
        elif not numeral.worded and all(span[0] <= a and b <= span[1] for a, b in inside) and inside:
            for one in inside:  # "10 000" is one figure, and "5.0" is 5
                del found[one]
            found[span] = f"{numeral.value:g}"
    return tuple(Figure(a, b, key, _beside(text, a, b)) for (a, b), key in sorted(found.items()))


def _beside(text: str, a: int, b: int) -> tuple[str, str]:
    before, after = _WORD.findall(text[:a][-40:]), _WORD.search(text, b)
    return fold(before[-1]) if before else "", fold(after[0]) if after else ""


def untested(requirement: Requirement, predicates: Iterable[Predicate]) -> tuple[Figure, ...]:
    """Figures of the rule's text that none of `predicates` holds, in order.

    Left out are names of standards and forms, places that the rule refers to, numbers of items and lots, and years
    that evidence must show anyway (`years`).
    """
    text, held = requirement.text, tuple(predicates)
    spans = [m.span() for m in (*ROUND_THE_CLOCK.finditer(text), *_NUMBERED.finditer(text))]
    spans += [(r.start, r.start + len(r.name)) for r in all_references(text)]
    spans += [
        m.span()
        for p in held
        if p.kind == "quantity" and p.text
        for m in re.finditer(re.escape(p.text), text)
    ]
    facts = find_facts(text)
    spans += [(f.start, f.end) for f in facts if f.kind in _NAMES or _held(f, held)]
    around = [(f.start, f.end) for f in facts if f.kind != "obligation" and is_condition(f, text, facts)]
    years = set(map(str, years_asked(text))) if any(p.kind == "presence" for p in held) else set()
    return tuple(
        replace(figure, circumstance=_touches(figure, around))
        for figure in figures_in(text)
        if figure.key not in years and not _touches(figure, spans)
    )


def _touches(figure: Figure, spans: Iterable[Span]) -> bool:
    return any(a < figure.end and figure.start < b for a, b in spans)


def _held(fact: Fact, predicates: Sequence[Predicate]) -> bool:
    """A predicate tests what the fact states."""
    if fact.kind == "date":
        days = set(fact.readings) or {fact.date}
        return any(p.kind == "date" and (p.date in days or days & set(p.readings)) for p in predicates)
    if fact.kind == "class":  # a class is of a standard, of its own, or of the incident that a time is for
        return fact.unit == "severity" or any(_in_class(fact, p) for p in predicates)
    values = [v for v in (fact.value, fact.value_max) if v is not None]
    return bool(values) and all(any(_states(p, v, fact.unit) for p in predicates) for v in values)


def _in_class(fact: Fact, predicate: Predicate) -> bool:
    if predicate.kind == "standard":
        return bool(predicate.terms)
    return predicate.unit == fact.unit and predicate.value == fact.value


def _states(predicate: Predicate, value: float, unit: str) -> bool:
    if predicate.kind != "quantity":
        return False
    own = [v for v in (predicate.value, predicate.value_max) if v is not None]
    told = convert(value, unit, predicate.unit)
    return told is not None and any(
        isclose(told, v, rel_tol=1e-6) for v in (*own, *map(float, predicate.readings))
    )


def repeated(figure: Figure, texts: Iterable[str]) -> bool:
    """One of `texts` has the figure next to a word that stands next to it in the rule."""
    return any(other.key == figure.key for other in _alike(figure, texts))


def left_open(figure: Figure, texts: Iterable[str]) -> bool:
    """`texts` do not bear the figure out; where it is a circumstance only if they give another in its place."""
    told = list(_alike(figure, texts))
    if any(other.key == figure.key for other in told):
        return False
    return bool(told) if figure.circumstance else True


def _alike(figure: Figure, texts: Iterable[str]) -> Iterator[Figure]:
    """Figures of `texts` beside one of the words that stand beside `figure`."""
    beside = set(figure.beside) - {""}
    return (other for text in texts for other in figures_in(text) if beside & set(other.beside))
