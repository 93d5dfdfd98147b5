"""Bidproof beside pymupdf4llm, unstructured (strategy fast) and pdfplumber, on the same files in one run.

    python benchmarks/peers.py ROOT [--venv DIR] [--whole] [--only PARSER,...] [--json FILE]

ROOT holds the folders `packs` and `evalsets` that the gold names. All parsers read excerpts of the files with gold:
the pages with gold, twelve before and three after, and the title pages (`--whole`: the whole files). The peers live
in a virtual environment of their own at DIR, made on the first run from `requirements-peers.txt`; nothing of them
enters the product. One process each, Bidproof also with two; imports and a first file are not counted. Pages a second
depend on what else the machine does; processor milliseconds a page hardly do. Scoring: `gold/scoring.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from gold import readings
from gold_score import score_all, totals

HERE = Path(__file__).resolve().parent
PARSERS = ("bidproof-1", "bidproof-2", "pymupdf4llm", "unstructured", "pdfplumber")


def peers_python(place: Path, packages: str = "requirements-peers.txt") -> Path:
    """Interpreter of an environment with the packages of a file beside this one, made where it is not there.

    Raises:
        SystemExit: the packages cannot be installed.
    """
    python = place / "bin" / "python"
    wanted = HERE / packages
    mark = place / "installed.txt"
    if not mark.exists() or mark.read_text() != wanted.read_text():
        print(f"making {place} (up to 2.5 GB, some minutes)", file=sys.stderr)
        venv.create(place, with_pip=True, clear=place.exists())
        done = subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(wanted)], check=False)
        if done.returncode:
            sys.exit("the peers' packages cannot be installed")
        mark.write_text(wanted.read_text())
    return python


def prepare(root: Path, folder: Path, whole: bool) -> tuple[list[str], list[Path], list[list[int]]]:
    """Names as `score_all` knows them, files to read, and the page numbers of each in its whole file."""
    import pymupdf

    names, paths, pages = [], [], []
    titles = readings.title_pages()
    for number, (name, wanted) in enumerate(sorted(readings.wanted_pages().items())):
        if not (root / name).exists():
            print(f"not there: {name}")
            continue
        path = root / name
        if whole:
            with pymupdf.open(path) as document:
                kept = list(range(1, document.page_count + 1))
        else:
            path = folder / f"excerpt{number:02}.pdf"
            kept = readings.excerpt(root / name, wanted, titles.get(name, set()), path)
        names.append(name)
        paths.append(path)
        pages.append(kept)
    for table in readings.load()[0]:
        if "scan" in table and (root / table["file"]).exists():
            path = folder / f"{table['id']}.pdf"
            readings.scanned(root / table["file"], table["pages"], int(table["scan"]), path)
            names.append(f"scan:{table['id']}")
            paths.append(path)
            pages.append(table["pages"])
    return names, paths, pages


def run(parser: str, python: Path, paths: list[Path], folder: Path) -> dict[str, Any]:
    """What a parser found, with `processor`, its processor seconds after the warm-up."""
    listed, out = folder / "list.json", folder / f"{parser}.json"
    warm_up = min(paths, key=lambda path: path.stat().st_size)
    listed.write_text(json.dumps([str(path) for path in (warm_up, *paths)]), encoding="utf-8")
    interpreter = Path(sys.executable) if parser.startswith("bidproof") else python
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [str(interpreter), str(HERE / "gold" / "reading_process.py"), parser, str(listed), str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{parser} failed:\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(out.read_text(encoding="utf-8"))
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found["processor"] = spent - found["warm"]
    return found  # type: ignore[no-any-return]


def compare(parser: str, found: dict[str, Any], names: list[str], pages: list[list[int]]) -> dict[str, Any]:
    """A line of the table: speed, tables and headings."""
    by_name = {
        name: readings.renumbered(reading, numbers)
        for name, reading, numbers in zip(names, found["readings"], pages, strict=True)
    }
    count = sum(map(len, pages))
    seconds = sum(reading["seconds"] for reading in found["readings"])
    tables, headings = score_all(by_name)
    errors = [f"{name}: {r['error']}" for name, r in by_name.items() if "error" in r]
    return {
        "parser": parser,
        "pages": count,
        "pages a second": count / seconds,
        "processor ms a page": 1000 * found["processor"] / count,
        "rows beside": sum(table.beside for table in tables),
        "headings given": sum(len(reading["headings"]) for reading in by_name.values()),
        **totals(tables, headings),
        "tables by id": {table.id: [table.rows_right, table.rows] for table in tables},
        "errors": errors,
    }


def show(lines: list[dict[str, Any]]) -> None:
    """A Markdown table, one column a parser."""
    print("| | " + " | ".join(line["parser"] for line in lines) + " |")
    print("|---|" + "---:|" * len(lines))
    for name in ("pages", "pages a second", "processor ms a page", "rows beside", "headings given"):
        print(f"| {name} | " + " | ".join(f"{line[name]:.4g}" for line in lines) + " |")
    for name in [name for name in totals([], []) if name in lines[0]]:
        print(f"| {name} | " + " | ".join(f"{line[name][0]} of {line[name][1]}" for line in lines) + " |")
    print("\nRows right by table:\n\n| table | " + " | ".join(line["parser"] for line in lines) + " |")
    print("|---|" + "---:|" * len(lines))
    for name in lines[0]["tables by id"]:
        cells = [line["tables by id"][name] for line in lines]
        print(f"| {name} | " + " | ".join(f"{right}/{count}" for right, count in cells) + " |")
    for line in lines:
        for error in line["errors"]:
            print(f"{line['parser']}: {error}")


def main() -> None:
    """Run the parsers one after another and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir()) / "bidproof-peers")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--only", default=",".join(PARSERS))
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    chosen = [name for name in PARSERS if name in options.only.split(",")]
    ours = all(name.startswith("bidproof") for name in chosen)
    python = Path(sys.executable) if ours else peers_python(options.venv)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        names, paths, pages = prepare(options.root, folder, options.whole)
        lines = []
        for name in chosen:
            print(f"running {name}", file=sys.stderr)
            lines.append(compare(name, run(name, python, paths, folder), names, pages))
    show(lines)
    if options.json:
        options.json.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
