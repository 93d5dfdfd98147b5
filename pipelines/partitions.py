"""Keeping the dynamic partition sets in step with the inbox."""

from __future__ import annotations

import dagster as dg

from bidproof.intake.inbox import Inbox
from resources.partitions import PACKS, TENDERS

__all__ = ["PACKS", "TENDERS", "add_partitions", "partition_requests"]


def keys(inbox: Inbox) -> tuple[list[str], list[str]]:
    """Tender keys and pack keys of an inbox."""
    return [t.tender for t in inbox.tenders], [bid.pack for t in inbox.tenders for bid in t.bids]


def add_partitions(instance: dg.DagsterInstance, inbox: Inbox) -> None:
    """Add the inbox's tenders and packs to the instance; known keys stay as they are."""
    tenders, packs = keys(inbox)
    instance.add_dynamic_partitions(str(TENDERS.name), tenders)
    instance.add_dynamic_partitions(str(PACKS.name), packs)


def partition_requests(inbox: Inbox) -> list[dg.AddDynamicPartitionsRequest]:
    """The same as requests for a sensor to return."""
    tenders, packs = keys(inbox)
    return [TENDERS.build_add_request(tenders), PACKS.build_add_request(packs)]
