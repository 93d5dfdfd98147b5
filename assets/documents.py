"""Files to pages, blocks and table cells. Parsing is cached by file content: a file in two packs is read once."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.documents import (
    ParsedFile,
    blocks_table,
    hold_still,
    inspect_files,
    integrity_table,
    pages_table,
    table_cells_table,
)
from bidproof.intake.inbox import SourceFile
from bidproof.intake.unpacking import CONTAINER_KINDS
from bidproof.store import CheckRecord


def _files(run: StageRun) -> tuple[list[SourceFile], str, str]:
    """Files of this partition with the tender's and the bidder's names."""
    tender = run.sources.tender
    if run.stage.scope == "tender":
        return list(tender.rfp_files), tender.name, ""
    bid = run.sources.bid(run.partition)
    return list(bid.files), tender.name, bid.name


@stage_assets(
    "rfp_documents", "documents", group="reading", kinds={"pymupdf", "parquet"},
    checks=(Check("files_open", "Every file can be opened; each that cannot is a row with the reason"),),
)  # fmt: skip
def inventory(run: StageRun) -> StageOutput:
    """Every file of the folder with its hash, kind, page count and what is wrong with it."""
    files, tender_name, bidder_name = _files(run)
    frame = inspect_files(
        files, pack=run.partition, tender=run.tender, bidder=run.bidder, tender_name=tender_name,
        bidder_name=bidder_name, role="bid" if run.bidder else "rfp", params=run.params.documents,
    )  # fmt: skip
    for file in files:
        hold_still(file)
    bad = [w for row in frame.filter(pl.col("status") != "ok")["warnings"].to_list() for w in row[:1]]
    message = "; ".join(bad) or (
        f"all {frame.height} files open" if frame.height else "the folder holds no files"
    )
    metrics = {
        "files": frame.height,
        "unreadable_files": len(bad),
        "page_count": int(frame["page_count"].sum()),
    }
    return StageOutput(frame, metrics, [CheckRecord("files_open", not bad and frame.height > 0, message)])


def _parsed(run: StageRun) -> Mapping[str, ParsedFile]:
    """Parsed files by document id, from the cache where the same content was read before."""
    files, cache = {file.file_name: file for file in _files(run)[0]}, run.cache("parsed")
    parsed: dict[str, ParsedFile] = {}
    # A file that lies in the pack twice is read once: its passages must not crowd out those of others.
    readable = run["documents"].filter(
        (pl.col("status") == "ok")
        & (pl.col("duplicate_of") == "")
        & ~pl.col("kind").is_in(list(CONTAINER_KINDS))
    )
    total, before = int(readable["page_count"].sum()), 0
    for row in readable.sort("file_name").iter_rows(named=True):

        def tell(done: int, _: int, before: int = before) -> None:
            run.step(before + done, total)

        source = files[row["file_name"]].model_copy(update={"sha256": row["sha256"]})
        parsed[row["doc_id"]] = run.resources.reader.read(source, run.params.documents, cache, tell)
        before += row["page_count"]
        run.step(before, total)
    return parsed


@stage_assets(
    "rfp_pages", "pages", group="reading", kinds={"pymupdf", "tesseract", "parquet"},
    checks=(
        Check("coverage", "Every page is readable or truly blank; the list names those that are not", blocking=True),
    ),
)  # fmt: skip
def pages(run: StageRun) -> StageOutput:
    """Every physical page with its printed label, how its text was had, and why not where it was not."""
    frame = pages_table(run["documents"], _parsed(run))
    lost = frame.filter(pl.col("status").is_in(["garbled", "unreadable"]))
    named = [f"{name} p. {page}" for name, page in lost.select("file_name", "page").iter_rows()]
    share, params = 1 - lost.height / max(1, frame.height), run.params.documents
    message = f"{share:.1%} of {frame.height} pages readable" + (
        f"; not: {', '.join(named)}" if named else ""
    )
    # An RFP may be a scan beside its catalog file; a bid of which nothing was read has nothing to be judged by.
    stop = bool(run.bidder) and share < params.stop_below
    if stop:
        mend = "install the data of its language or ask for a copy with text"
        message = (
            f"under documents.stop_below ({params.stop_below:.0%}), nothing is judged: {message}; {mend}"
        )
    elif share < params.min_coverage:
        message = (
            f"under documents.min_coverage ({params.min_coverage:.0%}), the gate cannot be passed: {message}"
        )
    counts = {f"pages_{status}": n for status, n in frame["status"].value_counts(sort=True).iter_rows()}
    metrics = {
        "pages": frame.height,
        "coverage": round(share, 4),
        "tables": int(frame["tables"].sum() or 0),
        **counts,
    }
    coverage = CheckRecord(
        "coverage", not named, message, blocking=True, severity="ERROR" if stop else "WARN", keeps_rows=True
    )
    return StageOutput(frame, metrics, [coverage])


@stage_assets("rfp_blocks", "blocks", group="reading", kinds={"pymupdf", "camelot", "parquet"})
def blocks(run: StageRun) -> StageOutput:
    """Paragraphs, headings, list items and table rows in reading order, each with its box and heading path."""
    frame = blocks_table(run["documents"], _parsed(run))
    kinds = {f"blocks_{kind}": n for kind, n in frame["kind"].value_counts(sort=True).iter_rows()}
    return StageOutput(frame, {"chars": int(frame["text"].str.len_chars().sum() or 0), **kinds})


@stage_assets("rfp_table_cells", "table_cells", group="reading", kinds={"camelot", "parquet"})
def table_cells(run: StageRun) -> StageOutput:
    """Cells of ruled tables, each with its box and the header cells above it."""
    frame = table_cells_table(run["documents"], _parsed(run))
    return StageOutput(
        frame, {"tables": frame.select("doc_id", "table_no").n_unique() if frame.height else 0}
    )


@stage_assets(
    "rfp_integrity", "integrity", group="reading", kinds={"pymupdf", "parquet"},
    checks=(
        Check("no_text_to_the_judge", "No text that nobody sees speaks to whoever judges the bid, or states compliance"),
        Check("all_recognised_in_their_language", "Each recognised page was read with the data of its language"),
    ),
)  # fmt: skip
def integrity(run: StageRun) -> StageOutput:
    """What the eye sees against what the text says: hidden and struck text, fields, comments, signatures, copies."""
    frame = integrity_table(run["documents"], _parsed(run))
    alerts = frame.filter(pl.col("severity") == "alert")
    named = [
        f"{name} p. {page}: {kind.replace('_', ' ')} “{text[:80]}”"
        for name, page, kind, text in alerts.select("file_name", "page", "kind", "text").iter_rows()
    ]
    foreign = frame.filter(pl.col("kind") == "language_data")["detail"].unique(maintain_order=True).to_list()
    kinds = {f"remarks_{kind}": n for kind, n in frame["kind"].value_counts(sort=True).iter_rows()}
    return StageOutput(
        frame,
        {"alerts": alerts.height, "warnings": frame.filter(pl.col("severity") == "warn").height, **kinds},
        [
            CheckRecord("no_text_to_the_judge", not named, "; ".join(named[:20]) or "none", severity="WARN"),
            CheckRecord(
                "all_recognised_in_their_language",
                not foreign,
                "; ".join(foreign[:5]) or "all",
                severity="WARN",
            ),
        ],
    )


ASSETS = [*inventory, *pages, *blocks, *table_cells, *integrity]
