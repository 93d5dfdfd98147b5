"""Styles of a Word file, with what they inherit: outline level, numbering, weight, size, and what is not shown.

Reads `word/styles.xml`. Decides nothing about single paragraphs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bidproof.documents.office.colours import INK, PAGE, SOME, hex_of, is_seen
from bidproof.documents.office.office_package import Element, child

_HEADING = re.compile(
    r"(?:heading|titre|[üu]berschrift|t[íi]tulo|titolo|kop|rubrik|nag[łl][óo]wek|đề mục|заголовок)\s*([1-9])$",
    re.I,
)
_TITLES = frozenset(
    {"title", "subtitle", "titre", "sous-titre", "titel", "untertitel", "título", "subtítulo"}
)
_CONTENTS = re.compile(r"(?:toc|tm|table des mati[èe]res|verzeichnis|indice|table of figures)\s*\d*$", re.I)
_BODY_LEVEL = 9
_MAX_CHAIN = 20
# Type that nobody can read: in points, and as a share of its usual width in percent.
_TINY, _NARROW = 3.0, 10
# Twips: a line of this fixed height shows nothing of its text, and one so far left of the margin leaves the sheet.
_FLAT, _OUTSIDE = 60, -8000
_HIGHLIGHTS = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00", "magenta": "FF00FF", "red": "FF0000",
    "yellow": "FFFF00", "white": "FFFFFF", "darkblue": "000080", "darkcyan": "008080", "darkgreen": "008000",
    "darkmagenta": "800080", "darkred": "800000", "darkyellow": "808000", "darkgray": "808080",
    "lightgray": "C0C0C0", "none": "",
}  # fmt: skip
# Hundredths of a percent of which Word's newer colours let the ground through.
_CLEAR = 90_000


@dataclass(frozen=True, slots=True)
class Look:
    """How a run looks, as far as it matters: whether it is seen, crossed out, set apart or raised.

    `color` and `ground` are six hex digits, empty where nothing is said, `marked` the colour of a highlighter.
    `place` is 1 for raised text and -1 for lowered text.
    """

    bold: bool = False
    size: float = 10.0
    vanish: bool = False
    struck: bool = False
    color: str = ""
    ground: str = ""
    marked: str = ""
    clear: bool = False
    place: int = 0

    @property
    def hidden(self) -> bool:
        """True for text that the page does not show."""
        if self.vanish or self.clear or self.size < _TINY:
            return True
        # Without a colour of its own, text turns white on a dark ground, but not under a highlighter.
        color = self.color or (INK if self.marked else "")
        return bool(color) and not is_seen(color, self.marked or self.ground or PAGE)


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style. `level` is the outline level from 0, or None; `part` is title, contents or caption."""

    look: Look = Look()
    level: int | None = None
    number_id: str = ""
    number_level: int | None = None
    part: str = ""
    name: str = ""


def flag(properties: Element | None, name: str) -> bool | None:
    """A switch such as `w:b`: on, off, or None where nothing is said."""
    found = properties.find(name) if properties is not None else None
    if found is None:
        return None
    return found.get("val", "true").lower() not in ("0", "false", "off", "none")


def value(parent: Element | None, path: str, name: str = "val") -> str:
    """An attribute of the element at `path` below `parent`; empty where there is none."""
    found = child(parent, path)
    return "" if found is None else found.get(name, "")


def look_of(properties: Element | None, base: Look) -> Look:
    """`base` changed by what run properties say."""
    if properties is None or not len(properties):
        return base
    changes: dict[str, object] = {}
    for field, names in (
        ("bold", ("w:b",)),
        ("vanish", ("w:vanish",)),
        ("struck", ("w:strike", "w:dstrike")),
    ):
        said = [each for name in names if (each := flag(properties, name)) is not None]
        if said:
            changes[field] = any(said)
    if (size := value(properties, "w:sz")).isdigit():
        changes["size"] = int(size) / 2
    changes |= _colours(properties, base)
    if is_narrow(properties):
        changes["size"] = 0.0
    if (place := value(properties, "w:position")).lstrip("-").isdigit():
        changes["place"] = (int(place) > 0) - (int(place) < 0)
    if raised := value(properties, "w:vertAlign"):
        changes["place"] = {"superscript": 1, "subscript": -1}.get(raised, changes.get("place", 0))
    return replace(base, **changes) if changes else base  # type: ignore[arg-type]


