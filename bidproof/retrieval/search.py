"""Search by free text for people: hits with document, page, boxes, scores and reasons.

Holds the joining of the two legs for a query and the look-up of where a hit stands. Must not hold rules: what
a rule asks for is searched by `candidates`, with its evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from bidproof.params import Params, RetrievalParams
from bidproof.retrieval.dense import DenseIndex
from bidproof.retrieval.embedding import Embedder, make_embedder
from bidproof.retrieval.fusion import reciprocal_rank_fusion
from bidproof.retrieval.headings import PackHeadings
from bidproof.retrieval.lexical import FloatArray, Hit, LexicalIndex, in_order, ranked
from bidproof.retrieval.question import asked_words
from bidproof.retrieval.relevance import PackRelevance, pages_of


@dataclass(frozen=True)
class SearchHit:
    """One hit: where it stands, what it says, how it scored and why.

    `scores` holds the fused score and each leg's own score where that leg found it; `boxes` are in points,
    origin top left, one a block and page.
    """

    chunk_id: str
    pack: str
    doc_id: str
    file_name: str
    page: int
    page_label: str
    pages: tuple[int, ...]
    heading_path: str
    text: str
    score: float
    scores: dict[str, float]
    reasons: tuple[str, ...]
    boxes: tuple[dict[str, float], ...] = ()
    anchor: str = ""


def search(
    query: str,
    chunks: pl.DataFrame,
    lexical: LexicalIndex,
    dense: DenseIndex | None,
    embedder: Embedder | None,
    top: int,
    params: RetrievalParams | None = None,
    blocks: pl.DataFrame | None = None,
    pages: pl.DataFrame | None = None,
) -> list[SearchHit]:
    """The best `top` chunks for a free text among those that a leg found, best first.

    Ranked as the candidates of a rule are: by the legs' standardised scores, those of the page and the titles above, or
    by weighted rank fusion where the parameters say so. A query without letters or digits finds nothing. Without `pages` a printed
    label is the page's number, without `blocks` there are no boxes.

    Raises:
        ValueError: an index is of other chunks, or of another sparse model.
    """
    params = params or Params().retrieval
    if top < 1 or not any(c.isalnum() for c in query):
        return []
    ordered = in_order(chunks)
    ids = ordered["chunk_id"].to_list()
    if ids != lexical.chunk_ids or (dense and ids != dense.chunk_ids):
        raise ValueError("an index was built from other chunks: build it again")
    cosine = _cosine(query, dense, embedder)
    bm25, learned = lexical.scores(dict.fromkeys(lexical.terms(query), 1.0)), lexical.learned(query, params)
    asked = lexical.scores(dict.fromkeys(lexical.terms(asked_words(query)), 1.0))
    relevance = PackRelevance(pages_of(ordered), params).of(asked, cosine, learned).total
    headings = PackHeadings(
        ordered["heading_path"].fill_null("").to_list(),
        ordered["section_title"].fill_null("").to_list(),
        lexical,
    )
    hits = _leg_hits(ids, bm25, cosine, learned, top, params)
    hits["title"] = _entitled(ids, headings.accounted(query), relevance, max(top, params.clause_top))
    place = {chunk_id: number for number, chunk_id in enumerate(lexical.chunk_ids)}
    ranks = {leg: {place[hit.chunk_id]: hit.rank for hit in found} for leg, found in hits.items()}
    fused = _fused(query, lexical, headings, relevance, ranks, params)
    best = sorted(fused, key=lambda one: (-round(fused[one], 9), lexical.chunk_ids[one]))[:top]
    return _shown(query, best, fused, hits, ordered, lexical, blocks, pages)


def _shown(
    query: str,
    best: Sequence[int],
    fused: Mapping[int, float],
    hits: Mapping[str, Sequence[Hit]],
    ordered: pl.DataFrame,
    lexical: LexicalIndex,
    blocks: pl.DataFrame | None,
    pages: pl.DataFrame | None,
) -> list[SearchHit]:
    """The best chunks as hits, each with the legs that found it and the words that it shares."""
    ids = lexical.chunk_ids
    wanted = ordered.filter(pl.col("chunk_id").is_in([ids[one] for one in best]))
    rows = {row["chunk_id"]: row for row in wanted.iter_rows(named=True)}
    by_leg = {leg: {hit.chunk_id: hit for hit in found} for leg, found in hits.items()}
    words = list(dict.fromkeys(lexical.terms(query)))
    shown = []
    for one in best:
        found = {leg: of[ids[one]] for leg, of in by_leg.items() if ids[one] in of}
        legs = {leg: round(hit.score, 6) for leg, hit in found.items()}
        matched = [word for word in words if one in lexical.postings(word)]
        reasons = _reasons({leg: hit.rank for leg, hit in found.items()}, legs, matched)
        shown.append(_hit(rows[ids[one]], round(fused[one], 9), legs, reasons, blocks, pages))
    return shown


def _leg_hits(
    ids: Sequence[str],
    bm25: FloatArray,
    cosine: FloatArray | None,
    learned: FloatArray | None,
    top: int,
    params: RetrievalParams,
) -> dict[str, list[Hit]]:
    """Best chunks of each leg; of the sparse model's where there is one."""
    hits = {"bm25": ranked(ids, bm25, max(top, params.bm25_top)), "dense": []}
    if cosine is not None:
        hits["dense"] = ranked(ids, cosine, max(top, params.dense_top), -1.5)
    if learned is not None:
        hits["sparse"] = ranked(ids, learned, max(top, params.bm25_top))
    return hits


