"""The warehouse: Parquet tables whose manifests are the commit point, and a content-keyed cache.

A table's rows for one partition are one immutable Parquet file named by the fingerprint of what made it.
The manifest is the pointer and is written last, so a killed run leaves either the old state or the new
one, never half. Nothing here knows what a stage does; views for DuckDB are built in `bidproof.views`.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import json
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import fsspec
import polars as pl
import pyarrow.parquet as pq

from bidproof.errors import BadInputError, BidproofError, WarehouseError
from bidproof.table import Table
from bidproof.tables import TABLES

_SEALED = b"bidproof cache 1\n"
"""Begins each cache entry; behind it stands the SHA-256 of what follows."""

FORMAT = 1
"""Version of the manifest format; a manifest of a later one is refused, not guessed at."""


class DamagedError(WarehouseError):
    """A manifest that is no manifest, or rows that are gone or broken: made anew by the next run."""


def digest(value: Any) -> str:
    """SHA-256 (hex) of a JSON-able value in canonical form."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _sealed(content: bytes) -> bytes:
    return _SEALED + hashlib.sha256(content).digest() + content


def _unsealed(entry: bytes | None) -> bytes | None:
    if entry is None or not entry.startswith(_SEALED):
        return None
    told, content = entry[len(_SEALED) : len(_SEALED) + 32], entry[len(_SEALED) + 32 :]
    return content if hashlib.sha256(content).digest() == told else None


def fingerprint(stage: str, code: str, inputs: Mapping[str, str], params: Mapping[str, Any]) -> str:
    """What makes an output: 16 hex digits over stage, code version, input contents and parameters."""
    return digest({"stage": stage, "code": code, "inputs": dict(inputs), "params": dict(params)})[:16]


@dataclass(frozen=True)
class CheckRecord:
    """Outcome of one check on a stage's output, kept with the manifest.

    A blocking check that fails with severity `ERROR` stops all that reads the output. Its rows are withheld too,
    unless it `keeps_rows`: rows that tell what is missing are true rows.
    """

    name: str
    passed: bool
    message: str = ""
    blocking: bool = False
    severity: str = "ERROR"
    keeps_rows: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def stops(self) -> bool:
        """Whether nothing may be made of the output."""
        return self.blocking and not self.passed and self.severity == "ERROR"


@dataclass(frozen=True)
class Version:
    """One committed version of a table's partition."""

    fingerprint: str
    content: str
    rows: int
    created: str


