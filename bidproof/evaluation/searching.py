"""Items asked of a pack through the product's own stages: candidates, passages, and verdicts where labels have them.

Holds the order of the calls, and which gold each candidate holds. What is made of that is for `measuring`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from bidproof.evaluation.found import COLUMNS, LEGS, FoundCandidate, Searched
from bidproof.evaluation.gold_finding import GoldFinder
from bidproof.evaluation.labelled import LabelledItem, LabelledPack
from bidproof.evaluation.pack_frames import PackFrames
from bidproof.evaluation.trust.decisions import Decision, decision_of
from bidproof.judging import judge_pack, rfp_shingles
from bidproof.judging.asking.judges import judge_named
from bidproof.params import Params
from bidproof.records import Requirement
from bidproof.retrieval import (
    Cache,
    DenseIndex,
    Embedder,
    KeptVectors,
    SecondLook,
    find_candidates,
    select_passages,
)
from bidproof.retrieval.candidates import query_text
from bidproof.retrieval.embedding import Vectors
from bidproof.retrieval.fusion import reciprocal_rank_fusion
from bidproof.verification import escalate, find_objections, verify_findings


class QueryVectors:
    """Vectors of rules, each text encoded once for all packs."""

    def __init__(self, embedder: Embedder | None, cache: Cache | None = None) -> None:
        self._embedder, self._cache = embedder, cache
        self._known: dict[str, Vectors] = {}

    def of(self, requirements: Sequence[Requirement]) -> Vectors | None:
        """One row a rule; None without a model."""
        if self._embedder is None:
            return None
        for text in map(query_text, requirements):
            if text not in self._known:
                self._known[text] = self._embedder.encode([text], "query")
        return np.concatenate([self._known[query_text(one)] for one in requirements])

    def beside(self, dense: DenseIndex | None) -> KeptVectors | None:
        """Vectors of further texts that can be held against an index; None without one."""
        return dense.kept_vectors(self._embedder, self._cache) if dense else None


def search_pack(
    items: Sequence[LabelledItem], pack: LabelledPack, frames: PackFrames, vectors: QueryVectors, params: Params,
    by_page: bool, judge: bool, look: SecondLook | None = None,
) -> list[Searched]:  # fmt: skip
    """What the product finds in a pack for each item, in their order; verdicts too where `judge` is set.

    `look` ranks the candidates anew.
    """
    # Ids of one's own: a set may ask two things under one id.
    rules = [
        item.requirement.model_copy(update={"rule_id": f"q{number:06}"}) for number, item in enumerate(items)
    ]
    candidates = find_candidates(
        rules, frames.chunks, frames.facts, frames.tags, frames.lexical, frames.dense, vectors.of(rules),
        frames.rfp_chunks, params.retrieval, look=look,
    )  # fmt: skip
    passages = select_passages(rules, candidates, frames.chunks, frames.facts, params.selection)
    decided = _decisions(rules, frames, candidates, passages, params, vectors) if judge else {}
    verdicts = {rule_id: one.status for rule_id, one in decided.items()}
    by_rule = {
        str(key[0]): group.sort("rank") for key, group in candidates.group_by("rule_id", maintain_order=True)
    }
    chosen: dict[str, list[str]] = {}
    for rule_id, chunk_id in passages.select("rule_id", "chunk_id").iter_rows():
        chosen.setdefault(rule_id, []).append(chunk_id)
    finder = GoldFinder(pack, frames, by_page)
    empty = candidates.clear()
    found = [
        finder.searched(
            item, by_rule.get(rule.rule_id, empty), frozenset(chosen.get(rule.rule_id, ())), verdicts.get(rule.rule_id, "")
        )
        for item, rule in zip(items, rules, strict=True)
    ]  # fmt: skip
    return [replace(one, decision=decided.get(rule.rule_id)) for one, rule in zip(found, rules, strict=True)]


def _decisions(
    rules: Sequence[Requirement], frames: PackFrames, candidates: pl.DataFrame, passages: pl.DataFrame, params: Params,
    vectors: QueryVectors,
) -> dict[str, Decision]:  # fmt: skip
    """Verdict on each rule after judging, further rounds and all checks, with its doubts."""
    judged = judge_pack(
        rules, passages, frames.chunks, frames.facts, frames.rfp_chunks, params, candidates=candidates
    )
    escalations = escalate(
        rules, frames.rfp_chunks, frames.documents, frames.pages, frames.blocks, frames.chunks, frames.facts,
        candidates, passages, judged, params, lambda: judge_named(params),
    )  # fmt: skip
    objections = None
    if frames.dense:
        objections = find_objections(
            rules, rfp_shingles(frames.rfp_chunks, params.verification), frames.chunks, frames.facts, candidates, judged,
            escalations, frames.dense, vectors.beside(frames.dense), params.verification,
        )  # fmt: skip
    found = verify_findings(
        rules, frames.rfp_chunks, frames.documents, frames.pages, frames.blocks, frames.chunks, frames.facts,
        candidates, passages, judged, params.verification, escalations=escalations, objections=objections,
    )  # fmt: skip
    return {row["rule_id"]: decision_of(row) for row in found.iter_rows(named=True)}


def reranked(
    candidates: Sequence[FoundCandidate], order: str, legs: Sequence[str], params: Params
) -> list[FoundCandidate]:
    """Candidates in another order than the product's: by one leg alone, or by the fused rank of some.

    Args:
        candidates: of one rule, in the product's order.
        order: a leg, `fused`, or `evidence` for the product's own.
        legs: legs that are fused.
        params: weights of the legs.
    """
    if order in COLUMNS:
        held = [one for one in candidates if order in one.ranks]
        return sorted(held, key=lambda one: one.ranks[order])
    if order == "evidence":
        return list(candidates)
    if set(legs) >= set(LEGS):
        return sorted(candidates, key=lambda one: (-round(one.rrf, 9), one.chunk_id))
    knobs = params.retrieval
    weights = {
        "bm25": knobs.weight_bm25, "dense": knobs.weight_dense, "tags": knobs.weight_tags, "clause": knobs.weight_clause,
    }  # fmt: skip
    ranks = {
        leg: {place: one.ranks[leg] for place, one in enumerate(candidates) if leg in one.ranks}
        for leg in legs
    }
    fused = reciprocal_rank_fusion(ranks, weights, knobs.rrf_k)
    places = sorted(fused, key=lambda place: (-round(fused[place], 9), candidates[place].chunk_id))
    return [candidates[place] for place in places]
