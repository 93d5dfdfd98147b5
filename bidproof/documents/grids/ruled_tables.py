"""Ruled tables: Camelot's lattice finds the grids, the page's own words fill the cells.

Camelot reads a page's rules with a second PDF parser, which costs some 30 ms a page and joins words
wrongly here and there. Its vector engine needs rules and boxes of words only, so it is given those that
were read already: same grids, a tenth of the time, the figures as printed, and no second coordinate
system with its own idea of rotation and crop boxes.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from typing import Any

from bidproof.documents.grids.row_splitting import split_rows
from bidproof.documents.grids.rules import Rules
from bidproof.documents.grids.unruled_tables import find_unruled
from bidproof.documents.page import Grid, GridCell, Rect, around
from bidproof.documents.sheets.word import Word
from bidproof.documents.sheets.words import Fragment
from bidproof.documents.structure.columns import lines_of

MAX_CROSSINGS = 4_000_000
_TOLERANCE = 2.0
_EDGE_SHARE = 0.6
_SLIVER = 4.0
_WIDE = 4
_MIN_TABULAR, _TABULAR, _LEFT_OVER = 3, 0.3, 0.4


class _Text:
    """A word in the shape that Camelot asks of a text line: origin bottom left."""

    __slots__ = ("text", "x0", "x1", "y0", "y1")

    def __init__(self, word: Word, height: float) -> None:
        self.text = word.text
        self.x0, self.x1, self.y0, self.y1 = word.x0, word.x1, height - word.y1, height - word.y0

    def get_text(self) -> str:
        return self.text


def find_grids(rules: Rules, fragments: list[Fragment], frame: Rect) -> tuple[list[Grid], list[Fragment]]:
    """Grids from top to bottom with their cells filled, and the fragments that lie in no cell.

    A fragment that crosses cells is parted at the cells' borders; no word is in two places or in none.
    """
    found = _lattice(rules, fragments, frame)
    grids: list[Grid] = []
    rest = fragments
    for table in sorted(found, key=lambda each: -each._bbox[3]):
        shape = _Shape(table, rules, frame[3])
        if len(shape.cols) < 2 or len(shape.rows) < 1:
            continue
        grid, rest = shape.fill(rest)
        # A frame around text is no table; a page that holds but one cell of a wide table's row is part of one.
        filled = sum(bool(cell.lines) for cell in grid.cells)
        if filled < 1 or (filled < 2 and len(grid.cells) < _WIDE):
            rest = rest + [Fragment(words) for words in shape.taken]
            continue
        if _is_coarse(grid, shape.taken, rules):
            rest = rest + [Fragment(words) for words in shape.taken]
            continue
        grids.append(grid)
    return grids, rest


def _is_coarse(grid: Grid, taken: list[list[Word]], rules: Rules) -> bool:
    """Whether the places of the words make a finer table than the rules do.

    Statements of accounts underline single columns. Those strokes cross into a grid of a few cells, each of
    which holds several rows and columns of figures.
    """
    lines = [line for cell in grid.cells for line in cell.lines]
    if sum(line.tabular for line in lines) < max(_MIN_TABULAR, _TABULAR * len(lines)):
        return False
    found, left = find_unruled([Fragment(words) for words in taken], rules.levels)
    return bool(found) and sum(len(part.words) for part in left) <= _LEFT_OVER * sum(map(len, taken))


def too_dense(rules: Rules) -> bool:
    """True for a drawing rather than a table: so many rules that looking for crossings would take minutes."""
    return len(rules.horizontal) * len(rules.vertical) > MAX_CROSSINGS


def _lattice(rules: Rules, fragments: list[Fragment], frame: Rect) -> list[Any]:
    from camelot.parsers import Lattice
    from playa.miner import LTLine

    height = frame[3]
    layout = []
    for x0, y0, x1, y1 in rules.horizontal + rules.vertical:
        line = LTLine()
        line.x0, line.y0, line.x1, line.y1 = x0, height - y1, x1, height - y0
        line.stroke = True
        layout.append(line)
    texts = [_Text(word, height) for fragment in fragments for word in fragment.words]
    parser = Lattice(engine="vector")
    parser.prepare_page_parse("page.pdf", layout, (frame[2], height), 1, [], texts, [], "", {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(parser.extract_tables())


class _Shape:
    """Rows and columns of one grid and which neighbours are one merged cell. Frame space, y down."""

    def __init__(self, table: Any, rules: Rules, height: float) -> None:
        self.rows = [(height - top, height - bottom) for top, bottom in table.rows]
        self.cols = [(left, right) for left, right in table.cols]
        self.taken: list[list[Word]] = []
        self._parent = {(r, c): (r, c) for r in range(len(self.rows)) for c in range(len(self.cols))}
        left, right = self.cols[0][0], self.cols[-1][1]
        top, bottom = self.rows[0][0], self.rows[-1][1]
        self.box: Rect = (left, top, right, bottom)
        uprights = [v for v in rules.vertical if left - 2 <= v[0] <= right + 2]
        levels = [h for h in rules.horizontal if top - 2 <= h[1] <= bottom + 2]
        self._merge_across(uprights)
        self._merge_down(levels)
        self.regions: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for place in sorted(self._parent):
            self.regions[self._root(place)].append(place)

    def _root(self, place: tuple[int, int]) -> tuple[int, int]:
        while self._parent[place] != place:
            place = self._parent[place]
        return place

    def _merge(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        first, second = sorted((self._root(one), self._root(other)))
        self._parent[second] = first

    def _merge_across(self, uprights: list[Rect]) -> None:
        for c in range(len(self.cols) - 1):
            at = self.cols[c][1]
            spans = [(v[1], v[3]) for v in uprights if abs(v[0] - at) <= _TOLERANCE]
            for r, (top, bottom) in enumerate(self.rows):
                if _covered(spans, top, bottom) < _EDGE_SHARE:
                    self._merge((r, c), (r, c + 1))

    def _merge_down(self, levels: list[Rect]) -> None:
        for r in range(len(self.rows) - 1):
            at = self.rows[r][1]
            spans = [(h[0], h[2]) for h in levels if abs(h[1] - at) <= _TOLERANCE]
            for c, (left, right) in enumerate(self.cols):
                if _covered(spans, left, right) < _EDGE_SHARE:
                    self._merge((r, c), (r + 1, c))

    def find(self, word: Word) -> tuple[int, int] | None:
        """Root of the merged cell that holds the middle of a word."""
        x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
        row = next((r for r, (top, bottom) in enumerate(self.rows) if top - 1 <= y < bottom), None)
        col = next((c for c, (left, right) in enumerate(self.cols) if left - 1 <= x < right + 1), None)
        return None if row is None or col is None else self._root((row, col))

    def fill(self, fragments: list[Fragment]) -> tuple[Grid, list[Fragment]]:
        """The grid with text, and the fragments outside."""
        held: dict[tuple[int, int], list[Fragment]] = defaultdict(list)
        rest: list[Fragment] = []
        for fragment in fragments:
            if not _touches(fragment.box, self.box):
                rest.append(fragment)
                continue
            run: list[Word] = []
            place: tuple[int, int] | None = None
            for word in [*fragment.words, None]:
                at = None if word is None or word.struck or word.hidden else self.find(word)
                if run and (word is None or at != place):
                    (rest if place is None else held[place]).append(Fragment(run, fragment.level))
                    run = []
                if word is not None:
                    run.append(word)
                    place = at
        self.taken = [part.words for parts in held.values() for part in parts]
        cells = [self._cell(places, held.get(root, [])) for root, places in self.regions.items()]
        cells = _without_slivers(cells)
        edges = tuple(round(left, 1) for left, _ in self.cols) + (round(self.cols[-1][1], 1),)
        return split_rows(Grid(self.box, len(self.rows), edges, cells)), rest

    def _cell(self, places: list[tuple[int, int]], parts: list[Fragment]) -> GridCell:
        boxes: list[Rect] = [
            (self.cols[c][0], self.rows[r][0], self.cols[c][1], self.rows[r][1]) for r, c in places
        ]
        row, last_row = min(r for r, _ in places), max(r for r, _ in places)
        col, last_col = min(c for _, c in places), max(c for _, c in places)
        lines = lines_of(parts)
        if lines and last_col > col:
            # A value printed under one column of a merged cell belongs to that column.
            x0, _, x1, _ = around([line.box for line in lines])
            col = next(
                (c for c in range(col, last_col + 1) if self.cols[c][0] <= x0 and x1 <= self.cols[c][1]), col
            )
        return GridCell(row, col, around(boxes), lines, last_row - row + 1, last_col - col + 1)


def _covered(spans: list[tuple[float, float]], low: float, high: float) -> float:
    """Share of `low` to `high` that the spans cover."""
    total, reached = 0.0, low
    for start, end in sorted(spans):
        start, end = max(start - _TOLERANCE, reached), min(end + _TOLERANCE, high)
        if end > start:
            total += end - start
            reached = end
    return total / max(high - low, 0.1)


def _touches(box: Rect, other: Rect) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _without_slivers(cells: list[GridCell]) -> list[GridCell]:
    """Cells less those between the two strokes of a double rule, which hold nothing."""
    return [
        cell
        for cell in cells
        if cell.lines or (cell.box[2] - cell.box[0] > _SLIVER and cell.box[3] - cell.box[1] > _SLIVER)
    ]
