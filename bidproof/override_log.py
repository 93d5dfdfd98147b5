"""The log of what people decide on verdicts: one small file an event, written once and never again.

Belongs here: adding an event, and reading those of a pack. Does not belong here: what a decision needs to be taken
(`review.deciding`), whether it still holds (`verification.carrying`).

An event is a partition of its own, so that two reviewers at once lose nothing, pruning takes nothing away, and a pack
that is read anew keeps what was decided on it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import polars as pl

from bidproof.review_tables import OVERRIDES
from bidproof.store import Manifest, Warehouse, digest, fingerprint

CODE = "1"
STAGE = "overrides"


def add_event(warehouse: Warehouse, event: Mapping[str, Any]) -> str:
    """Write one event and return its id; `event` has the columns of `overrides` but `event_id` and `at`.

    Raises:
        BadInputError: the warehouse cannot be written.
    """
    now = datetime.now(UTC)
    event_id = f"{now:%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}"
    at = now.isoformat(timespec="seconds")
    frame = OVERRIDES.frame([{**event, "event_id": event_id, "at": at}])
    inputs = {"event": digest(frame.to_dicts())}
    made_from = fingerprint(STAGE, CODE, inputs, {})
    partition = f"{event['pack']}--{event_id}"
    warehouse.commit(Manifest(
        table=OVERRIDES.name, partition=partition, stage=STAGE, fingerprint=made_from,
        content=warehouse.stage_rows(OVERRIDES.name, partition, made_from, frame), rows=1, code=CODE, inputs=inputs,
        params={}, created=at,
    ))  # fmt: skip
    return event_id


def pack_events(warehouse: Warehouse, pack: str) -> pl.DataFrame:
    """All events on verdicts of a pack, oldest first; shape `overrides`."""
    return warehouse.read_many(OVERRIDES.name, _partitions(warehouse, pack))


def events_digest(warehouse: Warehouse, pack: str) -> str:
    """Digest of which events there are on a pack; empty without any. Nothing is read: an event never changes."""
    names = _partitions(warehouse, pack)
    return digest(names) if names else ""


def _partitions(warehouse: Warehouse, pack: str) -> list[str]:
    return [name for name in warehouse.partitions(OVERRIDES.name) if name.startswith(f"{pack}--")]
