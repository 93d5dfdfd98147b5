"""Rates with their uncertainty. Holds the formula only; what is counted is the caller's business."""

from __future__ import annotations

from math import sqrt

from bidproof.records import Record

Z95 = 1.959963984540054


class Rate(Record):
    """A share with its numerator, denominator and confidence interval; all shares are 0 to 1.

    `value`, `low` and `high` are empty when nothing was counted.
    """

    numerator: int
    denominator: int
    value: float | None
    low: float | None
    high: float | None


def wilson(k: int, n: int, z: float = Z95) -> Rate:
    """The share `k` of `n` with its Wilson score interval (Wilson, 1927), 95% by default.

    Raises:
        ValueError: `k` is negative or above `n`.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no share")
    if n == 0:
        return Rate(numerator=0, denominator=0, value=None, low=None, high=None)
    share = k / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    return Rate(
        numerator=k,
        denominator=n,
        value=share,
        low=0.0 if k == 0 else max(0.0, centre - half),
        high=1.0 if k == n else min(1.0, centre + half),
    )
