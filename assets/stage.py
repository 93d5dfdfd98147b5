"""How a stage becomes a Dagster asset: fingerprint, cache hit or compute, checks, commit, metadata.

Everything that all assets share stands here once, so that an asset's own body is its domain call and
nothing else. What a stage reads and heeds is declared in `bidproof.stages`.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import dagster as dg
import polars as pl

from bidproof.params import Params
from bidproof.stages import BY_NAME, Stage
from bidproof.staleness import Recipe, Sources, input_partitions, recipe, tender_of
from bidproof.store import CheckRecord, Manifest, Warehouse
from bidproof.tables import TABLES
from resources.partitions import PACKS, TENDERS

OWNERS = ["team:bidproof"]
RESOURCES = {"warehouse", "embedder", "judge", "progress", "reader"}


@dataclass(frozen=True)
class StageOutput:
    """What a stage's body returns: rows, numbers that plot over time, outcomes of its own checks."""

    frame: pl.DataFrame
    metrics: dict[str, int | float | str] = field(default_factory=dict)
    checks: list[CheckRecord] = field(default_factory=list)


@dataclass(frozen=True)
class Cache:
    """One kind of costly unit in the warehouse's cache."""

    warehouse: Warehouse
    kind: str

    def get(self, key: str) -> bytes | None:
        """Bytes under `key`, or None."""
        return self.warehouse.cache_get(self.kind, key)

    def put(self, key: str, content: bytes) -> None:
        """Keep `content` under `key`."""
        self.warehouse.cache_put(self.kind, key, content)


class StageRun:
    """What a stage's body is given: its inputs as frames (read when asked for), parameters and resources."""

    def __init__(self, warehouse: Warehouse, sources: Sources, made_from: Recipe, resources: Any) -> None:
        self.warehouse, self.sources, self.recipe, self.resources = warehouse, sources, made_from, resources
        self.stage, self.partition = made_from.stage, made_from.partition
        self.tender = tender_of(self.partition)

    @property
    def params(self) -> Params:
        """Effective parameters."""
        return self.sources.params

    @property
    def bidder(self) -> str:
        """Bidder slug; empty on the tender's side."""
        return self.partition.partition("--")[2]

    def __getitem__(self, name: str) -> pl.DataFrame:
        """Rows of an input stage. On the tender's side `blocks` stands for `rfp_blocks`.

        Raises:
            KeyError: the stage does not declare that input, so its fingerprint would not cover it.
        """
        if name not in self.stage.inputs:
            name = f"rfp_{name}"
        if name not in self.stage.inputs:
            raise KeyError(f"stage {self.stage.name} does not declare {name} as an input")
        source = BY_NAME[name]
        return self.warehouse.read_many(
            source.table, input_partitions(self.warehouse, self.stage, source, self.partition)
        )

    def step(self, done: int, total: int) -> None:
        """Report progress of this stage."""
        self.resources.progress.step(self.stage.name, self.partition, done, total)

    def cache(self, kind: str) -> Cache:
        """Content-keyed cache of one kind of costly unit."""
        return Cache(self.warehouse, kind)


@dataclass(frozen=True)
class Check:
    """Declaration of a check that a stage's body reports on."""

    name: str
    description: str
    blocking: bool = False


Body = Callable[[StageRun], StageOutput]


def stage_assets(
    *names: str, group: str, kinds: set[str], checks: tuple[Check, ...] = ()
) -> Callable[[Body], list[dg.AssetsDefinition]]:
    """Turn a body into the Dagster assets of the named stages (twins of tender and pack side share a body)."""

    def decorate(body: Body) -> list[dg.AssetsDefinition]:
        return [_asset(BY_NAME[name], body, group, kinds, checks) for name in names]

    return decorate


def _asset(
    stage: Stage, body: Body, group: str, kinds: set[str], checks: tuple[Check, ...]
) -> dg.AssetsDefinition:
    table = TABLES[stage.table]
    side = "the RFP" if stage.scope == "tender" else "each bid pack"
    all_checks = (Check("schema", f"Keys of `{table.name}` are present and unique", blocking=True), *checks)

    @dg.asset(
        name=stage.name,
        deps=[_dependency(stage, BY_NAME[name]) for name in stage.inputs],
        partitions_def=TENDERS if stage.scope == "tender" else PACKS,
        code_version=stage.code,
        group_name=group,
        kinds=kinds,
        owners=OWNERS,
        tags={"scope": stage.scope},
        description=f"{body.__doc__}\n\nTable `{table.name}`: {table.comment}, for {side}.",
        metadata={
            "dagster/column_schema": _column_schema(stage),
            "table": table.name,
            "parameters": ", ".join(stage.params) or "none",
        },
        required_resource_keys=RESOURCES,
        check_specs=[
            dg.AssetCheckSpec(c.name, asset=stage.name, description=c.description, blocking=c.blocking)
            for c in all_checks
        ],
    )
    def compute(context: dg.AssetExecutionContext) -> dg.MaterializeResult:  # type: ignore[type-arg]
        manifest, cache_hit = materialize(
            stage, body, context.partition_key, context.resources, context.run.run_id
        )
        return _result(context, manifest, cache_hit)

    return compute


def _dependency(stage: Stage, source: Stage) -> dg.AssetDep:
    """Edge to an input; between the two partition sets every key may feed every other."""
    if stage.scope == source.scope:
        return dg.AssetDep(source.name)
    return dg.AssetDep(source.name, partition_mapping=dg.AllPartitionMapping())


