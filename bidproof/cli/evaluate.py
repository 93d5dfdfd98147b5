"""`bidproof evaluate`: figures of a labelled set as a table and as JSON."""

from __future__ import annotations

import json as jsonlib
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from bidproof.cli.output import check_writable, write_text
from bidproof.cli.running import Display
from bidproof.errors import BadInputError
from bidproof.evaluation import Evaluation, LabelledSet, Options, Tools, evaluate, read_set, recall_check
from bidproof.evaluation.metrics import Figure
from bidproof.params import Params, load_params, resolve
from bidproof.retrieval import make_embedder, make_reranker
from bidproof.store import Warehouse

_ALWAYS = ("mrr", "map", "ndcg@10", "precision@5", "passage_recall")
_COLUMNS = ("recall@8", "hit@5", "hit@10", "mrr", "map")


class WarehouseCache:
    """One kind of costly unit in a warehouse's cache, shared with the pipeline's own runs."""

    def __init__(self, warehouse: Warehouse, kind: str) -> None:
        self._warehouse, self._kind = warehouse, kind

    def get(self, key: str) -> bytes | None:
        """Bytes under `key`, or None."""
        return self._warehouse.cache_get(self._kind, key)

    def put(self, key: str, content: bytes) -> None:
        """Keep `content` under `key`."""
        self._warehouse.cache_put(self._kind, key, content)


def settings(given: list[str]) -> dict[str, Any]:
    """Overrides of `group.knob=value` options, values written as in YAML.

    Raises:
        BadInputError: one is not of that form, or names no knob.
    """
    layer = written_settings(given)
    resolve([("--set", layer)])
    return layer


def written_settings(given: list[str]) -> dict[str, Any]:
    """The same as they are written, for whoever checks them beside other parameters.

    Raises:
        BadInputError: one is not of that form.
    """
    layer: dict[str, Any] = {}
    for one in given:
        path, sign, value = one.partition("=")
        group, dot, knob = path.strip().partition(".")
        if not (sign and dot and group and knob):
            raise BadInputError(f"--set {one}", "is no setting", "write group.knob=value, e.g. selection.k=4")
        try:
            read = yaml.safe_load(value)
        except yaml.YAMLError:
            raise BadInputError(
                f"--set {one}", "has no value that can be read", "quote it as in YAML"
            ) from None
        layer.setdefault(group, {})[knob] = read
    return layer


def evaluate_set(
    set_dir: Path, warehouse: str, given: tuple[Mapping[str, Any], list[str]], k: int | None, legs: str, ablation: bool,
    limit: int | None, check: bool, verdicts: bool, json: Path | None, learning: bool = False,
) -> int:  # fmt: skip
    """Evaluate, print, and write; 1 where `check` is asked for and recall does not hold.

    `given` are overrides as a layer and as settings, which win.

    Raises:
        BadInputError: the set, a parameter, a leg or the output file is wrong.
    """
    check_writable(json)
    layer, written = given
    params = load_params(Path("."), None, merged_layers(layer, settings(written)))
    named = tuple(dict.fromkeys(leg.strip() for leg in legs.split(",") if leg.strip()))
    options = Options(k or params.evaluation.k, named, ablation, verdicts, learning)
    options.check()
    labelled = read_set(set_dir).limited(limit)
    done = _evaluated(labelled, params, Warehouse(warehouse), options)
    held = recall_check(done)
    record = done.record()
    if "mandatory_recall@1" in done.retrieval:
        record["check"] = {"name": held.name, "passed": held.passed, "message": held.message}
    write_record(record, json)
    if str(json) != "-":
        _print(done)
    if check and not held.passed:
        print(f"bidproof: {labelled.name}: {held.message}", file=sys.stderr)
        return 1
    return 0


