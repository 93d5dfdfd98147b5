"""Records of planted evidence: one fact, the rule that it answers, and how it is written down."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bidproof.evaluation.labelled import StatedFact
from bidproof.records import Record, Requirement

Language = Literal["en", "fr"]
Shape = Literal["duration", "percent", "money", "quantity", "standard", "date", "form"]
Form = Literal["digits", "words", "french", "french words", "table", "page break", "footnote", "bullet"]

FORMS: tuple[Form, ...] = (
    "digits", "words", "french", "french words", "table", "page break", "footnote", "bullet",
)  # fmt: skip
"""How a fact is written: a line in figures, in number words, in French in either, a row of a ruled table, a sentence
over a page break, a footnote, one point of a list."""


class Plant(Record):
    """One planted fact.

    `statement` is the sentence of it, `cells` the same as subject and offer of a table row. The fact meets its rule.
    """

    number: int
    form: Form
    language: Language
    shape: Shape
    rule: Requirement
    of_catalog: bool = Field(description="the rule is the tender's own, not made for the plant")
    statement: str
    cells: tuple[str, str]
    fact: StatedFact

    @property
    def words(self) -> str:
        """What must be read whole: the sentence, or the two cells."""
        return " ".join(self.cells) if self.form == "table" else self.statement


class Place(Record):
    """Where a plant was put: a file of the pack, a physical page from 1, and the page on which it ends."""

    file_name: str
    page: int
    last_page: int
    new_page: bool = Field(description="the page was added; else it is one of the bidder's own")
