"""Whole pages of generated content, each measured to fit on one page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, KeepInFrame
from reportlab.platypus.doctemplate import ActionFlowable

from make.markup import Bullets, Form, Heading, Node, Para

if TYPE_CHECKING:
    from make.layout import Layout

FRAME = A4[1] - 50 * mm  # height of the text frame in points
ROOM = FRAME - 30  # what the measured content may take of it


class FreshPage(ActionFlowable):
    """A page break that leaves no empty page when nothing was drawn on this one."""

    def apply(self, doc: BaseDocTemplate) -> None:
        """Break unless the frame is still empty."""
        if not doc.frame._atTop:
            doc.handle_pageBreak()


def one_page(layout: Layout, kind: str, number: str) -> Iterator[Flowable]:
    """A page break, a numbered heading and content of `kind` up to the end of the page."""
    used, parts = 0.0, []
    for nodes in _content(layout, kind, number):
        group = list(layout.flow(nodes))
        height = sum(_height(part, layout) for part in group)
        if used + height > ROOM:
            break
        used += height
        parts += group
    yield FreshPage("freshPage")
    yield KeepInFrame(layout.text_width, FRAME - 2, parts, mode="shrink")


def _height(part: Flowable, layout: Layout) -> float:
    """Height of a flowable with the space around it."""
    height = part.wrapOn(_scratch(), layout.text_width, 10_000)[1]
    return float(height + part.getSpaceBefore() + part.getSpaceAfter())


@cache
def _scratch() -> Canvas:
    """A canvas that lists and tables need to measure themselves; nothing is kept of it."""
    return Canvas(io.BytesIO())


def _content(layout: Layout, kind: str, number: str) -> Iterator[tuple[Node, ...]]:
    """An endless run of groups of nodes; the caller stops when the page is full."""
    filler = layout.page_filler  # its own source of chance: pages put in must not change the text around them
    topic = filler.pick_topic() if filler.rng.random() < 0.6 else "notes"
    yield Heading(2, f"{number} {filler.title(topic)}"), Para(filler.paragraph(topic))
    if kind == "table":
        name = filler.pick_table()
        yield Heading(3, filler.caption(name)), filler.table(name, filler.rng.randint(14, 20))
    elif kind == "form":
        form = Form(filler.form(filler.rng.randint(10, 16)))
        yield Heading(3, filler.expand("Record sheet {120-990}, {district}")), form
    elif kind == "points":
        yield (Bullets(filler.bullets(topic, 6)),)
    while True:
        yield (Para(filler.paragraph(filler.pick_topic() if filler.rng.random() < 0.15 else topic)),)
