"""`bidproof catalog diff`: what differs between two catalogs, for people and for scripts."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bidproof.catalog.building import build_rules
from bidproof.catalog.formats.alternatives import gathered
from bidproof.catalog.formats.predicate_lines import predicate_words
from bidproof.catalog.formats.rfp_record import open_conflicts
from bidproof.catalog.formats.writing import SUFFIXES
from bidproof.catalog.versions.diff import Catalog, CatalogDiff, FieldChange
from bidproof.catalog.versions.history import StoredCatalog, diff_of, named_catalog, version_of
from bidproof.cli.catalog_mining import draft_of
from bidproof.cli.output import check_writable, write_text
from bidproof.cli.rfp_reading import params_with, read_rfp
from bidproof.cli.running import Display
from bidproof.intake.source_files import printable
from bidproof.records import Predicate, Requirement
from bidproof.rule_staleness import StalePack, stale_packs_under
from bidproof.store import Warehouse

_SHOWN = 300


def diff_command(
    old: str, new: str, json: Path | None, warehouse: str, params_file: Path | None = None
) -> None:
    """Compare and print.

    Raises:
        BadInputError: a name is neither a catalog file, nor an RFP, nor a version of the warehouse.
    """
    check_writable(json)
    store = Warehouse(warehouse)
    before, after = (_named(name, store, params_file) for name in (old, new))
    found = diff_of(before, after)
    packs = stale_packs_under(found, store, version_of(before))
    if json is not None:
        result = {"old": old, "new": new, "counts": found.counts, **found.model_dump(mode="json")}
        result["packs"] = [pack.model_dump(mode="json") for pack in packs]
        text = jsonlib.dumps(result, indent=1, ensure_ascii=False)
        if str(json) == "-":
            print(text)
            return
        write_text(json, text + "\n")
    _print(old, new, found, packs)


def _named(name: str, store: Warehouse, params_file: Path | None) -> StoredCatalog | Catalog:
    """The catalog of a file or of the warehouse; that mined from an RFP where the name is one's file or folder."""
    path = Path(name)
    if not path.is_dir() and not (path.is_file() and path.suffix.lower() not in SUFFIXES):
        return named_catalog(name, store)
    params = params_with(params_file)
    with Display() as display:
        read = read_rfp(
            [path], params.documents, lambda one, done, total: display.tell("read", one, done, total)
        )
    return draft_of(build_rules(None, read.documents, read.blocks, params.catalog), read, "", "")


def _print(old: str, new: str, diff: CatalogDiff, packs: Sequence[StalePack] = ()) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    counts = ", ".join(f"{count} {name}" for name, count in diff.counts.items())
    console.print(f"{old} -> {new}: {counts}")
    for change in diff.head:
        console.print(f"  {change.field}: {_value(change.old)} -> {_value(change.new)}")
    for mark, style, rules in (("+ added", "green", diff.added), ("- dropped", "red", diff.dropped)):
        for rule in rules:
            console.print(f"{mark}  {_rule(rule)}", style=style)
    for one in diff.superseded:
        by = f" by {one.new.rule_id}" if one.new else ""
        console.print(f"x superseded  {_rule(one.old)}", style="red")
        console.print(f"      {by.strip() or 'deleted'}: {_line(one.why)}")
        _fields(console, one.fields)
    for label, changes in (("~ changed", diff.changed), ("> moved", diff.moved)):
        for changed in changes:
            renamed = f" (was {changed.old.rule_id})" if changed.old.rule_id != changed.new.rule_id else ""
            console.print(f"{label}  {_rule(changed.new)}{renamed}", style="yellow")
            _fields(console, changed.fields)
    for said in diff.conflicts:
        settled = said not in open_conflicts(diff.conflicts)
        console.print(
            f"! {'conflict' if settled else 'conflict, not settled'}: {printable(said)}", style="yellow"
        )
    if diff.empty:
        console.print("the rules of both are the same")
    for pack in packs:
        again, stay = len(pack.to_judge), len(pack.fresh)
        if pack.stale:
            gone = f", {len(pack.to_forget)} findings to drop" if pack.to_forget else ""
            console.print(
                f"{pack.pack}: stale, {again} rules to judge anew{gone}, {stay} findings stay as they are"
            )
        else:
            console.print(f"{pack.pack}: stays fresh, {stay} findings")


def _rule(rule: Requirement) -> str:
    return f"{rule.rule_id} {'M' if rule.mandatory else 'o'}  {_line(rule.text)}"


def _line(text: str) -> str:
    said = printable(" ".join(text.split()))
    return said if len(said) <= _SHOWN else said[:_SHOWN] + " …"


def _fields(console: Any, fields: Sequence[FieldChange]) -> None:
    for one in fields:
        console.print(f"      {one.field}: {_value(one.old)} -> {_value(one.new)}")


def _is_predicate(value: Any) -> bool:
    return isinstance(value, dict) and bool(value.get("kind")) and "comparator" in value


def _predicate(predicate: Predicate, marked: bool) -> str:
    mark = f"[alternative {predicate.group}] " if marked else ""
    return mark + predicate_words(predicate)


def _value(value: Any) -> str:
    """A field's value on one line; predicates in words."""
    if isinstance(value, list) and value and all(_is_predicate(item) for item in value):
        given = gathered([Predicate.model_validate(item) for item in value])
        return "[" + "; ".join(_predicate(predicate, marked) for predicate, marked in given) + "]"
    if isinstance(value, list):
        return "[" + "; ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(item)}" for name, item in value.items() if item not in ("", None))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, "") else _line(str(value))
