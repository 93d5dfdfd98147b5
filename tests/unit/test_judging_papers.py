"""Certificates, classes and forms: out of force, of another edition or class, blank, unsigned, only referred to."""

from __future__ import annotations

import pytest
from verdict_builder import CERTIFICATES, FORM, FORMS, METERS, judge, never_a_plain_pass, row, said

from bidproof.judging import Passage


def certificate(edition: str, until: str) -> list[Passage]:
    heading = "D1 Certificates > Information Security"
    rows = [row(f"Certificate | ISO/IEC 27001{edition}", heading=heading)]
    return [*rows, row(f"Valid until | {until}", heading=heading, number=2)] if until else rows


def test_a_superseded_edition_fails_although_its_printed_date_is_later() -> None:
    judgement = judge(CERTIFICATES, *certificate(":2013", "30 November 2026"))
    assert judgement.status == "Fail"
    assert "2013" in judgement.quote


def test_a_superseded_edition_is_flagged_where_the_rule_names_none() -> None:
    judgement = judge(
        "A current certificate to ISO/IEC 27001 is enclosed.", *certificate(":2013", "30 November 2026")
    )
    assert (judgement.status, judgement.needs_review) == ("Partial", True)
    assert "superseded" in judgement.review_reason


def test_an_expired_certificate_fails() -> None:
    judgement = judge(CERTIFICATES, *certificate(":2022", "1 July 2026"))
    assert judgement.status == "Fail"
    assert "expired" in judgement.rationale


@pytest.mark.parametrize(("edition", "until"), [(":2022", ""), ("", "2 March 2028")])
def test_a_certificate_without_date_or_edition_is_left_to_a_person(edition: str, until: str) -> None:
    judgement = judge(CERTIFICATES, *certificate(edition, until))
    assert (judgement.status, judgement.needs_review) == ("Partial", True)


def test_an_ambiguous_date_of_expiry_is_left_to_a_person() -> None:
    never_a_plain_pass(judge(CERTIFICATES, *certificate(":2022", "10/09/2026")))


def test_a_power_that_ended_before_submission_fails() -> None:
    heading = "A4 Power of Attorney"
    judgement = judge(
        "A power of attorney is enclosed and in force on the submission date.",
        said("Acme Ltd authorises Mr Brown to sign bids in its name by this power of attorney.", heading),
        row("Valid until | 30 June 2026", heading=heading, number=2),
    )
    assert judgement.status == "Fail"
    assert "30 June 2026" in judgement.quote


def test_another_class_of_the_standard_fails() -> None:
    judgement = judge(
        METERS, said("Our direct-connected meter BM-1 is built to IEC 62053-21 and meets accuracy Class 2.")
    )
    assert judgement.status == "Fail"


def test_a_class_of_another_standard_does_not_count() -> None:
    judgement = judge(
        METERS,
        said(
            "Our direct-connected meters comply with Class 1 of IEC 62053-21; for reactive energy they meet Class 2 of IEC 62053-23."
        ),
    )
    assert judgement.status == "Pass"


def test_a_missing_form_fails_the_rule_however_many_others_are_there() -> None:
    bs1 = row("Guarantee number | BM-GAR-8817", heading="2.1 Form BS-1 - Bid Security")
    pv2 = row("Total bid price | EUR 12,000,000", heading="3 Form PV-2 - Price Schedule", number=2)
    assert judge(FORMS, bs1, pv2).status == "Missing"
    listed = row(
        "Form EC-4, eligibility | Not enclosed | Will follow after award", "Paper | Status | Remark", number=3
    )
    judgement = judge(FORMS, bs1, pv2, listed)
    assert judgement.status == "Fail"
    assert "EC-4" in judgement.quote


@pytest.mark.parametrize("blank", ["[__________]", "________________", "..............", ""])
def test_a_blank_form_is_no_form(blank: str) -> None:
    heading = "Annex G > Form BS-1 - Bid Security"
    rows = [
        row(f"{label} | {blank}", heading=heading, number=n)
        for n, label in enumerate(("Guarantor", "Amount", "Signature"))
    ]
    judgement = judge(FORM, *rows)
    assert judgement.status in ("Fail", "Missing")


def test_an_unsigned_form_is_left_to_a_person_and_a_signed_one_passes() -> None:
    heading = "2.1 Form BS-1"
    filled = [
        row("Guarantor | Banque Meridor", heading=heading),
        row("Amount | EUR 500,000", heading=heading, number=2),
    ]
    unsigned = judge(FORM, *filled)
    assert (unsigned.status, unsigned.needs_review) == ("Partial", True)
    signed = judge(FORM, *filled, row("Signature | signed H. Carvelle", heading=heading, number=3))
    assert signed.status == "Pass"


def test_a_form_only_referred_to_is_not_seen() -> None:
    judgement = judge(FORM, said("The bid security on Form BS-1 is attached to our letter."))
    never_a_plain_pass(judgement)
    assert judgement.status != "Pass"
