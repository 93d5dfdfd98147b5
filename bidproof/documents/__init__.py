"""Files to pages, blocks and table cells. Knows no chunk sizes and no rules."""

from bidproof.documents.frames import blocks_table, pages_table, table_cells_table
from bidproof.documents.inspection import document_id, inspect_files
from bidproof.documents.parsed import ParsedFile, parse_key
from bidproof.documents.parsing import parse_file

__all__ = [
    "ParsedFile",
    "blocks_table",
    "document_id",
    "inspect_files",
    "pages_table",
    "parse_file",
    "parse_key",
    "table_cells_table",
]
