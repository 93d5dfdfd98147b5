"""Record types that travel between stages.

Holds values only: no parsing, no scoring, no input or output. Tables (many rows of the same kind)
are Polars frames whose schemas stand in `bidproof.tables`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Status(StrEnum):
    """Verdict on one rule for one bidder."""

    PASS = "Pass"
    PARTIAL = "Partial"
    FAIL = "Fail"
    MISSING = "Missing"


class Gate(StrEnum):
    """Outcome of the mandatory gate for one bidder."""

    PASS = "pass"
    FAIL = "fail"
    CANNOT_DECIDE = "cannot decide"


class PageStatus(StrEnum):
    """How the text of a page was had. Only `TEXT` and `OCR` pages carry citable text."""

    TEXT = "text"
    OCR = "ocr"
    BLANK = "blank"
    GARBLED = "garbled"
    UNREADABLE = "unreadable"


class BlockKind(StrEnum):
    """What a block of a page is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    CONTENTS = "contents"
    FURNITURE = "furniture"


class MatchKind(StrEnum):
    """How a quote was found in its source. Only the first three verify without a person."""

    EXACT = "exact"
    TYPOGRAPHIC = "typographic"
    DEHYPHENATED = "dehyphenated"
    INTERLEAVED = "interleaved"
    ELIDED = "elided"
    NONE = "none"


class Record(BaseModel):
    """Frozen base of the records that are stored or shown: unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Comparator = Literal["", "=", ">=", "<=", ">", "<"]

FactKind = Literal[
    "percent", "money", "days", "duration", "quantity", "class", "standard", "form", "date", "obligation"
]


class Fact(Record):
    """One typed fact found in a text.

    `start` and `end` are character offsets into the text searched; `text` is that slice. `value` and
    `value_max` are plain numbers (2% is 2.0); a single value leaves `value_max` empty, an undecided
    date leaves `date` empty and lists its readings in `readings`.
    """

    kind: FactKind
    start: int
    end: int
    text: str
    value: float | None = None
    value_max: float | None = None
    unit: str = Field(
        "",
        description="percent, EUR, day, calendar_day, working_day, month, year, hour, ..., or a counted noun",
    )
    comparator: Comparator = ""
    base: str = Field("", description="what a percentage is of, e.g. 'total bid price'")
    per: str = Field("", description="rate base, e.g. 'day' in 0.1% per day")
    code: str = Field("", description="standard or form without its edition, e.g. 'ISO/IEC 27001', 'BS-1'")
    edition: str = Field("", description="edition of a standard, e.g. '2022'")
    date: str = Field("", description="ISO date when it has one reading only")
    readings: tuple[str, ...] = Field(
        (), description="ISO readings of an ambiguous date, or both numbers where words and digits disagree"
    )
    role: str = Field("", description="what a number or date is for, e.g. 'expiry', 'cap', 'validity'")
    conflict: bool = Field(False, description="words and digits disagree, as in 'ten (15) days'")


PredicateKind = Literal["quantity", "standard", "form", "date", "presence"]


class Predicate(Record):
    """One testable condition of a rule. All predicates of a group must hold; one group is enough."""

    kind: PredicateKind
    group: int = 0
    measure: tuple[str, ...] = Field(
        (), description="words that say what is measured, e.g. ('bid validity',)"
    )
    comparator: Comparator = ""
    value: float | None = None
    value_max: float | None = None
    unit: str = ""
    base: str = ""
    per: str = ""
    code: str = ""
    edition: str = ""
    date: str = Field("", description="ISO date on which the thing must be valid, where the rule names one")
    valid_on_submission: bool = Field(False, description="the thing must be valid on the submission date")
    terms: tuple[str, ...] = Field((), description="concept terms of a presence rule")
    readings: tuple[str, ...] = Field(
        (),
        description="both numbers where the rule's words and digits disagree, or the ISO readings of an "
        "ambiguous date: evidence holds only against all of them",
    )
    text: str = Field("", description="the slice of the rule that this was derived from")


class Source(Record):
    """A place of the RFP that states a rule, with its words as they stand there."""

    file_name: str = ""
    page: int = Field(description="physical page, from 1")
    page_label: str = ""
    heading_path: str = ""
    quote: str


RuleFlag = Literal["deadline", "exclusion", "intellectual_property", "sovereignty", "insurance"]


class Requirement(Record):
    """One rule of a catalog: what a bidder must show, and where it usually stands."""

    rule_id: str
    area: str
    mandatory: bool
    scored: bool = Field(False, description="the RFP gives points for it")
    obligation: str = Field(
        "", description="the RFP's words that make it mandatory, scored or optional: 'grounds for rejection'"
    )
    text: str
    clause_ref: str = ""
    weight: float = 1.0
    predicates: tuple[Predicate, ...] = ()
    sentry_terms: tuple[str, ...] = Field(
        (), description="tokens that evidence must not miss: numbers with units, codes, key words"
    )
    synonyms: tuple[str, ...] = ()
    section_hints: tuple[str, ...] = ()
    submission_date: str = Field("", description="ISO date on which certificates and powers must be valid")
    flags: tuple[RuleFlag, ...] = ()
    question_id: str = Field("", description="id of the RFP's question to the respondent that this rule asks")
    references: tuple[str, ...] = Field(
        (), description="what the rule refers to, as found in the RFP: 'Annex G > Form BS-1 (p. 31)'"
    )
    definitions: tuple[str, ...] = Field(
        (), description="defined terms that the rule uses, each with its meaning: 'Works: the ...'"
    )
    sources: tuple[Source, ...] = Field((), description="every place that states it, in reading order")
    source_page: int | None = None
    source_quote: str = ""


class Box(Record):
    """A rectangle on a physical page, in points, origin top left, y down."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Judgement(Record):
    """What a judge said of one rule: the must-cite contract, before any check."""

    rule_id: str
    status: Status
    rationale: str = Field(max_length=2000)
    quote: str = ""
    chunk_id: str = ""
    pages: tuple[int, ...] = ()
    risk: Literal["Low", "Medium", "High"] = "Medium"
    needs_review: bool = False
    review_reason: str = ""
    other_quotes: tuple[str, ...] = Field(
        (), description="further quotes, e.g. the other side of a contradiction"
    )
