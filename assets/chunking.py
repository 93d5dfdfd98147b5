"""Blocks to chunks, with the proof that no token of a citable block was lost on the way, and its metrics."""

from __future__ import annotations

import time
from collections.abc import Callable

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.chunking import TokenBook, chunk_blocks, prove_coverage, questions_asked
from bidproof.chunking.metrics import chunk_alerts, chunk_metrics
from bidproof.store import CheckRecord


@stage_assets(
    "rfp_chunks", "chunks", group="reading", kinds={"polars", "parquet"},
    checks=(
        Check("nothing_lost", "Every token is in a chunk, every short span and every row is whole in one", blocking=True),
        Check("quality", "The chunks' average quality score is above chunking.min_average_quality"),
        Check("questions_found", "In files that ask the respondent, questions are found as often as chunking.min_question_rate"),
        Check("chunking_time", "No file takes longer to cut than chunking.max_document_seconds"),
    ),
)  # fmt: skip
def chunks(run: StageRun) -> StageOutput:
    """Chunks of 180-240 tokens that overlap; each table row is one chunk with its header."""
    params, book, seconds = run.params.chunking, TokenBook(), dict[str, float]()
    asked = questions_asked(run["rfp_chunks"]) if run.bidder else {}
    frame = chunk_blocks(
        run["blocks"], run["pages"], params,
        adapters=dict(run["documents"].select("doc_id", "adapter").iter_rows()),
        asked=asked, book=book, progress=_timed(run, seconds),
    )  # fmt: skip
    proof = prove_coverage(run["blocks"], frame, params, book)
    message = (
        "; ".join(proof.gaps[:5])
        or f"{proof.tokens_covered} of {proof.tokens_total} tokens, {proof.rows_whole} of {proof.rows_total} rows"
    )
    metrics = chunk_metrics(frame, proof.tokens_total)
    checks = [CheckRecord("nothing_lost", not proof.gaps, message, blocking=True)]
    checks += [
        CheckRecord(alert.name, alert.passed, alert.message, severity=alert.severity)
        for alert in chunk_alerts(metrics, seconds, params)
    ]
    return StageOutput(frame, {**metrics.numbers(), "tokens": proof.tokens_total}, checks)


def _timed(run: StageRun, seconds: dict[str, float]) -> Callable[[str, int, int], None]:
    """Reports progress and notes how long each file took."""
    last = time.monotonic()

    def progress(file_name: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        seconds[file_name], last = now - last, now
        run.step(done, total)

    return progress


ASSETS = [*chunks]
