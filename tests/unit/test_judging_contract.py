"""What every judgement keeps to: no verdict without a passage, short quotes and reasons, order of no matter."""

from __future__ import annotations

from typing import Any

from verdict_builder import MATRIX, PLAN, REPLACEMENT, SECURITY, VALIDITY, judge, row, said


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


def test_headings_alone_prove_nothing() -> None:
    judgement = judge(
        PLAN,
        said(
            "Our team looks after all equipment with care and good tools.",
            "7.2 Preventive Maintenance Plan and Schedule",
        ),
    )
    assert judgement.status != "Pass"
