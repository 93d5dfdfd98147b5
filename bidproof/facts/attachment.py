"""The unit next to a number: percent, currency, time, technical unit or counted noun.

Decides whether a number is an amount at all: "Section 3", "Lot 2", "24x7" and "3.2 Scope" are none. How two
spellings or a range make one amount stands in `measures`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bidproof.facts.context import comparator_at
from bidproof.facts.money import currency_after
from bidproof.facts.numbers import Numeral
from bidproof.facts.rates import per_many
from bidproof.facts.terms import word_set
from bidproof.facts.units import (
    CALENDAR,
    COUNTED_OR_LENGTH,
    DAY_UNITS,
    FILLERS,
    TIME_WORDS,
    WORKING,
    counted_noun,
    denominator,
    spelt_power,
    technical_unit,
    with_power,
)
from bidproof.facts.view import View
from bidproof.records import FactKind


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, as far as it has been read; `after` is the index of the next free number."""

    start: int
    end: int
    value: float
    kind: FactKind | None
    unit: str
    after: int
    plus: bool = False
    other: float | None = None
    value_max: float | None = None


_PERCENT = re.compile(r"[ \n]{0,2}-?(?:%|(?:per[ -]?cent|percent|pct|pour[ ]?cent|percentage)(?![a-z]))")
_TOKEN = re.compile(
    r"(?:[ \n]{0,2}|[ ]?-[ ]?|-\n)([A-Za-z\u00b0\u03a9\u00b5\u03bc][A-Za-z\u00b2\u00b3]*)(\([a-z]{1,2}\))?"
)
_RATE = re.compile(r"/[ ]?([a-z]+)(?:[23\u00b2\u00b3])?(?![a-z0-9])")
_WORD = re.compile(r"(?:[ \n]\x01+)?(?:[ \n]{1,2}-?|-)([A-Za-z][A-Za-z0-9/&'-]*)(\([a-z]{1,3}\))?")
_CELSIUS = re.compile(
    r"[ ]?(?:°[ ]?|deg(?:rees?)?\.?[ ]+)(?:(c)(?:elsius)?|(f)(?:ahrenheit)?)(?![a-z])|[ ]?degres?[ "
    r"]+(c)(?:elsius)?(?![a-z])"
)


def with_unit(view: View, read: Amount, numeral: Numeral, scaled: bool, language: str) -> Amount:
    """`read` with the unit that follows it, tried from the surest kind to the loosest."""
    if match := _PERCENT.match(view.low, read.end):
        return replace(read, kind="percent", unit="percent", end=match.end())
    code, end = currency_after(view, read.end)
    if code:
        return replace(read, kind="money", unit=code, end=end)
    if match := _CELSIUS.match(view.low, read.end):
        return signed(view, replace(read, kind="quantity", unit="°F" if match[2] else "°C", end=match.end()))
    return (
        _time(view, read, numeral)
        or _technical(view, read, numeral, language)
        or _counted(view, read, numeral, scaled, language)
    )


def signed(view: View, read: Amount) -> Amount:
    """A temperature with the minus that stands before it; nothing else is ever negative."""
    if read.unit in ("°C", "°F") and read.value > 0 and _minus(view.plain, read.start):
        return replace(read, start=read.start - 1, value=-read.value)
    return read


def _minus(plain: str, start: int) -> bool:
    return start > 0 and plain[start - 1] == "-" and (start == 1 or plain[start - 2] in " \n(|:")


_MULTIPLIED = re.compile(r"[0-9][ ]?[x×/][ ]?$")


