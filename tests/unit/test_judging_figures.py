"""A figure that is not the one asked for: too small, of another thing, base or priority, in doubt or contradicted."""

from __future__ import annotations

import pytest
from verdict_builder import (
    CERTIFICATES,
    DAMAGES,
    METERS,
    PLAN,
    REPLACEMENT,
    SECURITY,
    VALIDITY,
    judge,
    row,
    said,
)

from bidproof.judging import Passage


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        (
            VALIDITY,
            said(
                "Our bid remains valid for one hundred and fifty (150) calendar days from the submission date."
            ),
        ),
        (VALIDITY, row("Bid validity | 120 calendar days", "Item | Offered")),
        (REPLACEMENT, said("We replace defective meters within four (4) working days of notification.")),
        (METERS, said("Our direct-connected meters comply with IEC 62053-21, Class 1.")),
        (
            DAMAGES,
            said(
                "We accept liquidated damages of 0.1% of the contract price per day of delay, capped at 10% of the contract price."
            ),
        ),
        (PLAN, said("The preventive maintenance plan PM-02 is enclosed with its schedule by equipment.")),
    ],
)
def test_a_plain_commitment_that_meets_the_rule_passes_and_is_quoted(text: str, passage: Passage) -> None:
    judgement = judge(text, passage)
    assert judgement.status == "Pass"
    assert judgement.quote in passage.text
    assert judgement.chunk_id == passage.chunk_id
    assert judgement.pages == (3,)


def test_security_stated_in_two_rows_of_one_form_passes_with_both_rows() -> None:
    heading = "2 Forms > 2.1 Form BS-1 - Bid Security"
    amount = row("Amount | EUR 500,000, being two percent (2%) of the total bid price", heading=heading)
    days = row("Days beyond the end of the bid validity period | ninety (90) days", heading=heading, number=2)
    judgement = judge(SECURITY, amount, days)
    assert judgement.status == "Pass"
    assert {judgement.quote, *judgement.other_quotes} == {amount.text, days.text}


def test_a_certificate_in_force_passes_by_the_rows_of_its_record() -> None:
    heading = "D1 Certificates > Information Security"
    rows = [
        row("Certificate | ISO/IEC 27001:2022", heading=heading),
        row("Holder | Acme Grid Ltd", heading=heading, number=2),
        row("Valid until | 2 March 2028", heading=heading, number=3),
    ]
    assert judge(CERTIFICATES, *rows).status == "Pass"


def test_a_french_commitment_passes() -> None:
    judgement = judge(
        "L'offre reste valable au moins 120 jours.",
        said("Notre offre reste valable cent vingt (120) jours à compter de la date de remise des offres."),
    )
    assert judgement.status == "Pass"


def test_a_shorter_validity_fails_with_the_figure_as_quote() -> None:
    judgement = judge(
        VALIDITY, said("Our bid stays valid for ninety (90) calendar days from the submission date.")
    )
    assert judgement.status == "Fail"
    assert "ninety (90) calendar days" in judgement.quote
    assert judgement.risk == "High"


def test_a_distractor_of_another_measure_neither_holds_nor_fails() -> None:
    judgement = judge(
        VALIDITY, said("Drawings of the gateways are handed over within 120 calendar days of the order.")
    )
    assert judgement.status == "Missing"
    judgement = judge(
        VALIDITY, said("Invoices are paid within 30 days. Our bid remains valid for 120 calendar days.")
    )
    assert judgement.status == "Pass"
    assert "30" not in judgement.quote


def test_two_figures_in_one_sentence_are_told_apart() -> None:
    judgement = judge(
        VALIDITY,
        said(
            "Payment is due in 30 days, samples are returned after 200 days, and the bid is valid for 90 calendar days."
        ),
    )
    assert judgement.status == "Fail"
    assert "90 calendar days" in judgement.rationale


def test_working_days_are_no_calendar_days() -> None:
    judgement = judge(REPLACEMENT, said("We replace defective meters within 5 days of notification."))
    assert (judgement.status, judgement.needs_review) == ("Partial", True)


def test_months_near_the_limit_in_days_are_left_to_a_person() -> None:
    judgement = judge(
        "The bid remains valid for at least 90 days.", said("Our bid remains valid for three (3) months.")
    )
    assert (judgement.status, judgement.needs_review) == ("Partial", True)
    assert (
        judge(
            "The bid remains valid for at least 90 days.", said("Our bid remains valid for 12 months.")
        ).status
        == "Pass"
    )
    assert (
        judge(
            "The bid remains valid for at least 90 days.", said("Our bid remains valid for one month.")
        ).status
        == "Fail"
    )


def test_words_and_digits_that_disagree_are_left_to_a_person() -> None:
    judgement = judge(
        REPLACEMENT, said("We replace defective meters within ten (5) working days of notification.")
    )
    assert (judgement.status, judgement.needs_review) == ("Partial", True)


def test_another_base_is_no_fulfilment() -> None:
    judgement = judge(
        DAMAGES,
        said(
            "Liquidated damages are accepted at 0.1% per day of delay, calculated on the monthly invoice and capped at 10% of that monthly invoice."
        ),
    )
    assert (judgement.status, judgement.needs_review) == ("Partial", True)


def test_a_lower_cap_is_a_deviation_where_terms_are_to_be_accepted() -> None:
    judgement = judge(
        DAMAGES,
        said(
            "We accept liquidated damages of 0.1% of the contract price per day, capped at five percent (5%) of the contract price."
        ),
    )
    assert judgement.status == "Fail"


def test_a_period_that_does_not_run_beyond_the_bid_validity_is_left_to_a_person() -> None:
    heading = "2 Forms > Form BS-1 - Bid Security"
    judgement = judge(
        SECURITY,
        row("Amount of the bid security | 2% of the total bid price", heading=heading),
        row("Bid security valid | 90 days", heading=heading, number=2),
    )
    assert (judgement.status, judgement.needs_review) == ("Partial", True)


def test_contradicting_figures_are_shown_side_by_side() -> None:
    judgement = judge(
        "P1 incidents are answered within 30 minutes.",
        said("P1 incidents are answered within thirty (30) minutes.", "5.1 Desk"),
        row("P1 incidents | answered within 2 hours", "Severity | Response", "5.5 Service levels", number=2),
    )
    assert (judgement.status, judgement.needs_review, judgement.risk) == ("Partial", True, "High")
    assert len({judgement.quote, *judgement.other_quotes}) == 2


def test_figures_of_another_priority_do_not_answer() -> None:
    offered = row(
        "Ticket response | <2 hours for P1/P2; <8 hours for P3; <24 hours for P4", "Component | Commitment"
    )
    assert judge("P3 tickets: initial response within 2 hours.", offered).status == "Fail"
    assert judge("P4 tickets: initial response within 24 hours.", offered).status == "Pass"


def test_the_target_in_brackets_is_not_the_offer() -> None:
    judgement = judge(
        "SIM provisioning in under 60 seconds.",
        row("SIM provisioning | <90 seconds P95 (target: <60 seconds)", "Capability | Response"),
    )
    assert judgement.status == "Fail"


def test_a_period_counted_from_another_event_is_left_to_a_person() -> None:
    judgement = judge(
        REPLACEMENT,
        said(
            "We replace defective meters within 4 working days after our engineer has confirmed the defect."
        ),
    )
    assert (judgement.status, judgement.needs_review) == ("Partial", True)
    assert (
        judge(
            REPLACEMENT,
            said("We replace defective meters within 4 working days of the Buyer's notification."),
        ).status
        == "Pass"
    )
