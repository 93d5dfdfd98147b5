"""Where a run of tokens is cut, and how far the next piece reaches back.

Works on counts and ranks only. The promise it keeps: inside a block, every span of up to `span` tokens
is whole in one piece. Snapping to sentences alone would break it, so a cut inside a block always reaches
back at least `span - 1` tokens.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# How good it is to cut before a token.
INSIDE_WORD, WORD, ITEM_SENTENCE, SENTENCE, BLOCK = 0, 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in tokens: aim, limit, wanted overlap, and the span that must be whole."""

    target: int
    limit: int
    overlap: int
    span: int

    @property
    def least(self) -> int:
        """Shortest piece that is cut while more follows; longer than any reach back."""
        return min(max(self.target // 2, self.span), self.limit)


def cut(ranks: Sequence[int], sizes: Sizes) -> Iterator[tuple[int, int]]:
    """Pieces (first token, token after the last) of a run; `ranks` says how good a cut before each token is.

    The first rank is ignored: a run always begins at its first token.
    """
    blocks = [at for at, rank in enumerate(ranks) if rank == BLOCK]
    start, total = 0, len(ranks)
    while start < total:
        end = total if total - start <= sizes.limit else _end(ranks, start, sizes)
        yield start, end
        if end == total:
            return
        start = _next_start(ranks, blocks, start, end, sizes)


def _end(ranks: Sequence[int], start: int, sizes: Sizes) -> int:
    limit = start + sizes.limit
    good = max(start + int(0.9 * sizes.target), start + sizes.least)
    least = start + sizes.least
    aim = min(start + sizes.target, limit)
    for low, wanted in ((good, BLOCK), (good, SENTENCE), (least, BLOCK), (least, SENTENCE)):
        places = [at for at in range(low, limit + 1) if ranks[at] >= wanted]
        if places:
            return min(places, key=lambda at: (abs(at - aim), at))
    for wanted in (ITEM_SENTENCE, WORD):
        places = [at for at in range(least, limit + 1) if ranks[at] >= wanted]
        if places:
            return places[-1]
    return limit


def _next_start(ranks: Sequence[int], blocks: Sequence[int], start: int, end: int, sizes: Sizes) -> int:
    """First token of the next piece: a sentence about `overlap` tokens before `end`."""
    at_block = ranks[end] == BLOCK
    before = bisect_left(blocks, end)
    block = blocks[before - 1] if before else 0
    # Past this token a span that begins in the open block would be whole in neither piece.
    latest = end if at_block else max(min(end - sizes.span + 1, end), block if block > start else start + 1)
    latest = max(latest, start + 1)
    aim = min(end - sizes.overlap, latest)
    earliest = max(start + 1, end - int(1.6 * max(sizes.overlap, sizes.span)))
    for wanted in (SENTENCE, ITEM_SENTENCE, WORD):
        if at_block and wanted != SENTENCE:
            break
        places = [at for at in range(earliest, latest + 1) if at < end and ranks[at] >= wanted]
        if places:
            return min(places, key=lambda at: (abs(at - aim), at))
    return end if at_block else latest
