"""Knobs of verdicts, their checks, points, and how well they are measured."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bidproof.knobs.group import Group


class JudgingParams(Group):
    """Judging passages."""

    judge: Literal["predicate", "openai", "llama"] = Field(
        "predicate",
        description="predicate: typed predicates evaluated by code, no model; openai: any server with an OpenAI-compatible API; llama: a GGUF file in the process, with the extra llama",
    )
    pass_coverage: float = Field(
        0.75,
        gt=0,
        le=1,
        description="Share of a presence rule's concept terms that its evidence must name for a Pass",
    )
    partial_coverage: float = Field(
        0.5, gt=0, le=1, description="And for a Partial; below it the rule is Missing"
    )
    residue: int = Field(
        0,
        ge=-1,
        description="Words that may stay unexplained before a person looks at a Pass; -1: any number",
    )


class VerificationParams(Group):
    """Live checks on each verdict."""

    max_quote_words: int = Field(
        60, ge=5, description="Words: the contract asks for under 40; a table row may run longer"
    )
    min_quote_chars: int = Field(
        12, ge=1, description="Characters: a shorter quote such as '2%' confirms anything"
    )
    max_rationale_chars: int = Field(600, ge=50, description="Characters")
    echo_shingle: int = Field(
        6, ge=3, description="Words of a run that a pack and the RFP must share to count as copied"
    )
    echo_share: float = Field(
        0.6, gt=0, le=1, description="Share of a quote's words inside such runs from which it is an echo"
    )
    objection_likeness: float = Field(
        3.0,
        ge=0,
        description="Deviations above the median of the pack's chunks: a statement with a failing figure or a denial that is so near to a rule and its proof flags the Pass; 0: none does. Needs the dense leg",
    )


class EscalationParams(Group):
    """Judging a mandatory rule again whose verdict did not survive its checks."""

    rounds: int = Field(
        2, ge=0, le=2, description="Rounds at most; 0: none, such a verdict goes to a person at once"
    )
    k_step: int = Field(
        4, ge=0, description="Passages added in each round: candidates, table rows first, then by rank"
    )
    neighbours: int = Field(
        1,
        ge=0,
        description="Chunks before and after the best passage that are added in each round: a clause often goes on there",
    )


class ScoringParams(Group):
    """Gate and scores."""

    technical_areas: tuple[str, ...] = Field(
        ("Technical", "Security"), description="Areas of the technical score"
    )
    commercial_areas: tuple[str, ...] = Field(("Commercial",), description="Areas of the commercial score")
    partial_points: float = Field(0.5, ge=0, le=1, description="Points of a Partial")
    rank_by: Literal["technical", "commercial", "overall"] = Field(
        "technical",
        description="Score by which the bidders that pass the gate are ranked; equal scores share a rank",
    )


class EvaluationParams(Group):
    """Measuring the pipeline on labelled sets."""

    k: int = Field(30, ge=1, description="Candidates of a rule that count: as many as each leg keeps")
    min_recall: float = Field(
        0.95,
        ge=0,
        le=1,
        description="Check, blocking: share of the regression set's mandatory rules with gold whose evidence is among the first k candidates; what is not among them no judge can see",
    )
    regression_set: str = Field(
        "",
        description="Folder of the labelled set that every change is held to; empty: gold of the shipped example",
    )
