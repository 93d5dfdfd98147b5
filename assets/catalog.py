"""The rule catalog of a tender: from its catalog file, or mined from the RFP as a draft."""

from __future__ import annotations

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.catalog.building import build_catalog, build_requirements, left_out
from bidproof.store import CheckRecord


@stage_assets(
    "requirements", group="catalog", kinds={"yaml", "parquet"},
    checks=(
        Check("has_rules", "The catalog holds at least one rule", blocking=True),
        Check("nothing_left_out", "Every obligation that mining found became a rule; those that did not are listed"),
    ),
)  # fmt: skip
def requirements(run: StageRun) -> StageOutput:
    """The rules with their typed predicates, sentry terms, synonyms and section hints."""
    source = (run.sources.tender.catalog_path, run["rfp_documents"], run["rfp_blocks"], run.params.catalog)
    frame, unused = build_requirements(*source, tender=run.tender), left_out(*source)
    mandatory, areas = int(frame["mandatory"].sum() or 0), frame["area"].n_unique()
    metrics = {"rules": frame.height, "mandatory": mandatory, "areas": areas, "left_out": len(unused)}
    nothing = "no rules: name some in catalog.yaml or give an RFP that states obligations"
    message = f"{frame.height} rules" if frame.height else nothing
    listed = f"{len(unused)} obligations are no rules: {'; '.join(unused)}" if unused else "nothing left out"
    checks = [
        CheckRecord("has_rules", frame.height > 0, message, blocking=True),
        CheckRecord("nothing_left_out", not unused, listed, severity="WARN"),
    ]
    return StageOutput(frame, metrics, checks)


@stage_assets(
    "catalogs", group="catalog", kinds={"parquet"},
    checks=(Check("accepted", "A person has accepted the catalog; a mined one is a draft until then"),),
)  # fmt: skip
def catalogs(run: StageRun) -> StageOutput:
    """The catalog's version: content digest, RFP hash, origin and author."""
    frame = build_catalog(
        run["requirements"],
        run["rfp_documents"],
        run["rfp_blocks"],
        run.sources.tender.catalog_path,
        tender=run.tender,
    )
    draft = bool(frame["draft"].any())
    message = "draft mined from the RFP" if draft else "from a catalog file"
    return StageOutput(
        frame, {"draft": int(draft)}, [CheckRecord("accepted", not draft, message, severity="WARN")]
    )


ASSETS = [*requirements, *catalogs]
