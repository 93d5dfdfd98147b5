"""Words of one page with their boxes, cleaned of what print and PDF producers add.

Holds the reading of MuPDF's characters into words and fragments of lines: control characters, soft
hyphens, raised note marks, letter-spaced titles, struck and hidden text. Knows nothing of columns,
paragraphs or tables.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

SOFT_HYPHEN = "\u00ad"
_STRIKEOUT, _SYNTHETIC_BOLD, _BOLD, _FILLED, _STROKED = 1, 4, 8, 16, 32
_SUPERSCRIPT_FLAG, _BOLD_FLAG = 1, 16
_MIN_VISIBLE_SIZE = 2.0
_NEAR_WHITE = 245
_SPACES = frozenset(" \t\r\n\f\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000")
# Spaces that hold a number or a number and its unit together stay inside a word's text as they are.
_TIE = frozenset("\u00a0\u202f\u2009\u2007")
_TIES = re.compile(r"[\u00a0\u202f\u2009\u2007]{2,}")
_EXPONENTS = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_POWERED = frozenset({"m", "cm", "mm", "km", "dm", "ft", "in", "s", "10", "kg", "kn", "n"})
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "ère", "re", "e", "ème", "eme", "o", "a", "os", "tm", "®", "™", "°"})


class Word(NamedTuple):
    """One word in the page's reading frame; `struck` and `hidden` words are never citable."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    struck: bool
    hidden: bool


@dataclass(slots=True)
class Fragment:
    """A run of words on one baseline. A printed line may consist of several."""

    words: list[Word]
    level: bool = True

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Box around all words."""
        return (
            min(word.x0 for word in self.words),
            min(word.y0 for word in self.words),
            max(word.x1 for word in self.words),
            max(word.y1 for word in self.words),
        )


def clean(text: str) -> tuple[str, int]:
    """`text` without control, format and unassigned characters, and how many were dropped.

    Soft hyphens at the end become hyphens (the line is broken there); elsewhere they go. Direction marks
    and joiners that scripts need (U+200C, U+200D) stay.
    """
    if text.isascii() and text.isprintable():
        return text, 0
    tail = text.endswith(SOFT_HYPHEN)
    kept: list[str] = []
    dropped = 0
    for letter in text:
        if letter == SOFT_HYPHEN or letter in "\u200b\ufeff\u2060":
            continue
        kind = unicodedata.category(letter)
        if kind in ("Cc", "Cn", "Cs") or (kind == "Cf" and letter not in "\u200c\u200d"):
            dropped += kind != "Cf"
            continue
        kept.append(letter)
    return "".join(kept) + ("-" if tail else ""), dropped


@dataclass(slots=True)
class PageWords:
    """Fragments of a page in the order of the content stream, and what cleaning dropped."""

    fragments: list[Fragment]
    dropped_controls: int
    undecoded: int


def read_words(raw: dict[str, Any], matrix: tuple[float, ...], visible: Visibility) -> PageWords:
    """Fragments of MuPDF's raw dictionary of a page, mapped by `matrix` into the reading frame."""
    reader = _Reader(matrix, visible)
    fragments = [
        fragment
        for block in raw["blocks"]
        if block.get("type", 0) == 0
        for line in block["lines"]
        for fragment in reader.line(line)
    ]
    return PageWords(fragments, reader.dropped, reader.undecoded)


