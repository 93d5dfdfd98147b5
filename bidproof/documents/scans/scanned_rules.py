"""Ruling lines of a scanned page, out of its picture: what lets a table be read from a scan.

Sees ink only: long straight strokes across and down. Reads no text.
"""

from __future__ import annotations

import re
from typing import Any

from bidproof.documents.grids.rules import Rules
from bidproof.documents.page import Affine, Rect, transform
from bidproof.documents.sheets.words import Fragment, Word

_DPI = 100
_STROKE = re.compile(r"[|¦\[\]!]{1,2}")
# Shorter strokes are letters and their underlines; a scan that is turned by half a degree still gives such runs.
_LONG, _SHORT = 28.0, 13.0
_NEAR, _CONTRAST, _DARK = 15, 12, 135
# The dark head of a table: a filled band, in which the lines between columns are hardly to be seen.
_SOLID, _WINDOW = 0.85, 9.0
_BAND_WIDE, _BAND_HIGH, _TALLEST, _TOUCHING = 40.0, 8.0, 80.0, 6.0
_BRIDGED = 5
_THICK_POINTS, _PEN_POINTS = 6.0, 4.0
_ACROSS, _DOWN = (1, 0), (0, 1)
_PIXELS = 12_000_000


def rules_of_scan(page: Any, to_page: Affine) -> Rules:
    """Rules of a page as displayed, in the reading frame.

    Args:
        page: the PyMuPDF page.
        to_page: maps the reading frame to the page as displayed.
    """
    import pymupdf

    area = max(abs(page.rect.width * page.rect.height), 1.0)
    dpi = max(20, min(_DPI, int(72 * (_PIXELS / area) ** 0.5)))
    gray = _gray(page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY, alpha=False))
    back: Affine = tuple(~pymupdf.Matrix(to_page))
    rules = Rules()
    for direction, shortest in ((_ACROSS, _LONG), (_DOWN, _SHORT)):
        for box in _strokes(gray, direction, 72 / dpi, shortest):
            _add(rules, box, back)
    for band in [transform(box, back) for box in _bands(gray, 72 / dpi)]:
        _close(rules, band)
    return rules


def _gray(pixmap: Any) -> Any:
    """A gray pixmap as an array of shape (height, width)."""
    import numpy as np

    rows = np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.stride)
    return np.array(rows[:, : pixmap.width])


def without_rules(picture: Any, dpi: int) -> Any:
    """A gray pixmap's colour copy without the rules and dark heads of its tables, for the recognition of text.

    (MuPDF's engine reads nothing at all on gray pictures.)

    The engine takes a small ruled table for a drawing and reads nothing in it. Strokes down the page go only
    where they meet one across: others are stems of large letters.
    """
    import numpy as np
    import pymupdf

    scale = 72 / dpi
    gray = _gray(picture)
    # Light letters in a dark head are read once they are dark on light.
    bands = _bands(gray, scale)
    for x0, y0, x1, y1 in bands:
        place = np.s_[round(y0 / scale) : round(y1 / scale), round(x0 / scale) : round(x1 / scale)]
        turned = 255.0 - gray[place]
        gray[place] = np.minimum(turned * (255 / max(float(np.median(turned)), 1.0)), 255).astype(np.uint8)
    across = [box for box in _strokes(gray, _ACROSS, scale, _LONG) if box[3] - box[1] <= _PEN_POINTS]
    down = [
        box
        for box in _strokes(gray, _DOWN, scale, _LONG)
        if box[2] - box[0] <= _PEN_POINTS and any(_meet(box, other) for other in across)
    ]
    paper = int(np.median(gray))
    for x0, y0, x1, y1 in across + down:
        if any(a < x0 and x1 < c and b + 2 < y0 and y1 < d - 2 for a, b, c, d in bands):
            continue
        top, left = max(int(y0 / scale) - 1, 0), max(int(x0 / scale) - 1, 0)
        gray[top : int(y1 / scale) + 2, left : int(x1 / scale) + 2] = paper
    cleaned = pymupdf.Pixmap(pymupdf.csGRAY, picture.width, picture.height, gray.tobytes(), False)
    cleaned.set_origin(picture.x, picture.y)
    return pymupdf.Pixmap(pymupdf.csRGB, cleaned)


