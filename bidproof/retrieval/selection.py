"""Choosing the few passages that a judge sees: best first, then those that add something.

Holds the choice among candidates, its guards and its one escalation. Must not hold scores: they come with the
candidates. A rule without candidates has no passages, and that is said by their absence alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from bidproof.params import SelectionParams
from bidproof.records import Predicate, Requirement
from bidproof.retrieval.analysis import folded
from bidproof.retrieval.evidence import same_thing
from bidproof.retrieval.lexical import in_order
from bidproof.retrieval.numbers_seen import TYPED, FactColumns
from bidproof.tables import PASSAGES

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d[\d.,]*")
_LEADER = re.compile(r"(?:\.[ .]{3,}|…[ .…]*|_{4,})\s*\d+\s*$")
_SHINGLE = 5


@dataclass(frozen=True)
class _Chunk:
    """What the choice needs to know of a chunk."""

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

    def alike(self, other: _Chunk) -> bool:
        """Same page, heading and format: little to be learnt from both."""
        return (self.doc_id, self.page, self.heading, self.is_row) == (
            other.doc_id,
            other.page,
            other.heading,
            other.is_row,
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
    by_rule = {str(key[0]): group for key, group in candidates.group_by("rule_id", maintain_order=True)}
    rows: list[dict[str, Any]] = []
    for requirement in sorted(requirements, key=lambda one: one.rule_id):
        found = by_rule.get(requirement.rule_id)
        if found is not None:
            keys = {name: found[name][0] for name in ("tender", "bidder", "pack", "catalog_version")}
            keys["catalog_version"] = catalog_version or keys["catalog_version"]
            rows.extend(
                {**keys, "rule_id": requirement.rule_id, **row}
                for row in selector.rows(requirement, found.sort("rank"))
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
        rows = [
            row for row in found.iter_rows(named=True) if not self._by_id[row["chunk_id"]].decides_nothing
        ]
        sentries = {row["chunk_id"]: frozenset(row["sentry_hits"] or ()) for row in rows}
        choice = _Choice()
        self._choose(choice, requirement, rows)
        required = [term for term in requirement.sentry_terms if _is_required(term, requirement)]
        if requirement.mandatory and choice.picked and self._unseen(required, choice, sentries, requirement):
            self._escalate(choice, requirement, rows, sentries, required)
        self._use_budget(choice, rows)
        missing = self._unseen(requirement.sentry_terms, choice, sentries, requirement)
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

    def _choose(self, choice: _Choice, requirement: Requirement, rows: list[dict[str, Any]]) -> None:
        params = self._params
        ranked = [self._by_id[row["chunk_id"]] for row in rows]
        self._fill(choice, ranked[:1], "best", params.k)
        if params.guard_clause:
            hinted = [chunk for chunk, row in zip(ranked, rows, strict=True) if row["score_section"] > 0]
            self._guard(choice, hinted, "clause guard")
        if params.guard_table and any(predicate.kind == "quantity" for predicate in requirement.predicates):
            numeric = [
                c for c, row in zip(ranked, rows, strict=True) if c.is_row and row["score_numbers"] > 0
            ]
            self._guard(choice, numeric, "table guard")
        self._diversify(
            choice, [(chunk, row["evidence_score"]) for chunk, row in zip(ranked, rows, strict=True)]
        )

    def _diversify(self, choice: _Choice, scored: list[tuple[_Chunk, float]]) -> None:
        """Fill up by evidence, less a penalty for what stands beside a chosen one in the same format.

        Maximal marginal relevance with a similarity of yes or no (Carbonell and Goldstein, SIGIR 1998).
        """
        left = [pair for pair in scored if pair[0] not in choice.chunks]
        while left and len(choice.picked) < self._params.k:
            gains = [
                score - self._params.diversity * any(map(chunk.alike, choice.chunks)) for chunk, score in left
            ]
            chunk, _ = left.pop(gains.index(max(gains)))
            self._fill(choice, [chunk], "diverse", self._params.k)

    def _use_budget(self, choice: _Choice, rows: list[dict[str, Any]]) -> None:
        """Add what follows by evidence while all passages together are as short as table rows are.

        A form is one row a field: the amount, the date and the signature of one guarantee are three passages.
        """
        up_to = self._params.k + self._params.k_step
        for row in rows:
            chunk = self._by_id[row["chunk_id"]]
            if sum(one.tokens for one in choice.chunks) + chunk.tokens <= self._params.budget_tokens:
                self._fill(choice, [chunk], "diverse", up_to)

    def _guard(self, choice: _Choice, allowed: list[_Chunk], why: str) -> None:
        """Make sure that one of `allowed` is among the passages, within the places there are."""
        if not any(chunk in allowed for chunk in choice.chunks):
            self._fill(choice, allowed, why, min(self._params.k, len(choice.picked) + 1))

    def _fill(
        self, choice: _Choice, source: Iterable[_Chunk], why: str, up_to: int, attempt: int = 1
    ) -> None:
        for chunk in source:
            if len(choice.picked) >= up_to:
                return
            if chunk not in choice.chunks and not any(self._same(chunk, other) for other in choice.chunks):
                choice.take(chunk, why, attempt)

    def _escalate(
        self,
        choice: _Choice,
        requirement: Requirement,
        rows: list[dict[str, Any]],
        sentries: dict[str, frozenset[str]],
        required: list[str],
    ) -> None:
        """Widen for this rule only: carriers of what is unseen, tables first, then neighbours of the best."""
        up_to = len(choice.picked) + self._params.k_step
        for term in required:
            if term in self._unseen(required, choice, sentries, requirement):
                carriers = [self._by_id[row["chunk_id"]] for row in rows if term in sentries[row["chunk_id"]]]
                carriers += [chunk for chunk in self._carriers(term, requirement) if chunk not in carriers]
                carriers.sort(key=lambda chunk: not chunk.is_row)
                self._fill(choice, carriers, "sentry", min(up_to, len(choice.picked) + 1), attempt=2)
        self._fill(choice, self._neighbours(choice.chunks[0]), "escalated", up_to, attempt=2)

    def _carriers(self, term: str, requirement: Requirement) -> Iterator[_Chunk]:
        """Chunks anywhere in the pack whose facts hold the very value or code."""
        for predicate in _typed(requirement):
            if same_thing(term, predicate):
                seen = self._facts.equal(predicate)
                yield from (
                    chunk for chunk in self._chunks if seen[chunk.place] and not chunk.decides_nothing
                )

    def _neighbours(self, best: _Chunk) -> Iterator[_Chunk]:
        for step in (1, -1, 2, -2):
            place = best.place + step
            if 0 <= place < len(self._chunks):
                chunk = self._chunks[place]
                if chunk.doc_id == best.doc_id and not chunk.decides_nothing:
                    yield chunk

    def _unseen(
        self,
        terms: Sequence[str],
        choice: _Choice,
        sentries: dict[str, frozenset[str]],
        requirement: Requirement,
    ) -> list[str]:
        seen: set[str] = set()
        for chunk in choice.chunks:
            seen |= sentries.get(chunk.chunk_id, frozenset())
            if chunk.chunk_id not in sentries:
                seen |= {
                    term
                    for term in terms
                    if any(chunk is carrier for carrier in self._carriers(term, requirement))
                }
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


def _typed(requirement: Requirement) -> list[Predicate]:
    return [predicate for predicate in requirement.predicates if predicate.kind in TYPED]


def _is_required(term: str, requirement: Requirement) -> bool:
    """A sentry term that is a number, a code or a date: what a mandatory rule turns on."""
    return any(c.isdigit() for c in term) or any(
        same_thing(term, predicate) for predicate in _typed(requirement)
    )
