"""A catalog as CSV: one row a rule under the fields' names, the catalog's head in columns of its own.

A spreadsheet must neither calculate nor convert what stands in it, so text that it could take for a formula, a
number or a date is guarded by an apostrophe, which reading takes away again.
"""

from __future__ import annotations

import csv
import io

from bidproof.catalog.formats.contract import HEADER, REQUIRED_COLUMNS
from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.sheet_reading import guarded
from bidproof.catalog.formats.sheet_rows import HEAD_MARK, columns, head_cells, row

_NUMBERS = ("weight", "source_page")


def to_csv(catalog: CatalogFile) -> bytes:
    """The catalog as the bytes of a CSV file: UTF-8 with its mark, commas, line feeds."""
    rows = [row(rule, catalog.submission_date, catalog.remark(rule.rule_id)) for rule in catalog.rules]
    head = head_cells({name: getattr(catalog, name) for name in HEADER})
    names = columns(rows, REQUIRED_COLUMNS)
    target = io.StringIO(newline="")
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([*names, *(HEAD_MARK + name for name in head)])
    for cells in rows:
        own = [cells.get(name, "") for name in names]
        shown = [text if name in _NUMBERS else guarded(text) for name, text in zip(names, own, strict=True)]
        writer.writerow([*shown, *(guarded(value) for value in head.values())])
    return target.getvalue().encode("utf-8-sig", "replace")
