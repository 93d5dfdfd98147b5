"""What differs between two catalogs, or between two revisions of an RFP through the rules mined from them.

Says what was added, dropped, changed field by field, moved, superseded by an addendum, and left alone; each rule
is in one of these only. Whose findings a change makes stale is for `bidproof.rule_staleness`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import Field

from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.predicates.derivation import derive
from bidproof.catalog.versions.pairing import Pair, pair_rules
from bidproof.documents.revisions import is_addendum
from bidproof.records import Record, Requirement, Source

FIELDS = tuple(Requirement.model_fields)
PLACE_FIELDS = ("clause_ref", "section_hints", "references", "sources", "source_page", "source_quote")
"""Fields that say where a rule stands. A rule of which only these differ has moved."""
HEAD_FIELDS = (
    "title", "tender", "rfp", "rfp_sha256", "author", "created", "status", "accepted_by", "accepted_on", "submission_date",
)  # fmt: skip
_MARKS = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": "'", "”": "'", "«": "'", "»": "'", "–": "-", "—": "-", "‑": "-"}
)
_PAGE = re.compile(r" \(p\. [^)]*\)$")
_FILE = re.compile(r"^[^>]*\.\w{2,5} > ")


class FieldChange(Record):
    """One field that differs, with both values as plain data."""

    field: str
    old: Any
    new: Any


class RuleChange(Record):
    """A rule in both catalogs, with the fields that differ, in the order of the record."""

    old: Requirement
    new: Requirement
    fields: tuple[FieldChange, ...]

    @property
    def rule_id(self) -> str:
        """Its id in the new catalog."""
        return self.new.rule_id


class Superseded(Record):
    """A rule that something later in the RFP replaced or struck out."""

    old: Requirement
    new: Requirement | None = Field(
        None, description="the rule that stands in its place; none where it was deleted"
    )
    why: str = Field(
        description="what says so, with file and page: 'addendum_1.pdf p. 2: clause 3.2 is deleted'"
    )
    fields: tuple[FieldChange, ...] = ()


class CatalogDiff(Record):
    """All differences. Every rule of the old and of the new catalog is counted exactly once."""

    added: tuple[Requirement, ...] = ()
    dropped: tuple[Requirement, ...] = ()
    changed: tuple[RuleChange, ...] = ()
    moved: tuple[RuleChange, ...] = ()
    superseded: tuple[Superseded, ...] = ()
    redated: tuple[RuleChange, ...] = Field(
        (), description="rules of which only the submission date differs, as the whole tender was put off"
    )
    unchanged: tuple[str, ...] = Field((), description="ids in the new catalog")
    head: tuple[FieldChange, ...] = Field(
        (), description="what differs in the catalogs' own record, e.g. its status"
    )

    conflicts: tuple[str, ...] = Field(
        (), description="places of the RFP that contradict one another, as the new catalog records them"
    )

    @property
    def empty(self) -> bool:
        """Whether the rules of both catalogs are the same in every field."""
        return not (
            self.added or self.dropped or self.changed or self.moved or self.superseded or self.redated
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many rules there are of each kind."""
        names = ("added", "dropped", "changed", "moved", "superseded", "redated", "unchanged")
        return {name: len(getattr(self, name)) for name in names}


Catalog = Sequence[Requirement] | CatalogFile


def diff_catalogs(old: Catalog, new: Catalog, superseded: Iterable[Superseded] = ()) -> CatalogDiff:
    """Differences from `old` to `new`, in order of rule id, whatever the order of the rules.

    Rules are paired by id, else by what they say (`pairing`). A catalog file is compared as it is run: with what is
    derived from its texts, so that a changed figure shows in its predicate too.

    Args:
        old: rules, or a catalog file.
        new: the same.
        superseded: what addenda did in `new`, as `addenda.apply_addenda` found it. Where this is not known, a rule
            that an addendum states now and did not state before counts as superseded by it.
    """
    before, after = rules_of(old), rules_of(new)
    told = {one.old.rule_id: one for one in superseded}
    pairs = pair_rules(before, after)
    paired = {one.rule_id for one, _ in pairs}, {other.rule_id for _, other in pairs}
    kinds: dict[str, list[Any]] = {n: [] for n in ("changed", "moved", "superseded", "redated", "unchanged")}
    for pair in pairs:
        kind, what = _difference(pair, told)
        kinds[kind].append(what)
    gone = [rule for rule in before if rule.rule_id not in paired[0]]
    kinds["superseded"] += [
        told[r.rule_id].model_copy(update={"old": r, "new": None}) for r in gone if r.rule_id in told
    ]
    return CatalogDiff(
        added=_by_id(rule for rule in after if rule.rule_id not in paired[1]),
        dropped=_by_id(rule for rule in gone if rule.rule_id not in told),
        changed=tuple(kinds["changed"]), moved=tuple(kinds["moved"]), redated=tuple(kinds["redated"]), unchanged=tuple(sorted(kinds["unchanged"])),
        superseded=tuple(sorted(kinds["superseded"], key=lambda one: one.old.rule_id)),
        head=head_changes(old, new),
    )  # fmt: skip


