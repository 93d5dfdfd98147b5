"""Whole runs over a small tender: what is computed, what is left alone, what is said."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import duckdb
import pytest

from bidproof.errors import BadInputError
from bidproof.intake.inbox import scan_inbox
from bidproof.staleness import find_sources, stage_states, stale_stages
from bidproof.store import Warehouse
from pipelines.definitions import build_defs
from pipelines.execute import RunReport, run_inbox
from pipelines.planner import next_wave
from pipelines.schedules import nightly
from pipelines.sensors import inbox_sensor, plan_tender
from resources.warehouse import WarehouseResource

OFF = {"dense": {"enabled": False}}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]) -> Path:
    """A folder in which the small tender was run once: inbox and warehouse."""
    folder = tmp_path_factory.mktemp("done")
    report = run_inbox(small_tender(folder), str(folder / "warehouse"), overrides=OFF, project_root=folder)
    assert report.failed == {}
    return folder


@pytest.fixture
def small_inbox(done: Path, tmp_path: Path) -> Path:
    """A copy of the small tender with the warehouse of its first run beside it."""
    shutil.copytree(done / "inbox", tmp_path / "inbox")
    shutil.copytree(done / "warehouse", tmp_path / "warehouse", ignore=shutil.ignore_patterns(".dagster"))
    Warehouse(tmp_path / "warehouse").register_sources({"water-meters": str(tmp_path / "inbox")})
    return tmp_path / "inbox"


@pytest.fixture
def run(small_inbox: Path, tmp_path: Path) -> Callable[..., RunReport]:
    def go(*, overrides: Mapping[str, Any] = OFF, **options: Any) -> RunReport:
        return run_inbox(
            small_inbox, str(tmp_path / "warehouse"), overrides=overrides, project_root=tmp_path, **options
        )

    return go


def statuses(warehouse: Path, pack: str) -> dict[str, str]:
    with duckdb.connect(str(warehouse / "bidproof.duckdb"), read_only=True) as connection:
        return dict(
            connection.execute("select rule_id, status from findings where pack = ?", [pack]).fetchall()
        )


def states(
    small_inbox: Path, tmp_path: Path, partition: str, overrides: dict[str, object] | None = None
) -> dict[str, str]:
    warehouse = Warehouse(tmp_path / "warehouse")
    sources = find_sources(warehouse, "water-meters", tmp_path, overrides or OFF)
    return {s.stage.name: s.state for s in stage_states(warehouse, partition, sources)}


def test_a_small_tender_goes_from_pdfs_to_gates_and_a_matrix(done: Path) -> None:
    warehouse = done / "warehouse"
    assert statuses(warehouse, "water-meters--good") == dict.fromkeys(("V1", "V2", "T1", "C1"), "Pass")
    bad = statuses(warehouse, "water-meters--bad")
    assert (bad["V1"], bad["C1"], bad["V2"]) == ("Fail", "Fail", "Pass")
    with duckdb.connect(str(warehouse / "bidproof.duckdb"), read_only=True) as connection:
        assert connection.execute("select pack, gate from v_gate order by 1").fetchall() == [
            ("water-meters--bad", "fail"), ("water-meters--good", "pass"),
        ]  # fmt: skip
        quote, page, boxes = connection.execute(
            "select quote, page, len(boxes) from findings where pack = 'water-meters--bad' and rule_id = 'V1'"
        ).fetchall()[0]
    assert quote == "Our bid remains valid for 60 calendar days from the submission deadline."
    assert (page, boxes) == (1, 1)
    html = (warehouse / "reports/water-meters/matrix.html").read_text(encoding="utf-8")
    assert "60 calendar days" in html


def test_a_second_run_computes_nothing(run: Callable[..., RunReport], tmp_path: Path) -> None:
    before = {p: p.read_bytes() for p in (tmp_path / "warehouse/manifests").rglob("*.json")}
    report = run()
    assert (report.computed, report.failed) == ([], {})
    assert report.fresh == ["water-meters", "water-meters--bad", "water-meters--good"]
    assert {p: p.read_bytes() for p in (tmp_path / "warehouse/manifests").rglob("*.json")} == before


def test_another_number_of_passages_touches_passages_and_below_only(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path
) -> None:
    fewer = {**OFF, "selection": {"k": 1}}
    before = states(small_inbox, tmp_path, "water-meters--good", fewer)
    assert [name for name, state in before.items() if state == "stale"] == ["passages"]
    assert [name for name, state in before.items() if state == "downstream"] == [
        "judgements",
        "escalations",
        "objections",
        "findings",
        "reviews",
        "scores",
    ]
    warehouse = Warehouse(tmp_path / "warehouse")
    made = {t: warehouse.manifest(t, "water-meters--good").created for t in ("chunks", "candidates")}  # type: ignore[union-attr]
    report = run(overrides=fewer)
    assert report.failed == {}
    assert made == {t: warehouse.manifest(t, "water-meters--good").created for t in ("chunks", "candidates")}  # type: ignore[union-attr]
    passages = warehouse.manifest("passages", "water-meters--good")
    assert passages is not None
    assert passages.params["selection"]["k"] == 1


def test_one_bidders_changed_file_runs_that_pack_only(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path, pdf_writer: Callable[..., Path]
) -> None:
    lines = [
        "1 Offer",
        "1.1 Bid Validity",
        "Our bid remains valid for 130 calendar days from the submission deadline.",
    ]
    pdf_writer(small_inbox / "water-meters/bids/bad/offer.pdf", lines)
    assert states(small_inbox, tmp_path, "water-meters--bad")["documents"] == "stale"
    assert set(states(small_inbox, tmp_path, "water-meters--good").values()) == {"fresh"}
    report = run()
    assert report.computed == ["water-meters--bad", "water-meters"]
    assert report.fresh == ["water-meters--good"]
    assert statuses(tmp_path / "warehouse", "water-meters--bad")["V1"] == "Pass"


def test_a_rule_made_stricter_changes_the_verdict_and_reads_nothing_again(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path
) -> None:
    catalog = small_inbox / "water-meters/catalog.yaml"
    catalog.write_text(
        catalog.read_text().replace("at least 120 calendar days", "at least 180 calendar days")
    )
    stale = [n for n, s in states(small_inbox, tmp_path, "water-meters").items() if s == "stale"]
    assert stale == ["requirements", "catalogs"]
    run()
    assert statuses(tmp_path / "warehouse", "water-meters--good")["V1"] == "Fail"
    assert len(list((tmp_path / "warehouse/data/chunks/water-meters--good").iterdir())) == 1


def test_status_says_why(run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "warehouse")
    sources = find_sources(warehouse, "water-meters", tmp_path, {**OFF, "retrieval": {"bm25_top": 10}})
    reasons = {s.stage.name: s.reasons for s in stale_stages(warehouse, "water-meters--bad", sources)}
    assert reasons["candidates"] == ("retrieval.bm25_top 30 -> 10",)
    assert "candidates will run" in reasons["passages"]


def test_the_order_of_bidders_and_their_number_change_no_bidders_result(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path
) -> None:
    alone = run_inbox(
        small_inbox, str(tmp_path / "other"), bidder="good", overrides=OFF, project_root=tmp_path
    )
    assert alone.computed == ["water-meters", "water-meters--good"]
    for table in ("chunks", "candidates", "findings", "scores"):
        here = Warehouse(tmp_path / "warehouse").manifest(table, "water-meters--good")
        there = Warehouse(tmp_path / "other").manifest(table, "water-meters--good")
        assert here is not None
        assert there is not None
        assert here.content == there.content, table


def test_the_inbox_sensor_adds_partitions_and_asks_for_the_catalog_first(
    small_inbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIDPROOF_INBOX", str(small_inbox))
    resource = WarehouseResource(root=str(tmp_path / "new"), project_root=str(tmp_path), overrides=OFF)
    with dg.instance_for_test() as instance:
        context = dg.build_sensor_context(instance=instance, resources={"warehouse": resource})
        result = inbox_sensor(context)
    assert isinstance(result, dg.SensorResult)
    assert [(r.job_name, r.partition_key) for r in result.run_requests or []] == [
        ("tender_job", "water-meters")
    ]
    assert [list(r.partition_keys) for r in result.dynamic_partitions_requests or []] == [
        ["water-meters"], ["water-meters--bad", "water-meters--good"],
    ]  # fmt: skip


def test_waves_go_catalog_then_packs_then_matrix(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path
) -> None:
    warehouse = Warehouse(tmp_path / "warehouse")
    sources = find_sources(warehouse, "water-meters", tmp_path, OFF)
    assert next_wave(warehouse, sources) == []
    (tmp_path / "warehouse/manifests/reports/water-meters.json").unlink()
    assert [r.job for r in next_wave(warehouse, sources)] == ["report_job"]
    (tmp_path / "warehouse/manifests/scores/water-meters--bad.json").unlink()
    assert [(r.job, r.partition) for r in next_wave(warehouse, sources)] == [
        ("pack_job", "water-meters--bad")
    ]
    (tmp_path / "warehouse/manifests/requirements/water-meters.json").unlink()
    assert [r.job for r in next_wave(warehouse, sources)] == ["tender_job"]


def test_the_nightly_schedule_starts_each_stale_tender_once_a_night(
    small_inbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import UTC, datetime

    monkeypatch.setenv("BIDPROOF_INBOX", str(small_inbox))
    resource = WarehouseResource(root=str(tmp_path / "new"), project_root=str(tmp_path), overrides=OFF)
    with dg.instance_for_test() as instance:
        context = dg.build_schedule_context(
            instance=instance,
            scheduled_execution_time=datetime(2026, 3, 1, 2, tzinfo=UTC),
            resources={"warehouse": resource},
        )
        requests = nightly(context)
        assert instance.get_dynamic_partitions("packs") == ["water-meters--bad", "water-meters--good"]
    assert [(r.run_key, r.partition_key) for r in requests] == [("water-meters:2026-03-01", "water-meters")]


def test_a_broken_file_is_one_line_and_the_rest_of_the_pack_is_done(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path
) -> None:
    (small_inbox / "water-meters/bids/good/zz_annex.pdf").write_bytes(b"this is no PDF")
    report = run()
    assert report.failed == {}
    assert statuses(tmp_path / "warehouse", "water-meters--good")["V1"] == "Pass"
    warehouse = Warehouse(tmp_path / "warehouse")
    broken = (
        warehouse.read("documents", "water-meters--good").filter(file_name="zz_annex.pdf").row(0, named=True)
    )
    assert broken["status"] == "unreadable"
    assert "zz_annex.pdf" in broken["warnings"][0]
    manifest = warehouse.manifest("documents", "water-meters--good")
    assert manifest is not None
    assert [c.name for c in manifest.checks if not c.passed] == ["files_open"]
    scores = warehouse.read("scores", "water-meters--good").row(0, named=True)
    assert scores["unreadable_files"] == ["zz_annex.pdf"]


def test_an_empty_bidder_folder_is_a_problem_and_the_others_are_judged(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path
) -> None:
    (small_inbox / "water-meters/bids/empty one").mkdir()
    report = run()
    assert [p.where for p in report.inbox.problems] == ["water-meters/bids/empty one"]
    assert report.failed == {}
    assert statuses(tmp_path / "warehouse", "water-meters--good")["V1"] == "Pass"
    empty = statuses(tmp_path / "warehouse", "water-meters--empty-one")
    assert set(empty.values()) == {"Missing"}
    manifest = Warehouse(tmp_path / "warehouse").manifest("documents", "water-meters--empty-one")
    assert manifest is not None
    assert "files_open" in [c.name for c in manifest.checks if not c.passed]


def test_a_catalog_with_a_doubled_id_is_an_input_failure_in_one_line(
    run: Callable[..., RunReport], small_inbox: Path
) -> None:
    catalog = small_inbox / "water-meters/catalog.yaml"
    catalog.write_text(catalog.read_text().replace("id: V2", "id: V1"))
    report = run()
    kind, reason = report.failed["water-meters"]
    assert kind == "input"
    assert "catalog.yaml" in reason
    assert "V1" in reason
    assert report.computed == []


def test_without_a_catalog_the_rfp_is_mined_as_a_draft(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path
) -> None:
    (small_inbox / "water-meters/catalog.yaml").unlink()
    report = run()
    assert report.failed == {}
    catalog = Warehouse(tmp_path / "warehouse").read("catalogs", "water-meters").row(0, named=True)
    assert (catalog["origin"], catalog["draft"]) == ("mined", True)
    texts = Warehouse(tmp_path / "warehouse").read("requirements", "water-meters")["text"].to_list()
    assert any("120 calendar days" in text for text in texts)
    manifest = Warehouse(tmp_path / "warehouse").manifest("requirements", "water-meters")
    assert manifest is not None
    said = {check.name: check.message for check in manifest.checks}
    # What mining does not take for a bidder's duty is listed, never dropped in silence.
    for obligation in ("Water meters shall comply with ISO 4064", "grant a warranty of at least 36 months"):
        assert any(obligation in text for text in texts) or obligation in said["nothing_left_out"]


def test_a_failed_blocking_check_keeps_the_version_before(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import assets.chunking
    from bidproof.chunking import CoverageReport

    run()
    before = Warehouse(tmp_path / "warehouse").manifest("chunks", "water-meters--good")
    gap = CoverageReport(
        tokens_total=10,
        tokens_covered=9,
        rows_total=0,
        rows_whole=0,
        spans_checked=1,
        gaps=("offer.pdf p. 1: a token is in no chunk",),
    )
    monkeypatch.setattr(assets.chunking, "prove_coverage", lambda *_: gap)
    report = run(overrides={**OFF, "chunking": {"target_tokens": 100}})
    assert set(report.failed) == {"water-meters"}
    assert Warehouse(tmp_path / "warehouse").manifest("chunks", "water-meters--good") == before


def test_no_such_inbox_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such inbox"):
        run_inbox(tmp_path / "nowhere", str(tmp_path / "warehouse"))


def test_manifests_hold_no_run_times_in_what_makes_a_fingerprint(
    run: Callable[..., RunReport], small_inbox: Path, tmp_path: Path
) -> None:
    other = run_inbox(small_inbox, str(tmp_path / "again"), overrides=OFF, project_root=tmp_path)
    assert other.failed == {}
    for path in (tmp_path / "warehouse/manifests").rglob("*.json"):
        one = json.loads(path.read_text())
        two = json.loads(
            (tmp_path / "again/manifests" / path.relative_to(tmp_path / "warehouse/manifests")).read_text()
        )
        assert (one["fingerprint"], one["content"], one["inputs"]) == (
            two["fingerprint"],
            two["content"],
            two["inputs"],
        )


def test_scan_order_does_not_matter(small_inbox: Path) -> None:
    assert [t.tender for t in scan_inbox(small_inbox).tenders] == ["water-meters"]


@pytest.fixture
def resource(small_inbox: Path, tmp_path: Path) -> WarehouseResource:
    return WarehouseResource(root=str(tmp_path / "warehouse"), project_root=str(tmp_path), overrides=OFF)


def forget(tmp_path: Path, *manifests: str) -> None:
    for name in manifests:
        (tmp_path / "warehouse/manifests" / f"{name}.json").unlink()


def start(instance: dg.DagsterInstance, status: dg.DagsterRunStatus, **tags: str) -> None:
    job = build_defs().resolve_job_def("pack_job")
    instance.create_run_for_job(
        job, status=status, tags={f"dagster/{name}": value for name, value in tags.items()}
    )


def test_a_pack_that_is_being_run_is_not_asked_for_again(resource: WarehouseResource, tmp_path: Path) -> None:
    forget(tmp_path, "scores/water-meters--bad", "scores/water-meters--good")
    with dg.instance_for_test() as instance:
        both = plan_tender(resource, instance, "water-meters")
        assert [run.partition for run in both] == ["water-meters--bad", "water-meters--good"]
        start(instance, dg.DagsterRunStatus.STARTED, partition="water-meters--good")
        start(instance, dg.DagsterRunStatus.STARTED, partition="water-meters--bad", run_key="any")
        assert [run.partition for run in plan_tender(resource, instance, "water-meters")] == [
            "water-meters--good"
        ]


def test_a_pack_that_failed_does_not_hold_up_the_matrix_of_the_others(
    resource: WarehouseResource, tmp_path: Path
) -> None:
    forget(tmp_path, "scores/water-meters--bad", "reports/water-meters")
    with dg.instance_for_test() as instance:
        (pack,) = plan_tender(resource, instance, "water-meters")
        start(instance, dg.DagsterRunStatus.FAILURE, partition=pack.partition, run_key=f"{pack.key}:")
        assert [run.job for run in plan_tender(resource, instance, "water-meters")] == ["report_job"]
        (again,) = plan_tender(resource, instance, "water-meters", occasion="2026-03-01")
        assert again.job == "pack_job"
