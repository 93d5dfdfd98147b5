"""The RFP handed back as an answer: its own words, and rows of a compliance matrix."""

from __future__ import annotations

import pytest
from verdict_builder import MATRIX, SECURITY, VALIDITY, judge, row, said

CLAUSE = "The bid security shall be no less than two percent (2%) of the total bid price and shall remain valid for at least ninety (90) days beyond the end of the bid validity period."


def test_the_rfp_clause_handed_back_is_no_commitment() -> None:
    judgement = judge(SECURITY, said(CLAUSE), rfp=CLAUSE)
    assert (judgement.status, judgement.quote) == ("Missing", "")
    assert "echo" in judgement.review_reason


def test_a_duty_of_the_bidder_is_not_taken_on_by_writing_it_down() -> None:
    text = "The bidder shall lodge a bid security of 2% of the total bid price, valid for 90 days beyond the end of the bid validity period."
    assert judge(SECURITY, said(text)).status == "Missing"


def test_the_same_words_in_the_bidders_own_voice_count() -> None:
    text = "We confirm that our bid security is 2% of the total bid price and stays valid for 90 days beyond the end of the bid validity period."
    assert judge(SECURITY, said(text), rfp=CLAUSE).status == "Pass"


def test_a_matrix_row_with_a_bare_compliant_is_at_most_partial() -> None:
    judgement = judge(VALIDITY, row(f"3.4 | {VALIDITY} | Compliant |", MATRIX))
    assert (judgement.status, judgement.needs_review) == ("Partial", True)
    referring = judge(VALIDITY, row(f"3.4 | {VALIDITY} | Compliant | See section 2.1", MATRIX))
    assert (referring.status, referring.needs_review) == ("Partial", True)


def test_a_bare_compliant_never_beats_contrary_detail() -> None:
    judgement = judge(
        VALIDITY,
        row(f"3.4 | {VALIDITY} | Compliant | See letter", MATRIX),
        said("Our bid stays valid for ninety (90) calendar days from the submission date.", number=2),
    )
    assert judgement.status == "Fail"
    assert "ninety" in judgement.quote


def test_noted_says_nothing() -> None:
    assert judge(VALIDITY, row(f"3.4 | {VALIDITY} | Noted |", MATRIX)).status == "Missing"


@pytest.mark.parametrize("status", ["Non-compliant", "Not offered", "N", "No"])
def test_a_declared_non_compliance_fails(status: str) -> None:
    judgement = judge(
        VALIDITY, row(f"3.4 | {VALIDITY} | {status} | No validity beyond 60 days is possible", MATRIX)
    )
    assert judgement.status == "Fail"


@pytest.mark.parametrize("status", ["Partial", "Partially compliant", "Exception", "PC"])
def test_a_declared_exception_is_partial_and_flagged(status: str) -> None:
    judgement = judge(VALIDITY, row(f"3.4 | {VALIDITY} | {status} | See deviation list", MATRIX))
    assert (judgement.status, judgement.needs_review) == ("Partial", True)


def test_the_remark_of_a_matrix_row_is_judged_not_the_repeated_requirement() -> None:
    better = judge(
        "Rating latency is below 50 ms.",
        row(
            "Rating latency below 50 ms | COMPLIANT | 38 ms rating latency in production",
            "Requirement | Status | Vendor notes",
        ),
    )
    assert better.status == "Pass"
    worse = judge(
        "Rating latency is below 50 ms.",
        row(
            "Rating latency below 50 ms | COMPLIANT | 80 ms rating latency in production",
            "Requirement | Status | Vendor notes",
        ),
    )
    assert worse.status == "Fail"
