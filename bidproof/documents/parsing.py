"""Parsing one file: pages side by side in worker processes, the document put together in page order.

The number of workers never changes the result. A page that kills its worker, or keeps it beyond
`documents.page_seconds`, stays as an unreadable page; the pages beside it are read by the next worker.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bidproof.adapters import adapter_named, choose_adapter
from bidproof.documents.assembly import Assembly
from bidproof.documents.integrity import integrity_rows
from bidproof.documents.office.unpaged import parse_unpaged
from bidproof.documents.opening import PDF, UNPAGED, kind_of, open_pdf
from bidproof.documents.page import RawPage
from bidproof.documents.parsed import ParsedFile, frames_of
from bidproof.documents.scans.recognition import language_of_scans
from bidproof.documents.sheets.context import context_of
from bidproof.documents.sheets.reading import read_page
from bidproof.documents.shelf import PageShelf
from bidproof.documents.survey import file_remarks, survey_document
from bidproof.documents.workers import Event, EventKind, Worker, await_events, hire, keep
from bidproof.errors import StageError, UnreadableFileError
from bidproof.intake.unpacking import CONTAINER_KINDS
from bidproof.params import DocumentParams

Progress = Callable[[int, int], None]

# A second worker costs half a second to start, as much as some fifty pages of text or a page of OCR.
_SMALL = 50
_RANGE = 16
_KILLED = "reading this page crashed the reader; ask for a sound copy"

_tokens = itertools.count()


def parse_file(
    source: Path | bytes,
    params: DocumentParams,
    workers: int | None = None,
    progress: Progress | None = None,
    file_name: str = "",
) -> ParsedFile:
    """Pages, blocks and table cells of a PDF or image, or of a file that is read without pages (see `unpaged`).

    Args:
        source: the file, or its bytes.
        params: how to read it.
        workers: processes; `params.workers` when left out. 0 reads in this process, where a damaged page can
            crash or hang it: for tests and profiling.
        progress: called with (pages read, pages) as pages come in.
        file_name: path inside the pack's folder, which speaks for the adapter; the source's own when left out.

    Raises:
        UnreadableFileError: the file as a whole cannot be opened or put together. Single pages never raise.
        StageError: no worker process can be started.
    """
    count = params.workers if workers is None else workers
    name = source.name if isinstance(source, Path) else "file"
    report = progress or (lambda _done, _total: None)
    kind, words = kind_of(source) if isinstance(source, Path) else (PDF, "PDF")
    if isinstance(source, Path) and kind in UNPAGED:
        parsed = parse_unpaged(source, file_name or name, kind, params, apart=count > 0)
        report(parsed.pages.height, parsed.pages.height)
        return parsed
    if kind in CONTAINER_KINDS:
        raise UnreadableFileError(
            name, f"is a {words}, whose files are read on their own", "name one of them"
        )
    with PageShelf() as shelf:
        if count == 0:
            facts = _read_here(source, name, params, report, shelf)
        elif isinstance(source, bytes):
            with tempfile.TemporaryDirectory(prefix="bidproof-") as folder:
                path = Path(folder) / "file.pdf"
                path.write_bytes(source)
                facts = _read_apart(path, name, params, count, report, shelf)
        else:
            facts = _read_apart(source, name, params, count, report, shelf)
        return _put_together(shelf, facts, name, file_name, params)


def _put_together(
    shelf: PageShelf, facts: dict[str, Any], name: str, file_name: str, params: DocumentParams
) -> ParsedFile:
    try:
        chosen = choose_adapter(file_name or name, facts.get("opening", ""), len(shelf), params)
        document = Assembly(shelf, params, facts.get("bookmarks", ()), adapter_named(chosen.name))
        pieces = [frames_of(rows) for rows in document.pieces()]
        pieces.append(frames_of({"integrity": integrity_rows(document.remarks, file_remarks(facts))}))
        return ParsedFile.joined(pieces, document.warnings, document.lacking)
    except Exception as error:
        # Pages come from strangers. One file whose pages do not fit together must not take the pack along.
        reason = " ".join(str(error).split())[:120]
        what = f"its pages cannot be put together ({type(error).__name__}: {reason})"
        raise UnreadableFileError(name, what, "print it to PDF again") from error


def survey_file(path: Path, name: str, params: DocumentParams) -> dict[str, Any]:
    """Facts of a PDF (see `survey`), asked of a worker; those that a bad file broke on are left out.

    Raises:
        UnreadableFileError: the file cannot be opened, or opening it crashes or hangs the reader.
        StageError: no worker process can be started.
    """
    return _asked("survey", (str(path), name, params.max_pages), name, params, "pages")


def _asked(
    task: str, arguments: tuple[Any, ...], name: str, params: DocumentParams, needed: str
) -> dict[str, Any]:
    """Facts that a worker gives in pieces. It may break off once `needed` is among them.

    Where a worker dies it may be of what came before (memory): another one is asked, once.
    """
    facts, end, said = _answers(task, arguments, params)
    if end == "died" and needed not in facts:
        facts, end, said = _answers(task, arguments, params)
    if end == "done" or needed in facts:
        return facts
    if end == "refused":
        raise UnreadableFileError(name, *said)
    how = "crashes the reader" if end == "died" else "keeps the reader for ever"
    raise UnreadableFileError(name, f"opening the file {how}", "ask the sender for it again")


def _answers(
    task: str, arguments: tuple[Any, ...], params: DocumentParams
) -> tuple[dict[str, Any], EventKind, Any]:
    """What one worker gave, how it ended, and what it said of that."""
    facts: dict[str, Any] = {}
    worker = hire()
    ended = False
    worker.give(task, arguments, params.page_seconds)
    try:
        while True:
            for event in await_events([worker]):
                if event.kind == "item":
                    facts.update(event.value)
                    continue
                if event.kind == "done":
                    keep(worker, event.value)
                    ended = True
                return facts, event.kind, event.value
    finally:
        if not ended:
            worker.end()


def _read_here(
    source: Path | bytes, name: str, params: DocumentParams, report: Progress, shelf: PageShelf
) -> dict[str, Any]:
    document = open_pdf(source, name)
    try:
        facts: dict[str, Any] = {}
        for piece in survey_document(document, params.max_pages):
            facts.update(piece)
        total = document.page_count
        _refuse_too_many(total, name, params)
        facts["language"] = facts.get("language") or language_of_scans(
            document, facts.get("scans", []), params
        )
        context = context_of(document, str(facts["language"]))
        for number in range(1, total + 1):
            shelf.put(read_page(document, number, params, context))
            report(number, total)
        return facts
    finally:
        document.close()


def _refuse_too_many(total: int, name: str, params: DocumentParams) -> None:
    if total > params.max_pages:
        what = f"has {total} pages, more than documents.max_pages ({params.max_pages})"
        raise UnreadableFileError(name, what, "split the file or raise the limit")


def _read_apart(
    path: Path, name: str, params: DocumentParams, workers: int, report: Progress, shelf: PageShelf
) -> dict[str, Any]:
    facts = survey_file(path, name, params)
    total = int(facts["pages"])
    _refuse_too_many(total, name, params)
    facts["language"] = facts.get("language") or _language_of_scans(path, name, params, facts)
    many = total >= _SMALL or facts.get("scanned", 0) > 1
    reading = _Reading(path, name, params, total, report, str(facts["language"]), shelf)
    reading.run(min(workers, len(reading.ranges)) if many else 1)
    return facts


def _language_of_scans(path: Path, name: str, params: DocumentParams, facts: dict[str, Any]) -> str:
    """Language of a file without text, as a worker reads it off its scans; one that breaks on it tells nothing."""
    scans = facts.get("scans", [])
    if not scans:
        return ""
    try:
        return str(_asked("tongue", (str(path), scans, params), name, params, "language")["language"])
    except UnreadableFileError:
        return ""


class _Reading:
    """Ranges of a file's pages shared out among workers. A range's first page is the one at work."""

    def __init__(
        self,
        path: Path,
        name: str,
        params: DocumentParams,
        total: int,
        report: Progress,
        language: str,
        shelf: PageShelf,
    ) -> None:
        self.language, self.shelf = language, shelf
        self.path, self.name, self.params, self.total, self.report = path, name, params, total, report
        numbers = range(1, total + 1)
        # Ranges of one page each where there are few pages, so that two scans go to two workers.
        size = _RANGE if total >= _SMALL else 1 if total <= _RANGE else 4
        self.ranges = deque(deque(numbers[at : at + size]) for at in range(0, total, size))
        self.busy: dict[Worker, deque[int]] = {}
        self.suspects: set[int] = set()
        self.token = f"{os.getpid()}:{next(_tokens)}"

    def run(self, workers: int) -> None:
        """Read all pages with up to `workers` processes.

        Raises:
            UnreadableFileError: the file is refused.
            StageError: no process can be started, or a page is neither read nor given up.
        """
        try:
            while self.ranges or self.busy:
                while self.ranges and len(self.busy) < workers:
                    self._start(hire())
                for event in await_events(list(self.busy)):
                    self._take(event)
        finally:
            for worker in self.busy:
                worker.end()
        if len(self.shelf) != self.total:
            raise StageError(
                f"{self.name}: {self.total - len(self.shelf)} pages got lost while they were read"
            )

    def _start(self, worker: Worker) -> None:
        part = self.busy[worker] = self.ranges.popleft()
        task = (str(self.path), self.token, list(part), self.params, self.language)
        worker.give("pages", task, self.params.page_seconds)

    def _take(self, event: Event) -> None:
        worker, part = event.worker, self.busy[event.worker]
        if event.kind == "item":
            self._keep_page(event.value, part)
            return
        del self.busy[worker]
        if event.kind == "done":
            keep(worker, event.value)
            return
        worker.end()
        if event.kind == "refused":
            raise UnreadableFileError(self.name, *event.value)
        number = part[0]
        if event.kind == "died" and number not in self.suspects:
            # It may have died of what came before (memory): the page is tried once more, alone.
            self.suspects.add(number)
            part.popleft()
            self.ranges.append(deque([number]))
        else:
            limit = f"{self.params.page_seconds:g}"
            slow = (
                f"reading this page took over {limit} s; raise documents.page_seconds or ask for a sound copy"
            )
            self._keep_page(RawPage(page=number, notes=[_KILLED if event.kind == "died" else slow]), part)
        if part:
            self.ranges.append(part)

    def _keep_page(self, page: RawPage, part: deque[int]) -> None:
        part.popleft()
        self.shelf.put(page)
        self.report(len(self.shelf), self.total)
