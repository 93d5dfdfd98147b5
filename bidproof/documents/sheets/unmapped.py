"""Characters that stand for none that is known (U+FFFD, controls): those that show nothing go, the others stay.

A control character has no sign on the page; a bullet or a figure of a font without a mapping, or with a wrong one,
has, and must not be lost. Only the page as drawn tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from bidproof.documents.drawing import draw
from bidproof.documents.page import Affine, Rect, Remark, around, transform

UNKNOWN = "\ufffd"
# That, or a control character that is no space.
_UNKNOWN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufffd]")
# More on one page are no stray controls; they stay as they are.
_MOST = 400
_NAMED, _SHOWN = 3, 20
_DPI, _PIXELS = 150, 4_000_000
# Parts of 255 by which a drawn point differs from the ground around it.
_INK = 20
# Of the size of letters: how far signs stand above and below the line, and the least width of a gap that is seen.
_ABOVE, _BELOW, _GAP = 0.95, 0.25, 0.12
# Points: what is looked at around a character, and by how much its sides are drawn in from its neighbours.
_AROUND, _INSET = 3.0, 0.4
_FLAT = 0.05


class Inkless(NamedTuple):
    """Characters that were taken out: how many, the words before some of them, and the box on the page as displayed."""

    number: int = 0
    after: tuple[str, ...] = ()
    box: Rect = (0.0, 0.0, 0.0, 0.0)


class _Found(NamedTuple):
    span: dict[str, Any]
    char: dict[str, Any]
    box: Rect
    wide: bool
    after: str


def clear_inkless(page: Any, text: dict[str, Any]) -> Inkless:
    """Take unknown characters that show no ink out of MuPDF's raw dictionary `text` of an open page.

    One that leaves a gap to the eye becomes a blank: digits on both sides of it are no one figure. A control
    character that shows ink becomes U+FFFD.
    """
    if not _may_hold_unknown(text):
        return Inkless()
    found = list(_unknown(text))
    if not found or len(found) > _MOST:
        return Inkless()
    matrix: Affine = tuple(page.rotation_matrix)
    boxes = [transform(each.box, matrix) for each in found]
    inked = _inked(page, boxes)
    if not all(each.wide for each in found):
        outlined = _outlined(page)
        inked = [
            ink if each.wide else outlined is None or _spot(each.char) in outlined
            for each, ink in zip(found, inked, strict=True)
        ]
    bare = []
    for each, ink in zip(found, inked, strict=True):
        if ink:
            each.char["c"] = UNKNOWN
        else:
            bare.append(each)
    if not bare:
        return Inkless()
    for each in bare:
        chars = each.span["chars"]
        if each.wide or len(chars) == 1:
            each.char["c"] = " "
        else:
            each.span["chars"] = [char for char in chars if char is not each.char]
    after = tuple(dict.fromkeys(each.after for each in bare if each.after))[:_NAMED]
    return Inkless(len(bare), after, around([transform(each.box, matrix) for each in bare]))


def remarks_on_characters(page: int, dropped: int, undecoded: int, inkless: Inkless) -> list[Remark]:
    """One remark on a page's characters that were `dropped` as controls (the inkless among them) or are unknown."""
    where = ", ".join(f"\u201c{words}\u201d" for words in inkless.after)
    gone = f"{dropped} control characters were dropped; see that no figure lost a part" if dropped else ""
    if inkless.number:
        place = f", after {where}" if where else ""
        gone = f"{dropped} control characters, which show nothing on the page, were dropped{place}; see that no figure lost a part"
    if undecoded:
        detail = f"{undecoded} characters stand for none that is known (shown as {UNKNOWN}); look at the page"
        detail += f"; {gone}" if gone else ""
        return [Remark(page, "undecoded_text", "", detail, "warn")]
    severity = "warn" if inkless.number else "info"
    return [Remark(page, "control_characters", "", gone, severity, box=inkless.box)] if gone else []


