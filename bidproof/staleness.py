"""What is stale, and why: the stage graph held against the manifests and the inbox.

Dagster's own staleness looks one hop up, does not see parameters and is silent for partitions, so the
planner, the sensors, `bidproof status` and `bidproof run` all ask here. Reads manifests; writes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from bidproof.data_files import data_digests
from bidproof.errors import BadInputError
from bidproof.intake.inbox import Bid, Tender, files_digest, scan_inbox
from bidproof.learned import learning_in_use
from bidproof.model_files import file_digest, folder_digest
from bidproof.override_log import events_digest
from bidproof.params import Params, load_params
from bidproof.recognition_data import installed
from bidproof.stages import STAGES, Stage
from bidproof.store import DamagedError, Manifest, Warehouse, digest, fingerprint

State = Literal["fresh", "missing", "stale", "downstream", "blocked"]


def tender_of(partition: str) -> str:
    """Tender slug of a tender or pack partition key."""
    return partition.split("--", 1)[0]


@dataclass(frozen=True)
class Sources:
    """A tender as it lies in the inbox now, with the parameters that apply to it."""

    tender: Tender
    params: Params

    @property
    def packs(self) -> list[str]:
        """Pack keys of all bids in the inbox."""
        return [bid.pack for bid in self.tender.bids]

    def bid(self, pack: str) -> Bid:
        """The bid of a pack.

        Raises:
            BadInputError: the bidder's folder is gone.
        """
        for bid in self.tender.bids:
            if bid.pack == pack:
                return bid
        raise BadInputError(
            pack, "the bidder's folder is gone from the inbox", "put it back or prune the pack"
        )

    def digest(self, stage: Stage, partition: str) -> str:
        """Content digest of the inbox files that `stage` reads itself."""
        if stage.source == "bid":
            bid = self.bid(partition)
            return digest([self.tender.name, bid.name, files_digest(bid.files)])
        if stage.source == "rfp":
            return digest([self.tender.name, files_digest(self.tender.rfp_files)])
        path = self.tender.catalog_path
        if path is None:
            return "mined"
        try:
            return digest([path.name, hashlib.sha256(path.read_bytes()).hexdigest()])
        except OSError as error:
            return digest([path.name, error.strerror])


def find_sources(
    warehouse: Warehouse, tender: str, project_root: Path, overrides: Mapping[str, Any] | None = None
) -> Sources:
    """Where a tender's files lie, by the warehouse's own record of its inbox.

    Raises:
        BadInputError: the tender was never run, or its folder is gone.
    """
    root = warehouse.sources().get(tender)
    if root is None:
        raise BadInputError(tender, "no such tender in this warehouse", "run `bidproof run INBOX` first")
    found = scan_inbox(Path(root), tender=tender).tenders[0]
    return Sources(found, load_params(project_root, found.folder, overrides))


@dataclass(frozen=True)
class Recipe:
    """What a stage would be made from, as things stand now."""

    stage: Stage
    partition: str
    inputs: dict[str, str]
    params: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the output that this recipe would give."""
        return fingerprint(self.stage.name, self.stage.code, self.inputs, self.params)


def known_packs(warehouse: Warehouse, tender: str) -> list[str]:
    """Packs of a tender in the warehouse. A pack that failed half-way counts: it must show in the matrix."""
    return [p for p in warehouse.partitions("documents") if p.startswith(f"{tender}--")]


def input_partitions(warehouse: Warehouse, stage: Stage, source: Stage, partition: str) -> list[str]:
    """Partitions of `source` that `stage` reads for its own `partition`."""
    if stage.scope == source.scope:
        return [partition]
    return [tender_of(partition)] if source.scope == "tender" else known_packs(warehouse, partition)


MEND_GONE = "put it back, or drop them with `bidproof prune --gone` and run again"


def gone_packs(warehouse: Warehouse, tender: Tender) -> list[str]:
    """Packs of a tender in the warehouse whose folders are no longer in the inbox."""
    return [p for p in known_packs(warehouse, tender.tender) if p not in {bid.pack for bid in tender.bids}]


def _readable(warehouse: Warehouse, table: str, partition: str) -> Manifest | None:
    try:
        return warehouse.manifest(table, partition)
    except DamagedError:
        return None


def recipe(warehouse: Warehouse, stage: Stage, partition: str, sources: Sources) -> Recipe:
    """Recipe of `stage` for `partition` from the current manifests, inbox and parameters."""
    from bidproof.stages import BY_NAME

    inputs: dict[str, str] = {}
    for name in stage.inputs:
        source = BY_NAME[name]
        for key in input_partitions(warehouse, stage, source, partition):
            manifest = _readable(warehouse, source.table, key)
            inputs[f"{name}@{key}"] = manifest.content if manifest else ""
    if stage.source:
        inputs[f"files:{stage.source}"] = sources.digest(stage, partition)
    if stage.decided and (log := events_digest(warehouse, partition)):
        inputs["overrides"] = log
    inputs.update({f"data:{name}": content for name, content in data_digests(stage.data).items()})
    params = sources.params.groups(stage.params)
    if "documents" in params:
        # Recognition data that is installed later reads scans better: the reading stages must see it.
        params["documents"]["recognition_data"] = list(_recognition_data(sources.params))
    if "retrieval" in params and (weights := folder_digest(sources.params.retrieval.sparse_model)):
        params["retrieval"]["sparse_files"] = weights
    if "asking" in params and (weights := file_digest(sources.params.asking.gguf)):
        params["asking"]["gguf_file"] = weights
    if stage.by_rule and "retrieval" in params:
        params["retrieval"] |= _second_look(warehouse, tender_of(partition), sources.params)
    return Recipe(stage, partition, inputs, params)


