"""Joining ranked lists into one.

Holds weighted reciprocal rank fusion and nothing else. What a list ranks, and what follows from a fused rank,
stand with its callers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def reciprocal_rank_fusion(
    ranks: Mapping[str, Mapping[int, int]], weights: Mapping[str, float], k: int
) -> dict[int, float]:
    """Fused score of every item that any list holds: the sum of `weight / (k + rank)` over its lists.

    A list is a mapping of item to rank, from 1; every item has its own rank, since one constant rank for a
    whole pool lifts hundreds of items above the eleventh hit of a true ranking. An item of a list of weight
    zero stays in the result with what its other lists give. (Cormack, Clarke and Buettcher, SIGIR 2009.)
    """
    fused: dict[int, float] = {}
    for leg in sorted(ranks):
        for item, rank in ranks[leg].items():
            fused[item] = fused.get(item, 0.0) + weights.get(leg, 1.0) / (k + rank)
    return fused


def ranks_of(items: Sequence[int]) -> dict[int, int]:
    """Items of a ranked list with their ranks, from 1."""
    return {item: rank for rank, item in enumerate(items, start=1)}
