"""`bidproof catalog`: options of its commands. What they do stands in the modules beside this."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from bidproof.cli.options import JsonOption, ParamsOption, WarehouseOption

catalog_app = typer.Typer(
    name="catalog",
    help="Rule catalogs: mine one from an RFP, check it, accept it, compare two.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
_FileArgument = Annotated[Path, typer.Argument(help="Catalog file: .yaml, .csv, .xlsx or .json (OCDS).")]
_COMPARED = "Catalog file, TENDER@VERSION of the warehouse, or an RFP's file or folder to mine."
_OnOption = Annotated[
    str | None, typer.Option("--on", metavar="DATE", help="Its date, 2026-09-17; today if left out.")
]
_ForceOption = Annotated[bool, typer.Option("--force", help="Write over a file that is there already.")]


def today() -> str:
    """Today's date; the one clock of these commands."""
    return dt.date.today().isoformat()


@catalog_app.command()
def mine(
    rfp: Annotated[list[Path], typer.Argument(help="Files of the RFP and its addenda, or a folder of them.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Catalog to write: .yaml, .csv, .xlsx or .json."),
    ],
    title: Annotated[str, typer.Option("--title", help="Title; the RFP's file name if left out.")] = "",
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write a page to review the draft on.")
    ] = None,
    left_out: Annotated[
        bool, typer.Option("--left-out", help="List what was made no rule, with page and reason.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a catalog that somebody edited.")
    ] = False,
    on: _OnOption = None,
    params: ParamsOption = None,
    json: JsonOption = None,
) -> None:
    """Make a draft catalog of an RFP: its rules with their predicates, sources and flags."""
    from bidproof.cli.catalog_mining import Outputs, mine_command

    outputs = Outputs(output, html, json, left_out=left_out, force=force)
    raise typer.Exit(mine_command(rfp, outputs, title, on or today(), params))


@catalog_app.command()
def check(
    file: _FileArgument,
    rfp: Annotated[
        list[Path] | None,
        typer.Option("--rfp", help="File or folder of the RFP: look up each rule's words on its page."),
    ] = None,
    params: ParamsOption = None,
    json: JsonOption = None,
) -> None:
    """Name every problem of a catalog file with its line or cell, and what is worth a look."""
    from bidproof.cli.catalog_checking import check_command

    raise typer.Exit(check_command(file, rfp or [], params, json))


@catalog_app.command()
def mark(
    file: _FileArgument,
    marks: Annotated[Path, typer.Argument(help="Marks that the review page saved: lines `id,mark`.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here instead of into the file itself."),
    ] = None,
    force: _ForceOption = False,
) -> None:
    """Apply what was marked on the review page: rules to drop, to make mandatory, to make optional."""
    from bidproof.cli.catalog_marking import mark_command

    mark_command(file, marks, output, force=force)


@catalog_app.command()
def accept(
    file: _FileArgument,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who accepts it.")],
    on: _OnOption = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here instead of into the file itself."),
    ] = None,
    force: _ForceOption = False,
) -> None:
    """Make a draft the accepted catalog: a person's act, with name and date."""
    from bidproof.cli.catalog_accepting import accept_command

    accept_command(file, by, on or today(), output, force=force)


@catalog_app.command()
def diff(
    old: Annotated[str, typer.Argument(help=_COMPARED)],
    new: Annotated[str, typer.Argument(help=_COMPARED)],
    params: ParamsOption = None,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """What differs between two catalogs or two revisions of an RFP, rule by rule, and which packs that makes stale."""
    from bidproof.cli.catalog_comparing import diff_command

    diff_command(old, new, json, warehouse, params)


@catalog_app.command()
def convert(
    file: _FileArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write: .yaml, .csv, .xlsx, .json or .html to read.",
        ),
    ],
    force: _ForceOption = False,
) -> None:
    """Write a catalog in another format; nothing of it is lost."""
    from bidproof.cli.catalog_accepting import convert_command

    convert_command(file, output, force=force)
