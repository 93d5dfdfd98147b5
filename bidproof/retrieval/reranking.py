"""A cross-encoder that reads a rule beside each of its best candidates: which models there are, and what is kept.

Holds the reranker protocol, its provider and the cache of its scores. Must not hold what a score is worth beside other
parts (`second_look`). Off by default: no weights are shipped.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from bidproof.errors import BadInputError
from bidproof.model_files import folder_digest
from bidproof.params import RetrievalParams
from bidproof.retrieval.embedding import Cache

FloatArray = npt.NDArray[np.float64]

BATCH = 16
DIGITS = 4
"""Decimals of a score that count: padding to a longer neighbour in the batch moves its last bits."""


class Reranker(Protocol):
    """Scores pairs of a query and a passage by reading both together."""

    @property
    def name(self) -> str:
        """Model name for people."""

    @property
    def fingerprint(self) -> str:
        """Everything that changes a score: model, digest of its files, precision, batch size."""

    def scores(self, query: str, passages: Sequence[str]) -> FloatArray:
        """One score a passage, the higher the better; on a scale of the model's own."""


class CrossEncoderModel:
    """Any sentence-transformers cross-encoder with one output, by local path or hub name; loaded at the first pair."""

    def __init__(self, path_or_name: str, precision: Literal["fp32", "bf16"] = "fp32") -> None:
        self.name, self._precision = path_or_name, precision
        self._model: Any = None
        self._digest = ""

    @property
    def _loaded(self) -> Any:
        if self._model is None:
            import torch
            from sentence_transformers import CrossEncoder

            try:
                model = CrossEncoder(self.name, device="cpu", activation_fn=torch.nn.Identity())
            except (OSError, ValueError, KeyError, TypeError) as error:
                reason = " ".join(str(error).split())[:200]
                raise self._unfit(f"cannot be loaded ({reason})") from None
            if model.num_labels != 1:
                raise self._unfit(f"has {model.num_labels} outputs, so that it says no order")
            self._model = model.to(torch.bfloat16) if self._precision == "bf16" else model
        return self._model

    def _unfit(self, what: str) -> BadInputError:
        mend = "name a folder or a reachable hub model of one output, or leave retrieval.reranker empty"
        return BadInputError(f"retrieval.reranker={self.name}", what, mend)

    @property
    def fingerprint(self) -> str:
        """Name, digest of the files (or the hub's commit), precision and batch size."""
        folder = Path(self.name)
        if not self._digest:
            self._digest = folder_digest(self.name) or _commit(self._loaded)
        name = folder.name if folder.is_dir() else self.name
        return f"{name}:{self._digest}:{self._precision}:{BATCH}"

    def scores(self, query: str, passages: Sequence[str]) -> FloatArray:
        """The model's raw output for each pair, before any squashing: near 1 a sigmoid tells good hits no longer apart.

        Passages are put in order by length and words first, so that batches do not depend on the order given.

        Raises:
            BadInputError: the model cannot be loaded, or has not one output.
        """
        if not passages:
            return np.zeros(0)
        order = sorted(range(len(passages)), key=lambda place: (len(passages[place]), passages[place]))
        pairs = [(query, passages[place]) for place in order]
        said = self._loaded.predict(pairs, batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True)
        found = np.zeros(len(passages))
        found[order] = np.round(np.asarray(said, dtype=np.float64).reshape(-1), DIGITS)
        return np.nan_to_num(found, nan=float(np.nanmin(found)) if not np.isnan(found).all() else 0.0)


def _commit(model: Any) -> str:
    return str(getattr(getattr(model.model, "config", None), "_commit_hash", "") or "unknown")


def make_reranker(params: RetrievalParams, cache: Cache | None = None) -> Reranker | None:
    """The reranker that the parameters name; none when it is off. Loads nothing yet."""
    if not params.reranker:
        return None
    model = CrossEncoderModel(params.reranker, params.rerank_precision)
    return model if cache is None else CachedReranker(model, cache)


class CachedReranker:
    """A reranker that keeps the scores of a query and its passages between runs."""

    def __init__(self, reranker: Reranker, cache: Cache) -> None:
        self._reranker, self._cache = reranker, cache

    @property
    def name(self) -> str:
        """Model name for people."""
        return self._reranker.name

    @property
    def fingerprint(self) -> str:
        """That of the model."""
        return self._reranker.fingerprint

    def scores(self, query: str, passages: Sequence[str]) -> FloatArray:
        """The model's scores, or those kept of the same model, query and passages."""
        named = json.dumps([self.fingerprint, query, *passages], ensure_ascii=False, separators=(",", ":"))
        key = hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()
        kept = _restored(self._cache.get(key), len(passages))
        if kept is not None:
            return kept
        found = self._reranker.scores(query, passages)
        buffer = io.BytesIO()
        np.save(buffer, found, allow_pickle=False)
        self._cache.put(key, buffer.getvalue())
        return found


def _restored(content: bytes | None, size: int) -> FloatArray | None:
    """Cached scores, or none when the entry is absent or was cut short by a kill."""
    if content is None:
        return None
    try:
        found = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError):
        return None
    return found if found.shape == (size,) and found.dtype == np.float64 else None
