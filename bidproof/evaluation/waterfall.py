"""The loss waterfall: how far each gold span came through the stages, and where it was lost.

One mechanism for labelled and for planted evidence. Searches nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from bidproof.evaluation.found import FoundCandidate, Searched
from bidproof.evaluation.metrics import Ranking

STAGES = ("parse", "chunk", "tag", "candidates", "fuse", "select")
"""Where a gold span is lost: not in the blocks; whole in no chunk; its fact not read there with its value and unit;
found by no leg; ranked below k once the legs are fused; in no passage that a judge sees."""
KEPT = "kept"

Order = Callable[[Searched], Sequence[FoundCandidate]]


def product_order(found: Searched) -> Sequence[FoundCandidate]:
    """The order in which the product ranks an item's candidates."""
    return found.candidates


def ranked_pages(candidates: Sequence[FoundCandidate]) -> list[tuple[str, int]]:
    """Distinct pages in the order in which candidates bring them."""
    return list(dict.fromkeys((one.document, page) for one in candidates for page in one.pages))


def ranking_of(found: Searched, order: Order, by_page: bool) -> Ranking:
    """The gold that each candidate, or each distinct page, brings."""
    candidates = order(found)
    if not by_page:
        return found.held_along(candidates)
    gold = {(span.document, span.page): number for number, span in enumerate(found.gold)}
    return [frozenset({gold[page]}) if page in gold else frozenset() for page in ranked_pages(candidates)]


def passed(one: Searched, by_page: bool, k: int) -> list[dict[str, bool]]:
    """For each gold span of an item: which stages it came through, each stage told for itself.

    A span whose fact was not read can still be among the candidates: it was found by its words.
    """
    ranking = ranking_of(one, product_order, by_page)
    chosen = one.held_along([c for c in one.candidates if c.chunk_id in one.passages])
    return [
        {
            "parse": one.lost_before[number] != "parse",
            "chunk": not one.lost_before[number],
            "tag": not one.lost_before[number] and number not in one.untagged,
            "candidates": _held(number, ranking),
            "fuse": _held(number, ranking[:k]),
            "select": _held(number, chosen),
        }
        for number in range(len(one.gold))
    ]


def _held(number: int, ranking: Ranking) -> bool:
    return any(number in held for held in ranking)


def lost_at(stages: dict[str, bool]) -> str:
    """The first stage that lost a span, or `kept`."""
    return next((name for name in STAGES if not stages[name]), KEPT)


def losses(searched: Iterable[Searched], by_page: bool, k: int) -> dict[str, int]:
    """Gold spans by the first stage that lost them, how many were kept by all (`kept`), of how many (`gold`)."""
    counts = Counter(lost_at(stages) for one in searched for stages in passed(one, by_page, k))
    return {**{name: counts[name] for name in (*STAGES, KEPT)}, "gold": counts.total()}
