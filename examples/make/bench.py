"""A benchmark inbox: the same RFP and catalog, one bidder, one PDF of exactly N pages.

The pack of the first bidder is merged into one document, and whole pages of varied prose, tables and
forms are put between its chapters, so that the deciding passages lie far apart.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import yaml

from make import gold, tender
from make.document import Built, build
from make.markup import Directive, Heading, Node, Source, read_source

BIDDER = "benchmark-bidder"
BASE = "corvane-metering"
FILE = "Complete_Bid.pdf"
EXTRA = tender.CONTENT / "bench"
META = {
    "title": "Complete bid",
    "header": "Corvane / Nordlume - Complete Bid",
    "header_right": "RFP-2026-114",
    "footer": "All volumes",
    "font": "sans",
    "accent": "green",
    "chapter_break": "yes",
    "toc_depth": "1",
    "seed": "benchmark",
}
# One filling page in three is a ruled table or form; with the base pack that makes 35 to 40 percent.
PATTERN = ("prose", "table", "prose", "points", "table", "prose", "form", "prose", "prose")


def write_benchmark(out: Path, pages: int) -> list[str]:
    """Write `out`/inbox and `out`/gold; returns the lines of report.

    Raises:
        ValueError: when `pages` is less than the evidence alone takes.
    """
    folder = out / "inbox" / tender.TENDER
    lines = [f"rfp/{tender.RFP}: {tender.write_rfp(folder)} pages"]
    built = _pack(pages)
    target = folder / "bids" / BIDDER
    target.mkdir(parents=True, exist_ok=True)
    (target / FILE).write_bytes(built.data)
    finder = gold.Finder(folder / "rfp" / tender.RFP, target, {FILE: ()})
    rows = gold.rows(tender.catalog(), _labels(), tender.values_for(BASE), finder)
    gold.write(out / "gold" / tender.TENDER / f"{BIDDER}.jsonl", rows)
    return [*lines, f"bids/{BIDDER}/{FILE}: {built.pages} pages", f"gold: {gold.summary(rows)}"]


def _pack(pages: int) -> Built:
    """The merged document with as many filling pages as are still wanted."""
    chapters = _chapters()
    bare = _build(list(itertools.chain.from_iterable(chapters)))
    missing = pages - bare.pages
    if missing < 0:
        raise ValueError(f"the evidence alone takes {bare.pages} pages")
    kinds = itertools.cycle(PATTERN)
    nodes: list[Node] = list(chapters[0])
    for index, chapter in enumerate(chapters[1:]):
        share = missing * (index + 1) // (len(chapters) - 1) - missing * index // (len(chapters) - 1)
        nodes += [Directive("fill", (next(kinds), f"{index + 1}.{number + 50}")) for number in range(share)]
        nodes += chapter
    built = _build(nodes)
    if built.pages != pages:
        raise RuntimeError(f"{built.pages} pages instead of {pages}")
    return built


def _build(nodes: list[Node]) -> Built:
    """Lay the nodes out."""
    values = tender.values_for(BASE)
    return build(Source(META, tuple(nodes)), values, tender.tables_for(BASE), EXTRA)


def _chapters() -> list[list[Node]]:
    """Nodes of all files of the base pack and of the extra one, cut at chapter headings."""
    values = tender.values_for(BASE)
    folder = tender.CONTENT / BASE
    cut: list[list[Node]] = [[]]
    paths = [*sorted(folder.glob("0*_*.txt")), *sorted(EXTRA.glob("*.txt"))]
    for number, path in enumerate(paths):
        covered = number == 0  # covers and contents lists of the later volumes are left out
        for node in read_source(path, values).nodes:
            name = node.name if isinstance(node, Directive) else ""
            if isinstance(node, Heading) and node.level == 1:
                covered = True
                cut.append([])
            if not covered:
                continue
            if name == "scan":
                cut[-1] += [Directive("page", ()), *read_source(folder / "poa.txt", values).nodes]
            else:
                cut[-1].append(Directive("page", ()) if name == "body" else node)
    return cut


def _labels() -> dict[str, dict[str, object]]:
    """Labels of the base pack, told of the single file and of the clauses added here."""
    labels = yaml.safe_load((tender.CONTENT / BASE / "gold.yaml").read_text(encoding="utf-8"))
    labels |= yaml.safe_load((EXTRA / "gold.yaml").read_text(encoding="utf-8"))
    for label in labels.values():
        label["evidence"] = [{"file": FILE, "snippet": item["snippet"]} for item in label.get("evidence", [])]
    return dict(labels)
