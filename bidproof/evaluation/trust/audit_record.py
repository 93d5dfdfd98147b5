"""Audits in the warehouse: drawn once, answered as often as somebody has looked at more, kept side by side.

Each audit is a partition of its own, so that pruning old versions of tables never takes one away; its manifest has the
bounds after every answer as history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import polars as pl

from bidproof.errors import BadInputError
from bidproof.evaluation.trust.auditing import Answer, AuditPlan, answered, drawn, lot_of, rule_texts
from bidproof.store import Manifest, Warehouse, digest, fingerprint
from bidproof.trust_tables import AUDIT_BOUNDS, AUDITS

CODE = "1"
STAGE = "audits"


def plan_audit(
    warehouse: Warehouse, tenders: Sequence[str], plan: AuditPlan
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Draw an audit of the Passes of `tenders` and keep it; one that was drawn before is given as it stands by now.

    Raises:
        BadInputError: there is no Pass to audit.
    """
    lot = current_lot(warehouse, tenders)
    if not lot:
        mend = "run `bidproof run INBOX`, or review the flagged ones: each of those is looked at anyway"
        raise BadInputError(", ".join(tenders), "has no Pass without a flag", mend)
    rows, bounds = drawn(lot, plan, tenders[0] if len(tenders) == 1 else "all")
    audit = bounds["audit"][0]
    if warehouse.usable(AUDIT_BOUNDS.name, audit)[0] and warehouse.usable(AUDITS.name, audit)[0]:
        return warehouse.read(AUDITS.name, audit), warehouse.read(AUDIT_BOUNDS.name, audit)
    _keep(warehouse, audit, rows, bounds)
    return rows, bounds


def record_audit(
    warehouse: Warehouse, audit: str, answers: Mapping[int, Answer]
) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:  # fmt: skip
    """Keep the answers on an audit; its rows, its bounds, and what of the lot is no longer as it was drawn.

    Raises:
        BadInputError: the audit or a number of it is unknown, or an answer stands beside another rule's number.
    """
    if warehouse.manifest(AUDITS.name, audit) is None or warehouse.manifest(AUDIT_BOUNDS.name, audit) is None:
        raise BadInputError(audit, "no such audit in this warehouse", "draw one by `bidproof audit plan`")
    rows, bounds = warehouse.read(AUDITS.name, audit), warehouse.read(AUDIT_BOUNDS.name, audit)
    if unknown := sorted(set(answers) - set(rows["number"].to_list())):
        raise BadInputError(f"{audit}, number {unknown[0]}", "was not drawn", "take it from the sheet")
    _refuse_shifted(audit, rows, answers)
    rows, bounds = answered(rows, bounds, answers)
    _keep(warehouse, audit, rows, bounds)
    return rows, bounds, _changes(warehouse, rows)


def _refuse_shifted(audit: str, rows: pl.DataFrame, answers: Mapping[int, Answer]) -> None:
    """Stop where a column of the sheet was sorted by itself: an answer would count for another Pass."""
    for number, *passed in rows.select("number", "tender", "bidder", "rule_id").sort("number").iter_rows():
        said = answers[number].of if number in answers else ("", "", "")
        if any(one and one != known for one, known in zip(said, passed, strict=True)):
            raise BadInputError(
                f"{audit}, number {number}", f"is {' '.join(passed)}, and the sheet has {' '.join(said)} there",
                "take the sheet as it came, and sort all its columns together",
            )  # fmt: skip


def current_lot(warehouse: Warehouse, tenders: Sequence[str]) -> list[dict[str, object]]:
    """All Passes of some tenders that nobody has decided on, nor would otherwise look at."""
    packs = [
        pack
        for pack in warehouse.partitions("findings")
        if pack.partition("--")[0] in tenders and "--" in pack
    ]
    requirements = warehouse.read_many("requirements", tenders)
    reviews = warehouse.read_many("reviews", sorted(packs)).filter(pl.col("state") == "kept")
    unseen = warehouse.read_many("findings", sorted(packs)).join(reviews, on=["pack", "rule_id"], how="anti")
    return lot_of(unseen, rule_texts(requirements))


def _changes(warehouse: Warehouse, rows: pl.DataFrame) -> list[str]:
    """Drawn Passes whose findings are others by now, one line each: the audit speaks of what was drawn."""
    tenders = sorted(set(rows["tender"].to_list()))
    now = {one["finding_sha256"] for one in current_lot(warehouse, tenders)}
    return [
        f"{pack}, {rule}: the finding is another now than the one that was drawn"
        for pack, rule, sha in rows.select("pack", "rule_id", "finding_sha256").iter_rows()
        if sha not in now
    ]


def _keep(warehouse: Warehouse, audit: str, rows: pl.DataFrame, bounds: pl.DataFrame) -> None:
    """Commit both tables, the bounds last: what they count is there when they are."""
    written = datetime.now(UTC).isoformat(timespec="seconds")
    figures = {
        f"{row['lot']}_{name}": row[name]
        for row in bounds.iter_rows(named=True)
        for name in ("passes", "audited", "wrong", "upper")
    }
    for table, frame in ((AUDITS, rows), (AUDIT_BOUNDS, bounds)):
        inputs = {"rows": digest(frame.to_dicts())}
        made_from = fingerprint(STAGE, CODE, inputs, {})
        content = warehouse.stage_rows(table.name, audit, made_from, frame)
        warehouse.commit(
            Manifest(
                table=table.name,
                partition=audit,
                stage=STAGE,
                fingerprint=made_from,
                content=content,
                rows=frame.height,
                code=CODE,
                inputs=inputs,
                params={},
                created=written,
                metrics=figures,
            )
        )
