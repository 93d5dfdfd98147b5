"""Tables on scanned pages: ruled ones are found by the lines in the picture, the words by recognition."""

from __future__ import annotations

import polars as pl
import pymupdf
import pytest
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.documents.page import Affine
from bidproof.documents.scans.scanned_rules import rules_of_scan
from bidproof.params import DocumentParams

UPRIGHT: Affine = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
ROWS = [["Item", "Quantity", "Price"], ["Meter", "400", "61.50"], ["Modem", "20", "88.10"]]


def prices() -> Pdf:
    pdf = Pdf().page().text(72, 60, "Schedule of prices of the bidder for lot two", size=12)
    return pdf.table(ROWS, height=30)


def scan(pdf: Pdf) -> Pdf:
    return Pdf().scan_of(pdf)


def test_the_lines_of_a_scanned_table_are_found_where_they_are():
    rules = rules_of_scan(scan(prices()).document[0], UPRIGHT)
    heights = sorted({round(rule[1] / 10) * 10 for rule in rules.horizontal})
    assert heights == [100, 130, 160, 190]
    lefts = sorted({round(rule[0] / 2) * 2 for rule in rules.vertical})
    assert lefts == [72, 222, 372, 522]


def test_letters_and_underlines_of_a_scanned_page_make_no_table():
    pdf = Pdf().page().lines(["The bidder shall fill in and fulfil all lots of the list."] * 12)
    rules = rules_of_scan(scan(pdf).document[0], UPRIGHT)
    assert rules.horizontal == []


def test_figures_of_a_scanned_price_schedule_keep_their_columns():
    parsed = parse_file(scan(prices()).bytes(), DocumentParams(), workers=0)
    assert parsed.pages["status"].to_list() == ["ocr"]
    cells = parsed.table_cells.filter(~pl.col("is_header"))
    assert cells.filter(pl.col("row_no") == 1)["text"].to_list() == ["Meter", "400", "61.50"]
    assert cells.filter(pl.col("text") == "88.10")["header_path"].to_list() == ["Price"]
    box = cells.filter(pl.col("text") == "88.10").to_dicts()[0]
    assert box["x0"] == pytest.approx(376, abs=4)


def test_a_dark_head_without_lines_is_a_row_with_the_columns_below_it():
    pdf = Pdf().page().table([["", "", ""], *ROWS[1:]], height=30)
    pdf._page.draw_rect(pymupdf.Rect(72, 100, 522, 130), fill=(0.1, 0.2, 0.4), color=None)
    for x, word in ((80, "Item"), (230, "Quantity"), (380, "Price")):
        pdf.text(x, 119, word, size=11, bold=True, color=(1, 1, 1))
    parsed = parse_file(scan(pdf).bytes(), DocumentParams(), workers=0)
    price = parsed.table_cells.filter(pl.col("text") == "61.50").to_dicts()[0]
    assert price["header_path"] == "Price"


def test_a_scanned_page_without_lines_stays_text():
    pdf = (
        Pdf()
        .page()
        .lines(["Our bid is valid for 120 days from the opening of the bids.", "The price is firm."])
    )
    parsed = parse_file(scan(pdf).bytes(), DocumentParams(), workers=0)
    assert parsed.table_cells.height == 0
    assert "120 days" in parsed.blocks["text"].to_list()[0]
