"""What is cut away, drawn over or faded by means that leave no plain fill: words without ink on the page.

The doubts are cheap to raise, out of the drawings and pictures of a page; only where words lie under one is the
page read or drawn once more. Fills and opaque pictures over words are settled in `covering`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from bidproof.documents.page import Affine, Rect, transform
from bidproof.documents.sheets.covering import Sheet, any_over, holds, mark, under_pictures
from bidproof.documents.sheets.stream import Stream
from bidproof.documents.sheets.word import Hidden, Word
from bidproof.documents.sheets.words import PageWords

# Strokes of this width in points can bury a line of text; a group fainter than this shows nothing.
_BURIES, _FAINT = 3.0, 0.3
_OPAQUE = 230
_SLACK = 1.0


@dataclass(slots=True)
class Doubts:
    """Where words may leave no ink, in MuPDF's page space.

    Clipping boxes, boxes of what may bury words, and letters that are drawings of their own and may be empty ones.
    """

    clips: list[Rect] = field(default_factory=list)
    boxes: list[Rect] = field(default_factory=list)
    letters: list[Rect] = field(default_factory=list)


def find_doubts(drawings: list[dict[str, Any]]) -> Doubts:
    """Doubts out of MuPDF's extended drawings: clipping paths, thick strokes, faint groups."""
    doubts = Doubts()
    for drawing in drawings:
        kind = drawing["type"]
        if kind == "clip":
            doubts.clips.append(drawing["scissor"])
        elif kind == "group":
            if drawing["opacity"] < _FAINT:
                doubts.boxes.append(drawing["rect"])
        elif "s" in kind and (drawing.get("width") or 0) >= _BURIES:
            half = drawing["width"] / 2
            x0, y0, x1, y1 = drawing["rect"]
            doubts.boxes.append((x0 - half, y0 - half, x1 + half, y1 + half))
    return doubts


def hide_unseen(
    page: Any,
    words: PageWords,
    matrix: Affine,
    to_page: Affine,
    doubts: Doubts,
    stream: Stream,
) -> None:
    """Mark words that are cut away by a clipping path, or that leave no ink under what may bury them.

    Args:
        page: the open page.
        words: words in the reading frame.
        matrix: from MuPDF's page space to the reading frame.
        to_page: from the reading frame to the page as displayed.
        doubts: where to look.
        stream: the page's text, out of which the words were read.
    """
    boxes = [transform(box, matrix) for box in doubts.boxes]
    over = [box for box in boxes if any(_touch(box, part.box) for part in words.fragments)]
    sheet = Sheet(page, to_page)
    if over:
        mark(words, lambda word: _lies_in(word, over) and sheet.is_plain(word), Hidden.COVERED)
    drawn = [transform(box, matrix) for box in doubts.letters]
    if drawn:
        mark(
            words,
            lambda word: any(_is_of(box, word) for box in drawn) and sheet.is_plain(word),
            Hidden.UNPAINTED,
        )
    clips = [transform(box, matrix) for box in set(doubts.clips)]
    if any(not _inside(part.box, clip) for clip in clips for part in words.fragments):
        lost = _cut_away(page, matrix, stream)
        if lost:
            mark(words, lambda word: _is_cut(word, lost), Hidden.CLIPPED)


def _cut_away(page: Any, matrix: Affine, stream: Stream) -> list[tuple[str, float, float]]:
    """Letters with the middles of their boxes in the frame that MuPDF finds outside the clip they are drawn under."""
    import pymupdf

    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_CLIP
    if stream.glyphs:
        # Read as the words were: other letters at the same place would count as cut away.
        flags |= pymupdf.TEXT_IGNORE_ACTUALTEXT
    cut = page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=flags)
    said = "".join([char["c"] for char in _chars(stream.text)])
    if len("".join(said.split())) == len("".join(cut.extractText().split())):
        return []
    lost = Counter(map(_placed, _chars(stream.text))) - Counter(map(_placed, _chars(cut.extractRAWDICT())))
    found = []
    for letter, *box in sorted(lost.elements()):
        x0, y0, x1, y1 = transform((box[0], box[1], box[2], box[3]), matrix)
        found.append((letter, (x0 + x1) / 2, (y0 + y1) / 2))
    return found


