"""Print on a page of text that its text layer does not hold: letters turned to curves, a scan under a typed footer.

Raised by cheap signs (many curved fills where no words lie, a picture of the whole page); then the page is drawn
and its letters are looked for beside the words. What is found is recognised, or said to be unread.
"""

from __future__ import annotations

import copy
import hashlib
from typing import Any

from bidproof.documents.drawing import draw
from bidproof.documents.page import Affine, RawPage, Rect, Remark, around, transform
from bidproof.documents.scans.ocr import OcrError, text_of
from bidproof.documents.scans.recognition import recognise_part
from bidproof.documents.sheets import condition
from bidproof.documents.sheets.words import Fragment, PageWords, Visibility, read_words
from bidproof.params import DocumentParams

# Curves in fills beside the words: a dozen letters have more; an arrow, a bullet or a seal's ring less.
_CURVES = 120
_DPI = 100
# Letters: height and width in points; darker than what surrounds them by so many of 255.
_LOW, _HIGH, _WIDE, _DARKER = 3.0, 40.0, 45.0, 45
_NEAR, _GAP = 25, 6.0
# A line of print: so many letters over so many points.
_LETTERS, _LONG = 5, 20.0
_ENOUGH = 12
# What was recognised lately: letterheads and footers come again on page after page.
_REMEMBERED: dict[bytes, dict[str, Any]] = {}
_MANY = 256
_SLACK, _PAD, _MIN_WORDS = 1.5, 4.0, 2


def has_curved_letters(drawings: list[dict[str, Any]], words: PageWords, matrix: Affine) -> bool:
    """Whether fills beside the words have as many curves as letters would."""
    curves = 0
    seen: list[Rect] = []
    for drawing in drawings:
        if drawing["type"] != "f":
            continue
        bent = sum([item[0] == "c" for item in drawing["items"]])
        if bent:
            curves += bent
            seen.append(drawing["rect"])
    if curves < _CURVES:
        return False
    frames = [transform(box, matrix) for box in seen]
    return any(not any(condition.overlap(box, part.box) > 0 for part in words.fragments) for box in frames)


def add_loose_print(
    page: Any,
    raw: RawPage,
    words: PageWords,
    matrix: Affine,
    params: DocumentParams,
    hint: str,
    skip: list[Rect],
    drawings: list[dict[str, Any]] | None,
) -> float:
    """Recognise print that lies on no word and add it to `words`; remarks and notes go to `raw`.

    Returns the share of all print, by the area of its lines, that stays unread: 0 where all is read.

    Args:
        page: the open page.
        raw: what is known of it.
        words: its words in the reading frame.
        matrix: from MuPDF's page space to the reading frame.
        params: whether and how to recognise.
        hint: language of the page or file.
        skip: boxes in the frame that were looked at already.
        drawings: MuPDF's drawings, without letters among which nothing is looked for; None for a scan.
    """
    if drawings is not None and not has_curved_letters(drawings, words, matrix):
        return 0.0
    seen = [word for part in words.fragments for word in part.words if not word.hidden]
    known = [(word.x0, word.y0, word.x1, word.y1) for word in seen]
    known = [transform(box, raw.to_page) for box in [*known, *skip]]
    lines = lines_beside(page, known)
    if not lines:
        return 0.0
    box = around(lines)
    clip = (box[0] - _PAD, box[1] - _PAD, box[2] + _PAD, box[3] + _PAD)
    found, problem = _recognised(page, matrix, params, hint, clip)
    fresh = [part for part in (_beside(each, known, raw.to_page) for each in found) if part]
    said = " ".join(part.text for part in fresh)
    if len(said.split()) >= _MIN_WORDS and not condition.is_garbled(said, 0, 0):
        words.fragments += fresh
        detail = "print that the text layer does not hold, read by OCR"
        raw.remarks.append(Remark(raw.page, "picture_text", said, detail, "info", True, box))
        raw.notes.append(f"{len(lines)} lines of print beside the text layer were recognised by OCR")
        return 0.0
    detail = f"{len(lines)} lines of print lie beside the text layer and were not read: {problem}"
    raw.remarks.append(Remark(raw.page, "unread_picture", "", detail, "warn", False, box))
    raw.notes.append(detail)
    unread, read = sum(map(_area, lines)), sum(map(_area, known))
    return unread / (unread + read)


