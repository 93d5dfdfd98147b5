"""Tables without rules between their columns: statements, price lists, and what only looks like them."""

from __future__ import annotations

import polars as pl
import pymupdf
import pytest
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.params import DocumentParams


def read(pdf):
    return parse_file(pdf.bytes(), DocumentParams(), workers=0)


def rows(parsed, table=0):
    kept = parsed.blocks.filter((pl.col("kind") == "table_row") & (pl.col("table_no") == table))
    return kept["text"].to_list()


def headers(parsed):
    return parsed.blocks.filter(pl.col("is_header"))["text"].to_list()


def statement(pdf, lines, *, x=(72, 300, 380, 460), y=100, step=16):
    for number, line in enumerate(lines):
        for at, text in zip(x, line, strict=False):
            if text:
                pdf.text(at, y + step * number, text)
    return pdf


def cell(parsed, text):
    return parsed.table_cells.filter(pl.col("text") == text).to_dicts()[0]


def test_figures_of_a_statement_keep_their_label_and_their_year():
    pdf = statement(
        Pdf().page(),
        [
            ("", "2023", "2024", "2025"),
            ("Net sales", "1,200", "1,350", "1,500"),
            ("Cost of sales", "(800)", "(900)", "(1,010)"),
            ("Gross profit", "400", "450", "490"),
        ],
    )
    parsed = read(pdf)
    assert headers(parsed) == [" | 2023 | 2024 | 2025"]
    assert rows(parsed)[1:] == [
        "Net sales | 1,200 | 1,350 | 1,500",
        "Cost of sales | (800) | (900) | (1,010)",
        "Gross profit | 400 | 450 | 490",
    ]
    assert cell(parsed, "1,350")["header_path"] == "2024"
    assert cell(parsed, "1,350")["col_no"] == 2


def test_a_head_over_several_columns_heads_each_of_them():
    pdf = Pdf().page().text(330, 84, "Year ended 31 December")
    statement(
        pdf,
        [
            ("In thousands", "2023", "2024", "2025"),
            ("Revenue", "10", "20", "30"),
            ("Costs", "4", "5", "6"),
            ("Profit", "6", "15", "24"),
        ],
    )
    parsed = read(pdf)
    assert cell(parsed, "24")["header_path"] == "Year ended 31 December > 2025"
    assert cell(parsed, "10")["header_path"] == "Year ended 31 December > 2023"


def test_heads_of_two_lines_are_one_head():
    pdf = Pdf().page().text(300, 84, "Unit").text(380, 84, "Total")
    statement(
        pdf,
        [
            ("Item", "price", "price"),
            ("Meter", "61.50", "615.00"),
            ("Cable", "2.10", "21.00"),
            ("Lug", "0.40", "4.00"),
        ],
    )
    parsed = read(pdf)
    assert cell(parsed, "21.00")["header_path"] == "Total price"


def test_dates_over_two_lines_head_their_columns():
    pdf = Pdf().page().text(300, 84, "January").text(400, 84, "January")
    statement(
        pdf,
        [
            ("In millions", "28, 2023", "29, 2022"),
            ("Sales", "3,226.8", "2,729.4"),
            ("Costs", "762.7", "650.0"),
            ("Stores", "12", "6"),
        ],
        x=(72, 300, 400),
    )
    assert cell(read(pdf), "650.0")["header_path"] == "January 29, 2022"


def test_columns_made_with_blanks_are_columns():
    pdf = Pdf().page()
    for number, line in enumerate(
        [("Cash", "689", "775"), ("Stock", "992", "1114"), ("Loans", "100", "120"), ("Sum", "1781", "2009")]
    ):
        pdf._page.insert_text(
            (72, 100 + 16 * number), f"{line[0]:<30}{line[1]:<20}{line[2]}", fontname="cour", fontsize=9
        )
    assert rows(read(pdf))[1] == "Stock | 992 | 1114"


def test_a_currency_sign_far_from_its_figure_belongs_to_it():
    pdf = Pdf().page()
    for number, (label, one, two) in enumerate(
        [("Cash", "689", "775"), ("Stock", "992", "1,114"), ("Sum", "1,681", "1,889")]
    ):
        y = 100 + 16 * number
        pdf.text(72, y, label).text(300, y, "$").text(330, y, one).text(380, y, "$").text(410, y, two)
    assert rows(read(pdf)) == ["Cash | $ 689 | $ 775", "Stock | $ 992 | $ 1,114", "Sum | $ 1,681 | $ 1,889"]


