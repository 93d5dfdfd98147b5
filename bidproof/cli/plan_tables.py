"""The tables that a person reads after `bidproof plan`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def print_plan(record: Mapping[str, Any]) -> None:
    """Print a table a tender and the sums."""
    from rich.console import Console

    console = Console(highlight=False)
    for tender in record["tenders"]:
        _print_tender(console, tender)
    if len(record["tenders"]) > 1 and record["total"]["cost"]:
        total = record["total"]
        costs = ", ".join(cost_words(cost, currency) for currency, cost in total["cost"].items())
        console.print(
            f"[bold]Total[/]  {total['requests']:.0f} requests, {count(total['tokens_in'])} tokens in, "
            f"{count(total['tokens_out'])} out, cost {costs}, {span(total['seconds_p90_at_most'])} at most",
            soft_wrap=True,
        )


def _print_tender(console: Any, tender: Mapping[str, Any]) -> None:
    from rich.markup import escape

    console.print(f"[bold]{escape(tender['tender_name'])}[/]  judge {tender['judge']}", soft_wrap=True)
    if note := tender.get("note"):
        console.print(f"  {note}")
        return
    console.print(_table(tender))
    for line in tender_lines(tender):
        console.print(f"  {line}", soft_wrap=True)


def _table(tender: Mapping[str, Any]) -> Any:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("Bidder")
    cost = f"Cost {tender['currency']}"
    for name in ("Rules", "Requests", "In", "Out", cost, "Gate", "Done", "Saved"):
        table.add_column(escape(name), justify="right", no_wrap=True)
    for pack in tender["packs"]:
        every, saved = pack["passes"]["all"], pack["whole_documents"]["saving"]
        about = "" if pack["basis"] == "passages" else "~"
        table.add_row(
            escape(pack["bidder"]), f"{about}{pack['rules']}", f"{every['requests']:.0f}", count(every["tokens_in"]),
            count(every["tokens_out"]), cost_words(every["cost"]), both(pack["gate_seconds"]), both(pack["seconds"]),
            "-" if saved is None or saved < 0 else f"{saved:.0%}",
        )  # fmt: skip
    return table


def tender_lines(tender: Mapping[str, Any]) -> list[str]:
    """What the table of a tender has no room for: passes, sums, times, savings, what is estimated or refused."""
    from rich.markup import escape

    lines = []
    for name in ("triage", "full"):
        one = tender["passes"][name]
        if one["requests_at_most"]:
            lines.append(
                f"{name:<7} {one['requests']:.0f} requests (at most {one['requests_at_most']}), {count(one['tokens_in'])} tokens in, "
                f"{count(one['tokens_out'])} out, cost {cost_words(one['cost'], tender['currency'])}"
            )
    lines += _further_rounds(tender)
    every = tender["passes"]["all"]
    if len(tender["packs"]) > 1:
        lines.append(
            f"[bold]total[/]   {every['requests']:.0f} requests, {count(every['tokens_in'])} tokens in, {count(every['tokens_out'])} out, "
            f"cost {cost_words(every['cost'], tender['currency'])}"
        )
    lines.append(
        f"time    first gate {both(tender['first_gate_seconds'])}, all gates {both(tender['all_gates_seconds'])}, "
        f"all rules {both(tender['seconds'])} (P50 / P90, model alone), {_limits(tender['limits'])}"
    )
    whole = sum(pack["whole_documents"]["tokens_in"] for pack in tender["packs"])
    if whole and every["tokens_in"]:
        times = whole / every["tokens_in"]
        more = f"{times:.0f} times as many" if times >= 1.5 else f"{times:.1f} times as many"
        lines.append(f"saved   whole documents would take {count(whole)} tokens in, {more}")
    measured = tender["measured_requests"]
    lines.append(
        f"basis   answers as {measured} logged requests were"
        if measured
        else "basis   answers as the knobs say"
    )
    for pack in tender["packs"]:
        if pack["basis"] != "passages":
            lines.append(
                f"        {escape(pack['bidder'])}: {escape(pack['basis'])}; `bidproof run` makes it exact"
            )
        if pack["unasked"]:
            lines.append(
                f"        {escape(pack['bidder'])}: {pack['unasked']} rules have no passages and are not asked about"
            )
        if refused := sorted(pack["refused"].items()):
            more = f" (and {len(refused) - 1} more rules)" if len(refused) > 1 else ""
            lines.append(f"[red]![/] {escape(pack['bidder'])}: {escape(refused[0][1])}{more}")
    if tender.get("late"):
        lines.append(f"[red]![/] gates are wanted by {tender['gate_by']}: at P90 they come later")
    return lines


def _further_rounds(tender: Mapping[str, Any]) -> list[str]:
    """The most that mandatory rules can take whose answers fail their checks; nothing where there are no rounds."""
    rounds = [pack["escalation"] for pack in tender["packs"]]
    most = sum(one["requests_at_most"] for one in rounds)
    if not most:
        return []
    tokens = sum(one["tokens_in_at_most"] for one in rounds)
    share = tender["escalated_share"]
    known = "none measured yet" if share is None else f"{share:.1%} of the rules asked so far"
    return [
        f"again   at most {most} requests more, {count(tokens)} tokens in, for mandatory answers that fail a check ({known})"
    ]


def count(number: float) -> str:
    """A number of tokens in three digits."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= 0.9995 * size:
            value = number / size
            return f"{value:.0f}{unit}" if value >= 99.95 else f"{value:.3g}{unit}"
    return f"{number:.0f}"


def cost_words(cost: float | None, currency: str = "") -> str:
    """A cost, or that it is unknown."""
    if cost is None:
        return "unknown"
    return f"{cost:.{2 if cost >= 0.095 or cost == 0 else 4}f} {currency}".strip()


def span(seconds: float | None) -> str:
    """Seconds, minutes or hours; never where it never comes."""
    if seconds is None:
        return "never"
    if seconds < 120:
        return f"{seconds:.0f}s"
    minutes = round(seconds / 60)
    return f"{minutes}min" if minutes < 100 else f"{minutes // 60}h{minutes % 60:02d}"


def both(times: Mapping[str, float | None]) -> str:
    """P50 and P90; one word where it never comes."""
    if times["p50"] is None:
        return span(None)
    return f"{span(times['p50'])}/{span(times['p90'])}"


def _limits(limits: Mapping[str, int]) -> str:
    parts = [
        f"{count(limits[name])} {what} a minute"
        for name, what in (("requests_per_minute", "requests"), ("tokens_per_minute", "tokens"))
        if limits[name]
    ]
    return ", ".join([*parts, f"{limits['concurrent']} at once"])
