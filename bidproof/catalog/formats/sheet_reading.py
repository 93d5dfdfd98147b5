"""Sheets of rules taken apart, as people leave them: a title above the header, columns in any order.

Finds the header, names every cell and turns what a spreadsheet made of dates back into them. Reads CSV; how a workbook
is opened stands in `workbook_reading`, the contract in `contract`.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re

from bidproof.catalog.formats.contract import FIELDS, HEADER, REQUIRED_COLUMNS, unknown_field
from bidproof.catalog.formats.given import Cells, Given, Taken, clean, folded_space
from bidproof.catalog.formats.other_columns import BLOCK as OTHER
from bidproof.catalog.formats.other_columns import MARK, misread, note_columns, unmarked
from bidproof.catalog.formats.rfp_record import LISTS as RFP_LISTS
from bidproof.catalog.formats.rfp_record import take_json
from bidproof.catalog.formats.sheet_rows import EXACT, HEAD_MARK, restore_head, restored

Row = list[tuple[str, str]]
"""Cells of a row: place and text."""

_HEADER_WITHIN = 30
_ALIASES = {
    "rule": "id", "rule_id": "id", "identifiant": "id", "ref": "id", "no": "id", "n°": "id",
    "domaine": "area", "chapitre": "area", "obligatoire": "mandatory", "texte": "text", "exigence": "text",
    "requirement": "text", "clause": "clause_ref", "clause_reference": "clause_ref", "article": "clause_ref",
    "poids": "weight", "note": "remark", "notes": "remark", "remarque": "remark", "comment": "remark",
    "comments": "remark", "reviewer_remark": "remark", "reviewer's_remark": "remark", "source_text": "source_quote",
    "keep_or_drop": "keep", "predicates_in_words": "predicates",
}  # fmt: skip
_SHOWN_ONLY = frozenset({"needs_attention", "no.", "draft"})
_DATES = frozenset({"submission_date", "created", "accepted_on"})
_GUARDED = re.compile(
    r"'(?=\s*[=+\-@＝＋－＠\t']|[-+]?[\d.,:/\s-]+$|[-+]?\d[\d.,]*[eE][-+]?\d+$|(?:true|false|vrai|faux)$)",
    re.IGNORECASE,
)
_DAY = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_EPOCH = dt.date(1899, 12, 30)
_SERIALS = range(20_000, 80_000)


def read_csv(text: str, taken: Taken) -> None:
    """Rules of a CSV text into `taken`; commas, semicolons and tabs are told apart by the header."""
    rows: list[Row] = []
    line = 1
    csv.field_size_limit(1 << 25)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
        for cells in reader:
            if not rows and cells and cells[0].startswith("sep="):
                cells = []  # how spreadsheets are told the delimiter
            rows.append([(f"line {line}", _unguarded(value)) for value in cells])
            line = reader.line_num + 1
    except csv.Error as error:
        taken.fault(f"line {line}", f"malformed CSV: {error}")
    take_rows(rows, taken)


def _delimiter(text: str) -> str:
    """The mark that parts the header's columns best; French spreadsheets write semicolons."""
    lines = [line for line in text[:100_000].splitlines() if line.strip()][:_HEADER_WITHIN]
    if lines and (told := re.fullmatch(r"sep=(.)", lines[0].strip())):
        return told[1]

    def known(mark: str) -> tuple[int, int]:
        names = [sum(field_of(part.strip('" ')) in FIELDS for part in line.split(mark)) for line in lines]
        return max(names, default=0), lines[0].count(mark) if lines else 0

    return max(",;\t|", key=known)


def _unguarded(value: str) -> str:
    """A cell without the apostrophe that kept a spreadsheet from making something else of it."""
    return value[1:] if _GUARDED.match(value) else value


def guarded(value: str) -> str:
    """A cell that a spreadsheet shows as it is: an apostrophe before what it could calculate or convert."""
    return "'" + value if _GUARDED.match("'" + value) else value


class Dated(str):
    """Text of a cell that the spreadsheet holds as a date."""


