"""Framed boxes that stand side by side: each is read through before the next, as columns are.

Knows boxes by their rules only. Boxes that share a rule are cells of a table and none of this.
"""

from __future__ import annotations

from itertools import pairwise

from bidproof.documents.page import Rect
from bidproof.documents.sheets.words import Fragment

_NEAR, _MIN_GAP, _MAX_GAP = 2.0, 2.0, 80.0
_MIN_WIDTH = 40.0
# More rules than so are those of tables and drawings.
_MOST = 80


def box_rows(horizontal: list[Rect], vertical: list[Rect]) -> list[list[Rect]]:
    """Rows of two or more boxes with white between, from top to bottom; boxes of a row are as high."""
    if not 4 <= len(vertical) <= _MOST or not 4 <= len(horizontal) <= _MOST:
        return []
    by_height: dict[tuple[int, int], list[Rect]] = {}
    for rule in sorted(vertical):
        key = next(
            (
                each
                for each in by_height
                if abs(each[0] - rule[1]) <= _NEAR and abs(each[1] - rule[3]) <= _NEAR
            ),
            (round(rule[1]), round(rule[3])),
        )
        by_height.setdefault(key, []).append(rule)
    rows = []
    for (top, bottom), rules in sorted(by_height.items()):
        row: list[Rect] = []
        for left, right in pairwise(rules):
            x0, x1 = left[0], right[0]
            if (
                x1 - x0 >= _MIN_WIDTH
                and _closed(horizontal, x0, x1, top)
                and _closed(horizontal, x0, x1, bottom)
            ):
                row.append((x0, float(top), x1, float(bottom)))
        gaps = [after[0] - before[2] for before, after in pairwise(row)]
        if gaps and all(_MIN_GAP <= gap <= _MAX_GAP for gap in gaps):
            rows.append(row)
    return rows


def _closed(horizontal: list[Rect], x0: float, x1: float, y: float) -> bool:
    """Whether a rule at this height ends where the box does: one that runs on is that of a table."""
    return any(
        abs(rule[1] - y) <= _NEAR and abs(rule[0] - x0) <= _NEAR and abs(rule[2] - x1) <= _NEAR
        for rule in horizontal
    )


def read_boxes_apart(fragments: list[Fragment], rows: list[list[Rect]]) -> list[list[Fragment]]:
    """Fragments in groups to be read one after another: above a row of boxes, each box, below.

    A row of boxes counts only where each holds two lines or more (labels and values stay on their lines) and where
    nothing stands beside it.
    """
    groups: list[list[Fragment]] = []
    rest = fragments
    for row in rows:
        top, bottom = row[0][1], row[0][3]
        beside = [part for part in rest if top <= _middle(part)[1] <= bottom]
        held = [[part for part in beside if box[0] <= _middle(part)[0] <= box[2]] for box in row]
        if sum(map(len, held)) < len(beside) or any(
            len({round(part.base) for part in box}) < 2 for box in held
        ):
            continue
        groups += [[part for part in rest if _middle(part)[1] < top], *held]
        rest = [part for part in rest if _middle(part)[1] > bottom]
    return [group for group in [*groups, rest] if group]


def _middle(part: Fragment) -> tuple[float, float]:
    return (part.box[0] + part.box[2]) / 2, (part.box[1] + part.box[3]) / 2
