"""Which request is sent next, and when: order, rate, refusals, retries. Knows no thread and no clock.

Time comes in as an argument, so that the same rules drive real requests (`running`) and the forecast (`simulation`).
Does not belong here: sending, and what a window holds (`rate_window`).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from bidproof.judging.scheduling.rate_window import Entry, RateWindow
from bidproof.judging.scheduling.requests import Kind, Outcome, RateLimits, Request, Result

_FADING = 0.9  # of a shortfall that is left after another answer
_SOON = 0.05  # seconds until a thread that was just started has noted its start
_UNANSWERED = "the server did not answer"


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a request is tried again, and when.

    Waiting for room in the window, or for what a server asked for by Retry-After, is no attempt.

    Attributes:
        attempts: times that a request is sent that ends in a fault of the server.
        refusals: pauses that the server may ask for one after the other, nothing answered between; one more ends the run.
        base_seconds: wait after the first failure; each further one doubles it.
        longest_seconds: a longer wait is not made; a server that asks for more is taken at its word that it is closed.
        give_up_after: requests that fail one after the other, nothing answered between, end the run: the server is down.
    """

    attempts: int = 5
    refusals: int = 10
    base_seconds: float = 1.0
    longest_seconds: float = 600.0
    give_up_after: int = 5


@dataclass(slots=True)
class Waiting:
    """A request with its history."""

    request: Request
    since: float
    number: int
    failures: int = 0
    refusals: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(slots=True)
class Attempt:
    """A request that is being sent. Its sender sets `entry.sent` just before."""

    waiting: Waiting
    entry: Entry
    taken: float

    @property
    def request(self) -> Request:
        """The request."""
        return self.waiting.request


