"""Three jobs, one after the other: the tender's catalog, each pack, the tender's matrix. Beside them the evaluation."""

from __future__ import annotations

import dagster as dg

from bidproof.stages import CLOSING, STAGES

tender_job = dg.define_asset_job(
    "tender_job",
    selection=[s.name for s in STAGES if s.scope == "tender" and s.name not in CLOSING],
    description="RFP and rule catalog of one tender",
    executor_def=dg.in_process_executor,
)
pack_job = dg.define_asset_job(
    "pack_job",
    selection=[s.name for s in STAGES if s.scope == "pack"],
    description="One bidder's pack, from files to scores",
    executor_def=dg.in_process_executor,
)
report_job = dg.define_asset_job(
    "report_job",
    selection=list(CLOSING),
    description="Contradictions, ranking and compliance matrix of one tender over all its packs",
    executor_def=dg.in_process_executor,
)
evaluation_job = dg.define_asset_job(
    "evaluation_job",
    selection=["evaluations"],
    description="Figures of the regression set under the project's parameters; fails where recall does not hold",
    executor_def=dg.in_process_executor,
)

JOBS = [tender_job, pack_job, report_job, evaluation_job]
