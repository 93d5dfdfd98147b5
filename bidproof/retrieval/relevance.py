"""How relevant each chunk of a pack is to one rule: the legs' scores, standardised, and those of the page around it.

Holds score fusion over all chunks of a pack. Must not hold a leg's own search (`lexical`, `dense`), rank fusion
(`fusion`) or what a rule asks for (`evidence`). No weight here depends on other rules or other packs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bidproof.params import RetrievalParams

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Relevance:
    """Parts of the relevance of every chunk, in evidence points; position `i` is the index's chunk `i`."""

    lexical: FloatArray
    dense: FloatArray
    page: FloatArray

    @property
    def total(self) -> FloatArray:
        """Sum of the parts."""
        return self.lexical + self.dense + self.page


def standardised(scores: FloatArray) -> FloatArray:
    """Scores in standard deviations above their mean over the pack; zeros where all are the same.

    Says how far a hit stands out in its leg, which a rank does not: the first of a leg that found nothing gains little.
    """
    spread = float(scores.std()) if len(scores) else 0.0
    if spread <= 1e-12:
        return np.zeros(len(scores))
    found: FloatArray = (scores - scores.mean()) / spread
    return found


class PackRelevance:
    """What relevance needs to know of a pack, worked out once for all rules.

    Args:
        pages: document and page of each chunk, in the order of the index.
        params: weights.
    """

    def __init__(self, pages: Sequence[tuple[str, int]], params: RetrievalParams) -> None:
        self._params = params
        number: dict[tuple[str, int], int] = {}
        self._page = np.array([number.setdefault(page, len(number)) for page in pages], dtype=np.int64)
        sizes = np.bincount(self._page, minlength=len(number))
        self._first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)

    def of(self, lexical: FloatArray, dense: FloatArray | None) -> Relevance:
        """Relevance of every chunk from the scores of the two legs; without the dense leg the lexical one has all weight."""
        params = self._params
        share = 0.0 if dense is None else params.alpha
        own = params.score_relevance * (1.0 - share) * standardised(lexical)
        meant = np.zeros(len(own)) if dense is None else params.score_relevance * share * standardised(dense)
        return Relevance(own, meant, params.page_weight * self._page_evidence(own + meant))

    def _page_evidence(self, scores: FloatArray) -> FloatArray:
        """By how much the best few chunks of each chunk's page, in the mean, stand above those of the mean page.

        A table is many chunks, each cut from its neighbours: what several of them hint at is found by none alone. A page
        of fewer chunks is filled up with chunks of the pack's mean score, else one line alone would be the best page.
        """
        if not len(scores):
            return scores
        order = np.lexsort((-scores, self._page))
        on_page = np.arange(len(order)) - self._first[self._page[order]]
        above = scores[order] - scores.mean()
        kept = np.where(on_page < self._params.page_best, above, 0.0)
        mean = np.add.reduceat(kept, self._first) / self._params.page_best
        spread: FloatArray = mean[self._page] - mean[self._page].mean()
        return spread
