"""Lists of contents and bookmarks: the one is never evidence, the other confirms what a page prints."""

from __future__ import annotations

import polars as pl
from pdf_builder import Pdf

from bidproof.documents import ParsedFile, parse_file
from bidproof.documents.structure.bookmarks import Bookmark, Outline, read_bookmarks, title_key
from bidproof.params import DocumentParams

BODY = ["The supplier delivers all meters to the site of the buyer within thirty days", "of the order."]


def read(pdf: Pdf, workers: int = 0) -> ParsedFile:
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=workers)


def kinds(parsed: ParsedFile) -> list[tuple[str, str]]:
    return parsed.blocks.select("kind", "text").rows()


def test_the_body_that_begins_below_a_list_of_contents_is_evidence():
    # T25
    pdf = Pdf().page().text(72, 80, "Contents", bold=True, size=14)
    pdf.lines(["1 Delivery ............ 1", "2 Payment ............. 1"], y=100)
    pdf.text(72, 160, "1 Delivery", bold=True).lines(BODY, y=180)
    pdf.text(72, 230, "2 Payment", bold=True).text(72, 250, "Payment is made within 30")
    assert [kind for kind, _ in kinds(read(pdf))] == [
        "contents", "contents", "contents", "heading", "paragraph", "heading", "paragraph",
    ]  # fmt: skip


def test_a_contents_title_is_no_heading_of_the_body():
    pdf = Pdf().page().text(72, 80, "TABLE OF CONTENTS", bold=True, size=16)
    pdf.page().text(72, 80, "Delivery", bold=True).lines(BODY, y=100)
    parsed = read(pdf)
    assert kinds(parsed)[0] == ("contents", "TABLE OF CONTENTS")
    assert parsed.blocks["heading_path"].to_list()[-1] == "Delivery"


def test_sums_filled_in_on_dotted_lines_are_no_contents():
    pdf = Pdf().page().text(72, 80, "Financial offer", bold=True, size=14)
    pdf.lines(
        ["Meters .................. 4500", "Transport ............... 120", "Total ................... 4620"],
        y=110,
    )
    assert [kind for kind, _ in kinds(read(pdf))][1:] == ["paragraph"] * len(kinds(read(pdf))[1:])


def test_a_blank_form_with_dotted_lines_is_no_contents():
    pdf = Pdf().page().text(72, 80, "Administrative file", bold=True)
    pdf.lines(["1- Declaration on honour", "2- ................................. .", "3- ................................. .",
               "4- ................................. ."], y=110)  # fmt: skip
    assert "contents" not in [kind for kind, _ in kinds(read(pdf))]


def test_a_list_of_contents_on_a_page_of_text_is_no_evidence():
    pdf = Pdf().page().lines(BODY * 4, y=80)
    pdf.lines(
        [
            "1 Delivery .................. 3",
            "2 Payment .................. 5",
            "3 Warranty ................. 9",
        ],
        y=260,
    )
    pdf.lines(BODY * 4, y=360)
    assert sum(kind == "contents" for kind, _ in kinds(read(pdf))) == 3


def test_bookmarks_make_plain_lines_headings_and_nest_them():
    pdf = (
        Pdf()
        .page()
        .text(72, 80, "Our approach")
        .lines(BODY, y=100)
        .text(72, 150, "Meters in stock")
        .lines(BODY, y=170)
    )
    pdf.page().text(72, 80, "Staff").lines(BODY, y=100)
    pdf.document.set_toc(
        [[1, "Our Approach", 1], [2, "Meters in stock", 1], [1, "Staff", 2], [1, "Never printed", 2]]
    )
    parsed = read(pdf, workers=1)
    found = parsed.blocks.filter(pl.col("kind") == "heading").select("level", "text", "heading_path").rows()
    assert found == [
        (1, "Our approach", "Our approach"), (2, "Meters in stock", "Our approach > Meters in stock"), (1, "Staff", "Staff"),
    ]  # fmt: skip
    assert "Never printed" not in " ".join(parsed.blocks["text"])


def test_a_bookmark_names_one_line_only():
    pdf = Pdf().page().text(72, 80, "Staff").lines(BODY, y=100).text(72, 160, "Staff").lines(BODY, y=200)
    pdf.document.set_toc([[1, "Staff", 1]])
    assert [text for kind, text in kinds(read(pdf)) if kind == "heading"] == ["Staff"]


def test_numbers_go_before_bookmarks():
    pdf = (
        Pdf()
        .page()
        .text(72, 80, "3 Security", bold=True)
        .text(72, 110, "3.2 Bid bond", bold=True)
        .lines(BODY, y=140)
    )
    pdf.document.set_toc([[1, "3 Security", 1], [1, "3.2 Bid bond", 1], [2, "Other", 1]])
    assert read(pdf).blocks["heading_path"].to_list()[-1] == "3 Security > 3.2 Bid bond"


def test_a_broken_outline_is_read_as_none():
    class Broken:
        page_count = 3

        def get_toc(self, simple: bool) -> list[object]:
            raise RuntimeError("cycle in outlines")

    class Odd(Broken):
        def get_toc(self, simple: bool) -> list[object]:
            return [
                [1, "Good", 2, {}],
                [1, "Beyond", 9, {}],
                ["x", None],
                [1, "  ", 1, {}],
                [1, "Nowhere", -1, {}],
            ]

    assert read_bookmarks(Broken()) == []
    assert read_bookmarks(Odd()) == [Bookmark(1, "Good", 2)]


def test_titles_typed_anew_still_match_and_flat_outlines_say_no_level():
    assert title_key("Certi\ufb01cat  d\u2019\u00e9tat") == title_key("CERTIFICAT D'\u00c9TAT")
    assert Outline([Bookmark(1, "Staff", 2), Bookmark(1, "Price", 2)]).on(2) == {"staff": 0, "price": 0}
    assert Outline([Bookmark(1, "Staff", 2), Bookmark(2, "Price", 2)]).on(2) == {"staff": 1, "price": 2}


def test_contents_are_known_where_their_title_also_heads_each_page_in_small_type():
    pdf = Pdf()
    for number in range(9):
        pdf.page().text(72, 40, "Table of Contents", size=8)
        if number == 1:
            pdf.text(250, 70, "TABLE OF CONTENTS", bold=True)
            pdf.lines(
                ["Part I", "Item 1. Delivery 3", "Item 1A. Risks 5", "Part II", "Item 2. Payment 7"], y=100
            )
        else:
            pdf.lines(BODY * 6, y=100)
    assert sum(kind == "contents" for kind, _ in kinds(read(pdf))) == 6


def test_contents_go_on_after_a_blank_page():
    pdf = Pdf().page().text(72, 80, "Contents", bold=True, size=14)
    pdf.lines([f"{n} Article on delivery {n + 3}" for n in range(1, 6)], y=110).page().page()
    pdf.lines([f"{n} Article on payment {n + 3}" for n in range(6, 11)], y=110)
    pdf.page().text(72, 80, "1 Article on delivery", bold=True).lines(BODY, y=110)
    assert [kind for kind, _ in kinds(read(pdf))] == ["contents"] * 11 + ["heading", "paragraph"]


def test_prices_on_dotted_lines_that_happen_to_rise_are_evidence():
    pdf = Pdf().page().text(72, 80, "Prices of the lots in euro", bold=True, size=14)
    pdf.lines([f"{n}. Meter of class {n} ............ {n * 60}" for n in range(1, 6)], y=110)
    assert "contents" not in [kind for kind, _ in kinds(read(pdf))]
