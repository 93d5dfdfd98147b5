"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WarehouseOption = Annotated[
    str,
    typer.Option(
        "--warehouse",
        metavar="DIR_OR_URL",
        help="Where tables and reports are kept.",
        envvar="BIDPROOF_WAREHOUSE",
    ),
]
TenderOption = Annotated[str | None, typer.Option("--tender", help="Only this tender (folder name or slug).")]
BidderOption = Annotated[str | None, typer.Option("--bidder", help="Only this bidder (folder name or slug).")]
ParamsOption = Annotated[
    Path | None,
    typer.Option(
        "--params", metavar="FILE", help="YAML parameters over those of the project and the tender."
    ),
]
JudgeOption = Annotated[
    str | None, typer.Option("--judge", metavar="NAME", help="Judge to use: predicate, openai or llama.")
]
NoDenseOption = Annotated[bool, typer.Option("--no-dense", help="Leave the embedding model out.")]
JsonOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Also write the result as JSON (- for standard output)."),
]
