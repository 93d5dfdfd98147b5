"""Verdicts that contradict each other: in one bid over its rules, and over bidders on the same words."""

from __future__ import annotations

import itertools
import unicodedata
from typing import Any

import polars as pl
import pytest

from bidproof.catalog import derive
from bidproof.records import Predicate, Requirement
from bidproof.tables import CANDIDATES, CHUNKS, DOCUMENTS, FINDINGS
from bidproof.verification import find_contradictions
from bidproof.verification.implication import asks_no_more, implies

LONG = "The bid remains valid for at least 120 calendar days from the submission date."
SHORT = "The bid remains valid for at least 90 calendar days from the submission date."
OFFER = "Our bid remains valid for 150 calendar days from the submission date."


def rule(rule_id: str, text: str) -> Requirement:
    return derive(Requirement(rule_id=rule_id, area="Admin", mandatory=True, text=text))


def keys(bidder: str) -> dict[str, str]:
    return {"tender": "meters", "bidder": bidder, "pack": f"meters--{bidder}"}


def finding(
    bidder: str, rule_id: str, status: str, quote: str = OFFER, page: int = 3, **more: Any
) -> dict[str, Any]:
    quote = "" if status == "Missing" else quote
    return {
        **keys(bidder), "rule_id": rule_id, "catalog_version": "v1", "status": status, "quote": quote,
        "page": None if status == "Missing" else page, "other_quotes": [], **more,
    }  # fmt: skip


def contradictions(
    rules: list[Requirement], found: list[dict[str, Any]], said: dict[tuple[str, str], str] | None = None
) -> list[dict[str, Any]]:
    """Rows of `consistency`; `said` is the text of a candidate by bidder and rule."""
    said = said or {}
    chunks = CHUNKS.frame(
        [{**keys(b), "chunk_id": f"{b}:{r}", "text": text} for (b, r), text in said.items()]
    )
    candidates = CANDIDATES.frame(
        [{**keys(b), "rule_id": r, "chunk_id": f"{b}:{r}", "rank": 1} for b, r in said]
    )
    bidders = sorted({row["bidder"] for row in found})
    documents = DOCUMENTS.frame(
        [{**keys(b), "doc_id": b, "bidder_name": f"{b.title()} Metering"} for b in bidders]
    )
    return find_contradictions(rules, FINDINGS.frame(found), candidates, chunks, documents).to_dicts()


