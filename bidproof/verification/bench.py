"""The pack laid out for checking: for each rule what its verdict is held against.

Belongs here: which passages a verdict was given on, and the claim in it. Does not belong here: the checks (`checks`) and
what follows from them (`findings`, `escalation`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from bidproof.judging import Passage, PassageShelf, rfp_shingles
from bidproof.judging.counter import shown_passages
from bidproof.judging.passages import candidate_ids, chosen_ids
from bidproof.params import JudgingParams, VerificationParams
from bidproof.records import Requirement
from bidproof.verification.checks import Claim, Desk
from bidproof.verification.source import Source

Row = Mapping[str, Any]


def claim_of(row: Row) -> Claim:
    """A row of `judgements` or `escalations`, untrusted."""
    return Claim(
        status=row["status"] or "",
        rationale=row["rationale"] or "",
        quote=row["quote"] or "",
        chunk_id=row["chunk_id"] or "",
        pages=tuple(row["pages"] or ()),
        risk=row["risk"] or "",
        other_quotes=tuple(row["other_quotes"] or ()),
    )


def last_attempts(judgements: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """The last judgement on each rule."""
    return {row["rule_id"]: row for row in judgements.sort("rule_id", "attempt").iter_rows(named=True)}


class Bench:
    """The frames of one pack, indexed once for all its rules."""

    def __init__(
        self,
        rfp_chunks: pl.DataFrame,
        documents: pl.DataFrame,
        pages: pl.DataFrame,
        blocks: pl.DataFrame,
        chunks: pl.DataFrame,
        facts: pl.DataFrame,
        candidates: pl.DataFrame,
        passages: pl.DataFrame,
        params: VerificationParams,
    ) -> None:
        self.source = Source(pages, blocks, chunks, facts, documents)
        self.rfp = rfp_shingles(rfp_chunks, params)
        self.chosen, self.wider = chosen_ids(passages), candidate_ids(candidates)
        self.params = params

    def desk(self, requirement: Requirement, judgement: Row) -> Desk:
        """What the checks of one rule need."""
        return Desk(requirement, self.shown(requirement, judgement), self.source, self.rfp, self.params)

    def shown(self, requirement: Requirement, judgement: Row) -> tuple[Passage, ...]:
        """The passages that the judge recorded as read; those that it would have read where it recorded none."""
        recorded = _recorded(judgement, self.source.shelf)
        if recorded is not None:
            return recorded
        ids, others = self.chosen.get(requirement.rule_id, ()), self.wider.get(requirement.rule_id, ())
        attempt = judgement["attempt"]
        return shown_passages(
            requirement, self.source.shelf, ids, others, JudgingParams(), self.rfp, attempt=attempt
        )


def _recorded(judgement: Row, shelf: PassageShelf) -> tuple[Passage, ...] | None:
    recorded = judgement.get("shown")
    if recorded is None:
        return None
    return tuple(
        shelf.passage(one["chunk_id"], context=one["context"]) for one in recorded if one["chunk_id"] in shelf
    )
