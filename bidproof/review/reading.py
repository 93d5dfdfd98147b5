"""The matrix of a tender, read from the warehouse with all that made it. Computes nothing about bids."""

from __future__ import annotations

from typing import Any

import polars as pl

from bidproof import __version__
from bidproof.review.matrix import build_matrix
from bidproof.review.model import Matrix
from bidproof.stages import BY_NAME, STAGES
from bidproof.staleness import known_packs
from bidproof.store import Manifest, Warehouse
from bidproof.verification import with_reviews


def read_matrix(warehouse: Warehouse, tender: str) -> Matrix:
    """Matrix of every pack of `tender`, with parameters, code versions and hashes of its manifests."""
    packs = known_packs(warehouse, tender)
    tables = (
        "documents",
        "candidates",
        "passages",
        "chunks",
        "findings",
        "reviews",
        "scores",
        "pages",
        "integrity",
    )
    frames = {name: warehouse.read_many(name, packs) for name in tables}
    # What an earlier run found says nothing of files that can no longer be read.
    blocked = [pack for pack in packs if _is_blocked(warehouse, pack)]
    for name in ("candidates", "passages", "findings", "reviews", "scores"):
        frames[name] = frames[name].filter(~pl.col("pack").is_in(blocked))
    catalogs = warehouse.read("catalogs", tender)
    return build_matrix(
        requirements=warehouse.read("requirements", tender),
        catalogs=catalogs,
        documents=frames["documents"],
        candidates=frames["candidates"],
        passages=frames["passages"],
        chunks=frames["chunks"],
        findings=with_reviews(frames["findings"], frames["reviews"]),
        reviews=frames["reviews"],
        scores=frames["scores"],
        provenance=_provenance(warehouse, tender, packs, frames, catalogs),
        pages=frames["pages"],
        integrity=frames["integrity"],
        consistency=warehouse.read("consistency", tender),
        rankings=warehouse.read("rankings", tender),
    )


def _is_blocked(warehouse: Warehouse, pack: str) -> bool:
    pages = warehouse.manifest("pages", pack)
    return pages is not None and any(check.stops for check in pages.checks)


def _provenance(
    warehouse: Warehouse, tender: str, packs: list[str], frames: dict[str, Any], catalogs: Any
) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    codes: dict[str, str] = {}
    for manifest in _manifests(warehouse, tender, packs):
        if manifest.stage == "matrix_report":
            continue
        parameters.update(manifest.params)
        codes[manifest.stage] = manifest.code
    rows = frames["documents"].sort("bidder", "file_name").iter_rows(named=True)
    rfp = warehouse.read("documents", tender).sort("file_name").iter_rows(named=True)
    files = {f"rfp/{row['file_name']}": row["sha256"] for row in rfp}
    files |= {f"{row['bidder']}/{row['file_name']}": row["sha256"] for row in rows}
    record = catalogs.row(0, named=True) if catalogs.height else {}
    return {
        "catalog_version": record.get("catalog_version") or "",
        "rfp_sha256": record.get("rfp_sha256") or "",
        "product_version": __version__,
        "parameters": dict(sorted(parameters.items())),
        "code_versions": {stage.name: codes[stage.name] for stage in STAGES if stage.name in codes},
        "models": {
            name: params["model"]
            for name, params in parameters.items()
            if isinstance(params, dict) and "model" in params
        },
        "files": files,
    }


def _manifests(warehouse: Warehouse, tender: str, packs: list[str]) -> list[Manifest]:
    """Manifests of the tender's side, then of each pack, in graph order: the last pack's parameters win."""
    found = [
        warehouse.manifest(stage.table, partition)
        for partition in (tender, *packs)
        for stage in BY_NAME.values()
        if (stage.scope == "pack") == ("--" in partition)
    ]
    return [manifest for manifest in found if manifest is not None]
