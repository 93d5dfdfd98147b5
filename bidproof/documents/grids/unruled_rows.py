"""Rows of a table without rules: which printed lines are one row, which are heads of columns.

Gets the strips and the borders of the columns; decides nothing about what is a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from bidproof.documents.grids.strips import Part, Strip, is_figure, is_leader, is_year
from bidproof.documents.page import Grid, GridCell, Rect, around
from bidproof.documents.sheets.words import Fragment, Word
from bidproof.documents.structure.columns import lines_of

_MAX_HEADS = 6
_MARK = re.compile(r"\(\d\)")
_SPAN_WIDTH = 1.3
_OFF_MIDDLE = 0.4
_SPAN_SLACK = 1.5
_TIGHT = 1.45
_CROWDED = 0.85
_BESIDE = 0.8


@dataclass(slots=True)
class _Entry:
    """Words that fill the columns `first` to `last` of one row."""

    first: int
    last: int
    lines: list[list[Word]]

    @property
    def words(self) -> list[Word]:
        return [word for line in self.lines for word in line]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        return min(word.x0 for word in self.words)

    @property
    def width(self) -> float:
        return max(word.x1 for word in self.words) - min(word.x0 for word in self.words)

    @property
    def middle(self) -> float:
        return (max(word.x1 for word in self.words) + min(word.x0 for word in self.words)) / 2


@dataclass(slots=True)
class _RowLines:
    """A row in the making: the entries of the lines that belong to it."""

    entries: list[_Entry]
    base: float
    head: bool = False
    bases: list[float] = field(default_factory=list)

    def at(self, col: int) -> _Entry | None:
        """The entry that covers a column."""
        return next((each for each in self.entries if each.first <= col <= each.last), None)

    @property
    def label_only(self) -> bool:
        """Nothing stands beside the first column."""
        return all(each.first == 0 for each in self.entries)


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
    lines = [_RowLines(_entries(strip, edges), strip.base, bases=[strip.base]) for strip in run]
    heads = _count_heads(lines, numeric)
    above = _stacked_heads(lines[:heads], _widths(lines))
    _stretch(above, edges)
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


def _entries(strip: Strip, edges: Sequence[float]) -> list[_Entry]:
    found: list[_Entry] = []
    for part in strip.parts:
        if is_leader(part.text):
            continue
        first, last = _columns(part, edges)
        if found and found[-1].last >= first:
            # Two parts in one column, or a part that begins inside the span of the one before.
            found[-1] = _Entry(found[-1].first, max(found[-1].last, last), [[*found[-1].words, *part.words]])
        else:
            found.append(_Entry(first, last, [list(part.words)]))
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


def _count_heads(lines: list[_RowLines], numeric: list[bool]) -> int:
    """Number of lines on top that head columns: words, years and dates over figures."""
    if not any(numeric):
        return 0
    for at, line in enumerate(lines[: _MAX_HEADS + 1]):
        beside = [each for each in line.entries if each.first > 0]
        figures = [each for each in beside if is_figure(each.text) and not is_year(each.text)]
        if any(not is_figure(each.text) for each in beside):
            # Beside words, a lone (1) is a note mark of a head and no figure.
            figures = [each for each in figures if not _MARK.fullmatch(each.text)]
        over = [each for each in beside if any(numeric[each.first : each.last + 1])]
        if figures and not (at == 0 and len(figures) < 0.34 * len(beside)):
            return at
        if not beside and at > 0 and any(each.first > 0 for each in lines[at - 1].entries):
            # A label of its own below the heads opens the first group of rows.
            return at
        if beside and not over and any(numeric) and at > 0:
            return at
    return 0


def _widths(lines: list[_RowLines]) -> dict[int, list[float]]:
    """Widths of the entries in each column; a currency sign set far from its figure does not widen it."""
    widths: dict[int, list[float]] = {}
    for line in lines:
        for entry in line.entries:
            if entry.first == entry.last:
                last = entry.words[-1]
                width = last.x1 - last.x0 if is_figure(entry.text) else entry.width
                widths.setdefault(entry.first, []).append(width)
    return widths


def _stacked_heads(lines: list[_RowLines], widths: dict[int, list[float]]) -> list[_RowLines]:
    """Heads with the lines of one head joined: `Three months` over `ended` is one, a span over years two."""
    rows: list[_RowLines] = []
    for at, line in enumerate(lines):
        line.head = True
        above = rows[-1] if rows else None
        beside = _single_heads(lines[at:])
        if above is not None and not _spans(above, beside, widths):
            _narrow(above, beside)
            _add(above, line)
            continue
        if above is not None:
            _let_down(above, line, beside)
        rows.append(line)
    return rows


def _let_down(above: _RowLines, line: _RowLines, beside: list[_Entry]) -> None:
    """First lines of single heads, printed on one height with heads over several columns, go to their columns."""
    over = [each for each in above.entries if each.first > 0]
    groups = _nearest(over, beside)
    for head, group in zip(over, groups, strict=True):
        if len(group) > 1 or len(over) == 1:
            continue
        below = next((each for each in beside if each.middle in group), None)
        col = below.first if below else head.first
        above.entries.remove(head)
        same = line.at(col)
        if same is None:
            line.entries.append(_Entry(col, col, head.lines))
            line.entries.sort(key=lambda each: each.first)
        else:
            same.lines = head.lines + same.lines


def _nearest(over: list[_Entry], beside: list[_Entry]) -> list[list[float]]:
    """For each head the middles of those below that are nearest to it."""
    nearest: list[list[float]] = [[] for _ in over]
    for entry in beside:
        nearest[min(range(len(over)), key=lambda n: abs(over[n].middle - entry.middle))].append(entry.middle)
    return nearest


def _single_heads(lines: list[_RowLines]) -> list[_Entry]:
    """Heads of single columns of values on some lines, the lowest of each column."""
    lowest = {each.first: each for line in lines for each in line.entries if 0 < each.first == each.last}
    return [lowest[col] for col in sorted(lowest)]


def _narrow(above: _RowLines, beside: list[_Entry]) -> None:
    """Heads that stick out of their column, but are the first line of one head, keep to the nearest below."""
    for head in above.entries:
        if 0 < head.first < head.last and beside:
            nearest = min(beside, key=lambda each: abs(each.middle - head.middle))
            head.first, head.last = nearest.first, nearest.last


def _spans(above: _RowLines, beside: list[_Entry], widths: dict[int, list[float]]) -> bool:
    """Whether a head stands over several of the heads below it.

    It is printed above several of them; or it stands over their middle, and is a year or sticks out of its column.
    """
    over = [each for each in above.entries if each.first > 0]
    if not over or not beside:
        return any(each.last > each.first for each in over)
    if len(over) >= len(beside):
        return False
    if any(sum(head.left < each.middle < head.left + head.width for each in beside) > 1 for head in over):
        return True
    return any(
        len(group) > 1
        and (
            head.last > head.first
            or is_year(head.text)
            or head.width > _SPAN_WIDTH * _usual(widths.get(head.first, []), head.width)
        )
        for head, group in zip(over, _below(over, beside), strict=True)
    )


def _below(over: list[_Entry], beside: list[_Entry]) -> list[list[float]]:
    """For each head the middles of those below that are nearest to it; nothing unless it stands over their middle."""
    middles = [entry.middle for entry in beside]
    nearest = _nearest(over, beside)
    pitch = (max(middles) - min(middles)) / max(len(middles) - 1, 1)
    for head, group in zip(over, nearest, strict=True):
        if group and abs((min(group) + max(group)) / 2 - head.middle) > _OFF_MIDDLE * pitch:
            return [[] for _ in over]
    return nearest


def _usual(widths: list[float], own: float) -> float:
    """Widest entry of a column but the one in question."""
    others = sorted(widths)
    if own in others:
        others.remove(own)
    return others[-1] if others else own


def _stretch(heads: list[_RowLines], edges: Sequence[float]) -> None:
    """A head above others covers all columns that are nearest to it: it is printed over their middle."""
    for row, below in pairwise(heads):
        beside = [entry for entry in row.entries if entry.first > 0]
        named = {
            col for entry in below.entries if entry.first > 0 for col in range(entry.first, entry.last + 1)
        }
        if not beside or len(beside) >= len(named):
            continue
        middles = [around([word[1:5] for word in entry.words]) for entry in beside]
        for col in sorted(named):
            if row.at(col) is None:
                at = (edges[col] + edges[col + 1]) / 2
                near = min(range(len(beside)), key=lambda n: abs((middles[n][0] + middles[n][2]) / 2 - at))
                beside[near].first = min(beside[near].first, col)
                beside[near].last = max(beside[near].last, col)


def _merged(
    lines: list[_RowLines], strips: list[Strip], numeric: list[bool], levels: Sequence[float]
) -> list[_RowLines]:
    """Lines of the body as rows."""
    inner = [
        y for y in levels if any(line.base < y for line in lines) and any(line.base > y for line in lines)
    ]
    if not any(numeric) or len(inner) >= 0.7 * max(len(lines) - 1, 1):
        return _by_rules(lines, inner) if len(inner) >= 2 else _by_first_column(lines, strips)
    rows: list[_RowLines] = []
    pitch = median([after.base - line.base for line, after in pairwise(lines)] or [0.0])
    for at, line in enumerate(lines):
        before = rows[-1] if rows else None
        if before is not None and _belongs(before, line, strips[at], numeric, inner, pitch):
            _add(before, line)
        else:
            rows.append(line)
    return rows


def _belongs(
    before: _RowLines, line: _RowLines, strip: Strip, numeric: list[bool], levels: list[float], pitch: float
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


def _goes_on(before: _RowLines, line: _RowLines) -> bool:
    """Words of a line begin with a small letter below words of the row before."""
    return any(entry.text[0].islower() and before.at(entry.first) is not None for entry in line.entries)


def _add(row: _RowLines, line: _RowLines) -> None:
    for entry in line.entries:
        same = row.at(entry.first)
        if same is None:
            row.entries.append(entry)
        else:
            same.lines += entry.lines
    row.entries.sort(key=lambda each: each.first)
    row.bases.append(line.base)


def _by_rules(lines: list[_RowLines], levels: list[float]) -> list[_RowLines]:
    """Rows between rules."""
    rows: list[_RowLines] = []
    for line in lines:
        if rows and not any(rows[-1].bases[-1] < y <= line.base for y in levels):
            _add(rows[-1], line)
        else:
            rows.append(line)
    return rows


def _by_first_column(lines: list[_RowLines], strips: list[Strip]) -> list[_RowLines]:
    """A row begins where the first column does, unless the line only goes on with it."""
    rows: list[_RowLines] = []
    for line, strip in zip(lines, strips, strict=True):
        label = line.at(0)
        tight = bool(rows) and line.base - rows[-1].bases[-1] <= _TIGHT * strip.size
        if tight and (label is None or label.text[0].islower()):
            _add(rows[-1], line)
        else:
            rows.append(line)
    return rows


def _tops(rows: list[_RowLines]) -> list[float]:
    """Upper border of each row, and the lower one of the last."""
    boxes = [around([word[1:5] for each in row.entries for word in each.words]) for row in rows]
    tops = [boxes[0][1]]
    tops += [(above[3] + below[1]) / 2 for above, below in pairwise(boxes)]
    return [*tops, boxes[-1][3]]


def _part(row: _RowLines) -> None:
    """Give each column to one entry: one that begins inside the span of another would be lost."""
    parted: list[_Entry] = []
    for entry in sorted(row.entries, key=lambda each: each.first):
        above = parted[-1] if parted else None
        if above is not None and above.first == entry.first:
            above.lines, above.last = above.lines + entry.lines, max(above.last, entry.last)
            continue
        if above is not None and above.last >= entry.first:
            above.last = entry.first - 1
        parted.append(entry)
    row.entries = parted


def _cells(row: _RowLines, number: int, edges: Sequence[float], tops: list[float]) -> list[GridCell]:
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
