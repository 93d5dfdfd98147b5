"""The table that a person reads after a run."""

from __future__ import annotations

from typing import Any

GATE_STYLE = {"pass": "bold green", "fail": "bold red", "cannot decide": "bold yellow"}
_REASONS_SHOWN = 12


def print_summary(result: dict[str, Any]) -> None:
    """Print gates, scores, reasons and problems of a run."""
    from rich.console import Console

    console = Console(highlight=False)
    failed = {failure["partition"] for failure in result["failed"]}
    for tender in result["tenders"]:
        _print_tender(console, tender, failed)
    for problem in result["problems"]:
        console.print(
            f"[yellow]![/] {_escape(problem['where'])}: {_escape(problem['what'])}; {_escape(problem['mend'])}",
            soft_wrap=True,
        )
    for failure in result["failed"]:
        console.print(
            f"[red]✗[/] {_escape(failure['partition'])}: {_escape(failure['reason'])}", soft_wrap=True
        )
    computed, fresh = len(result["computed"]), len(result["fresh"])
    done = f"{computed} computed, {fresh} already fresh, {len(result['failed'])} failed"
    console.print(f"[dim]{done} in {result['seconds']:.1f} s[/]")


def _escape(text: Any) -> str:
    from rich.markup import escape

    return escape(str(text))


def _print_tender(console: Any, tender: dict[str, Any], failed: set[str]) -> None:
    from rich import box
    from rich.table import Table

    catalog = tender["catalog"]
    origin = "mined from the RFP" if catalog.get("origin") == "mined" else "not accepted by a person yet"
    draft = f" · DRAFT, {origin}" if catalog.get("draft") else ""
    rules = f"{catalog.get('rules', 0)} rules, {catalog.get('mandatory', 0)} mandatory · catalog {catalog.get('catalog_version', '-')}{draft}"
    table = Table(
        title=f"[bold]{_escape(tender['tender_name'])}[/]\n[dim]{_escape(rules)}[/]",
        box=box.SIMPLE_HEAD,
        title_justify="left",
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    table.add_column("Bidder", no_wrap=True, overflow="ellipsis", min_width=14)
    table.add_column("Gate", no_wrap=True)
    for name in ("Tech.", "Comm.", "Pass", "Part", "Fail", "Miss", "Review", "Pages"):
        table.add_column(name, justify="right", no_wrap=True)
    for pack in tender["packs"]:
        table.add_row(*_cells(pack))
    console.print(table)
    old = [pack for pack in tender["packs"] if pack.get("gate") and {pack["pack"], tender["tender"]} & failed]
    if old:
        names = _escape(", ".join(pack["bidder_name"] for pack in old))
        console.print(
            f"  [yellow]This run failed for {names}: what stands above is of an earlier run.[/]",
            soft_wrap=True,
        )
    for pack in tender["packs"]:
        reasons = pack.get("gate_reasons") or []
        for reason in reasons[:_REASONS_SHOWN]:
            console.print(f"  [dim]{_escape(pack['bidder_name'])}[/] {_escape(reason)}", soft_wrap=True)
        if (more := len(reasons) - _REASONS_SHOWN) > 0:
            note = f"and {more} more reason{'s' * (more > 1)}; the matrix lists all {len(reasons)}"
            console.print(f"  [dim]{_escape(pack['bidder_name'])}[/] {note}", soft_wrap=True)
    for pack in tender["packs"]:
        if alerts := pack.get("alerts"):
            count = f"{alerts} integrity alert{'s' * (alerts > 1)}"
            what = f"{count}: text that nobody sees speaks to the judge; `bidproof status` says where"
            console.print(f"[yellow]![/] {_escape(pack['bidder_name'])}: {what}", soft_wrap=True)
    if tender["left_out"]:
        note = f"{tender['left_out']} obligations of the RFP became no rule; `bidproof status` lists them"
        console.print(f"[yellow]![/] {note}", soft_wrap=True)
    if any(pack.get("gate") for pack in tender["packs"]):
        console.print(f"\n  Matrix: {_escape(tender['report'])}\n", soft_wrap=True)


def _cells(pack: dict[str, Any]) -> list[str]:
    if not pack.get("gate"):
        return [_escape(pack["bidder_name"]), "[red]no result[/]", *[""] * 8]

    def score(value: float | None) -> str:
        return "-" if value is None else f"{value:.0%}"

    gate = f"[{GATE_STYLE[pack['gate']]}]{pack['gate'].upper()}[/]" + (
        f" #{pack['rank']}" if pack.get("rank") else ""
    )
    pages = (
        str(pack["pages"])
        if pack["pages"] == pack["pages_readable"]
        else f"[yellow]{pack['pages_readable']}/{pack['pages']}[/]"
    )
    counts = [str(pack[name]) for name in ("passed", "partial", "failed", "missing", "to_review")]
    return [
        _escape(pack["bidder_name"]),
        gate,
        score(pack["technical"]),
        score(pack["commercial"]),
        *counts,
        pages,
    ]
