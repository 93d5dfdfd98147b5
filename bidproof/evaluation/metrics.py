"""Measures of rankings, spans and verdicts: pure functions on plain values, each by its published definition.

A ranking is a list of sets: for each candidate, best first, the numbers of the gold spans that stand wholly in it.
Knows neither chunks nor rules, and reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2, sqrt

from bidproof.records import Record
from bidproof.scoring.metrics import Z95

Ranking = Sequence[frozenset[int]]


class Figure(Record):
    """A mean of `n` values of 0 to 1 with its 95% Wilson interval; empty where nothing was counted."""

    value: float | None
    n: int
    low: float | None
    high: float | None


def figure(value: float | None, n: int, z: float = Z95) -> Figure:
    """The mean `value` of `n` values with its Wilson interval (Wilson, 1927), rounded to six digits.

    Values between 0 and 1 vary less than zeros and ones of the same mean, so for a mean of such values the interval
    is too wide rather than too narrow.

    Raises:
        ValueError: the mean is outside 0 to 1.
    """
    if n == 0 or value is None:
        return Figure(value=None, n=0, low=None, high=None)
    if not -1e-9 <= value <= 1 + 1e-9:
        raise ValueError(f"a mean of {value} is no share")
    share = min(max(value, 0.0), 1.0)
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return Figure(value=round(share, 6), n=n, low=round(low, 6), high=round(high, 6))


def mean_figure(values: Iterable[float | None]) -> Figure:
    """Mean of the values that are defined."""
    known = [value for value in values if value is not None]
    return figure(sum(known) / len(known) if known else None, len(known))


def found_ranks(ranking: Ranking, gold: int) -> list[int | None]:
    """Rank, from 1, of the first candidate that holds each of `gold` spans; None where none does."""
    first: dict[int, int] = {}
    for rank, held in enumerate(ranking, start=1):
        for number in held:
            first.setdefault(number, rank)
    return [first.get(number) for number in range(gold)]


def hit_at(ranking: Ranking, gold: int, k: int) -> float | None:
    """1 where a gold span is among the first `k` candidates, else 0; None without gold."""
    return None if not gold else float(any(ranking[:k]))


def recall_at(ranking: Ranking, gold: int, k: int) -> float | None:
    """Share of the gold spans among the first `k` candidates; None without gold."""
    if not gold:
        return None
    return sum(rank is not None and rank <= k for rank in found_ranks(ranking, gold)) / gold


def reciprocal_rank(ranking: Ranking, gold: int) -> float | None:
    """One over the rank of the first candidate with gold, 0 where none has it; None without gold."""
    if not gold:
        return None
    return next((1 / rank for rank, held in enumerate(ranking, start=1) if held), 0.0)


def average_precision(ranking: Ranking, gold: int) -> float | None:
    """Mean over the gold spans of the precision at the rank where each is first held, 0 for one never held.

    A candidate counts as right once it brings a span that none before it held: overlapping candidates earn nothing
    by repeating one, and one that holds two spans earns for both.
    """
    if not gold:
        return None
    ranks = found_ranks(ranking, gold)
    new = sorted({rank for rank in ranks if rank is not None})
    precision = {rank: place / rank for place, rank in enumerate(new, start=1)}
    return sum(precision[rank] for rank in ranks if rank is not None) / gold


def ndcg_at(ranking: Ranking, gold: int, k: int = 10) -> float | None:
    """Discounted gain of the first `k` candidates over that of the best order (Järvelin and Kekäläinen, 2002).

    A candidate gains 1 where it brings a new span. The best order has those candidates in front, then one for each
    span that no candidate holds.
    """
    if not gold:
        return None
    ranks = found_ranks(ranking, gold)
    new = {rank for rank in ranks if rank is not None}
    reachable = min(k, len(new) + sum(rank is None for rank in ranks))
    best = sum(1 / log2(place + 1) for place in range(1, reachable + 1))
    return sum(1 / log2(rank + 1) for rank in new if rank <= k) / best


def precision_at(ranking: Ranking, gold: int, k: int = 5) -> float | None:
    """Share of `k` places taken by candidates that hold a gold span; empty places count as wrong."""
    return None if not gold else sum(bool(held) for held in ranking[:k]) / k


Ranges = Sequence[tuple[int, int]]


def merged(ranges: Ranges) -> list[tuple[int, int]]:
    """Ranges in order, those that touch or overlap joined, empty ones dropped."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(one for one in ranges if one[1] > one[0]):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def shared_chars(one: Ranges, other: Ranges) -> int:
    """Characters that two lists of ranges have in common; overlaps within a list count once."""
    left, right, total = merged(one), merged(other), 0
    place = 0
    for start, end in left:
        while place < len(right) and right[place][1] <= start:
            place += 1
        at = place
        while at < len(right) and right[at][0] < end:
            total += min(end, right[at][1]) - max(start, right[at][0])
            at += 1
    return total


def char_precision(found: Ranges, gold: Ranges) -> float | None:
    """Share of the characters found that are gold; None without gold, 0 where nothing was found."""
    if not merged(gold):
        return None
    size = sum(end - start for start, end in merged(found))
    return shared_chars(found, gold) / size if size else 0.0


def char_recall(found: Ranges, gold: Ranges) -> float | None:
    """Share of the gold characters that were found; None without gold."""
    size = sum(end - start for start, end in merged(gold))
    return shared_chars(found, gold) / size if size else None


def accuracy(labels: Sequence[str], said: Sequence[str]) -> Figure:
    """Share of verdicts that are the label."""
    return mean_figure([float(label == one) for label, one in zip(labels, said, strict=True)])


def f1_of(labels: Sequence[str], said: Sequence[str], name: str) -> Figure:
    """F1 of one class; `n` counts what is of the class or was called so. Nothing to count gives no value."""
    right = sum(label == one == name for label, one in zip(labels, said, strict=True))
    either = sum(name in (label, one) for label, one in zip(labels, said, strict=True))
    return figure(2 * right / (right + either) if either else None, either)


def false_share(labels: Sequence[str], said: Sequence[str], name: str, wrong: Iterable[str]) -> Figure:
    """Of all that was called `name`, the share whose label is one of `wrong`."""
    false = set(wrong)
    return mean_figure(
        [float(label in false) for label, one in zip(labels, said, strict=True) if one == name]
    )
