"""A run of requests in thought: the scheduler's own rules, with a server and a clock that are made up.

Belongs here: virtual time, and how long answers take. Does not belong here: what is planned (`planning`).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from bidproof.judging.scheduling.dispatch import Attempt, Dispatch, Retries
from bidproof.judging.scheduling.packing import Ask, RequestBudget
from bidproof.judging.scheduling.requests import Deliver, Kind, Outcome, RateLimits, Request, Result
from bidproof.judging.scheduling.triage import Passes
from bidproof.scheduling_knobs import SchedulingParams

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


def simulate(dispatch: Dispatch, requests: Iterable[Request], serve: Serve, deliver: Deliver) -> float:
    """Send all requests, and those that follow, in virtual time from 0; returns when the last result came."""
    now, number = 0.0, 0
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


@dataclass
class Timeline:
    """One simulated run.

    Attributes:
        seconds: until the last answer.
        gates: per pack, seconds until all its mandatory rules were answered.
        packs: per pack, seconds until all its rules were answered.
        requests: sent, by pass.
        tokens_in: sent, by pass.
        tokens_out: returned, by pass.
        unsent: rules that the rate limit can never let pass.
    """

    seconds: float = 0.0
    gates: dict[str, float] = field(default_factory=dict)
    packs: dict[str, float] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)
    tokens_in: dict[str, int] = field(default_factory=dict)
    tokens_out: dict[str, int] = field(default_factory=dict)
    unsent: dict[tuple[str, str], str] = field(default_factory=dict)

    def count(self, result: Result) -> None:
        """Add what a request cost."""
        name = result.request.stage
        self.requests[name] = self.requests.get(name, 0) + 1
        self.tokens_in[name] = self.tokens_in.get(name, 0) + result.tokens_in
        self.tokens_out[name] = self.tokens_out.get(name, 0) + result.tokens_out


_ANSWER_SHARE = 0.6
"""Share of the longest answer that an expected one takes: rationales and quotes are rarely as long as they may be."""


def simulated_run(
    asks: Sequence[Ask], params: SchedulingParams, limits: RateLimits, budget: RequestBudget, seed: int
) -> Timeline:
    """One run of all passes over `asks` with answers of expected length and made-up times and triage outcomes.

    The same seed gives the same run.
    """
    random = Random(seed)
    latency = Latency(params.latency_p50_seconds, params.latency_p90_seconds)
    passes, line = Passes(asks, params, budget), Timeline()
    mandatory = {(ask.pack, ask.rule_id) for ask in asks if ask.mandatory}

    def serve(request: Request, start: float) -> tuple[float, Outcome]:
        used = math.ceil(request.tokens_out_max * _ANSWER_SHARE)
        return latency.draw(random), Outcome(Kind.OK, request.tokens_in_estimate, used)

    def deliver(result: Result) -> list[Request]:
        pack = result.request.pack
        if result.outcome is None and len(result.request.rules) > 1:
            return passes.split(result.request)
        if result.failed:
            line.unsent |= {(pack, rule_id): result.failed for rule_id in result.request.rules}
            return []
        line.count(result)
        settles = params.triage_settles if result.request.stage == "triage" else 1.0
        again = [rule_id for rule_id in result.request.rules if random.random() >= settles]
        for rule_id in set(result.request.rules) - set(again):
            line.packs[pack] = result.finished
            if (pack, rule_id) in mandatory:
                line.gates[pack] = result.finished
        return passes.after(result, again)

    line.seconds = simulate(Dispatch(limits, Retries(), random), passes.first(), serve, deliver)
    # A gate that lacks the answer on a mandatory rule never comes.
    for pack, rule_id in line.unsent:
        if (pack, rule_id) in mandatory:
            line.gates.pop(pack, None)
    return line
