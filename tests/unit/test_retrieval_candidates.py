"""From a rule to its candidates: nothing found is dropped, and what shows most of the rule stands first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from bid_pack_builder import FILLER, PARAMS, SECURITY, BidPack, bid_rule, chunk_row, long_pack, tags_of

from bidproof.params import Params
from bidproof.records import Predicate, Requirement
from bidproof.retrieval import (
    DenseIndex,
    LexicalIndex,
    build_dense_index,
    build_lexical_index,
    find_candidates,
)
from bidproof.retrieval.echo import EchoIndex


def test_a_number_in_words_is_the_number() -> None:
    pack = BidPack(
        [
            chunk_row(0, FILLER * 5),
            chunk_row(
                1,
                FILLER * 4
                + "The bond amounts to two percent of the price and is valid for ninety (90) days.",
            ),
            chunk_row(2, FILLER * 4 + "Delivery of 2 items and 90 sheets."),
        ]
    )
    found = pack.candidates(SECURITY)
    assert found["chunk_id"][0] == "d1:p1_c01"
    assert found["score_numbers"][0] == pytest.approx(2 * PARAMS.retrieval.score_number)
    assert found["sentry_hits"][0].to_list() == ["2%", "90 days"]
    other = found.filter(pl.col("chunk_id") == "d1:p1_c02")
    assert other["score_numbers"].to_list() in ([], [0.0])


def test_figures_are_not_found_inside_other_figures() -> None:
    pack = BidPack(
        [
            chunk_row(
                0, "A discount of 12% and a term of 190 days apply to bid security validity." + FILLER * 4
            )
        ]
    )
    found = pack.candidates(SECURITY)
    assert found["sentry_hits"][0].to_list() == ["2%", "90 days"], (
        "another value of the same measure is the evidence for a Fail"
    )
    plain = BidPack([chunk_row(0, "A discount of 12% and a term of 190 days apply to prices." + FILLER * 4)])
    assert plain.candidates(SECURITY)["sentry_hits"].to_list() in ([], [[]])


def test_a_failing_value_of_the_asked_measure_counts_as_much_as_the_asked_value() -> None:
    text = "Our bid validity is {} days from the opening date of the bids."
    rule = bid_rule(
        "Bid validity of at least 120 days",
        Predicate(kind="quantity", value=120, unit="day", comparator=">=", measure=("bid validity",)),
    )
    pack = BidPack(
        [chunk_row(0, FILLER * 5 + text.format(120)), chunk_row(1, FILLER * 5 + text.format(60), page=2)]
    )
    scores = dict(pack.candidates(rule).select("chunk_id", "score_numbers").iter_rows())
    assert scores == {"d1:p1_c00": 2.0, "d1:p2_c01": 2.0}


def test_a_span_is_compared_across_units_of_time() -> None:
    rule = bid_rule(
        "Warranty of at least two years",
        Predicate(kind="quantity", value=2, unit="year", measure=("warranty",)),
        sentry_terms=("two years",),
    )
    pack = BidPack(
        [chunk_row(0, FILLER * 5 + "All parts carry cover for 24 months."), chunk_row(1, FILLER * 5)]
    )
    found = pack.candidates(rule)
    assert found.row(0, named=True)["chunk_id"] == "d1:p1_c00"
    assert found["score_numbers"][0] == 2.0


def test_a_standard_is_found_under_its_other_names() -> None:
    rule = bid_rule(
        "ISO/IEC 27001:2022 certificate",
        Predicate(kind="standard", code="ISO/IEC 27001", edition="2022"),
        sentry_terms=("ISO/IEC 27001",),
    )
    pack = BidPack(
        [
            chunk_row(0, FILLER * 5 + "Certified to ISO 27001:2013."),
            chunk_row(1, FILLER * 5 + "Certified to ISO 9001:2015."),
        ]
    )
    found = pack.candidates(rule)
    assert found["chunk_id"][0] == "d1:p1_c00"
    assert found["score_numbers"].to_list() == [2.0, 0.0]
    assert found["sentry_hits"].to_list() == [["ISO/IEC 27001"], []]


def test_what_only_the_dense_leg_finds_is_a_candidate_and_so_is_what_only_the_lexical_leg_finds() -> None:
    pack = BidPack(
        [
            chunk_row(0, "guarantee of the bid " + FILLER),
            chunk_row(1, "surety undertaking"),
            chunk_row(2, "weather"),
        ]
    )

    class Fixed:
        name, fingerprint, dimensions, max_tokens, languages = "fixed", "fixed", 3, 256, frozenset({"en"})

        def encode(self, texts: Sequence[str], role: str = "passage") -> np.ndarray:
            return np.eye(3, dtype=np.float32)[: len(texts)]

        def token_counts(self, texts: Sequence[str]) -> list[int]:
            return [1 for _ in texts]

    dense = DenseIndex.from_table(build_dense_index(pack.chunks, Fixed(), PARAMS.dense))
    params = Params.model_validate({"retrieval": {"dense_top": 1}})
    found = pack.candidates(
        bid_rule("Bid guarantee"), params=params, dense=dense, vectors=np.array([[0, 1, 0]], dtype=np.float32)
    )
    ranks = {row["chunk_id"]: (row["bm25_rank"], row["dense_rank"]) for row in found.iter_rows(named=True)}
    assert ranks == {"d1:p1_c00": (1, None), "d1:p1_c01": (None, 1)}


@pytest.mark.parametrize(
    ("text", "doubt"), [("guarantee of the bid", 0.0), ("indemnity undertaking abroad", 1.0)]
)
def test_where_a_rules_words_stand_together_nowhere_the_dense_leg_weighs_more(
    text: str, doubt: float
) -> None:
    pack = BidPack(
        [chunk_row(0, "guarantee of the bid " + FILLER), chunk_row(1, "surety"), chunk_row(2, "weather")]
    )

    class Fixed:
        name, fingerprint, dimensions, max_tokens, languages = "fixed", "fixed", 3, 256, frozenset({"en"})

        def encode(self, texts: Sequence[str], role: str = "passage") -> np.ndarray:
            return np.eye(3, dtype=np.float32)[: len(texts)]

        def token_counts(self, texts: Sequence[str]) -> list[int]:
            return [1 for _ in texts]

    dense = DenseIndex.from_table(build_dense_index(pack.chunks, Fixed(), PARAMS.dense))
    vectors = np.array([[0, 1, 0]], dtype=np.float32)
    found = pack.candidates(
        bid_rule(text),
        params=Params.model_validate({"retrieval": {"dense_top": 1}}),
        dense=dense,
        vectors=vectors,
    )
    assert found.filter(pl.col("dense_rank") == 1)["rrf"].to_list() == pytest.approx([(1 + doubt) / 61])


def test_the_tag_pool_is_ranked_by_evidence_and_cut_at_its_size() -> None:
    rows = [
        chunk_row(number, f"Clause {number}: discount of {number + 3}%. " + FILLER * 4, page=number + 1)
        for number in range(50)
    ]
    rows.append(chunk_row(50, "Surety: two percent. " + FILLER * 4, page=60))
    pack = BidPack(rows, tags_of(*((str(row["chunk_id"]), "percent") for row in rows)))
    params = Params.model_validate({"retrieval": {"bm25_top": 1, "tag_top": 5}})
    rule = bid_rule(
        "Bid security: 2%",
        Predicate(kind="quantity", value=2, unit="percent", text="2%"),
        sentry_terms=("2%",),
    )
    found = pack.candidates(rule, params=params)
    pool = found.filter(pl.col("tag_rank").is_not_null()).sort("tag_rank")
    assert pool["tag_rank"].to_list() == [1, 2, 3, 4, 5]
    assert pool["chunk_id"][0] == "d1:p60_c50"
    assert pool["tag_hits"][0].to_list() == ["percent"]


def test_chunks_under_a_hinted_heading_are_candidates_without_sharing_a_word() -> None:
    pack = BidPack(
        [
            chunk_row(0, "Wording agreed with the bank.", heading="Volume 1 > 7 Bid Security"),
            chunk_row(1, "Wording agreed with the bank.", heading="Volume 1 > 3.2 Insurance", page=2),
        ]
    )
    rule = bid_rule("Caution money", section_hints=("Section III > 3.2 Bid Security",))
    found = pack.candidates(rule)
    row = found.filter(pl.col("chunk_id") == "d1:p1_c00").row(0, named=True)
    assert row["clause_rank"] == 1
    assert row["score_section"] == PARAMS.retrieval.score_section
    assert "d1:p2_c01" not in set(found.filter(pl.col("clause_rank").is_not_null())["chunk_id"]), (
        "a bidder numbers its own sections"
    )


def test_the_tenders_own_words_score_below_a_commitment() -> None:
    clause = (
        "The Bidder shall furnish a bid security of two percent of the total bid price valid for ninety days."
    )
    pack = BidPack(
        [
            chunk_row(0, clause),
            chunk_row(
                1,
                "Our bid security is two percent of our total price, its validity ninety days. ",
                page=2,
            ),
        ],
        rfp=[clause],
    )
    found = pack.candidates(SECURITY)
    by_id = {row["chunk_id"]: row for row in found.iter_rows(named=True)}
    assert by_id["d1:p1_c00"]["score_echo"] < by_id["d1:p2_c01"]["score_echo"] == 0.0
    assert found["chunk_id"][0] == "d1:p2_c01"


@pytest.mark.parametrize(("rule", "kind", "echoes"), [
    ("The processor shall delete all personal data after the end of the services.", "text", False),
    ("The processor shall delete all personal data after the end of the services.", "row", True),
    ("The bidder shall delete all personal data after the end of the services.", "text", True),
])  # fmt: skip
@pytest.mark.parametrize("tendered", [False, True])
def test_without_a_tender_a_contracts_clause_in_the_rules_words_is_no_copy(
    rule: str, kind: str, echoes: bool, tendered: bool
) -> None:
    """With the tender at hand, whoever repeats its words has copied them."""
    pack = BidPack([chunk_row(0, rule, kind=kind)], rfp=["Offers are opened in public."] if tendered else [])
    asked = Requirement(rule_id="R1", area="Data", mandatory=True, text=rule)
    assert bool(pack.candidates(asked)["score_echo"][0] < 0) is (echoes or tendered)


def test_the_echo_is_the_share_of_copied_words() -> None:
    index = EchoIndex(
        ["One two, three four five six seven eight", "one two three", "", "zero one two three"], 4
    )
    assert index.shares(index.copied(["zero one two three four"])).tolist() == [0.5, 0.0, 0.0, 1.0]
    assert index.shares(index.copied([])).tolist() == [0.0] * 4


def test_a_matrix_row_that_repeats_the_rule_stands_below_the_offer_itself() -> None:
    header = "Clause | Requirement | Status\n"
    rows = [
        chunk_row(
            0,
            header + "3.2 | Bid security: 2% of total price; validity >= 90 days. | Compliant",
            kind="row",
            body_start=len(header),
        ),
        chunk_row(
            1, "Field | Entry\nBid security, amount | 2% of the price", page=2, kind="row", body_start=14
        ),
    ]
    rows += [
        chunk_row(number, "The total price of items valid. " + FILLER * 5, page=number)
        for number in range(3, 20)
    ]
    assert BidPack(rows).candidates(SECURITY)["chunk_id"][0] == "d1:p2_c01"


def test_a_subject_named_in_the_text_weighs_more_than_one_named_above_it() -> None:
    pack = BidPack(
        [
            chunk_row(0, FILLER * 5, heading="Bid security"),
            chunk_row(1, "Our bid security. " + FILLER * 5, page=2, heading="Forms"),
        ]
    )
    scores = dict(pack.candidates(bid_rule("Bid security")).select("chunk_id", "score_terms").iter_rows())
    assert scores == {
        "d1:p1_c00": pytest.approx(2 * PARAMS.retrieval.heading_share),
        "d1:p2_c01": pytest.approx(2.0),
    }


def test_any_amount_of_money_answers_three_sums_insured_no_better_than_one() -> None:
    sums = [
        Predicate(kind="quantity", value=value, unit="EUR", measure=(cover,))
        for value, cover in ((5e6, "general liability"), (1e6, "cyber"), (2e6, "professional indemnity"))
    ]
    pack = BidPack([chunk_row(0, "The annual fee is EUR 300 for each site. " + FILLER * 5)])
    found = pack.candidates(bid_rule("Annual insurance sums", *sums))
    assert found["score_numbers"].to_list() == [
        PARAMS.retrieval.score_number * PARAMS.retrieval.number_comparable
    ]


def test_the_date_until_which_a_certificate_is_valid_counts_for_a_rule_that_asks_for_it() -> None:
    rule = bid_rule(
        "ISO 9001 certificate in force on the submission date",
        Predicate(kind="standard", code="ISO 9001", valid_on_submission=True),
    )
    pack = BidPack(
        [
            chunk_row(0, "Certificate " + FILLER * 5),
            chunk_row(1, "This certificate is valid until 11 June 2028. " + FILLER * 5, page=2),
        ]
    )
    assert pack.candidates(rule)["chunk_id"][0] == "d1:p2_c01"


def test_the_best_chunks_of_the_packs_other_language_are_candidates_too() -> None:
    rows = [
        chunk_row(number, "Battery warranty terms. " + FILLER * 3, page=number + 1) for number in range(5)
    ]
    rows += [chunk_row(number, FILLER * 4, page=number + 1) for number in range(5, 40)]
    rows.append(chunk_row(40, "La garantie est accordée pour trente-six mois.", page=90, language="fr"))
    rule = bid_rule("Battery warranty terms", synonyms=("période de garantie",))
    few = Params.model_validate({"retrieval": {"bm25_top": 5}})
    ranks = dict(BidPack(rows).candidates(rule, params=few).select("chunk_id", "bm25_rank").iter_rows())
    assert ranks.pop("d1:p90_c40") == 6
    assert sorted(ranks.values()) == [1, 2, 3, 4, 5]


def test_a_score_is_the_sum_of_its_parts_and_the_rank_follows_it() -> None:
    pack = BidPack(
        [
            chunk_row(number, f"bid security {number}% valid {number * 10} days " + FILLER * (number % 3))
            for number in range(12)
        ]
    )
    found = pack.candidates(SECURITY)
    parts = found.select(pl.sum_horizontal(pl.col("^score_.*$")))["score_terms"]
    assert parts.to_list() == pytest.approx(found["evidence_score"].to_list())
    assert found["rank"].to_list() == list(range(1, found.height + 1))
    assert found["evidence_score"].is_sorted(descending=True)


def test_an_index_of_other_chunks_is_refused() -> None:
    pack, other = BidPack(long_pack(5)), BidPack(long_pack(6))
    lexical = LexicalIndex.from_table(build_lexical_index(other.chunks, PARAMS.retrieval))
    with pytest.raises(ValueError, match="other chunks"):
        find_candidates(
            [SECURITY], pack.chunks, pack.facts, pack.tags, lexical, None, None, pack.rfp, PARAMS.retrieval
        )
