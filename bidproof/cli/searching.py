"""`bidproof search`: passages of the warehouse's packs, or of one file, with page and box."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Any

from bidproof.chunking import chunk_blocks
from bidproof.documents import blocks_table, inspect_files, pages_table, parse_file
from bidproof.errors import BadInputError, UnreadableFileError
from bidproof.intake.inbox import SourceFile, hash_file
from bidproof.params import Params, load_params
from bidproof.retrieval import (
    DenseIndex,
    LexicalIndex,
    build_dense_index,
    build_lexical_index,
    make_embedder,
    search_chunks,
)
from bidproof.store import Warehouse


def search_command(
    warehouse: str,
    query: str,
    pack: str | None,
    file: Path | None,
    top: int,
    overrides: dict[str, Any],
    json: bool,
) -> None:
    """Search and print hits, best first.

    Raises:
        BadInputError: the query is empty, the pack unknown, or the file unreadable.
    """
    if not query.strip():
        raise BadInputError("query", "is empty", "give words, a number or a code")
    params = load_params(Path("."), None, overrides)
    found = (
        _in_file(file, query, top, params)
        if file
        else _in_warehouse(Warehouse(warehouse), query, pack, top, params)
    )
    hits = sorted(found, key=lambda hit: (-hit["score"], hit["chunk_id"]))[:top]
    if json:
        print(jsonlib.dumps({"query": query, "hits": hits}, indent=1, ensure_ascii=False))
    else:
        _print(query, hits)


def _in_warehouse(
    store: Warehouse, query: str, pack: str | None, top: int, params: Params
) -> list[dict[str, Any]]:
    known = [p for p in store.partitions("lexical_index") if "--" in p]
    if pack is not None and pack not in known:
        raise BadInputError(pack, "no such pack in the warehouse", f"known are {', '.join(known) or 'none'}")
    hits: list[dict[str, Any]] = []
    for name in [pack] if pack else known:
        lexical = LexicalIndex.from_table(store.read("lexical_index", name))
        dense = DenseIndex.from_table(store.read("dense_index", name)) if params.dense.enabled else None
        tables = (store.read("chunks", name), store.read("blocks", name), store.read("pages", name))
        hits += search_chunks(query, *tables, lexical, dense, params, top)
    return hits


def _in_file(file: Path, query: str, top: int, params: Params) -> list[dict[str, Any]]:
    if not file.is_file():
        raise BadInputError(str(file), "no such file", "name an existing PDF")
    source = SourceFile(file_name=file.name, path=file, size=file.stat().st_size, sha256=hash_file(file))
    documents = inspect_files(
        [source],
        pack="file",
        tender="file",
        bidder="",
        tender_name="",
        bidder_name="",
        role="bid",
        params=params.documents,
    )
    row = documents.row(0, named=True)
    if row["status"] != "ok":
        raise UnreadableFileError(str(file), *_reason(row["warnings"]))
    parsed = {row["doc_id"]: parse_file(file, params.documents, workers=params.documents.workers)}
    pages, blocks = pages_table(documents, parsed), blocks_table(documents, parsed)
    adapters = dict(documents.select("doc_id", "adapter").iter_rows())
    chunks = chunk_blocks(blocks, pages, params.chunking, adapters=adapters)
    lexical = LexicalIndex.from_table(build_lexical_index(chunks, params.retrieval))
    dense = None
    if params.dense.enabled:
        dense = DenseIndex.from_table(
            build_dense_index(chunks, make_embedder(params.dense), params.dense, None)
        )
    return search_chunks(query, chunks, blocks, pages, lexical, dense, params, top)


def _reason(warnings: list[str]) -> tuple[str, str]:
    what, _, mend = (warnings[0] if warnings else "cannot be read").partition("; ")
    return what.partition(": ")[2] or what, mend or "give another copy"


def _print(query: str, hits: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False)
    if not hits:
        console.print(f"nothing found for {escape(query)!r}")
    for number, hit in enumerate(hits, 1):
        label = (
            f"p. {hit['page_label']} (PDF {hit['page']})"
            if hit["page_label"] != str(hit["page"])
            else f"p. {hit['page']}"
        )
        label = hit["anchor"] or label
        where = f"{hit['pack']}  {hit['file_name']}  {label}"
        console.print(
            f"[bold]{number:>2}. {escape(where)}[/]  [dim]{hit['score']:.3f} {escape(', '.join(hit['reasons']))}[/]",
            soft_wrap=True,
        )
        if hit["heading_path"]:
            console.print(f"    [dim]{escape(hit['heading_path'])}[/]", soft_wrap=True)
        console.print(f"    {escape(' '.join(hit['text'].split())[:400])}", soft_wrap=True)
