"""Small PDFs for tests, drawn with PyMuPDF: text at places, ruled tables, scans, damaged files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pymupdf

A4 = (595.0, 842.0)


class Pdf:
    """A PDF under construction; every method returns the builder itself where that helps chaining."""

    def __init__(self, size: tuple[float, float] = A4) -> None:
        self.document = pymupdf.open()
        self.size = size

    def page(self) -> Pdf:
        self._page = self.document.new_page(width=self.size[0], height=self.size[1])
        return self

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 11,
        bold: bool = False,
        slant: bool = False,
        **options: object,
    ) -> Pdf:
        """One line with its baseline at `y`; `end` is then where it ends."""
        font = {(False, False): "helv", (True, False): "hebo", (False, True): "heit", (True, True): "hebi"}[
            bold, slant
        ]
        self.end = x + pymupdf.get_text_length(text, fontname=font, fontsize=size)
        self._page.insert_text((x, y), text, fontsize=size, fontname=font, **options)
        return self

    def lines(
        self, texts: Iterable[str], x: float = 72, y: float = 100, step: float = 14, **options: object
    ) -> Pdf:
        """Lines one below the other."""
        for number, text in enumerate(texts):
            self.text(x, y + number * step, text, **options)  # type: ignore[arg-type]
        return self

    def table(
        self,
        rows: Sequence[Sequence[str]],
        x: float = 72,
        y: float = 100,
        widths: Sequence[float] = (),
        height: float = 20,
        bold_header: bool = False,
    ) -> Pdf:
        """A table with all its rules; `\\n` in a cell begins a new line in it."""
        widths = widths or [450 / len(rows[0])] * len(rows[0])
        tops = [y]
        for row in rows:
            tops.append(tops[-1] + max(height, 8 + 12 * max(cell.count("\n") + 1 for cell in row)))
        edges = [x]
        for width in widths:
            edges.append(edges[-1] + width)
        for top in tops:
            self._page.draw_line((edges[0], top), (edges[-1], top))
        for edge in edges:
            self._page.draw_line((edge, tops[0]), (edge, tops[-1]))
        for number, row in enumerate(rows):
            for col, cell in enumerate(row):
                for at, line in enumerate(cell.split("\n")):
                    bold = bold_header and number == 0
                    self.text(edges[col] + 4, tops[number] + 13 + 12 * at, line, size=9, bold=bold)
        return self

    def stroke(self, x0: float, x1: float, y: float) -> Pdf:
        """A horizontal line."""
        self._page.draw_line((x0, y), (x1, y))
        return self

    def upright(self, x: float, y0: float, y1: float) -> Pdf:
        """A vertical line."""
        self._page.draw_line((x, y0), (x, y1))
        return self

    def rotate(self, degrees: int) -> Pdf:
        self._page.set_rotation(degrees)
        return self

    def scan_of(self, other: Pdf, page: int = 0, dpi: int = 150) -> Pdf:
        """A page that is a picture of another PDF's page."""
        pixmap = other.document[page].get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
        self.page()
        self._page.insert_image(self._page.rect, pixmap=pixmap)
        return self

    def labels(self, rules: list[dict[str, object]]) -> Pdf:
        self.document.set_page_labels(rules)
        return self

    def bytes(self, **options: object) -> bytes:
        return self.document.tobytes(no_new_id=True, **options)

    def save(self, path: Path, **options: object) -> Path:
        path.write_bytes(self.bytes(**options))
        return path
