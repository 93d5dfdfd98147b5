"""One yardstick for ranked candidates of any pipeline: is the gold page, or the gold snippet, among the first k?

Holds the rules of scoring, which know nothing of who made a candidate. A snippet is found where one candidate on its
page holds it whole (letters, digits and percent signs in small letters). Two kinder counts are for snippets that run over
several chunks: `joined` also takes those of the first k that follow one another in the file for one text, `words` only
asks that the first k on the snippet's page together hold each of its words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from bidproof.evaluation.gold_finding import bare
from bidproof.evaluation.labelled import GoldSpan, LabelledItem, LabelledSet

Candidate = dict[str, Any]
Value = float | None
Measure = Callable[[LabelledItem, Sequence[Candidate]], Value]
BUDGET = 4000


def here(span: GoldSpan, one: Candidate) -> bool:
    """Whether a candidate stands in the span's document, on its page where it has one."""
    return one["document"] == span.document and (span.page is None or span.page in one["pages"])


def whole(span: GoldSpan, one: Candidate) -> bool:
    """Whether a candidate holds a snippet whole."""
    return here(span, one) and bare(span.text) in bare(one["text"])


def words(text: str) -> set[str]:
    """The bare words of a text."""
    return {word for word in map(bare, re.split(r"[\s|]+", text)) if word}


def ranked_pages(candidates: Sequence[Candidate]) -> list[tuple[str, int]]:
    """Distinct pages in the order in which candidates bring them."""
    return list(dict.fromkeys((one["document"], page) for one in candidates for page in one["pages"]))


def hit_at(k: int) -> Measure:
    """Is a gold page among the first k distinct pages?"""

    def measure(item: LabelledItem, candidates: Sequence[Candidate]) -> Value:
        gold = {(span.document, span.page) for span in item.gold}
        return float(bool(gold & set(ranked_pages(candidates)[:k]))) if gold else None

    return measure


def page_rank(item: LabelledItem, candidates: Sequence[Candidate]) -> Value:
    """One over the rank of the first gold page; 0 where there is none."""
    gold = {(span.document, span.page) for span in item.gold}
    found = [rank for rank, page in enumerate(ranked_pages(candidates), 1) if page in gold]
    return (1 / found[0] if found else 0.0) if gold else None


def shares(item: LabelledItem, candidates: Sequence[Candidate], kind: str = "whole") -> list[bool]:
    """For each gold snippet, whether the candidates hold it."""
    found = [any(whole(span, one) for one in candidates) for span in item.gold]
    if kind == "whole":
        return found
    kinder = _together if kind == "words" else _joined
    return [held or kinder(span, candidates) for span, held in zip(item.gold, found, strict=True)]


def _joined(span: GoldSpan, candidates: Sequence[Candidate]) -> bool:
    """Whether neighbours among the candidates hold a snippet when read as one text."""
    wanted, text, last = bare(span.text), "", -2
    for one in sorted((one for one in candidates if here(span, one)), key=lambda one: one["place"]):
        own = bare(one["own"])
        text = _continued(text, own) if one["place"] == last + 1 else own
        last = one["place"]
        if wanted in text:
            return True
    return False


def _continued(text: str, following: str) -> str:
    """A text and the one after it, what both share at the seam said once."""
    shared = range(min(len(text), len(following)), 0, -1)
    return text + following[next((size for size in shared if text.endswith(following[:size])), 0) :]


def _together(span: GoldSpan, candidates: Sequence[Candidate]) -> bool:
    seen = {word for one in candidates if here(span, one) for word in words(one["text"])}
    return words(span.text) <= seen


def rule_recall(k: int, kind: str = "whole") -> Measure:
    """Has the rule one of its snippets among the first k?"""

    def measure(item: LabelledItem, candidates: Sequence[Candidate]) -> Value:
        return float(any(shares(item, candidates[:k], kind))) if item.gold else None

    return measure


def span_recall(k: int, kind: str = "whole") -> Measure:
    """Share of the rule's snippets among the first k."""

    def measure(item: LabelledItem, candidates: Sequence[Candidate]) -> Value:
        found = shares(item, candidates[:k], kind)
        return sum(found) / len(found) if found else None

    return measure


def within(budget: int) -> Measure:
    """Has the rule one of its snippets in the first candidates that fit into a number of characters?"""

    def measure(item: LabelledItem, candidates: Sequence[Candidate]) -> Value:
        if not item.gold:
            return None
        kept: list[Candidate] = []
        spent = 0
        for one in candidates:
            spent += len(one["text"])
            if spent > budget and kept:
                break
            kept.append(one)
        return float(any(shares(item, kept)))

    return measure


def snippet_rank(item: LabelledItem, candidates: Sequence[Candidate]) -> Value:
    """One over the rank of the first candidate with a snippet; 0 where there is none."""
    if not item.gold:
        return None
    found = (rank for rank, one in enumerate(candidates, 1) if any(whole(span, one) for span in item.gold))
    rank = next(found, None)
    return 1 / rank if rank else 0.0


def measures(labelled: LabelledSet) -> dict[str, Measure]:
    """The figures of a kind of set, by name."""
    if labelled.by_page:
        return {f"page hit@{k}": hit_at(k) for k in (1, 5, 10, 20)} | {"page MRR": page_rank}
    found: dict[str, Measure] = {f"rules with gold@{k}": rule_recall(k) for k in (1, 5, 10, 30)}
    found |= {f"gold spans@{k}": span_recall(k) for k in (8, 30)}
    for kind in ("joined", "words"):
        found |= {
            f"rules with gold@30, {kind}": rule_recall(30, kind),
            f"gold spans@30, {kind}": span_recall(30, kind),
        }
    found["MRR"] = snippet_rank
    found[f"rules with gold in the first {BUDGET:,} characters"] = within(BUDGET)
    if labelled.format == "tender":
        found |= {f"page hit@{k}": hit_at(k) for k in (1, 5)}
    return found


def characters(candidates: Sequence[Candidate], k: int) -> int:
    """Characters of the first k candidates."""
    return sum(len(one["text"]) for one in candidates[:k])


def sign_test(first: Sequence[Value], second: Sequence[Value]) -> tuple[int, int, float]:
    """Items on which the first is better, and the second, and the two-sided exact probability of that by chance."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    won, lost = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
    total = won + lost
    tail = sum(math.comb(total, n) for n in range(min(won, lost) + 1)) / 2**total
    return won, lost, min(1.0, 2 * tail)
