"""Cells of a workbook with their values as shown: one pass over each sheet's XML, row by row.

openpyxl gives either formulas or their results, and when it streams neither merged cells nor what is hidden; here
one pass gives all of it. Builds no tables and no blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bidproof.documents.office.office_package import Element, Package
from bidproof.documents.office.word_symbols import clean as on_one_line
from bidproof.documents.office.workbook_formats import is_hiding, show
from bidproof.documents.office.workbook_looks import CellStyle, Rich, hides, rich, spoken, styles_of

_PLACE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})$")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
# Points of a row's height and letters of a column's width in which nothing can be seen.
_FLAT, _NARROW = 3.0, 0.5
NOT_COMPUTED = "[not computed]"
# Characters: the most that a cell can hold.
_MAX_TEXT = 32_767
_LAST_COLUMN, _LAST_ROW = 16_384, 1_048_576
_SHEET_PARTS = frozenset({
    "x:conditionalFormatting", "x:row", "x:col", "x:mergeCell", "x:pane", "x:autoFilter", "x:oddHeader", "x:oddFooter", "x:sheetFormatPr",
})  # fmt: skip


@dataclass(slots=True)
class SheetCell:
    """A cell with content: its text as shown, what of it is struck or unseen, and the formula that was never computed."""

    row: int
    column: int
    text: str
    bold: bool = False
    size: float = 11.0
    struck: str = ""
    unseen: str = ""
    hidden: bool = False
    formula: str = ""
    rounded: bool = False

    @property
    def place(self) -> str:
        """Address such as `B7`."""
        return f"{letters(self.column)}{self.row}"


@dataclass(slots=True)
class Sheet:
    """One sheet: its rows of cells, and what governs how they are read. Rows and columns count from 1."""

    name: str
    rows: dict[int, list[SheetCell]] = field(default_factory=dict)
    hidden: bool = False
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    frozen: int = 0
    filtered: tuple[int, int, int, int] | None = None
    tables: list[tuple[tuple[int, int, int, int], int]] = field(default_factory=list)
    header: str = ""
    footer: str = ""
    part: str = ""
    conditional: list[str] = field(default_factory=list)
    cut: bool = False
    torn: bool = False


def letters(column: int) -> str:
    """`B` for 2, `AA` for 27."""
    text = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def place_of(text: str) -> tuple[int, int] | None:
    """Row and column of an address such as `B7`; None for anything else, or one that no sheet has."""
    found = _PLACE.match(text)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    row = int(found[2])
    return (row, column) if 1 <= row <= _LAST_ROW and column <= _LAST_COLUMN else None


def area_of(text: str) -> tuple[int, int, int, int] | None:
    """First row, first column, last row and last column of `A3:F40`."""
    first, _, last = text.partition(":")
    one, other = place_of(first), place_of(last or first)
    return (*one, *other) if one and other and one <= other and one[1] <= other[1] else None


class Book:
    """Styles and shared texts of a workbook, needed to read its sheets."""

    def __init__(self, package: Package, related: dict[str, tuple[str, str]], date1904: bool) -> None:
        self.date1904 = date1904
        parts = dict(related.values())
        looks = package.xml(parts.get("styles", "xl/styles.xml"))
        self.styles, self.hides = styles_of(looks), hides(looks)
        shared = parts.get("sharedStrings", "xl/sharedStrings.xml")
        self.shared: list[Rich] = (
            [rich(each) for each in package.rows(shared, frozenset({"x:si"}))] if shared in package else []
        )

    def sheet(self, package: Package, sheet: Sheet, room: int) -> Iterator[int]:
        """Read a sheet into `sheet`; gives the number of cells with content so far, now and then.

        With more than `room` cells it is cut, and says so.
        """
        count, row_number = 0, 0
        for element in package.rows(sheet.part, _SHEET_PARTS):
            if element.tag != "x:row":
                if element.tag == "x:conditionalFormatting":
                    sheet.conditional += self._conditions(element)
                else:
                    _settle(sheet, element)
                continue
            row_number = int(element.get("r") or row_number + 1)
            if element.get("hidden") in ("1", "true") or is_under(element.get("ht"), _FLAT):
                sheet.hidden_rows.add(row_number)
            cells = self._cells(element, row_number)
            if cells:
                sheet.rows[row_number] = cells
            count += len(cells)
            if count > room:
                sheet.cut = True
                return
            if row_number % 2000 == 0:
                yield count
        yield count

    def _conditions(self, element: Element) -> list[str]:
        """The area of a condition that may hide or cross out cells, if it does."""
        for rule in element:
            at = rule.get("dxfId", "")
            if at.isdigit() and int(at) < len(self.hides) and self.hides[int(at)]:
                return [element.get("sqref", "")]
        return []

    def _cells(self, row: Element, number: int) -> list[SheetCell]:
        found: list[SheetCell] = []
        column = 0
        for element in row:
            if element.tag != "x:c":
                continue
            place = place_of(element.get("r", ""))
            column = place[1] if place else column + 1
            if not len(element):
                continue
            cell = self._cell(element, place[0] if place else number, column)
            if cell is not None:
                found.append(cell)
        return found

    def _cell(self, element: Element, row: int, column: int) -> SheetCell | None:
        at = element.get("s", "0")
        style = self.styles[int(at)] if at.isdigit() and int(at) < len(self.styles) else CellStyle()
        kind = element.get("t", "n")
        held, formula = element.find("x:v"), element.find("x:f")
        text, rounded, hidden = "", False, is_hiding(style.code)
        parts: Rich = ()
        written = held.text if held is not None else None
        if kind == "s" and written is not None:
            known = written.isdigit() and int(written) < len(self.shared)
            parts = self.shared[int(written)] if known else ()
        elif kind == "inlineStr":
            inline = element.find("x:is")
            parts = rich(inline) if inline is not None else ()
        elif kind == "b":
            text = "TRUE" if written == "1" else "FALSE" if written is not None else ""
        elif kind in ("e", "str", "d"):
            text = clean(written or "")
        elif written:
            try:
                shown = show(float(written), style.code, self.date1904)
                text, rounded = shown.text, shown.rounded
                hidden |= shown.blank
            except ValueError:
                text = clean(written)
        source = ""
        # A formula whose result is an empty text was computed; one without any result was not.
        if formula is not None and not written and kind not in ("inlineStr", "str"):
            text, source = NOT_COMPUTED, "=" + clean(formula.text or "(shared formula)")
        struck = unseen = ""
        if len(parts) > 1 or (parts and parts[0].is_set):
            text, struck, unseen = spoken(parts, style, clean)
        else:
            text = clean(parts[0].text) if parts else text
            hidden |= style.unseen
        if style.struck:
            text, struck = "", " ".join(part for part in (text, struck) if part)
        if not text and not struck and not unseen:
            return None
        return SheetCell(row, column, text, style.bold, style.size, struck, unseen, hidden, source, rounded)


def clean(text: str) -> str:
    """Text of a cell on one line, without control characters."""
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
    return on_one_line(text[:_MAX_TEXT])


def is_under(length: str | None, least: float) -> bool:
    """Whether a height or width is given and too small for anything to be seen."""
    try:
        return length is not None and float(length) < least
    except ValueError:
        return False


def _settle(sheet: Sheet, element: Element) -> None:
    """Take over what an element other than a row says of a sheet."""
    tag = element.tag
    if tag == "x:col":
        wide = element.get("hidden") in ("1", "true") or is_under(element.get("width"), _NARROW)
        first, last = element.get("min", ""), element.get("max", "")
        if wide and first.isdigit() and last.isdigit():
            sheet.hidden_columns.update(range(int(first), min(int(last), _LAST_COLUMN) + 1))
    elif tag == "x:mergeCell":
        if area := area_of(element.get("ref", "")):
            sheet.merged.append(area)
    elif tag == "x:pane" and element.get("state", "").startswith("frozen"):
        split = element.get("ySplit", "0").split(".")[0]
        sheet.frozen = int(split) if split.isdigit() else 0
    elif tag == "x:autoFilter":
        sheet.filtered = area_of(element.get("ref", ""))
    elif tag == "x:oddHeader":
        sheet.header = _running(element.text)
    elif tag == "x:oddFooter":
        sheet.footer = _running(element.text)


def _running(text: str | None) -> str:
    """A running header without its codes for place, font and page number."""
    bare = re.sub(r'&(?:"[^"]*"|K[0-9A-Fa-f]{6}|\d+|[LCRA-Z])', " ", (text or "").replace("&&", "\0"))
    return clean(bare.replace("\0", "&"))
