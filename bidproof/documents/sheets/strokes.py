"""Rules and strokes through and under words: what is crossed out, and what is underlined."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bidproof.documents.grids.rules import Rules
from bidproof.documents.page import Affine, Rect
from bidproof.documents.sheets.word import Word
from bidproof.documents.sheets.words import Fragment

# A stroke through a word runs between these shares of its size above the baseline.
_STRIKE_LOW, _STRIKE_HIGH = 0.12, 0.5
# Underlines run down to this share of the size below the lowest stroke.
_UNDER = 0.45
_LEVEL, _THIN = 0.6, 3.2
# Pieces of one stroke stand this close.
_PIECES = 1.5
# A slanting stroke over words stays within the height of their line, in sizes from the baseline.
_ABOVE, _BELOW = 1.15, 0.5
# Two strokes make a cross where their boxes agree to this share, or so many points.
_CROSS_SHARE, _CROSS = 0.15, 4.0
# Beyond this many slanting strokes a page holds a drawing.
_DRAWING = 60
# A drawn tick or cross is no larger than this, in points.
_MARK = 20.0
# How far, in sizes, no other rule may lie for one that runs past a line of text to strike it.
_ALONE = 2.5


def mark_struck(
    fragments: list[Fragment],
    rules: Rules,
    drawings: Iterable[dict[str, Any]] = (),
    matrix: Affine | None = None,
) -> None:
    """Mark the words that a rule or stroke crosses out or underlines.

    A rule that runs on past the words on both sides borders a table and strikes nothing, unless it stands alone. A
    slanting stroke strikes the words it runs over within their line; two that make a cross strike all in it.

    Args:
        fragments: words in the reading frame.
        rules: the page's ruling lines there.
        drawings: MuPDF's drawings of the page, for strokes that are no ruling lines.
        matrix: from MuPDF's page space to the reading frame.
    """
    short, slanting = _strokes(drawings, matrix) if matrix and fragments else ([], [])
    joined = _joined(short, rules.horizontal) if short else []
    levels = sorted([*rules.horizontal, *joined], key=lambda rule: rule[1])
    heights = [rule[1] for rule in levels]
    for fragment in fragments if levels else ():
        if fragment.level:
            _mark_level(fragment, levels, heights, rules)
    if 0 < len(slanting) <= _DRAWING:
        _mark_slanting(fragments, slanting)


def _mark_level(fragment: Fragment, levels: list[Rect], heights: list[float], rules: Rules) -> None:
    left, _, right, _ = fragment.box
    words = fragment.words
    low = min(word.base - _STRIKE_HIGH * word.size for word in words)
    high = max(word.base - _STRIKE_LOW * word.size for word in words)
    em = words[0].size
    near = levels[bisect_left(heights, low) : bisect_right(heights, high + _UNDER * em)]
    strokes = [rule for rule in near if rule[0] >= left - em and rule[2] <= right + em]
    past = [rule for rule in near if rule not in strokes and rule[1] <= high]
    strokes += [rule for rule in past if _stands_alone(rule, rules, levels, heights, em)]
    if strokes:
        fragment.words = [
            word._replace(struck=True)
            if _is_struck(word, strokes)
            else word._replace(underlined=True)
            if _is_underlined(word, strokes)
            else word
            for word in words
        ]


def _stands_alone(rule: Rect, rules: Rules, levels: list[Rect], heights: list[float], em: float) -> bool:
    """No other rule runs along or meets this one: it is no border of anything."""
    x0, y, x1, _ = rule
    reach = _ALONE * em
    around = levels[bisect_left(heights, y - reach) : bisect_right(heights, y + reach)]
    if any(
        other is not rule and abs(other[1] - y) > 0.1 and other[0] < x1 and other[2] > x0 for other in around
    ):
        return False
    return not any(
        x0 - em <= x <= x1 + em and top - em <= y <= bottom + em for x, top, _, bottom in rules.vertical
    ) and not any(top - em <= y <= bottom + em and a < x1 and c > x0 for a, top, c, bottom in rules.borders)


def _is_struck(word: Word, strokes: list[Rect]) -> bool:
    return any(
        word.base - _STRIKE_HIGH * word.size <= y <= word.base - _STRIKE_LOW * word.size
        and min(x1, word.x1) - max(x0, word.x0) >= 0.6 * (word.x1 - word.x0)
        for x0, y, x1, _ in strokes
    ) and any(letter.isalnum() for letter in word.text)


def _is_underlined(word: Word, strokes: list[Rect]) -> bool:
    return any(
        word.base - 0.05 * word.size <= y <= word.base + (_UNDER - _STRIKE_LOW) * word.size
        and min(x1, word.x1) - max(x0, word.x0) >= 0.8 * (word.x1 - word.x0)
        for x0, y, x1, _ in strokes
    )


def _strokes(drawings: Iterable[dict[str, Any]], matrix: Affine) -> tuple[list[Rect], list[Rect]]:
    """Short level strokes, and slanting ones as their two ends with the left one first, in the frame."""
    a, b, c, d, e, f = matrix
    short: list[Rect] = []
    slanting: list[Rect] = []
    for drawing in drawings:
        stroked = "s" in drawing["type"]
        for item in drawing["items"]:
            kind = item[0]
            if kind == "l" or kind == "c":
                if not stroked:
                    continue
                (px, py), (qx, qy) = item[1], item[-1]
            elif kind == "re" and item[1][3] - item[1][1] <= _THIN and item[1][2] - item[1][0] > 0:
                px, py, qx, qy = item[1]
                py = qy = (py + qy) / 2
            else:
                continue
            x0, y0, x1, y1 = (
                a * px + c * py + e,
                b * px + d * py + f,
                a * qx + c * qy + e,
                b * qx + d * qy + f,
            )
            if x0 > x1:
                x0, y0, x1, y1 = x1, y1, x0, y0
            if abs(y1 - y0) <= _LEVEL:
                if x1 - x0 < 60:
                    short.append((x0, (y0 + y1) / 2, x1, (y0 + y1) / 2))
            elif x1 - x0 > 1.0:
                slanting.append((x0, y0, x1, y1))
    return short, slanting


def _joined(short: list[Rect], rules: list[Rect]) -> list[Rect]:
    """Strokes that are drawn in pieces, put together; none that is a ruling line of its own."""
    known = set(rules)
    rows: dict[int, list[Rect]] = {}
    for stroke in short:
        rows.setdefault(round(stroke[1]), []).append(stroke)
    found: list[Rect] = []
    for row in rows.values():
        row.sort()
        x0, y, x1, _ = row[0]
        for stroke in row[1:]:
            if stroke[0] - x1 <= _PIECES:
                x1 = max(x1, stroke[2])
                continue
            found.append((x0, y, x1, y))
            x0, y, x1, _ = stroke
        found.append((x0, y, x1, y))
    return [stroke for stroke in found if stroke not in known and stroke[2] - stroke[0] > _THIN]


def _mark_slanting(fragments: list[Fragment], strokes: list[Rect]) -> None:
    crosses = list(_crosses(strokes))
    for part in fragments:
        if not part.level:
            continue
        left, _, right, _ = part.box
        em = part.size
        high, low = part.base - _ABOVE * em, part.base + _BELOW * em
        within = [
            stroke
            for stroke in strokes
            if stroke[0] >= left - em
            and stroke[2] <= right + em
            and high <= min(stroke[1], stroke[3])
            and max(stroke[1], stroke[3]) <= low
        ]
        here = [box for box in crosses if box[0] < right and box[2] > left and box[1] < low and box[3] > high]
        if within or here:
            part.words = _struck_where(part.words, lambda word: _is_crossed(word, within, here))  # noqa: B023


def _struck_where(words: list[Word], test: Callable[[Word], bool]) -> list[Word]:
    return [word._replace(struck=True) if not word.struck and test(word) else word for word in words]


def _is_crossed(word: Word, strokes: list[Rect], crosses: list[Rect]) -> bool:
    if not any(letter.isalnum() for letter in word.text):
        return False
    x, y = (word.x0 + word.x1) / 2, word.base - 0.3 * word.size
    if any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in crosses):
        return True
    width = word.x1 - word.x0
    for x0, y0, x1, y1 in strokes:
        if min(x1, word.x1) - max(x0, word.x0) < 0.6 * width:
            continue
        # It must run over the letters, not beside them as an arrow or a tick does.
        at = y0 + (y1 - y0) * (min(max(x, x0), x1) - x0) / (x1 - x0)
        if word.base - 0.8 * word.size <= at <= word.base:
            return True
    return False


def _crosses(strokes: list[Rect]) -> Iterator[Rect]:
    """Boxes of pairs of strokes that run from corner to corner of one box, each the other way."""
    for at, (ax0, ay0, ax1, ay1) in enumerate(strokes):
        for bx0, by0, bx1, by1 in strokes[at + 1 :]:
            if (ay1 - ay0) * (by1 - by0) >= 0:
                continue
            top, bottom = min(ay0, ay1), max(ay0, ay1)
            wide = max(_CROSS, _CROSS_SHARE * (ax1 - ax0))
            high = max(_CROSS, _CROSS_SHARE * (bottom - top))
            if (
                abs(ax0 - bx0) <= wide
                and abs(ax1 - bx1) <= wide
                and abs(top - min(by0, by1)) <= high
                and abs(bottom - max(by0, by1)) <= high
            ):
                yield (min(ax0, bx0), min(top, by0, by1), max(ax1, bx1), max(bottom, by0, by1))


def drawn_marks(drawings: Iterable[dict[str, Any]], matrix: Affine) -> list[Rect]:
    """Boxes of ticks and crosses of a letter's size that are drawn as strokes, in the frame."""
    _, slanting = _strokes(drawings, matrix)
    small = [
        stroke
        for stroke in slanting
        if stroke[2] - stroke[0] <= _MARK and abs(stroke[3] - stroke[1]) <= _MARK
    ]
    if not 2 <= len(slanting) <= _DRAWING or len(small) < 2:
        return []
    marks = [box for box in _crosses(small) if box[3] - box[1] >= _THIN]
    for down in small:
        for up in small:
            # A tick: down to the right, then up from there, the longer way.
            if (
                down[3] > down[1]
                and up[3] < up[1]
                and abs(up[0] - down[2]) <= 1
                and abs(up[1] - down[3]) <= 1
                and up[2] - up[0] > down[2] - down[0]
            ):
                marks.append((down[0], min(down[1], up[3]), up[2], up[1]))
    return marks
