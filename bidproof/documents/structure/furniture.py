"""Running headers and footers, and the page labels printed in them.

A line is furniture when it stands in the margin of enough pages with the same words, its page number
apart. A number that does not count up with the pages (a sum carried forward) is content and stays. What a
running line states (a price, an obligation) stays once, where it is first printed.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from bidproof.documents.page import Grid, Line, RawPage
from bidproof.documents.structure.statements import holds_statement, numbers_page
from bidproof.params import DocumentParams

_ZONE = 0.13
_EDGE_LINES = 5
_MAX_CHARS = 240
_STEADY = 0.8
_MAX_GRID_ROWS = 4
# An answer at the foot of page after page ("We do not comply with this requirement.") is the bidder's word, no footer.
_ANSWERS = re.compile(
    r"\b(?:not|no|non|ne|pas|nicht|kein\w*|sans|without|except\w*|exclud\w*|includ\w*|option\w*|compl[iy]\w*|conform\w*|yes|oui|si|ja|nein)\b",
    re.IGNORECASE,
)
# A footer without a number on this many pages in a row, the last thing on each and at one place to the point, is one.
_FOOT_RUN = 4
_RARE = 0.2
_NUMBER = r"(?P<n>\d{1,4}|[ivxlc]{1,7})"
_TOTAL = r"(?:\s*(?:of|/|sur|de|von|out of|trên)\s*\d{1,4})?"
_NAMED = re.compile(
    rf"(?<!\w)(?:page|pages|pag\.?|pág\.?|p\.|seite|trang|sheet|folio)\s*[:|]?\s*{_NUMBER}{_TOTAL}(?!\w)",
    re.I,
)
_BARE = re.compile(rf"^\W*{_NUMBER}\W*$", re.I)
_SHARE = re.compile(r"(?<![\w./])(?P<n>\d{1,4})\s*(?:/|of|sur|de)\s*\d{1,4}(?![\w./])", re.I)
_LAST = re.compile(r"(?:^|\s)(?P<n>\d{1,4})\W*$")
_FIRST = re.compile(r"^\W*(?P<n>\d{1,4})(?=\s)")
_NAMED_BACKWARDS = re.compile(r"(?<!\w)(?P<n>\d{1,4})\s*\|?\s*p\s*a\s*g\s*e(?!\w)", re.I)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


_Look = tuple[int, bool]
# Zone and words, or zone and template, of a mark.
_Key = tuple[str, str]


class _Mark(NamedTuple):
    """A line of the margin: its words, the same with the page number left out, and that number if any."""

    zone: str
    words: str
    template: str
    number: str
    named: bool


@dataclass(slots=True)
class Margins:
    """What a page's margins hold, and the lines and grids that are left to read.

    `stated` are runs of lines of the header or footer that say something for the first time in the file.
    """

    lines: list[Line]
    grids: list[Grid]
    header: list[Line | Grid] = field(default_factory=list)
    footer: list[Line | Grid] = field(default_factory=list)
    stated: list[list[Line]] = field(default_factory=list)
    label: str = ""


class MarginRun:
    """Tells running headers and footers from content: first it is shown all pages, then it strips one after another."""

    def __init__(self, params: DocumentParams) -> None:
        self._params = params
        self._pages = 0
        self._seen: dict[_Key, dict[int, int | None]] = defaultdict(dict)
        self._looks: dict[_Key, Counter[_Look]] = defaultdict(Counter)
        self._feet: dict[tuple[_Key, int, int], list[int]] = defaultdict(list)
        self._running: set[_Key] | None = None
        self._told: set[str] = set()

    def take(self, page: RawPage) -> None:
        """Take note of what stands in the margins of a page, and how it is set."""
        self._pages += 1
        marks = _marks(page)
        foot = max(
            (at for at in marks if at < len(page.lines)), key=lambda at: page.lines[at].box[3], default=-1
        )
        if foot >= 0 and marks[foot].zone == "bottom":
            mark, box = marks[foot], page.lines[foot].box
            self._feet[(mark.zone, mark.words), round(box[0]), round(box[3])].append(page.page)
        for at, mark in marks.items():
            self._seen[mark.zone, mark.words].setdefault(page.page, None)
            if mark.number:
                self._seen[mark.zone, mark.template].setdefault(page.page, _value(mark.number))
            if at < len(page.lines):
                line = page.lines[at]
                self._looks[mark.zone, mark.template][round(line.size), line.bold] += 1

    def strip(self, page: RawPage) -> Margins:
        """Margins of a page. Pages come in page order, once all were taken: what one states, the next repeats."""
        if self._running is None:
            self._running = _running(self._seen, self._pages, self._params)
            # A volume of five pages bound into a long file: its footer would part sentences at every page break.
            self._running |= {
                key
                for (key, *_), on in self._feet.items()
                if _longest_run(on) >= _FOOT_RUN and not _ANSWERS.search(key[1])
            }
            self._seen.clear()
            self._feet.clear()
        marks, running, margin = _marks(page), self._running, Margins([], [])
        said: dict[int, str] = {}
        items: list[Line | Grid] = [*page.lines, *page.grids]
        for at, item in enumerate(items):
            mark = marks.get(at)
            if mark is None or not _is_running(mark, running) or _stands_out(item, mark, self._looks):
                (margin.grids if isinstance(item, Grid) else margin.lines).append(item)  # type: ignore[arg-type]
                continue
            said[id(item)] = _said(mark, running)
            (margin.header if mark.zone == "top" else margin.footer).append(item)
            counts = mark.named or (mark.zone, mark.template) in running
            if mark.number and counts and (mark.named or not margin.label):
                margin.label = mark.number
        _keep_statements(margin, said, self._told)
        return margin


def _said(mark: _Mark, running: set[_Key]) -> str:
    """What a running line says on each page: its words, less the number of the page."""
    return mark.words if (mark.zone, mark.words) in running else mark.template


def _keep_statements(margin: Margins, said: dict[int, str], told: set[str]) -> None:
    """Keep what header and footer of a page state and no page before it did; `told` takes it up.

    Args:
        margin: of one page; tables that state something go back to what is read.
        said: words of each running line or grid, by its identity.
        told: what was stated on earlier pages.
    """
    for items in (margin.header, margin.footer):
        for grid in [each for each in items if isinstance(each, Grid)]:
            if holds_statement(text_of(grid)) and said[id(grid)] not in told:
                told.add(said[id(grid)])
                items.remove(grid)
                margin.grids.append(grid)
        for run in _sentences([each for each in items if isinstance(each, Line)]):
            words = " ".join(said[id(line)] for line in run)
            if words not in told and any(
                holds_statement(line.text) and any(map(str.isalpha, said[id(line)])) for line in run
            ):
                told.add(words)
                margin.stated.append(run)


def _sentences(lines: list[Line]) -> list[list[Line]]:
    """Lines of a header or footer, those of one sentence together; struck lines state nothing."""
    runs: list[list[Line]] = []
    for line in sorted(
        (line for line in lines if not line.struck), key=lambda line: (line.box[1], line.box[0])
    ):
        before = runs[-1][-1] if runs else None
        goes_on = (
            before is not None
            and -0.5 * line.size < line.box[1] - before.box[3] < 0.65 * line.size
            and abs(line.size - before.size) < 0.5
            and before.text[-1] not in ".:;!?"
            and not line.text[0].isupper()
        )
        if goes_on:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def text_of(item: Line | Grid) -> str:
    """The words of a line, or those of a grid's lines with ` | ` between."""
    if isinstance(item, Line):
        return item.text
    return " | ".join(line.text for cell in item.cells for line in cell.lines)


