"""Boxes side by side are read one after another; a figure written in a comb is one figure."""

from __future__ import annotations

import pymupdf
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.params import DocumentParams

PROSE = "The bidder has read the documents and offers what they ask for."


def texts(pdf: Pdf) -> list[str]:
    """Blocks of a page with a sentence below what is tested, which makes it more than a scan's stray letters."""
    pdf.text(72, 700, PROSE)
    found = parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0).blocks["text"].to_list()
    assert found.pop() == PROSE
    return found


def boxed(pdf: Pdf, left: list[str], right: list[str]) -> Pdf:
    for x0, x1, lines in ((72, 280, left), (290, 500, right)):
        pdf._page.draw_rect((x0, 220, x1, 300))
        pdf.lines(lines, x=x0 + 8, y=240)
    return pdf


def test_boxes_side_by_side_are_read_one_after_the_other() -> None:
    # Line by line, `36 months` of the right box would end the sentence of the left.
    pdf = Pdf().page().text(72, 100, "Before the boxes.").text(72, 400, "After the boxes.")
    boxed(pdf, ["Warranty on meters is", "24 months."], ["Warranty on modems is", "36 months."])
    assert texts(pdf) == [
        "Before the boxes.",
        "Warranty on meters is 24 months.",
        "Warranty on modems is 36 months.",
        "After the boxes.",
    ]


def test_a_label_and_its_value_in_boxes_stay_on_one_line() -> None:
    assert texts(boxed(Pdf().page(), ["Warranty on meters"], ["24 months"])) == [
        "Warranty on meters 24 months"
    ]


def test_text_beside_the_boxes_keeps_the_page_in_lines() -> None:
    # With text in the margin beside them, the boxes are no band of their own; nothing may move or go.
    pdf = boxed(Pdf().page(), ["Left one", "left two"], ["Right one", "right two"]).text(510, 240, "1)")
    assert texts(pdf)[0].startswith("Left one Right one")


def comb(pdf: Pdf, digits: str, y: float = 100, rows: int = 1) -> Pdf:
    for at in range(len(digits) + 1):
        pdf._page.draw_line((72 + 14 * at, y - 13), (72 + 14 * at, y - 13 + 18 * rows))
    for row in range(rows + 1):
        pdf._page.draw_line((72, y - 13 + 18 * row), (72 + 14 * len(digits), y - 13 + 18 * row))
    for row in range(rows):
        for at, digit in enumerate(digits):
            pdf.text(76 + 14 * at, y + 18 * row, digit, size=10)
    return pdf


def test_a_figure_in_a_comb_is_one_figure() -> None:
    # As a row of a table it is 2 and 5 and 0: an amount that no rule finds.
    assert texts(comb(Pdf().page(), "250000")) == ["250000"]


def test_digits_of_a_table_and_of_a_scale_stay_apart() -> None:
    # Marks of five items side by side, joined, would be one figure that nobody wrote.
    assert texts(comb(Pdf().page(), "12345")) == ["1 | 2 | 3 | 4 | 5"]
    assert texts(comb(Pdf().page(), "54154", rows=4)) == ["5 | 4 | 1 | 5 | 4"] * 4


def test_a_comb_field_reads_as_its_value() -> None:
    pdf = Pdf().page().text(72, 110, "Amount:")
    field = pymupdf.Widget()
    field.field_name, field.field_type = "amount", pymupdf.PDF_WIDGET_TYPE_TEXT
    field.rect, field.field_value = pymupdf.Rect(150, 98, 300, 114), "12345"
    field.text_maxlen, field.field_flags = 10, 1 << 24
    pdf._page.add_widget(field)
    assert texts(pdf) == ["Amount: 12345"]
