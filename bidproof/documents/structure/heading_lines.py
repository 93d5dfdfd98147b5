"""Which lines of a page are headings: numbered, set apart by type, or named by a bookmark.

A heading may run over several lines and may have its number on a line of its own. Bold labels inside tables,
bold words that begin a paragraph, captions and items of a list are none. Nesting is settled in `headings`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bidproof.adapters import title_key as customary_key
from bidproof.documents.page import Line
from bidproof.documents.structure.bookmarks import title_key
from bidproof.documents.structure.headings import Look, is_heading_text
from bidproof.documents.structure.joining import join_lines
from bidproof.documents.structure.numbering import Number, parse_number
from bidproof.documents.structure.style import Style

BULLET = re.compile(r"^(?:[•●▪■◦‣⁃∙·○□▫➢➤►✓✔❖\uf0b7\uf0a7\uf0d8\uf02d]|[-–—*o](?=\s))\s*")
ENUMERATED = re.compile(
    r"^(?:\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2}|[A-Z])\)|(?:[a-z]|[ivx]{1,5}|\d{1,2}|[A-Z])[.)](?!\d)|[a-z]-|\d{1,2}°)\s+\S"
)
CLAUSE = re.compile(r"^\d{1,3}(?:\.\d{1,3})+[.)]?\s+\S")
CAPTION = re.compile(
    r"^(?:table|tableau|tabelle|tabla|tabela|figure|fig\.|abbildung|figura|bảng|hình)\s+[\dIVX]+(?:[.-]\d+)*"
    r"\s*(?:[.:–—-]\s*\S.*)?$",
    re.I,
)
_BARE = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3})*[.)]?|(?:[IVX]{1,5}|[A-H])[.)]?)$")
# A line that ends in one of these goes on below, however far below.
_OPEN_END = re.compile(
    r"\b(?:of|and|or|the|for|to|in|on|with|by|de|des|du|d['’]|la|le|les|l['’]|et|ou|à|au|aux|pour|der|die|des|und"
    r"|von|für|y|del|para|&)$|[,&/–—-]$",
    re.I,
)
_YEAR = re.compile(r"(?:19|20)\d\d\b")
_BRACKETS = re.compile(r"\([^)]*\)?")
_NEEDS_TYPE = frozenset({"letter", "roman", "small", "small roman", "braced"})
_FEW = 12
_MAX_LINES, _MAX_QUIET_WORDS = 4, 14
_TITLE_SIZE = 1.25


class Heading(NamedTuple):
    """A heading from one line up to `end` (not included), its numbering and how it is set.

    `firm` is set apart by type, or named by a bookmark of level `outline`; others are headings by number alone.
    """

    end: int
    number: Number | None
    look: Look
    firm: bool
    outline: int = 0


class Edges:
    """Where the text of each column of a page begins and ends, and the middle of the page."""

    def __init__(self, lines: list[Line], width: float) -> None:
        ends: dict[int, list[float]] = {}
        self.left: dict[int, float] = {}
        for line in lines:
            ends.setdefault(line.column, []).append(line.box[2])
            self.left[line.column] = min(self.left.get(line.column, line.box[0]), line.box[0])
        # Few lines: the longest tells where the column ends. Many: a line in ten may stick out.
        self.right = {
            column: max(x) if len(x) < _FEW else sorted(x)[int(0.9 * (len(x) - 1))]
            for column, x in ends.items()
        }
        self.page = width

    def width(self, line: Line) -> float:
        """Width of the text in a line's column."""
        return self.right[line.column] - self.left[line.column]

    def full(self, line: Line, share: float = 0.3) -> bool:
        """Whether a line reaches the right edge of its column, but for a share of the width."""
        return line.box[2] >= self.right[line.column] - share * self.width(line)

    def centred(self, line: Line) -> bool:
        """Whether a line stands in the middle of its column or of the page, clear of the left edge."""
        middle, width = (line.box[0] + line.box[2]) / 2, self.width(line)
        if abs(middle - self.page / 2) <= 0.015 * self.page and line.box[0] > 0.16 * self.page:
            return True
        if line.box[0] < self.left[line.column] + 0.08 * width:
            return False
        column = (self.left[line.column] + self.right[line.column]) / 2
        return abs(middle - column) <= 0.05 * width or abs(middle - self.page / 2) <= 0.03 * self.page

    def aside(self, line: Line) -> bool:
        """Whether a line stands to the right: a signature, the head of a column of figures, a stamp."""
        return line.box[0] > self.left[line.column] + 0.3 * self.width(line) and not self.centred(line)


