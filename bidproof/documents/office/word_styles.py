"""Styles of a Word file, with what they inherit: outline level, numbering, weight, size, and what is not shown.

Reads `word/styles.xml`. Decides nothing about single paragraphs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

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
# Type that nobody can read, in points.
_TINY = 3.0


@dataclass(frozen=True, slots=True)
class Look:
    """How a run looks, as far as it matters: whether it is seen, crossed out, set apart or raised."""

    bold: bool = False
    size: float = 10.0
    vanish: bool = False
    struck: bool = False
    white: bool = False
    shaded: bool = False
    raised: bool = False

    @property
    def hidden(self) -> bool:
        """True for text that the page does not show."""
        return self.vanish or (self.white and not self.shaded) or self.size < _TINY


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
    if color := value(properties, "w:color"):
        changes["white"] = color.upper() == "FFFFFF"
    if is_shaded(properties) or value(properties, "w:highlight") not in ("", "none", "white"):
        changes["shaded"] = True
    if raised := value(properties, "w:vertAlign"):
        changes["raised"] = raised == "superscript"
    return replace(base, **changes) if changes else base  # type: ignore[arg-type]


def is_shaded(properties: Element | None) -> bool:
    """Whether a background other than white is set, on which white text can be seen."""
    shade = properties.find("w:shd") if properties is not None else None
    if shade is None:
        return False
    fill = shade.get("fill", "auto").upper()
    pattern = shade.get("val", "clear")
    return (
        fill not in ("AUTO", "FFFFFF", "") or bool(shade.get("themeFill")) or pattern not in ("clear", "nil")
    )


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
                if each.get("type") == "table" and any(is_shaded(p) for p in each.iter("w:tcPr")):
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
    if is_shaded(properties):
        look = replace(look, shaded=True)
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
