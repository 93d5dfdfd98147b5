"""What a bid may state instead of the rule's own words, in tables and in French, and what is none of it."""

from __future__ import annotations

import pytest

from bidproof.catalog import derive
from bidproof.facts import facts_table, find_facts
from bidproof.judging import Passage, PassageShelf, PredicateJudge, RfpShingles
from bidproof.judging.counter import shown_passages
from bidproof.judging.frequency import intervals_in
from bidproof.params import FactParams, JudgingParams
from bidproof.records import Judgement, Requirement
from bidproof.tables import CHUNKS

WARRANTY = "The warranty terms state their duration and the scope of cover."
TERMS = "The Incoterms rule and the split of delivery responsibilities are stated."
RESIDENCY = (
    "Data residency is stated, and recovery objectives (RTO and RPO) for backup and restore are documented."
)
TEAMS = "A resource plan sets out the installation teams and their qualifications."
HSE = "The HSE plan is aligned with local regulations and with the employer's HSE policy."
RESPONSE = "The support desk responds to Severity 1 incidents within 30 minutes."
COVER = "General liability insurance of at least EUR 5,000,000 per occurrence is evidenced by a certificate."


def judge(text: str, *passages: Passage) -> Judgement:
    rule = derive(
        Requirement(rule_id="R1", area="Admin", mandatory=False, text=text), submission_date="2026-09-17"
    )
    return PredicateJudge(JudgingParams()).judge(rule, passages, RfpShingles([], 6, 0.6))


def said(text: str, heading: str = "2 Our Offer", number: int = 1, language: str = "en") -> Passage:
    return Passage(
        chunk_id=f"doc:p3_c{number:02d}", doc_id="doc", file_name="bid.pdf", page=3, pages=(3,), heading_path=heading,
        kind="text", text=text, facts=tuple(find_facts(text, language=language)), language=language,
    )  # fmt: skip


def row(
    cells: str, header: str = "", heading: str = "2 Our Offer", number: int = 1, language: str = "en"
) -> Passage:
    text = f"{header}\n{cells}" if header else cells
    return Passage(
        chunk_id=f"doc:p3_r{number:02d}", doc_id="doc", file_name="bid.pdf", page=3, pages=(3,), heading_path=heading,
        kind="row", text=text, body_start=len(header) + 1 if header else 0,
        headers=tuple(header.split(" | ")) if header else (), facts=tuple(find_facts(text, language=language)),
        language=language,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "passages"),
    [
        (
            WARRANTY,
            (
                said(
                    "Our warranty runs for 36 months from acceptance and covers parts, labour and transport."
                ),
            ),
        ),
        (
            WARRANTY,
            (
                said(
                    "La garantie est accordée pour une durée de trente-six (36) mois et couvre les pièces et la main-d'œuvre.",
                    "Article 2 - Durée",
                    language="fr",
                ),
            ),
        ),
        (
            TERMS,
            (
                said(
                    "Delivery is DDP Northport according to Incoterms 2020. We carry out export and carriage; the Buyer unloads.",
                    "2.2 Delivery",
                ),
            ),
        ),
        (
            RESIDENCY,
            (
                said(
                    "All data are stored in Halvern. Backup and restore run nightly. The recovery objectives are RTO 4 hours and RPO 15 minutes."
                ),
            ),
        ),
        (
            TEAMS,
            (
                said(
                    "We provide 30 installation teams, each of one licensed electrician and one fitter.",
                    "3 Resource Plan",
                ),
            ),
        ),
        (
            HSE,
            (
                said(
                    "The HSE plan is aligned with the Halvern Work Safety Act and with the Buyer's HSE policy."
                ),
            ),
        ),
    ],
)
def test_an_instance_of_what_a_rule_names_proves_it(rule: str, passages: tuple[Passage, ...]) -> None:
    assert judge(rule, *passages).status == "Pass"


@pytest.mark.parametrize(
    ("rule", "passages"),
    [
        (WARRANTY, (said("Warranty claims are answered within 10 days and the answer includes a reason."),)),
        (WARRANTY, (said("A test round lasts 9 days and covers 301 cases."),)),
        (WARRANTY, (said("The warranty will be agreed for a duration to be confirmed; it covers parts."),)),
        (WARRANTY, (said("Our warranty covers parts and labour."),)),
        (WARRANTY, (said("No warranty is given for a period of 36 months; it covers nothing."),)),
        (TERMS, (said("Delivery is DDP Northport according to Incoterms 2020."),)),
        (TERMS, (said("Delivery is arranged by the carrier; the Buyer unloads."),)),
        (RESIDENCY, (said("Data are kept for ten years. Backup and restore run nightly."),)),
        (
            RESIDENCY,
            (
                said(
                    "The recovery objectives for backup and restore are RTO 4 hours and RPO 15 minutes. Data are held with care."
                ),
            ),
        ),
        (TEAMS, (said("We provide 30 installation teams of two persons.", "3 Resource Plan"),)),
        (HSE, (said("The HSE plan is aligned with the Halvern Work Safety Act."),)),
        (HSE, (said("The HSE plan is aligned with our own rules and the employer's HSE policy."),)),
    ],
)
def test_half_an_instance_or_one_of_something_else_is_no_pass(
    rule: str, passages: tuple[Passage, ...]
) -> None:
    assert judge(rule, *passages).status != "Pass"


