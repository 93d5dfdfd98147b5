"""Choosing the few passages that a judge sees: best first, then those that add something.

Holds the choice among candidates, its guards and its one escalation. Must not hold scores: they come with the
candidates. A rule without candidates has no passages, and that is said by their absence alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import polars as pl

from bidproof.params import SelectionParams
from bidproof.records import Requirement
from bidproof.retrieval.analysis import folded
from bidproof.retrieval.lexical import in_order
from bidproof.retrieval.numbers_seen import FactColumns, typed_terms
from bidproof.tables import PASSAGES

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d[\d.,]*")
_LEADER = re.compile(r"(?:\.[ .]{3,}|…[ .…]*|_{4,})\s*\d+\s*$")
_SHINGLE = 5


@dataclass(frozen=True, eq=False)
class _Chunk:
    """What the choice needs to know of a chunk; there is one object a chunk, so that each equals itself alone."""

    chunk_id: str
    place: int
    doc_id: str
    page: int
    heading: str
    is_row: bool
    body: str
    tokens: int

    @cached_property
    def decides_nothing(self) -> bool:
        """A table of contents and a bare title name a subject and say nothing of it."""
        lines = [line for line in self.body.splitlines() if line.strip()]
        if 2 * sum(bool(_LEADER.search(line)) for line in lines) >= len(lines):
            return True
        return not self.is_row and set(_WORD.findall(folded(self.body))) <= set(
            _WORD.findall(folded(self.heading))
        )

    @cached_property
    def form(self) -> tuple[str, int, str, bool]:
        """Page, heading and format: little is to be learnt from two chunks that share them."""
        return self.doc_id, self.page, self.heading, self.is_row


@dataclass(frozen=True)
class _Candidate:
    """A candidate of the rule at hand."""

    COLUMNS: ClassVar = ("evidence_score", "score_section", "score_numbers", "sentry_hits")

    chunk: _Chunk
    score: float
    under_hint: bool
    has_number: bool
    sentries: frozenset[str]

    @classmethod
    def of(cls, row: dict[str, Any], chunk: _Chunk) -> _Candidate:
        """A row of `tables.CANDIDATES` with its chunk."""
        return cls(
            chunk,
            row["evidence_score"],
            row["score_section"] > 0,
            row["score_numbers"] > 0,
            frozenset(row["sentry_hits"] or ()),
        )


@dataclass
class _Choice:
    """Passages chosen for one rule so far."""

    picked: list[tuple[_Chunk, str, int]] = field(default_factory=list)

    def take(self, chunk: _Chunk, why: str, attempt: int = 1) -> None:
        self.picked.append((chunk, why, attempt))

    @property
    def chunks(self) -> list[_Chunk]:
        return [chunk for chunk, _, _ in self.picked]


def select_passages(
    requirements: Sequence[Requirement],
    candidates: pl.DataFrame,
    chunks: pl.DataFrame,
    facts: pl.DataFrame,
    params: SelectionParams,
    catalog_version: str = "",
) -> pl.DataFrame:
    """Rows of `tables.PASSAGES` in order of rule id; a rule without candidates has none."""
    selector = _Selector(in_order(chunks), facts, params)
    by_rule = {
        str(key[0]): group
        for key, group in candidates.sort("rule_id", "rank").group_by("rule_id", maintain_order=True)
    }
    rows: list[dict[str, Any]] = []
    for requirement in sorted(requirements, key=lambda one: one.rule_id):
        found = by_rule.get(requirement.rule_id)
        if found is not None:
            keys = {name: found[name][0] for name in ("tender", "bidder", "pack", "catalog_version")}
            keys["catalog_version"] = catalog_version or keys["catalog_version"]
            rows.extend(
                {**keys, "rule_id": requirement.rule_id, **row} for row in selector.rows(requirement, found)
            )
    return PASSAGES.frame(rows)


class _Selector:
    def __init__(self, chunks: pl.DataFrame, facts: pl.DataFrame, params: SelectionParams) -> None:
        self._params = params
        self._chunks = [
            _Chunk(
                chunk_id,
                place,
                doc_id,
                page or 0,
                heading or "",
                kind == "row",
                (text or "")[start or 0 :],
                tokens or 0,
            )
            for place, (chunk_id, doc_id, page, heading, kind, text, start, tokens) in enumerate(
                chunks.select(
                    "chunk_id", "doc_id", "page", "heading_path", "kind", "text", "body_start", "tokens"
                ).iter_rows()
            )
        ]
        self._by_id = {chunk.chunk_id: chunk for chunk in self._chunks}
        self._facts = FactColumns([chunk.chunk_id for chunk in self._chunks], facts)
        self._known: dict[str, tuple[frozenset[tuple[str, ...]], frozenset[str], str]] = {}

    def rows(self, requirement: Requirement, found: pl.DataFrame) -> list[dict[str, Any]]:
        """Passages of one rule, in order of choice."""
        needed = found.select("chunk_id", *_Candidate.COLUMNS)
        named = [_Candidate.of(row, self._by_id[row["chunk_id"]]) for row in needed.iter_rows(named=True)]
        ranked = [candidate for candidate in named if not candidate.chunk.decides_nothing]
        choice = _Choice()
        self._choose(choice, requirement, ranked)
        required = [term for term in requirement.sentry_terms if typed_terms(term)]
        if choice.picked and self._unseen(required, choice, ranked):
            self._escalate(choice, required, ranked, widen=requirement.mandatory)
        # Rows are short: the amount, the date and the signature of one guarantee are three of them.
        self._diversify(
            choice, ranked, self._params.k + self._params.k_step, budget=self._params.budget_tokens
        )
        missing = self._unseen(requirement.sentry_terms, choice, ranked)
        return [
            {
                "order_no": order,
                "chunk_id": chunk.chunk_id,
                "why": why,
                "attempt": attempt,
                "missing_terms": missing,
            }
            for order, (chunk, why, attempt) in enumerate(choice.picked, start=1)
        ]

    def _choose(self, choice: _Choice, requirement: Requirement, ranked: list[_Candidate]) -> None:
        params = self._params
        self._fill(choice, [candidate.chunk for candidate in ranked[:1]], "best", params.k)
        if params.guard_clause:
            self._guard(choice, [one.chunk for one in ranked if one.under_hint], "clause guard")
        if params.guard_table and any(predicate.kind == "quantity" for predicate in requirement.predicates):
            self._guard(
                choice, [one.chunk for one in ranked if one.chunk.is_row and one.has_number], "table guard"
            )
        self._diversify(choice, ranked, params.k)

    def _diversify(
        self,
        choice: _Choice,
        ranked: list[_Candidate],
        up_to: int,
        why: str = "diverse",
        attempt: int = 1,
        budget: int | None = None,
    ) -> None:
        """Fill up by evidence, less for what stands beside a chosen one, more for sentry terms still unseen.

        Maximal marginal relevance with a similarity of yes or no (Carbonell and Goldstein, SIGIR 1998). Within
        a budget of tokens, which only rows leave room in, the next row of the same form is welcome.
        """
        chosen = choice.chunks
        seen = {term for one in ranked if one.chunk in chosen for term in one.sentries}
        alike = 0.0 if budget is not None else self._params.diversity
        left = [one for one in ranked if one.chunk not in chosen]
        while left and len(choice.picked) < up_to:
            forms = {one.form for one in choice.chunks}
            gains = [
                one.score
                - alike * (one.chunk.form in forms)
                + self._params.coverage * len(one.sentries - seen)
                for one in left
            ]
            best = left.pop(gains.index(max(gains)))
            room = budget is None or sum(one.tokens for one in choice.chunks) + best.chunk.tokens <= budget
            if room and self._fill(choice, [best.chunk], why, up_to, attempt):
                seen |= best.sentries

    def _guard(self, choice: _Choice, allowed: list[_Chunk], why: str) -> None:
        """Make sure that one of `allowed` is among the passages, within the places there are."""
        if not any(chunk in allowed for chunk in choice.chunks):
            self._fill(choice, allowed, why, min(self._params.k, len(choice.picked) + 1))

    def _fill(self, choice: _Choice, source: Iterable[_Chunk], why: str, up_to: int, attempt: int = 1) -> int:
        """Take chunks that repeat no chosen one until there are `up_to` passages; how many were taken."""
        before = len(choice.picked)
        for chunk in source:
            if len(choice.picked) >= up_to:
                break
            if chunk not in choice.chunks and not any(self._same(chunk, other) for other in choice.chunks):
                choice.take(chunk, why, attempt)
        return len(choice.picked) - before

    def _escalate(self, choice: _Choice, required: list[str], ranked: list[_Candidate], widen: bool) -> None:
        """Add carriers of required numbers that are unseen, tables first; to `widen`, a neighbour of the best and the rest.

        A number that stands nowhere widens a mandatory rule only: an optional one is not worth the reading.
        """
        up_to = len(choice.picked) + self._params.k_step
        carried = {term: self._carried(term, ranked) for term in self._unseen(required, choice, ranked)}
        for term in carried:
            unseen = self._unseen(required, choice, ranked)
            if term in unseen:
                others = [set(carried[one]) for one in unseen if one in carried]
                carriers = sorted(
                    carried[term], key=lambda one: (-sum(one in held for held in others), not one.is_row)
                )
                self._fill(choice, carriers, "sentry", min(up_to, len(choice.picked) + 1), attempt=2)
        if not widen:
            return
        beside = self._neighbours(choice.chunks[0])
        self._fill(choice, beside, "escalated", min(up_to, len(choice.picked) + 1), attempt=2)
        self._diversify(choice, ranked, up_to, "escalated", attempt=2)

    def _carried(self, term: str, ranked: list[_Candidate]) -> list[_Chunk]:
        """Chunks that show a sentry term: candidates by rank, then the rest of the pack."""
        found = [one.chunk for one in ranked if term in one.sentries]
        return list(dict.fromkeys([*found, *self._carriers(term)]))

    def _carriers(self, term: str) -> Iterator[_Chunk]:
        """Chunks anywhere in the pack whose facts hold the very value or code that a sentry term names."""
        for predicate in typed_terms(term):
            seen = self._facts.equal(predicate)
            yield from (chunk for chunk in self._chunks if seen[chunk.place] and not chunk.decides_nothing)

    def _neighbours(self, best: _Chunk) -> Iterator[_Chunk]:
        for step in (1, -1, 2, -2):
            place = best.place + step
            if 0 <= place < len(self._chunks):
                chunk = self._chunks[place]
                if chunk.doc_id == best.doc_id and not chunk.decides_nothing:
                    yield chunk

    def _unseen(self, terms: Sequence[str], choice: _Choice, ranked: list[_Candidate]) -> list[str]:
        known = {one.chunk.chunk_id: one.sentries for one in ranked}
        seen = {term for chunk in choice.chunks for term in known.get(chunk.chunk_id, ())}
        others = [chunk for chunk in choice.chunks if chunk.chunk_id not in known]
        if others:
            seen |= {term for term in terms if any(chunk in others for chunk in self._carriers(term))}
        return [term for term in terms if term not in seen]

    def _same(self, chunk: _Chunk, other: _Chunk) -> bool:
        """Near-duplicates by shingles, unless a number differs: 60 days beside 90 days is the very point."""
        (shingles, numbers, text), (others, other_numbers, other_text) = (
            self._features(chunk),
            self._features(other),
        )
        if numbers != other_numbers:
            return False
        if not shingles or not others:
            return text == other_text
        return len(shingles & others) / min(len(shingles), len(others)) >= self._params.near_duplicate

    def _features(self, chunk: _Chunk) -> tuple[frozenset[tuple[str, ...]], frozenset[str], str]:
        if chunk.chunk_id not in self._known:
            text = folded(chunk.body)
            words = _WORD.findall(text)
            shingles = frozenset(zip(*(words[start:] for start in range(_SHINGLE)), strict=False))
            numbers = frozenset(number.rstrip(".,") for number in _DIGITS.findall(text))
            self._known[chunk.chunk_id] = shingles, numbers, " ".join(words)
        return self._known[chunk.chunk_id]
