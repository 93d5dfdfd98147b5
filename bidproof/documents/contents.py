"""Lists of contents: which pages hold one, which of their lines belong to it, and where the body begins.

A contents line repeats a heading and a page number and proves nothing, so it never becomes evidence. A body that
begins below the list on the same page does.
"""

from __future__ import annotations

import re

from bidproof.documents.numbering import parse_number
from bidproof.documents.page import Line

_LEADERS = re.compile(
    r"(?:\.{4,}|(?:\s\.){4,}|…{2,}|_{6,}(?=\s*\d))\s*(?P<page>\d{1,4}|[ivxlc]{1,7})?\s*\.?$", re.I
)
_TRAILING_PAGE = re.compile(r"\S\s+(?P<page>\d{1,4}|[ivxlc]{1,6})$")
_CONTENTS_TITLE = re.compile(
    r"^(?:table of contents|contents|index|sommaire|table des mati[eè]res|mục lục|[ií]ndice|inhalt|contenido"
    r"|tabla de contenidos?|sumário|inhaltsverzeichnis|inhoudsopgave)\W*$",
    re.I,
)
# "Index" alone may head an index of prices; these head nothing but contents.
_SURE_TITLE = re.compile(
    r"^(?:.{0,80}\b)?(?:table of contents|table des mati[eè]res|inhaltsverzeichnis|tabla de contenidos?|mục lục"
    r"|inhoudsopgave)\W*$|^(?:contents|sommaire|sumário)\W*$",
    re.I,
)
_MAX_WORDS, _MAX_APART = 30, 6
_LETTERS = re.compile(r"[^\W\d_]+")


def contents_pages(pages: list[list[Line]]) -> list[bool]:
    """For each page, whether it is a page of contents: titled so, or run on from one, with page numbers."""
    flags: list[bool] = []
    before = False
    for lines in pages:
        entries = sum(_is_entry(line.text) for line in lines)
        led = sum(bool(_LEADERS.search(line.text)) for line in lines)
        numbered = led + sum(
            bool(_TRAILING_PAGE.search(line.text) and not _LEADERS.search(line.text)) for line in lines
        )
        titled = any(_CONTENTS_TITLE.match(line.text) for line in lines)
        dense = numbered >= 3 and numbered >= 0.5 * len(lines)
        before = (
            (titled and (numbered >= 2 or (entries >= 4 and entries >= 0.6 * len(lines))))
            or (before and dense)
            or (led >= 3 and dense)
        )
        flags.append(before)
    return flags


def is_contents_title(text: str) -> bool:
    """True for a line that heads a list of contents and nothing else."""
    return bool(_SURE_TITLE.match(text))


def led_entry(text: str) -> bool:
    """True for a line with leaders and a page number, wherever it stands."""
    found = _LEADERS.search(text) if text[-1:].isalnum() or text[-1:] in "._…" else None
    return bool(found and found["page"] and _count(text) <= _MAX_WORDS)


class ContentsPage:
    """A page of contents: tells its entries from the body below them."""

    def __init__(self, lines: list[Line]) -> None:
        texts = [line.text for line in lines]
        numbered = [
            at for at, text in enumerate(texts) if _LEADERS.search(text) or _TRAILING_PAGE.search(text)
        ]
        self._end = len(texts)
        seen: dict[str, int] = {}
        for at, text in enumerate(texts):
            key = " ".join(_LETTERS.findall(_LEADERS.sub("", text).lower()))
            if len(key) > 3 and _is_entry(_LEADERS.sub("", text)):
                # An entry that comes again without its page number is the heading itself.
                if key in seen and seen[key] < at - 1 and not _TRAILING_PAGE.search(text):
                    self._end = at
                    break
                seen[key] = at
        last = -1
        for at in numbered:
            # Figures far below the last entry end a sentence of the body.
            if at < self._end and (last < 0 or at - last <= _MAX_APART):
                last = at
        self._numbered = len(numbered) >= 2
        if self._numbered:
            self._end = min(self._end, last + 1)

    def holds(self, at: int, line: Line) -> bool:
        """Whether line `at` of the page belongs to the list."""
        if at >= self._end or _count(line.text) > _MAX_WORDS:
            return False
        if _LEADERS.search(line.text) or _TRAILING_PAGE.search(line.text):
            return True
        if _CONTENTS_TITLE.match(line.text) or parse_number(line.text) is not None:
            return True
        # A title without number or a column head ("Page") among numbered entries.
        return self._numbered and _count(line.text) <= 12 and not line.text.endswith((".", ";", ":", ","))


def _is_entry(text: str) -> bool:
    """A line that may stand in a list of contents printed without page numbers."""
    number = parse_number(text)
    return number is not None and len(text.split()) <= 20 and not text.endswith((".", ";", ":"))


def _count(text: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in text.split())
