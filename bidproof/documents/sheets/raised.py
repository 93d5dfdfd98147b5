"""Raised marks: what an exponent, an ordinal or the mark of a note becomes in the text."""

from __future__ import annotations

_EXPONENTS = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_POWERED = frozenset({"m", "cm", "mm", "km", "dm", "ft", "in", "s", "10", "kg", "kn", "n"})
_ORDINALS = frozenset(
    {"st", "nd", "rd", "th", "er", "ère", "re", "e", "ème", "eme", "o", "a", "os", "tm", "®", "™", "°"}
)


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
    if before[-1].isdigit() and (not bare.strip("*†‡§") or (digits and len(bare) <= 2)):
        return "", False
    return (bare.translate(_EXPONENTS) if digits and text == bare and len(bare) <= 2 else text), True
