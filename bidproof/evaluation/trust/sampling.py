"""Acceptance sampling: how many of a lot to audit for a bound on its rate of wrong ones, and the bound after an audit.

Exact, by the hypergeometric distribution for lots that end and the binomial for those that do not; every count is a
whole number until the last division. Knows numbers only; what a lot is made of stands in `lots`.
"""

from __future__ import annotations

import math

from bidproof.records import Record


class SamplingPlan(Record):
    """Audit `sample` of `lot`; the lot is accepted where at most `allowed` of them are wrong.

    A lot of which more than `bound` are wrong is accepted with a chance of at most 1 - `confidence`. Where `sample`
    is the whole lot the audit is no sample: nothing smaller would tell.
    """

    lot: int
    bound: float
    confidence: float
    allowed: int
    sample: int

    @property
    def whole(self) -> bool:
        """Every one of the lot is audited."""
        return self.sample == self.lot


def chance_of_at_most(wrong: int, sample: int, bad: int, lot: int) -> float:
    """Chance that a sample of `sample`, drawn without return from `lot` with `bad` wrong ones, shows `wrong` or fewer.

    Raises:
        ValueError: more are drawn, or wrong, than the lot holds.
    """
    if not (0 <= sample <= lot and 0 <= bad <= lot):
        raise ValueError(f"a lot of {lot} has no sample of {sample} and no {bad} wrong ones")
    ways = sum(
        math.comb(bad, seen) * math.comb(lot - bad, sample - seen)
        for seen in range(max(0, sample - (lot - bad)), min(wrong, bad, sample) + 1)
    )
    return ways / math.comb(lot, sample)


def sampling_plan(lot: int, bound: float, confidence: float, allowed: int = 0) -> SamplingPlan:
    """The smallest sample of `lot` that accepts it with `allowed` wrong ones and still shows `bound`.

    The lots to be found out are those of more than `bound` wrong ones, so of at least ⌊bound * lot⌋ + 1 of them: with
    more wrong ones the chance of acceptance only falls. As many as that can never be allowed, so the plan of a small
    lot allows fewer than were asked for.

    Raises:
        ValueError: a share is not between 0 and 1, or a count is below 0.
    """
    if not (0 < bound < 1 and 0 < confidence < 1 and lot >= 0 and allowed >= 0):
        raise ValueError("bound and confidence are shares between 0 and 1, counts are not below 0")
    bad = least_too_many(lot, bound)
    allowed = min(allowed, bad - 1)
    low, high = 0, lot
    while low < high:
        middle = (low + high) // 2
        if chance_of_at_most(allowed, middle, bad, lot) > 1 - confidence + _ROUNDING:
            low = middle + 1
        else:
            high = middle
    return SamplingPlan(lot=lot, bound=bound, confidence=confidence, allowed=allowed, sample=low)


_ROUNDING = 1e-12


def least_too_many(lot: int, bound: float) -> int:
    """The least number of wrong ones that is more than `bound` of `lot`; 2% of 50 is 1 and not 0.9999."""
    return min(max(lot, 1), math.floor(bound * lot + 1e-9) + 1)


def upper_bound(wrong: int, sample: int, lot: int, confidence: float) -> float:
    """One-sided upper bound on the share of wrong ones in `lot` after `wrong` of `sample` were: 1 where none was drawn.

    The largest share under which so few are not less likely than 1 - `confidence`; what is known counts: a lot that was
    audited whole has its own rate.

    Raises:
        ValueError: more are wrong than drawn, or drawn than the lot holds.
    """
    if not 0 <= wrong <= sample <= lot:
        raise ValueError(f"{wrong} wrong of {sample} drawn of {lot} is no audit")
    if not lot:
        return 1.0
    low, high = wrong, lot - (sample - wrong)
    while low < high:
        middle = (low + high + 1) // 2
        if chance_of_at_most(wrong, sample, middle, lot) > 1 - confidence + _ROUNDING:
            low = middle
        else:
            high = middle - 1
    return low / lot


def clopper_pearson(wrong: int, sample: int, confidence: float) -> float:
    """One-sided upper bound on a rate after `wrong` of `sample` (Clopper and Pearson, 1934): no end to the lot.

    The rate at which so few are seen with a chance of 1 - `confidence`; 1 where all were wrong or none was drawn.

    Raises:
        ValueError: more are wrong than drawn.
    """
    if not 0 <= wrong <= sample:
        raise ValueError(f"{wrong} wrong of {sample} drawn is no audit")
    if wrong == sample:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        seen = math.fsum(math.exp(_log_chance(k, sample, middle)) for k in range(wrong + 1))
        low, high = (middle, high) if seen > 1 - confidence else (low, middle)
    return high


def _log_chance(wrong: int, sample: int, rate: float) -> float:
    """Logarithm of the binomial chance of `wrong` of `sample`; as a plain product it leaves the range of floats."""
    ways = math.lgamma(sample + 1) - math.lgamma(wrong + 1) - math.lgamma(sample - wrong + 1)
    return ways + wrong * math.log(rate) + (sample - wrong) * math.log1p(-rate)
