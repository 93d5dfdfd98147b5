"""A page's text in the order in which it is drawn, together with the fills drawn between.

MuPDF ends a line of text wherever a fill or rule is drawn within it (an underlined word, a link). Such lines
are put together again here by MuPDF's own rules, so that a page reads the same with and without its fills.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# Of MuPDF's text device: how far from where the pen stands the next letter may be and still touch the word, or
# still be on the line, and how far off the base line, all in sizes of the letter.
_TOUCHING, _ON_LINE, _OFF_BASE = 0.15, 0.8, 0.8
_SMALL = 6.0
_OPAQUE = 255
_STYLE = ("size", "flags", "font", "color", "alpha", "ascender", "descender", "char_flags", "bidi")


@dataclass(slots=True)
class Stream:
    """MuPDF's raw dictionary of a page's text, and its opaque fills of more than a rule's size.

    Lines and fills carry `number`, which grows in the order in which they are drawn. `glyphs` says that the text is
    what the glyphs show, whatever the file says in their place.
    """

    text: dict[str, Any]
    fills: list[dict[str, Any]]
    glyphs: bool = False

    @property
    def lines(self) -> list[dict[str, Any]]:
        """All lines of text."""
        return [line for block in self.text["blocks"] for line in block["lines"]]


def read_stream(page: Any, fills_too: bool = True, glyphs: bool = False) -> Stream:
    """The stream of an open page. Without `fills_too` it has no fills: those of most pages lie under no text.

    With `glyphs` it is what the glyphs show, whatever the file says in their place.
    """
    import pymupdf

    flags = pymupdf.TEXT_PRESERVE_WHITESPACE
    if glyphs:
        flags |= pymupdf.TEXT_IGNORE_ACTUALTEXT
    if not fills_too:
        return Stream(page.get_text("rawdict", flags=flags, clip=pymupdf.INFINITE_RECT()), [], glyphs)
    flags |= pymupdf.TEXT_COLLECT_VECTORS
    text = page.get_text("rawdict", flags=flags, clip=pymupdf.INFINITE_RECT())
    blocks: list[dict[str, Any]] = []
    fills: list[dict[str, Any]] = []
    cut = False
    for block in text["blocks"]:
        if block["type"] == 3:
            x0, y0, x1, y1 = block["bbox"]
            if not block["stroked"] and block["alpha"] == _OPAQUE and x1 - x0 > _SMALL and y1 - y0 > _SMALL:
                fills.append(block)
            cut = True
            continue
        if block["type"] != 0:
            continue
        for line in block["lines"]:
            line["number"] = block["number"]
        if cut and blocks and block["lines"] and _goes_on(blocks[-1]["lines"][-1], block["lines"][0]):
            block["lines"] = block["lines"][1:]
        cut = False
        if block["lines"]:
            blocks.append(block)
    text["blocks"] = blocks
    return Stream(text, fills, glyphs)


def _goes_on(line: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether MuPDF would have drawn `after` on `line`; if so it is added to it."""
    if tuple(line["dir"]) != tuple(after["dir"]) or line["wmode"] != after["wmode"]:
        return False
    if not line["spans"] or not after["spans"]:
        return False
    last, first = line["spans"][-1], after["spans"][0]
    if not last["chars"] or not first["chars"]:
        return False
    end, start, size = last["chars"][-1], first["chars"][0], first["size"]
    dx, dy = line["dir"]
    # The pen stands at the end of the letter's advance.
    pen = _pen(end, dx, dy)
    x, y = start["origin"][0] - pen[0], start["origin"][1] - pen[1]
    along, off = x * dx + y * dy, x * dy - y * dx
    if abs(off) >= _OFF_BASE * size or not -_TOUCHING * size < along < _ON_LINE * size:
        return False
    if along >= _TOUCHING * size and not end["c"].isspace() and not start["c"].isspace():
        last["chars"].append({"c": " ", "origin": pen, "bbox": (*pen, *pen), "synthetic": True})
    if all(last.get(name) == first.get(name) for name in _STYLE):
        last["chars"] += first["chars"]
        line["spans"] += after["spans"][1:]
    else:
        line["spans"] += after["spans"]
    return True


def _pen(char: dict[str, Any], dx: float, dy: float) -> tuple[float, float]:
    x0, y0, x1, y1 = char["bbox"]
    x, y = char["origin"]
    if abs(dx) >= abs(dy):
        return (x1 if dx > 0 else x0), y
    return x, (y1 if dy > 0 else y0)
