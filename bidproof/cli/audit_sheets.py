"""The auditor's sheet: Passes to look at as XLSX or CSV, and the answers read back.

Text of bids is stored as text, never as a formula. Of a sheet that comes back only its audit, numbers and answers count;
tender, bidder and rule must be those of the number.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.errors import BadInputError
from bidproof.evaluation.trust.auditing import Answer
from bidproof.review.cleaning import clean
from bidproof.review.exports import guard
from bidproof.review.workbook import CELL_LIMIT, FIXED_DATE

COLUMNS = (
    ("audit", 26), ("number", 8), ("lot", 10), ("tender", 16), ("bidder", 20), ("rule_id", 9), ("mandatory", 11), ("text", 60),
    ("quote", 60), ("file_name", 28), ("page", 7), ("page_label", 8), ("rationale", 44), ("right", 9), ("auditor", 14),
    ("note", 40),
)  # fmt: skip
ENDINGS = (".xlsx", ".csv")
_ANSWERS = ("right", "auditor", "note")
_YES, _NO = ("yes", "y", "oui", "true", "1", "right"), ("no", "n", "non", "false", "0", "wrong")
_HELP = "yes: the quote stands there and the bid meets the rule. no: anything else. Leave empty what you did not look at."


def check_ending(path: Path) -> None:
    """Refuse a sheet of another kind.

    Raises:
        BadInputError: the file ends neither in .xlsx nor in .csv.
    """
    if path.suffix.lower() not in ENDINGS:
        raise BadInputError(
            str(path), "is no kind of sheet", f"name a file that ends in {' or '.join(ENDINGS)}"
        )


def sheet_of(rows: pl.DataFrame, ending: str) -> bytes:
    """The sheet of an audit's rows, with the answers that there are."""
    lines = [_line(row) for row in rows.iter_rows(named=True)]
    return _workbook(lines) if ending.lower() == ".xlsx" else _text(lines)


def _line(row: Mapping[str, Any]) -> list[str | int]:
    shown = {**row, "mandatory": "yes" if row["mandatory"] else "no"}
    shown["right"] = "" if row["right"] is None else ("yes" if row["right"] else "no")
    cells: list[str | int] = []
    for name, _ in COLUMNS:
        value = shown[name]
        cells.append(value if isinstance(value, int) else clean(value)[:CELL_LIMIT])
    return cells


def _text(lines: list[list[str | int]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([name for name, _ in COLUMNS])
    writer.writerows([guard(cell) if isinstance(cell, str) else cell for cell in line] for line in lines)
    return out.getvalue().encode("utf-8-sig")


def _workbook(lines: list[list[str | int]]) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(
        out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    book.set_properties({"created": FIXED_DATE})
    page = book.add_worksheet("Audit")
    head = book.add_format({"bold": True, "bg_color": "#ECEFF2"})
    body = book.add_format({"text_wrap": True, "valign": "top"})
    open_ = book.add_format({"text_wrap": True, "valign": "top", "bg_color": "#FFF7DB", "border": 1})
    for column, (name, width) in enumerate(COLUMNS):
        page.set_column(column, column, width)
        page.write_string(0, column, name, head)
    for number, line in enumerate(lines, start=1):
        for column, cell in enumerate(line):
            style = open_ if COLUMNS[column][0] in _ANSWERS else body
            if isinstance(cell, int):
                page.write_number(number, column, cell, style)
            else:
                page.write_string(number, column, cell, style)
    right = [name for name, _ in COLUMNS].index("right")
    if lines:
        page.data_validation(1, right, len(lines), right, {
            "validate": "list", "source": ["yes", "no"], "input_title": "Right?", "input_message": _HELP[:255],
        })  # fmt: skip
    page.freeze_panes(1, 2)
    book.close()
    return out.getvalue()


def read_sheet(path: Path) -> tuple[str, dict[int, Answer]]:
    """The audit that a sheet is of, and the answers in it by number; lines without an answer are passed over.

    Raises:
        BadInputError: it cannot be read, is of no audit or of two, answers a number twice, or in other words.
    """
    check_ending(path)
    try:
        lines = list(_rows_of(path))
    except BadInputError:
        raise
    except Exception as error:
        raise BadInputError(
            str(path), f"cannot be read ({type(error).__name__})", "save it again as it came"
        ) from None
    audits: set[str] = set()
    answers: dict[int, Answer] = {}
    for place, line in enumerate(lines, start=2):
        where = f"{path}, line {place}"
        if not any(line.values()):
            continue
        if missing := next((name for name in ("audit", "number", "right") if name not in line), ""):
            raise BadInputError(
                str(path), f"has no column {missing}", "take the sheet of `bidproof audit plan`"
            )
        audits.add(line["audit"])
        number = _number(line["number"], where)
        if not line["right"]:
            continue
        if number in answers:
            raise BadInputError(where, f"answers number {number} a second time", "leave one of the two")
        answers[number] = Answer(
            right=_right(line["right"], where),
            auditor=line.get("auditor", ""),
            note=line.get("note", ""),
            of=(line.get("tender", ""), line.get("bidder", ""), line.get("rule_id", "")),
        )
    if len(audits) != 1 or "" in audits:
        named = ", ".join(sorted(audits - {""})) or "no audit"
        raise BadInputError(str(path), f"is of {named}", "give the sheet of one audit as it came")
    return audits.pop(), answers


def _number(text: str, where: str) -> int:
    digits = text.removesuffix(".0")
    if not digits.isdecimal():
        raise BadInputError(where, f"number {text!r} is none", "take it from the sheet as it came")
    return int(digits)


def _right(text: str, where: str) -> bool:
    said = text.casefold()
    if said not in (*_YES, *_NO):
        raise BadInputError(where, f"right is {text!r}", "write yes or no, or leave it empty")
    return said in _YES


def _rows_of(path: Path) -> Iterator[dict[str, str]]:
    """Lines of a sheet by the names of its first line."""
    if path.suffix.lower() == ".csv":
        text = path.read_bytes().decode("utf-8-sig")
        # A spreadsheet of another country writes a semicolon.
        comma = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
        table: Iterator[Any] = iter(csv.reader(io.StringIO(text), delimiter=comma))
        yield from _named(table)
        return
    from openpyxl import load_workbook

    book = load_workbook(path, read_only=True, data_only=True)
    try:
        yield from _named(iter(book.worksheets[0].iter_rows(values_only=True)))
    finally:
        book.close()


def _named(table: Iterator[Any]) -> Iterator[dict[str, str]]:
    names = [_cell(cell).casefold() for cell in next(table, ())]
    for line in table:
        yield {name: _cell(cell) for name, cell in zip(names, line, strict=False) if name}


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "" if value is None else str(value).strip()
    return text[1:] if text.startswith("'") else text
