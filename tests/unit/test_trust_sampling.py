"""Acceptance sampling: reference values, and the laws of exact bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidproof.evaluation.trust.sampling import (
    chance_of_at_most,
    clopper_pearson,
    least_too_many,
    sampling_plan,
    upper_bound,
)


@pytest.mark.parametrize(
    ("lot", "bound", "confidence", "allowed", "sample"),
    [
        # Made with scipy.stats.hypergeom: the least n with cdf(c, N, floor(p N) + 1, n) <= 1 - confidence.
        (1000, 0.02, 0.95, 0, 132),
        (1000, 0.02, 0.95, 1, 206),
        (200, 0.02, 0.95, 0, 90),
        (100, 0.05, 0.90, 0, 32),
        (5000, 0.01, 0.95, 2, 590),
        (30, 0.02, 0.95, 0, 29),
        (500, 0.05, 0.95, 1, 84),
        (100_000, 0.02, 0.95, 0, 149),
    ],
)
def test_a_plan_audits_as_few_as_the_bound_allows(
    lot: int, bound: float, confidence: float, allowed: int, sample: int
) -> None:
    assert sampling_plan(lot, bound, confidence, allowed).sample == sample


@pytest.mark.parametrize(
    ("wrong", "sample", "bound"),
    # scipy.stats.beta.ppf(0.95, k + 1, n - k); none of 59 is the rule of three's neighbour of 0.05.
    [(0, 149, 0.0199048), (1, 10, 0.3941633), (3, 300, 0.0256414), (0, 59, 0.0495076)],
)
def test_clopper_pearson_has_its_published_values(wrong: int, sample: int, bound: float) -> None:
    assert clopper_pearson(wrong, sample, 0.95) == pytest.approx(bound, abs=1e-7)


@pytest.mark.parametrize(
    ("wrong", "sample", "lot", "bound"), [(0, 140, 1000, 0.019), (1, 140, 1000, 0.031), (3, 60, 200, 0.11)]
)
def test_the_bound_after_an_audit_of_a_lot_is_exact(wrong: int, sample: int, lot: int, bound: float) -> None:
    assert upper_bound(wrong, sample, lot, 0.95) == pytest.approx(bound)


def test_a_lot_audited_whole_has_its_own_rate() -> None:
    assert upper_bound(0, 10, 10, 0.95) == 0.0
    assert upper_bound(3, 10, 10, 0.95) == 0.3


def test_nothing_audited_bounds_nothing() -> None:
    assert upper_bound(0, 0, 40, 0.95) == 1.0
    assert upper_bound(0, 0, 0, 0.95) == 1.0
    assert clopper_pearson(0, 0, 0.95) == 1.0


def test_no_plan_allows_as_many_wrong_ones_as_it_is_to_rule_out() -> None:
    # One wrong of 24 is more than 2 in 100 already, even where all are looked at.
    assert sampling_plan(24, 0.02, 0.95, 1).allowed == 0
    assert sampling_plan(100, 0.02, 0.95, 5).allowed == 2


def test_two_in_a_hundred_of_fifty_is_one_and_the_second_is_too_many() -> None:
    assert least_too_many(50, 0.02) == 2
    assert least_too_many(30, 0.02) == 1


def test_large_samples_stay_within_what_floats_hold() -> None:
    assert clopper_pearson(400, 20_000, 0.95) == pytest.approx(0.0217, abs=1e-4)


@given(st.integers(1, 60), st.data())
def test_a_plan_that_is_kept_proves_its_bound(lot: int, data: st.DataObject) -> None:
    bound = data.draw(st.floats(0.01, 0.5))
    allowed = data.draw(st.integers(0, 2))
    plan = sampling_plan(lot, bound, 0.9, allowed)
    bad = least_too_many(lot, bound)
    assert plan.allowed <= allowed
    assert chance_of_at_most(plan.allowed, plan.sample, bad, lot) <= 0.1 + 1e-9
    assert upper_bound(min(plan.allowed, plan.sample), plan.sample, lot, 0.9) <= bound + 1e-9
    assert chance_of_at_most(plan.allowed, plan.sample - 1, bad, lot) > 0.1


@given(st.integers(1, 40), st.data())
def test_the_bound_covers_the_true_rate_as_often_as_it_says(lot: int, data: st.DataObject) -> None:
    bad = data.draw(st.integers(0, lot))
    sample = data.draw(st.integers(0, lot))
    missed = sum(
        chance_of_at_most(k, sample, bad, lot) - (chance_of_at_most(k - 1, sample, bad, lot) if k else 0.0)
        for k in range(max(0, sample - (lot - bad)), min(sample, bad) + 1)
        if upper_bound(k, sample, lot, 0.95) < bad / lot
    )
    assert missed <= 0.05 + 1e-9


@pytest.mark.parametrize("given_", [(10, 0.0, 0.95), (10, 0.02, 1.0), (-1, 0.02, 0.95)])
def test_shares_outside_nought_and_one_are_refused(given_: tuple[int, float, float]) -> None:
    with pytest.raises(ValueError, match="shares between 0 and 1"):
        sampling_plan(*given_)
