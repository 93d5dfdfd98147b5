"""Traps of simple patterns, each once in English and once in French, as facts and as predicates of a rule.

S1 to S6 are defects of the documents this product started from; T31 to T37 are faults that others reported.
"""

from __future__ import annotations

import pytest

from bidproof.catalog import derive, subject_of, tag_pools
from bidproof.facts import compare, find_facts
from bidproof.judging.validity import superseded
from bidproof.records import Fact, Predicate, Requirement

DATE = "2026-09-17"


def rule(text: str) -> Requirement:
    return derive(Requirement(rule_id="X", area="Admin", mandatory=True, text=text), submission_date=DATE)


def asked(text: str, kind: str = "quantity") -> Predicate:
    """The only predicate of `kind` that the rule asks for."""
    (found,) = [p for p in rule(text).predicates if p.kind == kind]
    return found


def fact(text: str, kind: str, language: str = "") -> Fact:
    (found,) = [f for f in find_facts(text, language=language) if f.kind == kind]
    return found


@pytest.mark.parametrize(
    "text",
    [
        "The bid remains valid for 120 calendar days.",
        "Evidence of general insurance cover is enclosed.",
        "All documents are present and complete.",
        "Reports of independent tests are appended.",
        "L'entreprise présente ses engagements par écrit.",
    ],
)
def test_s1_letters_inside_words_route_to_no_standard(text: str) -> None:
    # "en" inside calendar or present sent a third of the rules to the pool of standards
    assert "iso" not in tag_pools(rule(text))


@pytest.mark.parametrize(
    "text", ["Lot 12 comprises 3 sites.", "Le lot 12 comprend 3 sites.", "Section 5 applies to 14 meters."]
)
def test_s2_digits_without_a_currency_are_no_money(text: str) -> None:
    assert [f for f in find_facts(text) if f.kind == "money"] == []
    assert "money" not in tag_pools(rule(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Damages of 0.1% per day.", 0.1),
        ("Pénalité de 10,5 % par jour.", 10.5),
        ("A security of two percent of the price.", 2.0),
        ("A security of 2 per cent of the price.", 2.0),
        ("Une caution de deux pour cent du prix.", 2.0),
        ("Pénalité de 1/1000 par jour de retard.", 0.1),
    ],
)
def test_s3_percentages_keep_their_decimals_and_their_words(text: str, value: float) -> None:
    assert (asked(text).unit, asked(text).value) == ("percent", value)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("Valid for ninety (90) days.", 90.0, "day"),
        ("Valid for 90 business days.", 90.0, "working_day"),
        ("A 90-day validity.", 90.0, "day"),
        ("Valable 90 jours.", 90.0, "day"),
        ("Valable quatre-vingt-dix (90) jours.", 90.0, "day"),
        ("Valid for 90\u00a0days.", 90.0, "day"),
        ("Valable 90\u202fjours ouvrés.", 90.0, "working_day"),
    ],
)
def test_s4_days_are_read_in_any_spelling(text: str, value: float, unit: str) -> None:
    predicate = asked(text)
    assert (predicate.comparator, predicate.value, predicate.unit) == (">=", value, unit)


@pytest.mark.parametrize(
    ("text", "code", "edition"),
    [
        ("A certificate to ISO/IEC 27001:2013 is current.", "ISO/IEC 27001", "2013"),
        ("Meters comply with IEC 62053-21.", "IEC 62053-21", ""),
        ("Un certificat NF EN ISO 9001:2015 est fourni.", "NF EN ISO 9001", "2015"),
        ("Les compteurs sont conformes à la norme CEI 62053-21.", "IEC 62053-21", ""),
    ],
)
def test_s5_joint_bodies_parts_and_editions_are_read(text: str, code: str, edition: str) -> None:
    predicate = asked(text, "standard")
    assert (predicate.code, predicate.edition) == (code, edition)
    assert "iso" in tag_pools(rule(text))


