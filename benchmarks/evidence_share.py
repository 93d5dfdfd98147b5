"""How much of FinanceBench's gold evidence stands whole in the blocks of its page.

    python benchmarks/evidence_share.py SET_DIR [--only DOC] [--json FILE]

SET_DIR holds `questions.jsonl` (evidence with doc_id, page1, text) and `pdfs/`. White space and characters outside
ASCII are dropped on both sides, since the gold lost some of them, and so is the ` | ` that joins cells. Printed are
the share found whole in the page's blocks in their order, the share of lines found in any order (by characters),
and each miss with the place where it first differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams


def bare(text: str) -> str:
    """ASCII without white space and bars."""
    return "".join(c for c in text if c.isascii() and not c.isspace() and c != "|")


def differs(gold: str, text: str) -> tuple[int, str, str]:
    """Characters of `gold` found as far as it goes, what follows in `gold`, and what the text has instead."""
    low, high = 0, len(gold)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if gold[:middle] in text else (low, middle - 1)
    at = text.find(gold[:low]) + low
    return low, gold[low : low + 40], text[at : at + 40]


def measure(evidence: dict[str, Any], parsed: ParsedFile) -> dict[str, Any]:
    """What of a piece of evidence the page's blocks hold."""
    page = parsed.blocks.filter(pl.col("page") == evidence["page1"])
    text, gold = bare("".join(page["text"].to_list())), bare(evidence["text"])
    lines = [line for line in map(bare, evidence["text"].splitlines()) if line]
    lost = [line for line in lines if line not in text]
    reached, wanted, instead = differs(gold, text)
    return {
        "doc": evidence["doc_id"],
        "page": evidence["page1"],
        "whole": gold in text,
        "chars": len(gold),
        "line_chars": sum(map(len, lines)),
        "lost_chars": sum(map(len, lost)),
        "lost": lost,
        "reached": reached,
        "wanted": wanted,
        "instead": instead,
    }


def main() -> None:
    """Read the files of the set and print shares and misses."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set_dir", type=Path)
    parser.add_argument("--only", default="", metavar="DOC")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    lines = (options.set_dir / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    evidence = [e for line in lines for e in json.loads(line)["evidence"] if options.only in e["doc_id"]]
    evidence = list({(e["doc_id"], e["page1"], e["text"]): e for e in evidence}.values())
    results = []
    for doc in sorted({e["doc_id"] for e in evidence}):
        print(f"reading {doc}", file=sys.stderr)
        parsed = parse_file(options.set_dir / "pdfs" / f"{doc}.pdf", DocumentParams())
        results.extend(measure(e, parsed) for e in evidence if e["doc_id"] == doc)
    for r in results:
        if not r["whole"]:
            lost = (
                f"; lines lost: {', '.join(repr(line[:30]) for line in r['lost'][:4])}" if r["lost"] else ""
            )
            print(f"{r['doc']} p{r['page']}: {r['reached']} of {r['chars']} characters, then")
            print(f"    gold {r['wanted']!r}\n    text {r['instead']!r}{lost}")
    whole, count = sum(r["whole"] for r in results), max(1, len(results))
    kept = 1 - sum(r["lost_chars"] for r in results) / max(1, sum(r["line_chars"] for r in results))
    print(
        f"whole {whole} of {len(results)} ({whole / count:.3f}); lines in any order {kept:.4f} of characters"
    )
    if options.json:
        content = {"whole": whole, "of": len(results), "lines": kept, "items": results}
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
