"""Printed lines of a page as strips of parts: what stands on one baseline, cut where white parts it.

The ground on which tables without rules are found. Knows no columns and no tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from bidproof.documents.page import Rect, around
from bidproof.documents.sheets.word import Word
from bidproof.documents.sheets.words import Fragment

_SAME_BASELINE = 0.4
# White of this many ems parts two entries; a space takes a quarter, a wide one in justified text half.
_APART = 0.85
_MARK_SIZE, _MARK_RISE = 0.8, 0.65
# A currency sign is set flush left in its column, away from its figure.
_SIGN_REACH = 14.0
_SIGN = re.compile(r"[$€£¥₹]|(?:US|C|A|HK)\$|EUR|USD|GBP|INR|FCFA|MAD|VND")
_MARK = re.compile(r"(?:\(\w{1,2}\)?|[*†‡§]|\w{1,2}\)?|,)+")
_CLOSER = re.compile(r"[)%]{1,2}|\)?%")
_LEADER = re.compile(r"[.…_·\s]{3,}")
_FIGURE = re.compile(
    r"(?:[-–—+±~≈<>≤≥]=?|min\.?|max\.?|US|C|A|EUR|USD|GBP|Rs\.?|INR)?\s*[$€£¥₹]?\s*[(\[]?\s*[-–—+]?\s*[$€£¥₹]?\s*"
    r"\d[\d.,’' \u00a0\u202f\u2009/:-]*\s*[%‰]?\s*[)\]]?\s*[%‰xX*†°]?(?:\s*(?P<unit>[^\W\d_][\w./%°²³-]{0,11}))?\s*[*†]?"
)
_NIL = re.compile(r"[-–—]{1,3}|n/?[am]\.?|nil|nm|néant|\(?[$€£]?\s*[-–—]\s*\)?%?|[$€£]\s*[-–—]", re.I)
# Years, spans of years and dates: `2021`, `FY 2020/21`, `28, 2023` below `January`, `31.12.2024`.
_YEAR = re.compile(
    r"(?:FY\s?)?(?:19|20)\d\d(?:\s?[-/–]\s?(?:19|20)?\d\d)?[AEP*]?(?:\s?\(\w\))?"
    r"|\d{1,2},(?:\s*(?:19|20)\d\d)?|\d{1,2}[./-]\d{1,2}[./-](?:(?:19|20)\d\d|\d\d)"
)


@dataclass(slots=True)
class Part:
    """Words that stand together on a strip."""

    words: list[Word]
    box: Rect

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class Strip:
    """One printed line over the page's whole width, its parts left to right."""

    parts: list[Part]
    base: float
    size: float
    box: Rect

    @property
    def bold(self) -> bool:
        """All its words are bold."""
        return all(word.bold for part in self.parts for word in part.words)


def strips_of(fragments: list[Fragment]) -> list[Strip]:
    """Strips of a page's level and visible text, top to bottom."""
    words = [
        word
        for fragment in fragments
        if fragment.level
        for word in fragment.words
        if not word.struck and not word.hidden
    ]
    words.sort(key=lambda word: (word.base, word.x0))
    lines: list[list[Word]] = []
    largest: Word | None = None
    for word in words:
        size = max(word.size, largest.size) if largest else 0.0
        if largest is not None and abs(word.base - largest.base) <= _SAME_BASELINE * size:
            lines[-1].append(word)
            largest = word if word.size > largest.size else largest
        else:
            lines.append([word])
            largest = word
    return [_strip(line) for line in _with_marks(lines)]


def _with_marks(lines: list[list[Word]]) -> Iterator[list[Word]]:
    """Lines with the small raised marks above them taken in: `(a)` after a label is no row of its own."""
    marks: list[Word] = []
    for at, line in enumerate(lines):
        below = lines[at + 1] if at + 1 < len(lines) else []
        if below and _are_marks(line, below):
            marks += line
            continue
        yield [*line, *marks]
        marks = []


def _are_marks(line: list[Word], below: list[Word]) -> bool:
    size = max(word.size for word in below)
    return (
        max(word.size for word in line) < _MARK_SIZE * size
        and below[0].base - line[0].base < _MARK_RISE * size
        and all(_MARK.fullmatch(word.text) for word in line)
    )


def _strip(words: list[Word]) -> Strip:
    words.sort(key=lambda word: word.x0)
    size = max(word.size for word in words)
    groups = [[words[0]]]
    for before, word in pairwise(words):
        # In narrow columns the next column's currency sign follows a figure at once.
        new_sum = bool(_SIGN.fullmatch(word.text)) and is_figure(before.text)
        if new_sum or word.x0 - before.x1 > _APART * min(size, word.size * 1.5):
            groups.append([word])
        else:
            groups[-1].append(word)
    parts = [Part(group, around([word[1:5] for word in group])) for group in _joined_signs(groups, size)]
    base = max(words, key=lambda word: word.size).base
    return Strip(parts, base, size, around([part.box for part in parts]))


def _joined_signs(groups: list[list[Word]], size: float) -> Iterator[list[Word]]:
    """A currency sign goes with the figure after it, a bracket or percent sign with the one before."""
    held: list[Word] = []
    pending: list[Word] = []
    for group in groups:
        text = " ".join(word.text for word in group)
        if pending:
            near = group[0].x0 - pending[-1].x1 <= _SIGN_REACH * size
            if near and is_figure(text):
                group, pending = [*pending, *group], []
            else:
                if held:
                    yield held
                held, pending = pending, []
        if held and _CLOSER.fullmatch(text) and group[0].x0 - held[-1].x1 <= 2 * size:
            held = [*held, *group]
            continue
        if _SIGN.fullmatch(text):
            pending = group
            continue
        if held:
            yield held
        held = group
    for last in (held, pending):
        if last:
            yield last


def is_figure(text: str) -> bool:
    """True for a number with its signs and at most one word of unit, and for what stands for none."""
    return bool(_FIGURE.fullmatch(text) or _NIL.fullmatch(text))


def is_year(text: str) -> bool:
    """True for a year, a span of years or a date: it heads a column as words do."""
    return bool(_YEAR.fullmatch(text))


def is_leader(text: str) -> bool:
    """True for points or strokes that lead the eye to a figure."""
    return bool(_LEADER.fullmatch(text))
