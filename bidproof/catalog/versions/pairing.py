"""Which rule of one catalog is which of another: by id, else by what the rules say.

Pairs only; what differs inside a pair is for `diff`. A changed figure is a change, never a drop and an addition.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from bidproof.catalog.versions.likeness import figures, likeness, same_clause
from bidproof.facts import fold
from bidproof.records import Requirement

SAME_ID = 0.5
"""Likeness from which rules of one id are the same at once; unlike ones may have been renumbered."""
SAME_CLAUSE = 0.6
"""Likeness that makes rules of one clause the same."""
ANYWHERE = 0.75
"""Likeness that makes rules of different clauses the same."""

Pair = tuple[Requirement, Requirement]


def pair_rules(old: Sequence[Requirement], new: Sequence[Requirement]) -> list[Pair]:
    """Pairs of rules, each rule in one pair at most; the order of the catalogs plays no part.

    First equal ids with like words, then equal words under other ids, then like words, best first, and at last
    equal ids whose words have nothing in common.
    """
    left, right = {r.rule_id: r for r in old}, {r.rule_id: r for r in new}
    pairs: list[Pair] = []

    def take(found: Iterable[Pair]) -> None:
        for one, other in found:
            if one.rule_id in left and other.rule_id in right:
                pairs.append((left.pop(one.rule_id), right.pop(other.rule_id)))

    take(_same_ids(left, right, lambda one, other: fold(one.text) == fold(other.text)))
    take(_same_words(left.values(), right.values()))
    take(_same_ids(left, right, lambda one, other: likeness(one.text, other.text) >= SAME_ID))
    take(_like_words(left.values(), right.values()))
    take(_same_ids(left, right, lambda one, other: True))
    return sorted(pairs, key=lambda pair: (pair[1].rule_id, pair[0].rule_id))


def _same_ids(
    left: dict[str, Requirement],
    right: dict[str, Requirement],
    alike: Callable[[Requirement, Requirement], bool],
) -> list[Pair]:
    shared = sorted(left.keys() & right.keys())
    return [(left[name], right[name]) for name in shared if alike(left[name], right[name])]


def _same_words(old: Iterable[Requirement], new: Iterable[Requirement]) -> list[Pair]:
    """Rules whose words stand once on either side."""
    before, after = list(old), list(new)
    counts = Counter(fold(r.text) for r in before), Counter(fold(r.text) for r in after)
    by_text = {fold(rule.text): rule for rule in after}
    return [
        (rule, by_text[text])
        for rule in before
        if counts[0][text := fold(rule.text)] == 1 and counts[1][text] == 1
    ]


def _like_words(old: Iterable[Requirement], new: Iterable[Requirement]) -> list[Pair]:
    """Rules that say the same but for figures and a few words, the most alike first."""
    before, after = list(old), list(new)
    found = []
    holding: dict[str, list[Requirement]] = defaultdict(list)
    for rule in after:
        for word in {word for word in fold(rule.text).split() if len(word) > 3}:
            holding[word].append(rule)
    for one in before:
        near = {r.rule_id: r for word in set(fold(one.text).split()) for r in holding.get(word, ())}
        for other in near.values():
            score, beside = likeness(one.text, other.text), same_clause(one, other)
            if score >= (SAME_CLAUSE if beside else ANYWHERE):
                kept = figures(one.text) == figures(other.text)
                found.append(
                    ((-round(score, 9), not beside, not kept, one.rule_id, other.rule_id), (one, other))
                )
    return [pair for _, pair in sorted(found, key=lambda each: each[0])]
