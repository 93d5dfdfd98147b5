"""Units with powers and rates: a flow is no length, an area no distance."""

from __future__ import annotations

import pytest

from bidproof.facts import find_facts, same_measure


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
