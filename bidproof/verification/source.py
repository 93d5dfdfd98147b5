"""The pack as the checks see it: pages, blocks and chunks by key, and where a slice of a chunk stands.

Belongs here: look-ups. Does not belong here: any decision on a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from bidproof.chunking import anchor_of, locate
from bidproof.judging import Passage, PassageShelf
from bidproof.records import Box

CITABLE_PAGES = frozenset({"text", "ocr"})
Row = Mapping[str, Any]


class Source:
    """Pages, blocks, chunks and facts of one pack."""

    def __init__(
        self,
        pages: pl.DataFrame,
        blocks: pl.DataFrame,
        chunks: pl.DataFrame,
        facts: pl.DataFrame,
        documents: pl.DataFrame | None = None,
    ) -> None:
        """Index the frames of one pack; `documents` tells which files a later version supersedes."""
        rows = {} if documents is None else {row["doc_id"]: row for row in documents.iter_rows(named=True)}
        self._later: dict[str, str] = {
            doc_id: rows[row["superseded_by"]]["file_name"]
            for doc_id, row in rows.items()
            if row.get("superseded_by") in rows
        }
        self._of_a_person = {doc_id for doc_id, row in rows.items() if row.get("adapter") == "cv"}
        self.shelf = PassageShelf(chunks, facts)
        self.pages: dict[tuple[str, int], Row] = {
            (r["doc_id"], r["page"]): r for r in pages.iter_rows(named=True)
        }
        self._blocks: dict[tuple[str, int, int], Row] = {
            (r["doc_id"], r["page"], r["block_no"]): r for r in blocks.iter_rows(named=True)
        }
        self._chunks: dict[str, Row] = {r["chunk_id"]: r for r in chunks.iter_rows(named=True)}

    def chunk_ids(self) -> list[str]:
        """All chunk ids, in order."""
        return list(self._chunks)

    def chunk(self, chunk_id: str) -> Row:
        """One row of `chunks`."""
        return self._chunks[chunk_id]

    def boxes(self, passage: Passage, start: int, end: int) -> list[Box]:
        """Boxes of `passage.text[start:end]` on its pages."""
        return locate(self._chunks[passage.chunk_id], self._blocks, start, end)

    def anchor(self, passage: Passage, start: int, end: int) -> str:
        """Place of `passage.text[start:end]` in an office file; empty for a PDF."""
        return anchor_of(self._chunks[passage.chunk_id], self._blocks, start, end)

    def struck_or_hidden(self, passage: Passage, start: int, end: int) -> bool:
        """The slice touches text that is crossed out or not visible on the page."""
        for span in self._chunks[passage.chunk_id]["spans"] or ():
            block = self._blocks.get((passage.doc_id, span["page"], span["block_no"]))
            if span["start"] < end and start < span["end"] and block and (block["struck"] or block["hidden"]):
                return True
        return False

    def later_version(self, doc_id: str) -> str:
        """Name of the file that supersedes a document; empty where none does."""
        return self._later.get(doc_id, "")

    def is_of_a_person(self, doc_id: str) -> bool:
        """The document is a CV: it says what one person has done, not what the bidder promises."""
        return doc_id in self._of_a_person

    def label(self, doc_id: str, page: int) -> str:
        """Printed label of a page."""
        row = self.pages.get((doc_id, page))
        return (row["page_label"] or "") if row else ""
