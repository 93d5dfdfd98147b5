"""What people decided, carried over to the findings of now: kept on the same evidence, reopened where it has drifted.

Belongs here: whether a decision still holds, and findings with the decisions that do. Does not belong here: the log
(`override_log`), what a decision needs to be taken (`review.deciding`).

The evidence of a verdict is known again by its content: the file by its bytes, the quote by its words in one spelling,
the rule by its own words. Chunks, ids, pages of another cut of the same file play no part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from bidproof.judging import RfpShingles
from bidproof.params import VerificationParams
from bidproof.records import MatchKind, Requirement, Status
from bidproof.retrieval import rule_digest
from bidproof.review_tables import REVIEWS
from bidproof.store import digest
from bidproof.verification.checks import (
    Desk,
    Located,
    check_citable,
    check_information,
    check_readable,
    locate_quote,
)
from bidproof.verification.glyphs import fold_glyphs
from bidproof.verification.source import Source

KEPT, REOPENED = "kept", "reopened"
WITHDRAW = "withdraw"
_EVIDENCE = (
    "quote", "match_kind", "chunk_id", "doc_id", "file_name", "page", "page_label", "heading_path", "boxes", "anchor",
)  # fmt: skip
_BARE: dict[str, Any] = {
    "quote": "", "match_kind": MatchKind.NONE.value, "chunk_id": "", "doc_id": "", "file_name": "", "page": None,
    "page_label": "", "heading_path": "", "boxes": [], "anchor": "",
}  # fmt: skip
_CHECKED = ("quote_found", "minimum_information", "page_readable", "citable")
"""What is checked of evidence that a person cites; whether it proves anything is the person's to say."""
_BETTER = {Status.PASS.value: 3, Status.PARTIAL.value: 2, Status.FAIL.value: 1, Status.MISSING.value: 0}

Row = Mapping[str, Any]


def pack_digest(documents: pl.DataFrame) -> str:
    """Digest of the files of a pack by their bytes, whatever their names and order."""
    return digest(sorted({sha for sha in documents["sha256"] if sha}))


def same_words(one: str, other: str) -> bool:
    """Two quotes are one in another spelling: typography, case and spaces apart."""
    return _spelt(one) == _spelt(other)


def _spelt(text: str) -> str:
    return " ".join(fold_glyphs(text).text.casefold().split())


class Evidence:
    """Where quotes stand in a pack as it is now."""

    def __init__(
        self, documents: pl.DataFrame, pages: pl.DataFrame, blocks: pl.DataFrame, chunks: pl.DataFrame, facts: pl.DataFrame
    ) -> None:  # fmt: skip
        self._source = Source(pages, blocks, chunks, facts, documents)
        self._sha = dict(documents.select("doc_id", "sha256").iter_rows())
        self._params = VerificationParams()
        self._no_rfp = RfpShingles((), self._params.echo_shingle, self._params.echo_share)

    def sha256(self, doc_id: str) -> str:
        """The file of a document, by its bytes; empty where it is unknown."""
        return self._sha.get(doc_id) or ""

    def holds(self, sha256: str) -> bool:
        """The file is in the pack."""
        return sha256 in self._sha.values()

    def find(self, requirement: Requirement, quote: str, sha256: str = "") -> tuple[dict[str, Any], str]:
        """Columns of the evidence, and why it cannot be cited where it cannot.

        Args:
            requirement: the rule that it answers.
            quote: the words.
            sha256: file that they are to stand in; any of the pack where it is empty.
        """
        desk = Desk(requirement, self._passages(sha256), self._source, self._no_rfp, self._params)
        found = locate_quote(quote, "", desk)
        if found.passage is None or not found.match.verified:
            return dict(_BARE), "is not in the pack, word for word"
        if sha256 and self.sha256(found.passage.doc_id) != sha256:
            return dict(_BARE), "is not in that file"
        checks = (
            check_information(found.text, self._params), check_readable(found, desk), check_citable(found, desk),
        )  # fmt: skip
        reasons = (check.reason.removeprefix(f"“{found.text}” ") for check in checks)
        return self._columns(found), next(filter(None, reasons), "")

    def _passages(self, sha256: str) -> tuple[Any, ...]:
        """Passages of one file, to be looked through before the rest."""
        if not sha256:
            return ()
        shelf = self._source.shelf
        every = (shelf.passage(chunk_id) for chunk_id in self._source.chunk_ids())
        return tuple(passage for passage in every if self.sha256(passage.doc_id) == sha256)

    def _columns(self, found: Located) -> dict[str, Any]:
        passage = found.passage
        assert passage is not None
        page = found.boxes[0].page if found.boxes else found.pages[0]
        return {
            "quote": found.text, "match_kind": found.match.kind.value, "chunk_id": passage.chunk_id,
            "doc_id": passage.doc_id, "file_name": passage.file_name, "page": page,
            "page_label": self._source.label(passage.doc_id, page), "heading_path": passage.heading_path,
            "boxes": [box.model_dump() for box in found.boxes], "anchor": found.anchor,
        }  # fmt: skip


