"""XLSX catalogs opened: the sheet that holds the rules, the head, and what the file records of its RFP.

Refuses what is no workbook or unpacks to too much, and turns cells into text. What the rows mean is told in
`sheet_reading`.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bidproof.catalog.formats.contract import HEADER
from bidproof.catalog.formats.given import Given, Taken
from bidproof.catalog.formats.rfp_record import LISTS as RFP_LISTS
from bidproof.catalog.formats.rfp_record import take_row
from bidproof.catalog.formats.sheet_reading import Dated, Row, date_of, field_of, header_at, take_rows
from bidproof.catalog.formats.sheet_rows import EXACT, restore_head

LEFT_OUT = "left out"
SHEETS = ("rules", "catalog", *RFP_LISTS, LEFT_OUT, "how to")
"""Sheets of a working copy; others are the reader's own."""

_MOST_BYTES = 256 << 20
_MOST_RATIO = 200
_MOST_CELLS = 600_000
_MOST_BLANK_ROWS = 20_000
_MOST_COLUMNS = 400


@dataclass(frozen=True)
class OmittedRow:
    """A statement of the RFP that mining made no rule of, as a working copy lists it."""

    page: int
    why: str
    text: str


def left_out_in(path: Path) -> list[OmittedRow]:
    """What a working copy lists as left out, so that it stands in the next one too; empty for other files.

    A page that is no number any more counts by its first digits, else as 0; a sheet that breaks off says so in a last row.
    """
    if path.suffix.lower() != ".xlsx" or _unsafe(path):
        return []
    from openpyxl import load_workbook  # loaded on first use

    found: list[OmittedRow] = []
    try:
        book = load_workbook(path, read_only=True, data_only=True)
        if LEFT_OUT not in book.sheetnames:
            return []
        for page, *words in book[LEFT_OUT].iter_rows(min_row=2, max_col=3, values_only=True):
            why, text = (_text(word).strip() for word in words)
            if why or text:
                found.append(OmittedRow(_page(page), why, text))
    except Exception as error:  # edited beyond what is known: a list for people, not the catalog
        fault = " ".join(str(error).split())[:160]
        found.append(OmittedRow(0, f"sheet `{LEFT_OUT}` could not be read further ({fault})", ""))
    return found


def _page(cell: object) -> int:
    """Page that a cell names first; 0 where it names none or was turned into a date."""
    digits = None if isinstance(cell, dt.date | dt.time) else re.search(r"\d{1,6}", _text(cell))
    return int(digits.group()) if digits else 0


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
    for name in RFP_LISTS:
        if name in names and len(names) > 1:
            _take_record(name, _rows_of(names[name], taken), taken)
    chosen = names.get("rules")
    tried = [chosen] if chosen is not None else list(book.worksheets)
    rows: list[Row] = []
    for sheet in tried:
        found = _rows_of(sheet, taken)
        if not rows or header_at(found) >= 0:
            rows = found
        if header_at(found) >= 0:
            chosen = sheet
            break
    take_rows(rows, taken)
    for name, sheet in names.items():
        if sheet is not chosen and (name not in SHEETS or len(names) == 1) and _filled(sheet):
            taken.warnings.append(f"sheet `{sheet.title}` is no part of the catalog and is not read")


def _filled(sheet: Any) -> bool:
    return any(value is not None for row in sheet.iter_rows(max_row=50, values_only=True) for value in row)


def _take_record(name: str, rows: list[Row], taken: Taken) -> None:
    """Rows of a sheet of the RFP's record; a sheet without the hidden column `exact` is somebody's own."""
    header = [field_of(text) for _, text in rows[0]] if rows else []
    if EXACT not in header:
        return
    for cells in rows[1:]:
        said = {column: text for column, (_, text) in zip(header, cells, strict=False)}
        take_row(taken, name, said, said.pop(EXACT, ""), cells[0][0])


def _take_head(rows: list[Row], taken: Taken) -> None:
    exact: tuple[str, str] | None = None
    for cells in rows:
        name, (where, value) = field_of(cells[0][1]), cells[1] if len(cells) > 1 else (cells[0][0], "")
        if name == EXACT:
            exact = (value, where)
        elif name in HEADER and value.strip():
            taken.head[name] = Given(where, date_of(name, value, where, taken))
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


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, dt.datetime):
        whole = value.time() == dt.time()
        return Dated(value.date().isoformat() if whole else value.isoformat(" "))
    if isinstance(value, dt.date | dt.time):
        return Dated(value.isoformat())
    return str(value).replace("_x000D_\n", "\n")  # how Excel stores the line ends of other systems


def column_name(index: int) -> str:
    """Letters of a column, from 0: A, B, ..., AA."""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(65 + rest) + name
    return name
