"""Finding the passages that decide a rule: lexical and dense legs, fusion, evidence score, selection.

Holds what ranks and chooses chunks. Must not hold verdicts, quotes or anything that reads a bid's meaning:
those are for `judging` and `verification`.
"""

from bidproof.retrieval.candidates import find_candidates, query_vectors
from bidproof.retrieval.dense import DenseIndex, build_dense_index
from bidproof.retrieval.embedding import (
    Cache,
    Embedder,
    HubModel,
    KeptVectors,
    PackagedMiniLM,
    make_embedder,
)
from bidproof.retrieval.lexical import Hit, LexicalIndex, build_lexical_index, kept_lexical_index
from bidproof.retrieval.numbers_seen import unseen_numbers
from bidproof.retrieval.prototypes import ConfirmedPassage, Prototypes, prototype_rows, rule_digest
from bidproof.retrieval.query import WideQuery, wide_query
from bidproof.retrieval.reranking import CrossEncoderModel, Reranker, make_reranker
from bidproof.retrieval.search import SearchHit, search, search_chunks
from bidproof.retrieval.second_look import SecondLook, look_again, without_part
from bidproof.retrieval.selection import select_passages

__all__ = [
    "Cache",
    "ConfirmedPassage",
    "CrossEncoderModel",
    "DenseIndex",
    "Embedder",
    "Hit",
    "HubModel",
    "KeptVectors",
    "LexicalIndex",
    "PackagedMiniLM",
    "Prototypes",
    "Reranker",
    "SearchHit",
    "SecondLook",
    "WideQuery",
    "build_dense_index",
    "build_lexical_index",
    "find_candidates",
    "kept_lexical_index",
    "look_again",
    "make_embedder",
    "make_reranker",
    "prototype_rows",
    "query_vectors",
    "rule_digest",
    "search",
    "search_chunks",
    "select_passages",
    "unseen_numbers",
    "wide_query",
    "without_part",
]
