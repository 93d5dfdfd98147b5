"""`bidproof evaluate --planted N`: what became of planted facts, as a table and as JSON."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bidproof.cli.evaluate import WarehouseCache, merged_layers, settings, write_record
from bidproof.cli.output import check_writable, say
from bidproof.cli.running import Display
from bidproof.evaluation import Tools
from bidproof.evaluation.planting import (
    PlantedResult,
    find_planted,
    make_plants,
    planted_copy,
    planting_ground,
)
from bidproof.evaluation.planting.finding import Stages
from bidproof.evaluation.waterfall import STAGES
from bidproof.params import load_params
from bidproof.retrieval import make_embedder
from bidproof.store import Warehouse

_KINDS = ("form", "language", "rule", "page")


@dataclass(frozen=True)
class Planting:
    """What is planted, and where."""

    count: int
    seed: int
    tender: str | None = None
    bidder: str | None = None
    catalog: Path | None = None
    keep: Path | None = None


def evaluate_planted(
    path: Path, planting: Planting, warehouse: str, given: tuple[Mapping[str, Any], list[str]], k: int | None,
    json: Path | None,
) -> PlantedResult:  # fmt: skip
    """Plant into a copy of the pack at `path`, run the stages, print, and write.

    Raises:
        BadInputError: the pack, a parameter or the output file is wrong.
    """
    check_writable(json)
    layer, written = given
    params = load_params(Path("."), None, merged_layers(layer, settings(written)))
    ground = planting_ground(path, planting.tender, planting.bidder, planting.catalog)
    plants = make_plants(planting.count, planting.seed, ground.rules, ground.french)
    store = Warehouse(warehouse)
    with tempfile.TemporaryDirectory(prefix="bidproof-planted-") as folder, Display() as display:
        display.tell("planting", ground.name, 0, 3)
        copy = planting.keep or Path(folder) / "pack"
        documents, places = planted_copy(ground.documents, plants, copy, planting.seed)
        tools = Tools(
            params, make_embedder(params.dense), WarehouseCache(store, "parsed"), WarehouseCache(store, "embeddings"),
            Path(folder),
        )  # fmt: skip
        display.tell("reading", ground.name, 1, 3)
        done = find_planted(
            ground, documents, plants, places, tools, planting.seed, k or params.evaluation.k,
            lambda what: display.tell(what, ground.name, 2, 3),
        )  # fmt: skip
    write_record(done.record(), json)
    if str(json) != "-":
        print_planted(done)
    return done


def planted_command(
    path: Path, planting: Planting, warehouse: str, given: tuple[Mapping[str, Any], list[str]], k: int | None,
    check: bool, json: Path | None,
) -> int:  # fmt: skip
    """Evaluate plants; 1 where `check` is asked for and too few of them are among the candidates.

    Raises:
        BadInputError: as `evaluate_planted`.
    """
    done = evaluate_planted(path, planting, warehouse, given, k, json)
    least, found = done.least, done.stages["candidates"].value or 0.0
    if not check or found >= least:
        return 0
    said = f"{found:.3f} of the plants are among the candidates, least is {least:g} (evaluation.min_recall)"
    print(f"bidproof: {done.pack}: {said}", file=sys.stderr)
    return 1


def print_planted(done: PlantedResult) -> None:
    """The waterfall by kind of plant, with the 95% interval of its share in the candidates, and each plant lost."""
    from rich.console import Console

    console = Console(highlight=False)
    console.print(_table(done))
    at = done.losses
    lost = ", ".join(f"{name} {at[name]}" for name in (*STAGES, "kept"))
    console.print(f"of {len(done.plants)} plants, by where they end: {lost}", soft_wrap=True)
    for stage, plant, place in done.lost:
        say(
            f"{stage}: {plant.form}, {place.file_name} p. {place.page}: {plant.words} (for: {plant.rule.text})"
        )
    for note in done.unread:
        say(note)


def _table(done: PlantedResult) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    title = f"{len(done.plants)} plants in {done.pages} pages of {done.pack}, seed {done.seed}, k {done.k}"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in ("plants", "n", *STAGES, "95%"):
        table.add_column(name, justify="left" if name == "plants" else "right", no_wrap=True)
    kinds = done.kinds
    rows = [("all", done.stages)] + [
        (name, one) for kind in _KINDS for name, one in _named(kind, kinds[kind])
    ]
    for name, stages in rows:
        counts = [_count(stages, stage) for stage in STAGES]
        low, high = stages["candidates"].low or 0.0, stages["candidates"].high or 0.0
        table.add_row(name, str(stages["parse"].n), *counts, f"{low:.2f} to {high:.2f}")
    return table


def _named(kind: str, groups: Mapping[str, Stages]) -> list[tuple[str, Stages]]:
    """Groups of a kind with names that can stand in one column; none where there is only one."""
    lead = {"rule": "rule ", "page": "page ", "language": "language "}.get(kind, "")
    return [(lead + name, one) for name, one in groups.items()] if len(groups) > 1 else []


def _count(stages: Stages, stage: str) -> str:
    figure = stages[stage]
    return str(round((figure.value or 0.0) * figure.n))
