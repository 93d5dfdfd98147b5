"""A pack as it stands in the warehouse: its manifests, its rows, the parameters that made them, and what is stale.

Reads only. What would become of it under other parameters is for `pack_at`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import polars as pl

from bidproof.evaluation.replay.parameters import base_of
from bidproof.params import Params
from bidproof.stages import STAGES, Stage
from bidproof.staleness import Recipe, differences, tender_of, withheld_tables
from bidproof.store import DamagedError, Manifest, Warehouse

_BESIDE = ("rfp_integrity", "rfp_table_cells", "integrity", "table_cells", "catalogs", "matrix_report")
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
        manifest = self.manifests[stage.name]
        inputs = {name: content for name, content in manifest.inputs.items() if name.startswith("files:")}
        for name in stage.inputs:
            if name in self.manifests:
                inputs[f"{name}@{self.manifests[name].partition}"] = self.manifests[name].content
        made = {name: content for name, content in manifest.inputs.items() if name in inputs}
        params = self.base.groups(stage.params)
        if "recognition_data" in manifest.params.get("documents", {}):
            params["documents"]["recognition_data"] = manifest.params["documents"]["recognition_data"]
        now = Recipe(stage, manifest.partition, inputs, params)
        return differences(replace(manifest, inputs=made), now)

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
