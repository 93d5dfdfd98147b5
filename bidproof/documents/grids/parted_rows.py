"""Rows that a page break has parted: whether a row on top of a page is the rest of the row before it.

A wrong join puts one bidder's answer into another row, which is worse than a row in two parts: where the signs
do not agree, the rows stay two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bidproof.documents.grids.repeated_heads import fold

_OPEN = 20
# Characters of a cell that surely fills more than one line of a column.
_LONG = 40
_ENDS = ".!?;:)"
# Rows that may lack what heads the others: totals and titles of groups. With more of them a blank tells nothing.
_FEW, _RARE = 1, 0.25
_ITEM = re.compile(r"[(\[]?(?:[a-z]|[ivx]{1,5})[.)\]](?:\s|$)")
# Points by which the last lines of cells that are cut at one page's end may differ.
_LEVEL = 18.0
_FIGURE = re.compile(
    r"[^\w\s]*\s*(?:[A-Z]{2,3}\s)?\d[\d.,'’\s]*(?:\s*[%€$£]|\s*[A-Za-zµ°]{1,4}\.?\d?)?[)\]]?"
)
_SPAN = re.compile(
    r"\d[\d.,/%]*\s*(?:to|until|[-–—/]|à|au|bis)\s*(?:\d[\d.,/%]*|present|date|now)", re.IGNORECASE
)
_ANSWER = re.compile(
    r"(?:yes|no|n/?a|nil|none|ok|oui|non|sí|si|ja|nein|có|không|x|✓|✔|☐|☑|☒|-+|–|—"
    r"|(?:fully |partially |not |non[- ]?)?(?:complian\w*|comply|complies|complied|conforme\w*)|partial(?:ly)?|met|not met"
    r"|m[²2³3]?|km|kg|t|l|pcs|nos?|u|units?|unités?|each|ea|set|ls|sum|days?|months?|years?|jours?|mois|ans?)\.?",
    re.IGNORECASE,
)
_OWN_ROW = re.compile(
    r"(?:grand[ -]?|sub[ -]?|sous[ -]?)?total\w*\b|(?:carried|brought) (?:forward|over|to)\b|(?:à )?report(?:er)?\b"
    r"|(?:section|part|partie|lot|chapter|chapitre|annex|annexe|schedule|bill|group|category|tổng)\s+(?:no\.?\s*)?[\dIVXA-Z]{1,4}\b",
    re.IGNORECASE,
)  # fmt: skip


class Part(NamedTuple):
    """A cell of one part of a row. `bottom` is where its last line ends; `merged` says that it spans rows."""

    text: str
    span: int
    bottom: float
    bold: bool
    lines: int
    merged: bool = False


@dataclass(slots=True)
class BodyRows:
    """What the rows of a table hold so far: the last one with all its parts, and how often each column is filled."""

    last: list[Part] | None = None
    count: int = 0
    filled: Counter[int] = field(default_factory=Counter)
    merged: set[int] = field(default_factory=set)

    def add(self, row: list[Part]) -> None:
        """Take a new row."""
        self.last = row
        self.count += 1
        self.filled.update(col for col, part in enumerate(row) if part.text)
        self.merged |= {col for col, part in enumerate(row) if part.merged}

    def complete(self, rest: list[Part]) -> None:
        """Take the rest of the last row: a row may run over three pages and more."""
        if self.last is not None:
            self.last = [
                part._replace(text=f"{before.text} {part.text}".strip(), lines=before.lines + part.lines)
                if part.text
                else before._replace(bottom=0.0)
                for before, part in zip(self.last, rest, strict=True)
            ]

    def goes_on(self, after: list[Part]) -> bool:
        """Whether a row, by its cells, is the rest of the last row, which a page break has parted.

        It goes on in small letters; or it leaves blank the column that the rows before fill, and what goes on
        fills the page before to its end, in mid-sentence or where each row so far fills that column.
        """
        before = self.last
        if before is None or len(before) != len(after):
            return False
        pairs = [(above, part) for above, part in zip(before, after, strict=True) if part.text]
        held = [col for col, part in enumerate(before) if part.text]
        label = next((col for col in held if col not in self.merged), held[0] if held else -1)
        if not pairs or label < 0 or any(_apart(above, part) for above, part in pairs):
            return False
        small = [_begins_small(part.text) for _, part in pairs]
        blank = not any(part.text for part in after[: label + 1])
        whole = all(above.text for above, _ in pairs)
        lacking = self.count - self.filled[label]
        if blank and whole and any(small) and lacking <= max(_FEW, 0.5 * self.count):
            return True
        open_end = any(_is_open(above.text) for above, _ in pairs)
        if open_end and all(small) and (not after[label].text or _is_open(before[label].text)):
            return True
        if not blank or label in self.merged or after[label].merged or not _cut(before, pairs):
            return False
        return (
            lacking <= max(_FEW, _RARE * self.count) if open_end else whole and self.count > 1 and not lacking
        )


def _is_open(text: str) -> bool:
    """A text of some length that no mark ends."""
    return len(text) > _OPEN and text[-1] not in _ENDS


def _begins_small(text: str) -> bool:
    """Small letters first, which go on with a sentence; those that number an item of a list begin one."""
    plain = text.lstrip("([{\"'“‘«")
    return plain[:1].islower() and not _ITEM.match(text)


def _apart(above: Part, part: Part) -> bool:
    """Two cells that cannot be one: each says something whole, or they are not cut alike, or one heads a row."""
    if part.span != above.span:
        return True
    one, other = above.text, part.text
    if _OWN_ROW.match(other) and other[0].isupper():
        return True
    if not one:
        return False
    if part.bold and not above.bold:
        return True
    return any(sign.fullmatch(one) and sign.fullmatch(other) for sign in (_FIGURE, _SPAN, _ANSWER)) or (
        fold(one) == fold(other)
    )


def _cut(before: list[Part], pairs: Sequence[tuple[Part, Part]]) -> bool:
    """The cells that go on fill their part of the page to its end, with several lines each."""
    lowest = max(part.bottom for part in before if part.text)
    return all(
        above.bottom >= lowest - _LEVEL and (above.lines > 1 or len(above.text) > _LONG) for above, _ in pairs
    )
