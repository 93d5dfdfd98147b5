"""Records of runs started by the command line: kept for the UI, without a new engine for each statement."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from bidproof.store import Warehouse
from pipelines.instance import _kept_engines, open_instance


def test_dagsters_storage_still_makes_its_engines_where_they_are_kept(tmp_path: Path) -> None:
    with _kept_engines() as engines:
        with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
            instance.add_dynamic_partitions("packs", ["a--b"])
        assert {Path(url).name for url in engines} >= {"runs.db", "index.db"}
    with open_instance(Warehouse(tmp_path / "warehouse")) as instance:
        instance.add_dynamic_partitions("packs", ["t--b"])


def test_what_one_process_records_the_next_one_finds(tmp_path: Path) -> None:
    with open_instance(Warehouse(tmp_path)) as instance:
        instance.add_dynamic_partitions("packs", ["t--b"])
    with dg.DagsterInstance.from_config(str(tmp_path / ".dagster")) as instance:
        assert instance.get_dynamic_partitions("packs") == ["t--b"]
