"""Ruled tables: rows as blocks, headers, tables over pages, merged cells."""

from __future__ import annotations

import polars as pl
from pdf_builder import Pdf

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

PARAMS = DocumentParams(ocr=False)
HEADER = ["Item", "Qty", "Price"]


def read(pdf: Pdf) -> ParsedFile:
    return parse_file(pdf.bytes(), PARAMS, workers=1)


def rows(parsed: ParsedFile) -> list[tuple[str, int, int, bool]]:
    kept = parsed.blocks.filter(pl.col("kind") == "table_row")
    return kept.select("text", "table_no", "row_no", "is_header").rows()


def test_a_table_that_goes_on_over_a_page_is_one_table_with_one_header():  # T01
    pdf = Pdf().page().table([HEADER, ["Meter 1ph", "900", "21.00"], ["Modem", "20", "88.10"]], y=740)
    pdf.page().table([HEADER, ["Meter 3ph", "400", "61.50"]], y=60)
    parsed = read(pdf)
    assert rows(parsed) == [
        ("Item | Qty | Price", 0, 0, True),
        ("Meter 1ph | 900 | 21.00", 0, 1, False),
        ("Modem | 20 | 88.10", 0, 2, False),
        ("Meter 3ph | 400 | 61.50", 0, 3, False),
    ]
    cell = parsed.table_cells.filter(pl.col("text") == "61.50").to_dicts()[0]
    assert (cell["page"], cell["header_path"], cell["col_no"]) == (2, "Price", 2)
    assert parsed.blocks.filter(pl.col("kind") == "furniture")["text"].to_list() == ["Item | Qty | Price"]


def test_a_table_that_goes_on_without_its_header_is_still_one_table():
    pdf = Pdf().page().table([HEADER, ["Meter 1ph", "900", "21.00"]], y=760)
    pdf.page().table([["Meter 3ph", "400", "61.50"], ["Modem", "20", "88.10"]], y=60)
    assert [row[1:] for row in rows(read(pdf))] == [(0, 0, True), (0, 1, False), (0, 2, False), (0, 3, False)]


def test_text_between_two_tables_keeps_them_apart():
    pdf = (
        Pdf()
        .page()
        .table([HEADER, ["Meter 1ph", "900", "21.00"]], y=600)
        .text(72, 760, "Prices exclude tax.")
    )
    pdf.page().table([HEADER, ["Meter 3ph", "400", "61.50"]], y=60)
    assert [row[1] for row in rows(read(pdf))] == [0, 0, 1, 1]


def test_the_words_of_wrapped_cells_stay_in_their_cells():
    pdf = Pdf().page().table([HEADER, ["Meter three\nphase class 0.5S", "400", "61.50"]])
    assert rows(read(pdf))[1][0] == "Meter three phase class 0.5S | 400 | 61.50"


def test_each_cell_of_a_row_has_its_range_and_box():
    parsed = read(Pdf().page().table([HEADER, ["Meter", "400", "61.50"]]))
    row = parsed.blocks.filter(pl.col("row_no") == 1).to_dicts()[0]
    assert [row["text"][line["start"] : line["end"]] for line in row["lines"]] == ["Meter", "400", "61.50"]
    lefts = [line["x0"] for line in row["lines"]]
    assert lefts == sorted(lefts)
    assert lefts[2] - lefts[1] == 150


def test_text_around_a_table_keeps_its_place():
    pdf = (
        Pdf()
        .page()
        .text(72, 80, "Prices are as follows for the whole of lot two.")
        .table([HEADER, ["Meter", "4", "6"]])
    )
    pdf.text(72, 200, "They are firm for the whole of the contract.")
    assert read(pdf).blocks["text"].to_list() == [
        "Prices are as follows for the whole of lot two.", "Item | Qty | Price", "Meter | 4 | 6",
        "They are firm for the whole of the contract.",
    ]  # fmt: skip


