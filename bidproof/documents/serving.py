"""What a reader process does: surveys a file, reads pages, and answers one message an item.

Runs in the processes that `workers` starts. Whatever MuPDF does to this process, the one that asked lives on.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import resource
import signal
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bidproof.documents.opening import open_pdf
from bidproof.documents.page import RawPage
from bidproof.documents.scans.recognition import language_of_scans
from bidproof.documents.sheets.context import Context, context_of
from bidproof.documents.sheets.reading import read_page
from bidproof.documents.survey import survey
from bidproof.errors import UnreadableFileError
from bidproof.params import DocumentParams

# Address space of one process: a page of a 500-page pack needs under one gigabyte, OCR and libraries included.
_MEMORY = 5 << 30
# A process that once held more is not kept for the next file: it would hold it to the end.
_BLOATED = 1 << 30
_END_WITH_PARENT = 1
_COLLECT_EVERY = 100


def serve(handle: int) -> None:
    """Take tasks from the line until it closes.

    Answers to a task are items, then `done` (with whether this process is fit for more) or `refused`.
    """
    _settle()
    line = Connection(handle)
    line.send(("ready", None))
    while True:
        try:
            task, arguments = line.recv()
        except (EOFError, OSError):
            return
        try:
            for item in TASKS[task](*arguments):
                line.send(("item", item))
            line.send(("done", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < _BLOATED))
        except UnreadableFileError as error:
            line.send(("refused", (error.what, error.mend)))
        except (BrokenPipeError, ConnectionResetError):
            return
        except Exception as error:
            reason = " ".join(str(error).split())[:120] or type(error).__name__
            what = f"the file cannot be read ({type(error).__name__}: {reason})"
            line.send(("refused", (what, "ask the sender for it again")))


def _settle() -> None:
    # Control-C is for the process that asked; it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Should memory run out all the same, the kernel is to take this process and not the pipeline.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800")
    # Each page makes tens of thousands of dictionaries; walks over them cost a fifth of the time.
    gc.disable()


_opened: dict[str, tuple[Any, Context]] = {}
_pages_read = itertools.count(1)


def read_pages(
    path: str, token: str, numbers: list[int], params: DocumentParams, language: str = ""
) -> Iterator[RawPage]:
    """Pages of a file. The file stays open for the next range of the same `token`."""
    if token not in _opened:
        for other, _ in _opened.values():
            other.close()
        _opened.clear()
        opened = open_pdf(Path(path), Path(path).name)
        _opened[token] = opened, context_of(opened, language)
    document, context = _opened[token]
    for number in numbers:
        yield read_page(document, number, params, context)
        if next(_pages_read) % _COLLECT_EVERY == 0:
            _tidy()


def _tidy() -> None:
    """Give up what earlier pages left behind, in Python and in MuPDF's store of fonts and images."""
    import pymupdf

    gc.collect()
    # The libraries are loaded by now and stay: no later walk goes over them again.
    gc.freeze()
    pymupdf.TOOLS.store_shrink(100)


def tongue(path: str, scans: list[int], params: DocumentParams) -> Iterator[dict[str, str]]:
    """Language of a file of scans as one piece: `language`."""
    with open_pdf(Path(path), Path(path).name) as document:
        yield {"language": language_of_scans(document, scans, params)}


def unpaged(*arguments: Any) -> Iterator[Any]:
    """Rows of a file without pages of its own; its libraries are loaded where one comes along."""
    from bidproof.documents.office.unpaged import serve_unpaged

    return serve_unpaged(*arguments)


TASKS: dict[str, Callable[..., Iterator[Any]]] = {
    "survey": survey, "tongue": tongue, "pages": read_pages, "unpaged": unpaged,
}  # fmt: skip
