"""Running an inbox to the end in this process: what `bidproof run` does after it has read its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.errors import DagsterExecutionInterruptedError

from bidproof.catalog import load_catalog, other_text
from bidproof.errors import BadInputError, BidproofError
from bidproof.intake.inbox import Inbox, Problem, Tender, scan_inbox
from bidproof.judging.asking.judges import check_judge
from bidproof.judging.scheduling.settings import deadline
from bidproof.params import load_params
from bidproof.staleness import MEND_GONE, Sources, find_sources, gone_packs, stage_states
from bidproof.store import Warehouse
from bidproof.views import build_views
from pipelines.definitions import build_defs
from pipelines.instance import open_instance
from pipelines.partitions import add_partitions
from pipelines.planner import PlannedRun, next_wave
from pipelines.read_ahead import ReadAhead
from resources.progress import Progress
from resources.reader import FileReader
from resources.warehouse import WarehouseResource

Tell = Callable[[str, str, int, int], None]


@dataclass
class RunReport:
    """What a run did: partitions computed, left as they were, and failed.

    A failure is a kind (`input`: the files must be mended; `stage`: the pipeline broke) and one line.
    """

    inbox: Inbox
    computed: list[str] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)
    failed: dict[str, tuple[str, str]] = field(default_factory=dict)
    duckdb: str = ""
    notes: list[Problem] = field(default_factory=list)


def run_inbox(
    root: Path,
    warehouse_root: str,
    *,
    tender: str | None = None,
    bidder: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    project_root: Path = Path("."),
    tell: Tell | None = None,
) -> RunReport:
    """Bring an inbox, one of its tenders, or one bidder's pack up to date.

    One run a partition; a pack that fails is reported and the others go on.

    Raises:
        BadInputError: the inbox or a parameter is wrong, so that nothing can be done.
    """
    inbox = scan_inbox(root, tender=tender, bidder=bidder)
    warehouse = Warehouse(warehouse_root)
    warehouse.register_sources({t.tender: str(inbox.root.absolute()) for t in inbox.tenders})
    report = RunReport(inbox)
    reader = FileReader()
    tenders = sorted(inbox.tenders, key=lambda one: _urgency(one, project_root, overrides))
    ahead = ReadAhead(warehouse, reader)
    ahead.start(tenders, lambda name: find_sources(warehouse, name, project_root, overrides))
    try:
        with open_instance(warehouse) as instance:
            add_partitions(instance, inbox)
            runner = _Runner(warehouse, instance, overrides or {}, project_root, tell, report, reader)
            for found in tenders:
                runner.tender(found, only={bid.pack for bid in found.bids})
    finally:
        ahead.stop()
    if report.computed or report.failed or not _has_views(warehouse):
        try:
            report.duckdb = build_views(warehouse)
        except BidproofError as error:
            report.failed["bidproof.duckdb"] = ("stage", str(error))
    return report


def _urgency(tender: Tender, project_root: Path, overrides: Mapping[str, Any] | None) -> tuple[float, str]:
    """Tenders whose gates are wanted sooner come first. Wrong parameters are said when the tender's turn comes."""
    try:
        return deadline(load_params(project_root, tender.folder, overrides).scheduling), tender.tender
    except BadInputError:
        return float("inf"), tender.tender


def _has_views(warehouse: Warehouse) -> bool:
    return bool(warehouse.fs.exists(f"{warehouse.root}/bidproof.duckdb"))


def _check_catalog(tender: Tender) -> list[Problem]:
    """Refuse a catalog file that breaks its contract before anything is computed by it; what reading it left aside.

    Raises:
        BadInputError: it cannot be read, or breaks its contract.
    """
    if tender.catalog_path is None:
        return []
    try:
        catalog = load_catalog(tender.catalog_path)
    except BadInputError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
        raise BadInputError(str(tender.catalog_path), f"cannot be read ({reason})", "save it again") from None
    mend = "run `bidproof catalog check` on it"
    return [Problem(where=tender.tender, what=said, mend=mend) for said in catalog.warnings]


