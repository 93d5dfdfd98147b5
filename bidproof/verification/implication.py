"""Whether one rule asks for no more than another, by their predicates.

Belongs here: what follows from what between rules, whatever a bid says. Does not belong here: verdicts (`consistency`).
"""

from __future__ import annotations

from collections.abc import Hashable

from bidproof.facts import fold
from bidproof.judging.concept import asks_absence
from bidproof.judging.words import MEASURE_GENERIC, concept_terms, coverage
from bidproof.records import Predicate, Requirement

Alternatives = tuple[tuple[Predicate, ...], ...]


def alternatives(rule: Requirement) -> Alternatives:
    """The rule's groups of predicates; one of them is enough."""
    groups: dict[int, list[Predicate]] = {}
    for predicate in rule.predicates:
        groups.setdefault(predicate.group, []).append(predicate)
    return tuple(tuple(group) for _, group in sorted(groups.items()))


def subject(predicate: Predicate) -> Hashable:
    """What a predicate is about: equal for two that differ at most in how much they ask."""
    words = tuple(sorted(fold(word) for word in predicate.measure))
    terms = tuple(sorted(fold(term) for term in predicate.terms))
    return predicate.kind, words, terms, fold(predicate.code), predicate.unit, predicate.base, predicate.per


def _bare(predicate: Predicate) -> Predicate:
    """Without what the rule's own wording and place decide."""
    return predicate.model_copy(update={"text": "", "group": 0, "measure": (), "terms": ()})


def implies(one: Predicate, other: Predicate) -> bool:
    """Whatever holds `one` holds `other`: at least 120 days is at least 90; an edition is the standard."""
    if subject(one) != subject(other):
        return False
    if _bare(one) == _bare(other):
        return True
    if one.kind == "standard":
        looser = {"edition": "", "date": "", "valid_on_submission": False}
        given = {name: getattr(other, name) for name in looser}
        kept = {name: value if given[name] == value else getattr(one, name) for name, value in looser.items()}
        return _bare(one).model_copy(update=kept) == _bare(other)
    if one.kind != "quantity" or one.value is None or other.value is None or one.readings or other.readings:
        return False
    if one.value_max is not None or other.value_max is not None:
        return False
    floors, ceilings = ((">=", ">"), ("<=", "<"))
    if one.comparator in floors and other.comparator in floors:
        strict = other.comparator == ">" and one.comparator == ">="
        return one.value > other.value or (one.value == other.value and not strict)
    if one.comparator in ceilings and other.comparator in ceilings:
        strict = other.comparator == "<" and one.comparator == "<="
        return one.value < other.value or (one.value == other.value and not strict)
    return False


def asks_no_more(weak: Requirement, strong: Requirement) -> bool:
    """Whatever meets `strong` meets `weak`: each way to meet it holds all predicates of some way to meet `weak`.

    A rule that asks for the absence of something and one that asks for it have the same terms and nothing in common.
    """
    ways, stricter = alternatives(weak), alternatives(strong)
    if not ways or not stricter or asks_absence(weak) != asks_absence(strong):
        return False
    return all(
        any(all(any(implies(p, q) for p in given) for q in asked) for asked in ways) for given in stricter
    )


def same_matter(one: Requirement, other: Requirement) -> bool:
    """Both rules speak of the same things: each telling word of one is named by the other, figures aside."""
    first, second = (concept_terms([rule.text], generic=MEASURE_GENERIC) for rule in (one, other))
    return bool(first and second) and coverage(first, second) == coverage(second, first) == 1.0
