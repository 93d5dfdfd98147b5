"""Which files a pack holds and whether each can be read: the rows of `documents`. Reads no page in full."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import polars as pl

from bidproof.adapters import choose_adapter
from bidproof.documents.opening import DOCX, PDF, XLSX, kind_of
from bidproof.documents.parsing import survey_file
from bidproof.documents.survey import oddities
from bidproof.errors import UnreadableFileError
from bidproof.inbox import SourceFile
from bidproof.params import DocumentParams
from bidproof.tables import DOCUMENTS

_ID_CHARS = 10


def document_id(pack: str, file: SourceFile) -> str:
    """Id of a file in a pack: ten hex digits over pack, file name and content."""
    return hashlib.sha256(f"{pack}\0{file.file_name}\0{file.sha256}".encode()).hexdigest()[:_ID_CHARS]


def inspect_files(
    files: Sequence[SourceFile],
    *,
    pack: str,
    tender: str,
    bidder: str,
    tender_name: str,
    bidder_name: str,
    role: str,
    params: DocumentParams,
) -> pl.DataFrame:
    """One row of `documents` a file, in order of file names whatever the order of `files`.

    A file that cannot be read is a row with status `unreadable` whose warnings say why and the mend.
    """
    rows: list[dict[str, Any]] = []
    first_of: dict[str, str] = {}
    for file in sorted(files, key=lambda each: each.file_name):
        doc_id = document_id(pack, file)
        row = {
            "tender": tender, "bidder": bidder, "pack": pack, "doc_id": doc_id, "file_name": file.file_name,
            "tender_name": tender_name, "bidder_name": bidder_name, "role": role, "sha256": file.sha256,
            "size": file.size, "duplicate_of": first_of.get(file.sha256, ""), **_inspect(file, params),
        }  # fmt: skip
        chosen = choose_adapter(file.file_name, row.pop("opening", ""), row["page_count"], params)
        row |= {"adapter": chosen.name, "adapter_why": chosen.why}
        if row["duplicate_of"]:
            original = next(each["file_name"] for each in rows if each["doc_id"] == row["duplicate_of"])
            row["warnings"] = [*row["warnings"], f"{file.file_name}: same bytes as {original}; read once"]
        if file.sha256:
            first_of.setdefault(file.sha256, doc_id)
        rows.append(row)
    return DOCUMENTS.frame(rows)


def _inspect(file: SourceFile, params: DocumentParams) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": "other",
        "page_count": 0,
        "language": "",
        "encrypted": False,
        "status": "unreadable",
        "warnings": [],
    }
    if file.trouble:
        found["warnings"].append(f"{file.file_name}: {file.trouble}; {file.mend}")
        return found
    try:
        found["kind"], words = kind_of(file.path)
        if found["kind"] == PDF:
            _inspect_pdf(file, params, found)
        else:
            found["warnings"].append(_not_read(file.file_name, found["kind"], words))
    except UnreadableFileError as error:
        found["encrypted"] = "password" in error.what
        found["warnings"].append(f"{file.file_name}: {error.what}; {error.mend}")
    return found


def _not_read(name: str, kind: str, words: str) -> str:
    if kind in (DOCX, XLSX):
        return f"{name}: {words}s are not read yet; print it to PDF"
    if name.lower().endswith(".pdf"):
        return f"{name}: named .pdf but is a {words}; print it to PDF"
    return f"{name}: a {words} is not read; print it to PDF"


def _inspect_pdf(file: SourceFile, params: DocumentParams, found: dict[str, Any]) -> None:
    facts = survey_file(file.path, file.file_name, params)
    pages = found["page_count"] = facts["pages"]
    if pages > params.max_pages:
        what = f"has {pages} pages, more than documents.max_pages ({params.max_pages})"
        raise UnreadableFileError(file.file_name, what, "split the file or raise the limit")
    found["status"] = "ok"
    found["warnings"] += [f"{file.file_name}: {oddity}" for oddity in oddities(facts)]
    if not file.file_name.lower().endswith(".pdf"):
        found["warnings"].append(f"{file.file_name}: is a PDF under another name; it is read as one")
    found["language"] = facts.get("language", "")
    found["opening"] = facts.get("opening", "")
