"""What a run will ask of a model: requests, tokens and cost by pass, and how long that takes under the rate limits.

Belongs here: plans from asks. Does not belong here: where the asks come from (`asks`), what was really used (`usage`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import quantiles
from typing import Any

import polars as pl

from bidproof.judging.scheduling.dispatch import Dispatch
from bidproof.judging.scheduling.packing import Ask, RequestBudget, Stage, packed
from bidproof.judging.scheduling.requests import Kind, Outcome, RateLimits, Request, Result
from bidproof.judging.scheduling.settings import limits_of, retries_of
from bidproof.judging.scheduling.simulation import Latency, simulate
from bidproof.judging.scheduling.triage import Passes, first_requests, triage_ask
from bidproof.knobs.scheduling import SchedulingParams
from bidproof.params import Params
from bidproof.scheduling_tables import TOKEN_PLAN

RUNS = 60
FEWEST_RUNS = 20
_RULES_RUN = 60_000
"""Simulated runs behind each P50 and P90: fewer of many rules, whose chances even out within a run."""
MODEL_JUDGES = ("llama", "openai")


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of answers: from knobs, or from runs that were measured.

    Attributes:
        latency: seconds from a request to its answer.
        settles: share of rules that the triage pass settles.
        answer_share: tokens of an answer over those that it may have.
        measured: requests behind these figures; 0: they are the knobs'.
    """

    latency: Latency
    settles: float
    answer_share: float = 0.6
    measured: int = 0

    @classmethod
    def of(cls, params: SchedulingParams) -> Expected:
        """The knobs' figures."""
        return cls(
            Latency(params.latency_p50_seconds, params.latency_p90_seconds), params.triage_settles
        )  # fmt: skip


def settings_of(judge: str, params: SchedulingParams) -> tuple[SchedulingParams, RateLimits]:
    """Parameters and limits as a judge heeds them: a model in this process has no server and is asked one by one."""
    if judge != "llama":
        return params, limits_of(params)
    return params.model_copy(update={"rules_per_request": 1, "triage": False}), RateLimits()


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """One request of a plan as if all its rules were asked, the chance that it is sent, and what is then expected."""

    request: Request
    mandatory: bool
    chance: float
    tokens_in: float
    tokens_out: float
    cost: float | None


def cost_of(params: SchedulingParams, tokens_in: float, tokens_out: float) -> float | None:
    """Cost in `params.currency`; None where a price is not known."""
    if params.price_in is None or params.price_out is None:
        return None
    return (tokens_in * params.price_in + tokens_out * params.price_out) / 1_000_000


def planned_requests(
    asks: Sequence[Ask], params: SchedulingParams, budget: RequestBudget, expected: Expected
) -> list[PlannedRequest]:
    """Requests of all passes in order: those of triage are sent for sure, each full one as far as triage leaves rules.

    A full pass follows each triage request, so its rules are those of that request.
    """
    if not params.triage:
        return [
            _planned(request, 1.0, 1.0, params, budget, expected) for request in packed(asks, "full", budget)
        ]
    by_rule = {(ask.pack, ask.rule_id): ask for ask in asks}
    first = packed([triage_ask(ask, params) for ask in asks], "triage", budget)
    left = 1 - expected.settles
    full = [
        _planned(request, 1 - expected.settles ** len(request.rules), left, params, budget, expected)
        for triage in first
        for request in packed(
            [by_rule[triage.pack, rule] for rule in triage.rules], "full", budget, triage.id
        )
    ]
    return [*(_planned(request, 1.0, 1.0, params, budget, expected) for request in first), *full]


def _planned(
    request: Request, chance: float, share: float, params: SchedulingParams, budget: RequestBudget,
    expected: Expected,
) -> PlannedRequest:  # fmt: skip
    """A request that is sent with a chance and then asks about a share of its rules; its instructions are sent whole."""
    tokens_in = chance * budget.overhead + share * (request.tokens_in_estimate - budget.overhead)
    tokens_out = share * math.ceil(request.tokens_out_max * expected.answer_share)
    cost = cost_of(params, tokens_in, tokens_out)
    return PlannedRequest(request, request.priority[0] == 0, chance, tokens_in, tokens_out, cost)


