"""Risk and coverage: how many decisions can be left to the machine, and how many of its Passes are then wrong.

A risk-coverage curve (El-Yaniv and Wiener, 2010): decisions in order of confidence, and at each place of the order the
share that is decided without a person beside the share of wrong Passes in it. Knows labels and decisions only.
"""

from __future__ import annotations

from collections.abc import Sequence

from bidproof.evaluation.metrics import Figure, figure, mean_figure
from bidproof.evaluation.trust.decisions import Decision
from bidproof.records import Record, Status

TOLERATED = 0.02
"""False-Pass rate up to which decisions are left to the machine in `automatic_at_2`."""
_FALSE = (Status.FAIL.value, Status.MISSING.value)


class CurvePoint(Record):
    """All decisions at least as sure as `level`: how many they are, and how many of their Passes are wrong.

    `coverage` is their share of all decisions, `false_pass` the share of wrong ones among their Passes, `wrong` the
    share of them whose verdict is not the label.
    """

    level: tuple[int, int, int]
    coverage: Figure
    false_pass: Figure
    wrong: Figure


def risk_coverage(labels: Sequence[tuple[str, ...]], decisions: Sequence[Decision]) -> list[CurvePoint]:
    """The curve over labelled decisions, surest first; one point for each level that occurs.

    Ends before the Partials: they ask for a person, so that none of them is ever decided by the machine. A label is a
    tuple of the verdicts that count as right. A Pass is false where its label is Fail or Missing.
    """
    pairs = sorted(zip(labels, decisions, strict=True), key=lambda pair: pair[1].level)
    points = []
    for number, (_, last) in enumerate(pairs, start=1):
        if last.status == Status.PARTIAL:
            break
        if number < len(pairs) and pairs[number][1].level == last.level:
            continue
        taken = pairs[:number]
        passes = [right for right, one in taken if one.status == Status.PASS]
        points.append(CurvePoint(
            level=last.level,
            coverage=figure(number / len(pairs), len(pairs)),
            false_pass=mean_figure(float(_is_false(right)) for right in passes),
            wrong=mean_figure(float(one.status not in right) for right, one in taken),
        ))  # fmt: skip
    return points


def _is_false(right: tuple[str, ...]) -> bool:
    return Status.PASS not in right and right[0] in _FALSE


def coverage_figures(labels: Sequence[tuple[str, ...]], decisions: Sequence[Decision]) -> dict[str, Figure]:
    """Figures of decisions that no person would look at, and of the curve.

    `automatic` is the share of decisions without a flag, `automatic_accuracy` the share of them that are the label,
    `automatic_false_pass` the share of wrong ones among their Passes, `automatic_false_fail` the share of their Fails
    whose label is Pass. `automatic_at_2` is the largest share of all
    decisions, taken in order of confidence, whose Passes are wrong in at most 2 of 100; 0 where there is none.
    `automatic_sure_at_2` is the same where the upper end of the rate's interval must hold.
    """
    points = risk_coverage(labels, decisions)
    alone = [
        (right, one)
        for right, one in zip(labels, decisions, strict=True)
        if not one.needs_review and one.status != Status.PARTIAL
    ]
    total = len(decisions)
    return {
        "automatic": figure(len(alone) / total if total else None, total),
        "automatic_accuracy": mean_figure(float(one.status in right) for right, one in alone),
        "automatic_false_pass": mean_figure(float(_is_false(right)) for right, one in alone if one.status == Status.PASS),
        "automatic_false_fail": mean_figure(
            float(Status.PASS in right) for right, one in alone if one.status == Status.FAIL
        ),
        "automatic_at_2": _largest(points, total, sure=False),
        "automatic_sure_at_2": _largest(points, total, sure=True),
    }  # fmt: skip


def _largest(points: Sequence[CurvePoint], total: int, *, sure: bool) -> Figure:
    """Coverage of the last point whose false-Pass rate holds; decisions without any Pass can have no wrong one."""
    held = 0.0
    for point in points:
        rate = point.false_pass.high if sure else point.false_pass.value
        if rate is None or rate <= TOLERATED:
            held = point.coverage.value or 0.0
    return figure(held if total else None, total)
