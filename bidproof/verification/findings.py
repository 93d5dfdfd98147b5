"""Judgements to findings: each verdict after all live checks, with its quote, page and boxes.

Belongs here: what follows from the checks, and the row of `findings`. Does not belong here: the checks
themselves (`checks`), further rounds of judging (`escalation`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from bidproof.params import VerificationParams
from bidproof.records import MatchKind, Requirement, Status
from bidproof.tables import FINDINGS
from bidproof.verification.absence import Readability, absence_certificate
from bidproof.verification.bench import Bench, Row, claim_of, last_attempts
from bidproof.verification.checks import FATAL, Desk
from bidproof.verification.escalation import in_force, rounds_by_rule
from bidproof.verification.objections import reasons_by_rule
from bidproof.verification.verifying import Verified, verify_claim

CODE = "1"


def _review(
    judgement: Row, verified: Verified | None, requirement: Requirement, escalated: str
) -> tuple[bool, str]:
    """Whether a person should look, and why."""
    reasons = [judgement["review_reason"]] if judgement["needs_review"] and judgement["review_reason"] else []
    failed = [check for check in verified.checks if check.reason] if verified else []
    if any(check.name in FATAL for check in failed):
        reasons.insert(0, "escalate" if requirement.mandatory else "needs reviewer")
    reasons += [escalated] if escalated else []
    reasons += [check.line for check in failed]
    return bool(reasons) or bool(judgement["needs_review"]), "; ".join(dict.fromkeys(reasons))


def _evidence(verified: Verified, desk: Desk) -> dict[str, object]:
    """Quote, page and boxes of a proven verdict."""
    found = verified.found
    assert found.passage is not None
    page = found.boxes[0].page if found.boxes else found.pages[0]
    return {
        "quote": found.text,
        "chunk_id": found.passage.chunk_id,
        "doc_id": found.passage.doc_id,
        "file_name": found.passage.file_name,
        "page": page,
        "page_label": desk.source.label(found.passage.doc_id, page),
        "heading_path": found.passage.heading_path,
        "boxes": [box.model_dump() for box in found.boxes],
        "anchor": found.anchor,
        "other_quotes": list(verified.others),
    }


_NO_EVIDENCE: dict[str, object] = {
    "quote": "", "chunk_id": "", "doc_id": "", "file_name": "", "page": None, "page_label": "",
    "heading_path": "", "boxes": [], "anchor": "", "other_quotes": [],
}  # fmt: skip


def _rationale(judgement: Row, verified: Verified | None) -> str:
    """The judge's words, after what the checks had to say against them."""
    if verified is None or verified.status.value == judgement["status"]:
        return str(judgement["rationale"])
    failed = next(
        (c for c in verified.checks if c.reason and (c.name in FATAL or c.name == "predicates_recomputed")),
        None,
    )
    return (
        f"{judgement['status']} not proven ({failed.line if failed else 'checks'}). {judgement['rationale']}"
    )


def _finding(
    judgement: Row, desk: Desk, absence: Callable[[], Mapping[str, Any]], escalated: str = ""
) -> dict[str, object]:
    requirement = desk.requirement
    claim = claim_of(judgement)
    verified = None if claim.status == Status.MISSING else verify_claim(claim, desk)
    status = verified.status if verified else Status.MISSING
    review, why = _review(judgement, verified, requirement, escalated)
    proven = verified is not None and status is not Status.MISSING
    missing = status is Status.MISSING
    kind = verified.found.match.kind if verified else MatchKind.NONE
    return {
        "rule_id": requirement.rule_id,
        "area": requirement.area,
        "mandatory": requirement.mandatory,
        "status": status.value,
        "judged_status": claim.status,
        "rationale": _rationale(judgement, verified),
        "match_kind": kind.value,
        "checks_passed": [check.name for check in verified.checks if not check.reason] if verified else [],
        "checks_failed": [check.line for check in verified.checks if check.reason] if verified else [],
        "needs_review": review,
        "review_reason": why,
        "risk": ("High" if requirement.mandatory else "Medium") if missing else claim.risk,
        "absence": json.dumps(absence(), ensure_ascii=False, sort_keys=True) if missing else "",
        "judge": judgement["judge"],
        **(_evidence(verified, desk) if verified and proven else _NO_EVIDENCE),
    }


