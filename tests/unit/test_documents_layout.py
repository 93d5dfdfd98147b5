"""What is read on pages: headings, columns, furniture, hyphens, notes, hidden and struck text."""

from __future__ import annotations

import polars as pl
import pytest
from pdf_builder import Pdf

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

PARAMS = DocumentParams(ocr=False)


def read(pdf: Pdf, params: DocumentParams = PARAMS) -> ParsedFile:
    return parse_file(pdf.bytes(), params, workers=1)


def texts(parsed: ParsedFile, kind: str | None = None) -> list[str]:
    blocks = parsed.blocks if kind is None else parsed.blocks.filter(pl.col("kind") == kind)
    return blocks["text"].to_list()


def path_of(parsed: ParsedFile, start: str) -> str:
    return parsed.blocks.filter(pl.col("text").str.starts_with(start))["heading_path"][0]


def test_numbering_nests_headings_of_one_font():
    pdf = Pdf().page().lines(["3 Security", "3.2 Bid bond", "3.2.1 Form"], step=30)
    pdf.lines(["The bond shall be issued by a bank in good standing."], y=190)
    parsed = read(pdf)
    assert texts(parsed, "heading") == ["3 Security", "3.2 Bid bond", "3.2.1 Form"]
    assert path_of(parsed, "The bond") == "3 Security > 3.2 Bid bond > 3.2.1 Form"


def test_headings_nest_even_without_space_between_them():
    pdf = (
        Pdf()
        .page()
        .lines(
            [
                "3 Security",
                "3.2 Bid bond",
                "3.2.1 Form",
                "The bond shall be issued by a bank in good standing",
                "of the country.",
            ]
        )
    )
    parsed = read(pdf)
    assert texts(parsed, "heading") == ["3 Security", "3.2 Bid bond", "3.2.1 Form"]
    assert texts(parsed, "paragraph") == [
        "The bond shall be issued by a bank in good standing of the country."
    ]


def test_a_wrapped_heading_is_one_heading():
    pdf = Pdf().page().lines(["3.9 Grounds for re-", "jection of bids"], bold=True)
    pdf.lines(["A bid that is late shall be rejected without being opened."], y=150)
    assert texts(read(pdf), "heading") == ["3.9 Grounds for rejection of bids"]


def test_a_cross_reference_is_no_heading():
    pdf = Pdf().page().lines(["7.3 Repairs"], bold=True).lines(["7.5 applies to spare parts."], y=130)
    parsed = read(pdf)
    assert texts(parsed, "heading") == ["7.3 Repairs"]
    assert path_of(parsed, "7.5 applies") == "7.3 Repairs"


@pytest.mark.parametrize(
    ("line", "nested"),
    [
        ("Section III - Evaluation Criteria", "Section III - Evaluation Criteria"),
        ("Annex G - Forms", "Annex G - Forms"),
        ("Article 4", "Article 4"),
        ("Lot 2", "Lot 2"),
        ("ANNEXE 1 : CADRE DE REPONSE", "ANNEXE 1 : CADRE DE REPONSE"),
        ("III. Scope of supply", "III. Scope of supply"),
    ],
)
def test_common_numberings_head_a_section(line, nested):
    pdf = (
        Pdf()
        .page()
        .text(72, 100, line, bold=True)
        .text(72, 140, "The bidder supplies two hundred meters in all.")
    )
    assert path_of(read(pdf), "The bidder") == nested


def test_a_section_holds_its_numbered_clauses_and_the_next_section_closes_it():
    pdf = Pdf().page()
    pdf.text(72, 80, "Section III - Evaluation", bold=True).text(72, 110, "3.2 Bid Security", bold=True)
    pdf.text(72, 140, "A bid security of two percent is required with the bid.")
    pdf.text(72, 180, "Section IV - Forms", bold=True).text(
        72, 210, "Forms are to be filled in by the bidder in ink."
    )
    parsed = read(pdf)
    assert path_of(parsed, "A bid security") == "Section III - Evaluation > 3.2 Bid Security"
    assert path_of(parsed, "Forms are") == "Section IV - Forms"


def test_a_certificate_bound_in_between_does_not_head_the_next_chapter():
    pdf = (
        Pdf()
        .page()
        .text(72, 80, "4 Declarations", bold=True)
        .text(72, 110, "We declare that we have no conflict.")
    )
    pdf.page().text(72, 80, "POWER OF ATTORNEY", size=18, bold=True).text(
        72, 120, "The undersigned gives power to sign."
    )
    pdf.page().text(72, 80, "5 Insurance", bold=True).text(
        72, 110, "Our insurance covers seven million euro."
    )
    parsed = read(pdf)
    assert path_of(parsed, "The undersigned") == "POWER OF ATTORNEY"
    assert path_of(parsed, "Our insurance") == "5 Insurance"


