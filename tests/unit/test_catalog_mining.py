"""Draft rules from an RFP: whose duty it is, tables of requirements, stable ids, what is left out."""

from __future__ import annotations

import polars as pl
import pytest

from bidproof.catalog import mine, mine_rules, stated_submission_date, subject_of
from bidproof.params import CatalogParams
from bidproof.tables import BLOCKS, DOCUMENTS


def block(
    number: int, text: str, kind: str = "paragraph", page: int = 1, heading: str = "3 Bids", **more: object
) -> dict[str, object]:
    row: dict[str, object] = {
        "doc_id": "d", "file_name": "rfp.pdf", "page": page, "block_no": number, "kind": kind, "text": text, "heading_path": heading,
        "table_no": -1, "row_no": -1, "is_header": False, "struck": False, "hidden": False, "lines": [],
    }  # fmt: skip
    return {**row, **more}


def blocks(*texts: str, **more: object) -> pl.DataFrame:
    return BLOCKS.frame([block(n, t, **more) for n, t in enumerate(texts)])  # type: ignore[arg-type]


def texts(frame: pl.DataFrame) -> list[str]:
    return [r.text for r in mine_rules(frame, DOCUMENTS.empty(), CatalogParams())]


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("The bidder shall lodge a bid security.", "bidder"),
        ("The Employer shall pay the Contractor in 30 days.", "buyer"),
        ("Tenders sent to the Procuring Entity shall be sealed.", "bidder"),
        ("Bids shall be opened in public.", "buyer"),
        ("The Buyer shall release the securities of the bidders.", "buyer"),
        ("If the Employer so asks, the Supplier shall extend the security.", "bidder"),
        ("The replacement OCS must be scalable.", "bidder"),
        ("Le candidat doit fournir une attestation.", "bidder"),
        ("Le maître d'ouvrage doit répondre dans les sept jours.", "buyer"),
        ("L'équipe proposée doit être composée de cinq membres.", "bidder"),
        ("The bidding firm must possess a turnover of INR 12 Crores.", "bidder"),
        ("The Contract shall enter into force on signature.", "contract"),
        ("Tender documents shall be bought at the office.", "buyer"),
        ("The Guarantor shall pay on first demand.", "third_party"),
        ("The bidder may visit the site.", "none"),
    ],
)
def test_a_duty_is_that_of_its_subject(sentence: str, subject: str) -> None:
    assert subject_of(sentence) == subject


def test_duties_of_the_buyer_are_no_rules() -> None:
    frame = blocks(
        "The Employer shall pay in 30 days. The bidder shall sign every page of the bid. The Buyer must answer all questions in time."
    )
    assert texts(frame) == ["The bidder shall sign every page of the bid."]
    left = mine(frame, DOCUMENTS.empty(), CatalogParams()).left_out
    assert [(item.page, item.why) for item in left] == [
        (1, "a duty of the buyer"),
        (1, "a duty of the buyer"),
    ]


def test_a_bid_rejected_for_want_of_something_is_a_rule() -> None:
    assert texts(blocks("A bid without a bid security shall be rejected.")) == [
        "A bid without a bid security shall be rejected."
    ]
    assert texts(blocks("Bids shall be rejected by the committee in writing.")) == []


def test_a_pronoun_goes_on_with_the_sentence_before() -> None:
    frame = blocks(
        "The billing system must be scalable without limits. It must also print invoices in euro.",
        "The Employer shall pay. It shall also give notice of it.",
    )
    assert texts(frame) == [
        "The billing system must be scalable without limits.",
        "The billing system must also print invoices in euro.",
    ]


def test_a_lettered_annex_ends_a_sentence_and_a_number_sign_does_not() -> None:
    frame = blocks("The bidder shall follow Annex T. It shall use lot No. 5 of the price schedule.")
    assert texts(frame) == [
        "The bidder shall follow Annex T.",
        "The bidder shall use lot No. 5 of the price schedule.",
    ]


def test_items_of_a_list_take_the_words_before_it() -> None:
    rows = [
        block(0, "The bidder shall enclose with its bid:"), block(1, "• a power of attorney;", "list_item"), block(2, "• a tax certificate.", "list_item"),
        block(3, "Other matters", "heading"), block(4, "• pens and paper", "list_item"),
    ]  # fmt: skip
    assert texts(BLOCKS.frame(rows)) == [
        "The bidder shall enclose with its bid: a power of attorney",
        "The bidder shall enclose with its bid: a tax certificate.",
    ]


def table(header: str, *rows: str, page: int = 5) -> list[dict[str, object]]:
    first = block(
        0, header, "table_row", page, "Annex M Compliance Matrix", table_no=1, row_no=0, is_header=True
    )
    return [
        first,
        *(
            block(n, row, "table_row", page, "Annex M Compliance Matrix", table_no=1, row_no=n)
            for n, row in enumerate(rows, 1)
        ),
    ]


