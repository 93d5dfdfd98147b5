"""A learned sparse leg beside BM25, such as SPLADE: weighted word pieces of each chunk, those it never says among them.

Holds the encoder protocol, its provider, and the index as parts of the lexical one. Must not hold fusion. Off by
default: no weights are shipped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bidproof.errors import BadInputError
from bidproof.model_files import folder_digest
from bidproof.retrieval.arrays import array_of, json_bytes, npy_bytes

FloatArray = npt.NDArray[np.float64]
Weights = Mapping[str, float]

BATCH = 8
PREFIX = "sparse_"
DIGITS = 4
"""Decimals of a weight that count: padding to a longer neighbour in the batch moves its last bits."""


class SparseEncoder(Protocol):
    """Gives texts weighted terms; the score of a chunk is the sum of products over the terms it shares with a query."""

    @property
    def name(self) -> str:
        """Model name for people."""

    @property
    def fingerprint(self) -> str:
        """Everything that changes a weight: model and digest of its files."""

    def passages(self, texts: Sequence[str]) -> list[Weights]:
        """Terms of each passage with their weights, all above 0."""

    def query(self, text: str) -> Weights:
        """Terms of a query with their weights, all above 0."""


class SparseModel:
    """Any sentence-transformers sparse encoder, by local path or hub name; loaded at the first text."""

    def __init__(self, path_or_name: str) -> None:
        self.name = path_or_name
        self._model: Any = None

    @property
    def _loaded(self) -> Any:
        if self._model is None:
            from sentence_transformers import SparseEncoder as Model

            try:
                self._model = Model(self.name, device="cpu")
            except (OSError, ValueError, KeyError, TypeError) as error:
                reason = " ".join(str(error).split())[:200]
                raise BadInputError(
                    f"retrieval.sparse_model={self.name}",
                    f"cannot be loaded ({reason})",
                    "name a folder or a reachable hub model, or leave retrieval.sparse_model empty",
                ) from None
        return self._model

    @property
    def fingerprint(self) -> str:
        """Name and digest of the files; a hub's model by its name alone."""
        folder = Path(self.name)
        return f"{folder.name if folder.is_dir() else self.name}:{folder_digest(self.name)}"

    def passages(self, texts: Sequence[str]) -> list[Weights]:
        """Terms of each passage; in batches of like length."""
        found: list[Weights] = [{} for _ in texts]
        order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), place))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            encoded = self._loaded.encode_document(
                [texts[place] for place in places],
                batch_size=BATCH,
                show_progress_bar=False,
                save_to_cpu=True,
            )
            for place, terms in zip(places, self._terms(encoded), strict=True):
                found[place] = terms
        return found

    def query(self, text: str) -> Weights:
        """Terms of a query, encoded alone."""
        encoded = self._loaded.encode_query([text], show_progress_bar=False, save_to_cpu=True)
        return self._terms(encoded)[0]

    def _terms(self, encoded: Any) -> list[Weights]:
        """Weights by word piece; a piece of no weight left after rounding is none."""
        decoded = self._loaded.decode(encoded)
        rows = [decoded] if decoded and isinstance(decoded[0], tuple) else decoded
        rounded = [{term: round(float(weight), DIGITS) for term, weight in row} for row in rows]
        return [{term: weight for term, weight in row.items() if weight > 0} for row in rounded]


@lru_cache(maxsize=2)
def sparse_model(name: str) -> SparseEncoder:
    """The sparse encoder that a name stands for. Loads nothing yet."""
    return SparseModel(name)


def sparse_parts(texts: Sequence[str], encoder: SparseEncoder) -> dict[str, bytes]:
    """An index of `texts` as named parts: one column of weights a term, as of a matrix with a row a text."""
    weights = encoder.passages(texts)
    columns: dict[str, list[tuple[int, float]]] = {}
    for place, terms in enumerate(weights):
        for term, weight in terms.items():
            columns.setdefault(term, []).append((place, weight))
    vocabulary = sorted(columns)
    pairs = [pair for term in vocabulary for pair in columns[term]]
    ends = np.cumsum([0, *(len(columns[term]) for term in vocabulary)])
    return {
        f"{PREFIX}data": npy_bytes(np.array([weight for _, weight in pairs], dtype=np.float32)),
        f"{PREFIX}indices": npy_bytes(np.array([place for place, _ in pairs], dtype=np.int32)),
        f"{PREFIX}indptr": npy_bytes(np.asarray(ends, dtype=np.int64)),
        f"{PREFIX}meta": json_bytes(
            {"model": encoder.name, "fingerprint": encoder.fingerprint, "texts": len(texts)}
        ),
        f"{PREFIX}vocabulary": json_bytes(vocabulary),
    }


class SparseIndex:
    """A sparse index in memory; falsy where its parts are not there, and then every score is 0."""

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        self._built = f"{PREFIX}meta" in parts
        meta: dict[str, Any] = json.loads(parts.get(f"{PREFIX}meta", b"{}"))
        self.model, self.fingerprint = str(meta.get("model", "")), str(meta.get("fingerprint", ""))
        self._texts = int(meta.get("texts", 0))
        if self._built:
            self._number = {
                term: place for place, term in enumerate(json.loads(parts[f"{PREFIX}vocabulary"]))
            }
            self._data, self._indices, self._indptr = (
                array_of(parts[PREFIX + name]) for name in ("data", "indices", "indptr")
            )

    def __bool__(self) -> bool:
        return self._built

    def scores(self, query: Weights) -> FloatArray:
        """Inner product of each text's terms with those of a query."""
        total = np.zeros(self._texts)
        for term in sorted(query):
            place = self._number.get(term) if self._built else None
            if place is not None:
                part = slice(self._indptr[place], self._indptr[place + 1])
                total[self._indices[part]] += query[term] * self._data[part].astype(np.float64)
        return total
