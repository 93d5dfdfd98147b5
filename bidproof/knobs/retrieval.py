"""Knobs of finding and choosing passages."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bidproof.knobs.group import Group
from bidproof.knobs.learning import SecondLook


class RetrievalParams(SecondLook):
    """Finding candidates."""

    bm25_top: int = Field(30, ge=1, description="Hits kept of the lexical leg")
    language_top: int = Field(
        10,
        ge=0,
        description="Lexical hits kept besides in each language of the pack, which only synonyms may reach",
    )
    translated_top: int = Field(
        50,
        ge=0,
        description="Lexical hits kept besides of a rule's words in the other language, in packs of several languages",
    )
    dense_top: int = Field(30, ge=1, description="Hits kept of the dense leg")
    tag_top: int = Field(30, ge=1, description="Chunks kept of each rule's tag pool, by evidence")
    clause_top: int = Field(30, ge=1, description="Chunks kept under hinted headings")
    relevance_top: int = Field(
        30,
        ge=0,
        description="Chunks kept of the fused order of all chunks, and of its pages the best chunk each: a page may raise what each leg cuts off",
    )
    fusion: Literal["scores", "ranks"] = Field(
        "scores",
        description="scores: the legs' standardised scores and those of the page lead; ranks: weighted reciprocal rank fusion",
    )
    alpha: float = Field(
        0.7,
        ge=0,
        le=1,
        description="Fusion of scores: share of the dense leg, the rest is the lexical leg's; 0.3 and 0.7 are common",
    )
    score_relevance: float = Field(
        0.5,
        ge=0,
        description="Evidence score, fusion of scores: points for each standard deviation above the pack's mean",
    )
    page_weight: float = Field(
        1.0,
        ge=0,
        description="Fusion of scores: weight of a page's best chunks in the score of each chunk on it, beside 1 for its own",
    )
    page_best: int = Field(
        3, ge=1, description="Fusion of scores: chunks of a page that speak for it, in the mean"
    )
    rrf_k: int = Field(
        60, ge=1, description="Damping of reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009)"
    )
    weight_bm25: float = Field(1.0, ge=0, description="Fusion of ranks: weight of the lexical leg")
    weight_dense: float = Field(1.0, ge=0, description="Fusion of ranks: weight of the dense leg")
    doubt: float = Field(
        1.0,
        ge=0,
        description="Fusion of ranks: growth of the dense weight by the share of a rule's rare words that no chunk has together: where words fail, meaning leads",
    )
    weight_tags: float = Field(
        0.2,
        ge=0,
        description="Fusion of ranks: weight of the tag pools, ranked by the evidence score itself, which must not count twice",
    )
    weight_clause: float = Field(
        0.2, ge=0, description="Fusion of ranks: weight of the clause pool, for the same reason"
    )
    weight_number: float = Field(
        1.0,
        ge=0,
        description="Weight of number and code spellings in the wide query, beside 1 for the rule's own words",
    )
    weight_synonym: float = Field(
        0.5, ge=0, description="Weight of synonyms and section hints in the wide query"
    )
    k1: float = Field(1.2, gt=0, description="BM25 term saturation")
    b: float = Field(0.75, ge=0, le=1, description="BM25 length normalisation")
    sparse_model: str = Field(
        "",
        description="Sparse encoder whose leg stands beside BM25: a local folder or a hub name of a SPLADE model; empty: off, as none is shipped",
    )
    sparse_share: float = Field(
        0.5, ge=0, le=1, description="Share of the lexical leg's weight that the sparse model's scores have"
    )
    score_term: float = Field(
        1.0,
        description="Evidence score: each concept term seen, as a share of the rule's terms times this and their number",
    )
    term_window: int = Field(
        20,
        ge=1,
        description="Terms of a run within which a rule's concept terms must stand to be seen together, about a sentence; a table row is one run",
    )
    score_number: float = Field(
        2.0, description="Evidence score: each required number, standard or form seen"
    )
    heading_share: float = Field(
        0.25,
        ge=0,
        le=1,
        description="Share of its points that a term earns when it stands in the headings above a chunk only",
    )
    number_comparable: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Share of score_number for another value of the same measure, where nothing says that it is the one asked for",
    )
    score_section: float = Field(
        1.5,
        description="Evidence score: under a hinted heading, or under the title of a statement of accounts that the rule names or a question needs",
    )
    score_title: float = Field(
        0.75,
        ge=0,
        description="Evidence score: under a section title all of whose words the rule has, less for fewer, none for less than half; only what exceeds score_section's part",
    )
    score_table: float = Field(1.0, description="Evidence score: a table row for a numeric rule")
    score_long: float = Field(0.0, description="Evidence score: over 1,200 characters")
    score_short: float = Field(-0.2, description="Evidence score: under 400 characters")
    score_echo: float = Field(-1.5, description="Evidence score: the chunk repeats the RFP's own words")
    echo_discount: float = Field(
        0.75,
        ge=0,
        le=1,
        description="Share of its points for terms and numbers that a chunk loses by as much of it as is copied",
    )
    echo_shingle: int = Field(
        6, ge=3, description="Words of a run that a chunk and the RFP must share to count as copied"
    )
    score_rrf: float = Field(
        90.0,
        description="Evidence score, fusion of ranks: factor on the fused rank, so that a first place in two legs weighs about three",
    )


class DenseParams(Group):
    """The embedding model of the dense leg."""

    enabled: bool = Field(True, description="Use the dense leg")
    model: str = Field(
        "packaged",
        description="'packaged' (all-MiniLM-L6-v2 from PyPI), or a local path or hub name such as intfloat/multilingual-e5-small",
    )
    batch_size: int = Field(
        8, ge=1, description="Texts a forward pass: small batches of like length win on a CPU"
    )
    precision: Literal["auto", "fp32", "bf16", "int8"] = Field(
        "auto",
        description="auto takes bf16 where the CPU has it, else fp32; int8, for the packaged model alone, costs about a quarter less where the CPU has VNNI",
    )
    min_success_rate: float = Field(
        0.95, ge=0, le=1, description="Alert: share of chunks that the model read to their end below this"
    )


class SelectionParams(Group):
    """Choosing passages among candidates."""

    k: int = Field(3, ge=1, le=20, description="Passages a rule")
    k_step: int = Field(
        2,
        ge=0,
        description="Passages added at most when a rule's required number is still unseen; where it stands nowhere, for a mandatory rule only",
    )
    budget_tokens: int = Field(
        600,
        ge=0,
        description="Tokens: while a rule's passages together are shorter, as table rows are, up to k_step more are added",
    )
    diversity: float = Field(
        2.0,
        ge=0,
        description="Evidence points that a chunk loses beside a chosen one of the same page, heading and format",
    )
    coverage: float = Field(
        1.0,
        ge=0,
        description="Evidence points that a chunk gains for each sentry term that no chosen one shows",
    )
    near_duplicate: float = Field(
        0.85,
        gt=0,
        le=1,
        description="Share of shared five-word shingles from which two chunks count as the same",
    )
    guard_table: bool = Field(True, description="Guard A: a numeric rule gets at least one table row")
    guard_clause: bool = Field(
        True, description="Guard B: a rule with a clause hint gets at least one chunk of that section"
    )
