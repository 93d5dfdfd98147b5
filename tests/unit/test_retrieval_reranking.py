"""Statements about ranking by a cross-encoder: a real one of a few thousand weights, built in the test."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from bid_pack_builder import FILLER, SECURITY, BidPack, bid_rule, chunk_row
from cross_encoder_builder import tiny_cross_encoder

from bidproof.errors import BadInputError
from bidproof.model_files import folder_digest
from bidproof.params import Params, RetrievalParams
from bidproof.retrieval import (
    CrossEncoderModel,
    LexicalIndex,
    SecondLook,
    build_lexical_index,
    find_candidates,
    make_reranker,
    without_part,
)
from bidproof.retrieval.reranking import CachedReranker

WARRANTY = bid_rule("The warranty lasts at least 24 months.", rule_id="R2")
TEXTS = (
    "The bid security is 2% of the total price and is valid for 90 days.",
    "The warranty lasts 24 months from acceptance.",
    "Our company was founded in many towns.",
    "A bid bond of two percent of the price is enclosed.",
    "Staff are trained each year for warranty works.",
    "The certificate of quality management is renewed.",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_cross_encoder(tmp_path_factory.mktemp("cross") / "tiny")


@pytest.fixture(scope="module")
def model(folder: Path) -> CrossEncoderModel:
    return CrossEncoderModel(str(folder))


def _pack() -> BidPack:
    rows = [chunk_row(n, f"{text} {FILLER}", page=n + 1) for n, text in enumerate(TEXTS)]
    return BidPack(rows)


def _found(look: SecondLook | None = None, **knobs: object) -> pl.DataFrame:
    pack, params = _pack(), Params().retrieval.model_copy(update=knobs)
    lexical = LexicalIndex.from_table(build_lexical_index(pack.chunks, params))
    return find_candidates(
        [SECURITY, WARRANTY], pack.chunks, pack.facts, pack.tags, lexical, None, None, pack.rfp, params, look=look
    )  # fmt: skip


class _Counted:
    """A reranker that remembers what it was asked and scores by the length of a passage."""

    name = fingerprint = "counted"

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def scores(self, query, passages):
        self.asked.append((query, len(passages)))
        return np.array([float(len(passage)) for passage in passages])


class _Against:
    """A cross-encoder that thinks the opposite, so that one of the two must change any order."""

    name = fingerprint = "against"

    def __init__(self, model: CrossEncoderModel) -> None:
        self.model = model

    def scores(self, query, passages):
        return -self.model.scores(query, passages)


class _Memory(dict):
    def put(self, key: str, content: bytes) -> None:
        self[key] = content


def test_no_model_is_named_by_default() -> None:
    assert Params().retrieval.reranker == ""
    assert make_reranker(Params().retrieval) is None
    assert _found()["score_rerank"].to_list() == [0.0] * _found().height


def test_a_local_cross_encoder_scores_each_pair_of_rule_and_passage(
    model: CrossEncoderModel, folder: Path
) -> None:
    from sentence_transformers import CrossEncoder

    query = WARRANTY.text
    said = CrossEncoder(str(folder), device="cpu").predict([(query, text) for text in TEXTS])
    squashed = 1 / (1 + np.exp(-model.scores(query, TEXTS)))
    assert np.allclose(squashed, said, atol=1e-3)
    assert len(set(model.scores(query, TEXTS))) == len(TEXTS)


def test_the_order_of_the_passages_changes_no_score(model: CrossEncoderModel) -> None:
    forward = model.scores(SECURITY.text, TEXTS)
    assert list(model.scores(SECURITY.text, TEXTS[::-1])[::-1]) == list(forward)
    assert list(CrossEncoderModel(model.name).scores(SECURITY.text, TEXTS)) == list(forward)


def test_a_rule_without_candidates_loads_no_model() -> None:
    assert len(CrossEncoderModel("/no/such/folder").scores("rule", [])) == 0


def test_the_cross_encoder_ranks_the_same_candidates_anew(model: CrossEncoderModel) -> None:
    off, on = _found(), _found(SecondLook(reranker=model), score_rerank=50.0)
    for rule in (SECURITY, WARRANTY):
        before, after = (frame.filter(pl.col("rule_id") == rule.rule_id) for frame in (off, on))
        assert set(before["chunk_id"]) == set(after["chunk_id"])
        assert after["rank"].to_list() == list(range(1, after.height + 1))
        assert after["rerank_score"].to_list() == sorted(after["rerank_score"], reverse=True)
    against = _found(SecondLook(reranker=_Against(model)), score_rerank=50.0)
    for rule in (SECURITY, WARRANTY):
        one, other = (
            frame.filter(pl.col("rule_id") == rule.rule_id)["chunk_id"].to_list() for frame in (on, against)
        )
        assert one == other[::-1]


def test_its_points_are_a_named_part_of_the_evidence_score(model: CrossEncoderModel) -> None:
    on = _found(SecondLook(reranker=model))
    parts = [name for name in on.columns if name.startswith("score_")]
    total = on.select(pl.sum_horizontal(parts)).to_series()
    assert np.allclose(total, on["evidence_score"])
    assert on.filter(pl.col("score_rerank") != 0).height > 0


def test_without_its_part_the_candidates_stand_as_in_a_run_without_it(model: CrossEncoderModel) -> None:
    off, back = _found(), without_part(_found(SecondLook(reranker=model)), "score_rerank")
    same = [name for name in off.columns if name != "evidence_score"]
    assert back.select(same).equals(off.select(same))
    assert np.allclose(back["evidence_score"], off["evidence_score"])


def test_only_the_best_are_read_and_none_of_the_others_passes_them() -> None:
    counted = _Counted()
    off, on = _found(), _found(SecondLook(reranker=counted), rerank_top=2, score_rerank=9.0)
    assert [count for _, count in counted.asked] == [2, 2]
    for rule in ("R1", "R2"):
        before, after = (frame.filter(pl.col("rule_id") == rule) for frame in (off, on))
        assert set(after["chunk_id"][:2]) == set(before["chunk_id"][:2])
        assert after["chunk_id"].to_list()[2:] == before["chunk_id"].to_list()[2:]
        assert after["rerank_score"].is_not_null().sum() == 2


def test_other_weights_in_the_same_folder_are_another_model(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "tiny")
    assert CrossEncoderModel(str(copy)).fingerprint == CrossEncoderModel(str(folder)).fingerprint
    assert CrossEncoderModel(str(copy), "bf16").fingerprint != CrossEncoderModel(str(copy)).fingerprint
    before = folder_digest(str(copy))
    tiny_cross_encoder(copy, seed=1)
    assert folder_digest(str(copy)) != before
    assert CrossEncoderModel(str(copy)).fingerprint != CrossEncoderModel(str(folder)).fingerprint


def test_kept_scores_are_taken_for_the_same_query_and_passages_only() -> None:
    counted, kept = _Counted(), _Memory()
    first = CachedReranker(counted, kept).scores("rule", ["a", "bb"])
    again = CachedReranker(counted, kept).scores("rule", ["a", "bb"])
    assert list(first) == list(again) == [1.0, 2.0]
    assert len(counted.asked) == 1
    CachedReranker(counted, kept).scores("rule", ["a", "ccc"])
    assert len(counted.asked) == 2


def test_a_kept_score_cut_short_is_made_anew() -> None:
    counted, kept = _Counted(), _Memory()
    CachedReranker(counted, kept).scores("rule", ["a", "bb"])
    key = next(iter(kept))
    kept[key] = kept[key][:-4]
    assert list(CachedReranker(counted, kept).scores("rule", ["a", "bb"])) == [1.0, 2.0]
    assert len(counted.asked) == 2


def test_a_folder_without_a_model_is_refused_with_the_knob_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInputError, match=r"retrieval\.reranker=.*empty: cannot be loaded"):
        CrossEncoderModel(str(tmp_path / "empty")).scores("rule", ["passage"])


def test_a_model_of_three_classes_is_no_reranker(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="has 3 outputs"):
        CrossEncoderModel(str(tiny_cross_encoder(tmp_path / "nli", outputs=3))).scores("rule", ["passage"])


def test_the_parameters_name_the_reranker(folder: Path) -> None:
    params = RetrievalParams(reranker=str(folder))
    made = make_reranker(params, _Memory())
    assert made is not None
    assert made.name == str(folder)
    assert made.fingerprint == CrossEncoderModel(str(folder)).fingerprint
