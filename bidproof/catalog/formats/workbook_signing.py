"""Writes a few fields of the head into a workbook as it is, so that its other sheets, comments and looks stay.

For acceptance alone: what the rules say is not touched here. A workbook that this cannot do without loss is written
anew elsewhere.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import Any

from bidproof.catalog.formats.sheet_reading import field_of

_SHEET = "catalog"


def signed_workbook(path: Path, head: Mapping[str, str]) -> bytes | None:
    """The workbook's bytes with these fields in its sheet `catalog`, which is made where it has none.

    None where the workbook cannot be opened or holds formulas, whose values would be lost.
    """
    from openpyxl import load_workbook  # loaded on first use

    try:
        book = load_workbook(path, rich_text=True)
        if any(_has_formulas(sheet) for sheet in book.worksheets):
            return None
        sheet = next((one for one in book.worksheets if one.title.strip().lower() == _SHEET), None)
        if sheet is None:
            sheet = book.create_sheet(_SHEET)
            sheet.append(["field", "value"])
        _write(sheet, head)
        for one in book.worksheets:
            footer = one.oddFooter.left
            if footer.text and footer.text.startswith("DRAFT"):
                footer.text = "Rule catalog"
        target = io.BytesIO()
        book.save(target)
        return target.getvalue()
    except Exception:  # whatever a foreign workbook holds: it is written anew then
        return None


def _has_formulas(sheet: Any) -> bool:
    return any(cell.data_type == "f" for row in sheet.iter_rows() for cell in row)


def _write(sheet: Any, head: Mapping[str, str]) -> None:
    rows = {field_of(str(sheet.cell(n, 1).value or "")): n for n in range(1, sheet.max_row + 1)}
    plain = rows.get("author") or rows.get("title")
    for name, value in head.items():
        number = rows.get(name) or sheet.max_row + 1
        sheet.cell(number, 1).value = name
        cell = sheet.cell(number, 2)
        cell.value = value
        cell.data_type = "s"  # a name that begins with = is no formula
        if plain:
            cell._style = copy(sheet.cell(plain, 2)._style)
