"""Several limits of one kind in a rule, and which figure of a statement answers which.

Belongs here: giving each figure to the limit that it fits best. Does not belong here: how well a figure fits (`topic`).
"""

from __future__ import annotations

from collections.abc import Sequence

from bidproof.facts import convert
from bidproof.judging.topic import figure_fit
from bidproof.judging.units import Unit
from bidproof.records import Fact, Predicate, Requirement


def answers_sibling(
    predicate: Predicate, requirement: Requirement, unit: Unit, fact: Fact, rivals: Sequence[Fact]
) -> bool:
    """The figure fits another limit of the rule better, and there is one that fits this limit better.

    "Recovery time is 2 hours and recovery point is 10 minutes": 2 hours are no recovery point.
    """
    if len(rivals) < 2:
        return False
    siblings = [
        p
        for p in requirement.predicates
        if p.kind == "quantity" and p.group == predicate.group and p != predicate
        if convert(1.0, p.unit, predicate.unit) is not None
    ]
    if not siblings:
        return False

    def fit(limit: Predicate, figure: Fact) -> float:
        return round(figure_fit(limit, requirement, unit, figure, rivals), 6)

    mine = fit(predicate, fact)
    better = any(fit(predicate, other) > mine for other in rivals if other is not fact)
    return better and any(fit(limit, fact) > mine for limit in siblings)
