"""A catalog as an XLSX working copy: one row a rule beside its source text, to be read, mended and handed back.

Sheets: `rules` (drop-downs for keep, mandatory and scored, a column for remarks, then columns of the buyer's own),
`catalog` (the head), `conflicts` and `superseded` (what the RFP's files say of one another), `left out` (what mining
made no rule of), `how to`. Every text is stored as text, never as a formula or a link, and
the creation date is fixed, so that the same catalog gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from bidproof.catalog.formats.contract import HEADER, STATUSES
from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.given import CELL_LIMIT, clean, fitting
from bidproof.catalog.formats.other_columns import by_rule
from bidproof.catalog.formats.rfp_record import SHEET_COLUMNS, filled, json_lines, shown
from bidproof.catalog.formats.sheet_reading import own_header
from bidproof.catalog.formats.sheet_rows import EXACT, head_cells, row

FIXED_DATE = datetime(2000, 1, 1)
_COLUMNS: tuple[tuple[str, float], ...] = (
    ("keep", 8), ("id", 11), ("mandatory", 11), ("scored", 9), ("text", 56), ("source_quote", 56),
    ("source_page", 8), ("predicates", 48), ("remark", 30), ("area", 14), ("obligation", 22), ("clause_ref", 30),
    ("flags", 16), ("sentry_terms", 26), ("synonyms", 22), ("section_hints", 24), ("weight", 8),
    ("submission_date", 14), ("question_id", 12), ("references", 28), ("definitions", 32), ("sources", 40),
)  # fmt: skip
_CHOICES = {"keep": ("keep", "drop"), "mandatory": ("yes", "no"), "scored": ("yes", "no")}
_NUMBERS = ("weight", "source_page")
_HOW_TO = (
    "Read each rule beside the words of the RFP that it came from, and mend what is wrong in place.",
    "keep: choose drop for a row that is no rule; it leaves the catalog when the file is read, and that is said.",
    "mandatory: yes closes the gate for a bidder who fails the rule. scored: the RFP gives points for it.",
    "predicates: what code tests, one a line, with the words it came from behind <-. For example:",
    "    quantity: bid security >= 2 percent of total bid price",
    "    standard: ISO/IEC 27001:2022; valid on submission",
    "    [alternative 1] form: BS-1        (lines of one alternative must all hold; one is enough; those without hold always)",
    "    Empty the cell and the predicates are derived from the text again.",
    "remark: yours; it stays with the rule and changes no verdict. Columns that you add stay too.",
    "conflicts (a sheet, where there are any): mend the rules, then write behind each  => settled: which one holds.",
    "The hidden column exact keeps what a cell cannot show; a cell that you change always wins over it.",
    "Then: bidproof catalog check FILE --rfp RFP, and bidproof catalog accept FILE --by NAME.",
)


class Omitted(Protocol):
    """What mining made no rule of: page, words and reason."""

    @property
    def page(self) -> int:
        """Page of the RFP."""

    @property
    def text(self) -> str:
        """Words of the RFP."""

    @property
    def why(self) -> str:
        """Reason."""


class _Book:
    """A workbook in memory with the looks that its sheets share."""

    def __init__(self, title: str) -> None:
        import xlsxwriter  # loaded on first use

        self.bytes = io.BytesIO()
        options = {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        }
        self.book = xlsxwriter.Workbook(self.bytes, options)
        self.book.set_properties({"title": clean(title)[:200] or "Rule catalog", "created": FIXED_DATE})
        base = {"font_name": "Arial", "font_size": 10, "valign": "top"}
        # Text cells stay text when a person types 3.10 or =A1 into them.
        self.body = self.book.add_format({**base, "text_wrap": True, "num_format": "@"})
        self.source = self.book.add_format(
            {**base, "text_wrap": True, "num_format": "@", "bg_color": "#F4F6F8", "font_color": "#33404D"}
        )
        self.number = self.book.add_format({**base, "num_format": "General"})
        self.header = self.book.add_format(
            {**base, "bold": True, "text_wrap": True, "bg_color": "#17212B", "font_color": "#FFFFFF"}
        )
        self.note = self.book.add_format({**base, "bold": True, "font_color": "#9A2417"})

    def sheet(self, name: str, columns: Sequence[tuple[str, float]], frozen: int, footer: str) -> Any:
        """A new sheet with its header frozen, set up for printing."""
        sheet = self.book.add_worksheet(name)
        for index, (title, width) in enumerate(columns):
            sheet.set_column(index, index, width, self.body)
            sheet.write_string(0, index, title, self.header)
        sheet.freeze_panes(1, frozen)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)
        sheet.set_footer(f"&L{footer}&RPage &P of &N")
        return sheet

    def finish(self) -> bytes:
        self.book.close()
        return self.bytes.getvalue()


def to_working_copy(catalog: CatalogFile, left_out: Sequence[Omitted] = ()) -> bytes:
    """The catalog as the bytes of an XLSX file."""
    footer = "DRAFT: not accepted by a person" if catalog.draft else "Rule catalog"
    book = _Book(catalog.title)
    _rules(book, catalog, footer)
    _head(book, catalog, footer)
    _rfp_record(book, catalog, footer)
    if left_out:
        _left_out(book, left_out, footer)
    sheet = book.sheet("how to", (("how to work with this file", 120),), 0, footer)
    for number, line in enumerate(_HOW_TO, 1):
        sheet.write_string(number, 0, line, book.body)
    return book.finish()


def _rules(book: _Book, catalog: CatalogFile, footer: str) -> None:
    rows = [row(rule, catalog.submission_date, catalog.remark(rule.rule_id)) for rule in catalog.rules]
    for cells in rows:
        _split_exact(cells)
    more = sorted({n for cells in rows for n in cells if n.startswith(EXACT)}, key=lambda n: (len(n), n))
    own = {own_header(one.name): one.name for one in catalog.other}
    said = by_rule(catalog.other)
    shown = [*_COLUMNS, *((name, 20.0) for name in own)]
    columns = [*shown, *((name, 12.0) for name in more)]
    sheet = book.sheet("rules", columns, 2, footer)
    for number, (rule, cells) in enumerate(zip(catalog.rules, rows, strict=True), 1):
        cells["keep"] = "keep"
        others = said.get(rule.rule_id, {})
        cells.update({head: fitting(others.get(name, "")) for head, name in own.items()})
        for index, (name, _) in enumerate(columns):
            text = cells.get(name, "")
            look = book.source if name in ("source_quote", "source_page") else book.body
            if not text:
                sheet.write_blank(number, index, None, look)
            elif name in _NUMBERS and text.lstrip("-").replace(".", "", 1).isdigit() and len(text) < 15:
                sheet.write_number(number, index, float(text), book.number)
            else:
                sheet.write_string(number, index, text, look)
    last = max(1, len(rows))
    for index, (name, _) in enumerate(columns):
        if name in _CHOICES:
            _choices(sheet, 1, index, last, _CHOICES[name], name)
    if more:
        sheet.set_column(len(shown), len(columns) - 1, 12, book.body, {"hidden": True})
    sheet.autofilter(0, 0, last, len(shown) - 1)
    drop = book.book.add_format({"font_strikeout": True, "font_color": "#8A94A0"})
    struck = {"type": "formula", "criteria": '=$A2="drop"', "format": drop}
    sheet.conditional_format(1, 0, last, len(shown) - 1, struck)


def _choices(sheet: Any, first: int, column: int, last: int, values: Sequence[str], name: str) -> None:
    message = f"write {' or '.join(values)}"
    sheet.data_validation(
        first, column, last, column,
        {"validate": "list", "source": list(values), "error_title": name, "error_message": message},
    )  # fmt: skip


def _split_exact(cells: dict[str, str]) -> None:
    """A long exact value over several columns: a cell holds 32,767 characters."""
    text = cells.get(EXACT, "")
    for number, start in enumerate(range(CELL_LIMIT, len(text), CELL_LIMIT), 2):
        cells[f"{EXACT}_{number}"] = text[start : start + CELL_LIMIT]
    if text:
        cells[EXACT] = text[:CELL_LIMIT]


def _head(book: _Book, catalog: CatalogFile, footer: str) -> None:
    sheet = book.sheet("catalog", (("field", 18), ("value", 90)), 0, footer)
    cells = head_cells({name: getattr(catalog, name) for name in HEADER})
    for number, name in enumerate((*HEADER, *((EXACT,) if EXACT in cells else ())), 1):
        sheet.write_string(number, 0, name, book.body)
        text = cells.get(name, "")[:CELL_LIMIT]
        look = book.note if name == "status" and catalog.draft else book.body
        if text:
            sheet.write_string(number, 1, text, look)
        else:
            sheet.write_blank(number, 1, None, look)
        if name == "status":
            _choices(sheet, number, 1, number, STATUSES, name)


def _rfp_record(book: _Book, catalog: CatalogFile, footer: str) -> None:
    """What the RFP said before its addenda, and where it contradicts itself: to be settled, and kept."""
    widths = {"conflict": 140.0, "why": 50.0, "text": 70.0, "quote": 60.0, "clause_ref": 30.0}
    entries = {"conflicts": catalog.conflicts, "superseded": [filled(one) for one in catalog.superseded]}
    for name, lines in json_lines(catalog.conflicts, catalog.superseded).items():
        columns = [(column, widths.get(column, 12.0)) for column in SHEET_COLUMNS[name]]
        sheet = book.sheet(name, (*columns, (EXACT, 12.0)), 0, footer)
        for number, (entry, exact) in enumerate(zip(entries[name], lines, strict=True), 1):
            cells = shown(name, entry)
            for index, (column, _) in enumerate(columns):
                sheet.write_string(number, index, fitting(cells.get(column, "")), book.body)
            sheet.write_string(number, len(columns), exact, book.body)
        sheet.set_column(len(columns), len(columns), 12, book.body, {"hidden": True})


def _left_out(book: _Book, left_out: Sequence[Omitted], footer: str) -> None:
    sheet = book.sheet(
        "left out", (("page", 8), ("why it is no rule", 44), ("words of the RFP", 110)), 0, footer
    )
    for number, one in enumerate(left_out, 1):
        sheet.write_number(number, 0, one.page, book.number)
        sheet.write_string(number, 1, clean(one.why)[:CELL_LIMIT], book.body)
        sheet.write_string(number, 2, clean(one.text)[:CELL_LIMIT], book.body)
    sheet.autofilter(0, 0, len(left_out), 2)
