"""Text, CSV and HTML files as blocks: lines and paragraphs, rows of a table, the text of a page's tags.

All is page 1. A text file has lines for anchors, a CSV table cells as a spreadsheet numbers them.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from bidproof.documents.office_rows import OfficeRows, Read, TableCell, TableRow
from bidproof.documents.word_outline import Outline, is_heading
from bidproof.documents.word_symbols import clean
from bidproof.documents.workbook_cells import letters
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
_SILENT = frozenset({"script", "style", "head", "template", "noscript"})
_BREAKING = frozenset({
    "p", "div", "li", "ul", "ol", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "section", "article",
    "blockquote", "pre", "dt", "dd", "body", "form", "fieldset", "header", "footer", "address", "caption",
})  # fmt: skip
_EMPTY = frozenset(
    {"br", "hr", "img", "input", "meta", "link", "col", "area", "base", "wbr", "source", "embed"}
)
_STRUCK = frozenset({"del", "s", "strike"})
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|color\s*:\s*(?:#fff(?:fff)?\b|white)", re.I
)

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


def read_html(path: Path, name: str, params: DocumentParams) -> Result:
    """Text of an HTML page: headings, paragraphs, items and tables, in their order."""
    text, doubt = decoded(path, name)
    rows = OfficeRows()
    rows.page(1)
    if doubt:
        rows.warn(doubt)
    page = _Page(rows)
    page.feed(text)
    page.close()
    page.end()
    yield rows.finish()


class _Page(HTMLParser):
    """Writes blocks as the tags go by. Tables inside cells are read as text of the cell."""

    def __init__(self, rows: OfficeRows) -> None:
        super().__init__(convert_charrefs=True)
        self.rows, self.outline = rows, Outline()
        self.open: list[tuple[str, str]] = []
        self.parts: dict[str, list[str]] = {"": [], "struck": [], "hidden": []}
        self.count = self.tables = 0
        self.table: list[TableRow] | None = None
        self._apart: list[TableRow] = []
        self.depth = 0
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: said or "" for name, said in attrs}
        if tag in _SILENT:
            self.silent += 1
            return
        if tag == "input" and named.get("type", "text") != "hidden":
            self._say(_field(named))
        if tag == "table":
            self.depth += 1
            if self.depth == 1:
                self._close_block()
                self.tables, self.table = self.tables + 1, []
                return
        if self.table is not None and self.depth == 1 and tag in ("tr", "td", "th"):
            self._cell_ends()
            if tag == "tr" or not self.table:
                self.table.append(TableRow(f"table {self.tables} row {len(self.table) + 1}", 1, []))
            if tag != "tr":
                anchor = f"{self.table[-1].anchor} column {len(self.table[-1].cells) + 1}"
                self.table[-1].cells.append(TableCell("", anchor, tag == "th"))
                span = named.get("colspan", "1")
                extra = min(int(span), 100) - 1 if span.isdigit() else 0
                self.table[-1].cells += [TableCell("", anchor, tag == "th", "left") for _ in range(extra)]
        elif tag in _BREAKING:
            self._close_block()
        if tag not in _EMPTY:
            look = (
                "struck"
                if tag in _STRUCK
                else "hidden"
                if _HIDDEN.search(named.get("style", "")) or "hidden" in named
                else ""
            )
            self.open.append((tag, look))

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
            return
        if tag == "table" and self.depth:
            self.depth -= 1
            if self.depth == 0:
                self._table_ends()
        elif tag in _BREAKING and self.table is None:
            self._close_block(tag)
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at][0] == tag:
                del self.open[at:]
                break

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self._say(data)

    def _say(self, text: str) -> None:
        looks = [look for _, look in self.open if look]
        self.parts[looks[-1] if looks else ""].append(text)

    def _taken(self) -> dict[str, str]:
        texts = {look: clean("".join(parts)) for look, parts in self.parts.items()}
        for parts in self.parts.values():
            parts.clear()
        return texts

    def _close_block(self, ended: str = "") -> None:
        if self.table is not None:
            self._say(" ")
            return
        texts = self._taken()
        if not any(texts.values()):
            return
        self.count += 1
        anchor, text = f"paragraph {self.count}", texts[""]
        inside = {tag for tag, _ in self.open} | {ended}
        heading = next((tag for tag in ("h1", "h2", "h3", "h4", "h5", "h6") if tag in inside), "")
        if heading and text:
            level = self.outline.push(text, int(heading[1]) - 1, 10.0)
            self.rows.block(1, BlockKind.HEADING, text, anchor, self.outline.path, level=level)
        else:
            kind = BlockKind.LIST_ITEM if "li" in inside else BlockKind.PARAGRAPH
            self.rows.block(1, kind, text, anchor, self.outline.path)
        self._unseen(texts, anchor)

    def _unseen(self, texts: dict[str, str], anchor: str) -> None:
        path = self.outline.path
        self.rows.block(1, BlockKind.PARAGRAPH, texts["struck"], anchor, path, struck=True)
        self.rows.block(1, BlockKind.PARAGRAPH, texts["hidden"], anchor, path, hidden=True)

    def _cell_ends(self) -> None:
        texts = self._taken()
        if self.table and self.table[-1].cells:
            cell = next(cell for cell in reversed(self.table[-1].cells) if not cell.joins)
            cell.text = texts[""]
            for look in ("struck", "hidden"):
                if texts[look]:
                    self._apart.append(
                        TableRow(cell.anchor, 1, [TableCell(texts[look])], look == "struck", look == "hidden")
                    )

    def _table_ends(self) -> None:
        self._cell_ends()
        rows, self.table = self.table or [], None
        if rows:
            heads = 0
            while heads < len(rows) and rows[heads].cells and all(cell.bold for cell in rows[heads].cells):
                heads += 1
            self.rows.table(
                [*rows, *self._apart], self.outline.path, heads if 0 < heads < len(rows) else None
            )
            self._apart.clear()

    def end(self) -> None:
        """Write what is still open at the end of the file."""
        while self.depth:
            self.handle_endtag("table")
        self._close_block()


def _field(named: dict[str, str]) -> str:
    """What a form's field shows."""
    if named.get("type") in ("checkbox", "radio"):
        return " ☒ " if "checked" in named else " ☐ "
    return f" {named.get('value', '')} "
