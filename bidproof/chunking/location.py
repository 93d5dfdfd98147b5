"""From a slice of a chunk's text back to the page, or to the place in an office file, that it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from bidproof.records import Box

BlockKey = tuple[str, int, int]


def index_blocks(blocks: pl.DataFrame) -> dict[BlockKey, dict[str, Any]]:
    """Blocks by (doc_id, page, block_no), with what `locate` needs."""
    columns = ("doc_id", "page", "block_no", "text", "x0", "y0", "x1", "y1", "lines", "anchor")
    return {
        (row["doc_id"], row["page"], row["block_no"]): row
        for row in blocks.select(columns).iter_rows(named=True)
    }


def locate(
    chunk: Mapping[str, Any], blocks_by_key: Mapping[BlockKey, Mapping[str, Any]], start: int, end: int
) -> list[Box]:
    """Boxes of `chunk["text"][start:end]` in reading order, one a line or cell touched.

    The ends inside a line are estimated by their share of its letters. An empty or foreign slice has no
    boxes.

    Args:
        chunk: a row of `chunks`.
        blocks_by_key: as `index_blocks` gives them.
        start: offset into the chunk's text.
        end: offset after the last character.
    """
    boxes: list[Box] = []
    for block, page, low, high in _parts(chunk, blocks_by_key, start, end):
        boxes.extend(_boxes(block, page, low, high))
    return boxes


def anchor_of(
    chunk: Mapping[str, Any], blocks_by_key: Mapping[BlockKey, Mapping[str, Any]], start: int, end: int
) -> str:
    """Where `chunk["text"][start:end]` stands in an office file, e.g. `Prices!B7`; empty for a PDF.

    A slice of one cell has the cell's anchor, a slice of several that of their row.
    """
    found: list[str] = []
    for block, _, low, high in _parts(chunk, blocks_by_key, start, end):
        cells = [
            line["anchor"] or "" for line in block["lines"] if line["start"] < high and low < line["end"]
        ]
        found.append((cells[0] if len(cells) == 1 else "") or block["anchor"] or "")
    found = [anchor for anchor in found if anchor]
    return f"{found[0]} to {found[-1]}" if found and found[0] != found[-1] else "".join(found[:1])


def _parts(
    chunk: Mapping[str, Any], blocks_by_key: Mapping[BlockKey, Mapping[str, Any]], start: int, end: int
) -> Iterator[tuple[Mapping[str, Any], int, int, int]]:
    """The blocks that a slice touches, each with its page and the slice's range in the block's text."""
    for span in chunk["spans"]:
        low, high = max(start, span["start"]), min(end, span["end"])
        block = blocks_by_key.get((chunk["doc_id"], span["page"], span["block_no"]))
        if low < high and block is not None:
            shift = span["block_start"] - span["start"]
            yield block, span["page"], low + shift, high + shift


def _boxes(block: Mapping[str, Any], page: int, start: int, end: int) -> list[Box]:
    found = []
    for line in block["lines"]:
        low, high = max(start, line["start"]), min(end, line["end"])
        if low >= high:
            continue
        length, width = line["end"] - line["start"], line["x1"] - line["x0"]
        left = line["x0"] + width * (low - line["start"]) / length
        right = line["x0"] + width * (high - line["start"]) / length
        found.append(Box(page=page, x0=round(left, 2), y0=line["y0"], x1=round(right, 2), y1=line["y1"]))
    return found
