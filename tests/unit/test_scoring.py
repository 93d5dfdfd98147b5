"""What the gate and the scores of a bidder follow from."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from bidproof.errors import CatalogError
from bidproof.params import ScoringParams
from bidproof.records import Requirement
from bidproof.scoring import score_pack, wilson
from bidproof.tables import DOCUMENTS, FINDINGS, PAGES

PACK = {"tender": "meters", "bidder": "acme", "pack": "meters--acme"}


def rule(rule_id: str, mandatory: bool = True, area: str = "Admin", weight: float = 1.0) -> Requirement:
    return Requirement(
        rule_id=rule_id,
        area=area,
        mandatory=mandatory,
        text=f"Rule {rule_id} on bid validity.",
        weight=weight,
    )


def finding(rule_id: str, status: str, **more: Any) -> dict[str, Any]:
    return {
        **PACK, "rule_id": rule_id, "catalog_version": "v1", "status": status, "rationale": "90 days offered",
        "page": None if status == "Missing" else 12, "page_label": "10", "needs_review": False,
        "checks_passed": ["quote_found"], "absence": "", **more,
    }  # fmt: skip


def score(
    rules: list[Requirement],
    found: list[dict[str, Any]],
    statuses: list[str] | None = None,
    files: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    documents = DOCUMENTS.frame(
        files
        if files is not None
        else [
            {
                **PACK,
                "doc_id": "d",
                "file_name": "bid.pdf",
                "status": "ok",
                "page_count": 3,
                "duplicate_of": "",
            }
        ]
    )
    pages = PAGES.frame(
        [
            {**PACK, "doc_id": "d", "file_name": "bid.pdf", "page": n, "status": s}
            for n, s in enumerate(statuses or ["text", "ocr", "blank"], 1)
        ]
    )
    return score_pack(rules, documents, pages, FINDINGS.frame(found), ScoringParams()).row(0, named=True)


def test_all_mandatory_rules_met_opens_the_gate_even_when_optional_rules_fail() -> None:
    row = score([rule("R1"), rule("R2", mandatory=False)], [finding("R1", "Pass"), finding("R2", "Fail")])
    assert (row["gate"], row["gate_reasons"]) == ("pass", [])


def test_a_catalog_without_mandatory_rules_puts_nothing_to_the_gate_so_it_decides_nothing() -> None:
    row = score([rule("R1", mandatory=False)], [finding("R1", "Pass")])
    assert row["gate"] == "cannot decide"
    assert "no mandatory rule" in row["gate_reasons"][0]


def test_a_partial_mandatory_rule_does_not_close_the_gate() -> None:
    assert score([rule("R1")], [finding("R1", "Partial")])["gate"] == "pass"


def test_a_failed_mandatory_rule_closes_the_gate_and_says_why_and_where() -> None:
    row = score([rule("R14")], [finding("R14", "Fail")])
    assert row["gate"] == "fail"
    assert row["gate_reasons"] == ["R14 Rule R14 on bid validity.: Fail — 90 days offered, p. 10 (PDF 12)"]


def test_a_missing_or_absent_mandatory_rule_closes_the_gate_when_every_page_was_read() -> None:
    assert score([rule("R1")], [finding("R1", "Missing")])["gate"] == "fail"
    row = score([rule("R1")], [])
    assert (row["gate"], row["missing"], row["to_review"]) == ("fail", 1, 1)
    assert "absent" in row["gate_reasons"][0]


def test_the_gate_cannot_be_decided_when_the_missing_answer_may_stand_on_an_unread_page() -> None:
    row = score([rule("R1")], [finding("R1", "Missing")], ["text", "garbled", "unreadable", "text"])
    assert row["gate"] == "cannot decide"
    assert row["gate_reasons"][-1] == "Unread: bid.pdf p. 2-3"
    assert (row["pages"], row["pages_readable"]) == (4, 2)


def test_the_absence_certificate_decides_whether_an_unread_page_matters() -> None:
    certain = finding("R1", "Missing", absence=json.dumps({"could_stand_unread": False}))
    assert score([rule("R1")], [certain], ["text", "unreadable"])["gate"] == "fail"
    open_ = finding("R2", "Missing", absence=json.dumps({"could_stand_unread": True}))
    assert score([rule("R1"), rule("R2")], [certain, open_], ["text", "unreadable"])["gate"] == "fail"
    assert score([rule("R2")], [open_], ["text", "unreadable"])["gate"] == "cannot decide"


def test_a_proven_fail_outweighs_unread_pages() -> None:
    row = score([rule("R1"), rule("R2")], [finding("R1", "Fail"), finding("R2", "Missing")], ["unreadable"])
    assert row["gate"] == "fail"


def test_a_file_that_cannot_be_opened_leaves_missing_rules_undecided() -> None:
    closed = [
        {
            **PACK,
            "doc_id": "x",
            "file_name": "annex.pdf",
            "status": "unreadable",
            "page_count": 0,
            "duplicate_of": "",
        }
    ]
    row = score([rule("R1")], [finding("R1", "Missing")], files=closed)
    assert (row["gate"], row["unreadable_files"]) == ("cannot decide", ["annex.pdf"])


def test_absent_findings_count_as_zero_in_the_technical_score() -> None:
    rules = [rule(f"T{n}", area="Technical") for n in range(10)]
    row = score(rules, [finding("T0", "Pass")])
    assert (row["technical"], row["technical_rules"]) == (0.1, 10)


def test_commercial_rules_are_scored_apart_and_partials_count_half() -> None:
    rules = [rule("T1", area="technical"), rule("C1", area="Commercial"), rule("C2", area="Commercial")]
    row = score(rules, [finding("T1", "Partial"), finding("C1", "Pass"), finding("C2", "Fail")])
    assert (row["technical"], row["commercial"], row["commercial_rules"]) == (0.5, 0.5, 2)
    assert row["overall"] == pytest.approx(0.5)


def test_a_heavier_rule_weighs_more() -> None:
    rules = [rule("T1", area="Technical", weight=3.0), rule("T2", area="Technical")]
    assert score(rules, [finding("T1", "Pass"), finding("T2", "Fail")])["technical"] == 0.75


def test_a_score_over_no_rules_is_empty_rather_than_zero() -> None:
    row = score([rule("R1")], [finding("R1", "Pass")])
    assert (row["technical"], row["technical_rules"]) == (None, 0)


def test_a_catalog_without_rules_is_an_error() -> None:
    with pytest.raises(CatalogError, match="no rules"):
        score_pack([], DOCUMENTS.empty(), PAGES.empty(), FINDINGS.empty(), ScoringParams())


def test_scores_do_not_depend_on_the_order_of_rules_or_findings() -> None:
    rules = [rule("R1"), rule("R2"), rule("T1", area="Technical")]
    found = [finding("R1", "Fail"), finding("R2", "Missing"), finding("T1", "Pass")]
    assert score(rules, found) == score(rules[::-1], found[::-1])


def test_findings_of_rules_that_left_the_catalog_do_not_count() -> None:
    row = score([rule("R1")], [finding("R1", "Pass"), finding("OLD", "Fail")])
    assert (row["gate"], row["failed"], row["overall"]) == ("pass", 0, 1.0)


def test_quotes_verified_counts_only_proven_verdicts() -> None:
    rules = [rule("R1"), rule("R2"), rule("R3")]
    row = score(
        rules, [finding("R1", "Pass"), finding("R2", "Missing"), finding("R3", "Fail", checks_passed=[])]
    )
    assert row["quotes_verified"] == 1


def test_the_wilson_interval_of_95_of_100_is_the_published_one() -> None:
    rate = wilson(95, 100)
    assert (rate.value, round(rate.low or 0, 4), round(rate.high or 0, 4)) == (0.95, 0.8882, 0.9785)


def test_no_false_pass_in_ten_still_leaves_a_bound_of_28_percent() -> None:
    rate = wilson(0, 10)
    assert (rate.low, round(rate.high or 0, 4)) == (0.0, 0.2775)
    assert wilson(10, 10).high == 1.0


def test_a_rate_over_nothing_is_empty_and_an_impossible_one_is_refused() -> None:
    assert wilson(0, 0).value is None
    with pytest.raises(ValueError):
        wilson(3, 2)


def test_the_score_frame_has_the_table_schema() -> None:
    frame = score_pack([rule("R1")], DOCUMENTS.empty(), PAGES.empty(), FINDINGS.empty(), ScoringParams())
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns[:3] == ["tender", "bidder", "pack"]
