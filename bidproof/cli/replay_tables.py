"""The tables that a person reads after `bidproof replay`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.evaluation.replay import UNKNOWN, PackReplay, RuleReplay, Totals

_ROWS_SHOWN = 50
_ALWAYS = ("flips_to_pass", "flips", "passages_changed", "tokens")
_WORTH = (
    "wrong_passes", "evidence_kept", "reviews_lifted", "flips_to_pass", "flips", "tokens", "unknown", "flips_from_pass",
    "gates_changed", "passages_changed", "candidates_changed", "tokens_change", "seconds",
)  # fmt: skip
"""Columns of a sweep that a terminal has room for, in order; the file has all."""


def print_replay(packs: Sequence[PackReplay], total: Totals, seconds: float) -> None:
    """Print each pack's rules that change, and a line of sums."""
    from rich.console import Console

    console = Console(highlight=False)
    for pack in packs:
        _print_pack(console, pack)
    for line in total_lines(total):
        console.print(line, soft_wrap=True)
    console.print(f"[dim]nothing was written and no model was asked; {seconds:.1f} s[/]")


def total_lines(total: Totals) -> list[str]:
    """The line of sums, and what of it to look at first."""
    flips = (
        ", ".join(f"{count} {flip.replace(' > ', ' → ')}" for flip, count in total.flips_by.items()) or "none"
    )
    lines = [
        f"[bold]Total[/]  {total.rules_changed} of {total.rules} rules in {total.packs - total.skipped} packs: candidates "
        f"+{total.candidates_added} -{total.candidates_dropped} ~{total.candidates_moved}, passages "
        f"+{total.passages_added} -{total.passages_dropped}, flips {flips}, tokens "
        f"{_change(total.tokens_before, total.tokens_after)}"
    ]
    if total.reviews_lifted:
        lines.append(
            f"[red]![/] {total.reviews_lifted} Passes would no longer go to a person: look at these first"
        )
    if total.flips_to_pass:
        lines.append(f"[red]![/] {total.flips_to_pass} verdicts would become Pass: look at these first")
    if total.unknown:
        lines.append(f"[yellow]![/] {total.unknown} verdicts are unknown: a model would be asked")
    if total.gates_changed:
        lines.append(f"[yellow]![/] the gate changes for {total.gates_changed} packs")
    return lines


def _change(before: int, after: int) -> str:
    share = f", {after / before - 1:+.0%}" if before else ""
    return f"{before} → {after} ({after - before:+d}{share})"


def _print_pack(console: Any, pack: PackReplay) -> None:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    knobs = ", ".join(f"{path} {old} → {new}" for path, (old, new) in pack.settings.items())
    head = f"[bold]{escape(pack.pack)}[/]  {escape(knobs) or 'these are its parameters already'}"
    if pack.before and pack.after:
        head += f"  gate {_arrow(pack.before.gate.upper(), pack.after.gate.upper())}"
    console.print(head, soft_wrap=True)
    if pack.skipped:
        console.print(f"  [yellow]skipped[/] {escape(pack.skipped)}", soft_wrap=True)
    for note in pack.notes:
        console.print(f"  [yellow]![/] {escape(note)}", soft_wrap=True)
    changed = [rule for rule in pack.rules if rule.changed]
    if changed:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column("Rule", no_wrap=True)
        table.add_column("M", no_wrap=True)
        for name in ("Candidates", "Passages", "Words kept", "Tokens"):
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column("Verdict", no_wrap=True)
        for rule in changed:
            table.add_row(*_cells(rule))
        console.print(table)
    elif not pack.skipped:
        moved = sum(
            bool(rule.candidates_moved or rule.candidates_added or rule.candidates_dropped)
            for rule in pack.rules
        )
        console.print(f"  [dim]no passage and no verdict changes; candidates do for {moved} rules[/]")


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"[bold]{before} → {after}[/]"


def _cells(rule: RuleReplay) -> list[str]:
    from rich.markup import escape

    return [
        escape(rule.rule_id), "M" if rule.mandatory else "",
        f"+{len(rule.candidates_added)} -{len(rule.candidates_dropped)} ~{len(rule.candidates_moved)}",
        f"+{len(rule.passages_added)} -{len(rule.passages_dropped)}", f"{rule.words_kept:.0%}",
        f"{rule.tokens_before} → {rule.tokens_after}", _verdict(rule),
    ]  # fmt: skip


def _verdict(rule: RuleReplay) -> str:
    if rule.unknown:
        return f"{rule.verdict_before} → [yellow]{UNKNOWN} (would be asked)[/]"
    if rule.review_lifted:
        return f"{rule.verdict_after} [bold red](review lifted)[/]"
    if not rule.flip:
        return rule.verdict_after
    style = "bold red" if rule.verdict_after == "Pass" else "bold yellow"
    return f"[{style}]{rule.verdict_before} → {rule.verdict_after}[/]"


def print_sweep(
    table: pl.DataFrame, knobs: Sequence[str], skipped: Mapping[str, str], out: Path | None
) -> None:
    """Print the rows of a sweep, already sorted, with the columns that say something."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    for pack, why in skipped.items():
        console.print(f"[yellow]skipped[/] {escape(pack)}: {escape(why)}", soft_wrap=True)
    sound = table.filter(pl.col("error") == "").head(_ROWS_SHOWN)
    names = _that_fit(sound, knobs, [name for name in _WORTH if _says_something(table, name)], console.width)
    shown = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in names:
        shown.add_column(escape("\n".join(_heading(name))), justify="right", no_wrap=True)
    for row in sound.iter_rows(named=True):
        shown.add_row(*(escape(_cell(name, row[name])) for name in names))
    console.print(shown)
    for row in table.filter(pl.col("error") != "").iter_rows(named=True):
        where = ", ".join(f"{path}={row[path]}" for path in knobs)
        console.print(f"[red]✗[/] {escape(where)}: {escape(row['error'])}", soft_wrap=True)
    left = table.filter(pl.col("error") == "").height - sound.height
    more = f", {left} of them not shown" if left else ""
    where = f"; all columns in {out}" if out else "; --out FILE keeps all columns"
    console.print(
        f"[dim]{table.height} combinations{more}; no model was asked{escape(where)}[/]", soft_wrap=True
    )


def _heading(name: str) -> list[str]:
    """Lines of a column's heading."""
    return name.replace(".", ".\n").split("\n") if "." in name else name.split("_")


def _that_fit(rows: pl.DataFrame, knobs: Sequence[str], names: Sequence[str], width: int) -> list[str]:
    """The knobs, and as many of the other columns as a terminal has room for."""

    def needs(name: str) -> int:
        cells = [len(_cell(name, value)) for value in rows[name]]
        return max([len(line) for line in _heading(name)] + cells) + 2

    found, used = list(knobs), 2 + sum(map(needs, knobs))
    for name in names:
        if used + needs(name) <= width:
            found.append(name)
            used += needs(name)
    return found


def _says_something(table: pl.DataFrame, name: str) -> bool:
    column = table[name].drop_nulls()
    return (
        name in _ALWAYS
        or bool(len(column) and (column != 0).any())
        or (name == "wrong_passes" and len(column) > 0)
    )


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name == "evidence_kept":
        return f"{value:.1%}"
    return f"{value:+d}" if name == "tokens_change" else str(value)
