"""The yardstick that holds ranked candidates of two pipelines against gold: pages, snippets, and chance."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from bidproof.evaluation.labelled import GoldSpan, LabelledItem
from bidproof.records import Requirement

_PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "ranking" / "yardstick.py"


@pytest.fixture(scope="module")
def yardstick() -> Any:
    spec = importlib.util.spec_from_file_location("ranking_yardstick", _PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def candidate(text: str, page: int = 3, document: str = "offer.pdf", place: int = 0) -> dict[str, Any]:
    return {"document": document, "pages": [page], "text": text, "own": text, "place": place}


def item(*snippets: str, page: int | None = 3) -> LabelledItem:
    gold = tuple(GoldSpan(document="offer.pdf", page=page, text=snippet) for snippet in snippets)
    rule = Requirement(rule_id="R1", area="", mandatory=True, text="The warranty lasts 24 months.")
    return LabelledItem(item_id="R1", pack="p", requirement=rule, gold=gold)


def test_a_snippet_counts_only_on_its_own_page_and_in_its_own_file(yardstick: Any) -> None:
    asked = item("valid for 150 days")
    right, other = "The offer is Valid for\n150 days.", candidate("valid for 150 days", document="other.pdf")
    assert yardstick.rule_recall(5)(asked, [candidate(right)]) == 1
    assert yardstick.rule_recall(5)(asked, [candidate(right, page=4), other]) == 0


def test_recall_looks_at_the_first_k_candidates_and_no_further(yardstick: Any) -> None:
    ranked = [candidate("nothing"), candidate("valid for 150 days")]
    assert yardstick.rule_recall(1)(item("valid for 150 days"), ranked) == 0
    assert yardstick.rule_recall(2)(item("valid for 150 days"), ranked) == 1
    assert yardstick.snippet_rank(item("valid for 150 days"), ranked) == 0.5
    assert yardstick.span_recall(2)(item("valid for 150 days", "ISO 9001"), ranked) == 0.5


def test_a_snippet_over_two_rows_is_found_only_by_the_count_of_words(yardstick: Any) -> None:
    rows = [candidate("Revenue | 1,480 Cr"), candidate("Year | FY2023")]
    assert yardstick.span_recall(5)(item("1,480 Cr FY2023"), rows) == 0
    assert yardstick.span_recall(5, "words")(item("1,480 Cr FY2023"), rows) == 1
    assert yardstick.span_recall(1, "words")(item("1,480 Cr FY2023"), rows) == 0


def test_candidates_that_follow_one_another_in_the_file_can_be_read_as_one_text(yardstick: Any) -> None:
    asked = item("ISO 27001 Certificate no. 77")
    norm, number = candidate("Norm | ISO 27001", place=4), candidate("Certificate no. | 77", place=5)
    assert yardstick.span_recall(5)(asked, [number, norm]) == 0
    assert yardstick.span_recall(5, "joined")(asked, [number, norm]) == 1
    assert yardstick.span_recall(1, "joined")(asked, [number, norm]) == 0
    assert yardstick.span_recall(5, "joined")(asked, [norm, candidate("Certificate no. | 77", place=6)]) == 0


def test_what_two_neighbours_share_at_their_seam_is_read_once(yardstick: Any) -> None:
    asked = item("The bid is valid for 150 days from the day of submission")
    ranked = [
        candidate("The bid is valid for 150 days", place=1),
        candidate("150 days from the day of submission", place=2),
    ]
    assert yardstick.rule_recall(5)(asked, ranked) == 0
    assert yardstick.rule_recall(5, "joined")(asked, ranked) == 1


def test_a_snippet_held_whole_counts_as_held_by_words_however_it_is_spaced(yardstick: Any) -> None:
    assert yardstick.span_recall(5, "words")(item("INR 1,480 Cr"), [candidate("INR1,480Cr")]) == 1


def test_a_budget_of_characters_takes_candidates_while_they_fit_but_always_one(yardstick: Any) -> None:
    long, short = candidate("x" * 90), candidate("valid for 150 days")
    assert yardstick.within(100)(item("valid for 150 days"), [long, short]) == 0
    assert yardstick.within(200)(item("valid for 150 days"), [long, short]) == 1
    assert yardstick.within(5)(item("valid for 150 days"), [short]) == 1


def test_pages_are_counted_once_in_the_order_in_which_candidates_bring_them(yardstick: Any) -> None:
    ranked = [candidate("a", 7), candidate("b", 7), candidate("c", 3)]
    assert yardstick.hit_at(1)(item("c"), ranked) == 0
    assert yardstick.hit_at(2)(item("c"), ranked) == 1
    assert yardstick.page_rank(item("c"), ranked) == 0.5


def test_an_item_without_gold_counts_nowhere(yardstick: Any) -> None:
    empty = item()
    measures = (yardstick.hit_at(5), yardstick.rule_recall(5), yardstick.span_recall(5), yardstick.within(9))
    assert [measure(empty, [candidate("a")]) for measure in measures] == [None] * 4


def test_the_sign_test_counts_items_that_differ_and_their_chance(yardstick: Any) -> None:
    won, lost, chance = yardstick.sign_test([1, 1, 1, 1, 1, 0, 1, None], [0, 0, 0, 0, 0, 1, 1, 1])
    assert (won, lost) == (5, 1)
    assert chance == pytest.approx(2 * (1 + 6) / 64)
    assert yardstick.sign_test([1.0], [1.0]) == (0, 0, 1.0)
