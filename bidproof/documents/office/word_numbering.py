"""Automatic numbering of a Word file: the markers ("3.2.1", "(a)", a bullet) that stand in no text.

Reads `word/numbering.xml` and counts paragraphs as Word does. Decides nothing about headings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bidproof.documents.office.office_package import Element
from bidproof.documents.office.word_styles import value

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_BULLET = "•"
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    style: str = ""
    legal: bool = False
    restart: int | None = None


@dataclass(slots=True)
class _List:
    """An abstract numbering: its levels, and how far each has counted."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts numbered paragraphs in the order in which they are asked for."""

    def __init__(self, root: Element | None) -> None:
        self._lists: dict[str, _List] = {}
        self._numbers: dict[str, tuple[str, dict[int, _Level], dict[int, int]]] = {}
        self._begun: set[tuple[str, int]] = set()
        self._styled: dict[tuple[str, str], int] = {}
        if root is not None:
            self._read(root)

    def _read(self, root: Element) -> None:
        linked: dict[str, str] = {}
        owners: dict[str, str] = {}
        for each in root.findall("w:abstractNum"):
            key = each.get("abstractNumId", "")
            self._lists[key] = _List(_levels(each))
            if style := value(each, "w:styleLink"):
                owners[style] = key
            if style := value(each, "w:numStyleLink"):
                linked[key] = style
        for each in root.findall("w:num"):
            number, key = each.get("numId", ""), value(each, "w:abstractNumId")
            key = owners.get(linked.get(key, ""), key)
            if key not in self._lists:
                continue
            levels, starts = dict(self._lists[key].levels), {}
            for override in each.findall("w:lvlOverride"):
                at = _number(override.get("ilvl", ""), 0)
                levels.update(_levels(override))
                start = value(override, "w:startOverride")
                if start:
                    starts[at] = _number(start, 1)
            self._numbers[number] = (key, levels, starts)
            for at, level in levels.items():
                if level.style:
                    self._styled[number, level.style] = at

    def level_of(self, number: str, style: str) -> int | None:
        """Level of a list that is bound to a paragraph style; None where none is."""
        return self._styled.get((number, style))

    def marker(self, number: str, at: int) -> str:
        """The marker of the next paragraph at level `at` of list `number`; empty where it shows none."""
        if number not in self._numbers or not 0 <= at < _LEVELS:
            return ""
        key, levels, starts = self._numbers[number]
        counts = self._lists[key].counts
        level = levels.get(at, _Level())
        if at in starts and (number, at) not in self._begun:
            counts[at] = starts[at] - 1
        self._begun.add((number, at))
        counts[at] = counts.get(at, level.start - 1) + 1
        for deeper in range(at + 1, _LEVELS):
            restart = levels.get(deeper, _Level()).restart
            # A level restarts after any level above it, unless it names the one that it waits for, or none.
            if restart is None or (restart and at < restart):
                counts.pop(deeper, None)
        if level.form == "bullet":
            return _BULLET if level.text.strip() else ""
        if level.form == "none":
            return _PLACE.sub("", level.text).strip()

        def shown(found: re.Match[str]) -> str:
            other = int(found[1]) - 1
            held = levels.get(other, _Level())
            count = counts.get(other, held.start)
            return spell(count, "decimal" if level.legal else held.form)

        return _PLACE.sub(shown, level.text).strip()


def _levels(parent: Element) -> dict[int, _Level]:
    found = {}
    for each in parent.findall("w:lvl"):
        restart = value(each, "w:lvlRestart")
        legal = each.find("w:isLgl")
        found[_number(each.get("ilvl", ""), 0)] = _Level(
            start=_number(value(each, "w:start"), 0 if each.find("w:start") is None else 1),
            form=value(each, "w:numFmt") or "decimal",
            text=value(each, "w:lvlText"),
            style=value(each, "w:pStyle"),
            legal=legal is not None and legal.get("val", "1") not in ("0", "false", "off"),
            restart=_number(restart, 0) if restart else None,
        )
    return found


def _number(text: str, default: int) -> int:
    return int(text) if text.lstrip("-").isdigit() else default


def spell(count: int, form: str) -> str:
    """A count in a number format of Word's; formats in words are given as figures."""
    if form in ("upperLetter", "lowerLetter") and count > 0:
        letter = chr(ord("A") + (count - 1) % 26) * min((count - 1) // 26 + 1, 20)
        return letter if form == "upperLetter" else letter.lower()
    if form in ("upperRoman", "lowerRoman") and 0 < count < 4000:
        text = ""
        for worth, sign in _ROMAN:
            while count >= worth:
                text, count = text + sign, count - worth
        return text if form == "upperRoman" else text.lower()
    if form == "decimalZero":
        return f"{count:02d}"
    return "" if form in ("none", "bullet") else str(count)
