"""Rows that a page break parts below header rows printed again, and new rows that are no rest of another."""

from __future__ import annotations

import polars as pl
import pytest
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.documents.grids.parted_rows import BodyRows, Part
from bidproof.documents.grids.repeated_heads import heads_again, shared_heads
from bidproof.params import DocumentParams

COUNT = ["1", "2", "3"]
NAMES = ["Item\nNo.", "Qualification\nrequirement", "Document to be\ncompleted"]
FIRST = ["1", "The bidder is registered\nin its country.", "Form A"]
LONG = ["2", "(i) The bidder shows liquid assets.\n(ii) It shows sources of finance.", "Form B"]
REST = ["", "(iii) The audited balance sheets of\nfive years are handed in.", ""]
NEXT = ["3", "The bidder has built two\ndepots.", "Form C"]
WHOLE = (
    "(i) The bidder shows liquid assets. (ii) It shows sources of finance."
    " (iii) The audited balance sheets of five years are handed in."
)


def read(pdf):
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0)


def body(parsed):
    """Rows of the document's tables that are no headers, each as its cells' texts."""
    held = parsed.table_cells.filter(~pl.col("is_header"))
    grouped = held.group_by("table_no", "row_no", maintain_order=True).agg("text")
    return grouped["text"].to_list()


def pages(*tables):
    pdf = Pdf()
    for number, rows in enumerate(tables):
        last = number == len(tables) - 1
        high = sum(max(20, 8 + 12 * max(cell.count("\n") + 1 for cell in row)) for row in rows)
        widths = [60, 220, 170] if len(rows[0]) == 3 else [40, 210, 100, 100]
        pdf.page().table(rows, widths=widths, y=60 if last or number else 800 - high)
    return read(pdf)


def spanning(pdf, rows, y):
    """A ruled table of rows of (text, columns that it covers), four columns wide."""
    edges = [72, 172, 272, 372, 472]
    for number in range(len(rows) + 1):
        pdf.stroke(edges[0], edges[-1], y + 20 * number)
    for number, row in enumerate(rows):
        top, col = y + 20 * number, 0
        for text, span in row:
            pdf.upright(edges[col], top, top + 20).text(edges[col] + 4, top + 13, text, size=9)
            col += span
        pdf.upright(edges[-1], top, top + 20)
    return pdf


def test_a_row_parted_below_two_header_rows_printed_again_is_one_row():
    parsed = pages([COUNT, NAMES, FIRST, LONG], [COUNT, NAMES, REST, NEXT])
    assert parsed.table_cells["table_no"].n_unique() == 1
    assert [row[0] for row in body(parsed)] == ["1", "2", "3"]
    assert body(parsed)[1] == ["2", WHOLE, "Form B"]
    assert parsed.table_cells.filter(pl.col("text") == WHOLE)["header_path"].to_list() == [
        "2 > Qualification requirement"
    ]
    furniture = parsed.blocks.filter(pl.col("kind") == "furniture")
    assert furniture.select("page", "text").rows() == [
        (2, "1 | 2 | 3"), (2, "Item No. | Qualification requirement | Document to be completed"),
    ]  # fmt: skip


def test_the_words_of_a_parted_row_on_the_second_page_have_their_place_there():
    parsed = pages([COUNT, NAMES, FIRST, LONG], [COUNT, NAMES, REST, NEXT])
    parts = parsed.blocks.filter(pl.col("row_no") == 3)
    assert parts["page"].to_list() == [1, 2]
    assert "audited" not in parts["text"][0]
    assert "audited" in parts["text"][1]
    assert parts["y0"][1] < 200 < parts["y0"][0]
    line = next(each for each in parts["lines"][1].to_list() if each["end"] > each["start"])
    assert parts["text"][1][line["start"] : line["end"]].startswith("(iii) The audited")
    assert 90 < line["y0"] < 200


@pytest.mark.parametrize("again", [[NAMES], [COUNT], []])
def test_a_parted_row_below_a_part_of_the_header_rows_is_one_row(again):
    # The third page shows which rows are the header.
    parsed = pages(
        [COUNT, NAMES, FIRST, LONG],
        [COUNT, NAMES, NEXT],
        [*again, ["4", "Two\ntrucks.", "D"], ["5", "Two\nmen.", "E"]],
    )
    assert [row[0] for row in body(parsed)] == ["1", "2", "3", "4", "5"]
    parsed = pages([COUNT, NAMES, FIRST, LONG], [NAMES, REST, NEXT])
    assert body(parsed)[-2:] == [["2", WHOLE, "Form B"], ["3", "The bidder has built two depots.", "Form C"]]


