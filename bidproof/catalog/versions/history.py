"""Catalog versions as the warehouse keeps them: every one that was ever run, until `bidproof prune`.

Reads; a version is never changed, an edit makes another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.frames import catalog_version, requirements_from_table
from bidproof.catalog.versions.diff import Catalog, CatalogDiff, Superseded, diff_catalogs, rules_of
from bidproof.catalog.versions.superseded import from_file, superseded_of
from bidproof.errors import BadInputError
from bidproof.records import Requirement
from bidproof.store import DamagedError, Manifest, Warehouse


@dataclass(frozen=True)
class StoredCatalog:
    """A catalog version of a tender: its rules, its record (a row of `tables.CATALOGS`) and when it was written.

    `current` marks the version in force. `record` is empty where it was pruned, or never written.
    """

    tender: str
    version: str
    created: str
    current: bool
    rules: tuple[Requirement, ...]
    record: dict[str, Any]


def catalog_versions(warehouse: Warehouse, tender: str) -> list[StoredCatalog]:
    """All versions of a tender's catalog, the oldest first; each once, with its latest record."""
    records = {
        str(frame["catalog_version"][0]): frame.row(0, named=True)
        for _, frame in _written(warehouse, "catalogs", tender)
        if frame.height
    }
    found: dict[str, StoredCatalog] = {}
    for manifest, frame in _written(warehouse, "requirements", tender):
        if not frame.height:
            continue
        version = str(frame["catalog_version"][0])
        found.pop(version, None)
        found[version] = StoredCatalog(
            tender, version, manifest.created, False,
            tuple(requirements_from_table(frame)), records.get(version, {}),
        )  # fmt: skip
    stored = list(found.values())
    return [replace(one, current=one is stored[-1]) for one in stored]


def stored_catalog(warehouse: Warehouse, tender: str, version: str = "") -> StoredCatalog:
    """One version of a tender's catalog, by its first digits; the one in force when none is named.

    Raises:
        BadInputError: the warehouse has no such tender or version, or several that begin so.
    """
    versions = catalog_versions(warehouse, tender)
    if not versions:
        raise BadInputError(
            tender, "no catalog of this tender is in the warehouse", "run `bidproof run INBOX` first"
        )
    named = [one for one in versions if one.version.startswith(version)] if version else versions[-1:]
    if len(named) != 1:
        known = ", ".join(one.version for one in versions)
        what = "no such catalog version" if not named else "several catalog versions begin so"
        raise BadInputError(f"{tender}@{version}", what, f"kept are {known}")
    return named[0]


def diff_named(old: str, new: str, warehouse: Warehouse) -> CatalogDiff:
    """Differences between two catalogs, each named as a file or as `TENDER@VERSION` (`TENDER@` is the one in force).

    Raises:
        BadInputError: a name is neither, or the warehouse has no such version.
        CatalogError: a file breaks the catalog contract.
    """
    return diff_of(named_catalog(old, warehouse), named_catalog(new, warehouse))


def diff_of(before: StoredCatalog | Catalog, after: StoredCatalog | Catalog) -> CatalogDiff:
    """Differences between two catalogs, with what the later one records of its RFP."""
    found = diff_catalogs(_plain(before), _plain(after), superseded=_told(after))
    return found.model_copy(update={"conflicts": _conflicts(after)})


def named_catalog(name: str, warehouse: Warehouse) -> StoredCatalog | Catalog:
    """The catalog that a name means: a file where there is one, else `TENDER@VERSION`.

    Raises:
        BadInputError: the warehouse has no such version.
        CatalogError: the file is missing or breaks the catalog contract.
    """
    path = Path(name)
    tender, at, version = name.rpartition("@")
    if at and not path.exists():
        return stored_catalog(warehouse, tender, version)
    return load_catalog(path)


def version_of(catalog: StoredCatalog | Catalog) -> str:
    """Digest of a catalog's rules as they are run: the version under which findings are made."""
    return catalog.version if isinstance(catalog, StoredCatalog) else catalog_version(rules_of(catalog))


def _told(catalog: StoredCatalog | Catalog) -> list[Superseded]:
    """What addenda superseded, as the warehouse or the catalog's file records it."""
    if isinstance(catalog, StoredCatalog):
        return superseded_of(catalog.record.get("superseded") or ())
    return list(from_file(catalog, catalog.rules)) if isinstance(catalog, CatalogFile) else []


def _conflicts(catalog: StoredCatalog | Catalog) -> tuple[str, ...]:
    if isinstance(catalog, StoredCatalog):
        return tuple(catalog.record.get("conflicts") or ())
    return catalog.conflicts if isinstance(catalog, CatalogFile) else ()


def _plain(catalog: StoredCatalog | Catalog) -> Catalog:
    return list(catalog.rules) if isinstance(catalog, StoredCatalog) else catalog


def _written(warehouse: Warehouse, table: str, tender: str) -> Iterator[tuple[Manifest, pl.DataFrame]]:
    """Each version of a table's rows that can still be read, the oldest first."""
    manifest = warehouse.manifest(table, tender)
    if manifest is None:
        return
    for version in manifest.history:
        old = replace(
            manifest,
            fingerprint=version.fingerprint,
            content=version.content,
            created=version.created,
            history=(),
        )
        try:
            yield old, warehouse.rows_of(old)
        except DamagedError:
            continue
    yield manifest, warehouse.rows_of(manifest)