def field_of(header: str) -> str:
    """The field that a column's header names, or the header folded."""
    bare = re.sub(r"\s*\([^()]*\)\s*$", "", clean(header).strip())  # Mandatory (yes/no)
    name = re.sub(r"[\s\-]+", "_", bare.lower().rstrip(" *:"))
    return _ALIASES.get(name, name)


def header_at(rows: list[Row]) -> int:
    """Index of the header row: the first of the top rows that names the most columns, -1 for none."""
    best, at = 0, -1
    for index, cells in enumerate(rows[:_HEADER_WITHIN]):
        names = {field_of(text) for _, text in cells}
        known = len(names & set(FIELDS))
        if known > best and (names & {"id", "text"}):
            best, at = known, index
    return at if best >= 2 else -1


def take_rows(rows: list[Row], taken: Taken) -> None:
    """Rows under the header, by column name; what stands above is the head or a title."""
    rows = [cells for cells in rows if any(text.strip() for _, text in cells)]
    if not rows:
        return
    at = header_at(rows)
    header = rows[max(at, 0)]
    names = [field_of(text) for _, text in header]
    missing = [name for name in REQUIRED_COLUMNS if name not in names]
    if missing:
        shown = ", ".join(name for name in names if name)[:300]
        taken.fault(header[0][0], f"missing columns {', '.join(missing)}; the header holds {shown}")
        return
    _above(rows[: max(at, 0)], taken)
    columns = _columns(header, names, taken)
    own = {index: name for index, name in _own_columns(header).items() if index not in columns}
    note_columns(taken, list(own.values()))
    taken.warnings += [
        f"{header[index][0]}: column `{name}` is no field of a rule; it is kept and changes nothing"
        for index, name in own.items()
        if not unmarked(header[index][1])
    ]
    for cells in rows[max(at, 0) + 1 :]:
        if [field_of(text) for _, text in cells] == names:
            continue  # a header printed again
        _take_row(cells, columns, own, len(header), taken)
    if (exact := taken.head.pop(EXACT, None)) is not None:
        restore_head(taken, str(exact.value), exact.where)


def _above(rows: list[Row], taken: Taken) -> None:
    for cells in rows:
        filled = [(where, text) for where, text in cells if text.strip()]
        name = field_of(filled[0][1])
        if name in HEADER and len(filled) == 2:
            where, text = filled[1]
            taken.head[name] = Given(where, date_of(name, text, where, taken))
        else:
            said = " ".join(" ".join(text for _, text in filled).split())[:80]
            taken.warnings.append(f"{filled[0][0]}: `{said}` stands above the header and is not read")


def _columns(header: Row, names: list[str], taken: Taken) -> dict[int, str]:
    """Columns to read, by index; near misses of a field are faults, others are said and left alone."""
    columns: dict[int, str] = {}
    first: dict[str, str] = {}
    for index, ((where, _), name) in enumerate(zip(header, names, strict=True)):
        if name in first:
            taken.fault(where, f"column `{name}` stands twice, first at {first[name]}")
        elif _is_field(name):
            columns[index] = name
            first[name] = where
        elif name and not name.startswith(MARK) and misread(name, FIELDS):
            what = f"{unknown_field(name, FIELDS)} A column of your own is `{MARK}{name}`"
            taken.fault(where, what)
    return columns


def _is_field(name: str) -> bool:
    """Whether a column of this name is one of a catalog's own."""
    head = name.startswith(HEAD_MARK) and name.removeprefix(HEAD_MARK) in (*HEADER, *RFP_LISTS, EXACT)
    return name in FIELDS or head or name == EXACT or bool(re.fullmatch(rf"{EXACT}_\d+", name))


def _own_columns(header: Row) -> dict[int, str]:
    """Names of the columns that are no fields, by index; the second of a name gets a number."""
    found: dict[int, str] = {}
    for index, (_, text) in enumerate(header):
        if title := own_name(text):
            number, told = 2, title
            while told in found.values():
                told, number = f"{title} ({number})", number + 1
            found[index] = told
    return found


