"""Learning from confirmed evidence tried on a labelled set: each pack ranked by what was confirmed in all others.

Holds what of a set is confirmed evidence, and the run over its packs. What follows from the ranks stands in
`learning_check`, where the result is kept in `learning_record`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from bidproof.evaluation.found import Searched
from bidproof.evaluation.labelled import GoldSpan, LabelledPack, LabelledSet
from bidproof.evaluation.learning_check import CUT, HeldOut, LearningCheck, decided
from bidproof.evaluation.metrics import recall_at, reciprocal_rank
from bidproof.evaluation.pack_frames import Tools, read_pack
from bidproof.evaluation.searching import QueryVectors, search_pack
from bidproof.evaluation.waterfall import product_order, ranking_of
from bidproof.learning_tables import PROTOTYPES
from bidproof.retrieval import ConfirmedPassage, Prototypes, SecondLook, prototype_rows

Tell = Callable[[str, int, int], None]


def confirmed_passages(labelled: LabelledSet) -> list[ConfirmedPassage]:
    """The gold of a set as evidence that people confirmed for its rules, whatever the verdict is that it bears."""
    texts = {(pack.name, one.name): one.text for pack in labelled.packs for one in pack.documents}
    return [
        ConfirmedPassage(
            rule_id=item.requirement.rule_id, rule_text=item.requirement.text, pack=item.pack,
            text=_words(span, texts.get((item.pack, span.document))), source=item.item_id,
        )
        for item in labelled.items
        for span in item.gold
    ]  # fmt: skip


def _words(span: GoldSpan, text: str | None) -> str:
    """The passage itself: its characters where the document is text, else the words that the label gives."""
    if text is not None and span.start is not None and span.end is not None:
        return text[span.start : span.end]
    return span.text


def learned_from(labelled: LabelledSet, tools: Tools, tender: str = "", version: str = "") -> pl.DataFrame:
    """Rows of `tables.PROTOTYPES` of a set's gold; none without a model."""
    confirmed = confirmed_passages(labelled) if tools.embedder else []
    if not confirmed or tools.embedder is None:
        return PROTOTYPES.empty()
    return prototype_rows(confirmed, tools.embedder, tender, version, tools.embeddings)


def try_learning(
    labelled: LabelledSet, rows: pl.DataFrame, tools: Tools, tell: Tell | None = None
) -> LearningCheck:
    """What ranking by prototypes gains over ranking without, on each pack by what was confirmed in the others.

    Raises:
        BadInputError: a file of the set changed while it was read.
    """
    if tools.embedder is None:
        reason = "without a model (dense.enabled) passages cannot be compared"
        return LearningCheck(in_use=False, reason=reason, documents=0, rules=0)
    prototypes, vectors = Prototypes(rows), QueryVectors(tools.embedder)
    held = []
    packs = [pack for pack in labelled.packs if _learnable(labelled, pack.name, prototypes)]
    for number, pack in enumerate(packs, start=1):
        if tell:
            tell(pack.name, number - 1, len(packs))
        held.append(_held_out(labelled, pack, prototypes, vectors, tools))
    if tell:
        tell("", len(packs), len(packs))
    return decided(held, tools.params.learning)


def _learnable(labelled: LabelledSet, pack: str, prototypes: Prototypes) -> list[str]:
    """Ids of a pack's items with gold for whose rules other packs have confirmed evidence."""
    return [
        item.item_id
        for item in labelled.items
        if item.pack == pack and item.gold and prototypes.of(item.requirement.text, pack) is not None
    ]


def _held_out(
    labelled: LabelledSet, pack: LabelledPack, prototypes: Prototypes, vectors: QueryVectors, tools: Tools
) -> HeldOut:
    wanted = set(_learnable(labelled, pack.name, prototypes))
    items = [item for item in labelled.items if item.pack == pack.name and item.item_id in wanted]
    frames = read_pack(pack, tools, any(document.units for document in pack.documents))
    looks = (None, SecondLook(prototypes, None, pack.name))
    without, learned = (
        search_pack(items, pack, frames, vectors, tools.params, labelled.by_page, False, look)
        for look in looks
    )
    return held_out(pack.name, without, learned, labelled.by_page)


def held_out(pack: str, without: Sequence[Searched], learned: Sequence[Searched], by_page: bool) -> HeldOut:
    """Figures of one pack from the same items searched without and with learning."""
    figures = []
    for found in (without, learned):
        rankings = [(ranking_of(one, product_order, by_page), len(one.gold)) for one in found]
        figures.append((
            [reciprocal_rank(*one) or 0.0 for one in rankings],
            [recall_at(*one, CUT) or 0.0 for one in rankings],
        ))  # fmt: skip
    (ranks, recalls), (new_ranks, new_recalls) = figures
    count = max(1, len(ranks))
    return HeldOut(
        pack, len(ranks), sum(ranks) / count, sum(new_ranks) / count, sum(recalls) / count, sum(new_recalls) / count
    )  # fmt: skip
