"""All packs of a tender beside one another: verdicts that contradict each other, and the order of bidders."""

from __future__ import annotations

import polars as pl

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.catalog import requirements_from_table
from bidproof.scoring import rank_bidders
from bidproof.staleness import known_packs, withheld_tables
from bidproof.store import CheckRecord
from bidproof.verification import find_contradictions

_NAMED = 5


def standing(run: StageRun, table: str) -> pl.DataFrame:
    """Rows of all packs of the tender, less those that are of files which can no longer be read."""
    packs = known_packs(run.warehouse, run.tender)
    gone = [pack for pack in packs if table in withheld_tables(run.warehouse, pack)]
    return run[table].filter(~pl.col("pack").is_in(gone))


@stage_assets(
    "consistency", group="report", kinds={"polars", "parquet"},
    checks=(
        Check("same_evidence_same_verdict", "One rule has one verdict on the same words, whoever says them"),
        Check("one_bid_one_answer", "In one bid no rule passes while one that asks no more of the same does not"),
    ),
)  # fmt: skip
def consistency(run: StageRun) -> StageOutput:
    """Verdicts that contradict each other, in one bid or over bidders; a person looks at both of each pair."""
    frame = find_contradictions(
        requirements_from_table(run["requirements"]), standing(run, "findings"), run["candidates"], run["chunks"],
        run["documents"],
    )  # fmt: skip
    same_bid = frame.filter(pl.col("kind") == "same bid")
    others = frame.filter(pl.col("kind") != "same bid")
    checks = [
        _warning("same_evidence_same_verdict", others), _warning("one_bid_one_answer", same_bid),
    ]  # fmt: skip
    return StageOutput(frame, {"same_bid": same_bid.height, "across_bidders": others.height}, checks)


def _warning(name: str, rows: pl.DataFrame) -> CheckRecord:
    cells = sorted(set(rows.select("bidder", "rule_id").iter_rows()))
    named = ", ".join(f"{bidder} {rule}" for bidder, rule in cells[:_NAMED])
    more = f" and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
    message = f"{len(cells)} verdicts contradict another: {named}{more}" if cells else "no contradiction"
    return CheckRecord(name, not cells, message, severity="WARN", metadata={"verdicts": len(cells)})


@stage_assets(
    "rankings", group="report", kinds={"polars", "parquet"},
    checks=(Check("gates_decided", "Every bidder's gate is decided, so that no rank can still change by it"),),
)  # fmt: skip
def rankings(run: StageRun) -> StageOutput:
    """The order of the bidders: gate first, then one score, equal scores sharing a rank."""
    frame = rank_bidders(standing(run, "scores"), run.params.scoring)
    undecided = frame.filter(pl.col("gate") == "cannot decide")["bidder"].to_list()
    ranked = frame.filter(pl.col("rank").is_not_null())
    message = f"cannot decide: {', '.join(undecided)}" if undecided else f"{frame.height} gates decided"
    metrics = {"ranked": ranked.height, "first": ", ".join(ranked.filter(pl.col("rank") == 1)["bidder"])}
    return StageOutput(
        frame, metrics, [CheckRecord("gates_decided", not undecided, message, severity="WARN")]
    )


ASSETS = [*consistency, *rankings]
