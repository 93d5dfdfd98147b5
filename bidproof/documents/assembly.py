"""Raw pages of a file to the rows of its tables: everything that needs the document as a whole.

Furniture, labels, headings and tables that run over pages are settled here, once all pages are read.
Touches no file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from bidproof.adapters import TENDER, Adapter
from bidproof.documents.grids.running_tables import Row, TableRun
from bidproof.documents.page import Grid, Line, RawPage, Rect, around
from bidproof.documents.structure.blocks import Draft, page_blocks
from bidproof.documents.structure.bookmarks import Bookmark, Outline
from bidproof.documents.structure.contents import contents_pages
from bidproof.documents.structure.furniture import Margins, strip_margins, text_of
from bidproof.documents.structure.headings import HeadingStack
from bidproof.documents.structure.joining import join_lines, joint
from bidproof.documents.structure.style import document_style
from bidproof.params import DocumentParams
from bidproof.records import BlockKind

# Columns of a table; the first part of a parted row is looked for among so many cells.
_WIDEST = 200

Rows = dict[str, list[dict[str, Any]]]


def assemble(
    pages: list[RawPage],
    params: DocumentParams,
    bookmarks: Iterable[Bookmark] = (),
    adapter: Adapter = TENDER,
) -> tuple[Rows, tuple[str, ...]]:
    """Rows of `pages`, `blocks` and `table_cells`, and warnings on the file."""
    outline = Outline(bookmarks)
    style = replace(document_style(pages), titles=adapter.titles)
    margins = strip_margins(pages, params)
    contents = contents_pages([margin.lines + _entries(margin) for margin in margins])
    stack, tables = HeadingStack(), TableRun(style.words)
    rows: Rows = {"pages": [], "blocks": [], "table_cells": []}
    for at, (page, margin) in enumerate(zip(pages, margins, strict=True)):
        builder = _PageBuilder(page, rows, stack, style.words)
        lines = _level_pictures(page, margin.lines, style.size)
        drafts = page_blocks(lines, style, contents[at], page.frame, outline.on(page.page))
        if contents[at]:
            drafts = _with_entries(drafts, margin)
        below = margins[at + 1].grids if at + 1 < len(margins) else []
        builder.add_margin(margin.header, margin.stated)
        for item in _in_order(drafts, margin, page, tables, below[0] if below else None):
            builder.add(item)
        builder.add_margin(margin.footer, margin.stated)
        rows["pages"].append(_page_row(page, margin))
        if at == 0 and adapter.has_cover:
            stack.leave_cover()
    return rows, (*_file_warnings(pages), *tables.warnings)


def _level_pictures(page: RawPage, lines: list[Line], size: float) -> list[Line]:
    """Lines with those recognised in a picture set in body type: their sizes are guesses, and make no headings."""
    places = [remark.box for remark in page.remarks if remark.kind == "picture_text"]
    if not places:
        return lines
    leveled = []
    for line in lines:
        x0, y0, x1, y1 = page.place(line.box)
        inside = any(a <= (x0 + x1) / 2 <= c and b <= (y0 + y1) / 2 <= d for a, b, c, d in places)
        leveled.append(line._replace(size=size, bold=False) if inside else line)
    return leveled


def _in_order(
    drafts: list[Draft], margin: Margins, page: RawPage, tables: TableRun, below: Grid | None
) -> list[Draft | Row]:
    """Blocks and table rows of a page in reading order: a table stands before the text below it."""
    live = [draft for draft in drafts if not draft.struck and not draft.hidden]
    items: list[Draft | Row] = list(drafts)
    grids = sorted(margin.grids, key=lambda grid: (grid.box[1], grid.box[0]))
    if not grids and live:
        tables.interrupt()
    for number, grid in enumerate(grids):
        above = any(draft.box[3] <= grid.box[1] + 3 for draft in live)
        under = any(draft.box[1] >= grid.box[3] - 3 for draft in live)
        last = number == len(grids) - 1 and not under
        rows = tables.add(page.page, grid, number == 0 and not above, last, below if last else None)
        place = next(
            (
                at
                for at, item in enumerate(items)
                if isinstance(item, Draft) and item.box[1] >= grid.box[1] - 2 and _beside(item.box, grid.box)
            ),
            len(items),
        )
        items[place:place] = rows
    return items


def _entries(margin: Margins) -> list[Line]:
    """Rows of tables without rules, as lines: a list of contents may be printed as such a table."""
    return [
        Line(text_of(Grid(grid.box, 1, grid.edges, cells)).replace(" | ", " "), cells[0].box, 0.0, False)
        for grid in margin.grids
        if not grid.ruled
        for cells in map(grid.row, range(grid.rows))
    ]


def _with_entries(drafts: list[Draft], margin: Margins) -> list[Draft]:
    """Blocks of a page of contents, with what was taken for tables on it as entries."""
    entries = [
        Draft(BlockKind.CONTENTS, line.text, [(0, len(line.text), line.box)], line.box)
        for line in _entries(margin)
        if line.text.strip()
    ]
    margin.grids = [grid for grid in margin.grids if grid.ruled]
    return sorted([*drafts, *entries], key=lambda draft: draft.box[1]) if entries else drafts


def _beside(box: Rect, other: Rect) -> bool:
    return box[0] < other[2] and other[0] < box[2]


class _PageBuilder:
    """Numbers the blocks of a page and writes their rows."""

    def __init__(self, page: RawPage, rows: Rows, stack: HeadingStack, known: frozenset[str]) -> None:
        self.page, self.rows, self.stack, self.known = page, rows, stack, known
        self.count = 0

    def add(self, item: Draft | Row) -> None:
        if isinstance(item, Row):
            self._add_row(item)
            return
        level = 0
        if item.kind is BlockKind.HEADING:
            level = self.stack.push(item.text, item.number, item.look, item.outline, item.opens)
        self._write(
            kind=item.kind.value, text=item.text, box=item.box, ranges=item.ranges, level=level,
            struck=item.struck, hidden=item.hidden,
        )  # fmt: skip

    def add_margin(self, items: list[Line | Grid], stated: list[list[Line]]) -> None:
        """Running headers and footers: in sight as furniture, evidence of nothing but what they state first here."""
        held = {id(line): run for run in stated for line in run}
        for item in items:
            run = held.get(id(item), [])
            if run and item is run[0]:
                text, ranges = join_lines(run, self.known)
                box = around([line.box for line in run])
                self._write(kind=BlockKind.PARAGRAPH.value, text=text, box=box, ranges=ranges)
            elif not run:
                text = text_of(item)
                self._write(
                    kind=BlockKind.FURNITURE.value, text=text, box=item.box, ranges=[(0, len(text), item.box)]
                )

    def _add_row(self, row: Row) -> None:
        ranges = [(cell.start, cell.start + len(cell.text), cell.box) for cell in row.cells]
        if row.repeated:
            # The header printed again on the next page: kept in sight, but no row of the table.
            self._write(kind=BlockKind.FURNITURE.value, text=row.text, box=row.box, ranges=ranges)
            return
        for cell in row.cells if not row.rest else ():
            self.rows["table_cells"].append({
                "page": self.page.page, "block_no": self.count, "table_no": row.table, "row_no": row.number,
                "col_no": cell.col, "text": cell.text, "header_path": cell.header_path,
                "is_header": row.is_header, "start": cell.start, "anchor": "",
                **_corners(self.page.place(cell.box)),
            })  # fmt: skip
        if row.rest:
            self._complete(row)
        self._write(
            kind=BlockKind.TABLE_ROW.value, text=row.text, box=row.box, ranges=ranges,
            table_no=row.table, row_no=row.number, is_header=row.is_header,
        )  # fmt: skip

    def _complete(self, rest: Row) -> None:
        """Cells of a row that a page break has parted get the words that stand on this page."""
        first = {
            cell["col_no"]: cell
            for cell in self.rows["table_cells"][-_WIDEST:]
            if (cell["table_no"], cell["row_no"]) == (rest.table, rest.number)
        }
        for part in rest.cells:
            cell = first.get(part.col)
            if cell is None or not part.text:
                continue
            drop, between = joint(cell["text"], part.text, self.known) if cell["text"] else (False, "")
            cell["text"] = (cell["text"][:-1] if drop else cell["text"]) + between + part.text

    def _write(self, *, box: Rect, ranges: list[tuple[int, int, Rect]], **values: Any) -> None:
        defaults = {
            "level": 0, "table_no": -1, "row_no": -1, "is_header": False, "struck": False, "hidden": False,
            "anchor": "",
        }  # fmt: skip
        lines = [
            {"start": start, "end": end, "anchor": "", **_corners(self.page.place(line_box))}
            for start, end, line_box in ranges
        ]
        self.rows["blocks"].append({
            **defaults, **values, "page": self.page.page, "block_no": self.count,
            "heading_path": self.stack.path, "lines": lines, **_corners(self.page.place(box)),
        })  # fmt: skip
        self.count += 1


def _corners(box: Rect) -> dict[str, float]:
    return dict(zip(("x0", "y0", "x1", "y1"), box, strict=True))


def _page_row(page: RawPage, margin: Margins) -> dict[str, Any]:
    return {
        "page": page.page,
        "page_label": page.label or margin.label or str(page.page),
        "width": round(page.width, 2),
        "height": round(page.height, 2),
        "rotation": page.rotation,
        "status": page.status,
        "coverage": page.coverage,
        "language": page.language,
        "chars": page.chars,
        "ruled": page.ruled,
        "tables": len(margin.grids),
        "header": _one_line(margin.header),
        "footer": _one_line(margin.footer),
        "note": "; ".join(page.notes),
    }


def _one_line(items: list[Line | Grid]) -> str:
    return " / ".join(map(text_of, items))


def _file_warnings(pages: list[RawPage]) -> list[str]:
    """One line a kind of page that carries no citable text."""
    held: Counter[str] = Counter(page.status for page in pages)
    warnings = []
    for status in ("unreadable", "garbled"):
        if held[status]:
            numbers = _ranges([page.page for page in pages if page.status == status])
            warnings.append(
                f"{held[status]} of {len(pages)} pages are {status} (pages {numbers}); see their notes"
            )
    return warnings


def _ranges(numbers: list[int]) -> str:
    """`1, 2, 3, 7` as `1-3, 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
