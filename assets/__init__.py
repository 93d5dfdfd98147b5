"""The pipeline, one module a stage in the order in which data flows. Read top to bottom.

Each asset's body is one call into `bidproof`; what all of them share (fingerprint, cache hit, commit,
checks, metadata) stands in `assets.stage`, and what each reads and heeds in `bidproof.stages`.
"""

from __future__ import annotations

import dagster as dg

from assets import (
    catalog,
    chunking,
    comparison,
    documents,
    evaluation,
    facts,
    judging,
    report,
    retrieval,
    scoring,
    verification,
)

ALL: list[dg.AssetsDefinition] = [
    *documents.ASSETS,
    *chunking.ASSETS,
    *catalog.ASSETS,
    *facts.ASSETS,
    *retrieval.ASSETS,
    *judging.ASSETS,
    *verification.ASSETS,
    *scoring.ASSETS,
    *comparison.ASSETS,
    *report.ASSETS,
]
"""Every asset of the product, in pipeline order."""

BESIDE: list[dg.AssetsDefinition] = [*evaluation.ASSETS]
"""Assets that are no stage of a tender: what is measured of the pipeline itself."""
