"""Lines of a page to blocks: headings, paragraphs, list items, contents lines, captions, footnotes.

Works page by page with what is known of the whole document (its body size, its words, its chapters).
Builds no tables and no heading paths.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from bidproof.documents.headings import Number, is_heading_text, parse_number
from bidproof.documents.joining import Range, join_lines, vocabulary
from bidproof.documents.page import Line, RawPage, Rect, around
from bidproof.records import BlockKind

_BULLET = re.compile(r"^(?:[•●▪■◦‣⁃∙·○□▫➢➤►✓✔❖\uf0b7\uf0a7\uf0d8\uf02d]|[-–—*o§](?=\s))\s*")
_ENUMERATED = re.compile(
    r"^(?:\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2}|[A-Z])\)|(?:[a-z]|[ivx]{1,5}|\d{1,2}|[A-Z])[.)](?!\d)|[a-z]-|\d{1,2}°)\s+\S"
)
_MARKER = re.compile(r"^(?P<form>\(?)(?P<mark>[a-zA-Z]|\d{1,3}|[-–—*])(?=[).\s])")
_CLAUSE = re.compile(r"^\d{1,3}(?:\.\d{1,3})+[.)]?\s+\S")
_LEADERS = re.compile(
    r"(?:\.{4,}|(?:\s\.){4,}|…{2,}|_{6,}(?=\s*\d))\s*(?P<page>\d{1,4}|[ivxlc]{1,7})?\s*\.?$", re.I
)
_TRAILING_PAGE = re.compile(r"\S\s+(?P<page>\d{1,4}|[ivxlc]{1,6})$")
_CONTENTS_TITLE = re.compile(
    r"^(?:table of contents|contents|index|sommaire|table des mati[eè]res|mục lục|[ií]ndice|inhalt"
    r"|inhaltsverzeichnis)\W*$",
    re.I,
)
_CAPTION = re.compile(
    r"^(?:table|tableau|figure|fig\.|bảng|hình)\s+[\dIVX]+(?:[.-]\d+)*\s*(?:[.:–—-]\s*\S.*)?$", re.I
)
_NOTE = re.compile(r"^(?:\(?\d{1,2}\)?|\*{1,3}|[a-z]\))\s+\S")
_MAX_CONTENTS_WORDS = 30


@dataclass(slots=True)
class Draft:
    """A block before it has its number and heading path. `box` and ranges are in the reading frame."""

    kind: BlockKind
    text: str
    ranges: list[Range]
    box: Rect
    size: float = 0.0
    number: Number | None = None
    struck: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Style:
    """What is usual in a document: body size in points, whether body is bold, its words, its chapters."""

    size: float
    bold: bool
    words: frozenset[str]
    chapters: frozenset[str]

    def distinct(self, line: Line) -> bool:
        """True for a line set apart from the body by size or weight."""
        return line.size >= 1.12 * self.size or (
            line.bold and not self.bold and line.size >= 0.95 * self.size
        )


def document_style(pages: list[RawPage]) -> Style:
    """The style of a document, over all its pages."""
    sizes: Counter[float] = Counter()
    bold = total = 0
    texts: list[str] = []
    chapters: set[str] = set()
    for page in pages:
        for line in page.lines:
            texts.append(line.text)
            sizes[round(line.size * 2) / 2] += len(line.text)
            total += len(line.text)
            bold += len(line.text) if line.bold else 0
            clause = _CLAUSE.match(line.text)
            if clause:
                chapters.add(line.text.split(".", 1)[0])
        texts.extend(line.text for grid in page.grids for cell in grid.cells for line in cell.lines)
    size = max(sorted(sizes), key=lambda each: sizes[each], default=10.0)
    return Style(size, bold > 0.6 * max(total, 1), vocabulary(texts), frozenset(chapters))


def contents_pages(pages: list[list[Line]]) -> list[bool]:
    """For each page, whether it is a page of contents: titled so, or run on from one, with page numbers."""
    flags: list[bool] = []
    before = False
    for lines in pages:
        entries = sum(_is_entry(line.text) for line in lines)
        numbered = sum(bool(_LEADERS.search(line.text) or _TRAILING_PAGE.search(line.text)) for line in lines)
        titled = any(_CONTENTS_TITLE.match(line.text) for line in lines)
        dense = numbered >= 3 and numbered >= 0.5 * len(lines)
        led = sum(bool(_LEADERS.search(line.text)) for line in lines) >= 3
        before = (
            (titled and (numbered >= 2 or (entries >= 4 and entries >= 0.6 * len(lines))))
            or (before and dense)
            or (led and dense)
        )
        flags.append(before)
    return flags


def _is_entry(text: str) -> bool:
    """A line that may stand in a list of contents printed without page numbers."""
    number = parse_number(text)
    return number is not None and len(text.split()) <= 20 and not text.endswith((".", ";", ":"))


def page_blocks(lines: list[Line], style: Style, contents: bool, height: float) -> list[Draft]:
    """Blocks of one page in reading order; struck and hidden text stands apart, after the live text."""
    live = [line for line in lines if not line.struck and not line.hidden]
    maker = _Maker(live, style, contents, height)
    drafts = maker.make()
    for line in lines:
        if line.struck or line.hidden:
            text, ranges = join_lines([line], style.words)
            drafts.append(
                Draft(BlockKind.PARAGRAPH, text, ranges, line.box, line.size, None, line.struck, line.hidden)
            )
    return drafts


class _Maker:
    def __init__(self, lines: list[Line], style: Style, contents: bool, height: float) -> None:
        self.lines, self.style, self.contents, self.height = lines, style, contents, height
        edges: dict[int, list[float]] = {}
        for line in lines:
            edges.setdefault(line.column, []).append(line.box[2])
        self.right = {column: sorted(ends)[int(0.9 * (len(ends) - 1))] for column, ends in edges.items()}
        self.left = {c: min(line.box[0] for line in lines if line.column == c) for c in edges}

    def make(self) -> list[Draft]:
        drafts: list[Draft] = []
        at = 0
        while at < len(self.lines):
            end, kind, number = self._next(at)
            drafts.append(self._draft(self.lines[at:end], kind, number))
            at = end
        return drafts

    def _next(self, at: int) -> tuple[int, BlockKind, Number | None]:
        line = self.lines[at]
        if self._is_contents(line):
            return at + 1, BlockKind.CONTENTS, None
        heading = self._heading(at)
        if heading is not None:
            return heading[0], BlockKind.HEADING, heading[1]
        end = at + 1
        while end < len(self.lines) and not self._breaks(end):
            end += 1
        return end, self._kind(line), None

    def _is_contents(self, line: Line) -> bool:
        found = _LEADERS.search(line.text)
        if not found and not self.contents:
            return False
        words = sum(any(letter.isalnum() for letter in word) for word in line.text.split())
        if found and found["page"] and words <= _MAX_CONTENTS_WORDS:
            return True
        if not self.contents or words > _MAX_CONTENTS_WORDS:
            return False
        return bool(
            found
            or _TRAILING_PAGE.search(line.text)
            or _CONTENTS_TITLE.match(line.text)
            or parse_number(line.text)
        )

    def _kind(self, line: Line) -> BlockKind:
        if _CAPTION.match(line.text) and len(line.text.split()) <= 20:
            return BlockKind.CAPTION
        low = line.box[1] > 0.7 * self.height and line.size <= 0.87 * self.style.size
        if low and _NOTE.match(line.text):
            return BlockKind.FOOTNOTE
        if _BULLET.match(line.text) or _ENUMERATED.match(line.text):
            return BlockKind.LIST_ITEM
        return BlockKind.PARAGRAPH

    def _heading(self, at: int) -> tuple[int, Number | None] | None:
        """End of the heading that begins at line `at` and its numbering, or None."""
        line = self.lines[at]
        number = parse_number(line.text)
        distinct = self.style.distinct(line)
        if line.tabular or not line.level or (number is None and not distinct) or _BULLET.match(line.text):
            return None
        if not distinct and number is not None and number.family in ("letter", "roman", "coded"):
            return None
        end = at + 1
        while end < len(self.lines) and end - at < 4 and self._heading_runs_on(end - 1, end, distinct):
            end += 1
        text, _ = join_lines(self.lines[at:end], self.style.words)
        number = parse_number(text)
        if is_heading_text(text, number, distinct, self.style.chapters) and (
            number or self._stands_alone(at, end)
        ):
            return end, number
        return None

    def _heading_runs_on(self, at: int, after: int, distinct: bool) -> bool:
        line, below = self.lines[at], self.lines[after]
        if line.column != below.column or below.tabular or self._gap(at, after) > 0.9 * line.size:
            return False
        if abs(line.size - below.size) > 0.6 or line.bold != below.bold or _starts_item(below.text):
            return False
        if parse_number(below.text) is not None and not below.text[0].islower():
            return False
        if line.text.endswith("-"):
            return True
        full = line.box[2] >= self.left[line.column] + 0.7 * (
            self.right[line.column] - self.left[line.column]
        )
        if distinct and not line.text.endswith((".", ":")):
            return full or below.text[0].islower() or abs(_middle(line) - _middle(below)) < line.size
        return full and below.text[0].islower() and not line.text.endswith((".", ":", ";"))

    def _stands_alone(self, at: int, end: int) -> bool:
        """A heading without number is not a run of bold words at the start of a paragraph."""
        if end >= len(self.lines) or self.lines[end].column != self.lines[at].column:
            return True
        last, below = self.lines[end - 1], self.lines[end]
        return (
            self._gap(end - 1, end) > 0.25 * last.size
            or last.size > 1.12 * below.size
            or last.bold != below.bold
        )

    def _gap(self, at: int, after: int) -> float:
        """Free height between two lines; a line further up counts as far away."""
        gap = self.lines[after].box[1] - self.lines[at].box[3]
        return gap if gap > -0.8 * self.lines[at].size else float("inf")

    def _breaks(self, at: int) -> bool:
        """Whether a new block begins at line `at`, given that the line before is text."""
        before, line = self.lines[at - 1], self.lines[at]
        if line.column != before.column or line.level != before.level or line.tabular or before.tabular:
            return True
        if self._is_contents(line) or self._opens_item(before, line):
            return True
        if self._gap(at - 1, at) > 0.65 * max(line.size, before.size):
            return True
        if abs(line.size - before.size) > 0.15 * before.size:
            return True
        if self._heading(at) is not None and not self._runs_on(before, line):
            return True
        ended = before.text.endswith((".", ":", ";", "!", "?", "”", '"')) and not line.text[0].islower()
        width = self.right[line.column] - self.left[line.column]
        short = before.box[2] < self.right[line.column] - 0.12 * width
        indented = line.box[0] > before.box[0] + 0.8 * line.size
        return ended and (short or indented)

    def _opens_item(self, before: Line, line: Line) -> bool:
        """Whether a line with a marker begins an item; `(90) days` may just begin a line of a sentence."""
        if not _starts_item(line.text):
            return False
        if _BULLET.match(line.text) and line.text[0] not in "-–—o*":
            return True
        return not self._runs_on(before, line) or _follows(before.text, line.text)

    def _runs_on(self, before: Line, line: Line) -> bool:
        """The line before is full, ends no clause, and this one begins below its beginning."""
        if before.text.endswith((".", ":", ";", "!", "?", ",")):
            return False
        width = self.right[before.column] - self.left[before.column]
        full = before.box[2] >= self.right[before.column] - 0.2 * width or before.text.endswith("-")
        return full and line.box[0] > before.box[0] - 0.5 * line.size and not self.style.distinct(line)

    def _draft(self, lines: list[Line], kind: BlockKind, number: Number | None) -> Draft:
        text, ranges = join_lines(lines, self.style.words)
        return Draft(kind, text, ranges, around([line.box for line in lines]), lines[0].size, number)


def _starts_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _ENUMERATED.match(text) or _CLAUSE.match(text))


def _follows(before: str, text: str) -> bool:
    """Both lines carry markers and the second counts on from the first: (a) and (b), 1. and 2."""
    one, other = _MARKER.match(before), _MARKER.match(text)
    if one is None or other is None or one["form"] != other["form"]:
        return bool(one and other and before[0] == text[0] and before[0] in "-–—*")
    first, second = one["mark"], other["mark"]
    if first.isdigit() and second.isdigit():
        return int(second) == int(first) + 1
    return len(first) == len(second) == 1 and ord(second) == ord(first) + 1


def _middle(line: Line) -> float:
    return (line.box[0] + line.box[2]) / 2