@dataclass(frozen=True)
class Manifest:
    """Pointer to the current rows of one table and partition, with all that made them.

    `content` is the SHA-256 of the Parquet bytes, `size` their number (-1 where unknown); `created`, `run_id` and `seconds` vary from run to run
    and stay out of fingerprints and rows.
    """

    table: str
    partition: str
    stage: str
    fingerprint: str
    content: str
    rows: int
    code: str
    inputs: dict[str, str]
    params: dict[str, Any]
    metrics: dict[str, Any] = field(default_factory=dict)
    checks: tuple[CheckRecord, ...] = ()
    created: str = ""
    run_id: str = ""
    seconds: float = 0.0
    history: tuple[Version, ...] = ()
    format: int = FORMAT
    size: int = -1

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Manifest of its stored form.

        Raises:
            WarehouseError: the text is of another format.
            DamagedError: it is no manifest at all.
        """
        try:
            data = json.loads(text)
            if data.get("format") != FORMAT:
                raise WarehouseError(
                    f"manifest format {data.get('format')} is not {FORMAT}; use the version of Bidproof that wrote it"
                )
            data["checks"] = tuple(CheckRecord(**check) for check in data["checks"])
            data["history"] = tuple(Version(**version) for version in data["history"])
            return cls(**data)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise DamagedError("the manifest is damaged; `bidproof run` makes it anew") from None

    def to_json(self) -> str:
        """Stored form."""
        return json.dumps(asdict(self), indent=1, sort_keys=True, ensure_ascii=False)


def parquet_bytes(table: Table, frame: pl.DataFrame) -> bytes:
    """`frame` as Parquet bytes: the same rows always give the same bytes.

    Raises:
        ValueError: the frame does not have the table's columns.
    """
    sink = io.BytesIO()
    pq.write_table(
        table.arrow(frame), sink, compression="zstd", row_group_size=1_000_000, write_statistics=True
    )
    return sink.getvalue()


def not_written(where: str, error: OSError) -> BidproofError:
    """What to raise when a file of a warehouse cannot be written: a full disk breaks a run, the rest is bad input."""
    reason = (error.strerror or str(error)).lower()
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE):
        return WarehouseError(f"{where}: cannot be written ({reason}); make room and run again")
    return BadInputError(where, f"cannot be written ({reason})", "name a warehouse that you can write")


class Warehouse:
    """Tables, manifests and cache under one root: a local folder or any fsspec URL."""

    def __init__(self, root: str | Path = "warehouse") -> None:
        text = str(root)
        if not text.strip():
            raise BadInputError("--warehouse", "is empty", "name a folder or a URL")
        self.local = "://" not in text or text.startswith("file://")
        if self.local:
            text = str(Path(text.removeprefix("file://")).absolute())
            if Path(text).exists() and not Path(text).is_dir():
                raise BadInputError(text, "is a file, no warehouse", "name a folder")
        try:
            # Listings are not kept: another process may have written since, and what it wrote must be seen.
            self.fs, self.root = fsspec.core.url_to_fs(text, use_listings_cache=False)
        except (ValueError, ImportError) as error:
            reason = " ".join(str(error).split())
            raise BadInputError(
                text, f"cannot be used as a warehouse ({reason})", "name a folder or a known kind of URL"
            ) from None
        self.url = text

    def _path(self, *parts: str) -> str:
        return "/".join([self.root.rstrip("/"), *parts])

    def _put(self, path: str, content: bytes, lasting: bool = True) -> None:
        """Write so that a reader sees the old bytes or the new ones, never a part.

        What is `lasting` outlives a loss of power too; of all else the reader must see that it is whole.
        """
        if not self.local:
            self.fs.pipe_file(path, content)
            return
        target = Path(path)
        draft = target.with_name(f".{target.name[:100]}.{uuid.uuid4().hex}.tmp")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(draft, "wb") as file:
                file.write(content)
                if lasting:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(draft, target)
        except BaseException as error:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise not_written(str(target), error) from None
            raise

    def _get(self, path: str) -> bytes | None:
        try:
            if self.local:
                return Path(path).read_bytes()
            return bytes(self.fs.cat_file(path))
        except FileNotFoundError:
            return None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise WarehouseError(
                f"{path}: cannot be read ({reason}); make it readable or remove it"
            ) from None

    # Manifests and tables

    def manifest(self, table: str, partition: str) -> Manifest | None:
        """Manifest of a table's partition, or None where nothing is committed.

        Raises:
            WarehouseError: it is of another format.
            DamagedError: it is damaged.
        """
        path = self._path("manifests", table, f"{partition}.json")
        raw = self._get(path)
        try:
            return Manifest.from_json(raw.decode("utf-8", "replace")) if raw is not None else None
        except DamagedError as error:
            raise DamagedError(f"{path}: {error}") from None
        except WarehouseError as error:
            raise WarehouseError(f"{path}: {error}") from None

    def usable(self, table: str, partition: str) -> tuple[Manifest | None, str]:
        """Manifest of a partition if its rows can be had, and why not where something is committed all the same.

        What is damaged or gone counts as never computed, so that the next run makes it anew. The rows
        themselves are not read here, only their size.

        Raises:
            WarehouseError: the manifest is of another format, and must not be written over.
        """
        try:
            manifest = self.manifest(table, partition)
        except DamagedError:
            return None, "its manifest is damaged"
        if manifest is None:
            return None, ""
        size = self._size(self.data_path(table, partition, manifest.fingerprint))
        if size < 0:
            return None, "its rows are gone"
        if manifest.size not in (-1, size):
            return None, "its rows are damaged"
        return manifest, ""

    def _size(self, path: str) -> int:
        """Bytes of a file, -1 where there is none."""
        try:
            return int(self.fs.size(path) or 0)
        except FileNotFoundError:
            return -1

    def partitions(self, table: str) -> list[str]:
        """Partitions of `table` with a committed version, sorted."""
        folder = self._path("manifests", table)
        try:
            names = [str(name).rsplit("/", 1)[-1] for name in self.fs.ls(folder, detail=False)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(
            name.removesuffix(".json")
            for name in names
            if name.endswith(".json") and not name.startswith(".")
        )

    def data_path(self, table: str, partition: str, version: str) -> str:
        """Path of a version's Parquet file inside the warehouse's file system."""
        return self._path("data", table, partition, f"{version}.parquet")

    def stage_rows(self, table: str, partition: str, version: str, frame: pl.DataFrame) -> str:
        """Write rows without making them visible; returns their content digest."""
        content = parquet_bytes(TABLES[table], frame)
        self._put(self.data_path(table, partition, version), content)
        return hashlib.sha256(content).hexdigest()

    def commit(self, manifest: Manifest) -> Manifest:
        """Make rows written by `stage_rows` visible; older versions go to the manifest's history."""
        try:
            old = self.manifest(manifest.table, manifest.partition)
        except DamagedError:
            old = None
        history: tuple[Version, ...] = ()
        if old is not None:
            last = Version(old.fingerprint, old.content, old.rows, old.created)
            history = tuple(v for v in (*old.history, last) if v.fingerprint != manifest.fingerprint)
        rows = self.data_path(manifest.table, manifest.partition, manifest.fingerprint)
        manifest = replace(manifest, history=history, size=self._size(rows))
        self._put(
            self._path("manifests", manifest.table, f"{manifest.partition}.json"),
            manifest.to_json().encode("utf-8"),
        )
        return manifest

    def read(self, table: str, partition: str) -> pl.DataFrame:
        """Current rows of a table's partition; no rows where nothing is committed.

        Raises:
            WarehouseError: a manifest points at a file that is gone.
        """
        manifest = self.manifest(table, partition)
        return self.rows_of(manifest) if manifest is not None else TABLES[table].empty()

    def rows_of(self, manifest: Manifest) -> pl.DataFrame:
        """Rows that a manifest points at, committed or not; columns that the table has got since are empty.

        Raises:
            DamagedError: the file is gone or damaged.
        """
        path = self.data_path(manifest.table, manifest.partition, manifest.fingerprint)
        raw = self._get(path)
        if raw is None:
            raise DamagedError(
                f"{path}: the manifest points at a file that is gone; run `bidproof run` to rebuild it"
            )
        if hashlib.sha256(raw).hexdigest() != manifest.content:
            raise DamagedError(f"{path}: the file is damaged; delete it and run `bidproof run` to rebuild it")
        table = TABLES[manifest.table]
        return table.conform(table.completed(pl.read_parquet(io.BytesIO(raw))))

    def read_many(self, table: str, partitions: Iterable[str]) -> pl.DataFrame:
        """Current rows of several partitions, one below the other in the order given."""
        return pl.concat([TABLES[table].empty(), *(self.read(table, partition) for partition in partitions)])

    def current_files(self, table: str) -> Iterator[tuple[Manifest, str]]:
        """Manifest and Parquet path of each partition of `table`."""
        for partition in self.partitions(table):
            manifest = self.manifest(table, partition)
            if manifest is not None:
                yield manifest, self.data_path(table, partition, manifest.fingerprint)

    # Costly units, keyed by content

    def cache_get(self, kind: str, key: str) -> bytes | None:
        """Cached bytes of a costly unit; None also where the entry is damaged, so that it is made anew."""
        return _unsealed(self._get(self._path("cache", kind, key[:2], key)))

    def cache_put(self, kind: str, key: str, content: bytes) -> None:
        """Keep the bytes of a costly unit under the digest of all that made it.

        Not forced to the disk, which takes five milliseconds an entry: what a loss of power takes is made again.
        """
        self._put(self._path("cache", kind, key[:2], key), _sealed(content), lasting=False)

    # Where the files come from

    def sources(self) -> dict[str, str]:
        """Inbox root of each tender that was ever run; none where that record is damaged."""
        raw = self._get(self._path("inbox.json"))
        try:
            known = json.loads(raw) if raw is not None else {}
        except ValueError:
            known = None
        if not isinstance(known, dict):
            # Each run writes it anew for the inbox that it is given, so nothing is lost that matters.
            return {}
        return {str(tender): str(root) for tender, root in known.items()}

    def register_sources(self, roots: Mapping[str, str]) -> None:
        """Remember where the files of each tender lie, so that status and sensors find them again."""
        known = self.sources()
        merged = {**known, **roots}
        if merged != known:
            self._put(self._path("inbox.json"), json.dumps(merged, indent=1, sort_keys=True).encode("utf-8"))

    def write_file(self, name: str, content: bytes) -> str:
        """Write a file for people (a report, the DuckDB file) at a path below the root; returns that path."""
        path = self._path(*name.split("/"))
        self._put(path, content)
        return path

    def drop(self, partition: str) -> list[str]:
        """Delete all that is kept of a pack whose folder is gone; returns the manifests deleted."""
        gone: list[str] = []
        for table in TABLES:
            path = self._path("manifests", table, f"{partition}.json")
            if self.fs.exists(path):
                self.fs.rm(path)
                gone.append(path)
        return gone

    def prune(self) -> list[str]:
        """Delete Parquet files that no manifest points at, and their history; returns the paths deleted."""
        gone: list[str] = []
        for table in TABLES:
            keep = {path for _, path in self.current_files(table)}
            folder = self._path("data", table)
            for path in self.fs.find(folder) if self.fs.exists(folder) else []:
                if path not in keep and not path.rsplit("/", 1)[-1].startswith("_"):
                    self.fs.rm(path)
                    gone.append(path)
            for manifest, _ in list(self.current_files(table)):
                if manifest.history:
                    path = self._path("manifests", table, f"{manifest.partition}.json")
                    self._put(path, replace(manifest, history=()).to_json().encode("utf-8"))
        return gone