@dataclass
class Dispatch:
    """Requests that wait, and those under way. Not for several threads at once."""

    limits: RateLimits
    retries: Retries = field(default_factory=Retries)
    random: Random = field(default_factory=lambda: Random(0))

    def __post_init__(self) -> None:
        self.window = RateWindow(self.limits)
        self.under_way = 0
        self.closed = ""
        self._ready: list[tuple[tuple[float, ...], int, Waiting]] = []
        self._later: list[tuple[float, int, Waiting]] = []
        self._quiet_until = float("-inf")
        self._number = 0
        self._failed_in_a_row = 0
        self._faults_in_a_row = 0
        self._pauses_in_a_row = 0
        self._underestimated = 1.0
        self._answers = 0

    @property
    def done(self) -> bool:
        """Nothing waits and nothing is under way."""
        return not (self._ready or self._later or self.under_way)

    @property
    def waiting(self) -> int:
        """Requests that wait."""
        return len(self._ready) + len(self._later)

    def add(self, requests: Iterable[Request], now: float) -> list[Result]:
        """Hand in requests; returns those that can never be sent, with the reason."""
        refused = []
        for request in requests:
            if reason := self.too_large(request):
                refused.append(Result(request, None, reason, finished=now))
                continue
            self._number += 1
            self._push(Waiting(request, now, self._number))
        return refused

    def too_large(self, request: Request) -> str:
        """Why a request can never be sent under the limits; empty where it can."""
        if request.tokens <= self.limits.tokens:
            return ""
        what = f"needs up to {request.tokens} tokens ({request.tokens_in_estimate} sent, {request.tokens_out_max} returned)"
        allowed = f"the rate limit lets {int(self.limits.tokens)} pass in {self.limits.window_seconds:g} s"
        which = f"rule {request.rules[0]}" if len(request.rules) == 1 else f"request {request.id}"
        return f"{which} {what}, {allowed}; shorten its passages or raise scheduling.tokens_per_minute"

    def _push(self, one: Waiting) -> None:
        heapq.heappush(self._ready, (one.request.priority, one.number, one))

    def reserved(self, request: Request) -> float:
        """Tokens counted for a request before its answer: estimate, by as much as others fell short, and maximum."""
        scaled = request.tokens_in_estimate * self._underestimated + request.tokens_out_max
        # One that exceeds the window only by that caution goes alone instead of never.
        return min(scaled, max(self.limits.tokens, request.tokens))

    def take(self, now: float) -> Attempt | None:
        """The next request, its room reserved; None where it must wait.

        Strictly in order: what is first keeps the room that becomes free until it fits, so that a large request is not
        passed over by small ones for ever.
        """
        while self._later and self._later[0][0] <= now:
            self._push(heapq.heappop(self._later)[2])
        if not self._ready or now < self._quiet_until or self.under_way >= self.limits.concurrent:
            return None
        waiting = self._ready[0][2]
        tokens = self.reserved(waiting.request)
        if self.window.room_at(tokens, now) > now:
            return None
        heapq.heappop(self._ready)
        self.under_way += 1
        return Attempt(waiting, self.window.reserve(tokens), now)

    def wake(self, now: float) -> float:
        """When `take` is worth another call if no answer comes before; infinite where only an answer can help."""
        if self.under_way >= self.limits.concurrent:
            return float("inf")
        times = [self._later[0][0]] if self._later else []
        if self._ready:
            room = self.window.room_at(self.reserved(self._ready[0][2].request), now)
            # While a start is not noted, nobody can say when its room becomes free.
            room = min(room, now + _SOON) if room > now and self.window.unsent else room
            times.append(max(room, self._quiet_until))
        return max(min(times, default=float("inf")), now)

    def answered(self, attempt: Attempt, outcome: Outcome, now: float) -> Result | None:
        """Take note of what came of an attempt; the result where that was the request's end."""
        self.under_way -= 1
        one, request = attempt.waiting, attempt.request
        if outcome.kind is Kind.RETRY_AFTER and outcome.tokens is None:
            self.window.refuse(attempt.entry, now)
        else:
            self.window.correct(attempt.entry, outcome.tokens, now)
        unsaid = request.tokens_in_estimate if outcome.answered else 0
        one.tokens_in += unsaid if outcome.tokens_in is None else outcome.tokens_in
        one.tokens_out += outcome.tokens_out or 0
        if outcome.answered:
            self._learn(request, outcome)
            return self._result(attempt, outcome, "", now)
        failed = self._again(one, outcome, now)
        if not failed:
            return None
        # A server that answers others and rejects this one is not down.
        if outcome.kind is not Kind.REJECTED or not self._answers:
            self._failed_in_a_row += 1
        if self._failed_in_a_row >= self.retries.give_up_after and not self.closed:
            self.closed = f"{self._failed_in_a_row} requests failed one after the other, the last as {failed}"
        return self._result(attempt, outcome, failed, now)

    def _learn(self, request: Request, outcome: Outcome) -> None:
        """Take note of an answer: the server is up, and what it counted against what was estimated."""
        self._answers += 1
        self._failed_in_a_row = self._faults_in_a_row = self._pauses_in_a_row = 0
        if outcome.tokens_in and request.tokens_in_estimate:
            # An odd one out is forgotten by and by.
            fading = 1 + (self._underestimated - 1) * _FADING
            self._underestimated = max(outcome.tokens_in / request.tokens_in_estimate, fading)

    def _again(self, one: Waiting, outcome: Outcome, now: float) -> str:
        """Put a request back for another attempt, or say why there is none."""
        said = f" ({outcome.note})" if outcome.note else ""
        if outcome.kind is Kind.REJECTED:
            return f"the server rejects it{said}"
        if (outcome.retry_after or 0) > self.retries.longest_seconds:
            self.closed = self.closed or f"the server asks to wait {outcome.retry_after:.0f} s{said}"
            one.refusals += 1
            return self.closed
        if outcome.kind is Kind.RETRY_AFTER:
            return self._pause(one, outcome, said, now)
        one.failures += 1
        if one.failures >= self.retries.attempts:
            return f"{_UNANSWERED} in {one.failures} attempts{said}"
        wait = self._backoff(one.failures) if outcome.retry_after is None else outcome.retry_after
        self._faults_in_a_row += 1
        if self._faults_in_a_row >= self.retries.give_up_after:
            # Fault after fault is the server's, not a request's: nobody else need find that out as well.
            self._quiet_until = max(self._quiet_until, now + wait)
        heapq.heappush(self._later, (now + wait, one.number, one))
        return ""

    def _pause(self, one: Waiting, outcome: Outcome, said: str, now: float) -> str:
        """Leave the server alone: the limit is the account's, so whoever else is sent now is refused as well."""
        one.refusals += 1
        if now >= self._quiet_until:  # and not one more of those that were under way when the pause began
            self._pauses_in_a_row += 1
        if self._pauses_in_a_row > self.retries.refusals:
            times = f"{self._pauses_in_a_row} times in a row{said}"
            self.closed = self.closed or f"the server put requests off {times}"
            return self.closed
        asked = outcome.retry_after
        # Never sooner than asked; a little later, as others that share the limit were told the same.
        wait = (
            self._backoff(self._pauses_in_a_row) if asked is None else asked * (1 + self.random.random() / 20)
        )
        self._quiet_until = max(self._quiet_until, now + wait)
        heapq.heappush(self._later, (now + wait, one.number, one))
        return ""

    def _backoff(self, failures: int) -> float:
        """Exponential, half of it by chance, so that clients that failed together do not come back together."""
        longest = min(self.retries.longest_seconds, self.retries.base_seconds * 2.0 ** min(failures - 1, 32))
        return longest / 2 + self.random.random() * longest / 2

    def _result(self, attempt: Attempt, outcome: Outcome, failed: str, now: float) -> Result:
        one = attempt.waiting
        started = attempt.taken if attempt.entry.sent is None else attempt.entry.sent
        attempts = one.failures + one.refusals + (1 if not failed or outcome.kind is Kind.REJECTED else 0)
        return Result(
            one.request, outcome, failed, attempts, started - one.since, now - started, now, one.tokens_in, one.tokens_out
        )  # fmt: skip

    def give_up(self, reason: str, now: float) -> list[Result]:
        """Drop all that waits; returns it, in order, with the reason."""
        left = [entry[2] for entry in sorted(self._ready, key=lambda entry: entry[:2])]
        left += [entry[2] for entry in sorted(self._later, key=lambda entry: entry[:2])]
        self._ready, self._later = [], []
        return [
            Result(one.request, None, reason, one.failures + one.refusals, now - one.since, 0.0, now, one.tokens_in,
                   one.tokens_out)
            for one in left
        ]  # fmt: skip
