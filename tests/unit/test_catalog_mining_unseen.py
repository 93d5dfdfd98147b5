"""Whose duty wordings of unseen tenders state: plain present, nominal limits, pledges, refusals, names that an RFP defines."""

from __future__ import annotations

import pytest
from rfp_builder import prose, rules_of, subjects_of, table, units_of

from bidproof.catalog.mining.clause_parties import Context
from bidproof.catalog.mining.defined_parties import parties_of
from bidproof.catalog.mining.subjects import classify


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [
        ("On the last day of each month the supplier hands in a stock list.", "6 Depot"),
        ("The provider keeps a spare pump in the yard.", "6 Depot"),
        ("Vehicles are no older than six years.", "6 Fleet"),
        ("Every bus carries a fire extinguisher.", "6 Fleet"),
        ("Drivers hold a first-aid certificate.", "6 Fleet"),
        ("A foreman is present from 6 a.m. to 3 p.m. and can be reached by phone at night.", "6 Fleet"),
        ("At least 70% of the waste is composted.", "6 Waste"),
        ("Delivery within 20 days of the order.", "6 Delivery"),
        ("Livraison sous 12 jours à compter de la commande.", "6 Délais"),
        ("Effectif annuel minimum : 40 salariés.", "6 Candidature"),
        ("Proposals are limited to 25 pages.", "6 Submission"),
        ("Personnel leaving the site are to return their badges.", "6 Access"),
        ("The supplier is encouraged, where the weather allows, to use sailing ships.", "6 Transport"),
        ("Sleep-in staff would be an advantage; evening classes are an asset.", "6 Transport"),
        ("Incidents shall be notified within 4 hours.", "6 Operation"),
        ("Meters are read monthly by the contractor's fitter.", "6 Operation"),
        ("Les candidatures parviennent avant le 3 mai 2027 à 12 h.", "6 Remise"),
        ("Une technicienne d'astreinte consacre une nuit par semaine aux essais.", "6 Moyens"),
    ],
)
def test_duties_without_a_verb_that_obliges_are_the_bidders(sentence: str, heading: str) -> None:
    assert classify(sentence, Context(f"Part B > {heading}")).subject == "bidder"


@pytest.mark.parametrize(
    "sentence",
    [
        "Bids must be received by the Procuring Entity before noon.",
        "The Employer shall not consider any bid that arrives after the deadline.",
        "Only offers lodged in the safe will be opened.",
        "Replies beyond 400 words will be disregarded.",
        "Unsealed tenders shall be returned unopened.",
        "Firms under court administration are excluded.",
        "The Mines Act requires that all firms be registered before they can blast.",
        "In accordance with Section II, Evaluation Rules, to prove its means to perform the Contract the tenderer shall fill in Form 4.",
        "No person barred by the Maritime Authority shall be eligible.",
        "L'offre dont la note est inférieure à 12/20 est éliminée.",
    ],
)
def test_what_a_bid_must_show_to_be_read_is_the_bidders(sentence: str) -> None:
    assert classify(sentence, Context("Part A > 4 Tenders")).subject == "bidder"


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [
        ("The Employer pays within 30 days.", "6 Payment"),
        ("The Council shall reject all bids where prices look agreed.", "4 Tenders"),
        ("The supplier shall not be under any obligation to sail in a storm.", "6 Transport"),
        ("Tenderers shall have the option of a site visit.", "4 Tenders"),
        ("A works security shall not be required for small lots.", "4 Tenders"),
        ("The harbour was dredged in 2019.", "6 Operation"),
        ("The quay is located west of the lock.", "6 Operation"),
        ("The buyer's premises are shared with a school.", "2 Background"),
    ],
)
def test_rights_and_what_others_do_or_what_is_there_are_no_duty_of_the_bidder(
    sentence: str, heading: str
) -> None:
    assert classify(sentence, Context(f"Part B > {heading}")).subject != "bidder"


def test_what_a_bidder_declares_in_a_form_is_a_rule_for_each_item() -> None:
    frame = prose(
        "Je soussigné, gérant de la société, déclare sur l'honneur :",
        "- ne pas avoir offert de cadeau à un agent de la régie ;",
        "- que mes péniches sont assurées.",
        heading="Annexe 2 Déclaration",
    )
    assert subjects_of(frame)[1:] == ["bidder", "bidder"]
    assert len(rules_of(frame)) == 2
    english = prose(
        "I hereby certify, on behalf of the firm, that:",
        "- the prices were reached without any talk with a rival;",
        "- I have read this form.",
        heading="Certificate",
    )
    assert subjects_of(english)[1:] == ["bidder", "none"]


