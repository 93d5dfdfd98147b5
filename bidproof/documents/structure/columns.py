"""Reading order of one page: fragments to lines, columns one after another.

Two columns are taken apart only where both sides read like prose. A row of a table without rules, or a
label and its value, must stay on one line, or figures lose what they are of.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from bidproof.documents.page import Line, Rect, around
from bidproof.documents.sheets.direction import in_reading_order, runs_leftward
from bidproof.documents.sheets.words import Fragment
from bidproof.documents.structure.boxes import read_boxes_apart
from bidproof.documents.structure.numbering import LEADING_WORD

_SAME_BASELINE = 0.4
_MIN_COLUMN_LINES = 3
_MIN_PROSE_CHARS = 14
_MIN_FILL = 0.55
_MIN_RUNNING_ON = 0.3
_EDGE_TOLERANCE = 4.0
_TABULAR_GAP = 1.5
# White through all columns, in sizes of type, and rows that begin together, that make a table of prose.
_ROW_WHITE, _MIN_TOGETHER = 0.6, 2
_LARGER = 1.1
_LEAD = re.compile(
    r"\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5})?[.):°]?|[^\w\s]|\uf0b7|\uf0a7|\uf0d8|o"
)


def order_lines(fragments: list[Fragment], boxes: Sequence[list[Rect]] = ()) -> list[Line]:
    """Lines of a page in reading order; sideways text comes last, each piece a line of its own column.

    `boxes` are rows of framed boxes that stand side by side.
    """
    level = [part for part in fragments if part.level]
    lines: list[Line] = []
    column = -1
    for group in read_boxes_apart(level, list(boxes)):
        lines += _ordered(group, column + 1, depth=0)
        column = max((line.column for line in lines), default=0)
    column = max(column, 0)
    for part in (part for part in fragments if not part.level):
        column += 1
        lines.extend(line._replace(level=False, column=column) for line in _split_flags([part]))
    return lines


def lines_of(fragments: list[Fragment]) -> list[Line]:
    """Lines of one column or cell from top to bottom, fragments of one baseline joined."""
    return [line for row in _rows(fragments) for line in _split_flags(row)]


def _rows(fragments: list[Fragment]) -> list[list[Fragment]]:
    """Fragments grouped by baseline, top to bottom, each group left to right."""
    rows: list[list[Fragment]] = []
    for part in sorted(fragments, key=lambda part: (part.base, part.box[0])):
        if rows and part.level and rows[-1][0].level:
            first = rows[-1][0]
            if abs(part.base - first.base) <= _SAME_BASELINE * min(part.size, first.size):
                rows[-1].append(part)
                continue
        rows.append([part])
    for row in rows:
        row.sort(key=lambda part: part.box[0])
    return rows


def _split_flags(row: list[Fragment]) -> list[Line]:
    """One line a kind of visibility: live text is read as if struck or hidden words were not there."""
    kinds = {(word.struck, bool(word.hidden)) for part in row for word in part.words}
    lines: list[Line] = []
    for struck, hidden in sorted(kinds):
        parts = [
            [word for word in part.words if (word.struck, bool(word.hidden)) == (struck, hidden)]
            for part in row
        ]
        parts = [words for words in parts if words]
        words = [word for words in parts for word in words]
        size = max(word.size for word in words)
        box = around([(word.x0, word.y0, word.x1, word.y1) for word in words])
        letters = sum(len(word.text) for word in words)
        bold = sum(len(word.text) for word in words if word.bold) > 0.8 * letters
        underlined = sum(len(word.text) for word in words if word.underlined) > 0.7 * letters
        slant = sum(len(word.text) for word in words if word.slant) > 0.8 * letters
        gaps = [after[0].x0 - before[-1].x1 for before, after in pairwise(parts)]
        text = " ".join(word.text for word in words)
        if runs_leftward(text):
            text = " ".join(word.text for word in in_reading_order(words))
        lead = " ".join(word.text for word in parts[0])
        if gaps and (_LEAD.fullmatch(lead) or LEADING_WORD.fullmatch(lead)):
            # A number or bullet set off by a tab begins a line of text, not a row of a table.
            gaps = gaps[1:]
        tabular = any(gap > _TABULAR_GAP * size for gap in gaps)
        level = all(part.level for part in row)
        lines.append(
            Line(
                text,
                box,
                round(size, 1),
                bold,
                struck,
                hidden,
                level,
                tabular,
                slant=slant,
                underlined=underlined,
            )
        )
    return lines


def _ordered(fragments: list[Fragment], column: int, depth: int) -> list[Line]:
    cuts = _cuts(fragments) if depth < 2 else []
    if not cuts:
        return [line._replace(column=column) for line in lines_of(fragments)]
    lines: list[Line] = []
    for whole, columns in _bands(fragments, cuts):
        sides = [(whole, 2)]
        sides += [(side, depth + 1) for row in _side_by_side(columns) for side in row]
        for side, part_depth in sides:
            if side:
                part_lines = _ordered(side, column, part_depth)
                lines.extend(part_lines)
                column = max(line.column for line in part_lines) + 1
    return lines


def _cuts(fragments: list[Fragment], nested: bool = False) -> list[tuple[float, float]]:
    """The blank strips between columns of prose, from left to right; none where there is one column."""
    gutter = _gutter(fragments, nested)
    if gutter is None:
        return []
    if nested:
        return [gutter]
    left = [part for part in fragments if part.box[2] <= gutter[1]]
    right = [part for part in fragments if part.box[0] >= gutter[0]]
    return [*_cuts(left, nested=True), gutter, *_cuts(right, nested=True)]


def _bands(
    fragments: list[Fragment], cuts: list[tuple[float, float]]
) -> list[tuple[list[Fragment], list[list[Fragment]]]]:
    """What runs across all columns, with the columns below it, from top to bottom."""
    bands: list[tuple[list[Fragment], list[list[Fragment]]]] = [([], [[] for _ in range(len(cuts) + 1)])]
    for row in _rows(fragments):
        if any(part.box[0] < left and part.box[2] > right for part in row for left, right in cuts):
            if any(bands[-1][1]):
                bands.append(([], [[] for _ in range(len(cuts) + 1)]))
            bands[-1][0].extend(row)
            continue
        if _ends_whole(bands[-1], row, cuts):
            bands[-1][0].extend(row)
            continue
        for part in row:
            bands[-1][1][sum(part.box[0] >= left for left, _ in cuts)].append(part)
    return bands


def _ends_whole(
    band: tuple[list[Fragment], list[list[Fragment]]], row: list[Fragment], cuts: list[tuple[float, float]]
) -> bool:
    """Whether a row is the short last line of a paragraph that runs across all columns."""
    whole, columns = band
    if not whole or any(columns) or any(part.box[2] > cuts[0][1] for part in row):
        return False
    last = max(whole, key=lambda part: part.base)
    left = min(part.box[0] for part in whole)
    near = row[0].box[1] - last.box[3] < 0.4 * last.size and abs(row[0].size - last.size) < 0.5
    return near and abs(row[0].box[0] - left) < last.size


def _side_by_side(columns: list[list[Fragment]]) -> list[list[list[Fragment]]]:
    """Columns as they are, or cut into rows where they are a table of prose: requirement and answer, side by side.

    In such a table the same white runs through all columns again and again, and below it they begin together.
    """
    parts = sorted((part for side in columns for part in side), key=lambda part: part.box[1])
    tops: list[float] = []
    bottom = parts[0].box[3] if parts else 0.0
    for part in parts:
        if part.box[1] - bottom > _ROW_WHITE * part.size:
            tops.append(part.box[1])
        bottom = max(bottom, part.box[3])
    rows = _cut(columns, tops)
    together = sum(map(_begin_together, rows))
    if together < _MIN_TOGETHER or together < 0.6 * len(rows):
        return [columns]
    heads = [at for at, row in enumerate(rows[:-1]) if _heads(row, rows[at + 1])]
    if heads == [0] and together - 1 >= _MIN_TOGETHER:
        # The head of a table: of its parts, none alone heads what stands below.
        return [[[part for side in rows[0] for part in side], *([] for _ in columns[1:])], *rows[1:]]
    # Headings over columns: each goes with the text below it.
    return _cut(columns, [top for at, top in enumerate(tops) if at not in heads])


def _cut(columns: list[list[Fragment]], tops: list[float]) -> list[list[list[Fragment]]]:
    """Columns cut at these heights, each cut a row of parts of all columns."""
    rows: list[list[list[Fragment]]] = [[[] for _ in columns] for _ in range(len(tops) + 1)]
    for at, side in enumerate(columns):
        for part in side:
            rows[bisect_right(tops, part.box[1])][at].append(part)
    return rows


def _heads(row: list[list[Fragment]], below: list[list[Fragment]]) -> bool:
    """Whether each column of a row holds one short line, bolder or larger than what stands below it."""
    for side, under in zip(row, below, strict=True):
        if not side and not under:
            continue
        lines = _rows(side)
        if len(lines) != 1 or not under:
            return False
        bold = all(word.bold for part in side for word in part.words)
        bold_under = all(word.bold for part in under for word in part.words)
        larger = side[0].size >= _LARGER * median(part.size for part in under)
        if not larger and not (bold and not bold_under):
            return False
    return True


def _begin_together(row: list[list[Fragment]]) -> bool:
    """Whether at least two columns of a row hold text and begin on one baseline."""
    bases = [min(side, key=lambda part: part.base) for side in row if side]
    return len(bases) > 1 and all(
        abs(part.base - bases[0].base) <= _SAME_BASELINE * bases[0].size for part in bases
    )


def _gutter(fragments: list[Fragment], nested: bool = False) -> tuple[float, float] | None:
    """The blank strip between two columns of prose as (left, right), or None.

    Of three columns, two stand on one side of it: a side may be parted once more (`nested`).
    """
    if len(fragments) < 2 * _MIN_COLUMN_LINES:
        return None
    low, high = min(part.box[0] for part in fragments), max(part.box[2] for part in fragments)
    width = high - low
    if width <= 0:
        return None
    starts = sorted(part.box[0] for part in fragments if low + 0.25 * width < part.box[0] < low + 0.8 * width)
    best: tuple[int, float, float] | None = None
    for edge in sorted({round(start) for start in starts}):
        right = [
            part for part in fragments if abs(part.box[0] - edge) <= _EDGE_TOLERANCE or part.box[0] > edge
        ]
        left = [part for part in fragments if part.box[2] < edge]
        aligned = sum(abs(part.box[0] - edge) <= _EDGE_TOLERANCE for part in right)
        # The last column of a text may hold two lines only, beside a long one.
        least = _MIN_COLUMN_LINES if len(left) < 2 * _MIN_COLUMN_LINES else _MIN_COLUMN_LINES - 1
        if aligned < least or len(left) < _MIN_COLUMN_LINES:
            continue
        crossing = len(fragments) - len(left) - len(right)
        if crossing > 0.4 * len(fragments):
            continue
        inner = max(part.box[2] for part in left)
        start = min(part.box[0] for part in right)
        sides = ((left, low, inner), (right, start, high))
        if _run_on(left + right) and all(
            _prose(*side) or (not nested and _long(side[0]) and _gutter(side[0], nested=True) is not None)
            for side in sides
        ):
            score = aligned + len(left) - 2 * crossing
            if best is None or score > best[0]:
                best = (score, inner, start)
    return None if best is None else (best[1] + 0.1, max(best[2] - 0.1, best[1] + 0.2))


def _prose(parts: list[Fragment], low: float, high: float) -> bool:
    """True when most lines are words and fill their column, as labels and figures do not."""
    fill = median((part.box[2] - part.box[0]) for part in parts) / max(high - low, 1.0)
    return fill >= _MIN_FILL and _long(parts)


def _long(parts: list[Fragment]) -> bool:
    """True when most lines are longer than labels and figures."""
    return median(len(part.text) for part in parts) >= _MIN_PROSE_CHARS


def _run_on(parts: list[Fragment]) -> bool:
    """True when enough lines begin with a small letter: sentences that run on from the line above."""
    begins = [part.text[0] for part in parts]
    return sum(letter.islower() for letter in begins) >= _MIN_RUNNING_ON * len(begins)
