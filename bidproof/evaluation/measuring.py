"""Figures of a labelled set from what was found for its items. Searches nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bidproof.evaluation.found import Searched
from bidproof.evaluation.labelled import LabelledSet
from bidproof.evaluation.metrics import (
    Figure,
    accuracy,
    average_precision,
    char_precision,
    char_recall,
    f1_of,
    false_share,
    hit_at,
    mean_figure,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
)
from bidproof.evaluation.waterfall import Order, product_order, ranking_of
from bidproof.records import Status

Figures = dict[str, Figure]

CUTS = (1, 4, 5, 8, 10, 16, 20, 30)
CHAR_CUTS = (1, 4, 8, 16)


def retrieval_figures(
    searched: Iterable[Searched], labelled: LabelledSet, k: int, order: Order = product_order
) -> Figures:
    """Figures of the ranking over all items with gold.

    `recall@k` counts as the set does (see `LabelledSet.recall_by`); `rule_recall@k` counts rules with one gold span
    found, `span_recall@k` is the mean share of a rule's spans, `mandatory_recall@k` the first over mandatory rules.
    `passage_recall` is the share of rules with gold in the passages chosen.
    """
    answered = [one for one in searched if one.gold]
    rankings = [(ranking_of(one, order, labelled.by_page), len(one.gold)) for one in answered]
    mandatory = [pair for one, pair in zip(answered, rankings, strict=True) if one.item.requirement.mandatory]
    figures: Figures = {}
    for cut in sorted({*CUTS, k}):
        by_rule = mean_figure(hit_at(*pair, cut) for pair in rankings)
        by_span = mean_figure(recall_at(*pair, cut) for pair in rankings)
        figures[f"recall@{cut}"] = by_rule if labelled.recall_by == "rule" else by_span
        figures[f"rule_recall@{cut}"], figures[f"span_recall@{cut}"] = by_rule, by_span
        if mandatory:
            figures[f"mandatory_recall@{cut}"] = mean_figure(hit_at(*pair, cut) for pair in mandatory)
        if labelled.by_page:
            figures[f"hit@{cut}"] = by_rule
    figures["mrr"] = mean_figure(reciprocal_rank(*pair) for pair in rankings)
    figures["map"] = mean_figure(average_precision(*pair) for pair in rankings)
    figures["ndcg@10"] = mean_figure(ndcg_at(*pair) for pair in rankings)
    figures["precision@5"] = mean_figure(precision_at(*pair) for pair in rankings)
    if labelled.format == "tender":
        # Evidence of a tender stands on a page too: where a reviewer would look.
        paged = [(ranking_of(one, order, True), len(one.gold)) for one in map(_by_page, answered)]
        for cut in sorted({*CUTS, k}):
            figures[f"hit@{cut}"] = mean_figure(hit_at(*pair, cut) for pair in paged)
    if not labelled.by_page:
        chosen = [
            one.held_along([c for c in one.candidates if c.chunk_id in one.passages]) for one in answered
        ]
        figures["passage_recall"] = mean_figure(float(any(held)) for held in chosen)
    return {**figures, **_char_figures(answered, order)}


def _by_page(found: Searched) -> Searched:
    """The same with one gold span a page."""
    gold = {(span.document, span.page): span for span in found.gold}
    return replace(found, gold=tuple(gold.values()))


def _char_figures(answered: Sequence[Searched], order: Order) -> Figures:
    """Precision and recall in characters of the first candidates together, where gold is characters."""
    if not answered or any(span.start is None for one in answered for span in one.gold):
        return {}
    figures: Figures = {}
    for cut in CHAR_CUTS:
        pairs = []
        for one in answered:
            gold = [(span.start or 0, span.end or 0) for span in one.gold]
            names = {span.document for span in one.gold}
            found = [part for c in order(one)[:cut] if c.document in names for part in c.ranges]
            pairs.append((char_precision(found, gold), char_recall(found, gold)))
        figures[f"char_precision@{cut}"] = mean_figure(precision for precision, _ in pairs)
        figures[f"char_recall@{cut}"] = mean_figure(recall for _, recall in pairs)
    return figures


def by_language(searched: Sequence[Searched], labelled: LabelledSet, k: int) -> dict[str, Figures]:
    """Figures of each language in which gold stands; nothing where there is only one."""
    languages = sorted({one.language for one in searched if one.gold and one.language})
    if len(languages) < 2:
        return {}
    return {
        name: retrieval_figures([one for one in searched if one.language == name], labelled, k)
        for name in languages
    }


def verdict_figures(labels: Sequence[tuple[str, ...]], said: Sequence[str]) -> Figures:
    """Accuracy, F1 of each class that is labelled or said, and the false-Pass rates.

    Where a rule has two verdicts that count as right, the one that was said is taken as its label. `false_pass` is the
    share of machine Passes whose label is Fail or Missing, `false_pass_strict` also counts Partial.
    """
    taken = [one if one in right else right[0] for right, one in zip(labels, said, strict=True)]
    figures = {"accuracy": accuracy(taken, said)}
    for status in Status:
        if status.value in {*taken, *said}:
            figures[f"f1_{status.value.lower()}"] = f1_of(taken, said, status.value)
    lesser = [status.value for status in Status if status is not Status.PASS]
    figures["false_pass"] = false_share(taken, said, "Pass", ("Fail", "Missing"))
    figures["false_pass_strict"] = false_share(taken, said, "Pass", lesser)
    return figures


def plain(figures: Figures) -> dict[str, dict[str, Any]]:
    """Figures as plain data."""
    return {name: one.model_dump() for name, one in figures.items()}
