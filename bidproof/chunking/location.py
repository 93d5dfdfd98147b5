"""From a slice of a chunk's text back to the page: boxes of the lines or cells that it stands in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from bidproof.records import Box

BlockKey = tuple[str, int, int]


def index_blocks(blocks: pl.DataFrame) -> dict[BlockKey, dict[str, Any]]:
    """Blocks by (doc_id, page, block_no), with what `locate` needs."""
    columns = ("doc_id", "page", "block_no", "text", "x0", "y0", "x1", "y1", "lines")
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
    for span in chunk["spans"]:
        low, high = max(start, span["start"]), min(end, span["end"])
        block = blocks_by_key.get((chunk["doc_id"], span["page"], span["block_no"]))
        if low >= high or block is None:
            continue
        shift = span["block_start"] - span["start"]
        boxes.extend(_boxes(block, span["page"], low + shift, high + shift))
    return boxes


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
