"""How often: quarterly, every six months, twice a year.

Belongs here: reading the rhythm that a rule asks for and that a statement gives. Does not belong here: periods
that something lasts or is done within (`quantity`).
"""

from __future__ import annotations

import re

from bidproof.facts import stem
from bidproof.facts.terms import fold
from bidproof.records import Predicate

_WORDS = {
    "daily": 1, "weekly": 7, "fortnightly": 14, "biweekly": 14, "monthly": 30, "bimonthly": 61, "quarterly": 91,
    "semiannual": 182, "semiannually": 182, "biannual": 182, "biannually": 182, "annual": 365, "annually": 365, "yearly": 365,
    "quotidien": 1, "quotidienne": 1, "hebdomadaire": 7, "mensuel": 30, "mensuelle": 30, "trimestriel": 91, "trimestrielle": 91,
    "semestriel": 182, "semestrielle": 182, "annuel": 365, "annuelle": 365,
}  # fmt: skip
_STEMS = {stem(word): days for word, days in _WORDS.items()}
_UNITS = {
    "day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365, "jour": 1, "semaine": 7, "mois": 30, "trimestre": 91,
    "semestre": 182, "an": 365, "annee": 365,
}  # fmt: skip
_NUMBERS = {
    "": 1, "a": 1, "one": 1, "other": 2, "two": 2, "second": 2, "three": 3, "four": 4, "six": 6, "twelve": 12, "deux": 2, "trois": 3,
    "quatre": 4, "douze": 12, "once": 1, "twice": 2,
}  # fmt: skip
_NUMBER = r"(?:\d{1,2}|one|other|two|second|three|four|six|twelve|deux|trois|quatre|douze)"
_UNIT = r"(?P<unit>day|week|month|quarter|year|jour|semaine|mois|trimestre|semestre|annee|an)s?"
_EVERY = re.compile(rf"\b(?:every|each|tous\s+les|toutes\s+les|chaque)\s+(?P<number>{_NUMBER})?\s*{_UNIT}\b")
_TIMES = re.compile(
    rf"\b(?P<times>once|twice|{_NUMBER}\s+times|(?:une|deux|trois|quatre)\s+fois)\s+(?:a|an|per|each|every|par)\s+{_UNIT}\b"
)
_ONE_PER = re.compile(rf"\b(?:une?|an?|one|1)\s+\w+\s+(?:par|per)\s+{_UNIT}\b")
_HALF = re.compile(r"\b(?:half|semi)[-\s]?(?:yearly|annual(?:ly)?)\b")


def is_frequency(term: str) -> bool:
    """The stem is a word such as quarterly."""
    return term in _STEMS


def intervals_in(text: str) -> list[float]:
    """Days between one time and the next, for each rhythm that `text` gives."""
    low = fold(text)
    found = [182.0 for _ in _HALF.finditer(low)]
    low = _HALF.sub(" ", low)
    for match in _EVERY.finditer(low):
        found.append(_number(match["number"] or "") * _UNITS[match["unit"]])
    for match in _TIMES.finditer(low):
        found.append(_UNITS[match["unit"]] / _number(match["times"].split()[0]))
    found += [float(_UNITS[match["unit"]]) for match in _ONE_PER.finditer(low) if "fois" not in match[0]]
    found += [float(_WORDS[word]) for word in re.findall(r"[a-z]+", low) if word in _WORDS]
    return found


def _number(word: str) -> float:
    known = {**_NUMBERS, "une": 1, "trois": 3}
    return float(word) if word.isdigit() else float(known.get(word, 1)) or 1.0


def asks_rhythm(predicate: Predicate) -> bool:
    """The predicate asks for something so many times a period: `>= 1 report per month`, from "monthly report"."""
    return predicate.kind == "quantity" and bool(predicate.per) and bool(intervals_in(predicate.text))


def less_often(asked: str, said: str) -> bool:
    """Every rhythm that `said` gives is slower than the quickest that `asked` names."""
    wanted, given = intervals_in(asked), intervals_in(said)
    return bool(wanted and given) and min(given) > min(wanted) * 1.1


def slower_in(said: str, asked: str) -> float:
    """Days of the slowest rhythm in `said` where it is slower than any that `asked` names; else 0."""
    wanted, given = intervals_in(asked), intervals_in(said)
    slow = max(given, default=0.0)
    return slow if wanted and slow > max(wanted) * 1.1 else 0.0
