"""How much of a tender's gold evidence its packs' passages keep, and which verdicts its labels call wrong.

Holds the way from a warehouse's pack to the gold of that pack. What it is to hold gold stands in `gold_finding`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bidproof.errors import BadInputError
from bidproof.evaluation.gold_finding import GoldFinder
from bidproof.evaluation.labelled import LabelledItem, LabelledPack, LabelledSet
from bidproof.evaluation.pack_frames import PackFrames
from bidproof.evaluation.reading import read_set
from bidproof.evaluation.replay.differences import UNKNOWN
from bidproof.evaluation.replay.pack_at import PackAt
from bidproof.evaluation.replay.stored import StoredPack
from bidproof.evaluation.waterfall import passed
from bidproof.intake.inbox import slug
from bidproof.params import RetrievalParams
from bidproof.records import Record, Status
from bidproof.retrieval import LexicalIndex, build_lexical_index
from bidproof.tables import CHUNKS


class GoldCount(Record):
    """Gold spans and those that reached the passages; labelled verdicts, those that are right, and wrong Passes.

    A Pass is wrong where no label calls it right. A verdict that is unknown is counted nowhere.
    """

    spans: int = 0
    kept: int = 0
    labelled: int = 0
    right: int = 0
    wrong_passes: int = 0

    @property
    def share_kept(self) -> float | None:
        """Share of the gold spans that a judge would see; nothing where there are none."""
        return self.kept / self.spans if self.spans else None

    def __add__(self, other: GoldCount) -> GoldCount:
        return GoldCount(
            **{name: getattr(self, name) + getattr(other, name) for name in GoldCount.model_fields}
        )


class Gold:
    """Gold of tenders, by the packs of a warehouse.

    A gold file stands for the pack of its own name (`<tender>/<bidder>.jsonl`), as everywhere.

    Args:
        labelled: the set.
        folder: its folder, whose name is the tender's where the gold files stand in it directly.

    Raises:
        BadInputError: it is no gold of tenders.
    """

    def __init__(self, labelled: LabelledSet, folder: Path) -> None:
        if labelled.format != "tender":
            raise BadInputError(
                str(folder), f"is a set of kind {labelled.format}", "name a folder with gold of a tender"
            )
        tender = slug(folder.resolve().name)
        self._packs: dict[str, LabelledPack] = {}
        self._items: dict[str, list[LabelledItem]] = {}
        self._finders: dict[str, tuple[tuple[str, str], GoldFinder]] = {}
        for pack in labelled.packs:
            above, dashes, bidder = pack.name.rpartition("--")
            key = f"{slug(above)}--{slug(bidder)}" if dashes else f"{tender}--{slug(bidder)}"
            self._packs[key] = pack
            self._items[key] = [item for item in labelled.items if item.pack == pack.name]

    @classmethod
    def read(cls, folder: Path) -> Gold:
        """Gold of a folder.

        Raises:
            BadInputError: there is no such folder, it is no gold of tenders, or a line is broken.
        """
        return cls(read_set(folder), folder)

    def covers(self, packs: Iterable[StoredPack]) -> list[str]:
        """Packs among these that have gold.

        Raises:
            BadInputError: none has.
        """
        names = [stored.pack for stored in packs]
        found = [name for name in names if name in self._packs]
        if not found:
            what = f"has gold of {', '.join(sorted(self._packs))}, and of none of {', '.join(names) or 'no packs'}"
            raise BadInputError(
                "--gold", what, "name the gold's folder <tender> and its files <bidder>.jsonl"
            )
        return found

    def count(self, at: PackAt) -> GoldCount:
        """What a pack's passages show of its gold, and its verdicts; zeros where it has none."""
        pack = self._packs.get(at.pack)
        if pack is None:
            return GoldCount()
        finder, items = self._finder(at, pack), self._items[at.pack]
        chosen: dict[str, list[str]] = {}
        for rule_id, chunk_id in at["passages"].select("rule_id", "chunk_id").iter_rows():
            chosen.setdefault(rule_id, []).append(chunk_id)
        verdicts = dict(at["findings"].select("rule_id", "status").iter_rows())
        judged = set(at["judgements"]["rule_id"])
        chosen_rows = at["candidates"].join(
            at["passages"].select("rule_id", "chunk_id"), ["rule_id", "chunk_id"], "semi"
        )
        ranked = {
            str(key[0]): group for key, group in chosen_rows.sort("rule_id", "rank").group_by("rule_id")
        }
        empty = chosen_rows.clear()
        searched = []
        for item in items:
            rule = item.requirement.rule_id
            verdict = verdicts.get(rule, UNKNOWN) if rule in judged else UNKNOWN
            passages = frozenset(chosen.get(rule, ()))
            searched.append(finder.searched(item, ranked.get(rule, empty), passages, verdict))
        spans = [stages for one in searched for stages in passed(one, False, 1)]
        known = [one for one in searched if one.item.verdicts and one.verdict not in ("", UNKNOWN)]
        right = [one for one in known if one.verdict in one.item.verdicts]
        return GoldCount(
            spans=len(spans), kept=sum(stages["select"] for stages in spans), labelled=len(known), right=len(right),
            wrong_passes=sum(one.verdict == Status.PASS and one not in right for one in known),
        )  # fmt: skip

    def _finder(self, at: PackAt, pack: LabelledPack) -> GoldFinder:
        """Finder over a pack's chunks, made anew once they are cut otherwise."""
        key = (at.token("chunks"), at.token("facts"))
        if at.pack not in self._finders or self._finders[at.pack][0] != key:
            self._finders[at.pack] = (key, GoldFinder(pack, _frames(at), by_page=False))
        return self._finders[at.pack][1]


def _frames(at: PackAt) -> PackFrames:
    """What finding gold needs to know of a pack; its indexes are not searched for that."""
    no_index = LexicalIndex.from_table(build_lexical_index(CHUNKS.empty(), RetrievalParams()))
    documents = at["documents"]
    return PackFrames(
        documents, at["pages"], at["blocks"], at["chunks"], at["facts"], at["tags"], no_index, None, at["rfp_chunks"],
        dict(documents.select("doc_id", "file_name").iter_rows()), {},
    )  # fmt: skip
