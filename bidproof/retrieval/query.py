"""From a rule to a wide query: its words, its numbers in every usual spelling, and other words for both.

Holds spellings only. Which chunk answers is for the legs and the evidence score. Wide on purpose: a spelling
too many costs a place among thirty candidates, a spelling too few costs the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bidproof.catalog import translated
from bidproof.facts.units import convert
from bidproof.params import RetrievalParams
from bidproof.records import Predicate, Requirement
from bidproof.retrieval.lexical import LexicalIndex

# Words by which a rule says that it is one; a bid that answers it does not repeat them.
_DUTY = re.compile(
    r"\b(?:bidders?|tenderers?|vendors?|suppliers?|contractors?|proponents?|respondents?|offerors?|shall|must|should|required?|requirements?|mandatory|"
    r"at least|minimum|maximum|min|max|not? (?:less|more|later) than|provided?|submitted|submit|"
    r"soumissionnaires?|candidats?|titulaires?|fournisseurs?|doit|doivent|devra|devront|au moins|au minimum"
    r")\b",
    re.IGNORECASE,
)

_UNIT_WORDS: dict[str, tuple[str, ...]] = {
    "percent": ("percent", "per cent", "pour cent"),
    "second": ("seconds", "secondes"),
    "minute": ("minutes",),
    "hour": ("hours", "heures"),
    "day": ("days", "jours"),
    "calendar_day": ("calendar days", "jours calendaires"),
    "working_day": ("working days", "business days", "jours ouvrables", "jours ouvrés"),
    "week": ("weeks", "semaines"),
    "month": ("months", "mois"),
    "quarter": ("quarters", "trimestres"),
    "year": ("years", "ans", "années"),
}
_TIME_CHAIN = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
_LARGE = ((1e5, "lakh"), (1e7, "crore"), (1e6, "million"), (1e9, "billion"))
_ENGLISH_MONTHS = """
January February March April May June July August September October November December
"""
_FRENCH_MONTHS = """
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
"""
_MONTHS = (_ENGLISH_MONTHS.split(), _FRENCH_MONTHS.split())
_ENGLISH_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
"""
_FRENCH_NUMBERS = """
zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
dix-huit dix-neuf
"""
_EN, _FR = _ENGLISH_NUMBERS.split(), _FRENCH_NUMBERS.split()
# From twenty on; French counts seventy and ninety on from sixty and eighty.
_EN_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FR_TENS = (
    *("", "", "vingt", "trente", "quarante", "cinquante"),
    *("soixante", "soixante", "quatre-vingt", "quatre-vingt"),
)


@dataclass(frozen=True)
class WideQuery:
    """Words of a rule, its numbers and codes as they may be written, and other words for the same thing."""

    must: tuple[str, ...]
    numbers: tuple[str, ...]
    synonyms: tuple[str, ...]
    translations: tuple[str, ...] = ()

    def weights(self, index: LexicalIndex, params: RetrievalParams) -> dict[str, float]:
        """Index terms with their weight; a term of several groups has the highest."""
        found: dict[str, float] = {}
        for weight, phrases in (
            (params.weight_synonym, self.translations if len(index.languages) > 1 else ()),
            (params.weight_synonym, self.synonyms),
            (params.weight_number, self.numbers),
            (1.0, self.must),
        ):
            for phrase in phrases:
                for term in index.terms(phrase):
                    found[term] = max(found.get(term, 0.0), weight)
        return found


def wide_query(requirement: Requirement) -> WideQuery:
    """The wide query of a rule; the same rule always gives the same one."""
    must = [plain_words(requirement.text)]
    numbers: list[str] = []
    for predicate in requirement.predicates:
        must.extend((*predicate.measure, *predicate.terms))
        numbers.extend(spellings(predicate))
    numbers.extend(requirement.sentry_terms)
    return WideQuery(
        _unique(must),
        _unique(numbers),
        _unique([*requirement.synonyms, *requirement.section_hints]),
        _unique(translated(requirement.text)),
    )


def plain_words(text: str) -> str:
    """A rule without the words of duty; the whole rule when nothing else is in it."""
    bare = " ".join(_DUTY.sub(" ", text).split())
    return bare if re.search(r"\w", bare) else text


def _unique(phrases: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(phrase for phrase in phrases if phrase.strip()))


def spellings(predicate: Predicate) -> list[str]:
    """How a bid may write what a predicate asks for; `text` is the rule's own spelling."""
    own = [predicate.text] if predicate.text and predicate.kind != "presence" else []
    if predicate.kind in ("standard", "form") and predicate.code:
        return [
            *own,
            predicate.code,
            *([f"{predicate.code}:{predicate.edition}"] if predicate.edition else []),
        ]
    if predicate.kind == "date" and predicate.date:
        return [*own, *_date_spellings(predicate.date)]
    values = [value for value in (predicate.value, predicate.value_max) if value is not None]
    if predicate.kind != "quantity" or not values:
        return own
    return [*own, *(spelling for value in values for spelling in _quantity_spellings(value, predicate.unit))]


def _quantity_spellings(value: float, unit: str) -> Iterator[str]:
    for amount, name in [(value, unit), *_same_time(value, unit)]:
        digits = f"{amount:.6f}".rstrip("0").rstrip(".")
        words = _UNIT_WORDS.get(name, (name.replace("_", " "),) if name else ())
        yield digits
        if name == "percent":
            yield f"{digits}%"
        yield from (f"{digits} {word}" for word in words)
        if amount == int(amount) and 0 <= amount < 10_000:
            yield from (
                f"{spoken} {word}" for spoken in number_words(int(amount)) for word in (words or ("",))
            )
    for size, name in _LARGE:
        if value >= size and (value / size * 100).is_integer() and value / size < 10_000:
            yield f"{value / size:g} {name}"


def _same_time(value: float, unit: str) -> Iterator[tuple[float, str]]:
    """The same span in the units beside it where it is a whole number: 24 months are 2 years."""
    if unit in _TIME_CHAIN:
        for other in _TIME_CHAIN:
            same = convert(value, unit, other)
            if other != unit and same is not None and abs(same - round(same)) < 1e-9 and 1 <= same <= 100:
                yield float(round(same)), other


def number_words(number: int) -> tuple[str, ...]:
    """A whole number below 10,000 in English and French words."""
    return tuple(dict.fromkeys((_english(number), _french(number))))


def _english(number: int) -> str:
    if number < 20:
        return _EN[number]
    if number < 100:
        return _EN_TENS[number // 10] + (f"-{_EN[number % 10]}" if number % 10 else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % size
    return f"{_english(number // size)} {name}" + (f" {_english(rest)}" if rest else "")


def _french(number: int) -> str:
    if number < 20:
        return _FR[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        if tens in (7, 9):
            rest += 10
        if number == 80:
            return "quatre-vingts"
        if not rest:
            return _FR_TENS[tens]
        joint = " et " if rest in (1, 11) and tens < 8 else "-"
        return f"{_FR_TENS[tens]}{joint}{_FR[rest]}"
    size, name = (1000, "mille") if number >= 1000 else (100, "cent")
    many, rest = divmod(number, size)
    head = name if many == 1 else f"{_french(many)} {name}"
    return f"{head} {_french(rest)}" if rest else head


def _date_spellings(date: str) -> Iterator[str]:
    yield date
    year, month, day = (int(part) for part in date.split("-"))
    yield from (f"{day} {names[month - 1]} {year}" for names in _MONTHS)
    yield from (f"{day:02}/{month:02}/{year}", f"{month:02}/{day:02}/{year}", f"{day:02}.{month:02}.{year}")
