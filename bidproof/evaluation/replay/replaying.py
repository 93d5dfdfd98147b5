"""A warehouse's packs under other parameters: what would change, pack by pack and in all. Writes no table.

Holds the run over packs and its result. What is compared stands in `differences`, one set of parameters after another
in `sweeping`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import Field

from bidproof.errors import BadInputError
from bidproof.evaluation.replay.differences import UNKNOWN, RuleReplay, compare_rules
from bidproof.evaluation.replay.pack_at import PackAt
from bidproof.evaluation.replay.parameters import Layer, changed_knobs, overlaid, refuse_reading
from bidproof.evaluation.replay.recomputing import BY_RULE, WHOLE, Tools
from bidproof.evaluation.replay.stored import CHAIN, READING, StoredPack
from bidproof.records import Record, Status
from bidproof.store import Warehouse

Tell = Callable[[str, int, int], None]


class Standing(Record):
    """A pack's gate and scores; the gate is `unknown` while a verdict is."""

    gate: str
    technical: float | None
    commercial: float | None
    overall: float | None


class PackReplay(Record):
    """What other parameters change in one pack. `skipped` says why nothing is known of it; `notes` are one line each."""

    pack: str
    tender: str
    bidder: str
    settings: dict[str, tuple[Any, Any]] = Field(default_factory=dict)
    recomputed: tuple[str, ...] = ()
    rules: tuple[RuleReplay, ...] = ()
    before: Standing | None = None
    after: Standing | None = None
    notes: tuple[str, ...] = ()
    skipped: str = ""


class Totals(Record):
    """Sums over packs. `flips_by` counts flips as `Missing > Pass`.

    Those to Pass, and each Pass whose review is lifted, are the ones to look at first.
    """

    packs: int
    skipped: int
    rules: int
    candidates_added: int
    candidates_dropped: int
    candidates_moved: int
    passages_added: int
    passages_dropped: int
    rules_changed: int
    flips: int
    reviews_lifted: int
    flips_to_pass: int
    flips_from_pass: int
    flips_by: dict[str, int]
    unknown: int
    gates_changed: int
    tokens_before: int
    tokens_after: int


class Replay:
    """Packs of a warehouse, ready to be asked about one set of parameters after another.

    What one question has worked out, the next one uses.
    """

    def __init__(self, warehouse: Warehouse, packs: Iterable[str], tools: Tools) -> None:
        self.packs = [StoredPack(warehouse, pack) for pack in packs]
        self._tools = tools
        self._before: dict[str, PackAt] = {}

    @property
    def usable(self) -> list[StoredPack]:
        """Packs that have verdicts."""
        return [stored for stored in self.packs if not stored.lacks]

    def check(self, layer: Layer) -> None:
        """Refuse settings that no pack could be run with.

        Raises:
            BadInputError: a value is not allowed, only shows once files are read anew, or names another judge.
        """
        for stored in self.usable:
            refuse_reading(changed_knobs(stored.base, overlaid(stored.base, layer)))

    def at(self, layer: Layer, tell: Tell | None = None) -> tuple[PackReplay, ...]:
        """What `layer` changes in each pack, in order of pack.

        Raises:
            BadInputError: a value is not allowed, only shows once files are read anew, or names another judge.
            StageError: a run would stop on a check.
        """
        found = []
        for number, stored in enumerate(self.packs):
            if tell:
                tell(stored.pack, number, len(self.packs))
            found.append(_skipped(stored) if stored.lacks else self._one(stored, layer))
        return tuple(found)

    def tables(self, stored: StoredPack, layer: Layer) -> tuple[PackAt, PackAt]:
        """A pack's tables before and after."""
        if stored.pack not in self._before:
            self._before[stored.pack] = PackAt(stored, stored.base, self._tools)
        before = self._before[stored.pack]
        return before, PackAt(stored, overlaid(stored.base, layer), self._tools, before)

    def _one(self, stored: StoredPack, layer: Layer) -> PackReplay:
        before, after = self.tables(stored, layer)
        changes = changed_knobs(before.params, after.params)
        refuse_reading(changes)
        rules = compare_rules(before, after)
        return PackReplay(
            pack=stored.pack, tender=stored.tender, bidder=stored.pack.partition("--")[2], settings=changes, rules=rules,
            before=_standing(before, any(rule.verdict_before == UNKNOWN for rule in rules)),
            after=_standing(after, any(rule.unknown for rule in rules)),
            recomputed=tuple(stage.name for stage in CHAIN if stage.name in after.computed),
            notes=(*_notes(stored), *_idle(stored, changes)),
        )  # fmt: skip


