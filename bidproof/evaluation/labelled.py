"""Labelled sets in one form: packs of documents, what is asked of them, and where the answer stands.

Holds records only. How a set's files are read stands in `reading` and the modules named for a kind of set, what is
measured in `metrics`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from bidproof.records import Record, Requirement

SetFormat = Literal["financebench", "contractnli", "cuad", "legalbenchrag", "dpa_gdpr", "pure_req", "tender"]


class StatedFact(Record):
    """The fact that a place states, where that is known: what the product must read there.

    Amounts have value and unit, standards a code and mostly an edition, forms a code, dates a date.
    """

    value: float | None = None
    unit: str = ""
    code: str = ""
    edition: str = ""
    date: str = Field("", description="ISO date")


class GoldSpan(Record):
    """A place that answers: characters of a text document, a unit of it, a page, or words on a page.

    Words that run over a page break stand on `page` and on `last_page`.
    """

    document: str
    start: int | None = Field(None, description="offset into the document's text")
    end: int | None = None
    unit: int | None = Field(None, description="number of the document's own unit, from 0")
    page: int | None = Field(None, description="physical page, from 1")
    last_page: int | None = Field(None, description="page on which its words end, where that is another")
    text: str = ""
    fact: StatedFact | None = None


class LabelledDocument(Record):
    """A document by its file or by its text; `units` are the ranges that its annotators chose among, if any."""

    name: str
    path: Path | None = None
    text: str | None = None
    units: tuple[tuple[int, int], ...] = ()


class LabelledPack(Record):
    """Documents that are searched together; `rfp` are the tender's own, whose words are no evidence."""

    name: str
    documents: tuple[LabelledDocument, ...]
    rfp: tuple[LabelledDocument, ...] = ()


class LabelledItem(Record):
    """What is asked of a pack: a rule or a question, its gold, and its verdict where the set has one.

    `gold` is empty where nothing answers. `verdicts` are those that count as right, the first of them the label.
    """

    item_id: str
    pack: str
    requirement: Requirement
    gold: tuple[GoldSpan, ...] = ()
    verdicts: tuple[str, ...] = ()


class LabelledSentence(Record):
    """A sentence of which is known whether it states a requirement."""

    item_id: str
    document: str
    text: str
    is_requirement: bool


class LabelledSet(Record):
    """A labelled set. `notes` name what of it cannot be used, one line each.

    `recall_by` is what `recall@k` counts: rules with one gold span found, as tenders do, or the mean share of a
    rule's gold spans, as the published figures of the other sets do.
    """

    name: str
    format: SetFormat
    packs: tuple[LabelledPack, ...] = ()
    items: tuple[LabelledItem, ...] = ()
    sentences: tuple[LabelledSentence, ...] = ()
    by_page: bool = Field(False, description="gold is a page, not words")
    recall_by: Literal["rule", "span"] = "span"
    notes: tuple[str, ...] = ()

    def limited(self, items: int | None) -> LabelledSet:
        """The first `items` items (or sentences) and the packs that they ask; the whole set for None."""
        if items is None:
            return self
        kept = self.items[:items]
        asked = {item.pack for item in kept}
        packs = tuple(pack for pack in self.packs if pack.name in asked)
        return self.model_copy(update={"items": kept, "packs": packs, "sentences": self.sentences[:items]})
