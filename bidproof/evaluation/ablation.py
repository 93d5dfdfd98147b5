"""Each retrieval leg alone and all together, language by language.

A fusion that helps one language may hurt another: over all languages the loss averages out and nobody sees it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import polars as pl

from bidproof.params import RetrievalParams
from bidproof.records import Record
from bidproof.retrieval.dense import DenseIndex
from bidproof.retrieval.embedding import Embedder
from bidproof.retrieval.fusion import reciprocal_rank_fusion
from bidproof.retrieval.lexical import LexicalIndex

_SCHEMA = {
    "language": pl.String, "leg": pl.String, "n": pl.Int32, "mrr": pl.Float64, "hit": pl.Float64, "loss": pl.Float64,
}  # fmt: skip


class LabelledQuery(Record):
    """A query, its language (ISO 639-1) and the chunks that answer it."""

    text: str
    language: str
    relevant: tuple[str, ...]


def leg_ablation(
    queries: Sequence[LabelledQuery],
    lexical: LexicalIndex,
    dense: DenseIndex | None,
    embedder: Embedder | None,
    params: RetrievalParams,
    top: int = 10,
) -> pl.DataFrame:
    """One row a language and leg, in that order.

    Columns: `language`; `leg` (bm25, dense, fused); `n` queries; `mrr`, mean reciprocal rank of the first relevant
    chunk, 0 where it is not among the leg's hits; `hit`, share of queries with one among the first `top`; `loss`, by
    how much the MRR falls short of the better leg's (0 for that leg itself).
    """
    ranks: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for query in queries:
        for leg, ids in _ranked(query.text, lexical, dense, embedder, params).items():
            at = next((rank for rank, chunk in enumerate(ids, 1) if chunk in query.relevant), 0)
            ranks[query.language][leg].append(at)
    rows = []
    for language in sorted(ranks):
        scores = {leg: _mrr(found) for leg, found in ranks[language].items()}
        best = max(score for leg, score in scores.items() if leg != "fused")
        for leg, found in ranks[language].items():
            hit = sum(0 < rank <= top for rank in found) / len(found)
            loss = max(best - scores[leg], 0.0)
            rows.append({
                "language": language, "leg": leg, "n": len(found), "mrr": round(scores[leg], 6),
                "hit": round(hit, 6), "loss": round(loss, 6),
            })  # fmt: skip
    return pl.DataFrame(rows, schema=_SCHEMA)


def _mrr(ranks: Sequence[int]) -> float:
    return sum(1 / rank for rank in ranks if rank) / len(ranks)


def _ranked(
    text: str,
    lexical: LexicalIndex,
    dense: DenseIndex | None,
    embedder: Embedder | None,
    params: RetrievalParams,
) -> dict[str, list[str]]:
    """Chunk ids by leg, best first."""
    legs = {"bm25": [hit.chunk_id for hit in lexical.search(text, params.bm25_top)]}
    if dense and embedder is not None:
        found = dense.search(embedder.encode([text], "query"), params.dense_top)[0]
        legs["dense"] = [hit.chunk_id for hit in found]
    place = {chunk: number for number, chunk in enumerate(lexical.chunk_ids)}
    ranks = {leg: {place[chunk]: rank for rank, chunk in enumerate(ids, 1)} for leg, ids in legs.items()}
    weights = {"bm25": params.weight_bm25, "dense": params.weight_dense}
    fused = reciprocal_rank_fusion(ranks, weights, params.rrf_k)
    order = sorted(fused, key=lambda one: (-round(fused[one], 9), lexical.chunk_ids[one]))
    return {**legs, "fused": [lexical.chunk_ids[one] for one in order]}
