"""Commands and their options. Each is a few lines over a module of its own; exit codes are decided here.

0 done, 1 a stage failed, 2 bad input (one clear line naming the file and the mend).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bidproof import __version__
from bidproof.cli.audit import audit_app
from bidproof.cli.catalog import catalog_app
from bidproof.cli.options import (
    BidderOption,
    JsonOption,
    JudgeOption,
    NoDenseOption,
    ParamsOption,
    TenderOption,
    WarehouseOption,
)
from bidproof.cli.override import override
from bidproof.errors import BadInputError, BidproofError

app = typer.Typer(
    name="bidproof",
    help="Checks bid packs against an RFP's rules and proves every verdict with a quote, a page and a box.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(catalog_app)
app.add_typer(audit_app)
app.command()(override)

DEBUG = "BIDPROOF_DEBUG"
"""With this variable set, faults of the program itself are shown with all their lines."""
STOPPED = "bidproof: stopped; run again and it goes on where it was"


def run_app() -> None:
    """Run a command and turn errors into one line and an exit code; a traceback never reaches the user."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
        sys.stdout.flush()
    except SystemExit as end:
        # Typer turns Control-C into an exit without a word.
        if end.code == 130:
            print(STOPPED, file=sys.stderr)
        raise
    except BadInputError as error:
        print(f"bidproof: {error}", file=sys.stderr)
        sys.exit(2)
    except BidproofError as error:
        print(f"bidproof: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - what is left to write has nowhere to go
        print(f"bidproof: {_unforeseen(error)}", file=sys.stderr)
        sys.exit(1)


def _unforeseen(error: Exception) -> str:
    """One line for an error that no module foresaw."""
    said = " ".join(str(error).split())[:300] or "no details"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{(error.strerror or said).lower()}; make room or give access, and run again"
    return f"fault in the program ({type(error).__name__}: {said}); report it with what {DEBUG}=1 shows"


def overrides(params: Path | None, judge: str | None, no_dense: bool) -> dict[str, Any]:
    """Parameter overrides of the command line, checked at once."""
    from bidproof.params import read_overrides, resolve

    layer: dict[str, Any] = read_overrides(params) if params else {}
    if params:
        resolve([(str(params), layer)])
    if judge:
        layer = {**layer, "judging": {**layer.get("judging", {}), "judge": judge}}
    if no_dense:
        layer = {**layer, "dense": {**layer.get("dense", {}), "enabled": False}}
    resolve([("command line", layer)])
    return layer


@app.command()
def run(
    inbox: Annotated[
        Path,
        typer.Argument(
            help="Folder of tenders: <tender>/rfp, <tender>/catalog.yaml, <tender>/bids/<bidder>."
        ),
    ],
    tender: TenderOption = None,
    bidder: BidderOption = None,
    params: ParamsOption = None,
    judge: JudgeOption = None,
    no_dense: NoDenseOption = False,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Bring an inbox up to date: read, find, judge, prove. Only what changed is computed."""
    from bidproof.cli.running import run_command

    raise typer.Exit(run_command(inbox, warehouse, tender, bidder, overrides(params, judge, no_dense), json))


@app.command()
def status(
    inbox: Annotated[Path | None, typer.Argument(hidden=True)] = None,
    tender: TenderOption = None,
    params: ParamsOption = None,
    judge: JudgeOption = None,
    no_dense: NoDenseOption = False,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Which stages are fresh, which are stale, and why. Computes nothing."""
    from bidproof.cli.status import status_command

    if inbox is not None:
        what = "status takes no inbox: it tells of the warehouse, which knows its inboxes"
        raise BadInputError(str(inbox), what, "leave it out, or name --warehouse DIR or --tender TENDER")
    status_command(warehouse, tender, overrides(params, judge, no_dense), json)


@app.command()
def matrix(
    tender: Annotated[str, typer.Argument(help="Tender slug or folder name.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="File to write (- for standard output).")
    ],
    format: Annotated[
        str | None,
        typer.Option("--format", help="html, xlsx, csv or json; by the file's ending if left out."),
    ] = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Write the compliance matrix of a tender."""
    from bidproof.cli.exporting import matrix_command

    matrix_command(warehouse, tender, format, output)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Words, numbers or codes to look for.")],
    pack: Annotated[str | None, typer.Option("--pack", help="Only this pack (tender--bidder).")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="Search this file instead of the warehouse.")
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, max=1000, help="Hits to show.")] = 10,
    no_dense: NoDenseOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print hits as JSON.")] = False,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Find passages, with document, page, box and scores."""
    from bidproof.cli.searching import search_command

    search_command(warehouse, query, pack, file, top, overrides(None, None, no_dense), json)


@app.command()
def evaluate(
    set_dir: Annotated[
        Path,
        typer.Argument(
            help="Folder of a labelled set; its kind is told by its files. With --planted: an inbox, a bidder's folder or a PDF."
        ),
    ],
    k: Annotated[int | None, typer.Option("--k", min=1, max=1000, help="Candidates that count (30).")] = None,
    params: ParamsOption = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="One parameter, e.g. selection.k=4."),
    ] = None,
    legs: Annotated[
        str, typer.Option("--legs", metavar="NAMES", help="Rank by these legs only: bm25,dense,tags,clause.")
    ] = "",
    ablation: Annotated[bool, typer.Option("--ablation", help="Also measure each leg alone.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first items.")] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Exit with 1 where recall (mandatory; of plants: all) is below evaluation.min_recall.",
        ),
    ] = False,
    no_verdicts: Annotated[bool, typer.Option("--no-verdicts", help="Leave judging out.")] = False,
    learning: Annotated[
        bool,
        typer.Option(
            "--learning", help="Also rank each pack by what was confirmed in the others (bidproof learn)."
        ),
    ] = False,
    planted: Annotated[
        int | None,
        typer.Option(
            "--planted",
            min=1,
            max=5000,
            metavar="N",
            help="Put N facts into a copy of the pack and find them.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="What is planted, and where (1).")] = 1,
    catalog: Annotated[
        Path | None, typer.Option("--catalog", metavar="FILE", help="Plant for the rules of this catalog.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Leave the planted copy of the pack here.")
    ] = None,
    tender: TenderOption = None,
    bidder: BidderOption = None,
    no_dense: NoDenseOption = False,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Measure retrieval and verdicts on a labelled set, or recall by planted facts, without labels.

    Each figure comes with its number of cases and its interval. Planted facts answer the rules of the tender's
    catalog, and made rules beyond those. They are written in figures, words, French, tables, footnotes, lists and
    over page breaks, and each loss is named by its stage.
    """
    given = (overrides(params, None, no_dense), settings or [])
    if planted is not None:
        from bidproof.cli.evaluate_planted import Planting, planted_command

        if legs or ablation or limit or learning:
            raise BadInputError(
                "--planted", "takes no --legs, --ablation, --limit or --learning", "leave them out"
            )
        planting = Planting(planted, seed, tender, bidder, catalog, keep)
        raise typer.Exit(planted_command(set_dir, planting, warehouse, given, k, check, json))
    if tender or bidder or catalog or keep:
        raise BadInputError(
            "--tender, --bidder, --catalog, --keep",
            "belong to --planted",
            "add --planted N or leave them out",
        )
    from bidproof.cli.evaluate import evaluate_set

    raise typer.Exit(evaluate_set(
        set_dir, warehouse, given, k, legs, ablation, limit, check, not no_verdicts, json, learning,
    ))  # fmt: skip


@app.command()
def plan(
    inbox: Annotated[Path, typer.Argument(help="Folder of tenders, as `run` takes it.")],
    tender: TenderOption = None,
    bidder: BidderOption = None,
    params: ParamsOption = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="NAME", help="Judge to plan for (predicate, llama, openai)."),
    ] = None,
    no_dense: NoDenseOption = False,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Tokens, cost and time that a model judge will take, before it is asked anything.

    By the passages of the warehouse where they are fresh, else estimated from pages and sizes. The plan is kept, and
    `v_token_plan_vs_actual` holds it against what a run used.
    """
    from bidproof.cli.planning import plan_command

    plan_command(inbox, warehouse, tender, bidder, overrides(params, None, no_dense), judge, json)


@app.command()
def learn(
    tender: Annotated[str, typer.Argument(help="Tender slug or folder name.")],
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels", metavar="DIR", help="Folder of gold of this tender's packs, as `evaluate` reads."
        ),
    ] = None,
    params: ParamsOption = None,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Learn how confirmed evidence of each rule looks, for ranking only.

    It is tried on each pack by what was confirmed in the others, and in use only where that ranks evidence higher by
    more than chance. The figure and the decision are kept, and `status` shows them.
    """
    from bidproof.cli.learning import learn_command

    learn_command(warehouse, tender, labels, overrides(params, None, False), json)


@app.command()
def replay(
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="One parameter, e.g. selection.k=4."),
    ] = None,
    params: ParamsOption = None,
    grid: Annotated[
        list[str] | None,
        typer.Option("--grid", metavar="KEY=VALUE,...", help="Values to try, e.g. selection.k=2,3,4."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Table of a grid, .csv or .parquet.")
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="DIR", help="Gold of the tender, for a grid's columns of evidence."),
    ] = None,
    sort: Annotated[
        str,
        typer.Option("--sort", metavar="COLUMNS", help="Order of a grid's rows, e.g. flips,-evidence_kept."),
    ] = "",
    tender: TenderOption = None,
    pack: Annotated[
        str | None, typer.Option("--pack", help="Only this pack (tender--bidder, or bidder).")
    ] = None,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """What other parameters would change in the packs of the warehouse. Writes no table and asks no model."""
    from bidproof.cli.replaying import Asked, replay_command

    asked = Asked(overrides(params, None, False), settings or (), grid or (), tender, pack, gold, sort)
    raise typer.Exit(replay_command(asked, warehouse, out, json))


@app.command()
def prune(
    gone: Annotated[
        bool, typer.Option("--gone", help="Also all that is kept of bidders whose folders are gone.")
    ] = False,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Delete versions of tables that nothing points at any more."""
    from bidproof.cli.pruning import prune_command

    prune_command(warehouse, gone)


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)
