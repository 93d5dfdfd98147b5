"""What one page yields before the document is looked at as a whole: lines in reading order and grids.

These records cross process borders, so they are small and hold plain values. Coordinates are in the
page's reading frame (turned so that most of its text runs left to right) until `to_page` maps them back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

Rect = tuple[float, float, float, float]
Affine = tuple[float, float, float, float, float, float]


class Line(NamedTuple):
    """One printed line, or one side of it where the page has columns.

    `column` tells apart areas of the page that are read one after another; `tabular` is a line of several
    parts with wide gaps between, as in a table without rules.
    """

    text: str
    box: Rect
    size: float
    bold: bool
    struck: bool = False
    hidden: bool = False
    level: bool = True
    tabular: bool = False
    column: int = 0
    slant: bool = False
    underlined: bool = False


class Remark(NamedTuple):
    """What a reader must know of a page (or, with `page` 0, of the file) beside its text.

    `box` is on the page as displayed; all zeros where there is no place. `citable` tells whether `text` may
    stand as evidence. Severity is `info`, `warn` or `alert`.
    """

    page: int
    kind: str
    text: str
    detail: str
    severity: str = "info"
    citable: bool = False
    box: Rect = (0.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class GridCell:
    """A cell of a table; merged cells are one, at their first row and column."""

    row: int
    col: int
    box: Rect
    lines: list[Line]
    row_span: int = 1
    col_span: int = 1


@dataclass(slots=True)
class Grid:
    """A table on one page: found by its rules, or by the places of its words.

    `heads` is the number of rows on top that head columns, where that is known.
    """

    box: Rect
    rows: int
    edges: tuple[float, ...]
    cells: list[GridCell]
    heads: int | None = None
    ruled: bool = True

    def row(self, number: int) -> list[GridCell]:
        """Cells that begin in a row, left to right."""
        return sorted((cell for cell in self.cells if cell.row == number), key=lambda cell: cell.col)

    def reaching(self, number: int) -> list[GridCell]:
        """Cells that begin in a row or are merged down into it."""
        return [cell for cell in self.cells if cell.row <= number < cell.row + cell.row_span]


@dataclass(slots=True)
class RawPage:
    """One page as read. `status` and `coverage` are as in the pages table."""

    page: int
    width: float = 0.0
    height: float = 0.0
    rotation: int = 0
    frame: Rect = (0.0, 0.0, 0.0, 0.0)
    to_page: Affine = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    lines: list[Line] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    status: str = "unreadable"
    coverage: float = 0.0
    chars: int = 0
    ruled: bool = False
    language: str = ""
    label: str = ""
    notes: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    lacking: tuple[str, ...] = ()

    def place(self, box: Rect) -> Rect:
        """A box of the reading frame on the page as displayed, rounded to a hundredth of a point."""
        x0, y0, x1, y1 = transform(box, self.to_page)
        return round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)


def transform(box: Rect, matrix: Affine) -> Rect:
    """The box around `box` mapped by `matrix`."""
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = box
    if b == c == 0 and a > 0 and d > 0:
        # Nearly all pages are upright, and this runs for each word.
        return a * x0 + e, d * y0 + f, a * x1 + e, d * y1 + f
    xs = [a * x + c * y + e for x, y in ((x0, y0), (x1, y1), (x0, y1), (x1, y0))]
    ys = [b * x + d * y + f for x, y in ((x0, y0), (x1, y1), (x0, y1), (x1, y0))]
    return min(xs), min(ys), max(xs), max(ys)


def around(boxes: list[Rect]) -> Rect:
    """The box around all of `boxes`, which must not be empty."""
    if len(boxes) == 1:
        return boxes[0]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
