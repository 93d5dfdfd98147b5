"""Headings: which lines are headings, and under which headings a block stands.

Numbering decides first, type second: `3.2.1` is below `3.2` whatever its size. A line that only refers
to a clause ("7.5 applies to spare parts.") is no heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CONTAINERS = {
    "part": 0, "partie": 0, "volume": 0, "tome": 0, "book": 0, "title": 0, "titre": 0, "phần": 0,
    "section": 1, "chapter": 1, "chapitre": 1, "annex": 1, "annexe": 1, "appendix": 1, "appendice": 1,
    "lot": 1, "schedule": 1, "exhibit": 1, "attachment": 1, "form": 1, "formulaire": 1, "addendum": 1,
    "chương": 1, "article": 2, "clause": 2, "item": 2, "điều": 2, "mục": 2,
}  # fmt: skip
_ORDINAL = (
    r"(?:[IVXLC]{1,7}|\d{1,3}(?:\.\d{1,3})*|[A-Z](?:[-.]?\d{1,3})*|[A-Z]{1,3}-\d{1,3}|n°\s*\d+|No\.?\s*\d+)"
)
_WORDED = re.compile(
    rf"^(?P<word>{'|'.join(sorted(_CONTAINERS, key=len, reverse=True))})\s+(?P<number>{_ORDINAL})"
    r"(?=$|[\s:.)–—-])[\s:.)–—-]*(?P<title>.*)$",
    re.I | re.S,
)
_DECIMAL = re.compile(r"^(?P<number>\d{1,3}(?:\.\d{1,3})*)(?P<end>[.)]?)[-–—:]?\s+(?P<title>\S.*)$", re.S)
_ROMAN = re.compile(r"^(?P<number>[IVXLC]{1,7})(?:[.)]|\s*[-–—:])\s*(?P<title>\S.*)$", re.S)
_LETTER = re.compile(r"^(?P<number>[A-Z](?:\.\d{1,3})*)(?:[.)]|\s*[-–—:])\s+(?P<title>\S.*)$", re.S)
_CODED = re.compile(r"^(?P<number>[A-Z]\d{1,2}(?:\.\d{1,3})*)[.:)]?\s+(?P<title>\S.*)$", re.S)
_SENTENCE = re.compile(
    r"\b(?:shall|must|will|should|is|are|was|were|has|have|may|can|applies|apply|means|doit|doivent|sera"
    r"|seront|est|sont|peut|peuvent|a été)\b",
    re.I,
)
_MAX_WORDS, _MAX_WORDS_DISTINCT = 12, 22


@dataclass(frozen=True, slots=True)
class Number:
    """The numbering of a heading: its family, its parts (`3.2.1` is ("3", "2", "1")) and its title."""

    family: str
    parts: tuple[str, ...]
    title: str
    dotted: bool = False

    @property
    def depth(self) -> int:
        """Number of parts."""
        return len(self.parts)


def parse_number(text: str) -> Number | None:
    """The numbering at the start of a line, or None."""
    worded = _WORDED.match(text)
    if worded:
        return Number(worded["word"].lower(), tuple(worded["number"].split(".")), worded["title"].strip())
    decimal = _DECIMAL.match(text)
    if decimal:
        parts = tuple(decimal["number"].split("."))
        # "45.0" heads the chapter whose clauses are 45.1 and 45.2.
        zero = len(parts) == 2 and parts[1] == "0"
        return Number(
            "decimal", parts[:1] if zero else parts, decimal["title"].strip(), bool(decimal["end"]) or zero
        )
    for family, pattern in (("roman", _ROMAN), ("letter", _LETTER), ("coded", _CODED)):
        found = pattern.match(text)
        if found and not (family == "roman" and found["number"] in "CLD"):
            return Number(family, tuple(found["number"].split(".")), found["title"].strip(), True)
    return None


def is_heading_text(text: str, number: Number | None, distinct: bool, chapters: frozenset[str]) -> bool:
    """Whether a line can be a heading, by its words.

    Args:
        text: the whole line, wrapped lines joined.
        number: its numbering.
        distinct: it is set apart by size or weight.
        chapters: first parts of the decimal numbers with several parts that the document holds.
    """
    words = text.split()
    if not any(letter.isalpha() for letter in text) or len(words) > (
        _MAX_WORDS_DISTINCT if distinct else _MAX_WORDS
    ):
        return False
    if text.endswith((";", ",")) or (text.endswith((".", ":")) and not distinct):
        return False
    if number is None:
        return distinct and not text.endswith((".", ":")) and (len(text) > 2)
    title = number.title
    if not title:
        return number.family in _CONTAINERS
    if title[0].islower() or title[0] in ",;%)°":
        return False
    if number.family in _CONTAINERS and re.match(r"(?:of|de|du|des|and|et)\b", title, re.I):
        return False
    if distinct:
        return not (title.endswith(".") and _SENTENCE.search(title))
    if _SENTENCE.search(title) or not title[0].isalpha():
        return False
    if number.family == "decimal" and number.depth == 1:
        return not number.dotted and number.parts[0] in chapters
    return number.family in _CONTAINERS or number.family == "decimal"


@dataclass(slots=True)
class _Entry:
    text: str
    number: Number | None
    size: float


class HeadingStack:
    """The headings above the place in the document that has been reached."""

    def __init__(self) -> None:
        self._stack: list[_Entry] = []
        # The stack as it was below the last heading of each numbering since the last section began.
        self._kept: dict[str, list[_Entry]] = {}

    @property
    def path(self) -> str:
        """Headings from the outermost, joined by ` > `."""
        return " > ".join(entry.text for entry in self._stack)

    def leave_cover(self) -> None:
        """Titles without number on the first page are the cover's and head nothing that follows."""
        self._stack = [entry for entry in self._stack if entry.number is not None]

    def push(self, text: str, number: Number | None, size: float) -> int:
        """Enter a heading; returns its level, from 1."""
        self._return_from_insert(number)
        while self._stack and not self._above(self._stack[-1], number, size):
            self._stack.pop()
        self._stack.append(_Entry(text.replace(" > ", " - "), number, size))
        if number is not None and number.family in _CONTAINERS:
            self._kept.clear()
        elif number is not None:
            self._kept[number.family] = list(self._stack)
        return len(self._stack)

    def _return_from_insert(self, number: Number | None) -> None:
        """Back to where the numbering stood, when it counts on after an inserted page with titles of its own.

        A certificate bound in between chapters 4 and 5 heads its own page, not chapter 5.
        """
        kept = self._kept.get(number.family) if number is not None else None
        if (
            number is None
            or not kept
            or any(e.number and e.number.family == number.family for e in self._stack)
        ):
            return
        last = kept[-1].number
        if last is not None and _counts_on(last.parts, number.parts):
            self._stack = list(kept)

    def _above(self, top: _Entry, number: Number | None, size: float) -> bool:
        """Whether the heading `top` holds a new heading below it."""
        if number is None:
            return top.size > size + 0.6 if top.number is None else self._holds_plain(top, size)
        if number.family in _CONTAINERS:
            rank = _CONTAINERS[number.family]
            # A title without number never holds a whole section: it is the cover's, or of a part before.
            return (
                top.number is not None
                and top.number.family in _CONTAINERS
                and _CONTAINERS[top.number.family] < rank
            )
        if top.number is None:
            return top.size > size + 0.6 or not self._holds_family(number)
        if top.number.family == number.family:
            return number.parts[: top.number.depth] == top.number.parts and number.depth > top.number.depth
        if top.number.family in _CONTAINERS:
            return True
        return not self._holds_family(number)

    def _holds_plain(self, top: _Entry, size: float) -> bool:
        """A heading without number stands below the numbered one unless its type is larger."""
        return size <= top.size + 0.6

    def _holds_family(self, number: Number) -> bool:
        """Whether a heading of the same numbering is open: then the new one is its sibling or child."""
        for entry in reversed(self._stack):
            if entry.number is not None and entry.number.family in _CONTAINERS:
                return False
            if entry.number is not None and entry.number.family == number.family:
                return True
        return False


def _counts_on(last: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether a number comes after another of the same numbering, as 5 and 4.9 do after 4.8."""
    for one, other in zip(last, parts, strict=False):
        if one != other:
            return (
                int(other) > int(one)
                if one.isdigit() and other.isdigit()
                else (len(other), other) > (len(one), one)
            )
    return len(parts) > len(last)