@dataclass(slots=True)
class Visibility:
    """What decides whether ink can be seen: the page's box, dark fills, images, and a scan beneath.

    Boxes are in MuPDF's unrotated page space, as are the characters.
    """

    page: tuple[float, float, float, float]
    backgrounds: list[tuple[float, float, float, float]]
    scanned: bool

    def hides(self, span: dict[str, Any], box: tuple[float, float, float, float]) -> bool:
        """True when text of this span at this box cannot be seen on the page."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        left, top, right, bottom = self.page
        if not (left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1):
            return True
        if span["size"] < _MIN_VISIBLE_SIZE:
            return True
        flags = span.get("char_flags", _FILLED)
        if not flags & (_FILLED | _STROKED) or span.get("alpha", 255) == 0:
            return not self.scanned
        color = span["color"]
        if min(color >> 16 & 255, color >> 8 & 255, color & 255) >= _NEAR_WHITE:
            return not any(a <= x <= c and b <= y <= d for a, b, c, d in self.backgrounds)
        return False


class _Reader:
    def __init__(self, matrix: tuple[float, ...], visible: Visibility) -> None:
        self.matrix, self.visible = matrix, visible
        self.dropped = self.undecoded = 0

    def line(self, line: dict[str, Any]) -> Iterator[Fragment]:
        dx, dy = self._turn(*line["dir"])
        level = dx > 0.98 and abs(dy) < 0.2
        spans = line["spans"]
        main = max((span["size"] for span in spans if span["chars"]), default=0.0)
        words: list[Word] = []
        for span in spans:
            if span["chars"]:
                self._add(words, span, raised=_is_raised(span, spans, main))
        words = [word for word in words if word.text]
        if len(words) >= 5 and sum(len(word.text) == 1 for word in words) > 0.8 * len(words):
            words = _unspaced(words)
        if words:
            yield Fragment(words, level)

    def _turn(self, x: float, y: float) -> tuple[float, float]:
        a, b, c, d, _, _ = self.matrix
        return a * x + c * y, b * x + d * y

    def _box(self, chars: list[dict[str, Any]]) -> tuple[float, float, float, float]:
        boxes = [char["bbox"] for char in chars]
        return (
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        )

    def _add(self, words: list[Word], span: dict[str, Any], raised: bool) -> None:
        pending: list[dict[str, Any]] = []
        for char in span["chars"]:
            if char["c"] in _SPACES and char["c"] not in _TIE:
                self._close(words, pending, span, raised)
                pending = []
                words.append(_GAP)
            else:
                pending.append(char)
        self._close(words, pending, span, raised)

    def _close(self, words: list[Word], chars: list[dict[str, Any]], span: dict[str, Any], raised: bool) -> None:
        """Add one run of characters; a run that follows without a gap belongs to the word before."""
        text = "".join(char["c"] for char in chars)
        self.undecoded += text.count("\ufffd")
        text, dropped = clean(text)
        self.dropped += dropped
        before = words[-1] if words and words[-1].text else None
        apart = False
        if raised and text:
            text, apart = raised_text(before.text if before else "", text)
        text = _TIES.sub(" ", text).strip()
        if not text:
            return
        word = self._word(text, self._box(chars), span)
        if before and not apart and (before.struck, before.hidden) == (word.struck, word.hidden):
            words[-1] = _joined(before, word)
        else:
            words.append(word)
        if apart:
            words.append(_GAP)

    def _word(self, text: str, box: tuple[float, float, float, float], span: dict[str, Any]) -> Word:
        a, b, c, d, e, f = self.matrix
        x0, y0, x1, y1 = box
        u0, u1 = a * x0 + c * y0 + e, a * x1 + c * y1 + e
        v0, v1 = b * x0 + d * y0 + f, b * x1 + d * y1 + f
        flags = span.get("char_flags", _FILLED)
        bold = bool(flags & (_BOLD | _SYNTHETIC_BOLD) or span["flags"] & _BOLD_FLAG or "bold" in span["font"].lower())
        hidden = self.visible.hides(span, box)
        return Word(
            text, min(u0, u1), min(v0, v1), max(u0, u1), max(v0, v1),
            span["size"], bold, bool(flags & _STRIKEOUT), hidden,
        )  # fmt: skip


_GAP = Word("", 0, 0, 0, 0, 0, False, False, False)


def _joined(first: Word, second: Word) -> Word:
    return Word(
        first.text + second.text,
        min(first.x0, second.x0), min(first.y0, second.y0), max(first.x1, second.x1), max(first.y1, second.y1),
        max(first.size, second.size), first.bold or second.bold, first.struck, first.hidden,
    )  # fmt: skip


def _is_raised(span: dict[str, Any], spans: Iterable[dict[str, Any]], main: float) -> bool:
    """True for a superscript: flagged as one, or smaller than its line and with a higher baseline."""
    if span["flags"] & _SUPERSCRIPT_FLAG:
        return True
    if span["size"] > 0.8 * main:
        return False
    return any(other["size"] == main and other["origin"][1] - span["origin"][1] > 0.15 * main for other in spans)


def raised_text(before: str, text: str) -> tuple[str, bool]:
    """How a raised run reads after `before`, and whether it stands apart as a word of its own.

    Exponents and ordinals are glued. A note mark goes: glued to a figure it would change it (`90` and a
    raised `1` read 901). At the start of a line it is the number of a footnote and stays, apart.
    """
    bare = text.strip().strip("()[]")
    if not before:
        return text.strip(), True
    unit = before.rsplit("\u00a0", 1)[-1].lower().lstrip("0123456789.,")
    if (unit in _POWERED or before.endswith("10")) and bare.isascii() and bare.lstrip("+-").isdigit():
        return bare.translate(_EXPONENTS), False
    if bare.lower() in _ORDINALS:
        return bare, False
    if len(bare) <= 3 and not (bare.isalpha() and len(bare) > 1):
        return "", False
    return text.strip(), True


def _unspaced(words: list[Word]) -> list[Word]:
    """Words of a letter-spaced title: a gap well above the usual one between letters parts two words."""
    gaps = sorted(after.x0 - before.x1 for before, after in zip(words, words[1:], strict=False))
    usual = max(gaps[len(gaps) // 2], 0.1)
    joined = [words[0]]
    for before, word in zip(words, words[1:], strict=False):
        same = (before.struck, before.hidden) == (word.struck, word.hidden)
        if same and word.x0 - before.x1 <= 1.6 * usual:
            joined[-1] = _joined(joined[-1], word)
        else:
            joined.append(word)
    return joined
