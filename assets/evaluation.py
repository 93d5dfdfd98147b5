"""The standing regression: figures of the labelled set that every change is held to, with their history.

Stands beside the pipeline's own assets: it reads no partition of theirs and runs the same stages on labelled files.
"""

import tempfile
from pathlib import Path

import dagster as dg

from assets.stage import OWNERS, Cache
from bidproof.evaluation import Evaluation, Options, Tools, evaluate, read_set, regression
from bidproof.evaluation.regression import CHECK, CODE
from bidproof.params import load_params
from bidproof.retrieval import make_reranker
from bidproof.tables import EVALUATIONS
from bidproof.views import build_views

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "gold"
"""Gold of the shipped example, the regression set by default."""

COLUMNS = dg.TableSchema(
    [dg.TableColumn(name, str(kind), comment) for name, (kind, comment) in EVALUATIONS.columns.items()]
)


@dg.asset(
    name=EVALUATIONS.name,
    code_version=CODE,
    group_name="evaluation",
    kinds={"polars", "parquet"},
    owners=OWNERS,
    description=(
        "Recall, ranking and verdict figures of the regression set under the project's parameters, one row a figure.\n\n"
        f"Table `{EVALUATIONS.name}`: {EVALUATIONS.comment}; its history shows what each change did."
    ),
    metadata={"dagster/column_schema": COLUMNS, "table": EVALUATIONS.name},
    required_resource_keys={"warehouse", "embedder"},
    check_specs=[
        dg.AssetCheckSpec(
            CHECK, asset=EVALUATIONS.name, blocking=True,
            description="Evidence of the mandatory rules is among the candidates (evaluation.min_recall)",
        )
    ],
)  # fmt: skip
def evaluations(context: dg.AssetExecutionContext) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Evaluate the regression set, or take the committed figures where nothing changed that could change them."""
    project = context.resources.warehouse
    params, warehouse = load_params(Path(project.project_root), None, project.overrides), project.open()
    labelled = read_set(Path(params.evaluation.regression_set or EXAMPLE))
    embedder = context.resources.embedder.make(params.dense)

    def run() -> Evaluation:
        with tempfile.TemporaryDirectory(prefix="bidproof-evaluate-") as folder:
            tools = Tools(
                params, embedder, Cache(warehouse, "parsed"), Cache(warehouse, "embeddings"), Path(folder),
                make_reranker(params.retrieval, Cache(warehouse, "rerank")),
            )  # fmt: skip
            return evaluate(labelled, tools, Options(k=params.evaluation.k))

    manifest, cache_hit = regression(warehouse, labelled, params, run, context.run.run_id)
    if not cache_hit:
        build_views(warehouse)
    held = manifest.checks[0]
    return dg.MaterializeResult(
        data_version=dg.DataVersion(manifest.content),
        metadata={
            "dagster/row_count": manifest.rows, "cache_hit": cache_hit, "set": labelled.name,
            "fingerprint": manifest.fingerprint, "parameters": dg.MetadataValue.json(manifest.params), **manifest.metrics,
        },
        check_results=[
            dg.AssetCheckResult(passed=held.passed, check_name=CHECK, description=held.message)
        ],
    )  # fmt: skip


ASSETS = [evaluations]
