"""Records of a compliance matrix: what is shown, printed and exported. Plain, frozen, JSON-able values.

Nothing is computed here but look-ups in the record itself; assembly from tables is in `matrix` and `cells`.
A matrix holds no run ids and no times, so that the same inputs give the same bytes in every export.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from bidproof.records import Box, Gate, MatchKind, Record, Status

VERIFIED_KINDS = frozenset({MatchKind.EXACT, MatchKind.TYPOGRAPHIC, MatchKind.DEHYPHENATED})


class Passage(Record):
    """One passage of a bid that was read for a rule."""

    chunk_id: str
    file_name: str
    page: int | None = Field(default=None, description="Physical page, from 1")
    page_label: str = Field(default="", description="Printed label of that page; empty when not known")
    anchor: str = Field(default="", description="Place in an office file, e.g. 'Prices!B7'; empty for a PDF")
    citation: str = Field(default="", description="Page for people, e.g. 'p. 43 (PDF 47)'")
    heading_path: str = ""
    text: str
    why: str = Field(
        "", description="best, diverse, table guard, clause guard, sentry, escalated, or candidate"
    )
    attempt: int = 1
    rank: int | None = Field(default=None, description="Rank among the candidates by evidence score, from 1")
    evidence_score: float | None = None
    missing_terms: tuple[str, ...] = ()


class Cell(Record):
    """The verdict on one rule for one bidder, with its proof."""

    rule_id: str
    bidder: str
    status: Status
    judged_status: str = Field(default="", description="What the judge said before the checks")
    rationale: str = ""
    risk: str = ""
    judge: str = ""
    quote: str = ""
    match_kind: MatchKind = MatchKind.NONE
    file_name: str = ""
    page: int | None = None
    page_label: str = ""
    anchor: str = ""
    citation: str = ""
    heading_path: str = ""
    boxes: tuple[Box, ...] = ()
    checks_passed: tuple[str, ...] = ()
    checks_failed: tuple[str, ...] = ()
    needs_review: bool = False
    review_reason: str = ""
    other_quotes: tuple[str, ...] = ()
    evidence: Passage | None = Field(default=None, description="The passage that holds the quote")
    passages: tuple[Passage, ...] = Field(
        (), description="The other passages, or the best candidates when none was chosen"
    )
    candidates: int = Field(0, description="Chunks of the pack that some search leg found for the rule")
    absence: Any = Field(
        default=None, description="Absence certificate of a Missing: where it was looked for, nearest miss"
    )

    decision: str = Field("", description="Who decided on it, when and how; empty where nobody has")

    reopened: bool = Field(
        default=False, description="The decision no longer holds, and asks for a person again"
    )

    @property
    def review_state(self) -> str:
        """unreviewed, decided or reopened."""
        return ("reopened" if self.reopened else "decided") if self.decision else "unreviewed"

    @property
    def link(self) -> str:
        """`file.pdf#page=47`: the physical page, as PDF viewers take it; empty without a page.

        `prices.xlsx#Prices!B7`, as spreadsheet programs take it; the file alone where a place has no address.
        """
        if not self.file_name or not self.page:
            return ""
        if self.anchor:
            return f"{self.file_name}#{self.anchor}" if "!" in self.anchor else self.file_name
        return f"{self.file_name}#page={self.page}"


class Rule(Record):
    """One rule, as a row of the matrix."""

    rule_id: str
    number: int = Field(description="Place in the catalog, from 0")
    area: str
    mandatory: bool
    text: str
    clause_ref: str = ""
    weight: float = 1.0
    draft: bool = False
    source_page: int | None = None
    source_quote: str = ""


class Bidder(Record):
    """One bidder, as a column of the matrix: gate, scores and what could be read."""

    slug: str
    name: str
    gate: Gate
    gate_reasons: tuple[str, ...] = ()
    gate_flips: tuple[str, ...] = Field(
        default=(), description="Single verdicts that would turn the gate, one line each, to review first"
    )
    rank: int | None = Field(
        default=None, description="1, 1, 3 among the bidders whose gate is pass; empty for all others"
    )
    ranked_by: str = ""
    tied_with: tuple[str, ...] = Field(default=(), description="Slugs of the bidders of the same rank")
    technical: float | None = Field(
        default=None, description="0 to 1; empty when the catalog has no such rules"
    )
    technical_rules: int = 0
    commercial: float | None = None
    commercial_rules: int = 0
    overall: float | None = None
    passed: int = 0
    partial: int = 0
    failed: int = 0
    missing: int = 0
    to_review: int = 0
    quotes_verified: int = 0
    pages: int = 0
    pages_readable: int = 0
    unreadable_files: tuple[str, ...] = ()
    warnings: tuple[str, ...] = Field(default=(), description="One line each: file and what is wrong with it")


class Catalog(Record):
    """The catalog version that the verdicts belong to."""

    version: str
    origin: str = ""
    draft: bool = False
    source_name: str = ""
    author: str = ""
    accepted_by: str = Field("", description="Person who accepted it; empty where none is named")
    accepted_on: str = ""
    submission_date: str = ""


class Provenance(Record):
    """What made the matrix. No times and no run ids."""

    catalog_version: str = ""
    rfp_sha256: str = ""
    product_version: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    code_versions: dict[str, str] = Field(default_factory=dict, description="Code version by stage")
    models: dict[str, str] = Field(
        default_factory=dict, description="Model or prompt digest by name, where one was used"
    )
    files: dict[str, str] = Field(
        default_factory=dict, description="SHA-256 by file, bidder first: 'acme/offer.pdf'"
    )


class Matrix(Record):
    """Rules by bidders. `cells` runs rule by rule, and inside a rule in the order of `bidders`."""

    tender: str
    tender_name: str
    catalog: Catalog
    bidders: tuple[Bidder, ...]
    rules: tuple[Rule, ...]
    cells: tuple[Cell, ...]
    provenance: Provenance
    warnings: tuple[str, ...] = Field(
        default=(), description="What a reader must know before trusting the matrix"
    )

    @property
    def draft(self) -> bool:
        """True while any rule is of a catalog that no person has accepted."""
        return self.catalog.draft or any(rule.draft for rule in self.rules)

    @property
    def review_state(self) -> str:
        """unreviewed, partly reviewed or reviewed: how many cells people have decided on."""
        decided = sum(cell.review_state == "decided" for cell in self.cells)
        return (
            "unreviewed" if not decided else "reviewed" if decided == len(self.cells) else "partly reviewed"
        )

    @property
    def draft_note(self) -> str:
        """Why the catalog is a draft, in a few words; empty where it is none."""
        why = "a draft by its own file" if self.catalog.origin == "file" else "mined"
        return f"{why}, not accepted by a person" if self.draft else ""

    def row(self, index: int) -> tuple[Cell, ...]:
        """The cells of the rule at `index`, one a bidder."""
        width = len(self.bidders)
        return self.cells[index * width : (index + 1) * width]

    def cell(self, rule_id: str, bidder: str) -> Cell:
        """The cell of a rule and a bidder slug.

        Raises:
            KeyError: the matrix has no such cell.
        """
        for cell in self.cells:
            if cell.rule_id == rule_id and cell.bidder == bidder:
                return cell
        raise KeyError((rule_id, bidder))


def citation(page: int | None, label: str, anchor: str = "") -> str:
    """A page as people look for it: `p. 43 (PDF 47)`, `PDF 47` where no label is printed, or empty.

    In an office file, which has no page image: `Prices!B7`, `p. 3, paragraph 12`.
    """
    if page is None or page < 1:
        return ""
    if anchor:
        return anchor if "!" in anchor or not label else f"p. {label}, {anchor}"
    return f"p. {label} (PDF {page})" if label else f"PDF {page}"
