"""Files to pages, blocks and table cells. Knows no chunk sizes and no rules."""

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
