"""Reads files with Bidproof into the form that `scoring` knows, and makes the excerpts that all parsers read."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pymupdf

GOLD = Path(__file__).parent
BEFORE, AFTER = 12, 3


def load(gold: Path = GOLD) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Gold tables and gold headings by file."""
    tables = json.loads((gold / "tables.json").read_text(encoding="utf-8"))
    headings = json.loads((gold / "headings.json").read_text(encoding="utf-8"))
    return tables, headings


def wanted_pages() -> dict[str, set[int]]:
    """Pages of each file that the gold speaks of, title pages included; scanned copies aside."""
    tables, headings = load()
    pages: dict[str, set[int]] = {}
    for table in tables:
        if "scan" not in table:
            pages.setdefault(table["file"], set()).update(table["pages"])
    for file in headings:
        pages.setdefault(file["file"], set()).update(h["page"] for h in file["headings"])
    return pages


def title_pages() -> dict[str, set[int]]:
    """Title pages of each file with gold headings."""
    return {file["file"]: set(file["titles"]) for file in load()[1]}


def excerpt(path: Path, pages: set[int], titles: set[int], out: Path) -> list[int]:
    """Write the pages, twelve before and three after each, and the titles; returns their numbers in `path`."""
    with pymupdf.open(path) as document:
        near = {n for page in pages for n in range(page - BEFORE, page + AFTER + 1)} | titles
        kept = sorted(n for n in near if 1 <= n <= document.page_count)
        document.select([n - 1 for n in kept])
        document.save(out, garbage=3, deflate=True)
    return kept


def scanned(path: Path, pages: list[int], dpi: int, out: Path) -> None:
    """Write an image-only copy of the pages in grey."""
    with pymupdf.open(path) as document, pymupdf.open() as copy:
        for number in pages:
            page = document[number - 1]
            image = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY).tobytes("jpeg", jpg_quality=85)
            copy.new_page(width=page.rect.width, height=page.rect.height).insert_image(
                page.rect, stream=image
            )
        copy.save(out, deflate=True)


def read(path: Path, workers: int | None = None) -> dict[str, Any]:
    """A file as Bidproof reads it."""
    import polars as pl

    from bidproof.documents import parse_file
    from bidproof.params import DocumentParams

    started = time.perf_counter()
    parsed = parse_file(path, DocumentParams(), workers=workers)
    seconds = time.perf_counter() - started
    tables = []
    for _, table in parsed.table_cells.group_by("table_no", maintain_order=True):
        width = int(table["col_no"].max()) + 1  # type: ignore[arg-type]
        rows = []
        for _, row in table.group_by("row_no", maintain_order=True):
            cells = [""] * width
            for column, text in row.select("col_no", "text").iter_rows():
                cells[column] = text
            rows.append({"page": int(row["page"].min()), "cells": cells})  # type: ignore[arg-type]
        tables.append(rows)
    headings = []
    for page, text, above in (
        parsed.blocks.filter(pl.col("kind") == "heading").select("page", "text", "heading_path").iter_rows()
    ):
        headings.append({"page": page, "text": text, "parent": parent_of(above, text)})
    return {"pages": parsed.pages.height, "seconds": seconds, "tables": tables, "headings": headings}


def parent_of(path: str, text: str) -> str:
    """Heading above, of a heading path that ends with `text`."""
    own = " ".join(text.split())
    path = " ".join(path.split())
    above = path.removesuffix(own).removesuffix(" > ") if path.endswith(own) else path.rpartition(" > ")[0]
    return above.rpartition(" > ")[2]


def renumbered(reading: dict[str, Any], pages: list[int]) -> dict[str, Any]:
    """A reading of an excerpt with the page numbers of the whole file."""
    for table in reading["tables"]:
        for row in table:
            row["page"] = pages[row["page"] - 1]
    for heading in reading["headings"]:
        heading["page"] = pages[heading["page"] - 1]
    return reading
