"""Files to pages, blocks and table cells. Knows no chunk sizes and no rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bidproof.documents.frames import blocks_table, pages_table, table_cells_table
    from bidproof.documents.inspection import document_id, inspect_files
    from bidproof.documents.integrity import integrity_table
    from bidproof.documents.parsed import ParsedFile, parse_key
    from bidproof.documents.parsing import parse_file
    from bidproof.documents.reading_once import hold_still, read_once

__all__ = [
    "ParsedFile",
    "blocks_table",
    "document_id",
    "hold_still",
    "inspect_files",
    "integrity_table",
    "pages_table",
    "parse_file",
    "parse_key",
    "read_once",
    "table_cells_table",
]

# Loaded when asked for: a reader process needs none of the frames, and starts in half the time without them.
_HOMES = {
    "ParsedFile": "bidproof.documents.parsed",
    "blocks_table": "bidproof.documents.frames",
    "document_id": "bidproof.documents.inspection",
    "hold_still": "bidproof.documents.reading_once",
    "inspect_files": "bidproof.documents.inspection",
    "integrity_table": "bidproof.documents.integrity",
    "pages_table": "bidproof.documents.frames",
    "parse_file": "bidproof.documents.parsing",
    "parse_key": "bidproof.documents.parsed",
    "read_once": "bidproof.documents.reading_once",
    "table_cells_table": "bidproof.documents.frames",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
