"""The dense leg: a FAISS index over chunk vectors, and search in it.

Holds building, storing and searching. Must not hold models (`embedding`) or fusion. Flat inner product: at
3,000 chunks a query takes 0.1 ms and nothing is lost, so an approximate index would only add doubt.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl

from bidproof.params import DenseParams
from bidproof.retrieval.embedding import (
    Cache,
    Embedder,
    KeptVectors,
    Vectors,
    embedding_text,
    encode_documents,
)
from bidproof.retrieval.lexical import FloatArray, Hit, in_order, index_rows, ranked
from bidproof.tables import DENSE_INDEX

DISABLED = "disabled"


def build_dense_index(
    chunks: pl.DataFrame, embedder: Embedder | None, params: DenseParams, cache: Cache | None = None
) -> pl.DataFrame:
    """Vectors of `chunks` as rows of `tables.DENSE_INDEX`; one `disabled` row when the leg is off.

    `meta` names the model and lists the chunks that it could not read to the end and the languages that it
    was not trained for: both are checks of the pipeline, since a model says nothing of either.
    """
    ordered = in_order(chunks)
    if embedder is None or not params.enabled:
        return index_rows(DENSE_INDEX.schema, ordered, {DISABLED: b"{}"})
    import faiss

    texts = [
        embedding_text(title, text)
        for title, text in zip(ordered["section_title"], ordered["text"], strict=True)
    ]
    counts = embedder.token_counts(texts)
    # A title that would push the text itself over the limit is left out: the text is what is judged.
    long = [place for place, count in enumerate(counts) if count > embedder.max_tokens]
    plain = {place: ordered["text"][place] or "" for place in long}
    texts = [plain.get(place, text) for place, text in enumerate(texts)]
    for place, count in zip(long, embedder.token_counts(list(plain.values())), strict=True):
        counts[place] = count
    by_document = ordered.select("doc_id", pl.Series("embedded", texts, dtype=pl.String)).group_by(
        "doc_id", maintain_order=True
    )
    vectors = encode_documents([group["embedded"].to_list() for _, group in by_document], embedder, cache)
    index = faiss.IndexFlatIP(embedder.dimensions)
    index.add(vectors)
    meta = {
        "format": 1,
        "model": embedder.name,
        "fingerprint": embedder.fingerprint,
        "dimensions": embedder.dimensions,
        "max_tokens": embedder.max_tokens,
        "uncovered": _uncovered(ordered, embedder),
        "over_limit": [
            one for one, count in zip(ordered["chunk_id"], counts, strict=True) if count > embedder.max_tokens
        ],
    }
    parts = {
        "chunk_ids": json.dumps(ordered["chunk_id"].to_list(), ensure_ascii=False).encode(),
        "faiss": faiss.serialize_index(index).tobytes(),
        "meta": json.dumps(meta, ensure_ascii=False, sort_keys=True).encode(),
    }
    return index_rows(DENSE_INDEX.schema, ordered, parts)


def _uncovered(chunks: pl.DataFrame, embedder: Embedder) -> dict[str, int]:
    if not embedder.languages:
        return {}
    known = chunks.filter((pl.col("language") != "") & ~pl.col("language").is_in(list(embedder.languages)))
    return dict(sorted(known["language"].value_counts().iter_rows()))


class DenseIndex:
    """A vector index in memory; falsy when the leg is off, and then every search finds nothing."""

    def __init__(self, chunk_ids: list[str], index: Any, meta: dict[str, Any]) -> None:
        self.chunk_ids = chunk_ids
        self.meta = meta
        self._index = index

    @classmethod
    def from_table(cls, frame: pl.DataFrame) -> DenseIndex:
        """The index stored in rows of `tables.DENSE_INDEX`.

        Raises:
            ValueError: the rows are of another format.
        """
        parts = dict(zip(frame["name"], frame["content"], strict=True))
        if not parts or DISABLED in parts:
            return cls([], None, {})
        meta = json.loads(parts["meta"])
        if meta.get("format") != 1:
            raise ValueError(f"dense index of format {meta.get('format')}, expected 1: build it again")
        import faiss

        return cls(
            json.loads(parts["chunk_ids"]),
            faiss.deserialize_index(np.frombuffer(parts["faiss"], dtype=np.uint8)),
            meta,
        )

    def kept_vectors(self, embedder: Embedder | None, cache: Cache | None) -> KeptVectors | None:
        """Vectors of further texts that can be held against the index; None where the leg is off."""
        if not self or embedder is None:
            return None
        return KeptVectors(embedder, cache, self.meta["fingerprint"], self.meta["dimensions"])

    def __bool__(self) -> bool:
        return self._index is not None and bool(self.chunk_ids)

    @property
    def over_limit(self) -> list[str]:
        """Chunks whose end the model never read."""
        return list(self.meta.get("over_limit", []))

    @property
    def uncovered(self) -> dict[str, int]:
        """Chunks by language for which the model was not trained."""
        return dict(self.meta.get("uncovered", {}))

    def search(self, vectors: Vectors | None, top: int) -> list[list[Hit]]:
        """The best `top` chunks for each query vector by cosine; empty lists when the leg is off.

        Raises:
            ValueError: the vectors are of another length, so of another model.
        """
        if vectors is None or not self:
            return [[] for _ in range(0 if vectors is None else len(vectors))]
        return [ranked(self.chunk_ids, one, top, floor=-1.5) for one in self.cosines(vectors)]

    def cosines(self, vectors: Vectors) -> list[FloatArray]:
        """Cosine of every chunk, in the order of `chunk_ids`, with each query vector.

        Each query is searched alone: in a batch the last bits of a score depend on the batch. A chunk whose vector is
        no number has -1, the cosine of what is farthest.

        Raises:
            ValueError: the vectors are of another length, so of another model.
        """
        if vectors.shape[1] != self._index.d:
            raise ValueError(
                f"vectors of {vectors.shape[1]} dimensions, index of {self._index.d}: use one model for both"
            )
        return [self._cosines(vectors[place : place + 1]) for place in range(len(vectors))]

    def _cosines(self, vector: Vectors) -> FloatArray:
        wanted = len(self.chunk_ids)
        scores, places = self._index.search(np.ascontiguousarray(vector, dtype=np.float32), wanted)
        by_place = np.full(wanted, -1.0)
        compared = places[0] >= 0
        by_place[places[0][compared]] = scores[0][compared]
        return by_place
