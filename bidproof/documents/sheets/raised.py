"""Raised marks: what an exponent, an ordinal or the mark of a note becomes in the text."""

from __future__ import annotations

import re

_EXPONENTS = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_POWERED = frozenset({"m", "cm", "mm", "km", "dm", "ft", "in", "s", "10", "kg", "kn", "n"})
_ORDINALS = frozenset(
    {"st", "nd", "rd", "th", "er", "ère", "re", "e", "ème", "eme", "o", "a", "os", "tm", "®", "™", "°"}
)
_DIVIDED = re.compile(r"\s*[/⁄]\s*(\d{1,3})(?![\d.,])")
# Parts that lengths are measured in; of others, `12¹/20 kV`, a mark of a note may be the better guess.
_PARTS = frozenset({2, 3, 4, 8, 16, 32, 64})
_MONEY = r"(?:EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|TRY|AED|SAR|MAD|TND|XOF|XAF|VND|Euros?|[€$£¥₹])"
_MONEY_AFTER = re.compile(rf"\s*{_MONEY}(?!\w)", re.I)
_MONEY_BEFORE = re.compile(rf"{_MONEY}\s*\d[\d.,' \u00a0]*$", re.I)
_SMALL = re.compile(r"[.,]\d{1,2}$")


def raised_figure(before: str, text: str, after: str, small: bool) -> tuple[str, bool] | None:
    """How a raised run reads that is part of a figure, and whether it stands apart from what is before it.

    `3`, a raised `1` and `/2` are 3 1/2; `12` and a raised `50` before EUR are 12.50; 20 and a raised 0 before C
    are degrees. None where it is no such part.

    Args:
        before: the end of the line so far; a space ends it where there is a gap.
        text: the raised run.
        after: what follows it on the line.
        small: what follows is smaller than the line as well.
    """
    text = text.strip()
    upper = text.rstrip("/⁄ ")
    divided = _DIVIDED.match(text.removeprefix(upper) + after)
    if divided and upper.isdecimal() and (not before or before[-1].isdigit() or before[-1].isspace()):
        parts = int(divided[1])
        if small or "⁄" in divided[0] or (parts in _PARTS and int(upper) < parts):
            return text, True
    if not before[-1:].isdigit():
        return None
    if text in ("0", "o", "O") and re.match(r"\s*[CF]\b", after):
        return "°", False
    money = _MONEY_AFTER.match(after) or _MONEY_BEFORE.search(before)
    if money and len(text) == 2 and text.isdecimal() and not _SMALL.search(before):
        return ("," if re.search(r"\.\d{3}$", before) else ".") + text, False
    return None


def raised_text(before: str, text: str, near: bool = True) -> tuple[str, bool]:
    """How a raised run reads after the word `before`, and whether it stands apart as a word of its own.

    Exponents and ordinals are glued. A note mark that touches a figure goes, because it would change it
    (`90` and a raised `1` read 901); any other stands apart, so that nothing else is lost.
    """
    bare = text.strip("()[]")
    digits = bare.isascii() and bare.lstrip("+-").isdigit()
    if not before or not near:
        mark = before[-1:].isdigit() and digits and len(bare) <= 2
        return (bare.translate(_EXPONENTS) if mark else text), True
    unit = before.rsplit("\u00a0", 1)[-1].lower().lstrip("0123456789.,")
    if digits and text == bare and (unit in _POWERED or before.endswith("10")):
        return bare.translate(_EXPONENTS), False
    if bare.lower() in _ORDINALS:
        return bare, False
    if before[-1].isdigit() and bare == "0":
        # No note has the number 0: whatever it is, it must not go.
        return bare.translate(_EXPONENTS), True
    if before[-1].isdigit() and (not bare.strip("*†‡§") or (digits and len(bare) <= 2)):
        return "", False
    return (bare.translate(_EXPONENTS) if digits and text == bare and len(bare) <= 2 else text), True
