"""Drawing plants as real PDF text: lines in a page's free room, and pages of their own with what belongs beside them.

Knows pages and points, and the sentences that stand round a plant. Chooses no page.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bidproof.evaluation.planting.plants import Language, Plant
from bidproof.evaluation.planting.rooms import Room
from bidproof.evaluation.planting.wording import wording

SIZE, STEP = 10.0, 13.0
NEW_PAGE = (595.0, 842.0)
_LEFT, _WIDTH, _TOP, _FLOOR = 64.0, 467.0, 76.0, 770.0
_PLAIN, _BOLD = "helv", "hebo"
_POINT = "- "
_NOTE_SIZE = 7.5
_COLUMNS = (40.0, 262.0, 165.0)
_MARKS = "123456789"
_FEW_WORDS = 3
_FOOT = 812.0
_VOLUME = 3

PagePair = tuple[int, int]
"""Object numbers of the pages on which a plant begins and ends: they hold while pages are put in before them."""


def wrapped(text: str, width: float, size: float = SIZE) -> list[str]:
    """Lines of `text` that fit into `width` points."""
    import pymupdf

    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}".strip()
        if line and pymupdf.get_text_length(longer, fontname=_PLAIN, fontsize=size) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def filler(language: Language, count: int, chance: Random) -> str:
    """A paragraph of `count` sentences that answer nothing."""
    return " ".join(chance.sample(wording()["filler"][language], count))


def paragraphs(plant: Plant, chance: Random) -> list[str]:
    """What is written for a plant of lines: its sentence, or the list in which it is one point."""
    if plant.form != "bullet":
        return [plant.statement]
    others = chance.sample(wording()["filler"][plant.language], 3)
    others.insert(chance.randint(0, 3), plant.statement)
    return [f"{_POINT}{one}" for one in others]


def height_of(texts: Sequence[str], width: float) -> float:
    """Points that paragraphs take in a column of `width`."""
    return STEP * sum(len(wrapped(one, width)) for one in texts)


def draw_in_room(page: Any, room: Room, texts: Sequence[str]) -> None:
    """Write paragraphs into the free band of a bidder's page."""
    if not page.is_wrapped:
        # Else a turned or scaled state that the page leaves behind would move our text.
        page.wrap_contents()
    _Pen(page, room.x, room.y, room.width).texts(texts)


class _Pen:
    """Writes down a page, line by line."""

    def __init__(self, page: Any, x: float, y: float, width: float) -> None:
        self.page, self.x, self.y, self.width = page, x, y, width
        # Read at once: a page object is void as soon as another page is made.
        self.xref: int = page.xref

    def texts(self, texts: Sequence[str], gap: float = 0.0) -> None:
        for text in texts:
            self.lines(wrapped(text, self.width))
            self.y += gap

    def lines(self, lines: Sequence[str], size: float = SIZE, font: str = _PLAIN) -> None:
        for line in lines:
            self.page.insert_text((self.x, self.y + size), line, fontsize=size, fontname=font)
            self.y += STEP * size / SIZE