def own_name(header: str) -> str:
    """Name of a column that is no field, as its header gives it; empty for a field, or for one that is only shown."""
    name = field_of(header)
    if marked := unmarked(header):
        return marked
    if not name or _is_field(name) or name in _SHOWN_ONLY or misread(name, FIELDS):
        return ""
    return folded_space(header)


def own_header(name: str) -> str:
    """Header under which a column of this name reads back as what it is."""
    return name if own_name(name) == name else MARK + name


def _take_row(cells: Row, columns: dict[int, str], own: dict[int, str], width: int, taken: Taken) -> None:
    """One row as a rule; `own` names columns that are no fields, `width` is how many the header has."""
    fields: dict[str, Given] = {}
    exact = ""
    beyond = [(where, text) for where, text in cells[width:] if text.strip()]
    if beyond:
        where, text = beyond[0]
        taken.fault(
            where,
            f"`{text.strip()[:40]}` stands right of the last column; quote cells that hold the delimiter",
        )
    for index, name in columns.items():
        where, text = cells[index] if index < len(cells) else (cells[0][0], "")
        if name.startswith(HEAD_MARK):
            _head_cell(name.removeprefix(HEAD_MARK), where, text, taken)
        elif name.startswith(EXACT):
            exact += text
        else:
            fields[name] = Given(where, date_of(name, text, where, taken))
    said = {
        name: Given(*cells[index])
        for index, name in own.items()
        if index < len(cells) and cells[index][1].strip()
    }
    if not any(given.value.strip() for name, given in fields.items() if name not in ("keep", "remark")):
        if said:
            first = next(iter(said.values()))
            taken.warnings.append(f"{first.where}: a row that fills none of a rule's fields is not read")
        return
    if exact.strip():
        try:
            data = json.loads(exact)
            fields = restored(fields, {k: v for k, v in data.items() if k in FIELDS})
        except (ValueError, AttributeError, RecursionError):
            taken.fault(
                cells[0][0], "its cell `exact` is broken; clear it to take the other cells as they stand"
            )
    if said:
        fields[OTHER] = Given(cells[0][0], said)
    taken.cells.append(Cells(cells[0][0], fields))


def _head_cell(name: str, where: str, text: str, taken: Taken) -> None:
    if not text.strip():
        return None
    if name in RFP_LISTS:
        return take_json(taken, name, text, where)
    value = date_of(name, text, where, taken)
    before = taken.head.get(name)
    if before is not None and before.value != value:
        what = f"{HEAD_MARK}{name} is `{value}` here and `{before.value}` at {before.where}"
        taken.fault(where, what)
    elif before is None:
        taken.head[name] = Given(where, value)
    return None


def date_of(name: str, text: str, where: str, taken: Taken) -> str:
    """A cell's text; in a column of dates what a spreadsheet made of a date is made an ISO date again."""
    if name in _DATES:
        said = text.strip()
        if said.isdigit() and int(said) in _SERIALS:
            return (_EPOCH + dt.timedelta(days=int(said))).isoformat()
        return _iso(said, where, taken) if _DAY.fullmatch(said) else said
    if isinstance(text, Dated) and name in ("id", "clause_ref", "weight"):
        taken.fault(where, f"{name} was turned into the date {text} by a spreadsheet; write it as text")
    return text


def _iso(said: str, where: str, taken: Taken) -> str:
    match = _DAY.fullmatch(said)
    assert match is not None
    first, second, year = (int(part) for part in match.groups())
    if first > 12 >= second or first == second:
        return f"{year:04d}-{second:02d}-{first:02d}"
    if second > 12 >= first:
        return f"{year:04d}-{first:02d}-{second:02d}"
    if first <= 12 and second <= 12:
        both = f"{year:04d}-{second:02d}-{first:02d} or {year:04d}-{first:02d}-{second:02d}"
        taken.fault(where, f"date `{said}` has two readings; write {both}")
        return ""
    return said
