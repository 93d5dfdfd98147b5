"""Ruling lines of a scanned page, out of its picture: what lets a table be read from a scan.

Sees ink only: long straight strokes across and down. Reads no text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bidproof.documents.drawing import draw
from bidproof.documents.grids.rules import Rules
from bidproof.documents.page import Affine, Rect, transform
from bidproof.documents.scans.skew import askew, straightened
from bidproof.documents.sheets.word import Word
from bidproof.documents.sheets.words import Fragment

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


def rules_of_scan(page: Any, to_page: Affine, skew: float = 0.0, struck: Sequence[Rect] = ()) -> Rules:
    """Rules of a page as displayed, in the reading frame.

    Args:
        page: the PyMuPDF page.
        to_page: maps the reading frame to the page as displayed.
        skew: degrees by which the page lies askew.
        struck: boxes in the reading frame of what is crossed out: the strokes in there are no rules.
    """
    import pymupdf

    area = max(abs(page.rect.width * page.rect.height), 1.0)
    dpi = max(20, min(_DPI, int(72 * (_PIXELS / area) ** 0.5)))
    drawn = draw(page, pymupdf.csGRAY, dpi=dpi)
    scale = 72 / dpi
    gray, left, top = straightened(gray_of(drawn), skew)
    # The turns cancel but for the last digits, which would make slanted boxes of rules.
    lay = pymupdf.Matrix(askew(page.rect.width, page.rect.height, skew)) if skew else pymupdf.Matrix(1, 1)
    onto = pymupdf.Matrix(1, 0, 0, 1, -left * scale, -top * scale) * lay * ~pymupdf.Matrix(to_page)
    a, b, c, d, e, f = (round(each, 9) for each in onto)
    back: Affine = (a, b, c, d, e, f)
    rules, ink = Rules(), ink_of(gray)
    for direction, shortest in ((_ACROSS, _LONG), (_DOWN, _SHORT)):
        for box in _strokes(ink, direction, scale, shortest):
            if direction == _DOWN or not _inside_any(transform(box, back), struck):
                _add(rules, box, back)
    for band in [transform(box, back) for box in _bands(gray, scale)]:
        _close(rules, band)
    return rules


def _inside_any(stroke: Rect, boxes: Sequence[Rect]) -> bool:
    x, y = (stroke[0] + stroke[2]) / 2, (stroke[1] + stroke[3]) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in boxes)


def gray_of(pixmap: Any) -> Any:
    """A gray pixmap as an array of shape (height, width)."""
    import numpy as np

    rows = np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.stride)
    return np.array(rows[:, : pixmap.width])


def without_rules(gray: Any, scale: float) -> Any:
    """A gray picture without the rules and dark heads of its tables, for the recognition of text.

    The engine takes a small ruled table for a drawing and reads nothing in it. Strokes down the page go only
    where they meet one across: others are stems of large letters.

    Args:
        gray: array of shape (height, width), laid straight; it is changed.
        scale: points per pixel.
    """
    import numpy as np

    # Light letters in a dark head are read once they are dark on light.
    bands = _bands(gray, scale)
    for x0, y0, x1, y1 in bands:
        place = np.s_[round(y0 / scale) : round(y1 / scale), round(x0 / scale) : round(x1 / scale)]
        turned = 255.0 - gray[place]
        gray[place] = np.minimum(turned * (255 / max(float(np.median(turned)), 1.0)), 255).astype(np.uint8)
    ink = ink_of(gray)
    across = [box for box in _strokes(ink, _ACROSS, scale, _LONG) if box[3] - box[1] <= _PEN_POINTS]
    down = [
        box
        for box in _strokes(ink, _DOWN, scale, _LONG)
        if box[2] - box[0] <= _PEN_POINTS and any(_meet(box, other) for other in across)
    ]
    paper = int(np.median(gray))
    for x0, y0, x1, y1 in across + down:
        if any(a < x0 and x1 < c and b + 2 < y0 and y1 < d - 2 for a, b, c, d in bands):
            continue
        top, left = max(int(y0 / scale) - 1, 0), max(int(x0 / scale) - 1, 0)
        gray[top : int(y1 / scale) + 2, left : int(x1 / scale) + 2] = paper
    return gray


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


def ink_of(gray: Any, contrast: int = _CONTRAST) -> Any:
    """Where a gray picture is darker by `contrast` than what lies around (255) and where not (0)."""
    import cv2
    import numpy as np

    # Local means find faint lines on grey paper.
    near = cv2.blur(gray, (_NEAR, _NEAR)).astype(np.int16)
    return (gray.astype(np.int16) < near - contrast).astype(np.uint8) * 255


def uprights_of(ink: Any, scale: float) -> list[Rect]:
    """Boxes of the long strokes down a picture of ink, in points."""
    return _strokes(ink, _DOWN, scale, _LONG)


def _strokes(ink: Any, direction: tuple[int, int], scale: float, shortest: float) -> list[Rect]:
    """Boxes of straight strokes in one direction, in points; gaps in them are bridged."""
    import cv2

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
