"""Rules in the tables of an RFP: which columns ask, what is optional, what a table is for."""

from __future__ import annotations

from rfp_builder import block, rules_of, subjects_of, table, units_of

from bidproof.tables import BLOCKS


def test_a_table_of_parameters_and_values_is_read_without_a_header() -> None:
    frame = table(
        "4 Submission Format Requirements",
        None,
        "Format | PDF only; A4, Arial min 11pt, 25mm margins",
        "Language | English only",
        "Max File Size | 100 MB per file",
    )
    assert rules_of(frame) == [
        "Format: PDF only",
        "Format: A4",
        "Format: Arial min 11pt",
        "Format: 25mm margins",
        "Language: English only",
        "Max File Size: 100 MB per file",
    ]


def test_each_measured_column_of_a_row_is_a_rule_under_its_header() -> None:
    frame = table(
        "7 Service levels",
        "Priority | Meaning | Response SLA | Resolution SLA",
        "P1 | Line down | 15 minutes | 4 hours",
        "P2 | Slow | 1 hour | 1 day",
    )
    assert rules_of(frame)[:2] == ["P1, Response SLA: 15 minutes", "P1, Resolution SLA: 4 hours"]


def test_minimum_columns_of_a_row_are_rules_and_item_names_are_no_reference() -> None:
    frame = table(
        "3.2 Key personnel",
        "Position | Minimum qualification | Minimum experience",
        "Site agent | Degree in engineering | 10 years",
    )
    assert rules_of(frame) == [
        "Site agent, Minimum qualification: Degree in engineering",
        "Site agent, Minimum experience: 10 years",
    ]
    pumps = table(
        "Technical Specification of pumps",
        "Item | Specification | Bidder's offer",
        "Flow | 40 l/s | ",
        "Motor | IE3, 400 V | ",
    )
    assert rules_of(pumps)[0] == "Flow: 40 l/s"


def test_the_month_of_may_allows_nothing() -> None:
    frame = table(
        "Section II Tender Data Sheet",
        "ITT Reference | Particulars",
        "ITT 22.1 | The deadline for tender submission is 12 May 2027.",
        "ITT 18.1 | The tender validity period shall be 120 days.",
    )
    found = [rule for unit in units_of(frame) for rule in unit.rules]
    assert [(rule.text, rule.mandatory, rule.clause_ref) for rule in found] == [
        (
            "The deadline for tender submission is 12 May 2027.",
            True,
            "Section II Tender Data Sheet > ITT 22.1",
        ),
        ("The tender validity period shall be 120 days.", True, "Section II Tender Data Sheet > ITT 18.1"),
    ]


def test_a_cell_says_which_documents_are_optional() -> None:
    frame = table(
        "Submission checklist",
        "No | Document | Mandatory (Y/N)",
        "1 | Form of Tender | Y",
        "2 | Brochures | N",
    )
    assert [(r.text, r.mandatory) for u in units_of(frame) for r in u.rules] == [
        ("Form of Tender", True),
        ("Brochures", False),
    ]


def test_weights_are_the_buyers_and_points_make_scored_rules() -> None:
    weights = table(
        "9 Evaluation Criteria",
        "Category | Weight",
        "Technical | 40% - architecture",
        "Price | 60% - total cost",
    )
    assert subjects_of(weights) == ["buyer", "buyer"]
    points = table(
        "9 Evaluation (40 points)",
        "Criterion | Grades | Points",
        "Chef de projet | 5 ans ou plus : 4 points Moins : 0 point | 4",
        "Total | | 4",
    )
    found = units_of(points)
    assert [u.subject for u in found] == ["bidder", "none"]
    assert [(r.mandatory, r.scored) for u in found for r in u.rules] == [(False, True)]


def test_a_band_row_names_the_rows_below_it() -> None:
    frame = table(
        "8 Requirements of staff",
        "Criterion | Minimum",
        "Profile 1: team leader | ",
        "Experience | 10 years",
        "Profile 2: engineer | ",
        "Experience | 5 years",
    )
    assert rules_of(frame) == [
        "Profile 1: team leader, Experience: 10 years",
        "Profile 2: engineer, Experience: 5 years",
    ]


def test_of_a_calendar_only_the_deadlines_for_bidders_are_rules() -> None:
    frame = table(
        "6 RFP Schedule",
        "Event | Date",
        "RFP Release | 1 March 2027",
        "Proposal Submission Deadline | 1 April 2027",
        "Contract Award | 1 June 2027",
    )
    assert subjects_of(frame) == ["none", "bidder", "none"]
    assert rules_of(frame) == ["Proposal Submission Deadline: 1 April 2027"]


def test_contract_terms_of_a_table_are_the_contracts_but_for_how_the_service_is_delivered() -> None:
    frame = table(
        "11 Terms & Conditions",
        "Provision | Details",
        "Liability Cap | 24 months of fees",
        "Escrow | Source code within 90 days",
        "Termination | 120 days notice",
    )
    assert subjects_of(frame) == ["contract", "bidder", "contract"]


def test_price_schedules_forms_and_lists_of_annexes_are_no_rules_but_forms_asked_for() -> None:
    prices = table(
        "Bordereau des prix",
        "N° | Désignation | Quantité | Prix unitaire",
        "1 | Ronde de nuit | 12 | ",
        "2 | Agent | 3 | ",
    )
    assert rules_of(prices) == []
    form = table(
        "12 Vendor identity", "Field | Vendor Response (Fill in)", "Legal name | ", "Year of incorporation | "
    )
    assert rules_of(form) == []
    assert {u.left_out for u in units_of(form)} == {"a blank to fill in"}
    annexes = table(
        "13 Appendices",
        "Appendix | Contents",
        "A | Required forms (Cover letter, Compliance matrix, Deviation form)",
        "B | Sample contract",
    )
    assert rules_of(annexes) == ["A: Cover letter", "A: Compliance matrix", "A: Deviation form"]


def test_a_row_over_a_page_break_is_one_row() -> None:
    rows = [
        block(0, "ID | Requirement | Answer", "table_row", table_no=1, row_no=0, is_header=True),
        block(1, "R-1 | Logs are kept for | ", "table_row", table_no=1, row_no=1),
        block(0, " | 36 months in a vault. | ", "table_row", table_no=1, row_no=1, page=2),
    ]
    assert rules_of(BLOCKS.frame(rows)) == ["Logs are kept for 36 months in a vault."]
