"""The seven chunk metrics, and which of them raise an alert."""

from __future__ import annotations

import polars as pl
import pytest
from block_builder import OWNER, block, chunked, prose

from bidproof.chunking import chunk_blocks, count_tokens
from bidproof.chunking.metrics import ChunkMetrics, chunk_alerts, chunk_metrics, embedding_alerts
from bidproof.params import ChunkingParams, DenseParams
from bidproof.retrieval import DenseIndex, build_dense_index
from bidproof.tables import BLOCKS, CHUNKS, PAGES

PARAMS = ChunkingParams()


def chunk(
    number: int,
    tokens: int,
    kind: str = "paragraph",
    quality: int = 100,
    ids: tuple[str, ...] = (),
    doc: str = "d0",
) -> dict:
    return {
        **OWNER, "doc_id": doc, "chunk_id": f"{doc}:p1_c{number:02d}", "page": 1, "pages": [1], "kind": "text", "content_type": kind,
        "text": "x " * tokens, "tokens": tokens, "quality": quality, "question_ids": list(ids), "language": "en", "section_title": "",
    }  # fmt: skip


def metrics_of(*rows: dict, source: int = 0) -> ChunkMetrics:
    return chunk_metrics(CHUNKS.frame(list(rows)), source)


def test_sizes_types_quality_and_questions_are_counted():
    metrics = metrics_of(
        chunk(1, 40, "heading", 55), chunk(2, 200, quality=100), chunk(3, 240, "question", 85, ("Q1",)), chunk(4, 900, quality=100),
        source=1104,
    )  # fmt: skip
    assert (metrics.chunks, metrics.average_size, metrics.average_quality) == (4, 345.0, 85.0)
    assert (metrics.size_p10, metrics.size_median, metrics.size_p90) == (40.0, 240.0, 900.0)
    assert metrics.sizes == {"to_50": 1, "to_200": 1, "to_240": 1, "over_800": 1}
    assert metrics.content_types == {"paragraph": 2, "heading": 1, "question": 1}
    assert (metrics.question_rate, metrics.asking_rate) == (0.25, None)
    assert metrics.overlap_efficiency == 0.8
    assert metrics.numbers()["type_question"] == 1
    assert metrics.numbers()["tokens_over_800"] == 1


def test_overlap_efficiency_is_what_the_overlap_leaves_of_the_tokens():
    chunks = chunked([block(prose(60))])
    whole = chunk_metrics(chunks, count_tokens(prose(60)))
    assert 0.55 < whole.overlap_efficiency < 0.75
    assert metrics_of(chunk(1, 200), source=200).overlap_efficiency == 1


ASKED = [(f"Q{number}",) for number in range(1, 6)]


def test_the_question_rate_of_files_that_ask_little_does_not_count():
    asking = [chunk(n, 50, ids=ids, doc="d0") for n, ids in enumerate(ASKED)]
    asking += [chunk(n, 50, doc="d0") for n in range(5, 10)]
    other = [chunk(0, 50, ids=("Q1",), doc="d1"), *[chunk(n, 50, doc="d1") for n in range(1, 10)]]
    metrics = metrics_of(*asking, *other)
    assert (metrics.question_rate, metrics.asking_rate) == (0.3, 0.5)
    assert metrics_of(*other).asking_rate is None


def test_a_pack_without_chunks_has_metrics_and_no_alert():
    metrics = chunk_metrics(chunk_blocks(BLOCKS.empty(), PAGES.empty(), PARAMS), 0)
    assert (metrics.chunks, metrics.average_size, metrics.average_quality, metrics.asking_rate) == (
        0,
        0.0,
        0.0,
        None,
    )
    assert all(alert.passed for alert in chunk_alerts(metrics, {}, PARAMS))


def alerts(
    metrics: ChunkMetrics, seconds: dict[str, float] | None = None, params: ChunkingParams = PARAMS
) -> dict[str, tuple[bool, str]]:
    return {each.name: (each.passed, each.message) for each in chunk_alerts(metrics, seconds or {}, params)}


