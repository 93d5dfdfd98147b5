"""Tables over page breaks, turned heads, merged cells, and the triples that a table holds."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pymupdf
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.params import DocumentParams
from bidproof.tables import TABLE_CELLS

HEADER = ["Item", "Qty", "Price"]


def read(pdf):
    return parse_file(pdf.bytes(), DocumentParams(), workers=0)


def cells(parsed, row):
    return parsed.table_cells.filter(pl.col("row_no") == row)["text"].to_list()


def parted(second_page):
    pdf = Pdf().page()
    long = "Supply of meters with all seals,\nboxes and fittings as named in"
    pdf.table([HEADER, ["Modem", "20", "88.10"], [long, "400", "61.50"]], y=720)
    pdf.page().table(second_page, y=60)
    return read(pdf)


def test_a_row_that_a_page_break_parts_is_one_row_of_the_table():
    parsed = parted([["annex G to this tender", "", ""], ["Cable", "900", "2.10"]])
    whole = "Supply of meters with all seals, boxes and fittings as named in annex G to this tender"
    assert cells(parsed, 2) == [whole, "400", "61.50"]
    assert cells(parsed, 3) == ["Cable", "900", "2.10"]
    blocks = parsed.blocks.filter(pl.col("row_no") == 2)
    assert blocks["page"].to_list() == [1, 2]
    assert any("both parts are one row" in warning for warning in parsed.warnings)


def test_a_parted_row_is_found_below_a_header_printed_again():
    parsed = parted([HEADER, ["annex G to this tender", "", ""], ["Cable", "900", "2.10"]])
    assert cells(parsed, 2)[0].endswith("as named in annex G to this tender")
    assert cells(parsed, 3) == ["Cable", "900", "2.10"]


def test_a_new_row_on_the_next_page_is_no_rest_of_the_last():
    parsed = parted([["Annex G items", "3", "10.00"], ["Cable", "900", "2.10"]])
    assert cells(parsed, 2)[0].endswith("as named in")
    assert cells(parsed, 3) == ["Annex G items", "3", "10.00"]


def test_a_table_without_rules_goes_on_over_a_page_with_its_header_printed_again():
    pdf = Pdf()
    for first in (700, 60):
        pdf.page()
        lines = [
            ("Item", "2024", "2025"),
            ("Meters", "1,200", "1,350"),
            ("Cables", "310", "290"),
            ("Seals", "40", "45"),
        ]
        for number, line in enumerate(lines):
            for x, text in zip((72, 300, 400), line, strict=True):
                pdf.text(x, first + 20 * number, text)
    parsed = read(pdf)
    assert parsed.table_cells["table_no"].n_unique() == 1
    assert parsed.table_cells.filter(pl.col("is_header"))["text"].to_list() == ["Item", "2024", "2025"]
    assert cells(parsed, 4) == ["Meters", "1,200", "1,350"]


def test_a_head_printed_sideways_heads_its_column():
    pdf = (
        Pdf().page().table([["Item", "", ""], ["Meter", "400", "61.50"], ["Modem", "20", "88.10"]], height=60)
    )
    pdf._page.insert_text((240, 158), "Quantity", fontsize=9, rotate=90)
    pdf._page.insert_text((390, 158), "Unit price", fontsize=9, rotate=90)
    parsed = read(pdf)
    price = parsed.table_cells.filter(pl.col("text") == "61.50").to_dicts()[0]
    assert price["col_no"] == 2
    assert "Unit price" in parsed.table_cells["text"].to_list()
    assert price["header_path"] == "Unit price"


def test_a_value_printed_under_one_column_of_a_merged_cell_is_that_columns():  # T16
    pdf = Pdf().page()
    for y in (100, 120, 140):
        pdf.stroke(72, 372, y)
    for x in (72, 172, 372):
        pdf.upright(x, 100, 140)
    pdf.upright(272, 100, 120)
    pdf.text(76, 113, "Class", size=9, bold=True).text(176, 113, "Min", size=9, bold=True).text(
        276, 113, "Max", size=9, bold=True
    )
    pdf.text(76, 133, "0.5S", size=9).text(290, 133, "18", size=9)
    found = read(pdf).table_cells.filter(pl.col("text") == "18").to_dicts()[0]
    assert found["header_path"] == "Max"


def test_a_table_gives_triples_of_row_column_and_value_with_their_place():
    parsed = read(Pdf().page().table([HEADER, ["Meter", "400", "61.50"], ["Modem", "", "88.10"]]))
    owner = {name: "" for name in TABLE_CELLS.schema if name not in parsed.table_cells.columns}
    table_cells = parsed.table_cells.with_columns(**{name: pl.lit(value) for name, value in owner.items()})
    sql = (Path(__file__).resolve().parents[2] / "warehouse" / "views" / "v_table_triples.sql").read_text()
    connection = duckdb.connect()
    connection.register("table_cells", table_cells.to_arrow())
    found = connection.execute(f"select subject, attribute, value, page, x0 from ({sql})").fetchall()
    assert [row[:4] for row in found] == [
        ("Meter", "Qty", "400", 1), ("Meter", "Price", "61.50", 1), ("Modem", "Price", "88.10", 1),
    ]  # fmt: skip
    assert found[1][4] - found[0][4] == 150


def test_a_landscape_page_turned_by_its_rotation_reads_as_a_table():
    pdf = Pdf(size=(842.0, 595.0)).page().table([HEADER, ["Meter", "400", "61.50"]])
    turned = Pdf()
    turned.document = pymupdf.open("pdf", pdf.bytes())
    turned.document[0].set_rotation(90)
    assert cells(read(turned), 1) == ["Meter", "400", "61.50"]


def test_a_code_broken_in_a_narrow_column_is_whole_where_the_document_prints_it_whole():
    pdf = Pdf().page().text(72, 60, "Lots PP2500366497 and PP2500366510 are reserved.")
    pdf.table([HEADER, ["PP250\n03664\n97", "400", "61.50"], ["12\n400", "20", "88.10"]])
    parsed = read(pdf)
    assert cells(parsed, 1)[0] == "PP2500366497"
    assert cells(parsed, 2)[0] == "12 400"


def test_wrapped_words_that_break_level_do_not_part_a_ruled_row():
    row = [
        "19",
        "PP250\n03664\n97",
        "Mass of\none dose\nin glass\nwith seal",
        "Lot at\nthe north\nsite",
        "1 day",
    ]
    parsed = read(
        Pdf()
        .page()
        .table([["No", "Code", "Goods", "Place", "Term"], row, ["20", "PP1", "Box", "Depot", "3 days"]])
    )
    assert cells(parsed, 1) == [
        "19",
        "PP250 03664 97",
        "Mass of one dose in glass with seal",
        "Lot at the north site",
        "1 day",
    ]


def test_a_page_that_holds_one_cell_of_a_parted_row_belongs_to_the_table():
    def page(pdf, row, y):
        return pdf.page().table([row], widths=[60, 130, 130, 130], y=y)

    pdf = (
        Pdf()
        .page()
        .table(
            [["No", "Goods", "Term", "Duty"], ["1", "Serum", "3 days", "The bidder hands in"]],
            widths=[60, 130, 130, 130],
            y=780,
        )
    )
    page(pdf, ["", "", "", "the licence of each"], 60)
    page(pdf, ["", "", "", "batch with it."], 60)
    pdf.table([["2", "Vaccine", "1 day", "None."]], widths=[60, 130, 130, 130], y=80)
    parsed = read(pdf)
    assert parsed.table_cells["table_no"].n_unique() == 1
    assert cells(parsed, 1) == [
        "1",
        "Serum",
        "3 days",
        "The bidder hands in the licence of each batch with it.",
    ]
    assert cells(parsed, 2) == ["2", "Vaccine", "1 day", "None."]


def test_a_row_parted_after_few_words_is_one_row():
    head = ["No", "Goods", "Strength", "Duty"]
    pdf = (
        Pdf()
        .page()
        .table([head, ["3.1", "Hepatitis", "No", "The bidder"]], widths=[60, 130, 130, 130], y=780)
    )
    pdf.page().table([["", "B serum", "demand", "hands in papers."]], widths=[60, 130, 130, 130], y=60)
    assert cells(read(pdf), 1) == ["3.1", "Hepatitis B serum", "No demand", "The bidder hands in papers."]


def test_a_frame_around_a_notice_is_no_table():
    pdf = Pdf().page().table([["Bids are opened in public at noon."]])
    assert read(pdf).table_cells.height == 0


def merged(pdf, heads=()):
    """A ruled table of three columns whose first cell spans two rows."""
    for y in (100, 120, 160):
        pdf.stroke(72, 372, y)
    pdf.stroke(172, 372, 140)
    for x in (72, 172, 272, 372):
        pdf.upright(x, 100, 160)
    for x, text in zip((76, 176, 276), ("Lot", "Item", "Price"), strict=True):
        pdf.text(x, 113, text, size=9, bold=True)
    pdf.text(76, 143, "Lot 1", size=9)
    for y, item, price in ((133, "Meters", "100.00"), (153, "Modems", "200.00")):
        pdf.text(176, y, item, size=9).text(276, y, price, size=9)
    return pdf


def test_a_cell_merged_down_stands_in_each_row_beside_it():
    parsed = read(merged(Pdf().page()))
    assert cells(parsed, 1) == ["Lot 1", "Meters", "100.00"]
    assert cells(parsed, 2) == ["Lot 1", "Modems", "200.00"]
    texts = parsed.blocks.filter(pl.col("kind") == "table_row")["text"].to_list()
    assert texts == ["Lot | Item | Price", "Lot 1 | Meters | 100.00", "Lot 1 | Modems | 200.00"]
    assert parsed.table_cells.filter(pl.col("text") == "200.00")["header_path"].to_list() == ["Price"]


def test_a_head_merged_across_keeps_the_places_of_its_columns():
    pdf = Pdf().page()
    for y in (100, 120, 140, 160):
        pdf.stroke(72, 472, y)
    for x in (72, 172, 272, 372, 472):
        pdf.upright(x, 120 if x in (272,) else 100, 160)
    pdf.text(76, 113, "Type", size=9, bold=True).text(176, 113, "Primary", size=9, bold=True).text(
        376, 113, "Class", size=9, bold=True
    )
    for x, text in ((176, "kV"), (276, "A")):
        pdf.text(x, 133, text, size=9, bold=True)
    for x, text in ((76, "T0"), (176, "33"), (276, "100"), (376, "0.5S")):
        pdf.text(x, 153, text, size=9)
    parsed = read(pdf)
    texts = parsed.blocks.filter(pl.col("kind") == "table_row")["text"].to_list()
    assert texts == ["Type | Primary |  | Class", " | kV | A | ", "T0 | 33 | 100 | 0.5S"]
    assert parsed.table_cells.filter(pl.col("text") == "100")["header_path"].to_list() == ["Primary > A"]


def test_a_value_over_two_columns_is_under_both_heads():  # T16
    pdf = Pdf().page()
    for y in (100, 120, 140):
        pdf.stroke(72, 372, y)
    for x in (72, 172, 372):
        pdf.upright(x, 100, 140)
    pdf.upright(272, 100, 120)
    for x, text in ((76, "Class"), (176, "Min"), (276, "Max")):
        pdf.text(x, 113, text, size=9, bold=True)
    pdf.text(76, 133, "0.5S", size=9).text(266, 133, "18", size=9)
    found = read(pdf).table_cells.filter(pl.col("text") == "18").to_dicts()[0]
    assert found["header_path"] == "Min / Max"


def test_years_and_currencies_head_their_columns_without_bold_type():
    pdf = Pdf().page().table([["EUR", "2024", "2023"], ["Sales", "1200", "1100"], ["Costs", "800", "790"]])
    assert read(pdf).table_cells.filter(pl.col("text") == "1100")["header_path"].to_list() == ["2023"]


def test_a_row_of_units_belongs_to_the_heads():
    pdf = (
        Pdf()
        .page()
        .table(
            [
                ["Item", "Price", "Price"],
                ["", "EUR", "USD"],
                ["Meter", "61.50", "70.10"],
                ["Modem", "88.10", "99.00"],
            ]
        )
    )
    assert read(pdf).table_cells.filter(pl.col("text") == "70.10")["header_path"].to_list() == ["Price > USD"]


def test_an_answer_merged_down_is_no_other_rows_answer():
    pdf = Pdf().page()
    for y in (100, 120, 160):
        pdf.stroke(72, 372, y)
    pdf.stroke(72, 272, 140)
    for x in (72, 172, 272, 372):
        pdf.upright(x, 100, 160)
    for x, text in zip((76, 176, 276), ("No", "Requirement", "Answer"), strict=True):
        pdf.text(x, 113, text, size=9, bold=True)
    pdf.text(276, 133, "Compliant", size=9)
    for y, number, asked in ((133, "1", "Warranty"), (153, "2", "Training")):
        pdf.text(76, y, number, size=9).text(176, y, asked, size=9)
    parsed = read(pdf)
    assert cells(parsed, 1) == ["1", "Warranty", "Compliant"]
    assert cells(parsed, 2) == ["2", "Training", ""]
