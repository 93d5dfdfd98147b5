"""The shipped tender: RFP, catalog, both bidders' packs and their gold labels."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from make import gold, prices
from make.document import Built, build
from make.guard import check_generated
from make.markup import Table, read_source

CONTENT = Path(__file__).parent / "content"
TENDER = "smart-meters"
RFP = "RFP-2026-114_Smart_Metering.pdf"
BIDDERS = ("corvane-metering", "bluefern-grid")


def catalog() -> list[dict[str, Any]]:
    """Rules of the catalog in file order."""
    data = yaml.safe_load((CONTENT / "catalog.yaml").read_text(encoding="utf-8"))
    rules: list[dict[str, Any]] = data["rules"]
    return rules


def values_for(bidder: str) -> dict[str, str]:
    """What `{{...}}` stands for in a bidder's documents: rule texts and price figures."""
    values = {f"req_{rule['id']}": str(rule["text"]) for rule in catalog()}
    return values | (prices.figures(bidder) if bidder else {})


def tables_for(bidder: str) -> dict[str, Table]:
    """Ruled tables that are computed rather than typed."""
    rows: list[tuple[str, ...]] = [("District", "Single-phase", "Three-phase", "CT-operated", "All meters")]
    sums = [0, 0, 0, 0]
    for name, count in prices.districts():
        three, operated = count // 10, count * 2 // 125
        counts = (count - three - operated, three, operated, count)
        sums = [left + right for left, right in zip(sums, counts, strict=True)]
        rows.append((name, *(f"{value:,}" for value in counts)))
    rows.append(("Total", *(f"{value:,}" for value in sums)))
    matrix: list[tuple[str, ...]] = [("Ref", "Requirement", "M/O", "Response of the bidder", "Page")]
    for rule in catalog():
        clause = str(rule["clause_ref"]).rsplit(" > ", 1)[1]
        matrix.append((clause, str(rule["text"]), "M" if rule["mandatory"] else "O", "", ""))
    tables = {
        "districts": Table(tuple(rows), (28, 18, 18, 20, 16), frozenset({len(rows) - 1})),
        "matrix": Table(tuple(matrix), (20, 44, 7, 20, 8)),
    }
    if bidder:
        tables["pv2"] = prices.price_table(prices.read_lots(bidder))
    return tables


def build_file(name: str, bidder: str, values: Mapping[str, str]) -> Built:
    """One PDF from `content/<bidder or .>/<name>.txt`."""
    folder = CONTENT / bidder
    return build(read_source(folder / f"{name}.txt", values), values, tables_for(bidder), folder)


def write_rfp(folder: Path) -> int:
    """RFP and catalog; returns the pages of the RFP."""
    (folder / "rfp").mkdir(parents=True, exist_ok=True)
    built = build_file("rfp", "", values_for(""))
    (folder / "rfp" / RFP).write_bytes(built.data)
    shutil.copyfile(CONTENT / "catalog.yaml", folder / "catalog.yaml")
    return built.pages


def write_pack(folder: Path, bidder: str) -> dict[str, Built]:
    """All PDF files of a bidder; a file stands for each `NN_*.txt` of its content folder."""
    target = folder / "bids" / bidder
    target.mkdir(parents=True, exist_ok=True)
    values = values_for(bidder)
    pack = {}
    for path in sorted((CONTENT / bidder).glob("[0-9A-Z]*_*.txt")):
        pack[f"{path.stem}.pdf"] = build_file(path.stem, bidder, values)
    for name, built in pack.items():
        (target / name).write_bytes(built.data)
    return pack


def write_tender(out: Path) -> list[str]:
    """Write inbox and gold under `out`; returns one line of report a file."""
    check_generated()
    folder = out / "inbox" / TENDER
    lines = [f"rfp/{RFP}: {write_rfp(folder)} pages"]
    for bidder in BIDDERS:
        pack = write_pack(folder, bidder)
        lines += [f"bids/{bidder}/{name}: {built.pages} pages" for name, built in pack.items()]
        labels = yaml.safe_load((CONTENT / bidder / "gold.yaml").read_text(encoding="utf-8"))
        finder = gold.Finder(
            folder / "rfp" / RFP, folder / "bids" / bidder, {n: b.scans for n, b in pack.items()}
        )
        rows = gold.rows(catalog(), labels, values_for(bidder), finder)
        gold.write(out / "gold" / TENDER / f"{bidder}.jsonl", rows)
        lines.append(f"gold/{bidder}.jsonl: {gold.summary(rows)}")
    return lines