def carry_over(
    events: pl.DataFrame,
    requirements: Sequence[Requirement],
    findings: pl.DataFrame,
    documents: pl.DataFrame,
    pages: pl.DataFrame,
    blocks: pl.DataFrame,
    chunks: pl.DataFrame,
    facts: pl.DataFrame,
) -> pl.DataFrame:
    """What still holds of the decisions on one pack: shape `reviews`, one row a rule, in order of rule id.

    The last event of a rule counts; one that was withdrawn gives no row. Kept is a decision whose rule reads the same
    and whose evidence is the same: what the verdict rested on when the person saw it, or what the person took for
    evidence, is what the finding rests on now. A person's evidence is looked for in the pack again. Where nothing
    was found then nor now, the pack must hold the same files, unless the person cited evidence.
    """
    last = events.sort("at", "event_id").unique("rule_id", keep="last", maintain_order=True)
    last = last.filter(pl.col("action") != WITHDRAW).sort("rule_id")
    if last.is_empty():
        return REVIEWS.empty()
    rules = {rule.rule_id: rule for rule in requirements}
    found = {row["rule_id"]: row for row in findings.iter_rows(named=True)}
    evidence, files = Evidence(documents, pages, blocks, chunks, facts), pack_digest(documents)
    rows = [
        _review(event, rules.get(event["rule_id"]), found.get(event["rule_id"]), evidence, files)
        for event in last.iter_rows(named=True)
    ]
    return REVIEWS.frame(rows)


def _review(
    event: Row, rule: Requirement | None, finding: Row | None, evidence: Evidence, files: str
) -> dict[str, object]:
    cited, drift = dict(_BARE), ""
    if rule is None or finding is None:
        drift = "the rule is no longer in the catalog" if rule is None else "the rule has no finding"
    elif rule_digest(rule.text) != event["rule_sha256"]:
        drift = "the rule reads otherwise now"
    else:
        drift = _drift(event, finding, evidence, files)
        if not drift and event["quote"] and event["to_status"] != Status.MISSING:
            cited, drift = _cited(event, rule, finding, evidence)
    found_status = finding["status"] if finding is not None else ""
    doubt = "" if drift or finding is None else _doubt(event, finding)
    decided = f"{event['reviewer']}, {event['at'][:10]}: {event['to_status']}"
    why = "; ".join(part for part in (event["reason"], event["comment"]) if part)
    said = f" ({why})" if why else ""
    machine = finding["rationale"] if finding is not None else ""
    names = (
        "tender", "bidder", "pack", "rule_id", "event_id", "at", "reviewer", "action", "from_status", "to_status",
    )  # fmt: skip
    return {
        **{name: event[name] for name in names},
        "catalog_version": finding["catalog_version"] if finding is not None else event["catalog_version"],
        "state": REOPENED if drift else KEPT,
        "drift": drift,
        "found_status": found_status,
        "status": found_status if drift else event["to_status"],
        "needs_review": bool(drift or doubt),
        "review_reason": f"decided by {decided}{said}; reopened: {drift}" if drift else doubt,
        "rationale": f"{decided}{said}. Pipeline: {found_status or 'nothing'}. {machine}".strip(),
        **(dict(_BARE) if drift else cited),
    }


