"""How relevant each chunk of a pack is to one rule: the legs' scores, standardised, and those of the page around it.

Holds score fusion over all chunks of a pack. Must not hold a leg's own search (`lexical`, `dense`), rank fusion
(`fusion`) or what a rule asks for (`evidence`). No weight here depends on other rules or other packs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

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
        pages: document and page of each chunk, in the order of the index; a chunk over a page break has two.
        params: weights.
    """

    def __init__(self, pages: Sequence[Sequence[tuple[str, int]]], params: RetrievalParams) -> None:
        self._params, self._chunks = params, len(pages)
        number: dict[tuple[str, int], int] = {}
        members = [
            (number.setdefault(page, len(number)), chunk)
            for chunk, its_pages in enumerate(pages)
            for page in its_pages
        ]
        self._page = np.array([page for page, _ in members], dtype=np.int64)
        self._chunk = np.array([chunk for _, chunk in members], dtype=np.int64)
        sizes = np.bincount(self._page, minlength=len(number))
        self._first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)

    def of(
        self, lexical: FloatArray, dense: FloatArray | None, learned: FloatArray | None = None
    ) -> Relevance:
        """Relevance of every chunk from the scores of the legs; without the dense leg the lexical one has all weight.

        `learned` are scores of a sparse model, which take their share of the lexical leg's weight.
        """
        params = self._params
        share = 0.0 if dense is None else params.alpha
        said = standardised(lexical)
        if learned is not None:
            said = (1.0 - params.sparse_share) * said + params.sparse_share * standardised(learned)
        own = params.score_relevance * (1.0 - share) * said
        meant = np.zeros(len(own)) if dense is None else params.score_relevance * share * standardised(dense)
        return Relevance(own, meant, params.page_weight * self._page_evidence(own + meant))

    def best(self, scores: FloatArray, top: int, id_order: npt.NDArray[np.int64]) -> list[int]:
        """Positions of the best `top` chunks above the pack's mean, then the best chunk of each of the best `top` pages.

        The rows of two tables can be the best thirty chunks, and thirty candidates are then two pages.
        """
        rounded = np.round(scores, 6)
        places = np.flatnonzero(rounded > 0)
        order = places[np.lexsort((id_order[places], -rounded[places]))]
        standing = np.full(self._chunks, len(order))
        standing[order] = np.arange(len(order))
        of_page = np.full(len(self._first), len(order))
        np.minimum.at(of_page, self._page, standing[self._chunk])
        leading = np.unique(of_page[of_page < len(order)])[:top]
        return list(dict.fromkeys(int(order[rank]) for rank in (*range(min(top, len(order))), *leading)))

    def _page_evidence(self, scores: FloatArray) -> FloatArray:
        """By how much the best few chunks of each chunk's page, in the mean, stand above those of the mean page.

        A table is many chunks, each cut from its neighbours: what several of them hint at is found by none alone. A page
        of fewer chunks is filled up with chunks of the pack's mean score, else one line alone would be the best page.
        """
        if not len(scores):
            return scores
        its = scores[self._chunk]
        order = np.lexsort((-its, self._page))
        on_page = np.arange(len(order)) - self._first[self._page[order]]
        kept = np.where(on_page < self._params.page_best, its[order] - scores.mean(), 0.0)
        mean = np.add.reduceat(kept, self._first) / self._params.page_best
        best = np.full(self._chunks, -np.inf)
        np.maximum.at(best, self._chunk, mean[self._page])
        found: FloatArray = best - best.mean()
        return found


def pages_of(chunks: pl.DataFrame) -> list[list[tuple[str, int]]]:
    """Document and pages of each chunk, in their order."""
    return [
        [(doc_id, one) for one in dict.fromkeys(pages or (page,))]
        for doc_id, page, pages in chunks.select("doc_id", "page", "pages").iter_rows()
    ]
