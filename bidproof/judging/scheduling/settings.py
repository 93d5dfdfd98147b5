"""Limits and retries as the knobs of `scheduling` set them."""

from __future__ import annotations

from bidproof.judging.scheduling.dispatch import Retries
from bidproof.judging.scheduling.requests import RateLimits
from bidproof.scheduling_knobs import SchedulingParams


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
