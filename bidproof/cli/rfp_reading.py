"""Reading an RFP's files from disk for the catalog commands, without a warehouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from bidproof.documents import blocks_table, inspect_files, pages_table, parse_file
from bidproof.errors import BadInputError
from bidproof.intake.inbox import SourceFile, hash_file
from bidproof.intake.source_files import printable
from bidproof.intake.unpacking import CONTAINER_KINDS, unpack_all
from bidproof.params import DocumentParams, Params, load_params, read_overrides, resolve

Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class ReadRfp:
    """An RFP as read: its files, pages and blocks, and what could not be read, one line each."""

    documents: pl.DataFrame
    pages: pl.DataFrame
    blocks: pl.DataFrame
    unread: tuple[str, ...]
    paths: dict[str, Path] = field(default_factory=dict)
    """Where those files lie that are on disk themselves, by name; members of archives do not."""


def params_with(file: Path | None) -> Params:
    """Parameters of the project with those of a file over them.

    Raises:
        BadInputError: the file cannot be read or names a parameter or value that there is not.
    """
    layer = read_overrides(file) if file else {}
    if file:
        resolve([(str(file), layer)])
    return load_params(Path("."), None, layer)


def read_rfp(paths: Sequence[Path], params: DocumentParams, tell: Tell | None = None) -> ReadRfp:
    """Documents, pages and blocks of an RFP's files; a folder stands for all files in it.

    Args:
        paths: files or folders, in any order.
        params: how documents are read.
        tell: called with file name, pages done and pages in all.

    Raises:
        BadInputError: a path does not exist, or nothing could be read.
    """
    given = _source_files(paths)
    files = unpack_all(given)
    documents = inspect_files(
        files, pack="rfp", tender="rfp", bidder="", tender_name="", bidder_name="", role="rfp", params=params
    )
    readable = (
        (pl.col("status") == "ok")
        & (pl.col("duplicate_of") == "")
        & ~pl.col("kind").is_in(list(CONTAINER_KINDS))
    )
    by_name = {file.file_name: file for file in files}
    parsed = {}
    for row in documents.filter(readable).sort("file_name").iter_rows(named=True):
        name = row["file_name"]

        def progress(done: int, total: int, name: str = name) -> None:
            if tell is not None:
                tell(name, done, total)

        parsed[row["doc_id"]] = parse_file(
            by_name[name].path, params, progress=progress, workers=params.workers
        )
    pages, blocks = pages_table(documents, parsed), blocks_table(documents, parsed)
    unread = _unread(documents, pages)
    if blocks.is_empty():
        what = f"holds no text that can be read: {unread[0]}" if unread else "holds no text that can be read"
        raise BadInputError(
            ", ".join(str(p) for p in paths), what, "give a copy with text, or install its OCR language"
        )
    return ReadRfp(documents, pages, blocks, unread, {file.file_name: file.path for file in given})


def _unread(documents: pl.DataFrame, pages: pl.DataFrame) -> tuple[str, ...]:
    bad = [
        str(next(iter(warnings or ()), f"{name}: cannot be read"))
        for name, warnings in documents.filter(pl.col("status") != "ok")
        .select("file_name", "warnings")
        .iter_rows()
    ]
    lost = pages.filter(pl.col("status").is_in(["garbled", "unreadable"])).sort("file_name", "page")
    return (
        *bad,
        *(
            f"{name} p. {page}: {status}"
            for name, page, status in lost.select("file_name", "page", "status").iter_rows()
        ),
    )


def _source_files(paths: Sequence[Path]) -> list[SourceFile]:
    found: dict[str, SourceFile] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and not _hidden(p, path))
            if not inside:
                raise BadInputError(str(path), "holds no files", "name the RFP's files or their folder")
            _add(found, [(p.relative_to(path).as_posix(), p) for p in inside])
        elif path.is_file():
            _add(found, [(path.name, path)])
        else:
            raise BadInputError(str(path), "no such file", "name the RFP's files or their folder")
    return [found[name] for name in sorted(found)]


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith((".", "~$")) for part in path.relative_to(folder).parts)


def _add(found: dict[str, SourceFile], files: list[tuple[str, Path]]) -> None:
    for name, path in files:
        name = printable(name)
        if name in found:
            if found[name].path.resolve() == path.resolve():
                continue
            name = f"{printable(path.absolute().parent.name)}/{name}"
        if name in found:
            raise BadInputError(str(path), f"two files are called {name}", "rename one")
        try:
            size, digest = path.stat().st_size, hash_file(path)
        except OSError as error:
            reason = (error.strerror or "cannot be read").lower()
            raise BadInputError(str(path), reason, "make the file readable") from None
        found[name] = SourceFile(file_name=name, path=path, size=size, sha256=digest)