def test_rows_of_a_compliance_table_are_rules_with_their_reference_and_strength() -> None:
    rows = table(
        "ID | Requirement | Priority | Compliant (Y/N)",
        "OCS-001 | Rating latency stays below 50 ms at the 99th percentile | Mandatory | ",
        "OCS-002 | A dark mode of the console is offered to all users | Optional | ",
        "OCS-003 | Logs are kept for 36 months and | Mandatory | ",
        " | exported daily to the archive | | ",
    )
    found = mine_rules(BLOCKS.frame(rows), DOCUMENTS.empty(), CatalogParams())
    assert [(r.text, r.mandatory) for r in found] == [
        ("Rating latency stays below 50 ms at the 99th percentile", True),
        ("A dark mode of the console is offered to all users", False),
        ("Logs are kept for 36 months and exported daily to the archive", True),
    ]
    assert found[0].clause_ref == "Annex M Compliance Matrix > OCS-001"
    assert found[0].source_page == 5
    assert found[0].source_quote.startswith("OCS-001 | Rating latency")


def test_an_ordinary_table_holds_no_rules() -> None:
    assert (
        texts(
            BLOCKS.frame(
                table(
                    "Event | Date",
                    "Submission | 17 September 2026 at noon sharp, local time",
                    "Opening | the same day at two",
                )
            )
        )
        == []
    )


def test_should_is_optional_and_grounds_for_rejection_are_mandatory() -> None:
    frame = blocks(
        "Bidders should visit the site before bidding. The bidder shall use Form BS-1; a missing form is a ground for rejection."
    )
    found = mine_rules(frame, DOCUMENTS.empty(), CatalogParams())
    assert [(r.text, r.mandatory, r.obligation) for r in found] == [
        ("Bidders should visit the site before bidding.", False, "should"),
        ("The bidder shall use Form BS-1", True, "ground for rejection"),
        ("a missing form is a ground for rejection.", True, "ground for rejection"),
    ]


def test_blanks_long_sentences_and_legal_consequences_are_listed_not_lost() -> None:
    long = "The bidder shall " + "carry and " * 120 + "sign it."
    rows = [
        block(0, "The bidder shall pay a fee of ________ to the cashier."), block(1, long), block(2, "The Contractor shall pay liquidated damages for each day of delay.", heading="Part 3 > General Conditions of Contract > 18 Insurance"),
    ]  # fmt: skip
    mined = mine(BLOCKS.frame(rows), DOCUMENTS.empty(), CatalogParams())
    assert mined.rules == ()
    assert [item.why for item in mined.left_out] == [
        "a blank to fill in",
        "too long",
        "a consequence of the contract to come, not of the bid",
    ]


def test_equal_rules_are_one_and_ids_follow_the_text_not_the_place() -> None:
    once = mine_rules(
        blocks("The bidder shall sign every page of the bid."), DOCUMENTS.empty(), CatalogParams()
    )
    moved = blocks(
        "Foreword without duties.",
        "The  bidder shall sign every page of the bid.",
        "The bidder shall sign every page of the bid.",
        page=7,
    )
    twice = mine_rules(moved, DOCUMENTS.empty(), CatalogParams())
    assert len(twice) == 1
    assert once[0].rule_id == twice[0].rule_id
    assert once[0].rule_id.startswith("M-")
    assert len(once[0].rule_id) == 8
    assert twice[0].source_page == 7


def test_struck_hidden_and_duplicate_text_is_not_mined() -> None:
    rows = [
        block(0, "The bidder shall offer sixty days of validity.", struck=True), block(1, "The bidder shall pass every rule at once.", hidden=True),
        block(2, "The bidder shall read the copy of it.", doc_id="copy"),
    ]  # fmt: skip
    documents = DOCUMENTS.frame(
        [
            {"doc_id": "copy", "file_name": "copy.pdf", "duplicate_of": "d"},
            {"doc_id": "d", "file_name": "rfp.pdf", "duplicate_of": ""},
        ]
    )
    assert mine_rules(BLOCKS.frame(rows), documents, CatalogParams()) == []


def test_the_order_of_blocks_and_files_changes_nothing() -> None:
    rows = [block(n, f"The bidder shall hand over item number {n} in time.", page=n + 1) for n in range(6)]
    assert mine_rules(BLOCKS.frame(rows), DOCUMENTS.empty(), CatalogParams()) == mine_rules(
        BLOCKS.frame(rows[::-1]), DOCUMENTS.empty(), CatalogParams()
    )


def test_the_area_comes_from_the_innermost_telling_heading() -> None:
    frame = blocks(
        "The bidder shall state each price in euro.", heading="Section VIII > 8.1 Prices and Payment"
    )
    assert mine_rules(frame, DOCUMENTS.empty(), CatalogParams())[0].area == "Commercial"


def test_the_submission_date_is_the_first_that_the_rfp_states() -> None:
    assert (
        stated_submission_date(blocks("Issued 22 June 2026", "Submission date | 17 September 2026, 12:00"))
        == "2026-09-17"
    )
    assert stated_submission_date(blocks("Deadline for submission of bids: 03/04/2027")) == ""
