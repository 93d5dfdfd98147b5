"""What an auditor asks of a catalog version before it may decide on bids, point by point.

Looks at rules, their record and the RFP's text; accepts nothing itself: that is a person's act.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from bidproof.catalog.formats.checking import stated_sources
from bidproof.catalog.formats.rfp_record import open_conflicts
from bidproof.catalog.frames import catalog_version, rfp_digest
from bidproof.catalog.versions.places import Places
from bidproof.records import Record, Requirement

POINTS = {
    "version": "the version is the digest of these rules",
    "rfp_hash": "the RFP that it was made from is the RFP as it is now",
    "sources": "each rule has words of the RFP that stand on their page",
    "author": "its author is named",
    "created": "the day on which it was made is named",
    "acceptance": "the person who accepted it is named, and the day",
    "no_draft": "it is no draft",
    "parameters": "the parameters of mining and derivation are stored",
    "testable": "each rule has predicates that can be tested",
    "no_conflicts": "no two places of the RFP contradict one another, or a person settled which holds",
}
"""Names of the points, with what each says."""


class AuditPoint(Record):
    """One point: whether it holds, what was found, and the rules that fall short."""

    name: str
    holds: bool
    found: str
    rules: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """One line for people: `sources: 2 rules name no place of the RFP (R1, R7)`."""
        named = (
            f" ({', '.join(self.rules[:12])}{', …' if len(self.rules) > 12 else ''})" if self.rules else ""
        )
        return f"{self.name}: {self.found}{named}"


def audit_points(
    rules: Sequence[Requirement], record: Mapping[str, Any], rfp_blocks: pl.DataFrame
) -> tuple[AuditPoint, ...]:
    """All points of a catalog version, in the order of `POINTS`.

    Args:
        rules: its rules, derived.
        record: its row of `tables.CATALOGS`.
        rfp_blocks: blocks of the RFP as it is now.
    """
    asked: dict[str, Callable[[], AuditPoint]] = {
        "version": lambda: _version(rules, record),
        "rfp_hash": lambda: _rfp_hash(record, rfp_blocks),
        "sources": lambda: _sources(rules, rfp_blocks),
        "author": lambda: _named("author", record.get("author"), "no author is named"),
        "created": lambda: _created(record),
        "acceptance": lambda: _acceptance(record),
        "no_draft": lambda: _no_draft(record),
        "parameters": lambda: _parameters(record),
        "testable": lambda: _testable(rules),
        "no_conflicts": lambda: _conflicts(record),
    }
    return tuple(asked[name]() for name in POINTS)


def _named(name: str, value: Any, absent: str) -> AuditPoint:
    return AuditPoint(name=name, holds=bool(value), found=str(value) if value else absent)


def _version(rules: Sequence[Requirement], record: Mapping[str, Any]) -> AuditPoint:
    told, true = record.get("catalog_version") or "", catalog_version(rules)
    return AuditPoint(
        name="version",
        holds=told == true,
        found=true if told == true else f"{told or 'none'} is recorded, the rules are {true}",
    )


def _rfp_hash(record: Mapping[str, Any], rfp_blocks: pl.DataFrame) -> AuditPoint:
    made, now = record.get("made_of_rfp_sha256") or "", rfp_digest(rfp_blocks)
    if not now:
        found = "the RFP has no readable text"
    elif not made:
        found = "the catalog does not say which RFP text it was made from"
    else:
        found = f"the RFP's text is {now[:12]}" + (
            "" if made == now else f", the catalog was made from {made[:12]}"
        )
    return AuditPoint(name="rfp_hash", holds=bool(made) and made == now, found=found)


def _sources(rules: Sequence[Requirement], rfp_blocks: pl.DataFrame) -> AuditPoint:
    places = Places(rfp_blocks)
    bare = [rule.rule_id for rule in rules if not stated_sources(rule)]
    astray = [
        rule.rule_id for rule in rules if any(not places.stands(source) for source in stated_sources(rule))
    ]
    parts = [f"{len(bare)} rules quote no words of the RFP"] if bare else []
    parts += [f"the words of {len(astray)} rules do not stand on the page named"] if astray else []
    found = " and ".join(parts) or f"the words of all {len(rules)} rules stand on their pages"
    return AuditPoint(name="sources", holds=not parts, found=found, rules=tuple(sorted({*bare, *astray})))


def _created(record: Mapping[str, Any]) -> AuditPoint:
    if record.get("created_on"):
        return AuditPoint(name="created", holds=True, found=str(record["created_on"]))
    mined = record.get("origin") == "mined"
    found = "the manifest of this version has the time" if mined else "the file names no day"
    return AuditPoint(name="created", holds=mined, found=found)


def _acceptance(record: Mapping[str, Any]) -> AuditPoint:
    by, on = record.get("accepted_by") or "", record.get("accepted_on") or ""
    found = f"{by or 'no person'}, {on or 'no day'}"
    return AuditPoint(name="acceptance", holds=bool(by and on) and not record.get("draft"), found=found)


def _no_draft(record: Mapping[str, Any]) -> AuditPoint:
    draft = bool(record.get("draft"))
    return AuditPoint(name="no_draft", holds=not draft, found="it is a draft" if draft else "it is no draft")


def _parameters(record: Mapping[str, Any]) -> AuditPoint:
    groups = sorted(json.loads(record.get("parameters") or "{}"))
    return _named("parameters", ", ".join(groups), "no parameters are stored")


def _testable(rules: Sequence[Requirement]) -> AuditPoint:
    bare = tuple(sorted(rule.rule_id for rule in rules if not rule.predicates))
    found = f"{len(bare)} rules have nothing to test" if bare else f"all {len(rules)} rules have predicates"
    return AuditPoint(name="testable", holds=not bare, found=found, rules=bare)


def _conflicts(record: Mapping[str, Any]) -> AuditPoint:
    listed = list(record.get("conflicts") or ())
    left = open_conflicts(listed)
    settled = f"{len(listed)} are known, each settled by a person" if listed else "none are known"
    return AuditPoint(name="no_conflicts", holds=not left, found="; ".join(left) or settled)