def _column_schema(stage: Stage) -> dg.TableSchema:
    table = TABLES[stage.table]
    columns = [
        dg.TableColumn(
            name, str(kind), comment, constraints=dg.TableColumnConstraints(nullable=name not in table.key)
        )
        for name, (kind, comment) in table.columns.items()
    ]
    return dg.TableSchema(columns)


def materialize(
    stage: Stage, body: Body, partition: str, resources: Any, run_id: str
) -> tuple[Manifest, bool]:
    """Bring one stage of one partition up to date; True where the committed output already was.

    Rows whose blocking check fails are written but not committed (readers keep the version before), save where
    the rows themselves tell what is missing.
    """
    warehouse: Warehouse = resources.warehouse.open()
    sources: Sources = resources.warehouse.sources(tender_of(partition))
    made_from = recipe(warehouse, stage, partition, sources)
    committed, _ = warehouse.usable(stage.table, partition)
    if committed is not None and committed.fingerprint == made_from.fingerprint:
        return committed, True
    started = time.monotonic()
    output = body(StageRun(warehouse, sources, made_from, resources))
    frame = TABLES[stage.table].conform(_owned(output.frame, partition))
    checks = (_schema_check(stage, frame), *output.checks)
    manifest = Manifest(
        table=stage.table, partition=partition, stage=stage.name, fingerprint=made_from.fingerprint,
        content=warehouse.stage_rows(stage.table, partition, made_from.fingerprint, frame), rows=frame.height,
        code=stage.code, inputs=made_from.inputs, params=made_from.params, metrics=dict(output.metrics), checks=checks,
        created=datetime.now(UTC).isoformat(timespec="seconds"), run_id=run_id, seconds=round(time.monotonic() - started, 3),
    )  # fmt: skip
    if any(check.stops and not check.keeps_rows for check in checks):
        return manifest, False
    return warehouse.commit(manifest), False


def _owned(frame: pl.DataFrame, partition: str) -> pl.DataFrame:
    """`frame` with its key columns set from the partition: a pack without a single chunk still knows its name.

    Rows of a tender that are about one of its packs keep that pack's name.
    """
    tender, _, bidder = partition.partition("--")
    if not bidder and _of_packs(frame, tender):
        return frame.with_columns(pl.lit(tender).alias("tender"))
    return frame.with_columns(
        pl.lit(tender).alias("tender"), pl.lit(bidder).alias("bidder"), pl.lit(partition).alias("pack")
    )


def _of_packs(frame: pl.DataFrame, tender: str) -> bool:
    if not frame.height or "pack" not in frame.columns:
        return False
    return bool(frame["pack"].cast(pl.String).str.starts_with(f"{tender}--").fill_null(False).all())


def _schema_check(stage: Stage, frame: pl.DataFrame) -> CheckRecord:
    key = list(TABLES[stage.table].key)
    doubled = frame.height - frame.select(key).n_unique() if frame.height else 0
    empty = sum(frame[column].null_count() for column in key)
    message = f"{frame.height} rows, {doubled} doubled keys, {empty} empty keys"
    return CheckRecord("schema", doubled == 0 and empty == 0, message, blocking=True)


def _result(context: dg.AssetExecutionContext, manifest: Manifest, cache_hit: bool) -> dg.MaterializeResult:  # type: ignore[type-arg]
    warehouse: Warehouse = context.resources.warehouse.open()
    path = warehouse.data_path(manifest.table, manifest.partition, manifest.fingerprint)
    shown = {} if cache_hit else {"preview": dg.MetadataValue.md(preview(warehouse.rows_of(manifest)))}
    for check in manifest.checks:
        if not check.passed:
            context.log.warning(f"{manifest.partition}: check {check.name} failed: {check.message}")
    return dg.MaterializeResult(
        data_version=dg.DataVersion(manifest.content),
        metadata={
            "dagster/row_count": manifest.rows,
            "cache_hit": cache_hit,
            "fingerprint": manifest.fingerprint,
            "seconds": manifest.seconds,
            "file": dg.MetadataValue.path(path),
            "parameters": dg.MetadataValue.json(manifest.params),
            **shown,
            **manifest.metrics,
        },
        check_results=[
            dg.AssetCheckResult(
                passed=c.passed, check_name=c.name, description=c.message, metadata=c.metadata,
                severity=dg.AssetCheckSeverity(c.severity),
            )
            for c in manifest.checks
        ],
    )  # fmt: skip


def preview(frame: pl.DataFrame, rows: int = 5, width: int = 60) -> str:
    """Markdown table of the first rows; long text is cut, bytes are counted, key columns come first."""
    columns = [c for c in frame.columns if c not in ("tender", "bidder", "pack")][:9]

    def cells(values: tuple[Any, ...]) -> Iterator[str]:
        for value in values:
            text = f"{len(value)} bytes" if isinstance(value, bytes) else str(value)
            text = " ".join(text.split()).replace("|", "\\|")
            yield text if len(text) <= width else text[: width - 1] + "…"

    lines = [f"| {' | '.join(columns)} |", "|" + " --- |" * len(columns)]
    lines += [f"| {' | '.join(cells(row))} |" for row in frame.select(columns).head(rows).iter_rows()]
    return "\n".join(lines)
