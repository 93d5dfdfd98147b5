"""Passages to judgements under the must-cite contract. What a judge says is checked in the next stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from assets.by_rule import rows_by_rule
from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.judging import Judge, judge_pack
from bidproof.judging.asking.kept import KIND
from bidproof.judging.scheduling.usage import keep_usage, usage_rows
from bidproof.records import Requirement
from bidproof.store import CheckRecord


@stage_assets(
    "judgements", group="judging", kinds={"python", "parquet"},
    checks=(Check("every_rule_judged", "Each rule of the catalog has a judgement", blocking=True),),
)  # fmt: skip
def judgements(run: StageRun) -> StageOutput:
    """A status, a quote and a rationale for each rule, from its passages alone."""
    made = rows_by_rule(run, lambda rules, version: _judged(run, rules, version))
    frame, rules = made.frame, made.rules
    absent = sorted({rule.rule_id for rule in rules} - set(frame["rule_id"]))
    metrics = {
        f"judged_{status.lower()}": n for status, n in frame["status"].value_counts(sort=True).iter_rows()
    }
    metrics["rules_reused"] = made.reused
    ok = bool(rules) and not absent
    message = f"no judgement for {', '.join(absent)}" if absent else f"{len(rules)} rules judged"
    return StageOutput(frame, metrics, [CheckRecord("every_rule_judged", ok, message, blocking=True)])


def _judged(run: StageRun, rules: Sequence[Requirement], version: str) -> pl.DataFrame:
    """Judgements on some rules; what was asked of a model is logged, also where asking ended in an error."""
    judge = run.resources.judge.make(run.params, run.cache(KIND))
    try:
        return judge_pack(
            rules, run["passages"], run["chunks"], run["facts"], run["rfp_chunks"], run.params, judge,
            candidates=run["candidates"], catalog_version=version,
        )  # fmt: skip
    finally:
        log_usage(run, judge, version)


def log_usage(run: StageRun, judge: Judge, version: str, pass_name: str = "") -> None:
    """Log what was asked of a model for this pack, under another name than its own passes where one is given."""
    if results := list(getattr(judge, "results", ())):
        keys: dict[str, Any] = {
            "tender": run.tender, "bidder": run.bidder, "pack": run.partition, "catalog_version": version,
        }  # fmt: skip
        log = usage_rows(results, run.params.scheduling, judge=judge.name, model=judge.model, keys=keys)
        keep_usage(
            run.warehouse, run.partition, log.with_columns(pass_name=pl.lit(pass_name)) if pass_name else log
        )


ASSETS = [*judgements]
