"""Tolerances, thousandths, articles that count, and standards known by name."""

from __future__ import annotations

import time

import pytest

from bidproof.facts import edition_before, find_facts, surface
from bidproof.records import Fact

AMOUNTS = {"percent", "money", "days", "duration", "quantity"}


def only(text: str, language: str = "") -> Fact:
    (found,) = [f for f in find_facts(text, language=language) if f.kind in AMOUNTS]
    return found


def standards(text: str) -> list[tuple[str, str]]:
    return [(f.code, f.edition) for f in find_facts(text) if f.kind == "standard"]


@pytest.mark.parametrize(
    ("text", "low", "high", "slice_"),
    [
        ("10 mm ± 1 mm", 9, 11, "10 mm ± 1 mm"),
        ("10 mm +/- 1", 9, 11, "10 mm +/- 1"),
        ("10 ± 1 mm", 9, 11, "10 ± 1 mm"),
        ("20 °C ± 2 °C", 18, 22, "20 °C ± 2 °C"),
        ("230 V (± 10 %)", 207, 253, "230 V (± 10 %"),
        ("50 Hz ± 0,5 Hz", 49.5, 50.5, "50 Hz ± 0,5 Hz"),
        ("1 m plus ou moins 5 cm", 0.95, 1.05, "1 m plus ou moins 5 cm"),
    ],
)
def test_a_figure_with_its_tolerance_is_a_range(text: str, low: float, high: float, slice_: str) -> None:
    found = only(text)
    assert (found.value, found.value_max, found.comparator) == (low, high, "")
    assert found.text == slice_


@pytest.mark.parametrize("text", ["± 0.5 %", "+/- 0.5 %", "±0,5 %", "+ ou - 0,5 %"])
def test_a_tolerance_without_its_figure_is_an_upper_limit(text: str) -> None:
    found = only(text)
    assert (found.comparator, found.value, found.value_max) == ("<=", 0.5, None)


@pytest.mark.parametrize(
    ("text", "value", "per"),
    [
        ("0,5 ‰ par jour", 0.05, "day"),
        ("un pour mille par jour de retard", 0.1, "day"),
        ("un millième (1/1000) par jour", 0.1, "day"),
        ("1/1000 du montant par mois", 0.1, "month"),
        ("1/2000 par jour calendaire", 0.05, "calendar_day"),
        ("3/1000 du montant", 0.3, ""),
    ],
)
def test_thousandths_are_percentages(text: str, value: float, per: str) -> None:
    found = only(text, "fr")
    assert (found.kind, found.value, found.per) == ("percent", pytest.approx(value), per)


@pytest.mark.parametrize("text", ["une carte à l'échelle 1/50000", "a map of 1/25 000", "facture 1/1000"])
def test_a_scale_is_no_rate(text: str) -> None:
    assert [f for f in find_facts(text) if f.kind == "percent"] == []


@pytest.mark.parametrize(
    ("text", "comparator", "value", "unit"),
    [
        ("depuis moins d'un an", "<", 1, "year"),
        ("dans un délai d'une semaine", "", 1, "week"),
        ("within an hour", "<=", 1, "hour"),
        ("en un seul exemplaire", "", 1, "exemplaire"),
        ("plus d'un concurrent", ">", 1, "concurrent"),
    ],
)
def test_an_article_counts_where_something_is_bounded_by_it(
    text: str, comparator: str, value: float, unit: str
) -> None:
    found = only(text, "fr" if "un" in text.split() or "'un" in text else "")
    assert (found.value, found.unit) == (value, unit)
    assert found.comparator in (comparator, "<=")


@pytest.mark.parametrize(
    "text", ["au moins un des lots", "within a reasonable time", "un bon délai", "a day"]
)
def test_an_article_of_its_own_counts_nothing(text: str) -> None:
    assert [f for f in find_facts(text) if f.kind in AMOUNTS] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TLS 1.2 and 1.3", [("TLS", "1.2"), ("TLS", "1.3")]),
        ("SAML 2.0 / OAuth 2.0 / OIDC", [("SAML", "2.0"), ("OAuth", "2.0"), ("OIDC", "")]),
        ("SNMPv3", [("SNMP", "3")]),
        ("AES-256 and SHA-256", [("AES-256", ""), ("SHA-256", "")]),
        ("GSMA FS.11/FS.19", [("GSMA FS.11", ""), ("GSMA FS.19", "")]),
        ("the Public Procurement and Disposal Act, 2015", [("Public Procurement and Disposal Act", "2015")]),
        ("Règlement (UE) 2016/679", [("EU 2016/679", "")]),
        ("conforme à la loi n° 09-08", [("LOI 09-08", "")]),
        ("certificate for 27001:2013", [("ISO 27001", "2013")]),
        ("RBI-approved and compliant with RoHS", [("RBI", ""), ("RoHS", "")]),
    ],
)
def test_a_standard_known_by_its_name(text: str, expected: list[tuple[str, str]]) -> None:
    assert standards(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "SLA compliance is reported",
        "a PDF-compatible file",
        "MySQL 8.0",
        "act 2015 times",
        "a score CVSS >= 9.0",
        "non-compliant bids",
    ],
)
def test_a_name_without_a_standard_s_mark_is_none(text: str) -> None:
    assert standards(text) == []


def test_editions_are_compared_as_numbers() -> None:
    assert edition_before("1.3", "1.10")
    assert edition_before("2013", "2022")
    assert not edition_before("2.0", "2.0")


def test_a_named_standard_is_spelled_with_its_version_apart() -> None:
    (found,) = find_facts("TLS 1.3")
    assert surface(found) == "TLS 1.3"


@pytest.mark.parametrize(
    "piece",
    ["Aa Bb ", "The Big Act of ", "± 5 ", "moins d'un an ", "TLS 1.2, 1.3, ", "200M / ", "loi n° 1-2 du "],
)
def test_names_and_tolerances_take_linear_time(piece: str) -> None:
    text = (piece * 60_000)[:60_000]
    started = time.process_time()
    find_facts(text)
    assert time.process_time() - started < 8.0


def test_a_minimum_bounds_nothing_that_comes_with_it() -> None:
    facts = find_facts("The tank holds 500 litres minimum with a tolerance of 5%.")
    assert [(f.value, f.comparator) for f in facts] == [(500, ">="), (5, "")]
