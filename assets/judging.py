"""Passages to judgements under the must-cite contract. What a judge says is checked in the next stage."""

from __future__ import annotations

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.judging import judge_pack
from bidproof.store import CheckRecord


@stage_assets(
    "judgements", group="judging", kinds={"python", "parquet"},
    checks=(Check("every_rule_judged", "Each rule of the catalog has a judgement", blocking=True),),
)  # fmt: skip
def judgements(run: StageRun) -> StageOutput:
    """A status, a quote and a rationale for each rule, from its passages alone."""
    rules = run["requirements"]
    frame = judge_pack(
        rules, run["rfp_chunks"], run["chunks"], run["facts"], run["passages"], run.params.judging,
        run.params.verification, run.resources.judge.make(run.params.judging),
    )  # fmt: skip
    absent = sorted(set(rules["rule_id"]) - set(frame["rule_id"]))
    metrics = {f"judged_{status.lower()}": n for status, n in frame["status"].value_counts(sort=True).iter_rows()}
    ok = rules.height > 0 and not absent
    message = f"no judgement for {', '.join(absent)}" if absent else f"{rules.height} rules judged"
    return StageOutput(frame, metrics, [CheckRecord("every_rule_judged", ok, message, blocking=True)])


ASSETS = [*judgements]
