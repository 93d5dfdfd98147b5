"""Folding of typography: one spelling for quotes, dashes, spaces and ligatures, with the way back.

Belongs here: which glyphs mean the same in print, and the map from a folded text to its source. Does not
belong here: what counts as a verified quote (`quotes`), and any change of letters, case or digits.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_SAME_GLYPH = {
    **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    "…": "...",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "×": "x",
    "º": "°",
    "µ": "μ",
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
    "œ": "oe",
    "Œ": "OE",
    "æ": "ae",
    "Æ": "AE",
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
}
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_ONE_FOR_ONE = str.maketrans({glyph: same for glyph, same in _SAME_GLYPH.items() if len(same) == 1})
"""Glyphs that are folded in their place: offsets behind them stay."""
_SPECIAL = re.compile(
    rf"[\s{_UNSEEN}]+|``|''|`|-{{2,}}|[^\x00-\x7f\s{_UNSEEN}{''.join(map(chr, _ONE_FOR_ONE))}]+"
)
_ASCII_RUNS = {"``": '"', "''": '"', "`": "'"}
_NO_SPACE_BEFORE = set("%)]»”;:!?|≥≤<>=")
_NO_SPACE_AFTER = set("([«“|≥≤<>=")


@dataclass(frozen=True)
class Folded:
    """A folded text and the stretches of it that map back to its source.

    `marks` holds the start of each stretch in `text`, `origins` where it starts in the source, and
    `copied` whether it was copied letter by letter (else the whole stretch stands for one glyph or run
    of the source, up to the next stretch).
    """

    text: str
    marks: tuple[int, ...]
    origins: tuple[int, ...]
    copied: tuple[bool, ...]
    length: int

    def _stretch(self, offset: int) -> int:
        return bisect_right(self.marks, offset) - 1

    def source_start(self, offset: int) -> int:
        """Offset in the source at which the folded character `offset` starts."""
        at = self._stretch(offset)
        return self.origins[at] + (offset - self.marks[at] if self.copied[at] else 0)

    def source_end(self, offset: int) -> int:
        """Offset in the source just after the folded character `offset - 1`."""
        at = self._stretch(offset - 1)
        if self.copied[at]:
            return self.origins[at] + offset - self.marks[at]
        return self.origins[at + 1] if at + 1 < len(self.origins) else self.length


def _gap(source: str, start: int, end: int) -> str:
    """What a run of spaces and unseen characters is folded to."""
    if not any(mark.isspace() for mark in source[start:end]):
        return ""
    before, after = source[start - 1 : start], source[end : end + 1]
    if not before or not after or after in _NO_SPACE_BEFORE or before in _NO_SPACE_AFTER:
        return ""
    return " "


def _stretches(source: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each stretch of the source that cannot be copied in place, and what it is folded to."""
    for found in _SPECIAL.finditer(source):
        start, end = found.span()
        run = source[start:end]
        if run[0].isspace() or run[0] in _UNSEEN:
            yield start, end, _gap(source, start, end)
        elif run[0] < "\x80":
            yield start, end, _ASCII_RUNS.get(run, "-")
        elif not unicodedata.is_normalized("NFD", run) or not _SAME_GLYPH.keys().isdisjoint(run):
            for at, glyph in enumerate(run, start):
                yield at, at + 1, _SAME_GLYPH.get(glyph) or unicodedata.normalize("NFD", glyph)


def fold_glyphs(source: str) -> Folded:
    """`source` with one spelling for each glyph and single spaces, in time linear in its length.

    Letters, case, digits and accents stay; accents are decomposed, so that both encodings agree. Spaces
    go where print puts them at will: before `%` and closing marks, after opening ones, around `|` and
    comparison signs.
    """
    parts: list[str] = []
    marks: list[int] = []
    origins: list[int] = []
    copied: list[bool] = []
    size = at = 0
    for start, end, glyph in _stretches(source):
        if start > at:
            marks.append(size)
            origins.append(at)
            copied.append(True)
            parts.append(source[at:start].translate(_ONE_FOR_ONE))
            size += start - at
        marks.append(size)
        origins.append(start)
        copied.append(False)
        parts.append(glyph)
        size += len(glyph)
        at = end
    if at < len(source) or not marks:
        marks.append(size)
        origins.append(at)
        copied.append(True)
        parts.append(source[at:].translate(_ONE_FOR_ONE))
    return Folded("".join(parts), tuple(marks), tuple(origins), tuple(copied), len(source))
