"""Tables of a Word file: rows and merged cells on one grid, header rows, and what hangs on their paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from bidproof.documents.office.colours import SOME
from bidproof.documents.office.office_package import Element
from bidproof.documents.office.office_rows import TableCell, TableRow
from bidproof.documents.office.word_styles import Style, Styles, flag, ground_of, value
from bidproof.documents.office.word_text import (
    Aside,
    Pages,
    Paragraph,
    ParagraphReader,
    State,
    chosen,
    joined,
)

_WRAPPERS = frozenset({"w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo"})
_MAX_SPAN = 200
# Twips: a row lower than this shows no text.
_FLAT = 60


@dataclass(slots=True)
class Held:
    """What hangs on a paragraph or on the cells of a row, to be read after it."""

    boxes: list[Element] = field(default_factory=list)
    tables: list[Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)
    aside: list[Aside] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, paragraph: Paragraph) -> Held:
        """What hangs on one paragraph."""
        held = cls()
        held.add(paragraph)
        return held

    def add(self, paragraph: Paragraph) -> None:
        """Take over what hangs on a paragraph."""
        self.boxes += paragraph.boxes
        self.notes += paragraph.notes
        self.pictures += paragraph.pictures
        self.diagrams += paragraph.diagrams
        self.aside += paragraph.aside
        self.readings += paragraph.readings

    def __bool__(self) -> bool:
        """Whether anything hangs there."""
        return any(
            (self.boxes, self.tables, self.notes, self.pictures, self.diagrams, self.aside, self.readings)
        )


class Document(Protocol):
    """What a table needs of the file that it stands in."""

    text: ParagraphReader
    pages: Pages
    styles: Styles

    def marker(self, element: Element, paragraph: Paragraph, style: Style) -> str:
        """The automatic marker of a paragraph, counting it."""


def rows_of(table: Element) -> list[tuple[Element, list[Element]]]:
    """Rows of a table with their cells, those in content controls too."""
    return [(row, list(_inside(row, "w:tc"))) for row in _inside(table, "w:tr")]


def _inside(element: Iterable[Element], tag: str) -> Iterator[Element]:
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from _inside(child, tag)
        elif child.tag == "mc:AlternateContent":
            yield from _inside(chosen(child), tag)


def read_table(
    table: Element, number: int, document: Document
) -> tuple[list[TableRow], int | None, list[tuple[Held, str]]]:
    """Rows of a table, its number of header rows where the file names them, and what hangs on each row."""
    ground = SOME if value(table, "w:tblPr/w:tblStyle") in document.styles.shaded_tables else ""
    rows: list[TableRow] = []
    held: list[tuple[Held, str]] = []
    heads = 0
    for count, (row, cells) in enumerate(rows_of(table), 1):
        properties = row.find("w:trPr")
        maker = _Row(document, f"table {number} row {count}", ground, count > 1)
        made = maker.read(row, cells)
        struck = properties is not None and properties.find("w:del") is not None
        hidden = bool(flag(properties, "w:hidden")) or _is_flat(properties)
        made.struck, made.hidden = struck, hidden
        if count == heads + 1 and flag(properties, "w:tblHeader") and not struck and not hidden:
            heads += 1
        rows.append(made)
        rows += maker.apart
        if maker.held:
            held.append((maker.held, made.anchor))
    return rows, heads or None, held


class _Row:
    """Reads one row. Text that is struck or hidden in live cells becomes rows of their own, kept `apart`."""

    def __init__(self, document: Document, anchor: str, ground: str, below: bool) -> None:
        self.document, self.anchor, self.ground, self.below = document, anchor, ground, below
        self.held = Held()
        self.apart: list[TableRow] = []
        self.page = 1

    def read(self, row: Element, cells: list[Element]) -> TableRow:
        pages = self.document.pages
        before = last = pages.number
        self.page = 0
        made: list[TableCell] = [
            TableCell() for _ in range(min(_count(row, "w:trPr/w:gridBefore", 0), _MAX_SPAN))
        ]
        for cell in cells:
            # Cells stand side by side: a page break inside one of them is not added to that in the next.
            pages.number = before
            made += self._cell(cell, len(made) + 1)
            last = max(last, pages.number)
        pages.number = last
        return TableRow(self.anchor, self.page or before, made)

    def _cell(self, cell: Element, column: int) -> list[TableCell]:
        properties = cell.find("w:tcPr")
        anchor = f"{self.anchor} column {column}"
        live, bold = self._content(cell, anchor, ground_of(properties) or self.ground)
        span = max(1, min(_count(cell, "w:tcPr/w:gridSpan", 1), _MAX_SPAN))
        merge = properties.find("w:vMerge") if properties is not None else None
        along = properties.find("w:hMerge") if properties is not None else None
        below = self.below and merge is not None and merge.get("val", "continue") == "continue"
        right = column > 1 and along is not None and along.get("val", "continue") == "continue"
        if live and (below or right):
            # Word shows nothing of what still stands in a cell that is merged into another.
            page = self.page or self.document.pages.number
            self.apart.append(TableRow(anchor, page, [TableCell(live, anchor)], hidden=True))
            live = ""
        first = TableCell(live, anchor, bold, "above" if below else "left" if right else "")
        return [first, *(TableCell("", anchor, bold, "above" if below else "left") for _ in range(span - 1))]

    def _content(self, cell: Iterable[Element], anchor: str, ground: str) -> tuple[str, bool]:
        texts: list[str] = []
        bolds: list[bool] = []
        for child in joined(cell):
            if child.tag == "w:p":
                text, bold = self._paragraph(child, anchor, ground)
                texts.append(text)
                bolds += [bold] if text else []
            elif child.tag == "w:tbl":
                self.held.tables.append(child)
            elif child.tag in _WRAPPERS:
                text, bold = self._content(child, anchor, ground)
                texts.append(text)
                bolds += [bold] if text else []
        return " ".join(text for text in texts if text), bool(bolds) and all(bolds)

    def _paragraph(self, element: Element, anchor: str, ground: str) -> tuple[str, bool]:
        document = self.document
        paragraph = document.text.read(element, ground)
        style = document.styles.paragraph(value(element, "w:pPr/w:pStyle"))
        marker = document.marker(element, paragraph, style)
        self.held.add(paragraph)
        states: tuple[State, ...] = ("struck", "hidden")
        for state in states:
            if text := paragraph.text(state):
                self.apart.append(
                    TableRow(
                        anchor,
                        paragraph.page,
                        [TableCell(text, anchor)],
                        state == "struck",
                        state == "hidden",
                    )
                )
        lines = paragraph.lines()
        if lines:
            self.page = min(self.page or paragraph.page, paragraph.page)
        text = " ".join(line[0] for line in lines)
        return f"{marker} {text}" if marker and text else text, bool(lines) and all(line[2] for line in lines)


def _is_flat(properties: Element | None) -> bool:
    """Whether a row has a fixed height in which no line of text can be seen."""
    height = value(properties, "w:trHeight")
    return value(properties, "w:trHeight", "hRule") == "exact" and height.isdigit() and int(height) < _FLAT


def _count(element: Element, path: str, default: int) -> int:
    text = value(element, path)
    return int(text) if text.isdigit() else default