def test_items_below_a_lead_in_that_names_requirements_are_rules() -> None:
    frame = prose(
        "The following applies to all barges:",
        "- draught of no more than two metres;",
        "- annual hull survey.",
        heading="5 Barges",
    )
    assert len(rules_of(frame)) == 2


def test_names_that_an_rfp_defines_for_its_parties_tell_whose_duty_it_is() -> None:
    named = parties_of({"Operator": "bidder", "Harbour Board": "buyer", "Contractor": "bidder"})
    context = Context("Part B > 6 Locks", defined=named)
    assert named.words == (("Harbour Board", "Employer"), ("Operator", "Contractor"))
    assert classify("The Operator opens the lock within ten minutes.", context).subject == "bidder"
    assert classify("The Harbour Board shall pay for the power.", context).subject == "buyer"
    frame = prose(
        '"Harbour Board" means the entity that issues this request for tenders.',
        "The Harbour Board shall grant a mooring licence within a week.",
        heading="1 Terms",
    )
    assert subjects_of(frame)[1] == "buyer"


def test_a_specification_with_an_empty_column_of_compliance_is_no_form() -> None:
    frame = table(
        "3 Technical requirements > 3.1 Cranes",
        "ID | Description | Type | Compliance (Y/N)",
        "C-1 | Lifting capacity of 12 t | M | ",
        "C-2 | Radio control | O – 4 points | ",
    )
    assert rules_of(frame) == ["Lifting capacity of 12 t", "Radio control"]
    assert [rule.mandatory for unit in units_of(frame) for rule in unit.rules] == [True, False]
    blank = table("Bidder's particulars", "Item | Bidder's response", "Name | ", "Address | ")
    assert rules_of(blank) == []


def test_a_proof_that_names_another_paper_is_a_rule_beside_what_it_proves() -> None:
    frame = table(
        "4 Qualification criteria",
        "S/No. | Criterion | Requirement | Document to be attached",
        "1 | Turnover | EUR 3 million a year | Audited accounts",
        "2 | Safety | ISO 45001 | Attested copy",
        "3 | Yard | Slipway of 40 m, at least 8 m wide | Lease",
    )
    assert rules_of(frame) == [
        "Turnover: EUR 3 million a year",
        "Turnover: Audited accounts",
        "Safety: ISO 45001: Attested copy",
        "Yard: Slipway of 40 m",
        "Yard: at least 8 m wide",
        "Yard: Lease",
    ]


def test_every_column_that_asks_beside_measured_ones_is_a_rule_and_penalties_are_none() -> None:
    frame = table(
        "6 Personnel",
        "Poste | Diplôme requis | Expérience | Effectif",
        "Éclusier | CAP | 3 ans | 4 agents",
    )
    assert rules_of(frame) == [
        "Éclusier, Diplôme requis: CAP",
        "Éclusier, Expérience: 3 ans",
        "Éclusier, Effectif: 4 agents",
    ]
    levels = table(
        "7 Niveaux de service",
        "Indicateur | Objectif | Pénalité",
        "Ouverture du pont | 5 min | 40 € par fait",
        "Remise en état | 6 h | 90 € par heure",
    )
    assert rules_of(levels) == ["Ouverture du pont: 5 min", "Remise en état: 6 h"]


def test_a_column_of_response_times_is_no_column_of_answers() -> None:
    frame = table(
        "8 Support", "Severity | Response | Restoration target", "Critical | 15 min | 2 h", "High | 1 h | 8 h"
    )
    assert "Critical, Response: 15 min" in rules_of(frame)


def test_rows_under_an_asking_heading_with_limits_are_rules_without_a_known_header() -> None:
    frame = table("Lot 2 – Lock gates", None, "Seals | at most 2 l/s of leakage", "Paint | at least 240 µm")
    assert len(rules_of(frame)) == 2
    described = table("2 Existing situation", "Lock | Width | Traffic", "North | 12 m | 4 boats a day")
    assert rules_of(described) == []
