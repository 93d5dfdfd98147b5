"""CSV and XLSX catalogs taken apart, as people leave them: a title above the header, columns in any order.

Finds the header, names every cell, turns what a spreadsheet made of text (dates, serials, truth values) back
into text, and refuses what is no spreadsheet or unpacks to too much. The contract is in `contract`.
"""

from __future__ import annotations

import csv
import datetime as dt
import difflib
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

from bidproof.catalog.formats.contract import FIELDS, HEADER, REQUIRED_COLUMNS, unknown_field
from bidproof.catalog.formats.given import Cells, Given, Taken, clean
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

_MOST_BYTES = 256 << 20
_MOST_RATIO = 200
_MOST_CELLS = 600_000
_MOST_BLANK_ROWS = 20_000
_MOST_COLUMNS = 400


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
        names = [sum(_named(part.strip('" ')) in FIELDS for part in line.split(mark)) for line in lines]
        return max(names, default=0), lines[0].count(mark) if lines else 0

    return max(",;\t|", key=known)


def _unguarded(value: str) -> str:
    """A cell without the apostrophe that kept a spreadsheet from making something else of it."""
    return value[1:] if _GUARDED.match(value) else value


def guarded(value: str) -> str:
    """A cell that a spreadsheet shows as it is: an apostrophe before what it could calculate or convert."""
    return "'" + value if _GUARDED.match("'" + value) else value


def read_xlsx(path: Path, taken: Taken) -> None:
    """Rules of a workbook into `taken`: its sheet `rules`, or the first that has the columns of rules."""
    if fault := _unsafe(path):
        taken.fault("", fault)
        return
    from openpyxl import load_workbook  # loaded on first use

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # any broken zip or XML inside
        taken.fault("", f"cannot be opened as XLSX ({' '.join(str(error).split())[:160]})")
        return
    try:
        _take_book(book, taken)
    except Exception as error:  # a sheet that is broken further in
        taken.cells.clear()
        taken.fault(
            "", f"cannot be read as XLSX ({type(error).__name__}: {' '.join(str(error).split())[:160]})"
        )
    finally:
        book.close()


def _unsafe(path: Path) -> str:
    """Why a workbook must not be unpacked, or an empty string."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        return f"cannot be opened as XLSX ({' '.join(str(error).split())[:160]})"
    total, packed = sum(m.file_size for m in members), sum(m.compress_size for m in members) or 1
    if len(members) > 2_000 or total > _MOST_BYTES or (total > 32 << 20 and total / packed > _MOST_RATIO):
        return f"unpacks to {total >> 20:,} MB in {len(members):,} parts, which no catalog does; not opened"
    if any(m.flag_bits & 1 for m in members):
        return "is locked with a password; save it without one"
    return ""


def _take_book(book: Any, taken: Taken) -> None:
    names = {sheet.title.strip().lower(): sheet for sheet in book.worksheets}
    if not names:
        taken.fault("", "holds no sheet with cells")
        return
    if "catalog" in names and len(names) > 1:
        _take_head(_rows_of(names["catalog"], taken), taken)
    chosen = names.get("rules")
    tried = [chosen] if chosen is not None else list(book.worksheets)
    rows: list[Row] = []
    for sheet in tried:
        found = _rows_of(sheet, taken)
        if not rows or _header_at(found) >= 0:
            rows = found
        if _header_at(found) >= 0:
            break
    take_rows(rows, taken)


def _take_head(rows: list[Row], taken: Taken) -> None:
    exact: tuple[str, str] | None = None
    for cells in rows:
        name, (where, value) = _named(cells[0][1]), cells[1] if len(cells) > 1 else (cells[0][0], "")
        if name == EXACT:
            exact = (value, where)
        elif name in HEADER and value.strip():
            taken.head[name] = Given(where, _date(name, value, where, taken))
        elif name and value.strip() and (close := difflib.get_close_matches(name, HEADER, 1)):
            taken.fault(where, f"unknown field `{name}`; did you mean `{close[0]}`?")
    if exact is not None:
        restore_head(taken, *exact)


def _rows_of(sheet: Any, taken: Taken) -> list[Row]:
    rows: list[Row] = []
    seen = blank = 0
    sheet.reset_dimensions()
    for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
        cells = cells[:_MOST_COLUMNS]
        filled = sum(value is not None for value in cells)
        seen, blank = seen + filled, 0 if filled else blank + 1
        if blank > _MOST_BLANK_ROWS:
            taken.warnings.append(f"{sheet.title}!A{number}: nothing is read below this row")
            break
        if seen > _MOST_CELLS:
            taken.fault(
                f"{sheet.title}!A{number}", f"holds more than {_MOST_CELLS:,} cells; keep the rules only"
            )
            return []
        if filled:
            rows.append([(f"{sheet.title}!{column_name(i)}{number}", _text(v)) for i, v in enumerate(cells)])
    return rows


class _Dated(str):
    """Text of a cell that the spreadsheet holds as a date."""


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, dt.datetime):
        whole = value.time() == dt.time()
        return _Dated(value.date().isoformat() if whole else value.isoformat(" "))
    if isinstance(value, dt.date | dt.time):
        return _Dated(value.isoformat())
    return str(value).replace("_x000D_\n", "\n")  # how Excel stores the line ends of other systems


def column_name(index: int) -> str:
    """Letters of a column, from 0: A, B, ..., AA."""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(65 + rest) + name
    return name


def _named(header: str) -> str:
    """The field that a column's header names, or the header folded."""
    bare = re.sub(r"\s*\([^()]*\)\s*$", "", clean(header).strip())  # Mandatory (yes/no)
    name = re.sub(r"[\s\-]+", "_", bare.lower().rstrip(" *:"))
    return _ALIASES.get(name, name)


