"""What the stages make of the shipped example, as digests beside their versions.

    python tests/golden/golden_stages.py        writes stages.json anew

The test beside it fails where a stage's rows change and nothing does that they are made from: its version, its
parameters, its inputs. A warehouse would keep the old rows and call them fresh, and an old verdict is a wrong one.
After a change that is meant: bump the stage's `code` in `bidproof/stages.py`, then run this. The dense leg is off: its
model's last digits are not the same everywhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.catalog import requirements_from_table
from bidproof.catalog.building import build_catalog, build_rules, catalog_version_of, rules_table
from bidproof.chunking import chunk_blocks, questions_asked
from bidproof.documents import (
    blocks_table,
    inspect_files,
    integrity_table,
    pages_table,
    parse_file,
    table_cells_table,
)
from bidproof.facts import facts_table, tags_table
from bidproof.intake.inbox import Bid, Tender, scan_inbox
from bidproof.judging import judge_pack
from bidproof.judging.asking.judges import judge_named
from bidproof.params import Params
from bidproof.records import Requirement
from bidproof.retrieval import (
    LexicalIndex,
    build_lexical_index,
    find_candidates,
    rule_digest,
    select_passages,
)
from bidproof.scoring import rank_bidders, score_pack
from bidproof.stages import BY_NAME
from bidproof.tables import OVERRIDES
from bidproof.verification import (
    carry_over,
    escalate,
    find_contradictions,
    verify_findings,
    with_reviews,
)

HERE = Path(__file__).resolve().parent
FILE = HERE / "stages.json"
INBOX = HERE.parents[1] / "examples" / "inbox"
BIDDER = "bluefern-grid"
"""The bidder whose rules have verdicts of every kind."""
DIGITS = {"candidates": 3}
"""Decimals of the numbers that count, for a rank can stay where its score moves; boxes count to the point."""

Frames = dict[str, pl.DataFrame]


def digest(frame: pl.DataFrame, digits: int = 0) -> str:
    """Digest of a frame's rows, numbers rounded so that no rounding of a library shows."""
    rows = [{name: plain(value, digits) for name, value in row.items()} for row in frame.to_dicts()]
    text = json.dumps(rows, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plain(value: Any, digits: int = 0) -> Any:
    """A value with all its floats rounded; minus nought is nought."""
    if isinstance(value, float):
        return round(value, digits) + 0.0 if digits else round(value)
    if isinstance(value, dict):
        return {key: plain(each, digits) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each, digits) for each in value]
    return value


def read(tender: Tender, bid: Bid | None, params: Params) -> Frames:
    """Tables of the reading stages for a bid, or for the tender's own files."""
    documents = inspect_files(
        bid.files if bid else tender.rfp_files, pack=bid.pack if bid else tender.tender, tender=tender.tender,
        bidder=bid.bidder if bid else "", tender_name=tender.name, bidder_name=bid.name if bid else "",
        role="bid" if bid else "rfp", params=params.documents,
    )  # fmt: skip
    paths = {file.file_name: file.path for file in (bid.files if bid else tender.rfp_files)}
    parsed = {
        row["doc_id"]: parse_file(paths[row["file_name"]], params.documents, file_name=row["file_name"])
        for row in documents.to_dicts()
    }
    return {
        "documents": documents,
        "pages": pages_table(documents, parsed),
        "blocks": blocks_table(documents, parsed),
        "table_cells": table_cells_table(documents, parsed),
        "integrity": integrity_table(documents, parsed),
    }


def chunked(read: Frames, params: Params, asked: dict[str, str]) -> pl.DataFrame:
    """Chunks of what was read."""
    adapters = dict(read["documents"].select("doc_id", "adapter").iter_rows())
    return chunk_blocks(read["blocks"], read["pages"], params.chunking, adapters=adapters, asked=asked)


def catalog(tender: Tender, rfp: Frames, params: Params) -> Frames:
    """Rules and catalog record, from the tender's file and, under names of their own, as mined from its RFP."""
    found: Frames = {}
    knobs = params.groups(BY_NAME["catalogs"].params)
    for mark, path in (("", tender.catalog_path), (" (mined)", None)):
        rules = rules_table(
            build_rules(path, rfp["documents"], rfp["blocks"], params.catalog), tender=tender.tender
        )
        found[f"requirements{mark}"] = rules
        found[f"catalogs{mark}"] = build_catalog(
            rules, rfp["documents"], rfp["blocks"], path, tender=tender.tender, params=params.catalog,
            parameters=knobs,
        )  # fmt: skip
    return found


