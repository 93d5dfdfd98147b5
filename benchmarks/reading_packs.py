"""What reading makes of real files, one line a file, as a Markdown table.

    python benchmarks/reading_packs.py FOLDER [FOLDER ...]

Pages by status, tables and their rows (header rows aside), headings and their depth, notes, and seconds with two
processes, OCR included. Seconds depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import polars as pl

from bidproof.documents import parse_file
from bidproof.errors import UnreadableFileError
from bidproof.params import DocumentParams

HEAD = "| file | pages | text | ocr | blank | garbled | unreadable | tables | rows | headings | depth | seconds |"


def line(path: Path, name: str) -> str:
    """The table's line of a file."""
    started = time.monotonic()
    try:
        parsed = parse_file(path, DocumentParams())
    except UnreadableFileError as error:
        return f"| {name} | unreadable: {error} |" + " |" * 10
    seconds = time.monotonic() - started
    status = [
        parsed.pages.filter(pl.col("status") == s).height for s in HEAD.replace(" ", "").split("|")[3:8]
    ]
    cells = parsed.table_cells
    rows = cells.filter(~pl.col("is_header")).unique(["table_no", "row_no"]).height
    headings = parsed.blocks.filter(pl.col("kind") == "heading")
    depth = headings["level"].max() or 0
    figures = [parsed.pages.height, *status, cells["table_no"].n_unique(), rows, headings.height, depth]
    return f"| {name} | {' | '.join(map(str, figures))} | {seconds:.1f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    options = parser.parse_args()
    print(HEAD)
    print("|---|" + "---:|" * 11)
    for folder in options.folders:
        for path in sorted(folder.rglob("*.pdf")):
            print(line(path, path.name), flush=True)


if __name__ == "__main__":
    main()
