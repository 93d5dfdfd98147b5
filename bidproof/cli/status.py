"""`bidproof status`: the planner's view, for people and for scripts."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Any

from bidproof.cli.output import check_writable, write_text
from bidproof.errors import BadInputError
from bidproof.learned import learning_line, learning_record
from bidproof.staleness import MEND_GONE, find_sources, gone_packs, stage_states
from bidproof.store import Warehouse

STYLE = {
    "fresh": "green",
    "missing": "yellow",
    "stale": "red",
    "downstream": "yellow",
    "gone": "yellow",
    "blocked": "red",
}


def status_command(warehouse: str, tender: str | None, overrides: dict[str, Any], json: Path | None) -> None:
    """Print the state of each stage of each partition.

    Raises:
        BadInputError: nothing was ever run into this warehouse, or not this tender.
    """
    check_writable(json)
    store = Warehouse(warehouse)
    known = store.sources()
    if not known:
        raise BadInputError(
            warehouse, "nothing was run into this warehouse yet", "run `bidproof run INBOX` first"
        )
    if tender is not None and tender not in known:
        raise BadInputError(tender, f"no such tender in {warehouse}", f"known are {', '.join(sorted(known))}")
    rows = [
        row
        for name in sorted(known)
        if tender in (None, name)
        for row in _tender_rows(store, name, overrides)
    ]
    learned = {
        name: line
        for name in sorted(known)
        if tender in (None, name) and (line := learning_line(store, name))
    }
    if json is not None:
        learning = {name: learning_record(store, name) for name in learned}
        text = jsonlib.dumps({"stages": rows, "learning": learning}, indent=1, ensure_ascii=False)
        if str(json) == "-":
            print(text)
            return
        write_text(json, text + "\n")
    _print(rows)
    for name, line in learned.items():
        print(f"{name}  {line}")


def _tender_rows(store: Warehouse, tender: str, overrides: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        sources = find_sources(store, tender, Path("."), overrides)
    except BadInputError as error:
        return [
            {
                "partition": tender,
                "stage": "",
                "state": "missing",
                "reasons": [str(error)],
                "rows": None,
                "seconds": None,
                "created": "",
            }
        ]
    gone = [
        {
            "partition": pack, "stage": "", "state": "gone", "reasons": [f"the bidder's folder is gone; {MEND_GONE}"],
            "rows": None, "seconds": None, "created": "", "checks_failed": [],
        }
        for pack in gone_packs(store, sources.tender)
    ]  # fmt: skip
    return gone + [
        {
            "partition": state.partition, "stage": state.stage.name, "state": state.state, "reasons": list(state.reasons),
            "rows": state.manifest.rows if state.manifest else None,
            "seconds": state.manifest.seconds if state.manifest else None,
            "created": state.manifest.created if state.manifest else "",
            "checks_failed": [c.name for c in state.manifest.checks if not c.passed] if state.manifest else [],
            "checks": {c.name: c.message for c in state.manifest.checks if not c.passed} if state.manifest else {},
            **({"draft": bool(state.manifest.metrics["draft"])} if state.manifest and "draft" in state.manifest.metrics else {}),
        }
        for partition in (tender, *sources.packs)
        for state in stage_states(store, partition, sources)
    ]  # fmt: skip


def _print(rows: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False)
    for partition in dict.fromkeys(row["partition"] for row in rows):
        mine = [row for row in rows if row["partition"] == partition]
        stale = [row for row in mine if row["state"] != "fresh"]
        named = [row for row in mine if row["stage"]]
        blocked = [row for row in stale if row["state"] == "blocked"]
        head = "[green]fresh[/]" if not stale else f"[yellow]{len(stale)} of {len(mine)} stages to run[/]"
        if blocked:
            head = f"[red]blocked[/] {escape('; '.join(blocked[0]['reasons']))}"
            stale = [row for row in stale if row["state"] != "blocked"]
        head = head if named else "[yellow]not in the inbox[/]"
        if any(row.get("draft") for row in mine):
            head += "  [yellow]DRAFT catalog, not accepted by a person[/]"
        console.print(f"[bold]{escape(partition)}[/]  {head}")
        for row in stale:
            why = "; ".join(row["reasons"])
            console.print(
                f"  [{STYLE[row['state']]}]{row['state']:<10}[/] {row['stage']:<16} {escape(why)}",
                soft_wrap=True,
            )
        for row in mine:
            for name, message in row.get("checks", {}).items():
                line = f"  [yellow]look at[/]    {row['stage']:<16} {escape(name)}: {escape(message[:300])}"
                console.print(line, soft_wrap=True)
