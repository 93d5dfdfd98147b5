"""What reviewers and labels confirm of a tender's packs, as one labelled set under the packs' own names.

Holds how the events of the override log become labels, and how packs of a labelled set are known again. The log itself is
written by the review of verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from bidproof.errors import BadInputError
from bidproof.evaluation.labelled import (
    GoldSpan,
    LabelledDocument,
    LabelledItem,
    LabelledPack,
    LabelledSet,
)
from bidproof.intake.source_files import SourceFile, hash_file
from bidproof.records import Requirement, Status
from bidproof.retrieval import rule_digest

EVENT_COLUMNS = (
    "event_id", "at", "pack", "rule_id", "rule_sha256", "to_status", "document_sha256", "page", "quote",
)  # fmt: skip
"""What is read of the override log: which event and when, which verdict it ends in, and the identity of its evidence
(document by its bytes, page, quote; the rule by its words)."""
_WITH_EVIDENCE = {status.value for status in Status if status is not Status.MISSING}


def overrides_as_labels(
    events: pl.DataFrame,
    requirements: Sequence[Requirement],
    bids: Mapping[str, Sequence[SourceFile]],
    rfp: Sequence[SourceFile] = (),
) -> LabelledSet:
    """Labels of the last event of each pack and rule: agreed or overridden, its quote is what a person took for evidence.

    Left out, each with a note: an event whose rule reads otherwise now, and one whose document is no longer in the pack.
    An event that ends in Missing, or has no quote, confirms nothing.

    Args:
        events: rows of the override log with at least `EVENT_COLUMNS`, of any tender.
        requirements: rules of the tender's catalog.
        bids: files of each pack of the tender, by pack.
        rfp: files of the tender's own.

    Raises:
        BadInputError: the log has no such columns.
    """
    absent = [name for name in EVENT_COLUMNS if name not in events.columns]
    if absent:
        raise BadInputError("overrides", f"has no column {absent[0]}", "use the version that wrote it")
    rules = {rule.rule_id: rule for rule in requirements}
    last = events.sort("at", "event_id").unique(["pack", "rule_id"], keep="last", maintain_order=True)
    items, notes = [], []
    for event in last.sort("pack", "rule_id").iter_rows(named=True):
        if event["pack"] not in bids or event["to_status"] not in _WITH_EVIDENCE or not event["quote"]:
            continue
        rule = rules.get(event["rule_id"])
        names = [one.file_name for one in bids[event["pack"]] if one.sha256 == event["document_sha256"]]
        if rule is None or rule_digest(rule.text) != event["rule_sha256"]:
            notes.append(f"{event['event_id']}: rule {event['rule_id']} reads otherwise now")
        elif not names:
            notes.append(f"{event['event_id']}: its document is no longer in {event['pack']}")
        else:
            gold = GoldSpan(document=names[0], page=event["page"], text=event["quote"])
            items.append(LabelledItem(
                item_id=f"override {event['event_id']}", pack=event["pack"], requirement=rule, gold=(gold,),
                verdicts=(event["to_status"],),
            ))  # fmt: skip
    asked = {item.pack for item in items}
    packs = [
        LabelledPack(name=name, documents=_documents(files), rfp=_documents(rfp))
        for name, files in sorted(bids.items())
        if name in asked
    ]
    return LabelledSet(
        name="overrides", format="tender", packs=tuple(packs), items=tuple(items), recall_by="rule",
        notes=tuple(notes),
    )  # fmt: skip


def _documents(files: Sequence[SourceFile]) -> tuple[LabelledDocument, ...]:
    return tuple(LabelledDocument(name=one.file_name, path=one.path) for one in files if not one.trouble)


def under_pack_names(labelled: LabelledSet, bids: Mapping[str, Sequence[SourceFile]]) -> LabelledSet:
    """The set with each of its packs named as the tender's pack that holds one of its documents, by content.

    So a pack is known again whatever the labels call it, and is never ranked by its own evidence. Others keep their names.
    """
    holders = {one.sha256: pack for pack, files in sorted(bids.items(), reverse=True) for one in files}
    names = {}
    for pack in labelled.packs:
        found = [holders.get(hash_file(one.path)) for one in pack.documents if one.path is not None]
        names[pack.name] = next((name for name in found if name), pack.name)
    return labelled.model_copy(update={
        "packs": tuple(pack.model_copy(update={"name": names[pack.name]}) for pack in labelled.packs),
        "items": tuple(item.model_copy(update={"pack": names.get(item.pack, item.pack)}) for item in labelled.items),
    })  # fmt: skip


def both(labels: LabelledSet, overrides: LabelledSet) -> LabelledSet:
    """Labels and overrides as one set; of a rule and pack that both speak of, what the reviewer said.

    Packs of one name are one pack: that of the overrides, which has all files of the bid.
    """
    said = {(item.pack, item.requirement.rule_id) for item in overrides.items}
    known = {pack.name for pack in overrides.packs}
    items = [item for item in labels.items if (item.pack, item.requirement.rule_id) not in said]
    return labels.model_copy(update={
        "packs": (*(pack for pack in labels.packs if pack.name not in known), *overrides.packs),
        "items": (*items, *overrides.items), "notes": (*labels.notes, *overrides.notes),
    })  # fmt: skip
