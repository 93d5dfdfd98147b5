"""Knobs of what stands in files: documents, chunks, facts, rules of an RFP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from bidproof.knobs.group import Group


class DocumentParams(Group):
    """Reading files into pages, blocks and table cells."""

    min_horizontal_rules: int = Field(
        3, ge=1, description="Rules: a page with fewer horizontal lines holds no ruled table worth a search"
    )
    min_vertical_rules: int = Field(2, ge=1, description="Rules: the same for vertical lines")
    tables: bool = Field(True, description="Look for ruled tables")
    ocr: bool = Field(True, description="Recognise the text of pages that have none")
    ocr_dpi: int = Field(
        200,
        ge=72,
        le=600,
        description="Dots per inch: at 150 an engine read P1 as P14 and figures of nine points wrong; 200 costs a sixth more",
    )
    ocr_languages: tuple[str, ...] = Field(
        (),
        description="Tesseract language codes, in order of trust; empty: each page in its own language, told from the file's other pages or from a first look",
    )
    ocr_data: tuple[str, ...] = Field(
        ("/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata"),
        description="Folders in which recognition data of other languages is looked for; English comes packaged",
    )
    min_coverage: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Share of a pack's pages that must be readable for a verdict on the pack: below it more than half of the bid was never read",
    )
    stop_below: float = Field(
        0.1,
        ge=0,
        le=1,
        description="Share of a bid's pages that must be readable for its later stages to run at all: below it there is nothing to judge by, and the run stops with the list of pages; 0 never stops",
    )
    min_page_chars: int = Field(
        16, ge=0, description="Characters: a page with fewer and with a large image is taken as scanned"
    )
    furniture_share: float = Field(
        0.3,
        gt=0,
        le=1,
        description="Share of pages on which a line must repeat to be a running header or footer",
    )
    furniture_pages: int = Field(3, ge=2, description="Pages: and at least on this many")
    workers: int = Field(2, ge=1, description="Processes that read pages of one file side by side")
    page_seconds: float = Field(
        120,
        gt=0,
        allow_inf_nan=False,
        description="Seconds: a page that takes longer is given up as unreadable; a slow scan takes ten",
    )
    max_pages: int = Field(
        20_000, ge=1, description="Pages: a file with more is refused, as a guard against broken page trees"
    )
    max_unpacked_mb: int = Field(
        2048,
        ge=1,
        description="Megabytes: an Office file that unpacks to more is refused; even with hundreds of pictures it has half of it",
    )
    max_cells: int = Field(
        300_000,
        ge=1,
        description="Cells with content: a workbook is read up to here, the sheets after are unreadable",
    )
    adapter: Literal["auto", "tender", "cv", "report"] = Field(
        "auto", description="How files are read and cut; auto decides per file by its name and first pages"
    )
    adapter_names: dict[str, Literal["tender", "cv", "report"]] = Field(
        {}, description="Adapter by pattern of the file's path, e.g. `team/*.pdf: cv`; the first match wins"
    )


_PROFILES: dict[str, dict[str, float]] = {
    "standard": {},
    "large": {
        "target_tokens": 800,
        "max_tokens": 800,
        "overlap": 0.5,
        "span_tokens": 300,
        "min_tokens": 100,
    },
}


class ChunkingParams(Group):
    """Cutting blocks into chunks."""

    profile: Literal["standard", "large"] = Field(
        "standard",
        description="Sizes not set one by one: `large` is 800 tokens with 400 repeated and 100 at least, for a model that reads that many; the packaged embedder reads 256",
    )
    target_tokens: int = Field(
        200, ge=20, description="Tokens: one thought that can be judged alone, 700 to 1,000 characters"
    )
    max_tokens: int = Field(
        240, ge=30, description="Tokens: the packaged embedder reads 256 and drops the rest silently"
    )
    overlap: float = Field(
        0.35,
        ge=0,
        lt=1,
        description="Share of the target repeated in the next chunk: 70 tokens, longer than most sentences",
    )
    span_tokens: int = Field(
        70, ge=1, description="Tokens: every span up to this length inside a block must be whole in one chunk"
    )
    min_tokens: int = Field(
        0,
        ge=0,
        description="Tokens: a shorter section is joined with the next of the same parent; 0 keeps each by itself, so that a clause of one line can be found alone",
    )
    min_average_quality: float = Field(
        70, ge=1, le=100, description="Alert: mean quality score of a pack's chunks below this"
    )
    min_question_rate: float = Field(
        0.10,
        ge=0,
        le=1,
        description="Alert: share of chunks with a question below this, over the files that ask five or more",
    )
    max_document_seconds: float = Field(
        30, gt=0, allow_inf_nan=False, description="Alert: seconds that cutting one file took above this"
    )

    @model_validator(mode="before")
    @classmethod
    def _profiled(cls, given: Any) -> Any:
        """Numbers of the profile, under those that are given one by one."""
        if not isinstance(given, Mapping):
            return given
        profile = given.get("profile", "standard")
        return {**_PROFILES.get(profile if isinstance(profile, str) else "", {}), **given}

    @model_validator(mode="after")
    def _fits(self) -> ChunkingParams:
        if self.min_tokens >= self.max_tokens:
            raise ValueError("min_tokens must be below max_tokens")
        if self.target_tokens > self.max_tokens:
            raise ValueError("target_tokens must not exceed max_tokens")
        if self.span_tokens >= self.max_tokens:
            raise ValueError("span_tokens must be below max_tokens, or no chunk could hold such a span")
        return self


class FactParams(Group):
    """Finding typed facts."""

    day_first: bool | None = Field(
        None,
        description="Reading of 03/04/2027: true day first, false month first, unset leaves it undecided",
    )


class CatalogParams(Group):
    """Turning a catalog file or an RFP into rules."""

    mined_area: str = Field("Mined", description="Area of rules mined from an RFP")
    min_rule_words: int = Field(3, ge=2, description="Words: a shorter sentence is no rule")
    max_rule_words: int = Field(
        200, ge=10, description="Words: a longer one is cut from mining and listed instead"
    )
