"""Of a criterion with grades the best one is what is asked, and no other grade's figure is a limit beside it."""

from __future__ import annotations

import pytest

from bidproof.catalog import derive
from bidproof.records import Requirement


def figures(text: str) -> list[tuple[str, float | None, str]]:
    derived = derive(Requirement(rule_id="X", area="Bid", mandatory=False, text=text), submission_date="")
    return [(p.comparator, p.value, p.unit) for p in derived.predicates if p.kind == "quantity"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Experience: 5 years or more: 4 points; from 3 to 4 years: 3 points; less than 3 years: 0 points",
            (">=", 5.0, "year"),
        ),
        (
            "Expérience : moins de 2 ans : 1 point, de 2 à 5 ans : 2 points, 8 ans au moins : 5 points",
            (">=", 8.0, "year"),
        ),
        (
            "Staff on site: at least 12 fitters: 10 points; at least 8 fitters: 6 points; at least 4 fitters: 2 points",
            (">=", 12.0, "fitter"),
        ),
    ],
)
def test_the_best_grade_is_the_limit(text: str, wanted: tuple[str, float, str]) -> None:
    assert figures(text) == [wanted]


def test_limits_of_a_rule_without_grades_all_stay() -> None:
    text = "At least 3 fitters with at least 5 years of experience: 10 points"
    assert [value for _, value, _ in figures(text)] == [3.0, 5.0]
