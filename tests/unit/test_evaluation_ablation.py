"""Legs alone and together by language: where a fusion hurts one language, its row says so."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from bidproof.evaluation import LabelledQuery, leg_ablation
from bidproof.params import Params
from bidproof.retrieval import DenseIndex, LexicalIndex, build_dense_index, build_lexical_index
from bidproof.tables import CHUNKS

PARAMS = Params()


class EnglishOnly:
    """Reads English by its key word and takes any French for noise about seals."""

    name, fingerprint, dimensions, max_tokens, languages = "en", "en:1", 3, 99, frozenset({"en"})

    def encode(self, texts, role="passage"):
        rows = [[float("meter" in t), float("seal" in t or "é" in t), 0.1] for t in map(str.lower, texts)]
        vectors = np.array(rows, dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def token_counts(self, texts):
        return [len(text.split()) for text in texts]


def chunk(number, text, language):
    return {
        "pack": "t--b", "doc_id": "d1", "file_name": "d1.pdf", "chunk_id": f"d1:p1_c{number:02}", "page": 1, "pages": [1],
        "heading_path": "", "kind": "text", "text": text, "tokens": len(text.split()), "body_start": 0, "spans": [],
        "language": language, "references": [], "quality": 80,
    }  # fmt: skip


@pytest.fixture(scope="module")
def table():
    texts = [
        ("Meters are tested before delivery.", "en"),
        ("Seals are numbered one by one.", "en"),
        ("Every seal is replaced free of charge.", "en"),
        ("La garantie légale couvre les compteurs livrés.", "fr"),
    ]
    chunks = CHUNKS.frame([chunk(number, *each) for number, each in enumerate(texts)])
    lexical = LexicalIndex.from_table(build_lexical_index(chunks, PARAMS.retrieval))
    dense = DenseIndex.from_table(build_dense_index(chunks, EnglishOnly(), PARAMS.dense))
    queries = [
        LabelledQuery(text="meter tests", language="en", relevant=("d1:p1_c00",)),
        LabelledQuery(text="garantie des compteurs livrés", language="fr", relevant=("d1:p1_c03",)),
    ]
    return leg_ablation(queries, lexical, dense, EnglishOnly(), PARAMS.retrieval)


def row(table, language, leg):
    return table.filter((pl.col("language") == language) & (pl.col("leg") == leg)).to_dicts()[0]


def test_each_language_has_its_row_for_each_leg(table):  # T29
    assert table.select("language", "leg").rows() == [
        ("en", "bm25"), ("en", "dense"), ("en", "fused"), ("fr", "bm25"), ("fr", "dense"), ("fr", "fused"),
    ]  # fmt: skip
    assert table["n"].to_list() == [1] * 6


def test_a_leg_that_cannot_read_a_language_shows_its_loss_there_only(table):  # T29
    assert row(table, "en", "dense")["loss"] == 0
    assert row(table, "fr", "bm25")["mrr"] == 1
    assert row(table, "fr", "dense")["mrr"] == pytest.approx(1 / 3)
    assert row(table, "fr", "dense")["loss"] == pytest.approx(2 / 3)


def test_a_query_that_no_leg_answers_counts_as_nothing_found():
    chunks = CHUNKS.frame([chunk(0, "Meters are tested.", "en")])
    lexical = LexicalIndex.from_table(build_lexical_index(chunks, PARAMS.retrieval))
    query = LabelledQuery(text="bid bond", language="en", relevant=("d1:p1_c00",))
    found = leg_ablation([query], lexical, None, None, PARAMS.retrieval)
    assert found.select("leg", "mrr", "hit").rows() == [("bm25", 0.0, 0.0), ("fused", 0.0, 0.0)]
