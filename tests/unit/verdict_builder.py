"""Rules and passages of a bid for tests of the judge. Holds no test and asserts nothing but what all tests share."""

from __future__ import annotations

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
