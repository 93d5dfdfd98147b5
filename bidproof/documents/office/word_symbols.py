"""Letters of symbol fonts as Unicode: a check box or a "≥" that Word keeps as a code of Wingdings or Symbol.

Holds tables only.
"""

from __future__ import annotations

import re

_SPACES = re.compile(r"[ \t\r\n\f\v]+")
TICKED, UNTICKED = "☒", "☐"

_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: UNTICKED, 0x71: "❑", 0x72: "❒", 0x75: "◆", 0x76: "❖", 0x78: TICKED, 0x9F: "•",
    0xA1: "○", 0xA7: "▪", 0xA8: UNTICKED, 0xD8: "➢", 0xE0: "→", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓",
    0xFD: TICKED, 0xFE: TICKED,
}  # fmt: skip
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x51: TICKED, 0x52: TICKED, 0x53: TICKED, 0x54: TICKED, 0xA3: UNTICKED,
}  # fmt: skip
_SYMBOL = {
    0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±",
    0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…",
    0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD6: "√", 0xD7: "⋅", 0xE5: "∑", 0xA0: "€", 0x2D: "−",
}  # fmt: skip
_GREEK = dict(zip(b"abgdezhqiklmnxoprstufcywDFGLPQSUWXY", "αβγδεζηθικλμνξοπρστυφχψωΔΦΓΛΠΘΣΥΩΞΨ", strict=True))
_FONTS = {"wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2, "symbol": {**_GREEK, **_SYMBOL}}


def symbol(font: str, code: str) -> str:
    """The sign of a `w:sym`: `code` is four hex digits, in the private area or not. An unknown sign is a dot."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    own = number - 0xF000 if 0xF000 <= number <= 0xF0FF else number
    table = _FONTS.get(font.strip().lower())
    if table is not None:
        if own in table:
            return table[own]
        return chr(own) if font.strip().lower() == "symbol" and 0x20 <= own < 0x7F else "•"
    return "•" if 0xE000 <= number <= 0xF8FF else chr(number)


def plain(text: str) -> str:
    """Text without control characters, its private letters of symbol fonts as the signs that they mostly stand for."""
    if text.isascii() and text.isprintable():
        return text
    signs = []
    for letter in text:
        code = ord(letter)
        if 0xF020 <= code <= 0xF0FF:
            signs.append(_WINGDINGS.get(code - 0xF000) or _SYMBOL.get(code - 0xF000) or "•")
        elif letter in "\t\n\r":
            signs.append(" ")
        elif code >= 0x20 and not 0x7F <= code < 0xA0 and code not in (0xAD, 0xFEFF, 0xFFFE, 0xFFFF):
            signs.append(letter)
    return "".join(signs)


def clean(text: str) -> str:
    """`plain` text on one line; no-break spaces stay."""
    return _SPACES.sub(" ", plain(text)).strip()