def test_a_row_over_three_pages_is_one_row_below_each_header():
    tail = ["", "(iv) The accounts are signed by an\nauditor of its country.", ""]
    parsed = pages([COUNT, NAMES, FIRST, LONG], [COUNT, NAMES, REST], [COUNT, NAMES, tail, NEXT])
    assert body(parsed)[1][1] == WHOLE + " (iv) The accounts are signed by an auditor of its country."
    assert body(parsed)[2][0] == "3"
    assert parsed.blocks.filter(pl.col("row_no") == 3)["page"].to_list() == [1, 2, 3]


def test_a_header_printed_again_with_other_line_breaks_is_the_same_header():
    again = ["Item No.", "Qualifi-\ncation requirement", "DOCUMENT TO BE COM-\nPLETED"]
    parsed = pages([COUNT, NAMES, FIRST, LONG], [["(1)", "(2)", "(3)"], again, REST, NEXT])
    assert body(parsed)[1:] == [["2", WHOLE, "Form B"], ["3", "The bidder has built two depots.", "Form C"]]


@pytest.mark.parametrize("mark", ["(continued)", "(suite)", "- cont'd", "[Continued]", ": suite et fin"])
def test_a_title_row_that_says_that_the_table_goes_on_parts_no_row(mark):
    def page(pdf, title, rows, y):
        spanning(pdf.page(), [[(title, 4)], *([(text, 1) for text in row] for row in rows)], y)

    pdf = Pdf()
    head = ["Item", "Requirement", "Answer", "Remarks"]
    long = ["2", "The bidder shows", "Compliant", ""]
    page(pdf, "Table 4 Prices", [head, ["1", "Registered", "Compliant", ""], long], 700)
    page(
        pdf,
        "Table 4 Prices " + mark,
        [head, ["", "liquid assets", "", ""], ["3", "Two depots", "Partial", ""]],
        60,
    )
    parsed = read(pdf)
    assert body(parsed) == [
        ["1", "Registered", "Compliant", ""],
        ["2", "The bidder shows liquid assets", "Compliant", ""],
        ["3", "Two depots", "Partial", ""],
    ]


def test_a_merged_head_cut_otherwise_on_the_next_page_is_the_same_header():
    head = [[("Item", 1), ("Price per unit", 2), ("Remarks", 1)], [("", 1), ("EUR", 1), ("USD", 1), ("", 1)]]
    cut = [[("Item", 1), ("Price", 1), ("per unit", 1), ("Remarks", 1)], head[1]]
    row = [("Meter with all seals and", 1), ("61.50", 1), ("70.10", 1), ("", 1)]
    pdf = spanning(Pdf().page(), [*head, row], 700)
    spanning(
        pdf.page(),
        [
            *cut,
            [("boxes", 1), ("", 1), ("", 1), ("", 1)],
            [("Modem", 1), ("88.10", 1), ("99.00", 1), ("", 1)],
        ],
        60,
    )
    parsed = read(pdf)
    assert body(parsed) == [
        ["Meter with all seals and boxes", "61.50", "70.10", ""], ["Modem", "88.10", "99.00", ""],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "new",
    [
        ["", "Supply of modems with all seals\nand boxes", "20", "88.10"],
        ["", "Total of this part without tax and\nwithout freight", "", ""],
        ["", "Section B: works in the north and\nin the south", "", ""],
        ["", "Training of the staff in the use of\nmeters", "Yes", ""],
    ],
)
def test_a_new_row_below_a_header_printed_again_is_no_rest_of_the_row_before(new):
    head = ["Item", "Requirement", "Answer", "Price"]
    rows = [
        ["1", "Cable", "900", "2.10"],
        ["2", "Supply of meters with all seals\nand boxes", "400", "61.50"],
    ]
    if new[2] == "Yes":
        rows[1][2:] = ["No", ""]
    parsed = pages([head, *rows], [head, new, ["3", "Seals", "4", "1.00"]])
    said = [" ".join(cell.split()) for cell in new]
    assert body(parsed) == [[" ".join(cell.split()) for cell in row] for row in rows] + [
        said, ["3", "Seals", "4", "1.00"],
    ]  # fmt: skip


