"""The matrix as an XLSX workbook: sheets Matrix, Evidence, Gate and Parameters.

Text of bids is stored as text, never as a formula or a web link; the only links lead from a verdict to its
row of evidence inside the workbook. The creation date is fixed, so that the same matrix gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from bidproof.records import Gate, Status
from bidproof.review.cleaning import clean
from bidproof.review.model import Matrix

CELL_LIMIT = 32_767
"""Characters that an XLSX cell holds."""

CUT_NOTE = " … [cut here: a cell holds 32,767 characters; the JSON export has all]"

UNREVIEWED = "Machine verdicts, not yet reviewed"

FIXED_DATE = datetime(2000, 1, 1)
"""Creation date of every workbook: a real one would make each export differ."""

STATUS_FORMATS: dict[Status, dict[str, Any]] = {
    Status.PASS: {"bg_color": "#DCF0EA", "font_color": "#0B5A4C"},
    Status.PARTIAL: {"bg_color": "#FBEBC8", "font_color": "#6F4700"},
    Status.FAIL: {"bg_color": "#A92A1C", "font_color": "#FFFFFF"},
    Status.MISSING: {"bg_color": "#ECEFF2", "font_color": "#33404D", "italic": True},
}
GATE_FORMATS: dict[Gate, dict[str, Any]] = {
    Gate.PASS: STATUS_FORMATS[Status.PASS],
    Gate.FAIL: STATUS_FORMATS[Status.FAIL],
    Gate.CANNOT_DECIDE: STATUS_FORMATS[Status.PARTIAL],
}

EVIDENCE = (
    ("Rule", 9), ("Mandatory", 11), ("Area", 14), ("Bidder", 22), ("Status", 10), ("Needs review", 13),
    ("Review reason", 30), ("Quote", 60), ("File", 26), ("Page", 8), ("Printed label", 12), ("Citation", 17),
    ("Link", 30), ("Heading", 34), ("Match", 14), ("Rationale", 50), ("Checks passed", 34),
    ("Checks failed", 34), ("Risk", 9), ("Other quotes", 40), ("Review state", 14), ("Decided by", 34),
)  # fmt: skip
GATE = (
    ("Bidder", 26), ("Gate", 14), ("Reasons", 70), ("Technical", 11), ("Commercial", 11), ("Overall", 11),
    ("Pass", 8), ("Partial", 8), ("Fail", 8), ("Missing", 9), ("To review", 10), ("Quotes verified", 15),
    ("Pages", 8), ("Pages readable", 15), ("Unreadable files", 40), ("Notes on files", 50),
    ("Rank", 8), ("Would turn the gate", 50),
)  # fmt: skip
RULE_COLUMNS = (("Rule", 9), ("Mandatory", 11), ("Area", 14), ("Clause", 16), ("Requirement", 64))
MATRIX_HEADER_ROW = 3


def _fit(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = clean(value)
    return text if len(text) <= CELL_LIMIT else text[: CELL_LIMIT - len(CUT_NOTE)] + CUT_NOTE


class _Book:
    """A workbook in memory with the formats that its sheets share."""

    def __init__(self) -> None:
        import xlsxwriter

        self.bytes = io.BytesIO()
        options = {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        }
        self.book = xlsxwriter.Workbook(self.bytes, options)
        self.book.set_properties(
            {"title": "Compliance matrix", "comments": UNREVIEWED, "created": FIXED_DATE}
        )
        base = {"font_name": "Arial", "font_size": 10, "valign": "top"}
        self.body = self.book.add_format({**base, "text_wrap": True})
        self.number = self.book.add_format({**base, "num_format": "0"})
        self.percent = self.book.add_format({**base, "num_format": "0.0%"})
        self.header = self.book.add_format(
            {
                **base,
                "bold": True,
                "text_wrap": True,
                "bg_color": "#17212B",
                "font_color": "#FFFFFF",
                "valign": "vcenter",
            }
        )
        self.title = self.book.add_format({**base, "bold": True, "font_size": 15})
        self.note = self.book.add_format({**base, "bold": True, "font_color": "#9A2417"})
        self.divider = self.book.add_format({**base, "bold": True, "bg_color": "#E9EBEE"})
        boxed = {**base, "bold": True, "border": 1, "border_color": "#C5CAD0", "align": "center"}
        self.status = {
            status: self.book.add_format({**boxed, **look}) for status, look in STATUS_FORMATS.items()
        }
        self.gate = {gate: self.book.add_format({**boxed, **look}) for gate, look in GATE_FORMATS.items()}

    def sheet(self, name: str, columns: Sequence[tuple[str, float]], header_row: int, frozen: int) -> Any:
        """A new sheet with column widths, frozen header and page set-up."""
        sheet = self.book.add_worksheet(name)
        for column, (title, width) in enumerate(columns):
            sheet.set_column(column, column, width)
            self.write(sheet, header_row, column, title, self.header)
        sheet.freeze_panes(header_row + 1, frozen)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(header_row)
        sheet.set_footer(f"&L{UNREVIEWED}&RPage &P of &N")
        return sheet

    def write(self, sheet: Any, row: int, column: int, value: object, look: Any = None) -> None:
        """Writes text as text and numbers as numbers; nothing becomes a formula or a link."""
        value = _fit(value)
        look = look or self.body
        if value is None or value == "":
            sheet.write_blank(row, column, None, look)
        elif isinstance(value, bool):
            sheet.write_string(row, column, "yes" if value else "no", look)
        elif isinstance(value, int | float):
            sheet.write_number(row, column, value, look)
        else:
            sheet.write_string(row, column, str(value), look)

    def finish(self) -> bytes:
        self.book.close()
        return self.bytes.getvalue()


def _matrix_sheet(book: _Book, matrix: Matrix) -> None:
    columns = [*RULE_COLUMNS, *((bidder.name, 18) for bidder in matrix.bidders)]
    sheet = book.sheet("Matrix", columns, MATRIX_HEADER_ROW, len(RULE_COLUMNS))
    draft = f"; DRAFT catalog: {matrix.draft_note}" if matrix.draft else ""
    book.write(sheet, 0, 0, matrix.tender_name, book.title)
    book.write(sheet, 1, 0, UNREVIEWED + draft, book.note)
    width = len(matrix.bidders)
    for index, rule in enumerate(matrix.rules):
        row = MATRIX_HEADER_ROW + 1 + index
        values = (
            rule.rule_id,
            "mandatory" if rule.mandatory else "scored",
            rule.area,
            rule.clause_ref,
            rule.text,
        )
        for column, value in enumerate(values):
            book.write(sheet, row, column, value)
        for place, cell in enumerate(matrix.row(index)):
            text = cell.status.value + (" (review)" if cell.needs_review else "")
            target = f"internal:'Evidence'!A{2 + index * width + place}"
            sheet.write_url(
                row, len(RULE_COLUMNS) + place, target, book.status[cell.status], text, "Go to the evidence"
            )
    if matrix.rules:
        sheet.autofilter(MATRIX_HEADER_ROW, 0, MATRIX_HEADER_ROW + len(matrix.rules), len(columns) - 1)


def _evidence_rows(matrix: Matrix) -> Iterator[tuple[Status, tuple[object, ...]]]:
    names = {bidder.slug: bidder.name for bidder in matrix.bidders}
    for index, rule in enumerate(matrix.rules):
        for cell in matrix.row(index):
            yield cell.status, (
                rule.rule_id, rule.mandatory, rule.area, names[cell.bidder], cell.status.value,
                cell.needs_review, cell.review_reason, cell.quote, cell.file_name, cell.page, cell.page_label,
                cell.citation, cell.link, cell.heading_path, cell.match_kind.value, cell.rationale,
                "\n".join(cell.checks_passed), "\n".join(cell.checks_failed), cell.risk,
                "\n".join(cell.other_quotes), cell.review_state, cell.decision,
            )  # fmt: skip


def _evidence_sheet(book: _Book, matrix: Matrix) -> None:
    sheet = book.sheet("Evidence", EVIDENCE, 0, 5)
    last = 0
    for last, (status, values) in enumerate(_evidence_rows(matrix), start=1):
        for column, value in enumerate(values):
            book.write(
                sheet, last, column, value, book.status[status] if EVIDENCE[column][0] == "Status" else None
            )
    if last:
        sheet.autofilter(0, 0, last, len(EVIDENCE) - 1)


def _gate_sheet(book: _Book, matrix: Matrix) -> None:
    sheet = book.sheet("Gate", GATE, 0, 2)
    for row, bidder in enumerate(matrix.bidders, start=1):
        values = (
            bidder.name, bidder.gate.value, "\n".join(bidder.gate_reasons), bidder.technical,
            bidder.commercial, bidder.overall, bidder.passed, bidder.partial, bidder.failed, bidder.missing,
            bidder.to_review, bidder.quotes_verified, bidder.pages, bidder.pages_readable,
            "\n".join(bidder.unreadable_files), "\n".join(bidder.warnings), bidder.rank, "\n".join(bidder.gate_flips),
        )  # fmt: skip
        for column, value in enumerate(values):
            name = GATE[column][0]
            look = (
                book.gate[bidder.gate]
                if name == "Gate"
                else book.percent
                if isinstance(value, float)
                else None
            )
            book.write(sheet, row, column, value, look)
    if matrix.bidders:
        sheet.autofilter(0, 0, len(matrix.bidders), len(GATE) - 1)


def _flat(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for part, inner in value.items():
            yield from _flat(f"{name}.{part}" if name else str(part), inner)
    elif isinstance(value, list | tuple):
        yield name, ", ".join(str(part) for part in value)
    else:
        yield name, value


def _parameter_rows(matrix: Matrix) -> Iterator[tuple[str, str, object]]:
    made = matrix.provenance
    yield "Matrix", "review state", UNREVIEWED
    yield "Matrix", "tender", matrix.tender_name
    yield "Matrix", "catalog version", made.catalog_version
    yield "Matrix", "catalog draft", matrix.draft
    yield "Matrix", "catalog source", matrix.catalog.source_name
    yield "Matrix", "catalog accepted by", matrix.catalog.accepted_by
    yield "Matrix", "catalog accepted on", matrix.catalog.accepted_on
    yield "Matrix", "RFP text SHA-256", made.rfp_sha256
    yield "Matrix", "product version", made.product_version
    for group, values in (
        ("Model", made.models),
        ("Parameter", made.parameters),
        ("Code version", made.code_versions),
    ):
        for name, value in _flat("", values):
            yield group, name, value
    for name, digest in made.files.items():
        yield "File SHA-256", name, digest
    for warning in matrix.warnings:
        yield "Warning", "", warning


def _parameters_sheet(book: _Book, matrix: Matrix) -> None:
    sheet = book.sheet("Parameters", (("Group", 18), ("Name", 44), ("Value", 80)), 0, 0)
    last = 0
    for last, values in enumerate(_parameter_rows(matrix), start=1):
        for column, value in enumerate(values):
            book.write(sheet, last, column, value)
    sheet.autofilter(0, 0, last, 2)


def to_xlsx(matrix: Matrix) -> bytes:
    """The matrix as the bytes of an XLSX file. Same matrix, same bytes."""
    book = _Book()
    _matrix_sheet(book, matrix)
    _evidence_sheet(book, matrix)
    _gate_sheet(book, matrix)
    _parameters_sheet(book, matrix)
    return book.finish()
