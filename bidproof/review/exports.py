"""Exports of a matrix for other programs: JSON, CSV, and the workbook (see `workbook`).

Each says that its verdicts are a machine's. A spreadsheet must never run what a bidder wrote, so text that
could be taken for a formula is guarded in CSV and stored as plain text in XLSX.
"""

from __future__ import annotations

import csv
import io
import json

from bidproof.review.model import Bidder, Cell, Matrix, Rule
from bidproof.review.workbook import to_xlsx

__all__ = ["CSV_COLUMNS", "FORMAT", "to_csv", "to_json", "to_xlsx"]

FORMAT = "bidproof.matrix/1"

CSV_COLUMNS = (
    "tender", "bidder", "bidder_name", "rule_id", "area", "mandatory", "text", "clause_ref", "status",
    "needs_review", "review_reason", "risk", "rationale", "quote", "match_kind", "file_name", "page",
    "page_label", "anchor", "citation", "link", "heading_path", "checks_passed", "checks_failed", "other_quotes",
    "gate", "catalog_version", "catalog_draft", "review_state", "decision",
)  # fmt: skip

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def guard(text: str) -> str:
    """`text` with an apostrophe before it where a spreadsheet could take it for a formula."""
    return "'" + text if text.startswith("\t") or text.lstrip().startswith(_FORMULA_STARTS) else text


def to_json(matrix: Matrix) -> str:
    """The whole matrix as JSON: the record's fields, `format` and `review_state`; keys sorted, UTF-8 text."""
    data = {
        "format": FORMAT,
        "review_state": matrix.review_state,
        **matrix.model_dump(mode="json"),
        "draft": matrix.draft,
    }
    return json.dumps(data, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def _values(matrix: Matrix, rule: Rule, bidder: Bidder, cell: Cell) -> dict[str, str | int | None]:
    return {
        "tender": matrix.tender,
        "bidder": bidder.slug,
        "bidder_name": bidder.name,
        "rule_id": rule.rule_id,
        "area": rule.area,
        "mandatory": "yes" if rule.mandatory else "no",
        "text": rule.text,
        "clause_ref": rule.clause_ref,
        "status": cell.status.value,
        "needs_review": "yes" if cell.needs_review else "no",
        "review_reason": cell.review_reason,
        "risk": cell.risk,
        "rationale": cell.rationale,
        "quote": cell.quote,
        "match_kind": cell.match_kind.value,
        "file_name": cell.file_name,
        "page": cell.page,
        "page_label": cell.page_label,
        "anchor": cell.anchor,
        "citation": cell.citation,
        "link": cell.link,
        "heading_path": cell.heading_path,
        "checks_passed": "; ".join(cell.checks_passed),
        "checks_failed": "; ".join(cell.checks_failed),
        "other_quotes": " | ".join(cell.other_quotes),
        "gate": bidder.gate.value,
        "catalog_version": matrix.catalog.version,
        "catalog_draft": "yes" if matrix.draft else "no",
        "review_state": cell.review_state,
        "decision": cell.decision,
    }


def to_csv(matrix: Matrix) -> str:
    """One row a rule and bidder under `CSV_COLUMNS`, rules in matrix order, line feeds at line ends."""
    target = io.StringIO()
    writer = csv.DictWriter(target, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for index, rule in enumerate(matrix.rules):
        for bidder, cell in zip(matrix.bidders, matrix.row(index), strict=True):
            row = _values(matrix, rule, bidder, cell)
            writer.writerow(
                {name: guard(value) if isinstance(value, str) else value for name, value in row.items()}
            )
    return target.getvalue()
