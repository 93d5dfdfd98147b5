"""Each measure against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from bidproof.evaluation.metrics import (
    accuracy,
    average_precision,
    char_precision,
    char_recall,
    f1_of,
    false_share,
    figure,
    found_ranks,
    hit_at,
    mean_figure,
    merged,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
    shared_chars,
)


def ranking(*held: set[int]) -> list[frozenset[int]]:
    return [frozenset(one) for one in held]


NONE: set[int] = set()


def test_a_gold_span_counts_at_the_first_candidate_that_holds_it() -> None:
    assert found_ranks(ranking(NONE, {1}, {0, 1}, {0}), 3) == [3, 2, None]


def test_recall_is_the_share_of_spans_and_hit_asks_for_one() -> None:
    found = ranking(NONE, {1}, {0, 1})
    assert recall_at(found, 3, 1) == 0.0
    assert recall_at(found, 3, 2) == pytest.approx(1 / 3)
    assert recall_at(found, 3, 3) == pytest.approx(2 / 3)
    assert [hit_at(found, 3, k) for k in (1, 2, 3)] == [0.0, 1.0, 1.0]


def test_k_above_the_number_of_candidates_changes_nothing() -> None:
    found = ranking({0}, NONE)
    assert recall_at(found, 2, 99) == 0.5
    assert hit_at(found, 2, 99) == 1.0
    assert ndcg_at(found, 1, 99) == 1.0


def test_empty_places_count_as_wrong_in_precision() -> None:
    assert precision_at(ranking({0}, {0}), 1, 5) == pytest.approx(2 / 5)
    assert precision_at(ranking({0}, NONE, {1}, NONE, NONE, {0}), 2, 5) == pytest.approx(2 / 5)


@pytest.mark.parametrize("measure", [reciprocal_rank, average_precision, ndcg_at, precision_at])
def test_a_rule_without_gold_is_in_no_mean(measure) -> None:  # type: ignore[no-untyped-def]
    assert measure(ranking(NONE, NONE), 0) is None
    assert mean_figure([None, 1.0, 0.0]).n == 2
    assert mean_figure([None]).model_dump() == {"value": None, "n": 0, "low": None, "high": None}


def test_a_rule_whose_gold_nobody_found_scores_zero() -> None:
    for measure in (reciprocal_rank, average_precision, ndcg_at, precision_at):
        assert measure(ranking(NONE, NONE), 2) == 0.0
        assert measure([], 2) == 0.0


def test_reciprocal_rank_looks_at_the_first_hit_only() -> None:
    assert reciprocal_rank(ranking(NONE, NONE, {1}, {0}), 2) == pytest.approx(1 / 3)


def test_average_precision_by_hand() -> None:
    # Hits at ranks 1, 3 and 6 of three spans: (1/1 + 2/3 + 3/6) / 3.
    found = ranking({0}, NONE, {1}, NONE, NONE, {2})
    assert average_precision(found, 3) == pytest.approx((1 + 2 / 3 + 3 / 6) / 3)
    # A fourth span that nothing holds counts as 0.
    assert average_precision(found, 4) == pytest.approx((1 + 2 / 3 + 3 / 6) / 4)


def test_a_candidate_that_repeats_a_span_earns_nothing_and_one_with_two_earns_for_both() -> None:
    assert average_precision(ranking({0}, {0}, {1}), 2) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(ranking({0, 1}), 2) == 1.0
    assert average_precision(ranking(NONE, {0, 1}), 2) == 0.5


def test_ndcg_by_hand() -> None:
    # Gains at ranks 2 and 4 of two spans, against ranks 1 and 2.
    found = ranking(NONE, {0}, NONE, {1})
    best = 1 + 1 / math.log2(3)
    assert ndcg_at(found, 2) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)
    assert ndcg_at(found, 2, 3) == pytest.approx((1 / math.log2(3)) / best)
    assert ndcg_at(ranking({0, 1}), 2) == 1.0
    # One found at rank 1, one never: the best order would have both in front.
    assert ndcg_at(ranking({0}), 2) == pytest.approx(1 / best)
    # Only one place: one hit is all that there can be.
    assert ndcg_at(ranking({0}), 2, 1) == 1.0


def test_ranges_that_touch_or_overlap_count_once() -> None:
    assert merged([(5, 9), (0, 3), (3, 4), (7, 12), (20, 20)]) == [(0, 4), (5, 12)]
    assert shared_chars([(0, 10), (5, 15)], [(8, 12), (9, 20)]) == 7
    assert shared_chars([], [(0, 5)]) == 0


def test_character_precision_and_recall_by_hand() -> None:
    found, gold = [(0, 10), (5, 20)], [(15, 25)]
    assert char_precision(found, gold) == pytest.approx(5 / 20)
    assert char_recall(found, gold) == pytest.approx(5 / 10)
    assert char_precision([], gold) == 0.0
    assert char_recall([], gold) == 0.0
    assert char_precision(found, []) is None
    assert char_recall(found, [(3, 3)]) is None


def test_a_figure_carries_its_wilson_interval() -> None:
    # 8 of 10, by the published formula.
    one = figure(0.8, 10)
    assert (one.low, one.high) == (pytest.approx(0.490162, abs=1e-5), pytest.approx(0.943318, abs=1e-5))
    assert figure(1.0, 22).high == 1.0
    assert figure(0.0, 22).low == 0.0
    with pytest.raises(ValueError, match="no share"):
        figure(1.2, 3)


def test_intervals_of_counts_are_those_of_the_trust_metrics() -> None:
    from bidproof.scoring import wilson

    rate, one = wilson(3, 7), figure(3 / 7, 7)
    assert rate.low == pytest.approx(one.low, abs=1e-6)
    assert rate.high == pytest.approx(one.high, abs=1e-6)


LABELS = ["Pass", "Pass", "Fail", "Missing", "Fail"]
SAID = ["Pass", "Fail", "Fail", "Pass", "Missing"]


def test_accuracy_and_f1_by_hand() -> None:
    assert accuracy(LABELS, SAID).value == pytest.approx(2 / 5)
    # Pass: one right, one missed, one too many. Fail: one right, one missed, one too many.
    assert f1_of(LABELS, SAID, "Pass").value == pytest.approx(2 / (2 + 2))
    assert f1_of(LABELS, SAID, "Fail").n == 3
    assert f1_of(LABELS, SAID, "Partial").value is None
    assert f1_of(LABELS, SAID, "Missing").value == 0.0


def test_the_false_pass_rate_is_over_all_that_was_passed() -> None:
    rate = false_share(LABELS, SAID, "Pass", ("Fail", "Missing"))
    assert (rate.value, rate.n) == (0.5, 2)
    assert false_share(LABELS, ["Fail"] * 5, "Pass", ("Fail",)).value is None
