"""Chunks to candidates to passages: search wide, score by evidence, choose few that complement each other."""

from __future__ import annotations

import polars as pl

from assets.by_rule import rows_by_rule
from assets.stage import Check, StageOutput, StageRun, stage_assets
from bidproof.chunking.metrics import embedding_alerts
from bidproof.learned import learned_rows
from bidproof.retrieval import (
    DenseIndex,
    LexicalIndex,
    Prototypes,
    SecondLook,
    build_dense_index,
    find_candidates,
    kept_lexical_index,
    make_reranker,
    query_vectors,
    select_passages,
    unseen_numbers,
)
from bidproof.store import CheckRecord, digest


@stage_assets("lexical_index", group="retrieval", kinds={"bm25", "parquet"})
def lexical_index(run: StageRun) -> StageOutput:
    """BM25 index over the pack's chunks; numbers, codes and acronyms stay whole."""
    of = digest([run.stage.code, run.recipe.inputs])
    frame = kept_lexical_index(run["chunks"], run.params.retrieval, run.cache("lexical"), of)
    return StageOutput(frame, {"bytes": sum(map(len, frame["content"]))})


@stage_assets(
    "dense_index", group="retrieval", kinds={"faiss", "parquet"},
    checks=(
        Check("embeddable", "No chunk is longer than the model reads; it drops the rest silently"),
        Check("embed_success", "The model read nearly all chunks to their end (dense.min_success_rate)"),
        Check("languages_covered", "The model covers the languages of the pack"),
    ),
)  # fmt: skip
def dense_index(run: StageRun) -> StageOutput:
    """FAISS index over the chunks' embeddings; a marker row where the dense leg is off."""
    embedder = run.resources.embedder.make(run.params.dense)
    frame = build_dense_index(run["chunks"], embedder, run.params.dense, run.cache("embeddings"))
    index = DenseIndex.from_table(frame)
    alerts = embedding_alerts(
        index.chunk_ids, index.over_limit, index.meta.get("max_tokens", 0), run.params.dense.min_success_rate
    )
    foreign = index.uncovered
    languages = ", ".join(f"{count} chunks in {name}" for name, count in sorted(foreign.items()))
    checks = [
        *(CheckRecord(a.name, a.passed, a.message, severity=a.severity) for a in alerts),
        CheckRecord("languages_covered", not foreign, languages or "all covered", severity="WARN"),
    ]
    read = 1 - len(index.over_limit) / max(1, len(index.chunk_ids))
    return StageOutput(
        frame, {"bytes": sum(map(len, frame["content"])), "embed_success": round(read, 4)}, checks
    )


@stage_assets(
    "candidates", group="retrieval", kinds={"bm25", "faiss", "polars"},
    checks=(Check("every_rule_searched", "Every rule of the catalog has candidates"),),
)  # fmt: skip
def candidates(run: StageRun) -> StageOutput:
    """Union of all legs for each rule, fused and ranked by an evidence score whose parts are kept."""
    prototypes = Prototypes(learned_rows(run.warehouse, run.tender))
    look = SecondLook(prototypes, make_reranker(run.params.retrieval, run.cache("rerank")), run.partition)
    dense = DenseIndex.from_table(run["dense_index"])
    kept = dense.kept_vectors(run.resources.embedder.make(run.params.dense), run.cache("embeddings"))
    made = rows_by_rule(run, lambda rules, version: find_candidates(
        rules, run["chunks"], run["facts"], run["tags"], LexicalIndex.from_table(run["lexical_index"]), dense,
        query_vectors(rules, kept), run["rfp_chunks"], run.params.retrieval, version, look,
    ))  # fmt: skip
    frame, rules = made.frame, made.rules
    bare = sorted({rule.rule_id for rule in rules} - set(frame["rule_id"]))
    message = f"no candidates for {', '.join(bare)}" if bare else f"all {len(rules)} rules have candidates"
    metrics = {"candidates": frame.height, "per_rule": round(frame.height / max(1, len(rules)), 1)}
    metrics["rules_reused"] = made.reused
    metrics["rules_learned"] = frame.filter(pl.col("confirmed_score").is_not_null())["rule_id"].n_unique()
    return StageOutput(frame, metrics, [CheckRecord("every_rule_searched", not bare, message)])


@stage_assets(
    "passages", group="retrieval", kinds={"polars", "parquet"},
    checks=(Check("numbers_seen", "The passages of every mandatory rule show its required numbers and codes"),),
)  # fmt: skip
def passages(run: StageRun) -> StageOutput:
    """The two to five passages that a judge will see for each rule, and why each was chosen."""
    made = rows_by_rule(run, lambda rules, version: select_passages(
        rules, run["candidates"], run["chunks"], run["facts"], run.params.selection, version
    ))  # fmt: skip
    frame = made.frame
    unseen = unseen_numbers(made.rules, frame)
    escalated = frame.filter(pl.col("attempt") > 1)["rule_id"].n_unique()
    metrics = {
        "passages": frame.height,
        "escalated_rules": escalated,
        "rules_unseen": len(unseen),
        "rules_reused": made.reused,
    }
    message = "; ".join(unseen) or "all seen"
    check = CheckRecord("numbers_seen", not unseen, message, severity="WARN")
    return StageOutput(frame, metrics, [check])


ASSETS = [*lexical_index, *dense_index, *candidates, *passages]
