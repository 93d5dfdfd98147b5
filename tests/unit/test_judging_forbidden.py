"""Rules that forbid, that name several things or years, and figures of another thing with the same words."""

from __future__ import annotations

import pytest

from bidproof.catalog import derive
from bidproof.facts import find_facts
from bidproof.judging import Passage, PredicateJudge
from bidproof.judging.concept import asks_absence
from bidproof.judging.prohibition import forbidden_in
from bidproof.judging.years import years_asked, years_in
from bidproof.params import JudgingParams
from bidproof.records import Judgement, Requirement, Status

BANKRUPT = "The Bidder shall not be bankrupt or under liquidation."
CONVICTED = "The Bidder has not been convicted of fraud."
MANUALS = "Manuals shall be delivered in English and French."
ACCOUNTS = "The Bidder shall provide audited accounts for 2023, 2024 and 2025."
CONTRACTS = "The Bidder shall have delivered no fewer than 4 similar contracts in the last five years."
VALIDITY = "Bids shall remain valid for 120 days after the deadline for submission of bids."
MATRIX = "Ref | RFP requirement | Status | Remarks"


def rule(text: str) -> Requirement:
    return derive(Requirement(rule_id="R1", area="Admin", mandatory=True, text=text))


def judged(text: str, *said: str, header: str = "") -> Judgement:
    passages = []
    for n, words in enumerate(said):
        full = f"{header}\n{words}" if header else words
        passages.append(
            Passage(
                chunk_id=f"d:p1_c{n:02d}",
                doc_id="d",
                file_name="bid.pdf",
                page=1,
                pages=(1,),
                heading_path="2 Offer",
                kind="row" if header else "text",
                text=full,
                body_start=len(header) + 1 if header else 0,
                headers=tuple(header.split(" | ")) if header else (),
                facts=tuple(find_facts(full)),
            )
        )
    return PredicateJudge(JudgingParams()).judge(rule(text), passages, None)


# A bidder that admits what the rule forbids would pass, as "We are bankrupt" did.
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BANKRUPT, "We are bankrupt and under liquidation."),
        (BANKRUPT, "Our company is not only bankrupt but also under liquidation."),
        (CONVICTED, "Our company has been convicted of fraud in 2024."),
        (CONVICTED, "One of our directors was convicted of fraud in 2019."),
        ("The Bidder shall have no arrears of taxes.", "We have arrears of taxes of EUR 12,000."),
        ("The Bidder shall be free of arrears of taxes.", "We have arrears of taxes."),
        ("Customer data shall not leave the country.", "Customer data may leave the country."),
        ("Subcontracting of the maintenance works is prohibited.", "We subcontract the maintenance works to Alpha Ltd."),
        ("Le candidat n'est ni en faillite ni en liquidation judiciaire.", "Nous sommes en faillite et en liquidation judiciaire."),
        ("Aucun dirigeant n'a été condamné pour fraude.", "Notre dirigeant a été condamné pour fraude en 2021."),
    ],
)  # fmt: skip
def test_who_admits_what_is_forbidden_fails(text: str, said: str) -> None:
    assert judged(text, said).status is Status.FAIL


# An honest bidder would be shut out: its denial was read as a denial of what is asked.
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BANKRUPT, "We are not bankrupt, nor under liquidation."),
        (BANKRUPT, "We are neither bankrupt nor under liquidation."),
        (BANKRUPT, "We confirm that we are not bankrupt or under liquidation."),
        (CONVICTED, "None of our directors has been convicted of fraud."),
        (CONVICTED, "Our company is free of any conviction for fraud."),
        ("Customer data shall not leave the country.", "Customer data never leaves the country."),
        ("Subcontracting of the maintenance works is prohibited.", "We do not subcontract the maintenance works."),
        ("Le candidat n'est ni en faillite ni en liquidation judiciaire.", "Nous ne sommes ni en faillite ni en liquidation judiciaire."),
        ("Aucun dirigeant n'a été condamné pour fraude.", "Aucun de nos dirigeants n'a été condamné pour fraude."),
    ],
)  # fmt: skip
def test_who_denies_what_is_forbidden_passes(text: str, said: str) -> None:
    assert judged(text, said).status is Status.PASS


