"""Lists of contents: which pages hold one, which of their lines belong to it, and where the body begins.

A contents line repeats a heading and a page number and proves nothing, so it never becomes evidence. A body that
begins below the list on the same page does.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bidproof.documents.page import Line
from bidproof.documents.structure.numbering import parse_number

_LEADERS = re.compile(
    r"(?:\.{4,}|(?:\s\.){4,}|…{2,}|_{6,}(?=\s*\d))\s*(?P<page>\d{1,4}|[ivxlc]{1,7})?\s*\.?$", re.I
)
_TRAILING_PAGE = re.compile(r"\S\s+(?P<page>\d{1,4}|[ivxlc]{1,6})$")
_CONTENTS_TITLE = re.compile(
    r"^(?:table\s+of\s+contents|contents|index|sommaire|table\s+des\s+mati[eè]res|mục\s+lục|[ií]ndice|inhalt"
    r"|contenido|tabla\s+de\s+contenidos?|sumário|inhaltsverzeichnis|inhoudsopgave)\W*$",
    re.I,
)
# "Index" alone may head an index of prices; these head nothing but contents.
_SURE_TITLE = re.compile(
    r"^(?:.{0,80}\b)?(?:table\s+of\s+contents|table\s+des\s+mati[eè]res|inhaltsverzeichnis"
    r"|tabla\s+de\s+contenidos?|mục\s+lục|inhoudsopgave)\W*$|^(?:contents|sommaire|sumário)\W*$"
    r"|^index\s+(?:to|of)\b(?!.*\bpri[cx]).*",
    re.I,
)
_MAX_WORDS, _MAX_APART, _MIN_LED = 30, 6, 3
# Printed page numbers of an extract run ahead of its pages.
_MAX_LABEL_SHIFT, _MIN_LABEL_SHIFT = 300, 20
_LED_ENDS = frozenset("0123456789ivxlcIVXLC.")
_LETTERS = re.compile(r"[^\W\d_]+")


class ContentsRun:
    """Tells page by page, in page order, which pages of a file of so many `pages` hold a list of contents."""

    def __init__(self, pages: int) -> None:
        self._pages = pages
        self._before = False

    def holds(self, lines: list[Line]) -> bool:
        """Whether the next page is a page of contents: titled so, or run on from one, with page numbers.

        The numbers must rise and be numbers of pages: a form with dotted lines to fill in has neither, and what a
        bidder has filled in there is evidence.
        """
        if not lines:
            # A blank page within a list does not end it.
            return False
        led, trailing = (
            [_page_of(_at_end(pattern, line.text), self._pages) for line in lines]
            for pattern in (_LEADERS, _TRAILING_PAGE)
        )
        numbers = [one if one is not None else other for one, other in zip(led, trailing, strict=True)]
        rising = _rise([number for number in numbers if number is not None])
        numbered = sum(number is not None for number in numbers)
        dotted = sum(number is not None for number in led)
        entries = sum(_is_entry(line.text) for line in lines)
        title = next((at for at, line in enumerate(lines) if _CONTENTS_TITLE.match(line.text)), None)
        listed = title is not None and _listed(numbers[title:])
        dense = numbered >= 3 and numbered >= 0.5 * len(lines)
        # Without a title, dotted lines with figures may be prices: only numbers of this file's pages will do.
        known = (dotted >= 5 or (dotted >= 3 and entries >= 3)) and max(
            number for number in numbers if number is not None
        ) <= self._pages + _MIN_LABEL_SHIFT
        self._before = (rising and (listed or (dense and (self._before or known)))) or (
            title is not None and entries >= 4 and entries >= 0.6 * len(lines)
        )
        return self._before


def _listed(numbers: list[int | None]) -> bool:
    """Whether entries with page numbers follow a title, hardly any line between them without one."""
    at = [place for place, number in enumerate(numbers) if number is not None]
    last = 0
    for place in at:
        if place - last <= _MAX_APART:
            last = place
    held = sum(place <= last for place in at)
    return held >= 2 and held >= 0.35 * (last + 1)


def _at_end(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The end of an entry; most lines end otherwise, which their last letter tells."""
    return pattern.search(text) if text[-1:] in _LED_ENDS else None


def _page_of(found: re.Match[str] | None, pages: int) -> int | None:
    """The page that an entry names: 0 for roman numbers of front matter, None where it names none."""
    if found is None or not found["page"]:
        return None
    if not found["page"].isdigit():
        return 0
    return int(found["page"]) if int(found["page"]) <= pages + _MAX_LABEL_SHIFT else None


def _rise(numbers: list[int]) -> bool:
    """Whether numbers hardly ever fall."""
    falls = sum(after < before for before, after in pairwise(numbers))
    return bool(numbers) and falls <= 0.2 * len(numbers)


def is_contents_title(text: str) -> bool:
    """True for a line that heads a list of contents and nothing else."""
    return bool(_SURE_TITLE.match(text))


def led_lines(lines: list[Line], pages: int) -> set[int]:
    """Lines of a list of contents on a page of text: several in a row with leaders and rising page numbers."""
    found: set[int] = set()
    run: list[tuple[int, int]] = []
    for at, line in enumerate([*lines, None]):
        leader = _at_end(_LEADERS, line.text) if line is not None else None
        number = _page_of(leader, pages + _MIN_LABEL_SHIFT - _MAX_LABEL_SHIFT)
        if number is not None and (not run or number >= run[-1][1]):
            run.append((at, number))
            continue
        if len(run) >= _MIN_LED and all(_is_entry(lines[at].text) for at, _ in run):
            found.update(at for at, _ in run)
        run = [(at, number)] if number is not None else []
    return found


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