def merged_layers(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """Overrides of several layers as one, group by group, later ones winning."""
    found: dict[str, Any] = {}
    for layer in layers:
        for group, knobs in layer.items():
            found[group] = {**found.get(group, {}), **knobs} if isinstance(knobs, Mapping) else knobs
    return found


def _evaluated(labelled: LabelledSet, params: Params, store: Warehouse, options: Options) -> Evaluation:
    with tempfile.TemporaryDirectory(prefix="bidproof-evaluate-") as folder, Display() as display:
        tools = Tools(
            params, make_embedder(params.dense), WarehouseCache(store, "parsed"), WarehouseCache(store, "embeddings"),
            Path(folder), make_reranker(params.retrieval, WarehouseCache(store, "rerank")),
        )  # fmt: skip
        return evaluate(
            labelled, tools, options,
            lambda pack, number, total: display.tell(pack or "figures", labelled.name, number, total),
        )  # fmt: skip


def write_record(record: dict[str, Any], json: Path | None) -> None:
    """Write a result as JSON to the file that was named, or to standard output; nothing where none was.

    Raises:
        BadInputError: the file cannot be written.
    """
    if json is None:
        return
    text = jsonlib.dumps(record, indent=1, ensure_ascii=False) + "\n"
    if str(json) == "-":
        sys.stdout.write(text)
    else:
        write_text(json, text)


def _shown(done: Evaluation) -> dict[str, Figure]:
    """The figures that a person looks at first; the JSON holds all."""
    k = done.options.k
    cuts = {
        "recall": (8, k),
        "rule_recall": (8, k),
        "span_recall": (k,),
        "mandatory_recall": (k,),
        "hit": (5, 10, 20),
    }
    names = [f"{name}@{cut}" for name, at in cuts.items() for cut in at]
    chars = ("char_precision@8", "char_recall@8")
    names += [
        *_ALWAYS,
        *chars,
        *(f"chunk_{name}" for name in (f"recall@{k}", "mrr", "passage_recall", *chars)),
    ]
    return {name: done.retrieval[name] for name in dict.fromkeys(names) if name in done.retrieval}


def _print(done: Evaluation) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(title=f"{done.labelled.name} ({done.labelled.format})", title_justify="left")
    for name in ("metric", "value", "n", "95% interval"):
        table.add_column(name, justify="left" if name == "metric" else "right")
    groups = [("", _shown(done)), ("verdict ", done.verdicts)]
    k = f"recall@{done.options.k}"
    groups += [(f"{language} ", {k: one[k], "mrr": one["mrr"]}) for language, one in done.languages.items()]
    for lead, figures in groups:
        for name, one in figures.items():
            table.add_row(lead + name, *figure_cells(one))
    console.print(table)
    if done.losses.get("gold"):
        lost = ", ".join(f"{name} {count}" for name, count in done.losses.items() if name != "gold")
        console.print(f"of {done.losses['gold']} gold spans, by where they end: {lost}", soft_wrap=True)
    if done.ablation:
        console.print(_ablation(done))
    for gained in (done.reranker, done.learning):
        if gained:
            console.print(gained.line, soft_wrap=True, markup=False)
    for note in done.notes:
        console.print(note, soft_wrap=True, markup=False)


def figure_cells(one: Figure) -> tuple[str, str, str]:
    """Value, number of cases and interval, as they stand in a table."""
    if one.value is None or one.low is None or one.high is None:
        return "-", str(one.n), "-"
    return f"{one.value:.3f}", str(one.n), f"{one.low:.3f} to {one.high:.3f}"


def _ablation(done: Evaluation) -> Any:
    from rich.table import Table

    table = Table(title="order by", title_justify="left")
    first = next(iter(done.ablation.values()))
    columns = [name for name in dict.fromkeys((*_COLUMNS, f"recall@{done.options.k}")) if name in first]
    table.add_column("leg")
    for name in columns:
        table.add_column(name, justify="right")
    for leg, figures in done.ablation.items():
        table.add_row(leg, *(figure_cells(figures[name])[0] for name in columns))
    return table
