"""HTML pages and e-mails as blocks: headings, paragraphs, items and tables in their order.

All is page 1. Most e-mails are laid out by tables: one that holds tables, or one cell a row, is no table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from bidproof.documents.office.office_rows import OfficeRows, Read, TableCell, TableRow
from bidproof.documents.office.plain_text import decoded
from bidproof.documents.office.word_outline import Outline
from bidproof.documents.office.word_symbols import clean
from bidproof.documents.raised_runs import glue_raised
from bidproof.params import DocumentParams
from bidproof.records import BlockKind

_SILENT = frozenset({"script", "style", "head", "template", "noscript"})
_CELLS = frozenset({"tr", "td", "th"})
_BREAKING = frozenset({
    "p", "div", "li", "ul", "ol", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "tbody", "section", "article",
    "blockquote", "pre", "dt", "dd", "body", "form", "fieldset", "header", "footer", "address", "caption",
})  # fmt: skip
_EMPTY = frozenset(
    {"br", "hr", "img", "input", "meta", "link", "col", "area", "base", "wbr", "source", "embed"}
)
_STRUCK = frozenset({"del", "s", "strike"})
_CROSSED = re.compile(r"text-decoration[a-z-]*\s*:\s*[^;]*line-through", re.I)
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|(?<!-)color\s*:\s*(?:#fff(?:fff)?\b|white\b)",
    re.I,
)
_COLOURED = re.compile(
    r"background(?:-color)?\s*:\s*(?!\s*(?:#fff(?:fff)?\b|white\b|none|transparent))", re.I
)
_MAX_SPAN = 100
# Stands before a piece of text that is raised; the parser gives no such letter.
_RAISED = "\x0e"


def read_html(path: Path, name: str, params: DocumentParams) -> Iterator[Read | None]:
    """Rows and warnings of an HTML page.

    Raises:
        UnreadableFileError: the file is too large.
    """
    text, doubt = decoded(path, name)
    page = _Page()
    if doubt:
        page.rows.warn(doubt)
    page.feed(text)
    page.close()
    page.end()
    yield page.rows.finish()


class _Page(HTMLParser):
    """Writes blocks as the tags go by."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows, self.outline = OfficeRows(), Outline()
        self.rows.page(1)
        # Tags that are open, with what they do to the look of their text.
        self.open: list[tuple[str, str]] = []
        self.parts: dict[str, list[str]] = {"": [], "struck": [], "hidden": []}
        # Tables that are open, the inmost last; None for one that only lays out what is in it.
        self.tables: list[list[TableRow] | None] = []
        self.apart: list[TableRow] = []
        self.paragraphs = self.counted = self.silent = 0

    @property
    def table(self) -> list[TableRow] | None:
        """Rows of the table at work, if there is one."""
        return self.tables[-1] if self.tables else None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: said or "" for name, said in attrs}
        if tag in _SILENT:
            self.silent += 1
            return
        if tag == "input" and named.get("type", "text") != "hidden":
            self._say(_field(named))
        if tag == "img" and named.get("alt"):
            self._say(f" {named['alt']} ")
        if tag == "table":
            self._table_begins()
        elif tag in _CELLS and self.table is not None:
            self._cell_begins(tag, named.get("colspan", "1"))
        elif tag in _BREAKING or tag in _CELLS:
            self._close_block()
        if tag not in _EMPTY:
            self.open.append((tag, self._look(tag, named)))

    def _look(self, tag: str, named: dict[str, str]) -> str:
        style = named.get("style", "")
        if tag in _STRUCK or _CROSSED.search(style):
            return "struck"
        if "hidden" in named or (_UNSEEN.search(style) and not _COLOURED.search(style)):
            return "hidden"
        # White text can be seen on an element of a colour of its own.
        return "seen" if _COLOURED.search(style) or named.get("bgcolor") else ""

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
            return
        if tag == "table" and self.tables:
            self._table_ends()
        elif tag in _BREAKING or (tag in _CELLS and self.table is None):
            self._close_block(tag)
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at][0] == tag:
                del self.open[at:]
                break

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self._say(data.replace(_RAISED, ""))

    def _say(self, text: str) -> None:
        looks = [look for _, look in self.open if look]
        look = "struck" if "struck" in looks else "hidden" if looks and looks[-1] == "hidden" else ""
        raised = _RAISED if any(tag == "sup" for tag, _ in self.open) else ""
        self.parts[look].append(raised + text)

    def _taken(self) -> dict[str, str]:
        texts = {look: clean(_joined(parts)) for look, parts in self.parts.items()}
        for parts in self.parts.values():
            parts.clear()
        return texts

    def _close_block(self, ended: str = "") -> None:
        if self.table:
            self._say(" ")
            return
        texts = self._taken()
        if not any(texts.values()):
            return
        self.paragraphs += 1
        anchor, text = f"paragraph {self.paragraphs}", texts[""]
        inside = {tag for tag, _ in self.open} | {ended}
        heading = next((tag for tag in ("h1", "h2", "h3", "h4", "h5", "h6") if tag in inside), "")
        if heading and text:
            level = self.outline.push(text, int(heading[1]) - 1, 10.0)
            self.rows.block(1, BlockKind.HEADING, text, anchor, self.outline.path, level=level)
        else:
            kind = BlockKind.LIST_ITEM if "li" in inside else BlockKind.PARAGRAPH
            self.rows.block(1, kind, text, anchor, self.outline.path)
        for each in self._unseen(texts, anchor):
            self._add_apart(each)

    def _unseen(self, texts: dict[str, str], anchor: str) -> list[TableRow]:
        return [
            TableRow(anchor, 1, [TableCell(texts[look])], look == "struck", look == "hidden")
            for look in ("struck", "hidden")
            if texts[look]
        ]

    def _add_apart(self, row: TableRow) -> None:
        text = " | ".join(row.texts)
        path = self.outline.path
        self.rows.block(1, BlockKind.PARAGRAPH, text, row.anchor, path, struck=row.struck, hidden=row.hidden)

    def _table_begins(self) -> None:
        if self.table is not None:
            self._cell_ends()
            self._write_laid_out()
        else:
            self._close_block()
        self.counted += 1
        self.tables.append([])

    def _cell_begins(self, tag: str, span: str) -> None:
        rows = self.table
        assert rows is not None
        self._cell_ends()
        if tag == "tr" or not rows:
            rows.append(TableRow(f"table {self.counted} row {len(rows) + 1}", 1, []))
        if tag != "tr":
            anchor = f"{rows[-1].anchor} column {len(rows[-1].cells) + 1}"
            rows[-1].cells.append(TableCell("", anchor, tag == "th"))
            extra = min(int(span), _MAX_SPAN) - 1 if span.isdigit() else 0
            rows[-1].cells += [TableCell("", anchor, tag == "th", "left") for _ in range(extra)]

    def _cell_ends(self) -> None:
        """Give the text since the last cell began to that cell; text beside the cells is a paragraph."""
        texts, rows = self._taken(), self.table
        cells = [cell for cell in rows[-1].cells if not cell.joins] if rows else []
        if cells:
            cells[-1].text = " ".join(part for part in (cells[-1].text, texts[""]) if part)
            self.apart += self._unseen(texts, cells[-1].anchor)
        elif any(texts.values()):
            anchor = f"table {self.counted}"
            self.rows.block(1, BlockKind.PARAGRAPH, texts[""], anchor, self.outline.path)
            for each in self._unseen(texts, anchor):
                self._add_apart(each)

    def _write_laid_out(self) -> None:
        """Write the table at work as paragraphs; from here on it only lays out what is in it."""
        for row in self.table or ():
            for cell in row.cells:
                self.rows.block(1, BlockKind.PARAGRAPH, cell.text, cell.anchor, self.outline.path)
        for each in self.apart:
            self._add_apart(each)
        self.apart.clear()
        self.tables[-1] = None

    def _table_ends(self) -> None:
        rows = self.table
        if rows is None:
            self._close_block()
        else:
            self._cell_ends()
            heads = 0
            while heads < len(rows) and rows[heads].cells and all(cell.bold for cell in rows[heads].cells):
                heads += 1
            if all(len(row.texts) <= 1 for row in rows):
                self._write_laid_out()
            else:
                known = heads if 0 < heads < len(rows) else None
                self.rows.table([*rows, *self.apart], self.outline.path, known)
                self.apart.clear()
        self.tables.pop()

    def end(self) -> None:
        """Write what is still open at the end of the file."""
        while self.tables:
            self._table_ends()
        self._close_block()


def _joined(parts: list[str]) -> str:
    text = ""
    for part in parts:
        text = glue_raised(text, part[1:])[0] if part.startswith(_RAISED) else text + part
    return text


def _field(named: dict[str, str]) -> str:
    """What a form's field shows."""
    if named.get("type") in ("checkbox", "radio"):
        return " ☒ " if "checked" in named else " ☐ "
    return f" {named.get('value', '')} "
