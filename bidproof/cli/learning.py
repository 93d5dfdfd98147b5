"""`bidproof learn`: prototypes from confirmed evidence of a tender, tried on packs held out, switched on if they help."""

from __future__ import annotations

import json as jsonlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bidproof.catalog import requirements_from_table
from bidproof.catalog.building import catalog_version_of
from bidproof.cli.evaluate import WarehouseCache
from bidproof.cli.output import check_writable, write_text
from bidproof.cli.running import Display
from bidproof.errors import BadInputError
from bidproof.evaluation import LabelledSet, Tools, read_set
from bidproof.evaluation.confirming import both, overrides_as_labels, under_pack_names
from bidproof.evaluation.learning_record import learn
from bidproof.intake.inbox import slug
from bidproof.learned import learning_record
from bidproof.retrieval import make_embedder
from bidproof.staleness import Sources, find_sources
from bidproof.store import Warehouse
from bidproof.tables import TABLES

OVERRIDES = "overrides"


def learn_command(
    warehouse: str, tender: str, labels: Path | None, overrides: Mapping[str, Any], json: Path | None
) -> None:
    """Learn, print the check's line, and write it.

    Raises:
        BadInputError: the tender or the labels are unknown, or nothing of the tender was confirmed.
    """
    check_writable(json)
    store = Warehouse(warehouse)
    name = tender if tender in store.sources() else slug(tender)
    sources = find_sources(store, name, Path("."), overrides)
    requirements = store.read("requirements", name)
    if requirements.is_empty():
        raise BadInputError(tender, "has no rules yet", "run `bidproof run INBOX` first")
    confirmed = _confirmed(store, sources, labels)
    if not confirmed.items:
        mend = "name a labelled set by --labels, or review verdicts first"
        raise BadInputError(tender, "nothing was confirmed of this tender", mend)
    params = sources.params
    with tempfile.TemporaryDirectory(prefix="bidproof-learn-") as folder, Display() as display:
        tools = Tools(
            params, make_embedder(params.dense), WarehouseCache(store, "parsed"), WarehouseCache(store, "embeddings"),
            Path(folder),
        )  # fmt: skip
        manifest, known = learn(
            store, name, confirmed, tools, catalog_version_of(requirements),
            lambda pack, number, total: display.tell(pack or "figures", name, number, total),
        )  # fmt: skip
    _say(store, name, str(manifest.metrics["line"]), known, confirmed.notes, json)


def _say(
    store: Warehouse, tender: str, line: str, known: bool, notes: tuple[str, ...], json: Path | None
) -> None:
    if json is not None:
        record = {
            "tender": tender,
            "fresh": known,
            "learning": learning_record(store, tender),
            "notes": notes,
        }
        text = jsonlib.dumps(record, indent=1, ensure_ascii=False)
        if str(json) == "-":
            print(text)
            return
        write_text(json, text + "\n")
    print(f"{tender}: {line}" + (" (as before)" if known else ""))
    for note in notes:
        print(note)


def _confirmed(store: Warehouse, sources: Sources, labels: Path | None) -> LabelledSet:
    """Labels and the override log of a tender as one set under its packs' names."""
    bids = {bid.pack: bid.files for bid in sources.tender.bids}
    found = LabelledSet(name=sources.tender.tender, format="tender", recall_by="rule")
    if labels is not None:
        found = under_pack_names(read_set(labels), bids)
    if OVERRIDES in TABLES:
        rules = requirements_from_table(store.read("requirements", sources.tender.tender))
        events = store.read_many(OVERRIDES, store.partitions(OVERRIDES))
        found = both(found, overrides_as_labels(events, rules, bids, sources.tender.rfp_files))
    return found