def _marks(page: RawPage) -> dict[int, _Mark]:
    """Marks of what stands in the margins, by its place among the page's lines and then its grids."""
    height = page.frame[3] or 1.0
    marks: dict[int, _Mark] = {}
    lines = [
        (at, line)
        for at, line in enumerate(page.lines)
        if line.level and not line.hidden and len(line.text) <= _MAX_CHARS
    ]
    grids = [
        (at, grid)
        for at, grid in enumerate(page.grids, len(page.lines))
        if grid.rows <= _MAX_GRID_ROWS and len(text_of(grid)) <= 2 * _MAX_CHARS
    ]
    items: list[tuple[int, Line | Grid]] = [*lines, *grids]
    items.sort(key=lambda each: each[1].box[1])
    for at, item in items[:_EDGE_LINES]:
        if item.box[1] < _ZONE * height and item.box[3] < 2 * _ZONE * height:
            marks[at] = _mark("top", item)
    for at, item in items[-_EDGE_LINES:]:
        if item.box[3] > (1 - _ZONE) * height and at not in marks and item.box[1] > (1 - 2 * _ZONE) * height:
            marks[at] = _mark("bottom", item)
    return marks


def _mark(zone: str, item: Line | Grid) -> _Mark:
    text, apart = text_of(item), isinstance(item, Grid) or item.tabular
    words = " ".join(text.lower().split())
    for pattern, named in (
        (_NAMED, True),
        (_NAMED_BACKWARDS, True),
        (_BARE, False),
        (_SHARE, False),
        (_LAST, False),
        (_FIRST, False),
    ):
        found = pattern.search(text)
        if found and numbers_page(text[: found.start()], text[found.end() :], apart):
            number = found["n"]
            rest = f"{text[: found.start()]} # {text[found.end() :]}"
            return _Mark(zone, words, " ".join(rest.lower().split()), number, named)
    return _Mark(zone, words, words, "", False)


