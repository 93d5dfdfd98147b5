"""Dagster's own records for runs started by the command line: kept under the warehouse, written fast.

They are history for the UI, never the truth (that is the manifests). Dagster's SQLite storage makes an engine
and a connection anew for each of some 2,000 statements of a small run and waits for the disk after each: more
than half of such a run's time. Here engines and connections are kept for the run, and SQLite does not wait
for the disk. A killed process loses nothing; after a power cut, delete `.dagster` if it is broken.
"""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.instance.ref import InstanceRef

from bidproof.store import Warehouse, not_written

# The three modules that call `create_engine` for SQLite; Dagster is pinned exactly, and a test fails should
# they go elsewhere.
_STORAGE_MODULES = (
    "dagster._core.storage.event_log.sqlite.sqlite_event_log",
    "dagster._core.storage.runs.sqlite.sqlite_run_storage",
    "dagster._core.storage.schedules.sqlite.sqlite_schedule_storage",
)


@contextmanager
def open_instance(warehouse: Warehouse) -> Iterator[dg.DagsterInstance]:
    """The instance beside the warehouse; for the default warehouse the same that dagster.yaml names."""
    base = Path(warehouse.root if warehouse.local else "warehouse") / ".dagster"
    with _kept_engines() as engines, _opened(base, engines) as instance:
        yield instance


def _opened(base: Path, engines: dict[str, Any]) -> dg.DagsterInstance:
    """The instance at `base`. Records that cannot be opened are set aside: they are history and hold no result.

    One process at a time, since two that make the tables of a new instance at once leave it unusable.
    """
    import fcntl

    try:
        base.parent.mkdir(parents=True, exist_ok=True)
        with (base.parent / ".dagster.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                return _open(base)
            except OSError:
                raise
            except Exception:
                _end(engines)
                shutil.rmtree(aside := base.with_name(".dagster-broken"), ignore_errors=True)
                base.rename(aside)
                return _open(base)
    except OSError as error:
        raise not_written(str(base), error) from None


def _open(base: Path) -> dg.DagsterInstance:
    base.mkdir(parents=True, exist_ok=True)
    # Capturing what steps print takes four processes a step, which outlive a Control-C with tracebacks; stages
    # do not print.
    capture = {"module": "dagster._core.storage.noop_compute_log_manager", "class": "NoOpComputeLogManager"}
    settings = {"telemetry": {"enabled": False}, "nux": {"enabled": False}, "compute_logs": capture}
    instance = dg.DagsterInstance.from_ref(InstanceRef.from_dir(str(base), overrides=settings))
    try:
        # Some databases are opened only when they are first asked.
        instance.get_runs_count()
        instance.get_dynamic_partitions("tenders")
    except Exception:
        instance.dispose()
        raise
    return instance


@contextmanager
def _kept_engines() -> Iterator[dict[str, Any]]:
    """Let Dagster's SQLite storage share one pooled engine a file; yields them by address."""
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import QueuePool

    engines: dict[str, Any] = {}

    def quick(connection: Any, _record: Any) -> None:
        connection.execute("pragma synchronous=off")

    def kept(url: str, poolclass: Any = None, **options: Any) -> Any:
        if url not in engines:
            engine = engines[url] = create_engine(url, poolclass=QueuePool, **options)
            event.listen(engine, "connect", quick)
            # Dagster disposes of its engine after each statement, which would close the pool.
            engine.dispose = lambda *_, **__: None
        return engines[url]

    modules = [importlib.import_module(name) for name in _STORAGE_MODULES]
    originals = [module.create_engine for module in modules]
    for module in modules:
        module.create_engine = kept  # type: ignore[attr-defined]
    try:
        yield engines
    finally:
        for module, original in zip(modules, originals, strict=True):
            module.create_engine = original  # type: ignore[attr-defined]
        _end(engines)


def _end(engines: dict[str, Any]) -> None:
    """Close all kept connections and forget the engines."""
    while engines:
        engine = engines.popitem()[1]
        type(engine).dispose(engine)
