"""`bidproof audit`: options of its commands. What they do stands in `auditing`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bidproof.cli.options import JsonOption, WarehouseOption

audit_app = typer.Typer(
    name="audit",
    help="Audit Passes: how many to look at for a bound on the wrong ones, the draw, and the bound that follows.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@audit_app.command()
def plan(
    tender: Annotated[
        list[str] | None,
        typer.Argument(help="Tender slugs or folder names; all of the warehouse if left out."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Draw, and write the sheet for the auditor: .xlsx or .csv."
        ),
    ] = None,
    bound: Annotated[float, typer.Option("--bound", help="Share of wrong Passes to rule out.")] = 0.02,
    confidence: Annotated[float, typer.Option("--confidence", help="Confidence, one-sided.")] = 0.95,
    allowed: Annotated[
        int,
        typer.Option("--allowed", min=0, max=100, help="Wrong ones with which the lot is still accepted."),
    ] = 0,
    apart: Annotated[
        bool,
        typer.Option(
            "--mandatory-apart", help="The bound holds for mandatory rules by themselves, and for others."
        ),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Which Passes are drawn (1).")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Write over a sheet that is there already.")] = False,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """How many Passes to look at so that at most 2 in 100 are wrong; with -o they are drawn.

    The lot is every Pass without a flag: those that nobody would otherwise look at. The same lot, options and seed give
    the same draw.
    """
    from bidproof.cli.auditing import plan_command
    from bidproof.evaluation.trust.auditing import AuditPlan

    asked = AuditPlan(bound=bound, confidence=confidence, allowed=allowed, seed=seed, apart=apart)
    plan_command(warehouse, tender or [], asked, output, force, json)


@audit_app.command()
def record(
    sheet: Annotated[Path, typer.Argument(help="Sheet of `audit plan` with yes or no in the column right.")],
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Read an auditor's sheet back: how many Passes were wrong, and how many of the lot can be.

    What is not filled in counts as wrong. It can be recorded again at any time. Exit code 1 where the lot is not accepted.
    """
    from bidproof.cli.auditing import record_command

    raise typer.Exit(record_command(warehouse, sheet, json))
