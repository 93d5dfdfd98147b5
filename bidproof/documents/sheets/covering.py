"""Words that something drawn later covers, and pale words that a dark ground makes seen after all.

What is drawn first and what later is asked of MuPDF only where a fill or picture lies over words; the page is
drawn only where that leaves a doubt.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

from bidproof.documents.drawing import draw
from bidproof.documents.page import Affine, Rect, transform
from bidproof.documents.sheets.stream import Stream
from bidproof.documents.sheets.word import Hidden, Word
from bidproof.documents.sheets.words import Fragment, PageWords

_SMALL = 6.0
_WHITE = 255
_DPI = 96
_LIKE = 26
_DARK_GROUND = 199
_PICTURES = ("fill-image", "fill-imgmask", "fill-shade")

Fill = tuple[Rect, tuple[int, int, int]]


@dataclass(slots=True)
class _Cover:
    """What lies over a line: its box, the line's words (None: any), and whether no look at the ink is needed.

    A fill may be clipped to less than its box, or let through what it marks: then the word's ink is there. Where
    words were typed anew on top, that ink is theirs, and it is sure that those beneath are not seen.
    """

    box: Rect
    words: list[str] | None
    sure: bool

    def takes(self, word: Word, sheet: Sheet) -> bool:
        if not holds(self.box, (word.x0, word.y0, word.x1, word.y1)):
            return False
        if self.words is not None and word.text not in self.words:
            return False
        if not self.sure:
            return sheet.is_plain(word)
        if self.words is not None:
            # The same word typed anew on top comes later and stays.
            self.words.remove(word.text)
        return True


def ground_fills(drawings: list[dict[str, Any]]) -> list[Fill]:
    """Opaque fills of more than a rule's size with their colours, in drawing order, in MuPDF's page space."""
    fills = []
    for drawing in drawings:
        if _is_opaque(drawing):
            red, green, blue = drawing["fill"]
            color = (round(_WHITE * red), round(_WHITE * green), round(_WHITE * blue))
            fills.append((drawing["rect"], color))
    return fills


def may_cover(drawings: list[dict[str, Any]]) -> bool:
    """True where a fill is drawn after something else than paths: text, as far as can be told so cheaply."""
    return any(drawing["seqno"] > number and _is_opaque(drawing) for number, drawing in enumerate(drawings))


def _is_opaque(drawing: dict[str, Any]) -> bool:
    fill = drawing.get("fill")
    if not fill or len(fill) != 3 or (drawing.get("fill_opacity") or 0) < 1:
        return False
    x0, y0, x1, y1 = drawing["rect"]
    return bool(x1 - x0 > _SMALL and y1 - y0 > _SMALL)


def hide_covered(
    page: Any,
    words: PageWords,
    matrix: Affine,
    to_page: Affine,
    stream: Stream,
    masks: list[Rect],
) -> None:
    """Mark words as covered that an opaque fill or picture was drawn over.

    Args:
        page: the open page.
        words: words in the reading frame.
        matrix: from MuPDF's page space to the reading frame.
        to_page: from the reading frame to the page as displayed.
        stream: lines and fills of the page with the order in which they are drawn.
        masks: boxes of pictures without see-through parts, in MuPDF's page space, smaller than a scan.
    """
    covers = _covered_lines(stream, matrix) if stream.fills else []
    pictures = [transform(mask, matrix) for mask in masks]
    if any_over(pictures, words.fragments):
        covers += [_Cover(box, None, True) for box in under_pictures(page, matrix, pictures)]
    if not covers:
        return
    sheet = Sheet(page, to_page)
    mark(words, lambda word: any(cover.takes(word, sheet) for cover in covers), Hidden.COVERED)


def show_on_dark(page: Any, words: PageWords, to_page: Affine) -> None:
    """Take pale words as seen where the page is dark around them: a pattern or shading that is no plain fill."""
    if any(word.hidden == Hidden.PALE for part in words.fragments for word in part.words):
        sheet = Sheet(page, to_page)
        mark(words, lambda word: word.hidden == Hidden.PALE and sheet.is_dark(word), Hidden.SEEN, anew=True)


def mark(words: PageWords, test: Any, why: Hidden, anew: bool = False) -> None:
    """Hide for `why` the words that `test` picks; `anew` asks it of hidden ones too."""
    for part in words.fragments:
        marked = [
            word._replace(hidden=why) if (anew or not word.hidden) and test(word) else word
            for word in part.words
        ]
        if marked != part.words:
            part.words = marked


def any_over(boxes: list[Rect], fragments: list[Fragment]) -> bool:
    """A fragment's middle lies in one of the boxes."""
    if not boxes or not fragments:
        return False
    middles = sorted(((part.box[1] + part.box[3]) / 2, part.box[0], part.box[2]) for part in fragments)
    heights = [middle[0] for middle in middles]
    for x0, y0, x1, y1 in boxes:
        for at in range(bisect_left(heights, y0), bisect_right(heights, y1)):
            if middles[at][1] < x1 and middles[at][2] > x0:
                return True
    return False


