"""From candidates to passages: the few that complement each other and show what decides."""

from __future__ import annotations

import polars as pl
from bid_pack_builder import FILLER, PARAMS, SECURITY, BidPack, bid_rule, chunk_row, long_pack, tags_of

from bidproof.params import Params
from bidproof.records import Predicate
from bidproof.retrieval import (
    LexicalIndex,
    build_lexical_index,
    find_candidates,
    select_passages,
)
from bidproof.tables import CANDIDATES, PASSAGES


def test_a_contents_line_is_never_a_passage() -> None:
    pack = BidPack(
        [
            chunk_row(0, "3.2 Bid security ..... 47\n3.3 Bid validity ..... 48"),
            chunk_row(1, FILLER * 5 + "The bid security is 2% and valid 90 days.", page=47),
        ]
    )
    assert pack.passages(SECURITY)["chunk_id"].to_list() == ["d1:p47_c01"]


def test_the_best_comes_first_and_the_next_stands_elsewhere() -> None:
    text = "The bid security of 2% is valid for 90 days, item {}. "
    pack = BidPack([
        chunk_row(0, text.format(1) + FILLER * 5, heading="A"), chunk_row(1, text.format(2) + FILLER * 5, heading="A"),
        chunk_row(2, text.format(3) + FILLER * 5, heading="A"), chunk_row(3, text.format(4) + FILLER * 5, page=9, heading="B"),
    ])  # fmt: skip
    chosen = pack.passages(SECURITY)
    assert chosen["why"].to_list() == ["best", "diverse", "diverse"]
    assert chosen["chunk_id"][1] == "d1:p9_c03"
    assert chosen["order_no"].to_list() == [1, 2, 3]


def test_the_rows_of_one_form_share_the_room_of_long_passages() -> None:
    rows = [
        chunk_row(
            number,
            f"Field | Entry\nBid security, line {number} | {number} days",
            kind="row",
            body_start=14,
            tokens=20,
        )
        for number in range(9)
    ]
    assert BidPack(rows).passages(SECURITY).height == PARAMS.selection.k + PARAMS.selection.k_step
    tight = Params.model_validate({"selection": {"budget_tokens": 0}})
    assert (
        BidPack(rows).passages(SECURITY, params=tight).filter(pl.col("attempt") == 1).height
        == PARAMS.selection.k
    )


def test_a_bare_title_is_never_a_passage() -> None:
    pack = BidPack(
        [
            chunk_row(0, "3.2 Bid Security", heading="3.2 Bid Security"),
            chunk_row(1, "Our bid security is enclosed. " + FILLER * 5, page=2),
        ]
    )
    assert pack.passages(SECURITY)["chunk_id"].to_list() == ["d1:p2_c01"]


def test_a_repeated_text_is_passed_over_but_not_one_with_another_figure() -> None:
    text = FILLER * 5 + "The bid security of 2% is valid for {} days from the opening of bids."
    pack = BidPack(
        [chunk_row(number, text.format(days), page=number + 1) for number, days in enumerate((90, 90, 60))]
    )
    params = Params.model_validate({"selection": {"k": 2}})
    assert pack.passages(SECURITY, params=params)["chunk_id"].to_list() == ["d1:p1_c00", "d1:p3_c02"]


def test_a_numeric_rule_gets_a_table_row_that_carries_such_a_number() -> None:
    rows = [
        chunk_row(
            number,
            f"The bid security is 2% and valid 90 days, note {number}. " + FILLER * 5,
            page=number + 1,
            heading=f"H{number}",
        )
        for number in range(6)
    ]
    rows.append(chunk_row(6, "Item | Value\nSurety | 2%", page=40, kind="row", body_start=13))
    rows.append(chunk_row(7, "Item | Value\nColour | blue", page=41, kind="row", body_start=13))
    pack = BidPack(rows, tags_of(("d1:p40_c06", "percent"), ("d1:p41_c07", "percent")))
    chosen = dict(pack.passages(SECURITY).select("chunk_id", "why").iter_rows())
    assert "d1:p40_c06" in chosen
    off = Params.model_validate({"selection": {"guard_table": False}, "retrieval": {"score_table": 0}})
    assert "d1:p40_c06" not in pack.passages(SECURITY, params=off)["chunk_id"].to_list()