class _Runner:
    def __init__(
        self, warehouse: Warehouse, instance: dg.DagsterInstance, overrides: Mapping[str, Any], project_root: Path,
        tell: Tell | None, report: RunReport, reader: FileReader,
    ) -> None:  # fmt: skip
        self.warehouse, self.instance, self.overrides, self.report = (
            warehouse,
            instance,
            dict(overrides),
            report,
        )
        self.project_root, self.tell, self.reader = project_root, tell, reader
        self._defs: dg.Definitions | None = None

    def definitions(self) -> dg.Definitions:
        resource = WarehouseResource(
            root=self.warehouse.url, project_root=str(self.project_root), overrides=self.overrides
        )
        progress = dg.ResourceDefinition.hardcoded_resource(Progress(self.tell))
        reader = dg.ResourceDefinition.hardcoded_resource(self.reader)
        return build_defs({"warehouse": resource, "progress": progress, "reader": reader})

    def tender(self, tender: Tender, only: set[str]) -> None:
        """Wave after wave until nothing is stale or only what failed is left."""
        try:
            sources = find_sources(self.warehouse, tender.tender, self.project_root, self.overrides)
            check_judge(sources.params)
            self.report.notes += _check_catalog(tender)
        except BadInputError as error:
            self.report.failed[tender.tender] = ("input", str(error))
            return
        self._note_gone(sources)
        self.report.fresh += [p for p in (tender.tender, *sorted(only)) if p not in self.report.fresh]
        tried: set[str] = set()
        while wave := [run for run in self._wave(sources, only) if run.partition + run.job not in tried]:
            for run in wave:
                tried.add(run.partition + run.job)
                self.run(run)
            if any(run.job == "tender_job" and run.partition in self.report.failed for run in wave):
                break
        self._note_blocked(sources, only)
        self._note_other_text(tender)

    def _note_other_text(self, tender: Tender) -> None:
        """Say that the rules are not those of the RFP as it is now, as after an addendum."""
        records = self.warehouse.read("catalogs", tender.tender).head(1).to_dicts()
        if tender.catalog_path is not None and (said := other_text(records[0] if records else {})):
            mend = "mine the RFP anew beside it, see `bidproof catalog diff`, mend the catalog and accept it again"
            self.report.notes.append(Problem(where=tender.tender, what=said, mend=mend))

    def _note_blocked(self, sources: Sources, only: set[str]) -> None:
        """Packs that a check keeps from being judged fail again and again, until their files or a knob change."""
        for pack in sorted(only):
            states = stage_states(self.warehouse, pack, sources)
            reason = next((state.reasons[0] for state in states if state.state == "blocked"), "")
            if reason:
                self.report.failed[pack] = ("input", reason)
                self.report.fresh = [name for name in self.report.fresh if name != pack]

    def _note_gone(self, sources: Sources) -> None:
        """Say which packs the matrix still shows although their folders are gone."""
        for pack in gone_packs(self.warehouse, sources.tender):
            what = "the bidder's folder is gone; its results of the last run stay in the matrix"
            self.report.notes.append(Problem(where=pack, what=what, mend=MEND_GONE))

    def _wave(self, sources: Sources, only: set[str]) -> list[PlannedRun]:
        return next_wave(self.warehouse, sources, skip={*self.report.failed, *(set(sources.packs) - only)})

    def run(self, run: PlannedRun) -> None:
        """One Dagster run of the stages that are stale."""
        if self.tell is not None:
            self.tell(run.job, run.partition, 0, 0)
        job = self.definitions().resolve_job_def(run.job)
        selection = [dg.AssetKey(state.stage.name) for state in run.states]
        quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
        try:
            result = job.execute_in_process(
                instance=self.instance,
                partition_key=run.partition,
                asset_selection=selection,
                run_config=quiet,
                raise_on_error=False,
            )
        except DagsterExecutionInterruptedError:
            raise KeyboardInterrupt from None
        except Exception as error:
            # The records of runs, not a stage: no step failed. The other partitions go on.
            self.report.failed[run.partition] = ("stage", f"{run.job}: {' '.join(str(error).split())[:300]}")
            return
        if _interrupted(result):
            raise KeyboardInterrupt
        if run.partition in self.report.fresh:
            self.report.fresh.remove(run.partition)
        if result.success:
            self.report.computed += [run.partition] if run.partition not in self.report.computed else []
        else:
            self.report.failed[run.partition] = _reason(result)


def _interrupted(result: dg.ExecuteInProcessResult) -> bool:
    """True when Control-C ended a step: Dagster turns it into a failure like any other."""
    errors = (event.step_failure_data.error for event in result.all_events if event.is_step_failure)
    return any(error is not None and error.cls_name == "DagsterExecutionInterruptedError" for error in errors)


def _reason(result: dg.ExecuteInProcessResult) -> tuple[str, str]:
    """Kind and one line of a run's first failure, or of the blocking check that stopped it."""
    for event in result.get_asset_check_evaluations():
        if event.blocking and not event.passed and event.severity is dg.AssetCheckSeverity.ERROR:
            kind = "input" if event.check_name in ("has_rules", "coverage") else "stage"
            return kind, f"{event.asset_key.to_user_string()}: {event.description}"
    for event in result.all_events:
        if event.is_step_failure:
            error = event.step_failure_data.error
            while error is not None and error.cause is not None:
                error = error.cause
            text = " ".join((error.message if error else event.message or "failed").split())
            kind = (
                "input"
                if error and error.cls_name in {"BadInputError", "CatalogError", "UnreadableFileError"}
                else "stage"
            )
            return kind, f"{event.step_key}: {text.removeprefix('bidproof.errors.')}"
    return "stage", "failed"
