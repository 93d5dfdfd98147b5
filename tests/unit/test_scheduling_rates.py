"""Rate limits, retries and order, in virtual time against servers that count for themselves."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bidproof.judging.scheduling import Dispatch, Kind, Outcome, RateLimits, Request, Result, Retries
from bidproof.judging.scheduling.simulation import Serve, simulate


class StrictServer:
    """Counts requests and tokens by arrival over a sliding minute and refuses what is above its limits."""

    def __init__(
        self,
        limits: RateLimits,
        *,
        delay: float = 0.0,
        latency: tuple[float, float] = (2.0, 8.0),
        seed: int = 1,
    ) -> None:
        self.limits, self.delay, self.latency = limits, delay, latency
        self.random = Random(seed)
        self.arrived: list[tuple[float, int]] = []
        self.violations: list[str] = []
        self.busy_until: list[float] = []
        self.script: dict[str, list[Outcome]] = {}
        self.used_share = (0.3, 0.9)
        self.order: list[str] = []

    def __call__(self, request: Request, start: float) -> tuple[float, Outcome]:
        arrival = start + self.random.random() * self.delay
        seconds = arrival - start + self.random.uniform(*self.latency)
        self.order.append(request.id)
        if said := self.script.get(request.id):
            self.arrived.append((arrival, 0))
            return seconds, said.pop(0)
        used = int(request.tokens_out_max * self.random.uniform(*self.used_share))
        tokens = request.tokens_in_estimate + used
        charged = tokens if self.limits.counts_used else request.tokens_in_estimate + request.tokens_out_max
        window = [n for at, n in self.arrived if arrival - self.limits.window_seconds <= at <= arrival]
        if len(window) + 1 > self.limits.requests or sum(window) + charged > self.limits.tokens:
            self.violations.append(f"{request.id} at {arrival:.1f}")
        self.busy_until = [until for until in self.busy_until if until > start]
        if len(self.busy_until) + 1 > self.limits.concurrent:
            self.violations.append(f"{request.id}: too many at once")
        self.busy_until.append(start + seconds)
        self.arrived.append((arrival, charged))
        return seconds, Outcome(Kind.OK, request.tokens_in_estimate, used)

    def utilisation(self) -> float:
        """Tokens that started in whole windows, while work waited, over those that were allowed to."""
        last = max(at for at, _ in self.arrived)
        windows = int(last / self.limits.window_seconds)
        end = windows * self.limits.window_seconds
        return sum(n for at, n in self.arrived if at < end) / (windows * self.limits.tokens)


def requests(count: int, tokens_in: int = 900, tokens_out: int = 300, seed: int = 0) -> list[Request]:
    random = Random(seed)
    return [
        Request(f"r{n:04d}", int(tokens_in * random.uniform(0.6, 1.4)), tokens_out, (0.0,), (f"rule{n}",))
        for n in range(count)
    ]


def run(dispatch: Dispatch, server: Serve, asked: list[Request]) -> list[Result]:
    results: list[Result] = []
    simulate(dispatch, asked, server, results.append)
    return results


@pytest.mark.parametrize("counts_used", [True, False])
def test_two_hundred_requests_use_95_percent_of_the_rate_and_never_exceed_it(counts_used: bool) -> None:
    limits = RateLimits(tokens_per_minute=40_000, concurrent=32, counts_used=counts_used)
    server = StrictServer(limits, delay=0.4)
    results = run(Dispatch(limits), server, requests(200))
    assert server.violations == []
    assert len(results) == 200
    assert not any(result.failed for result in results)
    assert server.utilisation() >= 0.95


def test_a_limit_on_requests_alone_is_used_to_95_percent_and_never_exceeded() -> None:
    limits = RateLimits(requests_per_minute=50, concurrent=16)
    server = StrictServer(limits, delay=0.9)
    run(Dispatch(limits), server, requests(200))
    assert server.violations == []
    end = max(at for at, _ in server.arrived)
    whole = int(end / 60)
    assert sum(at < whole * 60 for at, _ in server.arrived) / (whole * 50) >= 0.95


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 60),
    st.integers(2_000, 60_000),
    st.integers(1, 12),
    st.floats(0.0, 1.0),
    st.booleans(),
    st.integers(0, 10_000),
)
def test_no_window_of_any_server_is_ever_above_its_limit(
    per_minute: int, tokens: int, concurrent: int, delay: float, used: bool, seed: int
) -> None:
    limits = RateLimits(per_minute, tokens, concurrent, counts_used=used)
    server = StrictServer(limits, delay=delay, latency=(0.1, 90.0), seed=seed)
    results = run(Dispatch(limits), server, requests(40, 700, 250, seed))
    assert server.violations == []
    assert len(results) == 40
    assert not any(result.failed for result in results)


def test_a_request_above_the_window_is_refused_at_once_with_both_numbers() -> None:
    limits = RateLimits(tokens_per_minute=10_000)
    server = StrictServer(limits)
    large = Request("large", 11_000, 1_000, (0.0,), ("R1",))
    results = run(Dispatch(limits), server, [large, *requests(3)])
    assert results[0].request.id == "large"
    assert results[0].outcome is None
    assert "12000 tokens" in results[0].failed
    assert "10000" in results[0].failed
    assert "large" not in server.order
    assert sum(not result.failed for result in results) == 3


def test_a_request_as_large_as_the_window_is_sent_alone_and_not_passed_over() -> None:
    limits = RateLimits(tokens_per_minute=10_000, concurrent=8)
    server = StrictServer(limits)
    whole = Request("whole", 9_000, 1_000, (0.0,), ("R1",))
    later = [Request(f"small{n}", 500, 100, (1.0,), (f"S{n}",)) for n in range(60)]
    run(Dispatch(limits), server, [*later, whole])
    assert server.violations == []
    assert server.order[0] == "whole"


def test_retry_after_silences_all_requests_until_it_is_over() -> None:
    limits = RateLimits(concurrent=4)
    server = StrictServer(limits, latency=(1.0, 1.0))
    server.script["r0000"] = [Outcome(Kind.RETRY_AFTER, retry_after=30.0)]
    starts: dict[str, list[float]] = {}

    def noting(request: Request, start: float) -> tuple[float, Outcome]:
        starts.setdefault(request.id, []).append(start)
        return server(request, start)

    results = run(Dispatch(limits), noting, requests(10))
    assert len(results) == 10
    assert not [at for times in starts.values() for at in times if 1.0 < at < 31.0]
    assert len(starts["r0000"]) == 2


def test_waiting_for_room_eats_no_attempt() -> None:
    limits = RateLimits(tokens_per_minute=2_000, concurrent=4)
    server = StrictServer(limits)
    server.used_share = (1.0, 1.0)
    results = run(Dispatch(limits, Retries(attempts=1, refusals=0)), server, requests(30, 900, 300))
    assert not any(result.failed for result in results)
    assert max(result.waited_seconds for result in results) > 10 * 60
    assert {result.attempts for result in results} == {1}


def test_a_fault_of_the_server_is_tried_again_later_each_time_and_given_up_in_the_end() -> None:
    limits = RateLimits(concurrent=1)
    fault = Outcome(Kind.SERVER_ERROR, note="HTTP 500")
    server = StrictServer(limits, latency=(0.5, 0.5))
    server.script["r0000"] = [fault] * 2
    server.script["r0001"] = [fault] * 9
    times: dict[str, list[float]] = {}

    def noting(request: Request, start: float) -> tuple[float, Outcome]:
        times.setdefault(request.id, []).append(start)
        return server(request, start)

    results = {r.request.id: r for r in run(Dispatch(limits, Retries(attempts=4)), noting, requests(3))}
    assert not results["r0000"].failed
    assert results["r0000"].attempts == 3
    assert results["r0001"].failed == "the server did not answer in 4 attempts (HTTP 500)"
    waits = [b - a for a, b in zip(times["r0001"], times["r0001"][1:], strict=False)]
    assert len(waits) == 3
    assert waits[0] < waits[1] < waits[2]
    assert not results["r0002"].failed


def test_what_the_server_rejects_is_not_sent_again() -> None:
    limits = RateLimits()
    server = StrictServer(limits)
    server.script["r0000"] = [Outcome(Kind.REJECTED, note="HTTP 400: context too long")]
    results = {r.request.id: r for r in run(Dispatch(limits), server, requests(2))}
    assert results["r0000"].failed == "the server rejects it (HTTP 400: context too long)"
    assert Counter(server.order)["r0000"] == 1


def test_a_server_that_is_down_ends_the_run_instead_of_being_asked_two_hundred_times() -> None:
    limits = RateLimits(concurrent=2)
    asked: list[str] = []

    def down(request: Request, start: float) -> tuple[float, Outcome]:
        asked.append(request.id)
        return 0.1, Outcome(Kind.SERVER_ERROR, note="connection refused")

    results = run(Dispatch(limits, Retries(attempts=2, give_up_after=3)), down, requests(200))
    assert len(results) == 200
    assert all(result.failed for result in results)
    assert len(set(asked)) <= 10
    assert "connection refused" in results[-1].failed


def test_a_server_that_asks_for_an_hour_is_taken_as_closed() -> None:
    limits = RateLimits()

    def closed(request: Request, start: float) -> tuple[float, Outcome]:
        return 0.1, Outcome(Kind.RETRY_AFTER, retry_after=3600.0)

    results = run(Dispatch(limits, Retries(longest_seconds=600)), closed, requests(1))
    assert results[0].failed == "the server asks to wait 3600 s"


def test_a_quota_that_is_used_up_ends_the_run_after_a_few_pauses_and_not_for_each_request() -> None:
    limits, asked = RateLimits(concurrent=8), []

    def refusing(request: Request, start: float) -> tuple[float, Outcome]:
        asked.append(start)
        return 0.1, Outcome(Kind.RETRY_AFTER, note="insufficient quota")

    results = run(Dispatch(limits, Retries(refusals=3)), refusing, requests(100))
    assert len(results) == 100
    assert "the server put requests off 4 times in a row (insufficient quota)" in results[0].failed
    assert len(asked) <= 8 * 4
    assert max(asked) < 10


def test_many_refusals_at_once_are_one_pause() -> None:
    limits, asked = RateLimits(concurrent=16), Counter[str]()

    def busy(request: Request, start: float) -> tuple[float, Outcome]:
        asked[request.id] += 1
        first = start < 1.0
        return 0.1, Outcome(Kind.RETRY_AFTER, retry_after=2.0) if first else Outcome(Kind.OK, 100, 100)

    results = run(Dispatch(limits, Retries(refusals=1)), busy, requests(40))
    assert not any(result.failed for result in results)
    assert sum(asked.values()) == 40 + 16


def test_rejected_requests_among_answered_ones_do_not_end_the_run() -> None:
    limits = RateLimits(concurrent=1)
    server = StrictServer(limits)
    for n in range(1, 30):
        server.script[f"r{n:04d}"] = [Outcome(Kind.REJECTED, note="content filter")]
    results = run(Dispatch(limits, Retries(give_up_after=3)), server, requests(40))
    assert sum(bool(result.failed) for result in results) == 29
    nobody = run(
        Dispatch(limits, Retries(give_up_after=3)), lambda r, t: (0.1, Outcome(Kind.REJECTED)), requests(40)
    )
    assert nobody[-1].attempts == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 8), st.floats(0.0, 0.6), st.integers(0, 3))
def test_whatever_a_server_answers_each_request_has_one_result_and_no_window_is_exceeded(
    seed: int, concurrent: int, trouble: float, pause: int
) -> None:
    random = Random(seed)
    limits = RateLimits(60, 15_000, concurrent)
    server = StrictServer(limits, delay=0.5, seed=seed)

    def moody(request: Request, start: float) -> tuple[float, Outcome]:
        if random.random() < trouble:
            server.arrived.append((start, 0))
            kind = random.choice([Kind.RETRY_AFTER, Kind.SERVER_ERROR, Kind.REJECTED])
            wait = random.choice([None, float(pause)]) if kind is Kind.RETRY_AFTER else None
            return random.uniform(0.01, 5), Outcome(kind, retry_after=wait)
        return server(request, start)

    asked = requests(60, 700, 250, seed)
    results = run(Dispatch(limits, Retries(attempts=3)), moody, asked)
    assert sorted(result.request.id for result in results) == [request.id for request in asked]
    assert all(bool(result.failed) != bool(result.outcome and result.outcome.answered) for result in results)
    assert server.violations == []


def test_what_costs_more_than_estimated_is_reserved_for_the_next_ones() -> None:
    limits = RateLimits(tokens_per_minute=30_000, concurrent=1)
    dispatch = Dispatch(limits)
    first, second = requests(2, 1000, 200)
    dispatch.add([first, second], 0.0)
    attempt = dispatch.take(0.0)
    assert attempt is not None
    attempt.entry.sent = 0.0
    dispatch.answered(attempt, Outcome(Kind.OK, first.tokens_in_estimate * 2, 100), 1.0)
    assert dispatch.reserved(second) == second.tokens_in_estimate * 2 + 200


def test_mandatory_rules_go_first_whatever_the_order_they_came_in() -> None:
    limits = RateLimits(requests_per_minute=5, concurrent=2)
    server = StrictServer(limits)
    later = [Request(f"o{n}", 10, 10, (1.0,), (f"o{n}",)) for n in range(6)]
    first = [Request(f"m{n}", 10, 10, (0.0,), (f"m{n}",)) for n in range(6)]
    run(Dispatch(limits), server, [*later, *first])
    assert [name[0] for name in server.order] == ["m"] * 6 + ["o"] * 6


def test_an_attempt_that_was_turned_away_counts_as_a_request_and_takes_no_tokens() -> None:
    limits = RateLimits(requests_per_minute=2, tokens_per_minute=1_000, counts_used=False)
    dispatch = Dispatch(limits)
    dispatch.add([Request("one", 700, 200)], 0.0)
    attempt = dispatch.take(0.0)
    assert attempt is not None
    attempt.entry.sent = 0.0
    assert dispatch.answered(attempt, Outcome(Kind.RETRY_AFTER, retry_after=1.0), 0.5) is None
    assert dispatch.window.counted(2.0) == (1, 0.0)
    again = dispatch.take(2.0)
    assert again is not None
    again.entry.sent = 2.0
    result = dispatch.answered(again, Outcome(Kind.OK, None, None), 3.0)
    assert result is not None
    assert (result.attempts, result.tokens_in) == (2, again.request.tokens_in_estimate)
