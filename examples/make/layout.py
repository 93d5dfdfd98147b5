"""From mark-up nodes to platypus flowables."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.platypus import (
    Flowable,
    Image,
    KeepTogether,
    ListFlowable,
    ListItem,
    LongTable,
    NextPageTemplate,
    PageBreak,
    Paragraph,
    Spacer,
    TableStyle,
)

from make.filler import Filler
from make.markup import Bullets, Directive, Form, Heading, Node, Para, Table
from make.pagefill import FreshPage, one_page

MARGIN = 22 * mm
FONTS = {
    "sans": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique"),
    "serif": ("Times-Roman", "Times-Bold", "Times-Italic"),
}
ACCENTS = {"navy": "#1f3a5f", "green": "#1d5c45", "plum": "#5a2a4a", "grey": "#333333"}


@dataclass(frozen=True)
class TocEntry:
    """A line of the contents list: level, heading, printed page label."""

    level: int
    text: str
    label: str


class Marker(Flowable):
    """Zero-height flowable that reports the physical page on which it is drawn."""

    def __init__(self, report: Callable[[int], None]) -> None:
        super().__init__()
        self.report = report

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Take no room."""
        return 0, 0

    def draw(self) -> None:
        """Report the page."""
        self.report(self.canv.getPageNumber())


class TocLine(Flowable):
    """Heading, dot leader, page label; a long heading takes several lines."""

    def __init__(self, entry: TocEntry, font: str, bold: str) -> None:
        super().__init__()
        self.entry = entry
        self.font = bold if entry.level == 1 else font
        self.indent = 12.0 * (entry.level - 1)
        self.lines: list[str] = []

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """The full width and 15 points a line."""
        self.width = width
        self.lines = simpleSplit(self.entry.text, self.font, 10, width - self.indent - 40)
        return width, 15.0 * len(self.lines)

    def draw(self) -> None:
        """Draw the heading, and leader and label behind its last line."""
        canvas = self.canv
        canvas.setFont(self.font, 10)
        for number, line in enumerate(reversed(self.lines)):
            canvas.drawString(self.indent, 3 + 15 * number, line)
        start = self.indent + canvas.stringWidth(self.lines[-1], self.font, 10) + 5
        end = self.width - canvas.stringWidth(self.entry.label, self.font, 10) - 5
        dot = canvas.stringWidth(" .", self.font, 10)
        canvas.drawRightString(end, 3, " ." * max(0, int((end - start) / dot)))
        canvas.drawRightString(self.width, 3, self.entry.label)


class Signature(Flowable):
    """A pen stroke over a line; the stroke depends on the name only."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.rng = random.Random(name)

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Room for the stroke."""
        return 150, 32

    def draw(self) -> None:
        """Draw a few joined curves."""
        canvas, x, y = self.canv, 8.0, 14.0
        canvas.setStrokeColor(colors.HexColor("#1a2a6c"))
        canvas.setLineWidth(1.1)
        for _ in range(7):
            to_x, to_y = x + self.rng.uniform(10, 22), 14 + self.rng.uniform(-8, 10)
            pull = [self.rng.uniform(-14, 16) for _ in range(2)]
            canvas.bezier(x, y, x + 5, y + pull[0], to_x - 9, to_y + pull[1], to_x, to_y)
            x, y = to_x, to_y


