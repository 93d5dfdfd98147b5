"""What a bid keeps back of what it says, ranges to be covered, and sentences that are about something else."""

from __future__ import annotations

import time

import pytest
from verdict_builder import SUBMISSION, judge, never_a_plain_pass, said

from bidproof.judging.plainness import not_plain
from bidproof.judging.reservations import reservation_in

RULE = "The contractor shall replace absent staff within 4 hours."


@pytest.mark.parametrize(
    "text",
    [
        "Absent staff are replaced within 4 hours if a replacement is available.",
        "Absent staff are replaced within 4 hours, excluding Sundays.",
        "Absent staff are replaced within 4 hours as a paid option.",
        "We will be able to replace absent staff within 4 hours.",
        "We are considering to replace absent staff within 4 hours.",
        "Until 2022 absent staff were replaced within 4 hours.",
        "Absent staff are replaced within 4 hours, staffing permitting.",
        "Our parent company replaces absent staff within 4 hours.",
    ],
)
def test_what_is_kept_back_leaves_the_rule_open(text: str) -> None:
    kept = reservation_in(text, RULE, SUBMISSION)
    assert kept is not None
    assert kept.open, kept
    assert judge(RULE, said(text)).status != "Pass"


@pytest.mark.parametrize(
    "text",
    [
        "Absent staff are replaced within 4 hours in principle.",
        "Absent staff may be replaced within 4 hours.",
        "Most absent staff are replaced within 4 hours.",
    ],
)
def test_what_is_said_loosely_goes_to_a_person(text: str) -> None:
    never_a_plain_pass(judge(RULE, said(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Absent staff are replaced within 3 hours at no additional cost.",
        "Absent staff are replaced within 3 hours, without exception.",
        "Without exception, absent staff are replaced within 3 hours.",
        "Our prices exclude VAT; absent staff are replaced within 3 hours.",
        "If staff are absent, they are replaced within 3 hours.",
    ],
)
def test_what_keeps_nothing_back_passes(text: str) -> None:
    judgement = judge(RULE, said(text))
    assert (judgement.status, judgement.needs_review) == ("Pass", False), judgement.review_reason


def test_a_reservation_of_the_rule_itself_is_none() -> None:
    rule = "Maintenance shall be offered as a paid option."
    assert reservation_in("Maintenance is offered as a paid option.", rule) is None
    assert (
        reservation_in("Maintenance is offered as a paid option.", "Maintenance shall be offered.")
        is not None
    )


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("We are certified until 2022.", True),
        ("We are certified until 2028.", False),
        ("From 2012 to 2019 we are certified.", True),
        ("Certified since 2015.", False),
    ],
)
def test_a_time_that_ended_before_submission_is_over(text: str, ended: bool) -> None:
    assert (reservation_in(text, "The bidder is certified.", SUBMISSION) is not None) is ended


@pytest.mark.parametrize(
    ("rule", "text", "status"),
    [
        ("The device shall operate between -20 °C and +50 °C.", "The device operates between 0 °C and +40 °C.", "Fail"),
        ("The device shall operate between -20 °C and +50 °C.", "The device operates between -25 °C and +55 °C.", "Pass"),
        ("The device shall operate between -20 °C and +50 °C.", "The device operates at 20 °C.", "Partial"),
        ("The fridge shall keep a temperature between 2 °C and 8 °C.", "The fridge keeps a temperature between 3 °C and 7 °C.", "Pass"),
        ("The desk shall be open from 07:00 to 19:00.", "The desk is open from 06:30 to 20:00.", "Pass"),
        ("The desk shall be open from 07:00 to 19:00.", "The desk is open from 09:00 to 17:00.", "Fail"),
        ("Guards shall be present from 18:00 to 06:00.", "Guards are present from 17:00 to 07:00.", "Pass"),
        ("Guards shall be present from 18:00 to 06:00.", "Guards are present from 20:00 to 04:00.", "Fail"),
    ],
)  # fmt: skip
def test_a_range_is_covered_or_kept_to(rule: str, text: str, status: str) -> None:
    assert judge(rule, said(text)).status == status


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The asphalt plant is owned by a neighbouring company.", False),
        ("The asphalt plant is a dream of ours.", False),
        ("The mayor has an asphalt plant.", False),
        ("We believe in an asphalt plant.", False),
        ("We own an asphalt plant at Kisumu.", True),
        ("The asphalt plant is located in Kisumu.", True),
        ("Our company has an asphalt plant.", True),
    ],
)
def test_a_sentence_about_something_else_is_not_plain(text: str, plain: bool) -> None:
    assert (not_plain(text, "The bidder shall own an asphalt plant.") == "") is plain


def test_a_figure_answers_the_limit_that_it_fits() -> None:
    rule = "Recovery time shall not exceed 4 hours and recovery point shall not exceed 15 minutes."
    assert judge(rule, said("Recovery time is 2 hours and recovery point is 10 minutes.")).status == "Pass"
    assert judge(rule, said("Recovery time is 2 hours and recovery point is 60 minutes.")).status == "Fail"


def test_one_of_two_things_asked_for_together_is_not_both() -> None:
    rule = "The application shall be available on iOS and Android."
    assert judge(rule, said("The application is available on either iOS or Android.")).status == "Partial"
    assert judge(rule, said("The application is available on iOS and Android.")).status == "Pass"


def test_a_blank_of_a_form_says_nothing() -> None:
    rule = "The bidder shall state the name of its bank."
    assert judge(rule, said("Name of the bank of the bidder: ____________")).status != "Pass"
    assert judge(rule, said("The name of our bank is Equity Bank.")).status == "Pass"


@pytest.mark.parametrize(
    "piece", ["optional ", "if a b ", "we may ", "other than ", "is a ", "until 2022 ", "only "]
)
def test_reservations_take_linear_time(piece: str) -> None:
    def spent(size: int) -> float:
        text = piece * (size // len(piece))
        started = time.process_time()
        reservation_in(text, RULE, SUBMISSION)
        not_plain(text, RULE)
        return time.process_time() - started

    assert spent(20_000) < 5.0