def test_a_row_of_a_group_merged_over_the_page_break_is_a_row_of_its_own():
    pdf = Pdf().page()
    for y in (700, 720, 760, 800):
        pdf.stroke(72, 372, y)
    pdf.stroke(172, 372, 740)
    pdf.stroke(172, 372, 780)
    for x in (72, 172, 272, 372):
        pdf.upright(x, 700, 800)
    for x, text in zip((76, 176, 276), ("Lot", "Requirement", "Answer"), strict=True):
        pdf.text(x, 713, text, size=9, bold=True)
    pdf.text(76, 743, "Lot 1", size=9).text(76, 783, "Lot 2", size=9)
    for y, text in ((733, "Meters"), (753, "Modems"), (773, "Supply of long cables"), (793, "Seals")):
        pdf.text(176, y, text, size=9)
    pdf.page().table([["", "Boxes of zinc", ""], ["Lot 3", "Poles", ""]], widths=[100] * 3, y=60)
    rows = [[cell or "" for cell in row] for row in body(read(pdf))]
    assert [row[1] for row in rows] == [
        "Meters", "Modems", "Supply of long cables", "Seals", "Boxes of zinc", "Poles",
    ]  # fmt: skip


def test_a_title_of_a_group_over_several_columns_is_no_rest_of_a_total():
    head = [("Criterion", 1), ("Scale", 1), ("Points", 1), ("Paper", 1)]
    pdf = spanning(Pdf().page(), [head, [("Total of the geologist", 2), ("12", 2)]], 740)
    spanning(
        pdf.page(),
        [[("", 1), ("Profile 3: chemist", 3)], [("Degree", 1), ("Master", 1), ("4", 1), ("CV", 1)]],
        60,
    )
    assert not any("geologist Profile" in cell for row in body(read(pdf)) for cell in row)


def test_rows_of_headers_are_compared_by_words_and_columns():
    heads = [["Item No.", "Qty", ""], ["", "kg", "m"]]
    assert heads_again(heads, [["ITEM NO", "Qty", ""], ["", "kg", "m"], ["1", "2", "3"]]) == 2
    assert heads_again(heads, [["", "kg", "m"], ["1", "2", "3"]]) == 1
    assert (
        heads_again(heads, [["Table 2 (continued)", "", ""], ["Item No.", "Qty", ""], ["1", "2", "3"]]) == 2
    )
    assert heads_again(heads, [["Item No. Qty", "kg", "m"], ["1", "2", "3"]]) == 1
    assert heads_again(heads, [["1", "2", "3"], ["Item No.", "Qty", ""]]) == 0
    assert heads_again(heads, [["Suite", "", ""], ["1", "2", "3"]]) == 0
    assert shared_heads([["Form", "", ""], *heads], [*heads, ["1", "2", "3"]], 1) == (1, 3)
    assert shared_heads(heads, [["1", "2", "3"]], 0) == (0, 0)


def test_a_new_row_in_a_table_whose_rows_often_lack_the_first_column_is_no_rest():
    def row(*texts):
        return [Part(text, 1, 100.0, False, 2) for text in texts]

    held = BodyRows()
    for first in ("1", "", "", "2"):
        held.add(row(first, "Supply of meters for the north of the", "yes"))
    assert not held.goes_on(row("", "Modems for the south of the land", ""))
    assert held.goes_on(row("", "land, with seals", ""))


def test_names_in_small_letters_of_a_list_are_rows_of_their_own():
    def row(*texts):
        return [Part(text, 1, 100.0, False, 2) for text in texts]

    held = BodyRows()
    held.add(row("mCRC", "metastatic colorectal cancer of the bowel"))
    assert not held.goes_on(row("mRNA", "messenger ribonucleic acid"))
    held.add(row("The bidder hands in papers of all", "yes, as far as the law of its land"))
    assert held.goes_on(row("depots", "allows it"))


def test_a_cell_that_ends_well_above_the_page_break_does_not_go_on():
    def row(*texts, bottoms):
        return [Part(text, 1, y, False, 2) for text, y in zip(texts, bottoms, strict=True)]

    held = BodyRows()
    for first in ("1", "2"):
        asked = "The bidder hands in a licence for each site in the land"
        held.add(row(first, asked, "A long answer over many lines of the cell", bottoms=(500, 520, 800)))
    assert not held.goes_on(row("", "Papers of the depots are handed in", "", bottoms=(80, 90, 80)))
    assert held.goes_on(row("", "", "Answers go on here", bottoms=(80, 90, 80)))


@pytest.mark.parametrize("words", ["Table 3 (continued)", "Table 3 (suite)", "See the terms of the annex"])
def test_a_line_above_the_table_that_says_it_goes_on_does_not_end_it(words):
    pdf = Pdf().page().table([NAMES, FIRST], widths=[60, 220, 170], y=730)
    pdf.page().text(72, 50, words).table([NAMES, NEXT], widths=[60, 220, 170], y=60)
    parsed = read(pdf)
    tables = parsed.table_cells["table_no"].n_unique()
    assert tables == (2 if "annex" in words else 1)
    assert parsed.table_cells.filter(pl.col("text") == "Form C")["header_path"].to_list() == [
        "Document to be completed"
    ]
