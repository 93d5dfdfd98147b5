"""A workbook as pages, one a sheet: titles as headings and paragraphs, tables as rows with anchors like `Prices!B7`.

What a sheet hides (sheets, rows, columns, white text) is kept apart and cannot be cited. Reading cells is in
`workbook_cells`, finding tables among them in `workbook_tables`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bidproof.documents.office.office_beside import note_beside
from bidproof.documents.office.office_package import Element, Package, child, children
from bidproof.documents.office.office_pictures import read_picture
from bidproof.documents.office.office_rows import OfficeRows, Read, TableCell, TableRow
from bidproof.documents.office.workbook_cells import Book, Sheet, SheetCell, area_of, clean, letters
from bidproof.documents.office.workbook_tables import Region, covered, regions
from bidproof.errors import UnreadableFileError
from bidproof.intake.source_files import printable
from bidproof.params import DocumentParams
from bidproof.records import BlockKind, PageStatus

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*$")
_NAMED = 5
_HEADING_WORDS = 15


def read_workbook(path: Path, name: str, params: DocumentParams) -> Iterator[Read | None]:
    """Rows and warnings of a workbook, last; before that None now and then, as a sign of life.

    Raises:
        UnreadableFileError: the file is damaged, too large, or holds no sheet.
    """
    with Package(path, name, params.max_unpacked_mb << 20) as package:
        reader = _Reader(package, params)
        yield from reader.read()
        yield reader.rows.finish()


class _Reader:
    def __init__(self, package: Package, params: DocumentParams) -> None:
        self.package, self.params = package, params
        self.main = package.main("xl/workbook.xml")
        root = package.xml(self.main)
        if root is None or child(root, "x:sheets/x:sheet") is None:
            raise UnreadableFileError(
                package.name, "the workbook holds no sheet", "ask the sender for it again"
            )
        self.root = root
        self.related = package.related(self.main)
        properties = root.find("x:workbookPr")
        date1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self.book = Book(package, self.related, date1904)
        self.rows = OfficeRows()
        self.room = params.max_cells
        self.uncomputed: list[str] = []
        self.rounded: list[str] = []
        self.seen_pictures: set[str] = set()

    def read(self) -> Iterator[None]:
        """Read all sheets, with a sign of life after each stretch that may take long."""
        titles = self._print_titles()
        for number, element in enumerate(children(self.root, "x:sheets/x:sheet"), 1):
            name = printable(element.get("name", f"sheet {number}"))
            kind, part = self.related.get(element.get("r:id", ""), ("", ""))
            sheet = Sheet(name, hidden=element.get("state", "visible") != "visible", part=part)
            facts = self.rows.page(number)
            facts.label = name
            if kind != "worksheet" or part not in self.package:
                self.rows.note(number, f"a {kind or 'missing sheet'} is not read; look at it in Excel")
                facts.status = PageStatus.UNREADABLE.value
                continue
            for _ in self._cells(sheet):
                yield None
            self._beside(sheet, titles.get(number - 1, 0))
            _Writer(self, sheet, number).write()
            yield from self._drawings(sheet, number)
        self._finish()

    def _cells(self, sheet: Sheet) -> Iterator[int]:
        count = 0
        try:
            for count in self.book.sheet(self.package, sheet, self.room):
                yield count
        except UnreadableFileError:
            # The other sheets can still be read, and this one up to here.
            sheet.torn = True
        self.room = 0 if sheet.cut else self.room - count

    def _print_titles(self) -> dict[int, int]:
        """The last of the rows that are printed on top of each page, by sheet from 0: they head the columns."""
        found: dict[int, int] = {}
        for each in children(self.root, "x:definedNames/x:definedName"):
            rows = re.search(r"!\$(\d+):\$(\d+)", each.text or "")
            if each.get("name") == "_xlnm.Print_Titles" and rows and each.get("localSheetId", "").isdigit():
                found[int(each.get("localSheetId", ""))] = int(rows[2])
        return found

    def _beside(self, sheet: Sheet, titles: int) -> None:
        """Excel's own tables and the rows repeated in print, which say where headers are."""
        sheet.frozen = max(sheet.frozen, titles)
        for kind, part in self.package.related(sheet.part).values():
            root = self.package.aside(part) if kind == "table" else None
            area = area_of(root.get("ref", "")) if root is not None else None
            if root is not None and area is not None:
                heads = root.get("headerRowCount", "1")
                sheet.tables.append((area, int(heads) if heads.isdigit() else 1))

    def _drawings(self, sheet: Sheet, number: int) -> Iterator[None]:
        for kind, part in sorted(self.package.related(sheet.part).values()):
            if kind == "comments":
                self._comments(part, sheet, number)
            root = self.package.aside(part) if kind == "drawing" else None
            related = self.package.related(part) if root is not None else {}
            for anchor in root if root is not None else ():
                yield from self._drawing(anchor, related, sheet, number)

    def _comments(self, part: str, sheet: Sheet, number: int) -> None:
        root = self.package.aside(part)
        said = children(root, "x:commentList/x:comment")
        for each in said:
            text = clean("".join(piece.text or "" for piece in each.iter("x:t")))
            self.rows.remark(
                number, "annotation", text, f"comment at {anchor_of(sheet.name, each.get('ref', ''))}"
            )
        if said:
            self.rows.note(number, f"{len(said)} comments are not read as text; look at them in Excel")
            self.rows.warn(
                f"sheet {sheet.name}: {len(said)} comments are not read as text; look at them in Excel"
            )

    def _drawing(
        self, anchor: Element, related: dict[str, tuple[str, str]], sheet: Sheet, number: int
    ) -> Iterator[None]:
        column, row = (_text_of(child(anchor, f"xdr:from/xdr:{name}")) for name in ("col", "row"))
        place = f"{letters(int(column) + 1)}{int(row) + 1}" if column.isdigit() and row.isdigit() else "A1"
        at = anchor_of(sheet.name, place)
        for paragraph in anchor.iter("a:p"):
            text = clean("".join(piece.text or "" for piece in paragraph.iter("a:t")))
            self.rows.block(
                number, BlockKind.PARAGRAPH, text, f"{at} text box", sheet.name, hidden=sheet.hidden
            )
        if next(anchor.iter("c:chart"), None) is not None:
            self.rows.note(number, f"a chart at {at} is not read; look at it in Excel")
        for blip in anchor.iter("a:blip"):
            part = related.get(blip.get("r:embed", ""), ("", ""))[1]
            if not part or part in self.seen_pictures or sheet.hidden:
                continue
            self.seen_pictures.add(part)
            texts, problem = self._recognised(part)
            self.rows.picture(number, at, texts, problem, "Excel", sheet.name)
            yield None

    def _recognised(self, part: str) -> tuple[list[str], str]:
        if part not in self.package:
            return [], "it is not in the file"
        if not self.params.ocr:
            return [], "OCR is off; switch documents.ocr on"
        return read_picture(self.package.read(part), self.params, self.rows.lacking)

    def _finish(self) -> None:
        note_beside(self.package, self.rows)
        for places, what in (
            (self.uncomputed, "formulas were never computed; open the file in Excel and save it"),
            (self.rounded, "cells show a rounder figure than they hold; the value itself is read"),
        ):
            if places:
                listed = ", ".join(places[:_NAMED]) + (", …" if len(places) > _NAMED else "")
                self.rows.warn(f"{len(places)} {what} ({listed})")