def test_a_rule_with_a_clause_hint_gets_a_chunk_of_that_section() -> None:
    rows = [
        chunk_row(
            number,
            f"The bid security is 2% and valid 90 days, note {number}. " + FILLER * 5,
            page=number + 1,
            heading=f"H{number}",
        )
        for number in range(6)
    ]
    rows.append(chunk_row(6, FILLER * 5, page=40, heading="Volume 2 > Bid Security"))
    chosen = {row["chunk_id"]: row["why"] for row in BidPack(rows).passages(SECURITY).iter_rows(named=True)}
    assert chosen["d1:p40_c06"] == "clause guard"
    assert len(chosen) == PARAMS.selection.k


def test_a_mandatory_rule_whose_number_is_unseen_is_searched_wider() -> None:
    rows = [
        chunk_row(
            number,
            f"The bid security validity is described under point {number}. " + FILLER * 5,
            page=number + 1,
            heading=f"Bid security {number}",
        )
        for number in range(40)
    ]
    rows.append(
        chunk_row(
            40,
            "Field | Entry\nSurety | quatre-vingt-dix jours",
            page=99,
            kind="row",
            body_start=14,
            language="fr",
        )
    )
    params = Params.model_validate({"retrieval": {"bm25_top": 5, "clause_top": 5}})
    rule = bid_rule(
        "Bid security validity of 90 days", Predicate(kind="quantity", value=90, unit="day", measure=("bid security",)),
        sentry_terms=("90 days",), section_hints=("Bid security",),
    )  # fmt: skip
    pack = BidPack(rows)
    candidates = pack.candidates(rule, params=params).filter(pl.col("chunk_id") != "d1:p99_c40")
    chosen = select_passages([rule], candidates, pack.chunks, pack.facts, params.selection)
    found = chosen.filter(pl.col("chunk_id") == "d1:p99_c40").row(0, named=True)
    assert (found["why"], found["attempt"], found["missing_terms"]) == ("sentry", 2, [])
    assert chosen.height == params.selection.k + params.selection.k_step
    assert chosen["why"][-1] == "escalated"


def test_an_optional_rule_is_shown_its_number_and_not_widened_for_one_that_stands_nowhere() -> None:
    rows = [
        chunk_row(
            number,
            f"The bid security validity is described under point {number}. " + FILLER * 5,
            page=number + 1,
            heading=f"Bid security {number}",
        )
        for number in range(40)
    ]
    rows.append(chunk_row(40, "Field | Entry\nSurety | ninety days", page=99, kind="row", body_start=14))
    rule = bid_rule(
        "Bid security validity of 90 days", Predicate(kind="quantity", value=90, unit="day", measure=("bid security",)),
        sentry_terms=("90 days",), section_hints=("Bid security",),
    ).model_copy(update={"mandatory": False})  # fmt: skip
    pack, params = BidPack(rows), Params.model_validate({"retrieval": {"bm25_top": 5, "clause_top": 5}})
    candidates = pack.candidates(rule, params=params).filter(pl.col("chunk_id") != "d1:p99_c40")
    chosen = select_passages([rule], candidates, pack.chunks, pack.facts, params.selection)
    assert chosen["why"].to_list()[-1] == "sentry"
    assert chosen["attempt"].to_list() == [1, 1, 1, 2]
    assert chosen["missing_terms"].to_list() == [[]] * 4
    bare = BidPack(rows[:-1])
    nowhere = select_passages([rule], candidates, bare.chunks, bare.facts, params.selection)
    assert nowhere.height == params.selection.k
    assert nowhere["missing_terms"].to_list() == [["90 days"]] * 3


