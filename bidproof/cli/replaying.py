"""`bidproof replay`: what other parameters would change, for people and for scripts; a grid of them as a table."""

from __future__ import annotations

import json as jsonlib
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import yaml

from bidproof.cli.evaluate import WarehouseCache, merged_layers, written_settings
from bidproof.cli.output import check_writable, write_text
from bidproof.cli.running import Display
from bidproof.errors import BadInputError
from bidproof.evaluation.replay import (
    Gold,
    Grid,
    PackReplay,
    Replay,
    Tools,
    chosen_packs,
    in_order,
    sweep,
    table_bytes,
    totals,
)
from bidproof.evaluation.replay.sweeping import DEFAULT_ORDER
from bidproof.intake.inbox import slug
from bidproof.params import Params, resolve
from bidproof.store import Warehouse

ENDINGS = (".csv", ".parquet")


@dataclass(frozen=True)
class Asked:
    """What is replayed: overrides as a layer, as settings (which win), and values of a grid; of which packs.

    `sort` names columns of a sweep, `-` before one for falling order.
    """

    layer: Mapping[str, Any]
    settings: Sequence[str] = ()
    grid: Sequence[str] = ()
    tender: str | None = None
    pack: str | None = None
    gold: Path | None = None
    sort: str = ""

    @property
    def fixed(self) -> dict[str, Any]:
        """Overrides that hold in every combination."""
        return merged_layers(self.layer, written_settings(list(self.settings)))


def replay_command(asked: Asked, warehouse: str, out: Path | None, json: Path | None) -> int:
    """Replay, print and write; 1 where no combination of a grid could be had.

    Raises:
        BadInputError: a setting, a pack, the gold or a file to write is wrong, or there is nothing to compare with.
    """
    _check(asked, out, json)
    store = Warehouse(warehouse)
    tools = Tools(WarehouseCache(store, "embeddings"), WarehouseCache(store, "rerank"))
    names = [name if name is None or "--" in name else slug(name) for name in (asked.tender, asked.pack)]
    replay = Replay(store, chosen_packs(store, names[0], names[1]), tools)
    if not replay.usable:
        first = replay.packs[0]
        raise BadInputError(first.pack, "has no verdicts to compare with", first.lacks)
    if asked.grid:
        return _sweep(replay, asked, out, json)
    replay.check(asked.fixed)
    started = time.monotonic()
    with Display() as display:
        found = replay.at(asked.fixed, lambda pack, done, total: display.tell("replay", pack, done, total))
    _answer(found, round(time.monotonic() - started, 2), json)
    return 0


def _check(asked: Asked, out: Path | None, json: Path | None) -> None:
    """Refuse at once what cannot be done."""
    check_writable(json)
    check_writable(out)
    if out is not None and not asked.grid:
        raise BadInputError("--out", "is the table of a grid", "add --grid, or use --json for one replay")
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise BadInputError(
            str(out), "unknown kind of table", f"name a file that ends in {' or '.join(ENDINGS)}"
        )
    if not asked.grid and (asked.gold or asked.sort):
        raise BadInputError("--gold, --sort", "belong to --grid", "add --grid, or leave them out")
    if not asked.grid and not asked.fixed:
        raise BadInputError(
            "replay", "nothing is to change", "add --set group.knob=value, e.g. selection.k=4"
        )


def grid_values(given: Sequence[str]) -> dict[str, list[Any]]:
    """Values of each knob of `group.knob=value,value,...` options, written as in YAML; each value once.

    Raises:
        BadInputError: one is not of that form, names no knob, or names one that another names.
    """
    found: dict[str, list[Any]] = {}
    for one in given:
        path, sign, values = one.partition("=")
        path = path.strip()
        group, dot, knob = path.partition(".")
        if not (sign and dot and group and knob and values.strip()):
            mend = "write group.knob=value,value, e.g. selection.k=2,3,4"
            raise BadInputError(f"--grid {one}", "is no list of values", mend)
        if path in found:
            raise BadInputError(f"--grid {one}", "names a knob twice", "give all its values in one list")
        try:
            read = yaml.safe_load(f"[{values}]")
        except yaml.YAMLError:
            raise BadInputError(
                f"--grid {one}", "has a value that cannot be read", "quote it as in YAML"
            ) from None
        if group not in Params.model_fields or knob not in type(getattr(Params(), group)).model_fields:
            resolve([("--grid", {group: {knob: read[0]}})])
        found[path] = [value for n, value in enumerate(read) if repr(value) not in map(repr, read[:n])]
    return found


def _sweep(replay: Replay, asked: Asked, out: Path | None, json: Path | None) -> int:
    grid = Grid(grid_values(asked.grid), asked.fixed)
    order = tuple(name.strip() for name in asked.sort.split(",") if name.strip()) or DEFAULT_ORDER
    gold = Gold.read(asked.gold) if asked.gold else None
    covered = gold.covers(replay.usable) if gold else []

    def keep(table: pl.DataFrame) -> None:
        # An unknown column to sort by is said at the first row, not after hours.
        _sorted(table, order)
        if out is not None:
            _replace(out, table_bytes(table, out.suffix.lower()))

    with Display() as display:
        table = sweep(
            replay, grid, gold, keep, lambda done, total: display.tell("grid", "sweep", done, total)
        )
    ordered = _sorted(table, order)
    if json is not None:
        record = {"packs": [one.pack for one in replay.usable], "gold": covered, "rows": table.to_dicts()}
        _write(record, json)
    if str(json) != "-":
        from bidproof.cli.replay_tables import print_sweep

        skipped = {one.pack: one.lacks for one in replay.packs if one.lacks}
        print_sweep(ordered, tuple(grid.values), skipped, out)
    return 1 if all(table["error"] != "") else 0


def _sorted(table: pl.DataFrame, order: Sequence[str]) -> pl.DataFrame:
    try:
        return in_order(table, order)
    except KeyError as error:
        what = f"there is no column {error.args[0]}"
        raise BadInputError("--sort", what, f"name some of {', '.join(table.columns)}") from None


def _replace(path: Path, content: bytes) -> None:
    """Write so that whoever looks sees whole rows only."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        what = f"cannot be written ({error.strerror})"
        raise BadInputError(str(path), what, "name a file in a folder you can write") from None


def _answer(found: Sequence[PackReplay], seconds: float, json: Path | None) -> None:
    if json is not None:
        packs = [{**one.model_dump(mode="json"), "rules": _rules(one)} for one in found]
        _write({"packs": packs, "total": totals(found).model_dump(mode="json"), "seconds": seconds}, json)
    if str(json) != "-":
        from bidproof.cli.replay_tables import print_replay

        print_replay(found, totals(found), seconds)


def _rules(pack: PackReplay) -> list[dict[str, Any]]:
    return [{**rule.model_dump(mode="json"), "flip": rule.flip} for rule in pack.rules]


def _write(record: Mapping[str, Any], json: Path) -> None:
    text = jsonlib.dumps(record, indent=1, ensure_ascii=False)
    if str(json) == "-":
        print(text)
    else:
        write_text(json, text + "\n")
