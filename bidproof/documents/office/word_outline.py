"""Headings of a Word file: which paragraphs are headings, and under which headings a paragraph stands.

A style's outline level is the author's own word and counts before type; numbering counts before both, because
many authors give every heading one style and type the numbers. (`headings` has to guess levels from a page.)
"""

from __future__ import annotations

from dataclasses import dataclass

from bidproof.documents.structure.headings import Number, is_heading_text, parse_number

_SURE_WORDS = 8
_MAX_WORDS = 22
_NEED_TYPE = frozenset({"letter", "roman", "coded"})
# Type this much larger than the body's is set apart.
_LARGER = 1.12


@dataclass(frozen=True, slots=True)
class _Entry:
    text: str
    number: Number | None
    level: int | None
    size: float


def is_heading(text: str, level: int | None, distinct: bool, listed: bool) -> bool:
    """Whether a paragraph is a heading.

    Args:
        text: with its marker.
        level: outline level of its style, None for body text.
        distinct: set apart by weight or size.
        listed: it has an automatic bullet.
    """
    words = text.split()
    if level is not None:
        if len(words) > _MAX_WORDS or not any(letter.isalpha() for letter in text):
            return False
        # Clauses are often given heading styles for the sake of their numbers.
        short = len(words) <= _SURE_WORDS and not text.endswith((";", ","))
        return short or is_heading_text(text, parse_number(text), True, frozenset())
    number = parse_number(text)
    if listed or (number is None and not distinct):
        return False
    if not distinct and number is not None and number.family in _NEED_TYPE:
        return False
    return is_heading_text(text, number, distinct, frozenset())


def is_distinct(bold: bool, size: float, body_bold: bool, body_size: float) -> bool:
    """Set apart from body text by weight or size."""
    return size >= _LARGER * body_size or (bold and not body_bold and size >= 0.95 * body_size)


class Outline:
    """The headings above the place that has been reached."""

    def __init__(self) -> None:
        self._stack: list[_Entry] = []

    @property
    def path(self) -> str:
        """Headings from the outermost, joined by ` > `."""
        return " > ".join(entry.text for entry in self._stack)

    def push(self, text: str, level: int | None, size: float) -> int:
        """Enter a heading; returns its level, from 1."""
        new = _Entry(text.replace(" > ", " - "), parse_number(text), level, size)
        while self._stack and not self._holds(self._stack[-1], new):
            self._stack.pop()
        self._stack.append(new)
        return len(self._stack)

    def _holds(self, top: _Entry, new: _Entry) -> bool:
        """Whether the heading `top` holds a new heading below it."""
        if top.number and new.number and top.number.family == new.number.family == "decimal":
            return (
                new.number.depth > top.number.depth
                and new.number.parts[: top.number.depth] == top.number.parts
            )
        if self._counts_on(new):
            # A sibling of the same numbering is open further out.
            return False
        if top.level is not None and new.level is not None:
            return top.level < new.level
        if top.level is not None:
            return True
        if new.level is not None:
            return False
        if top.number is not None:
            return True
        family = new.number.family if new.number is not None else ""
        known = any(entry.number is not None and entry.number.family == family for entry in self._stack)
        return top.size > new.size + 0.6 or (new.number is not None and not known)

    def _counts_on(self, new: _Entry) -> bool:
        """The stack holds a number of the same decimal numbering that is no parent of the new one."""
        if new.number is None or new.number.family != "decimal":
            return False
        for entry in self._stack[:-1]:
            if entry.number is not None and entry.number.family == "decimal":
                depth = entry.number.depth
                parent = new.number.depth > depth and new.number.parts[:depth] == entry.number.parts
                if not parent and (entry.level is None or new.level is None or entry.level >= new.level):
                    return True
        return False
