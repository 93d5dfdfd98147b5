"""What is usual in a document: its body type, its words, its chapters; so what is set apart from them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from bidproof.documents.page import Line, RawPage
from bidproof.documents.structure.joining import vocabulary

_CLAUSE = re.compile(r"^\d{1,3}(?:\.\d{1,3})+[.)]?\s+\S")
# A page that sets so much of its text alike, and so many characters of it, has a body type of its own.
_OWN_SHARE, _OWN_CHARS = 0.6, 600
_LARGER, _BOLD_LEAST, _USUAL = 1.12, 0.95, 0.6


@dataclass(frozen=True, slots=True)
class Style:
    """What is usual in a document: body size in points, whether body is bold or slanted, words, chapters.

    `pages` is the number of its pages; `titles` are customary titles of sections, which need neither number nor type; folded as adapters do.
    """

    size: float
    bold: bool
    words: frozenset[str]
    chapters: frozenset[str]
    slant: bool = False
    titles: frozenset[str] = frozenset()
    pages: int = 1

    def larger(self, line: Line) -> bool:
        """True for a line set in larger type than the body."""
        return line.size >= _LARGER * self.size

    def distinct(self, line: Line) -> bool:
        """True for a line set apart from the body by size or weight."""
        return self.larger(line) or (line.bold and not self.bold and line.size >= _BOLD_LEAST * self.size)

    def on_page(self, lines: list[Line]) -> Style:
        """The same for one page, where a form or certificate may be set larger or bolder than the rest."""
        sizes: Counter[float] = Counter()
        bold = 0
        for line in lines:
            sizes[line.size] += len(line.text)
            bold += len(line.text) if line.bold else 0
        total = sum(sizes.values())
        if total < _OWN_CHARS:
            return self
        size, most = max(sorted(sizes.items()), key=lambda item: item[1])
        own = size if size > self.size and most >= _OWN_SHARE * total else self.size
        return replace(self, size=own, bold=self.bold or bold > _USUAL * total)


class StyleCount:
    """Counts what is usual in a document, page by page, in any order."""

    def __init__(self) -> None:
        self.sizes: Counter[float] = Counter()
        self.pages = self.bold = self.slant = self.total = 0
        self.words: set[str] = set()
        self.chapters: set[str] = set()

    def take(self, page: RawPage) -> None:
        """Count a page."""
        self.pages += 1
        for line in page.lines:
            chars = len(line.text)
            self.sizes[round(line.size * 2) / 2] += chars
            self.total += chars
            self.bold += chars if line.bold else 0
            self.slant += chars if line.slant else 0
            if _CLAUSE.match(line.text):
                self.chapters.add(line.text.split(".", 1)[0])
        cells = (line.text for grid in page.grids for cell in grid.cells for line in cell.lines)
        self.words |= vocabulary([*(line.text for line in page.lines), *cells])

    def style(self) -> Style:
        """The style of the pages counted."""
        size = max(sorted(self.sizes), key=lambda each: self.sizes[each], default=10.0)
        usual = _USUAL * max(self.total, 1)
        return Style(
            size, self.bold > usual, frozenset(self.words), frozenset(self.chapters),
            self.slant > 0.5 * usual, pages=self.pages,
        )  # fmt: skip
