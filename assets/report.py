"""All bidders of a tender side by side: the compliance matrix as one self-contained page and as a workbook."""

from __future__ import annotations

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.review import read_matrix, to_html, to_xlsx
from bidproof.store import CheckRecord
from bidproof.tables import REPORTS


@stage_assets(
    "matrix_report", group="report", kinds={"html", "excel"},
    checks=(Check("every_cell_filled", "Each bidder has a cell for each rule"),),
)  # fmt: skip
def matrix_report(run: StageRun) -> StageOutput:
    """The compliance matrix: bidders by rules, gates, quotes, pages, checks, and what made it."""
    matrix = read_matrix(run.warehouse, run.tender)
    files = {"matrix.html": to_html(matrix).encode("utf-8"), "matrix.xlsx": to_xlsx(matrix)}
    rows = [
        {"tender": run.tender, "bidder": "", "pack": run.tender, "name": name, "content": content}
        for name, content in files.items()
    ]
    for name, content in files.items():
        run.warehouse.write_file(f"reports/{run.tender}/{name}", content)
    cells = len(matrix.cells)
    wanted = len(matrix.bidders) * len(matrix.rules)
    check = CheckRecord("every_cell_filled", cells == wanted > 0, f"{cells} of {wanted} cells")
    return StageOutput(REPORTS.frame(rows), {"bidders": len(matrix.bidders), "cells": cells}, [check])


ASSETS = [*matrix_report]
