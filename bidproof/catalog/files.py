"""Catalog files: YAML, JSON, CSV and XLSX into rules, with every problem named at once.

Opens and takes apart; the contract that rows must keep is in `contract`, OCDS criteria in `ocds`. Deriving
predicates is not done here.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field

from bidproof.catalog.contract import HEADER, REQUIRED_COLUMNS, STATUSES, Cells, Problem, rules_from_cells
from bidproof.catalog.ocds import cells_of_criteria, is_ocds
from bidproof.errors import CatalogError
from bidproof.records import Record, Requirement


class CatalogFile(Record):
    """A catalog as its file states it; rules in the order of the file, not yet derived."""

    rules: tuple[Requirement, ...]
    source_name: str
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
    warnings: tuple[str, ...] = Field((), description="one line each, e.g. a file that is not UTF-8")

    @property
    def draft(self) -> bool:
        """Whether the file calls itself a draft that no person has accepted yet."""
        return self.status == "draft"


def load_catalog(path: Path) -> CatalogFile:
    """The rules of a catalog file (.yaml, .yml, .json, .csv, .xlsx).

    Raises:
        CatalogError: the file cannot be read or breaks its contract; one line a problem, each with file and
            line or cell.
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
    warnings: list[str] = []
    problems: list[Problem] = []
    head: dict[str, str] = {}
    cells = _READERS[kind](path, head, problems, warnings)
    rules = rules_from_cells(cells, head.get("submission_date", ""), problems)
    head["status"] = head.get("status", "").strip().lower()
    if head["status"] not in ("", *STATUSES):
        problems.append(Problem("", f"status is `{head['status']}`; write draft or accepted"))
    if not rules and not problems:
        problems.append(Problem("", "holds no rules"))
    if problems:
        raise CatalogError(str(path), _report(path, problems), "mend these and run again")
    names = {name: head.get(name, "") for name in HEADER}
    return CatalogFile.model_validate(
        {"rules": rules, "source_name": path.name, "warnings": warnings, **names}
    )


def _report(path: Path, problems: Sequence[Problem]) -> str:
    if len(problems) == 1:
        one = problems[0]
        return f"{one.where}: {one.what}" if one.where else one.what
    lines = [f"{path.name}{':' if p.where else ''}{p.where}: {p.what}" for p in problems]
    return f"{len(problems)} problems\n" + "\n".join(lines) + "\n"


def _decode(path: Path, warnings: list[str], problems: list[Problem]) -> str:
    """Text of the file; a byte order mark is dropped, Windows-1252 is read with a warning."""
    data = path.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            problems.append(Problem("", "broken UTF-16; save it as UTF-8"))
            return ""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            problems.append(Problem(f"line {line}", "neither UTF-8 nor Windows-1252"))
            return ""
        warnings.append(
            f"{path.name}: line {line} is not UTF-8; the file is read as Windows-1252, save it as UTF-8"
        )
        return text


def _read_yaml(path: Path, head: dict[str, str], problems: list[Problem], warnings: list[str]) -> list[Cells]:
    loader = yaml.SafeLoader(_decode(path, warnings, problems))
    try:
        root = loader.get_single_node()
        return _yaml_rules(root, loader, head, problems)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        problems.append(
            Problem(
                f"line {mark.line + 1}" if mark else "", f"malformed YAML: {error.problem or error.context}"
            )
        )
    except yaml.YAMLError as error:
        problems.append(Problem("", f"malformed YAML: {' '.join(str(error).split())}"))
    except RecursionError:
        problems.append(Problem("", "malformed YAML: nested too deeply"))
    finally:
        loader.dispose()
    return []


def _yaml_rules(
    root: yaml.Node | None, loader: yaml.SafeLoader, head: dict[str, str], problems: list[Problem]
) -> list[Cells]:
    if isinstance(root, yaml.SequenceNode):
        rules_node: yaml.Node | None = root
    elif isinstance(root, yaml.MappingNode):
        rules_node = _yaml_head(root, head, problems)
    else:
        if root is not None:
            problems.append(Problem("line 1", "holds no `rules:` list"))
        return []
    if rules_node is None:
        return []
    if not isinstance(rules_node, yaml.SequenceNode):
        problems.append(Problem(f"line {rules_node.start_mark.line + 1}", "`rules` is no list"))
        return []
    cells: list[Cells] = []
    for item in rules_node.value:
        where = f"line {item.start_mark.line + 1}"
        if not isinstance(item, yaml.MappingNode):
            problems.append(Problem(where, "a rule is no mapping of fields"))
            continue
        fields: dict[str, tuple[str, Any]] = {}
        for key, value in item.value:
            line = f"line {key.start_mark.line + 1}"
            if str(key.value) in fields:
                problems.append(Problem(line, f"field `{key.value}` is given twice"))
            # Scalars are taken as written: an id such as 3.10 or NO must not become a number or a truth
            # value.
            plain = isinstance(value, yaml.ScalarNode)
            fields[str(key.value)] = (
                line,
                ("" if value.tag.endswith(":null") else value.value)
                if plain
                else loader.construct_object(value, deep=True),
            )
        cells.append(Cells(where, fields))
    return cells


