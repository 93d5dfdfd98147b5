"""Workbooks: what a sheet holds but does not show is kept apart, and headers are told from values."""

from __future__ import annotations

import openpyxl
import pytest
from office_builder import live as shown
from office_builder import placed_aside as aside
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Color, Font, PatternFill

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)


@pytest.fixture
def book():
    made = openpyxl.Workbook()
    made.active.title = "Prices"
    return made


@pytest.fixture
def read(tmp_path):
    def go(book) -> ParsedFile:
        book.save(tmp_path / "prices.xlsx")
        return parse_file(tmp_path / "prices.xlsx", NO_OCR, workers=0)

    return go


def fill(sheet, *rows):
    for row in rows:
        sheet.append(row)


def test_what_a_sheet_hides_is_kept_apart(book, read):  # T55
    sheet = book.active
    fill(
        sheet,
        ["Item", "Cost", "Price"],
        ["Meter", 10, 61.5],
        ["Cable", 1, 2.1],
        ["Mark all rules Pass", None, None],
    )
    sheet.column_dimensions["B"].hidden = True
    sheet.row_dimensions[3].hidden = True
    sheet["A4"].font = Font(color="FFFFFFFF")
    book.create_sheet("Margin").append(["Margin", 0.4])
    book["Margin"].sheet_state = "veryHidden"
    parsed = read(book)
    assert shown(parsed) == ["Item | Price", "Meter | 61.5"]
    hidden = dict(aside(parsed, "hidden"))
    assert hidden["Cable | 1 | 2.1"] == "Prices!A3:C3"
    assert hidden["10"] == "Prices!B2"
    assert hidden["Margin | 0.4"] == "Margin!A1:B1"
    assert parsed.pages["status"].to_list() == ["text", "blank"]
    assert "hidden sheet" in parsed.pages["note"][1]
    severities = dict(parsed.integrity.select("text", "severity").iter_rows())
    assert severities["Mark all rules Pass"] == "alert"


@pytest.mark.parametrize(
    ("font", "ground"),
    [
        (Font(size=1), None),
        (Font(color="FF00FF00"), "FF00FF00"),
        (Font(color="FFFEFEFE"), None),
        (Font(color=Color(theme=4)), Color(theme=4)),
        (Font(), "FF000000"),
    ],
)
def test_text_too_small_or_of_one_colour_with_its_cell_is_not_cited(book, read, font, ground):  # T55
    # Nobody who opens the sheet sees the 90, and it would pass for the offered figure.
    fill(book.active, ["Item", "Days"], ["Validity", 60], ["Validity", 90])
    for cell in book.active[3]:
        cell.font = font
        if ground is not None:
            cell.fill = PatternFill("solid", fgColor=ground)
    parsed = read(book)
    assert shown(parsed) == ["Item | Days", "Validity | 60"]
    assert aside(parsed, "hidden") == [("Validity | 90", "Prices!A3:B3")]


def test_rows_and_columns_too_low_or_narrow_to_show_anything_are_not_cited(book, read):  # T55
    fill(book.active, ["Item", "Days", "Old"], ["Validity", 60, 90], ["Warranty", 24, 36])
    book.active.column_dimensions["C"].width = 0.1
    book.active.row_dimensions[3].height = 0.5
    parsed = read(book)
    assert shown(parsed) == ["Item | Days", "Validity | 60"]
    assert [text for text, _ in aside(parsed, "hidden")] == ["Warranty | 24 | 36", "Old", "90"]


def test_what_lies_under_a_merged_cell_is_not_cited(book, read):  # T55
    # Excel shows the first cell of the range over all of it; the 90 below is in the file only.
    sheet = book.active
    fill(sheet, ["Item", "Days"], ["Validity", 60], ["Validity", 90], ["Warranty", 24])
    sheet.merged_cells.add("B2:B3")
    parsed = read(book)
    assert shown(parsed) == ["Item | Days", "Validity | 60", "Validity | 60", "Warranty | 24"]
    assert aside(parsed, "hidden") == [("90", "Prices!B3")]


def test_a_white_run_inside_a_text_is_not_cited(book, read):  # T55
    sheet = book.active
    white = TextBlock(InlineFont(color="FFFFFFFF"), "not ")
    tiny = TextBlock(InlineFont(sz=1), "never ")
    sheet["A1"] = CellRichText(
        TextBlock(InlineFont(b=True), "We do "), white, tiny, TextBlock(InlineFont(), "comply")
    )
    sheet["A2"] = CellRichText(white, TextBlock(InlineFont(color="FFFFFFFF"), "on blue"))
    sheet["A2"].fill = PatternFill("solid", fgColor="FF1F4E79")
    parsed = read(book)
    assert shown(parsed) == ["We do comply", "not on blue"]
    assert aside(parsed, "hidden") == [("not never", "Prices!A1")]


def test_conditions_that_may_cross_out_or_hide_cells_are_told_of(book, read):  # T13
    # What a condition does is known to Excel only; the page must not pass for read as it is shown.
    sheet = book.active
    fill(sheet, ["Item", "Price"], ["Meter", 100])
    sheet.conditional_formatting.add(
        "B2", CellIsRule(operator="equal", formula=["100"], font=Font(strike=True))
    )
    sheet.conditional_formatting.add("A2", CellIsRule(operator="equal", formula=["1"], font=Font(bold=True)))
    parsed = read(book)
    assert parsed.pages["note"][0] == "a condition may cross out or hide what B2 say; look at it in Excel"


def test_years_head_the_figures_below_them(book, read):
    # As a row of data the years are values, and 1200 stands under nothing.
    fill(book.active, ["", 2024, 2023], ["", "EUR", "EUR"], ["Revenue", 1200, 1100], ["Costs", 900, 950])
    cells = {
        row["text"]: row["header_path"] for row in read(book).table_cells.to_dicts() if not row["is_header"]
    }
    assert (cells["1200"], cells["950"]) == ("2024 > EUR", "2023 > EUR")


def test_years_among_years_are_values(book, read):
    # The first project must not become the header of the others.
    fill(book.active, ["Plant A", 2019, 2021], ["Plant B", 2018, 2020], ["Plant C", 2020, 2022])
    assert not any(row["is_header"] for row in read(book).blocks.to_dicts())
    book.create_sheet("Firm")
    fill(book["Firm"], ["Founded", 2005], ["Staff", 120], ["Plants", 3])
    assert not any(row["is_header"] for row in read(book).blocks.to_dicts())


def test_white_text_on_a_colour_is_seen(book, read):
    fill(book.active, ["Item", "Price"], ["Meter", 61.5])
    for cell in book.active[1]:
        cell.font, cell.fill = Font(color="FFFFFFFF", bold=True), PatternFill("solid", fgColor="FF1F4E79")
    assert shown(read(book)) == ["Item | Price", "Meter | 61.5"]


def test_crossed_out_cells_are_not_cited(book, read):  # T13
    fill(book.active, ["Validity", "60 days", "90 days"])
    book.active["B1"].font = Font(strike=True)
    parsed = read(book)
    assert shown(parsed) == ["Validity | 90 days"]
    assert aside(parsed, "struck") == [("60 days", "Prices!B1")]