def _covered_lines(stream: Stream, matrix: Affine) -> list[_Cover]:
    """Lines that were drawn before a fill at their place, in the frame."""
    lines = sorted(stream.lines, key=lambda line: line["bbox"][1] + line["bbox"][3])
    middles = [(line["bbox"][1] + line["bbox"][3]) / 2 for line in lines]
    found = []
    for fill in stream.fills:
        x0, y0, x1, y1 = fill["bbox"]
        here = lines[bisect_left(middles, y0) : bisect_right(middles, y1)]
        for line in here:
            box = line["bbox"]
            if line["number"] > fill["number"] or box[0] >= x1 or box[2] <= x0:
                continue
            shared = (max(box[0], x0), max(box[1], y0), min(box[2], x1), min(box[3], y1))
            anew = any(other["number"] > fill["number"] and _overlap(other["bbox"], shared) for other in here)
            text = "".join(char["c"] for span in line["spans"] for char in span["chars"])
            found.append(_Cover(transform(shared, matrix), text.split(), anew))
    return found


def _overlap(one: Rect, other: Rect) -> bool:
    """Two lines print into each other: they share half the height of the lower one."""
    height = min(one[3], other[3]) - max(one[1], other[1])
    lower = min(one[3] - one[1], other[3] - other[1])
    return one[0] < other[2] and other[0] < one[2] and height > 0.5 * lower


def under_pictures(page: Any, matrix: Affine, pictures: list[Rect]) -> list[Rect]:
    """Boxes of text that was drawn before a picture at its place, none after, in the frame."""
    log = [(kind, transform(box, matrix)) for kind, box in (entry[:2] for entry in page.get_bboxlog())]
    found = []
    for at, (kind, box) in enumerate(log):
        if kind not in _PICTURES or not any(_same(box, picture) for picture in pictures):
            continue
        after = [text for what, text in log[at:] if "text" in what]
        for what, text in log[:at]:
            if "text" not in what:
                continue
            shared = (max(box[0], text[0]), max(box[1], text[1]), min(box[2], text[2]), min(box[3], text[3]))
            if shared[0] < shared[2] and shared[1] < shared[3] and not any(holds(a, shared) for a in after):
                found.append(shared)
    return found


def _same(one: Rect, other: Rect) -> bool:
    return all(abs(a - b) < 2 for a, b in zip(one, other, strict=True))


def holds(outer: Rect, inner: Rect) -> bool:
    """The middle of `inner` lies in `outer`."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


class Sheet:
    """The page as drawn, made when it is first looked at."""

    def __init__(self, page: Any, to_page: Affine) -> None:
        self.page, self.to_page = page, to_page
        self.pixmap: Any = None

    def _samples(self, word: Word, by: float) -> list[tuple[int, int, int]]:
        import pymupdf

        if self.pixmap is None:
            self.pixmap = draw(self.page, pymupdf.csRGB, dpi=_DPI)
        box = (word.x0 - by, word.y0 - by, word.x1 + by, word.y1 + by)
        x0, y0, x1, y1 = (side * _DPI / 72 for side in transform(box, self.to_page))
        pixmap = self.pixmap
        left, right = max(int(x0), 0), min(int(x1) + 1, pixmap.width)
        top, bottom = max(int(y0), 0), min(int(y1) + 1, pixmap.height)
        samples, stride = pixmap.samples_mv, pixmap.stride
        found = []
        for y in range(top, bottom):
            row = bytes(samples[y * stride + 3 * left : y * stride + 3 * right])
            found += list(zip(row[0::3], row[1::3], row[2::3], strict=True))
        return found

    def is_plain(self, word: Word) -> bool:
        """Nothing can be told apart inside the word's box."""
        samples = self._samples(word, -1.0)
        return not samples or all(
            max(each[channel] for each in samples) - min(each[channel] for each in samples) <= _LIKE
            for channel in range(3)
        )

    def is_dark(self, word: Word) -> bool:
        """Most of what lies around the word's letters is darker than pale letters."""
        samples = sorted(min(each) for each in self._samples(word, 1.0))
        return bool(samples) and samples[len(samples) // 2] < _DARK_GROUND
