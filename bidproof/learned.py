"""What was learned for a tender and is in use: looked up in the warehouse by all that ranks, and by the planner.

Reads the two tables that `bidproof learn` writes; decides and computes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from bidproof.learning_tables import LEARNING_CHECKS, PROTOTYPES
from bidproof.store import DamagedError, Manifest, Warehouse


def learning_in_use(warehouse: Warehouse, tender: str) -> Manifest | None:
    """Manifest of a tender's prototypes where its check has switched them on; else None.

    The check names the prototypes that it tried: others, or damaged ones, are not in use.
    """
    try:
        check = warehouse.manifest(LEARNING_CHECKS.name, tender)
        prototypes = warehouse.manifest(PROTOTYPES.name, tender)
    except DamagedError:
        return None
    if check is None or prototypes is None or not check.metrics.get("in_use"):
        return None
    return prototypes if check.inputs.get("prototypes") == prototypes.content else None


def learned_rows(warehouse: Warehouse, tender: str) -> pl.DataFrame:
    """Rows of `prototypes` of a tender that are in use; no rows where there are none.

    Raises:
        DamagedError: the rows are gone or broken.
    """
    manifest = learning_in_use(warehouse, tender)
    return PROTOTYPES.empty() if manifest is None else warehouse.rows_of(manifest)


def learning_line(warehouse: Warehouse, tender: str) -> str:
    """What the check of a tender says, in one line; empty where nothing was ever learned."""
    manifest, _ = warehouse.usable(LEARNING_CHECKS.name, tender)
    return str(manifest.metrics.get("line", "")) if manifest else ""


def learning_record(warehouse: Warehouse, tender: str) -> Mapping[str, Any] | None:
    """The check of a tender as plain data; None where nothing was ever learned."""
    manifest, _ = warehouse.usable(LEARNING_CHECKS.name, tender)
    if manifest is None:
        return None
    rows = warehouse.rows_of(manifest).to_dicts()
    return (
        {name: value for name, value in rows[0].items() if name not in ("bidder", "pack")} if rows else None
    )
