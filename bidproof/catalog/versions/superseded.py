"""Superseded rules as they are recorded: in a catalog file by the words that people look for, in the warehouse as JSON.

Turns one into the other. Which rules an addendum supersedes is found in `addenda`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.rfp_record import SupersededRule
from bidproof.catalog.versions.diff import Superseded
from bidproof.records import Requirement, Source


def superseded_line(one: Superseded) -> str:
    """A superseded rule as one line of JSON: the old rule, the id of the new one, and why."""
    line = {"old": one.old.model_dump(mode="json"), "new": one.new.rule_id if one.new else "", "why": one.why}
    return json.dumps(line, ensure_ascii=False, sort_keys=True)


def superseded_of(lines: Iterable[str]) -> list[Superseded]:
    """The inverse of `superseded_line`, without the new rules: `diff_catalogs` finds them in their catalog."""
    read = (json.loads(line) for line in lines)
    return [Superseded(old=Requirement.model_validate(one["old"]), why=one["why"]) for one in read]


def for_file(one: Superseded) -> SupersededRule:
    """A superseded rule as a catalog file records it."""
    old = one.old
    first = old.sources[0] if old.sources else None
    return SupersededRule(
        id=old.rule_id, by=one.new.rule_id if one.new else "", why=one.why, area=old.area,
        mandatory=old.mandatory, text=old.text, clause_ref=old.clause_ref,
        file_name=first.file_name if first else "", page=first.page if first else old.source_page,
        quote=first.quote if first else old.source_quote,
    )  # fmt: skip


def from_file(file: CatalogFile, rules: Sequence[Requirement]) -> tuple[Superseded, ...]:
    """What a catalog file records as superseded; `rules` are its own, among which are those that hold now."""
    held = {rule.rule_id: rule for rule in rules}
    return tuple(_superseded(one, held) for one in file.superseded)


def _superseded(one: SupersededRule, held: dict[str, Requirement]) -> Superseded:
    source = Source(file_name=one.file_name, page=one.page, quote=one.quote) if one.page is not None else None
    old = Requirement(
        rule_id=one.id, area=one.area or "General", mandatory=one.mandatory, text=one.text or one.quote or one.id,
        clause_ref=one.clause_ref, sources=(source,) if source else (), source_page=one.page, source_quote=one.quote,
    )  # fmt: skip
    gone = (
        f"; {one.by}, which stood in its place, is no rule any more" if one.by and one.by not in held else ""
    )
    return Superseded(old=old, new=held.get(one.by), why=one.why + gone)