class HeadingFinder:
    """Finds the headings among the lines of one page, which are in reading order."""

    def __init__(self, lines: list[Line], style: Style, edges: Edges, outline: dict[str, int]) -> None:
        self.lines, self.style, self.edges, self.outline = lines, style.on_page(lines), edges, outline
        self._found: dict[int, Heading | None] = {}
        self._named: set[str] = set()

    def at(self, at: int) -> Heading | None:
        """The heading that begins at line `at`, or None."""
        if at not in self._found:
            self._found[at] = self._find(at)
        return self._found[at]

    def gap(self, at: int, after: int) -> float:
        """Free height between two lines; a line further up counts as far away."""
        gap = self.lines[after].box[1] - self.lines[at].box[3]
        return gap if gap > -0.8 * self.lines[at].size else float("inf")

    def _find(self, at: int) -> Heading | None:
        line = self.lines[at]
        if line.tabular or not line.level or BULLET.match(line.text) or CAPTION.match(line.text):
            return None
        if self.outline and (named := self._bookmarked(at)) is not None:
            return named
        number = parse_number(line.text)
        if self.style.titles and customary_key(line.text) in self.style.titles:
            # Above what is merely set in bold under it: the posts of a CV under "Work experience".
            size = max(line.size, _TITLE_SIZE * self.style.size)
            return Heading(at + 1, number, Look(size, True, True, True, False), True)
        strong = self.style.distinct(line)
        caps = _in_capitals(line.text if number is None else number.title)
        if number is None:
            if strong and _BARE.match(line.text):
                return self._numbered_apart(at)
            quiet = caps or line.underlined or (line.slant and not self.style.slant)
            if not strong and not quiet:
                return None
        elif not strong and not caps and number.family in _NEEDS_TYPE and not self._emphasised(at, number):
            return None
        end = self._end(at, strong)
        return self._checked(at, end, strong)

    def _checked(self, at: int, end: int, strong: bool) -> Heading | None:
        """The heading of lines `at` to `end`, if their words and their place allow it."""
        line = self.lines[at]
        text, _ = join_lines(self.lines[at:end], self.style.words)
        number = parse_number(text)
        caps = _in_capitals(text if number is None else number.title)
        emphasised = number is not None and self._emphasised(at, number)
        firm = strong or ((caps or emphasised) and self._apart(at, end))
        if text.endswith(",") and strong and number and end < len(self.lines):
            # "7. Award, more specifically," heads the list of items that follows.
            text = text.rstrip(",") if starts_item(self.lines[end].text) else text
        if not is_heading_text(text, number, firm or number is None, self.style.chapters):
            return None
        if number is None:
            fits = self._stands_alone(at, end) if strong else self._quiet_title(at, end, text)
            if not fits or self._is_label(at, end):
                return None
        elif self._runs_into_text(end) or (not strong and emphasised and self._is_listed(at, end, number)):
            return None
        return Heading(end, number, self._look(line, caps), firm or number is None)

    def _emphasised(self, at: int, number: Number) -> bool:
        """Whether a numbered line of body size is set apart by its slant or a line under it.

        Notes and remarks are slanted too, and what is filled in is underlined: items of a list are left out.
        """
        line = self.lines[at]
        slanted = line.slant and not self.style.slant and number.family != "decimal"
        if line.size < 0.95 * self.style.size:
            return False
        return line.underlined or (slanted and number.family in ("letter", "roman"))

    def _look(self, line: Line, caps: bool) -> Look:
        return Look(line.size, line.bold, caps, not line.slant, self.edges.centred(line))

    def _is_listed(self, at: int, end: int, number: Number) -> bool:
        """Whether the same kind of number stands above or below: links to exhibits, one below the other."""
        around = (
            self.lines[at - 1].text if at else "",
            self.lines[end].text if end < len(self.lines) else "",
        )
        return any(
            other is not None and (other.family, other.depth) == (number.family, number.depth)
            for other in map(parse_number, around)
        )

    def _bookmarked(self, at: int) -> Heading | None:
        """The heading that a bookmark of this page names."""
        for end in range(at + 1, min(at + _MAX_LINES, len(self.lines) + 1)):
            text, _ = join_lines(self.lines[at:end], self.style.words)
            number = parse_number(text)
            keys = [title_key(text)] + ([title_key(number.title)] if number and number.title else [])
            named = next((key for key in keys if key in self.outline and key not in self._named), None)
            if named is not None:
                # A bookmark names one heading: words that stand on the page again are text.
                self._named.add(named)
                level = self.outline[named]
                caps = _in_capitals(text if number is None else number.title)
                return Heading(end, number, self._look(self.lines[at], caps), True, level)
        return None

    def _numbered_apart(self, at: int) -> Heading | None:
        """A heading whose number stands on a line above its title."""
        after = at + 1
        if after >= len(self.lines) or self.gap(at, after) > 1.6 * self.lines[at].size:
            return None
        line, title = self.lines[at], self.lines[after]
        if title.tabular or not self.style.distinct(title) or abs(line.size - title.size) > 0.3 * line.size:
            return None
        if parse_number(title.text) is not None or _BARE.match(title.text):
            return None
        heading = self._checked(at, self._end(after, True), True)
        if heading is not None and heading.number is None:
            number = parse_number(f"{line.text.rstrip('.)')}. {title.text}")
            heading = heading._replace(number=number)
        return heading

    def _end(self, at: int, strong: bool) -> int:
        """Where a heading that begins at line `at` ends."""
        end = at + 1
        while end < len(self.lines) and end - at < _MAX_LINES and self._runs_on(at, end, strong):
            end += 1
        return end

    def _runs_on(self, start: int, after: int, strong: bool) -> bool:
        line, below = self.lines[after - 1], self.lines[after]
        if line.column != below.column or below.tabular or CAPTION.match(below.text):
            return False
        middles = abs(line.box[0] + line.box[2] - below.box[0] - below.box[2]) / 2
        if strong and below.text[0] == "(" and below.text[-1] == ")" and middles < line.size:
            # "(Unaudited)" under a centred title is set as it likes.
            return self.gap(after - 1, after) <= 0.9 * line.size
        if abs(line.size - below.size) > 0.6 or line.bold != below.bold or line.slant != below.slant:
            return False
        if starts_item(below.text) or (parse_number(below.text) is not None and below.text[0].isupper()):
            return False
        number = parse_number(line.text) if after - 1 == start else None
        untitled = number is not None and not number.title and (strong or below.text.isupper())
        unfinished = untitled or (strong and bool(_OPEN_END.search(line.text)))
        if self.gap(after - 1, after) > (1.9 if unfinished else 0.9) * line.size:
            return False
        if unfinished or line.text.endswith("-"):
            return True
        full = self.edges.full(line)
        if strong and not line.text.endswith((".", ":")):
            return full or below.text[0].islower() or middles < line.size
        return full and below.text[0].islower() and not line.text.endswith((".", ":", ";"))

    def _stands_alone(self, at: int, end: int) -> bool:
        """A heading without number is not a run of bold words at the start of a paragraph."""
        if end >= len(self.lines) or self.lines[end].column != self.lines[at].column:
            return True
        last, below = self.lines[end - 1], self.lines[end]
        if self.gap(end - 1, end) > 0.25 * last.size or last.size > 1.12 * below.size:
            return True
        if self.gap(end - 1, end) < 0.65 * last.size and self.edges.full(last, 0.15):
            return False
        return (last.bold, last.slant) != (below.bold, below.slant)

    def _runs_into_text(self, end: int) -> bool:
        """Whether the line before `end` is full and the next one goes on in mid-sentence below it."""
        if end >= len(self.lines):
            return False
        last, below = self.lines[end - 1], self.lines[end]
        return (
            last.column == below.column
            and below.text[0].islower()
            and self.gap(end - 1, end) <= 0.65 * last.size
            and self.edges.full(last, 0.15)
            and not starts_item(below.text)
        )

    def _apart(self, at: int, end: int) -> bool:
        """Whether there is white above and below."""
        size = self.lines[at].size
        same = self.lines[at].column
        above = at == 0 or self.lines[at - 1].column != same or self.gap(at - 1, at) > 0.3 * size
        under = (
            end >= len(self.lines) or self.lines[end].column != same or self.gap(end - 1, end) > 0.2 * size
        )
        return above and under

    def _quiet_title(self, at: int, end: int, text: str) -> bool:
        """Whether a line of body type, in capitals, slanted or underlined, is a title by its place."""
        if end >= len(self.lines) or len(text.split()) > _MAX_QUIET_WORDS:
            return False
        line, below = self.lines[at], self.lines[end]
        letters = sum(letter.isalpha() for letter in text)
        if letters < 5 or letters < 0.5 * len(text.replace(" ", "")):
            return False
        if below.column != line.column or below.tabular or self.gap(end - 1, end) > 4 * line.size:
            return False
        if _in_capitals(text):
            return self._apart(at, end) and not _in_capitals(below.text)
        # Remarks in a form are slanted too; a title is followed by upright text that fills its lines.
        plain = not (line.underlined and below.underlined) and not (line.slant and below.slant)
        followed = self.edges.full(below, 0.4) or BULLET.match(below.text) or self.at(end) is not None
        counted = line.text[0].isdigit() and not _YEAR.match(line.text)
        return (
            plain and bool(followed) and not counted and (self._apart(at, end) or self._heads_close(at, end))
        )

    def _heads_close(self, at: int, end: int) -> bool:
        """Whether a short line with white above it stands right on the text that it heads."""
        above = at == 0 or self.gap(at - 1, at) > 0.5 * self.lines[at].size
        return above and not self.edges.full(self.lines[end - 1]) and not self.lines[end].text[0].islower()

    def _is_label(self, at: int, end: int) -> bool:
        """Whether a line of body size is a label: in rows of a table without rules, or set to the right."""
        line = self.lines[at]
        if self.style.larger(line):
            return False
        if self.edges.aside(line):
            return True
        above = self.lines[at - 1] if at else None
        below = self.lines[end] if end < len(self.lines) else None
        if self.lines[end - 1].text.endswith(":"):
            # "Name:", "Title:", "Signature:" below each other are to be filled in.
            fields = [line for line in (above, below) if line is not None and line.text.endswith((":", "_"))]
            if fields or below is None or not self._apart(at, end):
                return True
        after = above is not None and above.tabular and self.gap(at - 1, at) < 1.2 * line.size
        before = below is not None and below.tabular and self.gap(end - 1, end) < 0.6 * line.size
        return after or (before and not (at == 0 or self.gap(at - 1, at) > 0.8 * line.size))


def starts_item(text: str) -> bool:
    """Whether a line begins with a bullet, a mark of a list, or the number of a clause."""
    return bool(BULLET.match(text) or ENUMERATED.match(text) or CLAUSE.match(text))


def _in_capitals(text: str) -> bool:
    """Whether a text of several letters has no small ones."""
    if text[1:12].islower():
        # Nearly all lines are sentences: they are told by their first words.
        return False
    letters = [letter for letter in _BRACKETS.sub("", text) if letter.isalpha()]
    if len(letters) < 6 and " " not in text.strip():
        # One short word may be a name: LIBOR, COVID-19.
        return False
    return len(letters) > 3 and sum(letter.isupper() for letter in letters) >= 0.85 * len(letters)
