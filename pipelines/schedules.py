"""The nightly run. It starts with each tender's catalog; the sensor for the next wave carries it on."""

import dagster as dg

from bidproof.errors import BidproofError
from bidproof.intake.inbox import scan_inbox
from bidproof.staleness import tender_of
from pipelines.jobs import tender_job
from pipelines.partitions import add_partitions
from pipelines.sensors import ROUND, inbox_root, plan_inbox
from resources.warehouse import WarehouseResource


@dg.schedule(
    job=tender_job,
    cron_schedule="0 2 * * *",
    execution_timezone="UTC",
    description="Every night at two: whatever is stale",
)
def nightly(
    context: dg.ScheduleEvaluationContext, warehouse: WarehouseResource
) -> list[dg.RunRequest] | dg.SkipReason:
    """One run for each tender of which anything is stale; what failed the night before is tried again."""
    try:
        inbox = scan_inbox(inbox_root())
    except BidproofError as error:
        return dg.SkipReason(str(error))
    add_partitions(context.instance, inbox)
    stale = sorted({tender_of(run.partition) for run in plan_inbox(warehouse, context.instance, inbox)})
    night = context.scheduled_execution_time.date().isoformat()
    found = [
        dg.RunRequest(run_key=f"{tender}:{night}", partition_key=tender, tags={ROUND: night})
        for tender in stale
    ]
    return found or dg.SkipReason("nothing is stale")


SCHEDULES = [nightly]