LEVELS = "Severity | Example | Response | Restoration"


def test_a_table_that_says_otherwise_makes_a_promise_in_prose_a_contradiction() -> None:
    found = judge(
        RESPONSE,
        said("For Severity 1 incidents an engineer of the support desk responds within thirty (30) minutes."),
        row("Severity 1 | Head-end down | 2 hours | 8 hours", LEVELS, "5 Table of Service Levels"),
    )
    assert found.status == "Partial"
    assert "2 hours" in found.quote or any("2 hours" in q for q in found.other_quotes)


@pytest.mark.parametrize(
    "cells",
    [
        "Severity 2 | One meter silent | 2 hours | 8 hours",
        "Severity 1 | Head-end down | 20 minutes | 8 hours",
    ],
)
def test_another_severity_or_column_contradicts_nothing(cells: str) -> None:
    found = judge(
        RESPONSE,
        said("For Severity 1 incidents an engineer of the support desk responds within thirty (30) minutes."),
        row(cells, LEVELS, "5 Table of Service Levels"),
    )
    assert found.status == "Pass"


POLICY = "Attestation d'assurance de responsabilité civile > 1. Montants garantis"
SUMS = "Nature des dommages | Par sinistre (EUR) | Par année (EUR)"


def test_a_french_policy_proves_the_sum_insured_beside_its_sublimits() -> None:
    found = judge(
        COVER,
        said(
            "Le plafond de garantie est fixé à 6 500 000,00 EUR par sinistre et à 13 000 000,00 EUR par année d'assurance.",
            POLICY,
            language="fr",
        ),
        row("Atteintes à l'environnement | 750 000,00 | 750 000,00", SUMS, POLICY, 2, "fr"),
    )
    assert found.status == "Pass"
    assert "6 500 000,00" in found.quote


@pytest.mark.parametrize(
    "passages",
    [
        (
            said(
                "Le plafond de garantie est fixé à 2 500 000,00 EUR par sinistre et à 13 000 000,00 EUR par année d'assurance.",
                POLICY,
                language="fr",
            ),
        ),
        (
            said(
                "Le plafond de garantie est fixé à 13 000 000,00 EUR par année d'assurance.",
                POLICY,
                language="fr",
            ),
        ),
        (
            row("Dommages corporels | 6 500 000,00 | 13 000 000,00", SUMS, POLICY, 2, "fr"),
            row("Atteintes à l'environnement | 750 000,00 | 750 000,00", SUMS, POLICY, 3, "fr"),
        ),
        (said("General liability insurance: EUR 10,000,000 in the annual aggregate."),),
        (said("The deductible of the general liability insurance is EUR 6,000,000 per occurrence."),),
        (
            said("General liability insurance covers EUR 1,000,000 per occurrence."),
            said("Professional indemnity covers EUR 8,000,000 per occurrence.", number=2),
        ),
    ],
)
def test_a_lower_yearly_or_partial_sum_is_no_cover_per_occurrence(passages: tuple[Passage, ...]) -> None:
    assert judge(COVER, *passages).status != "Pass"


def test_words_strewn_over_a_page_long_sentence_make_no_statement() -> None:
    rule = "The supplier grants the buyer a licence to the source code in escrow."
    filler = ", having regard to matters which have been recorded in the minutes of the meetings held during the year and in the annexes thereto and in the correspondence between the persons who attended them,"
    found = judge(rule, said(f"The licence{filler} and the source{filler} whose code{filler} lie in escrow."))
    assert found.status != "Pass"


VALIDITY = "The bid remains valid for at least 120 calendar days from the submission date."


def shelf_of(*passages: Passage) -> PassageShelf:
    chunks = CHUNKS.frame([
        {"tender": "t", "bidder": "b", "pack": "t--b", "doc_id": p.doc_id, "file_name": p.file_name, "chunk_id": p.chunk_id, "page": p.page,
         "pages": list(p.pages), "heading_path": p.heading_path, "kind": p.kind, "text": p.text, "body_start": p.body_start,
         "spans": [{"start": 0, "end": len(p.text), "page": p.page, "block_no": 0, "block_start": 0}]}
        for p in passages
    ])  # fmt: skip
    return PassageShelf(chunks, facts_table(chunks, FactParams()))


def shown(text: str, chosen: int, *passages: Passage) -> list[str]:
    rule = derive(Requirement(rule_id="R1", area="Admin", mandatory=True, text=text))
    ids = [p.chunk_id for p in passages]
    found = shown_passages(rule, shelf_of(*passages), ids[:chosen], ids, JudgingParams(), None)
    return [p.chunk_id for p in found]


