"""The lexical leg: a BM25 index over chunks with their headings, and search in it.

Holds building, storing and searching. Must not hold what a term is (`analysis`) or what a rule asks for
(`query`). Stored as NumPy arrays and JSON, never as pickles, so that a table read from anywhere runs no code.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from bidproof.params import Params, RetrievalParams
from bidproof.retrieval.analysis import DEFAULT_LANGUAGE, analyzer, query_terms
from bidproof.retrieval.arrays import array_of, json_bytes, npy_bytes
from bidproof.retrieval.embedding import Cache, embedding_text
from bidproof.retrieval.sparse import SparseIndex, sparse_model, sparse_parts
from bidproof.retrieval.windows import TermWindows, window_parts
from bidproof.tables import CHUNKS, LEXICAL_INDEX

FORMAT = 2

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Hit:
    """A chunk found by one leg, with its rank there, from 1, and its score there."""

    chunk_id: str
    rank: int
    score: float


def in_order(chunks: pl.DataFrame) -> pl.DataFrame:
    """`chunks` in the one order that every index uses, whatever order they came in."""
    return chunks.sort("doc_id", "page", "chunk_id")


def ranked(chunk_ids: Sequence[str], scores: FloatArray, top: int, floor: float = 0.0) -> list[Hit]:
    """The best `top` chunks that score above `floor`; equal scores stand in the order of their ids."""
    places = best_places(
        scores, scores > floor, top, np.argsort(np.argsort(np.asarray(chunk_ids, dtype=object)))
    )
    return [Hit(chunk_ids[place], rank, float(scores[place])) for rank, place in enumerate(places, start=1)]


def best_places(scores: FloatArray, allowed: BoolArray, top: int, id_order: IntArray) -> list[int]:
    """Positions of the best `top` allowed scores, ties by `id_order` (rank of each id among the ids)."""
    places = np.flatnonzero(allowed)
    order = np.lexsort((id_order[places], -np.round(scores[places], 6)))
    return [int(place) for place in places[order[:top]]]


def build_lexical_index(chunks: pl.DataFrame, params: RetrievalParams) -> pl.DataFrame:
    """BM25 index of `chunks` as rows of `tables.LEXICAL_INDEX`, the same bytes for the same chunks.

    Headings are indexed with the text: a row that says `Compliant` means nothing without its section. Where the
    parameters name a sparse model, its index stands beside.

    Raises:
        BadInputError: that model cannot be loaded.
    """
    ordered = in_order(chunks)
    languages = [language or DEFAULT_LANGUAGE for language in ordered["language"].to_list()]
    texts = _terms_of_each(languages, ordered["text"])
    headings = _terms_of_each(languages, ordered["heading_path"])
    documents = [above + own for above, own in zip(headings, texts, strict=True)]
    vocabulary = sorted({term for terms in documents for term in terms})
    data, indices, indptr = _bm25_columns(documents, vocabulary, params)
    term_of = np.repeat(np.arange(len(vocabulary)), np.diff(indptr))
    own = [set(terms) for terms in texts]
    in_text = np.array(
        [vocabulary[term] in own[place] for term, place in zip(term_of, indices, strict=True)], dtype=bool
    )
    parts = {
        "chunk_ids": json_bytes(ordered["chunk_id"].to_list()),
        "data": npy_bytes(data),
        "in_text": npy_bytes(in_text),
        "indices": npy_bytes(indices),
        "indptr": npy_bytes(indptr),
        "meta": json_bytes(
            {"format": FORMAT, "b": params.b, "k1": params.k1, "languages": sorted(set(languages))}
        ),
        "vocabulary": json_bytes(vocabulary),
        **_windows(ordered, texts, vocabulary, params),
    }
    if params.sparse_model:
        embedded = map(embedding_text, ordered["section_title"], ordered["text"])
        parts |= sparse_parts(list(embedded), sparse_model(params.sparse_model))
    return index_rows(LEXICAL_INDEX.schema, ordered, parts)


def kept_lexical_index(chunks: pl.DataFrame, params: RetrievalParams, cache: Cache, of: str) -> pl.DataFrame:
    """`build_lexical_index`, kept under what `of` names and the knobs that it heeds: another weight builds nothing anew.

    With a sparse model nothing is kept, since its files may change under the same name.
    """
    if params.sparse_model:
        return build_lexical_index(chunks, params)
    key = hashlib.sha256(
        json.dumps([FORMAT, of, params.b, params.k1, params.term_window]).encode()
    ).hexdigest()
    kept = cache.get(key)
    if kept is not None:
        # A file that was cut short is made anew.
        with suppress(pl.exceptions.PolarsError, OSError):
            return pl.read_ipc(io.BytesIO(kept))
    frame = build_lexical_index(chunks, params)
    content = io.BytesIO()
    frame.write_ipc(content)
    cache.put(key, content.getvalue())
    return frame


def _windows(
    chunks: pl.DataFrame, texts: Sequence[Sequence[str]], vocabulary: Sequence[str], params: RetrievalParams
) -> dict[str, bytes]:
    rows = [kind == "row" for kind in chunks["kind"]]
    return window_parts(
        texts, rows, {term: place for place, term in enumerate(vocabulary)}, params.term_window
    )


def _terms_of_each(languages: Sequence[str], texts: pl.Series) -> list[list[str]]:
    return [analyzer(language).terms(text or "") for language, text in zip(languages, texts, strict=True)]


def index_rows(schema: pl.Schema, chunks: pl.DataFrame, parts: Mapping[str, bytes]) -> pl.DataFrame:
    """Index parts as rows in order of name, with the pack that the chunks belong to."""
    pack = {name: chunks[name][0] if chunks.height else "" for name in ("tender", "bidder", "pack")}
    return pl.DataFrame(
        [{**pack, "name": name, "content": parts[name]} for name in sorted(parts)], schema=schema
    )


def _bm25_columns(
    documents: list[list[str]], vocabulary: list[str], params: RetrievalParams
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32], IntArray]:
    if not vocabulary:
        return np.zeros(0, np.float32), np.zeros(0, np.int32), np.zeros(1, np.int64)
    import bm25s

    number = {term: place for place, term in enumerate(vocabulary)}
    model = bm25s.BM25(method="lucene", k1=params.k1, b=params.b, backend="numpy", csc_backend="numpy")
    model.index(
        ([[number[term] for term in terms] for terms in documents], number),
        create_empty_token=False,
        show_progress=False,
    )
    scores = model.scores
    return (
        np.asarray(scores["data"], np.float32),
        np.asarray(scores["indices"], np.int32),
        np.asarray(scores["indptr"], np.int64),
    )


class LexicalIndex:
    """A BM25 index in memory. Position `i` of every array is chunk `chunk_ids[i]`."""

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        self.chunk_ids: list[str] = json.loads(parts["chunk_ids"])
        self.languages: tuple[str, ...] = tuple(json.loads(parts["meta"])["languages"])
        self._number = {term: place for place, term in enumerate(json.loads(parts["vocabulary"]))}
        self._data: npt.NDArray[np.float32] = array_of(parts["data"])
        self._indices: npt.NDArray[np.int32] = array_of(parts["indices"])
        self._indptr: IntArray = array_of(parts["indptr"])
        self._in_text: BoolArray = array_of(parts["in_text"])
        self.windows = TermWindows(parts)
        self._sparse = SparseIndex(parts)

    @classmethod
    def from_table(cls, frame: pl.DataFrame) -> LexicalIndex:
        """The index stored in rows of `tables.LEXICAL_INDEX`; no rows give an empty index.

        Raises:
            ValueError: the rows are of another format.
        """
        parts = dict(zip(frame["name"], frame["content"], strict=True))
        if not parts:
            return cls.from_table(build_lexical_index(CHUNKS.empty(), Params().retrieval))
        found = json.loads(parts["meta"]).get("format")
        if found != FORMAT:
            raise ValueError(f"lexical index of format {found}, expected {FORMAT}: build it again")
        return cls(parts)

    def terms(self, text: str) -> list[str]:
        """Terms of a query text under the rules of the languages in the index."""
        return query_terms(text, self.languages)

    def terms_in(self, text: str, language: str) -> list[str]:
        """Terms of a text under the rules of one language."""
        return list(dict.fromkeys(analyzer(language).terms(text)))

    def postings(self, term: str) -> npt.NDArray[np.int32]:
        """Positions of the chunks that hold a term, in their text or in the headings above."""
        return self._indices[self._part(term)]

    def presence(self, term: str, heading_share: float) -> FloatArray:
        """For every chunk 1 where a term stands in its text, `heading_share` where above it only, else 0."""
        found = np.zeros(len(self.chunk_ids))
        part = self._part(term)
        found[self._indices[part]] = np.where(self._in_text[part], 1.0, heading_share)
        return found

    def nearby(self, term: str, heading_share: float) -> FloatArray:
        """For every window 1 where a term stands in it, `heading_share` where it stands above its chunk only, else 0."""
        place = self._number.get(term)
        if place is None:
            return np.zeros(self.windows.count)
        above, part = np.zeros(len(self.chunk_ids)), self._part(term)
        above[self._indices[part]] = np.where(self._in_text[part], 0.0, heading_share)
        found = self.windows.spread(above)
        found[self.windows.holding(place)] = 1.0
        return found

    def _part(self, term: str) -> slice:
        place = self._number.get(term)
        return slice(0, 0) if place is None else slice(self._indptr[place], self._indptr[place + 1])

    def rarity(self, term: str) -> float:
        """Inverse document frequency of a term, Lucene's form; highest for a term in no chunk."""
        hits = len(self.postings(term))
        return float(np.log(1 + (len(self.chunk_ids) - hits + 0.5) / (hits + 0.5)))

    def scores(self, weights: Mapping[str, float]) -> FloatArray:
        """BM25 score of every chunk for weighted terms."""
        total = np.zeros(len(self.chunk_ids))
        for term in sorted(weights):
            part = self._part(term)
            total[self._indices[part]] += weights[term] * self._data[part].astype(np.float64)
        return total

    def learned(self, text: str, params: RetrievalParams) -> FloatArray | None:
        """Score of every chunk for a text by the sparse model; None where the parameters name none.

        Raises:
            ValueError: the index holds none, or one of another model.
        """
        if not params.sparse_model:
            return None
        encoder = sparse_model(params.sparse_model)
        if not self._sparse or self._sparse.fingerprint != encoder.fingerprint:
            held = self._sparse.model or "no sparse model"
            raise ValueError(f"lexical index of {held}, asked by {encoder.name}: build it again")
        return self._sparse.scores(encoder.query(text))

    def search(self, query: Sequence[str] | str, top: int) -> list[Hit]:
        """The best `top` chunks for a text or for several terms or phrases; none that shares no term."""
        text = query if isinstance(query, str) else " ; ".join(query)
        return ranked(self.chunk_ids, self.scores(dict.fromkeys(self.terms(text), 1.0)), top)
