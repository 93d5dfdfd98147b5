"""What is read from a file without page images, as rows of `pages`, `blocks`, `table_cells` and `integrity`.

Boxes are zeros; each block, row and cell has an anchor instead, the place where a person finds it in the file.
Knows nothing of the formats that it is fed from.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from bidproof.documents.grids.running_tables import Row, TableRun
from bidproof.documents.integrity import integrity_rows, speaks_to_a_judge
from bidproof.documents.language import guess_language
from bidproof.documents.page import Grid, GridCell, Line, Remark
from bidproof.records import BlockKind, PageStatus

Rows = dict[str, list[dict[str, Any]]]
# Rows by table, warnings on the file, and the recognition data that it would have needed.
Read = tuple[Rows, tuple[str, ...], tuple[str, ...]]

_NOWHERE = (0.0, 0.0, 0.0, 0.0)
_BOX = {"x0": 0.0, "y0": 0.0, "x1": 0.0, "y1": 0.0}
_SAMPLE = 6000
_PICTURE_CHARS = 1000
# Rows by which a table's header is judged: more change nothing.
_JUDGED = 500
# A merged cell counts for each column and row that it covers, as it does to the eye; longer text stands once.
_REPEATED_ALONG, _REPEATED_DOWN = 40, 80


@dataclass(slots=True)
class TableCell:
    """A cell at one column of a table's grid. `joins` names the neighbour that it is merged with: left or above."""

    text: str = ""
    anchor: str = ""
    bold: bool = False
    joins: str = ""


@dataclass(slots=True)
class TableRow:
    """A row of a table: one cell a column, and where it stands. Struck and hidden rows are kept apart."""

    anchor: str
    page: int
    cells: list[TableCell]
    struck: bool = False
    hidden: bool = False

    @property
    def texts(self) -> list[str]:
        """Texts of the cells that have any and are not the rest of a merged one."""
        return [cell.text for cell in self.cells if cell.text and not cell.joins]


@dataclass(slots=True)
class PageFacts:
    """What is known of a page, or a sheet, beside its blocks."""

    label: str = ""
    header: str = ""
    footer: str = ""
    notes: list[str] = field(default_factory=list)
    status: str = ""
    sample: list[str] = field(default_factory=list)
    sampled: int = 0
    chars: int = 0
    tables: int = 0
    unread: int = 0

    @property
    def coverage(self) -> float:
        """Share of the page that is read; a picture that is not counts as much as half a page of text."""
        return round(self.chars / (self.chars + _PICTURE_CHARS * self.unread), 3) if self.unread else 1.0


class _IndexedGrid(Grid):
    """A grid that finds its rows at once: a sheet may have a hundred thousand, a page some fifty."""

    def row(self, number: int) -> list[GridCell]:
        """Cells that begin in a row, left to right."""
        width = len(self.edges) - 1
        return self.cells[number * width : (number + 1) * width]

    def reaching(self, number: int) -> list[GridCell]:
        """Cells of a row: what a merged one covers has cells of its own here."""
        return self.row(number)