def plan_rows(
    planned: Sequence[PlannedRequest], judge: str, basis: str, currency: str, keys: Mapping[str, str]
) -> pl.DataFrame:
    """Rows of `token_plan` for one pack; `keys` are tender, bidder, pack and catalog version."""
    rows: list[dict[str, object]] = []
    numbers: dict[str, int] = {}
    for one in planned:
        name = one.request.stage
        numbers[name] = numbers.get(name, 0) + 1
        rows.append({
            **keys, "plan_no": 1, "judge": judge, "basis": basis, "pass_name": name, "batch_no": numbers[name],
            "rules": list(one.request.rules), "mandatory": one.mandatory, "chance": one.chance,
            "tokens_in": one.tokens_in, "tokens_in_max": one.request.tokens_in_estimate,
            "tokens_out": one.tokens_out, "tokens_out_max": one.request.tokens_out_max, "cost": one.cost,
            "currency": currency,
        })  # fmt: skip
    return TOKEN_PLAN.frame(rows)


@dataclass(frozen=True, slots=True)
class Times:
    """P50 and P90 in seconds over simulated runs; None where it never comes."""

    p50: float | None
    p90: float | None

    @classmethod
    def over(cls, seconds: Sequence[float | None]) -> Times:
        """Of one figure a run."""
        if not seconds or None in seconds:
            return cls(None, None)
        known = [one for one in seconds if one is not None]
        cuts = quantiles(known, n=10, method="inclusive") if len(known) > 1 else [known[0]] * 9
        return cls(round(cuts[4], 1), round(cuts[8], 1))


@dataclass(frozen=True, slots=True)
class Forecast:
    """How long a run takes, packs one after the other in the order given, reading and searching left out.

    Attributes:
        gates: per pack, until all its mandatory rules were answered, from the start of the whole run.
        packs: per pack, until all its rules were answered.
        first_gate: until the first of the packs had its mandatory rules answered.
        total: until the last answer.
        refused: per pack, rules that the rate limit can never let pass, with the reason.
    """

    gates: Mapping[str, Times]
    packs: Mapping[str, Times]
    first_gate: Times
    total: Times
    refused: Mapping[str, Mapping[str, str]]


@dataclass
class _Run:
    gates: dict[str, float]
    packs: dict[str, float]


