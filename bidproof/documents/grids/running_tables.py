"""Grids of single pages to tables of the document: header rows, and tables that run on over pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from bidproof.documents.grids.parted_rows import BodyRows, Part
from bidproof.documents.grids.repeated_heads import (
    MOST_HEADS,
    counts_columns,
    heads_again,
    shared_heads,
)
from bidproof.documents.grids.strips import is_year
from bidproof.documents.page import Grid, GridCell, Line, Rect, around
from bidproof.documents.structure.joining import join_lines

SEPARATOR = " | "
_SAME_EDGE = 8.0
_SLIVER = 4.0
_MAX_HEADER_WORDS = 12
_FIGURE = re.compile(r"\d")
_UNIT = re.compile(
    r"[(\[]?(?:EUR|USD|GBP|INR|XAF|XOF|MAD|VND|CHF|[kKmM]?€|\$|£|%|[kMG]?(?:W|Wh|VA|V|A|Hz|g|m|l|h|s|bar|Pa)|mm|cm|km|kg|t|pcs"
    r"|nos?\.?|u|unit|days?|months?|years?|jours?|mois|ans?|HT|TTC|(?:in )?(?:thousands?|millions?))[)\]]?"
)
_COLUMN_NAMES = """
no n° nr s/n sl sr item items ref reference id description designation désignation qty quantity quantité
unit unité price prix rate amount montant total requirement requirements criteria criterion compliance
response remarks comment comments clause section page pages date name position year value specification
specifications parameter stt type weight score document documents evidence status detail details poste
libellé lot deliverable milestone metric target category module service role risk mitigation min max tên
số
"""
_HEADER_WORDS = re.compile(rf"\b(?:{'|'.join(map(re.escape, _COLUMN_NAMES.split()))})\b", re.I)


@dataclass(slots=True)
class Cell:
    """A cell of a table of the document. `start` is its offset in the text of its row.

    `span` is the number of columns that it covers; `above` is what a cell says that is merged down to this place
    from a row above. `merged` says that it spans rows, `beside` that it stands beside the whole table.
    """

    col: int
    text: str
    start: int
    box: Rect
    header_path: str = ""
    span: int = 1
    above: str = ""
    lines: int = 0
    bold: bool = False
    merged: bool = False
    beside: bool = False

    @property
    def part(self) -> Part:
        """What tells whether a row goes on in it."""
        text = "" if self.beside else self.text
        return Part(text, self.span, self.box[3], self.bold, self.lines, self.merged)


@dataclass(slots=True)
class Row:
    """A row as one block: its text is that of its cells joined by ` | `.

    `rest` marks the second part of a row that a page break has parted; both parts have one number.
    """

    page: int
    table: int
    number: int
    is_header: bool
    text: str
    cells: list[Cell]
    box: Rect
    repeated: bool = False
    rest: bool = False

    def spell(self) -> None:
        """Make the text of the cells' texts, and each cell's place in it."""
        self.text = ""
        for number, cell in enumerate(self.cells):
            self.text += SEPARATOR if number else ""
            cell.start = len(self.text)
            self.text += cell.text

    @property
    def texts(self) -> list[str]:
        """Texts of its cells, one a column, without what stands beside the whole table."""
        return ["" if cell.beside else cell.text for cell in self.cells]

    def take_from_above(self) -> None:
        """Let merged cells speak in each row beside them: what is said of one lot must not pass for another's."""
        for cell in self.cells:
            cell.text = cell.text or cell.above
        self.spell()


@dataclass(slots=True)
class _Open:
    """The table that stands last on the page before and may run on."""

    table: int
    edges: tuple[float, ...]
    headers: list[Row]
    rows: int
    page: int
    body: BodyRows = field(default_factory=BodyRows)