# A negation that reaches another verb, or a negated negation, would be taken for a denial.
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BANKRUPT, "It is not true that we are not bankrupt or under liquidation."),
        (BANKRUPT, "We do not contest that we are bankrupt and under liquidation."),
        (BANKRUPT, "We are bankrupt and under liquidation, not solvent."),
        (BANKRUPT, "We were bankrupt and under liquidation, which we do not hide."),
        ("The Bidder shall have no arrears of taxes.", "Our arrears of taxes have not been settled."),
        ("The Bidder shall have no arrears of taxes.", "We have not paid our arrears of taxes."),
        (CONVICTED, "Our conviction for fraud is not final."),
        (CONVICTED, "We are not the only bidder that has been convicted of fraud."),
        (CONVICTED, "If we had been convicted of fraud, we would not bid."),
        ("The Bidder shall not be excluded from public procurement.", "We are excluded from public procurement."),
        ("Bidders shall not subcontract the maintenance works.", "We subcontract maintenance works that we do not perform."),
        ("The equipment shall be supplied without asbestos.", "The equipment is supplied with asbestos gaskets."),
    ],
)  # fmt: skip
def test_an_unclear_denial_of_what_is_forbidden_is_no_pass(text: str, said: str) -> None:
    assert judged(text, said).status is not Status.PASS


# "Compliant" with a remark that admits the thing would pass.
def test_a_remark_that_admits_the_forbidden_thing_outweighs_the_word_compliant() -> None:
    row = f"1 | {BANKRUPT} | Compliant | We are bankrupt and under liquidation."
    assert judged(BANKRUPT, row, header=MATRIX).status is Status.FAIL


# Limits, conditions and relatives forbid nothing: with polarity turned, plain offers would fail.
@pytest.mark.parametrize(
    "text",
    [
        "The sound power level does not exceed 65 dB(A).",
        "Bids not received by the deadline are rejected.",
        "If the certificate is not in English, a translation is provided.",
        "The contractor pays for parts that are not covered by the warranty.",
        "The offer contains not only the manuals but also the drawings.",
        "Le titulaire ne peut sous-traiter plus de 30 % du marché.",
    ],
)
def test_limits_conditions_and_relatives_forbid_nothing(text: str) -> None:
    assert not forbidden_in(text).stems
    assert not asks_absence(rule(text))


# One of the things named is refused, and the statement passed since it names them all.
@pytest.mark.parametrize(
    "said",
    [
        "Manuals are delivered in English; a French version is not included.",
        "Manuals are delivered in English; manuals in French are not supplied.",
        "Manuals are delivered in English, but not in French.",
        "Manuals are delivered in English only; French is not available.",
        "Manuals are delivered in English without French.",
    ],
)
def test_each_thing_named_must_be_affirmed(said: str) -> None:
    assert judged(MANUALS, said).status is not Status.PASS
    assert judged(MANUALS, "Manuals are delivered in English and in French.").status is Status.PASS


# Accounts of other years would pass.
def test_years_named_in_a_rule_must_be_seen() -> None:
    assert judged(ACCOUNTS, "Audited accounts for 2021 and 2022 are provided.").status is Status.PARTIAL
    assert judged(ACCOUNTS, "Audited accounts for 2023 and 2024 are provided.").status is Status.PARTIAL
    assert (
        judged(ACCOUNTS, "Our audited accounts for 2023, 2024 and 2025 are provided.").status is Status.PASS
    )
    assert judged(ACCOUNTS, "Our audited accounts for 2023 to 2025 are provided.").status is Status.PASS


def test_years_of_laws_standards_and_dates_are_no_years_asked_for() -> None:
    assert (
        years_asked("Certified to ISO 9001:2015 under the Companies Act 2013 by 3 May 2026.") == frozenset()
    )
    assert years_asked("Accounts for 2023, 2024 and 2025.") == {2023, 2024, 2025}
    assert years_asked("Bilans des exercices 2023 à 2025.") == {2023, 2024, 2025}
    assert years_in("from 2019 to 2021, and 2023") == {2019, 2020, 2021, 2023}


# "In the past" was taken for what holds no more, "past 5 years" for what a period runs from: Missing.
def test_what_was_done_in_the_past_years_counts_in_any_order_of_words() -> None:
    assert (
        judged(CONTRACTS, "In the past 5 years we have delivered 6 similar contracts.").status is Status.PASS
    )
    assert (
        judged(CONTRACTS, "In the past 5 years we have delivered 3 similar contracts.").status is Status.FAIL
    )


# 28 days of the bid security contradicted 120 days of the bid; 150 days of it would prove them.
def test_days_of_the_bid_security_say_nothing_of_the_bid() -> None:
    bid = "Our bid remains valid for 120 days after the deadline for submission of bids."
    security = "The bid security remains valid for 28 days beyond the bid validity."
    assert judged(VALIDITY, f"{bid} {security}").status is Status.PASS
    longer = "The bid security remains valid for 150 days after the deadline for submission of bids."
    assert judged(VALIDITY, longer).status is not Status.PASS