def _running(seen: dict[_Key, dict[int, int | None]], pages: int, params: DocumentParams) -> set[_Key]:
    """(zone, template) pairs that repeat on enough pages, of those seen on which page with which number."""
    needed = max(params.furniture_pages, math.ceil(params.furniture_share * pages))
    # Chapters of a long document carry headers of their own; a long run of pages in a row will do.
    run = max(8, params.furniture_pages)
    running = set()
    for key, places in seen.items():
        numbers = [(page, number) for page, number in sorted(places.items()) if number is not None]
        if numbers:
            if len(places) >= params.furniture_pages and _counts_up(numbers):
                running.add(key)
        elif len(places) >= needed or _longest_run(sorted(places)) >= run:
            running.add(key)
    return running


def _stands_out(item: Line | Grid, mark: _Mark, looks: dict[_Key, Counter[_Look]]) -> bool:
    """Whether a line says what a running header says but is set as the heading that the header repeats."""
    if not isinstance(item, Line) or mark.named or not any(letter.isalpha() for letter in mark.template):
        return False
    found = looks[mark.zone, mark.template]
    (size, bold), usual = max(sorted(found.items()), key=lambda each: each[1])
    own = found[round(item.size), item.bold]
    return own <= _RARE * usual and (item.size >= 1.12 * size or (item.bold and not bold))


def _is_running(mark: _Mark, running: set[_Key]) -> bool:
    only_number = mark.named and not mark.template.strip(" #|-–—.")
    return only_number or bool({(mark.zone, mark.template), (mark.zone, mark.words)} & running)


def _counts_up(numbers: list[tuple[int, int]]) -> bool:
    """Numbers rise with the pages, from one page that has one to the next; inserted pages may shift them."""
    steps = [(q - p, m - n) for (p, n), (q, m) in pairwise(numbers)]
    return sum(pages == rise for pages, rise in steps) >= _STEADY * len(steps)


def _longest_run(pages: list[int]) -> int:
    best = run = 0
    before = -1
    for page in pages:
        run = run + 1 if page == before + 1 else 1
        best, before = max(best, run), page
    return best


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    values = [_ROMAN[letter] for letter in number.lower()]
    return sum(-v if any(w > v for w in values[i + 1 : i + 2]) else v for i, v in enumerate(values))