def _chars(text: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        char
        for block in text["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
        if char["c"] != " "
    ]


def _placed(char: dict[str, Any]) -> tuple[str, float, float, float, float]:
    x0, y0, x1, y1 = char["bbox"]
    return char["c"], round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


def _is_cut(word: Word, lost: list[tuple[str, float, float]]) -> bool:
    return any(
        letter in word.text and word.x0 <= x <= word.x1 and word.y0 - _SLACK <= y <= word.y1 + _SLACK
        for letter, x, y in lost
    )


def hide_under_masked(page: Any, words: PageWords, matrix: Affine, veils: list[Rect]) -> None:
    """Mark words under the opaque parts of pictures that carry a mask.

    Args:
        page: the open page.
        words: words in the reading frame.
        matrix: from MuPDF's page space to the reading frame.
        veils: boxes of pictures that may let through what lies under them, in MuPDF's page space.
    """
    pictures = [transform(box, matrix) for box in veils]
    if not any_over(pictures, words.fragments):
        return
    earlier = under_pictures(page, matrix, pictures)
    if not earlier:
        return
    import pymupdf

    back = tuple(~pymupdf.Matrix(matrix))
    for xref, smask in sorted({image[:2] for image in page.get_images() if image[1]}):
        mask = pymupdf.Pixmap(page.parent, smask)
        for rect, placed in page.get_image_rects(xref, transform=True):
            upright = placed.a > 0 and placed.d > 0 and not placed.b and not placed.c
            mark(
                words,
                lambda word, box=tuple(rect), mask=mask, upright=upright: (
                    _lies_in(word, earlier)
                    and _is_opaque(mask, box, transform((word.x0, word.y0, word.x1, word.y1), back), upright)
                ),
                Hidden.COVERED,
            )


def _is_opaque(mask: Any, box: Rect, word: Rect, upright: bool) -> bool:
    """Nearly all of the mask over the word lets nothing through; of a turned picture, the whole mask."""
    if not holds(box, word):
        return False
    wide, high = mask.width / (box[2] - box[0]), mask.height / (box[3] - box[1])
    left, right = (int((side - box[0]) * wide) for side in (word[0], word[2])) if upright else (0, mask.width)
    top, bottom = (
        (int((side - box[1]) * high) for side in (word[1], word[3])) if upright else (0, mask.height)
    )
    left, top = min(max(left, 0), mask.width - 1), min(max(top, 0), mask.height - 1)
    samples: list[int] = []
    for y in range(top, min(max(bottom, top + 1), mask.height)):
        at = y * mask.stride
        samples += mask.samples_mv[at + left : at + min(max(right, left + 1), mask.width)].tolist()
    return sum(value >= _OPAQUE for value in samples) >= 0.95 * len(samples)


def _lies_in(word: Word, boxes: list[Rect]) -> bool:
    worded = any(letter.isalnum() for letter in word.text)
    return worded and any(holds(box, (word.x0, word.y0, word.x1, word.y1)) for box in boxes)


def _is_of(letters: Rect, word: Word) -> bool:
    """Whether letters at this place belong to a word: their middle lies in it."""
    x, y = (letters[0] + letters[2]) / 2, (letters[1] + letters[3]) / 2
    return word.x0 <= x <= word.x1 and word.y0 - _SLACK <= y <= word.y1 + _SLACK


def _touch(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _inside(inner: Rect, outer: Rect) -> bool:
    return (
        inner[0] >= outer[0] - _SLACK
        and inner[1] >= outer[1] - _SLACK
        and inner[2] <= outer[2] + _SLACK
        and inner[3] <= outer[3] + _SLACK
    )