@dataclass(slots=True)
class TableRun:
    """Numbers tables through a document and carries their headers from page to page."""

    known: frozenset[str]
    warnings: list[str] = field(default_factory=list)
    tables: int = 0
    _open: _Open | None = None

    def add(self, page: int, grid: Grid, first: bool, last: bool, below: Grid | None) -> list[Row]:
        """Rows of a grid. `first` and `last` say that no text stands above or below it on its page.

        `below` is the first grid of the next page, which shows whether the top row is repeated there.
        """
        table = self._open if first and self._runs_on(page, grid) else None
        rows = self._rows(page, grid)
        if table is None:
            table = _Open(self.tables, grid.edges, [], 0, page)
            self.tables += 1
            headers = _header_rows(grid, rows, self._top(below, grid))
        else:
            headers = heads_again([head.texts for head in table.headers], [row.texts for row in rows])
        for position, row in enumerate(rows):
            row.table = table.table
            row.is_header = position < headers
            row.repeated = row.is_header and table.page != page
            if row.is_header and not row.repeated:
                table.headers.append(row)
            parts = [cell.part for cell in row.cells]
            if table.page != page and position == headers and table.body.goes_on(parts):
                row.rest, row.number = True, table.rows - 1
                table.body.complete(parts)
                what = f"the first row of table {table.table} goes on from the page before"
                self.warnings.append(f"page {page}: {what}; both parts are one row")
            elif not row.repeated:
                row.number = table.rows
                table.rows += 1
            if not row.is_header:
                row.take_from_above()
            if not row.is_header and not row.rest:
                table.body.add([cell.part for cell in row.cells])
            for cell in row.cells:
                cell.header_path = _header_path(table.headers, row, cell)
        table.page = page
        self._open = table if last else None
        return rows

    def interrupt(self) -> None:
        """Text stands below the last table: nothing runs on."""
        self._open = None

    def _runs_on(self, page: int, grid: Grid) -> bool:
        table = self._open
        if table is None or page != table.page + 1 or len(table.edges) != len(grid.edges):
            return False
        widths = [(b - a, d - c) for a, b, c, d in zip(
            table.edges, table.edges[1:], grid.edges, grid.edges[1:], strict=False)]  # fmt: skip
        return all(abs(one - other) <= _SAME_EDGE for one, other in widths)

    def _top(self, below: Grid | None, grid: Grid) -> list[list[str]]:
        """Texts of the rows on top of the next page's table where it may be this one going on."""
        if below is None or len(below.edges) != len(grid.edges):
            return []
        return [row.texts for row in self._rows(0, below, MOST_HEADS + 2)]

    def _rows(self, page: int, grid: Grid, most: int | None = None) -> list[Row]:
        """Rows (the first `most`) with a place for each column, those that merged cells cover left empty."""
        rows: list[Row] = []
        for number in range(grid.rows):
            held = grid.row(number)
            if not any(cell.lines for cell in held):
                continue
            if len(rows) == most:
                break
            cells = self._cells(grid, number)
            row = Row(page, -1, len(rows), False, "", cells, around([cell.box for cell in held]))
            row.spell()
            rows.append(row)
        return rows

    def _cells(self, grid: Grid, number: int) -> list[Cell]:
        cells: list[Cell] = []
        own = min((cell.col for cell in grid.row(number) if cell.lines), default=0)
        for cell in grid.reaching(number):
            words, _ = join_lines(cell.lines, self.known)
            above = cell.row < number
            # The label before a row's own words names its lot or item. An answer is taken for no other row: where a
            # rule between two rows is missing, one bidder's "compliant" would pass for both. What stands beside the
            # whole table, as a page number on a turned page does, is of no row.
            copied = words if above and cell.col < own and cell.row_span < grid.rows else ""
            cells.append(
                Cell(
                    cell.col,
                    "" if above else words,
                    0,
                    _cell_box(cell),
                    span=cell.col_span,
                    above=copied,
                    lines=len(cell.lines),
                    bold=_is_bold([cell]),
                    merged=_spans_rows(grid, cell),
                    beside=1 < grid.rows == cell.row_span,
                )
            )
            cells += [Cell(cell.col + n, "", 0, cell.box) for n in range(1, cell.col_span)]
        known = {cell.col for cell in cells}
        top, bottom = cells[0].box[1], cells[0].box[3]
        for col, (left, right) in enumerate(pairwise(grid.edges)):
            if col not in known and right - left > _SLIVER:
                cells.append(Cell(col, "", 0, (left, top, right, bottom)))
        return sorted(cells, key=lambda cell: cell.col)


def _cell_box(cell: GridCell) -> Rect:
    return around([line.box for line in cell.lines]) if cell.lines else cell.box


def _spans_rows(grid: Grid, cell: GridCell) -> bool:
    """A cell merged over rows that say something: cells of an empty row are cut at will."""
    if cell.row_span == 1:
        return False
    rows = range(cell.row + 1, cell.row + cell.row_span)
    return any(other.lines and other.row in rows for other in grid.cells)


def _header_rows(grid: Grid, rows: list[Row], below: list[list[str]]) -> int:
    """Number of header rows on top of a table, 0 to 3 and titles, never all rows of a table with several.

    What the next page prints again, as `below` shows its top rows, heads the table however it looks.
    """
    if len(rows) < 2:
        return 0
    if grid.heads is not None:
        return min(grid.heads, len(rows) - 1)
    by_row = [number for number in range(grid.rows) if any(cell.lines for cell in grid.row(number))]
    bold = [_is_bold(grid.row(number)) for number in by_row]
    seen = _heads_by_look(grid, by_row, bold)
    texts = [row.texts for row in rows[: MOST_HEADS + 2]]
    titles = next((n for n, row in enumerate(texts) if not _names_nothing(row)), 0)
    first, end = shared_heads(texts, below, max(titles, seen))
    for position in range(first + 1, end):
        named = _names_columns(grid.row(by_row[position])) or _is_unit_row(grid.row(by_row[position]))
        spanned = _spans_columns(grid.row(by_row[position - 1]))
        if not (named or spanned or _stands_out(bold, position) or counts_columns(texts[position])):
            end = position
            break
    if 0 < end < len(rows) - 1 and all(map(_names_nothing, texts[:end])):
        # Only the title or the columns' numbers are printed again; the row of names below them heads the table too.
        cells = grid.row(by_row[end])
        end += _can_be_header(cells) and (_names_columns(cells) or _stands_out(bold, end))
    return min(max(end, seen), len(rows) - 1)