def _reasons(ranks: dict[str, int], scores: dict[str, float], matched: list[str]) -> list[str]:
    """Why a chunk is a hit, a line for each leg and one for its words."""
    by_leg = [f"{leg} rank {ranks[leg]} ({score:.3f})" for leg, score in scores.items()]
    return [*by_leg, *([f"matches {' '.join(matched)}"] if matched else [])]


def search_chunks(
    query: str,
    chunks: pl.DataFrame,
    blocks: pl.DataFrame,
    pages: pl.DataFrame,
    lexical: LexicalIndex,
    dense: DenseIndex | None,
    params: Params,
    top: int,
    embedder: Embedder | None = None,
) -> list[dict[str, Any]]:
    """`search` as plain data for the command line; without an embedder, with the one that `params` name."""
    if dense and embedder is None:
        embedder = make_embedder(params.dense)
    hits = search(query, chunks, lexical, dense, embedder, top, params.retrieval, blocks, pages)
    return [
        {**asdict(hit), "pages": list(hit.pages), "reasons": list(hit.reasons), "boxes": list(hit.boxes)}
        for hit in hits
    ]


def _entitled(ids: list[str], accounted: FloatArray, relevance: FloatArray, top: int) -> list[Hit]:
    """Chunks under the title of a statement of accounts that a query is about, the most relevant first."""
    above = relevance - relevance.min(initial=0.0) + 1.0
    return ranked(ids, np.where(accounted > 0, above, 0.0), top)


def _fused(
    query: str,
    lexical: LexicalIndex,
    headings: PackHeadings,
    relevance: FloatArray,
    ranks: dict[str, dict[int, int]],
    params: RetrievalParams,
) -> dict[int, float]:
    """Score of every chunk that a leg found, by which it is ranked."""
    weights = {
        "bm25": params.weight_bm25, "dense": params.weight_dense, "sparse": params.weight_bm25 * params.sparse_share,
        "title": params.weight_clause,
    }  # fmt: skip
    fused = reciprocal_rank_fusion(ranks, weights, params.rrf_k)
    if params.fusion != "scores":
        return fused
    named = headings.named(lexical.terms(asked_words(query)))
    titles = np.maximum(params.score_section * headings.accounted(query), params.score_title * named)
    return {one: float(relevance[one] + titles[one]) for one in fused}


def _cosine(query: str, dense: DenseIndex | None, embedder: Embedder | None) -> FloatArray | None:
    if not dense or embedder is None:
        return None
    return dense.cosines(embedder.encode([query], "query"))[0]


def _hit(
    row: dict[str, Any],
    score: float,
    legs: dict[str, float],
    reasons: list[str],
    blocks: pl.DataFrame | None,
    pages: pl.DataFrame | None,
) -> SearchHit:
    return SearchHit(
        chunk_id=row["chunk_id"],
        pack=row["pack"] or "",
        doc_id=row["doc_id"],
        file_name=row["file_name"] or "",
        page=row["page"],
        page_label=_label(row, pages),
        pages=tuple(row["pages"] or ()),
        heading_path=row["heading_path"] or "",
        text=row["text"],
        score=score,
        scores={"fused": score, **legs},
        reasons=tuple(reasons),
        boxes=tuple(_boxes(row, blocks)),
        anchor=row["anchor"] or "",
    )


def _label(row: dict[str, Any], pages: pl.DataFrame | None) -> str:
    if pages is None:
        return str(row["page"])
    found = pages.filter((pl.col("doc_id") == row["doc_id"]) & (pl.col("page") == row["page"]))[
        "page_label"
    ].to_list()
    return (found[0] if found else "") or str(row["page"])


def _boxes(row: dict[str, Any], blocks: pl.DataFrame | None) -> list[dict[str, float]]:
    """Box of each block that the chunk covers, narrowed to the lines that it covers."""
    if blocks is None:
        return []
    spans = {(span["page"], span["block_no"]): span for span in row["spans"] or ()}
    mine = blocks.filter(
        (pl.col("doc_id") == row["doc_id"]) & pl.col("page").is_in([page for page, _ in spans])
    )
    found = []
    for block in mine.sort("page", "block_no").iter_rows(named=True):
        span = spans.get((block["page"], block["block_no"]))
        if span is not None:
            first, last = span["block_start"], span["block_start"] + span["end"] - span["start"]
            lines = [
                line for line in block["lines"] or () if line["start"] < last and line["end"] > first
            ] or [block]
            found.append(
                {
                    "page": block["page"],
                    "x0": min(line["x0"] for line in lines),
                    "y0": min(line["y0"] for line in lines),
                    "x1": max(line["x1"] for line in lines),
                    "y1": max(line["y1"] for line in lines),
                }
            )
    return found
