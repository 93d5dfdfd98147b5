"""The least that anybody could do with a PDF: text of every page, Camelot on the ruled ones.

python benchmarks/bare_script.py PDF [PROCESSES]
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor

import camelot
import pymupdf


def is_ruled(page: pymupdf.Page) -> bool:
    """At least three horizontal and two vertical rules; a rectangle counts for two of each."""
    horizontal = vertical = 0
    for drawing in page.get_cdrawings():
        for item in drawing["items"]:
            if item[0] == "l":
                (x0, y0), (x1, y1) = item[1], item[2]
                horizontal += abs(y0 - y1) < 1 < abs(x0 - x1)
                vertical += abs(x0 - x1) < 1 < abs(y0 - y1)
            elif item[0] == "re":
                x0, y0, x1, y1 = item[1]
                thin_h, thin_v = abs(y1 - y0) < 2, abs(x1 - x0) < 2
                horizontal += 1 if thin_h else 0 if thin_v else 2
                vertical += 1 if thin_v else 0 if thin_h else 2
    return horizontal >= 3 and vertical >= 2


def read(path: str, first: int, last: int) -> tuple[int, int, int, int]:
    """Characters, ruled pages, tables and rows of a range of pages, from 1."""
    ruled, characters = [], 0
    with pymupdf.open(path) as document:
        for number in range(first, last + 1):
            page = document[number - 1]
            for block in page.get_text("dict")["blocks"]:
                for line in block.get("lines", ()):
                    characters += sum(len(span["text"]) for span in line["spans"])
            if is_ruled(page):
                ruled.append(number)
    pages = ",".join(map(str, ruled))
    tables = camelot.read_pdf(path, pages=pages, flavor="lattice", engine="vector") if ruled else []
    return characters, len(ruled), len(tables), sum(len(t.df) for t in tables)


def main(path: str, processes: int = 1) -> None:
    """Read `path` and say what was found."""
    with pymupdf.open(path) as document:
        count = document.page_count
    # Ranges, so that a process with simple pages goes on to the next range.
    size = 25 if processes > 1 else count
    ranges = [(first, min(first + size - 1, count)) for first in range(1, count + 1, size)]
    if processes == 1:
        found = [read(path, first, last) for first, last in ranges]
    else:
        with ProcessPoolExecutor(processes) as pool:
            found = list(pool.map(read, [path] * len(ranges), *zip(*ranges, strict=True)))
    characters, ruled, tables, rows = map(sum, zip(*found, strict=True))
    print(f"{characters} characters, {ruled} ruled pages, {tables} tables, {rows} rows")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
