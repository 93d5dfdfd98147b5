"""What a verdict must survive before it colours a cell of the matrix."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from bidproof.catalog import derive
from bidproof.facts import facts_table
from bidproof.judging import judge_pack
from bidproof.params import FactParams, Params, VerificationParams
from bidproof.records import Requirement
from bidproof.tables import BLOCKS, CANDIDATES, CHUNKS, DOCUMENTS, JUDGEMENTS, PAGES, PASSAGES
from bidproof.verification import verify_findings

PACK = {"tender": "meters", "bidder": "acme", "pack": "meters--acme"}
DOC = {**PACK, "doc_id": "doc", "file_name": "bid.pdf"}
OFFER = "Our bid remains valid for 150 calendar days from the submission date."
SHORT = "Our bid remains valid for 60 calendar days from the submission date."
VALIDITY = "The bid remains valid for at least 120 calendar days from the submission date."


def rule(text: str = VALIDITY, mandatory: bool = True, hints: tuple[str, ...] = ()) -> Requirement:
    made = derive(
        Requirement(rule_id="R14", area="Admin", mandatory=mandatory, text=text), submission_date="2026-09-17"
    )
    return made.model_copy(update={"section_hints": hints}) if hints else made


class Pack:
    """A bid of one block a page, each a chunk of its own."""

    def __init__(
        self,
        *texts: str,
        statuses: dict[int, str] | None = None,
        struck: int = 0,
        rfp: str = "",
        heading: str = "2 Validity",
    ) -> None:
        n = len(texts)
        self.texts = texts
        self.pages = PAGES.frame([
            {**DOC, "page": p, "page_label": f"{p - 2}" if p > 2 else "", "status": (statuses or {}).get(p, "text")}
            for p in range(1, max(n, *(statuses or {1: ""})) + 1)
        ])  # fmt: skip
        self.documents = DOCUMENTS.frame([{**DOC, "status": "ok", "page_count": n, "duplicate_of": ""}])
        self.blocks = BLOCKS.frame([
            {**DOC, "page": p, "block_no": 0, "kind": "paragraph", "text": t, "x0": 50.0, "y0": 100.0, "x1": 400.0, "y1": 112.0,
             "heading_path": heading, "struck": p == struck, "hidden": False, "is_header": False,
             "lines": [{"start": 0, "end": len(t), "x0": 50.0, "y0": 100.0, "x1": 400.0, "y1": 112.0}]}
            for p, t in enumerate(texts, 1)
        ])  # fmt: skip
        self.chunks = CHUNKS.frame([
            {**DOC, "chunk_id": f"doc:p{p}_c01", "page": p, "pages": [p], "heading_path": heading, "kind": "text", "text": t, "body_start": 0,
             "spans": [{"start": 0, "end": len(t), "page": p, "block_no": 0, "block_start": 0}]}
            for p, t in enumerate(texts, 1)
        ])  # fmt: skip
        self.facts = facts_table(self.chunks, FactParams())
        self.rfp = CHUNKS.frame(
            [{**PACK, "bidder": "", "doc_id": "rfp", "chunk_id": "rfp:p1_c01", "page": 1, "text": rfp}]
            if rfp
            else []
        )

    def passages(self, *pages: int) -> pl.DataFrame:
        return PASSAGES.frame([
            {**PACK, "rule_id": "R14", "catalog_version": "v1", "order_no": n, "chunk_id": f"doc:p{p}_c01", "why": "best", "attempt": 1}
            for n, p in enumerate(pages or range(1, len(self.texts) + 1), 1)
        ])  # fmt: skip

    def finding(
        self,
        claim: dict[str, Any] | None,
        requirement: Requirement | None = None,
        shown: tuple[int, ...] = (),
    ) -> dict[str, Any]:
        said = {
            **PACK, "rule_id": "R14", "catalog_version": "v1", "attempt": 1, "judge": "test", "status": "Pass", "rationale": "150 days",
            "quote": OFFER, "chunk_id": "doc:p1_c01", "pages": [1], "risk": "Low", "needs_review": False, "review_reason": "", "other_quotes": [],
        }  # fmt: skip
        judgements = JUDGEMENTS.frame([{**said, **claim}] if claim is not None else [])
        candidates = CANDIDATES.frame([{**PACK, "rule_id": "R14", "chunk_id": "doc:p1_c01", "rank": 1}])
        frame = verify_findings(
            [requirement or rule()], self.rfp, self.documents, self.pages, self.blocks, self.chunks, self.facts, candidates,
            self.passages(*shown), judgements, VerificationParams(),
        )  # fmt: skip
        return frame.row(0, named=True)


def failed(finding: dict[str, Any]) -> list[str]:
    return [line.split(":")[0] for line in finding["checks_failed"]]


def test_a_proven_pass_carries_quote_page_label_and_boxes() -> None:
    found = Pack("Cover.", "Contents.", OFFER).finding({"chunk_id": "doc:p3_c01", "pages": [3]})
    assert (found["status"], found["match_kind"], found["quote"]) == ("Pass", "exact", OFFER)
    assert (found["page"], found["page_label"], found["file_name"]) == (3, "1", "bid.pdf")
    assert [box["page"] for box in found["boxes"]] == [3]
    assert found["checks_failed"] == []
    assert {
        "quote_found",
        "quote_in_passages",
        "page_located",
        "not_echo",
        "not_negated",
        "predicates_recomputed",
    } <= set(found["checks_passed"])
    assert found["needs_review"] is False


def test_the_stored_quote_is_the_sources_own_slice() -> None:
    source = "Our bid\u2019s offer  remains valid for 150\u00a0calendar days."
    found = Pack(source).finding({"quote": "bid's offer remains valid for 150 calendar days."})
    assert (found["match_kind"], found["quote"]) == (
        "typographic",
        "bid\u2019s offer  remains valid for 150\u00a0calendar days.",
    )


@pytest.mark.parametrize(
    ("claim", "check"),
    [
        ({"quote": "Our bid remains valid for 180 calendar days from the submission date."}, "quote_found"),
        ({"quote": "ACME bond, valid for 150 calendar days"}, "quote_found"),
        ({"quote": "Our bid ... 150 calendar days"}, "quote_found"),
        ({"quote": "150 calendar days from date"}, "quote_found"),
        ({"quote": "150"}, "minimum_information"),
        ({"quote": ""}, "schema"),
        ({"quote": "   "}, "schema"),
        ({"status": "Compliant"}, "schema"),
        ({"risk": "None"}, "schema"),
        ({"rationale": "x" * 601}, "rationale_length"),
        ({"pages": [2]}, "page_located"),
        ({"pages": []}, "page_located"),
    ],
)
def test_a_verdict_that_fails_a_check_becomes_missing_and_is_escalated(
    claim: dict[str, Any], check: str
) -> None:
    found = Pack(OFFER, "Other text.").finding(claim)
    assert (found["status"], found["quote"], found["page"]) == ("Missing", "", None)
    assert check in failed(found)
    assert found["needs_review"] is True
    assert found["review_reason"].startswith("escalate")
    assert found["judged_status"] == claim.get("status", "Pass")
    assert json.loads(found["absence"])["pages_total"] == 2


def test_an_optional_rule_that_fails_its_checks_goes_to_a_reviewer() -> None:
    found = Pack(OFFER).finding({"quote": "A forged quote about bid validity."}, rule(mandatory=False))
    assert (found["status"], found["review_reason"].split(";")[0]) == ("Missing", "needs reviewer")


def test_a_true_quote_from_a_passage_that_was_not_judged_does_not_count() -> None:
    found = Pack("Nothing here about it.", OFFER).finding(
        {"chunk_id": "doc:p2_c01", "pages": [2]}, shown=(1,)
    )
    assert found["status"] == "Missing"
    assert "quote_in_passages" in failed(found)
    assert "quote_found" not in failed(found)


def test_a_quote_on_a_page_that_nobody_can_read_or_that_is_struck_out_is_not_citable() -> None:
    assert "page_readable" in failed(Pack(OFFER, statuses={1: "garbled"}).finding({}))
    assert "citable" in failed(Pack(OFFER, struck=1).finding({}))


def test_a_pass_on_the_rfps_own_words_is_an_echo() -> None:
    clause = (
        "The bid shall remain valid for 150 calendar days from the submission date without any reservation."
    )
    found = Pack(clause, rfp=clause).finding({"quote": clause})
    assert (found["status"], "not_echo" in failed(found)) == ("Missing", True)
    duty = "The bidder shall keep its bid valid for 150 calendar days from the submission date."
    assert "not_echo" in failed(Pack(duty).finding({"quote": duty}))


def test_a_quote_cut_out_of_a_denial_does_not_pass() -> None:
    source = "We do not agree that our bid remains valid for 150 calendar days from the submission date."
    found = Pack(source).finding(
        {"quote": "our bid remains valid for 150 calendar days from the submission date."}
    )
    assert (found["status"], "not_negated" in failed(found)) == ("Missing", True)


def test_a_pass_whose_figure_fails_by_code_becomes_a_fail() -> None:
    found = Pack(SHORT).finding({"quote": SHORT, "rationale": "60 days are enough"})
    assert (found["status"], found["judged_status"], found["quote"]) == ("Fail", "Pass", SHORT)
    assert found["needs_review"] is True
    assert "by code the quote fails" in found["review_reason"]


def test_a_pass_whose_quote_does_not_show_the_figure_goes_to_a_reviewer() -> None:
    text = "Our bid remains valid as the tender documents require it to be."
    found = Pack(text).finding({"quote": text})
    assert (found["status"], found["needs_review"]) == ("Pass", True)
    assert "predicates_recomputed" in failed(found)


def test_a_proven_fail_stays_a_fail() -> None:
    found = Pack(SHORT).finding({"status": "Fail", "quote": SHORT, "risk": "High"})
    assert (found["status"], found["checks_failed"]) == ("Fail", [])


def test_further_quotes_are_kept_only_when_they_are_found() -> None:
    found = Pack(OFFER, SHORT).finding(
        {
            "status": "Partial",
            "other_quotes": [SHORT, "An invented sentence of the bidder."],
            "needs_review": True,
        }
    )
    assert found["other_quotes"] == [SHORT]
    assert "other_quotes_found" in failed(found)


def test_missing_carries_where_it_was_looked_for_and_the_nearest_miss() -> None:
    found = Pack("Samples may be kept while the bid is evaluated.", "Prices are in euro.").finding(
        {"status": "Missing", "quote": "", "pages": []}
    )
    absence = json.loads(found["absence"])
    assert found["status"] == "Missing"
    assert (absence["pages_total"], absence["pages_unreadable"], absence["candidates"]) == (2, 0, 1)
    assert absence["passages"] == ["doc:p1_c01", "doc:p2_c01"]
    assert absence["nearest_miss"]["page"] == 1
    assert absence["could_stand_unread"] is False
    assert any("120" in term for term in absence["terms_unseen"])


def test_an_unread_page_beside_the_hinted_section_may_hold_the_answer_and_one_elsewhere_may_not() -> None:
    claim = {"status": "Missing", "quote": "", "pages": []}
    near = Pack("Text on something.", statuses={2: "unreadable"}, heading="2 Bid Validity").finding(
        claim, rule(hints=("Bid Validity",))
    )
    far = Pack("Text on something.", statuses={9: "unreadable"}, heading="2 Bid Validity").finding(
        claim, rule(hints=("Bid Validity",))
    )
    none = Pack("Text on something.", statuses={9: "unreadable"}, heading="7 Prices").finding(
        claim, rule(hints=("Bid Validity",))
    )
    assert [json.loads(f["absence"])["could_stand_unread"] for f in (near, far, none)] == [True, False, True]


def test_a_rule_that_nobody_judged_is_missing_and_says_so() -> None:
    found = Pack(OFFER).finding(None)
    assert (found["status"], found["needs_review"], found["review_reason"]) == ("Missing", True, "not judged")


def test_what_the_judge_finds_survives_its_own_checks() -> None:
    pack = Pack("Payment is due in 30 days.", OFFER, "Drawings follow within 120 calendar days of the order.")
    judged = judge_pack(
        [rule()], pack.passages(), pack.chunks, pack.facts, pack.rfp, Params(), catalog_version="v1"
    )
    found = pack.finding({k: v for k, v in judged.row(0, named=True).items() if k in JUDGEMENTS.columns})
    assert (found["status"], found["page"], found["quote"], found["checks_failed"]) == ("Pass", 2, OFFER, [])


def test_judging_is_deterministic_and_heeds_neither_order_of_rules_nor_of_rows() -> None:
    pack = Pack("Payment is due in 30 days.", OFFER)
    other = rule("Invoices are paid within 45 days.", mandatory=False).model_copy(update={"rule_id": "R02"})
    args = (pack.chunks, pack.facts, pack.rfp, Params())
    first = judge_pack([rule(), other], pack.passages(), *args)
    second = judge_pack([other, rule()], pack.passages()[::-1], *args)
    assert first.equals(second)
    assert first["rule_id"].to_list() == ["R02", "R14"]
    assert first["catalog_version"].to_list() == ["v1", "v1"]


def test_the_prompt_digest_changes_with_rule_passages_and_parameters_only() -> None:
    pack, longer = Pack(OFFER), Pack(OFFER + " More text.")
    base = judge_pack([rule()], pack.passages(), pack.chunks, pack.facts, pack.rfp, Params())[
        "prompt_sha256"
    ][0]
    params = Params.model_validate({"judging": {"pass_coverage": 0.8}})
    assert (
        base
        == judge_pack([rule()], pack.passages(), pack.chunks, pack.facts, pack.rfp, Params())[
            "prompt_sha256"
        ][0]
    )
    assert (
        base
        != judge_pack([rule()], longer.passages(), longer.chunks, longer.facts, longer.rfp, Params())[
            "prompt_sha256"
        ][0]
    )
    assert (
        base
        != judge_pack([rule()], pack.passages(), pack.chunks, pack.facts, pack.rfp, params)["prompt_sha256"][
            0
        ]
    )
    assert (
        base
        != judge_pack([rule(mandatory=False)], pack.passages(), pack.chunks, pack.facts, pack.rfp, Params())[
            "prompt_sha256"
        ][0]
    )


def test_a_pass_from_a_superseded_file_stands_but_goes_to_a_reviewer() -> None:
    pack = Pack(OFFER)
    later = {**DOC, "doc_id": "later", "file_name": "bid rev B.pdf", "status": "ok", "page_count": 1}
    pack.documents = DOCUMENTS.frame([
        {**DOC, "status": "ok", "page_count": 1, "duplicate_of": "", "superseded_by": "later"},
        {**later, "duplicate_of": "", "superseded_by": ""},
    ])  # fmt: skip
    found = pack.finding({})
    assert (found["status"], found["needs_review"]) == ("Pass", True)
    assert "bid.pdf is superseded by bid rev B.pdf" in found["review_reason"]
    assert failed(found) == ["current_file"]


@pytest.mark.parametrize(("status", "review"), [("ocr", True), ("text", False)])
def test_a_pass_on_figures_read_off_a_picture_goes_to_a_reviewer(status: str, review: bool) -> None:
    # Recognition reads ₹100 as 2100, and misses a figure crossed out by hand.
    found = Pack(OFFER, statuses={1: status}).finding({})
    assert (found["status"], found["needs_review"]) == ("Pass", review)
    assert failed(found) == (["figures_printed"] if review else [])
    assert ("page 1 were recognised from a picture: compare them" in found["review_reason"]) is review


def test_a_pass_that_rests_on_a_cv_goes_to_a_reviewer() -> None:
    pack = Pack(OFFER)
    pack.documents = DOCUMENTS.frame([
        {**DOC, "status": "ok", "page_count": 1, "duplicate_of": "", "superseded_by": "", "adapter": "cv"},
    ])  # fmt: skip
    found = pack.finding({})
    assert (found["status"], found["needs_review"]) == ("Pass", True)
    assert "bid.pdf is a CV and the rule is the bidder's" in found["review_reason"]
    assert failed(found) == ["speaker"]


def test_a_quote_over_a_page_break_stands_on_both_pages_and_on_no_third() -> None:
    first, second = "Our bid remains valid for 150 calendar", "days from the submission date."
    pack, text = Pack(first, second, "Annex."), f"{first} {second}"
    pack.chunks = CHUNKS.frame([
        {**DOC, "chunk_id": "doc:p1_c01", "page": 1, "pages": [1, 2], "heading_path": "2 Validity", "kind": "text", "text": text, "body_start": 0,
         "spans": [
            {"start": 0, "end": len(first), "page": 1, "block_no": 0, "block_start": 0},
            {"start": len(first) + 1, "end": len(text), "page": 2, "block_no": 0, "block_start": 0},
         ]}
    ])  # fmt: skip
    pack.facts = facts_table(pack.chunks, FactParams())
    for page in (1, 2):
        found = pack.finding({"pages": [page]}, shown=(1,))
        assert (found["status"], found["page"], [box["page"] for box in found["boxes"]]) == (
            "Pass",
            1,
            [1, 2],
        )
    wrong = pack.finding({"pages": [3]}, shown=(1,))
    assert wrong["status"] == "Missing"
    assert "page_located: the quote stands on page 1, the judge named 3" in wrong["checks_failed"]
