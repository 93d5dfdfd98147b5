"""How often a rule wants something: "quarterly drills", "a report every month", "deux audits par an".

Makes predicates of so many times a period. A rhythm counts only beside something that recurs, such as a report or a
test (`events` of `lexicon.yaml`): "annual turnover" and "monthly fee" are sums of a period.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidproof.catalog.lexicon import events
from bidproof.facts import fold, stem
from bidproof.facts.terms import singular, word_set
from bidproof.records import Predicate

_ADJECTIVES = {
    "hourly": (1, "hour"), "daily": (1, "day"), "weekly": (1, "week"), "fortnightly": (0.5, "week"), "monthly": (1, "month"),
    "quarterly": (1, "quarter"), "half-yearly": (2, "year"), "half yearly": (2, "year"), "semi-annual": (2, "year"), "semiannual": (2, "year"),
    "semi-annually": (2, "year"), "semiannually": (2, "year"), "bi-annual": (2, "year"), "biannual": (2, "year"), "bi-annually": (2, "year"),
    "biannually": (2, "year"), "six-monthly": (2, "year"), "annual": (1, "year"), "annually": (1, "year"), "yearly": (1, "year"),
    "quotidien": (1, "day"), "quotidienne": (1, "day"), "journalier": (1, "day"), "journaliere": (1, "day"), "hebdomadaire": (1, "week"),
    "mensuel": (1, "month"), "mensuelle": (1, "month"), "bimestriel": (6, "year"), "bimestrielle": (6, "year"),
    "trimestriel": (1, "quarter"), "trimestrielle": (1, "quarter"), "semestriel": (2, "year"), "semestrielle": (2, "year"),
    "annuel": (1, "year"), "annuelle": (1, "year"), "quotidiennement": (1, "day"), "mensuellement": (1, "month"),
    "trimestriellement": (1, "quarter"), "annuellement": (1, "year"),
}  # fmt: skip
_UNITS = {
    "hour": "hour", "heure": "hour", "day": "day", "jour": "day", "week": "week", "semaine": "week", "month": "month", "mois": "month",
    "quarter": "quarter", "trimestre": "quarter", "year": "year", "annum": "year", "annee": "year", "an": "year", "semestre": "semester",
}  # fmt: skip
_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "six": 6, "twelve": 12, "other": 2, "second": 2, "un": 1, "une": 1, "deux": 2, "trois": 3,
    "quatre": 4, "douze": 12, "quinze": 15, "once": 1, "twice": 2, "thrice": 3,
}  # fmt: skip
_NUMBER = r"(?:[0-9]{1,2}|one|two|three|four|six|twelve|other|second|une?|deux|trois|quatre|douze|quinze)"
_UNIT = r"(?:" + "|".join(sorted(_UNITS, key=len, reverse=True)) + r")"
_RHYTHM = re.compile(
    rf"(?<![a-z-])(?:(?P<adjective>{'|'.join(sorted(_ADJECTIVES, key=len, reverse=True))})s?"
    rf"|(?:every|each|tous les|toutes les|chaque)[ ](?:(?P<every>{_NUMBER})[ ]?(?:\\([0-9]+\\)[ ]?)?)?(?P<unit>{_UNIT})s?"
    rf"|(?P<times>once|twice|thrice|{_NUMBER}(?:[ ]?\\([0-9]+\\))?[ ](?:times|fois))[ ](?:an?|per|each|every|par)[ ](?P<base>{_UNIT}))(?![a-z])"
)
_WORD = re.compile(r"[a-z][a-z'/&-]*")
_STOP = re.compile(r"[.;:|,()]")
_NEAR = 3  # words between a rhythm and what recurs
_FAR = 12  # the same for "twice a year", which stands anywhere in its clause
_LINKS = word_set("and or et ou of the a an de du des la le les un une with for to by in on au aux en")


@dataclass(frozen=True, slots=True)
class Rhythm:
    """So many times a period, where it stands, and the words of what recurs."""

    start: int
    end: int
    value: float
    per: str
    event: str
    measure: str


def rhythms_in(text: str) -> list[Rhythm]:
    """Rhythms of `text` that belong to something that recurs, in order of their place."""
    low = "".join(fold(c) if len(fold(c)) == 1 else c.lower()[:1] for c in text)
    found: list[Rhythm] = []
    for match in _RHYTHM.finditer(low):
        often = _often(match)
        near = _recurring(low, match, free=match["adjective"] is None)
        if often is None or near is None or (found and match.start() < found[-1].end):
            continue
        start, end, words = near
        found.append(
            Rhythm(
                min(start, match.start()),
                max(end, match.end()),
                *often,
                event=words[-1],
                measure=" ".join(words),
            )
        )
    return found


def rhythm_predicates(text: str, rhythms: list[Rhythm]) -> list[Predicate]:
    """`quantity` predicates of at least so many a period: `>= 1 report per month`."""
    return [
        Predicate(
            kind="quantity", measure=(r.measure,), comparator=">=", value=r.value, unit=r.event, per=r.per,
            text=text[r.start : r.end],
        )
        for r in rhythms
    ]  # fmt: skip


def _often(match: re.Match[str]) -> tuple[float, str] | None:
    if match["adjective"]:
        return _ADJECTIVES[match["adjective"]]
    if match["times"]:
        times, unit = _count(match["times"].split()[0]), _UNITS[match["base"]]
    else:
        times, unit = 1 / _count(match["every"] or "1"), _UNITS[match["unit"]]
    if unit == "semester":
        return 2 * times, "year"
    if unit == "month" and 0 < times < 1:
        months = round(1 / times)
        if months == 3:
            return 1, "quarter"
        if 12 % months == 0:
            return 12 // months, "year"
    return round(times, 6), unit


def _count(word: str) -> float:
    return float(word) if word.isdigit() else float(_NUMBERS.get(word, 1))


def _recurring(low: str, match: re.Match[str], *, free: bool) -> tuple[int, int, list[str]] | None:
    """What recurs beside a rhythm: its place and its words, the last of them its noun."""
    reach = _FAR if free else _NEAR
    behind = _behind(low, match.end(), reach, free=free)
    if not free and behind is not None and match["adjective"] not in _FRENCH:
        return behind
    if not free and behind is None and (label := _label(low, match.start())):
        return label
    ahead = _ahead(low, match.start(), reach)
    return (
        ahead or behind
        if free or match["adjective"] in _FRENCH or match["adjective"].endswith("ly")
        else behind
    )


_FRENCH = frozenset(
    word for word in _ADJECTIVES if re.search(r"(?:ien|ienne|ier|iere|aire|iel|ielle|uel|uelle|ment)$", word)
)


def _behind(low: str, at: int, reach: int, *, free: bool) -> tuple[int, int, list[str]] | None:
    stop = _STOP.search(low, at + 1 if free and low[at : at + 1] == "," else at)
    words = list(_WORD.finditer(low, at, stop.start() if stop else len(low)))[:reach]
    for index, word in enumerate(words):
        if not free and word.group() in _LINKS:
            return None
        if stem(word.group()) in events():
            first = 0 if not free else index
            while not free and index + 1 < len(words) and stem(words[index + 1].group()) in events():
                index += 1
            return words[first].start(), words[index].end(), _clean(words[first : index + 1])
    return None


def _label(low: str, at: int) -> tuple[int, int, list[str]] | None:
    """What the label of a row says where the rhythm opens its value: "Pen testing | bi-annual"."""
    row = re.search(r"(?:^|[|\n])(?P<label>[^|\n]{3,60}?)[ ]?[|\u2026:\u2013-][ ]*$", low[:at])
    words = list(_WORD.finditer(low, row.start("label"), row.end("label"))) if row else []
    if words and stem(words[-1].group()) in events():
        return at, at, _clean(words[-2:])
    return None


def _ahead(low: str, at: int, reach: int) -> tuple[int, int, list[str]] | None:
    stops = [m.end() for m in _STOP.finditer(low, 0, at)]
    words = list(_WORD.finditer(low, stops[-1] if stops else 0, at))[-reach:]
    for index in range(len(words) - 1, -1, -1):
        if stem(words[index].group()) in events():
            return words[index].start(), words[index].end(), _clean(words[index : index + 1])
    return None


def _clean(words: list[re.Match[str]]) -> list[str]:
    kept = [w.group() for w in words if w.group() not in _LINKS]
    return [*kept[:-1], singular(kept[-1])]
