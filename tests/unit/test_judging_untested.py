"""Figures of a rule that no predicate tests, limits of several cases, and values that a rule forbids."""

from __future__ import annotations

import pytest
from verdict_builder import judge, rule, said

from bidproof.judging.predicate_judge import predicates_of
from bidproof.judging.untested import untested


def left_open(text: str) -> list[str]:
    requirement = rule(text)
    return [text[f.start : f.end] for f in untested(requirement, predicates_of(requirement))]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("The ratio of debt to equity must not exceed 3:1.", ["3:1"]),
        ("The power factor must be above 0.95.", ["0.95"]),
        ("Liquid assets are at least 1.5 times the annual payments.", ["1.5"]),
        ("The score is at least 70 out of 100.", ["70", "100"]),
        ("The gate opens at 8:00.", ["8:00"]),
        ("The software runs on PostgreSQL 15 or later.", ["15"]),
        ("One in three staff must be certified.", ["three"]),
        ("The bidder is among the top 5 suppliers.", ["5"]),
        ("The certificate covers ISO 9001 since at least 2018.", ["2018"]),
        ("The server has 2 x 480 GB SSD.", ["2"]),
        ("Items are delivered within ٣٠ days.", ["٣٠"]),
    ],
)
def test_a_figure_that_no_predicate_holds_is_named(text: str, figures: list[str]) -> None:
    assert left_open(text) == figures


@pytest.mark.parametrize(
    "text",
    [
        "The bid remains valid for at least 120 calendar days from the submission date.",
        "Meters comply with IEC 62053-21 Class 1 and ISO 9001:2015 is certified.",
        "Form BS-1 is filled in and signed, as clause 12.3 and Annex 4 say.",
        "Audited accounts for 2023, 2024 and 2025 are enclosed.",
        "The support desk is open 24 hours a day and 7 days a week and responds to Severity 1 incidents within 30 minutes.",
        "IPv6 is supported on lot 2.",
        "The temperature is between 5 °C and 40 °C.",
        "Payment of EUR 10 000 is due within thirty (30) days.",
    ],
)
def test_what_is_tested_or_only_names_a_place_is_not(text: str) -> None:
    assert left_open(text) == []


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("The ratio of debt to equity must not exceed 3:1.", "Our ratio of debt to equity is 5:1."),
        ("The power factor must be above 0.95.", "The power factor is 0.7."),
        ("The score must be at least 70 out of 100.", "The score is 50 out of 100."),
        ("The software runs on PostgreSQL 15 or later.", "The software runs on PostgreSQL 9."),
        ("The bidder provides 3 references from the last 5 years.", "The bidder provides 3 references from the last 15 years."),
        ("The response time must not exceed 4 hours on working days and 8 hours on weekends.",
         "The response time is 4 hours on working days and 20 hours on weekends."),
        ("The bidder has at least 3 references of more than EUR 1 million each.",
         "The bidder has 3 references of EUR 1.5 million in total."),
    ],
)  # fmt: skip
def test_an_open_figure_that_the_bid_does_not_repeat_is_no_pass(text: str, bid: str) -> None:
    judgement = judge(text, said(bid))
    assert judgement.status == "Partial"
    assert judgement.needs_review


@pytest.mark.parametrize(
    ("text", "bid", "figure"),
    [
        ("The software runs on PostgreSQL 15.", "The software runs on PostgreSQL 15.", "15"),
        ("The score must be at least 70 out of 100.", "The score is 70 out of 100.", "70"),
        ("The bidder provides 3 references from the last five years.", "The bidder provides 3 references from the last 5 years.", "five"),
    ],
)  # fmt: skip
def test_an_open_figure_that_the_bid_repeats_passes_only_for_a_person_to_look_at(
    text: str, bid: str, figure: str
) -> None:
    judgement = judge(text, said(bid))
    assert judgement.status == "Pass"
    assert f"no predicate tests “{figure}” of the rule" in judgement.review_reason


def test_two_limits_of_one_kind_are_shown_to_a_person_even_where_both_are_met() -> None:
    text = "Repairs are done within 4 hours for critical faults and 24 hours for minor faults."
    judgement = judge(
        text, said("Repairs are done within 3 hours for critical faults and 20 hours for minor faults.")
    )
    assert judgement.status != "Fail"
    assert "limits of several cases" in judgement.review_reason


@pytest.mark.parametrize(
    ("text", "bid", "status"),
    [
        ("The unit shall not weigh 40 kg.", "The unit weighs 40 kg.", "Fail"),
        ("The voltage must not be 400 V.", "The voltage is 400 V.", "Fail"),
        ("The voltage must not be 400 V.", "The voltage is 230 V.", "Partial"),
        ("La validité n'est pas de 90 jours.", "La validité est de 90 jours.", "Fail"),
    ],
)
def test_a_value_that_is_forbidden_is_not_the_one_asked_for(text: str, bid: str, status: str) -> None:
    assert all(p.kind != "quantity" for p in rule(text).predicates)
    assert judge(text, said(bid)).status == status
