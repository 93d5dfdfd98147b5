"""Scheduling: when which rules are asked of a model, under its server's limits, and what that will cost.

Belongs here: packing of rules into requests, the triage pass, rate limits, retries, plans, the record of what was used.
Does not belong here: the words of a prompt, the reading of an answer, HTTP.

How a judge uses it::

    limits = limits_of(params.scheduling)
    budget = RequestBudget.of(params.scheduling, limits)  # or with the prompt's own counts
    scheduler = schedulers.of(url, params.scheduling)  # of one `Schedulers` a process
    ask_in_passes(asks, scheduler, send, receive, params.scheduling, budget)

`send(request) -> Outcome` runs in a thread, several at once: it makes the prompt for `request.rules` (`request.payload`
holds their `Ask`s, with the ids of the passages to show; `request.stage` is `triage` or `full`), posts it once, without
retries of its own, and says what came of it. `receive(result) -> {rule_id: reason}` runs in the caller's thread as each
result comes: it keeps what is sound (so that Control-C loses nothing) and names the rules to ask again (`needs_full`
for triage). A run over a pack ends with `usage.keep_usage(warehouse, pack, usage.usage_rows(results, ...))`, also where
it ends by an error or Control-C. Whoever wants no passes calls `Scheduler.run(requests, send, deliver)`.
"""

from bidproof.judging.scheduling.dispatch import Dispatch, Retries
from bidproof.judging.scheduling.packing import Ask, RequestBudget, packed
from bidproof.judging.scheduling.requests import Kind, Outcome, RateLimits, Request, Result
from bidproof.judging.scheduling.running import Scheduler
from bidproof.judging.scheduling.settings import Schedulers, limits_of, retries_of
from bidproof.judging.scheduling.triage import ask_in_passes, needs_full, triage_ask

__all__ = [
    "Ask",
    "Dispatch",
    "Kind",
    "Outcome",
    "RateLimits",
    "Request",
    "RequestBudget",
    "Result",
    "Retries",
    "Scheduler",
    "Schedulers",
    "ask_in_passes",
    "limits_of",
    "needs_full",
    "packed",
    "retries_of",
    "triage_ask",
]
