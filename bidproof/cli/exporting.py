"""`bidproof matrix`: the compliance matrix as a file."""

from __future__ import annotations

import sys
from pathlib import Path

from bidproof.errors import BadInputError
from bidproof.intake.inbox import slug
from bidproof.review import read_matrix, to_csv, to_html, to_json, to_xlsx
from bidproof.store import Warehouse

FORMATS = ("html", "xlsx", "csv", "json")


def matrix_command(warehouse: str, tender: str, format: str | None, output: Path) -> None:
    """Write the matrix of `tender`.

    Raises:
        BadInputError: the format or the tender is unknown, or no pack of it was scored.
    """
    kind = format or output.suffix.lstrip(".").lower()
    if kind not in FORMATS:
        raise BadInputError(
            str(output), f"unknown format {kind or '(none)'}", f"use --format {', '.join(FORMATS)}"
        )
    store = Warehouse(warehouse)
    name = tender if tender in store.partitions("requirements") else slug(tender)
    if name not in store.partitions("requirements"):
        known = ", ".join(store.partitions("requirements")) or "none"
        raise BadInputError(tender, f"no such tender in {warehouse}", f"known are {known}")
    found = read_matrix(store, name)
    if not found.bidders:
        raise BadInputError(tender, "no pack of this tender was scored yet", "run `bidproof run INBOX` first")
    texts = {"html": to_html, "csv": to_csv, "json": to_json}
    raw = to_xlsx(found) if kind == "xlsx" else texts[kind](found).encode("utf-8")
    if str(output) == "-":
        sys.stdout.buffer.write(raw)
        return
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(raw)
    except OSError as error:
        raise BadInputError(
            str(output), f"cannot be written ({error.strerror})", "name a file in a folder you can write"
        ) from None
    print(f"{output}: {len(found.rules)} rules, {len(found.bidders)} bidders")