def without_strokes(fragments: list[Fragment], rules: Rules) -> list[Fragment]:
    """Recognised text without the rules that the engine took for letters: a lone `|` on a line of a table."""
    kept = []
    for fragment in fragments:
        words = [
            word for word in fragment.words if not (_STROKE.fullmatch(word.text) and _lies_on(word, rules))
        ]
        if words:
            kept.append(fragment if len(words) == len(fragment.words) else Fragment(words, fragment.level))
    return kept


def _lies_on(word: Word, rules: Rules) -> bool:
    return any(
        word.x0 - _TOUCHING <= x <= word.x1 + _TOUCHING and y0 <= word.y1 and word.y0 <= y1
        for x, y0, _, y1 in rules.vertical
    )


def _meet(down: Rect, across: Rect) -> bool:
    inside = across[0] - _TOUCHING <= down[0] <= across[2] + _TOUCHING
    return inside and down[1] - _TOUCHING <= across[1] <= down[3] + _TOUCHING


def _strokes(gray: Any, direction: tuple[int, int], scale: float, shortest: float) -> list[Rect]:
    """Boxes of straight strokes in one direction, in points."""
    import cv2
    import numpy as np

    # Local means find faint lines on grey paper.
    near = cv2.blur(gray, (_NEAR, _NEAR)).astype(np.int16)
    ink = (gray.astype(np.int16) < near - _CONTRAST).astype(np.uint8) * 255
    wide, high = direction
    run = max(int(shortest / scale), 3)
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (run if wide else 1, run if high else 1))
    strokes = cv2.morphologyEx(ink, cv2.MORPH_OPEN, kernel)
    bridge = (_BRIDGED, 3) if wide else (3, _BRIDGED)
    joined = cv2.morphologyEx(strokes, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, bridge))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    return [
        (x * scale, y * scale, (x + width) * scale, (y + height) * scale)
        for x, y, width, height, _ in stats[1:].tolist()
    ]


def _bands(gray: Any, scale: float) -> list[Rect]:
    """Boxes of dark bands, in points."""
    import cv2
    import numpy as np

    # The mean over a letter's height: paper with text stays light, a band with light letters dark.
    window = max(int(_WINDOW / scale), 3)
    dark = (cv2.blur(gray, (window, window)) < _DARK).astype(np.uint8) * 255
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (int(_BAND_WIDE / scale), int(_BAND_HIGH / scale)))
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(dark, cv2.MORPH_OPEN, kernel))
    return [
        (x * scale, y * scale, (x + width) * scale, (y + height) * scale)
        for x, y, width, height, pixels in stats[1:].tolist()
        if height * scale <= _TALLEST and pixels >= _SOLID * width * height
    ]


def _close(rules: Rules, band: Rect) -> None:
    """Border a band, and draw the columns below it up through it."""
    x0, y0, x1, y1 = band
    for edge in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
        rules.add(edge)
    # Strokes inside are letters.
    inside = [v for v in rules.vertical if x0 + 1 < v[0] < x1 - 1 and y0 - 4 <= v[1] and v[3] <= y1 + 4]
    rules.vertical = [v for v in rules.vertical if v not in inside]
    rules.horizontal = [
        h for h in rules.horizontal if not (y0 + 2 < h[1] < y1 - 2 and x0 - 1 <= h[0] and h[2] <= x1 + 1)
    ]
    for at, rule in enumerate(rules.vertical):
        if x0 - 2 <= rule[0] <= x1 + 2 and abs(rule[1] - y1) <= _TOUCHING:
            rules.vertical[at] = (rule[0], y0, rule[2], rule[3])


def _add(rules: Rules, box: Rect, back: Affine) -> None:
    """Take up a stroke along its middle, however thick the pen was."""
    x0, y0, x1, y1 = box
    if min(x1 - x0, y1 - y0) > _THICK_POINTS:
        return
    if x1 - x0 >= y1 - y0:
        y0 = y1 = (y0 + y1) / 2
    else:
        x0 = x1 = (x0 + x1) / 2
    rules.add(transform((x0, y0, x1, y1), back))
