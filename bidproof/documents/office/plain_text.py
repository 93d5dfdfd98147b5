"""Text and CSV files as blocks: lines and paragraphs, rows of a table.

All is page 1. A text file has lines for anchors, a CSV table cells as a spreadsheet numbers them.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from pathlib import Path

from bidproof.documents.office.office_rows import OfficeRows, Read, TableCell, TableRow
from bidproof.documents.office.word_outline import Outline, is_heading
from bidproof.documents.office.word_symbols import clean
from bidproof.documents.office.workbook_cells import letters
from bidproof.errors import UnreadableFileError
from bidproof.params import DocumentParams
from bidproof.records import BlockKind

# Bytes: the whole is held in memory; a hundred books have this much.
_MAX_TEXT = 64 << 20
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CHARSET = re.compile(rb"charset=[\"']?\s*([A-Za-z0-9_.:-]+)", re.I)
_ITEM = re.compile(r"(?:[-*•–—]|\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)|(?:[a-z]|\d{1,2})[.)])\s+\S")
# Characters: a shorter line is not full, so that a new paragraph follows it.
_FULL_LINE = 50

Result = Iterator[Read | None]


def decoded(path: Path, name: str) -> tuple[str, str]:
    """Text of a file, and a warning where its encoding had to be guessed.

    Raises:
        UnreadableFileError: the file is too large.
    """
    data = path.read_bytes()
    if len(data) > _MAX_TEXT:
        what = f"has over {_MAX_TEXT >> 20} MB of text"
        raise UnreadableFileError(name, what, "split the file")
    for mark, code in _MARKS:
        if data.startswith(mark):
            return data.decode(code, "replace"), ""
    declared = _CHARSET.search(data[:2048])
    codes = ([declared[1].decode("ascii")] if declared and path.suffix.lower() != ".txt" else []) + ["utf-8"]
    for code in codes:
        try:
            return data.decode(code), ""
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode(
        "cp1252", "replace"
    ), "does not say its encoding; it is read as Western European (cp1252)"


def read_text(path: Path, name: str, params: DocumentParams) -> Result:
    """Paragraphs of a text file: lines that stand together, headings by their numbers, items by their marks."""
    text, doubt = decoded(path, name)
    rows, outline = OfficeRows(), Outline()
    rows.page(1)
    if doubt:
        rows.warn(doubt)
    held: list[str] = []
    start = 0

    def close(last: int) -> None:
        if not held:
            return
        whole = clean(" ".join(held))
        anchor = f"line {start}" if last == start else f"lines {start} to {last}"
        if len(held) == 1 and is_heading(whole, None, False, False):
            level = outline.push(whole, None, 10.0)
            rows.block(1, BlockKind.HEADING, whole, anchor, outline.path, level=level)
        else:
            kind = BlockKind.LIST_ITEM if _ITEM.match(whole) else BlockKind.PARAGRAPH
            rows.block(1, kind, whole, anchor, outline.path)
        held.clear()

    number = 0
    for number, raw in enumerate(re.split(r"\r\n|[\r\n\f]", text), 1):
        line = clean(raw)
        if not line:
            close(number - 1)
            continue
        if held and (_ITEM.match(line) or _begins(held[-1], line)):
            close(number - 1)
        if not held:
            start = number
        held.append(line)
    close(number)
    yield rows.finish()


def _begins(before: str, line: str) -> bool:
    """A line begins a paragraph of its own unless it goes on with the sentence, or the full line, before it."""
    ended = before.endswith((".", ":", ";", "!", "?"))
    if line[0].islower():
        return ended and len(before) < _FULL_LINE
    return ended or len(before) < _FULL_LINE


def read_csv(path: Path, name: str, params: DocumentParams) -> Result:
    """Rows of a CSV file as one table, its cells named as in a spreadsheet."""
    text, doubt = decoded(path, name)
    rows = OfficeRows()
    rows.page(1)
    if doubt:
        rows.warn(doubt)
    lines: list[TableRow] = []
    count = 0
    csv.field_size_limit(1 << 24)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=_delimiter(text))
    try:
        for number, cells in enumerate(reader, 1):
            made = [TableCell(clean(cell), f"{letters(at)}{number}") for at, cell in enumerate(cells, 1)]
            count += len(made)
            if count > params.max_cells:
                what = f"has over {params.max_cells} cells (documents.max_cells)"
                raise UnreadableFileError(name, what, "split the file or raise the limit")
            if any(cell.text for cell in made):
                lines.append(TableRow(f"row {number}", 1, made))
    except csv.Error as error:
        raise UnreadableFileError(name, f"is no sound CSV table ({error})", "save it as .xlsx") from None
    yield None
    if lines:
        rows.table(lines)
    yield rows.finish()


def _delimiter(text: str) -> str:
    """The sign that parts most of the first lines into equally many cells; a comma where none does."""
    sample = [line for line in text.splitlines()[:50] if line.strip()]

    def score(sign: str) -> tuple[int, int]:
        counts = [line.count(sign) for line in sample]
        usual = max(set(counts), key=counts.count) if counts else 0
        return (counts.count(usual) if usual else 0, usual)

    return max((",", ";", "\t", "|"), key=score) if any(score(sign)[0] for sign in ",;\t|") else ","
