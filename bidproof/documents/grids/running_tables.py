"""Grids of single pages to tables of the document: header rows, and tables that run on over pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from bidproof.documents.grids.strips import is_year
from bidproof.documents.page import Grid, GridCell, Line, Rect, around
from bidproof.documents.structure.joining import join_lines

SEPARATOR = " | "
_SAME_EDGE = 8.0
_SLIVER = 4.0
_MAX_HEADER_ROWS = 3
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
    from a row above.
    """

    col: int
    text: str
    start: int
    box: Rect
    header_path: str = ""
    span: int = 1
    above: str = ""


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
    last: Row | None
    rows: int
    page: int


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
            table = _Open(self.tables, grid.edges, [], None, 0, page)
            self.tables += 1
            headers = _header_rows(grid, rows, below)
        else:
            headers = self._repeated(table, rows)
        for position, row in enumerate(rows):
            row.table = table.table
            row.is_header = position < headers
            row.repeated = row.is_header and table.page != page
            if row.is_header and not row.repeated:
                table.headers.append(row)
            if table.page != page and position == headers and _is_rest(table.last, row):
                row.rest, row.number = True, table.rows - 1
                what = f"the first row of table {table.table} goes on from the page before"
                self.warnings.append(f"page {page}: {what}; both parts are one row")
            elif not row.repeated:
                row.number = table.rows
                table.rows += 1
            if not row.is_header:
                row.take_from_above()
                table.last = row
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

    def _repeated(self, table: _Open, rows: list[Row]) -> int:
        """Number of rows on top that repeat the table's header."""
        count = len(table.headers)
        same = count and [_key(row.text) for row in rows[:count]] == [_key(row.text) for row in table.headers]
        return count if same else 0

    def _rows(self, page: int, grid: Grid) -> list[Row]:
        """Rows with a place for each column, those that merged cells cover left empty."""
        rows: list[Row] = []
        for number in range(grid.rows):
            held = grid.row(number)
            if not any(cell.lines for cell in held):
                continue
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


def _key(text: str) -> str:
    return " ".join(text.lower().split())


def _header_rows(grid: Grid, rows: list[Row], below: Grid | None) -> int:
    """Number of header rows on top of a table, 0 to 3, never all rows of a table with several."""
    if len(rows) < 2:
        return 0
    if grid.heads is not None:
        return min(grid.heads, len(rows) - 1)
    by_row = [number for number in range(grid.rows) if any(cell.lines for cell in grid.row(number))]
    if below is not None and len(below.edges) == len(grid.edges):
        again = _key(" ".join(line.text for cell in below.row(0) for line in cell.lines))
        if again and again == _key(
            " ".join(line.text for cell in grid.row(by_row[0]) for line in cell.lines)
        ):
            return 1
    bold = [_is_bold(grid.row(number)) for number in by_row]
    count = 0
    while count < min(_MAX_HEADER_ROWS, len(rows) - 1):
        cells = grid.row(by_row[count])
        if count and _is_unit_row(cells):
            count += 1
            continue
        if not _can_be_header(cells) or (count and not _spans_columns(grid.row(by_row[count - 1]))):
            break
        plain_below = sum(bold[count + 1 :]) <= 0.5 * len(bold[count + 1 :])
        figures = _heads_figures(grid, by_row[count]) or _heads_years(grid, by_row[count])
        if not ((bold[count] and plain_below) or _names_columns(cells) or figures):
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


def goes_on(before: list[str], after: list[str]) -> bool:
    """Whether a row, by its cells, is the rest of the row before it, which a page break has parted.

    It begins with an empty cell or with small letters only, and a cell above ends in mid-sentence; or each
    entry stands below another and the first word of one is small.
    """
    filled = [text for text in after if text]
    if not filled or len(before) != len(after):
        return False
    small = [text[0].islower() for text in filled]
    if not after[0] and any(small) and all(above for above, text in zip(before, after, strict=True) if text):
        return True
    open_end = any(len(text) > 20 and text[-1] not in ".!?;:)" for text in before)
    return open_end and (not after[0] or all(small))


def _is_rest(before: Row | None, row: Row) -> bool:
    return before is not None and goes_on(
        [cell.text for cell in before.cells], [cell.text for cell in row.cells]
    )


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
