"""The two legs and their fusion: what is found, what is never dropped, and the same bytes each time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bidproof.errors import BadInputError
from bidproof.params import Params
from bidproof.retrieval import (
    DenseIndex,
    HubModel,
    LexicalIndex,
    PackagedMiniLM,
    build_dense_index,
    build_lexical_index,
)
from bidproof.retrieval.embedding import KeptVectors, Role, encode_documents, make_embedder, prefix_of
from bidproof.retrieval.fusion import ranks_of, reciprocal_rank_fusion
from bidproof.retrieval.minilm import checked_weights, model_folder
from bidproof.tables import CHUNKS, DENSE_INDEX, LEXICAL_INDEX

PARAMS = Params()


def _chunk(
    number: int, text: str, *, doc: str = "d1", page: int = 1, heading: str = "", language: str = "en"
) -> dict[str, object]:
    return {
        "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": doc, "file_name": f"{doc}.pdf",
        "chunk_id": f"{doc}:p{page}_c{number:02}", "page": page, "pages": [page], "heading_path": heading, "section_no": "",
        "section_title": heading, "kind": "text", "text": text, "tokens": len(text.split()), "body_start": 0, "spans": [],
        "language": language, "references": [], "quality": 80,
    }  # fmt: skip


def _chunks(*texts: str) -> pl.DataFrame:
    return CHUNKS.frame([_chunk(number, text) for number, text in enumerate(texts)])


class _Letters:
    """An embedder whose vectors can be worked out by hand: counts of letters; remembers what it was asked."""

    name, fingerprint, dimensions, max_tokens, languages = "letters", "letters:1", 26, 6, frozenset({"en"})

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str], role: Role = "passage") -> np.ndarray:
        self.calls.append(list(texts))
        counts = np.array(
            [[text.lower().count(chr(97 + place)) for place in range(26)] for text in texts], dtype=np.float32
        )
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class _Memory:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self.kept.get(key)

    def put(self, key: str, content: bytes) -> None:
        self.kept[key] = content


# Lexical leg


def _lexical(chunks: pl.DataFrame) -> LexicalIndex:
    return LexicalIndex.from_table(build_lexical_index(chunks, PARAMS.retrieval))


@pytest.mark.parametrize("query", ["BS-1", "bs 1", "bs1"])
def test_a_form_is_found_by_any_spelling_of_its_code(query: str) -> None:  # T26
    index = _lexical(_chunks("Form BS-1 is signed.", "Form PV-2 is signed.", "Delivery in 1 week."))
    assert index.search(query, 10)[0].chunk_id == "d1:p1_c00"


@pytest.mark.parametrize("query", ["IEC 62053-21", "62053-21", "62053"])
def test_a_standard_is_found_whole_or_by_its_number(query: str) -> None:  # T26
    index = _lexical(
        _chunks("Meters to IEC 62053-21, class 1.", "Meters to IEC 62056-21.", "Warranty 24 months.")
    )
    assert index.search(query, 10)[0].chunk_id == "d1:p1_c00"


def test_an_amount_in_a_single_table_row_is_found() -> None:  # T28
    texts = [
        f"General remarks on delivery, number {number}, with 106 items and 500 pages." for number in range(40)
    ]
    index = _lexical(_chunks(*texts, "Item | Price\nTotal | $1,106,500"))
    assert index.search("$1,106,500", 5)[0].chunk_id == "d1:p1_c40"


def test_a_heading_is_found_with_its_chunk() -> None:
    chunks = CHUNKS.frame(
        [_chunk(0, "Compliant.", heading="4.2 Warranty"), _chunk(1, "Compliant.", heading="4.3 Training")]
    )
    assert [hit.chunk_id for hit in _lexical(chunks).search("training", 5)] == ["d1:p1_c01"]


def test_a_hit_shares_a_term_and_equal_hits_stand_by_id() -> None:
    index = _lexical(_chunks("bank guarantee", "bank guarantee", "delivery note", "bank guarantee"))
    hits = index.search("guarantee", 10)
    assert [hit.chunk_id for hit in hits] == ["d1:p1_c00", "d1:p1_c01", "d1:p1_c03"]
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert len({hit.score for hit in hits}) == 1
    assert index.search("unheard", 10) == []
    assert [hit.chunk_id for hit in index.search(["bank", "delivery"], 1)] == ["d1:p1_c02"]


def test_french_chunks_are_stemmed_as_french() -> None:
    chunks = CHUNKS.frame(
        [
            _chunk(0, "Les soumissionnaires joignent une garantie bancaire.", language="fr"),
            _chunk(1, "The schedule of delivery.", language="en"),
        ]
    )
    index = _lexical(chunks)
    assert index.languages == ("en", "fr")
    assert index.search("garanties bancaires", 5)[0].chunk_id == "d1:p1_c00"


def test_the_lexical_index_is_the_same_bytes_whatever_the_order_of_chunks() -> None:
    chunks = _chunks("bid security 2%", "validity 90 days", "warranty", "bid validity")
    once, again = (
        build_lexical_index(chunks, PARAMS.retrieval),
        build_lexical_index(chunks.sample(fraction=1, shuffle=True, seed=3), PARAMS.retrieval),
    )
    assert once.equals(again)
    assert once.schema == LEXICAL_INDEX.schema
    assert once["pack"].unique().to_list() == ["t--b"]


def test_an_empty_pack_has_an_index_that_finds_nothing() -> None:
    index = _lexical(CHUNKS.empty())
    assert index.search("anything", 5) == []
    assert LexicalIndex.from_table(LEXICAL_INDEX.empty()).search("anything", 5) == []
    assert _lexical(_chunks("", "…")).search("anything", 5) == []


# Fusion


def test_what_only_one_leg_found_is_kept() -> None:
    fused = reciprocal_rank_fusion(
        {"bm25": {7: 1, 8: 2}, "dense": {8: 1}, "tags": {}}, {"bm25": 1, "dense": 1, "tags": 0.5}, 60
    )
    assert set(fused) == {7, 8}
    assert fused[8] == pytest.approx(1 / 62 + 1 / 61)
    assert fused[7] == pytest.approx(1 / 61)


def test_a_pool_is_ranked_so_that_its_tail_stays_below_a_true_hit() -> None:
    pool = ranks_of(range(100, 400))
    fused = reciprocal_rank_fusion(
        {"bm25": ranks_of(range(30)), "tags": pool}, {"bm25": 1.0, "tags": 0.5}, 60
    )
    assert len({pool[item] for item in pool}) == 300
    assert fused[29] > fused[160]
    assert sum(fused[item] > fused[29] for item in pool) == 0


def test_a_leg_of_no_weight_still_keeps_its_finds() -> None:
    assert reciprocal_rank_fusion({"dense": {3: 1}}, {"dense": 0.0}, 60) == {3: 0.0}


# Dense leg


def test_the_nearest_vector_comes_first() -> None:
    embedder = _Letters()
    table = build_dense_index(_chunks("aaa", "bbb", "ab"), embedder, PARAMS.dense)
    hits = DenseIndex.from_table(table).search(embedder.encode(["a"]), 2)[0]
    assert [(hit.chunk_id, hit.rank) for hit in hits] == [("d1:p1_c00", 1), ("d1:p1_c02", 2)]
    assert hits[1].score == pytest.approx(0.5**0.5, abs=1e-6)


def test_a_dense_leg_that_is_off_is_one_marker_row_and_finds_nothing() -> None:
    table = build_dense_index(_chunks("aaa"), None, PARAMS.dense)
    assert table["name"].to_list() == ["disabled"]
    assert table.schema == DENSE_INDEX.schema
    index = DenseIndex.from_table(table)
    assert not index
    assert index.search(None, 5) == []
    assert index.search(np.zeros((2, 26), dtype=np.float32), 5) == [[], []]


def test_an_empty_pack_has_a_dense_index_that_finds_nothing() -> None:
    index = DenseIndex.from_table(build_dense_index(CHUNKS.empty(), _Letters(), PARAMS.dense))
    assert index.search(np.zeros((1, 26), dtype=np.float32), 5) == [[]]


def test_a_text_longer_than_the_model_reads_is_reported() -> None:
    table = build_dense_index(_chunks("a b c", "one two three four five six seven"), _Letters(), PARAMS.dense)
    assert DenseIndex.from_table(table).over_limit == ["d1:p1_c01"]


def test_a_title_never_pushes_the_text_over_the_limit() -> None:
    embedder = _Letters()
    chunks = CHUNKS.frame([_chunk(0, "a b c d e", heading="Long title"), _chunk(1, "a b", heading="Title")])
    table = build_dense_index(chunks, embedder, PARAMS.dense)
    assert DenseIndex.from_table(table).over_limit == []
    assert embedder.calls[0] == ["a b c d e", "Title\na b"]


def test_chunks_in_a_language_that_the_model_does_not_know_are_counted() -> None:
    chunks = CHUNKS.frame([_chunk(0, "aaa", language="fr"), _chunk(1, "bbb"), _chunk(2, "ccc", language="")])
    assert DenseIndex.from_table(build_dense_index(chunks, _Letters(), PARAMS.dense)).uncovered == {"fr": 1}


def test_vectors_of_another_model_are_refused() -> None:
    index = DenseIndex.from_table(build_dense_index(_chunks("aaa"), _Letters(), PARAMS.dense))
    with pytest.raises(ValueError, match="one model for both"):
        index.search(np.zeros((1, 384), dtype=np.float32), 5)


def test_the_dense_index_is_the_same_bytes_whatever_the_order_of_chunks() -> None:
    rows = [
        _chunk(number, text, doc=doc)
        for doc in ("d1", "d2")
        for number, text in enumerate(["aaa", "bcd", "xyz"])
    ]
    once = build_dense_index(CHUNKS.frame(rows), _Letters(), PARAMS.dense)
    assert once.equals(build_dense_index(CHUNKS.frame(rows[::-1]), _Letters(), PARAMS.dense))


def test_a_killed_run_goes_on_where_it_stopped_with_the_same_vectors() -> None:
    documents = [[f"text {number} {'x' * (number % 7)}" for number in range(150)], ["alone"]]
    cache, first = _Memory(), _Letters()
    whole = encode_documents(documents, first, cache)
    assert [len(call) for call in first.calls] == [64, 64, 22, 1]
    lost, second = sorted(cache.kept)[0], _Letters()
    cut = dict(cache.kept)
    cut[lost] = cut[lost][:40]
    again = _Memory()
    again.kept = cut
    assert np.array_equal(encode_documents(documents, second, again), whole)
    assert len(second.calls) == 1


def test_a_document_in_two_packs_is_encoded_once() -> None:
    cache, embedder = _Memory(), _Letters()
    encode_documents([["a", "b"]], embedder, cache)
    encode_documents([["c"], ["a", "b"]], embedder, cache)
    assert embedder.calls == [["a", "b"], ["c"]]


# Models


@pytest.fixture(scope="module")
def packaged() -> PackagedMiniLM:
    return PackagedMiniLM("fp32")


def test_the_packaged_model_gives_the_vectors_of_sentence_transformers(packaged: PackagedMiniLM) -> None:
    texts = ["Bid security of 2% of the total price.", "Garantie de soumission", "word " * 400]
    found = packaged.encode(texts)
    expected = HubModel(str(model_folder())).encode(texts)
    assert found.shape == (3, 384)
    assert np.abs(found - expected).max() < 1e-5
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_query_vector_does_not_depend_on_the_other_rules(packaged: PackagedMiniLM) -> None:
    rules = ["Bid security: 2%", "Warranty of at least twenty-four months from acceptance", "ISO 9001"]
    together, alone = packaged.encode(rules, "query"), packaged.encode(rules[:1], "query")
    assert np.array_equal(together[0], alone[0])


def test_the_packaged_model_says_what_it_cannot_read(packaged: PackagedMiniLM) -> None:
    assert packaged.token_counts(["one two", "word " * 300]) == [4, 302]
    assert packaged.max_tokens == 256
    assert packaged.languages == {"en"}
    assert packaged.encode([]).shape == (0, 384)


def test_other_weights_than_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other")
    with pytest.raises(BadInputError, match="SHA-256"):
        checked_weights(tmp_path)
    with pytest.raises(BadInputError, match="cannot be read"):
        checked_weights(tmp_path / "nowhere")


def test_a_model_that_cannot_be_loaded_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"dense\.model"):
        HubModel(str(tmp_path)).encode(["text"])


def test_the_e5_family_gets_its_prefixes_and_others_none() -> None:
    assert prefix_of("intfloat/multilingual-e5-small", "query") == "query: "
    assert prefix_of("/models/multilingual-e5-small", "passage") == "passage: "
    assert prefix_of("intfloat/multilingual-e5-large-instruct", "query") == ""
    assert prefix_of("BAAI/bge-m3", "query") == ""


def test_the_parameters_name_the_embedder() -> None:
    dense = PARAMS.dense
    assert make_embedder(dense.model_copy(update={"enabled": False})) is None
    assert isinstance(make_embedder(dense), PackagedMiniLM)
    other = make_embedder(dense.model_copy(update={"model": "intfloat/multilingual-e5-small"}))
    assert isinstance(other, HubModel)
    assert other.name == "intfloat/multilingual-e5-small"


def test_the_fingerprint_names_model_weights_precision_and_batch() -> None:
    assert (
        PackagedMiniLM("bf16", 8).fingerprint
        != PackagedMiniLM("fp32", 8).fingerprint
        != PackagedMiniLM("fp32", 16).fingerprint
    )
    meta = DenseIndex.from_table(build_dense_index(_chunks("aaa"), _Letters(), PARAMS.dense)).meta
    assert meta["model"] == "letters"
    assert json.dumps(meta)


def test_vectors_that_are_kept_load_nothing_and_damaged_ones_are_made_anew() -> None:
    embedder, cache = _Letters(), _Memory()

    def kept(model: str = "m:1") -> KeptVectors:
        """As the next run has it."""
        return KeptVectors(embedder, cache, model, embedder.dimensions)

    first = kept().of(["a", "b"], "query")
    assert np.array_equal(kept().of(["b", "a", "b"], "query"), first[[1, 0, 1]])
    assert embedder.calls == [["a"], ["b"]]
    kept("m:2").of(["a"], "query")
    kept().of(["a"], "passage")
    assert embedder.calls[2:] == [["a"], ["a"]]
    assert kept().of([], "passage").shape == (0, embedder.dimensions)
    cache.kept = {key: content[:-1] for key, content in cache.kept.items()}
    assert np.array_equal(kept().of(["a", "b"], "query"), first)
    alone = KeptVectors(embedder, None, "m:1", embedder.dimensions)
    assert np.array_equal(alone.of(["a", "b"], "query"), first)
