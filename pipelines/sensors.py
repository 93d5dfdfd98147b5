"""Watching the inbox, and carrying a tender from one wave of runs to the next."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from bidproof.errors import BidproofError
from bidproof.inbox import Inbox, scan_inbox
from bidproof.staleness import find_sources, tender_of
from bidproof.store import Warehouse
from pipelines.jobs import JOBS, pack_job, tender_job
from pipelines.partitions import partition_requests
from pipelines.planner import PlannedRun, next_wave
from resources.warehouse import WarehouseResource


def inbox_root() -> Path:
    """The watched inbox: BIDPROOF_INBOX, or `inbox` beside the code."""
    return Path(os.environ.get("BIDPROOF_INBOX", "inbox"))


def plan_inbox(resource: WarehouseResource, inbox: Inbox) -> list[PlannedRun]:
    """Register the inbox with the warehouse and plan the next wave of each of its tenders."""
    warehouse: Warehouse = resource.open()
    warehouse.register_sources({t.tender: str(inbox.root.absolute()) for t in inbox.tenders})
    planned: list[PlannedRun] = []
    for tender in inbox.tenders:
        sources = find_sources(warehouse, tender.tender, Path(resource.project_root), resource.overrides)
        planned += next_wave(warehouse, sources)
    return planned


ROUND = "bidproof/round"
"""Tag of the occasion that started a wave; in the run key, so that what failed is tried once an occasion."""


def requests(planned: list[PlannedRun], occasion: str = "") -> list[dg.RunRequest]:
    """Run requests of a plan, tagged with why and with the occasion."""
    return [
        dg.RunRequest(
            run_key=f"{run.key}:{occasion}", job_name=run.job, partition_key=run.partition,
            tags={"bidproof/why": "; ".join(run.states[0].reasons)[:250], ROUND: occasion},
        )
        for run in planned
    ]  # fmt: skip


@dg.sensor(
    jobs=JOBS,
    minimum_interval_seconds=30,
    description="Starts runs for new or changed tenders and packs in the inbox",
)
def inbox_sensor(
    context: dg.SensorEvaluationContext, warehouse: WarehouseResource
) -> dg.SensorResult | dg.SkipReason:
    """New files, changed files, changed parameters, changed code: whatever makes a stage stale."""
    try:
        inbox = scan_inbox(inbox_root())
    except BidproofError as error:
        return dg.SkipReason(str(error))
    for problem in inbox.problems:
        context.log.warning(f"{problem.where}: {problem.what}; {problem.mend}")
    planned = plan_inbox(warehouse, inbox)
    return dg.SensorResult(
        run_requests=requests(planned), dynamic_partitions_requests=partition_requests(inbox)
    )


@dg.run_status_sensor(
    run_status=dg.DagsterRunStatus.SUCCESS,
    monitored_jobs=[tender_job, pack_job],
    request_jobs=JOBS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="After a tender's catalog its packs, after its last pack its matrix",
)
def next_wave_sensor(
    context: dg.RunStatusSensorContext, warehouse: WarehouseResource
) -> Iterator[dg.RunRequest]:
    """Plan the wave that a finished run makes possible."""
    partition = context.partition_key
    if partition is not None:
        sources = find_sources(
            warehouse.open(), tender_of(partition), Path(warehouse.project_root), warehouse.overrides
        )
        yield from requests(next_wave(warehouse.open(), sources), context.dagster_run.tags.get(ROUND, ""))


SENSORS = [inbox_sensor, next_wave_sensor]
