"""What rules refer to inside their RFP: found with heading and page, or named as not found."""

from __future__ import annotations

import pytest
from block_builder import block, row

from bidproof.catalog.annotating.cross_references import RfpIndex, references_of
from bidproof.tables import BLOCKS


def heading(text: str, page: int, path: str, number: int = 0, **more: object) -> dict:
    return block(text, page, number, "heading", path, **more)


RFP = [
    heading("Section I - Instructions to Bidders", 3, "Section I - Instructions to Bidders"),
    heading("3.2 Bid Security", 5, "Section I - Instructions to Bidders > 3.2 Bid Security"),
    heading("Section III General Conditions of Contract (GCC)", 20, "Section III General Conditions of Contract (GCC)"),
    heading("3.2 Payment", 22, "Section III General Conditions of Contract (GCC) > 3.2 Payment"),
    heading("14.1 Guarantees", 24, "Section III General Conditions of Contract (GCC) > 14.1 Guarantees"),
    heading("Annex G - Forms", 30, "Annex G - Forms"),
    heading("Form BS-1: Bid Security", 31, "Annex G - Forms > Form BS-1: Bid Security"),
    heading("Form FIN – 3.1 Turnover", 32, "Annex G - Forms > Form FIN – 3.1 Turnover"),
    block("Table 4: Service levels", 33, 0, "caption", "Annex G - Forms"),
    row("Appendix K | Price template (separate file)", 34, 0),
]  # fmt: skip
BIDS, GCC, FORMS = "Section I - Instructions to Bidders", RFP[2]["text"], "Annex G - Forms"
INDEX = RfpIndex.of(BLOCKS.frame(RFP))

DCE = [
    heading("Article 12 : Pénalités", 4, "Article 12 : Pénalités", doc_id="ccap", file_name="ccap.pdf"),
    heading("Article 12 : Variantes", 2, "Article 12 : Variantes", doc_id="rc", file_name="rc.pdf"),
    heading("Annexe 2 : Bordereau", 9, "Annexe 2 : Bordereau", doc_id="rc", file_name="rc.pdf"),
]  # fmt: skip
FRENCH = RfpIndex.of(BLOCKS.frame(DCE))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("as per Annex G", ["Annex G - Forms (p. 30)"]),
        ("on Form BS-1", [f"{FORMS} > Form BS-1: Bid Security (p. 31)"]),
        ("on BS-1", [f"{FORMS} > Form BS-1: Bid Security (p. 31)"]),
        ("on Form FIN - 3.1", [f"{FORMS} > Form FIN – 3.1 Turnover (p. 32)"]),
        ("see Section III", [f"{GCC} (p. 20)"]),
        ("see section 3", [f"{GCC} (p. 20)"]),
        ("under clause 14.1", [f"{GCC} > 14.1 Guarantees (p. 24)"]),
        ("clause 3.2 of the GCC", [f"{GCC} > 3.2 Payment (p. 22)"]),
        ("clause 3.2 of the Instructions to Bidders", [f"{BIDS} > 3.2 Bid Security (p. 5)"]),
        ("GCC Clause 3.2", [f"{GCC} > 3.2 Payment (p. 22)"]),
        ("ITB 3.2", [f"{BIDS} > 3.2 Bid Security (p. 5)"]),
        (
            "clauses 3.2 and 14.1 of the GCC",
            [f"{GCC} > 3.2 Payment (p. 22)", f"{GCC} > 14.1 Guarantees (p. 24)"],
        ),
        ("Table 4", ["Annex G - Forms (p. 33)"]),
        ("Appendix K", ["Appendix K (p. 34)"]),
        ("Annex Z", ["Annex Z (not found in the RFP)"]),
        ("Annexes G and Z", ["Annex G - Forms (p. 30)", "Annex Z (not found in the RFP)"]),
        ("GCC Clause 99.9", ["GCC Clause 99.9 (not found in the RFP)"]),
        ("clause 14.1 of the CCAP", ["clause 14.1 of the CCAP (not found in the RFP)"]),
    ],
)
def test_a_reference_is_found_with_heading_and_page(text: str, found: list[str]) -> None:
    assert list(references_of(f"The bid follows what is said {text}.", INDEX)) == found


def test_of_two_clauses_the_one_under_the_same_headings_is_meant() -> None:
    assert references_of("See clause 3.2.", INDEX, "ab12cd34ef", f"{GCC} > 9 Pay") == (
        f"{GCC} > 3.2 Payment (p. 22)",
    )
    assert references_of("See clause 3.2.", INDEX, "ab12cd34ef", f"{BIDS} > 9 Bids") == (
        f"{BIDS} > 3.2 Bid Security (p. 5)",
    )
    assert references_of("See clause 3.2.", INDEX) == ("clause 3.2 (not found in the RFP)",)


@pytest.mark.parametrize(
    "text",
    [
        "Section 62 of the Public Procurement Act applies.",
        "The Procurement Act, 2015, Section 62 applies.",
        "L'article 18 paragraphe 3 du décret n° 2-12 s'applique.",
        "Les articles 39 et 40 du décret s'appliquent.",
        "Les articles L.611-1 et suivants s'appliquent.",
        "The Quality Plan describes audits.",
        "APPENDIX TO INSTRUCTIONS",
        "Lot 3 is for meters.",
        "The form of the bid is free.",
    ],
)
def test_laws_and_documents_of_the_bidder_are_no_references(text: str) -> None:
    assert references_of(text, INDEX) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("selon l'article 12 du CCAP", ["ccap.pdf > Article 12 : Pénalités (p. 4)"]),
        ("selon l'article 12 du règlement de la consultation", ["rc.pdf > Article 12 : Variantes (p. 2)"]),
        ("voir l'annexe 2", ["rc.pdf > Annexe 2 : Bordereau (p. 9)"]),
        (
            "voir les annexes 2 et 3",
            ["rc.pdf > Annexe 2 : Bordereau (p. 9)", "annexe 3 (not found in the RFP)"],
        ),
        ("selon l'article 14 du CCAG", ["article 14 du CCAG (not found in the RFP)"]),
    ],
)
def test_several_files_of_one_rfp_each_have_their_articles(text: str, found: list[str]) -> None:
    assert list(references_of(f"Le candidat répond {text}.", FRENCH, "rc")) == found


def test_ranges_are_written_out() -> None:
    found = references_of("See Annexes A to C.", INDEX)
    assert found == tuple(f"Annex {letter} (not found in the RFP)" for letter in "ABC")


def test_a_line_that_introduces_an_annex_does_not_refer_to_itself() -> None:
    assert references_of("Appendix K | Price template (separate file)", INDEX) == ()


def test_the_order_of_the_blocks_changes_no_reference() -> None:
    backward = RfpIndex.of(BLOCKS.frame(RFP[::-1]))
    text = "Annex G, Form BS-1, GCC Clause 3.2, Table 4 and Appendix K apply."
    assert references_of(text, backward) == references_of(text, INDEX)
    assert len(references_of(text, INDEX)) == 5
