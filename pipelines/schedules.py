"""The nightly run. It starts the first wave; the sensor for the next wave carries it on."""

from __future__ import annotations

import dagster as dg

from bidproof.errors import BidproofError
from bidproof.inbox import scan_inbox
from pipelines.jobs import JOBS
from pipelines.partitions import add_partitions
from pipelines.sensors import inbox_root, plan_inbox, requests
from resources.warehouse import WarehouseResource


@dg.schedule(cron_schedule="0 2 * * *", execution_timezone="UTC", target=JOBS, description="Every night at two: whatever is stale")
def nightly(context: dg.ScheduleEvaluationContext, warehouse: WarehouseResource) -> list[dg.RunRequest] | dg.SkipReason:
    """Runs for all that is stale; a run that failed yesterday is tried again, since the key carries the night."""
    try:
        inbox = scan_inbox(inbox_root())
    except BidproofError as error:
        return dg.SkipReason(str(error))
    add_partitions(context.instance, inbox)
    planned = plan_inbox(warehouse, inbox)
    night = context.scheduled_execution_time.date().isoformat()
    return requests(planned, suffix=f":{night}") or dg.SkipReason("nothing is stale")


SCHEDULES = [nightly]