def test_no_word_of_a_page_is_lost_beside_a_table():
    pdf = (
        Pdf()
        .page()
        .table([HEADER, ["Meter", "400", "61.50"]], widths=[100, 60, 60])
        .text(300, 133, "margin note")
    )
    words = " ".join(read(pdf).blocks["text"].to_list()).split()
    assert sorted(word for word in words if word != "|") == sorted(
        ["Item", "Qty", "Price", "Meter", "400", "61.50", "margin", "note"]
    )


def test_a_value_in_a_merged_cell_belongs_to_the_column_under_which_it_is_printed():
    merged = Pdf().page()
    xs, ys = [72, 172, 272, 372], [100, 120, 140, 160]
    canvas = merged.document[0]
    for y in ys:
        canvas.draw_line((xs[0], y), (xs[-1], y))
    for x in xs:
        if x == 272:
            canvas.draw_line((x, 100), (x, 120))
            canvas.draw_line((x, 140), (x, 160))
        else:
            canvas.draw_line((x, 100), (x, 160))
    for x, y, text in [(76, 113, "Property"), (176, 113, "Min"), (276, 113, "Max"), (76, 133, "Height"), (310, 133, "18"),
                       (76, 153, "Width"), (176, 153, "4"), (276, 153, "9")]:  # fmt: skip
        merged.text(x, y, text, size=9)
    cell = read(merged).table_cells.filter(pl.col("text") == "18").to_dicts()[0]
    assert cell["header_path"] == "Max"


def test_a_form_of_labels_and_values_has_no_header_row():
    parsed = read(
        Pdf()
        .page()
        .table([["Submitted by", "ACME Works"], ["Bid bond", "25 000 EUR"], ["Validity", "90 days"]])
    )
    assert [row[3] for row in rows(parsed)] == [False, False, False]


def test_tables_on_a_turned_page_have_boxes_on_the_page_as_shown():
    parsed = read(Pdf().page().table([HEADER, ["Meter", "400", "61.50"]]).rotate(90))
    assert [row[0] for row in rows(parsed)] == ["Item | Qty | Price", "Meter | 400 | 61.50"]
    page = parsed.pages.to_dicts()[0]
    assert (page["width"], page["height"]) == (842, 595)
    for cell in parsed.table_cells.to_dicts():
        assert 0 <= cell["x0"] < cell["x1"] <= 842
        assert 0 <= cell["y0"] < cell["y1"] <= 595


def test_a_page_without_rules_is_not_searched():
    parsed = read(Pdf().page().text(72, 100, "Plain text with no table at all in it."))
    assert parsed.pages.select("ruled", "tables").rows() == [(False, 0)]


def ruled_by_columns_only(columns: list[list[str]]) -> Pdf:
    """A table with a ruled header and uprights, and no rule between its rows."""
    pdf = Pdf().page().table([HEADER])
    height = 14 * max(len(column) for column in columns) + 10
    for number in range(4):
        pdf.upright(72 + 150 * number, 120, 120 + height)
    pdf.stroke(72, 522, 120 + height)
    for number, column in enumerate(columns):
        for at, text in enumerate(column):
            if text:
                pdf.text(76 + 150 * number, 134 + 14 * at, text, size=9)
    return pdf


def test_rows_without_rules_between_them_keep_their_figures():
    pdf = ruled_by_columns_only([
        ["Meter one phase", "Meter three phase", "with modem", "Modem"],
        ["900", "400", "", "20"],
        ["21.00", "61.50", "", "88.10"],
    ])  # fmt: skip
    assert [row[0] for row in rows(read(pdf))] == [
        "Item | Qty | Price", "Meter one phase | 900 | 21.00", "Meter three phase with modem | 400 | 61.50",
        "Modem | 20 | 88.10",
    ]  # fmt: skip


def test_paragraphs_side_by_side_stay_one_row():
    pdf = ruled_by_columns_only([
        ["The meter is read", "once a day by the", "head-end system."],
        ["The reading of 96", "values is sent by", "10 o'clock each day."],
        ["Compliant"],
    ])  # fmt: skip
    assert len(rows(read(pdf))) == 2
