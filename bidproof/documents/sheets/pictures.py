"""Pictures on pages of text: a scanned table pasted between paragraphs is read, a photograph is told from it.

Measures the pictures and has them recognised; where their words stand among those of the page is not settled here.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from bidproof.documents.drawing import draw
from bidproof.documents.page import Rect
from bidproof.documents.scans.ocr import OcrError, text_of
from bidproof.documents.scans.recognition import recognise_part
from bidproof.documents.sheets import condition
from bidproof.documents.sheets.loose_print import lines_beside, recognise_once
from bidproof.params import DocumentParams

# Share of the page from which a picture is always accounted for; a smaller one (a letterhead, a pasted line) where it
# holds lines of print. Below the lesser share it is an icon.
BIG, SMALL = 0.15, 0.005
_TOUCHING = 2.0
_DPI = 72
_LIGHT, _DARK = 190, 90
# Print on paper: mostly ground, some ink, little between. A photograph is all between.
_GROUND, _INK, _BETWEEN = 0.5, 0.004, 0.3
_MIN_WORDS = 3
# Pictures and shadings in the page's own stream of drawing orders.
_INLINE = re.compile(rb"\bBI\s|\bsh\b")


class Picture(NamedTuple):
    """A picture without text on it: its box in MuPDF's page space, its share of the page, and what it gave.

    `text` is MuPDF's raw dictionary of the recognised words; `problem` says why a picture that looks like print was
    not read.
    """

    box: Rect
    share: float
    text: dict[str, Any] | None = None
    problem: str = ""


def may_hold_pictures(page: Any, contents: bytes) -> bool:
    """False where neither the page's resources nor its own orders draw a picture or shading."""
    return bool(page.get_images() or page.get_xobjects() or _INLINE.search(contents))


def is_see_through(info: dict[str, Any]) -> bool:
    """A picture of MuPDF's list that may let through what lies under it: a mask, stencil or shading."""
    return bool(info.get("has-mask")) or not info["colorspace"] or not info["size"]


def unread_pictures(area: Rect, pictures: list[Rect], texts: list[Rect]) -> list[Rect]:
    """Pictures of a page, icons apart, on which none of its text stands, strips put together, top to bottom."""
    whole = max((area[2] - area[0]) * (area[3] - area[1]), 1.0)
    found = []
    for box in _joined(pictures):
        size = condition.overlap(box, area)
        if size >= SMALL * whole and sum(condition.overlap(box, text) for text in texts) < 0.02 * size:
            found.append(box)
    return found


def _joined(pictures: list[Rect]) -> list[Rect]:
    """Boxes of pictures; those that lie one under the other with the same sides are strips of one."""
    joined: list[Rect] = []
    for box in sorted(pictures, key=lambda each: (round(each[0]), each[1])):
        last = joined[-1] if joined else None
        if (
            last
            and abs(last[0] - box[0]) <= _TOUCHING
            and abs(last[2] - box[2]) <= _TOUCHING
            and abs(last[3] - box[1]) <= _TOUCHING
        ):
            joined[-1] = (last[0], last[1], last[2], box[3])
        else:
            joined.append(box)
    return sorted(joined, key=lambda each: (each[1], each[0]))


def read_picture_area(page: Any, area: Rect, box: Rect, params: DocumentParams, hint: str) -> Picture:
    """A picture with what can be recognised in it. `hint` is the language of the page or file.

    A small one that comes again on page after page (a letterhead) is recognised once.
    """
    import pymupdf

    whole = max((area[2] - area[0]) * (area[3] - area[1]), 1.0)
    share = condition.overlap(box, area) / whole
    clip = tuple((pymupdf.Rect(box) * page.rotation_matrix) & page.rect)
    if share < BIG:
        if not lines_beside(page, [], clip):
            return Picture(box, share)
    elif not _is_print(page, clip):
        return Picture(box, share)
    if not params.ocr:
        return Picture(box, share, None, "OCR is off; switch documents.ocr on")
    try:
        text = (
            recognise_once(page, params, hint, clip)
            if share < BIG
            else recognise_part(page, params, hint, clip)
        )
    except OcrError as error:
        return Picture(box, share, None, str(error))
    said = text_of(text)
    if len(said.split()) < _MIN_WORDS or condition.is_garbled(said, 0, 0):
        return Picture(box, share, None, "no text was found in it; look at the page")
    return Picture(box, share, text)


def _is_print(page: Any, clip: Rect) -> bool:
    """True for ink on plain ground, dark on light or light on dark; false for photographs and plain areas."""
    import pymupdf

    samples = draw(page, pymupdf.csGRAY, dpi=_DPI, clip=clip).samples
    count = max(len(samples), 1)
    light = sum(value >= _LIGHT for value in samples) / count
    dark = sum(value < _DARK for value in samples) / count
    ground, ink = max(light, dark), min(light, dark)
    return bool(ground >= _GROUND and ink >= _INK and 1 - light - dark <= _BETWEEN)
