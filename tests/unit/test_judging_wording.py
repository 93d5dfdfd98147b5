"""Commitments that deny, restrict, put off or merely acknowledge what they name."""

from __future__ import annotations

import pytest
from verdict_builder import PLAN, REPORT, VALIDITY, judge, never_a_plain_pass, said


@pytest.mark.parametrize(
    "sentence",
    [
        "Our bid does not remain valid for 120 calendar days.",
        "We cannot keep our bid valid for 120 calendar days.",
        "A bid validity of 120 calendar days is not offered.",
        "Notre offre n'est pas valable 120 jours calendaires.",
    ],
)
def test_a_denied_figure_is_a_fail(sentence: str) -> None:
    judgement = judge(VALIDITY, said(sentence))
    assert judgement.status in ("Fail", "Missing")
    never_a_plain_pass(judgement)


@pytest.mark.parametrize(
    "sentence",
    [
        "Our bid remains valid for 120 calendar days, subject to approval by our board.",
        "Our bid remains valid for 120 calendar days unless exchange rates move.",
        "Our bid remains valid for 120 calendar days except for the prices of lot 3.",
        "Notre offre reste valable 120 jours calendaires sous réserve de l'accord de notre banque.",
    ],
)
def test_a_conditional_commitment_is_at_most_partial_and_flagged(sentence: str) -> None:
    judgement = judge(VALIDITY, said(sentence))
    assert (judgement.status, judgement.needs_review) == ("Partial", True)


@pytest.mark.parametrize(
    "sentence",
    [
        "Our bid remains valid for no less than 120 calendar days.",
        "Our bid remains valid for not less than 120 calendar days from the submission date.",
        "Our bid remains valid for 120 calendar days without exception and is not subject to conditions.",
    ],
)
def test_affirming_negations_and_denied_conditions_do_not_spoil_a_commitment(sentence: str) -> None:
    assert judge(VALIDITY, said(sentence)).status == "Pass"


def test_a_denied_report_fails_and_a_roadmap_is_no_report() -> None:
    denied = judge(
        REPORT, said("We do not provide a SOC 2 Type II report for the head-end."), mandatory=False
    )
    assert denied.status == "Fail"
    planned = judge(
        REPORT, said("A SOC 2 Type II report for the head-end is planned for next year."), mandatory=False
    )
    assert planned.status in ("Partial", "Fail")
    never_a_plain_pass(planned)


def test_another_type_of_report_is_left_to_a_person() -> None:
    judgement = judge(REPORT, said("We provide the SOC 2 Type I report for the head-end."), mandatory=False)
    assert (judgement.status, judgement.needs_review) == ("Partial", True)


def test_a_paper_promised_for_later_is_not_enclosed() -> None:
    judgement = judge(
        PLAN, said("A preventive maintenance plan with its schedule will be submitted after contract award.")
    )
    assert judgement.status == "Fail"


def test_declaring_the_absence_of_something_unwanted_is_no_denial() -> None:
    judgement = judge(
        "A signed declaration on conflicts of interest is enclosed.",
        said(
            "We declare that neither our staff nor our directors have a conflict of interest; this declaration is signed by our director.",
            "4.1 Declaration on Conflicts of Interest",
        ),
    )
    assert judgement.status == "Pass"


def test_the_part_left_out_is_looked_for_and_its_denial_heard() -> None:
    judgement = judge(
        "User interfaces and manuals are available in English and in French.",
        said(
            "Operators choose English or French in the user interface. Manuals are supplied in English only; a French edition is not planned."
        ),
        mandatory=False,
    )
    assert (judgement.status, judgement.needs_review) == ("Partial", True)
    assert any("Manuals" in quote for quote in (judgement.quote, *judgement.other_quotes))


def test_one_instance_does_not_prove_all_and_nothing_proves_only() -> None:
    every = judge(
        "All interfaces are documented in the interface catalogue.",
        said("The interface to billing is documented in the interface catalogue."),
    )
    assert every.status != "Pass"
    only = judge(
        "The commercial proposal is supplied only as a separate encrypted file.",
        said("The commercial proposal is supplied as a separate encrypted file."),
    )
    assert (only.status, only.needs_review) == ("Partial", True)


@pytest.mark.parametrize(
    "sentence",
    [
        "We have noted that the bid remains valid for at least 120 calendar days.",
        "Our bid typically remains valid for 120 calendar days.",
        "Would a bid that remains valid for 120 calendar days be acceptable?",
        "RFP requirement: the bid remains valid for at least 120 calendar days.",
    ],
)
def test_acknowledging_hedging_asking_or_setting_out_a_rule_is_no_commitment(sentence: str) -> None:
    judgement = judge(VALIDITY, said(sentence))
    assert judgement.status in ("Partial", "Missing")
    never_a_plain_pass(judgement)


def test_a_rule_that_forbids_is_met_by_a_denial_and_failed_by_its_opposite() -> None:
    text = "Customer data must not be transferred to other countries."
    assert judge(text, said("Customer data is not transferred to other countries.")).status == "Pass"
    assert judge(text, said("Customer data is transferred to other countries for analysis.")).status == "Fail"
