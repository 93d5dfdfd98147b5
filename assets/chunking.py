"""Blocks to chunks, with the proof that no token of a citable block was lost on the way."""

from __future__ import annotations

from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.chunking import chunk_blocks, prove_coverage
from bidproof.store import CheckRecord


@stage_assets(
    "rfp_chunks", "chunks", group="reading", kinds={"polars", "parquet"},
    checks=(Check("nothing_lost", "Every token is in a chunk, every short span and every row is whole in one", blocking=True),),
)  # fmt: skip
def chunks(run: StageRun) -> StageOutput:
    """Chunks of 180-240 tokens that overlap; each table row is one chunk with its header."""
    frame = chunk_blocks(run["blocks"], run["pages"], run.params.chunking)
    proof = prove_coverage(run["blocks"], frame, run.params.chunking)
    message = (
        "; ".join(proof.gaps[:5])
        or f"{proof.tokens_covered} of {proof.tokens_total} tokens, {proof.rows_whole} of {proof.rows_total} rows"
    )
    metrics = {
        "chunks": frame.height,
        "tokens_mean": round(float(frame["tokens"].mean() or 0), 1),
        "tokens": proof.tokens_total,
    }
    return StageOutput(frame, metrics, [CheckRecord("nothing_lost", not proof.gaps, message, blocking=True)])


ASSETS = [*chunks]
