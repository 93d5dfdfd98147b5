"""From a rule to its candidates and passages: nothing found is dropped, and the choice shows what decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from bidproof.facts import find_facts
from bidproof.params import Params
from bidproof.records import Predicate, Requirement
from bidproof.retrieval import (
    DenseIndex,
    LexicalIndex,
    build_dense_index,
    build_lexical_index,
    find_candidates,
    search,
    search_chunks,
    select_passages,
)
from bidproof.retrieval.echo import EchoIndex
from bidproof.tables import BLOCKS, CANDIDATES, CHUNKS, FACTS, PAGES, PASSAGES, TAGS

PARAMS = Params()
FILLER = "The works programme is described in detail with its resources and methods for the site. "


def _chunk(
    number: int,
    text: str,
    *,
    page: int = 1,
    heading: str = "",
    kind: str = "text",
    body_start: int = 0,
    doc: str = "d1",
    language: str = "en",
    tokens: int = 200,
) -> dict[str, object]:
    return {
        "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": doc, "file_name": f"{doc}.pdf",
        "chunk_id": f"{doc}:p{page}_c{number:02}", "page": page, "pages": [page], "heading_path": heading, "section_no": "",
        "section_title": heading, "kind": kind, "text": text, "tokens": tokens, "body_start": body_start, "spans": [],
        "language": language, "references": [], "quality": 80,
    }  # fmt: skip


def _facts(chunks: pl.DataFrame) -> pl.DataFrame:
    rows: list[dict[str, object]] = []
    for chunk_id, doc_id, text, language in chunks.select(
        "chunk_id", "doc_id", "text", "language"
    ).iter_rows():
        for number, fact in enumerate(find_facts(text, language=language)):
            own = fact.model_dump()
            rows.append(
                {"pack": "t--b", "doc_id": doc_id, "chunk_id": chunk_id, "fact_no": number, "page": 1, **own}
            )
    return FACTS.frame(rows)


def _tags(*pairs: tuple[str, str]) -> pl.DataFrame:
    return TAGS.frame(
        [{"pack": "t--b", "chunk_id": chunk_id, "tag": tag, "hits": 1} for chunk_id, tag in pairs]
    )


class _Pack:
    """A bid pack from chunk rows, searched without or with given vectors."""

    def __init__(
        self, rows: Sequence[dict[str, object]], tags: pl.DataFrame | None = None, rfp: Sequence[str] = ()
    ) -> None:
        self.chunks = CHUNKS.frame(list(rows))
        self.facts = _facts(self.chunks)
        self.tags = TAGS.empty() if tags is None else tags
        self.rfp = CHUNKS.frame([_chunk(number, text, doc="rfp") for number, text in enumerate(rfp)])

    def candidates(
        self,
        *rules: Requirement,
        params: Params = PARAMS,
        dense: DenseIndex | None = None,
        vectors: np.ndarray | None = None,
    ) -> pl.DataFrame:
        lexical = LexicalIndex.from_table(build_lexical_index(self.chunks, params.retrieval))
        return find_candidates(
            rules, self.chunks, self.facts, self.tags, lexical, dense, vectors, self.rfp, params.retrieval
        )

    def passages(self, *rules: Requirement, params: Params = PARAMS) -> pl.DataFrame:
        return select_passages(
            rules, self.candidates(*rules, params=params), self.chunks, self.facts, params.selection
        )


def _rule(
    text: str, *predicates: Predicate, rule_id: str = "R1", mandatory: bool = True, **rest: object
) -> Requirement:
    return Requirement(
        rule_id=rule_id, area="Admin", mandatory=mandatory, text=text, predicates=predicates, **rest
    )


SECURITY = _rule(
    "Bid security: 2% of total price; validity >= 90 days.",
    Predicate(kind="quantity", value=2, unit="percent", measure=("bid security",), text="2%"),
    Predicate(
        kind="quantity", value=90, unit="day", comparator=">=", measure=("validity",), text=">= 90 days"
    ),
    sentry_terms=("2%", "90 days"),
    synonyms=("bid bond", "guarantee"),
    section_hints=("3.2 Bid Security",),
)


# Candidates


def test_a_number_in_words_is_the_number() -> None:
    pack = _Pack(
        [
            _chunk(0, FILLER * 5),
            _chunk(
                1,
                FILLER * 4
                + "The bond amounts to two percent of the price and is valid for ninety (90) days.",
            ),
            _chunk(2, FILLER * 4 + "Delivery of 2 items and 90 sheets."),
        ]
    )
    found = pack.candidates(SECURITY)
    assert found["chunk_id"][0] == "d1:p1_c01"
    assert found["score_numbers"][0] == pytest.approx(2 * PARAMS.retrieval.score_number)
    assert found["sentry_hits"][0].to_list() == ["2%", "90 days"]
    other = found.filter(pl.col("chunk_id") == "d1:p1_c02")
    assert other["score_numbers"].to_list() in ([], [0.0])


def test_figures_are_not_found_inside_other_figures() -> None:
    pack = _Pack(
        [_chunk(0, "A discount of 12% and a term of 190 days apply to bid security validity." + FILLER * 4)]
    )
    found = pack.candidates(SECURITY)
    assert found["sentry_hits"][0].to_list() == ["2%", "90 days"], (
        "another value of the same measure is the evidence for a Fail"
    )
    plain = _Pack([_chunk(0, "A discount of 12% and a term of 190 days apply to prices." + FILLER * 4)])
    assert plain.candidates(SECURITY)["sentry_hits"].to_list() in ([], [[]])


def test_a_failing_value_of_the_asked_measure_counts_as_much_as_the_asked_value() -> None:
    text = "Our bid validity is {} days from the opening date of the bids."
    rule = _rule(
        "Bid validity of at least 120 days",
        Predicate(kind="quantity", value=120, unit="day", comparator=">=", measure=("bid validity",)),
    )
    pack = _Pack([_chunk(0, FILLER * 5 + text.format(120)), _chunk(1, FILLER * 5 + text.format(60), page=2)])
    scores = dict(pack.candidates(rule).select("chunk_id", "score_numbers").iter_rows())
    assert scores == {"d1:p1_c00": 2.0, "d1:p2_c01": 2.0}


def test_a_span_is_compared_across_units_of_time() -> None:
    rule = _rule(
        "Warranty of at least two years",
        Predicate(kind="quantity", value=2, unit="year", measure=("warranty",)),
        sentry_terms=("two years",),
    )
    pack = _Pack([_chunk(0, FILLER * 5 + "All parts carry cover for 24 months."), _chunk(1, FILLER * 5)])
    found = pack.candidates(rule)
    assert found.row(0, named=True)["chunk_id"] == "d1:p1_c00"
    assert found["score_numbers"][0] == 2.0


def test_a_standard_is_found_under_its_other_names() -> None:
    rule = _rule(
        "ISO/IEC 27001:2022 certificate",
        Predicate(kind="standard", code="ISO/IEC 27001", edition="2022"),
        sentry_terms=("ISO/IEC 27001",),
    )
    pack = _Pack(
        [
            _chunk(0, FILLER * 5 + "Certified to ISO 27001:2013."),
            _chunk(1, FILLER * 5 + "Certified to ISO 9001:2015."),
        ]
    )
    found = pack.candidates(rule)
    assert found["chunk_id"][0] == "d1:p1_c00"
    assert found["score_numbers"].to_list() == [2.0, 0.0]
    assert found["sentry_hits"].to_list() == [["ISO/IEC 27001"], []]


def test_what_only_the_dense_leg_finds_is_a_candidate_and_so_is_what_only_the_lexical_leg_finds() -> None:
    pack = _Pack(
        [_chunk(0, "guarantee of the bid " + FILLER), _chunk(1, "surety undertaking"), _chunk(2, "weather")]
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
        _rule("Bid guarantee"), params=params, dense=dense, vectors=np.array([[0, 1, 0]], dtype=np.float32)
    )
    ranks = {row["chunk_id"]: (row["bm25_rank"], row["dense_rank"]) for row in found.iter_rows(named=True)}
    assert ranks == {"d1:p1_c00": (1, None), "d1:p1_c01": (None, 1)}


@pytest.mark.parametrize(
    ("text", "doubt"), [("guarantee of the bid", 0.0), ("indemnity undertaking abroad", 1.0)]
)
def test_where_a_rules_words_stand_together_nowhere_the_dense_leg_weighs_more(
    text: str, doubt: float
) -> None:
    pack = _Pack([_chunk(0, "guarantee of the bid " + FILLER), _chunk(1, "surety"), _chunk(2, "weather")])

    class Fixed:
        name, fingerprint, dimensions, max_tokens, languages = "fixed", "fixed", 3, 256, frozenset({"en"})

        def encode(self, texts: Sequence[str], role: str = "passage") -> np.ndarray:
            return np.eye(3, dtype=np.float32)[: len(texts)]

        def token_counts(self, texts: Sequence[str]) -> list[int]:
            return [1 for _ in texts]

    dense = DenseIndex.from_table(build_dense_index(pack.chunks, Fixed(), PARAMS.dense))
    vectors = np.array([[0, 1, 0]], dtype=np.float32)
    found = pack.candidates(
        _rule(text),
        params=Params.model_validate({"retrieval": {"dense_top": 1}}),
        dense=dense,
        vectors=vectors,
    )
    assert found.filter(pl.col("dense_rank") == 1)["rrf"].to_list() == pytest.approx([(1 + doubt) / 61])


def test_the_tag_pool_is_ranked_by_evidence_and_cut_at_its_size() -> None:
    rows = [
        _chunk(number, f"Clause {number}: discount of {number + 3}%. " + FILLER * 4, page=number + 1)
        for number in range(50)
    ]
    rows.append(_chunk(50, "Surety: two percent. " + FILLER * 4, page=60))
    pack = _Pack(rows, _tags(*((str(row["chunk_id"]), "percent") for row in rows)))
    params = Params.model_validate({"retrieval": {"bm25_top": 1, "tag_top": 5}})
    rule = _rule(
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
    pack = _Pack(
        [
            _chunk(0, "Wording agreed with the bank.", heading="Volume 1 > 7 Bid Security"),
            _chunk(1, "Wording agreed with the bank.", heading="Volume 1 > 3.2 Insurance", page=2),
        ]
    )
    rule = _rule("Caution money", section_hints=("Section III > 3.2 Bid Security",))
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
    pack = _Pack(
        [
            _chunk(0, clause),
            _chunk(
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


def test_the_echo_is_the_share_of_copied_words() -> None:
    index = EchoIndex(
        ["One two, three four five six seven eight", "one two three", "", "zero one two three"], 4
    )
    assert index.shares(index.copied(["zero one two three four"])).tolist() == [0.5, 0.0, 0.0, 1.0]
    assert index.shares(index.copied([])).tolist() == [0.0] * 4


def test_a_matrix_row_that_repeats_the_rule_stands_below_the_offer_itself() -> None:
    header = "Clause | Requirement | Status\n"
    rows = [
        _chunk(
            0,
            header + "3.2 | Bid security: 2% of total price; validity >= 90 days. | Compliant",
            kind="row",
            body_start=len(header),
        ),
        _chunk(1, "Field | Entry\nBid security, amount | 2% of the price", page=2, kind="row", body_start=14),
    ]
    rows += [
        _chunk(number, "The total price of items valid. " + FILLER * 5, page=number)
        for number in range(3, 20)
    ]
    assert _Pack(rows).candidates(SECURITY)["chunk_id"][0] == "d1:p2_c01"


def test_a_subject_named_in_the_text_weighs_more_than_one_named_above_it() -> None:
    pack = _Pack(
        [
            _chunk(0, FILLER * 5, heading="Bid security"),
            _chunk(1, "Our bid security. " + FILLER * 5, page=2, heading="Forms"),
        ]
    )
    scores = dict(pack.candidates(_rule("Bid security")).select("chunk_id", "score_terms").iter_rows())
    assert scores == {
        "d1:p1_c00": pytest.approx(2 * PARAMS.retrieval.heading_share),
        "d1:p2_c01": pytest.approx(2.0),
    }


def test_any_amount_of_money_answers_three_sums_insured_no_better_than_one() -> None:
    sums = [
        Predicate(kind="quantity", value=value, unit="EUR", measure=(cover,))
        for value, cover in ((5e6, "general liability"), (1e6, "cyber"), (2e6, "professional indemnity"))
    ]
    pack = _Pack([_chunk(0, "The annual fee is EUR 300 for each site. " + FILLER * 5)])
    found = pack.candidates(_rule("Annual insurance sums", *sums))
    assert found["score_numbers"].to_list() == [
        PARAMS.retrieval.score_number * PARAMS.retrieval.number_comparable
    ]


def test_the_date_until_which_a_certificate_is_valid_counts_for_a_rule_that_asks_for_it() -> None:
    rule = _rule(
        "ISO 9001 certificate in force on the submission date",
        Predicate(kind="standard", code="ISO 9001", valid_on_submission=True),
    )
    pack = _Pack(
        [
            _chunk(0, "Certificate " + FILLER * 5),
            _chunk(1, "This certificate is valid until 11 June 2028. " + FILLER * 5, page=2),
        ]
    )
    assert pack.candidates(rule)["chunk_id"][0] == "d1:p2_c01"


def test_the_best_chunks_of_the_packs_other_language_are_candidates_too() -> None:
    rows = [_chunk(number, "Battery warranty terms. " + FILLER * 3, page=number + 1) for number in range(5)]
    rows += [_chunk(number, FILLER * 4, page=number + 1) for number in range(5, 40)]
    rows.append(_chunk(40, "La garantie est accordée pour trente-six mois.", page=90, language="fr"))
    rule = _rule("Battery warranty terms", synonyms=("période de garantie",))
    few = Params.model_validate({"retrieval": {"bm25_top": 5}})
    ranks = dict(_Pack(rows).candidates(rule, params=few).select("chunk_id", "bm25_rank").iter_rows())
    assert ranks.pop("d1:p90_c40") == 6
    assert sorted(ranks.values()) == [1, 2, 3, 4, 5]


def test_a_score_is_the_sum_of_its_parts_and_the_rank_follows_it() -> None:
    pack = _Pack(
        [
            _chunk(number, f"bid security {number}% valid {number * 10} days " + FILLER * (number % 3))
            for number in range(12)
        ]
    )
    found = pack.candidates(SECURITY)
    parts = found.select(pl.sum_horizontal(pl.col("^score_.*$")))["score_terms"]
    assert parts.to_list() == pytest.approx(found["evidence_score"].to_list())
    assert found["rank"].to_list() == list(range(1, found.height + 1))
    assert found["evidence_score"].is_sorted(descending=True)


# Passages


def test_a_contents_line_is_never_a_passage() -> None:
    pack = _Pack(
        [
            _chunk(0, "3.2 Bid security ..... 47\n3.3 Bid validity ..... 48"),
            _chunk(1, FILLER * 5 + "The bid security is 2% and valid 90 days.", page=47),
        ]
    )
    assert pack.passages(SECURITY)["chunk_id"].to_list() == ["d1:p47_c01"]


def test_the_best_comes_first_and_the_next_stands_elsewhere() -> None:
    text = "The bid security of 2% is valid for 90 days, item {}. "
    pack = _Pack([
        _chunk(0, text.format(1) + FILLER * 5, heading="A"), _chunk(1, text.format(2) + FILLER * 5, heading="A"),
        _chunk(2, text.format(3) + FILLER * 5, heading="A"), _chunk(3, text.format(4) + FILLER * 5, page=9, heading="B"),
    ])  # fmt: skip
    chosen = pack.passages(SECURITY)
    assert chosen["why"].to_list() == ["best", "diverse", "diverse"]
    assert chosen["chunk_id"][1] == "d1:p9_c03"
    assert chosen["order_no"].to_list() == [1, 2, 3]


def test_the_rows_of_one_form_share_the_room_of_long_passages() -> None:
    rows = [
        _chunk(
            number,
            f"Field | Entry\nBid security, line {number} | {number} days",
            kind="row",
            body_start=14,
            tokens=20,
        )
        for number in range(9)
    ]
    assert _Pack(rows).passages(SECURITY).height == PARAMS.selection.k + PARAMS.selection.k_step
    tight = Params.model_validate({"selection": {"budget_tokens": 0}})
    assert (
        _Pack(rows).passages(SECURITY, params=tight).filter(pl.col("attempt") == 1).height
        == PARAMS.selection.k
    )


def test_a_bare_title_is_never_a_passage() -> None:
    pack = _Pack(
        [
            _chunk(0, "3.2 Bid Security", heading="3.2 Bid Security"),
            _chunk(1, "Our bid security is enclosed. " + FILLER * 5, page=2),
        ]
    )
    assert pack.passages(SECURITY)["chunk_id"].to_list() == ["d1:p2_c01"]


def test_a_repeated_text_is_passed_over_but_not_one_with_another_figure() -> None:
    text = FILLER * 5 + "The bid security of 2% is valid for {} days from the opening of bids."
    pack = _Pack(
        [_chunk(number, text.format(days), page=number + 1) for number, days in enumerate((90, 90, 60))]
    )
    params = Params.model_validate({"selection": {"k": 2}})
    assert pack.passages(SECURITY, params=params)["chunk_id"].to_list() == ["d1:p1_c00", "d1:p3_c02"]


def test_a_numeric_rule_gets_a_table_row_that_carries_such_a_number() -> None:
    rows = [
        _chunk(
            number,
            f"The bid security is 2% and valid 90 days, note {number}. " + FILLER * 5,
            page=number + 1,
            heading=f"H{number}",
        )
        for number in range(6)
    ]
    rows.append(_chunk(6, "Item | Value\nSurety | 2%", page=40, kind="row", body_start=13))
    rows.append(_chunk(7, "Item | Value\nColour | blue", page=41, kind="row", body_start=13))
    pack = _Pack(rows, _tags(("d1:p40_c06", "percent"), ("d1:p41_c07", "percent")))
    chosen = dict(pack.passages(SECURITY).select("chunk_id", "why").iter_rows())
    assert "d1:p40_c06" in chosen
    off = Params.model_validate({"selection": {"guard_table": False}, "retrieval": {"score_table": 0}})
    assert "d1:p40_c06" not in pack.passages(SECURITY, params=off)["chunk_id"].to_list()


def test_a_rule_with_a_clause_hint_gets_a_chunk_of_that_section() -> None:
    rows = [
        _chunk(
            number,
            f"The bid security is 2% and valid 90 days, note {number}. " + FILLER * 5,
            page=number + 1,
            heading=f"H{number}",
        )
        for number in range(6)
    ]
    rows.append(_chunk(6, FILLER * 5, page=40, heading="Volume 2 > Bid Security"))
    chosen = {row["chunk_id"]: row["why"] for row in _Pack(rows).passages(SECURITY).iter_rows(named=True)}
    assert chosen["d1:p40_c06"] == "clause guard"
    assert len(chosen) == PARAMS.selection.k


def test_a_mandatory_rule_whose_number_is_unseen_is_searched_wider() -> None:
    rows = [
        _chunk(
            number,
            f"The bid security validity is described under point {number}. " + FILLER * 5,
            page=number + 1,
            heading=f"Bid security {number}",
        )
        for number in range(40)
    ]
    rows.append(
        _chunk(
            40,
            "Field | Entry\nSurety | quatre-vingt-dix jours",
            page=99,
            kind="row",
            body_start=14,
            language="fr",
        )
    )
    params = Params.model_validate({"retrieval": {"bm25_top": 5, "clause_top": 5}})
    rule = _rule(
        "Bid security validity of 90 days", Predicate(kind="quantity", value=90, unit="day", measure=("bid security",)),
        sentry_terms=("90 days",), section_hints=("Bid security",),
    )  # fmt: skip
    pack = _Pack(rows)
    candidates = pack.candidates(rule, params=params).filter(pl.col("chunk_id") != "d1:p99_c40")
    chosen = select_passages([rule], candidates, pack.chunks, pack.facts, params.selection)
    found = chosen.filter(pl.col("chunk_id") == "d1:p99_c40").row(0, named=True)
    assert (found["why"], found["attempt"], found["missing_terms"]) == ("sentry", 2, [])
    assert chosen.height == params.selection.k + params.selection.k_step
    assert chosen["why"][-1] == "escalated"
    optional = rule.model_copy(update={"mandatory": False})
    plain = select_passages([optional], candidates, pack.chunks, pack.facts, params.selection)
    assert plain.height == params.selection.k
    assert plain["missing_terms"].to_list() == [["90 days"]] * 3


def test_a_number_that_stands_nowhere_is_recorded_as_missing() -> None:
    pack = _Pack([_chunk(0, "Our bid security is attached. " + FILLER * 5)])
    chosen = pack.passages(SECURITY)
    assert chosen["missing_terms"].to_list() == [["2%", "90 days"]]
    assert chosen["chunk_id"].to_list() == ["d1:p1_c00"]


def test_rules_without_candidates_and_packs_without_chunks_are_no_error() -> None:
    pack = _Pack([_chunk(0, "weather")])
    rules = [SECURITY, _rule("Zebra crossing", rule_id="R2"), _rule("§", rule_id="R3")]
    assert pack.candidates(*rules).is_empty()
    assert pack.passages(*rules).schema == PASSAGES.schema
    empty = _Pack([])
    assert empty.candidates(*rules).schema == CANDIDATES.schema
    assert empty.passages(*rules).is_empty()
    assert pack.candidates().is_empty()


def _long_pack(chunks: int) -> list[dict[str, object]]:
    words = [
        "bid",
        "bond",
        "delivery",
        "meter",
        "warranty",
        "price",
        "insurance",
        "test",
        "signed",
        "form",
        "valid",
        "power",
    ]
    random = np.random.default_rng(7)
    return [
        _chunk(
            number, " ".join(random.choice(words, 60)) + f" {number % 90} days and {number % 13}% of {number}.", page=number // 6 + 1,
            heading=f"{number // 40} {words[number // 40 % 12]}", kind="row" if number % 3 == 0 else "text",
        )
        for number in range(chunks)
    ]  # fmt: skip


def test_the_order_of_chunks_facts_tags_and_rules_changes_nothing() -> None:
    rows = _long_pack(120)
    tags = _tags(*((str(row["chunk_id"]), "percent") for row in rows))
    rules = [
        SECURITY,
        _rule("Warranty of 24 months", rule_id="R2"),
        _rule("Meter class", rule_id="R0", section_hints=("meter",)),
    ]
    pack, shuffled = _Pack(rows, tags), _Pack(rows[::-1], tags.reverse())
    shuffled.facts = shuffled.facts.sample(fraction=1, shuffle=True, seed=1)
    assert pack.candidates(*rules).equals(shuffled.candidates(*rules[::-1]))
    assert pack.passages(*rules).equals(shuffled.passages(*rules[::-1]))


def test_k_changes_the_passages_and_nothing_before_them() -> None:
    pack = _Pack(_long_pack(120))
    wide = Params.model_validate({"selection": {"k": 6}})
    assert pack.candidates(SECURITY).equals(pack.candidates(SECURITY, params=wide))
    few, many = (
        pack.passages(SECURITY)["chunk_id"].to_list(),
        pack.passages(SECURITY, params=wide)["chunk_id"].to_list(),
    )
    assert (len(few), len(many)) == (3, 6)
    assert set(few) <= set(many)


def test_an_index_of_other_chunks_is_refused() -> None:
    pack, other = _Pack(_long_pack(5)), _Pack(_long_pack(6))
    lexical = LexicalIndex.from_table(build_lexical_index(other.chunks, PARAMS.retrieval))
    with pytest.raises(ValueError, match="other chunks"):
        find_candidates(
            [SECURITY], pack.chunks, pack.facts, pack.tags, lexical, None, None, pack.rfp, PARAMS.retrieval
        )


def test_a_hundred_rules_against_three_thousand_chunks_all_get_passages() -> None:
    pack = _Pack(_long_pack(3000))
    pack.tags = _tags(*((str(chunk_id), "percent") for chunk_id in pack.chunks["chunk_id"]))
    rules = [SECURITY.model_copy(update={"rule_id": f"R{number:03}"}) for number in range(100)]
    lexical = LexicalIndex.from_table(build_lexical_index(pack.chunks, PARAMS.retrieval))
    found = find_candidates(
        rules, pack.chunks, pack.facts, pack.tags, lexical, None, None, pack.rfp, PARAMS.retrieval
    )
    chosen = select_passages(rules, found, pack.chunks, pack.facts, PARAMS.selection)
    assert chosen["rule_id"].n_unique() == 100


# Search


def test_a_search_hit_says_where_it_stands_and_why() -> None:
    chunk = _chunk(0, "Bid security of 2%.", page=47, heading="3.2 Bid security")
    chunk["spans"] = [{"start": 0, "end": 19, "page": 47, "block_no": 3, "block_start": 0}]
    pack = _Pack([chunk, _chunk(1, "Weather.")])
    where = {"pack": "t--b", "doc_id": "d1", "page": 47}
    line = {"start": 0, "end": 19, "x0": 10.0, "y0": 20.0, "x1": 110.0, "y1": 30.0}
    blocks = BLOCKS.frame(
        [
            {
                **where,
                "block_no": 3,
                "text": "Bid security of 2%.",
                "x0": 10,
                "y0": 20,
                "x1": 200,
                "y1": 60,
                "lines": [line],
            }
        ]
    )
    pages = PAGES.frame([{**where, "page_label": "43"}])
    lexical = LexicalIndex.from_table(build_lexical_index(pack.chunks, PARAMS.retrieval))
    hit = search_chunks("2% security", pack.chunks, blocks, pages, lexical, None, PARAMS, 5)[0]
    assert (hit["file_name"], hit["page"], hit["page_label"], hit["pack"]) == ("d1.pdf", 47, "43", "t--b")
    assert hit["boxes"] == [{"page": 47, "x0": 10.0, "y0": 20.0, "x1": 110.0, "y1": 30.0}]
    assert hit["scores"]["fused"] == hit["score"] > 0
    assert hit["reasons"][0].startswith("bm25 rank 1")
    assert search("?!", pack.chunks, lexical, None, None, 5) == []
    assert search("zebra", pack.chunks, lexical, None, None, 5) == []
