"""How far a scan lies askew, and its picture laid straight: rules and rows are found on level pictures only.

Turns by a few degrees; a page that lies on its side is turned in `recognition`. Reads no text.
"""

from __future__ import annotations

from math import cos, radians, sin, tan
from statistics import median
from typing import Any, NamedTuple

from bidproof.documents.page import Affine

# Feeders of scanners draw pages in askew by some degrees; more is a page that somebody laid down turned.
_MOST = 10.0
_COARSE, _FINE = 0.5, 0.05
# Under this a rule across a page climbs by two points: what reads level pictures stands that.
LEVEL = 0.2
_DPI = 75
_NEAR, _CONTRAST = 15, 12
# Shadows along the edges of the glass lie level whatever the paper does.
_EDGE = 0.03
_DOTS, _FEWEST = 40_000, 200
# The sharpness of the rows must rise that much for a page to be turned: pictures without rows have no best angle.
_SHARPER = 1.25
# And stand out from the run of angles: in noise all are much alike.
_CLEAR = 1.6


class Straight(NamedTuple):
    """A picture laid straight: array of shape (height, width), and by how many pixels its edges moved out."""

    gray: Any
    left: int
    top: int


def skew_of(gray: Any, scale: float) -> float:
    """Degrees by which the rows of a gray picture fall to the right; 0 for level pictures and those without rows.

    Args:
        gray: array of shape (height, width).
        scale: points per pixel.
    """
    dots = _dots(gray, scale)
    if dots is None:
        return 0.0
    x, y = dots
    coarse = [_COARSE * step for step in range(-round(_MOST / _COARSE), round(_MOST / _COARSE) + 1)]
    found = {angle: _sharpness(x, y, angle) for angle in coarse}
    best = max(coarse, key=lambda angle: (found[angle], -abs(angle)))
    if found[best] < _CLEAR * median(found.values()):
        return 0.0
    fine = [best + _FINE * step for step in range(-round(_COARSE / _FINE), round(_COARSE / _FINE) + 1)]
    best = max(fine, key=lambda angle: (_sharpness(x, y, angle), -abs(angle)))
    if abs(best) < LEVEL or abs(best) > _MOST:
        return 0.0
    return round(best, 2) if _sharpness(x, y, best) >= _SHARPER * _sharpness(x, y, 0.0) else 0.0


def straightened(gray: Any, angle: float) -> Straight:
    """A gray picture whose rows fall by `angle` degrees, turned back about its middle; no corner is cut off."""
    if not angle:
        return Straight(gray, 0, 0)
    import cv2
    import numpy as np

    height, width = gray.shape
    lean = abs(sin(radians(angle)))
    left, top = int(lean * height / 2) + 1, int(lean * width / 2) + 1
    a, b, c, d, e, f = askew(width, height, angle)
    moved = np.array([[a, c, e - a * left - c * top], [b, d, f - b * left - d * top]])
    size = (width + 2 * left, height + 2 * top)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    # The paper goes on: white corners beside grey paper would look like rules.
    turned = cv2.warpAffine(gray, moved, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return Straight(turned, left, top)


def askew(width: float, height: float, angle: float) -> Affine:
    """Matrix from a picture or page laid straight to the one that lies askew, about the middle of both."""
    across, down = cos(radians(angle)), sin(radians(angle))
    x, y = width / 2, height / 2
    return across, down, -down, across, x - across * x + down * y, y - down * x - across * y


def _dots(gray: Any, scale: float) -> tuple[Any, Any] | None:
    """Places of ink, at most some ten thousand; None for a picture with hardly any."""
    import cv2
    import numpy as np

    shrink = scale * _DPI / 72
    if shrink < 1:
        gray = cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    rows, columns = int(gray.shape[0] * _EDGE), int(gray.shape[1] * _EDGE)
    gray = gray[rows : gray.shape[0] - rows, columns : gray.shape[1] - columns]
    if min(gray.shape) <= _NEAR:
        return None
    near = cv2.blur(gray, (_NEAR, _NEAR)).astype(np.int16)
    y, x = np.nonzero(gray.astype(np.int16) < near - _CONTRAST)
    if len(x) < _FEWEST:
        return None
    step = 1 + len(x) // _DOTS
    return x[::step].astype(np.float32), y[::step].astype(np.float32)


def _sharpness(x: Any, y: Any, angle: float) -> float:
    """How sharply the ink falls into rows at an angle: squared steps between neighbouring rows of it."""
    import numpy as np

    height = y - x * np.float32(tan(radians(angle)))
    rows = np.bincount((height - height.min()).astype(np.int32)).astype(np.float64)
    steps = np.diff(rows)
    return float(np.dot(steps, steps))
