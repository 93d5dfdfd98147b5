"""From a rule's words to predicates, sentry terms, synonyms, hints and tag pools."""

from __future__ import annotations

import pytest

from bidproof.catalog import area_of, derive, language_of, section_hints, synonyms_of, tag_pools
from bidproof.records import Predicate, Requirement

DATE = "2026-09-17"


def rule(text: str, rule_id: str = "X", clause_ref: str = "") -> Requirement:
    plain = Requirement(rule_id=rule_id, area="Admin", mandatory=True, text=text, clause_ref=clause_ref)
    return derive(plain, submission_date=DATE)


def brief(predicate: Predicate) -> tuple[object, ...]:
    """Kind and the fields that decide, in a fixed order, empty ones left out."""
    names = (
        "comparator",
        "value",
        "value_max",
        "unit",
        "base",
        "per",
        "code",
        "edition",
        "valid_on_submission",
        "terms",
    )
    kept = [getattr(predicate, n) for n in names if getattr(predicate, n) not in ("", None, False, ())]
    return (predicate.kind, *kept)


def test_bid_security_asks_for_a_rate_of_the_price_and_a_period() -> None:
    r12 = rule(
        "The bid security: 2% of total price; validity >= 90 days.", "R12", "Section III > 3.2 Bid Security"
    )
    amount, period = r12.predicates
    assert (amount.measure, amount.comparator, amount.value, amount.unit, amount.base) == (
        ("bid security",),
        "=",
        2.0,
        "percent",
        "total price",
    )
    assert (period.measure, period.comparator, period.value, period.unit) == (
        ("validity", "bid security"),
        ">=",
        90.0,
        "day",
    )
    assert r12.sentry_terms == ("2%", "90 days", "bid security", "validity")
    assert r12.section_hints == ("Section III", "3.2", "Bid Security")
    assert {"bid bond", "tender guarantee", "caution de soumission"} <= set(r12.synonyms)
    assert tag_pools(r12) == ("money", "percent", "days", "bond")


def test_bid_validity_in_calendar_days_is_no_standard() -> None:
    r14 = rule("Bids stay valid for no less than 120 calendar days.", "R14")
    assert [brief(p) for p in r14.predicates] == [("quantity", ">=", 120.0, "calendar_day")]
    assert tag_pools(r14) == ("days",)


def test_current_certificates_carry_edition_and_the_day_of_submission() -> None:
    r21 = rule("Certificates to ISO 9001:2015 and ISO/IEC 27001:2013 are current.", "R21")
    assert [brief(p) for p in r21.predicates] == [
        ("standard", "ISO 9001", "2015", True),
        ("standard", "ISO/IEC 27001", "2013", True),
    ]
    assert {p.date for p in r21.predicates} == {DATE}
    assert r21.sentry_terms == ("ISO 9001:2015", "ISO/IEC 27001:2013")
    assert tag_pools(r21) == ("iso", "date")


def test_each_meter_standard_keeps_its_own_class() -> None:
    t05 = rule("Meters are built to IEC 62053-21 Class 1 and 62053-22 Class 0.5S.", "T05")
    assert [brief(p) for p in t05.predicates[:2]] == [
        ("standard", "IEC 62053-21", ("class 1",)),
        ("standard", "IEC 62053-22", ("class 0.5s",)),
    ]
    assert t05.sentry_terms[:4] == ("IEC 62053-21", "class 1", "IEC 62053-22", "class 0.5S")
    assert tag_pools(t05) == ("iso",)


def test_delay_damages_are_a_rate_per_day_and_a_cap() -> None:
    c08 = rule("LDs of 0.1% per day capped at 10% are accepted.", "C08")
    assert [brief(p) for p in c08.predicates] == [
        ("quantity", "=", 0.1, "percent", "day"),
        ("quantity", "<=", 10.0, "percent"),
    ]
    assert "liquidated damages" in c08.synonyms
    assert tag_pools(c08) == ("percent",)


