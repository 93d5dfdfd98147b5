"""Rows of a by-rule stage that a changed catalog leaves valid, so that only touched rules are computed again.

A stage is by rule when the rows of a rule follow from that rule, from the rule's rows in other by-rule stages, and
from inputs that all rules share. Its rows of the version before then hold for each rule of which nothing changed, if
code, parameters and shared inputs are the same. Reads the warehouse; computes no rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import polars as pl

from bidproof.stages import BY_NAME, Stage
from bidproof.staleness import Recipe
from bidproof.store import DamagedError, Manifest, Warehouse
from bidproof.tables import TABLES

UNREAD: dict[str, tuple[str, ...]] = {
    "requirements": ("rule_no", "draft", "references", "sources", "source_page", "source_quote"),
}
"""Columns that no by-rule stage reads: a rule printed on another page of the RFP has the same verdicts."""


@dataclass(frozen=True)
class Kept:
    """Rows of the version before that still hold, and the rules that they are of (some may have no rows)."""

    rows: pl.DataFrame
    rules: frozenset[str] = frozenset()


def by_rule_inputs(stage: Stage) -> tuple[str, ...]:
    """Inputs of a stage whose rows belong to one rule each; all others are shared by the rules."""
    return tuple(name for name in stage.inputs if "rule_id" in TABLES[BY_NAME[name].table].key)


def untouched_rules(old: Mapping[str, pl.DataFrame], new: Mapping[str, pl.DataFrame]) -> frozenset[str]:
    """Rules whose rows are the same in each of the named tables; the catalog version counts for nothing.

    Args:
        old: rows of each by-rule input before, by table name; `requirements` says which rules there are.
        new: the same now.
    """
    same = frozenset(old["requirements"]["rule_id"]) & frozenset(new["requirements"]["rule_id"])
    for table in sorted(new):
        before, after = (_by_rule(table, frames[table]) for frames in (old, new))
        same = frozenset(rule for rule in same if _equal(before.get(rule), after.get(rule)))
    return same


def _by_rule(table: str, frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    kept = frame.drop("catalog_version", *UNREAD.get(table, ()))
    parts = kept.partition_by("rule_id", as_dict=True, maintain_order=True)
    return {str(key[0]): part for key, part in parts.items()}


def _equal(one: pl.DataFrame | None, other: pl.DataFrame | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.equals(other, null_equal=True)


Alike = Mapping[str, Callable[[pl.DataFrame, pl.DataFrame], bool]]
"""For a shared input, whether two versions of its rows are the same to the stage."""


def kept_rows(warehouse: Warehouse, now: Recipe, alike: Alike | None = None) -> Kept:
    """Rows of the committed version of a by-rule stage that hold under the recipe as it is now.

    None where code, parameters or an input shared by all rules differ, save one that is `alike` before and now, or
    where the rows before, or what they were made from, can no longer be had.
    """
    table = TABLES[now.stage.table]
    committed, _ = warehouse.usable(table.name, now.partition)
    if committed is None or not _same_but_for_inputs(committed, now):
        return Kept(table.empty())
    old: dict[str, pl.DataFrame] = {}
    new: dict[str, pl.DataFrame] = {}
    try:
        for key in _changed_inputs(committed, now):
            name, _, partition = key.partition("@")
            if name not in BY_NAME:  # words of the package, which all rules share
                return Kept(table.empty())
            source = BY_NAME[name].table
            before = rows_of_content(warehouse, source, partition, committed.inputs[key])
            if before is None:
                return Kept(table.empty())
            if name in by_rule_inputs(now.stage):
                old[source], new[source] = before, warehouse.read(source, partition)
            elif not (alike and name in alike and alike[name](before, warehouse.read(source, partition))):
                return Kept(table.empty())
        rules = untouched_rules(old, new)
        rows = warehouse.rows_of(committed).filter(pl.col("rule_id").is_in(sorted(rules)))
    except DamagedError:
        return Kept(table.empty())
    return Kept(rows, rules)


def _same_but_for_inputs(committed: Manifest, now: Recipe) -> bool:
    return (
        now.stage.by_rule
        and (committed.stage, committed.code) == (now.stage.name, now.stage.code)
        and committed.params == now.params
        and committed.inputs.keys() == now.inputs.keys()
    )


def _changed_inputs(committed: Manifest, now: Recipe) -> list[str]:
    """Inputs whose content differs; the rules themselves always, as they say which there are."""
    return [
        key
        for key, content in now.inputs.items()
        if committed.inputs[key] != content or key.startswith("requirements@")
    ]


def rows_of_content(warehouse: Warehouse, table: str, partition: str, content: str) -> pl.DataFrame | None:
    """Rows of the version of a partition that has this content digest; None once it was pruned.

    Raises:
        DamagedError: the file of that version is broken.
    """
    manifest = warehouse.manifest(table, partition)
    if manifest is None:
        return None
    if manifest.content == content:
        return warehouse.rows_of(manifest)
    for version in manifest.history:
        if version.content == content:
            return warehouse.rows_of(replace(manifest, fingerprint=version.fingerprint, content=content))
    return None


def joined(kept: Kept, fresh: pl.DataFrame, catalog_version: str) -> pl.DataFrame:
    """Kept and fresh rows as one frame in order of rule id, all of the present catalog version.

    Byte for byte what computing all rules would give.
    """
    same = kept.rows.with_columns(pl.lit(catalog_version, dtype=pl.String).alias("catalog_version"))
    return pl.concat([same, fresh.select(same.columns).cast(same.schema)]).sort(
        "rule_id", maintain_order=True
    )
