"""A labelled set from end to end: each pack read, each item asked, figures and items as plain data.

Holds the run over packs and the shape of its result, which scripts rely on. Measures live in `metrics`, the reading of
sets in `reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bidproof.errors import BadInputError
from bidproof.evaluation.found import LEGS, FoundCandidate, Searched
from bidproof.evaluation.labelled import GoldSpan, LabelledSentence, LabelledSet
from bidproof.evaluation.learning import learned_from, try_learning
from bidproof.evaluation.learning_check import LearningCheck
from bidproof.evaluation.measuring import Figures, by_language, plain, retrieval_figures, verdict_figures
from bidproof.evaluation.metrics import accuracy, f1_of, false_share, figure
from bidproof.evaluation.pack_frames import Tools, read_pack
from bidproof.evaluation.searching import QueryVectors, reranked, search_pack
from bidproof.evaluation.second_look_gain import RerankerGain, reranker_gain
from bidproof.evaluation.trust import Decision, coverage_figures, risk_coverage
from bidproof.evaluation.waterfall import losses, product_order, ranked_pages
from bidproof.params import Params
from bidproof.retrieval import SecondLook

ORDERS = (*LEGS, "fused", "relevance", "evidence")
"""Orders that an ablation compares: each leg alone, all fused by rank, all by score, and the product's own."""
_SHOWN = 50
_TEXT = 200

Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Options:
    """How a set is evaluated.

    Args:
        k: candidates that count in `recall@k` and in the losses.
        legs: legs that are fused; empty for the product's own order of all.
        ablation: also measure each leg alone, all fused, and the product's order.
        verdicts: judge the items of sets that have verdicts.
        learning: also try what learning from the gold of the other packs gains on each.
    """

    k: int = 30
    legs: tuple[str, ...] = ()
    ablation: bool = False
    verdicts: bool = True
    learning: bool = False

    def check(self) -> None:
        """Refuse legs that there are not.

        Raises:
            BadInputError: a leg is unknown.
        """
        unknown = [leg for leg in self.legs if leg not in LEGS]
        if unknown:
            raise BadInputError("--legs", f"unknown leg {unknown[0]}", f"name some of {', '.join(LEGS)}")


