"""Ruling lines of a page, out of its drawings: what makes it worth a search for ruled tables.

Knows no text and builds no tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bidproof.documents.page import Affine, Rect, transform

_STRAIGHT = 0.5
# Real price schedules are ruled with filled boxes two points thick and more.
_THIN, _SLIM = 3.2, 5
_MIN_HORIZONTAL, _MIN_VERTICAL = 8.0, 4.0
_DARK = 0.9
_SHADED = 0.985
# A shaded row is as high as a line of small print at least, and no whole page.
_MIN_BAND, _LOWEST_BAND, _HIGHEST_BAND = 20, 6, 250


@dataclass(slots=True)
class Rules:
    """Rules in the reading frame, `(x0, y0, x1, y1)` each, and fills in MuPDF's page space.

    `horizontals` and `verticals` count as a person would: a box gives two of each, filled or not.
    `borders` are upper and lower edges of shaded bands: they part rows as rules do.
    """

    horizontal: list[Rect] = field(default_factory=list)
    vertical: list[Rect] = field(default_factory=list)
    horizontals: int = 0
    verticals: int = 0
    fills: list[Rect] = field(default_factory=list)
    borders: set[Rect] = field(default_factory=set)

    @property
    def levels(self) -> list[Rect]:
        """All that may part rows: horizontal rules and borders of shaded bands."""
        return self.horizontal + sorted(self.borders)

    def shade(self, box: Rect) -> None:
        """Take up a shaded area, given in the reading frame."""
        x0, y0, x1, y1 = (round(each) for each in box)
        if x1 - x0 >= _MIN_BAND and _LOWEST_BAND <= y1 - y0 <= _HIGHEST_BAND:
            self.borders.update([(x0, y0, x1, y0), (x0, y1, x1, y1)])

    def add(self, box: Rect) -> None:
        """Take up a straight segment or a thin box, given in the reading frame."""
        x0, y0, x1, y1 = box
        width, height = x1 - x0, y1 - y0
        if height <= _THIN and width >= max(_MIN_HORIZONTAL, _SLIM * height):
            middle = (y0 + y1) / 2
            self.horizontal.append((x0, middle, x1, middle))
            self.horizontals += 1
        elif width <= _THIN and height >= max(_MIN_VERTICAL, _SLIM * width):
            middle = (x0 + x1) / 2
            self.vertical.append((middle, y0, middle, y1))
            self.verticals += 1


def find_rules(drawings: Iterable[dict[str, Any]], matrix: Affine) -> Rules:
    """Rules and fills of MuPDF's drawings; `matrix` maps into the reading frame."""
    rules = Rules()
    for drawing in drawings:
        stroked, filled = "s" in drawing["type"], "f" in drawing["type"]
        fill = drawing.get("fill") or ()
        dark = filled and bool(fill) and min(fill) < _DARK
        shaded = filled and bool(fill) and min(fill) < _SHADED
        boxes = False
        for kind, box in _parts(drawing["items"]):
            frame = transform(box, matrix)
            thin = min(frame[2] - frame[0], frame[3] - frame[1]) <= _THIN
            if kind == "line":
                if stroked and thin:
                    rules.add(frame)
                continue
            boxes = True
            if thin:
                rules.add(frame)
                continue
            if dark:
                rules.fills.append(box)
            if shaded:
                rules.shade(frame)
            if stroked:
                _add_edges(rules, frame)
            elif filled:
                rules.horizontals += 2
                rules.verticals += 2
        if filled and not boxes:
            _add_outline(rules, drawing["rect"], matrix, dark, shaded)
    return rules


def _parts(items: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, Rect]]:
    for item in items:
        if item[0] == "l":
            (ax, ay), (bx, by) = item[1], item[2]
            if abs(ax - bx) <= _STRAIGHT or abs(ay - by) <= _STRAIGHT:
                yield "line", (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        elif item[0] == "re":
            x0, y0, x1, y1 = item[1]
            yield "box", (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        elif item[0] == "qu":
            xs, ys = [point[0] for point in item[1]], [point[1] for point in item[1]]
            yield "box", (min(xs), min(ys), max(xs), max(ys))


def _add_edges(rules: Rules, box: Rect) -> None:
    x0, y0, x1, y1 = box
    for edge in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
        rules.add(edge)


def _add_outline(rules: Rules, rect: Rect, matrix: Affine, dark: bool, shaded: bool) -> None:
    """A filled path drawn as lines: a rule when it is thin, a background when it is not."""
    frame = transform(tuple(rect), matrix)  # type: ignore[arg-type]
    if min(frame[2] - frame[0], frame[3] - frame[1]) <= _THIN:
        rules.add(frame)
        return
    if shaded:
        rules.shade(frame)
    if dark:
        rules.fills.append((rect[0], rect[1], rect[2], rect[3]))