def judged(rules: pl.DataFrame, rfp: pl.DataFrame, own: Frames, params: Params) -> Frames:
    """Tables of the stages from search to scores, without the dense leg."""
    asked, version = requirements_from_table(rules), catalog_version_of(rules)
    chunks, facts = own["chunks"], own["facts"]
    index = build_lexical_index(chunks, params.retrieval)
    candidates = find_candidates(
        asked, chunks, facts, own["tags"], LexicalIndex.from_table(index), None, None, rfp, params.retrieval, version
    )  # fmt: skip
    passages = select_passages(asked, candidates, chunks, facts, params.selection, version)
    judgements = judge_pack(
        asked, passages, chunks, facts, rfp, params, candidates=candidates, catalog_version=version
    )
    escalations = escalate(
        asked, rfp, own["documents"], own["pages"], own["blocks"], chunks, facts, candidates, passages, judgements, params,
        lambda: judge_named(params), catalog_version=version,
    )  # fmt: skip
    findings = verify_findings(
        asked, rfp, own["documents"], own["pages"], own["blocks"], chunks, facts, candidates, passages, judgements,
        params.verification, catalog_version=version, escalations=escalations,
    )  # fmt: skip
    decided = carry_over(
        events_on(findings, asked, own["documents"]), asked, findings, own["documents"], own["pages"], own["blocks"], chunks, facts
    )  # fmt: skip
    scores = score_pack(
        asked, own["documents"], own["pages"], with_reviews(findings, decided), params.scoring,
        catalog_version=version, min_coverage=params.documents.min_coverage,
    )  # fmt: skip
    # Weights in the last digit are the library's; what is indexed is ours.
    words = index.filter(pl.col("name").is_in(["chunk_ids", "indices", "indptr", "in_text", "vocabulary"]))
    return {
        "lexical_index": words, "candidates": candidates, "passages": passages, "judgements": judgements,
        "escalations": escalations, "findings": findings, "reviews": decided, "scores": scores, "rankings": rank_bidders(scores, params.scoring),
        "consistency": find_contradictions(asked, findings, candidates, chunks, own["documents"]),
    }  # fmt: skip


def events_on(findings: pl.DataFrame, asked: Sequence[Requirement], documents: pl.DataFrame) -> pl.DataFrame:
    """Decisions of a person on three verdicts: one that agrees, one that overrides, one on other words than those of now."""
    rules, sha256 = (
        {rule.rule_id: rule for rule in asked},
        dict(documents.select("doc_id", "sha256").iter_rows()),
    )
    rows = [row for row in findings.sort("rule_id").to_dicts() if row["quote"]][:3]
    events = []
    for number, (row, status) in enumerate(zip(rows, (rows[0]["status"], "Partial", "Pass"), strict=True)):
        seen = row["quote"] if number < 2 else "Other words stood here then."
        events.append({
            **{name: row[name] for name in ("tender", "bidder", "pack", "rule_id", "catalog_version", "file_name", "page", "quote")},
            "event_id": f"2026-01-0{number + 1}", "at": f"2026-01-0{number + 1}T00:00:00+00:00", "reviewer": "A. Reviewer",
            "action": "override", "from_status": row["status"], "to_status": status, "reason": "Seen.", "comment": "",
            "document_sha256": "" if number == 2 else sha256[row["doc_id"]], "seen_document_sha256": sha256[row["doc_id"]],
            "seen_quote": seen, "seen_review_reason": row["review_reason"], "rule_sha256": rule_digest(rules[row["rule_id"]].text), "pack_sha256": "",
        })  # fmt: skip
    return OVERRIDES.frame(events)


def example() -> Tender:
    """The example's tender with one of its bidders."""
    return scan_inbox(INBOX, bidder=BIDDER).tenders[0]


def tables(tender: Tender, params: Params) -> Frames:
    """Tables of all stages by their names, over the tender and its first bidder."""
    rfp = read(tender, None, params)
    rfp["chunks"] = chunked(rfp, params, {})
    rules = catalog(tender, rfp, params)
    own = read(tender, tender.bids[0], params)
    own["chunks"] = chunked(own, params, questions_asked(rfp["chunks"]))
    own["facts"] = facts_table(own["chunks"], params.facts)
    own["tags"] = tags_table(own["chunks"], own["facts"])
    found = judged(rules["requirements"], rfp["chunks"], own, params)
    return {**{f"rfp_{name}": frame for name, frame in rfp.items()}, **rules, **own, **found}


def made(tender: Tender, params: Params, frames: Frames) -> dict[str, dict[str, str]]:
    """Of each stage its version, a digest of its rows, and one of all that they are made from."""
    rows = {name: digest(frame, DIGITS.get(name, 0)) for name, frame in frames.items()}
    files = [file.sha256 for file in (*tender.rfp_files, *tender.bids[0].files)]
    assert tender.catalog_path is not None
    files.append(hashlib.sha256(tender.catalog_path.read_bytes()).hexdigest())
    found = {}
    for name in frames:
        stage = BY_NAME[name.partition(" ")[0]]
        inputs = [rows.get(one, "") for one in stage.inputs]
        source = files if stage.source else []
        parts = json.dumps([stage.code, params.groups(stage.params), inputs, source], sort_keys=True)
        made_from = hashlib.sha256(parts.encode()).hexdigest()[:16]
        found[name] = {"code": stage.code, "made_from": made_from, "rows": rows[name]}
    return found


if __name__ == "__main__":
    shown, knobs = example(), Params()
    FILE.write_text(json.dumps(made(shown, knobs, tables(shown, knobs)), indent=2) + "\n")
