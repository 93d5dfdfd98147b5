"""A labelled pack through the product's own stages, from files to indexes.

Holds the order of the calls and nothing that a stage decides. What is found in the pack is for `searching`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import polars as pl

from bidproof.chunking import chunk_blocks, count_tokens, questions_asked
from bidproof.documents import blocks_table, inspect_files, pages_table, read_once
from bidproof.evaluation.alignment import BlockKey, source_places
from bidproof.evaluation.labelled import LabelledDocument, LabelledPack
from bidproof.facts import facts_table, tags_table
from bidproof.intake.source_files import SourceFile, hash_file
from bidproof.params import Params
from bidproof.retrieval import (
    DenseIndex,
    Embedder,
    LexicalIndex,
    Reranker,
    build_dense_index,
    build_lexical_index,
)
from bidproof.tables import CHUNKS

_UNFIT = re.compile(r"[^\w .,()&+-]")


class Cache(Protocol):
    """Bytes kept between runs under a key that names their content."""

    def get(self, key: str) -> bytes | None:
        """The bytes put under `key`, if any."""

    def put(self, key: str, content: bytes) -> None:
        """Keep `content` under `key`."""


@dataclass(frozen=True)
class Tools:
    """What reading a pack needs from outside.

    Args:
        params: effective parameters.
        embedder: the dense leg's model, None to leave it out.
        parsed: cache of parsed files.
        embeddings: cache of vectors.
        folder: where documents that are given as text are written, since the product reads files.
        reranker: what reads the best candidates again, None to leave it out.
    """

    params: Params
    embedder: Embedder | None
    parsed: Cache
    embeddings: Cache | None
    folder: Path
    reranker: Reranker | None = None


@dataclass(frozen=True)
class PackFrames:
    """Tables of one pack as the pipeline makes them, with its two indexes.

    `names` tells each document's name by its id, `places` each text document's way back to its characters.
    """

    documents: pl.DataFrame
    pages: pl.DataFrame
    blocks: pl.DataFrame
    chunks: pl.DataFrame
    facts: pl.DataFrame
    tags: pl.DataFrame
    lexical: LexicalIndex
    dense: DenseIndex | None
    rfp_chunks: pl.DataFrame
    names: dict[str, str]
    places: dict[str, dict[BlockKey, list[int]]]

    def unread(self) -> list[str]:
        """What of the pack could not be read, one line a document."""
        lost = self.pages.filter(pl.col("status").is_in(["garbled", "unreadable"]))
        return [
            f"{self.names[doc_id]}: {count} pages could not be read"
            for doc_id, count in lost.group_by("doc_id", maintain_order=True).len().iter_rows()
        ]


def read_pack(
    pack: LabelledPack, tools: Tools, units: bool, tell: Callable[[str], None] | None = None
) -> PackFrames:
    """The pack's tables and indexes; with `units`, its documents' own units are the chunks.

    Raises:
        BadInputError: a file changed while it was read.
    """
    rfp = _Read(pack.name, "", pack.rfp, tools).chunks() if pack.rfp else CHUNKS.empty()
    read = _Read(pack.name, "bid", pack.documents, tools)
    if tell:
        tell("chunks")
    chunks = read.unit_chunks() if units else read.chunks(questions_asked(rfp))
    facts = facts_table(chunks, tools.params.facts)
    lexical = LexicalIndex.from_table(build_lexical_index(chunks, tools.params.retrieval))
    if tell and tools.embedder is not None:
        tell(f"{chunks.height} vectors")
    dense = dense_index(chunks, tools)
    return PackFrames(
        read.documents, read.pages, read.blocks, chunks, facts, tags_table(chunks, facts), lexical, dense, rfp,
        read.names, read.places,
    )  # fmt: skip


def dense_index(chunks: pl.DataFrame, tools: Tools) -> DenseIndex | None:
    """The dense leg over chunks; None where it is left out."""
    if tools.embedder is None:
        return None
    rows = build_dense_index(chunks, tools.embedder, tools.params.dense, tools.embeddings)
    return DenseIndex.from_table(rows)


class _Read:
    """Documents of one side of a pack: files to blocks."""

    def __init__(self, pack: str, bidder: str, documents: Sequence[LabelledDocument], tools: Tools) -> None:
        self._params, self._given = tools.params, {}
        tender = "evaluation"
        partition = f"{tender}--{hashlib.sha256(pack.encode()).hexdigest()[:10]}" if bidder else tender
        files = []
        for number, document in enumerate(documents):
            file = _file(document, number, tools.folder)
            files.append(file)
            self._given[file.file_name] = document
        self.documents = inspect_files(
            files, pack=partition, tender=tender, bidder=bidder, tender_name=tender, bidder_name=bidder,
            role="bid" if bidder else "rfp", params=tools.params.documents,
        )  # fmt: skip
        by_name = {file.file_name: file for file in files}
        parsed = {
            row["doc_id"]: read_once(by_name[row["file_name"]], tools.params.documents, tools.parsed)
            for row in self.documents.filter(
                (pl.col("status") == "ok") & (pl.col("duplicate_of") == "")
            ).iter_rows(named=True)
        }
        self.pages = pages_table(self.documents, parsed)
        self.blocks = blocks_table(self.documents, parsed)
        self.names, self.places = {}, {}
        for doc_id, file_name in self.documents.select("doc_id", "file_name").iter_rows():
            document = self._given[file_name]
            self.names[doc_id] = document.name
            if document.text is not None:
                blocks = self.blocks.filter(pl.col("doc_id") == doc_id).to_dicts()
                self.places[doc_id] = source_places(document.text, blocks)

    def chunks(self, asked: dict[str, str] | None = None) -> pl.DataFrame:
        """The product's own chunks."""
        adapters = dict(self.documents.select("doc_id", "adapter").iter_rows())
        return chunk_blocks(
            self.blocks, self.pages, self._params.chunking, adapters=adapters, asked=asked or {}
        )

    def unit_chunks(self) -> pl.DataFrame:
        """One chunk for each unit of the documents, under the headings that the product found above it.

        The chunk id ends in the unit's number.
        """
        rows: list[dict[str, object]] = []
        languages = {
            (doc_id, page): language
            for doc_id, page, language in self.pages.select("doc_id", "page", "language").iter_rows()
        }
        for row in self.documents.iter_rows(named=True):
            document = self._given[row["file_name"]]
            text = document.text or ""
            owner = {name: row[name] for name in ("tender", "bidder", "pack", "doc_id", "file_name")}
            headings = self._headings(row["doc_id"])
            for number, (start, end) in enumerate(document.units):
                path = next((path for at, path in reversed(headings) if at <= start), "")
                unit = " ".join(text[start:end].split())
                rows.append({
                    **owner, "chunk_id": f"{row['doc_id']}:p1_u{number:04}", "page": 1, "pages": [1],
                    "heading_path": path, "section_no": "", "section_title": path.rpartition(" > ")[2], "kind": "text",
                    "text": unit, "content_type": "paragraph", "tokens": count_tokens(unit), "header_start": 0,
                    "body_start": 0, "spans": [], "language": languages.get((row["doc_id"], 1), ""), "questions": [],
                    "question_ids": [], "references": [], "reference_targets": [], "annotations": [], "quality": 100,
                    "anchor": "",
                })  # fmt: skip
        return CHUNKS.frame(rows)

    def _headings(self, doc_id: str) -> list[tuple[int, str]]:
        """Where each block of a text document begins, with the headings above it, in order."""
        places = self.places.get(doc_id, {})
        found = [
            (places[page, number][0], path or "")
            for page, number, path in self.blocks.filter(pl.col("doc_id") == doc_id)
            .select("page", "block_no", "heading_path")
            .iter_rows()
            if places.get((page, number))
        ]
        return sorted(found)


def _file(document: LabelledDocument, number: int, folder: Path) -> SourceFile:
    """The document as a file; one given as text is written down first."""
    path, name = document.path, document.name
    if path is None:
        content = (document.text or "").encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(content).hexdigest()
        stem = _UNFIT.sub("_", Path(name).stem if name.endswith(".txt") else name)[:80]
        name = f"{number:03}-{stem}.txt"
        path = folder / f"{digest[:24]}.txt"
        if not path.exists():
            path.write_bytes(content)
        return SourceFile(file_name=name, path=path, size=len(content), sha256=digest)
    return SourceFile(file_name=name, path=path, size=path.stat().st_size, sha256=hash_file(path))