def _yaml_head(root: yaml.MappingNode, head: dict[str, str], problems: list[Problem]) -> yaml.Node | None:
    rules: yaml.Node | None = None
    for key, value in root.value:
        line = f"line {key.start_mark.line + 1}"
        if key.value == "rules":
            rules = value
        elif key.value not in HEADER:
            problems.append(
                Problem(line, f"unknown field `{key.value}`; known are {', '.join((*HEADER, 'rules'))}")
            )
        elif isinstance(value, yaml.ScalarNode):
            head[key.value] = "" if value.tag.endswith(":null") else value.value.strip()
        else:
            problems.append(Problem(line, f"`{key.value}` is no plain value"))
    return rules


def _read_json(path: Path, head: dict[str, str], problems: list[Problem], warnings: list[str]) -> list[Cells]:
    text = _decode(path, warnings, problems)
    if problems:
        return []
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        problems.append(Problem(f"line {error.lineno}", f"malformed JSON: {error.msg}"))
        return []
    if is_ocds(data):
        return cells_of_criteria(data, head, problems)
    if isinstance(data, list):
        data = {"rules": data}
    if not isinstance(data, dict):
        problems.append(Problem("", "holds no `rules` list"))
        return []
    for name in set(data) - {"rules"}:
        if name in HEADER:
            head[name] = str(data[name] or "").strip()
        else:
            problems.append(Problem("", f"unknown field `{name}`; known are {', '.join((*HEADER, 'rules'))}"))
    cells: list[Cells] = []
    rules = data.get("rules") or []
    if not isinstance(rules, list):
        problems.append(Problem("", "`rules` is no list"))
        return []
    for number, rule in enumerate(rules, 1):
        where = f"rule {number}"
        if isinstance(rule, dict):
            cells.append(Cells(where, {str(k): (where, v) for k, v in rule.items()}))
        else:
            problems.append(Problem(where, "a rule is no object of fields"))
    return cells


def _read_csv(path: Path, head: dict[str, str], problems: list[Problem], warnings: list[str]) -> list[Cells]:
    text = _decode(path, warnings, problems)
    first = text.lstrip("\r\n").splitlines()[0] if text.strip() else ""
    delimiter = max(",;\t", key=first.count)  # French spreadsheets write semicolons
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[list[str], list[str]]] = []
    line = 1
    try:
        for row in reader:
            rows.append(([f"line {line}"] * len(row), row))
            line = reader.line_num + 1
    except csv.Error as error:
        problems.append(Problem(f"line {reader.line_num}", f"malformed CSV: {error}"))
    return _sheet(rows, problems)


def _read_xlsx(path: Path, head: dict[str, str], problems: list[Problem], warnings: list[str]) -> list[Cells]:
    from openpyxl import load_workbook  # loaded on first use

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # any broken zip or XML inside
        problems.append(Problem("", f"cannot be opened as XLSX ({' '.join(str(error).split())})"))
        return []
    try:
        sheet = book["rules"] if "rules" in book.sheetnames else book.worksheets[0]
        rows: list[tuple[list[str], list[str]]] = []
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
            where = [f"{sheet.title}!{_column(i)}{number}" for i in range(len(row))]
            rows.append((where, ["" if v is None else _cell_text(v) for v in row]))
    finally:
        book.close()
    return _sheet(rows, problems)


def _cell_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value)


def _column(index: int) -> str:
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(65 + rest) + name
    return name


def _sheet(rows: list[tuple[list[str], list[str]]], problems: list[Problem]) -> list[Cells]:
    """Rows under the first row that is not empty, by column name."""
    rows = [(where, row) for where, row in rows if any(cell.strip() for cell in row)]
    if not rows:
        return []
    where, header = rows[0]
    names = [cell.strip().lower().replace(" ", "_") for cell in header]
    missing = [name for name in REQUIRED_COLUMNS if name not in names]
    if missing:
        problems.append(
            Problem(
                where[0],
                f"missing columns {', '.join(missing)}; the header holds {', '.join(n for n in names if n)}",
            )
        )
        return []
    cells: list[Cells] = []
    for places, row in rows[1:]:
        fields = {
            name: (places[i], row[i])
            for i, name in enumerate(names)
            if i < len(row) and (name or row[i].strip())
        }
        cells.append(
            Cells(places[0], {n: v for n, v in fields.items() if n in REQUIRED_COLUMNS or v[1].strip()})
        )
    return cells


_READERS = {
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".json": _read_json,
    ".csv": _read_csv,
    ".xlsx": _read_xlsx,
}
