"""Assembles the cells of a matrix: a finding, the passage that proves it, and what else was read.

Judges nothing. It only ever lowers a verdict: one without a quote, or one given under another catalog, is
shown as Missing and sent to a reviewer, because a matrix must not show a Pass that nothing proves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from bidproof.errors import StageError
from bidproof.records import Box, MatchKind, Status
from bidproof.review.cleaning import clean, clean_tree, has_controls
from bidproof.review.model import VERIFIED_KINDS, Cell, Passage, Rule, citation

Row = Mapping[str, Any]

NEAREST_SHOWN = 2
"""Best candidates shown when a rule has no passage at all: enough to see what the search met."""


@dataclass
class Reading:
    """The tables of the bidders' side, indexed for look-up by (bidder, rule) or (bidder, chunk)."""

    chunks: dict[tuple[str, str], Row]
    passages: dict[tuple[str, str], list[Row]]
    candidates: dict[tuple[str, str], list[Row]]
    found: dict[tuple[str, str], int]
    findings: dict[tuple[str, str], Row]
    labels: dict[tuple[str, int], str]
    contradicted: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    decided: dict[tuple[str, str], Row] = field(default_factory=dict)
    warnings: set[str] = field(default_factory=set)


def _grouped(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["bidder"], row["rule_id"]), []).append(row)
    return groups