def _may_hold_unknown(text: dict[str, Any]) -> bool:
    """Whether any character is unknown; nearly all pages hold none."""
    return any(
        _UNKNOWN.search("".join([char["c"] for char in span["chars"]]))
        for block in text["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
    )


def _unknown(text: dict[str, Any]) -> Iterator[_Found]:
    """Unknown characters of text that is painted, each with what stands before it in its block."""
    for block in text["blocks"]:
        before = ""
        for line in block.get("lines", ()):
            for span in line["spans"]:
                painted = _is_painted(span)
                said = "".join([char["c"] for char in span["chars"]])
                for sign in _UNKNOWN.finditer(said) if painted else ():
                    char = span["chars"][sign.start()]
                    after = _UNKNOWN.sub(" ", before + said[: sign.start()])
                    yield _Found(
                        span, char, *_place(line, span, char), " ".join(after.split()[-2:])[-_SHOWN:]
                    )
                before = (before + said)[-2 * _SHOWN :]
            before += " "


def _is_painted(span: dict[str, Any]) -> bool:
    """Filled or stroked, and not see-through: what is not drawn shows nothing whatever it is."""
    return bool(span.get("char_flags", 16) & 48) and span.get("alpha", 255) > 0


def _place(line: dict[str, Any], span: dict[str, Any], char: dict[str, Any]) -> tuple[Rect, bool]:
    """Where a character's sign would stand, in MuPDF's page space, and whether it takes up room on the line."""
    x0, y0, x1, y1 = char["bbox"]
    size, base = span["size"], char["origin"][1]
    dx, dy = line["dir"]
    wide = abs(dx) * (x1 - x0) + abs(dy) * (y1 - y0) > _GAP * size
    if (dx, dy) == (1.0, 0.0):
        y0, y1 = max(y0, base - _ABOVE * size), min(y1, base + _BELOW * size)
    return (x0, y0, x1, y1), wide


def _outlined(page: Any) -> set[tuple[float, float]] | None:
    """Spots of the unknown characters whose glyphs have an outline; None where that cannot be told.

    What stands in a glyph without a width is drawn over its neighbours: the page does not tell whose ink it is.
    """
    import pymupdf

    if any(font[2] == "Type3" for font in page.get_fonts(full=True)):
        return None
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_ACCURATE_BBOXES
    text = page.get_text("rawdict", flags=flags, clip=pymupdf.INFINITE_RECT())
    return {
        _spot(char)
        for block in text["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
        if _UNKNOWN.match(char["c"]) and not _is_flat(char["bbox"], *line["dir"])
    }


def _is_flat(box: Rect, dx: float, dy: float) -> bool:
    """The box of a glyph without an outline: nothing stands across the line."""
    return abs(dy) * (box[2] - box[0]) + abs(dx) * (box[3] - box[1]) < _FLAT


def _spot(char: dict[str, Any]) -> tuple[float, float]:
    x, y = char["origin"]
    return round(x, 2), round(y, 2)


def _inked(page: Any, boxes: list[Rect]) -> list[bool]:
    """Whether each of the boxes on the displayed page shows ink; one that cannot be looked at counts as inked."""
    import numpy as np
    import pymupdf

    x0, y0, x1, y1 = around(boxes)
    clip = pymupdf.Rect(x0 - _AROUND, y0 - _AROUND, x1 + _AROUND, y1 + _AROUND) & page.rect
    if clip.is_empty:
        return [True] * len(boxes)
    area = max(clip.width * clip.height, 1.0)
    dpi = min(_DPI, int(72 * (_PIXELS / area) ** 0.5))
    if dpi < 72:
        return [True] * len(boxes)
    drawn = draw(page, pymupdf.csRGB, dpi=dpi, clip=clip)
    rows = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)
    points = rows[:, : 3 * drawn.width].reshape(drawn.height, drawn.width, 3).astype(np.int16)
    scale = dpi / 72
    return [_is_inked(points, _pixels(box, scale, drawn.x, drawn.y), scale) for box in boxes]


def _pixels(box: Rect, scale: float, left: int, top: int) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = box
    return (
        round((x0 + _INSET) * scale) - left, round(y0 * scale) - top,
        round((x1 - _INSET) * scale) - left, round(y1 * scale) - top,
    )  # fmt: skip


def _is_inked(points: Any, box: tuple[int, int, int, int], scale: float) -> bool:
    """Some point in the box differs from the ground, which is what most points around the box show."""
    import numpy as np

    x0, y0, x1, y1 = box
    height, width, _ = points.shape
    if x0 < 0 or y0 < 0 or x1 > width or y1 > height or x1 - x0 < 1 or y1 - y0 < 1:
        return True
    margin = max(round(_AROUND * scale), 1)
    wider = points[max(y0 - margin, 0) : y1 + margin, max(x0 - margin, 0) : x1 + margin]
    ground = np.median(wider.reshape(-1, 3), axis=0)
    return bool((np.abs(points[y0:y1, x0:x1] - ground) > _INK).any())