class OfficeRows:
    """Gathers blocks in reading order; pages come in ascending order."""

    def __init__(self) -> None:
        self.rows: Rows = {"pages": [], "blocks": [], "table_cells": []}
        self.pages: dict[int, PageFacts] = {}
        self.remarks: list[Remark] = []
        self.warnings: list[str] = []
        self.lacking: set[str] = set()
        self._counts: Counter[int] = Counter()
        self._tables = TableRun(frozenset())

    def page(self, number: int) -> PageFacts:
        """The facts of a page, made when first asked for."""
        return self.pages.setdefault(number, PageFacts())

    def note(self, page: int, text: str) -> None:
        """Say something on a page, once."""
        notes = self.page(page).notes
        if text not in notes:
            notes.append(text)

    def warn(self, text: str) -> None:
        """Say something of the file as a whole, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def remark(self, page: int, kind: str, text: str, detail: str, severity: str = "info") -> None:
        """A row of the integrity manifest whose text may not be cited."""
        self.remarks.append(Remark(page, kind, text, detail, severity))

    def picture(
        self, page: int, anchor: str, texts: list[str], problem: str, program: str, path: str
    ) -> None:
        """Add the recognised text of a picture, or say why there is none."""
        for text in texts:
            self.block(page, BlockKind.PARAGRAPH, text, f"{anchor} picture", path)
        if texts:
            self.note(page, "text of pictures was recognised by OCR")
        elif problem:
            self.lost_picture(page, anchor, problem, program)
        else:
            self.note(page, "pictures without text, or too small for any, are not read")

    def lost_picture(self, page: int, anchor: str, problem: str, program: str) -> None:
        """Say that a picture is not read; a page that shows nothing else is unreadable."""
        self.note(page, f"a picture at {anchor} is not read ({problem}); look at it in {program}")
        self.remark(page, "unread_picture", "", f"{anchor}: {problem}", "warn")
        self.page(page).unread += 1

    def block(
        self, page: int, kind: BlockKind, text: str, anchor: str, path: str = "", level: int = 0,
        struck: bool = False, hidden: bool = False,
    ) -> None:  # fmt: skip
        """Add a block; empty text adds nothing. Struck and hidden text is no part of what a page says."""
        if not text:
            return
        lines = [{"start": 0, "end": len(text), **_BOX, "anchor": anchor}]
        self._add(page, kind, text, anchor, path, lines, level=level, struck=struck, hidden=hidden)
        if hidden:
            alert = "alert" if speaks_to_a_judge(text) else "warn"
            self.remark(
                page, "hidden_text", text, f"{anchor}: the file holds this text but does not show it", alert
            )
        elif struck:
            self.remark(page, "struck_text", text, f"{anchor}: deleted or crossed out")

    def table(self, rows: list[TableRow], path: str = "", heads: int | None = None) -> None:
        """Add a table: a title row of one cell as a paragraph, then each row with the headers above its cells.

        `heads` is the number of header rows where the file says so; else it is judged by the cells.
        """
        live = [row for row in rows if not row.struck and not row.hidden and row.texts]
        while len(live) > 2 and len(live[0].texts) == 1 and len(live[0].cells) > 1 and not heads:
            title = live.pop(0)
            self.block(title.page, BlockKind.PARAGRAPH, title.texts[0], title.anchor, path)
        _drop_empty_columns(live)
        made = self._made(live, heads)
        if made:
            self.page(live[0].page).tables += 1
        at = {id(row): made_row for row, made_row in zip(live, made, strict=True)}
        for row in rows:
            if id(row) in at:
                self._add_row(row, at[id(row)], path)
            elif row.struck or row.hidden:
                text = " | ".join(row.texts)
                self.block(
                    row.page,
                    BlockKind.PARAGRAPH,
                    text,
                    row.anchor,
                    path,
                    struck=row.struck,
                    hidden=row.hidden,
                )

    @staticmethod
    def header_rows(rows: list[TableRow]) -> int:
        """Number of header rows of a table, judged by its cells."""
        rows = rows[:_JUDGED]
        probe = TableRun(frozenset()).add(1, _grid(rows, None), False, True, None) if rows else []
        return sum(row.is_header for row in probe)

    def _made(self, rows: list[TableRow], heads: int | None) -> list[Row]:
        if not rows:
            return []
        headers = self.header_rows(rows) if heads is None else min(heads, len(rows) - 1)
        for number, row in enumerate(rows):
            _repeat(row, rows[number - 1] if number else None, number < headers, headers > 0)
        made = self._tables.add(rows[0].page, _grid(rows, headers), False, True, None)
        self._tables.interrupt()
        return made

    def _add_row(self, row: TableRow, made: Row, path: str) -> None:
        cells = list(zip(made.cells, row.cells, strict=True))
        for cell, source in cells:
            self.rows["table_cells"].append({
                "page": row.page, "block_no": self._counts[row.page], "table_no": made.table,
                "row_no": made.number, "col_no": cell.col, "text": cell.text, "header_path": cell.header_path,
                "is_header": made.is_header, "start": cell.start, "anchor": source.anchor or row.anchor, **_BOX,
            })  # fmt: skip
        lines = [
            {
                "start": cell.start,
                "end": cell.start + len(cell.text),
                **_BOX,
                "anchor": source.anchor or row.anchor,
            }
            for cell, source in cells
        ]
        self._add(
            row.page, BlockKind.TABLE_ROW, made.text, row.anchor, path, lines,
            table_no=made.table, row_no=made.number, is_header=made.is_header,
        )  # fmt: skip

    def _add(
        self, page: int, kind: BlockKind, text: str, anchor: str, path: str, lines: list[dict[str, Any]],
        **values: Any,
    ) -> None:  # fmt: skip
        facts = self.page(page)
        shown = not values.get("struck") and not values.get("hidden")
        if shown and kind is not BlockKind.FURNITURE:
            facts.chars += len(text) + bool(facts.chars)
            if facts.sampled < _SAMPLE:
                facts.sample.append(text)
                facts.sampled += len(text)
        self.rows["blocks"].append({
            "level": 0, "table_no": -1, "row_no": -1, "is_header": False, "struck": False, "hidden": False,
            **values, "page": page, "block_no": self._counts[page], "kind": kind.value, "text": text,
            "heading_path": path, "lines": lines, "anchor": anchor, **_BOX,
        })  # fmt: skip
        self._counts[page] += 1

    def finish(self) -> Read:
        """The rows, the warnings on the file, and the recognition data that its pictures would have needed."""
        last = max(self.pages, default=1)
        for number in range(1, last + 1):
            facts = self.page(number)
            bare = PageStatus.UNREADABLE if facts.unread else PageStatus.BLANK
            status = facts.status or (PageStatus.TEXT if facts.chars else bare).value
            self.rows["pages"].append({
                "page": number, "page_label": facts.label, "width": 0.0, "height": 0.0, "rotation": 0,
                "status": status, "coverage": 0.0 if status == PageStatus.UNREADABLE.value else facts.coverage,
                "language": guess_language(" ".join(facts.sample)), "chars": facts.chars, "ruled": False,
                "tables": facts.tables, "header": facts.header, "footer": facts.footer,
                "note": "; ".join(facts.notes),
            })  # fmt: skip
        self.rows["integrity"] = integrity_rows([], sorted(self.remarks, key=lambda remark: remark.page))
        return self.rows, tuple(self.warnings), tuple(sorted(self.lacking))


def _drop_empty_columns(rows: list[TableRow]) -> None:
    """Columns in which no cell with text begins say nothing, and would part each cell from its header by blanks."""
    width = max((len(row.cells) for row in rows), default=0)
    for row in rows:
        row.cells += [TableCell() for _ in range(width - len(row.cells))]
    kept = [at for at in range(width) if any(r.cells[at].text and not r.cells[at].joins for r in rows)]
    for row in rows:
        row.cells = [row.cells[at] for at in kept]


def _grid(rows: list[TableRow], heads: int | None) -> Grid:
    cells = [
        GridCell(
            number, at, _NOWHERE,
            [Line(cell.text, _NOWHERE, 10.0, cell.bold)] if cell.text and (not cell.joins or heads is not None) else [],
            col_span=1 + _joined(row.cells, at) if heads is None else 1,
        )
        for number, row in enumerate(rows)
        for at, cell in enumerate(row.cells)
    ]  # fmt: skip
    width = len(rows[0].cells)
    return _IndexedGrid(_NOWHERE, len(rows), tuple(float(at) for at in range(width + 1)), cells, heads)


def _joined(cells: list[TableCell], at: int) -> int:
    """Number of cells right of a cell that are merged with it."""
    count = 0
    while at + count + 1 < len(cells) and cells[at + count + 1].joins == "left":
        count += 1
    return count


def _repeat(row: TableRow, above: TableRow | None, header: bool, headed: bool) -> None:
    """Fill in the cells that are the rest of a merged one, where it counts for each of their columns or rows."""
    for at, cell in enumerate(row.cells):
        if cell.joins == "left":
            source = row.cells[at - 1] if at else TableCell()
            # A cell merged over the whole row is a title in the table, not the value of each column.
            whole = len(row.texts) <= 1
            wanted = header or (headed and not whole and len(source.text) <= _REPEATED_ALONG)
        elif cell.joins == "above":
            source = above.cells[at] if above is not None else TableCell()
            wanted = header or len(source.text) <= _REPEATED_DOWN
        else:
            continue
        cell.text, cell.anchor, cell.bold = (
            (source.text, source.anchor, source.bold) if wanted else ("", source.anchor, False)
        )
