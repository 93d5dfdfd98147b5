"""Catalog files: opens them, whatever the format, and names every problem at once; writes them back.

What each format looks like stands in the modules named for it; the contract that rules keep is in `contract`.
Deriving predicates is not done here.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from bidproof.catalog.formats.contract import head_field, head_of, rules_of
from bidproof.catalog.formats.given import Cells, Problem, Taken, folded_space, placed, plain
from bidproof.catalog.formats.ocds import is_ocds, take_criteria
from bidproof.catalog.formats.other_columns import OtherColumn, other_of
from bidproof.catalog.formats.rfp_record import SupersededRule, conflicts_of, superseded_of
from bidproof.catalog.formats.sheet_reading import read_csv
from bidproof.catalog.formats.workbook_reading import read_xlsx
from bidproof.catalog.formats.yaml_reading import read_yaml
from bidproof.errors import CatalogError
from bidproof.records import Record, Requirement

LARGEST = 64 << 20
"""Bytes of the largest file that is opened: a catalog of 300 rules has under one million."""

_MOST_LISTED = 200
_LINE = re.compile(r"line (\d+)|!([A-Z]+)(\d+)$")


class CatalogFile(Record):
    """A catalog as its file states it; rules in the order of the file, not yet derived."""

    rules: tuple[Requirement, ...]
    source_name: str = ""
    title: str = ""
    tender: str = ""
    rfp: str = ""
    rfp_sha256: str = Field("", description="SHA-256 over the RFP's text when the catalog was made")
    author: str = ""
    created: str = Field("", description="ISO date on which the catalog was made, as its file says")
    status: Literal["", "draft", "accepted"] = Field(
        "", description="draft until a person accepts it; a file that does not say was made by a person"
    )
    accepted_by: str = ""
    accepted_on: str = Field("", description="ISO date of acceptance")
    version: str = Field("", description="content digest of the rules when the file was written")
    submission_date: str = ""
    remarks: tuple[tuple[str, str], ...] = Field((), description="rule id and what its reviewer remarks")
    dropped: tuple[str, ...] = Field((), description="ids of rows marked to be dropped; they are no rules")
    other: tuple[OtherColumn, ...] = Field((), description="columns that are no fields; kept, never heeded")
    superseded: tuple[SupersededRule, ...] = Field(
        (), description="rules of the RFP that addenda replaced or deleted"
    )
    conflicts: tuple[str, ...] = Field(
        (), description="places of the RFP that contradict one another, one line each"
    )
    warnings: tuple[str, ...] = Field((), description="one line each, e.g. a file that is not UTF-8")

    @property
    def draft(self) -> bool:
        """Whether the file calls itself a draft that no person has accepted yet."""
        return self.status == "draft"

    def remark(self, rule_id: str) -> str:
        """What the reviewer remarks on a rule, empty for nothing."""
        return dict(self.remarks).get(rule_id, "")


def load_catalog(path: Path) -> CatalogFile:
    """The rules of a catalog file (.yaml, .yml, .json, .csv, .xlsx).

    Raises:
        CatalogError: the file cannot be read or breaks its contract; one line a problem, each with file and
            line or cell.
    """
    read = read_catalog(path)
    if read.catalog is None:
        raise CatalogError(str(path), _report(path, read.problems), "mend these and run again")
    return read.catalog


@dataclass(frozen=True)
class CatalogReading:
    """What reading a catalog file gave: the catalog, or problems; and the line or cell where each rule stands."""

    catalog: CatalogFile | None
    problems: tuple[Problem, ...] = ()
    places: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    partial: CatalogFile | None = None
    """Where there are problems: the rules that have none, to be looked at further and never to be run."""


def read_catalog(path: Path) -> CatalogReading:
    """A catalog file and all its problems; no catalog where there are any.

    Raises:
        CatalogError: there is no such file, or none that can be opened.
    """
    kind = path.suffix.lower()
    if not path.is_file():
        raise CatalogError(str(path), "no such catalog file", "name an existing YAML, CSV, XLSX or JSON file")
    if kind not in _READERS:
        raise CatalogError(
            str(path),
            f"a catalog cannot be read from {kind or 'a file without suffix'}",
            "use .yaml, .csv, .xlsx or .json",
        )
    taken = _taken(path, kind)
    rules, remarks, dropped = rules_of(taken)
    head = head_of(taken)
    record = {"superseded": superseded_of(taken), "conflicts": conflicts_of(taken)}
    if not rules and not taken.problems:
        taken.fault("", "holds no rules" + (f"; {len(dropped)} are marked to be dropped" if dropped else ""))
    places = {plain(row.fields.get("id")): row.place("id") for row in taken.cells}
    if taken.problems:
        problems, warnings = tuple(sorted(taken.problems, key=_line)), tuple(taken.warnings)
        # Rules are missing, so that neither version nor status can be told of them.
        partial = CatalogFile(
            rules=tuple(rules), rfp_sha256=head["rfp_sha256"], submission_date=head["submission_date"]
        )
        return CatalogReading(None, problems, places, warnings, partial)
    if dropped:
        taken.warnings.append(f"{path.name}: {len(dropped)} rules are dropped: {', '.join(dropped)}")
    values = {
        "rules": rules,
        "source_name": path.name,
        "warnings": taken.warnings,
        "remarks": remarks,
        "other": other_of(taken, [rule.rule_id for rule in rules]),
        **record,
        **head,
    }
    catalog = CatalogFile.model_validate({**values, "dropped": dropped})
    return CatalogReading(catalog, (), places, catalog.warnings)


def _taken(path: Path, kind: str) -> Taken:
    taken = Taken()
    try:
        size = path.stat().st_size
        if size > LARGEST:
            taken.fault("", f"is {size >> 20:,} MB; a catalog is under {LARGEST >> 20} MB")
            return taken
        if kind == ".xlsx":
            read_xlsx(path, taken)
        else:
            text = _decode(path.name, path.read_bytes(), taken)
            if text is not None:
                _READERS[kind](text, taken)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise CatalogError(str(path), reason, "make it readable") from None
    return taken


def _line(problem: Problem) -> tuple[int, int, str]:
    """Where a problem is listed: in the order of the file's lines, or of its rows and then columns."""
    found = _LINE.search(problem.where)
    if found is None:
        return 0, 0, ""
    return (int(found[1]), 0, "") if found[1] else (int(found[3]), len(found[2]), found[2])


