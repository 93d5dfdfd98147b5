"""Watching the inbox, and carrying a tender from one wave of runs to the next."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from bidproof.errors import BidproofError
from bidproof.intake.inbox import Inbox, scan_inbox
from bidproof.staleness import find_sources, tender_of
from pipelines.jobs import JOBS, pack_job, tender_job
from pipelines.partitions import partition_requests
from pipelines.planner import PlannedRun, next_wave
from resources.warehouse import WarehouseResource


def inbox_root() -> Path:
    """The watched inbox: BIDPROOF_INBOX, or `inbox` beside the code."""
    return Path(os.environ.get("BIDPROOF_INBOX", "inbox"))


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


UNDERWAY = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
]


def plan_tender(
    resource: WarehouseResource, instance: dg.DagsterInstance, tender: str, occasion: str = ""
) -> list[PlannedRun]:
    """The next wave of a tender, less what a run is at work on.

    Half-way through its run a pack looks stale, so partitions with a run under way are left out. Packs whose
    run failed on just this state hold up nobody: when only such are left, the matrix of the others is next.
    """
    warehouse = resource.open()
    sources = find_sources(warehouse, tender, Path(resource.project_root), resource.overrides)
    wave = next_wave(warehouse, sources)
    failed = {run.partition for run in wave if run.job == "pack_job" and _failed(instance, run, occasion)}
    if wave and failed == {run.partition for run in wave}:
        wave = next_wave(warehouse, sources, skip=failed)
    runs = instance.get_runs(filters=dg.RunsFilter(statuses=UNDERWAY))
    # Runs of the command line have no key: a killed one would look under way for ever.
    busy = {run.tags.get("dagster/partition") for run in runs if "dagster/run_key" in run.tags}
    if any(run.job == "report_job" for run in wave) and busy & set(sources.packs):
        return []
    return [run for run in wave if run.partition not in busy]


def _failed(instance: dg.DagsterInstance, run: PlannedRun, occasion: str) -> bool:
    tags = {"dagster/run_key": f"{run.key}:{occasion}"}
    return bool(
        instance.get_runs(filters=dg.RunsFilter(tags=tags, statuses=[dg.DagsterRunStatus.FAILURE]), limit=1)
    )


def plan_inbox(resource: WarehouseResource, instance: dg.DagsterInstance, inbox: Inbox) -> list[PlannedRun]:
    """Register the inbox with the warehouse and plan the next wave of each of its tenders."""
    resource.open().register_sources({t.tender: str(inbox.root.absolute()) for t in inbox.tenders})
    return [run for tender in inbox.tenders for run in plan_tender(resource, instance, tender.tender)]


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
    planned = plan_inbox(warehouse, context.instance, inbox)
    return dg.SensorResult(
        run_requests=requests(planned), dynamic_partitions_requests=partition_requests(inbox)
    )


@dg.run_status_sensor(
    run_status=dg.DagsterRunStatus.SUCCESS,
    monitored_jobs=[tender_job, pack_job],
    request_jobs=JOBS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="At night: after a tender's catalog its packs, after its last pack its matrix",
)
def next_wave_sensor(
    context: dg.RunStatusSensorContext, warehouse: WarehouseResource
) -> Iterator[dg.RunRequest]:
    """Plan the wave that a finished run of the night makes possible; the inbox sensor follows its own runs."""
    partition, occasion = context.partition_key, context.dagster_run.tags.get(ROUND, "")
    if partition is not None and occasion:
        yield from requests(
            plan_tender(warehouse, context.instance, tender_of(partition), occasion), occasion
        )


SENSORS = [inbox_sensor, next_wave_sensor]
