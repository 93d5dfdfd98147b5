"""What a catalog file records of its RFP beside the rules: rules that an addendum superseded, places that disagree.

This record goes with a draft into the accepted catalog, so that it can be told years later what was in force before and
what a person had to settle. How addenda are followed stands in `versions.addenda`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from bidproof.catalog.formats.given import Given, Taken, bare, clean, fitting, folded_space, placed
from bidproof.records import Record

LISTS = ("conflicts", "superseded")
"""Fields of a catalog's head that are lists; they stand under these names in every format."""


class SupersededRule(Record):
    """A rule of the RFP that is in force no more, by the words that people look for."""

    id: str
    by: str = ""
    """Id of the rule in its place; empty where it was deleted."""
    why: str = ""
    """What says so, with file and page."""
    area: str = ""
    mandatory: bool = True
    text: str = ""
    clause_ref: str = ""
    file_name: str = ""
    page: int | None = None
    quote: str = ""


SETTLED = " => settled: "
"""Behind a conflict, before the words by which a person settled it: the conflict stays in the record."""


def open_conflicts(conflicts: Iterable[str]) -> list[str]:
    """Those of the conflicts that no person has settled yet."""
    return [said for said in conflicts if not said.partition(SETTLED)[2].strip()]


COLUMNS = tuple(SupersededRule.model_fields)
SHEET_COLUMNS = {"conflicts": ("conflict",), "superseded": COLUMNS}
"""Columns of the sheets that show the lists."""


def take_list(taken: Taken, name: str, given: Given) -> None:
    """Take one of `LISTS` from a catalog's head: a list of lines, or of mappings."""
    if given.empty:
        return
    if isinstance(given.value, list):
        taken.lists[name] = [*taken.lists.get(name, ()), *given.value]
    else:
        taken.fault(given.where, f"`{name}` is no list")


def take_json(taken: Taken, name: str, text: str, where: str) -> None:
    """Take entries of one of `LISTS` from a cell that holds one JSON value a line."""
    for line in filter(str.strip, text.split("\n")):
        try:
            taken.lists.setdefault(name, []).append(placed(json.loads(line), where, exact=True))
        except (ValueError, RecursionError):
            taken.fault(
                where, f"`{name}` holds a line that is no JSON; clear the cell to go without this record"
            )


def shown(name: str, entry: Any) -> dict[str, str]:
    """Cells of an entry of one of `LISTS`, by column, as people read them."""
    values = entry if isinstance(entry, dict) else {SHEET_COLUMNS[name][0]: entry}
    return {column: clean(str(value)) for column, value in values.items() if value not in ("", None)}


def take_row(taken: Taken, name: str, cells: dict[str, str], exact: str, where: str) -> None:
    """Take an entry from a row of a sheet: as it was written, or as somebody edited it."""
    cells = {column: text for column, text in cells.items() if text.strip() and column in SHEET_COLUMNS[name]}
    if not cells:
        return None
    try:
        written = json.loads(exact) if exact.strip() else None
    except (ValueError, RecursionError):
        written = None
    if written is not None and _same(shown(name, written), cells):
        return take_json(taken, name, exact, where)
    value: Any = cells if name == "superseded" else next(iter(cells.values()))
    taken.lists.setdefault(name, []).append(placed(value, where))
    return None


def _same(written: dict[str, str], cells: dict[str, str]) -> bool:
    one, other = ({n: folded_space(fitting(t)) for n, t in said.items()} for said in (written, cells))
    return {n: t for n, t in one.items() if t} == other


def conflicts_of(taken: Taken) -> tuple[str, ...]:
    """Places of the RFP that contradict one another, one line each."""
    found = []
    for given in taken.lists.get("conflicts", ()):
        if isinstance(given.value, list | dict):
            taken.fault(given.where, "an entry of `conflicts` is no plain text")
        elif not given.empty:
            found.append(folded_space(str(given.value)))
    return tuple(found)


def superseded_of(taken: Taken) -> tuple[SupersededRule, ...]:
    """Rules that something later in the RFP replaced or deleted; faults go to `taken.problems`."""
    found = []
    for given in taken.lists.get("superseded", ()):
        values = bare(given)
        if not isinstance(values, dict):
            taken.fault(given.where, "an entry of `superseded` is no mapping of fields")
            continue
        if unknown := sorted(set(values) - set(COLUMNS)):
            taken.fault(
                given.where, f"superseded: unknown field `{unknown[0]}`; known are {', '.join(COLUMNS)}"
            )
            continue
        if not str(values.get("id") or "").strip():
            taken.fault(given.where, "a superseded rule has no id")
            continue
        if (one := _superseded(values, given.where, taken)) is not None:
            found.append(one)
    return tuple(found)


def _superseded(values: dict[str, Any], where: str, taken: Taken) -> SupersededRule | None:
    said = {name: value for name, value in values.items() if value is not None}
    if str(said.get("page", "")).strip() == "":
        said.pop("page", None)
    texts = {n: v if isinstance(v, bool) or n == "page" else str(v) for n, v in said.items()}
    try:
        return SupersededRule.model_validate(texts)
    except ValueError:
        taken.fault(
            where, f"superseded rule {said['id']}: its page is no number, or mandatory is not yes or no"
        )
        return None


def filled(one: SupersededRule) -> dict[str, Any]:
    """Fields of a superseded rule that say something, in order."""
    return {name: value for name, value in one.model_dump(mode="json").items() if value not in ("", None)}


def json_lines(conflicts: Sequence[str], superseded: Sequence[SupersededRule]) -> dict[str, list[str]]:
    """Entries of each of `LISTS` as lines of JSON, for sheets; lists without entries are left out."""
    lines = {
        "conflicts": [json.dumps(said, ensure_ascii=True) for said in conflicts],
        "superseded": [json.dumps(filled(one), ensure_ascii=True) for one in superseded],
    }
    return {name: said for name, said in lines.items() if said}
