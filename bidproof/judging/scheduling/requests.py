"""What is sent to a model and what came of it: limits of a server, requests, outcomes, results.

Values only. Belongs here: what the scheduler and whoever calls it must agree on. Does not belong here: when a request
is sent (`dispatch`), which rules share one (`packing`), and what stands in it, which only its sender knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Priority = tuple[float, ...]
"""Order of sending: the smaller goes first, as tuples compare."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """What a server allows. A limit of 0 is none.

    Attributes:
        requests_per_minute: requests that may start in a minute.
        tokens_per_minute: tokens, sent and returned, of the requests that start in a minute.
        concurrent: requests at once, at least 1.
        window_seconds: stretch over which the server counts; a shorter one than a minute allows its share of it.
        slack_seconds: how long a request may be on its way before the server counts it, at most; it is counted here
            for that much longer, unless its answer came sooner.
        counts_used: the server counts what a request really used. False where it charges what a request may use at
            most until the window is over, as Azure does: then nothing is given back when an answer comes.
    """

    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    concurrent: int = 1
    window_seconds: float = 60.0
    slack_seconds: float = 1.0
    counts_used: bool = True

    def __post_init__(self) -> None:
        if self.concurrent < 1 or self.window_seconds <= 0 or self.slack_seconds < 0:
            raise ValueError("at least one request at once, a window above 0 s and a slack of at least 0 s")
        if min(self.requests_per_minute, self.tokens_per_minute) < 0:
            raise ValueError("a limit is 0 (none) or more")

    @property
    def requests(self) -> float:
        """Requests that may start in a window, at least one; infinite without a limit."""
        allowed = int(self.requests_per_minute * self.window_seconds / 60)
        return max(1, allowed) if self.requests_per_minute else float("inf")

    @property
    def tokens(self) -> float:
        """Tokens of the requests that start in a window; infinite without a limit."""
        allowed = int(self.tokens_per_minute * self.window_seconds / 60)
        return allowed if self.tokens_per_minute else float("inf")


@dataclass(frozen=True, slots=True)
class Request:
    """One request: what it may cost, how soon it is wanted, and the rules that it asks about.

    Attributes:
        id: unique in a run.
        tokens_in_estimate: tokens that will be sent, by our own count.
        tokens_out_max: tokens that the answer may have at most, as the request says.
        priority: the smaller goes first.
        rules: ids of the rules asked about, in the order in which they stand in it.
        pack: the pack whose passages it shows; a request never mixes two bidders.
        stage: `triage` or `full`.
        payload: anything that `send` needs; the scheduler does not look at it.
    """

    id: str
    tokens_in_estimate: int
    tokens_out_max: int
    priority: Priority = (0.0,)
    rules: tuple[str, ...] = ()
    pack: str = ""
    stage: str = "full"
    payload: Any = None

    @property
    def tokens(self) -> int:
        """Tokens that it can use at most, as far as is known before it is sent."""
        return self.tokens_in_estimate + self.tokens_out_max


class Kind(StrEnum):
    """What came of one attempt."""

    OK = "ok"
    TRUNCATED = "truncated"  # answered, but cut at the maximum length; what is whole in it counts
    RETRY_AFTER = "retry_after"  # 429, or 503 with Retry-After: the server wants to be left alone
    SERVER_ERROR = "server_error"  # 5xx, a broken connection, a time-out: worth another attempt
    REJECTED = "rejected"  # 4xx: the same request would fail again


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one attempt to send a request.

    Attributes:
        kind: how it went.
        tokens_in: tokens sent as the server counted them; None where it did not say: the reservation stands, but for
            an attempt that was turned away, which used none.
        tokens_out: tokens returned as the server counted them; None likewise.
        retry_after: seconds that the server asks to wait; None where it does not say.
        answer: anything for the receiver; the scheduler does not look at it.
        note: what went wrong, in one line without secrets.
    """

    kind: Kind
    tokens_in: int | None = None
    tokens_out: int | None = None
    retry_after: float | None = None
    answer: Any = None
    note: str = ""

    @property
    def answered(self) -> bool:
        """There is an answer to read."""
        return self.kind in (Kind.OK, Kind.TRUNCATED)

    @property
    def tokens(self) -> int | None:
        """Tokens used, where both parts are known."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a request: its last outcome, or why it was never sent.

    Attributes:
        request: the request.
        outcome: of the last attempt; None where there was none.
        failed: why there is no answer, in one line; empty where there is one.
        attempts: how often it was sent.
        waited_seconds: from when it was handed in to its last start.
        seconds: from its last start to its answer.
        finished: when that came, by the scheduler's clock.
        tokens_in: tokens sent over all attempts, as the server said; of an answer without a count, the estimate.
        tokens_out: tokens returned over all attempts, 0 where the server did not say.
    """

    request: Request
    outcome: Outcome | None
    failed: str = ""
    attempts: int = 0
    waited_seconds: float = 0.0
    seconds: float = 0.0
    finished: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0


Send = Callable[[Request], Outcome]
"""Sends one request and waits for its answer. Called in threads, several at once; raising ends the run."""

Deliver = Callable[[Result], Iterable[Request] | None]
"""Takes a result as soon as there is one and may return requests that follow from it: what was cut off, what needs
the full pass. Called one at a time, in the thread that started the run."""

Split = Callable[[Request], Iterable[Request]]
"""Parts of a request that is above the window; none where it cannot be parted."""
