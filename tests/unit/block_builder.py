"""Rows of `blocks` and `pages` for tests, and their chunks with the proof that nothing is lost."""

from __future__ import annotations

import polars as pl

from bidproof.chunking import chunk_blocks, prove_coverage
from bidproof.params import ChunkingParams
from bidproof.tables import BLOCKS, PAGES

PARAMS = ChunkingParams()
OWNER = {"tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "ab12cd34ef", "file_name": "offer.pdf"}


def block(
    text: str, page: int = 1, number: int = 0, kind: str = "paragraph", path: str = "", **more: object
) -> dict:
    base = {
        **OWNER, "page": page, "block_no": number, "kind": kind, "text": text, "heading_path": path, "level": 0,
        "x0": 72.0, "y0": 100.0, "x1": 472.0, "y1": 112.0, "table_no": -1, "row_no": -1, "is_header": False,
        "struck": False, "hidden": False,
        "lines": [{"start": 0, "end": len(text), "x0": 72.0, "y0": 100.0, "x1": 472.0, "y1": 112.0}],
    }  # fmt: skip
    return {**base, **more}


def row(text: str, page: int, number: int, table: int = 0, row_no: int = 1, header: bool = False) -> dict:
    lines, start = [], 0
    for cell in text.split(" | "):
        lines.append(
            {
                "start": start,
                "end": start + len(cell),
                "x0": 72.0 + start,
                "y0": 0.0,
                "x1": 80.0 + start,
                "y1": 9.0,
            }
        )
        start += len(cell) + 3
    return block(
        text, page, number, "table_row", table_no=table, row_no=row_no, is_header=header, lines=lines
    )


def pages_of(blocks: list[dict], status: str = "text") -> pl.DataFrame:
    numbers = sorted({each["page"] for each in blocks})
    return PAGES.frame([{**OWNER, "page": number, "status": status, "language": "en"} for number in numbers])


def chunked(blocks: list[dict], params: ChunkingParams = PARAMS, **more: object) -> pl.DataFrame:
    """Chunks of the blocks of one pack; the proof must find no gap."""
    frame = BLOCKS.frame(blocks)
    chunks = chunk_blocks(frame, pages_of(blocks), params, **more)
    report = prove_coverage(frame, chunks, params)
    assert report.gaps == ()
    assert report.tokens_covered == report.tokens_total
    return chunks


def prose(sentences: int, word: str = "clause") -> str:
    return " ".join(
        f"Sentence {number} of this {word} says what the bidder delivers in lot {number} by then."
        for number in range(sentences)
    )
