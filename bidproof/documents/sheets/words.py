"""Words of one page with their boxes, cleaned of what print and PDF producers add.

Holds the reading of MuPDF's characters into words and fragments of lines: control characters, soft
hyphens, raised note marks, letter-spaced titles, struck and hidden text. Knows nothing of columns,
paragraphs or tables.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from bidproof.documents.page import Affine, Rect, around, transform
from bidproof.documents.sheets.direction import one_way_runs, runs_leftward
from bidproof.documents.sheets.raised import raised_figure, raised_text
from bidproof.documents.sheets.word import Hidden, Word

SOFT_HYPHEN = "\u00ad"
_SYNTHETIC_BOLD, _BOLD, _FILLED, _STROKED = 4, 8, 16, 32
_BOLD_FLAG, _ITALIC_FLAG = 16, 2
# What MuPDF calls fonts whose letters are little drawings.
_OWN_DRAWING = "Type3"
_MIN_VISIBLE_SIZE = 2.0
_THIN_GAP = 0.25
# Grey 224 on white paper is a watermark that few see: a contrast of 1.3 to 1.
_PALE = 225
# Ink that lets nearly all of its ground through: black on white paper is then grey 225.
_FAINT = 30
# Parts of 255 by which the colours of text and ground may differ and still be taken for one.
_LIKE = 26
# Runs between spaces. U+00A0, U+2007, U+2009 and U+202F hold a number or a number and its unit together: they
# stay inside a word's text as they are.
_RUN = re.compile(r"[^ \t\r\n\f\v\u1680\u2000-\u2006\u2008\u200a\u205f\u3000]+")
_TIES = re.compile(r"[\u00a0\u202f\u2009\u2007]{2,}")


class Fragment:
    """A run of words on one baseline. A printed line may consist of several.

    Attributes:
        words: its words, in reading order.
        level: it runs left to right.
        box: box around all words.
        size: size of its largest words in points.
        base: height of their baseline.
    """

    __slots__ = ("base", "box", "level", "size", "words")

    def __init__(self, words: list[Word], level: bool = True) -> None:
        self.words, self.level = words, level
        self.box: Rect = around([word[1:5] for word in words])
        largest = max(words, key=lambda word: word.size)
        self.size, self.base = largest.size, largest.base

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(word.text for word in self.words)


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
    dropped_marks: int = 0


def read_words(raw: dict[str, Any], matrix: Affine, visible: Visibility, printed: bool = True) -> PageWords:
    """Fragments of MuPDF's raw dictionary of a page, mapped by `matrix` into the reading frame.

    Recognised text (not `printed`) has no reliable sizes and baselines: nothing in it is a note mark.
    """
    reader = _Reader(matrix, visible, printed)
    fragments = [
        fragment
        for block in raw["blocks"]
        if block.get("type", 0) == 0
        for line in block["lines"]
        for fragment in reader.line(line)
    ]
    return PageWords(fragments, reader.dropped, reader.undecoded, reader.marks)


@dataclass(slots=True)
class Visibility:
    """What decides whether ink can be seen: the page's box, dark fills, images, and a scan beneath.

    Boxes are in MuPDF's unrotated page space, as are the characters. `fills` are boxes with their colour
    (red, green, blue, 0 to 255): text of the same colour on one of them is not seen. `pale` counts
    the words that were found pale. `drawings` lists where letters are little drawings of their own, as emoji are:
    whether they have ink shows on the drawn page alone.
    """

    page: Rect
    backgrounds: list[Rect]
    scanned: bool
    fills: list[tuple[Rect, tuple[int, int, int]]] = field(default_factory=list)
    pale: int = 0
    drawings: list[Rect] = field(default_factory=list)
    _alike: dict[int, list[tuple[Rect, tuple[int, int, int]]]] = field(default_factory=dict)

    def hides(self, span: dict[str, Any], box: Rect) -> int:
        """Why text of this span at this box cannot be seen on the page, as a `Hidden`."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        left, top, right, bottom = self.page
        if not (left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1):
            return Hidden.OUTSIDE
        if span["size"] < _MIN_VISIBLE_SIZE:
            return Hidden.TINY
        flags = span.get("char_flags", _FILLED)
        if not self.scanned and span["font"].startswith(_OWN_DRAWING):
            self.drawings.append(box)
            return Hidden.SEEN
        if not flags & (_FILLED | _STROKED) or span.get("alpha", 255) == 0:
            return Hidden.SEEN if self.scanned else Hidden.UNPAINTED
        color = span["color"]
        if span.get("alpha", 255) < _FAINT:
            return Hidden.SEEN if self.scanned else Hidden.PALE
        if color == 0 and not self.fills:
            return Hidden.SEEN
        alike = self._alike.get(color)
        if alike is None:
            alike = self._alike[color] = self._fills_like(color)
        if color == 0 and not alike:
            return Hidden.SEEN
        if any(a <= x <= c and b <= y <= d for (a, b, c, d), _ in alike):
            # The fill drawn last is the ground.
            ground = next(fill for fill in reversed(self.fills) if _holds(fill[0], x, y))
            return Hidden.ALIKE if ground in alike else Hidden.SEEN
        if min(color >> 16 & 255, color >> 8 & 255, color & 255) >= _PALE:
            seen = any(a <= x <= c and b <= y <= d for a, b, c, d in self.backgrounds)
            self.pale += not seen
            return Hidden.SEEN if seen else Hidden.PALE
        return Hidden.SEEN

    def _fills_like(self, color: int) -> list[tuple[Rect, tuple[int, int, int]]]:
        red, green, blue = color >> 16 & 255, color >> 8 & 255, color & 255
        return [
            fill
            for fill in self.fills
            if max(abs(red - fill[1][0]), abs(green - fill[1][1]), abs(blue - fill[1][2])) <= _LIKE
        ]


