"""Turns labelled rules of real pages into digests, so that the gold holds no third-party text.

    python benchmarks/gold/rules/seal_rules.py CLEAR.jsonl [--check ROOT] --out SEALED.jsonl

CLEAR stays outside the repository: one object a line, as the README beside this script explains. In a `text`, ` | `
parts the cells of a row and ` … ` marks a gap: between lead-in and item, between slices, at a page break in the middle.

A digest is the first eight hex digits of the SHA-256 of words joined by a space; words are runs of letters and digits,
NFKD, without marks, casefolded. `words` of a unit or rule are the digests of each three words in a row, across cells
but not across a gap; a slice of fewer than three words has one digest of them all. `measure_words` and `base_words`
are digests of single words. Everything else stays in clear. `--check ROOT` looks the digests up in the text layer of
the unit's page and the next, and prints what is not there: all of a sentence or item must be, seven tenths of a row.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

GAP = "…"
CLEAR = ("kind", "group", "comparator", "value", "value_max", "unit", "per", "code", "edition", "date")
NAMES = {"sentence", "item", "row", "bidder", "buyer", "contract", "third_party", "none"}
NAMES |= {"mandatory", "scored", "optional", "quantity", "standard", "form", "date"}


def folded(text: str) -> list[str]:
    """Words of `text`: runs of letters and digits, without case and accents."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", bare.casefold())


def digest(words: list[str]) -> str:
    """Eight hex digits for words in a row."""
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:8]


def grams(text: str) -> list[str]:
    """Digests of each three words in a row, slice by slice."""
    found: list[str] = []
    for words in filter(None, map(folded, text.split(GAP))):
        found.extend(digest(words[n : n + 3]) for n in range(max(1, len(words) - 2)))
    return list(dict.fromkeys(found))


def faults(unit: dict[str, Any]) -> list[str]:
    """What is wrong with the form of a unit."""
    rules = unit["rules"]
    whole = " ".join(folded(unit["text"]))
    parts = [" ".join(folded(part)) for rule in rules for part in rule["text"].split(GAP)]
    found = [f"not in the unit: {part!r}" for part in parts if not part or part not in whole]
    if rules and unit["subject"] != "bidder":
        found.append("rules of somebody else")
    used = {unit["kind"], unit["subject"]} | {rule["mandatory"] for rule in rules}
    used |= {test["kind"] for rule in rules for test in rule["predicates"]}
    return found + sorted(used - NAMES)


def seal_predicate(predicate: dict[str, Any]) -> dict[str, Any]:
    """The predicate with digests for its measure and base."""
    kept = {name: predicate.get(name) for name in CLEAR}
    words = {f"{name}_words": folded(predicate.get(name) or "") for name in ("measure", "base")}
    return kept | {name: [digest([word]) for word in found] for name, found in words.items()}


def seal_unit(unit: dict[str, Any]) -> dict[str, Any]:
    """The unit with digests for its words and those of its rules; nothing of the clear text but what is named here."""
    sealed = {name: unit[name] for name in ("file", "page", "kind", "subject")}
    sealed |= {"words": grams(unit["text"]), "rules": []}
    for rule in unit["rules"]:
        kept = {"words": grams(rule["text"]), "mandatory": rule["mandatory"]}
        sealed["rules"].append(kept | {"predicates": list(map(seal_predicate, rule["predicates"]))})
    return sealed


def check(units: list[dict[str, Any]], root: Path) -> None:
    """Print the units whose digests the text layer does not hold."""
    import pymupdf

    held: dict[tuple[str, int], set[str]] = {}
    for unit in units:
        place = (unit["file"], unit["page"])
        if place not in held:
            with pymupdf.open(root / unit["file"]) as document:
                pages = document.pages(unit["page"] - 1, min(unit["page"] + 1, len(document)))
                words = folded(" ".join(word[4] for page in pages for word in page.get_text("words")))
            held[place] = {digest(words[n : n + size]) for size in (1, 2, 3) for n in range(len(words))}
        for text in (unit["text"], *(rule["text"] for rule in unit["rules"])):
            wanted = grams(text)
            share = sum(gram in held[place] for gram in wanted) / len(wanted)
            if share < (0.7 if unit["kind"] == "row" else 1):
                print(f"page {unit['page']}: {share:.0%} of {text}")


def main() -> None:
    """Seal labelled rules."""
    parser = argparse.ArgumentParser(description="Seal labelled rules; see the head of this file.")
    parser.add_argument("clear", type=Path)
    parser.add_argument("--check", type=Path, metavar="ROOT")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    units = [json.loads(line) for line in options.clear.read_text(encoding="utf-8").splitlines() if line]
    if wrong := [f"line {n}: {fault}" for n, unit in enumerate(units, 1) for fault in faults(unit)]:
        raise SystemExit("\n".join(wrong))
    if options.check:
        check(units, options.check)
    options.out.write_text("".join(json.dumps(seal_unit(unit)) + "\n" for unit in units), encoding="utf-8")
    rules = [rule for unit in units for rule in unit["rules"]]
    print(len(units), "units", Counter(unit["subject"] for unit in units), len(rules), "rules")
    print(Counter(r["mandatory"] for r in rules), Counter(p["kind"] for r in rules for p in r["predicates"]))


if __name__ == "__main__":
    main()