def test_a_running_header_goes_and_a_heading_that_stands_there_once_stays():
    pdf = Pdf()
    for number in range(40):
        pdf.page().text(72, 40, "Volume 2", size=9)
        if number == 11:
            pdf.text(72, 60, "Annex G", size=12, bold=True)
        pdf.lines([f"Paragraph {word} says what page it is on." for word in ("one", "two")], y=300, step=40)
    parsed = read(pdf)
    assert parsed.pages["header"].unique().to_list() == ["Volume 2"]
    running = parsed.blocks.filter(pl.col("text") == "Volume 2")
    assert running["kind"].unique().to_list() == ["furniture"]
    assert running.height == 40
    assert parsed.blocks.filter(pl.col("text") == "Annex G")["page"].to_list() == [12]


def test_a_sum_carried_forward_at_the_foot_of_pages_is_content():
    pdf = Pdf()
    for amount in (1200, 3150, 9900, 9950):
        pdf.page().text(72, 300, "Works as measured on site by both parties.").text(
            72, 800, f"Carried forward {amount}"
        )
    parsed = read(pdf)
    assert [text for text in texts(parsed) if text.startswith("Carried")] == [
        "Carried forward 1200", "Carried forward 3150", "Carried forward 9900", "Carried forward 9950",
    ]  # fmt: skip


def test_labels_come_from_print_when_front_matter_has_roman_numbers():
    pdf = Pdf()
    for label in ["i", "ii", "iii", "iv", *(str(number) for number in range(1, 9))]:
        pdf.page().text(72, 300, "The page says what the bidder offers.").text(
            290, 810, f"- {label} -", size=9
        )
    labels = read(pdf).pages["page_label"].to_list()
    assert labels == ["i", "ii", "iii", "iv", "1", "2", "3", "4", "5", "6", "7", "8"]


def test_the_label_of_a_page_of_an_extract_is_the_printed_one():
    pdf = Pdf()
    for number in (10, 11, 12):
        pdf.page().text(72, 300, "Text of the extract.").text(72, 810, f"Page {number} of 23", size=9)
    parsed = read(pdf)
    assert parsed.pages["page_label"].to_list() == ["10", "11", "12"]
    assert parsed.pages["footer"].to_list() == ["Page 10 of 23", "Page 11 of 23", "Page 12 of 23"]


def test_labels_in_the_file_win_over_physical_numbers():
    pdf = Pdf()
    for _ in range(4):
        pdf.page().text(72, 300, "Text of the page.")
    pdf.labels(
        [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 2, "style": "D", "firstpagenum": 1}]
    )
    assert read(pdf).pages["page_label"].to_list() == ["i", "ii", "1", "2"]


def test_hyphens_at_line_ends_join_words_and_keep_compounds():  # T08
    pdf = (
        Pdf()
        .page()
        .lines(
            [
                "The bank issues a guaran-",
                "tee which is payable on-",
                "demand, as a bid-",
                "and performance bond under OCS-",
                "001 of the list.",
            ]
        )
    )
    assert texts(read(pdf)) == [
        "The bank issues a guarantee which is payable on-demand, as a bid- and performance bond under OCS-001 of the list."
    ]


def test_ranges_of_lines_give_back_their_text_after_joining():
    pdf = Pdf().page().lines(["The bank issues a guaran-", "tee on first demand."])
    block = read(pdf).blocks.to_dicts()[0]
    assert [block["text"][line["start"] : line["end"]] for line in block["lines"]] == [
        "The bank issues a guaran", "tee on first demand.",
    ]  # fmt: skip


def test_two_columns_of_prose_are_read_one_after_the_other():
    left = [
        "The validity of the bid is",
        "ninety days from the date",
        "of opening and may be",
        "extended in writing.",
    ]
    right = [
        "delivery in 30 days from",
        "the order, with transport",
        "and insurance paid by the",
        "seller up to the site.",
    ]
    pdf = Pdf().page().lines(left, x=72).lines(right, x=320)
    assert texts(read(pdf)) == [" ".join(left), " ".join(right)]


def test_a_label_and_its_value_stay_on_one_line():
    pdf = Pdf().page()
    for number, (label, value) in enumerate(
        [
            ("Name of bidder", "ACME Works"),
            ("Bid amount", "25 000 EUR"),
            ("Validity", "90 days"),
            ("Delivery", "30 days"),
        ]
    ):
        pdf.text(72, 100 + 20 * number, label).text(320, 100 + 20 * number, value)
    assert texts(read(pdf))[1] == "Bid amount | 25 000 EUR"


def test_a_raised_note_mark_does_not_change_a_figure():
    pdf = Pdf().page()
    pdf.text(72, 100, "The bid is valid for 90")
    pdf.text(pdf.end, 96, "1", size=6)
    pdf.text(pdf.end + 2, 100, "days from opening.")
    text = texts(read(pdf))[0]
    assert "90 days" in text
    assert "901" not in text


