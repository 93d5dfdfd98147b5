"""Runs of neighbouring terms within each chunk: where a rule's words stand together, not just somewhere in one text.

Holds cutting chunks into windows, and which windows hold a term. Must not hold scores, nor what a term is (`analysis`).
A chunk of a thousand characters has most words of any rule somewhere; the sentence that answers has them side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bidproof.retrieval.arrays import array_of, npy_bytes

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def window_parts(
    texts: Sequence[Sequence[str]], whole: Sequence[bool], number: Mapping[str, int], size: int
) -> dict[str, bytes]:
    """Parts of an index that tell which windows hold a term.

    Args:
        texts: terms of each chunk's text in reading order.
        whole: chunks that are one window whatever their length: cells of a row belong together.
        number: place of each term in the vocabulary.
        size: terms of a window; the next begins half a window further on, and the last ends with its chunk.
    """
    first, ids, windows, count = [], [], [], 0
    for terms, one in zip(texts, whole, strict=True):
        first.append(count)
        numbers = np.array([number[term] for term in terms], dtype=np.int64)
        last = len(numbers) - size
        for start in [0] if one or last <= 0 else [*range(0, last, max(size // 2, 1)), last]:
            ids.append(numbers if one else numbers[start : start + size])
            windows.append(count)
            count += 1
    term = np.concatenate(ids) if ids else np.zeros(0, np.int64)
    window = np.repeat(np.array(windows, dtype=np.int64), [len(each) for each in ids])
    # By term, then by window, each pair once.
    pairs = np.unique(term * max(count, 1) + window)
    held = np.bincount(pairs // max(count, 1), minlength=len(number))
    return {
        "window_first": npy_bytes(np.array([*first, count], dtype=np.int64)),
        "window_indices": npy_bytes((pairs % max(count, 1)).astype(np.int32)),
        "window_indptr": npy_bytes(np.concatenate([[0], np.cumsum(held)]).astype(np.int64)),
    }


class TermWindows:
    """Windows of an index's chunks, in their order; every chunk has at least one."""

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        bounds: IntArray = array_of(parts["window_first"])
        self._first, self.count = bounds[:-1], int(bounds[-1])
        self._owner = np.repeat(np.arange(len(self._first)), np.diff(bounds))
        self._indices: npt.NDArray[np.int32] = array_of(parts["window_indices"])
        self._indptr: IntArray = array_of(parts["window_indptr"])

    def holding(self, place: int) -> npt.NDArray[np.int32]:
        """Windows that hold the term at a place of the vocabulary."""
        return self._indices[self._indptr[place] : self._indptr[place + 1]]

    def spread(self, of_chunks: FloatArray) -> FloatArray:
        """A value of each chunk, given to each of its windows."""
        return of_chunks[self._owner]

    def best(self, of_windows: FloatArray) -> FloatArray:
        """The highest value among each chunk's windows."""
        if not self.count:
            return np.zeros(0)
        return np.maximum.reduceat(of_windows, self._first)