def _time(view: View, read: Amount, numeral: Numeral) -> Amount | None:
    """A duration: `90 days`, `5 working days`, `5 jours ouvrés`, `12-month`. `24x7` and `1990s` are none."""
    left = view.low[max(0, read.start - 9) : read.start]
    if _MULTIPLIED.search(left) or list_number(view, read, numeral, decimal=True):
        return None
    sort, position = "", read.end
    for _ in range(3):
        match = _TOKEN.match(view.plain, position)
        if not match:
            return None
        word = match[1].lower()
        if word in TIME_WORDS:
            break
        if word in WORKING:
            sort = "working_day"
        elif word in CALENDAR:
            sort = "calendar_day"
        elif word not in FILLERS:
            return None
        position = match.end()
    else:
        return None
    unit = TIME_WORDS[word]
    if left.rstrip().endswith(word) or (word == "h" and view.plain[match.end() : match.end() + 1].isdigit()):
        return None  # "Year 1 Year 2" heads columns, `7h00` is a time of day
    if len(word) == 1 and (
        numeral.worded or match[1] != word or (numeral.value >= 1000 and match.start(1) == read.end)
    ):
        return None
    end = match.end()
    if unit == "day":
        behind = _TOKEN.match(view.plain, end)
        if (
            not sort
            and behind
            and behind[1].lower() in (WORKING | CALENDAR) - {"bank", "office", "work", "week", "business"}
        ):
            sort = "working_day" if behind[1].lower() in WORKING else "calendar_day"
            end = behind.end()
        unit = sort or "day"
    elif sort == "working_day":
        unit = f"working_{unit}"
    return replace(read, kind="days" if unit in DAY_UNITS else "duration", unit=unit, end=end)


def _technical(view: View, read: Amount, numeral: Numeral, language: str) -> Amount | None:
    unit, end = spelt_power(view.low, read.end)
    if unit:
        return replace(read, kind="quantity", unit=unit, end=end)
    match = _TOKEN.match(view.plain, read.end)
    if (
        not match
        or match[1].lower() in COUNTED_OR_LENGTH
        or (match[1] in ("Go", "Mo", "To") and language[:2] != "fr")
    ):
        return None
    if match[1] == "A" and (match.start(1) == read.end or list_number(view, read, numeral, decimal=True)):
        return None  # clause 2A, "3.3 A bidder ..."
    token, after = match[1], match.end()
    if token.endswith("CO") and view.plain.startswith("2", after):
        token, after = token[:-2], after - 2  # "95 gCO2/km"
    unit = technical_unit(token)
    if not unit or (len(match[1]) == 1 and (numeral.worded or "\n" in match.group())):
        return None
    if match[1] in ("A", "T", "K", "B", "N", "L") and _labelled(view, read.start):
        return None
    unit, end = with_power(unit, view.plain, after)
    rate = _RATE.match(view.low, end)
    a_rate = (rate and denominator(rate[1])) or per_many(view, end)[0]
    apart = view.plain[end : end + 1] in ("-", "'", "/") and not a_rate
    if not unit or (apart and len(match[1]) == 1 and end == match.end()):
        return None
    return replace(read, kind="quantity", unit=unit, end=end)


_NOT_COUNTED = word_set(
    "of and or in on at for to from by with is are was were has have had will shall must may can could "
    "would should the a an this "
    "that these those as than per each which who if not its their our your his but be been being do does "
    "did so such no only also "
    "de du des la le les et ou en dans pour par sur au aux est sont sera ont qui que il ils ce ces d l x "
    "vs via into over under "
    "above below within after before during until including between among through against across"
)
_LABELS = re.compile(
    r"(?<![a-z])(?:section|sections|clause|clauses|article|articles|page|pages|table|figure|annex|annexe|"
    r"appendix|item|items|no|nr|"
    r"number|form|formulaire|lot|phase|envelope|stage|part|step|bidder|tier|level|option|schedule|volume|"
    r"chapter|question|row|line|"
    r"column|version|model|type|class|category|group|zone|module|room|building|block|attachment|exhibit|"
    r"paragraph|para|rule|note|"
    r"point|site|district|severity|priority|release|document|addendum|amendment|rfp|q|fy|day|week|month|"
    r"year|numero|chapitre|"
    r"tableau|annexes|alinea|titre|etape|addenda|sheet|drawing|unit|day|bid|band|zone|index|layer|"
    r"grade)s?\.?[ \n]*(?:n[o°]\.?[ ]*)?$"
)
_PLURALS = frozenset(
    {"people", "staff", "personnel", "criteria", "children", "men", "women", "fte", "ftes", "tps"}
)


