"""Small RFPs for tests of mining: blocks of prose and of tables, and what is mined of them."""

from __future__ import annotations

import polars as pl

from bidproof.catalog import Unit, units
from bidproof.params import CatalogParams
from bidproof.tables import BLOCKS, DOCUMENTS


def block(
    number: int, text: str, kind: str = "paragraph", heading: str = "3 Bids", **more: object
) -> dict[str, object]:
    row: dict[str, object] = {
        "doc_id": "d", "file_name": "rfp.pdf", "page": 1, "block_no": number, "kind": kind, "text": text,
        "heading_path": heading, "table_no": -1, "row_no": -1, "is_header": False, "struck": False, "hidden": False,
        "lines": [],
    }  # fmt: skip
    return {**row, **more}


def prose(*texts: str, heading: str = "3 Bids") -> pl.DataFrame:
    """Blocks of running text; a text that starts with a bullet is a list item."""
    return BLOCKS.frame([
        block(n, t, "list_item" if t[:2] in ("• ", "- ") or t[1:2] == ")" else "paragraph", heading) for n, t in enumerate(texts)
    ])  # fmt: skip


def table(heading: str, header: str | None, *rows: str) -> pl.DataFrame:
    first = [] if header is None else [header]
    return BLOCKS.frame([
        block(n, text, "table_row", heading, table_no=1, row_no=n, is_header=header is not None and n == 0)
        for n, text in enumerate([*first, *rows])
    ])  # fmt: skip


def units_of(frame: pl.DataFrame) -> list[Unit]:
    return units(frame, DOCUMENTS.empty(), CatalogParams())


def rules_of(frame: pl.DataFrame) -> list[str]:
    return [rule.text for unit in units_of(frame) for rule in unit.rules]


def subjects_of(frame: pl.DataFrame) -> list[str]:
    return [unit.subject for unit in units_of(frame)]
