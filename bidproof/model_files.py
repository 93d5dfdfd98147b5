"""What version of a model a name stands for, told without loading it.

Looks at files; loads nothing. A folder is known by the content of its files, so that other weights under the same name
are another model. A hub name is known by its name only until it is loaded.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

_KINDS = {".safetensors", ".bin", ".json", ".txt", ".model"}


def folder_digest(name: str) -> str:
    """SHA-256 (hex) over the model's files of a local folder; empty where `name` is no folder."""
    folder = Path(name)
    if not name or not folder.is_dir():
        return ""
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in _KINDS and path.is_file()]
    stamps = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return _digest(str(folder), tuple(stamps))


def file_digest(name: str) -> str:
    """SHA-256 (hex) of a model that is one file; empty where there is no such file."""
    path = Path(name)
    if not name or not path.is_file():
        return ""
    stat = path.stat()
    return _file_digest(str(path), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=8)
def _file_digest(name: str, size: int, changed: int) -> str:
    """Digest of the content; read once as long as size and time stay."""
    with open(name, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=8)
def _digest(folder: str, stamps: tuple[tuple[str, int, int], ...]) -> str:
    """Digest of names and contents; read once as long as sizes and times stay."""
    digest = hashlib.sha256()
    for name, size, _ in stamps:
        digest.update(f"{Path(name).relative_to(folder).as_posix()}\0{size}\0".encode())
        with open(name, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
