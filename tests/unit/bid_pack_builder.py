"""Chunk rows, rules and whole bid packs for tests of retrieval. A builder for tests; holds no test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from bidproof.facts import find_facts
from bidproof.params import Params
from bidproof.records import Predicate, Requirement
from bidproof.retrieval import DenseIndex, LexicalIndex, build_lexical_index, find_candidates, select_passages
from bidproof.tables import CHUNKS, FACTS, TAGS

PARAMS = Params()
FILLER = "The works programme is described in detail with its resources and methods for the site. "


def chunk_row(
    number: int,
    text: str,
    *,
    page: int = 1,
    heading: str = "",
    kind: str = "text",
    body_start: int = 0,
    doc: str = "d1",
    language: str = "en",
    tokens: int = 200,
) -> dict[str, object]:
    return {
        "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": doc, "file_name": f"{doc}.pdf",
        "chunk_id": f"{doc}:p{page}_c{number:02}", "page": page, "pages": [page], "heading_path": heading, "section_no": "",
        "section_title": heading, "kind": kind, "text": text, "tokens": tokens, "body_start": body_start, "spans": [],
        "language": language, "references": [], "quality": 80,
    }  # fmt: skip


def facts_of(chunks: pl.DataFrame) -> pl.DataFrame:
    rows: list[dict[str, object]] = []
    for chunk_id, doc_id, text, language in chunks.select(
        "chunk_id", "doc_id", "text", "language"
    ).iter_rows():
        for number, fact in enumerate(find_facts(text, language=language)):
            own = fact.model_dump()
            rows.append(
                {"pack": "t--b", "doc_id": doc_id, "chunk_id": chunk_id, "fact_no": number, "page": 1, **own}
            )
    return FACTS.frame(rows)


def tags_of(*pairs: tuple[str, str]) -> pl.DataFrame:
    return TAGS.frame(
        [{"pack": "t--b", "chunk_id": chunk_id, "tag": tag, "hits": 1} for chunk_id, tag in pairs]
    )


class BidPack:
    """A bid pack from chunk rows, searched without or with given vectors."""

    def __init__(
        self, rows: Sequence[dict[str, object]], tags: pl.DataFrame | None = None, rfp: Sequence[str] = ()
    ) -> None:
        self.chunks = CHUNKS.frame(list(rows))
        self.facts = facts_of(self.chunks)
        self.tags = TAGS.empty() if tags is None else tags
        self.rfp = CHUNKS.frame([chunk_row(number, text, doc="rfp") for number, text in enumerate(rfp)])

    def candidates(
        self,
        *rules: Requirement,
        params: Params = PARAMS,
        dense: DenseIndex | None = None,
        vectors: np.ndarray | None = None,
    ) -> pl.DataFrame:
        lexical = LexicalIndex.from_table(build_lexical_index(self.chunks, params.retrieval))
        return find_candidates(
            rules, self.chunks, self.facts, self.tags, lexical, dense, vectors, self.rfp, params.retrieval
        )

    def passages(self, *rules: Requirement, params: Params = PARAMS) -> pl.DataFrame:
        return select_passages(
            rules, self.candidates(*rules, params=params), self.chunks, self.facts, params.selection
        )


def bid_rule(
    text: str, *predicates: Predicate, rule_id: str = "R1", mandatory: bool = True, **rest: object
) -> Requirement:
    return Requirement(
        rule_id=rule_id, area="Admin", mandatory=mandatory, text=text, predicates=predicates, **rest
    )


SECURITY = bid_rule(
    "Bid security: 2% of total price; validity >= 90 days.",
    Predicate(kind="quantity", value=2, unit="percent", measure=("bid security",), text="2%"),
    Predicate(
        kind="quantity", value=90, unit="day", comparator=">=", measure=("validity",), text=">= 90 days"
    ),
    sentry_terms=("2%", "90 days"),
    synonyms=("bid bond", "guarantee"),
    section_hints=("3.2 Bid Security",),
)


def long_pack(chunks: int) -> list[dict[str, object]]:
    words = [
        "bid",
        "bond",
        "delivery",
        "meter",
        "warranty",
        "price",
        "insurance",
        "test",
        "signed",
        "form",
        "valid",
        "power",
    ]
    random = np.random.default_rng(7)
    return [
        chunk_row(
            number, " ".join(random.choice(words, 60)) + f" {number % 90} days and {number % 13}% of {number}.", page=number // 6 + 1,
            heading=f"{number // 40} {words[number // 40 % 12]}", kind="row" if number % 3 == 0 else "text",
        )
        for number in range(chunks)
    ]  # fmt: skip
