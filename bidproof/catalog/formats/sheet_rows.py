"""Rules as rows of a sheet: one cell a field, in a form that people read and edit, and nothing lost.

What a cell cannot hold as it is (control characters, white space at its ends, a list item with a semicolon)
stands beside it in the column `exact`. When the sheet comes back, an exact value counts as long as its cell
still says what was written there; a cell that somebody edited wins. CSV and XLSX share these rows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bidproof.catalog.formats.alternatives import gathered
from bidproof.catalog.formats.contract import FIELDS, NO_DATE, rules_of
from bidproof.catalog.formats.given import Cells, Given, Taken, clean, fitting, folded_space
from bidproof.catalog.formats.predicate_lines import predicate_line
from bidproof.catalog.formats.source_lines import source_line
from bidproof.records import Predicate, Requirement, Source

EXACT = "exact"
HEAD_MARK = "catalog."
"""Before the names of columns that carry a field of the catalog's head, the same in every row."""
CUT_NOTE = " … [cut here; the column exact has all of it]"


def cell(name: str, value: Any, rule_text: str) -> str:
    """A field of a rule as the text of a cell, in which nothing can break a sheet."""
    if value is None or value == () or value == []:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "predicates":
        text = "\n".join(predicate_line(p, rule_text, marked=marked) for p, marked in gathered(value))
    elif name == "sources":
        text = "\n".join(source_line(s) for s in value)
    elif isinstance(value, tuple | list):
        text = "\n".join(str(item) for item in value)
    elif isinstance(value, float):
        text = str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    else:
        text = str(value)
    return fitting(clean(text), CUT_NOTE)


def fields_of(rule: Requirement, date: str, remark: str = "") -> dict[str, Any]:
    """A rule's fields by their names in a catalog file; `date` is the catalog's submission date."""
    values: dict[str, Any] = {
        name: getattr(rule, name) for name in FIELDS if name in Requirement.model_fields
    }
    values["id"] = rule.rule_id
    values["submission_date"] = own_date(rule, date)
    values["weight"] = "" if rule.weight == 1.0 else rule.weight
    values["remark"] = remark
    return values


def own_date(rule: Requirement, date: str) -> str:
    """What a rule says of its submission date beside the catalog's: nothing where they agree."""
    if rule.submission_date == date:
        return ""
    return rule.submission_date or NO_DATE


def row(rule: Requirement, date: str, remark: str = "") -> dict[str, str]:
    """Cells of a rule by field, with `exact` as JSON where a cell alone would lose something."""
    values = fields_of(rule, date, remark)
    cells = {name: cell(name, value, rule.text) for name, value in values.items()}
    lost = _lost(cells, rule, date, remark)
    if lost:
        data = {name: _plain_data(values[name]) for name in lost}
        cells[EXACT] = json.dumps(data, ensure_ascii=True, sort_keys=True)
    return cells


def _lost(cells: dict[str, str], rule: Requirement, date: str, remark: str) -> list[str]:
    """Fields that do not come back when the cells alone are read."""
    taken = Taken({"submission_date": Given("", date)} if date else {})
    taken.cells.append(Cells("", {name: Given("", text) for name, text in cells.items()}))
    rules, remarks, _ = rules_of(taken)
    if not rules or taken.problems:
        return sorted(cells)
    back = {**fields_of(rules[0], date), "remark": dict(remarks).get(rules[0].rule_id, "")}
    now = fields_of(rule, date, remark)
    lost = [name for name in cells if back[name] != now[name]]
    # Predicates may lean on the rule's text, and lose with it.
    return sorted({*lost, "predicates"} if "text" in lost and rule.predicates else lost)


def _plain_data(value: Any) -> Any:
    if isinstance(value, Predicate):
        return {"kind": value.kind, **value.model_dump(mode="json", exclude_defaults=True)}
    if isinstance(value, Source):
        return value.model_dump(mode="json")
    if isinstance(value, tuple | list):
        return [_plain_data(item) for item in value]
    return value


def restored(fields: dict[str, Given], exact: dict[str, Any]) -> dict[str, Given]:
    """Fields with their exact values put back where the cell still says what was written."""
    text = fields.get("text")
    rule_text = str(exact.get("text", text.value if text else ""))
    back = dict(fields)
    for name, value in exact.items():
        now = fields.get(name, Given(text.where if text else "", ""))
        written = _written(name, value, rule_text)
        if written is not None and folded_space(str(now.value or "")) == folded_space(written):
            back[name] = _exactly(value, now.where)
    return back


def _written(name: str, value: Any, rule_text: str) -> str | None:
    """The cell that was written for an exact value; None where the value makes no sense."""
    try:
        if name == "predicates":
            return cell(name, [Predicate.model_validate(item) for item in value], rule_text)
        if name == "sources":
            return cell(name, [Source.model_validate(item) for item in value], rule_text)
        return cell(name, value, rule_text)
    except (ValueError, TypeError):
        return None


def _exactly(value: Any, where: str) -> Given:
    if isinstance(value, list):
        return Given(where, [_exactly(item, where) for item in value], True)
    if isinstance(value, dict):
        return Given(where, {name: _exactly(item, where) for name, item in value.items()}, True)
    return Given(where, value, True)


def head_cells(head: dict[str, str]) -> dict[str, str]:
    """Cells of the head's fields by name, with `exact` as JSON where a cell alone would lose something."""
    cells = {name: clean(value).strip() for name, value in head.items() if value}
    lost = {name: value for name, value in head.items() if value and cells[name] != value}
    return {**cells, EXACT: json.dumps(lost, ensure_ascii=True, sort_keys=True)} if lost else cells


def restore_head(taken: Taken, exact: str, where: str) -> None:
    """Put exact values of the head back where their cells still say what was written."""
    try:
        data = json.loads(exact)
        for name, value in data.items():
            now = taken.head.get(name, Given(where, ""))
            if folded_space(str(now.value)) == folded_space(str(value)):
                taken.head[name] = Given(now.where, str(value), True)
    except (ValueError, AttributeError, RecursionError):
        taken.fault(
            where, "the cell `exact` of the head is broken; clear it to take the others as they stand"
        )


def columns(rows: Sequence[dict[str, str]], always: Sequence[str]) -> list[str]:
    """Columns that a sheet needs: those of the contract, and of the others those that some row fills."""
    filled = {name for cells in rows for name, text in cells.items() if text}
    if "sources" in filled:  # left out, they would be those of the first source
        filled |= {"source_page", "source_quote"}
    return [name for name in (*FIELDS, EXACT) if name in always or name in filled]
