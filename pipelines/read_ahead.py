"""Reading the packs' files while earlier stages are at work.

Reading keeps worker processes busy, nearly all else this process: one after the other they leave a core idle.
What is read ahead only fills the cache of parsed files; the stages find it there. Nothing depends on it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable

from assets.stage import Cache
from bidproof.errors import BidproofError
from bidproof.intake.inbox import SourceFile, Tender
from bidproof.staleness import Sources, stage_states
from bidproof.store import Warehouse
from resources.reader import FileReader


class ReadAhead:
    """A thread that reads the files of packs whose pages are stale, in the order in which they will be run."""

    def __init__(self, warehouse: Warehouse, reader: FileReader) -> None:
        self._cache, self._warehouse, self._reader = Cache(warehouse, "parsed"), warehouse, reader
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, tenders: Iterable[Tender], sources_of: Callable[[str], Sources]) -> None:
        """Begin with the packs of `tenders`; `sources_of` gives what applies to a tender."""
        self._thread = threading.Thread(
            target=self._run, args=(list(tenders), sources_of), name="read ahead", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Let the file at work be finished and read no more. Does not wait."""
        self._stopped.set()

    def _run(self, tenders: list[Tender], sources_of: Callable[[str], Sources]) -> None:
        for tender in tenders:
            # Whatever is wrong with a tender, a pack or a file, the stage that reads it finds it too and says so.
            with contextlib.suppress(BidproofError, OSError):
                sources = sources_of(tender.tender)
                for bid in tender.bids:
                    if self._stale(bid.pack, sources):
                        self._read(bid.files, sources)
        # Reader processes end with the thread that started them, and the stages use them as well.
        self._stopped.wait()

    def _stale(self, pack: str, sources: Sources) -> bool:
        states = stage_states(self._warehouse, pack, sources)
        return any(state.stage.name == "pages" and state.will_run for state in states)

    def _read(self, files: Iterable[SourceFile], sources: Sources) -> None:
        for file in files:
            if self._stopped.is_set():
                return
            with contextlib.suppress(BidproofError, OSError):
                self._reader.read(file, sources.params.documents, self._cache)
