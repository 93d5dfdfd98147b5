"""Whether learning from confirmed evidence helps: ranks with and without it, on packs held out, and the decision.

Holds the comparison of figures and the rule for switching learning on. Searches nothing (`learning`) and stores nothing
(`learning_record`). A pack is the unit: rankings of one pack are not independent of one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bidproof.params import LearningParams
from bidproof.records import Record

CUT = 8
_GRAIN = 50_000


@dataclass(frozen=True)
class HeldOut:
    """Ranking of one pack without and with what was confirmed in the others: means over its rules, and their number."""

    pack: str
    rules: int
    mrr_without: float
    mrr_with: float
    recall_without: float
    recall_with: float

    @property
    def gain(self) -> float:
        """By how much the mean reciprocal rank rose."""
        return self.mrr_with - self.mrr_without


class LearningCheck(Record):
    """What learning gains on packs held out, and whether it is switched on; means over packs, None without any."""

    in_use: bool
    reason: str
    documents: int
    rules: int
    mrr_without: float | None = None
    mrr_with: float | None = None
    recall8_without: float | None = None
    recall8_with: float | None = None
    packs_better: int = 0
    packs_worse: int = 0
    p: float | None = None

    @property
    def line(self) -> str:
        """The check in one line for people."""
        state = "on" if self.in_use else "off"
        if self.mrr_with is None or self.mrr_without is None:
            return f"learning from confirmed evidence {state}: {self.reason}"
        return (
            f"learning from confirmed evidence {state}: {self.reason}; MRR {self.mrr_without:.3f} -> {self.mrr_with:.3f}, "
            f"recall@{CUT} {self.recall8_without:.3f} -> {self.recall8_with:.3f} over {self.documents} packs held out "
            f"({self.packs_better} better, {self.packs_worse} worse, p {self.p:.3f}), {self.rules} rankings"
        )


def decided(packs: Sequence[HeldOut], params: LearningParams) -> LearningCheck:
    """The check over packs held out, and its decision.

    Learning is on where all three hold: at least `min_documents` packs; their mean reciprocal ranks rose by more than
    chance gives (`max_p`); the share of evidence among the first eight candidates did not fall. Else it is off.
    """
    if not packs:
        return LearningCheck(
            in_use=False, reason="no rule has confirmed evidence in two packs", documents=0, rules=0
        )
    gains = [round(pack.gain, 9) for pack in packs]
    before, after = (_mean([getattr(pack, name) for pack in packs]) for name in ("mrr_without", "mrr_with"))
    seen, now = (_mean([getattr(pack, name) for pack in packs]) for name in ("recall_without", "recall_with"))
    p = chance_of_gain(gains)
    reason = _against(len(packs), after - before, p, now - seen, params)
    return LearningCheck(
        in_use=not reason, reason=reason or "the gain is beyond chance", documents=len(packs),
        rules=sum(pack.rules for pack in packs), mrr_without=before, mrr_with=after, recall8_without=seen,
        recall8_with=now, packs_better=sum(gain > 0 for gain in gains), packs_worse=sum(gain < 0 for gain in gains), p=p,
    )  # fmt: skip


def _against(packs: int, gain: float, p: float, recall: float, params: LearningParams) -> str:
    """What speaks against switching learning on; nothing where all holds."""
    if packs < params.min_documents:
        return f"{packs} packs held out, learning.min_documents is {params.min_documents}"
    if gain <= 0:
        return "no gain"
    if p > params.max_p:
        return f"the gain may be chance (learning.max_p is {params.max_p:g})"
    return f"evidence falls out of the first {CUT}" if recall < -1e-9 else ""


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 6)


def chance_of_gain(gains: Sequence[float]) -> float:
    """Chance that paired differences sum to as much or more when each sign is a coin's: one-sided, exact but for rounding.

    Fisher's randomisation test. The distribution of the sum is built up difference by difference on a grid of at most a
    hundred thousand steps, so that nothing is drawn and the result is always the same. Differences of zero tell nothing.
    """
    sizes = np.abs(np.asarray([gain for gain in gains if gain], dtype=np.float64))
    if not len(sizes):
        return 1.0
    step = float(sizes.sum()) / _GRAIN
    steps = np.rint(sizes / step).astype(np.int64)
    signs = np.asarray([1 if gain > 0 else -1 for gain in gains if gain], dtype=np.int64)
    total = int(steps.sum())
    chances = np.zeros(2 * total + 1)
    chances[total] = 1.0
    for size in steps:
        chances = (np.roll(chances, size) + np.roll(chances, -size)) / 2
    return round(min(1.0, float(chances[total + int((signs * steps).sum()) :].sum())), 6)
