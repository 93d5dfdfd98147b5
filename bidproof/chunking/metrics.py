"""Numbers on a pack's chunks and the thresholds that they are held to. Changes no chunk.

The seven metrics are average size, size distribution, overlap efficiency, content types, question rate,
average quality and embedding success; the last is known once the chunks are embedded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import polars as pl

from bidproof.params import ChunkingParams
from bidproof.records import Record

# Upper ends of the bands of the size distribution, in tokens.
_BANDS = (50, 100, 150, 200, 240, 400, 800)
_NAMED = 5
# Distinct questions from which a file is taken to be there to ask.
_QUESTIONNAIRE = 5


class ChunkMetrics(Record):
    """The metrics of one pack that are known from its chunks alone.

    `sizes` counts chunks by band of tokens (`to_50`, ..., `over_800`); `size_p10`, `size_median` and `size_p90` are
    tokens. `overlap_efficiency` is tokens of the source over tokens of all chunks: 1 repeats nothing, 0.65
    repeats a third and table headers. `question_rate` is the share of chunks that hold a question;
    `asking_rate` the same over the files that ask five questions or more, and empty where none does: a bid
    that asks nothing back is no fault.
    """

    chunks: int
    average_size: float
    size_p10: float
    size_median: float
    size_p90: float
    sizes: dict[str, int]
    overlap_efficiency: float
    content_types: dict[str, int]
    question_rate: float
    asking_rate: float | None
    average_quality: float

    def numbers(self) -> dict[str, int | float | str]:
        """The metrics flat, as they are plotted over time."""
        flat: dict[str, int | float | str] = {
            "chunks": self.chunks, "tokens_mean": self.average_size, "tokens_p10": self.size_p10,
            "tokens_median": self.size_median, "tokens_p90": self.size_p90, "overlap_efficiency": self.overlap_efficiency,
            "question_rate": self.question_rate, "quality_mean": self.average_quality,
        }  # fmt: skip
        flat |= {f"tokens_{band}": count for band, count in self.sizes.items()}
        return flat | {f"type_{name}": count for name, count in self.content_types.items()}


class Alert(Record):
    """A metric against its threshold."""

    name: str
    passed: bool
    message: str
    severity: Literal["WARN", "ERROR"] = "WARN"


def chunk_metrics(chunks: pl.DataFrame, source_tokens: int) -> ChunkMetrics:
    """Metrics of rows of `chunks`.

    Args:
        chunks: the rows.
        source_tokens: tokens of the blocks that they were cut from, each counted once.
    """
    sizes = chunks["tokens"].cast(pl.Float64)
    asks = chunks["question_ids"].list.len().fill_null(0) > 0
    asked = chunks.select("doc_id", pl.col("question_ids").alias("id")).explode("id").drop_nulls().unique()
    counts = asked.group_by("doc_id").len().filter(pl.col("len") >= _QUESTIONNAIRE)
    questionnaires = pl.col("doc_id").is_in(counts["doc_id"].to_list())
    asking = chunks.filter(questionnaires)
    held = asking.filter(pl.col("question_ids").list.len() > 0).height
    types = chunks["content_type"].value_counts().sort(["count", "content_type"], descending=[True, False])
    return ChunkMetrics(
        chunks=chunks.height,
        average_size=_rounded(sizes.mean()),
        size_p10=_rounded(sizes.quantile(0.1, "nearest")),
        size_median=_rounded(sizes.quantile(0.5, "nearest")),
        size_p90=_rounded(sizes.quantile(0.9, "nearest")),
        sizes=_bands(chunks["tokens"].to_list()),
        overlap_efficiency=round(source_tokens / max(int(sizes.sum()), 1), 4),
        content_types=dict(types.iter_rows()),
        question_rate=round(int(asks.sum()) / max(chunks.height, 1), 4),
        asking_rate=round(held / asking.height, 4) if asking.height else None,
        average_quality=_rounded(chunks["quality"].cast(pl.Float64).mean()),
    )


def _rounded(value: object) -> float:
    return round(float(value), 1) if isinstance(value, int | float) else 0.0


def _bands(sizes: Sequence[int]) -> dict[str, int]:
    found: dict[str, int] = {}
    below = 0
    for top in _BANDS:
        found[f"to_{top}"] = sum(below < size <= top for size in sizes)
        below = top
    found[f"over_{below}"] = sum(size > below for size in sizes)
    return {band: count for band, count in found.items() if count}


def chunk_alerts(
    metrics: ChunkMetrics, seconds: Mapping[str, float], params: ChunkingParams
) -> tuple[Alert, ...]:
    """The metrics of a pack against `params`: `quality`, `questions_found` and `chunking_time`.

    Args:
        metrics: of the pack.
        seconds: how long each file took, by file name.
        params: thresholds.
    """
    poor = metrics.chunks > 0 and metrics.average_quality < params.min_average_quality
    few = metrics.asking_rate is not None and metrics.asking_rate < params.min_question_rate
    slow = {name: took for name, took in seconds.items() if took > params.max_document_seconds}
    asked = (
        "no file asks the respondent five questions or more"
        if metrics.asking_rate is None
        else f"{metrics.asking_rate:.1%} of the chunks of files that ask much hold a question"
    )
    took = max(seconds.values(), default=0.0)
    return (
        Alert(
            name="quality", passed=not poor,
            message=f"average quality {metrics.average_quality:g}"
            + (f", below {params.min_average_quality:g}: look for garbled, blank or torn text" if poor else ""),
        ),
        Alert(
            name="questions_found", passed=not few,
            message=asked + (f", below {params.min_question_rate:.0%}: are some missed?" if few else ""),
        ),
        Alert(
            name="chunking_time", passed=not slow,
            message=f"over {params.max_document_seconds:g} s: {_listed(sorted(slow))}" if slow else f"slowest file {took:.1f} s",
        ),
    )  # fmt: skip


def embedding_alerts(
    chunk_ids: Sequence[str], cut_short: Sequence[str], limit: int, least: float
) -> tuple[Alert, ...]:
    """Whether the model read the chunks to their end: `embeddable` names those it did not, `embed_success` their share.

    Args:
        chunk_ids: chunks that were embedded; empty where the dense leg is off.
        cut_short: those of which the model dropped the end.
        limit: tokens that the model reads.
        least: share that must be read whole.
    """
    share = 1 - len(cut_short) / len(chunk_ids) if chunk_ids else 1.0
    named = (
        f"{len(cut_short)} chunks are longer than the {limit} tokens that the model reads, and it drops the rest: "
        f"{_listed(cut_short)}; lower chunking.max_tokens or take a model that reads more"
    )
    whole = f"{share:.1%} of {len(chunk_ids)} chunks read whole" if chunk_ids else "the dense leg is off"
    return (
        Alert(name="embeddable", passed=not cut_short, message=named if cut_short else whole),
        Alert(name="embed_success", passed=share >= least, message=whole, severity="ERROR"),
    )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