def _holds(box: Rect, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


class _Reader:
    def __init__(self, matrix: Affine, visible: Visibility, printed: bool) -> None:
        self.matrix, self.visible, self.printed = matrix, visible, printed
        self.dropped = self.undecoded = self.marks = 0
        self.level = self.straight = True
        self.leftward = False
        self.after: list[dict[str, Any]] = []

    def line(self, line: dict[str, Any]) -> Iterator[Fragment]:
        dx, dy = self._turn(*line["dir"])
        self.level = level = dx > 0.98 and abs(dy) < 0.2
        self.straight = tuple(line["dir"]) == (1.0, 0.0)
        spans = line["spans"]
        spans = [span for span in spans if span["chars"]]
        self.leftward = self.straight and any(map(runs_leftward, map(_letters, spans)))
        main = max((span["size"] for span in spans), default=0.0)
        words: list[Word] = []
        for at, span in enumerate(spans):
            raised = self.printed and _is_raised(span, spans, main)
            if raised:
                self.after = spans[at + 1 :]
            self._add(words, span, raised)
        words = [word for word in words if word.text]
        if len(words) >= 5 and _is_spaced_out(words):
            words = _unspaced(words)
        if words:
            yield Fragment(words, level)

    def _turn(self, x: float, y: float) -> tuple[float, float]:
        a, b, c, d, _, _ = self.matrix
        return a * x + c * y, b * x + d * y

    def _box(self, chars: list[dict[str, Any]]) -> Rect:
        first, last = chars[0]["bbox"], chars[-1]["bbox"]
        if self.straight and first[0] <= last[0]:
            # The characters of a span share their height, and nearly all text runs straight to the right.
            return first[0], first[1], last[2], last[3]
        return around([char["bbox"] for char in chars])

    def _add(self, words: list[Word], span: dict[str, Any], raised: bool) -> None:
        chars = span["chars"]
        text = _letters(span)
        bold = bool(
            span.get("char_flags", _FILLED) & (_BOLD | _SYNTHETIC_BOLD)
            or span["flags"] & _BOLD_FLAG
            or "bold" in span["font"].lower()
        )
        end = 0
        for run in _RUN.finditer(text):
            if run.start() > end:
                words.append(_GAP)
            end = run.end()
            if self.leftward:
                # Where letters run to the left, which pieces make one word is told by their places.
                for piece, letters in one_way_runs(run[0], chars[run.start() : end]):
                    words.append(_GAP)
                    self._close(words, piece, letters, span, bold, False)
                words.append(_GAP)
                continue
            self._close(words, run[0], chars[run.start() : end], span, bold, raised)
        if end < len(text):
            words.append(_GAP)

    def _close(
        self,
        words: list[Word],
        text: str,
        chars: list[dict[str, Any]],
        span: dict[str, Any],
        bold: bool,
        raised: bool,
    ) -> None:
        """Add one run of characters; a run that follows without a gap belongs to the word before."""
        self.undecoded += text.count("\ufffd")
        text, dropped = clean(text)
        self.dropped += dropped
        text = _TIES.sub(" ", text).strip()
        if not text:
            return
        word = self._word(text, chars, span, bold)
        before = words[-1] if words and words[-1].text else None
        apart = False
        if raised:
            held = next((each for each in reversed(words) if each.text), None)
            near = held is not None and (before is held or word.x0 - held.x1 < _THIN_GAP * held.size)
            figure = self._figure(words, text, near)
            if figure is not None and figure[1]:
                # The numerator of a fraction: what follows belongs to it.
                words.append(_GAP)
                before, text, apart = None, figure[0], False
            else:
                text, apart = figure or raised_text(held.text if held else "", text, near)
                before = held if near and not apart else None if apart else before
            while text and before is not None and before is held and words and words[-1] is not held:
                words.pop()
        if not text:
            self.marks += 1
            return
        if raised:
            word = word._replace(text=text)
        onward = before is not None and (word.x0 >= before.x0 or not self.level)
        if before and onward and (before.struck, before.hidden) == (word.struck, word.hidden):
            words[-1] = _joined(before, word)
        else:
            words.append(word)
        if apart:
            words.append(_GAP)

    def _figure(self, words: list[Word], text: str, near: bool) -> tuple[str, bool] | None:
        """What a raised run is as a part of a figure, by what is around it."""
        main = max(word.size for word in words) if words else 0.0
        digits = next((span for span in self.after if any(map(str.isdigit, _letters(span)))), None)
        small = digits is not None and digits["size"] <= 0.8 * main
        before = " ".join(word.text for word in words[-6:] if word.text) + ("" if near else " ")
        return raised_figure(before, text, "".join(map(_letters, self.after)), small)

    def _word(self, text: str, chars: list[dict[str, Any]], span: dict[str, Any], bold: bool) -> Word:
        box = self._box(chars)
        x0, y0, x1, y1 = transform(box, self.matrix)
        _, b, _, d, _, f = self.matrix
        x, y = chars[0]["origin"]
        base, size = b * x + d * y + f, span["size"]
        if self.level:
            # Some fonts claim twice the height that they print.
            y0, y1 = max(y0, base - 1.1 * size), min(y1, base + 0.4 * size)
        slant = bool(span["flags"] & _ITALIC_FLAG)
        struck = bool(span.get("struck"))
        return Word(text, x0, y0, x1, y1, base, size, bold, struck, self.visible.hides(span, box), slant)


_GAP = Word("", 0, 0, 0, 0, 0, 0, False, False, False)


def _letters(span: dict[str, Any]) -> str:
    return "".join([char["c"] for char in span["chars"]])


def _joined(first: Word, second: Word) -> Word:
    return Word(
        first.text + second.text,
        *around([first[1:5], second[1:5]]),
        first.base if first.size >= second.size else second.base,
        max(first.size, second.size), first.bold or second.bold, first.struck, first.hidden,
        first.slant and second.slant,
    )  # fmt: skip


def _is_raised(span: dict[str, Any], spans: Iterable[dict[str, Any]], main: float) -> bool:
    """True for a run that is smaller than its line and stands higher.

    MuPDF's own flag is not asked: it marks words of full size on lines whose baseline wavers.
    """
    if span["size"] > 0.8 * main:
        return False
    return any(other["size"] == main and _baseline(other) - _baseline(span) > 0.15 * main for other in spans)


def _baseline(span: dict[str, Any]) -> float:
    """Height of a span's letters; the space that MuPDF puts in before them may lie on another line."""
    solid = next((char for char in span["chars"] if not char["c"].isspace()), span["chars"][0])
    return float(solid["origin"][1])


def _is_spaced_out(words: list[Word]) -> bool:
    """Nearly all words are single letters; the points of a leader are none."""
    return sum(len(word.text) == 1 and word.text.isalpha() for word in words) > 0.8 * len(words)


def _unspaced(words: list[Word]) -> list[Word]:
    """Words of a letter-spaced title: a gap well above the usual one between letters parts two words."""
    gaps = sorted(after.x0 - before.x1 for before, after in pairwise(words))
    usual = max(gaps[len(gaps) // 2], 0.1)
    joined = [words[0]]
    for before, word in pairwise(words):
        same = (before.struck, before.hidden) == (word.struck, word.hidden)
        if same and word.x0 - before.x1 <= 1.6 * usual:
            joined[-1] = _joined(joined[-1], word)
        else:
            joined.append(word)
    return joined
