"""Compliance tables of an RFP: which tables list requirements, and what each row asks.

Reads rows as the documents stage joins them (cells by ` | `). Ordinary tables of the RFP (timetables,
prices, contact
data) are no rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from bidproof.catalog.contract import parse_mandatory
from bidproof.facts import fold

_REQUIREMENT = re.compile(
    r"requirements?|specifications?|criteri(?:on|a)|exigences?|specification technique|caracteristiques? "
    r"(?:exigees?|demandees?)|description of requirement|minimum standard|must[- ]have"
)
_REFERENCE = re.compile(
    r"(?:req(?:uirement)?\.? ?)?(?:id|no\.?|ref(?:erence)?|n°|nr|item|#|s/?n|sl\.? ?no\.?|code)"
)
_STRENGTH = re.compile(
    r"mandatory|priority|m ?/ ?o|type|obligatoire|criticality|moscow|obligation|m/d|category|level"
)
_NAME = re.compile(
    r"area|category|parameter|topic|module|feature|domain|criteri(?:on|a)|item|domaine|rubrique|subject|"
    r"name|aspect"
)
_TEXT = re.compile(
    r"description|requirements?|specification|minimum standard|details?|exigences?|standard|value|valeur|"
    r"must[- ]have|target|minimum|criteria"
)
_OPTIONAL = re.compile(
    r"^(?:o|optional|nice|desirable|should|could|s|d|p3|p4|low|preferred|facultatif|souhaite|non|no)\b"
)
_STRONG = re.compile(
    r"^(?:m|mandatory|must|critical|p0|p1|p2|high|essential|obligatoire|required|yes|oui|shall|medium)\b"
)
_ANSWERS = re.compile(
    r"complian(?:t|ce)|y ?/ ?n|response|bidder'?s?|vendor|conforme|reponse|offered|remarks?|comments?"
)


@dataclass(frozen=True)
class ComplianceRow:
    """One requirement of a table: its words, the row as printed, where it stands."""

    text: str
    quote: str
    page: int
    heading_path: str
    mandatory: bool
    reference: str


def compliance_rules(rows: list[dict[str, Any]]) -> list[ComplianceRow]:
    """Requirements of one table's rows in order; none when its header names no requirement column."""
    header = next((r for r in rows if r["is_header"]), None)
    if header is None:
        return []
    names = [fold(cell) for cell in header["text"].split(" | ")]
    text_at = _column(names, _REQUIREMENT) if any(_REQUIREMENT.search(n) for n in names) else None
    if text_at is None:
        return []
    described = [i for i, n in enumerate(names) if _TEXT.search(n) and not _ANSWERS.search(n)]
    strength_at = _column(names, _STRENGTH, skip=set(described))
    reference_at = _column(names, re.compile(rf"^(?:{_REFERENCE.pattern})$"), skip=set(described))
    name_at = _column(
        names, _NAME, skip={i for i in (strength_at, reference_at) if i is not None} | set(described[1:])
    )
    found: list[ComplianceRow] = []
    for row in rows:
        cells = _cells(row["text"] or "", len(names))
        if row["is_header"] or len(cells) != len(names):
            continue
        parts = [cells[i] for i in dict.fromkeys([*([name_at] if name_at is not None else []), *described])]
        words = ": ".join(p for p in (" ".join(part.split()) for part in parts) if p)
        if not words or fold(words) == fold(": ".join(names[i] for i in described)):
            continue
        if found and reference_at is not None and not cells[reference_at] and words[:1].islower():
            last = found[-1]  # a row that a page break cut in two
            found[-1] = replace(last, text=f"{last.text} {words}", quote=f"{last.quote} {row['text']}")
            continue
        strength = fold(cells[strength_at]) if strength_at is not None else ""
        found.append(ComplianceRow(
            text=words, quote=row["text"], page=row["page"], heading_path=row["heading_path"] or "",
            mandatory=_is_mandatory(strength, fold(f"{row['heading_path']} {header['text']}")),
            reference=cells[reference_at] if reference_at is not None else "",
        ))  # fmt: skip
    return found


def _cells(text: str, expected: int) -> list[str]:
    """Cells of a row; empty ones at its ends may have lost their spaces."""
    cells = [cell.strip() for cell in text.split(" | ")]
    return cells if len(cells) == expected else [cell.strip() for cell in text.split("|")]


def _column(names: list[str], pattern: re.Pattern[str], skip: set[int] | None = None) -> int | None:
    return next(
        (i for i, name in enumerate(names) if pattern.search(name) and i not in (skip or set())), None
    )


def _is_mandatory(strength: str, around: str) -> bool:
    """A row is mandatory by its own cell; without one by the words above it, and else it is."""
    parsed = parse_mandatory(strength) if strength else None
    if parsed is not None:
        return parsed
    if _OPTIONAL.search(strength):
        return False
    return bool(_STRONG.search(strength)) or not re.search(
        r"optional|desirable|facultati|nice to have", around
    )