@dataclass
class Evaluation:
    """What was measured.

    `searched` are the items as ranked among the set's own units where it has some, else among the product's chunks;
    `chunked` are then the same items, in the same order, as ranked among the product's chunks. `bare` are the items of
    `searched` without a cross-encoder, where there is one.
    """

    labelled: LabelledSet
    options: Options
    params: Params
    searched: list[Searched] = field(default_factory=list)
    chunked: list[Searched] = field(default_factory=list)
    bare: list[Searched] = field(default_factory=list)
    said: list[bool] = field(default_factory=list)
    retrieval: Figures = field(default_factory=dict)
    verdicts: Figures = field(default_factory=dict)
    languages: dict[str, Figures] = field(default_factory=dict)
    ablation: dict[str, Figures] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    reranker: RerankerGain | None = None
    learning: LearningCheck | None = None

    @property
    def notes(self) -> list[str]:
        """What of the set cannot be used or could not be read, and what is counted as found in parts; one line each."""
        split = sum(len(one.parts) for one in self.searched)
        said = f"{split} gold spans run over table rows: found once candidates hold all their rows, in no one of them"
        return [*self.labelled.notes, *self.unread, *([said] if split else [])]

    @property
    def judged(self) -> list[Searched]:
        """The items as the product itself finds and judges them."""
        return self.chunked or self.searched

    def record(self) -> dict[str, Any]:
        """The result as plain data: set, params, retrieval, verdicts, items, and what was measured beside them."""
        options = self.options
        items = [self._item(one, own) for one, own in zip(self.searched, self.judged, strict=True)]
        found: dict[str, Any] = {
            "set": self.labelled.name,
            "format": self.labelled.format,
            "params": {
                **self.params.model_dump(mode="json"),
                "evaluate": {"k": options.k, "legs": list(options.legs), "verdicts": options.verdicts},
            },
            "retrieval": plain(self.retrieval),
            "verdicts": plain(self.verdicts),
            "items": [*items, *self._sentences()],
            "losses": self.losses,
            "notes": self.notes,
        }
        for name, groups in (("languages", self.languages), ("ablation", self.ablation)):
            if groups:
                found[name] = {group: plain(figures) for group, figures in groups.items()}
        if self.reranker:
            found["reranker"] = self.reranker.plain()
        curve = risk_coverage(*_decided(self))
        if curve:
            found["risk_coverage"] = [point.model_dump(mode="json") for point in curve]
        if self.learning:
            found["learning"] = self.learning.model_dump()
        return found

    def _item(self, one: Searched, own: Searched) -> dict[str, Any]:
        shown = max(self.options.k, _SHOWN)
        order = self.order(one)
        ranked = _pages(order, shown) if self.labelled.by_page else [_candidate(c) for c in order[:shown]]
        item: dict[str, Any] = {
            "id": one.item.item_id, "doc": one.item.pack, "language": one.language,
            "gold": [_gold(span, one.parts.get(number)) for number, span in enumerate(one.gold)], "ranked": ranked,
        }  # fmt: skip
        if one.item.verdicts:
            item["label"] = one.item.verdicts[0]
        if own.verdict:
            item["verdict"] = own.verdict
        if own.decision:
            item["decision"] = own.decision.model_dump()
        return item

    def _sentences(self) -> list[dict[str, Any]]:
        return [
            {
                "id": sentence.item_id, "doc": sentence.document, "gold": [], "ranked": [],
                "label": _class(sentence.is_requirement), "verdict": _class(said),
            }
            for sentence, said in zip(self.labelled.sentences, self.said, strict=True)
        ]  # fmt: skip

    def order(self, one: Searched) -> Sequence[FoundCandidate]:
        """Candidates of an item in the order that was asked for."""
        legs = self.options.legs
        if not legs:
            return product_order(one)
        return reranked(one.candidates, legs[0] if len(legs) == 1 else "fused", legs, self.params)


def evaluate(labelled: LabelledSet, tools: Tools, options: Options, tell: Tell | None = None) -> Evaluation:
    """Read, search, judge and measure a labelled set.

    Raises:
        BadInputError: a leg is unknown, or a file changed while it was read.
    """
    options.check()
    done = Evaluation(labelled, options, tools.params)
    if labelled.sentences:
        _sentences(done)
        return done
    _search(done, tools, tell)
    done.retrieval = retrieval_figures(done.searched, labelled, options.k, done.order)
    done.languages = by_language(done.searched, labelled, options.k)
    if done.chunked:
        over = retrieval_figures(done.chunked, labelled, options.k, done.order)
        done.retrieval |= {f"chunk_{name}": one for name, one in over.items()}
    done.losses = losses(done.judged, labelled.by_page, options.k)
    judged = [one for one in done.judged if one.verdict and one.item.verdicts]
    if judged:
        done.verdicts = verdict_figures(
            [one.item.verdicts for one in judged], [one.verdict for one in judged]
        ) | coverage_figures(*_decided(done))
    if options.ablation:
        done.ablation = {name: _ablated(done, name, tools) for name in ORDERS}
    if tools.reranker:
        done.reranker = reranker_gain(tools.reranker, done.bare, labelled, options.k, done.retrieval)
    if options.learning:
        done.learning = try_learning(labelled, learned_from(labelled, tools), tools, tell)
    return done


def _decided(done: Evaluation) -> tuple[list[tuple[str, ...]], list[Decision]]:
    """Labels and decisions of the items that have both."""
    pairs = [(one.item.verdicts, one.decision) for one in done.judged if one.item.verdicts and one.decision]
    return [right for right, _ in pairs], [decision for _, decision in pairs]


