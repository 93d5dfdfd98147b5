"""Headings on pages: which printed lines head what follows, and which only look as if they did."""

from __future__ import annotations

import polars as pl
import pytest
from pdf_builder import Pdf

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

BODY = [
    "The supplier delivers all meters to the site of the buyer within thirty days",
    "of the order, and bears the cost of transport and of insurance up to there.",
]


def read(pdf: Pdf) -> ParsedFile:
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0)


def headings(parsed: ParsedFile) -> list[str]:
    return parsed.blocks.filter(pl.col("kind") == "heading")["text"].to_list()


def path_of(parsed: ParsedFile, start: str) -> str:
    return parsed.blocks.filter(pl.col("text").str.starts_with(start))["heading_path"][0]


def middle(pdf: Pdf, y: float, text: str, **options: object) -> Pdf:
    """A centred line."""
    import pymupdf

    width = pymupdf.get_text_length(text, fontname="hebo", fontsize=options.get("size", 11))
    return pdf.text((pdf.size[0] - width) / 2, y, text, bold=True, **options)


def test_a_list_of_sections_in_a_clause_heads_nothing():
    pdf = Pdf().page().text(72, 80, "Section I - Instructions", bold=True)
    pdf.text(72, 110, "6. Sections of the document", bold=True)
    pdf.text(72, 130, "6.1 The document consists of all the sections that are listed below:")
    pdf.lines(
        ["PART 1: Procedures", "Section I - Instructions", "Section II - Data", "Section III - Criteria"],
        y=160, bold=True,
    ).lines(["PART 2: Works", "Section IV - Bills", "Section V - Drawings"], y=230, bold=True)  # fmt: skip
    pdf.text(72, 300, "7. Clarification of the document", bold=True).lines(BODY, y=320)
    parsed = read(pdf)
    assert headings(parsed) == [
        "Section I - Instructions", "6. Sections of the document", "7. Clarification of the document",
    ]  # fmt: skip
    assert path_of(parsed, "The supplier") == "Section I - Instructions > 7. Clarification of the document"
    assert path_of(parsed, "PART 2: Works") == "Section I - Instructions > 6. Sections of the document"


def test_the_title_of_a_section_above_its_list_of_forms_stays_a_heading():
    pdf = Pdf().page().text(72, 80, "SECTION X - CONTRACT FORMS", size=14, bold=True)
    pdf.lines(
        [f"FORM No. {n} - {name}" for n, name in enumerate(["AWARD", "REVIEW", "LETTER", "BOND"], 1)], y=110
    )
    pdf.page().text(72, 80, "FORM No. 1 - AWARD", bold=True).lines(BODY, y=110)
    parsed = read(pdf)
    assert headings(parsed) == ["SECTION X - CONTRACT FORMS", "FORM No. 1 - AWARD"]
    assert path_of(parsed, "The supplier") == "SECTION X - CONTRACT FORMS > FORM No. 1 - AWARD"


def test_a_numbered_clause_that_is_a_sentence_stands_under_its_chapter():
    pdf = Pdf().page().text(72, 80, "12 Warranty", bold=True)
    pdf.lines(
        ["12.1 The Contractor shall repair all defects at his own cost within the", "warranty of two years."],
        y=110,
    )
    parsed = read(pdf)
    assert headings(parsed) == ["12 Warranty"]
    assert path_of(parsed, "12.1 The Contractor") == "12 Warranty"


def test_bold_words_that_begin_a_paragraph_are_no_heading():
    pdf = Pdf().page().text(72, 100, "Governing law.", bold=True)
    pdf.text(pdf.end + 4, 100, "This contract is governed by the law of the country of the buyer,")
    pdf.text(72, 114, "whatever the seat of the supplier may be.")
    pdf.lines(
        ["The liability of the supplier for all defects of the meters that are found within", "two years is limited."],
        y=150, bold=False,
    )  # fmt: skip
    assert headings(read(pdf)) == []


def test_a_bold_first_line_that_runs_into_its_paragraph_is_no_heading():
    pdf = Pdf().page().lines(BODY, y=80)
    pdf.text(72, 130, "Limits of liability for all of the meters that are delivered to the site", bold=True)
    pdf.lines(["and of the works are twice the price of the contract, unless the loss is", "wilful."], y=144)
    assert headings(read(pdf)) == []


def test_a_heading_may_leave_its_last_words_to_a_line_further_down():
    # T04
    pdf = Pdf().page().text(72, 80, "2.0 PRELIMINARY EXAMINATION FOR DETERMINATION OF", bold=True)
    pdf.text(72, 104, "RESPONSIVENESS", bold=True).lines(BODY, y=140)
    assert headings(read(pdf)) == ["2.0 PRELIMINARY EXAMINATION FOR DETERMINATION OF RESPONSIVENESS"]