class PageMaker:
    """New pages of a document, each put behind the last one that it made."""

    def __init__(self, document: Any, at: int, chance: Random) -> None:
        self._document, self._at, self._chance = document, at, chance
        self.pages: dict[int, PagePair] = {}
        self._made = 0

    def make(self, plants: Sequence[Plant]) -> None:
        """The page, or the run of pages, for plants of one form."""
        if plants[0].form == "table":
            self.table_page(plants)
        elif plants[0].form == "page break":
            self.split_pages(plants)
        else:
            self.text_page(plants)

    def text_page(self, plants: Sequence[Plant]) -> None:
        """A page of paragraphs, among them those of `plants`; their footnotes stand at its foot."""
        pen, chance = self._page(plants[0].language), self._chance
        notes: list[tuple[str, str]] = []
        for plant in plants:
            pen.texts([filler(plant.language, 3, chance)], gap=8)
            if plant.form == "footnote":
                self._noted(pen, plant, _MARKS[len(notes)])
                notes.append((_MARKS[len(notes)], plant.statement))
            else:
                pen.texts(paragraphs(plant, chance))
            self.pages[plant.number] = (pen.xref, pen.xref)
            pen.y += 10
        pen.texts([filler(plants[-1].language, 4, chance)])
        self._foot(pen.page, notes)

    def table_page(self, plants: Sequence[Plant]) -> None:
        """A page with a ruled table of which each of `plants` is a row."""
        language = plants[0].language
        pen, words = self._page(language), wording()
        pen.texts([filler(language, 4, self._chance)], gap=10)
        rows = [tuple(one) for one in self._chance.sample(words["table_rows"][language], 3)]
        for plant in plants:
            rows.insert(self._chance.randint(0, len(rows)), plant.cells)
            self.pages[plant.number] = (pen.xref, pen.xref)
        numbered = [(str(number), *row) for number, row in enumerate(rows, start=1)]
        self._table(pen, [words["table_header"][language], *numbered])
        pen.y += 14
        pen.texts([filler(language, 4, self._chance)])

    def split_pages(self, plants: Sequence[Plant]) -> None:
        """Pages full of text, with each of `plants` split over the break to the next one."""
        rest, before = list[str](), None
        # Two or three pages under a footer that stands nowhere else are no volume: such a line is no footer to anyone.
        footed = len(plants) >= _VOLUME
        for plant in plants:
            pen = self._page(plant.language, headed=not rest, footed=footed)
            self._end(before, pen)
            before = (plant, pen)
            pen.lines(rest)
            pen.y += 8 if rest else 0
            words = plant.statement.split(" ")
            cut = self._chance.randint(len(words) // 3, len(words) - _FEW_WORDS)
            first = wrapped(" ".join(words[:cut]), pen.width)
            while pen.y < _FLOOR - STEP * (len(first) + 4):
                pen.texts([filler(plant.language, 2, self._chance)], gap=6)
            pen.lines(first)
            rest = wrapped(" ".join(words[cut:]), pen.width)
        pen = self._page(plants[-1].language, headed=False, footed=footed)
        self._end(before, pen)
        pen.lines(rest)
        pen.y += 8
        pen.texts([filler(plants[-1].language, 5, self._chance) for _ in range(3)], gap=8)

    def _end(self, begun: tuple[Plant, _Pen] | None, pen: _Pen) -> None:
        if begun:
            self.pages[begun[0].number] = (begun[1].xref, pen.xref)

    def _page(self, language: Language, headed: bool = True, footed: bool = True) -> _Pen:
        page = self._document.new_page(self._at + self._made, *NEW_PAGE)
        self._made += 1
        if footed:
            page.insert_text((_LEFT, _FOOT), wording()["footer"][language], fontsize=8, fontname=_PLAIN)
        pen = _Pen(page, _LEFT, _TOP, _WIDTH)
        if headed:
            pen.lines([self._chance.choice(wording()["headings"][language])], size=13.0, font=_BOLD)
            pen.y += 8
        return pen

    def _noted(self, pen: _Pen, plant: Plant, mark: str) -> None:
        """The sentence that bears a footnote's raised mark."""
        import pymupdf

        line = wording()["note"][plant.language]
        end = pen.x + pymupdf.get_text_length(line, fontname=_PLAIN, fontsize=SIZE)
        pen.page.insert_text((end, pen.y + SIZE - 4), mark, fontsize=6, fontname=_PLAIN)
        pen.lines([line])

    def _foot(self, page: Any, notes: Sequence[tuple[str, str]]) -> None:
        if not notes:
            return
        lines = [(mark, wrapped(text, _WIDTH - 10, _NOTE_SIZE)) for mark, text in notes]
        y = _FLOOR - 10 * sum(len(text) for _, text in lines)
        page.draw_line((_LEFT, y - 6), (_LEFT + 130, y - 6))
        for mark, text in lines:
            page.insert_text((_LEFT, y + 5), mark, fontsize=5, fontname=_PLAIN)
            for line in text:
                page.insert_text((_LEFT + 6, y + 8), line, fontsize=_NOTE_SIZE, fontname=_PLAIN)
                y += 10

    def _table(self, pen: _Pen, rows: Sequence[Sequence[str]]) -> None:
        edges = [pen.x]
        for width in _COLUMNS:
            edges.append(edges[-1] + width)
        top = pen.y
        pen.page.draw_line((edges[0], top), (edges[-1], top))
        for number, row in enumerate(rows):
            cells = [wrapped(cell, width - 10, 9) for cell, width in zip(row, _COLUMNS, strict=True)]
            for x, lines in zip(edges, cells, strict=False):
                for at, line in enumerate(lines):
                    font = _PLAIN if number else _BOLD
                    pen.page.insert_text((x + 5, pen.y + 14 + 11 * at), line, fontsize=9, fontname=font)
            pen.y += 10 + 11 * max(len(lines) for lines in cells)
            pen.page.draw_line((edges[0], pen.y), (edges[-1], pen.y))
        for edge in edges:
            pen.page.draw_line((edge, top), (edge, pen.y))