def test_a_wrapped_label_is_one_row_and_a_group_title_a_row_of_its_own():
    pdf = statement(
        Pdf().page(),
        [
            ("Current assets:",),
            ("Cash", "689", "775"),
            ("Receivables from customers under",),
            ("service contracts", "1,875", "1,935"),
            ("Inventories", "992", "1,114"),
        ],
        step=12,
    )
    parsed = read(pdf)
    assert parsed.blocks["text"].to_list()[0] == "Current assets:"
    assert rows(parsed) == [
        "Cash | 689 | 775",
        "Receivables from customers under service contracts | 1,875 | 1,935",
        "Inventories | 992 | 1,114",
    ]


def test_an_empty_cell_does_not_shift_the_figures_after_it():
    pdf = statement(
        Pdf().page(),
        [("Grid", "1", "2", "3"), ("Solar", "", "5", "6"), ("Wind", "7", "", "9"), ("Sum", "8", "7", "18")],
    )
    parsed = read(pdf)
    assert rows(parsed)[1:3] == ["Solar |  | 5 | 6", "Wind | 7 |  | 9"]
    assert cell(parsed, "9")["col_no"] == 3


def test_rules_between_rows_part_a_table_of_words():
    pdf = Pdf().page()
    entries = [
        ("Name", "Role", "Languages"),
        ("A. Martin", "Project", "English"),
        ("", "manager", "French"),
        ("B. Okoro", "Site engineer", "English"),
        ("C. Diallo", "Safety officer", "French"),
    ]
    heights = [100, 120, 132, 152, 172]
    for y, line in zip(heights, entries, strict=True):
        for x, text in zip((72, 220, 380), line, strict=True):
            if text:
                pdf.text(x, y, text)
    for y in (88, 106, 138, 158, 178):
        pdf.stroke(70, 500, y)
    assert "A. Martin | Project manager | English French" in rows(read(pdf))


@pytest.mark.parametrize("figures_on", ["first", "last"])
def test_figures_beside_a_wrapped_description_belong_to_its_item(figures_on):
    lines = [("Item", "Description", "Qty", "Price")]
    for item, first, second, qty, price in [
        ("1", "Three-phase meter with remote", "disconnect and seal", "400", "61.50"),
        ("2", "Modem for rural sites without", "coverage", "20", "88.10"),
        ("3", "Spare parts for ten years of", "service", "15", "4.20"),
    ]:
        figures = [(qty, price), ("", "")] if figures_on == "first" else [("", ""), (qty, price)]
        lines += [(item, first, *figures[0]), ("", second, *figures[1])]
    parsed = read(statement(Pdf().page(), lines, x=(72, 110, 330, 420), step=14))
    assert rows(parsed) == [
        "Item | Description | Qty | Price",
        "1 | Three-phase meter with remote disconnect and seal | 400 | 61.50",
        "2 | Modem for rural sites without coverage | 20 | 88.10",
        "3 | Spare parts for ten years of service | 15 | 4.20",
    ]
    assert cell(parsed, "88.10")["header_path"] == "Price"


def test_shaded_bands_part_the_rows_of_a_table_of_words():
    pdf = Pdf().page()
    for y in (86, 142):
        pdf._page.draw_rect(pymupdf.Rect(70, y, 520, y + 28), fill=(0.85, 0.93, 1.0), color=None)
    lines = [
        (98, ("Ground", "What it covers", "Who decides"), True),
        (126, ("Late bid", "A bid that arrives after the", "The committee"), False),
        (138, ("", "hour named in the notice", ""), False),
        (154, ("Missing bond", "No bid security, or one that", "The committee, on"), False),
        (166, ("", "ends too early", "legal advice"), False),
    ]
    for y, line, bold in lines:
        for x, text in zip((72, 200, 400), line, strict=True):
            if text:
                pdf.text(x, y, text, size=9, bold=bold)
    parsed = read(pdf)
    assert headers(parsed) == ["Ground | What it covers | Who decides"]
    assert rows(parsed)[1:] == [
        "Late bid | A bid that arrives after the hour named in the notice | The committee",
        "Missing bond | No bid security, or one that ends too early | The committee, on legal advice",
    ]


