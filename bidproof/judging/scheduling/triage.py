"""The triage pass: each rule on its best passage alone, and which rules need the full pass after it.

Belongs here: what the two passes are, and who goes on. Does not belong here: how an answer is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from bidproof.judging.scheduling.packing import Ask, RequestBudget, Stage, packed
from bidproof.judging.scheduling.requests import Kind, Request, Result, Send
from bidproof.judging.scheduling.running import Scheduler
from bidproof.knobs.scheduling import SchedulingParams
from bidproof.records import Status

Receive = Callable[[Result], Mapping[str, str]]
"""Takes a result and keeps its answers; names the rules of it that must be asked again, each with the reason.

Of a triage result these are the rules that `needs_full` names; of a full one those whose answer was cut off, absent or
broke the contract. A result that failed names none; where it was rejected, its rules are asked one by one all the same.
"""


def needs_full(status: Status | None, *, proven: bool, contradicted: bool) -> str:
    """Why a rule must be read in full after its triage answer; empty where that answer can stand.

    Only a proven Pass stands. Silence on one passage says nothing of the others; a Partial or a Fail from one passage
    may be mended by the next; and a Pass that the typed predicates contradict is the fault that costs most.

    Args:
        status: what the triage answer says; None where there is none.
        proven: its quote passed all live checks.
        contradicted: the typed predicates, on all that the rule is shown, do not hold.
    """
    if status is None:
        return "no answer in the triage pass"
    if status is not Status.PASS:
        return f"{status.value} on its best passage alone"
    if not proven:
        return "its quote is not proven"
    return "its predicates say otherwise" if contradicted else ""


def triage_ask(ask: Ask, params: SchedulingParams) -> Ask:
    """The rule with its best passages only and a short answer."""
    best = ask.passages[: params.triage_passages]
    return replace(ask, passages=best, tokens_out=params.triage_answer_tokens)


def first_requests(asks: Iterable[Ask], params: SchedulingParams, budget: RequestBudget) -> list[Request]:
    """Requests that a run begins with: triage of all rules, or the full pass where there is none."""
    if params.triage:
        return packed([triage_ask(ask, params) for ask in asks], "triage", budget)
    return packed(asks, "full", budget)


class Passes:
    """Follows each rule through the passes and makes the requests that follow from a result."""

    def __init__(self, asks: Iterable[Ask], params: SchedulingParams, budget: RequestBudget) -> None:
        """Begin with `asks` as the full pass would ask them."""
        self._asks = {(ask.pack, ask.rule_id): ask for ask in asks}
        self._params, self._budget = params, budget
        self._times: dict[tuple[str, str], int] = {}

    def first(self, known: Sequence[Request] = ()) -> list[Request]:
        """Requests to begin with; `known` are they where `first_requests` made them already."""
        first = known or first_requests(self._asks.values(), self._params, self._budget)
        return self._counted(list(first))

    def after(self, result: Result, again: Iterable[str]) -> list[Request]:
        """Requests for those rules of a result that must be asked again; none for a rule that had its turns.

        What was cut off gets twice the room for its answer. Rules that were rejected together are asked one by one, as
        one passage that a server will not read must not cost the others their answers.
        """
        if result.failed:
            rejected = result.outcome is not None and result.outcome.kind is Kind.REJECTED
            return self.split(result.request) if rejected else []
        pack, cut = result.request.pack, result.outcome is not None and result.outcome.kind is Kind.TRUNCATED
        asks = []
        for rule_id in sorted(set(again) & set(result.request.rules)):
            key = (pack, rule_id)
            if self._times.get(key, 0) >= self._params.asks_per_rule:
                continue
            if cut and result.request.stage == "full":
                self._asks[key] = replace(self._asks[key], tokens_out=2 * self._asks[key].tokens_out)
            asks.append(self._asks[key])
        return self._counted(packed(asks, "full", self._budget, result.request.id))

    def _counted(self, requests: list[Request]) -> list[Request]:
        for request in requests:
            for rule_id in request.rules if request.stage == "full" else ():
                key = (request.pack, rule_id)
                self._times[key] = self._times.get(key, 0) + 1
        return requests

    def split(self, request: Request) -> list[Request]:
        """A request for each rule of one that is above the window or was rejected; none where it asks about one."""
        asks: tuple[Ask, ...] = request.payload
        stage: Stage = "triage" if request.stage == "triage" else "full"
        if len(asks) < 2:
            return []
        return [
            part
            for number, ask in enumerate(asks, 1)
            for part in packed([ask], stage, self._budget, f"{request.id}.{number}")
        ]


def ask_in_passes(
    asks: Iterable[Ask],
    scheduler: Scheduler,
    send: Send,
    receive: Receive,
    params: SchedulingParams,
    budget: RequestBudget,
) -> None:
    """Ask about all rules in passes under the scheduler's limits; returns when each had its answers received.

    `Request.rules` says which rules a prompt must ask about, and `Request.payload` holds their `Ask`s, with the
    passages to show by id; `Request.stage` says which contract. Control-C and errors: as `Scheduler.run`.
    """
    passes = Passes(asks, params, budget)
    scheduler.run(
        passes.first(), send, lambda result: passes.after(result, receive(result)), passes.split
    )  # fmt: skip
