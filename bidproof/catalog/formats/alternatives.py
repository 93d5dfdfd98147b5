"""Alternatives as a catalog file marks them: what is unmarked holds in each of them.

In records every predicate belongs to one group, and each group is a way to comply with all that it takes. In a file
what all groups share stands once and without a mark. Turns one into the other; reads and writes no words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bidproof.records import Predicate

Marked = tuple[Predicate, bool]
"""A predicate and whether its file gives it a mark of its own."""


def spread(given: Sequence[Marked]) -> tuple[Predicate, ...]:
    """Predicates with their groups: an unmarked one beside marked ones is put into each of their groups.

    It stays at its place in the first group, and its copies for the others follow at the end.
    """
    groups = sorted({predicate.group for predicate, marked in given if marked})
    if not groups:
        return tuple(predicate for predicate, _ in given)
    shared = [predicate for predicate, marked in given if not marked]
    first = [p if marked else p.model_copy(update={"group": groups[0]}) for p, marked in given]
    copies = [p.model_copy(update={"group": group}) for group in groups[1:] for p in shared]
    return (*first, *copies)


def gathered(predicates: Sequence[Predicate]) -> tuple[Marked, ...]:
    """Predicates as a file gives them, each once where all groups share it; `spread` makes the very same of them.

    Where that would not be the same (copies at other places, a group with nothing of its own) all are marked.
    """
    groups = sorted({predicate.group for predicate in predicates})
    if groups in ([], [0]):
        return tuple((predicate, False) for predicate in predicates)
    full = tuple((predicate, True) for predicate in predicates)
    if len(groups) == 1:
        return full
    own = {group: [_bare(p) for p in predicates if p.group == group] for group in groups}
    shared = [one for one in own[groups[0]] if all(one in own[group] for group in groups[1:])]
    short = tuple(
        (_bare(p), False) if _bare(p) in shared else (p, True)
        for p in predicates
        if p.group == groups[0] or _bare(p) not in shared
    )
    return short if spread(short) == tuple(predicates) else full


def oddities(predicates: Sequence[Predicate]) -> Iterator[str]:
    """What is odd in the alternatives of a rule, one line each."""
    groups = sorted({predicate.group for predicate in predicates})
    if len(groups) == 1 and groups[0]:
        yield (
            f"alternative {groups[0]} is the only one, so all its predicates must hold, and those without a mark "
            "too; mark the other way to comply as well, or none"
        )
    own = {group: [_bare(p) for p in predicates if p.group == group] for group in groups}
    for one in groups:
        for other in groups:
            less = all(predicate in own[other] for predicate in own[one])
            same = less and all(predicate in own[one] for predicate in own[other])
            if one != other and less and (one < other or not same):
                yield f"alternative {other} asks all that alternative {one} asks, so it decides nothing"


def _bare(predicate: Predicate) -> Predicate:
    return predicate.model_copy(update={"group": 0})
