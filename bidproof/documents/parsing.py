"""Parsing one file: pages side by side in worker processes, the document put together in page order.

The number of workers never changes the result. A page that kills its worker is found by reading the
pages of its range one by one in processes of their own, and stays as an unreadable page.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from bidproof.documents.assembly import assemble
from bidproof.documents.opening import open_pdf
from bidproof.documents.page import RawPage
from bidproof.documents.parsed import ParsedFile
from bidproof.documents.reading import read_page
from bidproof.errors import UnreadableFileError
from bidproof.params import DocumentParams

Progress = Callable[[int, int], None]

# Starting workers costs a second or so, as much as some fifty pages of text or one page of OCR.
_SMALL = 50
_RANGE = 16
_KILLED = "reading this page crashed the reader; ask for a sound copy"


def parse_file(
    source: Path | bytes, params: DocumentParams, workers: int | None = None, progress: Progress | None = None
) -> ParsedFile:
    """Pages, blocks and table cells of a PDF.

    Args:
        source: the file, or its bytes.
        params: how to read it.
        workers: processes; `params.workers` when left out.
        progress: called with (pages read, pages) as pages come in.

    Raises:
        UnreadableFileError: the file as a whole cannot be opened. Single pages never raise.
    """
    count = params.workers if workers is None else workers
    name = source.name if isinstance(source, Path) else "file"
    document = open_pdf(source, name)
    try:
        total = document.page_count
        if total > params.max_pages:
            what = f"has {total} pages, more than documents.max_pages ({params.max_pages})"
            raise UnreadableFileError(name, what, "split the file or raise the limit")
        numbers = list(range(1, total + 1))
        report = progress or (lambda _done, _total: None)
        if count > 1 and (total >= _SMALL or _scanned(document, total) > 1):
            pages = _read_apart(source, numbers, params, count, report)
        else:
            pages = []
            for page in _read_here(document, numbers, params):
                pages.append(page)
                report(len(pages), total)
    finally:
        document.close()
    rows, warnings = assemble(pages, params)
    return ParsedFile.of(rows, warnings)


def _scanned(document: Any, total: int) -> int:
    """Pages of a small file that will need OCR, roughly: those without any font."""
    return sum(not document.get_page_fonts(number) for number in range(min(total, _SMALL)))


def _read_here(document: Any, numbers: list[int], params: DocumentParams) -> Iterator[RawPage]:
    labelled = bool(document.get_page_labels())
    for number in numbers:
        yield read_page(document, number, params, labelled)


def _read_apart(
    source: Path | bytes, numbers: list[int], params: DocumentParams, workers: int, report: Progress
) -> list[RawPage]:
    if isinstance(source, bytes):
        with tempfile.TemporaryDirectory(prefix="bidproof-") as folder:
            path = Path(folder) / "file.pdf"
            path.write_bytes(source)
            return _read_apart(path, numbers, params, workers, report)
    ranges = [numbers[at : at + _RANGE] for at in range(0, len(numbers), _RANGE)]
    found: dict[int, RawPage] = {}
    lost: list[list[int]] = []
    with _pool(min(workers, len(ranges))) as pool:
        futures = {pool.submit(read_range, str(source), part, params): part for part in ranges}
        for future in as_completed(futures):
            pages = _result(future)
            if pages is None:
                lost.append(futures[future])
                continue
            found.update((page.page, page) for page in pages)
            report(len(found), len(numbers))
    for number in sorted(number for part in lost for number in part):
        found[number] = _read_alone(source, number, params)
        report(len(found), len(numbers))
    return [found[number] for number in numbers]


def _read_alone(path: Path, number: int, params: DocumentParams) -> RawPage:
    with _pool(1) as pool:
        pages = _result(pool.submit(read_range, str(path), [number], params))
    if pages is None:
        return RawPage(page=number, notes=[_KILLED])
    return pages[0]


def _result(future: Future[list[RawPage]]) -> list[RawPage] | None:
    """Pages of a range, or None when its worker died."""
    try:
        return future.result()
    except BrokenProcessPool:
        return None


def _pool(workers: int) -> ProcessPoolExecutor:
    # Spawned, not forked: the parent may hold threads of torch or of Dagster, and a fork of those hangs.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_settle)


def _settle() -> None:
    # Two OCR threads a page took ten times as long as one under load; set before the engine loads.
    os.environ["OMP_THREAD_LIMIT"] = "1"
    # Each page makes tens of thousands of dictionaries; walks over them cost a fifth of the time.
    gc.disable()


_opened: dict[str, Any] = {}


def read_range(path: str, numbers: list[int], params: DocumentParams) -> list[RawPage]:
    """Pages of a file, read in a worker process, which keeps the file open between ranges."""
    document = _opened.get(path)
    if document is None:
        _opened.clear()
        document = _opened[path] = open_pdf(Path(path), Path(path).name)
    pages = list(_read_here(document, numbers, params))
    gc.collect()
    return pages
