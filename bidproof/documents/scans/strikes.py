"""Words that are crossed out on a scan: found by the stroke through their middle, before rules are wiped.

A stroke that is left in the picture turns `60` into `68`, one that is wiped makes it live again: what is crossed
out is taken out of the picture and read by itself. Strokes may slant and waver; each is followed column by column.
Sees ink only; reads no text.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bidproof.documents.page import Rect
from bidproof.documents.scans.scanned_rules import ink_of, uprights_of

# Points: the shortest level piece of a stroke and the shortest stroke; the thickest pen.
_PIECE, _LONG, _PEN = 4.4, 5.4, 3.2
# Letters reach no farther from the stroke than that, and are no lower in all.
_REACH, _LOWEST, _HIGHEST = 20.0, 3.2, 36.0
# A stroke climbs by a seventh of its length at most, and is level ink over nearly all of it.
_CLIMB, _UNBROKEN, _STEADY = 0.12, 0.92, 0.95
# Ink taller than that is letters; how near to them bars are parts of letters.
_TALL, _NEAR_LETTERS, _FREE, _MET = 2.4, 4.5, 4, 3
# Share of the letters' height at which the stroke runs, from their top: bars of T and underlines lie outside.
_TOP, _BOTTOM, _THICKEST = 0.25, 0.73, 0.45
# Shares of what the stroke touches above or below that it must cross; of a word that it covers at least; of the
# letters' height, the gap between words; of a stroke's way, what letters take up at least.
_BOTH, _WHOLE, _GAP, _LETTERS = 0.5, 0.7, 0.2, 0.3
# How many strokes of letters are crossed at least, by the gaps between letters that are: letters that touch have a
# common bar, as `44` has. By how much of the letters' height the stroke stands out on both sides at least.
_CROSSED, _OUT = (4, 3, 2), 0.02
# Low letters are blurred, and more is asked.
_SMALL, _OUT_SMALL, _GAPS_SMALL, _SPAN = 5.4, 0.1, 2, 0.5
# Gaps without ink in them, for one with ink.
_OPEN = 0.2
# Contrast of ink to the paper around, in grain of the paper, and its bounds.
_GRAIN, _LEAST, _MOST = 3.5, 12, 40
_MANY = 4000


class Strike(NamedTuple):
    """A crossed-out word or passage: the box of its letters and that of the stroke, in points of the picture."""

    letters: Rect
    stroke: Rect


class _Stroke(NamedTuple):
    """A stroke followed: left column, its row in each column, where it has ink, rows of pen above and below."""

    x: int
    rows: Any
    inked: Any
    above: int
    below: int

    @property
    def pen(self) -> int:
        return self.above + self.below + 1

    def outside(self, rows: Any, margin: int) -> Any:
        """Of rows of the picture (shape (n, 1)), which are not those of the stroke, a column a column."""
        return (rows < self.rows - self.above - margin) | (rows > self.rows + self.below + margin)


class _Crossing(NamedTuple):
    """Groups of ink that a stroke crosses, and touches above or below; the columns in which it crosses."""

    crossed: int
    touched: int
    columns: Any


def find_strikes(gray: Any, scale: float) -> list[Strike] | None:
    """What is crossed out in a gray picture, top to bottom; None where hatching or a halftone hides it.

    Args:
        gray: array of shape (height, width), laid straight.
        scale: points per pixel.
    """
    import numpy as np

    ink = ink_of(gray, _contrast(gray)) // 255
    sought = _candidates(ink, scale)
    if sought is None:
        return None
    labels, boxes = sought
    # Around the picture there is paper, so that nothing need be cut short.
    pad = round((_REACH + 2 * _PEN) / scale) + 8
    padded = np.pad(ink, pad)
    strikes = []
    for label, (x, y, width, height) in boxes:
        mask = labels[y : y + height, x : x + width] == label
        letters = _crossed(mask, x + pad, y + pad, padded, scale)
        if letters is not None:
            x0, y0, x1, y1 = ((side - pad) * scale for side in letters)
            # Pieces were made a row taller on either side.
            stroke = (x * scale, (y + 1) * scale, (x + width) * scale, (y + height - 1) * scale)
            strikes.append(Strike((x0, y0, x1, y1), stroke))
    if strikes:
        # A stroke that meets one down the page borders a table.
        uprights = uprights_of(ink * 255, scale)
        strikes = [each for each in strikes if not any(_borders(each.stroke, box) for box in uprights)]
    return sorted(strikes, key=lambda strike: (strike.letters[1], strike.letters[0]))


def _contrast(gray: Any) -> int:
    """By how much ink is darker than what lies around: more than the grain of the paper."""
    import numpy as np

    steps = np.abs(np.diff(gray[::8].astype(np.int16), axis=1))
    return int(min(max(_LEAST, _GRAIN * float(np.median(steps))), _MOST))


def _candidates(ink: Any, scale: float) -> tuple[Any, list[tuple[int, tuple[int, int, int, int]]]] | None:
    """Labels of the long and thin pieces of ink that meet letters and leave them, and their boxes; None for hatching."""
    import cv2
    import numpy as np

    run = max(round(_PIECE / scale), 4) | 1
    # One row more on either side lets slanting and wavering strokes hold together, letters beside each other not.
    level = cv2.morphologyEx(cv2.dilate(ink, _box(1, 3)), cv2.MORPH_OPEN, _box(run, 1))
    level = cv2.morphologyEx(level, cv2.MORPH_CLOSE, _box(3, 1))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(level, connectivity=8)
    pen, long = _PEN / scale + 2, _LONG / scale
    width, height, size = stats[:, 2], stats[:, 3], stats[:, 4]
    good = (width >= long) & (height <= pen + _CLIMB * width + 2) & (size <= pen * width)
    if good.sum() > _MANY:
        return None
    tall = cv2.morphologyEx(ink, cv2.MORPH_OPEN, _box(1, max(round(_TALL / scale), 3) | 1))
    letters = cv2.dilate(tall, _box(1, max(round(_NEAR_LETTERS / scale), 5) | 1))
    there = level > 0
    good &= np.bincount(labels[there & (letters == 0)], minlength=count) >= _FREE
    good &= np.bincount(labels[there & (tall > 0)], minlength=count) >= _MET
    good[0] = False
    return labels, [(int(at), tuple(stats[at, :4].tolist())) for at in np.flatnonzero(good)]


def _box(width: int, height: int) -> Any:
    import numpy as np

    return np.ones((height, width), np.uint8)


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
    x0, y0, x1, y1 = (max(round(side / scale), 0) for side in box)
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


def _crossed(mask: Any, x: int, y: int, ink: Any, scale: float) -> tuple[int, int, int, int] | None:
    """Box in pixels of the words that a piece of ink at (x, y) crosses out; None where it crosses none."""
    followed = _followed(mask, x, y, ink, scale)
    if followed is None:
        return None
    stroke, crossing = followed
    edges = _line_of(stroke, ink, round(_REACH / scale))
    if edges is None:
        return None
    top, bottom, share = edges
    height = bottom - top
    fits = _LOWEST <= height * scale <= _HIGHEST and _TOP <= share <= _BOTTOM
    if not fits or stroke.pen > _THICKEST * height:
        return None
    ends = _words(stroke, crossing, ink[top:bottom], top, height * scale)
    if ends is None:
        return None
    return min(ends[0], x), top, max(ends[1], x + len(stroke.rows)), bottom


def _followed(mask: Any, x: int, y: int, ink: Any, scale: float) -> tuple[_Stroke, _Crossing] | None:
    """The stroke in a mask of its surroundings, and what it crosses; None for bars, arcs and underlines."""
    import cv2
    import numpy as np

    count, width = mask.sum(0), mask.shape[1]
    middle = (mask * np.arange(mask.shape[0])[:, None]).sum(0) / np.maximum(count, 1)
    # Where letters join the stroke, it goes on as it does beside them.
    clean = np.flatnonzero((count > 0) & (count <= np.percentile(count, 20) + 1))
    middle = np.interp(np.arange(width), clean, middle[clean])
    middle = np.convolve(np.pad(middle, 2, mode="edge"), np.ones(5) / 5, "valid")
    rows = np.round(middle).astype(int) + y
    reach = round(_PEN / scale) + 3
    near = ink[rows[None, :] + np.arange(-reach, reach + 1)[:, None], np.arange(x, x + width)[None, :]] > 0
    inked = near[reach - 1 : reach + 2].any(0)
    above, below = _thickness(near[:reach][::-1]), _thickness(near[reach + 1 :])
    if inked.mean() < _STEADY or (above + below + 1) * scale > _PEN:
        return None
    upper = near[reach - above - 2 : reach - above].any(0)
    lower = near[reach + below + 1 : reach + below + 3].any(0)
    # Slanting stems go on one column aside.
    both = cv2.dilate(upper[None].astype(np.uint8), _box(3, 1)) & cv2.dilate(
        lower[None].astype(np.uint8), _box(3, 1)
    )
    columns = both[0] > 0
    crossing = _Crossing(_groups(columns), max(_groups(upper), _groups(lower)), columns)
    if not crossing.crossed or crossing.crossed < _BOTH * crossing.touched:
        return None
    return _Stroke(x, rows, inked, above, below), crossing


def _thickness(rows: Any) -> int:
    """Rows of ink next to the middle of a stroke where no letter joins it."""
    import numpy as np

    runs = np.where(rows.all(0), rows.shape[0], np.argmin(rows, axis=0))
    return int(np.ceil(np.percentile(runs, 25)))


def _line_of(stroke: _Stroke, ink: Any, reach: int) -> tuple[int, int, float] | None:
    """Top and bottom row of the letters around a stroke, and at which share of that it runs; None without any."""
    import numpy as np

    middle = int(np.median(stroke.rows))
    low, high = middle - stroke.above, middle + stroke.below
    rows = np.arange(low - reach, high + reach + 1)[:, None]
    around = ink[low - reach : high + reach + 1, stroke.x : stroke.x + len(stroke.rows)]
    full = (around * stroke.outside(rows, 1)).any(1)
    # A slanting stroke leaves letters only some rows from its middle.
    up = _run(full[:reach][::-1], max(low - int(stroke.rows.min()) + 2, 2) + 2)
    down = _run(full[-reach:], max(int(stroke.rows.max()) - high, 0) + 4)
    if not up or not down or max(up, down) >= reach - 1:
        return None
    return low - up, high + down + 1, (up + stroke.pen / 2) / (up + down + high - low + 1)


def _run(rows: Any, skip: int) -> int:
    """Rows that hold ink, from the stroke outward up to the first gap; the first few count together."""
    import numpy as np

    rows = rows.copy()
    rows[:skip] = rows[:skip].any()
    empty = np.flatnonzero(~rows)
    return int(empty[0]) if len(empty) else len(rows)


def _words(
    stroke: _Stroke, crossing: _Crossing, band: Any, top: int, points: float
) -> tuple[int, int] | None:
    """First and last column of the words that a stroke covers and crosses out; `band` are the rows of the line."""
    import numpy as np

    height, width = band.shape[0], len(stroke.rows)
    beside = min(round(height * 1.2), stroke.x, band.shape[1] - stroke.x - width)
    start = stroke.x - beside
    band = band[:, start : stroke.x + width + beside].copy()
    rows = np.arange(top, top + height)[:, None]
    band[:, beside : beside + width] *= stroke.outside(rows, 2)
    letters = band.any(0)
    covered = []
    for first, last in _joined(letters, max(_GAP * height, 2)):
        share = (min(last, beside + width) - max(first, beside)) / (last - first)
        if share >= _WHOLE:
            covered.append((first, last))
    if not covered:
        return None
    first, last = covered[0][0], covered[-1][1]
    inked = np.zeros(len(letters), dtype=bool)
    inked[beside : beside + width] = stroke.inked
    gaps = [bool(inked[a:b].all()) for a, b in _spans(~letters[first:last], first)]
    crossed = _groups(crossing.columns[max(first - beside, 0) : max(last - beside, 0)])
    if crossed < _BOTH * crossing.touched or letters[first:last].mean() < _LETTERS:
        return None
    out = min(first - beside, beside + width - last) / height
    if not _stands_out(gaps, crossed, out, (last - first) / height, points):
        return None
    return first + start, last + start


def _stands_out(gaps: list[bool], crossed: int, out: float, span: float, points: float) -> bool:
    """Whether a stroke crosses and stands out enough to be no bar of letters; `gaps`: whether each has ink."""
    bridged = sum(gaps)
    if len(gaps) - bridged > _OPEN * bridged:
        return False
    if points < _SMALL:
        return bridged >= _GAPS_SMALL and crossed >= 2 and out >= _OUT_SMALL
    return out >= _OUT and span >= _SPAN and crossed >= _CROSSED[min(bridged, len(_CROSSED) - 1)]


def _spans(row: Any, start: int = 0) -> list[tuple[int, int]]:
    """First column of each run in a row, and the column behind it."""
    import numpy as np

    steps = np.diff(np.concatenate(([0], row.astype(np.int8), [0])))
    firsts, lasts = np.flatnonzero(steps == 1) + start, np.flatnonzero(steps == -1) + start
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


def _joined(letters: Any, gap: float) -> list[tuple[int, int]]:
    """First column of each word and the column behind it."""
    words: list[tuple[int, int]] = []
    for first, last in _spans(letters):
        if words and first - words[-1][1] <= gap:
            words[-1] = words[-1][0], last
        else:
            words.append((first, last))
    return words


def _groups(row: Any) -> int:
    import numpy as np

    return int((np.diff(np.concatenate(([0], row.astype(np.int8)))) == 1).sum())
