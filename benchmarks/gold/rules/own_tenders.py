"""Blocks of the invented tenders of `own/`, so that the miner reads them as it reads a parsed file.

Their text is ours and stands in clear: one object a unit as the README beside this file explains, and with it `heading`
(headings above, outermost first, joined by ' > '), `lead` (lead-in of an item, not a unit of its own unless it was one just
before), `header` and `table` (columns and number of the table of a row) and `follows` (the sentence goes on in the paragraph
of the one before). Nothing is scored here.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.tables import BLOCKS, DOCUMENTS

MARK = re.compile(r"[-–•*]\s|\(?\w{1,3}[.)]\s")


def read_clear(path: Path) -> list[dict[str, Any]]:
    """Labelled units of one tender, in reading order."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


class _Pages:
    """Blocks in reading order, numbered on their page and set one under the other."""

    def __init__(self, owner: dict[str, str]) -> None:
        self.owner, self.blocks, self.path = owner, list[dict[str, Any]](), ""

    def add(self, page: int, kind: str, text: str, cells: list[str] | None = None, **more: object) -> None:
        """One more block; a row has a line for each cell."""
        number = sum(block["page"] == page for block in self.blocks)
        top = 40.0 + 16.0 * number
        lines, start = [], 0
        for column, cell in enumerate(cells or [text]):
            box = {"x0": 60.0 + 120 * column, "y0": top, "x1": 175.0 + 120 * column, "y1": top + 12}
            lines.append({"start": start, "end": start + len(cell), **box})
            start += len(cell) + len(" | ")
        self.blocks.append({
            **self.owner, "page": page, "block_no": number, "kind": kind, "text": text, "heading_path": self.path,
            "level": 0, "x0": 60.0, "y0": top, "x1": 540.0, "y1": top + 12, "table_no": -1, "row_no": -1,
            "is_header": False, "struck": False, "hidden": False, "lines": lines, **more,
        })  # fmt: skip

    def headings(self, page: int, path: str) -> None:
        """The headings that the path has beyond the one before."""
        before, parts = self.path.split(" > "), path.split(" > ")
        same = next((n for n, part in enumerate(parts) if before[n : n + 1] != [part]), len(parts))
        for level in range(same + 1, len(parts) + 1):
            self.path = " > ".join(parts[:level])
            self.add(page, "heading", parts[level - 1], level=level)
        self.path = path

    def row(self, page: int, cells: list[str], table: int, number: int) -> None:
        """A row of a table; number 0 is the header."""
        place = {"table_no": table, "row_no": number, "is_header": number == 0}
        self.add(page, "table_row", " | ".join(cells), cells, **place)

    def follow(self, text: str) -> None:
        """The last paragraph goes on."""
        last = self.blocks[-1]
        last["text"] = f"{last['text']} {text}"
        last["lines"][0]["end"] = len(last["text"])


def own_blocks(units: list[dict[str, Any]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Frames of BLOCKS and DOCUMENTS for one tender."""
    name = Path(units[0]["file"]).name
    owner = {"tender": "t", "bidder": "", "pack": "t", "doc_id": "0000000000", "file_name": f"{name}.pdf"}
    pages = _Pages(owner)
    lead, table, rows = "", -1, 0
    for unit in units:
        page, text, kind = unit["page"], unit["text"], unit["kind"]
        if unit["heading"] != pages.path:
            pages.headings(page, unit["heading"])
        if kind == "row":
            if unit["table"] != table:
                table, rows = unit["table"], 0
                pages.row(page, unit["header"], table, 0)
            rows += 1
            pages.row(page, text.split(" | "), table, rows)
        elif kind == "item":
            if unit["lead"] != lead and pages.blocks[-1]["text"] != unit["lead"]:
                pages.add(page, "paragraph", unit["lead"])
            item = text.removeprefix(f"{unit['lead']} … ")
            pages.add(page, "list_item", item if MARK.match(item) else f"- {item}")
        elif unit.get("follows"):
            pages.follow(text)
        else:
            pages.add(page, "paragraph", text)
        lead = unit["lead"]
    described = {
        "tender_name": "t",
        "bidder_name": "",
        "role": "rfp",
        "kind": "pdf",
        "sha256": "0" * 64,
        "size": 1,
    }
    described |= {"page_count": units[-1]["page"], "language": name[:2], "encrypted": False, "status": "ok"}
    described |= {
        "duplicate_of": "",
        "adapter": "tender",
        "adapter_why": "",
        "superseded_by": "",
        "warnings": [],
    }
    return BLOCKS.frame(pages.blocks), DOCUMENTS.frame([{**owner, **described}])