def _header_at(rows: list[Row]) -> int:
    """Index of the header row: the first of the top rows that names the most columns, -1 for none."""
    best, at = 0, -1
    for index, cells in enumerate(rows[:_HEADER_WITHIN]):
        names = {_named(text) for _, text in cells}
        known = len(names & set(FIELDS))
        if known > best and (names & {"id", "text"}):
            best, at = known, index
    return at if best >= 2 else -1


def take_rows(rows: list[Row], taken: Taken) -> None:
    """Rows under the header, by column name; what stands above is the head or a title."""
    rows = [cells for cells in rows if any(text.strip() for _, text in cells)]
    if not rows:
        return
    at = _header_at(rows)
    header = rows[max(at, 0)]
    names = [_named(text) for _, text in header]
    missing = [name for name in REQUIRED_COLUMNS if name not in names]
    if missing:
        shown = ", ".join(name for name in names if name)[:300]
        taken.fault(header[0][0], f"missing columns {', '.join(missing)}; the header holds {shown}")
        return
    _above(rows[: max(at, 0)], taken)
    columns = _columns(header, names, taken)
    for cells in rows[max(at, 0) + 1 :]:
        if [_named(text) for _, text in cells] == names:
            continue  # a header printed again
        _take_row(cells, columns, len(header), taken)
    if (exact := taken.head.pop(EXACT, None)) is not None:
        restore_head(taken, str(exact.value), exact.where)


def _above(rows: list[Row], taken: Taken) -> None:
    for cells in rows:
        filled = [(where, text) for where, text in cells if text.strip()]
        name = _named(filled[0][1])
        if name in HEADER and len(filled) == 2:
            where, text = filled[1]
            taken.head[name] = Given(where, _date(name, text, where, taken))
        else:
            said = " ".join(" ".join(text for _, text in filled).split())[:80]
            taken.warnings.append(f"{filled[0][0]}: `{said}` stands above the header and is not read")


def _columns(header: Row, names: list[str], taken: Taken) -> dict[int, str]:
    """Columns to read, by index; near misses of a field are faults, others are said and left alone."""
    columns: dict[int, str] = {}
    first: dict[str, str] = {}
    for index, ((where, _), name) in enumerate(zip(header, names, strict=True)):
        head = name.startswith(HEAD_MARK) and name.removeprefix(HEAD_MARK) in (*HEADER, EXACT)
        if name in first:
            taken.fault(where, f"column `{name}` stands twice, first at {first[name]}")
        elif name in FIELDS or head or name == EXACT or re.fullmatch(rf"{EXACT}_\d+", name):
            columns[index] = name
            first[name] = where
        elif name and difflib.get_close_matches(name, FIELDS, 1):
            taken.fault(where, unknown_field(name, FIELDS))
        elif name and name not in _SHOWN_ONLY:
            taken.warnings.append(f"{where}: column `{name}` is no field of a rule and is not read")
    return columns


def _take_row(cells: Row, columns: dict[int, str], width: int, taken: Taken) -> None:
    """One row as a rule; `width` is how many columns the header has."""
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
            fields[name] = Given(where, _date(name, text, where, taken))
    if not any(given.value.strip() for name, given in fields.items() if name not in ("keep", "remark")):
        return
    if exact.strip():
        try:
            data = json.loads(exact)
            fields = restored(fields, {k: v for k, v in data.items() if k in FIELDS})
        except (ValueError, AttributeError, RecursionError):
            taken.fault(
                cells[0][0], "its cell `exact` is broken; clear it to take the other cells as they stand"
            )
    taken.cells.append(Cells(cells[0][0], fields))


def _head_cell(name: str, where: str, text: str, taken: Taken) -> None:
    if not text.strip():
        return
    value = _date(name, text, where, taken)
    before = taken.head.get(name)
    if before is not None and before.value != value:
        what = f"{HEAD_MARK}{name} is `{value}` here and `{before.value}` at {before.where}"
        taken.fault(where, what)
    elif before is None:
        taken.head[name] = Given(where, value)


def _date(name: str, text: str, where: str, taken: Taken) -> str:
    """A cell's text; in a column of dates what a spreadsheet made of a date is made an ISO date again."""
    if name in _DATES:
        said = text.strip()
        if said.isdigit() and int(said) in _SERIALS:
            return (_EPOCH + dt.timedelta(days=int(said))).isoformat()
        return _iso(said, where, taken) if _DAY.fullmatch(said) else said
    if isinstance(text, _Dated) and name in ("id", "clause_ref", "weight"):
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