def _findings(findings: pl.DataFrame) -> dict[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for row in findings.iter_rows(named=True):
        key = (row["bidder"], row["rule_id"])
        if key in found:
            raise StageError(
                f"findings: two rows for rule {key[1]} of bidder {key[0]}; materialize findings again"
            )
        found[key] = row
    return found


def _contradicted(consistency: pl.DataFrame | None) -> dict[tuple[str, str], list[str]]:
    """Of each cell what it contradicts, one line each."""
    found: dict[tuple[str, str], list[str]] = {}
    if consistency is not None:
        rows = consistency.select("bidder", "rule_id", "status", "reason").sort(pl.all())
        for bidder, rule_id, _, reason in rows.iter_rows():
            found.setdefault((bidder, rule_id), []).append(clean(reason))
    return found


def read_tables(
    candidates: pl.DataFrame,
    passages: pl.DataFrame,
    chunks: pl.DataFrame,
    findings: pl.DataFrame,
    pages: pl.DataFrame | None = None,
    consistency: pl.DataFrame | None = None,
    reviews: pl.DataFrame | None = None,
) -> Reading:
    """The tables indexed for `build_cell`. Only chunks that a cell can show are kept.

    Raises:
        StageError: a rule has two findings for one bidder.
    """
    found = candidates.group_by("bidder", "rule_id").len()
    best = candidates.filter(pl.col("rank") <= 50).sort("bidder", "rule_id", "rank", "chunk_id")
    chosen = passages.sort("bidder", "rule_id", "order_no", "chunk_id")
    shown = set(chosen["chunk_id"]) | set(findings["chunk_id"].drop_nulls()) | set(best["chunk_id"])
    kept = chunks.filter(pl.col("chunk_id").is_in(list(shown)))
    labels = {
        (r["doc_id"], r["page"]): clean(r["page_label"]) for r in findings.iter_rows(named=True) if r["page"]
    }
    if pages is not None:
        labels |= {
            (d, p): clean(label) for d, p, label in pages.select("doc_id", "page", "page_label").iter_rows()
        }
    return Reading(
        chunks={(row["bidder"], row["chunk_id"]): row for row in kept.iter_rows(named=True)},
        passages=_grouped(chosen.iter_rows(named=True)),
        candidates=_grouped(best.iter_rows(named=True)),
        found={(bidder, rule): count for bidder, rule, count in found.iter_rows()},
        findings=_findings(findings),
        labels=labels,
        contradicted=_contradicted(consistency),
        decided={(r["bidder"], r["rule_id"]): r for r in reviews.iter_rows(named=True)}
        if reviews is not None
        else {},
    )


def _passage(reading: Reading, bidder: str, chunk: Row, choice: Row, ranks: Mapping[str, Row]) -> Passage:
    page = chunk["page"]
    label = reading.labels.get((chunk["doc_id"], page), "") if page else ""
    if has_controls(chunk["text"]):
        reading.warnings.add(f"{bidder}: control characters were taken out of {clean(chunk['file_name'])}")
    rank = ranks.get(chunk["chunk_id"], {})
    return Passage(
        chunk_id=chunk["chunk_id"],
        file_name=clean(chunk["file_name"]),
        page=page,
        page_label=label,
        anchor=clean(chunk["anchor"]),
        citation=citation(page, label, clean(chunk["anchor"])),
        heading_path=clean(chunk["heading_path"]),
        text=clean(chunk["text"]),
        why=clean(choice.get("why")),
        attempt=choice.get("attempt") or 1,
        rank=rank.get("rank"),
        evidence_score=rank.get("evidence_score"),
        missing_terms=tuple(clean(term) for term in choice.get("missing_terms") or ()),
    )


def _read_passages(
    reading: Reading, key: tuple[str, str], quoted: str
) -> tuple[Passage | None, tuple[Passage, ...]]:
    """The passage that holds the quote, and the others: chosen ones, or the best candidates without any."""
    bidder = key[0]
    ranked = reading.candidates.get(key, [])
    ranks = {row["chunk_id"]: row for row in ranked}
    choices = reading.passages.get(key, [])
    shown = choices or [{**row, "why": "candidate"} for row in ranked[:NEAREST_SHOWN]]
    evidence: Passage | None = None
    others: list[Passage] = []
    for choice in shown:
        chunk = reading.chunks.get((bidder, choice["chunk_id"]))
        if chunk is None:
            reading.warnings.add(
                f"{bidder}: passage {choice['chunk_id']} of rule {key[1]} has no chunk: its text is not shown"
            )
            continue
        passage = _passage(reading, bidder, chunk, choice, ranks)
        if choice["chunk_id"] == quoted and evidence is None:
            evidence = passage
        else:
            others.append(passage)
    if quoted and evidence is None and (chunk := reading.chunks.get((bidder, quoted))) is not None:
        evidence = _passage(reading, bidder, chunk, {}, ranks)
    return evidence, tuple(others)


def _absence(text: str | None) -> Any:
    """The absence certificate as data; text that is no JSON is kept as a note rather than dropped."""
    if not text:
        return None
    try:
        return clean_tree(json.loads(text))
    except ValueError:
        return {"note": clean(text)}


def _match_kind(text: str | None) -> MatchKind:
    try:
        return MatchKind(text or "none")
    except ValueError:
        return MatchKind.NONE


def _verdict(row: Row, kind: MatchKind, catalog_version: str) -> tuple[Status, list[str], str]:
    """Status that may be shown, checks that failed here, and a reason for review where one arises here."""
    try:
        status = Status(row["status"])
    except ValueError:
        return (
            Status.MISSING,
            [f"status: '{clean(row['status'])}' is no verdict"],
            "the stored verdict cannot be read",
        )
    if catalog_version and row["catalog_version"] and row["catalog_version"] != catalog_version:
        reason = f"judged under catalog {row['catalog_version'][:12]}, not {catalog_version[:12]}"
        return Status.MISSING, [f"catalog: {reason}"], reason
    if status is not Status.MISSING and not clean(row["quote"]).strip():
        reason = f"{status} without a quote"
        return Status.MISSING, [f"quote: {reason}"], reason
    if status is not Status.MISSING and kind not in VERIFIED_KINDS:
        return status, [], f"the quote matches its source only as '{kind}'"
    return status, [], ""


def _boxes(row: Row) -> tuple[Box, ...]:
    if row["anchor"]:
        # An office file has no page image to draw on.
        return ()
    return tuple(
        Box(page=box["page"], **{side: round(box[side], 1) for side in ("x0", "y0", "x1", "y1")})
        for box in row["boxes"] or ()
    )


def _unjudged(reading: Reading, rule: Rule, bidder: str) -> Cell:
    key = (bidder, rule.rule_id)
    return Cell(
        rule_id=rule.rule_id,
        bidder=bidder,
        status=Status.MISSING,
        rationale="This rule was not judged for this bidder.",
        checks_failed=("judged: no finding is stored",),
        needs_review=True,
        review_reason="no finding is stored for this rule; run the pack again",
        passages=_read_passages(reading, key, "")[1],
        candidates=reading.found.get(key, 0),
    )


def _decision(review: Row) -> str:
    """Who decided, when, and whether it holds; empty where nobody has."""
    if not review:
        return ""
    how = "agreed" if review["action"] == "agree" else f"{review['from_status']} → {review['to_status']}"
    return clean(f"{review['reviewer']}, {review['at'][:10]}: {how}")


def build_cell(reading: Reading, rule: Rule, bidder: str, catalog_version: str) -> Cell:
    """The cell of `rule` and `bidder`. A rule without a finding is Missing and needs a reviewer."""
    key = (bidder, rule.rule_id)
    row = reading.findings.get(key)
    if row is None:
        return _unjudged(reading, rule, bidder)
    kind = _match_kind(row["match_kind"])
    status, failed, reason = _verdict(row, kind, catalog_version)
    evidence, others = _read_passages(reading, key, row["chunk_id"] or "")
    decided = reading.decided.get(key, {})
    kept = decided.get("state") == "kept"
    against = [] if kept else reading.contradicted.get(key, [])
    reasons = [part for part in (clean(row["review_reason"]), reason, *against) if part]
    if has_controls(row["quote"]):
        reading.warnings.add(
            f"{bidder}: control characters were taken out of the quote for rule {rule.rule_id}"
        )
    return Cell(
        rule_id=rule.rule_id,
        bidder=bidder,
        status=status,
        judged_status=clean(row["judged_status"]),
        rationale=clean(row["rationale"]),
        risk=clean(row["risk"]),
        judge=clean(row["judge"]),
        quote=clean(row["quote"]),
        match_kind=kind,
        file_name=clean(row["file_name"]),
        page=row["page"],
        page_label=clean(row["page_label"]),
        anchor=clean(row["anchor"]),
        citation=citation(row["page"], clean(row["page_label"]), clean(row["anchor"])),
        heading_path=clean(row["heading_path"]),
        boxes=_boxes(row),
        checks_passed=tuple(clean(check) for check in row["checks_passed"] or ()),
        checks_failed=(*(clean(check) for check in row["checks_failed"] or ()), *failed),
        needs_review=bool(row["needs_review"]) or bool(reason) or bool(against),
        review_reason="; ".join(reasons),
        other_quotes=tuple(clean(quote) for quote in row["other_quotes"] or ()),
        evidence=evidence,
        passages=others,
        candidates=reading.found.get(key, 0),
        absence=_absence(row["absence"]),
        decision=_decision(decided),
        reopened=decided.get("state") == "reopened",
    )
