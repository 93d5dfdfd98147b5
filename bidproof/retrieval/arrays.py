"""Arrays and plain data as bytes of a table cell, and back. Never pickles: a table read from anywhere runs no code."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import numpy.typing as npt


def json_bytes(value: object) -> bytes:
    """Plain data as JSON, the same bytes for the same data."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def npy_bytes(array: npt.NDArray[np.generic]) -> bytes:
    """An array in NumPy's own format."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def array_of(content: bytes) -> npt.NDArray[Any]:
    """The array that `npy_bytes` wrote."""
    array: npt.NDArray[Any] = np.load(io.BytesIO(content), allow_pickle=False)
    return array
