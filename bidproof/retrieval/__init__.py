"""Finding the passages that decide a rule: lexical and dense legs, fusion, evidence score, selection.

Holds what ranks and chooses chunks. Must not hold verdicts, quotes or anything that reads a bid's meaning:
those are for `judging` and `verification`.
"""

from bidproof.retrieval.candidates import find_candidates
from bidproof.retrieval.dense import DenseIndex, build_dense_index
from bidproof.retrieval.embedding import Cache, Embedder, HubModel, PackagedMiniLM, make_embedder
from bidproof.retrieval.lexical import Hit, LexicalIndex, build_lexical_index
from bidproof.retrieval.numbers_seen import unseen_numbers
from bidproof.retrieval.query import WideQuery, wide_query
from bidproof.retrieval.search import SearchHit, search, search_chunks
from bidproof.retrieval.selection import select_passages

__all__ = [
    "Cache",
    "DenseIndex",
    "Embedder",
    "Hit",
    "HubModel",
    "LexicalIndex",
    "PackagedMiniLM",
    "SearchHit",
    "WideQuery",
    "build_dense_index",
    "build_lexical_index",
    "find_candidates",
    "make_embedder",
    "search",
    "search_chunks",
    "select_passages",
    "unseen_numbers",
    "wide_query",
]