def _labelled(view: View, start: int) -> bool:
    """Whether the number names a thing ("Section 3", "Lot 2") instead of counting it."""
    left = view.low[max(0, start - 16) : start]
    above, line_break, _ = view.low[:start].rpartition("\n")
    if line_break and not left.rpartition("\n")[2].strip() and " | " in above.rpartition("\n")[2]:
        return False  # the line above is a table header: "Requirement | Notes" names no number
    return bool(_LABELS.search(left)) or left.endswith(("#", "§"))


def _counts_nothing(view: View, read: Amount, numeral: Numeral, scaled: bool) -> bool:
    """The number is a year, a fraction, or the name or number of a thing."""
    written = view.plain[numeral.start : numeral.end]
    plain = not scaled and not numeral.worded
    year = plain and 1900 <= numeral.value <= 2100 and len(written) == 4
    decimal = plain and re.search(r"[.,][0-9]{1,2}$", written) is not None
    return (
        year
        or decimal
        or not read.value.is_integer()
        or _labelled(view, read.start)
        or list_number(view, read, numeral)
    )


def _counted(view: View, read: Amount, numeral: Numeral, scaled: bool, language: str) -> Amount:
    """`read` with the noun that it counts, `subscriber` in "50M+ active subscribers"; unchanged if none.

    A single thing counts only where it is asked for or spelled twice ("at least one reference", "one (1)
    copy").
    """
    if _counts_nothing(view, read, numeral, scaled):
        return read
    words: list[re.Match[str]] = []
    position = read.end
    while len(words) < 5 and (match := _WORD.match(view.plain, position)):
        word = match[1].lower()
        if word in _NOT_COUNTED or ("\n" in match.group() and match[1][0].isupper() and words):
            break
        words.append(match)
        position = match.end()
        if word in _PLURALS:
            break
    if not words:
        return read
    french = (
        language[:2] == "fr" or _FRENCH_NUMBER.fullmatch(view.low[numeral.start : numeral.end]) is not None
    )
    if read.value == 1 and read.end == numeral.end and not comparator_at(view, read.start, read.end)[0]:
        copies = next((w for w in words[:2] if counted_noun(w[1]) in _SINGLY_COUNTED), None)
        return read if copies is None else replace(
            read, kind="quantity", unit=counted_noun(copies[1]), end=copies.end()
        )  # fmt: skip
    head = _counted_head(words, single=read.value == 1, french=french)
    if head is None or head[1].lower() in _NO_UNIT:
        return read
    return replace(
        read, kind="quantity", unit=counted_noun(head[1].split("/")[-1], french=french), end=head.end()
    )


# A single one of these is asked for as such: "en un seul exemplaire", "one original and two copies".
_SINGLY_COUNTED = frozenset({"exemplaire", "original", "copy", "copie", "envelope", "enveloppe"})
_NO_UNIT = frozenset({"nines"})  # "99.999% (five nines)" counts nothing
_FRENCH_NUMBER = re.compile(
    r"(?:un|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|(?:vingt|trente|quarante|cinquante|soixante|cent|mille).*)"
)


def _counted_head(words: list[re.Match[str]], *, single: bool, french: bool) -> re.Match[str] | None:
    """The noun among the words behind a number: the first plural, or in English the second of two."""
    if single:
        return (words[0] if french else words[-1]) if words and words[-1][1].isalpha() else None
    for index, match in enumerate(words):
        if _plural(match):
            behind = words[index + 1] if index + 1 < len(words) else None
            return behind if behind is not None and not french and _plural(behind) else match
    return None


def _plural(match: re.Match[str]) -> bool:
    word = match[1].lower()
    return (
        word in _PLURALS
        or bool(match[2])
        or (len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")))
    )


def list_number(view: View, read: Amount, numeral: Numeral, *, decimal: bool = False) -> bool:
    """A number that opens a line before a capital is the number of a heading or a list item.

    Args:
        view: the text.
        read: the amount.
        numeral: its number.
        decimal: only section numbers such as 6.5 are looked for.
    """
    before = view.plain[max(0, read.start - 3) : read.start].rstrip(" ")
    opens = (not before or before.endswith("\n")) and not read.plus
    dotted = "." in view.plain[numeral.start : numeral.end]
    opens = opens and (dotted if decimal else dotted or numeral.end - numeral.start <= 2)
    return opens and not numeral.worded and view.plain[read.end : read.end + 2].strip()[:1].isupper()
