"""What a statement says beside what a rule asks, and what of the rule it does not show."""

from __future__ import annotations

import pytest
from trap_bench import finding_on

from bidproof.judging.residue import allowance, left_over, not_shown

RULE = "The supplier shall repair defective pumps."


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("Defective pumps are repaired on weekdays.", ("weekdays",)),
        ("Defective pumps are repaired in the pilot district.", ("pilot", "district")),
        ("Most defective pumps are repaired.", ("Most",)),
        ("Defective pumps are repaired up to 40 hours.", ("40",)),
        ("Defective pumps are repaired by your team.", ("by your",)),
        ("Defective pumps are repaired on request.", ("on request",)),
        ("The client repairs defective pumps.", ("client",)),
        ("Defective pumps are repairable.", ("repairable",)),
    ],
)
def test_words_that_narrow_a_statement_are_left_over(statement: str, left: tuple[str, ...]) -> None:
    assert set(left) <= set(left_over(statement, RULE).words)


@pytest.mark.parametrize(
    "statement",
    [
        "We repair defective pumps.",
        "Defective pumps are repaired by our own technicians.",
        "Defective pumps are repaired free of charge and without exception.",
        "Defective Orion X40 pumps are repaired, as described in Annex 3.",
        "Defective pumps are repaired and tested at your premises.",
        "Defective pumps are repaired throughout the whole contract period.",
        "Defective pumps are repaired under policy no. 33/8821 of 3 March 2026.",
        "Defective pumps are repaired at any time of day.",
    ],
)
def test_names_references_own_people_and_further_things_leave_nothing_over(statement: str) -> None:
    assert left_over(statement, RULE).words == ()


def test_a_figure_that_a_predicate_has_read_is_accounted_for() -> None:
    text = "The gate opens within 8 seconds per leaf."
    assert left_over(text, "The gate shall open within 10 seconds.", decided=[(22, 31)]).words == (
        "per",
        "leaf",
    )


def test_in_a_row_only_words_that_narrow_are_left_over() -> None:
    assert left_over("Pumps | turquoise | most", RULE, row=True).words == ("most",)


def test_a_long_statement_may_hold_a_few_unknown_words() -> None:
    assert allowance("word " * 12, 0) == 0
    assert allowance("word " * 22, 0) == 2
    assert allowance("word " * 8, 0, rule=True) == 0
    assert allowance("word " * 14, 1, rule=True) == 2


@pytest.mark.parametrize(
    ("rule", "said", "unsaid"),
    [
        ("The contractor shall use virgin PVC pipes.", "We use PVC pipes.", ("virgin",)),
        ("The system shall be fully redundant.", "The system is redundant.", ("fully",)),
        ("The system shall be redundant.", "The system is redundant.", ()),
        ("Reports shall be sent every month.", "Reports are sent monthly.", ()),
        ("Le matériel doit être entièrement neuf.", "Le matériel est neuf.", ("entièrement",)),
    ],
)
def test_a_qualifier_of_the_rule_that_nothing_shows_is_told(
    rule: str, said: str, unsaid: tuple[str, ...]
) -> None:
    assert not_shown(rule, [said]) == unsaid


def test_a_pass_with_words_left_over_goes_to_a_reviewer_who_sees_them() -> None:
    found = finding_on(
        "The contractor shall provide a security guard.", "A security guard is provided on weekdays."
    )
    assert (found["status"], found["needs_review"]) == ("Pass", True)
    assert "unexplained: weekdays" in found["review_reason"]


def test_a_plain_pass_needs_no_reviewer() -> None:
    found = finding_on(
        "The contractor shall provide a security guard.", "A security guard is provided at your premises."
    )
    assert (found["status"], found["needs_review"]) == ("Pass", False)


def test_a_deductible_beside_the_sum_is_left_over() -> None:
    rule = "General liability insurance of at least EUR 5,000,000 per occurrence is in force."
    said = "General liability insurance of EUR 5,000,000 per occurrence, with a deductible of EUR 4,000,000, is in force."
    assert "deductible" in left_over(said, rule).narrowing


def test_a_clause_with_one_of_two_names_is_left_over() -> None:
    rule = "Screens and manuals are available in English and French."
    assert left_over("Screens are in English and French; manuals are in English.", rule).narrowing == (
        "only English",
    )
    assert not left_over("Screens and manuals are in English and French; both are enclosed.", rule).narrowing
