"""Words that a page's text layer shows and no block of the page holds: what reading lost without saying so.

    python benchmarks/words_kept.py FOLDER [FOLDER ...] [--only WORD] [--list 20] [--json FILE]

For each page that was read from its text layer, each word of three letters or digits and more is counted in the layer
and in the page's blocks, furniture, struck and hidden text included. A row parted by a page break stands where it
begins, so a word that the blocks of the page before hold once more than its layer does is not lost. Words printed
twice on the same place, as some programs do for bold, count once. Pages with a note that tells of text left out are
counted apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pymupdf

from bidproof.documents import parse_file
from bidproof.errors import UnreadableFileError
from bidproof.params import DocumentParams

LEAST = 3
BACK = 9


def bare(text: str) -> str:
    """Letters and digits, NFKC, casefolded."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def layer(page: pymupdf.Page) -> list[str]:
    """Words of a page's text layer, each place once."""
    places: dict[tuple[int, int, str], None] = {}
    for x0, y0, _, _, word, *_ in page.get_text("words"):
        places[round(x0 / 2), round(y0 / 2), bare(word)] = None
    return [word for _, _, word in places if len(word) >= LEAST]


def lost_words(pages: list[list[str]], texts: list[str]) -> list[Counter[str]]:
    """Words of each page that neither its blocks hold, nor those of the pages just before to spare."""
    lost: list[Counter[str]] = []
    spare: list[dict[str, int]] = []
    for number, words in enumerate(pages):
        missing: Counter[str] = Counter()
        for word, count in Counter(words).items():
            held = texts[number].count(word)
            for before in range(number - 1, max(-1, number - 1 - BACK), -1):
                if held >= count:
                    break
                if word not in spare[before]:
                    spare[before][word] = texts[before].count(word) - pages[before].count(word)
                taken = min(spare[before][word], count - held)
                if taken > 0:
                    spare[before][word] -= taken
                    held += taken
            if held < count:
                missing[word] = count - held
        lost.append(missing)
        spare.append({})
    return lost


def measure(path: Path) -> dict[str, Any]:
    """Words of a file and what was lost of them, by page."""
    parsed = parse_file(path, DocumentParams())
    with pymupdf.open(path) as document:
        pages = [layer(page) for page in document]
    blocks = parsed.blocks.group_by("page").agg(pl.col("text").str.join(" "))
    held = dict(blocks.iter_rows())
    texts = [bare(held.get(number, "")) for number in range(1, len(pages) + 1)]
    states = dict(parsed.pages.select("page", "status").iter_rows())
    notes = dict(parsed.pages.select("page", "note").iter_rows())
    found = []
    for number, missing in enumerate(lost_words(pages, texts), 1):
        if missing and states[number] == "text":
            words = [f"{word} x{count}" if count > 1 else word for word, count in missing.items()]
            found.append(
                {"page": number, "lost": sum(missing.values()), "words": words, "note": notes[number]}
            )
    count = sum(len(words) for number, words in enumerate(pages, 1) if states[number] == "text")
    return {"file": path.name, "words": count, "lost": sum(page["lost"] for page in found), "pages": found}


def main() -> None:
    """Read the files and print what was lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument(
        "--list", type=int, default=20, metavar="PAGES", help="worst pages of each file to list"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    results = []
    for path in sorted(path for folder in options.folders for path in folder.rglob("*.pdf")):
        if options.only not in path.name:
            continue
        try:
            result = measure(path)
        except UnreadableFileError as error:
            print(error, file=sys.stderr)
            continue
        results.append(result)
        print(f"{result['file']}: {result['lost']} of {result['words']} words lost", flush=True)
        for page in sorted(result["pages"], key=lambda page: -page["lost"])[: options.list]:
            note = f" [noted: {page['note'][:60]}]" if page["note"] else ""
            print(f"    page {page['page']}: {', '.join(page['words'][:12])}{note}")
    words, lost = sum(r["words"] for r in results), sum(r["lost"] for r in results)
    noted = sum(page["lost"] for r in results for page in r["pages"] if page["note"])
    print(f"{lost} of {words} words lost ({lost / max(1, words):.5f}), {noted} of them on pages with a note")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
