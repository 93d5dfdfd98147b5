"""Limits and retries as the knobs of `scheduling` set them, and one scheduler for each server."""

from __future__ import annotations

from datetime import datetime

from bidproof.judging.scheduling.dispatch import Retries
from bidproof.judging.scheduling.requests import RateLimits
from bidproof.judging.scheduling.running import Scheduler
from bidproof.knobs.scheduling import SchedulingParams


def limits_of(params: SchedulingParams) -> RateLimits:
    """What the server allows."""
    return RateLimits(
        requests_per_minute=params.requests_per_minute,
        tokens_per_minute=params.tokens_per_minute,
        concurrent=params.concurrent_requests,
        slack_seconds=params.slack_seconds,
        counts_used=params.counts_used,
    )


def retries_of(params: SchedulingParams) -> Retries:
    """How often is tried again."""
    return Retries(
        attempts=params.attempts,
        refusals=params.refusals,
        base_seconds=params.backoff_seconds,
        longest_seconds=params.longest_wait_seconds,
    )


def deadline(params: SchedulingParams) -> float:
    """When the gates of a tender should stand, in seconds of the epoch; infinite where that is open.

    A run takes tenders with an earlier one first. A time without a zone is local.
    """
    return datetime.fromisoformat(params.gate_by).timestamp() if params.gate_by else float("inf")


class Schedulers:
    """The schedulers of a process, one a server and account under the same limits.

    What holds one of these asks for the packs of a whole run: a scheduler of its own for each pack would begin with an
    empty window while the server still counts the pack before.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, RateLimits, Retries], Scheduler] = {}

    def of(self, server: str, params: SchedulingParams) -> Scheduler:
        """The scheduler of a server; `server` names it with whatever its limits hang on, such as URL and model."""
        limits, retries = limits_of(params), retries_of(params)
        return self._known.setdefault((server, limits, retries), Scheduler(limits, retries))
