"""Each stage from the chunks on, as a function of its inputs, its knobs and what is kept between replays.

Holds the order of arguments and nothing that a stage decides: the assets make the same calls, and a test holds the
rows of both together. Asks no model for verdicts; embeds only chunks that were never embedded before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import polars as pl

from bidproof.catalog import requirements_from_table
from bidproof.catalog.building import build_rules, catalog_version_of, rules_table
from bidproof.chunking import TokenBook, chunk_blocks, prove_coverage, questions_asked
from bidproof.errors import StageError
from bidproof.evaluation.replay.answers import RecordedJudge
from bidproof.facts import facts_table, tags_table
from bidproof.judging import judge_pack, rfp_shingles
from bidproof.judging.asking.judges import judge_named
from bidproof.params import DenseParams, Params
from bidproof.records import Requirement
from bidproof.retrieval import (
    Cache,
    DenseIndex,
    Embedder,
    KeptVectors,
    LexicalIndex,
    Prototypes,
    SecondLook,
    build_dense_index,
    build_lexical_index,
    find_candidates,
    make_embedder,
    make_reranker,
    query_vectors,
    select_passages,
)
from bidproof.scoring import score_pack
from bidproof.verification import (
    carry_over,
    escalate,
    find_objections,
    verify_findings,
    with_reviews,
)

Made = TypeVar("Made")
_ROOM = 3
"""Results of a kind that are kept: those of the warehouse, of the last combination of a sweep, and of this one."""


class Memo:
    """What was worked out last, by kind and key, so that a sweep works out once what its combinations share."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, OrderedDict[Hashable, Any]] = {}

    def get(self, kind: Hashable, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, or gave under that key."""
        kept = self._kept.setdefault(kind, OrderedDict())
        if key not in kept:
            kept[key] = make()
        kept.move_to_end(key)
        if len(kept) > _ROOM:
            kept.popitem(last=False)
        found: Made = kept[key]
        return found


@dataclass
class Tools:
    """What replays share.

    Args:
        vectors: cache of embeddings, that of the warehouse.
        scores: cache of a reranker's scores, that of the warehouse.
        make: the embedder of some parameters; loads nothing yet.
        memo: what was worked out last.
    """

    vectors: Cache | None = None
    scores: Cache | None = None
    make: Callable[[DenseParams], Embedder | None] = make_embedder
    memo: Memo = field(default_factory=Memo)

    def embedder(self, params: DenseParams) -> Embedder | None:
        """The embedder that the parameters name."""
        return self.memo.get("embedder", params.model_dump_json(), lambda: self.make(params))

    def dense(self, at: Inputs) -> tuple[DenseIndex, KeptVectors | None]:
        """The pack's dense index, and vectors of further texts that can be held against it."""
        key = at.token("dense_index")
        index = self.memo.get(("dense", at.pack), key, lambda: DenseIndex.from_table(at["dense_index"]))
        embedder = self.embedder(at.params.dense)
        kept = self.memo.get(("kept", at.pack), key, lambda: index.kept_vectors(embedder, self.vectors))
        return index, kept


class Inputs(Protocol):
    """Tables of a pack under some parameters, by stage."""

    params: Params

    def __getitem__(self, name: str) -> pl.DataFrame:
        """Rows of a stage."""

    def token(self, name: str) -> str:
        """Names the content of a stage's rows."""

    @property
    def tender(self) -> str:
        """The pack's tender."""

    @property
    def pack(self) -> str:
        """The pack."""

    @property
    def learned(self) -> pl.DataFrame:
        """What was learned for the tender and is in use."""

    @property
    def decided(self) -> pl.DataFrame:
        """What people decided on the pack: events of the log."""

    @property
    def answers(self) -> RecordedJudge | None:
        """What a model has answered, where a model judges."""


def _requirements(at: Inputs, tools: Tools) -> pl.DataFrame:
    built = build_rules(None, at["rfp_documents"], at["rfp_blocks"], at.params.catalog)
    return rules_table(built, tender=at.tender)


def _cut(at: Inputs, side: str, asked: Mapping[str, str]) -> pl.DataFrame:
    """Chunks of one side, under the proof that a run holds them to.

    Raises:
        StageError: the proof does not hold, so that a run would stop.
    """
    blocks, book = at[f"{side}blocks"], TokenBook()
    adapters = dict(at[f"{side}documents"].select("doc_id", "adapter").iter_rows())
    frame = chunk_blocks(
        blocks, at[f"{side}pages"], at.params.chunking, adapters=adapters, asked=dict(asked), book=book
    )
    gaps = prove_coverage(blocks, frame, at.params.chunking, book).gaps
    if gaps:
        raise StageError(f"{side}chunks: a run would stop, as check nothing_lost fails: {gaps[0]}")
    return frame


def _rfp_chunks(at: Inputs, tools: Tools) -> pl.DataFrame:
    return _cut(at, "rfp_", {})


def _chunks(at: Inputs, tools: Tools) -> pl.DataFrame:
    return _cut(at, "", questions_asked(at["rfp_chunks"]))


def _facts(at: Inputs, tools: Tools) -> pl.DataFrame:
    return facts_table(at["chunks"], at.params.facts)


def _tags(at: Inputs, tools: Tools) -> pl.DataFrame:
    return tags_table(at["chunks"], at["facts"])


def _lexical_index(at: Inputs, tools: Tools) -> pl.DataFrame:
    return build_lexical_index(at["chunks"], at.params.retrieval)


def _dense_index(at: Inputs, tools: Tools) -> pl.DataFrame:
    return build_dense_index(at["chunks"], tools.embedder(at.params.dense), at.params.dense, tools.vectors)


def _reviews(at: Inputs, tools: Tools) -> pl.DataFrame:
    """What people decided, held against the findings that would be."""
    return carry_over(
        at.decided, requirements_from_table(at["requirements"]), at["findings"], at["documents"], at["pages"],
        at["blocks"], at["chunks"], at["facts"],
    )  # fmt: skip


def _scores(at: Inputs, tools: Tools) -> pl.DataFrame:
    return score_pack(
        requirements_from_table(at["requirements"]), at["documents"], at["pages"],
        with_reviews(at["findings"], at["reviews"]), at.params.scoring,
        catalog_version=catalog_version_of(at["requirements"]), min_coverage=at.params.documents.min_coverage,
    )  # fmt: skip


def _candidates(at: Inputs, tools: Tools, rules: Sequence[Requirement], version: str) -> pl.DataFrame:
    lexical = tools.memo.get(
        ("lexical", at.pack), at.token("lexical_index"), lambda: LexicalIndex.from_table(at["lexical_index"])
    )
    dense, kept = tools.dense(at)
    look = SecondLook(Prototypes(at.learned), make_reranker(at.params.retrieval, tools.scores), at.pack)
    return find_candidates(
        rules, at["chunks"], at["facts"], at["tags"], lexical, dense, query_vectors(rules, kept), at["rfp_chunks"],
        at.params.retrieval, version, look,
    )  # fmt: skip


def _passages(at: Inputs, tools: Tools, rules: Sequence[Requirement], version: str) -> pl.DataFrame:
    return select_passages(rules, at["candidates"], at["chunks"], at["facts"], at.params.selection, version)


def _judgements(at: Inputs, tools: Tools, rules: Sequence[Requirement], version: str) -> pl.DataFrame:
    """Judged by code, or as the model answered the same prompt; rules that it was never so asked have no row."""
    judge = at.answers
    frame = judge_pack(
        rules, at["passages"], at["chunks"], at["facts"], at["rfp_chunks"], at.params, judge,
        candidates=at["candidates"], catalog_version=version,
    )  # fmt: skip
    return frame.filter(~pl.col("rule_id").is_in(sorted(judge.unasked))) if judge else frame


def _escalations(at: Inputs, tools: Tools, rules: Sequence[Requirement], version: str) -> pl.DataFrame:
    """Further rounds, by code or as the model answered in them."""
    return escalate(
        rules, at["rfp_chunks"], at["documents"], at["pages"], at["blocks"], at["chunks"], at["facts"],
        at["candidates"], at["passages"], at["judgements"], at.params, lambda: at.answers or judge_named(at.params),
        catalog_version=version,
    )  # fmt: skip


def _objections(at: Inputs, tools: Tools, rules: Sequence[Requirement], version: str) -> pl.DataFrame:
    dense, kept = tools.dense(at)
    return find_objections(
        rules, rfp_shingles(at["rfp_chunks"], at.params.verification), at["chunks"], at["facts"], at["candidates"],
        at["judgements"], at["escalations"], dense, kept, at.params.verification, version,
    )  # fmt: skip


def _findings(at: Inputs, tools: Tools, rules: Sequence[Requirement], version: str) -> pl.DataFrame:
    """Findings; none on a rule that a model would have to be asked about again."""
    frame = verify_findings(
        rules, at["rfp_chunks"], at["documents"], at["pages"], at["blocks"], at["chunks"], at["facts"],
        at["candidates"], at["passages"], at["judgements"], at.params.verification, catalog_version=version,
        escalations=at["escalations"], objections=at["objections"],
    )  # fmt: skip
    judge = at.answers
    asked_again = set(at["escalations"]["rule_id"]) & judge.unasked if judge else set()
    return frame.filter(~pl.col("rule_id").is_in(sorted(asked_again)))


WHOLE: dict[str, Callable[[Inputs, Tools], pl.DataFrame]] = {
    "rfp_chunks": _rfp_chunks, "requirements": _requirements, "chunks": _chunks, "facts": _facts, "tags": _tags,
    "lexical_index": _lexical_index, "dense_index": _dense_index, "reviews": _reviews, "scores": _scores,
}  # fmt: skip
"""Stages that are computed for all rules at once."""

BY_RULE: dict[str, Callable[[Inputs, Tools, Sequence[Requirement], str], pl.DataFrame]] = {
    "candidates": _candidates, "passages": _passages, "judgements": _judgements,
    "escalations": _escalations, "objections": _objections, "findings": _findings,
}  # fmt: skip
"""Stages that are computed for some of the rules, with the version of the catalog."""
