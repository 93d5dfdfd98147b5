"""A person's decision on one verdict, checked against the pack and put in the log.

Belongs here: what a decision needs to be taken. Does not belong here: the log itself (`override_log`), whether a decision
still holds later (`verification.carrying`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bidproof.catalog import requirements_from_table
from bidproof.errors import BadInputError
from bidproof.override_log import add_event, pack_events
from bidproof.records import Requirement, Status
from bidproof.retrieval import rule_digest
from bidproof.staleness import known_packs
from bidproof.store import Warehouse
from bidproof.verification.carrying import WITHDRAW, Evidence, pack_digest

AGREE, OVERRIDE = "agree", "override"


@dataclass(frozen=True)
class Decision:
    """What a person decides on a verdict.

    Args:
        tender: slug.
        bidder: slug or name.
        rule_id: rule of the catalog.
        status: Pass, Partial, Fail or Missing; None to withdraw what was decided before.
        by: who decides.
        reason: why; needed wherever the verdict becomes another.
        comment: anything else.
        quote: evidence in the source's own words; that of the finding where it is empty.
        file_name: file that holds the quote; any of the pack where it is empty.
    """

    tender: str
    bidder: str
    rule_id: str
    status: Status | None
    by: str
    reason: str = ""
    comment: str = ""
    quote: str = ""
    file_name: str = ""


def decide(warehouse: Warehouse, decision: Decision) -> dict[str, Any]:
    """Check a decision and put it in the log; its event, as stored.

    No verdict but Missing is taken without evidence that stands in the pack word for word, on a page that can be read,
    neither crossed out nor hidden. Whether it proves the verdict is the person's to say.

    Raises:
        BadInputError: pack, rule or finding are unknown, a reason or evidence is wanting, or there is nothing to
            withdraw.
    """
    if not decision.by.strip():
        raise BadInputError("--by", "is empty", "name who decides")
    pack = _pack(warehouse, decision)
    rule, finding = _seen(warehouse, decision, pack)
    event = {
        **{name: finding[name] for name in ("tender", "bidder", "pack", "rule_id", "catalog_version")},
        "reviewer": decision.by.strip(), "reason": decision.reason.strip(), "comment": decision.comment.strip(),
        "from_status": finding["status"], "to_status": decision.status.value if decision.status else "",
        "rule_sha256": rule_digest(rule.text), "action": _action(decision, finding["status"]),
        "document_sha256": "", "file_name": "", "page": None, "quote": "",
        "seen_document_sha256": "", "seen_quote": finding["quote"],
        "seen_review_reason": finding["review_reason"],
    }  # fmt: skip
    if decision.status is None:
        _refuse_idle(warehouse, pack, decision)
    documents = warehouse.read("documents", pack)
    event["pack_sha256"] = pack_digest(documents)
    sha256 = dict(documents.select("doc_id", "sha256").iter_rows())
    event["seen_document_sha256"] = sha256.get(finding["doc_id"]) or ""
    if decision.status not in (None, Status.MISSING):
        event |= _evidence(warehouse, decision, pack, rule, finding, sha256)
    if event["action"] == OVERRIDE and not event["reason"]:
        what = f"{finding['status']} would become {event['to_status']} without a reason"
        raise BadInputError(f"{pack}, {rule.rule_id}", what, "give --reason")
    return {**event, "event_id": add_event(warehouse, event)}


def _action(decision: Decision, found: str) -> str:
    if decision.status is None:
        return WITHDRAW
    return AGREE if decision.status.value == found and not decision.quote else OVERRIDE


def _pack(warehouse: Warehouse, decision: Decision) -> str:
    packs = known_packs(warehouse, decision.tender)
    if not packs:
        known = ", ".join(sorted(warehouse.sources())) or "none"
        raise BadInputError(decision.tender, "no such tender in this warehouse", f"known are {known}")
    rows = (
        warehouse.read_many("documents", packs).select("pack", "bidder", "bidder_name").unique().sort("pack")
    )
    names = [row for row in rows.iter_rows() if decision.bidder in row]
    if len({name[0] for name in names}) != 1:
        known = ", ".join(sorted({bidder for _, bidder, _ in rows.iter_rows()}))
        raise BadInputError(decision.bidder, f"no such bidder in {decision.tender}", f"known are {known}")
    return str(names[0][0])


def _seen(warehouse: Warehouse, decision: Decision, pack: str) -> tuple[Requirement, dict[str, Any]]:
    """The rule and the finding that the person speaks of."""
    rules = {
        rule.rule_id: rule
        for rule in requirements_from_table(warehouse.read("requirements", decision.tender))
    }
    rows = {row["rule_id"]: row for row in warehouse.read("findings", pack).iter_rows(named=True)}
    if decision.rule_id not in rules:
        raise BadInputError(
            f"{pack}, {decision.rule_id}", "no such rule in the catalog", "take an id of the matrix"
        )
    if decision.rule_id not in rows:
        raise BadInputError(
            f"{pack}, {decision.rule_id}", "has no verdict yet", "run `bidproof run INBOX` first"
        )
    return rules[decision.rule_id], rows[decision.rule_id]


def _refuse_idle(warehouse: Warehouse, pack: str, decision: Decision) -> None:
    events = [e for e in pack_events(warehouse, pack).to_dicts() if e["rule_id"] == decision.rule_id]
    if not events or max(events, key=lambda event: event["event_id"])["action"] == WITHDRAW:
        raise BadInputError(
            f"{pack}, {decision.rule_id}", "nothing was decided on it", "leave --withdraw out"
        )


def _evidence(
    warehouse: Warehouse, decision: Decision, pack: str, rule: Requirement, finding: dict[str, Any], sha256: dict[str, str]
) -> dict[str, Any]:  # fmt: skip
    """Columns of the evidence that the person takes: the finding's own, or another quote looked for in the pack."""
    where = f"{pack}, {decision.rule_id}"
    if not decision.quote.strip():
        if not finding["quote"]:
            raise BadInputError(
                where, f"{decision.status} without evidence", "give --quote in the source's own words"
            )
        named = {name: finding[name] for name in ("file_name", "page", "quote")}
        return {"document_sha256": sha256.get(finding["doc_id"]) or "", **named}
    frames = {
        name: warehouse.read(name, pack) for name in ("documents", "pages", "blocks", "chunks", "facts")
    }
    found, bad = Evidence(**frames).find(rule, decision.quote, _file(decision, frames["documents"]))
    if bad:
        raise BadInputError(
            where, f"“{decision.quote[:80]}” {bad}", "copy the words as they stand in the bid"
        )
    named = {name: found[name] for name in ("file_name", "page", "quote")}
    return {"document_sha256": sha256.get(found["doc_id"]) or "", **named}


def _file(decision: Decision, documents: Any) -> str:
    if not decision.file_name:
        return ""
    held = {row["file_name"]: row["sha256"] for row in documents.iter_rows(named=True)}
    if decision.file_name not in held:
        known = ", ".join(sorted(held))
        raise BadInputError(decision.file_name, "is no file of this pack", f"its files are {known}")
    return str(held[decision.file_name] or "")
