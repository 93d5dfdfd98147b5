"""Judgements to findings: each verdict after all live checks, with its quote, page and boxes.

Belongs here: what follows from the checks, and the row of `findings`. Does not belong here: the checks
themselves (`checks`), a second round of judging.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from bidproof.judging import Outcome, Passage, PassageShelf, rfp_shingles
from bidproof.judging.counter import shown_passages
from bidproof.judging.pack import candidate_ids, chosen_ids
from bidproof.params import JudgingParams, VerificationParams
from bidproof.records import MatchKind, Requirement, Status
from bidproof.tables import FINDINGS
from bidproof.verification import checks as live
from bidproof.verification.absence import Readability, absence_certificate
from bidproof.verification.checks import FATAL, Check, Claim, Desk, Located
from bidproof.verification.source import Source

Row = Mapping[str, Any]
CODE = "1"


@dataclass(frozen=True)
class Verified:
    """A verdict after its checks."""

    status: Status
    found: Located
    others: tuple[str, ...]
    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()


def claim_of(row: Row) -> Claim:
    """A row of `judgements`, untrusted."""
    return Claim(
        status=row["status"] or "",
        rationale=row["rationale"] or "",
        quote=row["quote"] or "",
        chunk_id=row["chunk_id"] or "",
        pages=tuple(row["pages"] or ()),
        risk=row["risk"] or "",
        other_quotes=tuple(row["other_quotes"] or ()),
    )


def verify_claim(claim: Claim, desk: Desk) -> Verified:
    """All checks on a verdict other than Missing.

    One failed fatal check makes it Missing. A typed predicate that fails by code on the verdict's own quote
    turns a Pass or Partial into a Fail: the figure is there for everyone to see.
    """
    found = live.locate_quote(claim.quote, claim.chunk_id, desk)
    done = [
        live.check_schema(claim),
        live.check_rationale(claim, desk.params),
        live.check_found(claim, found),
        live.check_shown(found),
        live.check_information(found.text or claim.quote, desk.params),
        live.check_page(claim, found, desk),
        live.check_readable(found, desk),
        live.check_citable(found, desk),
        live.check_current(found, desk),
        live.check_figures(found, desk),
        live.check_speaker(found, desk),
    ]
    if claim.status == Status.PASS and found.match.verified:
        done += [live.check_echo(found, desk), live.check_negation(found, desk)]
    others = [live.locate_quote(quote, claim.chunk_id, desk) for quote in claim.other_quotes]
    kept = [one for one in others if one.match.verified and one.shown]
    done.append(
        Check(
            "other_quotes_found", "" if len(kept) == len(others) else "a further quote is not in the passages"
        )
    )
    if any(check.reason and check.name in FATAL for check in done):
        return Verified(Status.MISSING, found, (), tuple(done))
    groups: list[list[Outcome]] = live.recompute([found, *kept], desk)
    predicates, fails = live.check_predicates(claim.status, groups)
    done.append(predicates)
    status = Status.FAIL if fails else Status(claim.status)
    return Verified(status, found, tuple(dict.fromkeys(one.text for one in kept)), tuple(done))


def _review(judgement: Row, verified: Verified | None, requirement: Requirement) -> tuple[bool, str]:
    """Whether a person should look, and why."""
    reasons = [judgement["review_reason"]] if judgement["needs_review"] and judgement["review_reason"] else []
    failed = [check for check in verified.checks if check.reason] if verified else []
    if any(check.name in FATAL for check in failed):
        reasons.insert(0, "escalate" if requirement.mandatory else "needs reviewer")
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


def _finding(judgement: Row, desk: Desk, absence: Callable[[], Mapping[str, Any]]) -> dict[str, object]:
    requirement = desk.requirement
    claim = claim_of(judgement)
    verified = None if claim.status == Status.MISSING else verify_claim(claim, desk)
    status = verified.status if verified else Status.MISSING
    review, why = _review(judgement, verified, requirement)
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


_UNJUDGED: dict[str, Any] = {
    "status": Status.MISSING.value, "rationale": "The rule was not judged.", "quote": "",
    "chunk_id": "", "pages": [], "risk": "High", "needs_review": True, "review_reason": "not judged",
    "other_quotes": [], "judge": "", "attempt": 0,
}  # fmt: skip


def _last_attempts(judgements: pl.DataFrame) -> dict[str, Row]:
    return {row["rule_id"]: row for row in judgements.sort("rule_id", "attempt").iter_rows(named=True)}


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
) -> pl.DataFrame:
    """Findings on all rules, shape `tables.FINDINGS`, in order of rule id.

    The last attempt of each rule counts. Every verdict other than Missing carries a quote that stands word
    for word in the passages judged, with the page and boxes of that slice. A Missing verdict carries its
    absence certificate as JSON; a rule that nobody judged is Missing and says so.
    """
    source = Source(pages, blocks, chunks, facts, documents)
    readability = Readability(documents, pages, chunks)
    rfp = rfp_shingles(rfp_chunks, params)
    last, chosen, unseen = _last_attempts(judgements), chosen_ids(passages), _missing_terms(passages)
    wider = candidate_ids(candidates)
    seen = {row["rule_id"]: row["len"] for row in candidates.group_by("rule_id").len().iter_rows(named=True)}
    keys = {
        name: _first((judgements, chunks, pages, documents), name) for name in ("tender", "bidder", "pack")
    }
    keys["catalog_version"] = catalog_version or _first((judgements, passages), "catalog_version")
    rows = []
    for requirement in sorted(requirements, key=lambda rule: rule.rule_id):
        rule_id = requirement.rule_id
        judgement = last.get(rule_id, _UNJUDGED)
        shown = _shown(judgement, source.shelf)
        if shown is None:
            ids, others = chosen.get(rule_id, ()), wider.get(rule_id, ())
            attempt = judgement["attempt"]
            shown = shown_passages(
                requirement, source.shelf, ids, others, JudgingParams(), rfp, attempt=attempt
            )
        desk = Desk(requirement, shown, source, rfp, params)
        absence = partial(
            absence_certificate,
            requirement,
            readability,
            shown,
            seen.get(rule_id, 0),
            unseen.get(rule_id, ()),
            judgement["attempt"],
        )
        rows.append({**keys, **_finding(judgement, desk, absence)})
    return FINDINGS.frame(rows)


def _shown(judgement: Row, shelf: PassageShelf) -> tuple[Passage, ...] | None:
    """The passages that the judge recorded as read; None where it recorded none."""
    recorded = judgement.get("shown")
    if recorded is None:
        return None
    return tuple(
        shelf.passage(one["chunk_id"], context=one["context"]) for one in recorded if one["chunk_id"] in shelf
    )


def _first(frames: Sequence[pl.DataFrame], column: str) -> str:
    return next((str(frame[column][0]) for frame in frames if frame.height), "")
