"""What a running header or footer states stays citable once; what only names or numbers pages does not."""

from __future__ import annotations

import polars as pl
import pytest
from pdf_builder import Pdf

from bidproof.documents import ParsedFile, parse_file
from bidproof.documents.structure.statements import holds_statement, numbers_page
from bidproof.params import DocumentParams


def read(pdf: Pdf) -> ParsedFile:
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0)


def pages(header: list[str], count: int = 4, y: float = 40) -> Pdf:
    pdf = Pdf()
    for number in range(count):
        pdf.page().lines([line.format(n=number + 1) for line in header], y=y, step=12, size=9)
        pdf.lines((f"Clause {number}.{at} says something of its own here." for at in range(8)), y=200)
    return pdf


def kinds(parsed: ParsedFile, text: str) -> list[tuple[int, str]]:
    return parsed.blocks.filter(pl.col("text") == text).select("page", "kind").rows()


@pytest.mark.parametrize(
    "text",
    [
        "The bid security is 2 % of the bid price.",
        "Total bid price: EUR 1 250 000",
        "Bid valid 120 days",
        "Die Garantie beträgt mindestens zwei Jahre",
        "Le soumissionnaire garantit le prix ferme",
    ],
)
def test_what_each_page_states_is_evidence_once(text: str) -> None:
    # Taken for furniture on all pages, the only statement of a price or a term is in no chunk.
    parsed = read(pages([text]))
    assert kinds(parsed, text) == [(1, "paragraph"), (2, "furniture"), (3, "furniture"), (4, "furniture")]


def test_a_statement_in_two_lines_is_one_sentence() -> None:
    parsed = read(pages(["The bid security amounts to", "2 % of the bid price."]))
    assert kinds(parsed, "The bid security amounts to 2 % of the bid price.") == [(1, "paragraph")]
    assert kinds(parsed, "2 % of the bid price.") == [(2, "furniture"), (3, "furniture"), (4, "furniture")]


def test_titles_names_and_page_numbers_stay_furniture() -> None:
    header = ["Acme Power Ltd | Technical offer", "12 May 2026 - offer_24months.pdf", "Page {n} of 4"]
    parsed = read(pages(header))
    assert parsed.pages["page_label"].to_list() == ["1", "2", "3", "4"]
    kept = parsed.blocks.filter(~pl.col("text").str.starts_with("Clause"))
    assert kept["kind"].unique().to_list() == ["furniture"]
    assert kept.height == 12


@pytest.mark.parametrize("text", ["Line 4 of sheet {n} tells the rest.", "The meter is delivered in lot {n}"])
def test_a_number_that_rises_within_a_sentence_is_no_page_number(text: str) -> None:
    # As page numbers, `sheet 1`, `sheet 2` would make the sentence a footer and vanish with it.
    parsed = read(pages([text]))
    found = parsed.blocks.filter(pl.col("text").str.starts_with(text[:7]))
    assert found["kind"].to_list() == ["paragraph"] * 4


def test_a_statement_with_the_page_number_beside_it_is_kept_once() -> None:
    pdf = Pdf()
    for number in range(4):
        pdf.page().text(72, 815, "The price is firm for 90 days", size=9).text(
            500, 815, f"{number + 1}", size=9
        )
        pdf.lines((f"Clause {number}.{at} says something of its own here." for at in range(8)), y=200)
    parsed = read(pdf)
    assert parsed.pages["page_label"].to_list() == ["1", "2", "3", "4"]
    rows = parsed.blocks.filter(pl.col("text").str.starts_with("The price")).select("text", "kind").rows()
    assert rows[0] == ("The price is firm for 90 days 1", "paragraph")
    assert {kind for _, kind in rows[1:]} == {"furniture"}


def test_statements_are_told_from_titles() -> None:
    assert holds_statement("Rated voltage 12 kV")
    assert not holds_statement("Tender 2026/14, May 2026, Will Smith & Sons")
    assert not holds_statement("Section 3 is")
    assert not holds_statement("supply_12kV.pdf")


def test_page_numbers_end_or_begin_a_line_or_stand_apart() -> None:
    assert numbers_page("Acme Ltd", "Confidential", apart=False)
    assert numbers_page("This document is confidential", "", apart=True)
    assert not numbers_page("as shown on", "", apart=True)
    assert not numbers_page("", "tells what is included.", apart=False)


@pytest.mark.parametrize(
    ("pages_with", "heights", "kind"),
    [
        (range(20, 25), (812,), "furniture"),
        (range(20, 23), (812,), "paragraph"),
        ((20, 22, 24, 26, 28), (812,), "paragraph"),
        (range(20, 25), (800, 806, 812, 790, 795), "paragraph"),
    ],
)
def test_a_short_volume_in_a_long_file_has_a_footer_of_its_own(
    pages_with: range, heights: tuple[int, ...], kind: str
) -> None:
    # Taken for a paragraph, it parts every sentence that runs over a page break of that volume.
    pdf = Pdf()
    for number in range(45):
        pdf.page().lines((f"Clause {number}.{at} says something of its own here." for at in range(8)), y=200)
        if number in pages_with:
            pdf.text(72, heights[number % len(heights)], "Technical offer, volume B", size=8)
    parsed = read(pdf)
    found = kinds(parsed, "Technical offer, volume B")
    assert [one for _, one in found] == [kind] * len(pages_with)


@pytest.mark.parametrize("answer", ["We do not comply with this requirement.", "Not included in our offer."])
def test_an_answer_at_the_foot_of_page_after_page_is_no_footer(answer: str) -> None:
    pdf = Pdf()
    for number in range(45):
        pdf.page().lines((f"Clause {number}.{at} says something of its own here." for at in range(8)), y=200)
        if 5 <= number < 9:
            pdf.text(72, 800, answer, size=8)
    assert [one for _, one in kinds(read(pdf), answer)] == ["paragraph"] * 4
