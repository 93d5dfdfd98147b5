"""Blocks to chunks, the proof that nothing was lost on the way, and the way back to the page."""

from bidproof.chunking.chunks import chunk_blocks
from bidproof.chunking.coverage import CoverageReport, prove_coverage
from bidproof.chunking.location import anchor_of, index_blocks, locate
from bidproof.chunking.questions import questions_asked
from bidproof.chunking.tokens import TokenBook, count_tokens

__all__ = [
    "CoverageReport",
    "TokenBook",
    "anchor_of",
    "chunk_blocks",
    "count_tokens",
    "index_blocks",
    "locate",
    "prove_coverage",
    "questions_asked",
]