def rules_of(catalog: Catalog) -> list[Requirement]:
    """Rules of a catalog as they are run: those of a file with what is derived from their texts."""
    if isinstance(catalog, CatalogFile):
        return [derive(rule, submission_date=catalog.submission_date) for rule in catalog.rules]
    return list(catalog)


def field_changes(old: Requirement, new: Requirement) -> tuple[FieldChange, ...]:
    """Fields in which two rules differ, with their values as plain data."""
    one, other = old.model_dump(mode="json"), new.model_dump(mode="json")
    return tuple(
        FieldChange(field=name, old=one[name], new=other[name]) for name in FIELDS if one[name] != other[name]
    )


def head_changes(old: Catalog, new: Catalog) -> tuple[FieldChange, ...]:
    """Fields of two catalog files' own record that differ; none where one of them is no file."""
    if not (isinstance(old, CatalogFile) and isinstance(new, CatalogFile)):
        return ()
    values = ((name, getattr(old, name, ""), getattr(new, name, "")) for name in HEAD_FIELDS)
    return tuple(FieldChange(field=name, old=one, new=other) for name, one, other in values if one != other)


def only_moved(fields: Sequence[FieldChange]) -> bool:
    """Whether nothing but the place differs: clause, page, source words, or the pages of what is referred to."""
    names = {one.field for one in fields if not _same_print(one)}
    references = [one for one in fields if one.field == "references"]
    said = all(_named(one.old) == _named(one.new) for one in references)
    hints = "section_hints" not in names or "clause_ref" in names
    return names <= set(PLACE_FIELDS) and said and hints


def _same_print(change: FieldChange) -> bool:
    """Whether two values differ in quotation marks, dashes and spaces alone, as two editions are typeset."""
    one, other = (
        unicodedata.normalize("NFKC", json.dumps(value, ensure_ascii=False))
        for value in (change.old, change.new)
    )
    return " ".join(one.translate(_MARKS).split()) == " ".join(other.translate(_MARKS).split())


def _named(references: Sequence[str]) -> list[str]:
    return [_FILE.sub("", _PAGE.sub("", reference)) for reference in references]


def _difference(pair: Pair, told: dict[str, Superseded]) -> tuple[str, Any]:
    old, new = pair
    fields = tuple(one for one in field_changes(old, new) if not _same_places(one))
    if not fields:
        return "unchanged", new.rule_id
    apart = [one for one in fields if one.field != "submission_date"]
    if not apart:
        return "redated", RuleChange(old=old, new=new, fields=fields)
    if only_moved(apart):
        return "moved", RuleChange(old=old, new=new, fields=fields)
    known = told.get(old.rule_id)
    why = known.why if known else _stated_by_addendum(old, new)
    if why:
        return "superseded", Superseded(old=old, new=new, why=why, fields=fields)
    return "changed", RuleChange(old=old, new=new, fields=fields)


def _same_places(change: FieldChange) -> bool:
    """References that name their file only because the RFP has several now, or one only, are the same."""
    if change.field != "references":
        return False
    return [_FILE.sub("", r) for r in change.old] == [_FILE.sub("", r) for r in change.new]


def _stated_by_addendum(old: Requirement, new: Requirement) -> str:
    """Where an addendum states the new rule that did not state the old one; empty where none does."""
    before = {source.file_name for source in old.sources}
    fresh = [s for s in new.sources if is_addendum(s.file_name) and s.file_name not in before]
    return f"{place(fresh[0])}: stated anew" if fresh else ""


def place(source: Source) -> str:
    """A place of the RFP as people look for it: file and page."""
    return f"{source.file_name} p. {source.page_label or source.page}".strip()


def _by_id(rules: Iterable[Requirement]) -> tuple[Requirement, ...]:
    return tuple(sorted(rules, key=lambda rule: rule.rule_id))
