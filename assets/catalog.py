"""The rule catalog of a tender: from its catalog file, or mined from the RFP as a draft."""

from __future__ import annotations

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.catalog.building import Built, build_catalog, build_rules, rules_table
from bidproof.catalog.formats.rfp_record import open_conflicts
from bidproof.catalog.frames import requirements_from_table
from bidproof.catalog.mined_record import built_bytes, built_of
from bidproof.catalog.versions.acceptance import POINTS, audit_points
from bidproof.store import CheckRecord, digest


@stage_assets(
    "requirements", group="catalog", kinds={"yaml", "parquet"},
    checks=(
        Check("has_rules", "The catalog holds at least one rule", blocking=True),
        Check("nothing_left_out", "Every obligation that mining found became a rule; those that did not are listed"),
        Check("addenda_settled", "It can be told of each rule which of the RFP's files holds"),
    ),
)  # fmt: skip
def requirements(run: StageRun) -> StageOutput:
    """The rules with their typed predicates, sentry terms, synonyms and section hints."""
    built = _built(run)
    frame = rules_table(built, tender=run.tender)
    metrics = {
        "rules": frame.height, "mandatory": int(frame["mandatory"].sum() or 0), "areas": frame["area"].n_unique(),
        "left_out": len(built.left_out), "superseded": len(built.superseded), "conflicts": len(built.conflicts),
        "draft": int(built.draft),
    }  # fmt: skip
    nothing = "no rules: name some in catalog.yaml or give an RFP that states obligations"
    unused = f"{len(built.left_out)} obligations are no rules: {'; '.join(built.left_out)}"
    settled = "; ".join(f"{one.old.rule_id} is superseded ({one.why})" for one in built.superseded)
    left = open_conflicts(built.conflicts)
    checks = [
        CheckRecord("has_rules", frame.height > 0, f"{frame.height} rules" if frame.height else nothing, blocking=True),
        CheckRecord(
            "nothing_left_out", not built.left_out, unused if built.left_out else "nothing left out", severity="WARN"
        ),
        CheckRecord(
            "addenda_settled", not left, "; ".join(left) or settled or "nothing superseded",
            severity="WARN",
        ),
    ]  # fmt: skip
    return StageOutput(frame, metrics, checks)


@stage_assets(
    "catalogs", group="catalog", kinds={"parquet"},
    checks=(
        Check("accepted", "A person has accepted the catalog; a mined one is a draft until then"),
        Check("auditable", f"What an auditor asks of a catalog version holds: {', '.join(POINTS.values())}"),
    ),
)  # fmt: skip
def catalogs(run: StageRun) -> StageOutput:
    """The catalog's version: content digest, RFP hash, origin, author, parameters, and who accepted it."""
    path, rules = run.sources.tender.catalog_path, run["requirements"]
    frame = build_catalog(
        rules, run["rfp_documents"], run["rfp_blocks"], path, tender=run.tender,
        params=run.params.catalog, parameters=run.params.groups(run.stage.params), built=_built(run),
    )  # fmt: skip
    record = frame.row(0, named=True)
    points = audit_points(requirements_from_table(rules), record, run["rfp_blocks"])
    short = [point for point in points if not point.holds]
    draft = (
        "mined from the RFP"
        if record["origin"] == "mined"
        else f"{record['source_name']} calls itself a draft"
    )
    by = f"accepted by {record['accepted_by']}" if record["accepted_by"] else "from a catalog file"
    checks = [
        CheckRecord("accepted", not record["draft"], f"draft: {draft}" if record["draft"] else by, severity="WARN"),
        CheckRecord(
            "auditable", not short, "; ".join(point.says for point in short) or f"all {len(points)} points hold",
            severity="WARN", metadata={point.name: point.says for point in points},
        ),
    ]  # fmt: skip
    return StageOutput(frame, {"draft": int(record["draft"]), "audit_points_short": len(short)}, checks)


def _built(run: StageRun) -> Built:
    """The rules with what is said of their making; an RFP is mined once, whichever stage asks first."""
    path = run.sources.tender.catalog_path
    shared = {name: one for name, one in run.recipe.inputs.items() if not name.startswith("requirements@")}
    key, cache = digest([run.stage.code, shared, run.recipe.params]), run.cache("mined")
    kept = cache.get(key) if path is None else None
    if kept is not None and (known := built_of(kept)) is not None:
        return known
    built = build_rules(path, run["rfp_documents"], run["rfp_blocks"], run.params.catalog)
    if path is None:
        cache.put(key, built_bytes(built))
    return built


ASSETS = [*requirements, *catalogs]
