"""A catalog as CSV: one row a rule under the fields' names, the catalog's head in columns of its own.

A spreadsheet must neither calculate nor convert what stands in it, so text that it could take for a formula, a
number or a date is guarded by an apostrophe, which reading takes away again.
"""

from __future__ import annotations

import csv
import io

from bidproof.catalog.formats.contract import HEADER, REQUIRED_COLUMNS
from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.other_columns import by_rule
from bidproof.catalog.formats.rfp_record import json_lines
from bidproof.catalog.formats.sheet_reading import guarded, own_header
from bidproof.catalog.formats.sheet_rows import HEAD_MARK, columns, head_cells, row

_NUMBERS = ("weight", "source_page")


def to_csv(catalog: CatalogFile) -> bytes:
    """The catalog as the bytes of a CSV file: UTF-8 with its mark, commas, line feeds."""
    rows = [row(rule, catalog.submission_date, catalog.remark(rule.rule_id)) for rule in catalog.rules]
    head = head_cells({name: getattr(catalog, name) for name in HEADER})
    names = columns(rows, REQUIRED_COLUMNS)
    own, said = [one.name for one in catalog.other], by_rule(catalog.other)
    record = _by_row(json_lines(catalog.conflicts, catalog.superseded), len(rows))
    target = io.StringIO(newline="")
    writer = csv.writer(target, lineterminator="\n")
    heads = [guarded(own_header(name)) for name in own]
    writer.writerow([*names, *heads, *(HEAD_MARK + name for name in (*head, *record))])
    for number, (rule, cells) in enumerate(zip(catalog.rules, rows, strict=True)):
        fields = [(name, cells.get(name, "")) for name in names]
        shown = [text if name in _NUMBERS else guarded(text) for name, text in fields]
        others = [guarded(said.get(rule.rule_id, {}).get(name, "")) for name in own]
        lists = [record[name][number] for name in record]
        writer.writerow([*shown, *others, *(guarded(value) for value in head.values()), *lists])
    return target.getvalue().encode("utf-8-sig", "replace")


def _by_row(lines: dict[str, list[str]], rows: int) -> dict[str, list[str]]:
    """Entries of lists over the rows of a sheet, one a row from the top; the last row has the rest."""
    return {
        name: ["\n".join(said[i : i + 1] if i < rows - 1 else said[i:]) for i in range(rows)]
        for name, said in lines.items()
    }
