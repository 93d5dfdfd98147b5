"""A pack as it stands in the warehouse: its manifests, its rows, the parameters that made them, and what is stale.

Reads only. What would become of it under other parameters is for `pack_at`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import polars as pl

from bidproof.evaluation.replay.parameters import base_of
from bidproof.intake.inbox import Tender
from bidproof.learned import learned_rows
from bidproof.override_log import pack_events
from bidproof.params import Params
from bidproof.stages import CLOSING, STAGES, Stage
from bidproof.staleness import Sources, differences, recipe, tender_of, withheld_tables
from bidproof.store import DamagedError, Manifest, Warehouse

_BESIDE = ("rfp_integrity", "rfp_table_cells", "integrity", "table_cells", "catalogs", *CLOSING)
"""Stages of which no verdict hangs on the rows."""

CHAIN: tuple[Stage, ...] = tuple(stage for stage in STAGES if stage.name not in _BESIDE)
"""Stages from the files to the gate, in graph order."""

READING = frozenset(
    stage.name for stage in CHAIN if stage.source in ("rfp", "bid") or stage.params == ("documents",)
)
"""Stages that read files, of which replay takes the rows as they are."""


class StoredPack:
    """A pack's committed tables, and those of its tender that it is made from."""

    def __init__(self, warehouse: Warehouse, pack: str) -> None:
        self.warehouse, self.pack, self.tender = warehouse, pack, tender_of(pack)
        self.manifests: dict[str, Manifest] = {}
        self._absent: list[str] = []
        self._frames: dict[str, pl.DataFrame] = {}
        for stage in CHAIN:
            manifest, why = warehouse.usable(stage.table, self.partition(stage))
            if manifest is None:
                self._absent.append(f"{stage.name} {why or 'was never computed'}")
            else:
                self.manifests[stage.name] = manifest

    def partition(self, stage: Stage) -> str:
        """Partition of a stage that belongs to this pack."""
        return self.tender if stage.scope == "tender" else self.pack

    @cached_property
    def lacks(self) -> str:
        """Why there are no verdicts to compare with; empty where there are."""
        if self._absent:
            return f"{self._absent[0]}; run `bidproof run`"
        if "findings" in withheld_tables(self.warehouse, self.pack):
            said = [
                f"{name}: {check.message}"
                for name, manifest in self.manifests.items()
                for check in manifest.checks
                if check.stops
            ]
            return f"a check stopped the last run ({'; '.join(said)})"
        return ""

    @cached_property
    def base(self) -> Params:
        """Parameters that made the tables."""
        return base_of(self.manifests.values())

    @property
    def mined(self) -> bool:
        """Whether the rules were mined from the RFP, so that parameters can change them."""
        origins = self.warehouse.read("catalogs", self.tender)["origin"].to_list()
        return origins[:1] == ["mined"]

    @cached_property
    def stale(self) -> dict[str, tuple[str, ...]]:
        """Stages whose rows the present code would not make of what stands before them, with the reasons.

        Files of the inbox are not looked at: a replay compares parameters over the same files.
        """
        found = {stage.name: self._reasons(stage) for stage in CHAIN}
        return {name: reasons for name, reasons in found.items() if reasons}

    def _reasons(self, stage: Stage) -> tuple[str, ...]:
        """Why a stage would run, whatever lies in the inbox."""
        manifest = self.manifests[stage.name]
        nowhere = Tender(
            tender=self.tender,
            name="",
            folder=Path(),
            rfp_files=(),
            catalog_path=None,
            params_path=None,
            bids=(),
        )
        now = recipe(
            self.warehouse, replace(stage, source=""), manifest.partition, Sources(nowhere, self.base)
        )
        made = {name: content for name, content in manifest.inputs.items() if not name.startswith("files:")}
        return differences(replace(manifest, inputs=made), now)

    @cached_property
    def learned(self) -> pl.DataFrame:
        """What was learned for the tender and is in use."""
        return learned_rows(self.warehouse, self.tender)

    @cached_property
    def decided(self) -> pl.DataFrame:
        """What people decided on the pack: events of the log."""
        return pack_events(self.warehouse, self.pack)

    def rows(self, name: str) -> pl.DataFrame:
        """Committed rows of a stage, read once.

        Raises:
            DamagedError: they are gone or damaged.
        """
        if name not in self._frames:
            self._frames[name] = self.warehouse.rows_of(self.manifests[name])
        return self._frames[name]

    def versions(self, name: str) -> Iterator[pl.DataFrame]:
        """Rows of a stage, the committed ones first, then all older ones that are still there."""
        manifest = self.manifests[name]
        yield self.rows(name)
        for version in reversed(manifest.history):
            older = replace(manifest, fingerprint=version.fingerprint, content=version.content)
            try:
                yield self.warehouse.rows_of(older)
            except DamagedError:
                continue
