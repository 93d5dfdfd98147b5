"""Text to vectors: which models there are, how texts are batched, and what is kept between runs.

Holds the embedder protocol, its two providers and the batch cache. Must not hold the forward pass of the
packaged model (`minilm`) or the search among vectors (`dense`).
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from bidproof.errors import BadInputError
from bidproof.params import DenseParams
from bidproof.retrieval.minilm import (
    DIMENSIONS,
    MAX_TOKENS,
    WEIGHTS_SHA256,
    MiniLM,
    cpu_has_bf16,
    cut_to_limit,
)
from bidproof.retrieval.packed import PackedMiniLM

Vectors = npt.NDArray[np.float32]
Role = Literal["passage", "query"]
Precision = Literal["auto", "fp32", "bf16", "int8"]

# Texts encoded and cached together. Small enough that a killed run loses a second, large enough that sorting
# by length inside it fills batches evenly.
WINDOW = 64

# Texts whose word pieces are kept from counting to encoding: a pack or two.
_REMEMBERED = 20_000

# Different word pieces below which a text is encoded in full also under `int8`: rounding has too little to even
# out over, and the cosine of two or three pieces falls to .985, that of a line to sign on to .981.
_FEW = 8


class Embedder(Protocol):
    """A sentence encoder. Vectors have unit length, so that an inner product is a cosine."""

    @property
    def name(self) -> str:
        """Model name for people."""

    @property
    def fingerprint(self) -> str:
        """Everything that changes a vector: model, digest of its files, precision, batch size."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Tokens that the model reads; it drops the rest silently."""

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 languages that the model was trained for; empty when it says none."""

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Vectors of `texts`, one row each."""

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones included, before any cut."""


class Cache(Protocol):
    """Bytes kept between runs under a key that names their content."""

    def get(self, key: str) -> bytes | None:
        """The bytes put under `key`, if any."""

    def put(self, key: str, content: bytes) -> None:
        """Keep `content` under `key`."""


class PackagedMiniLM:
    """all-MiniLM-L6-v2 from PyPI: English, offline, 384 dimensions, loaded at the first use."""

    name = "all-MiniLM-L6-v2"
    dimensions = DIMENSIONS
    max_tokens = MAX_TOKENS
    languages = frozenset({"en"})

    def __init__(self, precision: Precision = "auto", batch_size: int = 8) -> None:
        self._asked, self._batch_size = precision, batch_size
        self._model: MiniLM | None = None
        self._packed: PackedMiniLM | None = None
        self._counted: dict[str, list[int]] = {}

    @property
    def precision(self) -> str:
        """`int8`, `bf16` or `fp32`: `auto` is settled by the CPU, and never `int8`."""
        return ("bf16" if cpu_has_bf16() else "fp32") if self._asked == "auto" else self._asked

    @property
    def fingerprint(self) -> str:
        """Model, digest, precision and batch size; in `int8` nothing depends on a batch."""
        batch = "alone" if self.precision == "int8" else str(self._batch_size)
        return f"{self.name}:{WEIGHTS_SHA256}:{self.precision}:{batch}"

    @property
    def _loaded(self) -> MiniLM:
        if self._model is None:
            self._model = MiniLM(bf16=self.precision == "bf16")
        return self._model

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Unit vectors; passages in batches of like length, queries one by one.

        A query's vector must not depend on which other rules the catalog holds, and padding to a longer
        neighbour moves its last bits. Where passages are encoded in `int8` queries are in `fp32`: they are few.
        """
        found = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        if not texts:
            return found
        ids = self._token_ids(texts)
        if self.precision == "int8" and role == "passage":
            return self._vectors_packed(ids)
        order = sorted(range(len(ids)), key=lambda place: (len(ids[place]), place))
        size = 1 if role == "query" else self._batch_size
        for start in range(0, len(order), size):
            batch = order[start : start + size]
            found[batch] = self._loaded.vectors([ids[place] for place in batch])
        return found

    def _vectors_packed(self, ids: Sequence[Sequence[int]]) -> Vectors:
        if self._packed is None:
            self._packed = PackedMiniLM(self._loaded.weights)
        cut = [tuple(cut_to_limit(one)) for one in ids]
        different = list(dict.fromkeys(cut))
        at = {one: place for place, one in enumerate(different)}
        found = np.zeros((len(different), self.dimensions), dtype=np.float32)
        varied = [place for place, one in enumerate(different) if len(set(one)) >= _FEW]
        found[varied] = self._packed.vectors([different[place] for place in varied])
        for place in sorted(set(at.values()).difference(varied)):
            found[place] = self._loaded.vectors([different[place]])[0]
        return found[[at[one] for one in cut]]

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each text, remembered until they are encoded."""
        ids = self._token_ids(texts)
        if len(self._counted) + len(texts) > _REMEMBERED:
            self._counted = {}
        self._counted.update(zip(texts, ids, strict=True))
        return [len(one) for one in ids]

    def _token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        counted = self._counted
        unread = [text for text in dict.fromkeys(texts) if text not in counted]
        read = dict(zip(unread, self._loaded.token_ids(unread), strict=True)) if unread else {}
        return [counted[text] if text in counted else read[text] for text in texts]


class HubModel:
    """Any sentence-transformers model by local path or hub name, e.g. intfloat/multilingual-e5-small."""

    languages: frozenset[str] = frozenset()

    def __init__(self, path_or_name: str, precision: Precision = "auto", batch_size: int = 8) -> None:
        self.name = path_or_name
        self._batch_size = batch_size
        self._precision = "bf16" if precision == "bf16" else "fp32"
        self._model: Any = None
        self._digest = ""

    @property
    def _loaded(self) -> Any:
        if self._model is None:
            import torch
            from sentence_transformers import SentenceTransformer

            try:
                model = SentenceTransformer(self.name, device="cpu")
            except (OSError, ValueError) as error:
                reason = " ".join(str(error).split())[:200]
                raise BadInputError(
                    f"dense.model={self.name}",
                    f"cannot be loaded ({reason})",
                    "name a folder or a reachable hub model, or dense.model=packaged",
                ) from None
            self._model = model.to(torch.bfloat16) if self._precision == "bf16" else model
        return self._model

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._loaded.get_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        """Tokens that the model reads."""
        return int(self._loaded.max_seq_length or 512)

    @property
    def fingerprint(self) -> str:
        """Name, digest of the files (or the hub's commit), precision and batch size."""
        folder = Path(self.name)
        if not self._digest:
            self._digest = _files_digest(folder) if folder.is_dir() else _commit(self._loaded)
        name = folder.name if folder.is_dir() else self.name
        return f"{name}:{self._digest}:{self._precision}:{self._batch_size}"

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Unit vectors, with the prefix that the model was trained with; queries one by one."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        prefixed = [prefix_of(self.name, role) + text for text in texts]
        encode = self._loaded.encode_query if role == "query" else self._loaded.encode_document
        size = 1 if role == "query" else self._batch_size
        found = encode(
            prefixed,
            batch_size=size,
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(found, dtype=np.float32)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text with its prefix."""
        prefix = prefix_of(self.name, "passage")
        tokenizer = self._loaded.tokenizer
        return [len(tokenizer(prefix + text, truncation=False, verbose=False)["input_ids"]) for text in texts]


def prefix_of(name: str, role: Role) -> str:
    """Prefix that the E5 family needs and its files do not state; other models state their own prompts."""
    family = Path(name).name.lower().replace("_", "-").split("-")
    return f"{role}: " if "e5" in family and "instruct" not in family else ""


def _files_digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".safetensors", ".bin", ".json", ".txt", ".model"} and path.is_file():
            digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _commit(model: Any) -> str:
    return str(getattr(getattr(model[0].auto_model, "config", None), "_commit_hash", "") or "unknown")


def make_embedder(params: DenseParams) -> Embedder | None:
    """The embedder that the parameters name; none when the dense leg is off. Loads nothing yet."""
    if not params.enabled:
        return None
    if params.model == "packaged":
        return PackagedMiniLM(params.precision, params.batch_size)
    return HubModel(params.model, params.precision, params.batch_size)


def embedding_text(title: str | None, text: str | None) -> str:
    """What is embedded of a chunk: the title of its section, then its text."""
    return f"{title}\n{text}" if title and not (text or "").startswith(title) else text or ""


def encode_documents(documents: Sequence[Sequence[str]], embedder: Embedder, cache: Cache | None) -> Vectors:
    """Vectors of all texts of all documents, in order.

    The unit of work is a window of a document's own consecutive texts, so that the bytes of a vector depend
    neither on the other documents of the pack nor on where an earlier run was stopped.
    """
    blocks = [_window(texts, embedder, cache) for texts in _windows(documents)]
    return np.concatenate(blocks) if blocks else np.zeros((0, embedder.dimensions), dtype=np.float32)


@dataclass(frozen=True)
class KeptVectors:
    """Vectors of texts that are each encoded by themselves, kept from run to run; nothing is loaded where all are kept.

    Args:
        embedder: what encodes those that are not kept.
        cache: where they are kept; None for this process alone.
        model: fingerprint of what made the passages that they are held against.
        dimensions: length of those vectors; what is kept of another length is damaged, and made anew.
    """

    embedder: Embedder
    cache: Cache | None
    model: str
    dimensions: int
    _known: dict[tuple[Role, str], Vectors] = field(default_factory=dict, compare=False, repr=False)

    def of(self, texts: Sequence[str], role: Role) -> Vectors:
        """One row a text."""
        vectors = [self._one(text, role) for text in texts]
        return np.concatenate(vectors) if vectors else np.zeros((0, self.dimensions), dtype=np.float32)

    def _one(self, text: str, role: Role) -> Vectors:
        if (role, text) not in self._known:
            key = _key([self.model, role, text])
            content = self.cache.get(key) if self.cache is not None else None
            vector = _restored(content, 1, self.dimensions)
            if vector is None:
                vector = self.embedder.encode([text], role)
                if self.cache is not None:
                    self.cache.put(key, _stored(vector))
            self._known[role, text] = vector
        return self._known[role, text]


def _windows(documents: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    for texts in documents:
        for start in range(0, len(texts), WINDOW):
            yield texts[start : start + WINDOW]


def _window(texts: Sequence[str], embedder: Embedder, cache: Cache | None) -> Vectors:
    if cache is None:
        return embedder.encode(texts)
    key = _key([embedder.fingerprint, *texts])
    kept = _restored(cache.get(key), len(texts), embedder.dimensions)
    if kept is not None:
        return kept
    vectors = embedder.encode(texts)
    cache.put(key, _stored(vectors))
    return vectors


def _key(named: Sequence[str]) -> str:
    text = json.dumps(named, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _stored(vectors: Vectors) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, vectors, allow_pickle=False)
    return buffer.getvalue()


def _restored(content: bytes | None, rows: int, dimensions: int) -> Vectors | None:
    """Cached vectors, or none when the entry is absent or was cut short by a kill."""
    if content is None:
        return None
    try:
        vectors = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError):
        return None
    return vectors if vectors.shape == (rows, dimensions) and vectors.dtype == np.float32 else None
