"""How large packs and RFPs are that were not read yet: pages of PDFs, bytes of other files.

Holds estimates for `bidproof plan` alone; nothing that is judged rests on them.
"""

from __future__ import annotations

from collections.abc import Iterable

from bidproof.catalog import load_catalog
from bidproof.intake.inbox import SourceFile, Tender
from bidproof.judging.scheduling.asks import Sizes

PAGE_TOKENS = 600
"""Tokens of a page: bids and RFPs have 300 to 700; here as in the shipped example."""
TOKEN_BYTES = {".docx": 20, ".xlsx": 15, ".pptx": 60}
"""Bytes of a file for each token of its text: office files are packed, and hold pictures."""
PLAIN_BYTES = 4
LARGEST = 400_000
"""Tokens: a file larger than this has pictures in it, not text."""
PAGE_RULES = 1.0
"""Rules that mining finds on a page of an RFP."""
MANDATORY = 0.8
"""Share of mined rules that are mandatory."""


def pages_of(file: SourceFile) -> int | None:
    """Pages of a PDF; None for another file, or one that cannot be opened."""
    if file.path.suffix.lower() != ".pdf":
        return None
    import pymupdf

    try:
        with pymupdf.open(file.path) as document:
            return int(document.page_count)
    except Exception:  # a file that is no PDF is named by `run`, with the reason
        return None


def whole_tokens(files: Iterable[SourceFile]) -> int:
    """Tokens of all files, by pages or by bytes."""
    total = 0
    for file in files:
        pages = pages_of(file)
        by_bytes = file.size // TOKEN_BYTES.get(file.path.suffix.lower(), PLAIN_BYTES)
        total += min(LARGEST, by_bytes) if pages is None else pages * PAGE_TOKENS
    return total


def rules_of(tender: Tender) -> tuple[int, int, str]:
    """Mandatory rules, others, and how they were had: from the catalog file, or by the length of the RFP.

    Raises:
        CatalogError: there is a catalog file that cannot be read.
    """
    if tender.catalog_path is not None:
        rules = load_catalog(tender.catalog_path).rules
        mandatory = sum(rule.mandatory for rule in rules)
        return mandatory, len(rules) - mandatory, f"{len(rules)} rules of {tender.catalog_path.name}"
    pages = (
        sum(pages_of(file) or 0 for file in tender.rfp_files) or whole_tokens(tender.rfp_files) // PAGE_TOKENS
    )
    rules_expected = round(pages * PAGE_RULES)
    mandatory = round(rules_expected * MANDATORY)
    return mandatory, rules_expected - mandatory, f"about {rules_expected} rules by {pages} pages of RFP"


def sizes_of(rules: tuple[int, int], files: Iterable[SourceFile]) -> Sizes:
    """Size of a pack that is judged by so many mandatory and other rules."""
    return Sizes(rules[0], rules[1], whole_tokens(files))
