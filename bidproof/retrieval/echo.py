"""How much of a bid's text is copied from the tender or restates the rule: words that prove nothing.

Holds the alignment of texts by runs of shared words. Must not hold what follows from it: the evidence score
weighs it, the echo guard of verification judges a quote by it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from bidproof.retrieval.analysis import folded

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_WORD = re.compile(r"\w+")
_BASE = np.uint64(0x9E3779B97F4A7C15)


class EchoIndex:
    """Runs of words of a pack, ready to be compared with any source.

    Args:
        texts: the pack's texts, one a chunk.
        words: length of a run that must be shared to count as copied.
    """

    def __init__(self, texts: Sequence[str], words: int) -> None:
        self._run = words
        tokens = [_WORD.findall(folded(text)) for text in texts]
        lengths = np.array([len(one) for one in tokens], dtype=np.int64)
        different = dict.fromkeys(chain.from_iterable(tokens))
        self._number = dict(zip(different, range(len(different)), strict=True))
        self._ids = np.fromiter(
            map(self._number.__getitem__, chain.from_iterable(tokens)), np.int64, int(lengths.sum())
        )
        self.words = len(self._ids)
        self._chunk = np.repeat(np.arange(len(texts)), lengths)
        self.lengths = np.maximum(lengths, 1)
        runs = _run_hashes(self._ids, words)
        whole = (
            np.flatnonzero(self._chunk[: len(runs)] == self._chunk[words - 1 :])
            if len(runs)
            else np.zeros(0, np.int64)
        )
        order = np.argsort(runs[whole], kind="stable")
        self._starts, self._hashes = whole[order], runs[whole][order]

    def copied(self, sources: Sequence[str]) -> IntArray:
        """Places of the pack's words, all texts in one row, that stand in a run that a source holds too; ascending."""
        starts = [np.zeros(0, dtype=np.int64)]
        for source in sources:
            ids = np.array(
                [self._number.get(token, -1) for token in _WORD.findall(folded(source))], dtype=np.int64
            )
            wanted = np.unique(_run_hashes(ids, self._run))
            first = np.searchsorted(self._hashes, wanted, side="left")
            last = np.searchsorted(self._hashes, wanted, side="right")
            starts += [self._starts[low:high] for low, high in zip(first, last, strict=True) if low < high]
        begun = np.unique(np.concatenate(starts))
        return np.unique(begun[:, None] + np.arange(self._run))

    def counts(self, places: IntArray) -> IntArray:
        """How many of the words at `places` each text has."""
        return np.bincount(self._chunk[places], minlength=len(self.lengths))

    def shares(self, places: IntArray) -> FloatArray:
        """Share of the words at `places` in each text, 0 to 1."""
        return self.counts(places) / self.lengths


class TenderEcho:
    """Copies of a tender in a pack, to which each rule's own words are added.

    Args:
        texts: the pack's texts, one a chunk.
        tender: the tender's texts.
        words: length of a run that must be shared to count as copied.
    """

    def __init__(self, texts: Sequence[str], tender: Sequence[str], words: int) -> None:
        self._index = EchoIndex(texts, words)
        copied = self._index.copied(tender)
        self._known = np.zeros(self._index.words, dtype=bool)
        self._known[copied] = True
        self._counts = self._index.counts(copied)

    def shares(self, rule: str) -> FloatArray:
        """Share of each text's words that are copied from the tender or from a rule, 0 to 1."""
        own = self._index.copied([rule])
        fresh = own[~self._known[own]]
        return (self._counts + self._index.counts(fresh)) / self._index.lengths


def _run_hashes(ids: npt.NDArray[np.int64], words: int) -> npt.NDArray[np.uint64]:
    """A hash of each run of `words` ids; equal runs have equal hashes on every machine."""
    count = len(ids) - words + 1
    if count < 1:
        return np.zeros(0, dtype=np.uint64)
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(words):
        hashes = hashes * _BASE + (ids[offset : offset + count] + 2).astype(np.uint64)
        hashes ^= hashes >> np.uint64(29)
    return hashes
