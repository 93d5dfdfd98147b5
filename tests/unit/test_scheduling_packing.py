"""Which rules share a request, and which need the full pass after triage."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidproof.judging.scheduling import Ask, Kind, Outcome, Request, RequestBudget, Result, needs_full, packed
from bidproof.judging.scheduling.triage import Passes
from bidproof.params import SchedulingParams
from bidproof.records import Status

BUDGET = RequestBudget(overhead=300, per_passage=10, max_rules=5, max_in=3000, max_out=2000)


def ask(
    rule: str, *passages: str, mandatory: bool = False, pack: str = "t--a", tokens: int = 200, rank: int = 0
) -> Ask:
    return Ask(rule, pack, mandatory, 30, tuple((name, tokens) for name in passages), 250, rank)


def test_five_rules_share_a_request_and_its_instructions() -> None:
    asks = [ask(f"R{n}", f"p{n}") for n in range(10)]
    requests = packed(asks, "full", BUDGET)
    assert [len(request.rules) for request in requests] == [5, 5]
    assert requests[0].tokens_in_estimate == 300 + 5 * (30 + 200 + 10)
    assert requests[0].tokens_out_max == 5 * 250


def test_rules_with_the_same_passages_meet_in_one_request_which_shows_them_once() -> None:
    asks = [ask(f"R{n}", "even" if n % 2 == 0 else "odd") for n in range(10)]
    requests = packed(asks, "full", BUDGET)
    assert [request.rules for request in requests] == [
        ("R0", "R2", "R4", "R6", "R8"),
        ("R1", "R3", "R5", "R7", "R9"),
    ]
    assert requests[0].tokens_in_estimate == 300 + 5 * 30 + 210


def test_a_request_never_mixes_bidders_nor_mandatory_rules_with_others() -> None:
    asks = [
        ask(f"R{n}", "p", mandatory=n % 2 == 0, pack=pack, rank=rank)
        for n in range(6)
        for rank, pack in enumerate(["t--a", "t--b"])
    ]
    requests = packed(asks, "full", BUDGET)
    kind = {(a.pack, a.rule_id): a.mandatory for a in asks}
    for request in requests:
        assert len({kind[request.pack, rule] for rule in request.rules}) == 1
    assert [(r.pack, kind[r.pack, r.rules[0]]) for r in requests] == [
        ("t--a", True),
        ("t--b", True),
        ("t--a", False),
        ("t--b", False),
    ]


def test_a_long_rule_goes_alone() -> None:
    asks = [ask("long", *(f"x{n}" for n in range(30))), *(ask(f"R{n}", f"p{n}") for n in range(3))]
    requests = packed(asks, "full", BUDGET)
    assert [request.rules for request in requests] == [("R0", "R1", "R2"), ("long",)]


def test_no_packed_request_is_above_the_window_where_its_rules_are_not() -> None:
    budget = RequestBudget(300, 10, 5, 100_000, 100_000, window=1500)
    requests = packed([ask(f"R{n}", f"p{n}") for n in range(8)], "full", budget)
    assert max(request.tokens for request in requests) <= 1500
    assert max(len(request.rules) for request in requests) == 2


@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.sampled_from(["t--a", "t--b", "t--c"]),
            st.lists(st.integers(0, 12), max_size=6, unique=True),
        ),
        max_size=40,
    ),
    st.integers(0, 1000),
)
def test_each_rule_is_asked_once_within_the_budget_whatever_the_order(
    rules: list[tuple[bool, str, list[int]]], seed: int
) -> None:
    asks = [
        ask(f"R{n:03d}", *(f"p{i}" for i in passages), mandatory=mandatory, pack=pack)
        for n, (mandatory, pack, passages) in enumerate(rules)
    ]
    requests = packed(asks, "full", BUDGET)
    assert sorted(rule for request in requests for rule in request.rules) == [a.rule_id for a in asks]
    assert len({request.id for request in requests}) == len(requests)
    for request in requests:
        shown = dict(p for a in request.payload for p in a.passages)
        assert request.tokens_in_estimate == 300 + 30 * len(request.rules) + 210 * len(shown)
        assert BUDGET.holds(len(request.rules), request.tokens_in_estimate, request.tokens_out_max)
    mixed = list(asks)
    Random(seed).shuffle(mixed)
    assert packed(mixed, "full", BUDGET) == requests


@pytest.mark.parametrize(
    ("status", "proven", "contradicted", "reason"),
    [
        (Status.PASS, True, False, ""),
        (Status.PASS, False, False, "its quote is not proven"),
        (Status.PASS, True, True, "its predicates say otherwise"),
        (Status.MISSING, False, False, "Missing on its best passage alone"),
        (Status.FAIL, True, False, "Fail on its best passage alone"),
        (Status.PARTIAL, True, False, "Partial on its best passage alone"),
        (None, False, False, "no answer in the triage pass"),
    ],
)
def test_only_a_proven_pass_that_no_predicate_contradicts_needs_no_full_pass(
    status: Status | None, proven: bool, contradicted: bool, reason: str
) -> None:
    assert needs_full(status, proven=proven, contradicted=contradicted) == reason


def answered(request: Request, kind: Kind = Kind.OK) -> Result:
    return Result(request, Outcome(kind, 100, 100))


def test_triage_shows_the_best_passage_alone_and_the_full_pass_all_of_them() -> None:
    params = SchedulingParams()
    passes = Passes([ask("R1", "best", "second", "third", mandatory=True)], params, BUDGET)
    (triage,) = passes.first()
    assert (triage.stage, triage.tokens_in_estimate) == ("triage", 300 + 30 + 210)
    assert triage.tokens_out_max == params.triage_answer_tokens
    (full,) = passes.after(answered(triage), ["R1"])
    assert (full.stage, full.tokens_in_estimate) == ("full", 300 + 30 + 3 * 210)
    assert full.priority > triage.priority
    assert passes.after(answered(triage), []) == []


def test_what_was_cut_off_alone_is_asked_again_with_more_room_and_not_for_ever() -> None:
    passes = Passes([ask(f"R{n}", f"p{n}") for n in range(5)], SchedulingParams(triage=False), BUDGET)
    (first,) = passes.first()
    (again,) = passes.after(answered(first, Kind.TRUNCATED), ["R3", "R4"])
    assert again.rules == ("R3", "R4")
    assert again.tokens_out_max == 2 * 2 * 250
    assert passes.after(answered(again, Kind.TRUNCATED), ["R4"]) == []


def test_without_triage_all_rules_are_read_in_full_at_once() -> None:
    passes = Passes([ask("R1", "a", "b")], SchedulingParams(triage=False), BUDGET)
    assert [request.stage for request in passes.first()] == ["full"]


def test_what_the_server_would_not_answer_is_not_asked_again() -> None:
    passes = Passes([ask("R1", "a")], SchedulingParams(), BUDGET)
    (triage,) = passes.first()
    assert passes.after(Result(triage, None, "not sent"), ["R1"]) == []


def test_rules_that_were_rejected_together_are_asked_one_by_one_once() -> None:
    passes = Passes([ask(f"R{n}", f"p{n}") for n in range(3)], SchedulingParams(triage=False), BUDGET)
    (request,) = passes.first()
    alone = passes.after(Result(request, Outcome(Kind.REJECTED), "the server rejects it", 1), [])
    assert [part.rules for part in alone] == [("R0",), ("R1",), ("R2",)]
    assert len({part.id for part in alone} | {request.id}) == 4
    assert passes.after(Result(alone[0], Outcome(Kind.REJECTED), "the server rejects it", 1), []) == []


def test_a_request_above_the_window_is_parted_into_its_rules() -> None:
    passes = Passes([ask(f"R{n}", f"p{n}") for n in range(3)], SchedulingParams(triage=False), BUDGET)
    (request,) = passes.first()
    assert [part.rules for part in passes.split(request)] == [("R0",), ("R1",), ("R2",)]
    assert passes.split(passes.split(request)[0]) == []
