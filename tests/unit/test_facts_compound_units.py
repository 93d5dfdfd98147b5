"""Units with powers and rates: a flow is no length, an area no distance."""

from __future__ import annotations

import pytest

from bidproof.catalog import derive
from bidproof.facts import compare, find_facts, same_measure
from bidproof.records import Requirement


def quantity(text):
    facts = (fact for fact in find_facts(text) if fact.kind == "quantity")
    return next(((fact.value, fact.unit, fact.per) for fact in facts), None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a tank of 25 m2", (25.0, "m2", "")),
        ("a tank of 25 m3", (25.0, "m3", "")),
        ("a flow of 450 m3/h", (450.0, "m3", "hour")),
        ("a flow of 450 m\u00b3/h", (450.0, "m3", "hour")),
        ("a flow of 450 m3 per hour", (450.0, "m3", "hour")),
        ("a flow of 7.5 m3/min", (7.5, "m3", "minute")),
        ("at most 2 m/s", (2.0, "m", "second")),
        ("at least 30 l/s", (30.0, "l", "second")),
        ("solids of 90 mg/l", (90.0, "mg", "l")),
        ("a head of 33 m", (33.0, "m", "")),
        ("a cable of 900 m.", (900.0, "m", "")),
    ],
)
def test_a_unit_is_read_whole(text, expected):
    assert quantity(text) == expected


def test_areas_volumes_and_lengths_are_not_compared():
    assert not same_measure("m2", "m3")
    assert not same_measure("m2", "m")
    assert not same_measure("m3", "m")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Read as two amounts, the rule asked for 100 km and said nothing of the 11 litres.
        ("11 l/100 km", (11.0, "l", "100 km")),
        ("11 litres per 100 kilometres", (11.0, "l", "100 km")),
        ("11 litres aux 100 km", (11.0, "l", "100 km")),
        ("11 l / 100km", (11.0, "l", "100 km")),
        ("18 kWh/100 km", (18.0, "kWh", "100 km")),
        ("95 g/km", (95.0, "g", "km")),
        ("95 gCO2/km", (95.0, "g", "km")),
        ("95 g of CO2 per km", (95.0, "g", "km")),
        # Cut after its letter, a load on an area was one on a length.
        ("500 kg/m2.", (500.0, "kg", "m2")),
        ("500 kg per m\u00b2", (500.0, "kg", "m2")),
        ("50 kWh/m\u00b2.an", (50.0, "kWh", "m2 year")),
        ("2 failures per 1,000 units", (2.0, "failure", "1000 unit")),
        ("Fuel consumption (l/100 km) | 11", (11.0, "l", "100 km")),
        ("consumption per 100 km: 11 l", (11.0, "l", "")),
        ("Speed of 100 km/h", (100.0, "km", "hour")),
        ("200M / 250M subscribers", (2e8, "subscriber", "")),
    ],
)
def test_a_compound_rate_is_one_quantity(text, expected):
    assert quantity(text) == expected


def test_a_price_is_read_with_what_it_is_for():
    prices = [find_facts(t)[0] for t in ("120 EUR/MWh", "120 EUR per MWh", "EUR 5 per user per month")]
    assert [(f.value, f.unit, f.per) for f in prices] == [
        (120.0, "EUR", "MWh"),
        (120.0, "EUR", "MWh"),
        (5.0, "EUR", "user month"),  # by the year the same figure is a twelfth
    ]


@pytest.mark.parametrize(
    ("rule", "offer", "expected"),
    [
        ("Fuel consumption shall not exceed 11 l/100 km.", "13.5 l/100 km", "fails"),
        ("Fuel consumption shall not exceed 11 l/100 km.", "10,5 l/100 km", "holds"),
        ("La consommation ne doit pas d\u00e9passer 11 l/100 km.", "13,5 litres aux 100 km", "fails"),
        ("Fuel consumption shall not exceed 11 l/100 km.", "10 l", "unlike"),  # the tank is no consumption
        ("The price shall not exceed 120 EUR/MWh.", "EUR 100 per kWh", "unlike"),
        ("The fee shall not exceed EUR 5 per user per month.", "EUR 5 per user per year", "unlike"),
    ],
)
def test_a_rate_is_compared_with_its_like_only(rule, offer, expected):
    asked = derive(Requirement(rule_id="X", area="Technical", mandatory=True, text=rule)).predicates
    (limit,) = (p for p in asked if p.kind == "quantity")
    language = "fr" if "," in offer else ""
    (fact,) = (f for f in find_facts(offer, language=language) if f.kind in ("quantity", "money"))
    assert limit.comparator == "<="
    assert compare(fact, limit) == expected


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("a store of 94 square metres", 94.0, "m2"),
        ("ninety-four square metres of office space", 94.0, "m2"),
        ("94 sq. m", 94.0, "m2"),
        ("une surface de 94 m\u00e8tres carr\u00e9s", 94.0, "m2"),
        ("a tank of 768 cubic metres", 768.0, "m3"),
        ("cent quatre-vingt-huit m\u00e8tres cubes", 188.0, "m3"),
        ("an area of 5 square kilometres", 5.0, "km2"),
        ("94 metres of fence", 94.0, "m"),
        ("66 decibels at one metre", 66.0, "dB"),
        ("soixante-sept d\u00e9cibels", 67.0, "dB"),
        ("une parcelle de 5 hectares", 5.0, "ha"),
    ],
)
def test_an_area_or_volume_in_words_is_no_length(text, value, unit):
    assert (value, unit) in [(fact.value, fact.unit) for fact in find_facts(text) if fact.kind == "quantity"]
    assert not [fact for fact in find_facts(text) if fact.unit == "m" and unit != "m" and fact.value == value]