def _text_of(element: Element | None) -> str:
    return (element.text or "") if element is not None else ""


def anchor_of(sheet: str, place: str) -> str:
    """`Prices!B7`, or `'Price list'!B7` where the name needs quotes."""
    quoted = sheet if _PLAIN_NAME.match(sheet) else "'" + sheet.replace("'", "''") + "'"
    return f"{quoted}!{place}"


class _Writer:
    """Writes one sheet: what is seen of it as blocks and tables, what it hides beside them."""

    def __init__(self, reader: _Reader, sheet: Sheet, page: int) -> None:
        self.reader, self.rows, self.sheet, self.page = reader, reader.rows, sheet, page
        self.path = sheet.name
        self.aside: dict[int, list[TableRow]] = {}
        self.hidden = 0
        self.covered = covered(sheet)

    def write(self) -> None:
        """Write all regions in order, and the notes."""
        sheet, facts = self.sheet, self.rows.page(self.page)
        facts.header, facts.footer = sheet.header, sheet.footer
        shown = {row: kept for row, cells in sorted(sheet.rows.items()) if (kept := self._shown(row, cells))}
        for row in sorted(set(self.aside) - set(shown)):
            self._write_aside(row)
        for region in regions(sheet, shown):
            self._write_region(region)
        for text, place in ((sheet.header, "header"), (sheet.footer, "footer")):
            self.rows.block(self.page, BlockKind.FURNITURE, text, anchor_of(sheet.name, place))
        if sheet.hidden:
            self.rows.note(
                self.page, "a hidden sheet: nothing on it can be cited; unhide it in Excel to check it"
            )
        elif self.hidden:
            self.rows.note(self.page, f"{self.hidden} cells are hidden and cannot be cited")
        if sheet.conditional:
            listed = ", ".join(sheet.conditional[:_NAMED])
            what = f"a condition may cross out or hide what {listed} say; look at it in Excel"
            self.rows.note(self.page, what)
            self.rows.remark(self.page, "hidden_text", "", f"{anchor_of(sheet.name, listed)}: {what}", "warn")
        if sheet.torn:
            self.rows.note(
                self.page, "the sheet is damaged and not read in full; ask the sender for a sound copy"
            )
            facts.status = PageStatus.UNREADABLE.value
            self.rows.warn(f"sheet {sheet.name} is damaged and not read in full")
        if sheet.cut:
            limit = self.reader.params.max_cells
            self.rows.note(
                self.page, f"has more cells than documents.max_cells ({limit}) leaves; the rest is not read"
            )
            facts.status = PageStatus.UNREADABLE.value
            self.rows.warn(
                f"sheet {sheet.name} is not read in full: over {limit} cells (documents.max_cells)"
            )

    def _shown(self, row: int, cells: list[SheetCell]) -> dict[int, SheetCell]:
        """Cells of a row that are seen, by column; the others are set aside."""
        sheet, kept = self.sheet, {}
        hidden: list[SheetCell] = []
        for cell in cells:
            out_of_sight = sheet.hidden or row in sheet.hidden_rows or cell.column in sheet.hidden_columns
            # Excel shows the first cell of a merged range only, though the others may still hold something.
            out_of_sight |= (row, cell.column) in self.covered
            if out_of_sight or (cell.hidden and not self._heads_a_table(cell)):
                hidden.append(cell)
                continue
            if cell.struck:
                self._set_aside(row, [cell.struck], cell.place, struck=True)
            if cell.unseen:
                self._set_aside(row, [cell.unseen], cell.place)
            if cell.formula:
                self.reader.uncomputed.append(anchor_of(sheet.name, cell.place))
                self._set_aside(row, [cell.formula], cell.place)
            if cell.rounded:
                self.reader.rounded.append(anchor_of(sheet.name, cell.place))
            if cell.text:
                kept[cell.column] = cell
        if hidden:
            self.hidden += len(hidden)
            place = hidden[0].place if len(hidden) == 1 else f"{hidden[0].place}:{hidden[-1].place}"
            self._set_aside(
                row, [cell.formula or cell.text or cell.struck or cell.unseen for cell in hidden], place
            )
        return kept

    def _heads_a_table(self, cell: SheetCell) -> bool:
        """Headers of Excel's own tables stand white on the colour of the table's style."""
        return any(
            area[0] <= cell.row < area[0] + heads and area[1] <= cell.column <= area[3]
            for area, heads in self.sheet.tables
        )

    def _set_aside(self, row: int, texts: list[str], place: str, struck: bool = False) -> None:
        anchor = anchor_of(self.sheet.name, place)
        cells = [TableCell(text, anchor) for text in texts if text]
        self.aside.setdefault(row, []).append(
            TableRow(anchor, self.page, cells, struck=struck, hidden=not struck)
        )

    def _write_aside(self, row: int) -> None:
        for each in self.aside.pop(row, []):
            text = " | ".join(each.texts)
            self.rows.block(
                self.page,
                BlockKind.PARAGRAPH,
                text,
                each.anchor,
                self.path,
                struck=each.struck,
                hidden=each.hidden,
            )

    def _write_region(self, region: Region) -> None:
        for row, cell in region.titles:
            anchor = anchor_of(self.sheet.name, cell.place)
            heading = (
                cell.bold
                and len(cell.text.split()) <= _HEADING_WORDS
                and not cell.text.endswith((".", ";", ","))
            )
            if heading and cell.text != self.sheet.name:
                self.path = f"{self.sheet.name} > {cell.text.replace(' > ', ' - ')}"
            kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
            self.rows.block(self.page, kind, cell.text, anchor, self.path, level=2 if heading else 0)
            self._write_aside(row)
        rows: list[TableRow] = []
        for row, cells in region.rows:
            rows.append(self._table_row(row, cells))
            rows += self.aside.pop(row, [])
        if rows:
            self.rows.table(rows, self.path, region.heads)

    def _table_row(self, row: int, cells: dict[int, tuple[SheetCell | None, str]]) -> TableRow:
        name = self.sheet.name
        made = [
            TableCell(cell.text, anchor_of(name, cell.place), cell.bold, joins)
            if cell is not None
            else TableCell("", anchor_of(name, f"{letters(column)}{row}"), False, joins)
            for column, (cell, joins) in cells.items()
        ]
        filled = [column for column, (cell, joins) in cells.items() if cell is not None or joins]
        first, last = f"{letters(filled[0])}{row}", f"{letters(filled[-1])}{row}"
        return TableRow(anchor_of(name, first if first == last else f"{first}:{last}"), self.page, made)
