"""`bidproof prune`: old versions, and on request the packs of bidders that left the inbox."""

from __future__ import annotations

from pathlib import Path

from bidproof.staleness import find_sources, gone_packs
from bidproof.store import Warehouse
from bidproof.views import build_views


def prune_command(warehouse: str, gone: bool) -> None:
    """Delete and say how much.

    Raises:
        BadInputError: packs are to go whose inbox is not there: an unplugged disk must not cost the results.
    """
    store = Warehouse(warehouse)
    packs = []
    for tender in sorted(store.sources()) if gone else []:
        packs += gone_packs(store, find_sources(store, tender, Path(".")).tender)
    for pack in packs:
        store.drop(pack)
        print(f"{pack}: dropped")
    old = store.prune()
    if store.partitions("documents"):
        build_views(store)
    print(f"{len(old)} old versions deleted")