# The demo catalog of the field, each rule in our own words: predicates and tag pools.
DEMO: list[tuple[str, str, list[tuple[object, ...]], tuple[str, ...]]] = [
    ("A01", "The bid security form, Form BS-1, is signed and filled in.",
     [("form", "BS-1"), ("presence", ("bid", "security", "signed"))], ("money", "percent", "bond", "form")),
    ("A02", "A power of attorney of the signatory is enclosed and valid on the submission date.",
     [("date", ">=", True), ("presence", ("power", "attorney", "signatory"))], ("date",)),
    ("A03", "Evidence of general liability insurance cover is given.", [("presence", ("general", "liability", "insurance"))], ("must",)),
    ("A04", "A declaration on conflicts of interest is signed.", [("presence", ("declaration", "conflicts", "interest", "signed"))], ("must",)),
    ("A05", "The forms BS-1, PV-2 and EC-4 are all present.", [("form", "BS-1"), ("form", "PV-2"), ("form", "EC-4")], ("form",)),
    ("T06", "Reports of independent tests back the stated meter classes.",
     [("presence", ("reports", "independent", "tests", "back", "meter", "classes"))], ("must",)),
    ("T07", "The head-end speaks DLMS/COSEM of the IEC 62056 series.",
     [("standard", "IEC 62056"), ("presence", ("head", "end", "speaks", "dlms", "cosem"))], ("iso",)),
    ("T08", "The firmware update procedure, with its rollback, is documented.",
     [("presence", ("firmware", "update", "procedure", "rollback"))], ("must",)),
    ("T09", "Tamper detection by the device is described.", [("presence", ("tamper", "detection", "device"))], ("must",)),
    ("T10", "Screens and manuals exist in the languages required.", [("presence", ("screens", "manuals", "exist", "languages"))], ("must",)),
    ("S01", "An ISMS to ISO/IEC 27001 with a current certificate and its SoA.",
     [("standard", "ISO/IEC 27001", True), ("presence", ("isms", "certificate", "soa"))], ("iso", "date")),
    ("S02", "A SOC 2 Type II report (or equivalent) on the cloud parts.",
     [("standard", "SOC 2", ("type ii",)), ("presence", ("report", "cloud", "parts"))], ("iso",)),
    ("S03", "Controls are mapped to the NIST CSF, namely ID, PR and DE.",
     [("standard", "NIST CSF"), ("presence", ("controls", "mapped", "namely", "id", "pr", "de"))], ("iso",)),
    ("S04", "Data residency, backup, RTO and RPO are documented.", [("presence", ("data", "residency", "backup", "rto", "rpo"))], ("must",)),
    ("S05", "The DPA is signed and lists the subprocessors.", [("presence", ("dpa", "signed", "lists", "subprocessors"))], ("must",)),
    ("SV1", "Defective meters are exchanged within 5 working days of notification.", [("quantity", "<=", 5.0, "working_day")], ("days",)),
    ("SV2", "Hours and response times of the desk meet the SLA.", [("presence", ("hours", "response", "times", "desk", "sla"))], ("must",)),
    ("SV3", "A schedule of preventive maintenance is given.", [("presence", ("schedule", "preventive", "maintenance"))], ("must",)),
    ("C09", "Price Schedule PV-2 holds line totals and delivery days.",
     [("form", "PV-2"), ("presence", ("price", "schedule", "holds", "line", "totals", "delivery", "days"))], ("money", "days", "form", "table")),
    ("C10", "Incoterms and delivery duties are stated.", [("presence", ("incoterms", "delivery", "duties"))], ("money", "table")),
    ("C11", "Warranty duration and scope are stated.", [("presence", ("warranty", "duration", "scope"))], ("must",)),
    ("D01", "A master plan of deliveries names milestones and lead times.",
     [("presence", ("master", "plan", "deliveries", "names", "milestones", "lead", "times"))], ("days",)),
    ("D02", "A resource plan names teams and their skills.", [("presence", ("resource", "plan", "names", "teams", "skills"))], ("must",)),
    ("H01", "The HSE plan follows local rules.", [("presence", ("hse", "plan", "follows", "local", "rules"))], ("must",)),
    ("H02", "The quality plan treats inspection and calibration.", [("presence", ("quality", "plan", "treats", "inspection", "calibration"))], ("must",)),
    ("L01", "Every deviation stands in the deviation table.", [("presence", ("deviation", "stands", "table"))], ("must",)),
    ("L02", "A parent company guarantee is given if the bidder is a consortium.",
     [("presence", ("parent", "company", "guarantee"))], ("money", "percent", "bond")),
]  # fmt: skip


@pytest.mark.parametrize(("rule_id", "text", "predicates", "pools"), DEMO, ids=[row[0] for row in DEMO])
def test_the_demo_rules_turn_into_predicates_and_pools(
    rule_id: str, text: str, predicates: list[tuple[object, ...]], pools: tuple[str, ...]
) -> None:
    derived = rule(text, rule_id)
    assert [brief(p) for p in derived.predicates] == predicates
    assert tag_pools(derived) == pools


