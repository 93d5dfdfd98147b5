"""A run of requests in thought: the scheduler's own rules, with a server and a clock that are made up.

Belongs here: virtual time, and how long answers take. Does not belong here: what is planned (`planning`).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from bidproof.judging.scheduling.dispatch import Attempt, Dispatch
from bidproof.judging.scheduling.requests import Deliver, Outcome, Request

_Z90 = 1.2815515655446004  # of the normal distribution

Serve = Callable[[Request, float], tuple[float, Outcome]]
"""A made-up server: seconds until it answers a request that starts at a time, and what it answers."""


@dataclass(frozen=True, slots=True)
class Latency:
    """How long answers take: log-normal, as times of servers are, by its median and its ninth decile in seconds."""

    p50: float
    p90: float

    def draw(self, random: Random) -> float:
        """Seconds of one answer."""
        return self.p50 * math.exp(random.gauss(0.0, 1.0) * math.log(self.p90 / self.p50) / _Z90)


def simulate(
    dispatch: Dispatch, requests: Iterable[Request], serve: Serve, deliver: Deliver, start: float = 0.0
) -> float:
    """Send all requests, and those that follow, in virtual time from `start`; returns when the last result came."""
    now, number = start, 0
    arrivals: list[tuple[float, int, Attempt, Outcome]] = []

    def hand_in(new: Iterable[Request]) -> None:
        for refused in dispatch.add(new, now):
            hand_in(deliver(refused) or ())

    hand_in(requests)
    while not dispatch.done:
        while attempt := dispatch.take(now):
            attempt.entry.sent = now
            seconds, outcome = serve(attempt.request, now)
            number += 1
            heapq.heappush(arrivals, (now + seconds, number, attempt, outcome))
        wake = dispatch.wake(now)
        if arrivals and arrivals[0][0] <= wake:
            now, _, attempt, outcome = heapq.heappop(arrivals)
            if result := dispatch.answered(attempt, outcome, now):
                hand_in(deliver(result) or ())
            if dispatch.closed:
                for dropped in dispatch.give_up(dispatch.closed, now):
                    deliver(dropped)
        else:
            now = wake
    return now