def test_a_candidate_that_plainly_says_otherwise_is_read_although_it_was_not_chosen() -> None:
    offer = said("Our bid remains valid for 150 calendar days from the submission date.")
    other = said("The bid is valid for 60 calendar days.", "7 Annex", 2)
    aside = said("Points that stay open for more than 8 days are shown with a proposal.", "8 Meetings", 3)
    assert shown(VALIDITY, 1, offer, other, aside) == [offer.chunk_id, other.chunk_id]
    assert judge(VALIDITY, offer, other).status == "Partial"


def test_a_form_is_read_whole_wherever_it_stands() -> None:
    listed = said("Forms BS-1 and EC-4 are in Volume 1.", "5 Index")
    heading = "2 Security > 2.1 Form BS-1 - Bid Security"
    rows = [
        row("Guarantor | Bank of Northport", "", heading, 2),
        row("Signed | Ada Quist, director", "", heading, 3),
    ]
    text = "Form BS-1 (Bid Security) is filled in and signed."
    assert shown(text, 1, listed, *rows) == [listed.chunk_id, *(r.chunk_id for r in rows)]


WARRANTY_PERIOD = "Warranty of at least 36 months."
DRILLS = "Disaster recovery is validated through quarterly drills."
KEYS = "Encryption keys are kept in an HSM certified to FIPS 140-2 Level 3."


@pytest.mark.parametrize(
    ("rule", "text", "status"),
    [
        (WARRANTY_PERIOD, "We grant a warranty of 48 months on every meter from delivery.", "Pass"),
        (WARRANTY_PERIOD, "Our warranty is 36 months from acceptance of the district.", "Pass"),
        (WARRANTY_PERIOD, "Our warranty is 24 months from delivery.", "Fail"),
        (WARRANTY_PERIOD, "We grant a warranty of 36 months for the battery only.", "Partial"),
        (VALIDITY, "Our bid is valid for 120 calendar days from the opening of the bids.", "Partial"),
        (DRILLS, "Disaster recovery is validated by monthly drills.", "Pass"),
        (DRILLS, "Disaster recovery is validated by drills every six months.", "Partial"),
        (DRILLS, "Disaster recovery is validated by drills twice a year.", "Partial"),
        (DRILLS, "Disaster recovery is validated by drills.", "Partial"),
        (KEYS, "Encryption keys are kept in an HSM.", "Partial"),
        (KEYS, "Passwords are kept in a safe.", "Missing"),
    ],
)
def test_anchors_rhythms_and_parts(rule: str, text: str, status: str) -> None:
    assert judge(rule, said(text)).status == status


def test_statements_on_the_same_subject_prove_a_rule_from_two_sections() -> None:
    first = said(
        "La garantie est accordée pour une durée de trente-six (36) mois.", "Article 2", language="fr"
    )
    second = said("La garantie couvre les pièces et la main-d'œuvre.", "Article 3", number=2, language="fr")
    other = said("Le contrat couvre les pièces et la main-d'œuvre.", "Article 3", number=2, language="fr")
    assert judge(WARRANTY, first, second).status == "Pass"
    assert judge(WARRANTY, first, other).status != "Pass"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("every six months", [182 - 2]),
        ("twice a year", [182.5]),
        ("monthly", [30]),
        ("half-yearly", [182]),
        ("tous les trois mois", [90]),
        ("within six months", []),
        ("three months", []),
    ],
)
def test_a_rhythm_is_days_between_one_time_and_the_next(text: str, days: list[float]) -> None:
    assert intervals_in(text) == days


CYBER = "Cyber liability insurance of at least EUR 2,000,000 per occurrence is evidenced by a certificate."
DELIVERED = "Meters are delivered within 10 weeks of the order."
INSURED = "Attestation d'assurance"


@pytest.mark.parametrize(
    ("rule", "passage"),
    [
        (CYBER, said("General liability insurance covers EUR 7,500,000 per occurrence.")),
        (
            CYBER,
            row(
                "Limit per occurrence | EUR 7,500,000",
                heading="5 Insurance > Certificate of General Liability Insurance",
            ),
        ),
        (
            DELIVERED,
            said(
                "The pace rises from 102 to 452 meters a day over the first 8 weeks.",
                "1 Master Delivery Plan",
            ),
        ),
        (DELIVERED, said("We work in sprints of 2 weeks with fixed deliverables.", "3 Method")),
        (
            RESPONSE,
            row(
                "Critical incident response: 30 minutes | Compliant | Desk with paging",
                "Requirement | Status | Remarks",
            ),
        ),
        (
            WARRANTY,
            row("Période de garantie | du 1er avril 2026 au 31 mars 2027", heading=INSURED, language="fr"),
        ),
    ],
)
def test_a_figure_of_a_neighbouring_thing_is_no_pass(rule: str, passage: Passage) -> None:
    assert judge(rule, passage).status != "Pass"


def test_cover_of_the_very_kind_is_a_pass() -> None:
    assert (
        judge(CYBER, said("Our cyber liability insurance covers EUR 2,500,000 per occurrence.")).status
        == "Pass"
    )
    assert judge(DELIVERED, said("We deliver the meters within 8 weeks of the order.")).status == "Pass"
