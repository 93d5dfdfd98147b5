"""The least that anybody could do with a PDF: text of every page, Camelot on the ruled ones. Usage: bare_script.py PDF"""

from __future__ import annotations

import sys

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


def main(path: str) -> None:
    """Read `path` and say what was found."""
    ruled, characters = [], 0
    with pymupdf.open(path) as document:
        for number, page in enumerate(document, 1):
            for block in page.get_text("dict")["blocks"]:
                for line in block.get("lines", ()):
                    characters += sum(len(span["text"]) for span in line["spans"])
            if is_ruled(page):
                ruled.append(number)
    tables = (
        camelot.read_pdf(path, pages=",".join(map(str, ruled)), flavor="lattice", engine="vector")
        if ruled
        else []
    )
    print(
        f"{characters} characters, {len(ruled)} ruled pages, {len(tables)} tables, {sum(len(t.df) for t in tables)} rows"
    )


if __name__ == "__main__":
    main(sys.argv[1])
