"""Units with powers and denominators: a flow is no length and an area no distance."""

from __future__ import annotations

import pytest

from bidproof.facts import convert, find_facts, same_measure


def quantity(text):
    return next(
        ((fact.value, fact.unit, fact.text) for fact in find_facts(text) if fact.kind == "quantity"), None
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a tank of 25 m2", (25.0, "m2", "25 m2")),
        ("a tank of 25 m3", (25.0, "m3", "25 m3")),
        ("a flow of 450 m3/h", (450.0, "m3/hour", "450 m3/h")),
        ("a flow of 450 m³/h", (450.0, "m3/hour", "450 m³/h")),
        ("a flow of 7.5 m3/min", (7.5, "m3/minute", "7.5 m3/min")),
        ("at most 2 m/s", (2.0, "m/second", "2 m/s")),
        ("at least 30 l/s", (30.0, "l/second", "30 l/s")),
        ("solids of 90 mg/l", (90.0, "mg/l", "90 mg/l")),
        ("a head of 33 m", (33.0, "m", "33 m")),
        ("a cable of 900 m.", (900.0, "m", "900 m")),
    ],
)
def test_a_unit_is_read_whole(text, expected):
    assert quantity(text) == expected


def test_flows_compare_over_their_units_and_with_nothing_else():
    assert convert(7.5, "m3/minute", "m3/hour") == pytest.approx(450)
    assert convert(30, "l/second", "m3/hour") == pytest.approx(108)
    assert not same_measure("m3/hour", "m")
    assert not same_measure("m2", "m3")
    assert not same_measure("m2", "m")
