"""Several rules a request: which rules are asked together.

Belongs here: what a rule costs to ask, and the filling of requests under budgets. Does not belong here: the words of a
prompt, and when a request is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bidproof.judging.scheduling.requests import RateLimits, Request
from bidproof.knobs.scheduling import SchedulingParams

Stage = Literal["triage", "full"]
STAGES: tuple[Stage, ...] = ("triage", "full")


@dataclass(frozen=True, slots=True)
class Ask:
    """A rule to be asked about.

    Attributes:
        rule_id: the rule.
        pack: the bidder's pack that it is asked of.
        mandatory: it decides the gate.
        tokens_rule: tokens of the rule's own words in the prompt.
        passages: id and tokens of each passage that it is shown, best first.
        tokens_out: tokens that its part of the answer may have.
        rank: place of its pack in the order of packs, from 0.
    """

    rule_id: str
    pack: str
    mandatory: bool
    tokens_rule: int
    passages: tuple[tuple[str, int], ...]
    tokens_out: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class RequestBudget:
    """How much goes into one request.

    Attributes:
        overhead: tokens of instructions and contract, once a request.
        per_passage: tokens of the fence and the name around each passage.
        max_rules: rules.
        max_in: tokens sent.
        max_out: tokens that the answer may have.
        window: tokens, sent and returned, that the rate limit lets pass at all.
    """

    overhead: int
    per_passage: int
    max_rules: int
    max_in: int
    max_out: int
    window: float = float("inf")

    @classmethod
    def of(cls, params: SchedulingParams, limits: RateLimits) -> RequestBudget:
        """Budget by parameters, never above a window of the rate limit."""
        return cls(
            params.prompt_tokens, params.passage_tokens, params.rules_per_request, params.request_tokens,
            params.answer_tokens_per_request, limits.tokens,
        )  # fmt: skip

    def holds(self, rules: int, tokens_in: int, tokens_out: int) -> bool:
        """A request of so much is within the budget."""
        within = rules <= self.max_rules and tokens_in <= self.max_in and tokens_out <= self.max_out
        return within and tokens_in + tokens_out <= self.window


def priority(ask: Ask, stage: Stage) -> tuple[float, ...]:
    """Mandatory rules of all packs first, pack by pack, so that one gate after the other is decided; triage first."""
    return (0.0 if ask.mandatory else 1.0, float(ask.rank), float(STAGES.index(stage)))


class _Filling:
    """A request that is being filled."""

    def __init__(self, budget: RequestBudget) -> None:
        self.budget = budget
        self.asks: list[Ask] = []
        self.seen: set[str] = set()
        self.tokens_in = budget.overhead
        self.tokens_out = 0

    def extra(self, ask: Ask) -> int:
        """Tokens that the rule adds: passages that stand in the request already are sent once."""
        new = [tokens for name, tokens in ask.passages if name not in self.seen]
        return ask.tokens_rule + sum(new) + self.budget.per_passage * len(new)

    def cheapest(self, asks: Sequence[Ask]) -> int | None:
        """Place of the rule that can join at the fewest tokens, the first of equals; None where none can."""
        if len(self.asks) >= self.budget.max_rules:
            return None
        rules, found = len(self.asks) + 1, None
        for at, ask in enumerate(asks):
            extra = self.extra(ask)
            if (found is None or extra < found[0]) and self.budget.holds(
                rules, self.tokens_in + extra, self.tokens_out + ask.tokens_out
            ):
                found = (extra, at)
        return None if found is None else found[1]

    def add(self, ask: Ask) -> None:
        self.tokens_in += self.extra(ask)
        self.tokens_out += ask.tokens_out
        self.seen |= {name for name, _ in ask.passages}
        self.asks.append(ask)


def packed(asks: Iterable[Ask], stage: Stage, budget: RequestBudget, name: str = "") -> list[Request]:
    """Requests that ask about all rules, in order of priority; the same for any order of `asks`.

    A request holds rules of one pack, and either mandatory ones or others. To the first rule that is left come those
    that add the fewest tokens, which are the ones that share its passages. A rule that is above a budget by itself
    goes alone; above the window the scheduler refuses it with the numbers.

    Args:
        asks: the rules.
        stage: the pass.
        budget: of one request.
        name: goes before the numbers that are the requests' ids, which must be unique in a run.
    """
    ordered = sorted(asks, key=lambda ask: (priority(ask, stage), ask.pack, ask.rule_id))
    groups: dict[tuple[tuple[float, ...], str], list[Ask]] = {}
    for ask in ordered:
        groups.setdefault((priority(ask, stage), ask.pack), []).append(ask)
    requests: list[Request] = []
    for (first, pack), left in groups.items():
        for filled in _fill(left, budget):
            rules = tuple(ask.rule_id for ask in filled.asks)
            number = f"{name or pack}-{stage}-{len(requests) + 1}"
            requests.append(
                Request(number, filled.tokens_in, filled.tokens_out, first, rules, pack, stage, tuple(filled.asks))
            )  # fmt: skip
    return requests


def _fill(left: Sequence[Ask], budget: RequestBudget) -> Iterable[_Filling]:
    remaining = list(left)
    while remaining:
        filling = _Filling(budget)
        filling.add(remaining.pop(0))
        while (at := filling.cheapest(remaining)) is not None:
            filling.add(remaining.pop(at))
        yield filling
