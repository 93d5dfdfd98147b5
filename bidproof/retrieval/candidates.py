"""Candidates of each rule: the union of all legs, ranked by evidence and by what the legs' scores say together.

Holds the joining of legs to one table. Must not hold a leg's own search, the score's parts, or the choice of
passages. Nothing that any leg found is dropped here: a cut is where evidence gets lost for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from bidproof.catalog import tag_pools
from bidproof.params import RetrievalParams
from bidproof.records import Requirement
from bidproof.retrieval.dense import DenseIndex
from bidproof.retrieval.embedding import Embedder, KeptVectors, Vectors
from bidproof.retrieval.evidence import Evidence, PackEvidence
from bidproof.retrieval.fusion import ranks_of, reciprocal_rank_fusion
from bidproof.retrieval.lexical import LexicalIndex, best_places, in_order
from bidproof.retrieval.query import wide_query
from bidproof.retrieval.question import asked_words, is_question
from bidproof.retrieval.relevance import PackRelevance, Relevance, pages_of
from bidproof.retrieval.second_look import SecondLook, look_again
from bidproof.tables import CANDIDATES

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

_RANK_COLUMNS = {
    "bm25": "bm25_rank",
    "dense": "dense_rank",
    "sparse": "sparse_rank",
    "tags": "tag_rank",
    "clause": "clause_rank",
    "relevance": "relevance_rank",
}


def find_candidates(
    requirements: Sequence[Requirement],
    chunks: pl.DataFrame,
    facts: pl.DataFrame,
    tags: pl.DataFrame,
    lexical: LexicalIndex,
    dense: DenseIndex | None,
    embedder: Embedder | Vectors | None,
    rfp_chunks: pl.DataFrame,
    params: RetrievalParams,
    catalog_version: str = "",
    look: SecondLook | None = None,
) -> pl.DataFrame:
    """Rows of `tables.CANDIDATES` in order of rule id, each rule's candidates by falling evidence score.

    `embedder` encodes the rules, or is their vectors, one row a rule; None leaves the dense leg out.
    `rfp_chunks` are the tender's own, for the echo penalty. `look` ranks the candidates anew; it adds and drops none.

    Raises:
        ValueError: an index is of other chunks, or the vectors are of another model than the index.
    """
    ordered = in_order(chunks)
    ids = ordered["chunk_id"].to_list()
    if ids != lexical.chunk_ids or (dense and ids != dense.chunk_ids):
        raise ValueError("an index was built from other chunks: build it again")
    if not requirements or ordered.is_empty():
        return CANDIDATES.empty()
    pack = _Pack(ordered, facts, tags, lexical, rfp_chunks, params)
    cosines = _cosines(requirements, dense, embedder)
    keys = {name: pl.lit(ordered[name][0]) for name in ("tender", "bidder", "pack")}
    keys["catalog_version"] = pl.lit(catalog_version)
    by_rule = sorted(zip(requirements, cosines, strict=True), key=lambda pair: pair[0].rule_id)
    frames = [pack.candidates(requirement, cosine) for requirement, cosine in by_rule]
    found = pl.concat(frames).with_columns(**keys)
    seen_again = look_again(found, requirements, ordered, dense, look or SecondLook(), params)
    return CANDIDATES.conform(seen_again)


def query_text(requirement: Requirement) -> str:
    """What is embedded of a rule: its own words."""
    return requirement.text


def query_vectors(requirements: Sequence[Requirement], kept: KeptVectors | None) -> Vectors | None:
    """Vectors of the rules as `find_candidates` takes them, each kept by itself; None where the dense leg is off."""
    if kept is None or not requirements:
        return None
    return kept.of([query_text(one) for one in requirements], "query")


def _cosines(
    requirements: Sequence[Requirement], dense: DenseIndex | None, embedder: Embedder | Vectors | None
) -> Sequence[FloatArray | None]:
    """Cosine of every chunk with each rule; None for each rule where the dense leg is off."""
    if not dense or embedder is None:
        return [None] * len(requirements)
    if isinstance(embedder, np.ndarray):
        return dense.cosines(embedder)
    return dense.cosines(embedder.encode([query_text(one) for one in requirements], "query"))


class _Pack:
    """A pack ready to be asked one rule after another."""

    def __init__(
        self,
        chunks: pl.DataFrame,
        facts: pl.DataFrame,
        tags: pl.DataFrame,
        lexical: LexicalIndex,
        rfp_chunks: pl.DataFrame,
        params: RetrievalParams,
    ) -> None:
        self._lexical, self._params = lexical, params
        self._ids = lexical.chunk_ids
        self._place = {chunk_id: place for place, chunk_id in enumerate(self._ids)}
        self._id_order = np.argsort(np.argsort(np.asarray(self._ids, dtype=object)))
        self._evidence = PackEvidence(chunks, facts, lexical, rfp_chunks, params)
        self._relevance = PackRelevance(pages_of(chunks), params)
        languages = chunks["language"].fill_null("")
        self._spoken = [(languages == one).to_numpy() for one in languages.unique().sort() if one]
        self._tagged: dict[str, BoolArray] = {}
        for tag, chunk_id in tags.select("tag", "chunk_id").iter_rows():
            if chunk_id in self._place:
                self._tagged.setdefault(tag, np.zeros(len(self._ids), dtype=bool))[self._place[chunk_id]] = (
                    True
                )

    def candidates(self, requirement: Requirement, cosine: FloatArray | None) -> pl.DataFrame:
        """All candidates of one rule, best first, without the columns that are the same for all rules."""
        params, by_scores = self._params, self._params.fusion == "scores"
        wide = wide_query(requirement)
        bm25 = self._lexical.scores(wide.weights(self._lexical, params))
        learned = self._lexical.learned(query_text(requirement), params)
        relevance = self._relevance.of(self._said(requirement, bm25), cosine, learned)
        evidence = self._evidence.of(requirement, relevance.total if by_scores else None)
        pools = sorted(set(tag_pools(requirement)) & set(self._tagged))
        ranks = self._ranks(bm25, wide.translations, cosine, learned, relevance, evidence, pools)
        fused = reciprocal_rank_fusion(ranks, self._leg_weights(evidence), params.rrf_k)
        by_rank = 0.0 if by_scores else params.score_rrf
        total = evidence.total + relevance.total if by_scores else evidence.total
        score = {place: float(total[place]) + by_rank * share for place, share in fused.items()}
        order = sorted(fused, key=lambda place: (-round(score[place], 9), self._ids[place]))
        at = np.array(order, dtype=np.int64)
        columns: dict[str, Any] = {
            "rule_id": [requirement.rule_id] * len(order),
            "chunk_id": [self._ids[place] for place in order],
            "rank": np.arange(1, len(order) + 1),
            **{column: [ranks[leg].get(place) for place in order] for leg, column in _RANK_COLUMNS.items()},
            "bm25_score": bm25[at],
            "dense_score": [None] * len(order) if cosine is None else cosine[at],
            "sparse_score": [None] * len(order) if learned is None else learned[at],
            "tag_hits": _names({tag: self._tagged[tag] for tag in pools}, at),
            "rrf": [fused[place] for place in order],
            "evidence_score": [score[place] for place in order],
            **{name: part[at] for name, part in _parts(evidence, relevance if by_scores else None).items()},
            "score_rrf": [by_rank * fused[place] for place in order],
            "sentry_hits": _names(evidence.sentries, at),
        }
        return pl.DataFrame(columns, schema={name: CANDIDATES.schema[name] for name in columns})

    def _said(self, requirement: Requirement, bm25: FloatArray) -> FloatArray:
        """Lexical score that counts for relevance: of a question that of the words for what it asks.

        The wide query finds more for it and ranks worse: other spellings of what is only asked for are no evidence.
        """
        if not is_question(requirement.text):
            return bm25
        terms = self._lexical.terms(asked_words(requirement.text))
        return self._lexical.scores(dict.fromkeys(terms, 1.0))

    def _ranks(
        self,
        bm25: FloatArray,
        translations: Sequence[str],
        cosine: FloatArray | None,
        learned: FloatArray | None,
        relevance: Relevance,
        evidence: Evidence,
        pools: Sequence[str],
    ) -> dict[str, dict[int, int]]:
        """What each leg keeps, with its rank there."""
        params, everywhere = self._params, np.ones(len(self._ids), dtype=bool)
        nowhere = ~everywhere
        in_pool = np.any([self._tagged[tag] for tag in pools], axis=0) if pools else nowhere
        dense = [] if cosine is None else best_places(cosine, everywhere, params.dense_top, self._id_order)
        found = np.zeros(len(self._ids)) if learned is None else learned
        sparse = best_places(found, found > 0, params.bm25_top, self._id_order)
        total = evidence.total
        return {
            "bm25": ranks_of(self._lexical_hits(bm25, translations)),
            "dense": ranks_of(dense),
            "sparse": ranks_of(sparse),
            "tags": ranks_of(self._best(total, bm25, in_pool, params.tag_top)),
            "clause": ranks_of(self._best(total, bm25, evidence.section > 0, params.clause_top)),
            "relevance": ranks_of(
                self._relevance.best(relevance.total, params.relevance_top, self._id_order)
            ),
        }

    def _lexical_hits(self, bm25: FloatArray, translations: Sequence[str]) -> list[int]:
        """The best chunks by BM25, then the best of each language of the pack, then those of translated words alone.

        A French annex shares only synonyms with an English rule, and thirty English chunks would bury it. A French
        sentence on an English page stands in a chunk that counts as English: there only its own words find it.
        """
        hits = best_places(bm25, bm25 > 0, self._params.bm25_top, self._id_order)
        if len(self._spoken) > 1:
            for spoken in self._spoken:
                best = best_places(bm25, (bm25 > 0) & spoken, self._params.language_top, self._id_order)
                hits += [place for place in best if place not in hits]
            terms = [term for phrase in translations for term in self._lexical.terms(phrase)]
            told = self._lexical.scores(dict.fromkeys(terms, 1.0))
            best = best_places(told, told > 0, self._params.translated_top, self._id_order)
            hits += [place for place in best if place not in hits]
        return hits

    def _leg_weights(self, evidence: Evidence) -> dict[str, float]:
        """Weights of the legs in the fusion of ranks for one rule; no leg is best everywhere.

        A bid that answers in the rule's own words is best found by words. A rule whose words stand together
        nowhere is answered in other words, and the dense leg weighs more.
        """
        params = self._params
        return {
            "bm25": params.weight_bm25,
            "dense": params.weight_dense * (1.0 + params.doubt * (1.0 - evidence.best_coverage)),
            "sparse": params.weight_bm25 * params.sparse_share,
            "tags": params.weight_tags,
            "clause": params.weight_clause,
            "relevance": 0.0,
        }

    def _best(self, total: FloatArray, bm25: FloatArray, allowed: BoolArray, top: int) -> list[int]:
        """A pool ranked by evidence, equal evidence by BM25, then by id: never by the order of insertion."""
        places = np.flatnonzero(allowed)
        order = np.lexsort((self._id_order[places], -np.round(bm25[places], 6), -np.round(total[places], 9)))
        return [int(place) for place in places[order[:top]]]


def _parts(evidence: Evidence, relevance: Relevance | None) -> dict[str, FloatArray]:
    """The parts of the score of every chunk by column; zeros for a relevance that does not count."""
    none = np.zeros(len(evidence.terms))
    return {
        "score_terms": evidence.terms,
        "score_numbers": evidence.numbers,
        "score_section": evidence.section,
        "score_title": evidence.title,
        "score_table": evidence.table,
        "score_length": evidence.length,
        "score_echo": evidence.echo,
        "score_lexical": relevance.lexical if relevance else none,
        "score_dense": relevance.dense if relevance else none,
        "score_page": relevance.page if relevance else none,
    }


def _names(marked: Mapping[str, BoolArray], places: IntArray) -> pl.Series:
    """Of each chunk at `places` the names that mark it, as a column of lists."""
    import pyarrow as pa

    names: list[list[str]] = [[] for _ in places]
    for name, chunks in marked.items():
        for row in np.flatnonzero(chunks[places]):
            names[row].append(name)
    # Polars makes a series of each list in turn; Arrow reads them in one go.
    return pl.Series(pa.array(names, pa.large_list(pa.large_string())))