def _ablated(done: Evaluation, order: str, tools: Tools) -> Figures:
    return retrieval_figures(
        done.searched, done.labelled, done.options.k,
        lambda one: reranked(one.candidates, order, LEGS, tools.params),
    )  # fmt: skip


def _search(done: Evaluation, tools: Tools, tell: Tell | None) -> None:
    labelled, vectors = done.labelled, QueryVectors(tools.embedder, tools.embeddings)
    look = SecondLook(reranker=tools.reranker)
    for number, pack in enumerate(labelled.packs, start=1):
        if tell:
            tell(pack.name, number - 1, len(labelled.packs))
        items = [item for item in labelled.items if item.pack == pack.name]
        judge = done.options.verdicts and any(item.verdicts for item in items)
        own = any(document.units for document in pack.documents)
        frames = read_pack(pack, tools, False)
        done.unread += frames.unread()
        found = search_pack(items, pack, frames, vectors, tools.params, labelled.by_page, judge, look)
        if own:
            done.chunked += found
            frames = read_pack(pack, tools, True)
            found = search_pack(items, pack, frames, vectors, tools.params, labelled.by_page, False, look)
        done.searched += found
        if tools.reranker:
            done.bare += search_pack(items, pack, frames, vectors, tools.params, labelled.by_page, False)
    if tell:
        tell("", len(labelled.packs), len(labelled.packs))


def _class(requirement: bool) -> str:
    return "req" if requirement else "not_req"


def _sentences(done: Evaluation) -> None:
    """Requirement or not, by the catalog's own detection."""
    from bidproof.catalog.mining.requirement_language import is_requirement

    sentences: Sequence[LabelledSentence] = done.labelled.sentences
    done.said = [is_requirement(sentence.text) for sentence in sentences]
    labels = [_class(sentence.is_requirement) for sentence in sentences]
    said = [_class(one) for one in done.said]
    wrong = false_share(labels, said, "req", ("not_req",))
    hits = [float(one == "req") for label, one in zip(labels, said, strict=True) if label == "req"]
    done.verdicts = {
        "accuracy": accuracy(labels, said), "f1_req": f1_of(labels, said, "req"), "f1_not_req": f1_of(labels, said, "not_req"),
        "precision_req": figure(None if wrong.value is None else 1 - wrong.value, wrong.n),
        "recall_req": figure(sum(hits) / len(hits) if hits else None, len(hits)),
    }  # fmt: skip


def _gold(span: GoldSpan, parts: int | None) -> dict[str, Any]:
    found = {name: value for name, value in span.model_dump().items() if value not in (None, "")}
    found["doc"] = found.pop("document")
    if "text" in found:
        found["text"] = found["text"][:_TEXT]
    if parts:
        found["parts"] = parts
    return found


def _candidate(one: FoundCandidate) -> dict[str, Any]:
    found: dict[str, Any] = {
        "chunk": one.chunk_id, "doc": one.document, "score": round(one.score, 6), "legs": dict(one.ranks),
        "holds": sorted(one.holds),
    }  # fmt: skip
    if ":p1_u" in one.chunk_id:
        found["unit"] = int(one.chunk_id.rpartition("_u")[2])
    if one.ranges:
        found["ranges"] = [list(part) for part in one.ranges]
    else:
        found["pages"] = list(one.pages)
    return found


def _pages(candidates: Sequence[FoundCandidate], shown: int) -> list[dict[str, Any]]:
    """Distinct pages, each with the candidate that brought it first."""
    brought: dict[tuple[str, int], FoundCandidate] = {}
    for one in candidates:
        for page in one.pages:
            brought.setdefault((one.document, page), one)
    return [
        {
            "page": page, "doc": document, "chunk": brought[document, page].chunk_id,
            "score": round(brought[document, page].score, 6), "legs": dict(brought[document, page].ranks),
        }
        for document, page in ranked_pages(candidates)[:shown]
    ]  # fmt: skip
