"""Items asked of a pack through the product's own stages: candidates, passages, and verdicts where labels have them.

Holds the order of the calls, and which gold each candidate holds. What is made of that is for `measuring`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from bidproof.evaluation.alignment import Ink, Range, chunk_ranges
from bidproof.evaluation.labelled import GoldSpan, LabelledItem, LabelledPack
from bidproof.evaluation.pack_frames import PackFrames
from bidproof.judging import judge_pack
from bidproof.params import Params
from bidproof.records import Requirement
from bidproof.retrieval import Embedder, find_candidates, select_passages
from bidproof.retrieval.candidates import query_text
from bidproof.retrieval.embedding import Vectors
from bidproof.retrieval.fusion import reciprocal_rank_fusion
from bidproof.verification import verify_findings

LEGS = ("bm25", "dense", "tags", "clause")
"""Legs by the names of their rank columns; `fused` is their fused rank, `evidence` the product's own order."""
_COLUMNS = {"bm25": "bm25_rank", "dense": "dense_rank", "tags": "tag_rank", "clause": "clause_rank"}


@dataclass(frozen=True)
class FoundCandidate:
    """One candidate: what it is, where it stands, and the numbers of the gold spans that stand wholly in it."""

    chunk_id: str
    document: str
    pages: tuple[int, ...]
    ranges: tuple[Range, ...]
    holds: frozenset[int]
    score: float = 0.0
    ranks: Mapping[str, int] = field(default_factory=dict)
    rrf: float = 0.0


@dataclass(frozen=True)
class Searched:
    """An item with what was found for it.

    `candidates` are in the product's order. `passages` are ids of the chunks that a judge would see. `lost_before`
    tells for each gold span which stage before the candidates lost it: parse, chunk, or none.
    """

    item: LabelledItem
    gold: tuple[GoldSpan, ...]
    candidates: tuple[FoundCandidate, ...]
    passages: frozenset[str]
    lost_before: tuple[str, ...]
    language: str
    verdict: str = ""


