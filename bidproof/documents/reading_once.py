"""Reading a file once: from the cache where its content was read before, else from the file into the cache.

Decides nothing about where the cache lies or who reads at the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bidproof.documents.parsed import ParsedFile, parse_key
from bidproof.documents.parsing import parse_file
from bidproof.errors import BadInputError, UnreadableFileError, WarehouseError
from bidproof.intake.inbox import SourceFile, hash_file
from bidproof.params import DocumentParams
from bidproof.recognition_data import installed


class Cache(Protocol):
    """Bytes kept between runs under a key that names their content."""

    def get(self, key: str) -> bytes | None:
        """The bytes put under `key`, if any."""

    def put(self, key: str, content: bytes) -> None:
        """Keep `content` under `key`."""


def read_once(
    file: SourceFile,
    params: DocumentParams,
    cache: Cache,
    progress: Callable[[int, int], None] | None = None,
) -> ParsedFile:
    """The parsed file; one without pages, whose warning says why, where it cannot be read as a whole.

    Raises:
        BadInputError: the file changed or vanished since the inbox was scanned.
    """
    key = parse_key(file.sha256, params, file.file_name)
    kept = _kept(cache.get(key))
    # Data of a language that was lacking then and is there now: its pages can be read better.
    if kept is not None and not (kept.lacking and set(kept.lacking) & set(installed(params.ocr_data))):
        return kept
    try:
        parsed = parse_file(file.path, params, progress=progress, file_name=file.file_name)
    except UnreadableFileError as error:
        # Not kept: the next run tries again.
        hold_still(file)
        return ParsedFile.of({}, (f"{file.file_name}: {error.what}; {error.mend}",))
    hold_still(file)
    cache.put(key, parsed.to_bytes())
    return parsed


def hold_still(file: SourceFile) -> None:
    """Refuse a file that is no longer what the inbox held: its rows would stand under the wrong content's name.

    Raises:
        BadInputError: the file changed or vanished.
    """
    try:
        same = not file.sha256 or hash_file(file.path) == file.sha256
    except OSError:
        same = False
    if not same:
        raise BadInputError(file.file_name, "changed or vanished while it was read", "run again")


def _kept(content: bytes | None) -> ParsedFile | None:
    """The parsed file of a cache entry; none where the entry is damaged, so that the file is read again."""
    if content is None:
        return None
    try:
        return ParsedFile.from_bytes(content)
    except WarehouseError:
        return None
