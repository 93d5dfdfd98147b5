"""Gold labels: finds each snippet on its page and refuses labels that the PDF files do not bear out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pymupdf
import yaml

from make.markup import substitute

CONTENT = Path(__file__).parent / "content"
VERDICTS = ("Pass", "Partial", "Fail", "Missing")


class GoldError(ValueError):
    """A label that does not hold."""


def squeeze(text: str) -> str:
    """Letters, digits and percent signs only, in small letters."""
    return re.sub(r"[^a-z0-9%]", "", text.lower())


class Finder:
    """Page text of the RFP and of one pack."""

    def __init__(self, rfp: Path, pack: Path, scans: Mapping[str, tuple[int, ...]]) -> None:
        self.rfp = rfp.name
        self.scans = scans
        self.plain = {path.name: _page_texts(path) for path in [rfp, *sorted(pack.glob("*.pdf"))]}
        self.pages = {name: [squeeze(text) for text in texts] for name, texts in self.plain.items()}

    def page(self, file: str, snippet: str) -> int:
        """The one physical page, from 1, that holds `snippet`.

        Raises:
            GoldError: on no page, on several, so that the label would be ambiguous, or not word for word.
        """
        wanted = squeeze(snippet)
        hits = [number for number, text in enumerate(self.pages[file], start=1) if wanted in text]
        if len(hits) != 1:
            raise GoldError(f"{file}: on pages {hits}: {snippet}")
        if snippet not in self.plain[file][hits[0] - 1]:
            raise GoldError(f"{file}, page {hits[0]}: not word for word: {snippet}")
        return hits[0]

    def count(self, term: str) -> int:
        """Pages of the pack, the RFP apart, on which `term` stands."""
        wanted = squeeze(term)
        return sum(wanted in text for name, texts in self.pages.items() if name != self.rfp for text in texts)

    def scan(self, file: str) -> int:
        """The scanned page of `file`, whose text cannot be checked here."""
        (page,) = self.scans[file]
        return page


def _page_texts(path: Path) -> list[str]:
    """Text of each page with single spaces."""
    with pymupdf.open(path) as document:
        return [" ".join(page.get_text().split()) for page in document]


def rows(
    rules: Iterable[Mapping[str, Any]], labels: Mapping[str, Any], values: Mapping[str, str], finder: Finder
) -> list[dict[str, Any]]:
    """One label a rule, with pages filled in."""
    rfp_snippets = yaml.safe_load((CONTENT / "gold_rfp.yaml").read_text(encoding="utf-8"))
    return [_row(rule, labels[rule["id"]], rfp_snippets[rule["id"]], values, finder) for rule in rules]


def _row(
    rule: Mapping[str, Any],
    label: Mapping[str, Any],
    rfp_snippet: str,
    values: Mapping[str, str],
    finder: Finder,
) -> dict[str, Any]:
    """The label of one rule.

    Raises:
        GoldError: when the verdict has no evidence, or Missing has some, or a term that should stand on so
            many pages of the pack (because all it does is echo the RFP) stands on more.
    """
    for term, wanted in label.get("pages_with", {}).items():
        if finder.count(term) != wanted:
            raise GoldError(f"{rule['id']}: '{term}' on {finder.count(term)} pages, not {wanted}")
    evidence = []
    for item in label.get("evidence", []):
        snippet = substitute(item["snippet"], values)
        page = finder.scan(item["file"]) if item.get("scan") else finder.page(item["file"], snippet)
        evidence.append({"file": item["file"], "page": page, "snippet": snippet})
    if label["verdict"] not in VERDICTS or (label["verdict"] == "Missing") != (not evidence):
        raise GoldError(f"{rule['id']}: verdict {label['verdict']} with {len(evidence)} quotes")
    return {
        "id": rule["id"],
        "area": rule["area"],
        "mandatory": rule["mandatory"],
        "text": rule["text"],
        "clause_ref": rule["clause_ref"],
        "rfp_file": finder.rfp,
        "rfp_page": finder.page(finder.rfp, rfp_snippet),
        "rfp_snippet": rfp_snippet,
        "verdict": label["verdict"],
        "evidence": evidence,
        "rationale": label["rationale"],
    }


def write(path: Path, labels: list[dict[str, Any]]) -> None:
    """One JSON object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in labels), encoding="utf-8")


def summary(labels: list[dict[str, Any]]) -> str:
    """Counts by verdict, and the gate that follows from the mandatory rules."""
    counts = Counter(row["verdict"] for row in labels)
    closed = [row["id"] for row in labels if row["mandatory"] and row["verdict"] in {"Fail", "Missing"}]
    gate = f"gate fails on {', '.join(closed)}" if closed else "gate passes"
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS) + f"; {gate}"
