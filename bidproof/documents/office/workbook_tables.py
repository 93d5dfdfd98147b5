"""Tables among the cells of a sheet: where one begins and ends, which rows head it, what merged cells cover.

Works on cells that are seen. Formats and writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bidproof.documents.office.office_rows import OfficeRows, TableCell, TableRow
from bidproof.documents.office.workbook_cells import Sheet, SheetCell

Cells = dict[int, SheetCell]
# Blank rows that may stand inside a table, as between the lots of a price schedule.
_MAX_GAP = 3
_MAX_HEADS = 4


@dataclass(slots=True)
class Region:
    """A run of rows: titles of one cell each, then the rows of a table, each cell with what it is merged with."""

    titles: list[tuple[int, SheetCell]] = field(default_factory=list)
    rows: list[tuple[int, dict[int, tuple[SheetCell | None, str]]]] = field(default_factory=list)
    heads: int | None = None


@dataclass(slots=True)
class _Segment:
    rows: list[tuple[int, Cells]]
    heads: int | None = None
    columns: set[int] = field(default_factory=set)
    titles: list[tuple[int, SheetCell]] = field(default_factory=list)


def regions(sheet: Sheet, shown: Mapping[int, Cells]) -> list[Region]:
    """Regions of a sheet in order.

    A run of rows without a header of its own goes on with the table above it, when it fits its columns and no
    more than a few blank rows lie between.
    """
    joins = _joins(sheet, shown)
    tables: list[_Segment] = []
    for segment in _segments(sheet, shown):
        _settle(sheet, segment)
        before = tables[-1] if tables else None
        if before is not None and _goes_on(before, segment):
            before.rows += [(row, {cell.column: cell}) for row, cell in segment.titles] + segment.rows
            before.rows.sort(key=lambda row: row[0])
        else:
            tables.append(segment)
    return [_region(segment, joins) for segment in tables]


def covered(sheet: Sheet) -> set[tuple[int, int]]:
    """Cells with content that lie under the first cell of a merged range."""
    found: set[tuple[int, int]] = set()
    for first, left, last, right in sheet.merged:
        for row in _within(sheet.rows, first, last):
            found |= {
                (row, cell.column)
                for cell in sheet.rows[row]
                if left <= cell.column <= right and (row, cell.column) != (first, left)
            }
    return found


def _segments(sheet: Sheet, shown: Mapping[int, Cells]) -> list[_Segment]:
    """Runs of rows without a blank row between; Excel's own tables stand alone."""
    starts = {area[0] for area, _ in sheet.tables}
    starts |= {area[2] + 1 for area, _ in sheet.tables}
    if sheet.filtered is not None:
        starts.add(sheet.filtered[2] + 1)
    merged_down = {
        row for first, _, last, _ in sheet.merged if last > first for row in _within(shown, first + 1, last)
    }
    found: list[_Segment] = []
    last: int | None = None
    for row, cells in sorted(shown.items()):
        if last is None or row in starts or (row > last + 1 and row not in merged_down):
            found.append(_Segment([]))
        found[-1].rows.append((row, cells))
        last = row
    return found


def _within(shown: Mapping[int, object], first: int, last: int) -> list[int]:
    if last - first > len(shown):
        return [row for row in shown if first <= row <= last]
    return [row for row in range(first, last + 1) if row in shown]


def _settle(sheet: Sheet, segment: _Segment) -> None:
    """Titles, columns and header rows of a segment, as far as the sheet says them."""
    area = next((each for each in sheet.tables if each[0][0] == segment.rows[0][0]), None)
    if area is None:
        while segment.rows and len(segment.rows[0][1]) == 1:
            row, cells = segment.rows.pop(0)
            segment.titles.append((row, next(iter(cells.values()))))
    segment.columns = {column for _, cells in segment.rows if len(cells) > 1 for column in cells}
    if area is not None:
        segment.heads = area[1]
        return
    rows = [row for row, _ in segment.rows]
    ends = [sheet.filtered[0]] if sheet.filtered is not None else []
    ends += [sheet.frozen] if sheet.frozen else []
    for end in ends:
        count = sum(row <= end for row in rows)
        if 0 < count <= _MAX_HEADS and count < len(rows) and (rows[0] <= end):
            segment.heads = count
            return


def _goes_on(before: _Segment, segment: _Segment) -> bool:
    if not before.rows or not segment.rows or segment.heads is not None or len(segment.columns) < 2:
        return False
    first = segment.titles[0][0] if segment.titles else segment.rows[0][0]
    if first - before.rows[-1][0] > _MAX_GAP + 1 or not segment.columns <= before.columns:
        return False
    if before.heads is None:
        before.heads = _heads(before)
    return before.heads > 0 and _heads(segment) == 0


def _heads(segment: _Segment) -> int:
    """Number of header rows, judged by the cells."""
    columns = sorted(segment.columns)
    rows = [
        TableRow("", 1, [
            TableCell(cells[c].text, "", cells[c].bold) if c in cells else TableCell() for c in columns
        ])
        for _, cells in segment.rows
    ]  # fmt: skip
    return OfficeRows.header_rows([row for row in rows if row.texts])


def _region(segment: _Segment, joins: Mapping[tuple[int, int], str]) -> Region:
    columns = sorted({column for _, cells in segment.rows for column in cells})
    span = range(columns[0], columns[-1] + 1) if columns else range(0)
    kept = [
        column
        for column in span
        if column in set(columns) or any((row, column) in joins for row, _ in segment.rows)
    ]
    rows = [
        (row, {column: (cells.get(column), joins.get((row, column), "")) for column in kept})
        for row, cells in segment.rows
    ]
    return Region(segment.titles, rows, segment.heads)


def _joins(sheet: Sheet, shown: Mapping[int, Cells]) -> dict[tuple[int, int], str]:
    """For each cell that is the rest of a merged one: whether its text stands left of it or above it."""
    widest = max((column for cells in shown.values() for column in cells), default=0)
    found: dict[tuple[int, int], str] = {}
    for first, left, last, right in sheet.merged:
        for row in _within(shown, first, last):
            for column in range(left, min(right, widest) + 1):
                if (row, column) == (first, left) or column in shown[row]:
                    continue
                found[row, column] = "above" if row > first else "left"
    return found
