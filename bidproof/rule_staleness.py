"""Which findings a change of a catalog makes stale: pack by pack and rule by rule, before anything is run.

Reads what the packs' findings speak of; runs nothing. What a run then keeps is told by `rows_by_rule`.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from bidproof.catalog.versions.diff import CatalogDiff, RuleChange, Superseded
from bidproof.records import Record
from bidproof.rows_by_rule import UNREAD
from bidproof.staleness import known_packs, tender_of
from bidproof.store import Warehouse


class StalePack(Record):
    """What a change of the catalog means for one pack. Rules are ids, sorted."""

    pack: str
    to_judge: tuple[str, ...] = ()
    to_forget: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether anything changes for the pack."""
        return bool(self.to_judge or self.to_forget)


def touched_rules(diff: CatalogDiff) -> tuple[frozenset[str], frozenset[str]]:
    """Ids of the new catalog whose rows must be made anew, and ids of the old one whose rows mean nothing now.

    A rule that only stands on another page is in neither: no verdict hangs on that.
    """
    changes: list[RuleChange | Superseded] = [*diff.changed, *diff.moved, *diff.superseded, *diff.redated]
    read = [one for one in changes if not _unread(one)]
    anew = {one.new.rule_id for one in read if one.new is not None} | {rule.rule_id for rule in diff.added}
    gone = {one.old.rule_id for one in read} | {rule.rule_id for rule in diff.dropped}
    return frozenset(anew), frozenset(gone - anew)


def _unread(one: RuleChange | Superseded) -> bool:
    return one.new is not None and {each.field for each in one.fields} <= set(UNREAD["requirements"])


def packs_made_stale(diff: CatalogDiff, findings: pl.DataFrame, packs: Iterable[str] = ()) -> list[StalePack]:
    """What a change means for each pack, in order of pack; the packs that it leaves alone are named too.

    Args:
        diff: the change, from the catalog that the findings were made under.
        findings: rows of `tables.FINDINGS` of one tender's packs.
        packs: packs that may have no findings yet.
    """
    anew, gone = touched_rules(diff)
    judged: dict[str, set[str]] = {pack: set() for pack in packs}
    for pack, rule_id in findings.select("pack", "rule_id").iter_rows():
        judged.setdefault(pack, set()).add(rule_id)
    return [
        StalePack(
            pack=pack, to_judge=tuple(sorted(anew)), to_forget=tuple(sorted(gone & rules)),
            fresh=tuple(sorted(rules - anew - gone)),
        )
        for pack, rules in sorted(judged.items())
    ]  # fmt: skip


def stale_packs_of(diff: CatalogDiff, warehouse: Warehouse, tender: str) -> list[StalePack]:
    """`packs_made_stale` for the packs of a tender in a warehouse."""
    packs = known_packs(warehouse, tender)
    return packs_made_stale(diff, warehouse.read_many("findings", packs), packs)


def stale_packs_under(diff: CatalogDiff, warehouse: Warehouse, version: str) -> list[StalePack]:
    """`packs_made_stale` for the packs of a warehouse that stand under a catalog version, whichever tender is theirs.

    Those are the packs that were judged by these rules, and of a tender whose catalog in force they are all packs.
    """
    found: list[StalePack] = []
    tenders = sorted({tender_of(pack) for pack in warehouse.partitions("documents") if "--" in pack})
    for tender in tenders:
        packs = known_packs(warehouse, tender)
        if _version(warehouse.read("requirements", tender)) == version:
            found += stale_packs_of(diff, warehouse, tender)
            continue
        judged = {pack: warehouse.read("findings", pack) for pack in packs}
        under = [pack for pack, rows in judged.items() if _version(rows) == version]
        for pack in under:
            found += packs_made_stale(diff, judged[pack], [pack])
    return found


def _version(rows: pl.DataFrame) -> str:
    return str(next(iter(rows["catalog_version"]), ""))