def _names_nothing(row: list[str]) -> bool:
    """A row over the heads of the columns: a title, or the columns' numbers."""
    return sum(map(bool, row)) == 1 or counts_columns(row)


def _stands_out(bold: list[bool], position: int) -> bool:
    """A row in bold over rows most of which are not."""
    return bold[position] and sum(bold[position + 1 :]) <= 0.5 * len(bold[position + 1 :])


def _heads_by_look(grid: Grid, by_row: list[int], bold: list[bool]) -> int:
    """Number of rows on top that look like header rows."""
    count = 0
    while count < min(MOST_HEADS, len(by_row) - 1):
        cells = grid.row(by_row[count])
        if count and _is_unit_row(cells):
            count += 1
            continue
        if not _can_be_header(cells) or (count and not _spans_columns(grid.row(by_row[count - 1]))):
            break
        figures = _heads_figures(grid, by_row[count]) or _heads_years(grid, by_row[count])
        if not (_stands_out(bold, count) or _names_columns(cells) or figures):
            break
        count += 1
    return count


def _can_be_header(cells: list[GridCell]) -> bool:
    texts = [_cell_text(cell.lines) for cell in cells if cell.lines]
    if len(texts) < 2 or any(len(text.split()) > _MAX_HEADER_WORDS for text in texts):
        return False
    return sum(bool(_FIGURE.search(text)) and not is_year(text) for text in texts) <= 0.34 * len(texts)


def _names_columns(cells: list[GridCell]) -> bool:
    """Most cells hold a word that usually heads a column, and most columns are named."""
    texts = [_cell_text(cell.lines) for cell in cells]
    named = sum(bool(_HEADER_WORDS.search(text)) for text in texts)
    return named >= max(2, 0.5 * len(texts))


def _heads_years(grid: Grid, number: int) -> bool:
    """Years in all columns but the first, over what are no years: `Founded | 2005` alone is a value and no header."""
    texts = {cell.col: _cell_text(cell.lines) for cell in grid.row(number)}
    first, years = texts.get(0, ""), [text for col, text in texts.items() if col]
    if not years or not all(is_year(text) for text in years):
        return False
    if len(years) == 1 and first and not _UNIT.fullmatch(first) and not _HEADER_WORDS.search(first):
        return False
    below = [_cell_text(each.lines) for each in grid.cells if each.col and each.row > number and each.lines]
    return bool(below) and sum(is_year(text) for text in below) <= 0.5 * len(below)


def _is_unit_row(cells: list[GridCell]) -> bool:
    """A row below the heads that gives each column its unit or currency."""
    texts = [_cell_text(cell.lines) for cell in cells if cell.lines]
    return bool(texts) and all(_UNIT.fullmatch(text) for text in texts)


def _spans_columns(cells: list[GridCell]) -> bool:
    return any(cell.col_span > 1 or cell.row_span > 1 for cell in cells)


def _is_bold(cells: list[GridCell]) -> bool:
    lines = [line for cell in cells for line in cell.lines]
    return bool(lines) and all(line.bold for line in lines)


def _cell_text(lines: list[Line]) -> str:
    return " ".join(line.text for line in lines)


def _heads_figures(grid: Grid, number: int) -> bool:
    """A full row of words over columns of figures or blanks, in a table of three columns or more."""
    head = [cell for cell in grid.row(number) if cell.lines]
    if len(head) < 3 or len(head) < len(grid.edges) - 1:
        return False
    over = 0
    for cell in head:
        below = [
            each for each in grid.cells if each.col == cell.col and each.row > number and each.col_span == 1
        ]
        figures = sum(not each.lines or bool(_FIGURE.search(_cell_text(each.lines))) for each in below)
        alike = is_year(_cell_text(cell.lines)) and all(is_year(_cell_text(each.lines)) for each in below)
        over += bool(below) and figures >= 0.7 * len(below) and not alike
    return over >= 0.5 * len(head)


def _header_path(headers: list[Row], row: Row, cell: Cell) -> str:
    """Texts of the header cells above a cell, outermost first.

    A spanning header covers all its columns; a value printed over several columns is under each of their heads.
    """
    names: list[str] = []
    for header in headers:
        if header is row:
            break
        above = list(dict.fromkeys(_head_over(header, col) for col in range(cell.col, cell.col + cell.span)))
        name = " / ".join(text for text in above if text)
        if name and name not in names:
            names.append(name)
    return " > ".join(names)


def _head_over(header: Row, col: int) -> str:
    """Text of the header cell that covers a column."""
    return next(
        (cell.text for cell in header.cells if cell.text and cell.col <= col < cell.col + cell.span), ""
    )
