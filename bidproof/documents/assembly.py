"""Raw pages of a file to the rows of its tables: everything that needs the document as a whole.

Furniture, labels, headings and tables that run over pages are settled here, once all pages are read.
Touches no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Protocol

from bidproof.adapters import TENDER, Adapter
from bidproof.documents.grids.repeated_heads import is_continued
from bidproof.documents.grids.running_tables import Row, TableRun
from bidproof.documents.page import Grid, Line, RawPage, Rect, Remark, around
from bidproof.documents.structure.blocks import Draft, page_blocks
from bidproof.documents.structure.bookmarks import Bookmark, Outline
from bidproof.documents.structure.contents import ContentsRun
from bidproof.documents.structure.furniture import MarginRun, Margins, text_of
from bidproof.documents.structure.headings import HeadingStack
from bidproof.documents.structure.joining import join_lines, joint
from bidproof.documents.structure.style import StyleCount
from bidproof.params import DocumentParams
from bidproof.records import BlockKind

# Columns of a table; the first part of a parted row is looked for among so many cells.
_WIDEST = 200
# Pages whose rows are held as such; what is more becomes frames.
_PIECE = 64

Rows = dict[str, list[dict[str, Any]]]


class Pages(Protocol):
    """The pages of a file in page order, to be walked over more than once."""

    def __iter__(self) -> Iterator[RawPage]: ...

    def __len__(self) -> int: ...


class Assembly:
    """A document put together of its pages, of which one or two are held at a time.

    Attributes:
        warnings: on the file; whole once all pieces are taken.
        lacking: recognition data that pages would have needed; likewise.
        remarks: of all pages, in page order; likewise.
    """

    def __init__(
        self,
        pages: Pages,
        params: DocumentParams,
        bookmarks: Iterable[Bookmark] = (),
        adapter: Adapter = TENDER,
    ) -> None:
        self._pages, self._outline, self._adapter = pages, Outline(bookmarks), adapter
        self._style, self._margins = StyleCount(), MarginRun(params)
        self._contents = ContentsRun(len(pages))
        self._status: dict[str, list[int]] = {}
        self.warnings: tuple[str, ...] = ()
        self.lacking: set[str] = set()
        self.remarks: list[Remark] = []

    def pieces(self) -> Iterator[Rows]:
        """Rows of `pages`, `blocks` and `table_cells`, some pages at a time."""
        for page in self._pages:
            self._style.take(page)
            self._margins.take(page)
        style = replace(self._style.style(), titles=self._adapter.titles)
        stack, tables = HeadingStack(), TableRun(style.words)
        rows = _no_rows()
        for at, (page, margin, below) in enumerate(self._with_next()):
            self._note(page)
            builder = _PageBuilder(page, rows, stack, style.words)
            is_contents = self._contents.holds(margin.lines + _entries(margin))
            lines = _level_pictures(page, margin.lines, style.size)
            drafts = page_blocks(lines, style, is_contents, page.frame, self._outline.on(page.page))
            if is_contents:
                drafts = _with_entries(drafts, margin)
            builder.add_margin(margin.header, margin.stated)
            for item in _in_order(drafts, margin, page, tables, below):
                builder.add(item)
            builder.add_margin(margin.footer, margin.stated)
            rows["pages"].append(_page_row(page, margin))
            if at == 0 and self._adapter.has_cover:
                stack.leave_cover()
            if len(rows["pages"]) >= _PIECE:
                # The cells last written may still get words of the page to come.
                held = rows["table_cells"][-_WIDEST:]
                del rows["table_cells"][-_WIDEST:]
                yield rows
                rows = _no_rows()
                rows["table_cells"] += held
        self.warnings = (*_file_warnings(self._status), *tables.warnings)
        yield rows

    def _with_next(self) -> Iterator[tuple[RawPage, Margins, Grid | None]]:
        """Each page with its margins and the first grid of the page after it."""
        before: tuple[RawPage, Margins] | None = None
        for page in self._pages:
            margin = self._margins.strip(page)
            if before is not None:
                yield *before, margin.grids[0] if margin.grids else None
            before = page, margin
        if before is not None:
            yield *before, None

    def _note(self, page: RawPage) -> None:
        self._status.setdefault(page.status, []).append(page.page)
        self.lacking.update(page.lacking)
        self.remarks += page.remarks


def assemble(pages: Pages, params: DocumentParams) -> Rows:
    """Rows of a few pages at once."""
    whole = _no_rows()
    for piece in Assembly(pages, params).pieces():
        for name, rows in piece.items():
            whole[name] += rows
    return whole


def _no_rows() -> Rows:
    return {"pages": [], "blocks": [], "table_cells": []}


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
        # "Table 4 (continued)" above a table is part of its header.
        above = any(draft.box[3] <= grid.box[1] + 3 and not is_continued([draft.text]) for draft in live)
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


def _file_warnings(status: dict[str, list[int]]) -> list[str]:
    """One line a kind of page that carries no citable text. `status` lists the pages of each."""
    total = sum(map(len, status.values()))
    return [
        f"{len(status[kind])} of {total} pages are {kind} (pages {_ranges(status[kind])}); see their notes"
        for kind in ("unreadable", "garbled")
        if kind in status
    ]


def _ranges(numbers: list[int]) -> str:
    """`1, 2, 3, 7` as `1-3, 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
