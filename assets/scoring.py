"""Findings to a gate and scores. The gate is hard and the scores are soft; they never mix."""

from __future__ import annotations

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.catalog import requirements_from_table
from bidproof.catalog.building import catalog_version_of
from bidproof.scoring import score_pack
from bidproof.store import CheckRecord
from bidproof.verification import with_reviews


@stage_assets(
    "scores", group="judging", kinds={"polars", "parquet"},
    checks=(Check("pack_readable", "No page or file was left unread that could hold the answer"),),
)  # fmt: skip
def scores(run: StageRun) -> StageOutput:
    """The pack's gate with its reasons, its technical and commercial scores, and how much of it could be read."""
    frame = score_pack(
        requirements_from_table(run["requirements"]), run["documents"], run["pages"],
        with_reviews(run["findings"], run["reviews"]), run.params.scoring,
        catalog_version=catalog_version_of(run["requirements"]), min_coverage=run.params.documents.min_coverage,
    )  # fmt: skip
    row = frame.row(0, named=True)
    unread = row["pages"] - row["pages_readable"]
    whole = unread == 0 and not row["unreadable_files"]
    message = (
        f"{unread} pages and {len(row['unreadable_files'])} files unread"
        if not whole
        else f"all {row['pages']} pages read"
    )
    numbers = {name: row[name] for name in ("technical", "commercial", "overall") if row[name] is not None}
    metrics = {
        "gate": row["gate"],
        "passed": row["passed"],
        "failed": row["failed"],
        "missing": row["missing"],
        **numbers,
    }
    return StageOutput(frame, metrics, [CheckRecord("pack_readable", whole, message)])


ASSETS = [*scores]
