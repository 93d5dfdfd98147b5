"""Colours as six hex digits, and whether letters of one can be seen on the other."""

from __future__ import annotations

import re

PAGE, INK = "FFFFFF", "000000"
# Stands for a ground of a colour that is not known, on which letters of any colour may be seen.
SOME = "?"
_HEX = re.compile(r"[0-9A-Fa-f]{6}$")
# Steps of 256 in each of red, green and blue: less than this no eye tells apart on a page.
_APART = 16


def hex_of(text: str) -> str:
    """Six hex digits in capitals, those of `FFRRGGBB` too; empty for anything else."""
    bare = text.strip().lstrip("#")[-6:]
    return bare.upper() if _HEX.match(bare) else ""


def is_seen(letters: str, ground: str) -> bool:
    """Whether letters can be told from their ground; True where one of the two is not known."""
    if len(letters) != 6 or len(ground) != 6:
        return letters != ground or letters in ("", SOME)
    return any(
        abs(int(letters[at : at + 2], 16) - int(ground[at : at + 2], 16)) >= _APART for at in (0, 2, 4)
    )