def test_two_columns_of_prose_are_no_table():
    left = [
        "The validity of the bid is",
        "counted from the day of the",
        "opening and may not be",
        "shortened by the bidder.",
    ]
    right = [
        "Delivery takes place in 30",
        "days after the order, at the",
        "cost and at the risk of the",
        "seller up to the site.",
    ]
    pdf = Pdf().page().lines(left, x=72).lines(right, x=320)
    assert read(pdf).table_cells.height == 0


def test_a_list_with_its_numbers_set_apart_is_no_table():
    pdf = Pdf().page()
    for number, text in enumerate(
        [
            "The bidder delivers the meters in lots.",
            "The seals are numbered one by one.",
            "The buyer accepts each lot in writing.",
            "Payment follows acceptance.",
        ],
        1,
    ):
        pdf.text(72, 80 + 20 * number, f"{number}.").text(110, 80 + 20 * number, text)
    parsed = read(pdf)
    assert parsed.table_cells.height == 0
    assert parsed.blocks["text"].to_list()[0] == "1. The bidder delivers the meters in lots."


def test_a_list_of_contents_without_leaders_is_no_table():
    pdf = Pdf().page().text(72, 60, "Contents", size=14, bold=True)
    for number, (title, page) in enumerate(
        [("Invitation", 3), ("Bid security", 7), ("Grounds for rejection", 7), ("Forms", 12), ("Annexes", 19)]
    ):
        pdf.text(72, 100 + 18 * number, title).text(480, 100 + 18 * number, str(page))
    parsed = read(pdf)
    assert parsed.table_cells.height == 0
    assert set(parsed.blocks["kind"].to_list()) == {"contents"}


def test_a_page_of_prose_below_a_table_stays_prose():
    pdf = statement(
        Pdf().page(), [("Cash", "689", "775"), ("Stock", "992", "1,114"), ("Sum", "1,681", "1,889")]
    )
    pdf.lines(
        [
            "The sums above are those of the audited accounts of the bidder for the last",
            "two years and include all subsidiaries named in the annex to this letter.",
        ],
        y=180,
    )
    parsed = read(pdf)
    assert len(rows(parsed)) == 3
    assert parsed.blocks["text"].to_list()[-1].startswith("The sums above are those of the audited accounts")


def test_a_second_table_below_with_heads_of_its_own_is_another_table():
    pdf = statement(
        Pdf().page(),
        [("Site", "North", "South"), ("Meters", "10", "20"), ("Seals", "12", "24"), ("Boxes", "3", "6")],
    )
    statement(
        pdf,
        [("Crew", "Day", "Night"), ("Fitters", "4", "2"), ("Drivers", "2", "1"), ("Guards", "1", "3")],
        y=196,
    )
    parsed = read(pdf)
    assert parsed.table_cells["table_no"].n_unique() == 2
    assert cell(parsed, "24")["header_path"] == "South"
    assert parsed.table_cells.filter((pl.col("text") == "2") & (pl.col("col_no") == 2))[
        "header_path"
    ].to_list() == ["Night"]


def test_strokes_under_single_columns_do_not_swallow_the_rows():
    pdf = statement(
        Pdf().page(),
        [
            ("Cash", "$ 689", "$ 775"),
            ("Stock", "992", "1,114"),
            ("Loans", "100", "120"),
            ("Sum", "$ 1,781", "$ 2,009"),
        ],
    )
    for x in (300, 380):
        for y in (138, 154, 156):
            pdf.stroke(x, x + 50, y)
    assert rows(read(pdf))[3] == "Sum | $ 1,781 | $ 2,009"


@pytest.mark.parametrize("hidden", [True, False])
def test_hidden_figures_are_no_part_of_a_table(hidden):
    pdf = statement(
        Pdf().page(), [("Cash", "689", "775"), ("Stock", "992", "1,114"), ("Sum", "1,681", "1,889")]
    )
    pdf.text(460, 100, "999", **({"color": (1, 1, 1)} if hidden else {}))
    assert ("999" in rows(read(pdf))[0]) is not hidden
