"""What is said about a chunk: language, content type, references and where they lead, quality."""

from __future__ import annotations

import polars as pl
import pytest
from block_builder import OWNER, PARAMS, block, chunked, pages_of, prose, row

from bidproof.chunking import chunk_blocks
from bidproof.chunking.quality import quality_parts
from bidproof.chunking.references import PackIndex, find_references
from bidproof.tables import BLOCKS, PAGES

FRENCH = (
    "Le soumissionnaire garantit que les compteurs sont livrés dans un délai de quatre-vingt-dix jours à compter de la date "
    "de la commande et que la garantie est valable pour une période de deux ans."
)
ENGLISH = (
    "The bidder states that all of the meters are delivered within ninety days from the date of the order and that the "
    "warranty is valid for a period of two years."
)


def languages(text: str, page_language: str, others: tuple[str, ...] = ()) -> str:
    blocks = [block(text)]
    pages = PAGES.frame([
        {**OWNER, "page": number, "status": "text", "language": each}
        for number, each in enumerate((page_language, *others), start=1)
    ])  # fmt: skip
    return chunk_blocks(BLOCKS.frame(blocks), pages, PARAMS)["language"][0]


def test_a_chunk_has_the_language_of_its_own_words():
    assert languages(FRENCH, "en") == "fr"
    assert languages(ENGLISH, "fr") == "en"
    assert languages("العطاء صالح لمدة تسعين يوما من تاريخ الفتح", "en") == "ar"


def test_a_chunk_too_short_to_tell_has_its_pages_language_and_else_its_documents():
    assert languages("Prix unitaire: 21,00", "fr") == "fr"
    assert languages("Meter 3ph | 61.50", "", ("en", "en", "fr")) == "en"
    assert languages("Meter 3ph | 61.50", "") == ""


def test_names_with_small_foreign_words_do_not_change_the_language():
    names = "Meters supplied by Compagnie de la Loire, Banco de la Plata and Van de Velde under contract 12, lot 4, model A."
    assert languages(names, "en") == "en"


def test_one_word_again_and_again_is_no_language():
    addresses = "\n".join(f"Subsidiary{number} Nevada www.shop{number}.com" for number in range(8))
    assert languages(addresses, "", ("en",)) == "en"


def test_a_pack_of_two_languages_is_told_chunk_by_chunk():
    blocks = [block(ENGLISH, 1, 0, path="1 Offer"), block(FRENCH, 1, 1, path="2 Offre")]
    assert chunked(blocks)["language"].to_list() == ["en", "fr"]


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([block("3.2 Bid security", kind="heading")], "heading"),
        ([block("Q4. Describe your quality system.")], "question"),
        ([row("Q4 | Describe your quality system. | We hold ISO 9001 since 2011 and are audited each year.", 1, 0)], "question"),
        ([block("Name of bidder: ____________ Amount: [insert amount] in figures and words")], "form"),
        ([block("☐ Yes ☒ No, the bidder is no state-owned company")], "form"),
        ([block("Signature:\nName:\nDate:\nof the person who is entitled to sign for the company named above")], "form"),
        ([block("Jane Lind, 4 Mill Street, Leeds. Tel: +44 113 496 0000, e-mail jane@northgrid.example")], "contact"),
        ([row("E-mail | bids@northgrid.example | Phone +44 113 496 0000", 1, 0)], "contact"),
        ([row("Meter 1ph | 900 | 21.00", 1, 0)], "table_row"),
        ([block("The Contractor shall keep the site clean at all times and remove its waste.")], "requirement"),
        ([block("Le titulaire devra assurer le nettoyage du chantier pendant toute la durée.")], "requirement"),
        ([block("• a fleet of nine cranes", kind="list_item"), block("• two workshops", 1, 1, "list_item")], "list"),
        ([block("1 Net of all taxes that are due.", kind="footnote")], "footnote"),
        ([block("We have served the utilities of the north for thirty years.")], "paragraph"),
    ],
)  # fmt: skip
def test_a_chunk_has_a_content_type(blocks, expected):
    assert chunked(blocks)["content_type"].to_list() == [expected]


def test_a_rule_above_a_note_is_no_blank_to_fill_in():
    assert (
        quality_parts(
            "The assets are leased for ten years.\n______________\n(1) Without land and buildings.",
            "text",
            False,
            False,
        )
        == {}
    )
    assert "blanks" in quality_parts(
        "The Guarantor:\n______________\nName and seal of the bank named above here", "text", False, False
    )


def names(text: str) -> list[tuple[str, str]]:
    return [(each.name, each.kind) for each in find_references(text)]


def test_references_name_sections_annexes_forms_questions_and_documents():
    assert names("See Section III, Annex G of the Tender Document, Form BS-1 and clause 3.2(a); also Q12 and Question 4.") == [
        ("Section III", "section"), ("Annex G of the Tender Document", "annex"), ("Form BS-1", "form"), ("clause 3.2(a)", "section"),
        ("Q12", "question"), ("Question 4", "question"),
    ]  # fmt: skip
    assert names("Tests are described in our Quality Manual and in Test Report 2024.pdf, attached.") == [
        ("Quality Manual", "document"), ("Test Report 2024.pdf", "document"),
    ]  # fmt: skip
    assert names("Voir l'annexe 2 et notre Manuel qualité.") == [
        ("annexe 2", "annex"),
        ("Manuel qualité", "document"),
    ]
    assert names("Turnover grew in Q3 2024 and in Q4.") == []
    assert names("a lot of work is part of the price; this form is long") == []


