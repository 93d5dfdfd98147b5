"""`bidproof run`: progress while it works, a summary to read, a report for scripts."""

from __future__ import annotations

import json as jsonlib
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from bidproof.cli.output import check_writable, write_text
from bidproof.errors import StageError
from bidproof.store import Warehouse


def load_runner() -> Any:
    """The installed pipeline runner.

    Raises:
        StageError: none is installed.
    """
    for entry in entry_points(group="bidproof.runners"):
        return entry.load()
    raise StageError("no pipeline runner is installed; install Bidproof with `pip install .`")


def run_command(
    inbox: Path,
    warehouse: str,
    tender: str | None,
    bidder: str | None,
    overrides: dict[str, Any],
    json: Path | None,
) -> int:
    """Run, print, and return the exit code."""
    check_writable(json)
    started = time.monotonic()
    with Display() as display:
        report = load_runner()(
            inbox, warehouse, tender=tender, bidder=bidder, overrides=overrides, tell=display.tell
        )
    result = summarise(Warehouse(warehouse), report, seconds=round(time.monotonic() - started, 2))
    if json is not None:
        text = jsonlib.dumps(result, indent=1, ensure_ascii=False)
        if str(json) == "-":
            print(text)
        else:
            write_text(json, text + "\n")
    if str(json) != "-":
        from bidproof.cli.summary import print_summary

        print_summary(result)
    if any(failure["kind"] == "stage" for failure in result["failed"]):
        return 1
    return 2 if result["failed"] else 0


def summarise(warehouse: Warehouse, report: Any, seconds: float) -> dict[str, Any]:
    """Machine-readable result of a run: stable names, one entry a pack."""
    tenders = []
    for tender in report.inbox.tenders:
        catalog = warehouse.read("catalogs", tender.tender)
        packs = []
        for bid in tender.bids:
            scores = warehouse.read("scores", bid.pack)
            row = scores.row(0, named=True) if scores.height else {}
            seen = warehouse.manifest("integrity", bid.pack)
            alerts = seen.metrics.get("alerts", 0) if seen else 0
            names = {"pack": bid.pack, "bidder": bid.bidder, "bidder_name": bid.name}
            packs.append({**row, **names, "alerts": alerts})
        first = catalog.row(0, named=True) if catalog.height else {}
        entry = {"tender": tender.tender, "tender_name": tender.name, "catalog": first, "packs": packs}
        rules = warehouse.manifest("requirements", tender.tender)
        entry["left_out"] = rules.metrics.get("left_out", 0) if rules else 0
        ranks = {row["pack"]: row for row in warehouse.read("rankings", tender.tender).to_dicts()}
        for pack in packs:
            pack["rank"] = ranks.get(pack["pack"], {}).get("rank")
        tenders.append({**entry, "report": f"{warehouse.root}/reports/{tender.tender}/matrix.html"})
    return {
        "tenders": tenders,
        "computed": sorted(report.computed),
        "fresh": sorted(report.fresh),
        "failed": [
            {"partition": name, "kind": kind, "reason": reason}
            for name, (kind, reason) in sorted(report.failed.items())
        ],
        "problems": [
            {"where": p.where, "what": p.what, "mend": p.mend}
            for p in (*report.inbox.problems, *report.notes)
        ]
        + file_problems(warehouse, report),
        "seconds": seconds,
    }


def file_problems(warehouse: Warehouse, report: Any) -> list[dict[str, str]]:
    """Files of this run that could not be read, and warnings on those that could."""
    found = []
    for tender in report.inbox.tenders:
        for partition in (tender.tender, *(bid.pack for bid in tender.bids)):
            for row in warehouse.read("documents", partition).iter_rows(named=True):
                # What could not be had at all has no hash, and the inbox has named it already.
                for warning in (row["warnings"] or []) if row["sha256"] else []:
                    what, _, mend = warning.partition("; ")
                    found.append({"where": partition, "what": what, "mend": mend})
    return found


class Display:
    """Progress bars on a terminal, plain lines elsewhere. Everything goes to standard error."""

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(stderr=True)
        self.progress: Any = None
        self._tasks: dict[str, Any] = {}
        self._said: set[tuple[str, str]] = set()

    def __enter__(self) -> Display:
        if self.console.is_terminal:
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = (
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[note]}"),
                TimeElapsedColumn(),
            )
            self.progress = Progress(*columns, console=self.console)
            self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.progress is not None:
            self.progress.stop()

    def tell(self, stage: str, partition: str, done: int, total: int) -> None:
        """One step of a stage."""
        if self.progress is None:
            if (partition, stage) not in self._said:
                self._said.add((partition, stage))
                print(f"{partition}: {stage.removesuffix('_job')}", file=sys.stderr, flush=True)
            return
        task = self._tasks.get(partition)
        if task is None:
            task = self._tasks[partition] = self.progress.add_task(partition, total=None, note="")
        note = stage if total == 0 else f"{stage} {done}/{total}"
        self.progress.update(task, total=total or None, completed=done, note=note)