def lines(rows: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    return [
        (row["bidder"], row["rule_id"], row["status"], row["kind"], row["other_bidder"], row["other_rule_id"], row["other_status"])
        for row in rows
    ]  # fmt: skip


def test_a_rule_that_asks_less_cannot_fail_on_the_words_on_which_one_that_asks_more_passes() -> None:
    rows = contradictions(
        [rule("R14", LONG), rule("R77", SHORT)],
        [finding("acme", "R14", "Pass"), finding("acme", "R77", "Fail")],
    )
    assert lines(rows) == [
        ("acme", "R14", "Pass", "same bid", "acme", "R77", "Fail"),
        ("acme", "R77", "Fail", "same bid", "acme", "R14", "Pass"),
    ]
    assert [row["reason"] for row in rows] == [
        "consistency: R77 asks no more of the same and is Fail on the same words, p. 3",
        "consistency: R14 asks no less of the same and is Pass on the same words, p. 3",
    ]


def test_a_rule_that_asks_more_may_fail_where_one_that_asks_less_passes() -> None:
    found = [finding("acme", "R14", "Fail"), finding("acme", "R77", "Pass")]
    assert contradictions([rule("R14", LONG), rule("R77", SHORT)], found) == []


def test_the_same_rule_stated_twice_is_answered_once_even_on_other_words() -> None:
    rules = [rule("R14", LONG), rule("R77", LONG.replace("The bid", "Each bid"))]
    other = "The validity of this bid is 150 calendar days."
    rows = contradictions(
        rules, [finding("acme", "R14", "Pass"), finding("acme", "R77", "Partial", other, page=9)]
    )
    assert [(row["rule_id"], row["other_status"], row["evidence"]) for row in rows] == [
        ("R14", "Partial", ""),
        ("R77", "Pass", ""),
    ]
    assert rows[0]["reason"].endswith("and is Partial on other words, p. 9")
    missing = contradictions(rules, [finding("acme", "R14", "Pass"), finding("acme", "R77", "Missing")])
    assert [(row["rule_id"], row["status"]) for row in missing] == [("R14", "Pass"), ("R77", "Missing")]


@pytest.mark.parametrize(
    "text",
    [
        "The bid security remains valid for at least 90 calendar days from the submission date.",
        "The warranty of the meters runs for at least 24 months.",
        "The bid remains valid for at least 90 working days from the submission date.",
        "The bid remains valid for at most 150 calendar days from the submission date.",
    ],
)
def test_another_measure_or_unit_or_direction_is_another_matter(text: str) -> None:
    found = [finding("acme", "R14", "Pass"), finding("acme", "R77", "Fail")]
    assert contradictions([rule("R14", LONG), rule("R77", text)], found) == []


def test_the_same_words_of_two_bidders_have_one_verdict_under_one_rule() -> None:
    rows = contradictions(
        [rule("R14", LONG)],
        [
            finding("acme", "R14", "Pass", "Acme Metering keeps its bid\u00a0valid for “150” calendar days.", page=4),
            finding("beta", "R14", "Fail", "BETA METERING keeps its bid valid for \"150\"  calendar days", page=8),
            finding("gamma", "R14", "Fail", "Gamma Metering keeps its bid valid for 15 calendar days.", page=8),
        ],
    )  # fmt: skip
    assert lines(rows) == [
        ("acme", "R14", "Pass", "other bidder", "beta", "R14", "Fail"),
        ("beta", "R14", "Fail", "other bidder", "acme", "R14", "Pass"),
    ]
    assert rows[0]["reason"] == "consistency: beta has the same words and R14 is Fail there, p. 8"
    assert rows[0]["evidence"] == 'the bidder keeps its bid valid for "150" calendar days'


def test_words_that_rest_on_other_further_words_may_differ_in_verdict() -> None:
    found = [
        finding("acme", "R14", "Pass"),
        finding("beta", "R14", "Fail", other_quotes=["Except for lot 3."]),
    ]
    assert contradictions([rule("R14", LONG)], found) == []


def test_many_bidders_with_the_same_words_give_one_row_a_verdict_and_say_how_many() -> None:
    found = [finding(name, "R14", "Pass" if name < "d" else "Fail") for name in ("a", "b", "c", "d", "e")]
    rows = contradictions([rule("R14", LONG)], found)
    assert [(row["bidder"], row["other_bidder"], row["others"]) for row in rows] == [
        ("a", "d", 2), ("b", "d", 2), ("c", "d", 2), ("d", "a", 3), ("e", "a", 3),
    ]  # fmt: skip
    assert rows[0]["reason"].endswith("R14 is Fail there, p. 3 and 1 more")


def test_words_that_passed_for_one_bidder_and_were_not_found_for_another_are_named() -> None:
    said = {
        ("beta", "R14"): f"4.2 Validity\n{OFFER} We sign it.",
        ("gamma", "R14"): "Our bid remains valid for 15 days.",
    }
    rows = contradictions(
        [rule("R14", LONG)],
        [
            finding("acme", "R14", "Pass"),
            finding("beta", "R14", "Missing"),
            finding("gamma", "R14", "Missing"),
        ],
        said,
    )
    assert lines(rows) == [
        ("acme", "R14", "Pass", "not found", "beta", "R14", "Missing"),
        ("beta", "R14", "Missing", "not found", "acme", "R14", "Pass"),
    ]
    assert rows[1]["reason"] == "consistency: acme has the same words and R14 is Pass there, p. 3"


def test_words_with_accents_and_ligatures_are_the_same_words_in_any_encoding() -> None:
    quote = "La validité de l’offre et sa mise en œuvre certi\ufb01ée durent 150 jours."
    said = {("beta", "R14"): "4. " + unicodedata.normalize("NFD", quote).replace("\ufb01", "fi") + " Signé."}
    found = [finding("acme", "R14", "Pass", quote), finding("beta", "R14", "Missing")]
    rows = contradictions([rule("R14", LONG)], found, said)
    assert [(row["bidder"], row["kind"]) for row in rows] == [("acme", "not found"), ("beta", "not found")]
    turned = {("beta", "R14"): quote}
    found = [
        finding("acme", "R14", "Pass", unicodedata.normalize("NFD", quote)),
        finding("beta", "R14", "Missing"),
    ]
    assert len(contradictions([rule("R14", LONG)], found, turned)) == 2


def test_bidders_in_any_order_give_the_same_bytes() -> None:
    rules = [rule("R14", LONG), rule("R77", SHORT)]
    found = [
        finding("acme", "R14", "Pass"), finding("acme", "R77", "Fail"), finding("beta", "R14", "Fail"),
        finding("gamma", "R14", "Missing"), finding("gamma", "R77", "Pass"),
    ]  # fmt: skip
    said = {("gamma", "R14"): OFFER, ("acme", "R14"): OFFER}
    seen = set()
    for order in itertools.permutations(range(5)):
        rows = contradictions(list(reversed(rules)) if order[0] else rules, [found[n] for n in order], said)
        seen.add(str(rows))
    assert len(seen) == 1
    assert len(contradictions(rules, found, said)) == 10


def test_verdicts_on_rules_that_left_the_catalog_contradict_nothing() -> None:
    assert (
        contradictions([rule("R77", SHORT)], [finding("acme", "R14", "Pass"), finding("beta", "R14", "Fail")])
        == []
    )
    assert find_contradictions([], FINDINGS.empty(), CANDIDATES.empty(), CHUNKS.empty(), DOCUMENTS.empty()).equals(
        pl.DataFrame(schema=find_contradictions([], FINDINGS.empty(), CANDIDATES.empty(), CHUNKS.empty(), DOCUMENTS.empty()).schema)
    )  # fmt: skip


def quantity(comparator: str, value: float, **more: Any) -> Predicate:
    given = {"measure": ("bid validity",), "unit": "day", **more}
    return Predicate.model_validate({"kind": "quantity", "comparator": comparator, "value": value, **given})


@pytest.mark.parametrize(
    ("one", "other", "follows"),
    [
        (quantity(">=", 120), quantity(">=", 90), True),
        (quantity(">=", 90), quantity(">=", 120), False),
        (quantity("<=", 5), quantity("<=", 10), True),
        (quantity("<", 10), quantity("<=", 10), True),
        (quantity("<=", 10), quantity("<", 10), False),
        (quantity(">=", 90), quantity("<=", 120), False),
        (quantity(">=", 120), quantity(">=", 90, base="total bid price"), False),
        (quantity(">=", 120), quantity(">=", 90, readings=("90", "60")), False),
        (quantity(">=", 120, text="at least 120"), quantity(">=", 120, group=1), True),
    ],
)
def test_a_stricter_figure_holds_a_looser_one(one: Predicate, other: Predicate, follows: bool) -> None:
    assert implies(one, other) is follows


def test_a_standard_of_an_edition_is_that_standard_and_not_another_edition() -> None:
    named = Predicate(kind="standard", code="ISO 9001")
    dated = named.model_copy(update={"edition": "2015", "valid_on_submission": True})
    assert implies(dated, named)
    assert not implies(named, dated)
    assert not implies(dated, named.model_copy(update={"edition": "2008"}))


def test_a_rule_with_a_way_out_asks_no_more_than_each_of_its_ways_and_no_less_than_their_union() -> None:
    either = rule("R1", LONG).model_copy(
        update={"predicates": (quantity(">=", 120), quantity(">=", 90, unit="month", group=1))}
    )
    first = either.model_copy(update={"predicates": (quantity(">=", 150),)})
    assert asks_no_more(either, first)
    assert not asks_no_more(first, either)
