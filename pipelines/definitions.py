"""The one `Definitions`. Tests, the command line and production all come through `build_defs`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import dagster as dg

import assets
from pipelines.jobs import JOBS
from pipelines.schedules import SCHEDULES
from pipelines.sensors import SENSORS
from resources.embedder import EmbedderResource
from resources.judge import JudgeResource
from resources.progress import Progress
from resources.reader import FileReader
from resources.warehouse import WarehouseResource


def build_defs(resource_overrides: Mapping[str, Any] | None = None) -> dg.Definitions:
    """Definitions of the product, with some resources replaced."""
    resources: dict[str, Any] = {
        "warehouse": WarehouseResource(root=os.environ.get("BIDPROOF_WAREHOUSE", "warehouse")),
        "embedder": EmbedderResource(),
        "judge": JudgeResource(),
        "reader": dg.ResourceDefinition.hardcoded_resource(FileReader()),
        "progress": dg.ResourceDefinition.hardcoded_resource(Progress()),
        **(resource_overrides or {}),
    }
    return dg.Definitions(
        assets=[*assets.ALL, *assets.BESIDE],
        jobs=JOBS,
        schedules=SCHEDULES,
        sensors=SENSORS,
        resources=resources,
        executor=dg.in_process_executor,
    )


defs = build_defs()
