"""Heads of the columns of a table without rules: how many lines they take, which go together, what they span.

Knows no rows of figures but by their entries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from bidproof.documents.grids.row_lines import Entry, RowLines, add_line
from bidproof.documents.grids.strips import is_figure, is_year
from bidproof.documents.page import around

_MAX_HEADS = 6
_MARK = re.compile(r"\(\d\)")
_SPAN_WIDTH = 1.3
_OFF_MIDDLE = 0.4


def count_heads(lines: list[RowLines], numeric: list[bool]) -> int:
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


def widths_of(lines: list[RowLines]) -> dict[int, list[float]]:
    """Widths of the entries in each column; a currency sign set far from its figure does not widen it."""
    widths: dict[int, list[float]] = {}
    for line in lines:
        for entry in line.entries:
            if entry.first == entry.last:
                last = entry.words[-1]
                width = last.x1 - last.x0 if is_figure(entry.text) else entry.width
                widths.setdefault(entry.first, []).append(width)
    return widths


def stacked_heads(lines: list[RowLines], widths: dict[int, list[float]]) -> list[RowLines]:
    """Heads with the lines of one head joined: `Three months` over `ended` is one, a span over years two."""
    rows: list[RowLines] = []
    for at, line in enumerate(lines):
        line.head = True
        above = rows[-1] if rows else None
        beside = _single_heads(lines[at:])
        if above is not None and not _spans(above, beside, widths):
            _narrow(above, beside)
            add_line(above, line)
            continue
        if above is not None:
            _let_down(above, line, beside)
        rows.append(line)
    return rows


def _let_down(above: RowLines, line: RowLines, beside: list[Entry]) -> None:
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
            line.entries.append(Entry(col, col, head.lines))
            line.entries.sort(key=lambda each: each.first)
        else:
            same.lines = head.lines + same.lines


def _nearest(over: list[Entry], beside: list[Entry]) -> list[list[float]]:
    """For each head the middles of those below that are nearest to it."""
    nearest: list[list[float]] = [[] for _ in over]
    for entry in beside:
        nearest[min(range(len(over)), key=lambda n: abs(over[n].middle - entry.middle))].append(entry.middle)
    return nearest


def _single_heads(lines: list[RowLines]) -> list[Entry]:
    """Heads of single columns of values on some lines, the lowest of each column."""
    lowest = {each.first: each for line in lines for each in line.entries if 0 < each.first == each.last}
    return [lowest[col] for col in sorted(lowest)]


def _narrow(above: RowLines, beside: list[Entry]) -> None:
    """Heads that stick out of their column, but are the first line of one head, keep to the nearest below."""
    for head in above.entries:
        if 0 < head.first < head.last and beside:
            nearest = min(beside, key=lambda each: abs(each.middle - head.middle))
            head.first, head.last = nearest.first, nearest.last


def _spans(above: RowLines, beside: list[Entry], widths: dict[int, list[float]]) -> bool:
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


def _below(over: list[Entry], beside: list[Entry]) -> list[list[float]]:
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


def stretch(heads: list[RowLines], edges: Sequence[float]) -> None:
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
