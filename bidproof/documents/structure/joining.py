"""Lines to running text: line breaks, hyphens at line ends, and where each line lies in the result."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bidproof.documents.page import Line, Rect

Range = tuple[int, int, Rect]

_LONGEST_WORD = 200
_TAIL = re.compile(r"([^\W_]+(?:-[^\W_]+)*)-$")
_HEAD = re.compile(r"^[^\W_]+(?:-[^\W_]+)*")
# Codes with figures in them that a narrow column may break anywhere: PP2500366497.
_CODES = re.compile(r"\b(?=[^\W_]*\d)[^\W_]{7,}\b")
_MOST_PIECES = 4
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# "bid- and performance bond": the hyphen stands for the word that follows later.
_SUSPENDED = frozenset({"and", "or", "to", "et", "ou", "à", "und", "oder", "y", "o", "e", "i", "en", "of"})
_FIRST_WORDS = """
on off in out up down by non self well ill pre post anti ex all full half high low long short part time
two one three four five first second third co cross multi semi sub inter intra year day end cost risk
price back front follow stand sous mi demi avant après contre
"""
_COMPOUND_FIRST = frozenset(_FIRST_WORDS.split())


def vocabulary(lines: Iterable[str]) -> frozenset[str]:
    """Lower-case words, hyphenated words and codes of a document, to tell a broken one from a compound."""
    words: set[str] = set()
    for line in lines:
        small = line.lower()
        words.update(_CODES.findall(small))
        found = _WORDS.findall(small)
        if line.endswith("-") and found:
            found.pop()
        words.update(found)
    return frozenset(words)


def joint(before: str, after: str, known: frozenset[str]) -> tuple[bool, str]:
    """How two lines join: whether the hyphen that ends `before` is dropped, and what goes between."""
    # The end alone is searched: a paragraph grows line by line, and its last word decides.
    tail = _TAIL.search(before[-_LONGEST_WORD:]) if before.endswith("-") else None
    head = _HEAD.match(after)
    if before.endswith("/") or (
        before.endswith(("–", "—")) and before[-2:-1].isdigit() and after[:1].isdigit()
    ):
        return False, ""
    if tail is None or head is None:
        return False, " "
    first, second = tail[1], head[0]
    if second.lower() in _SUSPENDED:
        return False, " "
    if (
        not second[0].islower()
        or any(letter.isdigit() for letter in first)
        or (first.isupper() and len(first) > 1)
    ):
        return False, ""
    whole, compound = (first + second).lower(), f"{first}-{second}".lower()
    if whole in known:
        return True, ""
    keeps = compound in known or "-" in second or "-" in first or first.lower() in _COMPOUND_FIRST
    return not keeps, ""


def _end_of_code(lines: list[Line], at: int, known: frozenset[str]) -> int:
    """Last of the lines over which a code that begins at the end of line `at` is broken, or 0 for none.

    Only a code that the document prints whole elsewhere is put together.
    """
    code = lines[at].text.rsplit(None, 1)[-1]
    if not code.isalnum() or not any(letter.isdigit() for letter in code):
        return 0
    for after in range(at + 1, min(at + _MOST_PIECES, len(lines))):
        piece, _, rest = lines[after].text.partition(" ")
        code += piece
        if code.lower() in known:
            return after
        if rest:
            return 0
    return 0


def join_lines(lines: list[Line], known: frozenset[str]) -> tuple[str, list[Range]]:
    """The running text of `lines`, and (start, end, box) of each line in it."""
    text = ""
    ranges: list[Range] = []
    whole_until = 0
    for at, line in enumerate(lines):
        piece = line.text
        if text:
            whole_until = whole_until if at <= whole_until else _end_of_code(lines, at - 1, known)
            drop, between = (False, "") if at <= whole_until else joint(text, piece, known)
            if drop:
                text = text[:-1]
                start, _, box = ranges[-1]
                ranges[-1] = (start, len(text), box)
            text += between
        ranges.append((len(text), len(text) + len(piece), line.box))
        text += piece
    return text, ranges