@pytest.mark.parametrize(
    ("text", "sentry"),
    [
        ("The bid security is 3% of the price.", "3%"),
        ("The bid stays valid for 75 days.", "75 days"),
        ("La caution est de 1,5 % du montant.", "1.5%"),
        ("L'offre reste valable 60 jours.", "60 days"),
    ],
)
def test_s6_sentry_terms_are_the_rule_s_own_figures(text: str, sentry: str) -> None:
    # 2% and 90 days were written into the code
    assert sentry in rule(text).sentry_terms
    assert not {"2%", "90 days"} & set(rule(text).sentry_terms)


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("A rate of 12,5% applies.", "", 12.5),
        ("Un taux de 12,5 % s'applique.", "fr", 12.5),
        ("A weight of 0,075 kg.", "", 0.075),
        ("Un poids de 0,075 kg.", "fr", 0.075),
        ("A capital of 1.355,90 €.", "", 1355.90),
        ("Un capital de 1.355,90 €.", "fr", 1355.90),
    ],
)
def test_t31_decimals_and_thousands(text: str, language: str, value: float) -> None:
    found = next(f for f in find_facts(text, language=language) if f.value is not None)
    assert found.value == pytest.approx(value)
    assert asked(text).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("A turnover of 1\u202f234\u202f567 €.", 1_234_567.0, "EUR"),
        ("Un chiffre d'affaires de 1\u202f234\u202f567 €.", 1_234_567.0, "EUR"),
        ("A validity of 90\u00a0days.", 90.0, "day"),
        ("Une validité de 90\u00a0jours.", 90.0, "day"),
    ],
)
def test_t32_hard_and_thin_spaces_part_no_number(text: str, value: float, unit: str) -> None:
    predicate = asked(text)
    assert (predicate.comparator, predicate.value, predicate.unit) == (">=", value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "The bid is valid for one hundred twenty (120) calendar days.",
        "The bid is valid for one hundred and twenty calendar days.",
        "L'offre est valable cent vingt (120) jours calendaires.",
        "L'offre est valable cent vingt jours calendaires.",
    ],
)
def test_t34_number_words_are_read_whole(text: str) -> None:
    predicate = asked(text)
    assert (predicate.comparator, predicate.value, predicate.unit) == (">=", 120.0, "calendar_day")
    assert predicate.readings == ()


def test_t35_a_date_with_two_readings_stays_undecided() -> None:
    text = "The bond is valid until 03/04/2027."
    assert fact(text, "date").readings == ("2027-03-04", "2027-04-03")
    predicate = asked(text, "date")
    assert (predicate.comparator, predicate.date) == (">=", "")
    assert predicate.readings == ("2027-03-04", "2027-04-03")
    # only what holds against both days holds
    assert compare(fact("valid until 10 April 2027", "date"), predicate) == "holds"
    assert compare(fact("valid until 20 March 2027", "date"), predicate) == "unlike"
    assert compare(fact("valid until 1 March 2027", "date"), predicate) == "fails"


def test_t35_in_french_the_day_comes_first() -> None:
    text = "La caution est valable jusqu'au 03/04/2027."
    predicate = asked(text, "date")
    assert (predicate.comparator, predicate.date, predicate.readings) == (">=", "2027-04-03", ())
    assert compare(fact("valable jusqu'au 02/04/2027", "date", "fr"), predicate) == "fails"


@pytest.mark.parametrize(
    ("offered", "language"),
    [
        ("certificate for 27001:2013, valid to 2026-11", ""),
        ("certificat ISO/IEC 27001:2013, valable jusqu'au 30 novembre 2026", "fr"),
    ],
)
def test_t36_an_old_edition_is_flagged_however_long_it_is_said_to_be_valid(
    offered: str, language: str
) -> None:
    found = fact(offered, "standard", language)
    assert superseded(found.code, found.edition, "2026-09-17") is not None
    assert fact(offered, "date", language).role == "expiry"
    for text in (
        "A certificate to ISO/IEC 27001:2022 is enclosed.",
        "Un certificat ISO/IEC 27001:2022 est joint.",
    ):
        assert compare(found, asked(text, "standard")) == "fails"


@pytest.mark.parametrize(
    ("text", "duty"),
    [
        ("The Employer shall pay in 30 days.", "buyer"),
        ("Le maître d'ouvrage doit payer dans un délai de 30 jours.", "buyer"),
        ("The Bidder shall deliver in 30 days.", "bidder"),
        ("Le titulaire doit livrer dans un délai de 30 jours.", "bidder"),
    ],
)
def test_t37_the_buyer_s_shall_is_no_duty_of_the_bidder(text: str, duty: str) -> None:
    assert subject_of(text) == duty
