"""What a run really asked of a model, beside what was planned: rows of `usage` and `token_plan` in the warehouse.

Belongs here: the log of requests, and expectations learned from it. Does not belong here: verdicts.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import polars as pl

from bidproof.judging.scheduling.planning import Expected, cost_of
from bidproof.judging.scheduling.requests import Result
from bidproof.judging.scheduling.simulation import Latency
from bidproof.knobs.scheduling import SchedulingParams
from bidproof.scheduling_tables import TOKEN_PLAN, USAGE
from bidproof.store import DamagedError, Manifest, Warehouse, digest
from bidproof.table import Table

_LOG = logging.getLogger(__name__)
STAGE = "scheduling"
CODE = "1"
ENOUGH = 20
"""Answers from which measured figures take the place of the knobs'."""


def usage_rows(
    results: Sequence[Result], params: SchedulingParams, *, judge: str, model: str, keys: Mapping[str, str]
) -> pl.DataFrame:
    """Rows of `usage` for one run over one pack, in order of the results; requests that were never sent have none.

    Args:
        results: as the scheduler delivered them.
        params: prices.
        judge: name of the judge.
        model: name of the model.
        keys: tender, bidder, pack and catalog version.
    """
    sent = [result for result in results if result.attempts]
    began = min((result.finished - result.seconds - result.waited_seconds for result in sent), default=0.0)
    rows: list[dict[str, object]] = []
    for number, one in enumerate(sent, 1):
        kind = "failed" if one.failed or one.outcome is None else one.outcome.kind.value
        rows.append({
            **keys, "judge": judge, "model": model, "run_no": 1, "plan_no": 0, "request_no": number, "pass_name": one.request.stage,
            "rules": list(one.request.rules), "attempts": one.attempts, "outcome": kind, "failed": one.failed,
            "tokens_planned": one.request.tokens_in_estimate, "tokens_out_max": one.request.tokens_out_max,
            "tokens_in": one.tokens_in, "tokens_out": one.tokens_out,
            "cost": cost_of(params, one.tokens_in, one.tokens_out), "currency": params.currency,
            "waited_seconds": round(one.waited_seconds, 3), "seconds": round(one.seconds, 3),
            "finished_seconds": round(one.finished - began, 3),
        })  # fmt: skip
    return USAGE.frame(rows)


def keep_usage(warehouse: Warehouse, pack: str, rows: pl.DataFrame) -> Manifest | None:
    """Add the rows of a run to the pack's log under the next run number; None where nothing was asked.

    The judging stage calls this once a run, also after an error or Control-C: what was sent is paid for.
    """
    if rows.is_empty():
        return None
    before, plans = _kept(warehouse, USAGE, pack), _kept(warehouse, TOKEN_PLAN, pack)
    numbers = {"run_no": _last(before, "run_no") + 1, "plan_no": _last(plans, "plan_no")}
    mine = rows.with_columns(pl.lit(value, dtype=pl.Int32).alias(name) for name, value in numbers.items())
    return _commit(warehouse, USAGE.name, pack, pl.concat([before, USAGE.conform(mine)]), {})


def keep_plan(
    warehouse: Warehouse, pack: str, rows: pl.DataFrame, params: SchedulingParams
) -> Manifest | None:
    """Make `rows` the pack's newest plan, against which its next run is held; None where it is that already.

    Plans that no run was held against are dropped.
    """
    before = _kept(warehouse, TOKEN_PLAN, pack)
    last = _last(before, "plan_no")
    newest = before.filter(pl.col("plan_no") == last)
    if last and newest.drop("plan_no").equals(TOKEN_PLAN.conform(rows).drop("plan_no")):
        return None
    used = _kept(warehouse, USAGE, pack)["plan_no"].unique().to_list()
    mine = rows.with_columns(pl.lit(last + 1, dtype=pl.Int32).alias("plan_no"))
    kept = pl.concat([before.filter(pl.col("plan_no").is_in(used)), TOKEN_PLAN.conform(mine)])
    return _commit(warehouse, TOKEN_PLAN.name, pack, kept, {"scheduling": params.model_dump(mode="json")})


def _kept(warehouse: Warehouse, table: Table, pack: str) -> pl.DataFrame:
    """Rows of a pack so far; none, and a warning, where they are damaged, as a log must not stop a run."""
    try:
        return warehouse.read(table.name, pack)
    except DamagedError as error:
        _LOG.warning(
            "%s of %s cannot be read and begins anew, earlier rows are lost: %s", table.name, pack, error
        )
        return table.empty()


def _last(rows: pl.DataFrame, name: str) -> int:
    last = rows[name].max()
    return int(last) if isinstance(last, int) else 0


def _commit(
    warehouse: Warehouse, table: str, pack: str, rows: pl.DataFrame, params: dict[str, object]
) -> Manifest:
    made_from = digest([table, pack, rows.write_json(), params])[:16]
    content = warehouse.stage_rows(table, pack, made_from, rows)
    return warehouse.commit(Manifest(
        table=table, partition=pack, stage=STAGE, fingerprint=made_from, content=content, rows=rows.height, code=CODE,
        inputs={}, params=params, created=datetime.now(UTC).isoformat(timespec="seconds"),
    ))  # fmt: skip


def share_escalated(usage: pl.DataFrame, judge: str) -> float | None:
    """Share of all rules asked of a judge that had to be asked in a further round too; None where nothing was asked."""
    mine = usage.filter(pl.col("judge") == judge).explode("rules")
    again = mine.filter(pl.col("pass_name") == "escalation").select("pack", "rules").unique()
    asked = mine.filter(pl.col("pass_name") != "escalation").select("pack", "rules").unique()
    return again.height / asked.height if asked.height else None


def expected_of(usage: pl.DataFrame, judge: str, params: SchedulingParams) -> Expected:
    """What is expected of a judge's answers: as its logged requests came out, or the knobs' where there are too few.

    The share that triage settles is measured over runs that had a triage pass at all.
    """
    known = Expected.of(params)
    answered = usage.filter(
        (pl.col("judge") == judge) & (pl.col("failed") == "") & (pl.col("tokens_out") > 0)
    )
    if answered.height < ENOUGH:
        return known
    p50, p90 = (float(answered["seconds"].quantile(q) or 0.001) for q in (0.5, 0.9))
    latency = Latency(max(p50, 0.001), max(p90, p50, 0.001))
    share = min(1.0, float(answered["tokens_out"].sum()) / max(1, int(answered["tokens_out_max"].sum())))
    runs = answered.filter(pl.col("pass_name") == "triage").select("pack", "run_no").unique()
    both = answered.join(runs, on=["pack", "run_no"], how="semi").explode("rules")
    rules = {
        name: both.filter(pl.col("pass_name") == name).select("pack", "run_no", "rules").unique()
        for name in ("triage", "full")
    }
    asked, left = (
        rules["triage"].height,
        rules["full"].join(rules["triage"], on=["pack", "run_no", "rules"], how="semi").height,
    )
    settles = 1 - left / asked if asked >= ENOUGH else known.settles
    return Expected(latency, settles, share, answered.height)
