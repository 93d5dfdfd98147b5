"""What was learned for a tender, written to the warehouse: prototypes, and the check that says whether they are in use.

Holds what a run of it is made from, so that an unchanged one is not run again. The history is the tables' own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import polars as pl

from bidproof.evaluation.labelled import LabelledSet
from bidproof.evaluation.learning import learned_from, try_learning
from bidproof.evaluation.learning_check import LearningCheck
from bidproof.evaluation.pack_frames import Tools
from bidproof.evaluation.regression import code_versions, set_digest
from bidproof.learning_tables import LEARNING_CHECKS, PROTOTYPES
from bidproof.store import Manifest, Warehouse, fingerprint

CODE = "1"
STAGE = "learning"
_READ = ("documents", "chunking", "facts", "catalog", "retrieval", "dense", "learning")


def learn(
    warehouse: Warehouse,
    tender: str,
    labelled: LabelledSet,
    tools: Tools,
    catalog_version: str = "",
    tell: Callable[[str, int, int], None] | None = None,
) -> tuple[Manifest, bool]:
    """Bring what is learned for a tender up to date; the check's manifest, and True where it already was.

    Prototypes are written first and the check last: it names those that it tried, so that a killed run leaves what was
    in use before, or nothing, and never prototypes that no check has seen.

    Raises:
        BadInputError: a file of the set changed while it was read.
    """
    groups = tools.params.groups(_READ)
    inputs = {"set": set_digest(labelled), "embedder": tools.embedder.fingerprint if tools.embedder else ""}
    inputs |= {"catalog": catalog_version, **{f"code:{name}": code for name, code in code_versions().items()}}
    made_from = fingerprint(STAGE, CODE, inputs, groups)
    committed, _ = warehouse.usable(LEARNING_CHECKS.name, tender)
    prototypes, _ = warehouse.usable(PROTOTYPES.name, tender)
    if committed and prototypes and committed.fingerprint == prototypes.fingerprint == made_from:
        return committed, True
    started = datetime.now(UTC)
    rows = learned_from(labelled, tools, tender, catalog_version)
    check = try_learning(labelled, rows, tools, tell)
    made: dict[str, Any] = {
        "partition": tender,
        "stage": STAGE,
        "fingerprint": made_from,
        "code": CODE,
        "params": groups,
    }
    made |= {"created": started.isoformat(timespec="seconds")}
    written = _commit(warehouse, PROTOTYPES.name, rows, {**made, "inputs": inputs}, {})
    row = _row(check, rows, tender, catalog_version, inputs["embedder"])
    seconds = round((datetime.now(UTC) - started).total_seconds(), 3)
    made |= {"inputs": {**inputs, "prototypes": written.content}, "seconds": seconds}
    metrics = {"in_use": check.in_use, "line": check.line}
    return _commit(warehouse, LEARNING_CHECKS.name, LEARNING_CHECKS.frame([row]), made, metrics), False


def _commit(
    warehouse: Warehouse, table: str, rows: pl.DataFrame, made: Mapping[str, Any], metrics: Mapping[str, Any]
) -> Manifest:
    content = warehouse.stage_rows(table, made["partition"], made["fingerprint"], rows)
    manifest = Manifest(table=table, content=content, rows=rows.height, metrics=dict(metrics), **made)
    return warehouse.commit(manifest)


def _row(
    check: LearningCheck, rows: pl.DataFrame, tender: str, catalog_version: str, embedder: str
) -> dict[str, Any]:
    return {
        "tender": tender, "bidder": "", "pack": tender, "catalog_version": catalog_version, "embedder": embedder,
        **check.model_dump(), "confirmed_rules": rows["rule_sha256"].n_unique(),
        "confirmed_passages": int(rows["passages"].sum() or 0),
    }  # fmt: skip
