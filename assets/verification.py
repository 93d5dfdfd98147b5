"""Judgements to findings: nothing counts until its quote is found in the pack, at its page, saying what it must."""

from __future__ import annotations

import polars as pl

from assets.by_rule import rows_by_rule
from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.store import CheckRecord
from bidproof.verification import verify_findings


@stage_assets(
    "findings", group="judging", kinds={"polars", "parquet"},
    checks=(Check("quotes_verified", "No verdict but Missing stands without a verified quote and page", blocking=True),),
)  # fmt: skip
def findings(run: StageRun) -> StageOutput:
    """The verdict on each rule after all live checks, with quote, page and boxes, or with where it was sought."""
    made = rows_by_rule(run, lambda rules, version: verify_findings(
        rules, run["rfp_chunks"], run["documents"], run["pages"], run["blocks"], run["chunks"], run["facts"],
        run["candidates"], run["passages"], run["judgements"], run.params.verification, catalog_version=version,
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


ASSETS = [*findings]
