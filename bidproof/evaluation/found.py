"""What is found for an item of a labelled set, as records: its candidates, its passages, its verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bidproof.evaluation.alignment import Range
from bidproof.evaluation.labelled import GoldSpan, LabelledItem
from bidproof.evaluation.trust.decisions import Decision

LEGS = ("bm25", "dense", "tags", "clause")
"""Legs by the names of their rank columns; `fused` is their fused rank, `relevance` the order by their standardised
scores and those of the page, `evidence` the product's own order."""
COLUMNS = {
    "bm25": "bm25_rank", "dense": "dense_rank", "tags": "tag_rank", "clause": "clause_rank", "relevance": "relevance_rank",
}  # fmt: skip


@dataclass(frozen=True)
class FoundCandidate:
    """One candidate: what it is, where it stands, and the numbers of the gold spans that stand wholly in it.

    `parts` are the parts that it holds of gold over several table rows, each as number of the span and of the part.
    """

    chunk_id: str
    document: str
    pages: tuple[int, ...]
    ranges: tuple[Range, ...]
    holds: frozenset[int]
    parts: frozenset[tuple[int, int]] = frozenset()
    score: float = 0.0
    ranks: Mapping[str, int] = field(default_factory=dict)
    rrf: float = 0.0


@dataclass(frozen=True)
class Searched:
    """An item with what was found for it.

    `candidates` are in the product's order. `passages` are ids of the chunks that a judge would see. `lost_before`
    tells for each gold span which stage before the candidates lost it: parse, chunk, or none. `parts` has the number
    of parts of each span that runs over several table rows: a row is a chunk of its own, so that such a span is held
    once candidates hold all of its rows. `untagged` are the gold spans that state a fact
    which none of the chunks that hold them is known to state. `decision` is the verdict with its doubts, where judged.
    """

    item: LabelledItem
    gold: tuple[GoldSpan, ...]
    candidates: tuple[FoundCandidate, ...]
    passages: frozenset[str]
    lost_before: tuple[str, ...]
    language: str
    verdict: str = ""
    parts: Mapping[int, int] = field(default_factory=dict)
    untagged: frozenset[int] = frozenset()
    decision: Decision | None = None

    def held_along(self, candidates: Sequence[FoundCandidate]) -> list[frozenset[int]]:
        """Gold spans that each candidate brings, of the `candidates` in their order."""
        if not self.parts:
            return [one.holds for one in candidates]
        seen: set[tuple[int, int]] = set()
        found = []
        for one in candidates:
            new = {number for number, _ in one.parts - seen}
            seen |= one.parts
            whole = {
                number for number in new if all((number, part) in seen for part in range(self.parts[number]))
            }
            found.append(one.holds | whole)
        return found
