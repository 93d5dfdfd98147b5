"""Writes catalogs: the format by the file's ending. What each looks like stands in the modules beside this."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.given import CELL_LIMIT
from bidproof.catalog.formats.ocds_writing import to_ocds
from bidproof.catalog.formats.other_columns import cannot_hold
from bidproof.catalog.formats.sheet_writing import to_csv
from bidproof.catalog.formats.working_copy import Omitted, to_working_copy
from bidproof.catalog.formats.yaml_writing import to_yaml
from bidproof.errors import BadInputError

SUFFIXES = (".yaml", ".yml", ".csv", ".xlsx", ".json")


def catalog_bytes(catalog: CatalogFile, suffix: str, left_out: Sequence[Omitted] = ()) -> bytes:
    """The catalog in the format of a file ending: YAML, CSV, XLSX (a working copy) or OCDS JSON.

    Same catalog, same bytes. `left_out` is listed in the working copy.

    Raises:
        BadInputError: no format has this ending.
    """
    check_suffix(suffix, suffix)
    kind = suffix.lower()
    if kind == ".xlsx":
        return to_working_copy(catalog, left_out)
    return {".csv": to_csv, ".json": to_ocds}.get(kind, to_yaml)(catalog)


def not_carried(catalog: CatalogFile, suffix: str) -> list[str]:
    """What of a catalog the format of a file ending cannot hold, one line each; empty for nothing."""
    return cannot_hold(catalog.other, suffix, CELL_LIMIT)


def check_suffix(suffix: str, where: str) -> None:
    """Refuse an ending that no catalog format has.

    Raises:
        BadInputError: it is none of `SUFFIXES`.
    """
    if suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES[:1] + SUFFIXES[2:])
        what = f"a catalog cannot be written as {suffix or 'a file without ending'}"
        raise BadInputError(where, what, f"use {known}")


def write_catalog(path: Path, catalog: CatalogFile, left_out: Sequence[Omitted] = ()) -> None:
    """Write a catalog file whole or not at all; the format is that of its ending.

    Raises:
        BadInputError: the ending is unknown, or the file cannot be written.
    """
    check_suffix(path.suffix, str(path))
    raw = catalog_bytes(catalog, path.suffix, left_out)
    half = path.with_name(f".{path.name}.part")
    try:
        half.write_bytes(raw)
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise BadInputError(
            str(path), f"cannot be written ({error.strerror})", "name a file in a folder you can write"
        ) from None
