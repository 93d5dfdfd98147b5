"""The standing regression: figures of a labelled set as rows of `evaluations`, and the check that holds recall.

Holds what a run of it is made from, so that an unchanged one is not run again, and when it fails. The history is the
table's own: every version stays in its manifest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime

import polars as pl

from bidproof.evaluation.evaluating import Evaluation
from bidproof.evaluation.labelled import LabelledSet
from bidproof.evaluation.metrics import Figure, figure
from bidproof.evaluation.waterfall import KEPT
from bidproof.intake.source_files import hash_file
from bidproof.model_files import folder_digest
from bidproof.params import Params
from bidproof.stages import STAGES
from bidproof.store import CheckRecord, Manifest, Warehouse, digest, fingerprint
from bidproof.tables import EVALUATIONS

CODE = "3"
STAGE = "evaluations"
CHECK = "mandatory_recall"
_READ = (
    "documents",
    "chunking",
    "facts",
    "catalog",
    "retrieval",
    "dense",
    "selection",
    "judging",
    "verification",
)


def set_digest(labelled: LabelledSet) -> str:
    """Digest of what a set says and of the files that it speaks of, wherever they lie."""
    said = labelled.model_dump(mode="json", exclude={"packs": {"__all__": {"documents", "rfp"}}})
    files = [
        [pack.name, one.name, hash_file(one.path) if one.path else digest(one.text or "")]
        for pack in labelled.packs
        for one in (*pack.documents, *pack.rfp)
    ]
    return digest([said, files])


def code_versions() -> dict[str, str]:
    """Behaviour version of each stage, and of the evaluation itself."""
    return {**{stage.name: stage.code for stage in STAGES}, STAGE: CODE}


def evaluation_rows(done: Evaluation) -> pl.DataFrame:
    """Rows of `evaluations`: one a metric, over all items and language by language."""
    shared = {
        "set_name": done.labelled.name,
        "set_sha256": set_digest(done.labelled),
        "k": done.options.k,
        "params_sha256": digest(done.params.groups(_READ)),
        "code_versions": json.dumps(code_versions(), sort_keys=True),
    }
    groups: list[tuple[str, str, dict[str, Figure]]] = [
        ("retrieval", "", done.retrieval),
        ("verdicts", "", done.verdicts),
        *(("retrieval", language, figures) for language, figures in sorted(done.languages.items())),
    ]
    rows: list[dict[str, object]] = [
        {**shared, "kind": kind, "language": language, "metric": metric, **one.model_dump()}
        for kind, language, figures in groups
        for metric, one in figures.items()
    ]
    stages = [name for name in done.losses if name != "gold"]
    total = done.losses.get("gold", 0)
    for name in stages if total else []:
        share = figure(done.losses[name] / total, total)
        metric = name if name == KEPT else f"lost_{name}"
        rows.append({**shared, "kind": "losses", "language": "", "metric": metric, **share.model_dump()})
    return EVALUATIONS.frame(rows)


def recall_check(done: Evaluation) -> CheckRecord:
    """Whether Recall@k over mandatory rules holds `evaluation.min_recall`; blocking.

    A set without mandatory rules that have gold cannot hold it, and does not pass.
    """
    least, k = done.params.evaluation.min_recall, done.options.k
    found = done.retrieval.get(f"mandatory_recall@{k}")
    if found is None or found.value is None:
        return CheckRecord(CHECK, False, "the set has no mandatory rule with evidence", blocking=True)
    lost = [
        one.item.item_id
        for one in done.searched
        if one.gold and one.item.requirement.mandatory and not any(one.held_along(done.order(one)[:k]))
    ]
    said = f"Recall@{k} of {found.n} mandatory rules {found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
    said += f", least is {least:g} (evaluation.min_recall)" + (f"; lost: {', '.join(lost)}" if lost else "")
    return CheckRecord(CHECK, found.value >= least, said, blocking=True)


def regression(
    warehouse: Warehouse,
    labelled: LabelledSet,
    params: Params,
    run: Callable[[], Evaluation],
    run_id: str = "",
) -> tuple[Manifest, bool]:
    """Bring the figures of a set up to date; True where the committed ones already were.

    Figures that fail the check are kept with it: they are what a reader must see. `run` evaluates the set.
    """
    partition = re.sub(r"[^a-z0-9]+", "-", labelled.name.lower()).strip("-") or "set"
    groups = params.groups([*_READ, "evaluation"])
    inputs = {"set": set_digest(labelled), **{f"code:{name}": code for name, code in code_versions().items()}}
    if weights := folder_digest(params.retrieval.reranker):
        inputs["reranker"] = weights
    made_from = fingerprint(STAGE, CODE, inputs, groups)
    committed, _ = warehouse.usable(EVALUATIONS.name, partition)
    if committed is not None and committed.fingerprint == made_from:
        return committed, True
    started = datetime.now(UTC)
    done = run()
    frame = evaluation_rows(done)
    manifest = Manifest(
        table=EVALUATIONS.name, partition=partition, stage=STAGE, fingerprint=made_from,
        content=warehouse.stage_rows(EVALUATIONS.name, partition, made_from, frame), rows=frame.height, code=CODE,
        inputs=inputs, params=groups, metrics=_plotted(done), checks=(recall_check(done),),
        created=started.isoformat(timespec="seconds"), run_id=run_id,
        seconds=round((datetime.now(UTC) - started).total_seconds(), 3),
    )  # fmt: skip
    return warehouse.commit(manifest), False


def _plotted(done: Evaluation) -> dict[str, float]:
    """The figures that are worth a line over time."""
    k = done.options.k
    wanted = (f"recall@{k}", f"mandatory_recall@{k}", f"span_recall@{k}", "mrr", "passage_recall")
    figures = {**done.retrieval, **{f"verdict_{name}": one for name, one in done.verdicts.items()}}
    trusted = ("verdict_automatic", "verdict_automatic_false_pass")
    names = (*wanted, "verdict_accuracy", "verdict_false_pass", *trusted)
    values = {name: figures[name].value for name in names if name in figures}
    return {name: value for name, value in values.items() if value is not None}