def test_an_average_quality_below_seventy_raises_an_alert():
    assert alerts(metrics_of(chunk(1, 50, quality=70)))["quality"][0]
    passed, message = alerts(metrics_of(chunk(1, 50, quality=69)))["quality"]
    assert not passed
    assert message.startswith("average quality 69, below 70")
    assert alerts(metrics_of(chunk(1, 50, quality=69)), params=ChunkingParams(min_average_quality=60))[
        "quality"
    ][0]


def test_few_questions_in_a_file_that_asks_raise_an_alert():
    asking = [chunk(n, 50, ids=ids) for n, ids in enumerate(ASKED)]
    rest = [chunk(n, 50) for n in range(5, 100)]
    passed, message = alerts(metrics_of(*asking, *rest))["questions_found"]
    assert not passed
    assert "5.0%" in message
    assert alerts(metrics_of(*asking, *rest[:45]))["questions_found"][0]
    assert alerts(metrics_of(*rest))["questions_found"] == (
        True,
        "no file asks the respondent five questions or more",
    )


def test_a_file_that_takes_over_thirty_seconds_raises_an_alert_that_names_it():
    metrics = metrics_of(chunk(1, 50))
    assert alerts(metrics, {"offer.pdf": 30.0})["chunking_time"] == (True, "slowest file 30.0 s")
    assert alerts(metrics, {"offer.pdf": 2.0, "plan.pdf": 30.1})["chunking_time"] == (
        False,
        "over 30 s: plan.pdf",
    )


def test_chunks_that_the_model_cuts_short_are_named():
    ids = [f"d0:p1_c{n:02d}" for n in range(40)]
    whole, share = embedding_alerts(ids, [], 256, 0.95)
    assert (whole.passed, share.passed, share.message) == (True, True, "100.0% of 40 chunks read whole")
    few, share = embedding_alerts(ids, ids[:2], 256, 0.95)
    assert (few.passed, few.severity, share.passed) == (False, "WARN", True)
    assert "2 chunks are longer than the 256 tokens that the model reads" in few.message
    assert "d0:p1_c00, d0:p1_c01" in few.message
    _, share = embedding_alerts(ids, ids[:3], 256, 0.95)
    assert (share.passed, share.severity, share.message) == (False, "ERROR", "92.5% of 40 chunks read whole")


def test_no_dense_leg_is_no_failure():
    assert [(each.passed, each.message) for each in embedding_alerts([], [], 0, 0.95)] == [
        (True, "the dense leg is off")
    ] * 2


class Reader:
    """An embedder that reads 256 tokens, one a word, as the packaged one does without saying so."""

    name, fingerprint, dimensions, max_tokens, languages = "reader", "0", 2, 256, frozenset[str]()

    def token_counts(self, texts: list[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def encode(self, texts: list[str]) -> object:
        import numpy as np

        return np.ones((len(texts), 2), dtype=np.float32)


def test_a_fact_beyond_what_the_embedder_reads_fails_a_check():
    # T30: the fact stands at token 400 of a chunk, the model reads 256.
    text = "filler " * 400 + "ninety days"
    chunks = CHUNKS.frame([{**chunk(1, 402), "text": text}, chunk(2, 200)])
    index = DenseIndex.from_table(build_dense_index(chunks, Reader(), DenseParams(), None))
    embeddable, _ = embedding_alerts(index.chunk_ids, index.over_limit, index.meta["max_tokens"], 0.95)
    assert not embeddable.passed
    assert "d0:p1_c01" in embeddable.message
    assert "lower chunking.max_tokens" in embeddable.message


@pytest.mark.parametrize("profile", ["standard", "large"])
def test_the_standard_profile_stays_below_the_packaged_models_limit_and_the_large_does_not(profile):
    chunks = chunked([block(prose(120))], ChunkingParams(profile=profile))
    assert (chunks.filter(pl.col("tokens") > 254).height > 0) == (profile == "large")