def lines_beside(page: Any, known: list[Rect], clip: Rect | None = None) -> list[Rect]:
    """Boxes of lines of print that lie on none of the known boxes, all on the page as displayed."""
    import cv2
    import numpy as np
    import pymupdf

    drawn = draw(page, pymupdf.csGRAY, dpi=_DPI, clip=clip)
    gray = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)[:, : drawn.width]
    scale = 72 / _DPI
    near = cv2.blur(gray, (_NEAR, _NEAR)).astype(np.int16)
    # Light print on a dark ground is print as well.
    ink = (np.abs(gray.astype(np.int16) - near) > _DARKER).astype(np.uint8)
    ink[gray > near + _DARKER] = 0
    for x0, y0, x1, y1 in known:
        left, top, right, bottom = (
            round(side / scale) - at
            for side, at in zip(
                (x0 - _SLACK, y0 - _SLACK, x1 + _SLACK, y1 + _SLACK),
                (drawn.x, drawn.y, drawn.x, drawn.y),
                strict=True,
            )
        )
        ink[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    stats = stats[1:]
    wide, high = stats[:, 2] * scale, stats[:, 3] * scale
    letters = stats[(high >= _LOW) & (high <= _HIGH) & (wide <= _WIDE) & (stats[:, 4] >= 5)]
    if len(letters) < _ENOUGH:
        return []
    rows = np.zeros_like(ink)
    gap = round(_GAP / scale)
    for x, y, width, height, _ in letters:
        rows[y : y + height, x : x + width + gap] = 1
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(rows, connectivity=8)
    held = np.bincount(
        labels[letters[:, 1] + letters[:, 3] // 2, letters[:, 0] + letters[:, 2] // 2], minlength=count
    )
    found: list[Rect] = []
    total = 0
    for number in range(1, count):
        x, y, width, height, _ = (int(each) for each in boxes[number])
        if held[number] >= _LETTERS and (width - gap) * scale >= _LONG:
            total += int(held[number])
            left, top = (x + drawn.x) * scale, (y + drawn.y) * scale
            found.append((left, top, left + (width - gap) * scale, top + height * scale))
    return sorted(found, key=lambda box: (box[1], box[0])) if total >= _ENOUGH else []


def recognise_once(page: Any, params: DocumentParams, hint: str, clip: Rect) -> dict[str, Any]:
    """As `recognise_part`; what was recognised at the same place of the same ink is remembered."""
    import pymupdf

    drawn = draw(page, pymupdf.csGRAY, dpi=_DPI, clip=clip)
    settings = repr((clip, page.rect, page.rotation, hint, params))
    key = hashlib.sha256(settings.encode() + drawn.samples).digest()
    if key not in _REMEMBERED:
        if len(_REMEMBERED) >= _MANY:
            _REMEMBERED.clear()
        _REMEMBERED[key] = recognise_part(page, params, hint, clip)
    return copy.deepcopy(_REMEMBERED[key])


def _recognised(
    page: Any, matrix: Affine, params: DocumentParams, hint: str, clip: Rect
) -> tuple[list[Fragment], str]:
    if not params.ocr:
        return [], "OCR is off; switch documents.ocr on"
    try:
        text = recognise_once(page, params, hint, clip)
    except OcrError as error:
        return [], str(error)
    seen = Visibility((-1e6, -1e6, 1e6, 1e6), [], scanned=True)
    found = read_words(text, matrix, seen, printed=False).fragments if text_of(text).strip() else []
    return found, "OCR found no text that can be trusted; look at the page"


def _beside(part: Fragment, known: list[Rect], to_page: Affine) -> Fragment | None:
    """What of recognised words lies on no known box."""
    kept = []
    for word in part.words:
        box = transform((word.x0, word.y0, word.x1, word.y1), to_page)
        if sum(condition.overlap(box, each) for each in known) < 0.3 * _area(box):
            kept.append(word)
    return Fragment(kept, part.level) if kept else None


def _area(box: Rect) -> float:
    return max(box[2] - box[0], 0.1) * max(box[3] - box[1], 0.1)