def _recognition_data(params: Params) -> tuple[str, ...]:
    """Languages that scans can be read in on this machine; none of them matters while OCR is off."""
    return installed(params.documents.ocr_data) if params.documents.ocr else ()


def _second_look(warehouse: Warehouse, tender: str, params: Params) -> dict[str, str]:
    """What ranks candidates anew besides knobs: other weights under the same name, evidence confirmed since."""
    weights = folder_digest(params.retrieval.reranker)
    learned = learning_in_use(warehouse, tender) if params.retrieval.score_confirmed else None
    found = {"reranker_files": weights, "confirmed_evidence": learned.content if learned else ""}
    return {name: value for name, value in found.items() if value}


def _knobs(params: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in params.items():
        path = f"{prefix}{name}"
        flat.update(_knobs(value, f"{path}.") if isinstance(value, Mapping) else {path: value})
    return flat


def differences(manifest: Manifest, now: Recipe) -> tuple[str, ...]:
    """Why a committed output no longer matches its recipe, one line a cause."""
    reasons: list[str] = []
    if manifest.code != now.stage.code:
        reasons.append(f"code version {manifest.code} -> {now.stage.code}")
    old, new = _knobs(manifest.params), _knobs(now.params)
    for knob in sorted(old.keys() | new.keys()):
        if old.get(knob) != new.get(knob):
            reasons.append(f"{knob} {old.get(knob)} -> {new.get(knob)}")
    for name in sorted(manifest.inputs.keys() | now.inputs.keys()):
        if manifest.inputs.get(name) != now.inputs.get(name):
            what = "files changed" if name.startswith("files:") else "changed"
            what = "is new" if name not in manifest.inputs else "is gone" if name not in now.inputs else what
            reasons.append(f"{name.removeprefix('files:').removeprefix('data:')} {what}")
    return tuple(reasons)


@dataclass(frozen=True)
class StageState:
    """State of one stage for one partition.

    `downstream` means that its own recipe still matches but a stage above it will run: it is computed
    again only if that stage's output turns out different. `blocked` means that a check on what it reads failed and
    forbids to go on; the reason is that check's message.
    """

    stage: Stage
    partition: str
    state: State
    reasons: tuple[str, ...] = ()
    manifest: Manifest | None = field(default=None, repr=False)

    @property
    def will_run(self) -> bool:
        """Whether a run would touch the stage."""
        return self.state not in ("fresh", "blocked")


def stage_states(
    warehouse: Warehouse, partition: str, sources: Sources, stages: Iterable[Stage] = STAGES
) -> list[StageState]:
    """State of each stage of one partition (tender or pack), in graph order."""
    scope = "pack" if "--" in partition else "tender"
    moving: set[str] = set()
    stopped: dict[str, tuple[str, ...]] = {}
    states: list[StageState] = []
    for stage in stages:
        if stage.scope != scope:
            continue
        now = recipe(warehouse, stage, partition, sources)
        manifest, why = warehouse.usable(stage.table, partition)
        above = tuple(name for name in stage.inputs if name in moving)
        blocked = next((stopped[name] for name in stage.inputs if name in stopped), None)
        state: State
        reasons: tuple[str, ...]
        if blocked is not None:
            state, reasons = "blocked", blocked
        elif manifest is None:
            state, reasons = "missing", (why or "never computed",)
        elif manifest.fingerprint != now.fingerprint:
            state, reasons = "stale", differences(manifest, now)
        elif above:
            state, reasons = "downstream", tuple(f"{name} will run" for name in above)
        else:
            state, reasons = "fresh", ()
        if state == "blocked":
            stopped[stage.name] = reasons
        elif state != "fresh":
            moving.add(stage.name)
        elif manifest is not None and (
            said := tuple(f"{stage.name}: {check.message}" for check in manifest.checks if check.stops)
        ):
            stopped[stage.name] = said
        states.append(StageState(stage, partition, state, reasons, manifest))
    return states


def stale_stages(warehouse: Warehouse, partition: str, sources: Sources) -> list[StageState]:
    """Stages of a partition that a run would touch, in graph order."""
    return [state for state in stage_states(warehouse, partition, sources) if state.will_run]


def withheld_tables(warehouse: Warehouse, partition: str) -> frozenset[str]:
    """Tables whose rows for a partition are of an earlier run, as a check now forbids to make them anew.

    Whoever shows current results leaves these rows out: what was found in other files says nothing of these.
    """
    scope = "pack" if "--" in partition else "tender"
    stopped: set[str] = set()
    withheld: set[str] = set()
    for stage in STAGES:
        if stage.scope != scope:
            continue
        manifest = _readable(warehouse, stage.table, partition)
        if stopped & set(stage.inputs):
            stopped.add(stage.name)
            withheld.add(stage.table)
        elif manifest is not None and any(check.stops for check in manifest.checks):
            stopped.add(stage.name)
    return frozenset(withheld)
