"""What a cross-encoder changes in the figures of a labelled set, from one run with it and without.

Holds the comparison. Searches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bidproof.evaluation.found import Searched
from bidproof.evaluation.labelled import LabelledSet
from bidproof.evaluation.measuring import Figures, plain, retrieval_figures
from bidproof.records import Record
from bidproof.retrieval import Reranker

SHOWN = ("recall@8", "hit@5", "hit@10", "mrr", "map", "ndcg@10", "passage_recall")


class RerankerGain(Record):
    """Figures without the model, and by how much each is higher or lower with it."""

    model: str
    fingerprint: str
    without: Figures
    gain: dict[str, float]

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {**self.model_dump(exclude={"without"}), "without": plain(self.without)}

    @property
    def line(self) -> str:
        """The difference in one line for people."""
        shown = [f"{name} {self.gain[name]:+.3f}" for name in SHOWN if name in self.gain]
        return f"cross-encoder {self.model}, against the same run without it: {', '.join(shown) or 'nothing to rank'}"


def reranker_gain(
    reranker: Reranker, bare: Sequence[Searched], labelled: LabelledSet, k: int, on: Figures
) -> RerankerGain:
    """The gain over the same items found without the model.

    Args:
        reranker: the model.
        bare: the items as searched without it.
        labelled: their set.
        k: candidates that count.
        on: figures with it.
    """
    without = retrieval_figures(bare, labelled, k)
    gain = {}
    for name, one in without.items():
        now = on[name].value if name in on else None
        if now is not None and one.value is not None:
            gain[name] = round(now - one.value, 6)
    return RerankerGain(model=reranker.name, fingerprint=reranker.fingerprint, without=without, gain=gain)
