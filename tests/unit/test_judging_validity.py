"""Papers that must be in force on a day: their end, their beginning, and rules that name the day."""

from __future__ import annotations

import pytest
from trap_bench import finding_on

IN_FORCE = "The bidder shall hold professional liability insurance that is valid on the date of submission."
ISO = "The bidder shall hold a valid ISO 9001 certificate on the day of submission."
FRENCH = "Le soumissionnaire doit disposer d'une assurance responsabilité civile en cours de validité à la date de remise."


@pytest.mark.parametrize(
    ("rule", "statement"),
    [
        (
            IN_FORCE,
            "Our professional liability insurance is in force from 1 November 2026 until 31 May 2027.",
        ),
        (ISO, "Our ISO 9001 certificate is valid from 1 November 2026 to 31 May 2029."),
        (FRENCH, "Notre assurance responsabilité civile est valable du 1er novembre 2026 au 31 mai 2027."),
    ],
)
def test_a_paper_that_begins_after_the_day_of_submission_is_left_to_a_person(
    rule: str, statement: str
) -> None:
    finding = finding_on(rule, statement)
    assert (finding["status"], finding["needs_review"]) == ("Partial", True)
    assert "valid only from" in finding["review_reason"]


@pytest.mark.parametrize(
    ("rule", "statement"),
    [
        (IN_FORCE, "Our professional liability insurance is in force from 1 June 2026 until 31 May 2027."),
        (ISO, "Our ISO 9001 certificate is valid from 1 June 2023 to 31 May 2029."),
        (FRENCH, "Notre assurance responsabilité civile est valable du 1er juin 2026 au 31 mai 2027."),
    ],
)
def test_a_paper_that_has_begun_and_not_ended_is_in_force(rule: str, statement: str) -> None:
    assert finding_on(rule, statement)["status"] == "Pass"


def test_a_french_paper_that_has_run_out_fails() -> None:
    finding = finding_on(FRENCH, "Notre assurance responsabilité civile est valable jusqu'au 31 mai 2025.")
    assert finding["status"] == "Fail"


def test_the_day_on_which_a_paper_must_be_in_force_is_no_word_that_it_must_show() -> None:
    finding = finding_on(ISO, "Our ISO 9001 certificate is valid from 1 June 2023 to 31 May 2029.")
    assert not finding["needs_review"]


def test_what_is_left_out_of_a_figure_is_no_denial_of_it() -> None:
    rule = "Availability shall be at least 99.9 % per month."
    finding = finding_on(rule, "Availability is 99.9 % per month, maintenance windows not counted.")
    assert (finding["status"], finding["needs_review"]) == ("Pass", True)
    assert "maintenance" in finding["review_reason"]


def test_a_second_material_is_seen() -> None:
    finding = finding_on(
        "The housing shall be of stainless steel.", "The housing is of stainless steel and Bakelite."
    )
    assert finding["needs_review"]
    assert "Bakelite" in finding["review_reason"]


UNTIL_AT_LEAST = "The bid security shall be valid until at least 31 March 2027."


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("The bid security is valid until 28 February 2027.", "Fail"),
        ("Validity of the bid security: 28 February 2027", "Fail"),
        ("The bid security is valid until at least 30 April 2027.", "Pass"),
    ],
)
def test_until_at_least_a_day_is_no_earlier_than_that_day(statement: str, status: str) -> None:
    assert finding_on(UNTIL_AT_LEAST, statement)["status"] == status
