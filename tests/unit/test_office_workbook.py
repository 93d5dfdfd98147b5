"""Workbooks, CSV, text and HTML files: figures as they are shown, each with the place where it stands."""

from __future__ import annotations

import re
import zipfile

import openpyxl
import pytest
from office_builder import live as shown
from office_builder import placed_aside as aside
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table

from bidproof.documents import ParsedFile, inspect_files, parse_file, parse_key
from bidproof.documents.office.workbook_formats import plain_number, show
from bidproof.errors import UnreadableFileError
from bidproof.intake.source_files import SourceFile, hash_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)


@pytest.fixture
def book():
    made = openpyxl.Workbook()
    made.active.title = "Prices"
    return made


@pytest.fixture
def read(tmp_path):
    def go(book, params: DocumentParams = NO_OCR, values: dict[str, str] | None = None) -> ParsedFile:
        path = tmp_path / "prices.xlsx"
        book.save(path)
        if values:
            _compute(path, values)
        return parse_file(path, params, workers=0)

    return go


def _compute(path, values):
    """Put in the values that a spreadsheet program would have computed."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"].decode()
    for place, value in values.items():
        sheet = re.sub(rf'(<c r="{place}".*?</f>)<v\s*/>', rf"\g<1><v>{value}</v>", sheet)
    parts["xl/worksheets/sheet1.xml"] = sheet.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def fill(sheet, *rows):
    for row in rows:
        sheet.append(row)


def test_a_sheet_is_a_page_and_each_cell_has_its_place(book, read):
    fill(book.active, ["Item", "Quantity", "Price"], ["Meter", 400, 61.5], ["Cable", 90, 2.1])
    book.create_sheet("Notes 2026").append(["Prices hold for 120 days."])
    parsed = read(book)
    assert parsed.pages.select("page", "page_label", "status").rows() == [
        (1, "Prices", "text"),
        (2, "Notes 2026", "text"),
    ]
    assert shown(parsed) == [
        "Item | Quantity | Price",
        "Meter | 400 | 61.5",
        "Cable | 90 | 2.1",
        "Prices hold for 120 days.",
    ]
    assert parsed.blocks["anchor"].to_list() == [
        "Prices!A1:C1",
        "Prices!A2:C2",
        "Prices!A3:C3",
        "'Notes 2026'!A1",
    ]
    assert parsed.blocks["is_header"].to_list() == [True, False, False, False]
    cell = parsed.table_cells.filter(parsed.table_cells["text"] == "61.5").row(0, named=True)
    assert (cell["anchor"], cell["header_path"], cell["col_no"]) == ("Prices!C2", "Price", 2)
    line = parsed.blocks["lines"][1][2]
    assert (line["anchor"], line["start"], line["end"]) == ("Prices!C2", 14, 18)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (0.025, "0.0%", "2.5%"),
        (0.02, "0%", "2%"),
        (25000, "#,##0", "25\u00a0000"),
        (25000.5, '#,##0.00 "€"', "25\u00a0000.50 €"),
        (1234.5, "[$€-40C] #,##0.00", "€ 1\u00a0234.50"),
        (46112, "dd/mm/yyyy", "2026-03-31"),
        (46112.5, "dd/mm/yyyy hh:mm", "2026-03-31 12:00"),
        (0.6, "h:mm", "14:24"),
        (1.5, "[h]:mm", "36:00"),
        (-5, "#,##0;[Red](#,##0)", "(5)"),
        (0, '0;-0;"none"', "none"),
        (1500000, '0.0,,"M"', "1.5M"),
        (120, '0 "days"', "120 days"),
        (60, '[>=100]0 "ok";0 "low"', "60 low"),
        (7, "00000", "00007"),
        (0.25, '0.00 "€/kWh"', "0.25 €/kWh"),
        (1.5, "# ?/?", "1.5"),
        (12345, "0.00E+00", "12345"),
        (36, "0 [$mois]", "36 mois"),
        (46112, "[$-F800]dddd, mmmm dd, yyyy", "2026-03-31"),
        (0.5, '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', "0.50 €"),
        (0.1 + 0.2, "General", "0.3"),
        (1234567890123, "General", "1234567890123"),
        # Digits between signs must not be pushed together or lose the signs.
        (123456, "000-000", "123-456"),
        (5, "000-000", "000-005"),
        (2125551234, "000 000-0000", "212\u00a0555-1234"),
        (1234567, '# ### ##0 "EUR"', "1\u00a0234\u00a0567 EUR"),
        (12, '# ### ##0 "EUR"', "12 EUR"),
        (-1500, "# ##0", "-1\u00a0500"),
        (1234.5, "# ##0", "1234.5"),
        (7, '"0 of "0"-"0', "0 of 0-7"),
    ],
)
def test_a_figure_reads_as_its_cell_shows_it(value, code, text):
    assert show(value, code).text == text


@pytest.mark.parametrize(
    ("value", "code", "text"), [(0.025, "0%", "2.5%"), (89.6, "0", "89.6"), (2.48, "0.0", "2.48")]
)
def test_a_figure_rounded_away_by_its_format_is_read_as_it_is(value, code, text):
    assert (show(value, code).text, show(value, code).rounded) == (text, True)


def test_three_decimals_cannot_be_taken_for_thousands():  # T31
    assert [plain_number(value) for value in (2.345, 2.5, 1000.125)] == ["2.3450", "2.5", "1000.1250"]
    assert show(2.5, "0.000").text == "2.5"


def test_dates_count_from_1904_where_the_book_says_so():
    assert show(1, "yyyy-mm-dd", date1904=True).text == "1904-01-02"
    assert [show(day, "yyyy-mm-dd").text for day in (1, 59, 61)] == ["1900-01-01", "1900-02-28", "1900-03-01"]


def test_computed_values_are_read_and_uncomputed_ones_said(book, read):
    fill(
        book.active,
        ["Item", "Unit", "Total"],
        ["Meter", 2, "=B2*400"],
        ["Bond", 3, '=IF(B3>1,"120 days","60 days")'],
    )
    parsed = read(book, values={"C2": "800"})
    assert shown(parsed)[1:] == ["Meter | 2 | 800", "Bond | 3 | [not computed]"]
    assert aside(parsed, "hidden") == [('=IF(B3>1,"120 days","60 days")', "Prices!C3")]
    assert parsed.warnings == (
        "1 formulas were never computed; open the file in Excel and save it (Prices!C3)",
    )


def test_number_formats_currencies_and_dates_reach_the_rows(book, read):
    sheet = book.active
    fill(
        sheet,
        ["Measure", "Offer"],
        ["Bid security", 0.025],
        ["Total", 25000],
        ["Valid until", 46112],
        ["Signed", True],
    )
    for place, code in (("B2", "0.0%"), ("B3", '#,##0.00\\ "€"'), ("B4", "dd/mm/yyyy")):
        sheet[place].number_format = code
    assert shown(read(book))[1:] == [
        "Bid security | 2.5%",
        "Total | 25\u00a0000.00 €",
        "Valid until | 2026-03-31",
        "Signed | TRUE",
    ]


def test_merged_headers_head_all_their_columns(book, read):  # T16
    sheet = book.active
    fill(
        sheet,
        ["Item", "Range", None, "Price"],
        [None, "Min", "Max", None],
        ["Meter", 1, 18, 61.5],
        ["Cable", 2, 20, 2.1],
    )
    for area in ("A1:A2", "B1:C1", "D1:D2"):
        sheet.merge_cells(area)
    for row in sheet["A1:D2"]:
        for cell in row:
            cell.font = Font(bold=True)
    parsed = read(book)
    assert shown(parsed) == [
        "Item | Range | Range | Price", "Item | Min | Max | Price", "Meter | 1 | 18 | 61.5", "Cable | 2 | 20 | 2.1",
    ]  # fmt: skip
    headed = dict(
        parsed.table_cells.filter(parsed.table_cells["row_no"] == 2).select("text", "header_path").iter_rows()
    )
    assert headed == {"Meter": "Item", "1": "Range > Min", "18": "Range > Max", "61.5": "Price"}


def test_the_lots_of_a_price_schedule_keep_their_header(book, read):
    sheet = book.active
    fill(
        sheet,
        ["Price schedule"],
        [],
        ["Item", "Quantity", "Price"],
        ["Lot 1"],
        ["Meter", 400, 61.5],
        [],
        ["Lot 2"],
        ["Cable", 90, 2.1],
    )
    parsed = read(book)
    assert shown(parsed)[0] == "Price schedule"
    assert parsed.table_cells.filter(parsed.table_cells["text"] == "2.1")["header_path"].to_list() == [
        "Price"
    ]
    assert parsed.blocks.filter(parsed.blocks["kind"] == "table_row")["table_no"].unique().to_list() == [0]


def test_tables_of_excels_own_and_frozen_rows_say_where_headers_are(book, read):
    sheet = book.active
    fill(sheet, ["a1", "b1"], ["x", "y"], ["z", "w"])
    sheet.add_table(Table(displayName="T", ref="A1:B3"))
    other = book.create_sheet("Frozen")
    fill(other, ["c1", "d1"], ["x", "y"], ["z", "w"])
    other.freeze_panes = "A2"
    parsed = read(book)
    assert parsed.blocks["is_header"].to_list() == [True, False, False] * 2
    assert parsed.table_cells.filter(parsed.table_cells["text"] == "w")["header_path"].to_list() == [
        "b1",
        "d1",
    ]


def test_comments_are_told_and_not_read(book, read):
    fill(book.active, ["Item", "Price"], ["Meter", 61.5])
    book.active["B2"].comment = Comment("discount possible", "Ann")
    parsed = read(book)
    assert parsed.integrity.select("kind", "text").rows() == [("annotation", "discount possible")]
    assert "comments are not read" in parsed.warnings[0]


def test_a_sheet_with_too_many_cells_is_cut_and_said(book, read):
    fill(book.active, *[[n, n] for n in range(50)])
    book.create_sheet("More").append(["x", "y"])
    parsed = read(book, NO_OCR.model_copy(update={"max_cells": 20}))
    assert parsed.pages["status"].to_list() == ["unreadable", "unreadable"]
    assert "max_cells" in parsed.pages["note"][0]
    assert len(shown(parsed)) < 50


def test_an_empty_book_and_control_characters_break_nothing(book, read):  # T21
    assert read(book).pages["status"].to_list() == ["blank"]
    book.active["A1"] = "OK"
    path_text = read(book)
    assert shown(path_text) == ["OK"]


def test_a_workbook_is_the_same_read_here_or_apart(book, tmp_path):
    fill(book.active, ["Item", "Price"], ["Meter", 61.5])
    book.save(tmp_path / "p.xlsx")
    here, apart = (parse_file(tmp_path / "p.xlsx", NO_OCR, workers=count) for count in (0, 1))
    assert here.to_bytes() == apart.to_bytes()


def test_a_workbook_that_is_a_bomb_is_refused_in_one_line(book, tmp_path):
    book.save(tmp_path / "p.xlsx")
    with zipfile.ZipFile(tmp_path / "p.xlsx", "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/big.bin", b"\0" * (3 << 20))
    with pytest.raises(UnreadableFileError, match="unpacks to 3 MB"):
        parse_file(tmp_path / "p.xlsx", NO_OCR.model_copy(update={"max_unpacked_mb": 1}))


def inspected(path):
    file = SourceFile(file_name=path.name, path=path, size=path.stat().st_size, sha256=hash_file(path))
    frame = inspect_files(
        [file],
        pack="t--b",
        tender="t",
        bidder="b",
        tender_name="T",
        bidder_name="B",
        role="bid",
        params=NO_OCR,
    )
    return frame.row(0, named=True)


def test_a_workbook_under_another_name_is_read_and_said(book, tmp_path):
    fill(book.active, ["Item", "Price"], ["Meter", 61.5])
    book.save(tmp_path / "p.xlsx")
    (tmp_path / "p.xlsx").rename(tmp_path / "prices.pdf")
    row = inspected(tmp_path / "prices.pdf")
    assert (row["kind"], row["status"], row["page_count"]) == ("xlsx", "ok", 1)
    assert row["warnings"] == ["prices.pdf: is an Excel workbook under another name; it is read as one"]


def test_a_csv_file_is_a_table(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_bytes(
        "Désignation;Quantité;Prix unitaire\nCompteur;400;61,50\nCâble;90;2,10\n".encode("cp1252")
    )
    parsed = parse_file(path, NO_OCR)
    assert shown(parsed) == [
        "Désignation | Quantité | Prix unitaire",
        "Compteur | 400 | 61,50",
        "Câble | 90 | 2,10",
    ]
    assert parsed.table_cells.filter(parsed.table_cells["text"] == "2,10").select(
        "anchor", "header_path"
    ).rows() == [("C3", "Prix unitaire")]
    assert "cp1252" in inspected(path)["warnings"][0]


def test_a_text_file_is_paragraphs_with_lines(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text(
        "2.1 Bid Validity\n\nOur bid remains valid for 150 days\nfrom the date.\n- one\n- two\n", "utf-8"
    )
    parsed = parse_file(path, NO_OCR)
    assert parsed.blocks.select("kind", "text", "anchor").rows() == [
        ("heading", "2.1 Bid Validity", "line 1"),
        ("paragraph", "Our bid remains valid for 150 days from the date.", "lines 3 to 4"),
        ("list_item", "- one", "line 5"),
        ("list_item", "- two", "line 6"),
    ]


def test_a_name_counts_where_plain_text_could_be_two_things():
    keys = {name: parse_key("a" * 64, NO_OCR, name) for name in ("a.csv", "a.txt", "b.txt")}
    assert keys["a.csv"] != keys["a.txt"] == keys["b.txt"]


def test_a_damaged_sheet_does_not_take_the_others_along(book, tmp_path):
    fill(book.active, ["Item", "Price"], ["Meter", 61.5])
    book.create_sheet("Terms").append(["Validity", "120 days"])
    book.save(tmp_path / "p.xlsx")
    with zipfile.ZipFile(tmp_path / "p.xlsx") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(b'<row r="2"', b"<row r=")
    with zipfile.ZipFile(tmp_path / "p.xlsx", "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    parsed = parse_file(tmp_path / "p.xlsx", NO_OCR, workers=0)
    assert shown(parsed) == ["Item | Price", "Validity | 120 days"]
    assert parsed.pages["status"].to_list() == ["unreadable", "text"]
    assert "sheet Prices is damaged" in parsed.warnings[0]


def test_raised_note_marks_change_no_figure(book, read, tmp_path):  # T14
    raised = InlineFont(vertAlign="superscript")
    book.active.append(
        [
            "Validity",
            CellRichText("90", TextBlock(raised, "1"), " days"),
            CellRichText("40 m", TextBlock(raised, "2")),
        ]
    )
    assert shown(read(book)) == ["Validity | 90 days | 40 m²"]
    (tmp_path / "a.html").write_text("<p>valid for 90<sup>1</sup> days, 40 m<sup>2</sup></p>", "utf-8")
    assert shown(parse_file(tmp_path / "a.html", NO_OCR)) == ["valid for 90 days, 40 m²"]