class QueryVectors:
    """Vectors of rules, each text encoded once for all packs."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def of(self, requirements: Sequence[Requirement]) -> Vectors | None:
        """One row a rule; None without a model."""
        if self._embedder is None:
            return None
        for text in map(query_text, requirements):
            if text not in self._known:
                self._known[text] = self._embedder.encode([text], "query")
        return np.concatenate([self._known[query_text(one)] for one in requirements])


def search_pack(
    items: Sequence[LabelledItem], pack: LabelledPack, frames: PackFrames, vectors: QueryVectors, params: Params,
    by_page: bool, judge: bool,
) -> list[Searched]:  # fmt: skip
    """What the product finds in a pack for each item, in their order; verdicts too where `judge` is set."""
    # Ids of one's own: a set may ask two things under one id.
    rules = [
        item.requirement.model_copy(update={"rule_id": f"q{number:06}"}) for number, item in enumerate(items)
    ]
    candidates = find_candidates(
        rules, frames.chunks, frames.facts, frames.tags, frames.lexical, frames.dense, vectors.of(rules),
        frames.rfp_chunks, params.retrieval,
    )  # fmt: skip
    passages = select_passages(rules, candidates, frames.chunks, frames.facts, params.selection)
    verdicts = _verdicts(rules, frames, candidates, passages, params) if judge else {}
    by_rule = {
        str(key[0]): group.sort("rank") for key, group in candidates.group_by("rule_id", maintain_order=True)
    }
    chosen: dict[str, list[str]] = {}
    for rule_id, chunk_id in passages.select("rule_id", "chunk_id").iter_rows():
        chosen.setdefault(rule_id, []).append(chunk_id)
    finder = GoldFinder(pack, frames, by_page)
    empty = candidates.clear()
    return [
        finder.searched(
            item, by_rule.get(rule.rule_id, empty), frozenset(chosen.get(rule.rule_id, ())), verdicts.get(rule.rule_id, "")
        )
        for item, rule in zip(items, rules, strict=True)
    ]  # fmt: skip


def _verdicts(
    rules: Sequence[Requirement], frames: PackFrames, candidates: pl.DataFrame, passages: pl.DataFrame, params: Params
) -> dict[str, str]:  # fmt: skip
    """Status of each rule after judging and all checks."""
    judged = judge_pack(
        rules, passages, frames.chunks, frames.facts, frames.rfp_chunks, params, candidates=candidates
    )
    found = verify_findings(
        rules, frames.rfp_chunks, frames.documents, frames.pages, frames.blocks, frames.chunks, frames.facts,
        candidates, passages, judged, params.verification,
    )  # fmt: skip
    return dict(found.select("rule_id", "status").iter_rows())


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
    if order in _COLUMNS:
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


def bare(text: str) -> str:
    """ASCII letters, digits and percent signs in small letters: what a gold snippet and a page surely share."""
    return "".join(sign for sign in text.lower() if sign.isascii() and (sign.isalnum() or sign == "%"))


class GoldFinder:
    """Tells which gold spans stand wholly in a chunk of a pack."""

    def __init__(self, pack: LabelledPack, frames: PackFrames, by_page: bool) -> None:
        self._frames, self._by_page = frames, by_page
        self._documents = {document.name: document for document in pack.documents}
        self._chunks = {row["chunk_id"]: row for row in frames.chunks.iter_rows(named=True)}
        self._bare: dict[str, str] = {}
        self._ranges: dict[str, tuple[Range, ...]] = {}
        self._ink: dict[str, Ink] = {}
        self._languages = {
            (frames.names[doc_id], page): language or ""
            for doc_id, page, language in frames.pages.select("doc_id", "page", "language").iter_rows()
        }

    def searched(
        self, item: LabelledItem, candidates: pl.DataFrame, passages: frozenset[str], verdict: str
    ) -> Searched:
        """An item with its candidates and what of its gold each holds."""
        gold = self._distinct(item.gold)
        found = tuple(self._candidate(row, gold) for row in candidates.iter_rows(named=True))
        lost = tuple(self._lost_before(span) for span in gold)
        language = self._language(item, gold)
        return Searched(item, gold, found, passages, lost, language, verdict)

    def _distinct(self, gold: Sequence[GoldSpan]) -> tuple[GoldSpan, ...]:
        """Gold spans less those that say the same: one page twice, or one place twice."""
        return tuple({
            (one.document, one.page) if self._by_page else (one.document, one.start, one.end, one.unit, one.page, one.text): one
            for one in reversed(gold)
        }.values())[::-1]  # fmt: skip

    def _language(self, item: LabelledItem, gold: Sequence[GoldSpan]) -> str:
        """Language of the page that answers, else of the pack's first page."""
        wanted = [(span.document, span.page or 1) for span in gold] or list(self._languages)[:1]
        return next((self._languages[place] for place in wanted if self._languages.get(place)), "")

    def _candidate(self, row: Mapping[str, Any], gold: Sequence[GoldSpan]) -> FoundCandidate:
        chunk_id = row["chunk_id"]
        chunk = self._chunks[chunk_id]
        return FoundCandidate(
            chunk_id=chunk_id,
            document=self._frames.names[chunk["doc_id"]],
            pages=tuple(chunk["pages"]),
            ranges=self._ranges_of(chunk_id),
            holds=frozenset(number for number, span in enumerate(gold) if self._holds(chunk_id, span)),
            score=row["evidence_score"],
            ranks={leg: row[name] for leg, name in _COLUMNS.items() if row[name] is not None},
            rrf=row["rrf"],
        )

    def _ranges_of(self, chunk_id: str) -> tuple[Range, ...]:
        if chunk_id not in self._ranges:
            chunk = self._chunks[chunk_id]
            document = self._documents[self._frames.names[chunk["doc_id"]]]
            if ":p1_u" in chunk_id and document.units:
                ranges: Sequence[Range] = [document.units[int(chunk_id.rpartition("_u")[2])]]
            else:
                ranges = chunk_ranges(chunk, self._frames.places.get(chunk["doc_id"], {}))
            self._ranges[chunk_id] = tuple(ranges)
        return self._ranges[chunk_id]

    def _holds(self, chunk_id: str, span: GoldSpan) -> bool:
        chunk = self._chunks[chunk_id]
        if self._frames.names[chunk["doc_id"]] != span.document:
            return False
        if span.start is not None and span.end is not None:
            if span.unit is not None and ":p1_u" in chunk_id:
                return int(chunk_id.rpartition("_u")[2]) == span.unit
            return self._ink_of(span.document).holds(self._ranges_of(chunk_id), span.start, span.end)
        if span.page not in chunk["pages"]:
            return False
        return self._by_page or bare(span.text) in self._bare_of(chunk_id)

    def _ink_of(self, document: str) -> Ink:
        if document not in self._ink:
            self._ink[document] = Ink(self._documents[document].text or "")
        return self._ink[document]

    def _bare_of(self, chunk_id: str) -> str:
        if chunk_id not in self._bare:
            self._bare[chunk_id] = bare(self._chunks[chunk_id]["text"])
        return self._bare[chunk_id]

    def _lost_before(self, span: GoldSpan) -> str:
        """`parse` where the blocks do not show a gold span, `chunk` where no chunk holds it whole, else nothing."""
        if any(self._holds(chunk_id, span) for chunk_id in self._chunks):
            return ""
        return "chunk" if self._read(span) else "parse"

    def _read(self, span: GoldSpan) -> bool:
        doc_ids = [doc_id for doc_id, name in self._frames.names.items() if name == span.document]
        if span.start is not None and span.end is not None:
            places = [place for doc_id in doc_ids for place in self._frames.places.get(doc_id, {}).values()]
            ranges = [(min(place), max(place) + 1) for place in places if place]
            return self._ink_of(span.document).holds(ranges, span.start, span.end)
        text = self._page_text(tuple(doc_ids), span.page or 0)
        return bool(text) and (self._by_page or bare(span.text) in text)

    def _page_text(self, doc_ids: tuple[str, ...], page: int) -> str:
        return "".join(self._page_texts.get((doc_id, page), "") for doc_id in doc_ids)

    @cached_property
    def _page_texts(self) -> dict[tuple[str, int], str]:
        texts: dict[tuple[str, int], str] = {}
        shown = self._frames.blocks.filter(~pl.col("hidden").fill_null(False)).sort(
            "doc_id", "page", "block_no"
        )
        for doc_id, page, text in shown.select("doc_id", "page", "text").iter_rows():
            texts[doc_id, page] = texts.get((doc_id, page), "") + bare(text or "")
        return texts
