"""Which files a pack holds and whether each can be read: the rows of `documents`. Reads no page in full."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import polars as pl

from bidproof.adapters import choose_adapter
from bidproof.documents.office.unpaged import survey_unpaged
from bidproof.documents.opening import PAGED, SUFFIXES, UNPAGED, kind_of, mend_of
from bidproof.documents.parsing import survey_file
from bidproof.documents.revisions import superseded
from bidproof.documents.survey import oddities
from bidproof.errors import UnreadableFileError
from bidproof.intake.inbox import SourceFile
from bidproof.intake.unpacking import CONTAINER_KINDS
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
    _mark_superseded(rows)
    return DOCUMENTS.frame(rows)


def _mark_superseded(rows: list[dict[str, Any]]) -> None:
    """Say of each file of which a later version is there by its name, which that is."""
    later, names = superseded(rows), {row["doc_id"]: row["file_name"] for row in rows}
    for row in rows:
        by = row["superseded_by"] = later.get(row["doc_id"], "")
        if by:
            what = f"by its name {names[by]} is a later version; what rests on this file goes to a reviewer"
            row["warnings"] = [*row["warnings"], f"{row['file_name']}: {what}"]


def _inspect(file: SourceFile, params: DocumentParams) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": "other",
        "page_count": 0,
        "language": "",
        "encrypted": False,
        "status": "unreadable",
        "warnings": [],
    }
    if file.note:
        found["warnings"].append(f"{file.file_name}: {file.note}")
    if file.trouble:
        found["encrypted"] = "password" in file.trouble
        found["warnings"].append(f"{file.file_name}: {file.trouble}; {file.mend}")
        return found
    try:
        kind, words = kind_of(file.path)
        found["kind"] = kind
        if kind in PAGED:
            _inspect_pages(file, params, found)
        elif kind in UNPAGED:
            _inspect_unpaged(file, params, found)
        elif kind in CONTAINER_KINDS:
            found["status"] = "ok"
        else:
            found["warnings"].append(_not_read(file, words))
            found["encrypted"] = "password" in found["warnings"][-1]
        if found["status"] == "ok":
            found["warnings"] += _misnamed(file.file_name, kind, words)
    except UnreadableFileError as error:
        found["encrypted"] = "password" in error.what
        found["warnings"].append(f"{file.file_name}: {error.what}; {error.mend}")
    return found


def _not_read(file: SourceFile, words: str) -> str:
    named = file.file_name.lower().endswith(".pdf")
    return f"{file.file_name}: {'named .pdf but ' if named else ''}is {_named(words)}; it {mend_of(file.path, words)}"


def _misnamed(name: str, kind: str, words: str) -> list[str]:
    """A file is read as what it is; where its name says otherwise, a reader of the pack must know."""
    suffixes, lower = SUFFIXES.get(kind, ()), name.lower()
    known = [suffix for each in SUFFIXES.values() for suffix in each]
    if (suffixes and lower.endswith(suffixes)) or (not suffixes and not lower.endswith(tuple(known))):
        return []
    how = "its files are read on their own" if kind in CONTAINER_KINDS else "it is read as one"
    return [f"{name}: is {_named(words)} under another name; {how}"]


def _named(words: str) -> str:
    """What a file is, with its article."""
    article = "" if words.startswith("data") else "an " if words[0] in "aeiouAEIOU" else "a "
    return article + words


def _inspect_unpaged(file: SourceFile, params: DocumentParams, found: dict[str, Any]) -> None:
    facts = survey_unpaged(file.path, file.file_name, found["kind"], params)
    found |= {"status": "ok", "page_count": facts["pages"], "language": facts["language"]}
    found["opening"] = facts["opening"]
    found["warnings"] += [f"{file.file_name}: {warning}" for warning in facts["warnings"]]


def _inspect_pages(file: SourceFile, params: DocumentParams, found: dict[str, Any]) -> None:
    facts = survey_file(file.path, file.file_name, params)
    pages = found["page_count"] = facts["pages"]
    if pages > params.max_pages:
        what = f"has {pages} pages, more than documents.max_pages ({params.max_pages})"
        raise UnreadableFileError(file.file_name, what, "split the file or raise the limit")
    found["status"] = "ok"
    found["warnings"] += [f"{file.file_name}: {oddity}" for oddity in oddities(facts)]
    found["language"] = facts.get("language", "")
    found["opening"] = facts.get("opening", "")
