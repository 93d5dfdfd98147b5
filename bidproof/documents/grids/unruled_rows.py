"""Rows of a table without rules: which printed lines are one row, which are heads of columns.

Gets the strips and the borders of the columns; decides nothing about what is a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from bidproof.documents.grids.column_heads import count_heads, stacked_heads, stretch, widths_of
from bidproof.documents.grids.row_lines import Entry, RowLines, add_line
from bidproof.documents.grids.strips import Part, Strip, is_leader
from bidproof.documents.page import Grid, GridCell, Rect, around
from bidproof.documents.sheets.words import Fragment
from bidproof.documents.structure.columns import lines_of

_SPAN_SLACK = 1.5
_TIGHT = 1.45
_CROWDED = 0.85
_BESIDE = 0.8


def build_grid(
    run: list[Strip], edges: Sequence[float], numeric: list[bool], levels: Sequence[float]
) -> Grid:
    """The grid of a table.

    Args:
        run: its strips, top to bottom.
        edges: borders of its columns.
        numeric: for each column, whether it holds figures.
        levels: heights of rules across the table.
    """
    lines = [RowLines(_entries(strip, edges), strip.base, bases=[strip.base]) for strip in run]
    heads = count_heads(lines, numeric)
    above = stacked_heads(lines[:heads], widths_of(lines))
    stretch(above, edges)
    rows = above + _merged(lines[heads:], run[heads:], numeric, levels)
    cells = []
    tops = _tops(rows)
    for number, row in enumerate(rows):
        cells.extend(_cells(row, number, edges, tops))
    box = around([strip.box for strip in run])
    borders = tuple(round(edge, 1) for edge in edges)
    # Heads of words over words are told by their type, as in ruled tables.
    known = sum(row.head for row in rows) if any(numeric) else None
    return Grid(box, len(rows), borders, cells, known, ruled=False)


def _entries(strip: Strip, edges: Sequence[float]) -> list[Entry]:
    found: list[Entry] = []
    for part in strip.parts:
        if is_leader(part.text):
            continue
        first, last = _columns(part, edges)
        if found and found[-1].last >= first:
            # Two parts in one column, or a part that begins inside the span of the one before.
            found[-1] = Entry(found[-1].first, max(found[-1].last, last), [[*found[-1].words, *part.words]])
        else:
            found.append(Entry(first, last, [list(part.words)]))
    return found


def _columns(part: Part, edges: Sequence[float]) -> tuple[int, int]:
    """First and last column that a part stands in; a slight overhang counts for nothing."""
    x0, _, x1, _ = part.box
    touched = [
        c
        for c, (left, right) in enumerate(pairwise(edges))
        if min(x1, right) - max(x0, left) > min(_SPAN_SLACK * part.words[0].size, 0.5 * (x1 - x0))
    ]
    if not touched:
        middle = (x0 + x1) / 2
        at = next((c for c in range(len(edges) - 1) if middle < edges[c + 1]), len(edges) - 2)
        return at, at
    # A label may run on into the empty column beside it; only what begins past the labels spans columns.
    return (0, 0) if touched[0] == 0 and len(touched) < len(edges) - 1 else (touched[0], touched[-1])


def _merged(
    lines: list[RowLines], strips: list[Strip], numeric: list[bool], levels: Sequence[float]
) -> list[RowLines]:
    """Lines of the body as rows."""
    inner = [
        y for y in levels if any(line.base < y for line in lines) and any(line.base > y for line in lines)
    ]
    if not any(numeric) or len(inner) >= 0.7 * max(len(lines) - 1, 1):
        return _by_rules(lines, inner) if len(inner) >= 2 else _by_first_column(lines, strips)
    rows: list[RowLines] = []
    pitch = median([after.base - line.base for line, after in pairwise(lines)] or [0.0])
    for at, line in enumerate(lines):
        before = rows[-1] if rows else None
        if before is not None and _belongs(before, line, strips[at], numeric, inner, pitch):
            add_line(before, line)
        else:
            rows.append(line)
    return rows


def _belongs(
    before: RowLines, line: RowLines, strip: Strip, numeric: list[bool], levels: list[float], pitch: float
) -> bool:
    """Whether a line goes on with the row before it: the rest of wrapped words, or the label's figures."""
    last = before.bases[-1]
    if line.base - last > _TIGHT * strip.size or any(last < y < line.base for y in levels):
        return False
    label = line.at(0)
    if label is None:
        if not any(numeric[entry.first] for entry in line.entries):
            return any(before.at(entry.first) for entry in line.entries)
        if not any(numeric[entry.first] for entry in before.entries) and _goes_on(before, line):
            return True
        open_label = before.label_only and not before.entries[-1].text.endswith((":", "."))
        return open_label and line.base - last < _BESIDE * strip.size
    if line.label_only:
        crowded = line.base - last < _CROWDED * pitch and not before.label_only
        return before.at(0) is not None and (label.text[0].islower() or crowded)
    if not before.label_only or before.entries[-1].text.endswith((":", ".")):
        return False
    return label.text[0].islower()


def _goes_on(before: RowLines, line: RowLines) -> bool:
    """Words of a line begin with a small letter below words of the row before."""
    return any(entry.text[0].islower() and before.at(entry.first) is not None for entry in line.entries)


def _by_rules(lines: list[RowLines], levels: list[float]) -> list[RowLines]:
    """Rows between rules."""
    rows: list[RowLines] = []
    for line in lines:
        if rows and not any(rows[-1].bases[-1] < y <= line.base for y in levels):
            add_line(rows[-1], line)
        else:
            rows.append(line)
    return rows


def _by_first_column(lines: list[RowLines], strips: list[Strip]) -> list[RowLines]:
    """A row begins where the first column does, unless the line only goes on with it."""
    rows: list[RowLines] = []
    for line, strip in zip(lines, strips, strict=True):
        label = line.at(0)
        tight = bool(rows) and line.base - rows[-1].bases[-1] <= _TIGHT * strip.size
        if tight and (label is None or label.text[0].islower()):
            add_line(rows[-1], line)
        else:
            rows.append(line)
    return rows


def _tops(rows: list[RowLines]) -> list[float]:
    """Upper border of each row, and the lower one of the last."""
    boxes = [around([word[1:5] for each in row.entries for word in each.words]) for row in rows]
    tops = [boxes[0][1]]
    tops += [(above[3] + below[1]) / 2 for above, below in pairwise(boxes)]
    return [*tops, boxes[-1][3]]


def _part(row: RowLines) -> None:
    """Give each column to one entry: one that begins inside the span of another would be lost."""
    parted: list[Entry] = []
    for entry in sorted(row.entries, key=lambda each: each.first):
        above = parted[-1] if parted else None
        if above is not None and above.first == entry.first:
            above.lines, above.last = above.lines + entry.lines, max(above.last, entry.last)
            continue
        if above is not None and above.last >= entry.first:
            above.last = entry.first - 1
        parted.append(entry)
    row.entries = parted


def _cells(row: RowLines, number: int, edges: Sequence[float], tops: list[float]) -> list[GridCell]:
    """All cells of a row, the empty ones too, so that each figure keeps its column."""
    _part(row)
    cells: list[GridCell] = []
    col = 0
    while col < len(edges) - 1:
        entry = row.at(col)
        last = entry.last if entry else col
        box: Rect = (edges[col], tops[number], edges[last + 1], tops[number + 1])
        lines = [line for words in entry.lines for line in lines_of([Fragment(words)])] if entry else []
        cells.append(GridCell(number, col, box, lines, 1, last - col + 1))
        col = last + 1
    return cells
