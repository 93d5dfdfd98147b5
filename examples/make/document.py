"""One PDF file: page frames, running header and footer, printed labels, contents list, bookmarks."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportlab import rl_config
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from make.filler import Filler
from make.layout import MARGIN, Layout, TocEntry
from make.markup import Node, Source, Table, read_source
from make.scan import scan_page

rl_config.useA85 = 0
MAX_PASSES = 6


@dataclass
class State:
    """What one pass learns and the next one needs."""

    total: int = 0
    front: int = 0
    toc: list[TocEntry] = field(default_factory=list)
    scans: list[int] = field(default_factory=list)

    def label(self, page: int) -> str:
        """Printed label of a physical page: roman in the front matter, then from 1."""
        return _roman(page) if page <= self.front else str(page - self.front)


class Template(BaseDocTemplate):
    """Page frames with the running header and footer of one document."""

    def __init__(self, target: Any, meta: Mapping[str, str], before: State) -> None:
        super().__init__(
            target,
            pagesize=A4,
            invariant=1,
            pageCompression=1,
            title=meta.get("title", ""),
            author=meta.get("author", ""),
        )
        self.meta, self.before = meta, before
        self.after = State(front=before.front)
        tall = Frame(MARGIN, 24 * mm, A4[0] - 2 * MARGIN, A4[1] - 50 * mm, 0, 0, 0, 0)
        wide = Frame(MARGIN, 22 * mm, A4[1] - 2 * MARGIN, A4[0] - 46 * mm, 0, 0, 0, 0)
        bare = Frame(0, 0, A4[0], A4[1], 0, 0, 0, 0)
        self.addPageTemplates(
            [
                PageTemplate("tall", [tall], onPageEnd=self._furniture, pagesize=A4),
                PageTemplate("wide", [wide], onPageEnd=self._furniture, pagesize=landscape(A4)),
                PageTemplate("scan", [bare], pagesize=A4),
            ]
        )

    def _furniture(self, canvas: Any, _doc: Any) -> None:
        """Header text and rule above, footer text and page label below."""
        if self.meta.get("plain"):
            return
        width, height = canvas._pagesize
        canvas.setFont("Helvetica", 8)
        canvas.drawString(MARGIN, height - 13 * mm, self.meta.get("header", ""))
        canvas.drawRightString(width - MARGIN, height - 13 * mm, self.meta.get("header_right", ""))
        canvas.setLineWidth(0.4)
        canvas.line(MARGIN, height - 15 * mm, width - MARGIN, height - 15 * mm)
        canvas.drawString(MARGIN, 12 * mm, self.meta.get("footer", ""))
        page = canvas.getPageNumber()
        label = self.after.label(page)
        of_total = "" if page <= self.after.front else f" of {self.before.total - self.after.front}"
        canvas.drawRightString(
            width - MARGIN, 12 * mm, f"{self.meta.get('page_word', 'Page')} {label}{of_total}"
        )

    def on_body(self, page: int) -> None:
        """The front matter ends before `page`."""
        self.after.front = page - 1

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's name)
        """Collect headings for the contents list and the bookmarks."""
        heading = getattr(flowable, "heading", None)
        if heading is None:
            return
        level, text = heading
        if level <= int(self.meta.get("toc_depth", "2")):
            self.after.toc.append(TocEntry(level, text, self.after.label(self.page)))
        if self.meta.get("outline"):
            key = f"h{len(self.after.toc)}-{self.page}-{level}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(text, key, level - 1, closed=True)

    def beforeDocument(self) -> None:  # noqa: N802 (reportlab's name)
        """Give viewers the printed labels."""
        if self.before.front:
            self.canv.addPageLabel(0, style="ROMAN_LOWER", start=1)
            self.canv.addPageLabel(self.before.front, style="ARABIC", start=1)


@dataclass(frozen=True)
class Built:
    """A finished PDF with its page count and the pages that are images only."""

    data: bytes
    pages: int
    scans: tuple[int, ...]


def build(source: Source, values: Mapping[str, str], tables: dict[str, Table], folder: Path) -> Built:
    """Lay `source` out until page numbers settle, and return the bytes."""
    scans = _scans(source.nodes, values, folder)
    before = State()
    for _ in range(MAX_PASSES):
        data, after = _one_pass(source, before, tables, scans)
        if after == before:
            return Built(data, after.total, tuple(after.scans))
        before = after
    raise RuntimeError(f"page numbers do not settle: {source.meta.get('title')}")


def _one_pass(
    source: Source, before: State, tables: dict[str, Table], scans: dict[str, bytes]
) -> tuple[bytes, State]:
    """One layout with the page numbers of the pass before."""
    out = io.BytesIO()
    template = Template(out, source.meta, before)
    layout = Layout(source.meta, Filler(source.meta.get("seed", "0")), tables)
    layout.toc, layout.scans = before.toc, scans
    layout.on_body, layout.on_scan = template.on_body, template.after.scans.append
    template.build(list(layout.flow(source.nodes)))
    template.after.total = template.page
    return out.getvalue(), template.after


def _scans(nodes: tuple[Node, ...], values: Mapping[str, str], folder: Path) -> dict[str, bytes]:
    """JPEG of each page that the document holds as a scan."""
    found = {}
    for node in nodes:
        if getattr(node, "name", "") == "scan":
            name = node.args[0]  # type: ignore[union-attr]
            page = read_source(folder / f"{name}.txt", values)
            plain = Source({**page.meta, "plain": "yes"}, page.nodes)
            found[name] = scan_page(build(plain, values, {}, folder).data)
    return found


def _roman(number: int) -> str:
    """Small roman numeral."""
    text = ""
    for value, sign in ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        while number >= value:
            text, number = text + sign, number - value
    return text
