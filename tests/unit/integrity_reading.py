"""Reads a page under test and says what of it is seen, hidden, remarked and given on. Holds no test."""

from __future__ import annotations

import polars as pl
from pdf_builder import Pdf

from bidproof.chunking import chunk_blocks
from bidproof.documents import ParsedFile, parse_file
from bidproof.params import ChunkingParams, DocumentParams
from bidproof.tables import BLOCKS, PAGES

NO_OCR = DocumentParams(ocr=False)
SENTENCE = "The bid is valid for ninety days from the date on which bids are opened."


def read(pdf: Pdf, params: DocumentParams = NO_OCR) -> ParsedFile:
    return parse_file(pdf.bytes(), params, workers=0)


def remarks(parsed: ParsedFile, *kinds: str) -> list[tuple[str, str, bool]]:
    """Text, severity and citable of remarks of the named kinds."""
    rows = parsed.integrity.filter(pl.col("kind").is_in(kinds))
    return rows.select("text", "severity", "citable").rows()


def live(parsed: ParsedFile) -> str:
    shown = parsed.blocks.filter(~pl.col("struck") & ~pl.col("hidden"))
    return " ".join(shown["text"].to_list())


def hidden(parsed: ParsedFile) -> list[str]:
    return parsed.blocks.filter(pl.col("hidden"))["text"].to_list()


def chunked(parsed: ParsedFile) -> str:
    owner = {"tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "d", "file_name": "a.pdf"}
    frames = [
        table.conform(frame.with_columns(pl.lit(value).alias(name) for name, value in owner.items()))
        for table, frame in ((BLOCKS, parsed.blocks), (PAGES, parsed.pages))
    ]
    return " ".join(chunk_blocks(*frames, ChunkingParams())["text"].to_list())
