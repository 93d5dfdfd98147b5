"""Parsed files under the names of a pack: the frames of `pages`, `blocks` and `table_cells`.

A file that is not read, or failed while it was read, gives one row a page (page 1 when its pages are
not known) with status `unreadable`, so that it counts against coverage instead of vanishing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from bidproof.documents.parsed import ParsedFile
from bidproof.intake.unpacking import CONTAINER_KINDS
from bidproof.table import Table
from bidproof.tables import BLOCKS, PAGES, TABLE_CELLS

_OWNER = ("tender", "bidder", "pack", "doc_id", "file_name")


def pages_table(documents: pl.DataFrame, parsed: Mapping[str, ParsedFile]) -> pl.DataFrame:
    """`pages` of a pack, in order of documents and pages.

    Args:
        documents: rows of `documents`.
        parsed: parsed files by doc_id; a document that is left out, or has no page, is taken as unreadable.
            Duplicates may be left out: their pages are those of the original.
    """
    read = {doc_id for doc_id, file in parsed.items() if file.pages.height}
    frames = [
        _owned(PAGES, row, parsed[row["doc_id"]].pages)
        for row in documents.to_dicts()
        if row["doc_id"] in read
    ]
    lost = [
        page
        for row in documents.to_dicts()
        if row["doc_id"] not in read
        and row["duplicate_of"] not in read
        # An archive that was unpacked has no pages: its files are documents of their own.
        and not (row["kind"] in CONTAINER_KINDS and row["status"] == "ok")
        for page in _lost_pages(row, parsed.get(row["doc_id"]))
    ]
    return _in_order(PAGES, documents, [*frames, PAGES.frame(lost)], ("page",))


def blocks_table(documents: pl.DataFrame, parsed: Mapping[str, ParsedFile]) -> pl.DataFrame:
    """`blocks` of a pack, in order of documents, pages and blocks."""
    frames = [
        _owned(BLOCKS, row, parsed[row["doc_id"]].blocks)
        for row in documents.to_dicts()
        if row["doc_id"] in parsed
    ]
    return _in_order(BLOCKS, documents, frames, ("page", "block_no"))


def table_cells_table(documents: pl.DataFrame, parsed: Mapping[str, ParsedFile]) -> pl.DataFrame:
    """`table_cells` of a pack, in order of documents, tables, rows and columns."""
    frames = [
        _owned(TABLE_CELLS, row, parsed[row["doc_id"]].table_cells)
        for row in documents.to_dicts()
        if row["doc_id"] in parsed
    ]
    return _in_order(TABLE_CELLS, documents, frames, ("table_no", "row_no", "col_no"))


def _owned(table: Table, document: Mapping[str, Any], content: pl.DataFrame) -> pl.DataFrame:
    owner = [pl.lit(document[name], dtype=pl.String).alias(name) for name in _OWNER]
    return table.conform(content.with_columns(owner))


def _in_order(
    table: Table, documents: pl.DataFrame, frames: list[pl.DataFrame], by: tuple[str, ...]
) -> pl.DataFrame:
    if not frames:
        return table.empty()
    order = documents.select("doc_id").with_row_index("_document")
    whole = pl.concat(frames).join(order, on="doc_id", how="left")
    return table.conform(whole.sort("_document", *by).drop("_document"))


def _lost_pages(document: Mapping[str, Any], failed: ParsedFile | None) -> list[dict[str, object]]:
    note = (
        "; ".join(failed.warnings if failed else document["warnings"])
        or f"{document['file_name']}: the file could not be read; ask for it again"
    )
    owner = {name: document[name] for name in _OWNER}
    return [
        {
            **owner, "page": page, "page_label": str(page), "width": 0.0, "height": 0.0, "rotation": 0,
            "status": "unreadable", "coverage": 0.0, "language": "", "chars": 0, "ruled": False, "tables": 0,
            "header": "", "footer": "", "note": note,
        }
        for page in range(1, max(document["page_count"], 1) + 1)
    ]  # fmt: skip
