"""One word of a page, and why a word may not be seen. Reads nothing."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Hidden(IntEnum):
    """Why a word cannot be seen; for one that can be seen it counts as false."""

    SEEN = 0
    OUTSIDE = 1
    TINY = 2
    UNPAINTED = 3
    PALE = 4
    COVERED = 5
    LAYER = 6
    SCREEN_ONLY = 7
    ALIKE = 8
    CLIPPED = 9


class Word(NamedTuple):
    """One word in the page's reading frame; `struck` and `hidden` words are never citable.

    `hidden` says why, as a `Hidden`. `base` is the height of the baseline, which tells lines apart better than boxes of a dash or a capital.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    bold: bool
    struck: bool
    hidden: int
    slant: bool = False
    underlined: bool = False