def test_a_passage_with_two_unseen_numbers_comes_before_one_with_one() -> None:
    rows = [
        chunk_row(
            n,
            f"The bid security is described under point {n}. " + FILLER * 5,
            page=n + 1,
            heading=f"Bid security {n}",
        )
        for n in range(20)
    ]
    rows += [chunk_row(20 + n, f"Term {n} | ninety days", page=70 + n, kind="row") for n in range(3)]
    rows.append(chunk_row(30, "The surety is for 2% and holds for ninety days. " + FILLER * 5, page=90))
    pack = BidPack(rows)
    candidates = pack.candidates(SECURITY).filter(pl.col("chunk_id").str.contains(r"_c[01]\d$"))
    chosen = select_passages([SECURITY], candidates, pack.chunks, pack.facts, PARAMS.selection)
    assert chosen.filter(pl.col("why") == "sentry")["chunk_id"].to_list() == ["d1:p90_c30"]
    assert chosen["missing_terms"].to_list() == [[]] * chosen.height


def test_a_number_that_stands_nowhere_is_recorded_as_missing() -> None:
    pack = BidPack([chunk_row(0, "Our bid security is attached. " + FILLER * 5)])
    chosen = pack.passages(SECURITY)
    assert chosen["missing_terms"].to_list() == [["2%", "90 days"]]
    assert chosen["chunk_id"].to_list() == ["d1:p1_c00"]


def test_rules_without_candidates_and_packs_without_chunks_are_no_error() -> None:
    pack = BidPack([chunk_row(0, "weather")])
    rules = [SECURITY, bid_rule("Zebra crossing", rule_id="R2"), bid_rule("§", rule_id="R3")]
    assert pack.candidates(*rules).is_empty()
    assert pack.passages(*rules).schema == PASSAGES.schema
    empty = BidPack([])
    assert empty.candidates(*rules).schema == CANDIDATES.schema
    assert empty.passages(*rules).is_empty()
    assert pack.candidates().is_empty()


def test_the_order_of_chunks_facts_tags_and_rules_changes_nothing() -> None:
    rows = long_pack(120)
    tags = tags_of(*((str(row["chunk_id"]), "percent") for row in rows))
    rules = [
        SECURITY,
        bid_rule("Warranty of 24 months", rule_id="R2"),
        bid_rule("Meter class", rule_id="R0", section_hints=("meter",)),
    ]
    pack, shuffled = BidPack(rows, tags), BidPack(rows[::-1], tags.reverse())
    shuffled.facts = shuffled.facts.sample(fraction=1, shuffle=True, seed=1)
    assert pack.candidates(*rules).equals(shuffled.candidates(*rules[::-1]))
    assert pack.passages(*rules).equals(shuffled.passages(*rules[::-1]))


def test_k_changes_the_passages_and_nothing_before_them() -> None:
    pack = BidPack(long_pack(120))
    wide = Params.model_validate({"selection": {"k": 6}})
    assert pack.candidates(SECURITY).equals(pack.candidates(SECURITY, params=wide))
    few, many = (
        pack.passages(SECURITY)["chunk_id"].to_list(),
        pack.passages(SECURITY, params=wide)["chunk_id"].to_list(),
    )
    assert (len(few), len(many)) == (3, 6)
    assert set(few) <= set(many)


def test_a_hundred_rules_against_three_thousand_chunks_all_get_passages() -> None:
    pack = BidPack(long_pack(3000))
    pack.tags = tags_of(*((str(chunk_id), "percent") for chunk_id in pack.chunks["chunk_id"]))
    rules = [SECURITY.model_copy(update={"rule_id": f"R{number:03}"}) for number in range(100)]
    lexical = LexicalIndex.from_table(build_lexical_index(pack.chunks, PARAMS.retrieval))
    found = find_candidates(
        rules, pack.chunks, pack.facts, pack.tags, lexical, None, None, pack.rfp, PARAMS.retrieval
    )
    chosen = select_passages(rules, found, pack.chunks, pack.facts, PARAMS.selection)
    assert chosen["rule_id"].n_unique() == 100
