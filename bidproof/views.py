"""`bidproof.duckdb`: one view a table, and the analysts' views, built aside and swapped in by rename.

DuckDB lets one writer or many readers hold a file, never both. Nobody writes this file in place: a new one
is built under a temporary name and renamed over the old, so a reader keeps the file that it opened.
"""

from __future__ import annotations

import contextlib
import io
import os
import uuid
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.errors import WarehouseError
from bidproof.staleness import withheld_tables
from bidproof.store import Warehouse, not_written, parquet_bytes
from bidproof.table import Table
from bidproof.tables import TABLES

VIEW_FOLDER = Path(__file__).resolve().parents[1] / "warehouse" / "views"
"""Analysts' views that come with the product. A warehouse may hold more in its own `views/`."""


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _files(warehouse: Warehouse, table: Table) -> list[str]:
    """Current Parquet files of a table, led by one without rows that pins the columns."""
    empty = f"data/{table.name}/_empty.parquet"
    first = warehouse.write_file(empty, parquet_bytes(table, table.empty()))
    standing = set(_standing(warehouse, table))
    paths = (path for one, path in warehouse.current_files(table.name) if one.partition in standing)
    return [first, *(path for path in paths if Path(path).exists())]


def _gone(warehouse: Warehouse, table: Table) -> list[str]:
    """A line for each partition of a table whose rows are gone. A run makes those of stages anew before views are built."""
    return [
        f"{table.name} of {one.partition}: the rows are gone; put {path} back"
        for one, path in warehouse.current_files(table.name)
        if not Path(path).exists()
    ]


def _standing(warehouse: Warehouse, table: Table) -> list[str]:
    """Partitions whose rows are results of their files as they are now."""
    return [
        partition
        for partition in warehouse.partitions(table.name)
        if table.name not in withheld_tables(warehouse, partition)
    ]


def _history_sql(warehouse: Warehouse, table: Table, current: list[str]) -> str:
    """All versions of a table with their fingerprint and time, the current ones included."""
    parts = [
        f"select *, ''::varchar as fingerprint, ''::varchar as created from read_parquet({_literal(current[0])})"
    ]
    for manifest, _ in warehouse.current_files(table.name):
        versions = [(v.fingerprint, v.created) for v in manifest.history] + [
            (manifest.fingerprint, manifest.created)
        ]
        for version, created in versions:
            file = warehouse.data_path(table.name, manifest.partition, version)
            if Path(file).exists():
                made = f"{_literal(version)} as fingerprint, {_literal(created)} as created"
                parts.append(f"select *, {made} from read_parquet({_literal(file)})")
    return " union all by name ".join(parts)


def view_scripts(warehouse: Warehouse) -> list[tuple[str, str]]:
    """Name and SQL of each analysts' view: the product's, then the warehouse's own, which win."""
    folders = [VIEW_FOLDER]
    if warehouse.local:
        folders.append(Path(warehouse.root) / "views")
    found = {
        path.stem: path for folder in folders if folder.is_dir() for path in sorted(folder.glob("*.sql"))
    }
    return [
        (name, path.read_text(encoding="utf-8", errors="replace")) for name, path in sorted(found.items())
    ]


def build_views(warehouse: Warehouse) -> str:
    """Rebuild `bidproof.duckdb` and swap it in; returns its path.

    On a local warehouse the file holds views over the Parquet files. On an object store, where DuckDB would
    need an extension to read them, it holds the rows themselves and is uploaded last.

    Raises:
        WarehouseError: some rows are damaged, or a view of the warehouse's own cannot be built; all others are.
        BadInputError: the warehouse cannot be written.
    """
    import duckdb

    folder = Path(warehouse.root) if warehouse.local else Path(os.environ.get("TMPDIR", "/tmp"))
    draft = folder / f".bidproof.{uuid.uuid4().hex}.duckdb"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with duckdb.connect(str(draft)) as connection:
            for table in TABLES.values():
                _create(connection, warehouse, table)
            broken = _create_scripts(connection, view_scripts(warehouse))
            if warehouse.local:
                broken += [line for table in TABLES.values() for line in _gone(warehouse, table)]
        target = str(folder / "bidproof.duckdb")
        if warehouse.local:
            os.replace(draft, target)
        else:
            target = warehouse.write_file("bidproof.duckdb", draft.read_bytes())
    except OSError as error:
        raise not_written(str(folder), error) from None
    except duckdb.Error as error:
        raise WarehouseError(f"bidproof.duckdb: cannot be built ({_line(error)}); run again") from None
    finally:
        for leftover in (draft, Path(f"{draft}.wal")):
            with contextlib.suppress(OSError):
                leftover.unlink(missing_ok=True)
    if broken:
        raise WarehouseError(f"{'; '.join(broken)}; all else is built")
    return target


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _create_scripts(connection: Any, scripts: list[tuple[str, str]]) -> list[str]:
    """Build the analysts' views; returns a line for each that cannot be."""
    import duckdb

    broken = []
    for name, sql in scripts:
        quoted = name.replace('"', '""')
        try:
            connection.execute(f'create or replace view "{quoted}" as {sql.strip().rstrip(";")}')
        except duckdb.Error as error:
            broken.append(f"views/{name}.sql: cannot be built ({_line(error)}): mend or delete it")
    return broken


def _create(connection: object, warehouse: Warehouse, table: Table) -> None:
    run = connection.execute  # type: ignore[attr-defined]
    if warehouse.local:
        files = _files(warehouse, table)
        listed = ", ".join(_literal(path) for path in files)
        run(
            f"create view {table.name} as select * from read_parquet([{listed}], union_by_name=true, hive_partitioning=false)"
        )
        run(f"create view {table.name}_history as {_history_sql(warehouse, table, files)}")
        kind = "view"
    else:
        rows = warehouse.read_many(table.name, _standing(warehouse, table))
        arrow = table.arrow(pl.read_parquet(io.BytesIO(parquet_bytes(table, rows))))
        connection.register("incoming", arrow)  # type: ignore[attr-defined]
        run(f"create table {table.name} as select * from incoming")
        connection.unregister("incoming")  # type: ignore[attr-defined]
        kind = "table"
    run(f"comment on {kind} {table.name} is {_literal(table.comment)}")
    for column, comment in table.comments.items():
        run(f"comment on column {table.name}.{column} is {_literal(comment)}")
