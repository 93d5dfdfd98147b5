"""Files without page images (Word, Excel, text, CSV, HTML) to parsed files, read by a process of its own.

Chooses the reader by kind and bears its crashes; what the readers do stands in `word`, `workbook`, `plain_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bidproof.documents.language import main_language
from bidproof.documents.office.office_rows import Read, Rows
from bidproof.documents.opening import CSV, DOCX, HTML, TEXT, XLSX
from bidproof.documents.parsed import ParsedFile
from bidproof.documents.workers import await_events, hire, keep
from bidproof.errors import UnreadableFileError
from bidproof.params import DocumentParams

_OPENING = 60
_PICTURES = "its pictures are not read, as reading them crashes the reader; look at them in the file"


def read_unpaged(path: Path, name: str, kind: str, params: DocumentParams) -> Iterator[Read | None]:
    """Rows and warnings of a file, last; before that None now and then, as a sign of life.

    Raises:
        UnreadableFileError: the file cannot be read as a whole.
    """
    yield from _reader(kind)(path, name, params)


def _reader(kind: str) -> Callable[[Path, str, DocumentParams], Iterator[Read | None]]:
    from bidproof.documents.office import html_page, plain_text, word, workbook

    return {
        DOCX: word.read_word,
        XLSX: workbook.read_workbook,
        TEXT: plain_text.read_text,
        CSV: plain_text.read_csv,
        HTML: html_page.read_html,
    }[kind]


def serve_unpaged(path: str, name: str, kind: str, params: DocumentParams, facts: bool) -> Iterator[Any]:
    """The task of a reader process: as `read_unpaged`, or with facts of the file in place of its rows."""
    for item in read_unpaged(Path(path), name, kind, params):
        yield _facts(*item[:2]) if facts and item is not None else item


def _facts(rows: Rows, warnings: tuple[str, ...]) -> dict[str, Any]:
    pages = rows["pages"]
    language = main_language([(page["language"], page["chars"]) for page in pages])
    shown = [b["text"] for b in rows["blocks"][:_OPENING] if not b["struck"] and not b["hidden"]]
    return {
        "pages": len(pages),
        "language": language,
        "opening": "\n".join(shown),
        "warnings": list(warnings),
    }


def survey_unpaged(path: Path, name: str, kind: str, params: DocumentParams) -> dict[str, Any]:
    """Number of pages, language and warnings of a file, asked of a reader process.

    Raises:
        UnreadableFileError: the file cannot be read as a whole.
        StageError: no worker process can be started.
    """
    found: dict[str, Any] = _ask(path, name, kind, params, True)
    return found


def parse_unpaged(path: Path, name: str, kind: str, params: DocumentParams, apart: bool = True) -> ParsedFile:
    """The parsed file, read in a reader process, or in this one where not `apart`.

    Raises:
        UnreadableFileError: the file cannot be read as a whole.
        StageError: no worker process can be started.
    """
    if apart:
        rows, warnings, lacking = _ask(path, name, kind, params, False)
    else:
        rows, warnings, lacking = next(
            item for item in read_unpaged(path, name, kind, params) if item is not None
        )
    return ParsedFile.of(rows, tuple(warnings), lacking)


def _ask(path: Path, name: str, kind: str, params: DocumentParams, facts: bool) -> Any:
    answer, how = _try(path, name, kind, params, facts)
    if answer is None and params.ocr:
        # Most likely a picture: the text need not be lost with it.
        answer, _ = _try(path, name, kind, params.model_copy(update={"ocr": False}), facts)
        if answer is not None:
            return (
                {**answer, "warnings": [*answer["warnings"], _PICTURES]}
                if facts
                else (answer[0], (*answer[1], _PICTURES), answer[2])
            )
    if answer is None:
        raise UnreadableFileError(
            name, f"reading the file {how}", "ask the sender for a sound copy, or print it to PDF"
        )
    return answer


def _try(path: Path, name: str, kind: str, params: DocumentParams, facts: bool) -> tuple[Any, str]:
    """The answer of a reader process; None, and how it was lost, where it crashed or took too long."""
    answer = None
    worker = hire()
    worker.give("unpaged", (str(path), name, kind, params, facts), params.page_seconds)
    fit = None
    try:
        while True:
            for event in await_events([worker]):
                if event.kind == "item":
                    answer = event.value if event.value is not None else answer
                elif event.kind == "done":
                    fit = event.value
                    return answer, "gives no answer"
                elif event.kind == "refused":
                    raise UnreadableFileError(name, *event.value)
                else:
                    slow = f"takes over {params.page_seconds:g} s (documents.page_seconds)"
                    return None, "crashes the reader" if event.kind == "died" else slow
    finally:
        if fit is not None:
            keep(worker, fit)
        else:
            worker.end()
