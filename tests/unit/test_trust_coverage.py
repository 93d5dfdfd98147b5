"""Risk and coverage: how much can be left to the machine before its Passes are wrong too often."""

from __future__ import annotations

import pytest

from bidproof.evaluation.trust import Decision, coverage_figures, decision_of, risk_coverage


def sure(status: str) -> Decision:
    return Decision(status=status, needs_review=False)


def doubted(status: str, doubts: int = 1, left_over: int = 0) -> Decision:
    return Decision(status=status, needs_review=True, doubts=doubts, left_over=left_over)


def finding(status: str, reason: str, review: bool = True) -> dict[str, object]:
    return {"status": status, "needs_review": review, "review_reason": reason}


def test_words_left_over_are_counted_apart_from_other_doubts() -> None:
    found = decision_of(finding("Pass", "unexplained: benches, twelve; echo; not shown: hse, policy, plan"))
    assert (found.doubts, found.left_over) == (1, 5)


def test_a_flag_without_a_reason_is_a_doubt() -> None:
    assert decision_of(finding("Pass", "")).doubts == 1
    assert decision_of(finding("Pass", "", review=False)).level == (0, 0, 0)


def test_what_only_words_speak_against_is_surer_than_any_other_doubt() -> None:
    few, many = doubted("Pass", 0, 1), doubted("Pass", 0, 9)
    assert sure("Pass").level < few.level < many.level < doubted("Pass", 1).level < sure("Partial").level


def test_the_curve_begins_with_the_sure_and_ends_before_the_partials() -> None:
    labels = [("Pass",), ("Missing",), ("Fail",), ("Pass",)]
    curve = risk_coverage(labels, [sure("Pass"), sure("Missing"), doubted("Pass"), doubted("Partial")])
    assert [point.coverage.value for point in curve] == [0.5, 0.75]
    assert [point.false_pass.value for point in curve] == [0.0, 0.5]
    assert [point.wrong.value for point in curve] == [0.0, pytest.approx(1 / 3, abs=1e-6)]


def test_equal_confidence_is_one_point_whatever_the_order() -> None:
    labels, said = [("Fail",), ("Pass",)], [sure("Pass"), sure("Pass")]
    assert risk_coverage(labels, said) == risk_coverage(labels[::-1], said)
    assert len(risk_coverage(labels, said)) == 1


def test_the_share_left_to_the_machine_stops_where_its_passes_are_wrong_too_often() -> None:
    labels = [("Pass",)] * 98 + [("Missing",)] * 2
    said = [sure("Pass")] * 98 + [doubted("Pass"), doubted("Pass", 2)]
    figures = coverage_figures(labels, said)
    assert figures["automatic"].value == 0.98
    assert figures["automatic_false_pass"].value == 0.0
    # One of 99 wrong is under 2 in 100; so are two of 100.
    assert figures["automatic_at_2"].value == 1.0
    # But no sample of a hundred shows that: the upper end of 0 of 98 is 0.038.
    assert figures["automatic_sure_at_2"].value == 0.0


def test_a_wrong_pass_among_the_surest_leaves_nothing_to_the_machine() -> None:
    figures = coverage_figures([("Fail",), ("Pass",)], [sure("Pass"), doubted("Pass")])
    assert figures["automatic_at_2"].value == 0.0
    assert figures["automatic_false_pass"].value == 1.0


def test_a_wrong_fail_is_told_beside_the_wrong_passes() -> None:
    labels = [("Pass",), ("Fail",), ("Missing",), ("Pass",)]
    figures = coverage_figures(labels, [sure("Fail"), sure("Fail"), sure("Fail"), doubted("Fail")])
    assert figures["automatic_false_fail"].value == pytest.approx(1 / 3, abs=1e-6)
    assert figures["automatic_false_pass"].n == 0


def test_no_decisions_give_no_figures() -> None:
    assert coverage_figures([], [])["automatic"].value is None
