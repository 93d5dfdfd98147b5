"""Rows of a table that has rules between its columns but none between its rows.

A lattice sees one tall row there, and each figure loses its line. Where two or more columns hold short
entries that stand on the same heights, one a row, those heights are the rows.
"""

from __future__ import annotations

import re

from bidproof.documents.page import Grid, GridCell, Line

_MIN_ROWS = 3
_MAX_WORDS = 4
_LEVEL = 2.5
_MOST = 0.75
_FIGURES = 0.8
_FIGURE = re.compile(r"\d")


def split_rows(grid: Grid) -> Grid:
    """The grid with each tall row that holds several rows parted; any other grid as it is."""
    cells: list[GridCell] = []
    shift = 0
    for number in range(grid.rows):
        row = grid.row(number)
        heights = _row_heights(row)
        moved = [_at(cell, cell.row + shift) for cell in row]
        if not heights:
            cells.extend(moved)
            continue
        for cell in moved:
            cells.extend(_part(cell, heights))
        shift += len(heights) - 1
    return grid if shift == 0 else Grid(grid.box, grid.rows + shift, grid.edges, cells)


def _at(cell: GridCell, row: int) -> GridCell:
    return GridCell(row, cell.col, cell.box, cell.lines, cell.row_span, cell.col_span)


def _row_heights(row: list[GridCell]) -> list[float]:
    """Tops of the rows inside a grid row, or nothing when it is one row.

    Entries count only when they are short, and one column at least must hold figures: paragraphs side by
    side may share their line heights too.
    """
    if any(cell.row_span > 1 for cell in row):
        return []
    keys = [cell for cell in row if len(cell.lines) >= _MIN_ROWS and _is_list_of_entries(cell.lines)]
    for first in keys:
        tops = [line.box[1] for line in first.lines]
        same = [cell for cell in keys if _stand_level(cell.lines, first.lines)]
        if len(same) >= 2 and any(_is_figures(cell.lines) for cell in same) and _all_fit(row, tops):
            return tops
    return []


def _is_list_of_entries(lines: list[Line]) -> bool:
    return all(len(line.text.split()) <= _MAX_WORDS for line in lines)


def _is_figures(lines: list[Line]) -> bool:
    return sum(bool(_FIGURE.search(line.text)) for line in lines) >= _FIGURES * len(lines)


def _stand_level(lines: list[Line], others: list[Line]) -> bool:
    return len(lines) == len(others) and all(
        abs(line.box[1] - other.box[1]) <= _LEVEL for line, other in zip(lines, others, strict=True)
    )


def _all_fit(row: list[GridCell], tops: list[float]) -> bool:
    """No column begins above the first row, and most have an entry for each.

    A single number beside two narrow columns of wrapped words that happen to break three times is one row.
    """
    filled = [cell for cell in row if cell.lines]
    enough = sum(len(cell.lines) >= len(tops) for cell in filled) >= _MOST * len(filled)
    return enough and all(cell.lines[0].box[1] >= tops[0] - _LEVEL for cell in filled)


def _part(cell: GridCell, tops: list[float]) -> list[GridCell]:
    """The cell's lines dealt out to rows: each belongs to the last row that begins at or above it."""
    x0, y0, x1, y1 = cell.box
    floors = [y0, *tops[1:], y1]
    parts = []
    for number, top in enumerate(tops):
        below = tops[number + 1] - _LEVEL if number + 1 < len(tops) else float("inf")
        lines = [line for line in cell.lines if top - _LEVEL <= line.box[1] < below]
        box = (x0, floors[number], x1, floors[number + 1])
        parts.append(GridCell(cell.row + number, cell.col, box, lines, 1, cell.col_span))
    return parts
