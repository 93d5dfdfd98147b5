"""One statement of a bid judged on one rule, from the rule's words to the finding. Holds no test.

The whole path runs in process: derivation of predicates, chunks, facts, the judge and the live checks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.catalog import derive
from bidproof.chunking import chunk_blocks
from bidproof.facts import facts_table
from bidproof.judging import judge_pack
from bidproof.params import Params
from bidproof.records import Requirement
from bidproof.tables import BLOCKS, CANDIDATES, CHUNKS, DOCUMENTS, PAGES, PASSAGES
from bidproof.verification import verify_findings

DATA = Path(__file__).resolve().parents[1] / "data"
SUBMISSION = "2026-09-17"
_PACK = {"tender": "pairs", "bidder": "bidder", "pack": "pairs--bidder"}
_DOC = {**_PACK, "doc_id": "doc", "file_name": "offer.pdf"}


@dataclass(frozen=True)
class Pair:
    """A rule, what a bid says to it, and the verdict that a careful reader gives."""

    kind: str
    right: str
    domain: str
    language: str
    rule: str
    evidence: str

    @property
    def honest(self) -> bool:
        return self.right == "Pass"


@dataclass(frozen=True)
class Verdict:
    """What became of a pair."""

    pair: Pair
    status: str
    needs_review: bool
    rationale: str

    @property
    def unflagged_pass(self) -> bool:
        return self.status == "Pass" and not self.needs_review

    def line(self) -> str:
        """The verdict in one line, for the report of a failing test."""
        pair = self.pair
        flag = " (review)" if self.needs_review else ""
        return f"[{pair.kind}] {self.status}{flag} for {pair.right}: {pair.rule} <- {pair.evidence} :: {self.rationale}"


def pairs_of(name: str) -> list[Pair]:
    """The pairs of a data file."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [Pair(**json.loads(line)) for line in lines if line.strip()]


def _rfp(rule: str) -> pl.DataFrame:
    return CHUNKS.frame([
        {**_PACK, "bidder": "", "doc_id": "rfp", "chunk_id": "rfp:p1_c01", "page": 1, "text": rule}
    ])  # fmt: skip


def finding_on(rule: str, *statements: str, mandatory: bool = True) -> dict[str, Any]:
    """The finding on `rule` in a pack that says nothing but `statements`, a paragraph each."""
    params = Params()
    requirement = derive(
        Requirement(rule_id="R1", area="Technical", mandatory=mandatory, text=rule),
        submission_date=SUBMISSION,
    )
    pages = PAGES.frame([{**_DOC, "page": 1, "page_label": "1", "status": "text"}])
    documents = DOCUMENTS.frame([{**_DOC, "status": "ok", "page_count": 1, "duplicate_of": ""}])
    blocks = BLOCKS.frame([
        {**_DOC, "page": 1, "block_no": n, "kind": "paragraph", "text": text, "x0": 50.0, "y0": 100.0 + 20 * n, "x1": 400.0,
         "y1": 112.0 + 20 * n, "heading_path": "2 Our Offer", "struck": False, "hidden": False, "is_header": False,
         "table_no": -1, "row_no": -1,
         "lines": [{"start": 0, "end": len(text), "x0": 50.0, "y0": 100.0, "x1": 400.0, "y1": 112.0}]}
        for n, text in enumerate(statements)
    ])  # fmt: skip
    chunks = chunk_blocks(blocks, pages, params.chunking)
    facts = facts_table(chunks, params.facts)
    ids = chunks["chunk_id"].to_list()
    passages = PASSAGES.frame([
        {**_PACK, "rule_id": "R1", "catalog_version": "v1", "order_no": n, "chunk_id": i, "why": "best", "attempt": 1}
        for n, i in enumerate(ids, 1)
    ])  # fmt: skip
    candidates = CANDIDATES.frame([
        {**_PACK, "rule_id": "R1", "chunk_id": i, "rank": n} for n, i in enumerate(ids, 1)
    ])  # fmt: skip
    rfp = _rfp(rule)
    judgements = judge_pack([requirement], passages, chunks, facts, rfp, params, candidates=candidates)
    findings = verify_findings(
        [requirement], rfp, documents, pages, blocks, chunks, facts, candidates, passages, judgements, params.verification
    )  # fmt: skip
    return findings.row(0, named=True)


def verdict_on(pair: Pair) -> Verdict:
    """The verdict that the product gives on a pair."""
    found = finding_on(pair.rule, pair.evidence)
    return Verdict(
        pair, found["status"], found["needs_review"], f"{found['rationale']} {found['review_reason']}".strip()
    )


def verdicts_on(pairs: Iterable[Pair]) -> list[Verdict]:
    """The verdicts on all `pairs`, in their order."""
    return [verdict_on(pair) for pair in pairs]
