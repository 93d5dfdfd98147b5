"""What a bidder may write to look compliant, and what must never come out as an unflagged Pass."""

from __future__ import annotations

from typing import Any

import pytest

from bidproof.catalog import derive
from bidproof.facts import find_facts
from bidproof.judging import Passage, PredicateJudge, RfpShingles
from bidproof.params import JudgingParams
from bidproof.records import Judgement, Requirement

SUBMISSION = "2026-09-17"
SECURITY = "The bid security amounts to at least 2% of the total bid price and stays valid for at least 90 days beyond the end of the bid validity period."
VALIDITY = "The bid remains valid for at least 120 calendar days from the submission date."
CERTIFICATES = "Certificates to ISO/IEC 27001:2022 are enclosed and current on the submission date."
REPLACEMENT = "Defective meters are replaced within 5 working days of notification."
METERS = "Direct-connected meters comply with IEC 62053-21 Class 1."
FORM = "Form BS-1 is filled in and signed."
FORMS = "The required forms BS-1, PV-2 and EC-4 are all present."
DAMAGES = "Liquidated damages of 0.1% of the contract price per day of delay, capped at 10% of the contract price, are accepted."
REPORT = "A SOC 2 Type II report is provided for the head-end."
PLAN = "A preventive maintenance plan with its schedule is provided."
MATRIX = "Ref | RFP requirement | Status | Remarks"


def rule(text: str, mandatory: bool = True) -> Requirement:
    return derive(
        Requirement(rule_id="R1", area="Admin", mandatory=mandatory, text=text), submission_date=SUBMISSION
    )


def said(text: str, heading: str = "2 Our Offer", page: int = 3, number: int = 1) -> Passage:
    return Passage(
        chunk_id=f"doc:p{page}_c{number:02d}", doc_id="doc", file_name="bid.pdf", page=page, pages=(page,), heading_path=heading,
        kind="text", text=text, facts=tuple(find_facts(text)),
    )  # fmt: skip


def row(
    cells: str, header: str = "", heading: str = "2 Our Offer", page: int = 3, number: int = 1
) -> Passage:
    text = f"{header}\n{cells}" if header else cells
    return Passage(
        chunk_id=f"doc:p{page}_r{number:02d}", doc_id="doc", file_name="bid.pdf", page=page, pages=(page,), heading_path=heading,
        kind="row", text=text, body_start=len(header) + 1 if header else 0, headers=tuple(header.split(" | ")) if header else (),
        facts=tuple(find_facts(text)),
    )  # fmt: skip


def judge(text: str, *passages: Passage, mandatory: bool = True, rfp: str = "") -> Judgement:
    shingles = RfpShingles([rfp] if rfp else [], 6, 0.6)
    return PredicateJudge(JudgingParams()).judge(rule(text, mandatory), passages, shingles)


def never_a_plain_pass(judgement: Judgement) -> None:
    assert judgement.status != "Pass" or judgement.needs_review


# --- what is fine stays fine ------------------------------------------------------------------------------------


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


# --- wrong figures ----------------------------------------------------------------------------------------------


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


# --- polarity ---------------------------------------------------------------------------------------------------


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


# --- echo and compliance matrix ---------------------------------------------------------------------------------

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


# --- certificates, classes, forms -------------------------------------------------------------------------------


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


# --- the contract -----------------------------------------------------------------------------------------------


def test_no_passage_no_verdict() -> None:
    judgement = judge(VALIDITY)
    assert (judgement.status, judgement.quote, judgement.pages) == ("Missing", "", ())


def test_a_heading_or_contents_line_is_no_evidence() -> None:
    assert (
        judge(PLAN, said("7.2 Preventive maintenance plan with schedule ........ 47", "Contents")).status
        == "Missing"
    )
    assert (
        judge(
            PLAN,
            said(
                "7.2 Preventive Maintenance Plan and Schedule",
                "7 Service > 7.2 Preventive Maintenance Plan and Schedule",
            ),
        ).status
        == "Missing"
    )


def test_the_rationale_stays_under_eighty_words_and_the_quote_short() -> None:
    long = (
        "We replace defective meters within four (4) working days of notification, "
        + ", ".join(f"in district {n} through the local depot" for n in range(30))
        + "."
    )
    judgement = judge(REPLACEMENT, said(long))
    assert judgement.status == "Pass"
    assert len(judgement.rationale.split()) < 80
    assert len(judgement.quote.split()) <= 40
    assert "four (4) working days" in judgement.quote
    assert judgement.quote in long


def test_the_order_of_passages_changes_nothing() -> None:
    passages: list[Any] = [
        said("Our bid stays valid for ninety (90) calendar days from the submission date."),
        row("Bid validity | 150 calendar days", "Item | Offered", number=2),
        row(f"3.4 | {VALIDITY} | Compliant |", MATRIX, number=3),
    ]
    assert judge(VALIDITY, *passages) == judge(VALIDITY, *passages[::-1])


def test_fields_of_an_unruled_form_are_read_one_by_one() -> None:
    form = said(
        "Guarantor: Lowmarsh Commercial Bank plc Beneficiary: Halvern Authority Amount: EUR 500,000, being 2 percent of the total bid price "
        "Security valid until: 13 January 2027 Days beyond the end of the bid validity period: twenty-eight (28) days Place and date: Lowmarsh",
        "A3 Form BS-1 - Bid Security",
    )
    judgement = judge(SECURITY, form)
    assert judgement.status == "Fail"
    assert judgement.quote == "Days beyond the end of the bid validity period: twenty-eight (28) days"
    assert "2 percent" in " ".join(judgement.other_quotes)


def test_a_rule_that_forbids_is_met_by_a_denial_and_failed_by_its_opposite() -> None:
    text = "Customer data must not be transferred to other countries."
    assert judge(text, said("Customer data is not transferred to other countries.")).status == "Pass"
    assert judge(text, said("Customer data is transferred to other countries for analysis.")).status == "Fail"


def test_headings_alone_prove_nothing() -> None:
    judgement = judge(
        PLAN,
        said(
            "Our team looks after all equipment with care and good tools.",
            "7.2 Preventive Maintenance Plan and Schedule",
        ),
    )
    assert judgement.status != "Pass"


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
