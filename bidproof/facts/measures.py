"""Amounts: percentages, money, durations and counted quantities, with words and digits reconciled.

Joins a number to its unit, its other spelling ("ninety (90) days") and its range ("5 to 10 days"). The
words around the amount are read in `context`; standards, classes, forms and dates in `named` and `dates`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bidproof.facts.attachment import Amount, signed, with_unit
from bidproof.facts.context import base_at, comparator_at, comparator_behind, role_at
from bidproof.facts.money import currency_after, currency_before, magnitude_at
from bidproof.facts.numbers import Numeral, find_numerals
from bidproof.facts.rates import per_many, rate_at, rate_behind_base
from bidproof.facts.tolerances import with_tolerances
from bidproof.facts.units import technical_unit
from bidproof.facts.view import View
from bidproof.records import Fact

_FOOTNOTE = re.compile(r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{0,2}")
_PLUS = re.compile(r"[ ]?\+(?![ ]?[0-9(])|[ \n]+(?:(?:or|and)[ \n]+more|ou[ \n]+plus)(?=[ \n]+[a-z])")
_OPEN = re.compile(r"[ \n]{0,2}\([ \n]?(?:in words:?[ ]*|say:?[ ]*|soit:?[ ]*)?")
_CLOSE = re.compile(r"[ \n]?(?:only|ttc|ht|net)?[ \n]?\)")
_RANGE = re.compile(r"[ \n]*(-|to|and|through|a|et)[ \n]*\+?")


def find_measures(view: View, language: str = "") -> list[Fact]:
    """Facts of kinds percent, money, days, duration and quantity, in order of start."""
    numerals = find_numerals(view, language)
    facts: list[Fact] = []
    index = rated = 0
    while index < len(numerals):
        if numerals[index].start < rated or _is_denominator(view, numerals[index].start):
            index += 1  # the 100 of "11 l/100 km"
            continue
        amount = _amount_at(view, numerals, index, language)
        if amount.kind is None:
            carried = _listed_money(view, amount, facts) or _listed_count(view, numerals, index, language)
            if carried is None:
                index += 1
                continue
            amount = carried
        fact = _fact(view, amount)
        if not facts or fact.start >= facts[-1].end:
            facts.append(fact)
            rated = per_many(view, fact.end)[1]
        index = max(amount.after, index + 1)
    return with_tolerances(view, facts, language)


_UNIT_BEFORE = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]+[23]?)[ ]?/[ ]?$")


def _is_denominator(view: View, start: int) -> bool:
    """The number belongs to a unit that stands without an amount: "consumption in l/100 km", "per 100 km"."""
    left = view.plain[max(0, start - 14) : start]
    found = _UNIT_BEFORE.search(left)
    rate = found is not None and bool(technical_unit(found[1]))
    return (rate or _PER_BEFORE.search(left) is not None) and _RATE_OF.match(view.low, start) is not None


_PER_BEFORE = re.compile(r"(?<![A-Za-z])(?:per|par|aux)[ \n]+$")
_RATE_OF = re.compile(r"1[0,.']*(?: 000)*[ ]?[a-z]")


def _fact(view: View, amount: Amount) -> Fact:
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
        per = rate_behind_base(view, end, base)
    if not comparator:
        comparator = comparator_behind(view, rate_end)
    duration = amount.kind in ("days", "duration")
    readings: tuple[str, ...] = ()
    if amount.other is not None:
        readings = tuple(f"{v:g}" for v in sorted((amount.value, amount.other)))
    return Fact(
        kind=amount.kind, start=amount.start, end=end, text=view.raw[amount.start : end], value=amount.value,
        value_max=amount.value_max, unit=amount.unit, comparator=comparator, base=base, per=per,
        readings=readings,
        role=role_at(view, amount.start, end, before, duration=duration), conflict=amount.other is not None,
    )  # fmt: skip


_OF_DELAY = re.compile(r"[ \n]+(?:of|de)[ \n]+(?:delay|delays|retard|lateness)")


def _amount_at(view: View, numerals: list[Numeral], index: int, language: str) -> Amount:
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
        first = replace(signed(view, replace(first, unit=second.unit)), unit="")
    if second.kind is None or second.start > link.end() or second.value <= first.value:
        return first
    if first.kind is not None and (first.kind, first.unit) != (second.kind, second.unit):
        return first
    if first.kind is None and first.end != numerals[index].end and second.kind != "money":
        return first
    return replace(second, start=first.start, value=first.value, value_max=second.value)


def _single(view: View, numerals: list[Numeral], index: int, language: str) -> Amount:
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
    read = Amount(start, end, numeral.value * factor, None, "", index + 1, plus is not None)
    read = _paired(view, numerals, read, numeral, language)
    if currency and read.kind is None:
        trailing = currency_after(view, read.end)
        finish = trailing[1] if trailing[0] == currency else read.end
        read = replace(read, kind="money", unit=currency, end=finish)
    elif read.kind is None:
        read = with_unit(view, read, numeral, factor > 1, language)
    if read.kind is not None and read.after == index + 1:
        read = _paired(view, numerals, read, numeral, language)
    if read.kind is None and letter:
        return replace(read, value=numeral.value, end=position)
    return read


def _paired(view: View, numerals: list[Numeral], read: Amount, numeral: Numeral, language: str) -> Amount:
    """`read` with its other spelling in brackets taken in, as in "ninety (90)" or "2% (two percent)"."""
    opening = _OPEN.match(view.low, read.end)
    if not opening or read.after >= len(numerals):
        return read
    other = numerals[read.after]
    currency, start = currency_before(view, other.start)
    if start != opening.end() or other.worded == numeral.worded:
        return read
    factor, end, _ = (1.0, other.end, False) if other.worded else magnitude_at(view, other.end)
    inner = Amount(start, end, other.value * factor, None, "", read.after + 1)
    inner = (
        replace(inner, kind="money", unit=currency)
        if currency
        else with_unit(view, inner, other, False, language)
    )
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
        read,
        end=end,
        value=digits * scale,
        other=words * scale if differs else None,
        kind=kind,
        unit=unit,
        after=read.after + 1,
    )


def _listed_money(view: View, amount: Amount, facts: list[Fact]) -> Amount | None:
    """A bare figure that goes on with a list of money, as in "INR 1,480 Cr / 1,690 Cr / 1,920 Cr"."""
    if not facts or facts[-1].kind != "money" or amount.value < 1e5:
        return None
    gap = view.low[facts[-1].end : amount.start]
    if not re.fullmatch(r"[ \n]*[/,;][ \n]*", gap):
        return None
    return replace(amount, kind="money", unit=facts[-1].unit)


def _listed_count(view: View, numerals: list[Numeral], index: int, language: str) -> Amount | None:
    """A bare figure that heads a list of counts, as in "200M / 250M / 300M subscribers"."""
    first = last = numerals[index]
    factor, end, _ = magnitude_at(view, first.end)
    position = end
    for behind in range(index + 1, min(index + 6, len(numerals))):
        if not _SLASH.fullmatch(view.low[position : numerals[behind].start]):
            return None
        last = numerals[behind]
        read = _single(view, numerals, behind, language)
        if read.kind == "quantity":
            return Amount(first.start, end, first.value * factor, "quantity", read.unit, index + 1)
        position = magnitude_at(view, last.end)[1]
    return None


_SLASH = re.compile(r"[ \n]?/[ \n]?")
