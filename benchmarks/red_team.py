"""Errors planted in the shipped example, each followed to the finding on its rule: how many come out as a Pass.

    python benchmarks/red_team.py [--kind KIND ...] [--rule RULE ...] [--warehouse DIR] [--dense] [--json FILE]

The errors stand in `red_team.yaml`: wrong figures and units, negations, echoes, forged quotes, swapped rules, wrong
pages, hidden text, blank forms, superseded editions and contradictions, in English and French. An error is missed where
its rule comes out as a Pass that nobody would look at. Prints the catch rate by kind with its 95% interval, and each
miss; exit code 1 where there is one. With `--dense`, the dense leg and the objections that follow from it as well, which takes
some seconds more for each error; it needs a warehouse to keep vectors in.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from bidproof.cli.evaluate import WarehouseCache, figure_cells
from bidproof.evaluation import LabelledSet, Tools, read_set
from bidproof.evaluation.trust.red_team import PlantedError, RedTeam, Result, catch_rates, read_errors
from bidproof.evaluation.trust.red_team.pack import RedPack
from bidproof.params import Params
from bidproof.retrieval import make_embedder
from bidproof.store import Warehouse

ROOT = Path(__file__).resolve().parents[1]
ERRORS = Path(__file__).with_name("red_team.yaml")
GOLD = ROOT / "examples/gold"


def red_team(labelled: LabelledSet, bidders: set[str], tools: Tools, folder: Path) -> RedTeam:
    """The packs of `bidders` in a labelled set, read and ready."""
    packs = {}
    for pack in labelled.packs:
        bidder = pack.name.rpartition("--")[2]
        if bidder in bidders:
            rules = {
                one.requirement.rule_id: one.requirement for one in labelled.items if one.pack == pack.name
            }
            packs[bidder] = RedPack.read(pack, rules, tools)
    return RedTeam(packs, folder)


def told(number: int, result: Result) -> None:
    """One line a result."""
    cheap = "" if result.control else " (the right statement is doubted too)"
    print(f"{number:3} {'MISSED' if result.missed else 'caught'}{cheap} {result.line}", flush=True)


def report(results: list[Result]) -> None:
    """The catch rate by kind, and each miss."""
    print(f"\n{'kind':20} {'caught':>7} {'n':>4}   95% interval")
    for kind, figure in catch_rates(results).items():
        value, n, interval = figure_cells(figure)
        print(f"{kind:20} {value:>7} {n:>4}   {interval}")
    french = [one for one in results if one.error.language == "fr"]
    sure = [one for one in results if one.control]
    print(f"{len(french)} in French; of {len(sure)} the right statement in the same place stands by itself")
    for one in results:
        if one.missed:
            print(f"MISSED {one.line}")


def main() -> None:
    """Plant what is asked for, print, and say by the exit code whether anything was missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kind", nargs="+", default=[])
    parser.add_argument("--rule", nargs="+", default=[])
    parser.add_argument("--warehouse")
    parser.add_argument("--dense", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    errors: list[PlantedError] = [
        one
        for one in read_errors(ERRORS)
        if (not options.kind or one.kind in options.kind) and (not options.rule or one.rule in options.rule)
    ]
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        store = Warehouse(options.warehouse or f"{folder}/warehouse")
        texts = Path(folder) / "texts"
        printed = Path(folder) / "printed"
        texts.mkdir()
        printed.mkdir()
        params = Params()
        embedder = make_embedder(params.dense) if options.dense else None
        tools = Tools(
            params, embedder, WarehouseCache(store, "parsed"), WarehouseCache(store, "embeddings"), texts
        )
        team = red_team(read_set(GOLD), {one.bidder for one in errors}, tools, printed)
        results = team.results(errors, told)
    report(results)
    print(f"{len(results)} errors in {time.monotonic() - started:.0f} s")
    if options.json:
        records = [{**one.model_dump(mode="json"), "missed": one.missed} for one in results]
        options.json.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit(1 if any(one.missed for one in results) else 0)


if __name__ == "__main__":
    main()
