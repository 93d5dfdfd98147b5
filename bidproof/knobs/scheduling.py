"""Knobs of asking a model: what a request holds, what its server allows, what it costs, how long it takes.

Holds those knobs with their reasons; `params` takes the group. Computes nothing. A judge without a model heeds none.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from pydantic import Field, field_validator, model_validator

from bidproof.knobs.group import Group


class SchedulingParams(Group):
    """Asking a model: packing, triage, rate limits, prices and expected times. The judge by predicates heeds none."""

    HEEDED: ClassVar[tuple[str, ...]] = (
        "rules_per_request", "request_tokens", "answer_tokens_per_request", "answer_tokens", "triage", "triage_passages",
        "triage_answer_tokens", "asks_per_rule",
    )  # fmt: skip
    """Knobs that change answers, and not only how fast and at what price they are had."""

    rules_per_request: int = Field(
        5,
        ge=1,
        description="Rules asked in one request: more share instructions and passages, but a long answer is cut or mixed up more easily",
    )
    request_tokens: int = Field(
        6000,
        ge=200,
        description="Tokens sent in one request, at most; a rule whose passages are longer goes alone",
    )
    answer_tokens_per_request: int = Field(
        2000, ge=50, description="Tokens that the answer to one request may have"
    )
    answer_tokens: int = Field(
        260,
        ge=20,
        description="Tokens a rule in an answer of the full pass: 80 words of rationale, 40 of quote, names and marks",
    )
    prompt_tokens: int = Field(
        350,
        ge=0,
        description="Tokens of instructions and contract in each request, for the plan; a judge that knows its prompt counts it",
    )
    passage_tokens: int = Field(
        16, ge=0, description="Tokens of the fence around each passage: its mark twice, name and pages"
    )
    token_ratio: float = Field(
        1.15,
        gt=0,
        le=10,
        allow_inf_nan=False,
        description="Tokens of the model for each token of the packaged vocabulary, by which texts are counted here; figures and French words cost models more. Where a server says what a request used, larger shares are learned at once",
    )
    triage: bool = Field(
        True,
        description="First ask about each rule with its best passage alone and a short answer; the full pass only for rules that this does not settle as a proven Pass",
    )
    triage_passages: int = Field(1, ge=1, description="Passages a rule in the triage pass")
    triage_answer_tokens: int = Field(
        110,
        ge=20,
        description="Tokens a rule in an answer of the triage pass: status, quote, names and marks",
    )
    triage_settles: float = Field(
        0.4,
        ge=0,
        le=1,
        description="Share of rules that the triage pass is expected to settle, for the plan; where a run was measured, its own share takes this place",
    )
    asks_per_rule: int = Field(
        2,
        ge=1,
        le=10,
        description="Times that a rule is asked in the full pass, when its answer was cut off or broke the contract",
    )
    requests_per_minute: int = Field(
        60, ge=0, description="Requests that the server allows in a minute; 0 is no limit"
    )
    tokens_per_minute: int = Field(
        60_000,
        ge=0,
        description="Tokens, sent and returned, that it allows in a minute; 0 is no limit. Low on purpose: a key's true limits stand on its account's page",
    )
    concurrent_requests: int = Field(4, ge=1, le=256, description="Requests at once")
    counts_used: bool = Field(
        True,
        description="The server counts tokens that were really used; false where it charges the longest possible answer, as Azure does",
    )
    slack_seconds: float = Field(
        1.0,
        ge=0,
        allow_inf_nan=False,
        description="Seconds that a request may be on its way, at most: its room is kept for that much longer than a minute, which costs 1.6% of the rate",
    )
    attempts: int = Field(
        5, ge=1, le=50, description="Times that a request is sent which the server fails to answer"
    )
    refusals: int = Field(
        10,
        ge=0,
        description="Pauses that the server may ask for one after the other before the run ends, nothing answered between, as where a quota is used up; with an unshared key and true limits there is none",
    )
    backoff_seconds: float = Field(
        1.0,
        gt=0,
        allow_inf_nan=False,
        description="Seconds before the second attempt, half of it by chance; doubled each time",
    )
    longest_wait_seconds: float = Field(
        600.0,
        gt=0,
        allow_inf_nan=False,
        description="Seconds: a server that asks to wait longer is taken as closed",
    )
    price_in: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="Price of a million tokens sent; unset: the cost is unknown, never 0",
    )
    price_out: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="Price of a million tokens returned; unset: the cost is unknown, never 0",
    )
    currency: str = Field("USD", description="Currency of the prices")
    latency_p50_seconds: float = Field(
        4.0,
        gt=0,
        allow_inf_nan=False,
        description="Seconds from a request to its answer, half of them within; for the time in a plan",
    )
    latency_p90_seconds: float = Field(
        12.0, gt=0, allow_inf_nan=False, description="Seconds within which nine of ten answers come"
    )
    gate_by: str = Field(
        "",
        description="Date and time, as 2027-03-01T12:00, by which the gates of the tender's bidders should stand: tenders with an earlier one come first, and the plan says which would be late",
    )

    @field_validator("gate_by", mode="before")
    @classmethod
    def _as_text(cls, given: Any) -> Any:
        """YAML reads a bare date as one."""
        return given.isoformat() if isinstance(given, date) else given

    @model_validator(mode="after")
    def _in_order(self) -> SchedulingParams:
        if self.latency_p90_seconds < self.latency_p50_seconds:
            raise ValueError("latency_p90_seconds must not be below latency_p50_seconds")
        if max(self.answer_tokens, self.triage_answer_tokens) > self.answer_tokens_per_request:
            raise ValueError("answer_tokens_per_request must hold the answer on one rule")
        if self.gate_by:
            datetime.fromisoformat(self.gate_by)
        return self
