"""Every knob of the pipeline by group, each with its default, unit and reason. Reads nothing; computes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from bidproof.knob_group import Group as Group  # also a name of this module
from bidproof.learning_knobs import SecondLook


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
    score_long: float = Field(-0.5, description="Evidence score: over 1,200 characters")
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
        description="auto takes bf16 where the CPU has it, else fp32; int8, for the packaged model alone, costs a third less where the CPU has VNNI",
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


class JudgingParams(Group):
    """Judging passages."""

    judge: Literal["predicate", "openai", "llama"] = Field(
        "predicate",
        description="predicate: typed predicates evaluated by code, no model; openai: any server with an OpenAI-compatible API; llama: a GGUF file in the process, with the extra llama",
    )
    pass_coverage: float = Field(
        0.75,
        gt=0,
        le=1,
        description="Share of a presence rule's concept terms that its evidence must name for a Pass",
    )
    partial_coverage: float = Field(
        0.5, gt=0, le=1, description="And for a Partial; below it the rule is Missing"
    )
    residue: int = Field(
        0,
        ge=-1,
        description="Words that may stay unexplained before a person looks at a Pass; -1: any number",
    )


class VerificationParams(Group):
    """Live checks on each verdict."""

    max_quote_words: int = Field(
        60, ge=5, description="Words: the contract asks for under 40; a table row may run longer"
    )
    min_quote_chars: int = Field(
        12, ge=1, description="Characters: a shorter quote such as '2%' confirms anything"
    )
    max_rationale_chars: int = Field(600, ge=50, description="Characters")
    echo_shingle: int = Field(
        6, ge=3, description="Words of a run that a pack and the RFP must share to count as copied"
    )
    echo_share: float = Field(
        0.6, gt=0, le=1, description="Share of a quote's words inside such runs from which it is an echo"
    )


class ScoringParams(Group):
    """Gate and scores."""

    technical_areas: tuple[str, ...] = Field(
        ("Technical", "Security"), description="Areas of the technical score"
    )
    commercial_areas: tuple[str, ...] = Field(("Commercial",), description="Areas of the commercial score")
    partial_points: float = Field(0.5, ge=0, le=1, description="Points of a Partial")


class EvaluationParams(Group):
    """Measuring the pipeline on labelled sets."""

    k: int = Field(30, ge=1, description="Candidates of a rule that count: as many as each leg keeps")
    min_recall: float = Field(
        0.95,
        ge=0,
        le=1,
        description="Check, blocking: share of the regression set's mandatory rules with gold whose evidence is among the first k candidates; what is not among them no judge can see",
    )
    regression_set: str = Field(
        "",
        description="Folder of the labelled set that every change is held to; empty: gold of the shipped example",
    )
