"""Data files of the package that change results: word lists in YAML, which people may extend for their own field.

Reads them, and tells their content digests, so that a stage whose words were edited is stale without anybody bumping a
version. Which stage heeds which file is declared in `stages`; what the words mean is decided where they are used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

# libyaml reads the word lists eight times faster than Python does.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def data_digests(names: Iterable[str]) -> dict[str, str]:
    """SHA-256 of data files by their path in the package, `catalog/lexicon.yaml`."""
    return {name: _digest(name) for name in names}


def read_data(name: str) -> Any:
    """What a data file holds, by its path in the package; fresh objects at each call, so keep what you make of them."""
    return yaml.load(files("bidproof").joinpath(name).read_bytes(), Loader=_Loader)


@lru_cache(maxsize=64)
def _digest(name: str) -> str:
    # Once a process, like the words themselves: what a process computes is what it has read.
    return hashlib.sha256(files("bidproof").joinpath(name).read_bytes()).hexdigest()
