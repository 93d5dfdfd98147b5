"""The warehouse, and where the files and parameters of a tender come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dagster as dg
from pydantic import Field, PrivateAttr

from bidproof.staleness import Sources, find_sources
from bidproof.store import Warehouse


class WarehouseResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Opens the warehouse and resolves a tender's files and parameters."""

    root: str = Field("warehouse", description="Local folder or fsspec URL")
    project_root: str = Field(".", description="Folder that holds params.yaml")
    overrides: dict[str, Any] = Field(
        default_factory=dict, description="Parameters of this run, over all files"
    )

    _sources: dict[str, Sources] = PrivateAttr(default_factory=dict)

    def open(self) -> Warehouse:
        """The warehouse."""
        return Warehouse(self.root)

    def sources(self, tender: str) -> Sources:
        """Files and parameters of a tender, looked up once a run: hashing a large inbox takes seconds."""
        if tender not in self._sources:
            self._sources[tender] = find_sources(self.open(), tender, Path(self.project_root), self.overrides)
        return self._sources[tender]