def index_of(*files: tuple[str, list[tuple[str, str, int, str]]]) -> PackIndex:
    blocks, known = [], {}
    for number, (name, lines) in enumerate(files):
        doc = f"d{number}"
        known[doc] = name
        for at, (kind, text, page, path) in enumerate(lines):
            blocks.append({**block(text, page, at, kind, path), "doc_id": doc, "file_name": name})
    return PackIndex(blocks, known)


def where(index: PackIndex, text: str, doc: str = "d0", path: str = "") -> list[tuple[str, str, int]]:
    rows = [index.resolve(each, doc, path) for each in find_references(text)]
    return [(row["file_name"], row["heading_path"], row["page"]) for row in rows]


OFFER = (
    "offer.pdf",
    [
        ("heading", "3.2 Bid security", 12, "3 Terms > 3.2 Bid security"),
        ("paragraph", "3.2.4 The bank is named in the guarantee.", 13, "3 Terms > 3.2 Bid security"),
        ("heading", "Annex G - Guarantees", 40, "Annex G - Guarantees"),
        ("heading", "Form BS-1 Bid security", 41, "Annex G - Guarantees > Form BS-1 Bid security"),
    ],
)
MANUAL = ("annexes/Quality_Manual.pdf", [("heading", "3.2 Audits", 5, "3.2 Audits")])


def test_a_reference_leads_to_its_place_in_the_same_pack():
    index = index_of(OFFER, MANUAL)
    security = ("offer.pdf", "3 Terms > 3.2 Bid security", 12)
    assert where(index, "see clause 3.2") == [security]
    assert where(index, "see clause 3.2(b)") == [security]
    assert where(index, "see clause 3.2.4") == [("offer.pdf", "3 Terms > 3.2 Bid security", 13)]
    assert where(index, "see clause 3.2.9") == [security]
    assert where(index, "see clause 3.2", "d1") == [("annexes/Quality_Manual.pdf", "3.2 Audits", 5)]
    assert where(index, "see Annex G", "d1") == [("offer.pdf", "Annex G - Guarantees", 40)]
    assert where(index, "fill in BS-1") == [
        ("offer.pdf", "Annex G - Guarantees > Form BS-1 Bid security", 41)
    ]
    assert where(index, "see our Quality Manual") == [("annexes/Quality_Manual.pdf", "", 1)]
    assert where(index, "see Quality_Manual.pdf") == [("annexes/Quality_Manual.pdf", "", 1)]


def test_a_reference_to_the_tenders_own_papers_or_to_two_places_leads_nowhere():
    nowhere = [("", "", 0)]
    index = index_of(OFFER, MANUAL)
    assert where(index, "as per Annex G of the Tender Document") == nowhere
    assert where(index, "under ITB 3.2") == nowhere
    assert where(index, "see clause 9.9") == nowhere
    twice = index_of(OFFER, ("other.pdf", [("heading", "Annex G - Prices", 2, "Annex G - Prices")]), MANUAL)
    assert where(twice, "see Annex G", "d2") == nowhere
    assert where(twice, "see Annex G", "d1") == [("other.pdf", "Annex G - Prices", 2)]


def test_numbers_that_begin_anew_are_told_by_the_headings_that_they_share():
    index = index_of((
        "offer.pdf",
        [
            ("heading", "2.1 Scope", 3, "Lot 1 > 2.1 Scope"), ("heading", "2.1 Scope", 30, "Lot 2 > 2.1 Scope"),
        ],
    ))  # fmt: skip
    assert where(index, "see clause 2.1", path="Lot 2 > 2.4 Delivery") == [
        ("offer.pdf", "Lot 2 > 2.1 Scope", 30)
    ]
    assert where(index, "see clause 2.1", path="Lot 3 > 2.4 Delivery") == [("", "", 0)]


def test_chunks_carry_each_reference_with_its_target():
    blocks = [
        block("Annex G - Guarantees", 9, 0, "heading", "Annex G - Guarantees"),
        block("See Annex G and Annex H.", 2, 0, path="3 Terms"),
    ]
    chunks = chunked(blocks).filter(pl.col("page") == 2).to_dicts()
    assert chunks[0]["references"] == ["Annex G", "Annex H"]
    assert [(each["name"], each["heading_path"], each["page"]) for each in chunks[0]["reference_targets"]] == [
        ("Annex G", "Annex G - Guarantees", 9), ("Annex H", "", 0),
    ]  # fmt: skip


def test_a_reference_stands_with_the_part_of_a_block_that_names_it():
    chunks = chunked([block(prose(30) + " See Annex Z at the end.")])
    held = ["Annex Z" in references for references in chunks["references"].to_list()]
    assert held == [*[False] * (chunks.height - 1), True]


def test_a_block_that_names_the_same_thing_twice_says_so_in_both_parts():
    chunks = chunked([block(f"See Annex Z first. {prose(40)} See Annex Z again.")])
    held = ["Annex Z" in references for references in chunks["references"].to_list()]
    assert (held[0], held[-1], sum(held)) == (True, True, 2)


def test_pages_without_any_block_are_files_of_the_pack_as_well():
    pages = pl.concat([
        pages_of([block("x")]),
        PAGES.frame([{**OWNER, "doc_id": "ff00", "file_name": "Quality Manual.pdf", "page": 1, "status": "unreadable"}]),
    ])  # fmt: skip
    chunks = chunk_blocks(BLOCKS.frame([block("Tests are described in our Quality Manual.")]), pages, PARAMS)
    assert chunks["reference_targets"].to_list()[0][0]["file_name"] == "Quality Manual.pdf"
