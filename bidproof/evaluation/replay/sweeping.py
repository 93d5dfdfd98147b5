"""A grid of settings over the same packs: one row a combination, for an engineer to sort.

Holds the grid, its order of work and the columns of the table. What one combination changes stands in `replaying`.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import polars as pl

from bidproof.errors import BidproofError
from bidproof.evaluation.replay.gold import Gold, GoldCount
from bidproof.evaluation.replay.parameters import Layer
from bidproof.evaluation.replay.replaying import Replay, totals
from bidproof.evaluation.replay.stored import CHAIN
from bidproof.records import Status

FLIPS = {
    f"{was.value.lower()}_to_{now.value.lower()}": f"{was.value} > {now.value}"
    for was in Status
    for now in Status
    if was is not now
}
"""Columns of the table that count flips, each with its name among the totals."""

COLUMNS: dict[str, pl.DataType | type[pl.DataType]] = {
    "candidates_changed": pl.Int64, "candidates_moved": pl.Int64, "passages_changed": pl.Int64, "rules_changed": pl.Int64,
    "flips": pl.Int64, "reviews_lifted": pl.Int64, "flips_to_pass": pl.Int64, "flips_from_pass": pl.Int64,
    "unknown": pl.Int64, "gates_changed": pl.Int64, "tokens": pl.Int64, "tokens_change": pl.Int64, "evidence_kept": pl.Float64,
    "evidence_spans": pl.Int64, "wrong_passes": pl.Int64, "right_verdicts": pl.Int64, "labelled_verdicts": pl.Int64,
    **dict.fromkeys(FLIPS, pl.Int64), "seconds": pl.Float64, "error": pl.String,
}  # fmt: skip
"""Columns after those of the knobs. Those of gold are empty without gold, all but the last two where a row has an error."""

DEFAULT_ORDER = (
    "wrong_passes",
    "reviews_lifted",
    "flips_to_pass",
    "-evidence_kept",
    "unknown",
    "flips",
    "tokens",
)
"""What a sweep is sorted by at a terminal: the worst fault first, then what a judge would not see, then cost."""

Row = dict[str, Any]
Keep = Callable[[pl.DataFrame], None]
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Grid:
    """Values of each knob by its path, in the order given, and settings that all combinations share."""

    values: Mapping[str, Sequence[Any]]
    fixed: Layer = field(default_factory=dict)

    def __len__(self) -> int:
        return len(list(self.combinations()))

    def combinations(self) -> Iterator[dict[str, Any]]:
        """Value of each knob, the last knob changing fastest."""
        for values in product(*self.values.values()):
            yield dict(zip(self.values, values, strict=True))

    def work_order(self) -> list[int]:
        """Numbers of the combinations, those together that share the early stages: each of these then runs once."""
        depths = sorted(self.values, key=_depth)
        found = list(self.combinations())
        place = {knob: {repr(value): n for n, value in enumerate(self.values[knob])} for knob in depths}
        return sorted(range(len(found)), key=lambda n: [place[knob][repr(found[n][knob])] for knob in depths])

    def layer(self, combination: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """A combination as overrides, over what is fixed."""
        found = {group: dict(knobs) for group, knobs in self.fixed.items()}
        for path, value in combination.items():
            group, _, knob = path.partition(".")
            found.setdefault(group, {})[knob] = value
        return found


def _depth(path: str) -> int:
    """Place in the graph of the first stage that heeds a knob."""
    group = path.partition(".")[0]
    return next((n for n, stage in enumerate(CHAIN) if group in stage.params), len(CHAIN))


def sweep(
    replay: Replay, grid: Grid, gold: Gold | None = None, keep: Keep | None = None, tell: Tell | None = None
) -> pl.DataFrame:
    """One row a combination, in the grid's order; a combination that cannot be had is a row with its error.

    Args:
        replay: the packs.
        grid: what is tried.
        gold: gold of some of the packs.
        keep: given the rows so far after each combination, so that a sweep that is stopped has lost nothing.
        tell: told how many combinations are done.
    """
    combinations = list(grid.combinations())
    done: dict[int, Row] = {}
    for count, number in enumerate(grid.work_order()):
        if tell:
            tell(count, len(combinations))
        done[number] = _row(replay, grid, combinations[number], gold)
        if keep:
            keep(_table(grid, done))
    if tell:
        tell(len(combinations), len(combinations))
    return _table(grid, done)


def _row(replay: Replay, grid: Grid, combination: Mapping[str, Any], gold: Gold | None) -> Row:
    started = time.monotonic()
    try:
        measured = _measured(replay, grid.layer(combination), gold)
        error = ""
    except BidproofError as failed:
        measured, error = {}, " ".join(str(failed).split())
    except (ArithmeticError, LookupError, TypeError, ValueError) as failed:
        # A value that a stage cannot work with is the row's own fault: the other combinations go on.
        measured, error = {}, f"{type(failed).__name__}: {' '.join(str(failed).split())[:300]}"
    shown = {path: _plain(value) for path, value in combination.items()}
    return {**shown, **measured, "seconds": round(time.monotonic() - started, 3), "error": error}


def _measured(replay: Replay, layer: Layer, gold: Gold | None) -> Row:
    found = totals(replay.at(layer))
    row: Row = {
        "candidates_changed": found.candidates_added + found.candidates_dropped,
        "passages_changed": found.passages_added + found.passages_dropped,
        "tokens": found.tokens_after, "tokens_change": found.tokens_after - found.tokens_before,
        **{name: found.flips_by.get(flip, 0) for name, flip in FLIPS.items()},
    }  # fmt: skip
    same = (
        "candidates_moved",
        "rules_changed",
        "flips",
        "reviews_lifted",
        "flips_to_pass",
        "flips_from_pass",
        "unknown",
        "gates_changed",
    )
    row |= {name: getattr(found, name) for name in same}
    if gold is not None:
        count = sum((gold.count(replay.tables(pack, layer)[1]) for pack in replay.usable), GoldCount())
        row |= {
            "evidence_kept": count.share_kept, "evidence_spans": count.spans, "wrong_passes": count.wrong_passes,
            "right_verdicts": count.right, "labelled_verdicts": count.labelled,
        }  # fmt: skip
    return row


def _plain(value: Any) -> Any:
    """A knob's value as a cell: lists and the like as text."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _table(grid: Grid, done: Mapping[int, Row]) -> pl.DataFrame:
    rows = [done[number] for number in sorted(done)]
    knobs = [pl.Series(path, _column([row[path] for row in rows])) for path in grid.values]
    rest = {name: [row.get(name) for row in rows] for name in COLUMNS}
    return pl.DataFrame([*knobs, *pl.DataFrame(rest, schema=COLUMNS).get_columns()])


def _column(values: list[Any]) -> list[Any]:
    """Values of one kind: numbers stay numbers, a mixture is text."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        return [float(value) if float in kinds and value is not None else value for value in values]
    return values if len(kinds) < 2 else [None if value is None else str(value) for value in values]


def in_order(table: pl.DataFrame, by: Sequence[str] = DEFAULT_ORDER) -> pl.DataFrame:
    """Rows of a sweep sorted by columns, `-` before a name for falling order; rows with an error come last.

    Raises:
        KeyError: there is no such column.
    """
    names = [name.removeprefix("-") for name in by]
    if unknown := [name for name in names if name not in table.columns]:
        raise KeyError(unknown[0])
    failed = (pl.col("error") != "").alias("failed")
    return table.sort(
        [failed, *names],
        descending=[False, *(name.startswith("-") for name in by)],
        nulls_last=True,
        maintain_order=True,
    )


def table_bytes(table: pl.DataFrame, ending: str) -> bytes:
    """A sweep as a CSV or Parquet file, by `ending` (`.csv` or `.parquet`)."""
    sink = io.BytesIO()
    if ending == ".parquet":
        table.write_parquet(sink)
    else:
        table.write_csv(sink)
    return sink.getvalue()
