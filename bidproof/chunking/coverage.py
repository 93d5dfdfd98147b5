"""Machine check of the chunks against the blocks they were cut from. Cuts nothing and trusts nothing.

Three promises: every citable token is in some chunk; every span of up to `span_tokens` tokens inside a
block is whole in one chunk; every table row is whole in one chunk with its header, unless it is longer
than a chunk can be. Text of chunks is compared with the blocks' letter by letter.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import polars as pl

from bidproof.chunking.sections import Block, citable, header_rows
from bidproof.chunking.tokens import Offsets, TokenBook
from bidproof.params import ChunkingParams
from bidproof.records import BlockKind, Record

_MAX_GAPS = 50


class CoverageReport(Record):
    """What was checked and each gap found, named by document, page and block."""

    tokens_total: int
    tokens_covered: int
    rows_total: int
    rows_whole: int
    spans_checked: int
    gaps: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """True when nothing is missing."""
        return not self.gaps


Key = tuple[str, int, int]
_READ = ("doc_id", "chunk_id", "kind", "text", "spans", "header_start", "body_start")


def prove_coverage(
    blocks: pl.DataFrame, chunks: pl.DataFrame, params: ChunkingParams, book: TokenBook | None = None
) -> CoverageReport:
    """The report on `chunks` as cut from `blocks`. At most 50 gaps are named; the counts cover all.

    `book` only spares the counting of tokens again: which tokens a text has is not what is proven here.
    """
    prover = _Prover(chunks.select(_READ).to_dicts(), params, book or TokenBook())
    for _, document in blocks.group_by("doc_id", maintain_order=True):
        prover.check(document.sort("page", "block_no").to_dicts())
    return CoverageReport(
        tokens_total=prover.total,
        tokens_covered=prover.covered,
        rows_total=prover.rows,
        rows_whole=prover.whole,
        spans_checked=prover.spans,
        gaps=tuple(prover.gaps[:_MAX_GAPS]),
    )


class _Prover:
    def __init__(self, chunks: list[dict[str, Any]], params: ChunkingParams, book: TokenBook) -> None:
        self.params, self.book = params, book
        self.total = self.covered = self.rows = self.whole = self.spans = 0
        self.gaps: list[str] = []
        self.chunks = chunks
        # Slices of each block: (start, end, chunk, the slice belongs to the chunk's body).
        self.slices: dict[Key, list[tuple[int, int, int, bool]]] = defaultdict(list)
        for number, chunk in enumerate(chunks):
            for span in chunk["spans"]:
                start = span["block_start"]
                key = (chunk["doc_id"], span["page"], span["block_no"])
                end = start + span["end"] - span["start"]
                self.slices[key].append((start, end, number, span["start"] >= chunk["body_start"]))

    def check(self, document: list[Block]) -> None:
        """Check the blocks of one document."""
        citables = [block for block in document if citable(block)]
        self._check_strangers(document, citables)
        headers = header_rows(citables)
        offsets = self.book.offsets([block["text"] for block in citables])
        for block, tokens in zip(citables, offsets, strict=True):
            self._check_text(block)
            row = block["kind"] == BlockKind.TABLE_ROW.value and not block["is_header"]
            if row and self._check_row(block, headers.get(block["table_no"], []), len(tokens)):
                # Whole in one chunk, if cell by cell: so is each of its tokens and spans.
                self.total += len(tokens)
                self.covered += len(tokens)
                continue
            self._check_tokens(block, tokens)

    def _gap(self, block: Block, what: str) -> None:
        self.gaps.append(f"{block['file_name']} page {block['page']} block {block['block_no']}: {what}")

    def _check_strangers(self, document: list[Block], citables: list[Block]) -> None:
        """No chunk may quote a block that must not be cited."""
        allowed = {id(block) for block in citables}
        for block in document:
            if id(block) not in allowed and self.slices.get(_key(block)):
                self._gap(block, "is not citable but stands in a chunk")

    def _check_text(self, block: Block) -> None:
        for start, end, number, _ in self.slices.get(_key(block), ()):
            chunk = self.chunks[number]
            for span in chunk["spans"]:
                here = (span["page"], span["block_no"], span["block_start"]) == (
                    block["page"],
                    block["block_no"],
                    start,
                )
                if here and chunk["text"][span["start"] : span["end"]] != block["text"][start:end]:
                    self._gap(block, f"text differs in chunk {chunk['chunk_id']}")

    def _check_tokens(self, block: Block, tokens: Offsets) -> None:
        """Every token covered, and every span of tokens inside one slice."""
        slices = self.slices.get(_key(block), [])
        span = min(self.params.span_tokens, len(tokens))
        # The furthest end of a slice that begins at or before each token.
        ordered = sorted((start, end) for start, end, _, _ in slices)
        reach, at = 0, 0
        missing = torn = 0
        self.total += len(tokens)
        for number, (start, end) in enumerate(tokens):
            while at < len(ordered) and ordered[at][0] <= start:
                reach = max(reach, ordered[at][1])
                at += 1
            self.covered += reach >= end
            missing += reach < end
            if number + span <= len(tokens):
                self.spans += 1
                torn += reach < tokens[number + span - 1][1]
        if missing:
            self._gap(block, f"{missing} of {len(tokens)} tokens are in no chunk")
        elif torn:
            self._gap(block, f"{torn} spans of {span} tokens are whole in no chunk")

    def _check_row(self, block: Block, headers: list[Block], tokens: int) -> bool:
        """Whether all cells of a row stand in the body of one chunk under the table's header."""
        self.rows += 1
        held: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for start, end, number, body in self.slices.get(_key(block), ()):
            if body and self.chunks[number]["kind"] == "row":
                held[number].append((start, end))
        for number, slices in held.items():
            if self._has_cells(block, slices) and self._has_header(self.chunks[number], headers):
                self.whole += 1
                return True
        room = self.params.max_tokens - sum(
            len(each) for each in self.book.offsets([row["text"] for row in headers])
        )
        if tokens <= room:
            self._gap(block, "the row is whole with its header in no chunk")
        return False

    def _has_cells(self, block: Block, slices: list[tuple[int, int]]) -> bool:
        text = block["text"]
        if any(start == 0 and end >= len(text.rstrip()) for start, end in slices):
            return True
        for cell in block["lines"]:
            # A hyphen at the end of a parted word may have gone.
            least = cell["end"] - (text[cell["start"] : cell["end"]].endswith("-"))
            if least > cell["start"] and not any(a <= cell["start"] and b >= least for a, b in slices):
                return False
        return self._nothing_between(block)

    def _nothing_between(self, block: Block) -> bool:
        """Whether a row's text is its cells and the bars between them, and no word beside."""
        text, at = block["text"], 0
        for cell in block["lines"]:
            if text[at : cell["start"]].strip(" |\n"):
                return False
            at = max(at, cell["end"])
        return not text[at:].strip(" |\n")

    def _has_header(self, chunk: dict[str, Any], headers: list[Block]) -> bool:
        text = chunk["text"][chunk["header_start"] : chunk["body_start"]]
        return all(row["text"][:20] in text for row in headers[:1]) and bool(text) == bool(headers)


def _key(block: Block) -> Key:
    return block["doc_id"], block["page"], block["block_no"]
