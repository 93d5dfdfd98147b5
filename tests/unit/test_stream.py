"""Lines that a fill or rule cuts in MuPDF's stream read as if it were not there; the order of drawing is kept."""

from __future__ import annotations

import pymupdf
from pdf_builder import Pdf

from bidproof.documents.sheets.stream import _goes_on, read_stream


def texts(text: dict) -> list[str]:
    return [
        "".join(char["c"] for span in line["spans"] for char in span["chars"])
        for block in text["blocks"]
        for line in block["lines"]
    ]


def underlined() -> Pdf:
    """A line whose second half is drawn after an underline, as browsers and office programs print links."""
    pdf = Pdf().page().text(72, 100, "See the annex on guaran")
    end = pdf.end
    pdf.stroke(72, end, 103).text(end, 100, "tees and")
    return pdf.stroke(end, pdf.end, 103).text(pdf.end + 3, 100, "bonds.").text(72, 140, "Another line.")


def test_a_line_cut_by_underlines_is_one_line_with_its_words_whole():
    page = underlined().document[0]
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE
    plain = page.get_text("rawdict", flags=flags, clip=pymupdf.INFINITE_RECT())
    cut = page.get_text("rawdict", flags=flags | pymupdf.TEXT_COLLECT_VECTORS)
    cut["blocks"] = [block for block in cut["blocks"] if block["type"] == 0]
    assert len(texts(cut)) == 4
    joined = texts(read_stream(page).text)
    assert joined == texts(plain) == ["See the annex on guarantees and bonds.", "Another line."]
    assert texts(read_stream(page, fills_too=False).text) == joined


def test_lines_and_fills_are_numbered_as_they_are_drawn():
    pdf = Pdf().page().text(72, 100, "before")
    pdf._page.draw_rect((60, 150, 300, 170), color=None, fill=(1, 1, 1))
    stream = read_stream(pdf.text(72, 200, "after").document[0])
    [fill] = stream.fills
    before, after = stream.lines
    assert before["number"] < fill["number"] < after["number"]


def test_empty_runs_of_a_damaged_page_join_nothing():
    line = {"dir": (1.0, 0.0), "wmode": 0, "spans": []}
    assert not _goes_on(line, {**line, "spans": [{"chars": []}]})
    assert not _goes_on({**line, "spans": [{"chars": []}]}, {**line, "spans": [{"chars": []}]})
