"""The search for a quote at its worst: it ends where it must, and soon."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import quote_search
from quote_search import Case, cases

from bidproof.verification import match_quote
from bidproof.verification.glyphs import fold_glyphs

SIZE = 50_000


@pytest.mark.parametrize("case", cases(SIZE), ids=lambda case: case.name)
def test_each_case_ends_on_its_rung(case: Case) -> None:
    match = match_quote(case.quote, case.text)
    assert (match.kind.value, len(case.text)) == (case.kind, SIZE)
    if match.kind.value in ("exact", "typographic", "dehyphenated"):
        assert match.end == SIZE
        assert fold_glyphs(case.text[match.start : match.end]).text.lstrip('"').startswith("Our offer")


def test_a_search_in_fifty_thousand_characters_takes_far_less_than_a_second() -> None:
    # The benchmark holds 50 ms on a quiet machine; this one may be busy.
    slow = {case.name: ms for case, _, *both in quote_search.measure(SIZE, 1) if (ms := max(both)) > 500}
    assert slow == {}


def test_a_word_that_stands_ten_thousand_times_does_not_hide_the_place_where_all_stand_together() -> None:
    text = "meter " * 9000 + "zone of the meter under test " + "meter " * 9000
    match = match_quote("zone meter test", text)
    assert (match.kind.value, text[match.start : match.end]) == (
        "interleaved",
        "zone of the meter under test",
    )


@pytest.mark.parametrize(
    ("source", "folded"),
    [
        ("’’ ‘a’", "'' 'a'"),
        ("``a''", '"a"'),
        ("— – ‑ −", "- - - -"),
        ("3 × 5 µm ≥ 2 º", "3 x 5 μm>=2 °"),
        ("日本語 ≥ ５", "日本語>=５"),
        ("é e\u0301", "e\u0301 e\u0301"),
        ("so\u00adf\u200bt", "soft"),
    ],
)
def test_glyphs_that_print_alike_are_one(source: str, folded: str) -> None:
    found = fold_glyphs(source)
    assert found.text == folded
    assert (found.source_start(0), found.source_end(len(folded))) == (0, len(source))
