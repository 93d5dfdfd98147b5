"""Statements about learning from confirmed evidence: what a prototype is, and what it may change."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from bid_pack_builder import FILLER, PARAMS, SECURITY, BidPack, bid_rule, chunk_row

from bidproof.retrieval import (
    ConfirmedPassage,
    DenseIndex,
    LexicalIndex,
    Prototypes,
    SecondLook,
    build_dense_index,
    build_lexical_index,
    find_candidates,
    prototype_rows,
    rule_digest,
    select_passages,
    without_part,
)
from bidproof.retrieval.prototypes import sources_of

AXES = ("bond", "warranty", "staff", "price")


class _Words:
    """An embedder whose axes are four words; what has none of them lies on a fifth axis."""

    name = fingerprint = "words"
    dimensions, max_tokens, languages = len(AXES) + 1, 256, frozenset({"en"})

    def encode(self, texts, role="passage"):
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for axis, word in enumerate(AXES):
                row[axis] = text.lower().count(word)
            row[-1] = 0.1
            row /= np.linalg.norm(row)
        return rows

    def token_counts(self, texts):
        return [len(text.split()) for text in texts]


def _confirmed(text: str, pack: str, rule=SECURITY, source: str = "") -> ConfirmedPassage:
    return ConfirmedPassage(
        rule_id=rule.rule_id,
        rule_text=rule.text,
        pack=pack,
        text=text,
        source=source or f"{pack}:{rule.rule_id}",
    )


def _prototypes(*confirmed: ConfirmedPassage) -> Prototypes:
    return Prototypes(prototype_rows(confirmed, _Words()))


TEXTS = (
    "The bid security is 2% of the total price, valid 90 days.",
    "A bond in favour of the buyer is enclosed with the offer as security of our bid.",
    "Warranty on parts and security updates.",
    "Staff for the security of the site and our bid.",
    "Nothing of all this is said here about days.",
)


class _Searched:
    def __init__(self, texts=TEXTS) -> None:
        self.pack = BidPack([chunk_row(n, f"{text} {FILLER}", page=n + 1) for n, text in enumerate(texts)])
        self.embedder = _Words()
        self.dense = DenseIndex.from_table(build_dense_index(self.pack.chunks, self.embedder, PARAMS.dense))

    def candidates(self, look: SecondLook | None = None, **knobs: object) -> pl.DataFrame:
        params = PARAMS.retrieval.model_copy(update=knobs)
        lexical = LexicalIndex.from_table(build_lexical_index(self.pack.chunks, params))
        pack = self.pack
        return find_candidates(
            [SECURITY], pack.chunks, pack.facts, pack.tags, lexical, self.dense, self.embedder, pack.rfp, params, look=look
        )  # fmt: skip


def test_a_prototype_is_the_direction_of_the_mean_of_its_passages() -> None:
    found = _prototypes(_confirmed("a bond", "a"), _confirmed("staff", "b")).of(SECURITY.text)
    vectors = _Words().encode(["a bond", "staff"])
    mean = vectors.mean(axis=0)
    assert found is not None
    assert np.allclose(found.vector, mean / np.linalg.norm(mean), atol=1e-6)
    assert np.linalg.norm(found.vector) == pytest.approx(1.0, abs=1e-6)
    assert found.packs == 2


def test_each_passage_counts_the_same_whichever_pack_it_is_of() -> None:
    found = _prototypes(
        _confirmed("bond one", "a"), _confirmed("bond two", "a"), _confirmed("staff", "b")
    ).of(SECURITY.text)
    assert found is not None
    assert found.vector[0] == pytest.approx(2 * found.vector[2], rel=1e-5)


def test_a_passage_confirmed_twice_in_a_pack_counts_once_and_names_both_sources() -> None:
    rows = prototype_rows(
        [_confirmed("a  bond", "a", source="label"), _confirmed("a bond", "a", source="override 7")], _Words()
    )
    assert rows["passages"].to_list() == [1]
    assert rows["sources"].to_list() == [["label", "override 7"]]
    assert sources_of(rows, ["R1"]) == ["label", "override 7"]


def test_two_rules_of_the_same_words_do_not_make_two_packs_of_one() -> None:
    twin = SECURITY.model_copy(update={"rule_id": "R9"})
    prototypes = _prototypes(
        _confirmed("a bond", "a"), _confirmed("a bond", "a", twin), _confirmed("staff", "b", twin)
    )
    found, other = prototypes.of(SECURITY.text), prototypes.of(SECURITY.text, "b")
    assert found is not None
    assert other is not None
    assert (found.packs, other.packs) == (2, 1)


def test_a_pack_is_never_ranked_by_what_was_confirmed_in_itself() -> None:
    prototypes = _prototypes(_confirmed("a bond", "t--b"), _confirmed("staff", "t--other"))
    found = prototypes.of(SECURITY.text, "t--b")
    assert found is not None
    assert found.vector[0] == 0
    assert found.packs == 1
    assert _prototypes(_confirmed("a bond", "t--b")).of(SECURITY.text, "t--b") is None


def test_what_was_learned_for_a_rule_ends_when_the_rule_reads_otherwise() -> None:
    prototypes = _prototypes(_confirmed("a bond", "a"))
    assert prototypes.of("  Bid security: 2% of total price;  validity >= 90 days. ") is not None
    assert prototypes.of("Bid security: 3% of total price; validity >= 90 days.") is None
    assert rule_digest("a b") == rule_digest(" a\n b ")


def test_the_order_of_labels_changes_no_byte() -> None:
    labels = [_confirmed("a bond", "a"), _confirmed("staff", "b"), _confirmed("price and bond", "a")]
    assert prototype_rows(labels, _Words()).equals(prototype_rows(labels[::-1], _Words()))


def test_an_empty_passage_confirms_nothing() -> None:
    assert prototype_rows([_confirmed("  \n", "a")], _Words()).is_empty()
    assert not Prototypes(prototype_rows([], _Words()))


def test_a_passage_like_confirmed_evidence_is_ranked_up() -> None:
    pack, look = _Searched(), SecondLook(_prototypes(_confirmed("our bond bond", "other")), None, "t--b")
    before = dict(pack.candidates().select("chunk_id", "rank").iter_rows())
    after = dict(pack.candidates(look, score_confirmed=27.0).select("chunk_id", "rank").iter_rows())
    assert before["d1:p2_c01"] > 1
    assert after["d1:p2_c01"] == 1


def test_no_candidate_is_added_and_none_is_dropped() -> None:
    pack = _Searched()
    for word in AXES:
        look = SecondLook(_prototypes(_confirmed(word, "other")), None, "t--b")
        for weight in (0.5, 50.0):
            off, on = pack.candidates(), pack.candidates(look, score_confirmed=weight)
            assert set(off["chunk_id"]) == set(on["chunk_id"])
            legs = ["chunk_id", *(name for name in off.columns if name.endswith("_rank"))]
            assert off.select(legs).sort("chunk_id").equals(on.select(legs).sort("chunk_id"))


def test_likeness_is_a_named_part_and_can_be_taken_out_again() -> None:
    pack, look = _Searched(), SecondLook(_prototypes(_confirmed("our bond", "other")), None, "t--b")
    on, off = pack.candidates(look), pack.candidates()
    parts = [name for name in on.columns if name.startswith("score_")]
    assert np.allclose(on.select(pl.sum_horizontal(parts)).to_series(), on["evidence_score"])
    assert on["confirmed_score"].null_count() == 0
    back = without_part(on, "score_confirmed")
    same = [name for name in off.columns if name != "evidence_score"]
    assert back.select(same).equals(off.select(same))


def test_it_changes_nothing_where_it_has_nothing_to_say() -> None:
    pack = _Searched()
    plain = pack.candidates()
    own = SecondLook(_prototypes(_confirmed("a bond", "t--b")), None, "t--b")
    other_rule = SecondLook(
        _prototypes(_confirmed("a bond", "a", bid_rule("Staff are trained."))), None, "t--b"
    )
    other_model = prototype_rows([_confirmed("a bond", "a")], _Words()).with_columns(embedder=pl.lit("else"))
    for look in (own, other_rule, SecondLook(Prototypes(other_model), None, "t--b")):
        assert pack.candidates(look).equals(plain)
    used = SecondLook(_prototypes(_confirmed("a bond", "a")), None, "t--b")
    assert pack.candidates(used, score_confirmed=0.0).equals(plain)


def test_the_passages_come_of_the_same_candidates_in_their_new_order() -> None:
    pack, look = _Searched(), SecondLook(_prototypes(_confirmed("our bond bond", "other")), None, "t--b")
    found = pack.candidates(look, score_confirmed=27.0)
    chosen = select_passages([SECURITY], found, pack.pack.chunks, pack.pack.facts, PARAMS.selection)
    assert chosen["chunk_id"][0] == "d1:p2_c01"
    assert "d1:p1_c00" in chosen["chunk_id"].to_list()


def test_evidence_of_more_packs_weighs_more() -> None:
    pack, spread = _Searched(), {}
    for packs in (1, 2, 6):
        prototypes = _prototypes(*(_confirmed("our bond", f"p{number}") for number in range(packs)))
        found = pack.candidates(SecondLook(prototypes, None, "t--b"), score_confirmed=4.0, confirmed_half=2.0)
        spread[packs] = found["score_confirmed"].max()
    assert spread[2] == pytest.approx(spread[1] * 1.5)
    assert spread[6] == pytest.approx(spread[1] * 2.25)
