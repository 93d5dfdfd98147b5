"""Fusion of scores: far hits lead, a page speaks for its chunks, and a question's own words rank nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from bidproof.facts import find_facts
from bidproof.params import Params, RetrievalParams
from bidproof.records import Predicate, Requirement
from bidproof.retrieval import (
    DenseIndex,
    LexicalIndex,
    build_dense_index,
    build_lexical_index,
    find_candidates,
    search,
)
from bidproof.retrieval.question import asked_words, is_open_question, is_question
from bidproof.retrieval.relevance import PackRelevance, standardised
from bidproof.tables import CHUNKS, FACTS, TAGS


def _params(**given: object) -> RetrievalParams:
    return Params.model_validate({"retrieval": given}).retrieval


def _pack(pages: Sequence[tuple[str, int]], params: RetrievalParams) -> PackRelevance:
    return PackRelevance([[page] for page in pages], params)


def _chunk(number: int, text: str, page: int = 1, kind: str = "text") -> dict[str, object]:
    return {
        "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "d1", "file_name": "d1.pdf",
        "chunk_id": f"d1:p{page}_c{number:02}", "page": page, "pages": [page], "heading_path": "", "section_no": "",
        "section_title": "", "kind": kind, "text": text, "tokens": 50, "body_start": 0, "spans": [], "language": "en",
        "references": [], "quality": 80,
    }  # fmt: skip


class _Given:
    """An embedder whose passage vectors are given; queries are the first axis."""

    name, fingerprint, dimensions, max_tokens, languages = "given", "given", 2, 256, frozenset({"en"})

    def __init__(self, cosines: Sequence[float]) -> None:
        self._vectors = np.array([[one, (1 - one * one) ** 0.5] for one in cosines], dtype=np.float32)

    def encode(self, texts: Sequence[str], role: str = "passage") -> np.ndarray:
        return np.array([[1, 0]], dtype=np.float32) if role == "query" else self._vectors[: len(texts)]

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        return [1 for _ in texts]


def _candidates(
    rows: Sequence[dict[str, object]],
    rule: Requirement,
    cosines: Sequence[float] | None = None,
    **given: object,
) -> pl.DataFrame:
    chunks, params = CHUNKS.frame(list(rows)), _params(**given)
    lexical = LexicalIndex.from_table(build_lexical_index(chunks, params))
    dense, vectors = None, None
    if cosines is not None:
        dense = DenseIndex.from_table(build_dense_index(chunks, _Given(cosines), Params().dense))
        vectors = np.array([[1, 0]], dtype=np.float32)
    facts: list[dict[str, object]] = []
    for row in rows:
        own = {"pack": "t--b", "doc_id": "d1", "chunk_id": row["chunk_id"], "page": 1}
        facts += [
            {**own, "fact_no": number, **fact.model_dump()}
            for number, fact in enumerate(find_facts(str(row["text"]), language="en"))
        ]
    return find_candidates(
        [rule], chunks, FACTS.frame(facts), TAGS.empty(), lexical, dense, vectors, CHUNKS.empty(), params
    )


def _rule(text: str, *predicates: Predicate) -> Requirement:
    return Requirement(rule_id="R1", area="Finance", mandatory=True, text=text, predicates=predicates)


# Standardised scores


def test_a_score_counts_by_how_far_it_stands_out_in_its_leg() -> None:
    assert standardised(np.array([0.0, 0.0, 0.0, 4.0])) == pytest.approx([-(3**-0.5)] * 3 + [3**0.5])
    assert standardised(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]
    assert standardised(np.zeros(0)).tolist() == []


def test_alpha_shares_the_weight_between_the_legs() -> None:
    pages = [("d1", number) for number in range(4)]
    lexical, dense = np.array([9.0, 0, 0, 0]), np.array([0.1, 0.9, 0.1, 0.1])
    by_words = _pack(pages, _params(alpha=0.3)).of(lexical, dense)
    by_meaning = _pack(pages, _params(alpha=0.7)).of(lexical, dense)
    assert by_words.total.argmax() == 0
    assert by_meaning.total.argmax() == 1
    assert by_meaning.dense[1] == pytest.approx(0.5 * 0.7 * 3**0.5)
    assert by_meaning.lexical[0] == pytest.approx(0.5 * 0.3 * 3**0.5)


def test_without_the_dense_leg_words_have_all_the_weight() -> None:
    found = _pack([("d1", 1), ("d1", 2)], _params()).of(np.array([1.0, 0.0]), None)
    assert found.lexical == pytest.approx([0.5, -0.5])
    assert found.dense.tolist() == [0.0, 0.0]


def test_a_vector_that_is_no_number_moves_no_other_chunk() -> None:
    chunks = CHUNKS.frame([_chunk(n, "works", n) for n in range(4)])
    table = build_dense_index(chunks, _Given([0.9, 0.1, np.nan, 0.3]), Params().dense)
    found = DenseIndex.from_table(table).cosines(np.array([[1, 0]], dtype=np.float32))[0]
    assert found == pytest.approx([0.9, 0.1, -1.0, 0.3])


@pytest.mark.parametrize("alpha", [0.7, 0.6])  # 0.7 to 0.3, and alpha 0.6, as hybrid searches have them
def test_a_hit_of_words_alone_and_one_of_meaning_alone_are_candidates_at_any_alpha(alpha: float) -> None:
    """A left join on the dense hits, or a loop over them, loses the first."""
    rows = [_chunk(n, "weather", n) for n in range(1, 9)]
    rows += [_chunk(9, "liability insurance", 9), _chunk(10, "cover of damage to others", 10)]
    found = _candidates(
        rows, _rule("Liability insurance."), [0.1] * 8 + [0.0, 0.9],
        alpha=alpha, dense_top=1, bm25_top=1, relevance_top=0,
    )  # fmt: skip
    by_id = {row["chunk_id"]: row for row in found.iter_rows(named=True)}
    assert set(by_id) == {"d1:p9_c09", "d1:p10_c10"}
    assert (by_id["d1:p9_c09"]["bm25_rank"], by_id["d1:p9_c09"]["dense_rank"]) == (1, None)
    assert (by_id["d1:p10_c10"]["bm25_rank"], by_id["d1:p10_c10"]["dense_rank"]) == (None, 1)
    share = by_id["d1:p9_c09"]["score_lexical"] / by_id["d1:p10_c10"]["score_dense"]
    assert share == pytest.approx((1 - alpha) / alpha, rel=0.02)


def test_whatever_a_leg_keeps_is_a_candidate() -> None:
    made = np.random.default_rng(7)
    words = ["bond", "bank", "price", "works", "plan", "team", "site", "safety", "meter", "stage"]
    rows = [_chunk(n, " ".join(made.choice(words, 6)), int(made.integers(1, 12))) for n in range(60)]
    cosines = made.uniform(-0.5, 0.9, 60).tolist()
    found = _candidates(
        rows, _rule("Bond of the bank for the price."), cosines, bm25_top=7, dense_top=7, relevance_top=7
    )
    for leg in ("bm25", "dense", "relevance"):
        kept = found[f"{leg}_rank"].drop_nulls().sort().to_list()
        assert kept == list(range(1, len(kept) + 1)), leg
        assert len(kept) >= 7
    assert found["rank"].to_list() == list(range(1, found.height + 1))


# Page evidence


def test_a_page_of_several_near_hits_lifts_its_chunks_above_a_lone_one() -> None:
    pages = [("d1", 1), ("d1", 2), ("d1", 2), ("d1", 2), *[("d1", 3)] * 8]
    scores = np.array([5.0, 4.5, 4.5, 4.5, *[0.0] * 8])
    alone = _pack(pages, _params(page_weight=0.0)).of(scores, None).total
    with_page = _pack(pages, _params()).of(scores, None)
    assert alone.argmax() == 0
    assert with_page.total.argmax() == 1
    assert with_page.page[1] == with_page.page[2] > with_page.page[0] > with_page.page[4]
    assert with_page.page.mean() == pytest.approx(0.0, abs=1e-12)


def test_only_a_pages_best_chunks_speak_for_it() -> None:
    pages = [("d1", 1)] * 2 + [("d1", 2)] * 6
    scores = np.array([3.0, 3.0, 3.0, 3.0, 0.0, 0.0, 0.0, 0.0])
    found = _pack(pages, _params(page_best=2)).of(scores, None)
    assert found.page == pytest.approx([0.0] * 8, abs=1e-12)


def test_pages_of_two_documents_are_two_pages_and_one_page_says_nothing() -> None:
    scores = np.array([4.0, 0.0, 0.0])
    two = _pack([("d1", 1), ("d2", 1), ("d2", 1)], _params()).of(scores, None)
    assert two.page[0] > two.page[1] == two.page[2]
    one = _pack([("d1", 1)] * 3, _params()).of(scores, None)
    assert one.page == pytest.approx([0.0] * 3, abs=1e-12)


def test_a_chunk_that_only_its_page_speaks_for_is_a_candidate() -> None:
    rows = [
        *(_chunk(n, f"Assets row {n}", page=2, kind="row") for n in range(3)),
        *(_chunk(n, "weather", page=n) for n in range(10, 30)),
    ]
    found = _candidates(rows, _rule("Assets"), bm25_top=2)
    last = found.filter(pl.col("chunk_id") == "d1:p2_c02").row(0, named=True)
    assert (last["bm25_rank"], last["dense_rank"], last["relevance_rank"]) == (None, None, 3)
    assert last["score_page"] > 0


def test_the_best_chunk_of_each_page_is_kept_where_one_page_fills_the_places() -> None:
    pages = [("d1", 1)] * 4 + [("d1", 2), ("d1", 3), ("d1", 4)]
    scores = np.array([4.0, 5.0, 3.0, 2.0, 1.0, 0.5, -9.0])
    pack = _pack(pages, _params())
    assert pack.best(scores, 2, np.arange(7)) == [1, 0, 4]
    assert pack.best(scores, 4, np.arange(7)) == [1, 0, 2, 3, 4, 5]


def test_a_chunk_over_a_page_break_belongs_to_both_pages() -> None:
    both = PackRelevance([[("d1", 1)], [("d1", 1), ("d1", 2)], [("d1", 2)], [("d1", 3)]], _params())
    scores = np.array([5.0, 4.0, 1.0, -9.0])
    assert both.best(scores, 1, np.arange(4)) == [0]
    assert both.best(scores, 2, np.arange(4)) == [0, 1]
    page = both.of(scores, None).page
    assert page[0] == page[1] > page[2] > page[3]


# Fusion that loses no strong leg's finds


def test_the_far_hit_of_one_leg_stands_above_middling_hits_of_both() -> None:
    rows = [_chunk(0, "surety undertaking", 1)]
    rows += [_chunk(n, "bid guarantee " * 2 + "weather " * n, n + 1) for n in range(1, 12)]
    cosines = [0.95] + [0.2] * 11
    by_scores = _candidates(rows, _rule("bid"), cosines, score_term=0, score_short=0)
    by_ranks = _candidates(rows, _rule("bid"), cosines, fusion="ranks", doubt=0, score_term=0, score_short=0)
    assert by_scores["chunk_id"][0] == "d1:p1_c00"
    assert by_ranks["chunk_id"][0] != "d1:p1_c00"


@pytest.mark.parametrize("fusion", ["scores", "ranks"])
def test_the_stored_parts_sum_to_the_score_in_either_fusion(fusion: str) -> None:
    rows = [_chunk(n, f"bid security {n}% valid {n * 10} days " + "works " * n, n // 3) for n in range(12)]
    rule = _rule("Bid security of 2%.", Predicate(kind="quantity", value=2, unit="percent", text="2%"))
    found = _candidates(rows, rule, [n / 12 for n in range(12)], fusion=fusion)
    parts = found.select(pl.sum_horizontal(pl.col("^score_.*$")).alias("sum"))["sum"]
    assert parts.to_list() == pytest.approx(found["evidence_score"].to_list())
    assert (found["score_rrf"] > 0).all() == (fusion == "ranks")
    assert (found["score_dense"] != 0).any() == (fusion == "scores")


def test_a_copy_of_the_rule_loses_its_relevance_too() -> None:
    text = "The bidder offers a warranty of at least twenty four months from the date of acceptance."
    rows = [_chunk(n, "weather " * 9, n) for n in range(2, 9)]
    rows += [
        _chunk(0, text, 1),
        _chunk(1, "Our warranty on all works runs for three years after you accept them.", 20),
    ]
    found = _candidates(rows, _rule(text))
    copied = found.filter(pl.col("chunk_id") == "d1:p1_c00").row(0, named=True)
    assert copied["score_lexical"] > 0
    assert copied["score_echo"] < -1.5 - 0.75 * copied["score_terms"]


# Questions


@pytest.mark.parametrize(
    "text",
    [
        "What is the net income of 2021?",
        "Which standard does the meter meet",
        "Quel est le délai de garantie ?",
        "By the statement of income, how much was paid?",
        "Does the bidder hold ISO 9001?",
    ],
)
def test_questions_are_told_from_rules(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where the bidder is a joint venture, all members sign.",
        "When works are late, damages are due.",
        "What is offered must meet IEC 62053-21.",
        "Bid security: 2% of the price.",
        "Do not name prices in the technical volume.",
        "Has a local office in the region.",
        "Is entered in the trade register of its country.",
        "Can deliver spare parts within 24 hours.",
    ],
)
def test_rules_are_no_questions(text: str) -> None:
    assert not is_question(text)
    assert asked_words(text) == text


def test_words_of_asking_and_instructions_are_dropped_and_numbers_years_and_names_kept() -> None:
    text = (
        "How much (in USD millions) did Corvane pay in dividends for FY2021? Compute the answer from the cash flows. "
        "Round your answer to two decimal places."
    )
    assert asked_words(text) == "did Corvane pay in dividends for FY2021?"
    assert (
        asked_words("If that is no useful figure, explain. What was the gross margin in 2020?")
        == "What was the gross margin in 2020?"
    )
    assert asked_words("How?") == "How?"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Is a guarantee enclosed (in force for 90 days)?", "in force for 90 days"),
        ("List your certificates of quality. Do you hold ISO 9001?", "certificates of quality"),
        (
            "What is the key? Answer the following question: is personal information kept?",
            "personal information",
        ),
        (
            "Which line items and details of the price schedule are calculated by site?",
            "line items and details",
        ),
    ],
)
def test_what_a_question_asks_about_is_kept(text: str, kept: str) -> None:
    assert kept in asked_words(text)


def test_a_statement_of_an_unnamed_bidder_has_its_terms_seen() -> None:
    rows = [
        _chunk(0, "Our local office is in Bergen. " * 20, 1),
        *(_chunk(n, "weather", n) for n in range(2, 9)),
    ]
    assert _candidates(rows, _rule("Has a local office."))["score_terms"][0] > 0


def test_a_question_has_no_concepts_and_its_instructions_no_numbers() -> None:
    rows = [
        _chunk(0, "Answer the question by calculating the line items to two decimal places.", 1),
        _chunk(1, "Dividends paid | 412", 2, "row"),
        *(_chunk(n, "weather", n) for n in range(3, 12)),
    ]
    places = Predicate(kind="quantity", value=2, unit="place", text="two decimal places")
    rule = _rule(
        "What dividends were paid? Calculate the answer by the line items to two decimal places.", places
    )
    found = _candidates(rows, rule)
    assert found["chunk_id"][0] == "d1:p2_c01"
    assert found["score_terms"].to_list() == [0.0] * found.height
    assert found["score_numbers"].to_list() == [0.0] * found.height


def test_a_number_that_a_question_itself_names_still_counts() -> None:
    rows = [_chunk(n, f"The warranty runs {n * 12} months.", n) for n in range(1, 5)]
    rule = _rule(
        "Is the warranty 24 months?", Predicate(kind="quantity", value=24, unit="month", text="24 months")
    )
    found = _candidates(rows, rule)
    assert found["chunk_id"][0] == "d1:p2_c02"
    assert found["score_numbers"][0] == Params().retrieval.score_number


def test_an_open_question_asks_for_its_number_and_does_not_require_it() -> None:
    rows = [_chunk(n, f"The company was founded {n} years ago.", n) for n in range(1, 5)]
    rule = _rule(
        "Which companies were bought in the last 3 years?",
        Predicate(kind="quantity", value=3, unit="year", text="3 years"),
    )
    assert _candidates(rows, rule)["score_numbers"].to_list() == [0.0] * 4
    assert is_open_question(rule.text)
    assert not is_open_question("Is the warranty 24 months?")
    assert not is_open_question("Is the warranty 24 months? If not, explain which it is.")


def test_a_search_by_people_ranks_by_scores_too() -> None:
    rows = [_chunk(0, "surety undertaking", 1)]
    rows += [_chunk(n, "bid guarantee " * 2 + "weather " * n, n + 1) for n in range(1, 12)]
    chunks = CHUNKS.frame(rows)
    lexical = LexicalIndex.from_table(build_lexical_index(chunks, _params()))
    embedder = _Given([0.95] + [0.2] * 11)
    dense = DenseIndex.from_table(build_dense_index(chunks, embedder, Params().dense))
    assert search("bid", chunks, lexical, dense, embedder, 1, _params())[0].chunk_id == "d1:p1_c00"
    by_ranks = search("bid", chunks, lexical, dense, embedder, 1, _params(fusion="ranks"))
    assert by_ranks[0].chunk_id != "d1:p1_c00"