@pytest.mark.parametrize("number", ["4.", "Article 4"])
def test_a_number_on_a_line_of_its_own_belongs_to_the_title_below_it(number):
    pdf = Pdf().page().text(72, 80, number, bold=True).text(72, 98, "Object of the contract", bold=True)
    pdf.lines(BODY, y=130)
    assert headings(read(pdf)) == [f"{number} Object of the contract"]


def test_a_number_in_the_left_margin_belongs_to_its_title():
    pdf = (
        Pdf()
        .page()
        .text(40, 80, "4.2", bold=True)
        .text(150, 80, "Bid security", bold=True)
        .lines(BODY, x=150, y=100)
    )
    assert headings(read(pdf)) == ["4.2 Bid security"]


def test_an_item_set_off_from_its_title_by_a_tab_is_a_heading():
    pdf = Pdf().page().text(72, 80, "Item 7A.", bold=True).text(200, 80, "Market Risk", bold=True, slant=True)
    pdf.lines(BODY, y=110)
    assert headings(read(pdf)) == ["Item 7A. Market Risk"]


def test_capitals_and_slanted_lines_of_body_type_head_what_follows():
    pdf = Pdf().page().text(72, 80, "SCOPE OF SUPPLY").lines(BODY, y=110)
    pdf.text(72, 160, "Delivery of meters", slant=True).lines(BODY, y=180)
    parsed = read(pdf)
    assert headings(parsed) == ["SCOPE OF SUPPLY", "Delivery of meters"]
    assert parsed.blocks["heading_path"].to_list()[-1] == "SCOPE OF SUPPLY > Delivery of meters"


def test_a_centred_title_holds_the_headings_at_the_left():
    pdf = Pdf().page().lines(["A cover page."], y=80).page()
    middle(pdf, 80, "Report of the Auditor").text(72, 110, "Opinion", bold=True).lines(BODY, y=130)
    pdf.text(72, 180, "Basis for Opinion", bold=True).lines(BODY, y=200)
    assert read(pdf).blocks["heading_path"].to_list()[-1] == "Report of the Auditor > Basis for Opinion"


def test_lines_to_fill_in_signatures_and_captions_are_no_headings():
    pdf = Pdf().page().lines(BODY, y=80).lines(["Name:", "Title:", "Signature:"], y=130, step=24, bold=True)
    pdf.text(72, 220, "Table 3: Prices of meters", bold=True).text(380, 260, "The Director", bold=True)
    pdf.text(72, 300, "By: /s/ John Smith", bold=True)
    parsed = read(pdf)
    assert headings(parsed) == []
    assert parsed.blocks.filter(pl.col("kind") == "caption")["text"].to_list() == [
        "Table 3: Prices of meters"
    ]


def test_a_bold_label_before_a_list_heads_it():
    pdf = Pdf().page().lines(BODY, y=80).text(72, 140, "Documents to enclose:", bold=True)
    pdf.lines(["- a bond of two percent of the price", "- a power of attorney"], y=158)
    assert headings(read(pdf)) == ["Documents to enclose:"]


def test_a_page_set_larger_than_the_rest_is_not_all_headings():
    small = [
        f"{word} of the meters is described in the annex to this paper, which is part of it."
        for word in ("Size", "Use", "Life")
    ]
    pdf = Pdf()
    for _ in range(6):
        pdf.page().lines(small * 6, size=9, step=12)
    large = [
        f"{word} that we know of no matter that would keep us from signing the contract"
        for word in ("Certify", "State", "Confirm", "Declare", "Attest", "Repeat", "Warrant", "Agree", "Say")
    ]
    pdf.page().lines(large, size=11, step=30, x=40)
    assert headings(read(pdf)) == []


def test_list_items_and_short_bare_numbers_in_a_row_are_no_headings():
    pdf = Pdf().page().text(72, 80, "4 Documents", bold=True)
    pdf.lines(
        [
            f"4.{n} {name}"
            for n, name in enumerate(["Bond", "Power of attorney", "Staff list", "Price list"], 1)
        ],
        y=110,
    )
    parsed = read(pdf)
    assert headings(parsed) == ["4 Documents"]
    assert parsed.blocks.filter(pl.col("kind") == "list_item")["text"].to_list() == [
        "4.1 Bond", "4.2 Power of attorney", "4.3 Staff list", "4.4 Price list",
    ]  # fmt: skip


def test_dashes_begin_items_even_without_full_stops():
    pdf = (
        Pdf()
        .page()
        .lines(["We enclose:", "- a bond of two percent", "- a power of attorney", "- a list of staff"])
    )
    assert read(pdf).blocks["text"].to_list()[1:] == [
        "- a bond of two percent", "- a power of attorney", "- a list of staff",
    ]  # fmt: skip


def test_a_heading_whose_words_run_on_as_header_of_its_pages_stays():
    # T06
    pdf = Pdf()
    for number in range(12):
        pdf.page().text(72, 40, "Terms of delivery", size=9).lines(BODY * 6, y=200)
        if number == 4:
            pdf.text(72, 90, "Terms of delivery", size=16, bold=True)
    parsed = read(pdf)
    assert parsed.blocks.filter(pl.col("kind") == "heading").select("page", "text").rows() == [
        (5, "Terms of delivery")
    ]
    assert parsed.pages["header"].to_list() == ["Terms of delivery"] * 12


