"""Who comes first, who shares a place, and on which single verdict a gate hangs."""

from __future__ import annotations

import itertools
import json
from typing import Any

import polars as pl
import pytest

from bidproof.params import ScoringParams
from bidproof.records import Requirement
from bidproof.scoring import rank_bidders, score_pack
from bidproof.tables import DOCUMENTS, FINDINGS, PAGES, SCORES

PACK = {"tender": "meters", "bidder": "acme", "pack": "meters--acme"}


def scores(*bidders: tuple[str, str, float | None], **more: float) -> pl.DataFrame:
    return SCORES.frame([
        {"tender": "meters", "bidder": name, "pack": f"meters--{name}", "catalog_version": "v1", "gate": gate, "technical": score, **more}
        for name, gate, score in bidders
    ])  # fmt: skip


def places(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return frame.select("order_no", "bidder", "rank", "rank_if_passed").rows()


def test_equal_scores_share_a_rank_and_the_next_one_is_skipped() -> None:
    found = rank_bidders(scores(("c", "pass", 0.8), ("a", "pass", 0.9), ("b", "pass", 0.9)), ScoringParams())
    assert places(found) == [(1, "a", 1, 1), (2, "b", 1, 1), (3, "c", 3, 3)]
    assert found["tied_with"].to_list() == [["b"], ["a"], []]
    assert set(found["ranked_by"]) == {"technical"}


def test_a_bidder_that_fails_the_gate_is_behind_all_others_whatever_its_score() -> None:
    found = rank_bidders(
        scores(("fails", "fail", 1.0), ("open", "cannot decide", 0.7), ("low", "pass", 0.2), ("best", "pass", 0.8)),
        ScoringParams(),
    )  # fmt: skip
    assert places(found) == [(1, "best", 1, 1), (2, "low", 2, 2), (3, "open", None, 2), (4, "fails", None, 1)]
    assert found["gate"].to_list() == ["pass", "pass", "cannot decide", "fail"]


def test_scores_that_differ_only_in_the_last_digit_of_a_sum_are_equal() -> None:
    found = rank_bidders(scores(("a", "pass", 0.1 + 0.2), ("b", "pass", 0.3)), ScoringParams())
    assert found["rank"].to_list() == [1, 1]


def test_a_catalog_without_technical_rules_ranks_nobody_by_them() -> None:
    frame = scores(("a", "pass", None), ("b", "pass", None), overall=0.5)
    assert places(rank_bidders(frame, ScoringParams())) == [(1, "a", None, None), (2, "b", None, None)]
    by_all = rank_bidders(frame, ScoringParams(rank_by="overall"))
    assert (by_all["rank"].to_list(), set(by_all["ranked_by"])) == ([1, 1], {"overall"})


def test_the_order_of_packs_changes_no_rank() -> None:
    rows = [("a", "pass", 0.9), ("b", "fail", 0.9), ("c", "pass", 0.9), ("d", "cannot decide", 0.1)]
    frames = [
        rank_bidders(scores(*order), ScoringParams()).write_json() for order in itertools.permutations(rows)
    ]
    assert len(set(frames)) == 1


def test_a_tender_without_scored_packs_has_no_ranks() -> None:
    assert rank_bidders(SCORES.empty(), ScoringParams()).height == 0


def flips(
    found: dict[str, str | tuple[str, bool]],
    optional: tuple[str, ...] = (),
    unread: bool = False,
    open_rules: tuple[str, ...] = (),
    min_coverage: float = 0.0,
) -> list[tuple[str, str, str, str]]:
    rules = [
        Requirement(rule_id=name, area="Admin", mandatory=name not in optional, text="On bid validity.")
        for name in found
    ]
    rows = []
    for name, said in found.items():
        status, review = said if isinstance(said, tuple) else (said, False)
        if status == "absent":
            continue
        absence = json.dumps({"could_stand_unread": name in open_rules}) if status == "Missing" else ""
        rows.append({
            **PACK, "rule_id": name, "status": status, "needs_review": review, "absence": absence, "page": 1, "checks_passed": [],
        })  # fmt: skip
    files = DOCUMENTS.frame(
        [{**PACK, "doc_id": "d", "file_name": "a.pdf", "status": "ok", "page_count": 2, "duplicate_of": ""}]
    )
    pages = PAGES.frame([
        {**PACK, "doc_id": "d", "file_name": "a.pdf", "page": 1, "status": "text"},
        {**PACK, "doc_id": "d", "file_name": "a.pdf", "page": 2, "status": "unreadable" if unread else "text"},
    ])  # fmt: skip
    row = score_pack(rules, files, pages, FINDINGS.frame(rows), ScoringParams(), min_coverage=min_coverage)
    return [
        (one["rule_id"], one["status"], one["if_status"], one["gate"])
        for one in row.row(0, named=True)["gate_flips"]
    ]


def test_a_gate_that_one_failed_rule_closes_hangs_on_that_rule_alone() -> None:
    assert flips({"R1": "Pass", "R2": "Fail", "R3": "Partial"}) == [("R2", "Fail", "Pass", "pass")]


def test_no_single_verdict_opens_a_gate_that_two_rules_close() -> None:
    assert flips({"R1": "Fail", "R2": "Missing", "R3": "Pass"}) == []


def test_an_open_gate_hangs_on_every_mandatory_rule_and_first_on_those_still_to_review() -> None:
    found = flips({"R1": "Pass", "R2": ("Partial", True), "R3": ("Pass", True), "O1": "Pass"}, ("O1",))
    assert found == [
        ("R2", "Partial", "Fail", "fail"),
        ("R3", "Pass", "Fail", "fail"),
        ("R1", "Pass", "Fail", "fail"),
    ]


def test_a_rule_that_nobody_judged_closes_the_gate_and_would_open_it() -> None:
    assert flips({"R1": "Pass", "R2": "absent"}) == [("R2", "Missing", "Pass", "pass")]


def test_a_gate_that_cannot_be_decided_hangs_on_the_rule_that_may_stand_on_an_unread_page() -> None:
    found = flips({"R1": "Missing", "R2": "Pass"}, unread=True, open_rules=("R1",))
    assert found == [
        ("R1", "Missing", "Fail", "fail"),
        ("R1", "Missing", "Pass", "pass"),
        ("R2", "Pass", "Fail", "fail"),
    ]
    twice = flips({"R1": "Missing", "R2": "Missing"}, unread=True, open_rules=("R1", "R2"))
    assert [(rule, then) for rule, _, _, then in twice] == [("R1", "fail"), ("R2", "fail")]


def test_a_pack_that_was_hardly_read_passes_on_no_single_verdict() -> None:
    found = flips({"R1": "Fail", "R2": "Pass"}, unread=True, min_coverage=0.9)
    assert found == [("R1", "Fail", "Pass", "cannot decide")]


@pytest.mark.parametrize("status", ["Pass", "Partial", "Fail", "Missing"])
def test_optional_rules_turn_no_gate(status: str) -> None:
    assert flips({"R1": "Pass", "O1": status}, ("O1",)) == [("R1", "Pass", "Fail", "fail")]
