"""HTML pages and e-mails as blocks: headings, paragraphs, items and tables in their order.

All is page 1. Most e-mails are laid out by tables: one that holds tables, or one cell a row, is no table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from bidproof.documents.office.equations import equation, is_apart
from bidproof.documents.office.html_looks import Element, Look, StyleSheet, looked
from bidproof.documents.office.html_tags import (
    BREAKING,
    CELLS,
    EMPTY,
    ENDS,
    FIELDS,
    GROUPS,
    SILENT,
    SOURCED,
)
from bidproof.documents.office.office_rows import OfficeRows, Read, TableCell, TableRow
from bidproof.documents.office.plain_text import decoded
from bidproof.documents.office.word_outline import Outline
from bidproof.documents.office.word_symbols import clean
from bidproof.documents.raised_runs import Run, join_runs
from bidproof.params import DocumentParams
from bidproof.records import BlockKind

_MAX_SPAN, _MAX_ROWS = 100, 10_000


@dataclass(slots=True)
class _Open:
    """A tag that is open, and the look of what stands in it."""

    element: Element
    look: Look


@dataclass(slots=True)
class _Table:
    """A table that is open. `down` holds, by column, the rows that a cell above still covers, and its weight."""

    rows: list[TableRow] = field(default_factory=list)
    down: dict[int, tuple[int, bool]] = field(default_factory=dict)
    # Only lays out what is in it.
    lays_out: bool = False


@dataclass(slots=True)
class _Choice:
    """A choice that is open: the texts to choose from, those chosen, and whether there may be several."""

    several: bool
    options: list[str] = field(default_factory=list)
    chosen: list[int] = field(default_factory=list)


def read_html(path: Path, name: str, params: DocumentParams) -> Iterator[Read | None]:
    """Rows and warnings of an HTML page.

    Raises:
        UnreadableFileError: the file is too large.
    """
    text, doubt = decoded(path, name)
    page = _Page(StyleSheet(text))
    if doubt:
        page.rows.warn(doubt)
    page.feed(text)
    page.close()
    page.end()
    yield page.rows.finish()


class _Page(HTMLParser):
    """Writes blocks as the tags go by."""

    def __init__(self, sheet: StyleSheet) -> None:
        super().__init__(convert_charrefs=True)
        self.rows, self.outline, self.sheet = OfficeRows(), Outline(), sheet
        self.rows.page(1)
        self.open: list[_Open] = []
        self.parts: dict[str, list[Run]] = {"": [], "struck": [], "hidden": []}
        # Tables that are open, the inmost last.
        self.tables: list[_Table] = []
        self.apart: list[TableRow] = []
        self.choice: _Choice | None = None
        # The parts of an equation that are open, the whole first.
        self.maths: list[ElementTree.Element] = []
        self.paragraphs = self.counted = self.silent = 0
        self.after_maths = False

    @property
    def table(self) -> list[TableRow] | None:
        """Rows of the table at work, if there is one."""
        return self.tables[-1].rows if self.tables and not self.tables[-1].lays_out else None

    @property
    def look(self) -> Look:
        """The look of text that comes now."""
        return self.open[-1].look if self.open else Look()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: said or "" for name, said in attrs}
        if tag in BREAKING or tag == "table":
            # What is never closed must not swallow the rest of the page.
            self._settle()
        if tag in SILENT:
            self.silent += 1
            return
        if self.maths or tag == "math":
            part = ElementTree.Element(tag, named)
            if self.maths:
                self.maths[-1].append(part)
            self.maths.append(part)
            return
        self._end_implied(tag)
        element = Element(tag, frozenset(named.get("class", "").split()), named.get("id", ""))
        said = self.sheet.said_of(
            element, [each.element for each in self.open] if self.sheet.count else [], named.get("style", "")
        )
        look = looked(self.look, element, named, said)
        self._began(tag, named, look)
        if tag not in EMPTY:
            self.open.append(_Open(element, look))

    def _end_implied(self, tag: str) -> None:
        """Take off the tags that end where this one begins: the look of one cell or paragraph is not the next one's."""
        ended, outside = ENDS.get(tag, (frozenset(), frozenset()))
        first = len(self.open)
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at].element.tag in outside:
                break
            first = at if self.open[at].element.tag in ended else first
        # Text so far belongs to what ends here.
        if first < len(self.open) and tag not in CELLS and tag != "table":
            self._close_block()
        del self.open[first:]

    def _began(self, tag: str, named: dict[str, str], look: Look) -> None:
        if tag == "input" and named.get("type", "text") != "hidden":
            self._say(_field(named), look.state)
        elif tag == "img" and named.get("alt"):
            self._say(f" {named['alt']} ", look.state)
        elif tag == "select":
            self.choice = _Choice("multiple" in named)
            self._say(" ")
        elif tag == "option" and self.choice is not None:
            self.choice.chosen += [len(self.choice.options)] if "selected" in named else []
            self.choice.options.append(named.get("label", ""))
        elif tag in FIELDS:
            self._say(" ")
        elif tag in SOURCED or (tag == "object" and named.get("data")):
            self.rows.note(1, "a frame or an object of another file in the page is not read")
        elif tag == "link" and "stylesheet" in named.get("rel", "").lower():
            self.rows.note(1, "its style sheet is not at hand: what that hides or crosses out is not known")
        elif tag == "table":
            self._table_begins()
        elif tag in GROUPS and self.tables:
            self.tables[-1].down.clear()
        elif tag in CELLS and self.table is not None:
            # A cell that is not shown takes no place in its row.
            self._cell_begins(tag, named, shown=not look.gone or self.look.gone)
        elif tag in BREAKING or tag in CELLS:
            self._close_block()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.maths:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.maths:
            at = max((at for at, part in enumerate(self.maths) if part.tag == tag), default=-1)
            if at == 0:
                self._maths_ended()
            elif at > 0:
                del self.maths[at:]
            return
        if tag in SILENT:
            self.silent = max(0, self.silent - 1)
            return
        if tag == "table" and self.tables:
            self._table_ends()
        elif tag == "select" and self.choice is not None:
            self._chosen(self.choice)
        elif tag in FIELDS:
            self._say(" ")
        elif tag in BREAKING or (tag in CELLS and self.table is None):
            self._close_block(tag)
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at].element.tag == tag:
                del self.open[at:]
                break

    def _settle(self) -> None:
        """Close what only closes on its own: a head, an equation, a choice."""
        self.silent = 0
        if self.maths:
            self._maths_ended()
        if self.choice is not None:
            self._chosen(self.choice)

    def _maths_ended(self) -> None:
        text = equation(self.maths[0])
        self.maths.clear()
        before = self.parts[self.look.state][-1].text if self.parts[self.look.state] else ""
        self._say(f" {text}" if is_apart(before, text) else text)
        self.after_maths = True

    def _chosen(self, choice: _Choice) -> None:
        """Say what a choice shows; the other options are in the file, but nobody chose them."""
        self.choice = None
        shown = choice.chosen if choice.several else choice.chosen[-1:] or [0]
        for at, option in enumerate(choice.options):
            self._say(f" {option} ", self.look.state or ("" if at in shown else "hidden"))

    def handle_data(self, data: str) -> None:
        if self.maths:
            part = self.maths[-1]
            if len(part):
                part[-1].tail = (part[-1].tail or "") + data
            else:
                part.text = (part.text or "") + data
        elif self.choice is not None:
            if self.choice.options:
                self.choice.options[-1] += data
        elif not self.silent:
            tags = {each.element.tag for each in self.open}
            if "rt" in tags or "rp" in tags:
                self._reading(data if "rp" not in tags else "")
            else:
                self._say(data)

    def _reading(self, text: str) -> None:
        if text.strip():
            where = f"paragraph {self.paragraphs + 1}: set in small type above a word"
            self.rows.remark(1, "annotation", text.strip(), where)
            self.rows.note(1, "words set in small type above others are not read")

    def _say(self, text: str, state: str | None = None) -> None:
        state = self.look.state if state is None else state
        tags = {each.element.tag for each in self.open}
        place = 1 if "sup" in tags else -1 if "sub" in tags else 0
        if self.after_maths and self.parts[state] and is_apart(self.parts[state][-1].text, text):
            text = f" {text}"
        self.after_maths = False
        self.parts[state].append(Run(text, place))

    def _taken(self) -> dict[str, str]:
        texts = {state: clean(join_runs(parts)[0]) for state, parts in self.parts.items()}
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
        inside = {each.element.tag for each in self.open} | {ended}
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
        self.tables.append(_Table())

    def _cell_begins(self, tag: str, named: dict[str, str], shown: bool) -> None:
        rows = self.table
        assert rows is not None
        self._cell_ends()
        if tag == "tr" or not rows:
            self._row_ends()
            rows.append(TableRow(f"table {self.counted} row {len(rows) + 1}", 1, []))
        if tag == "tr" or not shown:
            return
        self._covered()
        bold, down = tag == "th", self.tables[-1].down
        across, along = _span(named.get("colspan", "1"), 1), _span(named.get("rowspan", "1"), _MAX_ROWS)
        first = len(rows[-1].cells)
        anchor = f"{rows[-1].anchor} column {first + 1}"
        rows[-1].cells.append(TableCell("", anchor, bold))
        rows[-1].cells += [TableCell("", anchor, bold, "left") for _ in range(across - 1)]
        if along > 1:
            # This row is counted off with the others.
            down |= dict.fromkeys(range(first, first + across), (along, bold))

    def _covered(self, to_the_end: bool = False) -> None:
        """Add the places of the row at work that cells of rows above cover."""
        rows, down = self.tables[-1].rows, self.tables[-1].down
        cells = rows[-1].cells
        last = max(down, default=-1)
        while len(cells) in down or (to_the_end and len(cells) <= last):
            _, bold = down.get(len(cells), (0, False))
            joins = "above" if len(cells) in down else ""
            cells.append(TableCell("", f"{rows[-1].anchor} column {len(cells) + 1}", bold, joins))

    def _row_ends(self) -> None:
        """Complete the row at work, and count it off the cells that reach down from rows above."""
        table = self.tables[-1]
        if table.rows:
            self._covered(to_the_end=True)
            table.down = {at: (left - 1, bold) for at, (left, bold) in table.down.items() if left > 1}

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
        self.tables[-1].lays_out = True

    def _table_ends(self) -> None:
        rows = self.table
        if rows is None:
            self._close_block()
        else:
            self._cell_ends()
            self._row_ends()
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
        self._settle()
        while self.tables:
            self._table_ends()
        self._close_block()


def _span(text: str, endless: int) -> int:
    """The number of columns or rows that a cell covers; `0` means all that are left."""
    count = int(text) if text.strip().isdigit() else 1
    return min(count, max(_MAX_SPAN, endless)) if count else endless


def _field(named: dict[str, str]) -> str:
    """What a form's field shows."""
    if named.get("type") in ("checkbox", "radio"):
        return " ☒ " if "checked" in named else " ☐ "
    return f" {named.get('value', '')} "