def _skipped(stored: StoredPack) -> PackReplay:
    bidder = stored.pack.partition("--")[2]
    return PackReplay(pack=stored.pack, tender=stored.tender, bidder=bidder, skipped=stored.lacks)


def _standing(at: PackAt, unknown: bool) -> Standing:
    row = at["scores"].row(0, named=True)
    points = {name: None if unknown else row[name] for name in ("technical", "commercial", "overall")}
    return Standing(gate=UNKNOWN if unknown else row["gate"], **points)


def _notes(stored: StoredPack) -> list[str]:
    """What of the warehouse is not as a run would leave it now."""
    found = []
    for name, reasons in stored.stale.items():
        said = "; ".join(reasons)
        if name in READING or (name == "requirements" and not stored.mined):
            found.append(f"{name} is stale ({said}) and taken as it is; `bidproof run` brings it up to date")
        elif name in WHOLE or name in BY_RULE:
            found.append(f"{name} is stale ({said}): worked out anew on both sides")
    return found


def _idle(stored: StoredPack, changes: dict[str, tuple[Any, Any]]) -> list[str]:
    """Knobs that change nothing here, whatever their value."""
    heeded = {group for stage in CHAIN for group in stage.params}
    idle = [path for path in changes if path.partition(".")[0] not in heeded]
    rules = [path for path in changes if path.startswith("catalog.") and not stored.mined]
    return [f"{path} changes no verdict" for path in idle] + [
        f"{path} changes nothing: the rules are those of a catalog file" for path in rules
    ]


def totals(packs: Sequence[PackReplay]) -> Totals:
    """Sums over all packs and rules."""
    rules = [rule for pack in packs for rule in pack.rules]
    flips = [rule for rule in rules if rule.flip]
    by = Counter(f"{rule.verdict_before} > {rule.verdict_after}" for rule in flips)
    return Totals(
        packs=len(packs), skipped=sum(bool(pack.skipped) for pack in packs), rules=len(rules),
        candidates_added=sum(len(rule.candidates_added) for rule in rules),
        candidates_dropped=sum(len(rule.candidates_dropped) for rule in rules),
        candidates_moved=sum(len(rule.candidates_moved) for rule in rules),
        passages_added=sum(len(rule.passages_added) for rule in rules),
        passages_dropped=sum(len(rule.passages_dropped) for rule in rules),
        rules_changed=sum(rule.changed for rule in rules), flips=len(flips),
        reviews_lifted=sum(rule.review_lifted for rule in rules),
        flips_to_pass=sum(rule.verdict_after == Status.PASS for rule in flips),
        flips_from_pass=sum(rule.verdict_before == Status.PASS for rule in flips),
        flips_by=dict(sorted(by.items())), unknown=sum(rule.unknown for rule in rules),
        gates_changed=sum(bool(pack.before and pack.after and pack.before.gate != pack.after.gate) for pack in packs),
        tokens_before=sum(rule.tokens_before for rule in rules), tokens_after=sum(rule.tokens_after for rule in rules),
    )  # fmt: skip


def chosen_packs(warehouse: Warehouse, tender: str | None, pack: str | None) -> list[str]:
    """Packs of the warehouse, all or those of a tender or one, by slug.

    Raises:
        BadInputError: there is none.
    """
    known = [name for name in warehouse.partitions("documents") if "--" in name]
    if not known:
        raise BadInputError(
            warehouse.url, "nothing was run into this warehouse yet", "run `bidproof run INBOX` first"
        )
    found = [name for name in known if tender is None or name.partition("--")[0] == tender]
    if not found:
        tenders = ", ".join(sorted({name.partition("--")[0] for name in known}))
        raise BadInputError(str(tender), "no such tender in the warehouse", f"known are {tenders}")
    kept = [name for name in found if pack is None or pack in (name, name.partition("--")[2])]
    if not kept:
        raise BadInputError(str(pack), "no such pack in the warehouse", f"known are {', '.join(found)}")
    return kept