def _with_objection(finding: dict[str, object], objection: str) -> dict[str, object]:
    """A Pass with what may speak against it elsewhere, for a person to read; any other verdict as it is."""
    if not objection or finding["status"] != Status.PASS:
        return finding
    said = "; ".join(part for part in (str(finding["review_reason"]), objection) if part)
    return {**finding, "needs_review": True, "review_reason": said}


_UNJUDGED: dict[str, Any] = {
    "status": Status.MISSING.value, "rationale": "The rule was not judged.", "quote": "",
    "chunk_id": "", "pages": [], "risk": "High", "needs_review": True, "review_reason": "not judged",
    "other_quotes": [], "judge": "", "attempt": 0,
}  # fmt: skip


def _has_figures(requirement: Requirement) -> bool:
    """Each way to meet the rule has something that code recomputes on the quote."""
    groups = {predicate.group for predicate in requirement.predicates}
    typed = {predicate.group for predicate in requirement.predicates if predicate.kind != "presence"}
    return bool(groups) and groups == typed


def _missing_terms(passages: pl.DataFrame) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in passages.iter_rows(named=True):
        found.setdefault(row["rule_id"], []).extend(row["missing_terms"] or ())
    return found


def verify_findings(
    requirements: Sequence[Requirement],
    rfp_chunks: pl.DataFrame,
    documents: pl.DataFrame,
    pages: pl.DataFrame,
    blocks: pl.DataFrame,
    chunks: pl.DataFrame,
    facts: pl.DataFrame,
    candidates: pl.DataFrame,
    passages: pl.DataFrame,
    judgements: pl.DataFrame,
    params: VerificationParams,
    *,
    catalog_version: str = "",
    escalations: pl.DataFrame | None = None,
    objections: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Findings on all rules, shape `tables.FINDINGS`, in order of rule id.

    The last attempt of each rule counts, or the round of `escalations` that settled it. Every verdict other than
    Missing carries a quote that stands word for word in the passages judged, with the page and boxes of that slice. A
    Missing verdict carries its absence certificate as JSON; a rule that nobody judged is Missing and says so. A Pass
    that has `objections` goes to a person.
    """
    bench = Bench(rfp_chunks, documents, pages, blocks, chunks, facts, candidates, passages, params)
    readability = Readability(documents, pages, chunks)
    last, unseen, rounds = last_attempts(judgements), _missing_terms(passages), rounds_by_rule(escalations)
    objected = reasons_by_rule(objections)
    keys = {
        name: _first((judgements, chunks, pages, documents), name) for name in ("tender", "bidder", "pack")
    }
    keys["catalog_version"] = catalog_version or _first((judgements, passages), "catalog_version")
    rows = []
    for requirement in sorted(requirements, key=lambda rule: rule.rule_id):
        rule_id = requirement.rule_id
        judgement, escalated = in_force(
            last.get(rule_id, _UNJUDGED), rounds.get(rule_id, ()), _has_figures(requirement)
        )
        desk = bench.desk(requirement, judgement)
        absence = partial(
            absence_certificate,
            requirement,
            readability,
            desk.shown,
            len(bench.wider.get(rule_id, ())),
            unseen.get(rule_id, ()),
            judgement["attempt"],
        )
        row = _finding(judgement, desk, absence, escalated)
        rows.append({**keys, **_with_objection(row, objected.get(rule_id, ""))})
    return FINDINGS.frame(rows)


def _first(frames: Sequence[pl.DataFrame], column: str) -> str:
    return next((str(frame[column][0]) for frame in frames if frame.height), "")
