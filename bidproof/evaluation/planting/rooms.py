"""Where on a page of a bidder there is room for a few lines. Draws nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_TOP, _BOTTOM = 56.0, 64.0
# Air above and below what is put in, so that it is a paragraph of its own.
_AIR = 15.0
_LEFT, _RIGHT = (46.0, 150.0), 50.0
_BACKDROP = 0.6


@dataclass(frozen=True)
class Room:
    """A free band of a page over its whole width: first baseline's top and the last line's bottom, in points."""

    page: int
    x: float
    y: float
    bottom: float
    width: float

    @property
    def height(self) -> float:
        """Points from top to bottom."""
        return self.bottom - self.y


def rooms_of(document: Any, height: float) -> list[Room]:
    """One band of each page that has one at least `height` points high, the lowest; pages that are turned or cut have none.

    Args:
        document: an open `pymupdf` document.
        height: what must fit in.
    """
    found = []
    for number, page in enumerate(document):
        if page.rotation or page.cropbox != page.mediabox or not page.rect.width:
            continue
        room = _room(page, number, height)
        if room is not None:
            found.append(room)
    return found


def _room(page: Any, number: int, height: float) -> Room | None:
    width, end = page.rect.width, page.rect.height
    taken, lefts = [(0.0, _TOP - _AIR), (end - _BOTTOM + _AIR, end)], []
    for kind, (x0, y0, x1, y1) in page.get_bboxlog():
        # A backdrop or a frame round the page takes no room; a picture as large as the page is a scan and leaves none.
        large = (x1 - x0) * (y1 - y0) > _BACKDROP * width * end
        if kind == "ignore-text" or (large and "path" in kind):
            continue
        taken.append((y0, y1))
        if "text" in kind:
            lefts.append(x0)
    if not lefts:
        return None
    last, bands = 0.0, []
    for start, stop in sorted(taken):
        if start - last >= height + 2 * _AIR:
            bands.append((last + _AIR, start - _AIR))
        last = max(last, stop)
    if not bands:
        return None
    x = min(max(min(lefts), _LEFT[0]), _LEFT[1])
    return Room(number, x, bands[-1][0], bands[-1][1], width - x - _RIGHT)
