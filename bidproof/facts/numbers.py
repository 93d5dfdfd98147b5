"""Numbers in digits and in words, English and French.

Reads the number alone: `1 234,56` is 1234.56 and `one hundred twenty` is 120. Units, comparators and what
the number is for stand in the other modules of this package.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite

from bidproof.facts.view import View

DECIMAL_COMMA = frozenset({"fr", "de", "es", "it", "pt", "nl", "pl"})

# Longest reading first. A group separator is a space, a comma, a dot or an apostrophe, never a line break:
# two numbers on two lines are two numbers.
_DIGITS = re.compile(
    r"[0-9]{1,3}(?:[ ][0-9]{3})+(?:[.,][0-9]+)?(?![0-9])"
    r"|[0-9]{1,3}(?:'[0-9]{3})+(?:[.,][0-9]+)?(?![0-9])"
    r"|[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]+)?(?![0-9,])"
    r"|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?(?![0-9.])"
    r"|[0-9]+(?:[.,][0-9]+)?"
)

_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9,
    "dix": 10,
    "onze": 11, "douze": 12, "treize": 13, "quatorze": 14, "quinze": 15, "seize": 16,
    "\ufb01ve": 5, "\ufb01fteen": 15,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80,
    "ninety": 90, "vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60,
    "\ufb01fty": 50, "septante": 70, "huitante": 80, "octante": 80, "nonante": 90,
}  # fmt: skip
_HUNDREDS = {"hundred": 100, "hundreds": 100, "cent": 100, "cents": 100}
_LARGE = {
    "thousand": 10**3, "mille": 10**3, "lakh": 10**5, "lakhs": 10**5, "million": 10**6, "millions": 10**6,
    "crore": 10**7, "crores": 10**7, "billion": 10**9, "billions": 10**9, "milliard": 10**9,
    "milliards": 10**9,
}  # fmt: skip
_WORDS = re.compile(
    r"\b(?:" + "|".join(sorted({**_UNITS, **_TENS, **_HUNDREDS, **_LARGE}, key=len, reverse=True)) + r")\b"
)
_LONGEST = 16  # words: more than the longest number below a billion needs
_ALONE_IN_FRENCH = {"cent", "mille", "cents"}


@dataclass(frozen=True, slots=True)
class Numeral:
    """One number as written: its place, its value, and whether it is in words."""

    start: int
    end: int
    value: float
    worded: bool


def parse_digits(text: str, language: str = "") -> float:
    """Value of a number in digits, with whatever separators.

    A single separator before exactly three digits is read by language: in French `1,234` is a decimal
    and `1.234` a thousand, elsewhere the reverse. A leading zero always means a decimal (`0,075`).
    """
    text = text.replace(" ", "").replace("'", "")
    comma_decimal = language[:2] in DECIMAL_COMMA
    if "," in text and "." in text:
        decimal = max(text.rfind(","), text.rfind("."))
        return float(re.sub(r"[.,]", "", text[:decimal]) + "." + text[decimal + 1 :])
    for separator, reads_as_decimal in ((",", comma_decimal), (".", not comma_decimal)):
        if separator not in text:
            continue
        head, *tail = text.split(separator)
        if len(tail) > 1:
            return float("".join([head, *tail]))
        grouped = len(tail[0]) == 3 and len(head) <= 3 and head != "0" and not head.startswith("00")
        return float(head + tail[0]) if grouped and not reads_as_decimal else float(f"{head}.{tail[0]}")
    return float(text)


def find_numerals(view: View, language: str = "") -> list[Numeral]:
    """All numbers of a text in order. Digits glued behind letters (`TMF620`, `P99`) are left out."""
    read = _digit_numerals(view, language) + _word_numerals(view, language)
    found = [n for n in read if isfinite(n.value)]  # hundreds of digits in a row are no number
    found.sort(key=lambda n: n.start)
    return found


def _digit_numerals(view: View, language: str) -> list[Numeral]:
    plain, found, position = view.plain, [], 0
    while match := _DIGITS.search(plain, position):
        start, end = match.span()
        if _glued(plain, start):
            position = _end_of_run(plain, start)
            continue
        text = match.group()
        if (
            plain[start:end].count(".") == 1
            and end < len(plain) - 1
            and plain[end] == "."
            and plain[end + 1].isdigit()
        ):
            position = _end_of_run(plain, end + 1)  # a section number such as 3.2.1
            continue
        found.append(Numeral(start, end, parse_digits(text, language), worded=False))
        position = end
    return found


_CURRENCY_BEFORE = re.compile(r"(?:^|[^a-z])(?:[a-z]{3}|rs|us|kshs?|dhs?|rmb|fcfa)$")


def _glued(plain: str, start: int) -> bool:
    if start == 0:
        return False
    before = plain[start - 1]
    if before.isdigit() or before in "_\x01":
        return True
    if before.isalpha():
        return not _CURRENCY_BEFORE.search(plain[max(0, start - 6) : start].lower())
    if start > 1 and before in ".,:/" and plain[start - 2].isdigit():
        return before != "/"
    return before == "-" and start > 1 and plain[start - 2].isalpha()


def _end_of_run(plain: str, position: int) -> int:
    while position < len(plain) and (
        plain[position].isdigit() or (plain[position] == "." and plain[position + 1 : position + 2].isdigit())
    ):
        position += 1
    return max(position, 1)


# An article is a number only where something is bounded or counted by it: "moins d'un an", "within an hour",
# "un exemplaire unique". `au moins un des lots` and `within a reasonable time` count nothing.
_ARTICLE = re.compile(
    r"(?:(?<![a-z])(?:(?:au )?moins|plus|au minimum|minimum|superieure?s? a|inferieure?s? a|au-dela)[ \n]+(?:de[ \n]+|d')?"
    r"(?P<fr>une?)(?=[ \n]+(?!des?(?![a-z])|du(?![a-z])|autres?(?![a-z]))[a-z])"
    r"|(?<![a-z])(?:sous|dans|de|d'|delai de)[ \n]?(?P<unit>une?)(?=[ \n]+(?:seconde|minute|heure|jour|semaine|mois|trimestre|an|annee)(?![a-z]))"
    r"|(?<![a-z])(?P<copy>une?)(?=[ \n]+(?:exemplaire|original[ \n]+et|seule?[ \n]+(?:exemplaire|original|copie))(?![a-z]))"
    r"|(?<![a-z])(?:within|under|less than|more than|at least|not exceeding|no longer than|no later than)[ \n]+"
    r"(?P<en>an?)(?=[ \n]+(?:(?:calendar|working|business|full)[ \n]+)?(?:second|minute|hour|day|week|month|quarter|year)(?![a-z])))"
)


def _articles(low: str) -> list[Numeral]:
    found = []
    for match in _ARTICLE.finditer(low):
        start, end = match.span(str(match.lastgroup))
        found.append(Numeral(start, end, 1.0, worded=True))
    return found


def _word_numerals(view: View, language: str) -> list[Numeral]:
    low = view.low
    groups: list[list[re.Match[str]]] = []
    for match in _WORDS.finditer(low):
        if groups and _continues(groups[-1], low[groups[-1][-1].end() : match.start()], match.group()):
            groups[-1].append(match)
        else:
            groups.append([match])
    found = []
    for group in groups:
        words = [m.group() for m in group]
        if not _stands_alone(words, low, group[0].start(), language):
            continue
        found.append(Numeral(group[0].start(), group[-1].end(), float(_value(words)), worded=True))
    taken = {numeral.start for numeral in found}
    return found + [numeral for numeral in _articles(low) if numeral.start not in taken]


def _stands_alone(words: list[str], low: str, start: int, language: str) -> bool:
    if len(words) > 1:
        return words[0] not in _LARGE or words[0] == "mille"
    if words[0] in _ALONE_IN_FRENCH:
        return language[:2] == "fr" and not low[max(0, start - 5) : start].rstrip().endswith(("pour", "per"))
    return words[0] not in _LARGE and words[0] not in _HUNDREDS and words[0] not in ("un", "une")


def _continues(group: list[re.Match[str]], gap: str, word: str) -> bool:
    """Whether `word` goes on with the number of `group` ("one hundred" + "twenty"), or starts its own."""
    gap = " ".join(gap.replace("-", " ").split()) if gap.strip(" \n-") else ""
    last = group[-1].group()
    if gap == "and" and last not in _HUNDREDS and last not in _LARGE:
        return False
    if gap == "et" and (last not in _TENS or word not in ("un", "une", "onze")):
        return False
    if gap not in ("", "and", "et"):
        return False
    words = [m.group() for m in group]
    if len(words) >= _LONGEST:
        return False
    below_hundred = _value(words) % 100
    if word in _LARGE:
        return last not in _LARGE or _LARGE[word] > _LARGE[last]
    if word in _HUNDREDS:
        return 0 < _value(words) % 1000 < 100 or last in _LARGE
    if word in _TENS:
        return below_hundred == 0 or (word.startswith("vingt") and below_hundred == 4)
    step = _UNITS[word]
    if step < 10:
        return (
            below_hundred == 0
            or (below_hundred >= 20 and below_hundred % 10 == 0)
            or (last == "dix" and step >= 7)
        )
    return below_hundred == 0 or below_hundred in (60, 80)


def _value(words: list[str]) -> int:
    total = current = 0
    for word in words:
        if word in _LARGE:
            total += max(1, current) * _LARGE[word]
            current = 0
        elif word in _HUNDREDS:
            current = max(1, current) * 100
        elif word.startswith("vingt") and current % 100 == 4:
            current += 76  # quatre-vingt
        else:
            current += _TENS.get(word, _UNITS.get(word, 0))
    return total + current