def _colours(properties: Element, base: Look) -> dict[str, object]:
    changes: dict[str, object] = {}
    color = properties.find("w:color")
    if color is not None:
        bright = color.get("themeColor") in ("background1", "light1") and not color.get("themeShade")
        changes["color"] = PAGE if bright else hex_of(color.get("val", ""))
    if ground := ground_of(properties):
        changes["ground"] = ground
    if highlight := value(properties, "w:highlight"):
        changes["marked"] = _HIGHLIGHTS.get(highlight.lower(), SOME)
    fill = properties.find("w14:textFill")
    if fill is not None:
        outlined = child(properties, "w14:textOutline/w14:solidFill") is not None
        alphas = [
            int(each.get("val", "0")) for each in fill.iter("w14:alpha") if each.get("val", "0").isdigit()
        ]
        invisible = fill.find("w14:noFill") is not None or any(each >= _CLEAR for each in alphas)
        changes["clear"] = invisible and not outlined
        if exact := hex_of(value(fill, "w14:solidFill/w14:srgbClr")):
            changes["color"] = exact
    return changes


def is_narrow(properties: Element) -> bool:
    """Whether letters are drawn together until they are strokes."""
    width = value(properties, "w:w").rstrip("%")
    return width.isdigit() and 0 < int(width) <= _NARROW


def ground_of(properties: Element | None) -> str:
    """The background that is set, other than the page's: six hex digits, `?` for a pattern, or nothing."""
    shade = properties.find("w:shd") if properties is not None else None
    if shade is None:
        return ""
    pattern, fill = shade.get("val", "clear"), hex_of(shade.get("fill", ""))
    if pattern == "solid":
        return hex_of(shade.get("color", "")) or INK
    if pattern not in ("clear", "nil"):
        return SOME
    return fill or (SOME if shade.get("themeFill") else "")


def is_out_of_sight(properties: Element | None) -> bool:
    """Whether a paragraph stands off the sheet, or in lines or a frame too flat to show it."""
    for path, rule in (("w:spacing", "lineRule"), ("w:framePr", "hRule")):
        found = properties.find(path) if properties is not None else None
        height = found.get("line" if path == "w:spacing" else "h", "") if found is not None else ""
        if found is not None and found.get(rule) == "exact" and height.isdigit() and int(height) < _FLAT:
            return True
    indents = [value(properties, "w:ind", name) for name in ("left", "start")]
    return any(each.startswith("-") and each[1:].isdigit() and int(each) < _OUTSIDE for each in indents)


class Styles:
    """The styles of a file by id."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._known: dict[str, Style] = {}
        self.shaded_tables: set[str] = set()
        self.default = ""
        base = Look()
        for each in root if root is not None else ():
            if each.tag == "w:docDefaults":
                base = look_of(child(each, "w:rPrDefault/w:rPr"), base)
            elif each.tag == "w:style":
                key = each.get("styleId", "")
                self._elements[key] = each
                if each.get("type") == "paragraph" and each.get("default") in ("1", "true", "on"):
                    self.default = key
                if each.get("type") == "table" and any(
                    ground_of(p) not in ("", PAGE) for p in each.iter("w:tcPr")
                ):
                    self.shaded_tables.add(key)
        self._base = Style(look=base)

    def paragraph(self, key: str) -> Style:
        """The paragraph style `key`; the file's default where it is empty or unknown."""
        return self._resolve(key if key in self._elements else self.default)

    def run(self, key: str, base: Look) -> Look:
        """`base` changed by the character style `key`."""
        for each in reversed(self._chain(key)):
            base = look_of(each.find("w:rPr"), base)
        return base

    def _chain(self, key: str) -> list[Element]:
        chain: list[Element] = []
        while key in self._elements and len(chain) < _MAX_CHAIN and self._elements[key] not in chain:
            chain.append(self._elements[key])
            key = value(chain[-1], "w:basedOn")
        return chain

    def _resolve(self, key: str) -> Style:
        if key in self._known:
            return self._known[key]
        style = self._base
        for each in reversed(self._chain(key)):
            style = _with(style, each)
        self._known[key] = style
        return style


def _with(style: Style, element: Element) -> Style:
    """`style` changed by one style element of its chain."""
    name = value(element, "w:name").strip()
    look = look_of(element.find("w:rPr"), style.look)
    properties = element.find("w:pPr")
    if ground := ground_of(properties):
        look = replace(look, ground=ground)
    level, outline = style.level, value(properties, "w:outlineLvl")
    if found := _HEADING.match(name):
        level = int(found[1]) - 1
    if outline.isdigit():
        level = int(outline) if int(outline) < _BODY_LEVEL else None
    part = style.part
    if name.lower() in _TITLES:
        part = "title"
    elif _CONTENTS.match(name):
        part = "contents"
    elif name.lower() in ("caption", "légende", "legende", "beschriftung"):
        part = "caption"
    number_level = value(properties, "w:numPr/w:ilvl")
    return Style(
        look=look,
        level=level,
        number_id=value(properties, "w:numPr/w:numId") or style.number_id,
        number_level=int(number_level) if number_level.isdigit() else style.number_level,
        part=part,
        name=name,
    )
