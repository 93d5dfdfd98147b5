"""Fonts, fills and rich texts of a workbook: what is crossed out, too small, or of one colour with its cell.

Reads `xl/styles.xml` and shared texts. Knows no cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bidproof.documents.office.colours import INK, PAGE, SOME, hex_of, is_seen
from bidproof.documents.office.office_package import Element, children
from bidproof.documents.office.word_styles import flag, value
from bidproof.documents.office.workbook_formats import BUILT_IN, GENERAL
from bidproof.documents.raised_runs import Run, join_runs

# Points: type that nobody can read.
_TINY = 3.0
# The first colours of Excel's old palette, and the two of the system. Others are not known here.
_PALETTE = ("000000", "FFFFFF", "FF0000", "00FF00", "0000FF", "FFFF00", "FF00FF", "00FFFF")
_SYSTEM = {"64": INK, "65": PAGE}


@dataclass(frozen=True, slots=True)
class CellStyle:
    """How a cell looks, as far as it matters. `color` and `ground` are as in `colours`, or name a theme's colour."""

    code: str = GENERAL
    bold: bool = False
    struck: bool = False
    size: float = 11.0
    color: str = INK
    ground: str = PAGE

    @property
    def unseen(self) -> bool:
        """Whether letters of this style cannot be read."""
        return self.size < _TINY or not is_seen(self.color, self.ground)


@dataclass(frozen=True, slots=True)
class Part:
    """A run of a rich text; colour and size are None where they are those of the cell."""

    text: str
    struck: bool = False
    place: int = 0
    color: str | None = None
    size: float | None = None

    @property
    def is_set(self) -> bool:
        """Whether it looks other than its cell says."""
        return self.struck or bool(self.place) or self.color is not None or self.size is not None


Rich = tuple[Part, ...]


def rich(element: Element) -> Rich:
    """The runs of a shared or inline string; readings for pronunciation are left out."""
    parts = []
    for part in element:
        if part.tag == "x:t":
            parts.append(Part(part.text or ""))
        elif part.tag == "x:r":
            text, look = "".join(each.text or "" for each in part.findall("x:t")), part.find("x:rPr")
            place = {"superscript": 1, "subscript": -1}.get(value(look, "x:vertAlign"), 0)
            color = look.find("x:color") if look is not None else None
            said = value(look, "x:sz")
            parts.append(
                Part(
                    text,
                    bool(flag(look, "x:strike")),
                    place,
                    None if color is None else _color(color, INK),
                    _points(said) if said else None,
                )
            )
    return tuple(parts)


def spoken(parts: Rich, style: CellStyle, clean: Callable[[str], str]) -> tuple[str, str, str]:
    """Text of a rich string in a cell: what is read, what is struck, and what cannot be seen."""
    live: list[Run] = []
    struck, unseen = "", ""
    for part in parts:
        size = style.size if part.size is None else part.size
        color = style.color if part.color is None else part.color
        if part.struck:
            struck += f" {part.text}"
        elif part.text.strip() and (size < _TINY or not is_seen(color, style.ground)):
            unseen += f" {part.text}"
        else:
            live.append(Run(part.text, part.place))
    return clean(join_runs(live)[0]), clean(struck), clean(unseen)


def styles_of(root: Element | None) -> list[CellStyle]:
    """Looks of cells, by the number that a cell gives."""
    if root is None:
        return [CellStyle()]
    codes = {
        int(each.get("numFmtId", "0")): each.get("formatCode", GENERAL)
        for each in children(root, "x:numFmts/x:numFmt")
        if each.get("numFmtId", "").isdigit()
    }
    fonts = [_font(each) for each in children(root, "x:fonts/x:font")]
    fills = [_fill(each) for each in children(root, "x:fills/x:fill")]
    found = []
    for each in children(root, "x:cellXfs/x:xf"):
        number, font, fill = (_at(each, name) for name in ("numFmtId", "fontId", "fillId"))
        bold, struck, size, color = fonts[font] if font < len(fonts) else (False, False, 11.0, INK)
        ground = fills[fill] if fill < len(fills) else PAGE
        code = codes.get(number, BUILT_IN.get(number, GENERAL))
        found.append(CellStyle(code, bold, struck, size, color, ground))
    return found or [CellStyle()]


def _at(element: Element, name: str) -> int:
    text = element.get(name, "0")
    return int(text) if text.isdigit() else 0


def _font(element: Element) -> tuple[bool, bool, float, str]:
    color, size = element.find("x:color"), value(element, "x:sz")
    ink = INK if color is None else _color(color, INK)
    return bool(flag(element, "x:b")), bool(flag(element, "x:strike")), _points(size), ink


def _points(text: str) -> float:
    try:
        return float(text) if text else 11.0
    except ValueError:
        return 11.0


def _fill(element: Element) -> str:
    """The colour of a cell's ground; `?` for patterns and gradients."""
    pattern = element.find("x:patternFill")
    if pattern is None:
        return SOME if element.find("x:gradientFill") is not None else PAGE
    kind = pattern.get("patternType", "none")
    if kind == "none":
        return PAGE
    color = pattern.find("x:fgColor")
    return SOME if kind != "solid" or color is None else _color(color, SOME)


def _color(element: Element, automatic: str) -> str:
    """Six hex digits, or a name for a colour of the theme; equal names are equal colours."""
    if exact := hex_of(element.get("rgb", "")):
        return exact
    theme, tint = element.get("theme", ""), element.get("tint", "0")
    if theme:
        plain = _points(tint) == 0.0 if tint not in ("", "0") else True
        # The first two colours of a theme are the ground of the page and its letters: white and black in nearly all.
        return {"0": PAGE, "1": INK}.get(theme, f"theme {theme}") if plain else f"theme {theme} {tint}"
    index = element.get("indexed", "")
    if index in _SYSTEM:
        return _SYSTEM[index]
    if index.isdigit():
        return _PALETTE[int(index) % 8] if int(index) < 16 else f"indexed {index}"
    return automatic


def hides(root: Element | None) -> list[bool]:
    """For each of the looks that conditions give to cells, whether it crosses out or hides what they say."""
    found = []
    for each in children(root, "x:dxfs/x:dxf") if root is not None else []:
        font, fill = each.find("x:font"), each.find("x:fill")
        color = font.find("x:color") if font is not None else None
        ground = fill.find("x:patternFill") if fill is not None else None
        own = ground.find("x:bgColor") if ground is not None else None
        letters = "" if color is None else _color(color, INK)
        behind = PAGE if own is None else _color(own, PAGE)
        code = value(each, "x:numFmt", "formatCode")
        struck = bool(flag(font, "x:strike"))
        found.append(struck or (bool(letters) and not is_seen(letters, behind)) or code.startswith(";;"))
    return found
