"""Judgements to findings: nothing counts until its quote is found in the pack, at its page, saying what it must."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from assets.by_rule import rows_by_rule
from assets.judging import log_usage
from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.catalog import requirements_from_table
from bidproof.judging import Judge, rfp_shingles
from bidproof.judging.asking.kept import KIND
from bidproof.override_log import pack_events
from bidproof.records import Requirement
from bidproof.retrieval import DenseIndex
from bidproof.store import CheckRecord
from bidproof.verification import carry_over, escalate, find_objections, verify_findings


@stage_assets(
    "escalations", group="judging", kinds={"python", "parquet"},
    checks=(Check("escalations_settled", "Each mandatory rule whose verdict failed a check was settled by a further round"),),
)  # fmt: skip
def escalations(run: StageRun) -> StageOutput:
    """Further rounds for mandatory rules whose verdict did not survive its checks, on wider passages each time."""
    made = rows_by_rule(run, lambda rules, version: _escalated(run, rules, version))
    last = made.frame.sort("rule_id", "round_no").unique("rule_id", keep="last", maintain_order=True)
    outcomes = dict(last["outcome"].value_counts().iter_rows())
    metrics = {"rules": last.height, "rounds": made.frame.height, "rules_reused": made.reused, **outcomes}
    unsettled = last.filter(pl.col("outcome") != "settled")["rule_id"].to_list()
    message = f"{last.height} rules escalated, not settled: {', '.join(unsettled) or 'none'}"
    check = CheckRecord(
        "escalations_settled", not unsettled, message, severity="WARN", metadata={"rules": last.height}
    )
    return StageOutput(made.frame, metrics, [check])


def _escalated(run: StageRun, rules: Sequence[Requirement], version: str) -> pl.DataFrame:
    """Rounds of some rules; what was asked of a model is logged, also where asking ended in an error."""
    made: list[Judge] = []

    def judge() -> Judge:
        made.append(run.resources.judge.make(run.params, run.cache(KIND)))
        return made[0]

    try:
        return escalate(
            rules, run["rfp_chunks"], run["documents"], run["pages"], run["blocks"], run["chunks"], run["facts"],
            run["candidates"], run["passages"], run["judgements"], run.params, judge, catalog_version=version,
        )  # fmt: skip
    finally:
        for one in made:
            log_usage(run, one, version, "escalation")


@stage_assets("objections", group="judging", kinds={"faiss", "parquet"})
def objections(run: StageRun) -> StageOutput:
    """Statements that may speak against a Pass in other words: found by likeness, each for a person to read."""
    dense = DenseIndex.from_table(run["dense_index"])
    kept = dense.kept_vectors(run.resources.embedder.make(run.params.dense), run.cache("embeddings"))
    made = rows_by_rule(run, lambda rules, version: find_objections(
        rules, rfp_shingles(run["rfp_chunks"], run.params.verification), run["chunks"], run["facts"], run["candidates"],
        run["judgements"], run["escalations"], dense, kept, run.params.verification, version,
    ))  # fmt: skip
    metrics = {"rules": made.frame["rule_id"].n_unique(), "rules_reused": made.reused}
    return StageOutput(made.frame, metrics)


@stage_assets(
    "findings", group="judging", kinds={"polars", "parquet"},
    checks=(Check("quotes_verified", "No verdict but Missing stands without a verified quote and page", blocking=True),),
)  # fmt: skip
def findings(run: StageRun) -> StageOutput:
    """The verdict on each rule after all live checks, with quote, page and boxes, or with where it was sought."""
    made = rows_by_rule(run, lambda rules, version: verify_findings(
        rules, run["rfp_chunks"], run["documents"], run["pages"], run["blocks"], run["chunks"], run["facts"],
        run["candidates"], run["passages"], run["judgements"], run.params.verification, catalog_version=version,
        escalations=run["escalations"], objections=run["objections"],
    ))  # fmt: skip
    frame = made.frame
    claimed = frame.filter(pl.col("status") != "Missing")
    proven = claimed.filter(
        pl.col("match_kind").is_in(["exact", "typographic", "dehyphenated"])
        & (pl.col("boxes").list.len() > 0)
    )
    bare = sorted(set(claimed["rule_id"]) - set(proven["rule_id"]))
    message = f"unproven: {', '.join(bare)}" if bare else f"{proven.height} quotes verified"
    metrics = {
        "verified": proven.height,
        "to_review": int(frame["needs_review"].sum() or 0),
        "rules_reused": made.reused,
    }
    statuses = {
        f"status_{status.lower()}": n for status, n in frame["status"].value_counts(sort=True).iter_rows()
    }
    return StageOutput(
        frame, {**metrics, **statuses}, [CheckRecord("quotes_verified", not bare, message, blocking=True)]
    )


@stage_assets(
    "reviews", group="judging", kinds={"polars", "parquet"},
    checks=(Check("decisions_hold", "What people decided still rests on the same rule and evidence"),),
)  # fmt: skip
def reviews(run: StageRun) -> StageOutput:
    """What people decided on the pack's verdicts: kept on the same evidence, reopened where it has drifted."""
    frame = carry_over(
        pack_events(run.warehouse, run.partition), requirements_from_table(run["requirements"]), run["findings"],
        run["documents"], run["pages"], run["blocks"], run["chunks"], run["facts"],
    )  # fmt: skip
    reopened = frame.filter(pl.col("state") == "reopened")["rule_id"].to_list()
    message = f"{frame.height} decided, reopened: {', '.join(reopened) or 'none'}"
    check = CheckRecord("decisions_hold", not reopened, message, severity="WARN")
    return StageOutput(frame, {"kept": frame.height - len(reopened), "reopened": len(reopened)}, [check])


ASSETS = [*escalations, *objections, *findings, *reviews]
