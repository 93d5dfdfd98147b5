"""What the reading stages make of the shipped example, as digests beside their versions.

    python tests/golden/golden_stages.py        writes stages.json anew

The test beside it fails where a stage's rows change and its version does not: a warehouse would keep the old rows
and call them fresh. After a change that is meant: bump the stage's `code` in `bidproof/stages.py`, then run this.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.chunking import chunk_blocks
from bidproof.documents import blocks_table, inspect_files, pages_table, parse_file, table_cells_table
from bidproof.facts import facts_table
from bidproof.intake.inbox import scan_inbox
from bidproof.params import Params
from bidproof.stages import BY_NAME

HERE = Path(__file__).resolve().parent
FILE = HERE / "stages.json"
INBOX = HERE.parents[1] / "examples" / "inbox"


def digest(frame: pl.DataFrame) -> str:
    """Digest of a frame's rows; boxes count to the point, so that no rounding of a library shows."""
    rows = [{name: plain(value) for name, value in row.items()} for row in frame.to_dicts()]
    text = json.dumps(rows, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plain(value: Any) -> Any:
    """A value with all its floats rounded to whole numbers."""
    if isinstance(value, float):
        return round(value)
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value


def made() -> dict[str, dict[str, str]]:
    """Version and digest of each reading stage, over one bidder of the example."""
    params = Params()
    tender = scan_inbox(INBOX).tenders[0]
    bid = tender.bids[0]
    documents = inspect_files(
        bid.files, pack=bid.pack, tender=tender.tender, bidder=bid.bidder, tender_name=tender.name,
        bidder_name=bid.name, role="bid", params=params.documents,
    )  # fmt: skip
    paths = {file.file_name: file.path for file in bid.files}
    parsed = {
        row["doc_id"]: parse_file(paths[row["file_name"]], params.documents, file_name=row["file_name"])
        for row in documents.to_dicts()
    }
    pages, blocks = pages_table(documents, parsed), blocks_table(documents, parsed)
    chunks = chunk_blocks(blocks, pages, params.chunking)
    frames = {
        "pages": pages,
        "blocks": blocks,
        "table_cells": table_cells_table(documents, parsed),
        "chunks": chunks,
        "facts": facts_table(chunks, params.facts),
    }
    return {name: {"code": BY_NAME[name].code, "rows": digest(frame)} for name, frame in frames.items()}


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(), indent=2) + "\n")
