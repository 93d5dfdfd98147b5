"""Keeps generated text from deciding a rule: words that may stand in hand-written documents only."""

from __future__ import annotations

import re
from pathlib import Path

CONTENT = Path(__file__).parent / "content"
GENERATED = ("prose_*.yaml", "words.yaml", "tables.yaml", "fields.yaml")
# Stems that belong to the subject of some rule of the catalog.
DECIDING = (
    "accuracy", "attorney", "bond", "calibrat", "certificate", "class", "conflict of", "cosem", "data processing",
    "deviation", "dlms", "exception to", "firmware", "guarantee", "hse", "iec", "incoterms", "insur", "iso ",
    "lead time", "liability", "licen", "liquidated", "milestone", "nist", "nonconform", "parent", "penalt",
    "preventive", "qualific", "replac", "residency", "rollback", "rpo", "rto", "security", "severity", "soc 2",
    "subprocess", "tamper", "test report", "validity", "warrant", "working day",
)  # fmt: skip


class GuardError(ValueError):
    """Generated text that could decide a rule."""


def check_generated() -> None:
    """Search all banks for deciding words.

    The bank of the RFP's own clauses is left out: it never enters a bid.

    Raises:
        GuardError: with file, word and line.
    """
    for pattern in GENERATED:
        for path in sorted(CONTENT.glob(pattern)):
            _check(path)


def _check(path: Path) -> None:
    """Search one file, skipping comments and the RFP's bank."""
    in_rfp_bank = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if re.match(r"\w+:", line):
            in_rfp_bank = line.startswith("rfp_")
        if in_rfp_bank or line.startswith("#"):
            continue
        for stem in DECIDING:
            if re.search(rf"\b{re.escape(stem)}", line.lower()):
                raise GuardError(f"{path.name}:{number}: '{stem.strip()}' may decide a rule: {line.strip()}")
