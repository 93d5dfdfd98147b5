"""How much of the gold's tables and headings Bidproof reads right, from whole files.

    python benchmarks/gold_score.py ROOT [--gold DIR] [--only WORD] [--misses] [--json FILE]

ROOT holds the folders `packs` and `evalsets` that the gold names; a file that is not there is left out and named.
`--only` takes tables and files with WORD in their id or name. `--misses` lists rows and headings that are wrong, by
number and page. `--gold` takes another gold than `gold/`. Rules of scoring: `gold/scoring.py`; what the gold is: `gold/seal.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gold import readings, scoring


def read_all(root: Path, gold: Path, only: str, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """Readings by file, scanned copies under `scan:` and the table's id; files that are not there."""
    tables, headings = readings.load(gold)
    names = {t["file"] for t in tables if only in t["id"] + t["file"] and "scan" not in t}
    names |= {h["file"] for h in headings if only in h["file"]}
    found, lost = {}, []
    for name in sorted(names):
        if not (root / name).exists():
            lost.append(name)
            continue
        print(f"reading {name}", file=sys.stderr)
        found[name] = readings.read(root / name)
    for table in tables:
        if "scan" in table and only in table["id"] + table["file"] and (root / table["file"]).exists():
            copy = folder / f"{table['id']}.pdf"
            readings.scanned(root / table["file"], table["pages"], int(table["scan"]), copy)
            found[f"scan:{table['id']}"] = readings.renumbered(readings.read(copy), table["pages"])
    return found, lost


def score_all(
    found: dict[str, Any], gold: Path = readings.GOLD
) -> tuple[list[scoring.TableScore], list[scoring.HeadingScore]]:
    """Scores of all gold tables and headings whose file was read."""
    tables, headings = readings.load(gold)
    table_scores = []
    for table in tables:
        reading = found.get(f"scan:{table['id']}" if "scan" in table else table["file"])
        if reading:
            table_scores.append(scoring.score_table(table, reading["tables"]))
    heading_scores = [
        score
        for file in headings
        if file["file"] in found
        for score in scoring.score_headings(file, found[file["file"]]["headings"])
    ]
    return table_scores, heading_scores


def totals(tables: list[scoring.TableScore], headings: list[scoring.HeadingScore]) -> dict[str, list[int]]:
    """Right and all, by what is counted."""
    levels = [h for h in headings if h.level is not None]
    return {
        "tables found": [sum(t.found for t in tables), len(tables)],
        "tables whole": [sum(t.whole for t in tables), len(tables)],
        "rows right": [sum(t.rows_right for t in tables), sum(t.rows for t in tables)],
        "cells right": [sum(t.cells_right for t in tables), sum(t.cells for t in tables)],
        "headings right": [sum(h.right for h in headings), len(headings)],
        "levels right": [sum(bool(h.level) for h in levels), len(levels)],
    }


def main() -> None:
    """Read the files and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--gold", type=Path, default=readings.GOLD, metavar="DIR")
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found, lost = read_all(options.root, options.gold, options.only, Path(folder))
    tables, headings = score_all(found, options.gold)
    if options.only:
        tables = [t for t in tables if options.only in t.id] or tables
    print(f"{'table':<18} found whole     rows      cells  beside")
    for t in tables:
        marks = f"{'yes' if t.found else 'no':>5} {'yes' if t.whole else 'no':>5}"
        print(
            f"{t.id:<18} {marks} {t.rows_right:>4}/{t.rows:<4} {t.cells_right:>4}/{t.cells:<4} {t.beside:>6}"
        )
        if options.misses and t.wrong_rows:
            print(f"    rows wrong: {', '.join(map(str, t.wrong_rows))}")
    if options.misses:
        for h in headings:
            if not h.right or h.level is False:
                print(
                    f"{'heading not found' if not h.right else 'wrong parent':<18} {h.file} page {h.page} {h.text}"
                )
    sums = totals(tables, headings)
    for name, (right, count) in sums.items():
        print(f"{name:<16} {right:>4} of {count:<4} {right / max(count, 1):.3f}")
    for name in lost:
        print(f"not there: {name}")
    if options.json:
        content = {
            "totals": sums,
            "tables": [asdict(t) for t in tables],
            "headings": [asdict(h) for h in headings],
        }
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
