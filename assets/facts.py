"""Typed facts found in the chunks, and the tags that are views of them."""

from __future__ import annotations

from assets.stage import StageOutput, StageRun, stage_assets
from bidproof.facts import facts_table, tags_table


@stage_assets("facts", group="reading", kinds={"polars", "parquet"})
def facts(run: StageRun) -> StageOutput:
    """Percentages, money, periods, quantities, classes, standards, forms and dates, each with value and unit."""
    frame = facts_table(run["chunks"], run.params.facts)
    kinds = {f"facts_{kind}": n for kind, n in frame["kind"].value_counts(sort=True).iter_rows()}
    return StageOutput(frame, {**kinds, "conflicts": int(frame["conflict"].sum() or 0)})


@stage_assets("tags", group="reading", kinds={"polars", "parquet"})
def tags(run: StageRun) -> StageOutput:
    """Coarse tags of each chunk, from its facts: the second net beside the search."""
    frame = tags_table(run["chunks"], run["facts"])
    return StageOutput(
        frame, {f"tag_{tag}": n for tag, n in frame["tag"].value_counts(sort=True).iter_rows()}
    )


ASSETS = [*facts, *tags]
