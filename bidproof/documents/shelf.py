"""Pages as they are read, kept on disk until the document is put together: a file of any length fits in memory.

Knows nothing of what stands on a page. Pages come in any order and are taken in page order, as often as wanted.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from bidproof.documents.page import RawPage

# Some hundred pages stay in memory: most files never touch the disk.
_IN_MEMORY = 4 << 20


class PageShelf:
    """Pages of one file. Each walk over them loads one page at a time, afresh: changes to a page are not kept."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY, prefix="bidproof-")  # noqa: SIM115
        self._places: dict[int, tuple[int, int]] = {}
        self._end = 0

    def put(self, page: RawPage) -> None:
        """Keep a page; a page that comes again takes the place of the one before."""
        content = pickle.dumps(page, pickle.HIGHEST_PROTOCOL)
        self._file.seek(self._end)
        self._file.write(content)
        self._places[page.page] = (self._end, len(content))
        self._end += len(content)

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[RawPage]:
        for _, (start, size) in sorted(self._places.items()):
            self._file.seek(start)
            # Bytes that this process wrote a moment ago, to a file that has no name.
            yield pickle.loads(self._file.read(size))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