def _report(path: Path, problems: Sequence[Problem]) -> str:
    if len(problems) == 1:
        one = problems[0]
        said = folded_space(one.what)
        return f"{one.where}: {said}" if one.where else said
    lines = [
        f"{path.name}{':' if p.where else ''}{p.where}: {folded_space(p.what)}"
        for p in problems[:_MOST_LISTED]
    ]
    if len(problems) > _MOST_LISTED:
        lines.append(f"and {len(problems) - _MOST_LISTED:,} more")
    return f"{len(problems)} problems\n" + "\n".join(lines) + "\n"


def _decode(name: str, data: bytes, taken: Taken) -> str | None:
    """Text of a file; a byte order mark is dropped, Windows-1252 is read with a warning."""
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return _decoded(data, "utf-32", taken)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decoded(data, "utf-16", taken)
    if data.startswith((b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0")):
        taken.fault("", "is no text: its content is that of another kind of file; give it its right ending")
        return None
    if data.count(b"\0", 0, 1000) > len(data[:1000]) // 5:
        taken.fault("", "is UTF-16 without its byte order mark, or no text; save it as UTF-8")
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            taken.fault(f"line {line}", "neither UTF-8 nor Windows-1252")
            return None
        taken.warnings.append(
            f"{name}: line {line} is not UTF-8; the file is read as Windows-1252, save it as UTF-8"
        )
        return text


def _decoded(data: bytes, encoding: str, taken: Taken) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        taken.fault("", f"broken {encoding.upper()}; save it as UTF-8")
        return None


def _read_json(text: str, taken: Taken) -> None:
    twice: list[str] = []

    def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """An object of the file; a field given twice is a fault, as the file does not say which one holds."""
        names = Counter(name for name, _ in pairs)
        twice.extend(name for name, count in names.items() if count > 1)
        return dict(pairs)

    try:
        data = json.loads(text, object_pairs_hook=fields)
    except json.JSONDecodeError as error:
        return taken.fault(f"line {error.lineno}", f"malformed JSON: {error.msg}")
    except (RecursionError, ValueError) as error:
        deep = isinstance(error, RecursionError)
        return taken.fault("", f"malformed JSON: {'nested too deeply' if deep else str(error)[:120]}")
    for name in twice:
        taken.fault("", f"field `{name}` is given twice in one object")
    if is_ocds(data):
        return take_criteria(data, taken)
    if isinstance(data, list):
        data = {"rules": data}
    if not isinstance(data, dict):
        return taken.fault("", "holds no `rules` list")
    for name in sorted(set(data) - {"rules"}):
        head_field(taken, name, placed(data[name], f"`{name}`"))
    rules = data.get("rules") or []
    if not isinstance(rules, list):
        return taken.fault("", "`rules` is no list")
    for number, rule in enumerate(rules, 1):
        where = f"rule {number}"
        if isinstance(rule, dict):
            taken.cells.append(Cells(where, {str(k): placed(v, where) for k, v in rule.items()}))
        else:
            taken.fault(where, "a rule is no object of fields")
    return None


_READERS: dict[str, Callable[[Any, Taken], None]] = {
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".json": _read_json,
    ".csv": read_csv,
    ".xlsx": read_xlsx,
}
