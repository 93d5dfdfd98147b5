"""Dagster's own records for runs started by the command line: kept under the warehouse, written fast.

They are history for the UI, never the truth (that is the manifests). Dagster opens a new SQLite connection
for each event and waits for the disk on each commit and each close, about half of a small run's time. So in
this process SQLite does not wait for the disk, and one spare connection a file keeps its journal from being
folded in at every close. A killed process loses nothing; after a power cut, delete `.dagster` if it is broken.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.instance.ref import InstanceRef

from bidproof.store import Warehouse

_spare: dict[str, sqlite3.Connection] = {}


def open_instance(warehouse: Warehouse) -> dg.DagsterInstance:
    """The instance beside the warehouse; for the default warehouse the same that dagster.yaml names."""
    base = Path(warehouse.root if warehouse.local else "warehouse") / ".dagster"
    base.mkdir(parents=True, exist_ok=True)
    _write_fast(base)
    settings = {"telemetry": {"enabled": False}, "nux": {"enabled": False}}
    return dg.DagsterInstance.from_ref(InstanceRef.from_dir(str(base), overrides=settings))


def close_spares() -> None:
    """Close the spare connections, which folds the journals in."""
    while _spare:
        _spare.popitem()[1].close()


def _write_fast(base: Path) -> None:
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    folder = str(base.resolve())

    def tune(connection: Any, _record: Any) -> None:
        raw = getattr(connection, "driver_connection", connection)
        if not isinstance(raw, sqlite3.Connection):
            return
        path = str(raw.execute("pragma database_list").fetchone()[2])
        if not path.startswith(folder):
            return
        raw.execute("pragma synchronous=off")
        if path not in _spare:
            spare = _spare[path] = sqlite3.connect(path, check_same_thread=False)
            spare.execute("select 1 from sqlite_master").fetchall()

    event.listen(Engine, "connect", tune)
