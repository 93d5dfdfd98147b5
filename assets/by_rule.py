"""How a stage whose rows belong to one rule each computes only what a changed catalog touched.

Everything that by-rule stages share stands here once; which stages they are is declared in `bidproof.stages`, and
which rows still hold is told by `bidproof.rows_by_rule`. A step across rules belongs in the stage's body, over all
rows that come back from here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from assets.stage import StageRun
from bidproof.catalog import requirements_from_table
from bidproof.catalog.building import catalog_version_of
from bidproof.judging.same_echo import same_echo
from bidproof.records import Requirement
from bidproof.rows_by_rule import joined, kept_rows
from bidproof.tables import TABLES

Compute = Callable[[Sequence[Requirement], str], pl.DataFrame]


@dataclass(frozen=True)
class RuleRows:
    """Rows of all rules of the catalog, the rules themselves, and how many rules were not computed again."""

    frame: pl.DataFrame
    rules: list[Requirement]
    reused: int


def rows_by_rule(run: StageRun, compute: Compute) -> RuleRows:
    """Rows of every rule: `compute(rules, catalog_version)` for those that were touched, the others as they were.

    Raises:
        ValueError: the stage is not declared to be by rule.
    """
    if not run.stage.by_rule:
        raise ValueError(f"stage {run.stage.name} is not declared to be by rule")
    table, requirements = TABLES[run.stage.table], run["requirements"]
    rules, version = requirements_from_table(requirements), catalog_version_of(requirements)
    kept = kept_rows(run.warehouse, run.recipe, {"rfp_chunks": partial(_same_to_pack, run)})
    touched = [rule for rule in rules if rule.rule_id not in kept.rules]
    fresh = compute(touched, version) if touched else table.empty()
    return RuleRows(joined(kept, table.conform(fresh), version), rules, len(rules) - len(touched))


def _same_to_pack(run: StageRun, old: pl.DataFrame, new: pl.DataFrame) -> bool:
    """Whether the pack repeats the same words of both texts of the RFP: all that a by-rule stage asks of it."""
    searching, judging = run.params.retrieval.echo_shingle, run.params.verification.echo_shingle
    return same_echo(old, new, run["chunks"], run["facts"], searching=searching, judging=judging)
