"""Windows: a rule's words count where they stand together, and a table row is one place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from bidproof.params import Params
from bidproof.records import Requirement
from bidproof.retrieval import LexicalIndex, build_lexical_index, find_candidates, kept_lexical_index
from bidproof.tables import CHUNKS, FACTS, TAGS

RULE = Requirement(
    rule_id="R1", area="Delivery", mandatory=True,
    text="Spare batteries are stored in a heated warehouse near the harbour.",
)  # fmt: skip
TOGETHER = "Spare batteries lie in our heated warehouse near the harbour."
FILLER = "Lorem dolor amet elit tempor labore magna aliqua veniam nostrud ullamco laboris commodo consequat irure. "
APART = (
    f"Spare parts are plenty. {FILLER * 2}Batteries last long. {FILLER * 2}Our office is heated. {FILLER * 2}"
    f"A warehouse was sold. {FILLER * 2}The hotel lies near the harbour."
)


def _index(*texts: str, kind: str = "text", window: int = 20) -> LexicalIndex:
    return LexicalIndex.from_table(
        build_lexical_index(
            _chunks(texts, kind), Params().retrieval.model_copy(update={"term_window": window})
        )
    )


def _chunks(texts: Sequence[str], kind: str = "text", title: str = "") -> pl.DataFrame:
    return CHUNKS.frame([
        {
            "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "d1", "file_name": "d1.pdf",
            "chunk_id": f"d1:p{number}_c01", "page": number, "pages": [number], "heading_path": title,
            "section_no": "", "section_title": title, "kind": kind, "text": text, "tokens": 50, "body_start": 0,
            "spans": [], "language": "en", "references": [], "quality": 80,
        }
        for number, text in enumerate(texts, 1)
    ])  # fmt: skip


def _terms_score(*texts: str, kind: str = "text") -> list[float]:
    """Points for terms of each text, in the order given."""
    chunks = _chunks(texts, kind)
    found = find_candidates(
        [RULE], chunks, FACTS.empty(), TAGS.empty(),
        LexicalIndex.from_table(build_lexical_index(chunks, Params().retrieval)), None, None, CHUNKS.empty(),
        Params().retrieval,
    )  # fmt: skip
    points = dict(found.select("chunk_id", "score_terms").iter_rows())
    return [points[f"d1:p{number}_c01"] for number in range(1, len(texts) + 1)]


def test_words_of_a_rule_in_one_sentence_earn_more_than_the_same_words_all_over_a_long_text() -> None:
    together, apart = _terms_score(TOGETHER, APART)
    assert together > 2 * apart > 0


def test_a_long_text_with_the_sentence_in_it_earns_as_much_as_the_sentence_alone() -> None:
    alone, within, at_the_end = _terms_score(
        TOGETHER, f"{FILLER * 2}{TOGETHER} {FILLER}", FILLER * 3 + TOGETHER
    )
    assert within == pytest.approx(alone)
    assert at_the_end == pytest.approx(alone)


def test_the_cells_of_a_long_table_row_stand_together() -> None:
    row, text = _terms_score(APART, kind="row"), _terms_score(APART)
    assert row[0] > 2 * text[0]


def test_windows_are_half_a_window_apart_and_the_last_ends_with_its_chunk() -> None:
    index = _index("one two three four five six seven", "eight", window=4)
    windows = index.windows
    assert windows.count == 4
    assert index.nearby("three", 0.25).tolist() == [1.0, 1.0, 0.0, 0.0]
    assert index.nearby("seven", 0.25).tolist() == [0.0, 0.0, 1.0, 0.0]
    assert index.nearby("eight", 0.25).tolist() == [0.0, 0.0, 0.0, 1.0]
    assert index.nearby("nowhere", 0.25).tolist() == [0.0] * 4
    assert windows.best(np.array([0.0, 2.0, 1.0, 3.0])).tolist() == [2.0, 3.0]


def test_a_term_that_stands_above_a_chunk_only_counts_for_a_share_in_each_of_its_windows() -> None:
    chunks = _chunks(["one two three four five six"], title="Harbour")
    index = LexicalIndex.from_table(
        build_lexical_index(chunks, Params().retrieval.model_copy(update={"term_window": 4}))
    )
    assert index.nearby("harbour", 0.25).tolist() == [0.25, 0.25]


def test_no_chunks_and_a_chunk_without_words_have_windows_that_hold_nothing() -> None:
    assert LexicalIndex.from_table(build_lexical_index(_chunks([]), Params().retrieval)).windows.count == 0
    silent = _index("", "one")
    assert silent.windows.count == 2
    assert silent.windows.best(silent.nearby("one", 0.25)).tolist() == [0.0, 1.0]


class _Shelf(dict[str, bytes]):
    """A cache in memory."""

    def put(self, key: str, content: bytes) -> None:
        self[key] = content


def test_another_weight_of_the_ranking_builds_no_index_anew_and_another_window_does() -> None:
    chunks, shelf, params = _chunks([TOGETHER, APART]), _Shelf(), Params().retrieval
    first = kept_lexical_index(chunks, params, shelf, "chunks 1")
    assert first.equals(build_lexical_index(chunks, params))
    assert kept_lexical_index(
        chunks, params.model_copy(update={"score_term": 0.5}), shelf, "chunks 1"
    ).equals(first)
    assert len(shelf) == 1
    other = kept_lexical_index(chunks, params.model_copy(update={"term_window": 5}), shelf, "chunks 1")
    assert not other.equals(first)
    kept_lexical_index(chunks, params, shelf, "chunks 2")
    assert len(shelf) == 3


def test_a_kept_index_that_was_cut_short_is_made_anew() -> None:
    chunks, shelf, params = _chunks([TOGETHER]), _Shelf(), Params().retrieval
    first = kept_lexical_index(chunks, params, shelf, "chunks")
    for key, content in shelf.items():
        shelf[key] = content[: len(content) // 2]
    assert kept_lexical_index(chunks, params, shelf, "chunks").equals(first)