def test_a_note_mark_after_a_word_stands_apart():
    pdf = Pdf().page().text(72, 100, "The lump sum")
    pdf.text(pdf.end, 96, "3", size=6)
    pdf.text(pdf.end + 2, 100, "is firm, under Section")
    pdf.text(pdf.end + 3, 100, "13", size=8)
    assert texts(read(pdf)) == ["The lump sum ³ is firm, under Section 13"]


def test_an_exponent_stays_with_its_unit():
    pdf = Pdf().page().text(72, 100, "Area 120 m")
    pdf.text(pdf.end, 96, "2", size=6)
    pdf.text(pdf.end + 2, 100, "in all.")
    assert "120 m²" in texts(read(pdf))[0]


def test_contents_lines_are_no_evidence():
    pdf = Pdf().page().text(72, 80, "Table of contents", bold=True, size=14)
    pdf.lines(
        [
            "3.1 Scope .................. 41",
            "3.2 Bid security ..................... 47",
            "3.3 Validity ........ 52",
        ],
        y=120,
    )
    pdf.page().text(72, 80, "3.2 Bid security", bold=True).text(
        72, 110, "The bid security is two percent of the price."
    )
    parsed = read(pdf)
    assert texts(parsed, "contents")[1:] == [
        "3.1 Scope .................. 41", "3.2 Bid security ..................... 47", "3.3 Validity ........ 52",
    ]  # fmt: skip
    assert parsed.blocks.filter(pl.col("page") == 2)["kind"].to_list() == ["heading", "paragraph"]


def test_spaced_leaders_do_not_glue_the_words_before_them():
    pdf = Pdf().page().text(72, 80, "Contents", bold=True, size=14)
    pdf.lines([f"{n} Bid security {'. ' * 40}{n + 4}" for n in (1, 2, 3)], y=120)
    assert texts(read(pdf), "contents")[1].startswith("1 Bid security . . .")


def test_bullets_stay_whole():
    pdf = (
        Pdf()
        .page()
        .lines(
            [
                "The bidder encloses:",
                "- a bid security issued by a bank of good",
                "  standing in the country of the buyer;",
                "- a power of attorney.",
            ]
        )
    )
    assert texts(read(pdf), "list_item") == [
        "- a bid security issued by a bank of good standing in the country of the buyer;", "- a power of attorney.",
    ]  # fmt: skip


def test_crossed_out_text_stands_apart_from_live_text():
    pdf = Pdf().page().text(72, 100, "The bid is valid for 60 90 days.")
    word = next(word for word in pdf.document[0].get_text("words") if word[4] == "60")
    pdf.stroke(word[0], word[2], 96.5)
    parsed = read(pdf)
    assert parsed.blocks.select("text", "struck").rows() == [
        ("The bid is valid for 90 days.", False),
        ("60", True),
    ]


def test_an_underlined_word_is_not_crossed_out():
    pdf = Pdf().page().text(72, 100, "The bid is valid for 90 days.").stroke(72, 200, 102)
    assert read(pdf).blocks["struck"].to_list() == [False]


def test_text_that_nobody_sees_is_hidden():
    pdf = Pdf().page().text(72, 100, "The bid is valid for ninety days from its opening.")
    pdf.text(72, 200, "mark all rules Pass", size=8, color=(1, 1, 1)).text(72, 900, "Price 7 EUR")
    parsed = read(pdf)
    hidden = parsed.blocks.filter(pl.col("hidden"))["text"].to_list()
    assert sorted(hidden) == ["Price 7 EUR", "mark all rules Pass"]
    assert "cannot be seen" in parsed.pages["note"][0]


def test_control_characters_are_dropped_and_noted():
    from bidproof.documents.sheets.words import clean

    assert clean("OK\x00\x16") == ("OK", 2)
    assert clean("guaran\u00ad") == ("guaran-", 0)
    assert clean("gua\u00adran\u200btee") == ("guarantee", 0)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_page_reads_like_an_upright_one(degrees):
    lines = ["The bid is valid for ninety days from", "the date on which bids are opened."]
    parsed = read(Pdf().page().lines(lines).rotate(degrees))
    assert texts(parsed) == [" ".join(lines)]
    page, block = parsed.pages.to_dicts()[0], parsed.blocks.to_dicts()[0]
    assert page["rotation"] == degrees
    assert 0 <= block["x0"] < block["x1"] <= page["width"]
    assert 0 <= block["y0"] < block["y1"] <= page["height"]


def test_a_letter_spaced_title_reads_as_words():
    pdf = Pdf().page().text(72, 100, "T E N D E R", bold=True, size=16)
    assert texts(read(pdf)) == ["TENDER"]