def test_the_demo_has_32_rules_with_those_written_out_above() -> None:
    assert len({row[0] for row in DEMO} | {"R12", "R14", "R21", "T05", "C08"}) == 32


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A warranty of 24 months is offered.", ("quantity", ">=", 24.0, "month")),
        ("Delivery in 60 days.", ("quantity", "<=", 60.0, "day")),
        ("Availability of 99.9% is kept.", ("quantity", ">=", 99.9, "percent")),
        ("Three references of similar projects.", ("quantity", ">=", 3.0, "reference")),
        ("Annual turnover: EUR 25 million.", ("quantity", ">=", 25e6, "EUR", "year")),
        ("Audit logs are kept for 36 months.", ("quantity", ">=", 36.0, "month")),
        ("Price escalation of 4% per year.", ("quantity", "=", 4.0, "percent", "year")),
        ("Certified at Level 3 or above.", ("quantity", ">=", 3.0, "level", "3")),
        ("La garantie est de vingt-quatre (24) mois.", ("quantity", ">=", 24.0, "month")),
        ("Le délai de livraison est de 60 jours.", ("quantity", "<=", 60.0, "day")),
    ],
)
def test_a_bare_number_takes_the_direction_of_what_it_measures(
    text: str, expected: tuple[object, ...]
) -> None:
    assert brief(rule(text).predicates[0]) == expected


def test_circumstances_are_no_tests_of_their_own() -> None:
    turnover = rule("Yearly revenue of at least INR 500 Cr in each of the last 3 financial years.")
    assert [brief(p) for p in turnover.predicates] == [("quantity", ">=", 5e9, "INR", "year")]
    latency = rule("Rating latency below 50 ms under 1.5M TPS.")
    assert [brief(p) for p in latency.predicates] == [("quantity", "<", 50.0, "millisecond")]
    assert "1,500,000 tps" in latency.sentry_terms
    run = rule("A bill run of 10M accounts in under 6 hours.")
    assert [brief(p) for p in run.predicates] == [("quantity", "<", 6.0, "hour")]
    desk = rule("The desk is open 24 hours a day and 7 days a week.")
    assert [brief(p) for p in desk.predicates] == [("presence", ("24x7",)), ("presence", ("desk", "open"))]


def test_either_of_two_standards_is_enough() -> None:
    either = rule("A certificate to ISO 27001 or SOC 2 Type II.")
    assert [(p.group, p.code) for p in either.predicates] == [(0, "ISO 27001"), (1, "SOC 2")]


def test_a_current_transformer_is_no_current_certificate() -> None:
    assert not any(
        p.valid_on_submission for p in rule("Current transformers to IEC 61869-2 are offered.").predicates
    )


def test_a_validity_of_so_many_days_is_no_date_in_force() -> None:
    assert [p.kind for p in rule("The insurance is valid for 90 days.").predicates] == ["quantity"]


def test_what_a_rule_brings_along_is_kept() -> None:
    own = Predicate(kind="presence", terms=("seal",))
    plain = Requirement(
        rule_id="X", area="Admin", mandatory=True, text="The seal is shown, 2%.", predicates=(own,), sentry_terms=("seal",),
        synonyms=("stamp",), section_hints=("Annex Z",), submission_date="2027-01-01",
    )  # fmt: skip
    assert derive(plain, submission_date=DATE) == plain
    derived = rule("Bid validity of 90 days.")
    assert derive(derived, submission_date=DATE) == derived


@pytest.mark.parametrize(
    ("reference", "hints"),
    [
        ("Section III > 3.2 Bid Security", ("Section III", "3.2", "Bid Security")),
        ("Annex G > Forms > BS-1", ("Annex G", "Forms", "BS-1")),
        ("§8 Required Certifications", ("8", "Required Certifications")),
        ("§3 Key NFR; §5 OCS", ("3", "Key NFR", "5", "OCS")),
        ("Article 12 - Caution", ("Article 12", "Caution")),
        ("Service Levels > Maintenance", ("Service Levels", "Maintenance")),
        ("", ()),
    ],
)
def test_a_clause_reference_gives_its_headings_and_numbers(reference: str, hints: tuple[str, ...]) -> None:
    assert section_hints(reference) == hints


def test_synonyms_are_met_on_words_and_leave_out_what_the_rule_says() -> None:
    assert "bid security" not in synonyms_of("The bid security is lodged.")
    assert "bid bond" in synonyms_of("The bid security is lodged.")
    assert synonyms_of("Security controls are mapped.") == []
    assert "head-end system" in synonyms_of("The HES reads meters.")
    assert "liquidated damages" in synonyms_of("Les pénalités de retard sont plafonnées.")


def test_areas_and_languages_are_told_by_words() -> None:
    assert area_of("Section V > Information Security", "x", "Mined") == "Security"
    assert area_of("", "Prices are stated in euro.", "Mined") == "Commercial"
    assert area_of("Scope", "nothing telling", "Mined") == "Mined"
    assert language_of("Le candidat doit fournir une attestation") == "fr"
    assert language_of("The bidder shall submit the form") == "en"
    assert language_of("ISO 9001") == ""
