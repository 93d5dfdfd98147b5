"""The standing regression as an asset: figures are computed once, kept with their history, and hold recall."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dagster as dg
import duckdb
import pytest

from assets.evaluation import EXAMPLE, evaluations
from bidproof.store import Warehouse
from pipelines.definitions import build_defs, defs
from resources.embedder import EmbedderResource
from resources.warehouse import WarehouseResource


def make_gold(inbox: Path, snippet: str) -> Path:
    path = inbox.parent / "gold" / "water-meters" / "good.jsonl"
    path.parent.mkdir(parents=True)
    row = {
        "id": "V1",
        "area": "Admin",
        "mandatory": True,
        "text": "Validity.",
        "clause_ref": "",
        "verdict": "Pass",
    }
    evidence = [{"file": "offer.pdf", "page": 1, "snippet": snippet}]
    path.write_text(json.dumps({**row, "evidence": evidence}) + "\n", encoding="utf-8")
    return path.parents[1]


def run(folder: Path, gold: Path, **knobs: Any) -> dg.ExecuteInProcessResult:
    overrides = {"dense": {"enabled": False}, "evaluation": {"regression_set": str(gold), **knobs}}
    resource = WarehouseResource(root=str(folder / "wh"), project_root=str(folder), overrides=overrides)
    return dg.materialize(
        [evaluations], resources={"warehouse": resource, "embedder": EmbedderResource()}, raise_on_error=False
    )


def test_figures_are_computed_once_and_again_when_a_parameter_changes(
    tmp_path: Path, small_inbox: Path
) -> None:
    gold = make_gold(small_inbox, "valid for 150 calendar days")
    first = run(tmp_path, gold).asset_materializations_for_node("evaluations")[0]
    assert first.metadata["cache_hit"].value is False
    assert first.metadata["mandatory_recall@30"].value == 1.0
    again = run(tmp_path, gold).asset_materializations_for_node("evaluations")[0]
    assert again.metadata["cache_hit"].value is True
    assert run(tmp_path, gold, k=5).success
    manifest = Warehouse(str(tmp_path / "wh")).manifest("evaluations", "gold")
    assert manifest is not None
    assert len(manifest.history) == 1
    assert manifest.params["evaluation"]["k"] == 5
    sql = "select k, count(*) from evaluations_history where metric = 'mrr' and kind = 'retrieval' group by k order by k"
    with duckdb.connect(str(tmp_path / "wh" / "bidproof.duckdb"), read_only=True) as connection:
        assert connection.execute(sql).fetchall() == [(5, 1), (30, 1)]


def test_lost_recall_fails_the_blocking_check_and_its_figures_stay_to_be_read(
    tmp_path: Path, small_inbox: Path
) -> None:
    result = run(tmp_path, make_gold(small_inbox, "valid for 999 calendar days"))
    check = result.get_asset_check_evaluations()[0]
    assert (check.check_name, check.passed, check.blocking) == ("mandatory_recall", False, True)
    assert "lost: water-meters--good:V1" in (check.description or "")
    assert not Warehouse(str(tmp_path / "wh")).read("evaluations", "gold").is_empty()


@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the example is not beside the code")
def test_the_shipped_example_is_the_regression_set() -> None:
    from bidproof.evaluation import read_set

    found = read_set(EXAMPLE)
    assert [pack.name for pack in found.packs] == [
        "smart-meters--bluefern-grid",
        "smart-meters--corvane-metering",
    ]
    assert sum(item.requirement.mandatory for item in found.items) == 28
    assert all(pack.rfp and len(pack.documents) == 6 for pack in found.packs)


def test_the_evaluation_stands_beside_the_stages_with_a_job_of_its_own() -> None:
    repository = defs.get_repository_def()
    assert "evaluation_job" in {job.name for job in repository.get_all_jobs()}
    spec = next(iter(evaluations.specs))
    assert spec.deps == []
    assert spec.partitions_def is None
    assert build_defs().resolve_job_def("evaluation_job").name == "evaluation_job"
