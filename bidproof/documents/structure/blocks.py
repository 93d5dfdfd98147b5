"""Lines of a page to blocks: headings, paragraphs, list items, contents lines, captions, footnotes.

Works page by page with what is known of the whole document (its body size, its words, its chapters).
Builds no tables and no heading paths.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bidproof.documents.page import Line, Rect, around
from bidproof.documents.structure.contents import ContentsPage, is_contents_title, led_lines
from bidproof.documents.structure.heading_lines import (
    BULLET,
    CAPTION,
    ENUMERATED,
    Edges,
    HeadingFinder,
    starts_item,
)
from bidproof.documents.structure.headings import Look
from bidproof.documents.structure.joining import Range, join_lines
from bidproof.documents.structure.numbering import Number, comes_next
from bidproof.documents.structure.style import Style
from bidproof.records import BlockKind

_MARKER = re.compile(r"^(?P<form>\(?)(?P<mark>[a-zA-Z]|\d{1,3}|[-–—*])(?=[).\s])")
_NOTE = re.compile(r"^(?:\(?\d{1,2}\)?|\*{1,3}|[a-z]\))\s+\S")
_MIN_LISTED, _MIN_LISTED_QUIET = 3, 4


@dataclass(slots=True)
class Draft:
    """A block before it has its number and heading path. `box` and ranges are in the reading frame."""

    kind: BlockKind
    text: str
    ranges: list[Range]
    box: Rect
    look: Look = field(default_factory=Look)
    number: Number | None = None
    outline: int = 0
    firm: bool = True
    opens: bool = False
    struck: bool = False
    hidden: bool = False


def page_blocks(
    lines: list[Line], style: Style, contents: bool, frame: Rect, outline: dict[str, int] | None = None
) -> list[Draft]:
    """Blocks of one page in reading order; struck and hidden text stands apart, after the live text.

    Args:
        lines: of the page, without running headers and footers.
        style: what is usual in the document.
        contents: the page holds a list of contents.
        frame: the page's reading frame.
        outline: level of each bookmark that points to the page, by its `title_key`.
    """
    live = [line for line in lines if not line.struck and not line.hidden]
    drafts = _as_lists(_Maker(live, style, contents, frame, outline or {}).make())
    for line in lines:
        if line.struck or line.hidden:
            text, ranges = join_lines([line], style.words)
            drafts.append(
                Draft(BlockKind.PARAGRAPH, text, ranges, line.box, struck=line.struck, hidden=line.hidden)
            )
    return drafts


def _as_lists(drafts: list[Draft]) -> list[Draft]:
    """Headings one after another without text between them, in the order of their numbers, list what follows.

    "The documents are: Section I - Instructions, Section II - Data sheet, Section III - Criteria" names sections
    that stand elsewhere; taken for headings, they would head the clauses below the list.
    """
    at = 0
    while at < len(drafts):
        end = at
        while end < len(drafts) and _may_list(drafts[end]):
            end += 1
        if at < end - 1 and (at == 0 or drafts[at].look.larger(drafts[at + 1].look)):
            # The title of a page above a list is no part of it.
            at += _family(drafts[at]) != _family(drafts[at + 1])
        run = drafts[at:end]
        last: dict[str, Number] = {}
        steps = 0
        for draft in run:
            if draft.number is None:
                continue
            before = last.get(draft.number.family)
            steps += before is not None and comes_next(before, draft.number)
            last[draft.number.family] = draft.number
        least = _MIN_LISTED if all(d.number and d.number.rank is not None for d in run) else _MIN_LISTED_QUIET
        if len(run) >= least and steps >= least - 1:
            for draft in run:
                draft.kind = BlockKind.LIST_ITEM
        at = max(end, at + 1)
    return drafts


def _family(draft: Draft) -> str:
    return draft.number.family if draft.number else ""


def _may_list(draft: Draft) -> bool:
    """Whether a heading may be an entry of a list: a worded number, or a bare one that no type sets apart."""
    if draft.kind is not BlockKind.HEADING or draft.number is None or draft.outline:
        return False
    return draft.number.rank is not None or not draft.firm


class _Maker:
    # The line that the block at work began with.
    first: Line

    def __init__(
        self, lines: list[Line], style: Style, contents: bool, frame: Rect, outline: dict[str, int]
    ) -> None:
        self.lines, self.style, self.height = lines, style, frame[3]
        self.contents = ContentsPage(lines) if contents else None
        self.led = led_lines(lines, style.pages)
        self.edges = Edges(lines, frame[2])
        self.headings = HeadingFinder(lines, style, self.edges, outline)

    def make(self) -> list[Draft]:
        drafts: list[Draft] = []
        at = 0
        while at < len(self.lines):
            draft, at = self._next(at)
            drafts.append(draft)
        return drafts

    def _next(self, at: int) -> tuple[Draft, int]:
        """The block that begins at line `at`, and the line after it."""
        line = self.lines[at]
        if self._is_contents(at):
            return self._draft(self.lines[at : at + 1], BlockKind.CONTENTS), at + 1
        heading = self.headings.at(at)
        if heading is not None:
            draft = self._draft(self.lines[at : heading.end], BlockKind.HEADING)
            if heading.number is None and is_contents_title(draft.text):
                draft.kind = BlockKind.CONTENTS
            draft.number, draft.look = heading.number, heading.look
            draft.outline, draft.firm, draft.opens = heading.outline, heading.firm, self._opens(at)
            return draft, heading.end
        end, self.first = at + 1, line
        while end < len(self.lines) and not self._breaks(end):
            end += 1
        return self._draft(self.lines[at:end], self._kind(line)), end

    def _opens(self, at: int) -> bool:
        """Whether line `at` is the first of its page, page numbers apart."""
        return not any(letter.isalpha() for line in self.lines[:at] for letter in line.text)

    def _is_contents(self, at: int) -> bool:
        return at in self.led or (self.contents is not None and self.contents.holds(at, self.lines[at]))

    def _kind(self, line: Line) -> BlockKind:
        if CAPTION.match(line.text) and len(line.text.split()) <= 20:
            return BlockKind.CAPTION
        low = line.box[1] > 0.7 * self.height and line.size <= 0.87 * self.style.size
        if low and _NOTE.match(line.text):
            return BlockKind.FOOTNOTE
        if BULLET.match(line.text) or ENUMERATED.match(line.text):
            return BlockKind.LIST_ITEM
        return BlockKind.PARAGRAPH

    def _breaks(self, at: int) -> bool:
        """Whether a new block begins at line `at`, given that the line before is text."""
        before, line = self.lines[at - 1], self.lines[at]
        if line.column != before.column or line.level != before.level or line.tabular or before.tabular:
            return True
        if self._is_contents(at) or self._opens_item(before, line):
            return True
        if self.headings.gap(at - 1, at) > 0.65 * max(line.size, before.size):
            return True
        # In scans a line with a bullet measures larger than the lines that go on with it.
        wavers = 0.3 if BULLET.match(before.text) else 0.15
        if abs(line.size - before.size) > wavers * before.size:
            return True
        if self.headings.at(at) is not None and not self._runs_on(before, line):
            return True
        ended = before.text.endswith((".", ":", ";", "!", "?", "”", '"')) and not line.text[0].islower()
        short = not self.edges.full(before, 0.12)
        indented = line.box[0] > before.box[0] + 0.8 * line.size
        return ended and (short or indented)

    def _opens_item(self, before: Line, line: Line) -> bool:
        """Whether a line with a marker begins an item; `(90) days` may just begin a line of a sentence."""
        if not starts_item(line.text):
            return False
        if BULLET.match(line.text) and line.text[0] not in "-–—o*":
            return True
        again = self.first.text[0] == line.text[0] and abs(self.first.box[0] - line.box[0]) < 1
        if again and BULLET.match(line.text) and BULLET.match(self.first.text):
            # The dash of the item before, at the same place.
            return True
        return not self._runs_on(before, line) or _follows(before.text, line.text)

    def _runs_on(self, before: Line, line: Line) -> bool:
        """The line before is full, ends no clause, and this one begins below its beginning."""
        if before.text.endswith((".", ":", ";", "!", "?", ",")):
            return False
        full = self.edges.full(before, 0.2) or before.text.endswith("-")
        return full and line.box[0] > before.box[0] - 0.5 * line.size and not self.style.distinct(line)

    def _draft(self, lines: list[Line], kind: BlockKind) -> Draft:
        text, ranges = join_lines(lines, self.style.words)
        return Draft(kind, text, ranges, around([line.box for line in lines]))


def _follows(before: str, text: str) -> bool:
    """Both lines carry markers and the second counts on from the first: (a) and (b), 1. and 2."""
    one, other = _MARKER.match(before), _MARKER.match(text)
    if one is None or other is None or one["form"] != other["form"]:
        return bool(one and other and before[0] == text[0] and before[0] in "-–—*")
    first, second = one["mark"], other["mark"]
    if first.isdigit() and second.isdigit():
        return int(second) == int(first) + 1
    return len(first) == len(second) == 1 and ord(second) == ord(first) + 1
