"""Reads files for all stages of a process, each once: a file that is being read is waited for, not read again."""

from __future__ import annotations

import threading
from collections.abc import Callable

from bidproof.documents import ParsedFile, read_once
from bidproof.documents.reading_once import Cache
from bidproof.intake.inbox import SourceFile
from bidproof.params import DocumentParams


class FileReader:
    """Shared by the stages of a run and by whoever reads ahead of them."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._turns: dict[str, threading.Lock] = {}

    def read(
        self,
        file: SourceFile,
        params: DocumentParams,
        cache: Cache,
        progress: Callable[[int, int], None] | None = None,
    ) -> ParsedFile:
        """The parsed file, from the cache or from the file; without pages where it cannot be read as a whole.

        Raises:
            BadInputError: the file changed or vanished since the inbox was scanned.
        """
        with self._guard:
            turn = self._turns.setdefault(file.sha256, threading.Lock())
        with turn:
            return read_once(file, params, cache, progress)