class Layout:
    """Turns nodes into flowables with the fonts and colours of one document."""

    def __init__(self, meta: dict[str, str], filler: Filler, tables: dict[str, Table]) -> None:
        self.regular, self.bold, self.italic = FONTS[meta.get("font", "sans")]
        self.accent = colors.HexColor(ACCENTS[meta.get("accent", "navy")])
        self.sign_word = meta.get("sign_word", "Signed:")
        self.size = float(meta.get("size", "10"))
        self.seed, self.filler = meta.get("seed", "0"), filler
        self.tables = tables
        self.toc: list[TocEntry] = []
        self.scans: dict[str, bytes] = {}
        self.on_scan: Callable[[int], None] = lambda _page: None
        self.on_body: Callable[[int], None] = lambda _page: None
        self.wide = False
        self.text_width = A4[0] - 2 * MARGIN
        self.chapter_break = bool(meta.get("chapter_break"))

    @cached_property
    def page_filler(self) -> Filler:
        """Source of whole generated pages, apart from the one of generated paragraphs."""
        return Filler(f"{self.seed}/pages", leads=True)

    def style(self, **extra: Any) -> ParagraphStyle:
        """Body style with changes."""
        base: dict[str, Any] = {
            "fontName": self.regular,
            "fontSize": self.size,
            "leading": self.size * 1.4,
            "spaceAfter": 6,
        }
        return ParagraphStyle("text", **(base | extra))

    def flow(self, nodes: tuple[Node, ...]) -> Iterator[Flowable]:
        """Flowables of all nodes in order."""
        for node in nodes:
            if isinstance(node, Heading):
                if node.level == 1 and self.chapter_break:
                    yield FreshPage("freshPage")
                yield from self._heading(node)
            elif isinstance(node, Para):
                yield Paragraph(escape(node.text), self.style(alignment=TA_JUSTIFY))
            elif isinstance(node, Bullets):
                yield self._bullets(node.items)
            elif isinstance(node, Table):
                yield from self._table(node)
            elif isinstance(node, Form):
                yield from self._form(node)
            else:
                yield from self._directive(node)

    def _heading(self, node: Heading) -> Iterator[Flowable]:
        size = (17, 12.5, 10.5)[node.level - 1]
        style = self.style(
            fontName=self.bold, fontSize=size, leading=size * 1.25, textColor=self.accent,
            spaceBefore=(6, 12, 8)[node.level - 1], spaceAfter=(10, 6, 4)[node.level - 1], keepWithNext=1,
        )  # fmt: skip
        paragraph = Paragraph(escape(node.text), style)
        paragraph.heading = (node.level, node.text)
        yield paragraph

    def _bullets(self, items: tuple[str, ...]) -> Flowable:
        style = self.style(spaceAfter=2)
        entries = [ListItem(Paragraph(escape(item), style), leftIndent=14) for item in items]
        return ListFlowable(
            entries, bulletType="bullet", start="•", leftIndent=14, bulletFontSize=self.size, spaceAfter=8
        )

    def _table(self, node: Table) -> Iterator[Flowable]:
        size = self.size - 1.5
        cell = self.style(fontSize=size, leading=size * 1.25, spaceAfter=0)
        head = self.style(
            fontName=self.bold, fontSize=size, leading=size * 1.25, spaceAfter=0, textColor=colors.white
        )
        strong = self.style(fontName=self.bold, fontSize=size, leading=size * 1.25, spaceAfter=0)
        rows = [[Paragraph(escape(text), head) for text in node.rows[0]]]
        for number, row in enumerate(node.rows[1:], start=1):
            style = strong if number in node.total_rows else cell
            rows.append([Paragraph(escape(text), style) for text in row])
        shares = node.widths or tuple(_share([row[i] for row in node.rows]) for i in range(len(node.rows[0])))
        width = (A4[1] if self.wide else A4[0]) - 2 * MARGIN
        table = LongTable(rows, colWidths=[width * share / sum(shares) for share in shares], repeatRows=1)
        table.setStyle(
            TableStyle(
                [
                    ("GRID", (0, 0), (-1, -1), 0.5, colors.HexColor("#555555")),
                    ("BACKGROUND", (0, 0), (-1, 0), self.accent),
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("TOPPADDING", (0, 0), (-1, -1), 3),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
                    *[
                        ("BACKGROUND", (0, row), (-1, row), colors.HexColor("#e6eaf0"))
                        for row in node.total_rows
                    ],
                ]
            )
        )
        table.spaceAfter = 12
        yield table

    def _form(self, node: Form) -> Iterator[Flowable]:
        label = self.style(fontName=self.bold, spaceAfter=0)
        value = self.style(spaceAfter=0)
        rows = [[Paragraph(escape(name), label), Paragraph(escape(text), value)] for name, text in node.rows]
        width = A4[0] - 2 * MARGIN
        table = LongTable(rows, colWidths=[width * 0.36, width * 0.64])
        table.setStyle(
            TableStyle(
                [
                    ("GRID", (0, 0), (-1, -1), 0.6, colors.black),
                    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                    ("TOPPADDING", (0, 0), (-1, -1), 4),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 5),
                ]
            )
        )
        table.spaceAfter = 12
        yield table

    def _directive(self, node: Directive) -> Iterator[Flowable]:
        handler = getattr(self, f"_do_{node.name}", None)
        if handler is None:
            raise ValueError(f"unknown directive !{node.name}")
        yield from handler(*node.args)

    def _do_page(self) -> Iterator[Flowable]:
        yield FreshPage("freshPage")

    def _do_body(self) -> Iterator[Flowable]:
        yield FreshPage("freshPage")
        yield Marker(self.on_body)

    def _do_space(self, height: str) -> Iterator[Flowable]:
        yield Spacer(1, float(height) * mm)

    def _do_center(self, size: str, *words: str) -> Iterator[Flowable]:
        points = float(size)
        font = self.bold if points > 12 else self.regular
        style = self.style(
            fontName=font, fontSize=points, leading=points * 1.3, alignment=TA_CENTER, textColor=self.accent
        )
        yield Paragraph(escape(" ".join(words)), style)

    def _do_note(self, *words: str) -> Iterator[Flowable]:
        style = self.style(
            fontName=self.italic,
            fontSize=self.size - 1,
            leading=self.size * 1.25,
            textColor=colors.HexColor("#444444"),
        )
        yield Paragraph(escape(" ".join(words)), style)

    def _do_toc(self) -> Iterator[Flowable]:
        for entry in self.toc:
            yield TocLine(entry, self.regular, self.bold)

    def _do_table(self, name: str) -> Iterator[Flowable]:
        yield from self._table(self.tables[name])

    def _do_landscape(self) -> Iterator[Flowable]:
        self.wide = True
        yield NextPageTemplate("wide")
        yield PageBreak()

    def _do_portrait(self) -> Iterator[Flowable]:
        self.wide = False
        yield NextPageTemplate("tall")
        yield PageBreak()

    def _do_prose(self, topic: str, count: str) -> Iterator[Flowable]:
        for _ in range(int(count)):
            yield Paragraph(escape(self.filler.paragraph(topic)), self.style(alignment=TA_JUSTIFY))

    def _do_points(self, topic: str, count: str) -> Iterator[Flowable]:
        yield self._bullets(self.filler.bullets(topic, int(count)))

    def _do_rows(self, name: str, count: str) -> Iterator[Flowable]:
        yield from self._do_note(self.filler.caption(name))
        yield from self._table(self.filler.table(name, int(count)))

    def _do_fill(self, kind: str, number: str) -> Iterator[Flowable]:
        yield from one_page(self, kind, number)

    def _do_sign(self, *words: str) -> Iterator[Flowable]:
        name, role, where = (part.strip() for part in " ".join(words).split("|"))
        style = self.style(spaceAfter=1)
        parts: list[Flowable] = [Paragraph(escape(where), style), Signature(name)]
        parts += [
            Paragraph(escape(f"{self.sign_word} {name}"), style),
            Paragraph(escape(role), style),
            Spacer(1, 8),
        ]
        yield KeepTogether(parts)

    def _do_scan(self, name: str) -> Iterator[Flowable]:
        yield NextPageTemplate("scan")
        yield PageBreak()
        yield Marker(self.on_scan)
        yield Image(io.BytesIO(self.scans[name]), width=A4[0], height=A4[1])
        yield NextPageTemplate("tall")
        yield PageBreak()


def _share(cells: list[str]) -> float:
    """Relative column width from the longest cell, tamed so that no column starves."""
    return float(min(max(max(len(cell) for cell in cells), 9), 70) ** 0.75)
