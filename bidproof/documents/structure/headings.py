"""Headings: which lines may be headings by their words, and under which headings a block stands.

Numbering decides first, type second, the bookmarks of the file last: `3.2.1` is below `3.2` whatever its size.
A line that only refers to a clause ("7.5 applies to spare parts.") is no heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from bidproof.documents.structure.numbering import CONTAINERS, comes_next, counts_on, settle
from bidproof.documents.structure.numbering import Number as Number
from bidproof.documents.structure.numbering import parse_number as parse_number

_SENTENCE = re.compile(
    r"\b(?:shall|must|will|should|is|are|was|were|has|have|may|can|applies|apply|means|doit|doivent|sera"
    r"|seront|est|sont|peut|peuvent|a été|muss|müssen|ist|sind|wird|werden|debe|deben|deberá|será)\b",
    re.I,
)
_SIGNED = re.compile(r"/s/|^By:|^(?:in|en)\s+(?:millions?|thousands|milliers|billions)\b", re.I)
# "1. Award. The option may be exercised ..." goes on as a paragraph.
_RUN_IN = re.compile(r"^.{2,80}?[.:]\s*[A-Z]")
# "5G Slice Management", "5-Year Services" and "24/7 Support" are titles; "000 EUR" is the rest of a sum.
_COUNTED = re.compile(r"\d{1,3}(?:[A-Z]\b|-[A-Z]|/\d)")
_REFERS = re.compile(r"(?:of|de|du|des|and|et|to|und|der|y|del|above|below|ci-dessus)\b", re.I)
_MAX_WORDS, _MAX_WORDS_DISTINCT, _MAX_LABEL_WORDS = 12, 22, 10
# Sizes of one kind of heading waver by less than this, in points or, in large type, as a share.
_SAME_SIZE, _SAME_SHARE = 0.6, 0.05
# Titles of this size, in points, that begin pages are of one kind where they differ no more than scans waver.
_TITLE, _WAVER = 14.0, 1.1
# Marks of items, which hold no form or article.
_MARKS = frozenset({"small", "small roman", "braced"})
# Annexes, articles and what is above them number the document itself; forms, items and notes count anew.
_INNER = 1.7


class Look(NamedTuple):
    """How a heading is set: what tells levels apart where nothing is numbered."""

    size: float = 0.0
    bold: bool = False
    caps: bool = False
    upright: bool = True
    centred: bool = False

    def larger(self, other: Look) -> bool:
        """Whether it is set in clearly larger type."""
        return self.size > other.size + max(_SAME_SIZE, _SAME_SHARE * other.size)

    def outranks(self, other: Look) -> bool:
        """Whether a heading set so stands above one set as `other`."""
        if self.larger(other) or other.larger(self):
            return self.size > other.size
        return self[1:] > other[1:]


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
        return distinct and _is_plain_title(text, words)
    title = number.title
    if not title:
        return number.rank is not None
    if not (title[0].isalpha() or title[0] in "“\"'‘«([¿" or _COUNTED.match(title)):
        return False
    if title[0].islower() and not (distinct and number.family in ("letter", "roman") and len(words) < 9):
        return False
    if number.rank is not None and _REFERS.match(title):
        return False
    if distinct:
        return not (_SENTENCE.search(title) and (title.endswith(".") or _RUN_IN.match(title)))
    if _SENTENCE.search(title) or not title[0].isalnum():
        return False
    if number.family == "decimal" and number.depth == 1:
        return not number.dotted and number.parts[0] in chapters
    return number.rank is not None or number.family == "decimal"


def _is_plain_title(text: str, words: list[str]) -> bool:
    """Whether a line without number reads like a title: no sentence, signature, formula or remark in brackets."""
    if len(text) <= 2 or text.endswith((".", "(")) or "=" in text or _SIGNED.search(text):
        return False
    if text.endswith(":") and len(words) > _MAX_LABEL_WORDS:
        return False
    first = next((letter for letter in text if letter not in "“\"'‘«¿¡"), "")
    if not first.isalnum() or first.islower():
        return False
    long = [word for word in words if len(word) > 3]
    small = sum(word[0].islower() for word in long)
    return not (len(words) > 6 and small > 0.7 * len(long) and _SENTENCE.search(text))


@dataclass(slots=True)
class _Entry:
    text: str
    number: Number | None
    look: Look
    outline: int = 0
    opens: bool = False


class HeadingStack:
    """The headings above the place in the document that has been reached."""

    def __init__(self) -> None:
        self._stack: list[_Entry] = []
        # The stack as it was with the last heading of each numbering.
        self._kept: dict[str, list[_Entry]] = {}
        self._lettered: Number | None = None
        # Depth at which each look without number has stood since the last numbered heading.
        self._depths: dict[Look, int] = {}

    @property
    def path(self) -> str:
        """Headings from the outermost, joined by ` > `."""
        return " > ".join(entry.text for entry in self._stack)

    def leave_cover(self) -> None:
        """Titles without number on the first page are the cover's and head nothing that follows."""
        self._stack = [entry for entry in self._stack if entry.number is not None]

    def push(
        self, text: str, number: Number | None, look: Look, outline: int = 0, opens: bool = False
    ) -> int:
        """Enter a heading; returns its level, from 1.

        Args:
            text: its words.
            number: its numbering.
            look: how it is set.
            outline: its level among the bookmarks of the file, from 1; 0 where it has none.
            opens: it is the first that its page prints.
        """
        if number is None:
            self._leave_for_plain(look, outline, opens)
            # What is set alike stands at one depth, even below one that is centred or in capitals.
            key = look._replace(size=float(round(look.size)))
            top = self._stack[-1] if self._stack else None
            if not outline and top is not None and top.number is None and _weighs(top.look, look):
                del self._stack[self._depths.get(key, len(self._stack)) :]
            self._depths = {held: depth for held, depth in self._depths.items() if depth <= len(self._stack)}
            self._depths[key] = len(self._stack)
        else:
            number = settle(number, self._lettered)
            if number.family in ("letter", "small"):
                self._lettered = number
            self._leave_for(number, look, outline)
            self._depths.clear()
        self._stack.append(_Entry(text.replace(" > ", " - "), number, look, outline, opens))
        if number is not None:
            rank = number.rank
            if rank is not None:
                # What counts within a section begins anew in the next one.
                self._kept = {f: s for f, s in self._kept.items() if CONTAINERS.get(f, 9.0) <= rank}
            self._kept[number.family] = list(self._stack)
        return len(self._stack)

    def _leave_for_plain(self, look: Look, outline: int, opens: bool) -> None:
        """Leave the headings that do not hold one without number."""
        while self._stack:
            top = self._stack[-1]
            if outline and top.outline:
                holds = top.outline < outline
            elif top.number is None:
                holds = top.look.outranks(look) and not (opens and top.opens and _alike(top.look, look))
            elif look.larger(top.look):
                holds = False
            else:
                # A centred title in capitals, or at the top of a page, begins something else than the clause
                # above it.
                title = look.centred and not top.look.centred and (opens or (look.caps and not top.look.caps))
                holds = not title or (top.number.rank is not None and top.number.rank < 2)
            if holds:
                return
            self._stack.pop()

    def _leave_for(self, number: Number, look: Look, outline: int) -> None:
        """Leave the headings that do not hold one with this number."""
        self._return_from_insert(number)
        at = self._place(number, look)
        if at is not None:
            del self._stack[at:]
            return
        while self._stack and not self._holds(self._stack[-1], number, look, outline):
            self._stack.pop()

    def _return_from_insert(self, number: Number) -> None:
        """Back to where the numbering stood, when it counts on after an inserted page with titles of its own.

        A certificate bound in between chapters 4 and 5 heads its own page, not chapter 5.
        """
        kept = self._kept.get(number.family)
        if not kept or any(e.number and e.number.family == number.family for e in self._stack):
            return
        last = kept[-1].number
        if last is None:
            return
        if number.rank is not None:
            if comes_next(last, number):
                self._stack = list(kept)
        elif counts_on(last, number) and all(
            any(entry is old for old in kept) for entry in self._stack if entry.number is not None
        ):
            self._stack = list(kept)

    def _place(self, number: Number, look: Look) -> int | None:
        """Length of the stack below which the number stands by its own numbering, None if it says nothing."""
        same = []
        for at in range(len(self._stack) - 1, -1, -1):
            held = self._stack[at].number
            if held is not None and held.family == number.family:
                if held.depth < number.depth and number.parts[: held.depth] == held.parts:
                    return at + 1
                if comes_next(held, number):
                    return at
                same.append(at)
            elif number.rank is None and held is not None and held.rank is not None:
                break
        if not same:
            return None
        top = self._stack[-1]
        if number.first and same[0] < len(self._stack) - 1:
            # The count begins anew under what has been opened since.
            inner = number.rank is not None and number.rank >= _INNER
            if number.rank is None or (inner and top.number is None and top.look.outranks(look)):
                return len(self._stack)
        lowest = same[0]
        while lowest - 1 in same:
            lowest -= 1
        return lowest

    def _holds(self, top: _Entry, number: Number, look: Look, outline: int) -> bool:
        """Whether the heading `top` holds one whose numbering is not open."""
        rank = number.rank
        if rank is None:
            return True
        if top.number is not None:
            if top.number.family == "article" and number.family == "section" and number.parts[0].isdigit():
                # Indentures number sections within articles: Article II holds Section 2.01.
                return True
            if top.number.rank is not None:
                return top.number.rank < rank
            return rank >= _INNER and number.first and top.number.family not in _MARKS
        if outline and top.outline:
            return top.outline < outline
        # A title without number never holds a whole section: it is the cover's, or of a part before.
        return rank >= _INNER and top.look.outranks(look)


def _alike(one: Look, other: Look) -> bool:
    """Whether two large titles differ by no more than a scan of the same type does: a little size, or weight."""
    low, high = sorted((one.size, other.size))
    return low >= _TITLE and high <= _WAVER * low and (one.caps, one.upright) == (other.caps, other.upright)


def _weighs(one: Look, other: Look) -> bool:
    """Whether two headings are set in one size, weight and slant."""
    return not (one.larger(other) or other.larger(one)) and (one.bold, one.upright) == (
        other.bold,
        other.upright,
    )
