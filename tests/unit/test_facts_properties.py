"""What holds of facts in any text: exact slices, in order, none over another of its kind, in linear time."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bidproof.facts import find_facts

PIECES = st.sampled_from(
    ["2%", "ninety", "(90)", "days", "EUR", "5", "million", "1", "234,56", "€", "IEC", "62053-21", "Class", "0.5S", "Form", "BS-1", "03/04/2027", "shall", "at", "least", "not", "exceeding", "up", "to", "24x7", "one", "hundred", ";", ".", "(", ")", "-", "/", "|", "\n", "\xa0", "and", "or", "to", "5", "000", "crore", "50M+", "subscribers", "Dec", "31,", "2026", "ISO/IEC", "27001:2022", "and", "14001", "quatre-vingt-dix", "jours", "ouvrés", "%"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_facts_are_exact_slices_in_order_and_never_overlap_within_a_kind(text: str) -> None:
    facts = find_facts(text)
    assert facts == find_facts(text)
    assert [f.start for f in facts] == sorted(f.start for f in facts)
    for fact in facts:
        assert text[fact.start : fact.end] == fact.text != ""
    for kind in {f.kind for f in facts}:
        same = [f for f in facts if f.kind == kind]
        assert all(a.end <= b.start for a, b in pairwise(same))


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="0123456789.,-/ %()€abd\n\u00a0\u2011", max_size=60))
def test_no_text_breaks_the_finder(text: str) -> None:
    for fact in find_facts(text):
        assert text[fact.start : fact.end] == fact.text


@pytest.mark.parametrize(
    "piece",
    [
        "1 " * 400,
        "a" * 800,
        "not " * 200,
        "at least the " * 60 + "5 days ",
        "one hundred " * 66,
        "(" * 800,
        "1,234." * 130,
        "minimum a b c ",
    ],
)
def test_time_stays_linear_on_hostile_text(piece: str) -> None:
    text = piece * max(1, 60_000 // len(piece))
    started = time.process_time()
    find_facts(text)
    assert time.process_time() - started < 5.0
