"""Whole numbers written out in English and in French. Writes only: reading them is for `facts.numbers`."""

from __future__ import annotations

_EN = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_EN_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FR = (
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
)  # fmt: skip
_FR_TENS = (
    "", "", "vingt", "trente", "quarante", "cinquante", "soixante", "soixante", "quatre-vingt", "quatre-vingt",
)  # fmt: skip


def in_words(number: int, language: str) -> str:
    """`number`, from 0 to 999,999,999, in words of `language` (en or fr).

    Raises:
        ValueError: it is outside that range.
    """
    if not 0 <= number < 10**9:
        raise ValueError(f"no words for {number}")
    return _french(number) if language == "fr" else _english(number)


def _english(number: int) -> str:
    for size, name in ((10**6, "million"), (1000, "thousand")):
        if number >= size:
            rest = number % size
            joint = " and " if 0 < rest < 100 else " "
            return f"{_english(number // size)} {name}" + (joint + _english(rest) if rest else "")
    if number >= 100:
        rest = number % 100
        return f"{_EN[number // 100]} hundred" + (f" and {_english(rest)}" if rest else "")
    if number < 20:
        return _EN[number]
    return _EN_TENS[number // 10] + (f"-{_EN[number % 10]}" if number % 10 else "")


def _french(number: int, before_thousand: bool = False) -> str:
    """`before_thousand`: cent and vingt take no s before mille."""
    if number >= 10**6:
        many, rest = divmod(number, 10**6)
        return f"{_french(many)} million{'s' if many > 1 else ''}" + (f" {_french(rest)}" if rest else "")
    if number >= 1000:
        many, rest = divmod(number, 1000)
        return (
            ("" if many == 1 else f"{_french(many, True)} ") + "mille" + (f" {_french(rest)}" if rest else "")
        )
    if number >= 100:
        many, rest = divmod(number, 100)
        several = "s" if many > 1 and not rest and not before_thousand else ""
        lead = "" if many == 1 else f"{_FR[many]} "
        return f"{lead}cent{several}" + (f" {_french(rest, before_thousand)}" if rest else "")
    if number < 20:
        return _FR[number]
    tens, ones = divmod(number, 10)
    if tens in (7, 9):
        ones += 10
    if number == 80:
        return "quatre-vingt" if before_thousand else "quatre-vingts"
    if not ones:
        return _FR_TENS[tens]
    joint = " et " if ones in (1, 11) and tens != 8 and tens != 9 else "-"
    return _FR_TENS[tens] + joint + _FR[ones]
