"""Sends requests in threads under the limits of a server, and hands over each result as it comes.

Belongs here: threads, the clock, Control-C. Does not belong here: what goes next and when (`dispatch`).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, Protocol

from bidproof.judging.scheduling.dispatch import Attempt, Dispatch, Retries
from bidproof.judging.scheduling.requests import Deliver, Outcome, RateLimits, Request, Result, Send, Split

_TICK = 3600.0


class Clock(Protocol):
    """Time in seconds that only goes forward, and waiting for something to be put into a queue."""

    def now(self) -> float:
        """Seconds since some start."""
        ...

    def wait(self, arrivals: SimpleQueue[Any], seconds: float) -> Any:
        """The next thing put into the queue, or None when `seconds` have passed without one."""
        ...


class WallClock:
    """The machine's clock."""

    def now(self) -> float:
        """Seconds of the monotonic clock."""
        return time.monotonic()

    def wait(self, arrivals: SimpleQueue[Any], seconds: float) -> Any:
        """As `Clock.wait`."""
        with contextlib.suppress(Empty):
            return arrivals.get(timeout=max(0.0, min(seconds, _TICK)))
        return None


@dataclass(frozen=True)
class Arrival:
    """An answer, or what was raised instead of one."""

    attempt: Attempt
    outcome: Outcome | None
    error: BaseException | None
    at: float


class Scheduler:
    """Sends requests in order of priority, as fast as the limits allow and no faster.

    Each start reserves one request and `Request.tokens` in the server's window and is corrected by what the answer
    says was used. A server that asks for a pause gets it; faults of the server are tried again later. `grace_seconds`
    is how long answers under way are waited for after Control-C; a second Control-C ends that wait too.
    """

    def __init__(
        self,
        limits: RateLimits,
        retries: Retries | None = None,
        *,
        clock: Clock | None = None,
        random: Random | None = None,
        grace_seconds: float = 30.0,
    ) -> None:
        """A scheduler for one server; its window and its order of chance last from run to run."""
        self.limits = limits
        self.clock = clock or WallClock()
        self.grace_seconds = grace_seconds
        self._dispatch = Dispatch(limits, retries or Retries(), random or Random(0))
        self._arrivals: SimpleQueue[Arrival] = SimpleQueue()
        self._alone = threading.Lock()

    def run(
        self, requests: Iterable[Request], send: Send, deliver: Deliver, split: Split | None = None
    ) -> None:
        """Send all requests and those that follow from them; returns when each has had its result delivered.

        A request above the window is parted by `split`; what cannot be parted is delivered as failed, unsent, with
        the numbers. After Control-C, or an error raised by `send` or `deliver`, nothing more is sent; answers under
        way are still delivered, since they are paid for, and then the error goes on. Runs of one scheduler go one
        after the other and share its window, as the server does not ask which pack a request is for.
        """
        with self._alone:
            self._dispatch.closed = ""
            try:
                self._hand_in(requests, deliver, split)
                while not self._dispatch.done:
                    self._start_what_fits(send)
                    now = self.clock.now()
                    arrival = self.clock.wait(self._arrivals, self._dispatch.wake(now) - now)
                    if arrival is not None:
                        self._take(arrival, deliver, split)
            except BaseException as error:
                for lost in self._drain(deliver):
                    error.add_note(f"besides: {lost}")
                raise

    def _hand_in(self, requests: Iterable[Request], deliver: Deliver, split: Split | None) -> None:
        pending = deque(requests)
        while pending:
            request = pending.popleft()
            parts = list(split(request)) if split and self._dispatch.too_large(request) else []
            if len(parts) > 1:
                pending.extendleft(reversed(parts))
                continue
            for refused in self._dispatch.add([request], self.clock.now()):
                pending.extend(deliver(refused) or ())

    def _start_what_fits(self, send: Send) -> None:
        while attempt := self._dispatch.take(self.clock.now()):
            threading.Thread(
                target=self._send, args=(attempt, send, self._arrivals), name="judge-request", daemon=True
            ).start()

    def _send(self, attempt: Attempt, send: Send, arrivals: SimpleQueue[Arrival]) -> None:
        """In a thread of its own, to the queue of the run that began it: a later run must not hear of it.

        The start is noted last, so that no wait for the processor can predate it.
        """
        try:
            attempt.entry.sent = self.clock.now()
            outcome = send(attempt.request)
        except BaseException as error:
            arrivals.put(Arrival(attempt, None, error, self.clock.now()))
        else:
            arrivals.put(Arrival(attempt, outcome, None, self.clock.now()))

    def _take(self, arrival: Arrival, deliver: Deliver, split: Split | None) -> None:
        if arrival.outcome is None:
            self._dispatch.under_way -= 1
            self._dispatch.window.correct(arrival.attempt.entry, None, arrival.at)
            assert arrival.error is not None
            raise arrival.error
        result = self._dispatch.answered(arrival.attempt, arrival.outcome, arrival.at)
        if result is not None:
            self._hand_in(deliver(result) or (), deliver, split)
        if self._dispatch.closed:
            for dropped in self._dispatch.give_up(f"not sent: {self._dispatch.closed}", self.clock.now()):
                deliver(dropped)

    def _drain(self, deliver: Deliver) -> list[str]:
        """Deliver what is under way; send nothing more. Returns what went wrong with it, one line each.

        What comes later than `grace_seconds` comes to nobody: the run that could take it is over.
        """
        wrong: list[str] = []
        self._dispatch.give_up("stopped", self.clock.now())
        until = self.clock.now() + self.grace_seconds
        while self._dispatch.under_way and (now := self.clock.now()) < until:
            arrival = self.clock.wait(self._arrivals, until - now)
            if arrival is None:
                continue
            if arrival.outcome is None:
                self._dispatch.under_way -= 1
                wrong.append(f"{type(arrival.error).__name__}: {arrival.error}")
            elif result := self._dispatch.answered(arrival.attempt, arrival.outcome, arrival.at):
                try:
                    deliver(result)
                except Exception as error:
                    wrong.append(f"{type(error).__name__}: {error}")
        self._dispatch.give_up("stopped", self.clock.now())
        if late := self._dispatch.under_way:
            wrong.append(f"{late} answers under way were not waited for")
        self._arrivals, self._dispatch.under_way = SimpleQueue(), 0
        return wrong


__all__ = ["Clock", "Result", "Scheduler", "WallClock"]