def test_each_large_title_that_begins_a_page_ends_the_one_before_it():
    pdf = Pdf().page().lines(BODY, y=80)
    for title, size in (("Preface", 17.7), ("How to use this book", 18.4), ("Invitation for bids", 17.6)):
        pdf.page().text(72, 80, title, size=size, bold=title == "Preface").lines(BODY, y=120)
    found = read(pdf).blocks.filter(pl.col("kind") == "heading")["heading_path"].to_list()
    assert found == ["Preface", "How to use this book", "Invitation for bids"]


def test_capitals_of_body_type_make_the_title_of_a_section_in_a_scan():
    pdf = Pdf().page().text(72, 80, "SECTION IV").text(72, 96, "TENDER FORMS").lines(BODY, y=130)
    pdf.text(72, 180, "4.1 Form of bid").lines(BODY, y=200)
    parsed = read(pdf)
    assert headings(parsed) == ["SECTION IV TENDER FORMS", "4.1 Form of bid"]
    assert parsed.blocks["heading_path"].to_list()[-1] == "SECTION IV TENDER FORMS > 4.1 Form of bid"


def test_a_heading_with_a_comma_before_its_items_heads_them():
    pdf = Pdf().page().text(72, 80, "7. Qualification, more specifically,", bold=True)
    pdf.lines(
        ["a) The bidder has built three works of this kind.", "b) The bidder has a turnover of one million."],
        y=100,
    )
    parsed = read(pdf)
    assert path_of(parsed, "b) The bidder") == "7. Qualification, more specifically,"


def test_footnotes_stand_apart_from_the_text():
    # T14
    pdf = Pdf().page().lines(BODY, y=80)
    pdf.lines(
        ["1 Prices exclude value added tax.", "2 In the currency of the buyer."], y=780, step=11, size=8
    )
    parsed = read(pdf)
    assert parsed.blocks.filter(pl.col("kind") == "footnote")["text"].to_list() == [
        "1 Prices exclude value added tax.", "2 In the currency of the buyer.",
    ]  # fmt: skip
    assert parsed.blocks["text"][0] == " ".join(BODY)


def underlined(pdf: Pdf, x: float, y: float, text: str) -> Pdf:
    """A line of body type with a rule under its words."""
    pdf.text(x, y, text)
    return pdf.stroke(x, pdf.end, y + 1.5)


def test_underlined_lines_of_body_type_head_what_follows():
    pdf = underlined(Pdf().page().lines(BODY, y=80), 72, 140, "Claims of the buyer").lines(BODY, y=160)
    underlined(pdf, 72, 210, "7. Termination.").lines(BODY, y=230)
    assert headings(read(pdf)) == ["Claims of the buyer", "7. Termination."]


def test_underlined_links_below_each_other_and_words_filled_in_are_no_headings():
    pdf = Pdf().page().lines(BODY, y=80)
    for number, name in enumerate(["Bond of the bank", "Power of attorney", "List of the staff"]):
        underlined(pdf, 72, 140 + 24 * number, f"{number + 4}.1 {name} of the bidder.")
    pdf.text(72, 240, "Name of the bidder:")
    underlined(pdf, 200, 240, "ACME Works Limited")
    assert headings(read(pdf)) == []


def test_what_is_recognised_in_a_picture_heads_nothing():
    from bidproof.documents.assembly import assemble
    from bidproof.documents.page import Line, RawPage, Remark

    box = (100.0, 200.0, 400.0, 400.0)
    lines = [Line(text, (72, 80 + 14 * n, 520, 91 + 14 * n), 11, False) for n, text in enumerate(BODY)]
    lines += [Line("Public and other water 7%", (120, 240, 300, 264), 22, False)]
    page = RawPage(1, 595, 842, frame=(0, 0, 595, 842), lines=lines, status="text")
    page.remarks.append(Remark(1, "picture_text", "", "", box=box))
    rows = assemble([page], DocumentParams())
    assert [row["kind"] for row in rows["blocks"]] == ["paragraph", "paragraph"]


def test_a_slanted_title_right_above_its_text_heads_it():
    pdf = Pdf().page().lines(BODY, y=80)
    pdf.text(72, 130, "Operating income", slant=True).lines(BODY, y=144)
    pdf.text(72, 190, "2021 notes of the bank", slant=True).lines(["• " + BODY[0], BODY[1]], y=204)
    assert headings(read(pdf)) == ["Operating income", "2021 notes of the bank"]


def test_a_slanted_remark_in_mid_sentence_is_no_heading():
    pdf = Pdf().page().lines(BODY, y=80).text(72, 130, "Insert the name of the", slant=True)
    pdf.lines(
        ["bidder and of all the members of the group that it leads, with their addresses", "and seats."],
        y=144,
    )
    assert headings(read(pdf)) == []
