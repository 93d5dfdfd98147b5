"""Amounts: percentages, money, durations and counted quantities, with words and digits reconciled.

Joins a number to its unit, its other spelling ("ninety (90) days") and its range ("5 to 10 days"). The
words around the amount are read in `context`; standards, classes, forms and dates in `named` and `dates`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bidproof.facts.context import base_at, comparator_at, rate_at, role_at
from bidproof.facts.money import currency_after, currency_before, magnitude_at
from bidproof.facts.numbers import Numeral, find_numerals
from bidproof.facts.units import (
    CALENDAR,
    COUNTED_OR_LENGTH,
    DAY_UNITS,
    FILLERS,
    TIME_WORDS,
    WORKING,
    counted_noun,
    technical_unit,
)
from bidproof.facts.view import View
from bidproof.records import Fact, FactKind


@dataclass(frozen=True, slots=True)
class _Amount:
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
_FOOTNOTE = re.compile(r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{0,2}")
_TOKEN = re.compile(r"(?:[ \n]{0,2}|[ ]?-[ ]?|-\n)([A-Za-z\u00b0\u03a9\u00b5\u03bc][A-Za-z\u00b2\u00b3]*)(\([a-z]{1,2}\))?")
_WORD = re.compile(r"(?:[ \n]\x01+)?(?:[ \n]{1,2}-?|-)([A-Za-z][A-Za-z0-9/&'-]*)(\([a-z]{1,3}\))?")
_CELSIUS = re.compile(r"[ ]?(?:°[ ]?|deg(?:rees?)?\.?[ ]+)(?:(c)(?:elsius)?|(f)(?:ahrenheit)?)(?![a-z])|[ ]?degres?[ ]+(c)(?:elsius)?(?![a-z])")
_PLUS = re.compile(r"[ ]?\+(?![ ]?[0-9(])|[ \n]+(?:(?:or|and)[ \n]+more|ou[ \n]+plus)(?=[ \n]+[a-z])")
_OPEN = re.compile(r"[ \n]{0,2}\([ \n]?(?:in words:?[ ]*|say:?[ ]*|soit:?[ ]*)?")
_CLOSE = re.compile(r"[ \n]?(?:only|ttc|ht|net)?[ \n]?\)")
_RANGE = re.compile(r"[ \n]*(-|to|and|through|a|et)[ \n]*")


def find_measures(view: View, language: str = "") -> list[Fact]:
    """Facts of kinds percent, money, days, duration and quantity, in order of start."""
    numerals = find_numerals(view, language)
    facts: list[Fact] = []
    index = 0
    while index < len(numerals):
        amount = _amount_at(view, numerals, index, language)
        if amount.kind is None:
            carried = _listed_money(view, amount, facts)
            if carried is None:
                index += 1
                continue
            amount = carried
        fact = _fact(view, amount)
        if not facts or fact.start >= facts[-1].end:
            facts.append(fact)
        index = max(amount.after, index + 1)
    return facts


def _fact(view: View, amount: _Amount) -> Fact:
    assert amount.kind is not None
    comparator, end, before = comparator_at(view, amount.start, amount.end)
    if amount.plus and not comparator:
        comparator = ">="
    base = per = ""
    percentage = amount.kind == "percent"
    if percentage:
        base = base_at(view, end)
    per, rate_end = rate_at(view, amount.start, end, percentage=percentage)
    if percentage and not base:
        base = base_at(view, rate_end)
        if not base and (delay := _OF_DELAY.match(view.low, rate_end)):
            base = base_at(view, delay.end())
    elif percentage and base and not per:
        per = _rate_behind_base(view, end, base)
    duration = amount.kind in ("days", "duration")
    readings: tuple[str, ...] = ()
    if amount.other is not None:
        readings = tuple(f"{v:g}" for v in sorted((amount.value, amount.other)))
    return Fact(
        kind=amount.kind, start=amount.start, end=end, text=view.raw[amount.start : end], value=amount.value,
        value_max=amount.value_max, unit=amount.unit, comparator=comparator, base=base, per=per, readings=readings,
        role=role_at(view, amount.start, end, before, duration=duration), conflict=amount.other is not None,
    )  # fmt: skip


_OF_DELAY = re.compile(r"[ \n]+(?:of|de)[ \n]+(?:delay|delays|retard|lateness)")


def _rate_behind_base(view: View, end: int, base: str) -> str:
    """Rate that follows the base, as in "0.1% of the contract price per day"."""
    last = base.split()[-1]
    position = view.low.find(last, end, end + 120)
    if position < 0:
        return ""
    return rate_at(view, end, position + len(last), percentage=False)[0]


def _amount_at(view: View, numerals: list[Numeral], index: int, language: str) -> _Amount:
    """The amount that starts with numeral `index`; its kind is None when no unit belongs to it."""
    first = _single(view, numerals, index, language)
    if first.after >= len(numerals):
        return first
    second_numeral = numerals[first.after]
    link = _RANGE.match(view.low, first.end)
    if not link or second_numeral.start - link.end() > 6 or second_numeral.start < link.end():
        return first
    opened = view.low[max(0, first.start - 10) : first.start].rstrip().endswith(("between", "entre"))
    word = link[1]
    if (word in ("and", "et") and not opened) or (word == "a" and view.raw[link.start(1)] not in "àÀ"):
        return first
    second = _single(view, numerals, first.after, language)
    if second.kind == "quantity" and second.unit in ("°C", "°F") and first.kind is None:
        first = replace(_signed(view, replace(first, unit=second.unit)), unit="")
    if second.kind is None or second.start > link.end() or second.value <= first.value:
        return first
    if first.kind is not None and (first.kind, first.unit) != (second.kind, second.unit):
        return first
    if first.kind is None and first.end != numerals[index].end and second.kind != "money":
        return first
    return replace(second, start=first.start, value=first.value, value_max=second.value)


def _single(view: View, numerals: list[Numeral], index: int, language: str) -> _Amount:
    numeral = numerals[index]
    currency, start = currency_before(view, numeral.start)
    footnote = _FOOTNOTE.match(view.raw, numeral.end)
    position = footnote.end() if footnote else numeral.end
    factor, end, letter = (1.0, position, False) if numeral.worded else magnitude_at(view, position)
    if letter and view.plain[end - 1] in "mb" and not currency:
        factor, end = 1.0, position  # `5 m` is five metres, `EUR 5m` five million
    plus = _PLUS.match(view.low, end)
    if plus and factor == 1.0 and not letter:
        factor, end, letter = magnitude_at(view, plus.end())  # `210+ million`
    elif plus:
        end = plus.end()
    read = _Amount(start, end, numeral.value * factor, None, "", index + 1, plus is not None)
    read = _paired(view, numerals, read, numeral, language)
    if currency and read.kind is None:
        trailing = currency_after(view, read.end)
        finish = trailing[1] if trailing[0] == currency else read.end
        read = replace(read, kind="money", unit=currency, end=finish)
    elif read.kind is None:
        read = _with_unit(view, read, numeral, factor > 1, language)
    if read.kind is not None and read.after == index + 1:
        read = _paired(view, numerals, read, numeral, language)
    if read.kind is None and letter:
        return replace(read, value=numeral.value, end=position)
    return read


def _paired(view: View, numerals: list[Numeral], read: _Amount, numeral: Numeral, language: str) -> _Amount:
    """`read` with its other spelling in brackets taken in, as in "ninety (90)" or "2% (two percent)"."""
    opening = _OPEN.match(view.low, read.end)
    if not opening or read.after >= len(numerals):
        return read
    other = numerals[read.after]
    currency, start = currency_before(view, other.start)
    if start != opening.end() or other.worded == numeral.worded:
        return read
    factor, end, _ = (1.0, other.end, False) if other.worded else magnitude_at(view, other.end)
    inner = _Amount(start, end, other.value * factor, None, "", read.after + 1)
    inner = replace(inner, kind="money", unit=currency) if currency else _with_unit(view, inner, other, False, language)
    closing = _CLOSE.match(view.low, inner.end)
    unlike = inner.kind and read.kind and (inner.kind, inner.unit) != (read.kind, read.unit)
    if not closing or unlike:  # "99.999% (five nines)" are no two spellings of one amount
        return read
    digits = read.value if other.worded else inner.value
    words = inner.value if other.worded else read.value
    kind, unit = (read.kind, read.unit) if read.kind else (inner.kind, inner.unit)
    # The magnitude may stand behind the bracket: "two (2) million".
    scale, end, letter = magnitude_at(view, closing.end()) if kind is None else (1.0, closing.end(), False)
    if letter:
        scale, end = 1.0, closing.end()
    differs = abs(digits - words) > 1e-9 * max(1.0, abs(digits))
    return replace(
        read, end=end, value=digits * scale, other=words * scale if differs else None, kind=kind, unit=unit, after=read.after + 1
    )


def _with_unit(view: View, read: _Amount, numeral: Numeral, scaled: bool, language: str) -> _Amount:
    """`read` with the unit that follows it, tried from the surest kind to the loosest."""
    if match := _PERCENT.match(view.low, read.end):
        return replace(read, kind="percent", unit="percent", end=match.end())
    code, end = currency_after(view, read.end)
    if code:
        return replace(read, kind="money", unit=code, end=end)
    if match := _CELSIUS.match(view.low, read.end):
        return _signed(view, replace(read, kind="quantity", unit="°F" if match[2] else "°C", end=match.end()))
    return _time(view, read, numeral) or _technical(view, read, numeral, language) or _counted(view, read, numeral, scaled, language)


def _signed(view: View, read: _Amount) -> _Amount:
    """A temperature with the minus that stands before it; nothing else is ever negative."""
    if read.unit in ("°C", "°F") and read.value > 0 and _minus(view.plain, read.start):
        return replace(read, start=read.start - 1, value=-read.value)
    return read


def _minus(plain: str, start: int) -> bool:
    return start > 0 and plain[start - 1] == "-" and (start == 1 or plain[start - 2] in " \n(|:")


_MULTIPLIED = re.compile(r"[0-9][ ]?[x×/][ ]?$")


def _time(view: View, read: _Amount, numeral: Numeral) -> _Amount | None:
    """A duration: `90 days`, `5 working days`, `5 jours ouvrés`, `12-month`. `24x7` and `1990s` are none."""
    left = view.low[max(0, read.start - 9) : read.start]
    if _MULTIPLIED.search(left) or _list_number(view, read, numeral, decimal=True):
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
    if len(word) == 1 and (numeral.worded or match[1] != word or (numeral.value >= 1000 and match.start(1) == read.end)):
        return None
    end = match.end()
    if unit == "day":
        behind = _TOKEN.match(view.plain, end)
        if not sort and behind and behind[1].lower() in (WORKING | CALENDAR) - {"bank", "office", "work", "week", "business"}:
            sort = "working_day" if behind[1].lower() in WORKING else "calendar_day"
            end = behind.end()
        unit = sort or "day"
    elif sort == "working_day":
        unit = f"working_{unit}"
    return replace(read, kind="days" if unit in DAY_UNITS else "duration", unit=unit, end=end)


def _technical(view: View, read: _Amount, numeral: Numeral, language: str) -> _Amount | None:
    match = _TOKEN.match(view.plain, read.end)
    if not match or match[1].lower() in COUNTED_OR_LENGTH or (match[1] in ("Go", "Mo", "To") and language[:2] != "fr"):
        return None
    if match[1] == "A" and match.start(1) == read.end:
        return None  # clause 2A
    unit = technical_unit(match[1])
    if not unit or (len(match[1]) == 1 and (numeral.worded or "\n" in match.group())):
        return None
    if match[1] in ("A", "T", "K", "B", "N", "L") and _labelled(view, read.start):
        return None
    if view.plain[match.end() : match.end() + 1] in ("-", "'", "/") and len(match[1]) == 1:
        return None
    return replace(read, kind="quantity", unit=unit, end=match.end())


_NOT_COUNTED = frozenset(
    "of and or in on at for to from by with is are was were has have had will shall must may can could would should the a an this "
    "that these those as than per each which who if not its their our your his but be been being do does did so such no only also "
    "de du des la le les et ou en dans pour par sur au aux est sont sera ont qui que il ils ce ces d l x vs via into over under "
    "above below within after before during until including between among through against across".split()
)
_LABELS = re.compile(
    r"(?<![a-z])(?:section|sections|clause|clauses|article|articles|page|pages|table|figure|annex|annexe|appendix|item|items|no|nr|"
    r"number|form|formulaire|lot|phase|envelope|stage|part|step|bidder|tier|level|option|schedule|volume|chapter|question|row|line|"
    r"column|version|model|type|class|category|group|zone|module|room|building|block|attachment|exhibit|paragraph|para|rule|note|"
    r"point|site|district|severity|priority|release|document|addendum|amendment|rfp|q|fy|day|week|month|year|numero|chapitre|"
    r"tableau|annexes|alinea|titre|etape|addenda|sheet|drawing|unit|day|bid|band|zone|index|layer|grade)s?\.?[ \n]*(?:n[o°]\.?[ ]*)?$"
)
_PLURALS = frozenset({"people", "staff", "personnel", "criteria", "children", "men", "women", "fte", "ftes", "tps"})


def _labelled(view: View, start: int) -> bool:
    """Whether the number names a thing ("Section 3", "Lot 2") instead of counting it."""
    left = view.low[max(0, start - 16) : start]
    return bool(_LABELS.search(left)) or left.endswith(("#", "§"))


def _counted(view: View, read: _Amount, numeral: Numeral, scaled: bool, language: str) -> _Amount:
    """`read` with the noun that it counts, `subscriber` in "50M+ active subscribers"; unchanged if none.

    A single thing counts only where it is asked for or spelled twice ("at least one reference", "one (1) copy").
    """
    year = not numeral.worded and 1900 <= numeral.value <= 2100 and numeral.end - numeral.start == 4 and not scaled
    decimal = not scaled and not numeral.worded and re.search(r"[.,][0-9]{1,2}$", view.plain[numeral.start : numeral.end])
    if year or decimal or read.value != int(read.value) or _labelled(view, read.start) or _list_number(view, read, numeral):
        return read
    if read.value == 1 and not comparator_at(view, read.start, read.end)[0] and read.end == numeral.end:
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
    head = _counted_head(words, single=read.value == 1, french=language[:2] == "fr")
    if head is None:
        return read
    return replace(read, kind="quantity", unit=counted_noun(head[1].split("/")[-1]), end=head.end())


def _counted_head(words: list[re.Match[str]], *, single: bool, french: bool) -> re.Match[str] | None:
    """The noun among the words behind a number: the first plural, with a second right behind it in English."""
    if single:
        return (words[0] if french else words[-1]) if words and words[-1][1].isalpha() else None
    for index, match in enumerate(words):
        if _plural(match):
            behind = words[index + 1] if index + 1 < len(words) else None
            return behind if behind is not None and not french and _plural(behind) else match
    return None


def _plural(match: re.Match[str]) -> bool:
    word = match[1].lower()
    return word in _PLURALS or bool(match[2]) or (len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")))


def _list_number(view: View, read: _Amount, numeral: Numeral, *, decimal: bool = False) -> bool:
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


def _listed_money(view: View, amount: _Amount, facts: list[Fact]) -> _Amount | None:
    """A bare figure that goes on with a list of money, as in "INR 1,480 Cr / 1,690 Cr / 1,920 Cr"."""
    if not facts or facts[-1].kind != "money" or amount.value < 1e5:
        return None
    gap = view.low[facts[-1].end : amount.start]
    if not re.fullmatch(r"[ \n]*[/,;][ \n]*", gap):
        return None
    return replace(amount, kind="money", unit=facts[-1].unit)
