"""Knobs of what ranks candidates a second time: a cross-encoder, and evidence that people confirmed.

Holds those knobs with their reasons. `retrieval` takes the first group into `retrieval`. Computes nothing.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bidproof.knobs.group import Group


class SecondLook(Group):
    """Parts of the evidence score that are added once all candidates are known; part of the group `retrieval`."""

    reranker: str = Field(
        "",
        description="Cross-encoder that reads each rule beside its best candidates: a local folder or a hub name such as cross-encoder/ms-marco-MiniLM-L6-v2; empty: off, as none is shipped and one trained on other text ranks tenders worse",
    )
    rerank_top: int = Field(
        100,
        ge=1,
        description="Best candidates of a rule that the cross-encoder reads; the rest stay behind them",
    )
    rerank_precision: Literal["fp32", "bf16"] = Field(
        "fp32", description="bf16 reads three times as many pairs a second where the CPU has it"
    )
    score_rerank: float = Field(
        1.0,
        ge=0,
        description="Evidence score: points for each standard deviation of the cross-encoder's score above the mean of what it read",
    )
    score_confirmed: float = Field(
        1.5,
        ge=0,
        description="Evidence score: points for each standard deviation by which a chunk is more like the evidence that people confirmed for the rule than the pack's mean; only where a check on documents held out has switched it on; 0 is off",
    )
    confirmed_half: float = Field(
        2.0,
        ge=0,
        description="Packs with confirmed evidence of a rule at which half of those points count; evidence of one pack alone says as much of that pack as of the rule",
    )


class LearningParams(Group):
    """Learning from confirmed evidence: when it is switched on for a catalog."""

    min_documents: int = Field(
        5,
        ge=2,
        description="Packs held out with evidence for rules that others confirm too: with four even a gain on each could be chance one time in sixteen",
    )
    max_p: float = Field(
        0.05,
        gt=0,
        le=0.5,
        description="Chance, at most, that ranks as good as these come without learning: exact one-sided randomisation test over the packs' mean reciprocal ranks",
    )
