"""What became of each plant on its way through the pipeline's own stages, and the figures of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bidproof.evaluation.found import Searched
from bidproof.evaluation.labelled import GoldSpan, LabelledDocument, LabelledItem, LabelledPack
from bidproof.evaluation.metrics import Figure, mean_figure
from bidproof.evaluation.pack_frames import Tools, read_pack
from bidproof.evaluation.planting.plants import Place, Plant
from bidproof.evaluation.planting.sources import PlantingGround
from bidproof.evaluation.searching import QueryVectors, search_pack
from bidproof.evaluation.waterfall import KEPT, STAGES, losses, lost_at, passed

Stages = dict[str, Figure]


@dataclass(frozen=True)
class PlantedResult:
    """All plants with their places and what the product found for their rules.

    `k` is how many candidates count in the stage `fuse`, `least` the share of plants that must be among the candidates.
    """

    pack: str
    seed: int
    k: int
    pages: int
    plants: tuple[Plant, ...]
    places: tuple[Place, ...]
    searched: tuple[Searched, ...]
    least: float
    unread: tuple[str, ...] = ()

    @cached_property
    def passed(self) -> list[dict[str, bool]]:
        """For each plant the stages that it came through."""
        return [passed(one, False, self.k)[0] for one in self.searched]

    @property
    def losses(self) -> dict[str, int]:
        """Plants by the first stage that lost them."""
        return losses(self.searched, False, self.k)

    @property
    def stages(self) -> Stages:
        """Share of the plants that came through each stage, each told for itself."""
        return _stages(self.passed)

    def groups(self, of: Callable[[Plant, Place], str]) -> dict[str, Stages]:
        """The same for each kind of plant."""
        found: dict[str, list[dict[str, bool]]] = {}
        for plant, place, stages in zip(self.plants, self.places, self.passed, strict=True):
            found.setdefault(of(plant, place), []).append(stages)
        return {name: _stages(found[name]) for name in sorted(found)}

    @property
    def kinds(self) -> dict[str, dict[str, Stages]]:
        """Figures by form, by language, by shape of fact, by whose rule, and by whose page."""
        return {
            "form": self.groups(lambda plant, _: plant.form),
            "language": self.groups(lambda plant, _: plant.language),
            "shape": self.groups(lambda plant, _: plant.shape),
            "rule": self.groups(lambda plant, _: "catalog" if plant.of_catalog else "made"),
            "page": self.groups(lambda _, place: "new" if place.new_page else "own"),
        }

    @property
    def lost(self) -> list[tuple[str, Plant, Place]]:
        """Plants that a stage lost, with its name, in the order of the stages."""
        ends = [lost_at(stages) for stages in self.passed]
        found = [one for one in zip(ends, self.plants, self.places, strict=True) if one[0] != KEPT]
        return sorted(found, key=lambda one: (STAGES.index(one[0]), one[1].number))

    def record(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "pack": self.pack, "planted": len(self.plants), "seed": self.seed, "k": self.k, "pages": self.pages,
            "stages": _plain(self.stages), "losses": self.losses,
            "kinds": {
                kind: {name: _plain(stages) for name, stages in groups.items()} for kind, groups in self.kinds.items()
            },
            "plants": [
                {
                    **plant.model_dump(mode="json", exclude={"rule", "cells", "statement", "fact"}),
                    "rule": {"id": plant.rule.rule_id, "text": plant.rule.text},
                    "text": plant.words, "fact": plant.fact.model_dump(mode="json", exclude_defaults=True),
                    **place.model_dump(mode="json"), "stages": stages, "lost_at": lost_at(stages), "rank": _rank(one),
                }
                for plant, place, stages, one in zip(self.plants, self.places, self.passed, self.searched, strict=True)
            ],
            "notes": list(self.unread),
        }  # fmt: skip


def _stages(told: Sequence[dict[str, bool]]) -> Stages:
    return {name: mean_figure(float(one[name]) for one in told) for name in STAGES}


def _plain(stages: Stages) -> dict[str, dict[str, Any]]:
    return {name: figure.model_dump() for name, figure in stages.items()}


def _rank(one: Searched) -> int | None:
    held = one.held_along(one.candidates)
    return next((rank for rank, spans in enumerate(held, start=1) if spans), None)


def find_planted(
    ground: PlantingGround, documents: tuple[LabelledDocument, ...], plants: Sequence[Plant], places: Sequence[Place],
    tools: Tools, seed: int, k: int, tell: Callable[[str], None] | None = None,
) -> PlantedResult:  # fmt: skip
    """Read the planted copy `documents` of `ground`, ask the rule of each plant, and tell what became of it.

    Raises:
        BadInputError: a file changed while it was read.
    """
    pack = LabelledPack(name=ground.name, documents=documents, rfp=ground.rfp)
    items = [
        LabelledItem(
            item_id=f"{plant.number:04}", pack=ground.name, requirement=plant.rule,
            gold=(GoldSpan(
                document=place.file_name, page=place.page, text=plant.words, fact=plant.fact,
                last_page=place.last_page if place.last_page != place.page else None,
            ),),
        )
        for plant, place in zip(plants, places, strict=True)
    ]  # fmt: skip
    frames = read_pack(pack, tools, False, tell)
    if tell:
        tell(f"{len(items)} rules")
    searched = search_pack(items, pack, frames, QueryVectors(tools.embedder), tools.params, False, False)
    return PlantedResult(
        ground.name,
        seed,
        k,
        frames.pages.height,
        tuple(plants),
        tuple(places),
        tuple(searched),
        tools.params.evaluation.min_recall,
        tuple(frames.unread()),
    )
