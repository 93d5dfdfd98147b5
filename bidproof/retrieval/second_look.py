"""Ranking candidates anew once all are known: by likeness to confirmed evidence, then by a cross-encoder.

Holds what each of the two is worth in the evidence score, and the way back to the order without it. Must not hold models
(`reranking`) or what was confirmed (`prototypes`). It ranks: no candidate is added and none is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from bidproof.params import RetrievalParams
from bidproof.records import Requirement
from bidproof.retrieval.dense import DenseIndex
from bidproof.retrieval.embedding import embedding_text
from bidproof.retrieval.prototypes import Prototypes
from bidproof.retrieval.relevance import standardised
from bidproof.retrieval.reranking import Reranker

FloatArray = npt.NDArray[np.float64]
Part = Literal["score_confirmed", "score_rerank"]

PARTS: tuple[Part, ...] = ("score_confirmed", "score_rerank")
"""Parts of the evidence score that a second look adds, in the order in which they are added."""


@dataclass(frozen=True)
class SecondLook:
    """What looks at candidates a second time; nothing where both are None.

    `pack` is the name of the pack among those in which evidence was confirmed, whose own is left out.
    """

    prototypes: Prototypes | None = None
    reranker: Reranker | None = None
    pack: str = ""


def look_again(
    candidates: pl.DataFrame,
    requirements: Sequence[Requirement],
    chunks: pl.DataFrame,
    dense: DenseIndex | None,
    look: SecondLook,
    params: RetrievalParams,
) -> pl.DataFrame:
    """The same rows of `tables.CANDIDATES` with the parts of a second look, in the order that follows from them.

    Prototypes of another model than the index's are left alone, and without a dense leg there is nothing to compare.
    """
    blank = candidates.with_columns(
        pl.lit(0.0).alias("score_confirmed"), pl.lit(0.0).alias("score_rerank"),
        pl.lit(None, dtype=pl.Float64).alias("confirmed_score"), pl.lit(None, dtype=pl.Float64).alias("rerank_score"),
    )  # fmt: skip
    rules = {rule.rule_id: rule for rule in requirements}
    compared = dense if dense and look.prototypes and _same_model(dense, look.prototypes) else None
    if not params.score_confirmed:
        compared = None
    if blank.is_empty() or (compared is None and look.reranker is None):
        return blank
    texts = _texts(chunks) if look.reranker else {}
    found = []
    for key, group in blank.group_by("rule_id", maintain_order=True):
        rule = rules[str(key[0])]
        if compared is not None and look.prototypes is not None:
            group = _confirmed(group, rule, compared, look.prototypes, look.pack, params)
        if look.reranker is not None:
            group = _reranked(group, rule, texts, look.reranker, params)
        found.append(group)
    return pl.concat(found)


def without_part(candidates: pl.DataFrame, part: Part) -> pl.DataFrame:
    """Candidates as a run without one part ranks them: the same order, and scores but for their last bit.

    A part that a later one builds on cannot be taken out alone: the later one read other candidates.

    Raises:
        ValueError: a later part counts as well.
    """
    later = PARTS[PARTS.index(part) + 1 :]
    if any((candidates[one] != 0).any() for one in later):
        raise ValueError(f"{part} cannot be taken out below {', '.join(later)}")
    raw = "confirmed_score" if part == "score_confirmed" else "rerank_score"
    bare = candidates.with_columns(
        (pl.col("evidence_score") - pl.col(part)).alias("evidence_score"), pl.lit(0.0).alias(part),
        pl.lit(None, dtype=pl.Float64).alias(raw),
    )  # fmt: skip
    groups = [_ranked(group) for _, group in bare.group_by("rule_id", maintain_order=True)]
    return pl.concat(groups) if groups else bare


def _same_model(dense: DenseIndex, prototypes: Prototypes) -> bool:
    return dense.meta.get("fingerprint") == prototypes.embedder


def _texts(chunks: pl.DataFrame) -> Mapping[str, str]:
    """What the cross-encoder reads of a chunk: what was embedded of it."""
    columns = ("chunk_id", "section_title", "text")
    return {
        chunk_id: embedding_text(title, text) for chunk_id, title, text in chunks.select(columns).iter_rows()
    }


def _confirmed(
    group: pl.DataFrame,
    rule: Requirement,
    dense: DenseIndex,
    prototypes: Prototypes,
    pack: str,
    params: RetrievalParams,
) -> pl.DataFrame:
    """A rule's candidates with their likeness to evidence confirmed in other packs."""
    prototype = prototypes.of(rule.text, pack)
    if prototype is None or len(prototype.vector) != dense.meta.get("dimensions"):
        return group
    cosine = dense.cosines(prototype.vector[np.newaxis, :])[0]
    place = {chunk_id: number for number, chunk_id in enumerate(dense.chunk_ids)}
    places = [place[chunk_id] for chunk_id in group["chunk_id"]]
    trust = prototype.packs / (prototype.packs + params.confirmed_half)
    points = params.score_confirmed * trust * standardised(cosine)
    return _ranked(_with_part(group, "score_confirmed", points[places], "confirmed_score", cosine[places]))


def _reranked(
    group: pl.DataFrame,
    rule: Requirement,
    texts: Mapping[str, str],
    reranker: Reranker,
    params: RetrievalParams,
) -> pl.DataFrame:
    """A rule's candidates with what the cross-encoder says of the best of them.

    Those that it did not read get the lowest of its points, so that none of them passes one that it read.
    """
    ids = group["chunk_id"].to_list()
    read = min(len(ids), params.rerank_top)
    said = reranker.scores(rule.text, [texts[chunk_id] for chunk_id in ids[:read]])
    points = params.score_rerank * standardised(said)
    rest = len(ids) - read
    every = np.concatenate([points, np.full(rest, points.min(initial=0.0))])
    raw = np.concatenate([said, np.full(rest, np.nan)])
    return _ranked(_with_part(group, "score_rerank", every, "rerank_score", raw))


def _with_part(
    group: pl.DataFrame, part: Part, points: FloatArray, name: str, raw: FloatArray
) -> pl.DataFrame:
    return group.with_columns(
        pl.Series(part, points), pl.Series(name, raw).fill_nan(None),
        (pl.col("evidence_score") + pl.Series(points)).alias("evidence_score"),
    )  # fmt: skip


def _ranked(group: pl.DataFrame) -> pl.DataFrame:
    """One rule's candidates by falling score, equal ones by id, with their ranks."""
    ordered = group.sort(-pl.col("evidence_score").round(9), "chunk_id")
    return ordered.with_columns(pl.int_range(1, pl.len() + 1, dtype=pl.Int32).alias("rank"))
