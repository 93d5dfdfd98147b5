"""Columns of a catalog that are the buyer's own: an owner, a cost centre, a link to another system.

They mean nothing here and change no verdict, but a catalog that is accepted or converted must not lose them. In sheets
they are columns like any other, in YAML and JSON a block `other` below each rule.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence

from bidproof.catalog.formats.given import Cells, Given, Taken, bare, clean, folded_space, plain
from bidproof.records import Record

BLOCK = "other"
MARK = "other."
"""Before a column's name where it would be taken for a field: `other.Text`."""


class OtherColumn(Record):
    """A column that is none of a catalog's fields: its name, and what it says of each rule by the rule's id."""

    name: str
    values: tuple[tuple[str, str], ...] = ()


def note_columns(taken: Taken, names: Sequence[str]) -> None:
    """Keep the names of columns, the empty ones too, in their order."""
    for name in names:
        taken.other.setdefault(name, {})


def take_other(row: Cells, rule_id: str, taken: Taken) -> None:
    """Keep what a row says in its own columns."""
    given = row.fields.get(BLOCK)
    if given is None or given.empty:
        return None
    if not isinstance(given.value, dict):
        return taken.fault(given.where, f"`{BLOCK}` is no mapping of names to values")
    for name, value in given.value.items():
        title = folded_space(name)
        text = _text(value)
        if title and text:
            taken.other.setdefault(title, {})[rule_id] = text
    return None


def _text(given: Given) -> str:
    """A value as text; what is no scalar as JSON."""
    if isinstance(given.value, list | dict):
        return json.dumps(bare(given), ensure_ascii=False) if given.value else ""
    return clean(plain(given)).strip()


def other_of(taken: Taken, kept: Sequence[str]) -> tuple[OtherColumn, ...]:
    """All such columns with what they say of the rules `kept`, in the order of the rules."""
    return tuple(
        OtherColumn(name=name, values=tuple((rule, values[rule]) for rule in kept if rule in values))
        for name, values in taken.other.items()
    )


def values_of(columns: Sequence[OtherColumn], rule_id: str) -> dict[str, str]:
    """What the columns say of one rule, by name."""
    return {one.name: text for one in columns for rule, text in one.values if rule == rule_id}


def by_rule(columns: Sequence[OtherColumn]) -> dict[str, dict[str, str]]:
    """What the columns say, by rule id and name."""
    found: dict[str, dict[str, str]] = {}
    for one in columns:
        for rule, text in one.values:
            found.setdefault(rule, {})[one.name] = text
    return found


def misread(name: str, known: Sequence[str]) -> bool:
    """Whether a column so named is near enough to a field's name to be a slip of the pen."""
    return bool(difflib.get_close_matches(re.sub(r"[\s\-]+", "_", name.lower()), known, 1))


def unmarked(header: str) -> str:
    """The name behind the mark, empty where there is no mark."""
    title = folded_space(header)
    return title[len(MARK) :].strip() if title.lower().startswith(MARK) else ""


def cannot_hold(columns: Sequence[OtherColumn], suffix: str, limit: int) -> list[str]:
    """What of such columns a format cannot carry, one line each, empty for all of it."""
    kind = suffix.lower()
    said = []
    if kind not in (".csv", ".xlsx"):
        bare_names = [one.name for one in columns if not one.values]
        if bare_names:
            said.append(f"empty columns are not in a {kind} file: {', '.join(bare_names)}")
    if kind == ".xlsx":
        for one in columns:
            if long := [rule for rule, text in one.values if len(text) > limit]:
                said.append(f"column `{one.name}`: cut to {limit:,} characters in rules {', '.join(long)}")
    return said
