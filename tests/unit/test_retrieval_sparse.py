"""The leg of a sparse model: terms that a chunk never says find it, and without a model nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from bid_pack_builder import chunk_row

from bidproof.errors import BadInputError
from bidproof.params import Params, RetrievalParams
from bidproof.records import Requirement
from bidproof.retrieval import LexicalIndex, build_lexical_index, find_candidates, search
from bidproof.retrieval.minilm import model_folder
from bidproof.retrieval.sparse import SparseModel, Weights
from bidproof.tables import CHUNKS, FACTS, TAGS

RULE = Requirement(rule_id="R1", area="Team", mandatory=True, text="A physician is on call.")
CHUNKS_OF_THE_PACK = CHUNKS.frame([
    chunk_row(1, "Our doctor answers at any hour."),
    chunk_row(2, "The site is on level ground.", page=2),
    chunk_row(3, "A physician writes the report.", page=3),
    *(chunk_row(n, f"Works programme, stage {n}, with its plant and crews.", page=n) for n in range(4, 12)),
])  # fmt: skip
DOCTOR = "d1:p1_c01"


class _Thesaurus:
    """An encoder that gives a doctor the term of a physician, as a learned one would."""

    name, fingerprint = "thesaurus", "thesaurus:1"

    def passages(self, texts: Sequence[str]) -> list[Weights]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> Weights:
        words = text.lower().replace(".", "").split()
        return {
            **dict.fromkeys(words, 0.1), **({"physician": 2.0} if {"doctor", "physician"} & set(words) else {})
        }  # fmt: skip


def _params(model: str = "thesaurus", **given: object) -> RetrievalParams:
    return Params.model_validate({"retrieval": {"sparse_model": model, **given}}).retrieval


def _found(params: RetrievalParams, table: pl.DataFrame | None = None) -> pl.DataFrame:
    index = LexicalIndex.from_table(
        build_lexical_index(CHUNKS_OF_THE_PACK, params) if table is None else table
    )
    return find_candidates(
        [RULE], CHUNKS_OF_THE_PACK, FACTS.empty(), TAGS.empty(), index, None, None, CHUNKS.empty(), params
    )


@pytest.fixture
def thesaurus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bidproof.retrieval.lexical.sparse_model", lambda _: _Thesaurus())


@pytest.mark.usefixtures("thesaurus")
@pytest.mark.parametrize("fusion", ["scores", "ranks"])
def test_a_chunk_that_only_the_sparse_leg_finds_is_a_candidate(fusion: str) -> None:
    found = _found(_params(fusion=fusion, relevance_top=0))
    row = found.filter(pl.col("chunk_id") == DOCTOR).row(0, named=True)
    assert (row["bm25_rank"], row["dense_rank"], row["sparse_rank"]) == (None, None, 2)
    assert row["sparse_score"] == pytest.approx(4.0)
    parts = [name for name in found.columns if name.startswith("score_")]
    assert found.select(pl.sum_horizontal(parts)).to_series().to_list() == pytest.approx(
        found["evidence_score"].to_list()
    )


@pytest.mark.usefixtures("thesaurus")
def test_a_search_by_people_finds_it_too() -> None:
    params = _params()
    index = LexicalIndex.from_table(build_lexical_index(CHUNKS_OF_THE_PACK, params))
    hits = {
        hit.chunk_id: hit for hit in search("physician", CHUNKS_OF_THE_PACK, index, None, None, 3, params)
    }
    assert hits[DOCTOR].scores["sparse"] == pytest.approx(4.0)
    assert hits[DOCTOR].reasons == ("sparse rank 1 (4.000)",)


@pytest.mark.usefixtures("thesaurus")
def test_its_share_says_how_much_it_counts_beside_bm25() -> None:
    def lexical(share: float) -> float:
        found = _found(_params(sparse_share=share))
        return float(found.filter(pl.col("chunk_id") == DOCTOR)["score_lexical"][0])

    assert lexical(0.0) < 0 < lexical(0.5) < lexical(1.0)
    assert lexical(0.5) == pytest.approx((lexical(0.0) + lexical(1.0)) / 2)


@pytest.mark.usefixtures("thesaurus")
def test_the_sparse_index_is_the_same_bytes_whatever_the_order_of_chunks() -> None:
    built = build_lexical_index(CHUNKS_OF_THE_PACK, _params())
    assert built["name"].str.starts_with("sparse_").sum() == 5
    assert built.equals(build_lexical_index(CHUNKS_OF_THE_PACK.reverse(), _params()))


def test_without_a_sparse_model_there_is_no_such_index_and_no_such_score() -> None:
    params = _params("")
    built = build_lexical_index(CHUNKS_OF_THE_PACK, params)
    assert not built["name"].str.starts_with("sparse_").any()
    found = _found(params, built)
    assert found["sparse_rank"].null_count() == found["sparse_score"].null_count() == found.height > 0


@pytest.mark.usefixtures("thesaurus")
def test_an_index_without_the_model_or_of_another_is_refused() -> None:
    with pytest.raises(ValueError, match="no sparse model, asked by thesaurus: build it again"):
        _found(_params(), build_lexical_index(CHUNKS_OF_THE_PACK, _params("")))
    built = build_lexical_index(CHUNKS_OF_THE_PACK, _params())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Thesaurus, "fingerprint", "thesaurus:2")
        with pytest.raises(ValueError, match="index of thesaurus, asked by thesaurus"):
            _found(_params(), built)


def test_a_sparse_model_of_sentence_transformers_is_read_from_its_folder(tmp_path: Path) -> None:
    """Word pieces with weights of their own, as the query side of an inference-free SPLADE has them."""
    import torch
    from sentence_transformers import SparseEncoder
    from sentence_transformers.sparse_encoder.modules import SparseStaticEmbedding
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(model_folder()))
    weights = torch.ones(len(tokenizer.get_vocab()))
    for word, weight in (("physician", 3.0), ("on", 0.0), (".", 0.0), ("a", 0.0), ("is", 0.0)):
        weights[tokenizer.convert_tokens_to_ids(word)] = weight
    SparseEncoder(modules=[SparseStaticEmbedding(tokenizer, weights, frozen=True)]).save(
        str(tmp_path / "idf")
    )
    model = SparseModel(str(tmp_path / "idf"))
    assert model.query("A physician is on call.") == {"physician": 3.0, "call": 1.0}
    assert model.passages(["Physician.", "On level ground.", ""]) == [
        {"physician": 3.0}, {"level": 1.0, "ground": 1.0}, {},
    ]  # fmt: skip
    found = _found(_params(str(tmp_path / "idf")))
    best = found.filter(pl.col("sparse_rank") == 1).row(0, named=True)
    assert (best["chunk_id"], best["sparse_score"]) == ("d1:p3_c03", 9.0)


def test_a_sparse_model_that_cannot_be_loaded_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"retrieval\.sparse_model="):
        SparseModel(str(tmp_path / "nothing")).query("A physician")