def _doubt(event: Row, finding: Row) -> str:
    """What the pipeline holds against a decision that is kept and did not then: another verdict, another reason."""
    said, now, given = (
        _BETTER.get(one, 0) for one in (event["from_status"], finding["status"], event["to_status"])
    )
    if now < said and given > now:
        return f"the pipeline said {event['from_status']} then and says {finding['status']} now on the same evidence"
    known = set((event["seen_review_reason"] or "").split("; "))
    new = [one for one in (finding["review_reason"] or "").split("; ") if one not in known]
    return f"new since the decision: {'; '.join(new)}" if new and finding["needs_review"] else ""


def _drift(event: Row, finding: Row, evidence: Evidence, files: str) -> str:
    """What the finding rests on now that it did not when the person decided; empty where it is the same."""
    now = (evidence.sha256(finding["doc_id"]), finding["quote"]) if finding["quote"] else ("", "")
    seen = (event["seen_document_sha256"], event["seen_quote"])
    taken = (event["document_sha256"], event["quote"])
    if not now[1] and seen[1]:
        return f"nothing is found any more; then it was “{seen[1][:120]}”"
    if not now[1]:
        changed = not taken[1] and event["pack_sha256"] != files
        return "other files are in the pack now" if changed else ""
    if any(quote and sha == now[0] and same_words(quote, now[1]) for sha, quote in (seen, taken)):
        return ""
    if not seen[1]:
        return f"there is evidence now: “{finding['quote'][:120]}”"
    return f"the finding rests on other evidence now: “{finding['quote'][:120]}”"


def _cited(event: Row, rule: Requirement, finding: Row, evidence: Evidence) -> tuple[dict[str, Any], str]:
    """The person's evidence as it stands in the pack now, and why it no longer does."""
    sha = event["document_sha256"]
    if not evidence.holds(sha):
        return dict(_BARE), f"{event['file_name']}, which holds the evidence, is no longer in the pack"
    if evidence.sha256(finding["doc_id"]) == sha and same_words(finding["quote"], event["quote"]):
        return {name: finding[name] for name in _EVIDENCE}, ""
    columns, bad = evidence.find(rule, event["quote"], sha)
    return columns, f"the evidence {bad}" if bad else ""


def with_reviews(findings: pl.DataFrame, reviews: pl.DataFrame) -> pl.DataFrame:
    """Findings of one or more packs as people left them: kept decisions stand, reopened ones ask for a person.

    Both of shapes `findings` and `reviews`; the rows of findings keep their order and number.
    """
    if reviews.is_empty():
        return findings
    decided = {(row["pack"], row["rule_id"]): row for row in reviews.iter_rows(named=True)}
    rows = [
        _as_left(row, decided.get((row["pack"], row["rule_id"]))) for row in findings.iter_rows(named=True)
    ]
    return pl.DataFrame(rows, schema=findings.schema)


def _as_left(finding: dict[str, Any], review: Row | None) -> dict[str, Any]:
    if review is None:
        return finding
    if review["state"] == REOPENED:
        reasons = [part for part in (review["review_reason"], finding["review_reason"]) if part]
        return {**finding, "needs_review": True, "review_reason": "; ".join(reasons)}
    kept = {name: review[name] for name in ("status", "needs_review", "review_reason", "rationale")}
    if review["status"] == finding["status"] and not review["quote"]:
        return {**finding, **kept}
    evidence = {name: review[name] for name in _EVIDENCE}
    if not same_words(review["quote"], finding["quote"]):
        evidence |= {
            "checks_passed": list(_CHECKED) if review["quote"] else [],
            "checks_failed": [],
            "other_quotes": [],
        }
    return {
        **finding,
        **kept,
        **evidence,
        "absence": finding["absence"] if review["status"] == Status.MISSING else "",
    }