def forecast(
    packs: Mapping[str, Sequence[Ask]],
    params: SchedulingParams,
    limits: RateLimits,
    budget: RequestBudget,
    expected: Expected,
    runs: int = 0,
) -> Forecast:
    """Times of a run over packs, by simulation under the limits; the same arguments give the same figures."""
    rules = sum(map(len, packs.values()))
    runs = runs or max(FEWEST_RUNS, min(RUNS, _RULES_RUN // max(1, rules)))
    first = {pack: first_requests(asks, params, budget) for pack, asks in packs.items()}
    done = [_one_run(packs, first, params, limits, budget, expected, seed) for seed in range(runs)]
    refused = {pack: _refused(asks, limits, budget) for pack, asks in packs.items()}
    # A gate that lacks the answer on a mandatory rule never stands.
    never = {
        pack for pack, asks in packs.items() if any(a.mandatory and a.rule_id in refused[pack] for a in asks)
    }
    gates = {pack: Times.over([None if pack in never else run.gates[pack] for run in done]) for pack in packs}
    ends = {pack: Times.over([run.packs[pack] for run in done]) for pack in packs}
    gate = [min((at for pack, at in run.gates.items() if pack not in never), default=None) for run in done]
    total = [max(run.packs.values(), default=0.0) for run in done]
    return Forecast(gates, ends, Times.over(gate), Times.over(total), refused)


def _refused(asks: Sequence[Ask], limits: RateLimits, budget: RequestBudget) -> dict[str, str]:
    """Rules whose full pass is above the window even alone, with the reason."""
    alone = {ask.rule_id: packed([ask], "full", budget, ask.rule_id)[0] for ask in asks}
    return {rule: said for rule, request in alone.items() if (said := Dispatch(limits).too_large(request))}


def _one_run(
    packs: Mapping[str, Sequence[Ask]], first: Mapping[str, Sequence[Request]], params: SchedulingParams,
    limits: RateLimits, budget: RequestBudget, expected: Expected, seed: int,
) -> _Run:  # fmt: skip
    random, now = Random(seed), 0.0
    dispatch = Dispatch(limits, retries_of(params), random)
    run = _Run({}, {})
    for pack, asks in packs.items():
        mandatory = {ask.rule_id for ask in asks if ask.mandatory}
        passes, last = Passes(asks, params, budget), [now]

        def serve(request: Request, start: float) -> tuple[float, Outcome]:
            used = math.ceil(request.tokens_out_max * expected.answer_share)
            return expected.latency.draw(random), Outcome(Kind.OK, request.tokens_in_estimate, used)

        def deliver(
            result: Result,
            pack: str = pack,
            passes: Passes = passes,
            mandatory: set[str] = mandatory,
            last: list[float] = last,
        ) -> list[Request]:
            if result.failed:  # above the window: in parts, or never
                return passes.split(result.request)
            settles = expected.settles if result.request.stage == "triage" else 1.0
            again = {rule for rule in result.request.rules if random.random() >= settles}
            if mandatory & set(result.request.rules) - again:
                last[0] = result.finished
            return passes.after(result, again)

        now = simulate(dispatch, passes.first(first[pack]), serve, deliver, now)
        run.gates[pack], run.packs[pack] = last[0], now
    return run


def totals(planned: Sequence[PlannedRequest]) -> dict[str, Any]:
    """Expected and greatest figures by pass and together; `cost` is None where a price is not known."""
    found: dict[str, Any] = {}
    for name in ("triage", "full", "all"):
        mine = [one for one in planned if name in ("all", one.request.stage)]
        known = all(one.cost is not None for one in mine)
        found[name] = {
            "requests": round(sum(one.chance for one in mine), 1),
            "requests_at_most": len(mine),
            "tokens_in": round(sum(one.tokens_in for one in mine)),
            "tokens_out": round(sum(one.tokens_out for one in mine)),
            "tokens_in_at_most": sum(one.request.tokens_in_estimate for one in mine),
            "tokens_out_at_most": sum(one.request.tokens_out_max for one in mine),
            "cost": sum(one.cost or 0.0 for one in mine) if known else None,
        }
    return found


def further_rounds(asks: Sequence[Ask], params: Params, budget: RequestBudget) -> dict[str, Any]:
    """The most that judging mandatory rules again can take: every one of them, in every round, none settled before.

    A round shows what was shown before, and what `escalation` adds, at the mean size of the passages.
    """
    again, scheduling = params.escalation, params.scheduling
    mandatory = [ask for ask in asks if ask.mandatory and ask.passages]
    sizes = [tokens for ask in mandatory for _, tokens in ask.passages]
    mean = math.ceil(sum(sizes) / len(sizes)) if sizes else 0
    requests: list[Request] = []
    added = 0
    for round_no in range(1, again.rounds + 1):
        added += (again.k_step + 2 * again.neighbours) * round_no
        wider = [
            replace(ask, passages=(*ask.passages, *((f"{ask.rule_id}+{n}", mean) for n in range(added))))
            for ask in mandatory
        ]
        requests += packed(wider, "full", budget, f"round-{round_no}")
    tokens_in = sum(request.tokens_in_estimate for request in requests)
    tokens_out = sum(request.tokens_out_max for request in requests)
    return {
        "rules": len(mandatory), "rounds": again.rounds, "requests_at_most": len(requests),
        "tokens_in_at_most": tokens_in, "tokens_out_at_most": tokens_out,
        "cost_at_most": cost_of(scheduling, tokens_in, tokens_out),
    }  # fmt: skip


def whole_document_tokens(
    asks: Sequence[Ask], whole: int, params: SchedulingParams, budget: RequestBudget
) -> tuple[int, int]:
    """Requests and tokens sent if each request showed the whole pack instead of passages, with as many rules each."""
    bare = [replace(ask, passages=()) for ask in asks]
    stage: Stage = "full"
    requests = packed(bare, stage, budget)
    sent = math.ceil(whole * params.token_ratio)
    return len(requests), sum(request.tokens_in_estimate + sent for request in requests)
