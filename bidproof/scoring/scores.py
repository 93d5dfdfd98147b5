"""Points of one bidder, beside its gate.

Belongs here: turning findings into the row of `scores`. Does not belong here: the gate's reasoning
(`gate`), rates over many packs (`metrics`), any reading or writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from bidproof.errors import CatalogError
from bidproof.intake.unpacking import CONTAINER_KINDS
from bidproof.params import ScoringParams
from bidproof.records import Gate, Requirement, Status
from bidproof.scoring.gate import READABLE, decide_gate, page_runs
from bidproof.scoring.sensitivity import gate_flips
from bidproof.tables import SCORES


def _points(status: str | None, params: ScoringParams) -> float:
    if status == Status.PASS:
        return 1.0
    return params.partial_points if status == Status.PARTIAL else 0.0


def _mean(
    rules: Iterable[Requirement], statuses: Mapping[str, str], params: ScoringParams
) -> tuple[float | None, int]:
    """Mean points by weight over `rules`, an absent finding counting 0; empty without rules."""
    chosen = list(rules)
    weight = sum(rule.weight for rule in chosen)
    if not chosen or weight <= 0:
        return None, len(chosen)
    points = sum(_points(statuses.get(rule.rule_id), params) * rule.weight for rule in chosen)
    return points / weight, len(chosen)


def _in_areas(rules: Iterable[Requirement], areas: Iterable[str]) -> list[Requirement]:
    wanted = {area.strip().casefold() for area in areas}
    return [rule for rule in rules if rule.area.strip().casefold() in wanted]


def _unread(documents: pl.DataFrame, pages: pl.DataFrame) -> tuple[list[str], list[str]]:
    """Files that could not be opened, and one line for each file or run of pages that nobody read."""
    closed = sorted(
        row["file_name"]
        for row in documents.iter_rows(named=True)
        if row["status"] != "ok"
        or (not row["page_count"] and not row["duplicate_of"] and row["kind"] not in CONTAINER_KINDS)
    )
    bad = pages.filter(~pl.col("status").is_in(list(READABLE)))
    runs: dict[str, list[int]] = {}
    for row in bad.sort("file_name", "page").iter_rows(named=True):
        runs.setdefault(row["file_name"], []).append(row["page"])
    lines = [f"{name} (the file cannot be opened)" for name in closed]
    lines += [
        f"{name} p. {page_runs(numbers)}" for name, numbers in sorted(runs.items()) if name not in closed
    ]
    return closed, lines


def _key(frames: Iterable[pl.DataFrame]) -> dict[str, str]:
    for frame in frames:
        if frame.height:
            first = frame.row(0, named=True)
            return {name: first[name] for name in ("tender", "bidder", "pack")}
    return {"tender": "", "bidder": "", "pack": ""}


def _counts(statuses: Mapping[str, str], rules: list[Requirement]) -> dict[str, int]:
    seen = [statuses.get(rule.rule_id, Status.MISSING.value) for rule in rules]
    names = {
        "passed": Status.PASS,
        "partial": Status.PARTIAL,
        "failed": Status.FAIL,
        "missing": Status.MISSING,
    }
    return {name: seen.count(status.value) for name, status in names.items()}


def _means(
    rules: list[Requirement], statuses: Mapping[str, str], params: ScoringParams
) -> dict[str, float | int | None]:
    technical, technical_rules = _mean(_in_areas(rules, params.technical_areas), statuses, params)
    commercial, commercial_rules = _mean(_in_areas(rules, params.commercial_areas), statuses, params)
    return {
        "technical": technical,
        "technical_rules": technical_rules,
        "commercial": commercial,
        "commercial_rules": commercial_rules,
        "overall": _mean(rules, statuses, params)[0],
    }


def _too_little(readable: int, pages: int, least: float, unread: Iterable[str]) -> list[str]:
    """Why a pack passes no gate, one line each; none where enough of it could be read."""
    if readable >= least * pages:
        return []
    what = f"Only {readable} of {pages} pages could be read, less than documents.min_coverage ({least:.0%})"
    return [f"{what}: the rest may speak against the bid", *(f"Unread: {line}" for line in unread)]


def _settled(gate: Gate, too_little: Sequence[str]) -> Gate:
    """No pass where too little was read: the rest may speak against the bid."""
    return Gate.CANNOT_DECIDE if gate is Gate.PASS and too_little else gate


def score_pack(
    requirements: Sequence[Requirement],
    documents: pl.DataFrame,
    pages: pl.DataFrame,
    findings: pl.DataFrame,
    params: ScoringParams,
    *,
    catalog_version: str = "",
    min_coverage: float = 0.0,
) -> pl.DataFrame:
    """One row of `scores`: gate with its reasons and what would turn it, technical, commercial and overall score, counts.

    A pack of which less than `min_coverage` of the pages could be read passes no gate: what was not read may
    speak against the bid.

    Scores are means of 1, `partial_points` and 0 by rule weight; a rule without a finding counts 0 and as
    Missing. A score over no rules is empty, never 0.

    Raises:
        CatalogError: there is no rule to score by.
    """
    if not requirements:
        raise CatalogError("catalog", "no rules to score by", "give a catalog with at least one rule")
    rules = sorted(requirements, key=lambda rule: rule.rule_id)
    known = {rule.rule_id for rule in rules}
    by_rule = {row["rule_id"]: row for row in findings.iter_rows(named=True) if row["rule_id"] in known}
    statuses = {rule_id: row["status"] for rule_id, row in by_rule.items()}
    closed, unread = _unread(documents, pages)
    readable = pages.filter(pl.col("status").is_in(list(READABLE))).height
    too_little = _too_little(readable, pages.height, min_coverage, unread)
    gate, reasons = decide_gate(rules, by_rule, unread)
    if _settled(gate, too_little) is not gate:
        gate, reasons = Gate.CANNOT_DECIDE, too_little
    row: dict[str, object] = {
        **_key((findings, documents, pages)),
        "catalog_version": catalog_version or (findings["catalog_version"][0] if findings.height else ""),
        "gate": gate.value,
        "gate_reasons": reasons,
        "gate_flips": gate_flips(rules, by_rule, bool(unread), lambda one: _settled(one, too_little)),
        **_means(rules, statuses, params),
        **_counts(statuses, rules),
        "to_review": sum(bool(row["needs_review"]) for row in by_rule.values()) + len(known) - len(by_rule),
        "quotes_verified": sum(
            row["status"] != Status.MISSING and "quote_found" in (row["checks_passed"] or [])
            for row in by_rule.values()
        ),
        "pages": pages.height,
        "pages_readable": readable,
        "unreadable_files": closed,
    }
    return SCORES.frame([row])
