"""What to run next. Sensors, the schedule and the command line all plan here, so they never disagree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bidproof.stages import CLOSING
from bidproof.staleness import Sources, StageState, stage_states
from bidproof.store import Warehouse, digest


@dataclass(frozen=True)
class PlannedRun:
    """One run to start: job, partition, the stages that are stale and why."""

    job: str
    partition: str
    states: tuple[StageState, ...]

    @property
    def key(self) -> str:
        """Run key: changes with the committed outputs and the reasons, so a failed run is not repeated for ever."""
        seen = [
            (s.stage.name, s.state, s.reasons, s.manifest.fingerprint if s.manifest else "")
            for s in self.states
        ]
        return f"{self.job}:{self.partition}:{digest(seen)[:16]}"


def _stale(warehouse: Warehouse, partition: str, sources: Sources, report: bool) -> tuple[StageState, ...]:
    states = stage_states(warehouse, partition, sources)
    return tuple(s for s in states if s.will_run and (s.stage.name in CLOSING) == report)


def next_wave(warehouse: Warehouse, sources: Sources, skip: Collection[str] = ()) -> list[PlannedRun]:
    """Runs of a tender that can start now: its catalog first, then its packs, then the matrix.

    A pack reads the catalog and the matrix reads the packs, so a wave starts only when the one before is
    fresh. Partitions in `skip` (they failed a moment ago) do not hold up the matrix of the others.
    """
    tender = sources.tender.tender
    if stale := _stale(warehouse, tender, sources, report=False):
        return [PlannedRun("tender_job", tender, stale)]
    packs = [
        PlannedRun("pack_job", pack, stale)
        for pack in sources.packs
        if pack not in skip and (stale := _stale(warehouse, pack, sources, report=False))
    ]
    report = _stale(warehouse, tender, sources, report=True)
    return packs or ([PlannedRun("report_job", tender, report)] if report else [])
