"""Words that are crossed out on a scan: found by the stroke through their middle, before rules are wiped.

A stroke that is left in the picture turns `60` into `68`, one that is wiped makes it live again: what is crossed
out is taken out of the picture and read by itself. Sees ink only; reads no text.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bidproof.documents.page import Rect
from bidproof.documents.scans.scanned_rules import ink_of, strokes_across, uprights_of

# The shortest stroke that is looked at, about one figure; the thickest pen.
_LONG, _PEN = 5.5, 3.2
# Letters reach no farther from the stroke than that, and are no lower in all.
_REACH, _LOWEST, _HIGHEST = 20.0, 4.0, 36.0
# Share of the letters' height at which the stroke runs, from their top: bars of T and underlines lie outside.
_TOP, _BOTTOM = 0.25, 0.8
# A stroke as long as several letters crosses the gaps between them: no letter has such a bar. A shorter one
# must stand out on both sides of its letter, as the bars of H, A and E do not and that of 4 does a little.
_SEVERAL, _SHORTEST, _OUT, _FAR_OUT = 1.3, 0.6, 0.05, 0.09
_COVERED = 0.6
# A plus sign: a stroke with next to nothing above and below.
_NARROW = 0.35
# Shares of the letters' height: the thickest pen, the gap between words. Shares of a word and of the letters on
# either side: what a stroke covers at least, what it touches at least.
_THICKEST, _GAP, _WHOLE, _BOTH = 0.45, 0.28, 0.85, 0.4
_MANY = 4000


class Strike(NamedTuple):
    """A crossed-out word or passage: the box of its letters and that of the stroke, in points of the picture."""

    letters: Rect
    stroke: Rect


def find_strikes(gray: Any, scale: float) -> list[Strike] | None:
    """What is crossed out in a gray picture, top to bottom; None where hatching or a halftone hides it.

    Args:
        gray: array of shape (height, width), laid straight.
        scale: points per pixel.
    """
    ink = ink_of(gray)
    found = [box for box in strokes_across(ink, scale, _LONG) if box[3] - box[1] <= _PEN]
    if len(found) > _MANY:
        return None
    strikes = []
    for box in found:
        letters = _crossed(ink, [round(side / scale) for side in box], scale)
        if letters is not None:
            strikes.append(Strike(letters, box))
    if strikes:
        # A stroke that meets one down the page borders a table.
        uprights = uprights_of(ink, scale)
        strikes = [each for each in strikes if not any(_borders(each.stroke, box) for box in uprights)]
    return sorted(strikes, key=lambda strike: (strike.letters[1], strike.letters[0]))


def parted(gray: Any, strikes: list[Strike], scale: float) -> tuple[Any, Any]:
    """The picture without what is crossed out, and what is crossed out alone, without its strokes."""
    import numpy as np

    paper = int(np.median(gray))
    live, struck = gray.copy(), np.full_like(gray, paper)
    for letters, _ in strikes:
        place = _window(letters, scale, 1)
        struck[place] = gray[place]
        live[place] = paper
    for _, stroke in strikes:
        struck[_window(stroke, scale, 1)] = _bridged(struck, _window(stroke, scale, 1), paper)
    return live, struck


def _window(box: Rect, scale: float, margin: int) -> tuple[slice, slice]:
    x0, y0, x1, y1 = (round(side / scale) for side in box)
    return slice(max(y0 - margin, 0), y1 + margin), slice(max(x0 - margin, 0), x1 + margin)


def _bridged(gray: Any, place: tuple[slice, slice], paper: int) -> Any:
    """What a stroke covers as the letters above and below it go on: ink where both have ink."""
    import numpy as np

    rows, columns = place
    above = gray[max(rows.start - 1, 0), columns].astype(np.int16)
    below = gray[min(rows.stop, gray.shape[0] - 1), columns].astype(np.int16)
    line = np.maximum(above, below).astype(gray.dtype)
    return np.broadcast_to(line, (gray[place].shape[0], line.shape[0]))


def _borders(stroke: Rect, upright: Rect) -> bool:
    x0, y0, x1, y1 = upright
    level = (stroke[1] + stroke[3]) / 2
    return stroke[0] - 1 <= x1 and x0 <= stroke[2] + 1 and y0 - 1 <= level <= y1 + 1


def _crossed(ink: Any, stroke: list[int], scale: float) -> Rect | None:
    """Box in points of the words that a stroke (in pixels) crosses out; None where it crosses none."""
    import numpy as np

    x0, y0, x1, y1 = stroke
    reach = round(_REACH / scale)
    columns = slice(max(x0, 0), x1)
    above = ink[max(y0 - reach, 0) : y0, columns][::-1]
    below = ink[y1 : y1 + reach, columns]
    up, down = _run(above), _run(below)
    height, pen = up + down + y1 - y0, y1 - y0
    if not up or not down or not _LOWEST <= height * scale <= _HIGHEST or max(up, down) >= reach:
        return None
    if not _TOP <= (up + pen / 2) / height <= _BOTTOM or pen > _THICKEST * height:
        return None
    if not _runs_through(above[:up], below[:down], height):
        return None
    gap = max(round(_GAP * height), 2)
    # Strokes stick out into the gaps between words: these are measured between letters.
    band = ink[y0 - up : y0].any(axis=0) | ink[y1 : y1 + down].any(axis=0)
    letters = np.flatnonzero(band[columns]) + columns.start
    left, right = _word_end(band, letters[0], -1, gap), _word_end(band, letters[-1], 1, gap)
    covered = min(x1 - 1, right) + 1 - max(x0, left)
    # Bars within a word end before it does. A stroke from one word into the next spoils both.
    if covered < _WHOLE * (right + 1 - left) and not (np.diff(letters) > gap).any():
        return None
    left, right = min(left, columns.start), max(right, x1 - 1)
    return left * scale, (y0 - up) * scale, (right + 1) * scale, (y1 + down) * scale


def _runs_through(above: Any, below: Any, height: int) -> bool:
    """Whether what stands right above and below a stroke are letters that it crosses, not what it underlines."""
    import numpy as np

    touching = _groups(above[:2].any(axis=0)), _groups(below[:2].any(axis=0))
    letters, length = np.flatnonzero(above.any(axis=0) | below.any(axis=0)), above.shape[1]
    if not min(touching) or not len(letters):
        return False
    if length >= _SEVERAL * height:
        enough = min(touching) >= 2 and sum(touching) >= 5 and min(touching) >= _BOTH * max(touching)
        return enough and _covered(letters, height) >= _COVERED * length
    out = _OUT if sum(touching) >= 4 else _FAR_OUT
    stands_out = min(letters[0], length - 1 - letters[-1]) >= max(out * height, 1)
    wide = len(letters) >= _NARROW * length
    return bool(length >= _SHORTEST * height and wide and (stands_out or sum(touching) >= 6))


def _word_end(band: Any, start: int, step: int, gap: int) -> int:
    """Column of the last ink of the word at `start`, in the direction of `step`."""
    at = end = start
    while 0 <= at < len(band) and abs(at - end) <= gap:
        if band[at]:
            end = at
        at += step
    return end


def _run(rows: Any) -> int:
    """Rows that hold ink, from the stroke outward up to the first gap."""
    import numpy as np

    empty = np.flatnonzero(~rows.any(axis=1))
    return int(empty[0]) if len(empty) else int(rows.shape[0])


def _groups(row: Any) -> int:
    import numpy as np

    return int((np.diff(np.concatenate(([0], row.astype(np.int8)))) == 1).sum())


def _covered(columns: Any, gap: int) -> int:
    """Columns from the first to the last one with ink, less the gaps wider than a letter is high."""
    import numpy as np

    gaps = np.diff(columns)
    return int(columns[-1] - columns[0] + 1 - gaps[gaps > gap].sum())
