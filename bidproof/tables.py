"""Schemas of every warehouse table, with a comment on each column. Nothing is computed here.

Frames are cast to these schemas when they are written, so a stage that drifts fails at once.
"""

from __future__ import annotations

import polars as pl

from bidproof.learning_tables import LEARNING_CHECKS, PROTOTYPES
from bidproof.review_tables import OVERRIDES, REVIEWS
from bidproof.scheduling_tables import TOKEN_PLAN, USAGE
from bidproof.table import (
    BOX,
    LINE,
    QUESTION,
    REFERENCE,
    SHOWN,
    SOURCE,
    SPAN,
    ColumnType,
    Table,
)
from bidproof.table import PACK_COLUMNS as _PACK
from bidproof.table import RULE_COLUMNS as _RULE
from bidproof.trust_tables import AUDIT_BOUNDS, AUDITS
from bidproof.verdict_tables import CONSISTENCY, ESCALATIONS, GATE_FLIP, OBJECTIONS, RANKINGS

# One line a column, so that a table reads as a table.
# fmt: off
_DOC: dict[str, tuple[ColumnType, str]] = {
    **_PACK,
    "doc_id": (pl.String, "Document id: digest of pack, file name and content"),
    "file_name": (pl.String, "Path of the file inside the pack's folder"),
}

DOCUMENTS = Table("documents", "One row a file of a pack or an RFP", ("pack", "doc_id"), {
    **_DOC,
    "tender_name": (pl.String, "Tender as named by its folder"),
    "bidder_name": (pl.String, "Bidder as named by its folder"),
    "role": (pl.String, "rfp or bid"),
    "kind": (pl.String, "pdf, docx, xlsx, text, csv, html, image, zip, email or other, by content"),
    "sha256": (pl.String, "SHA-256 of the file's bytes"),
    "size": (pl.Int64, "Bytes"),
    "page_count": (pl.Int32, "Physical pages, or sheets; 0 for a zip or e-mail and when the file cannot be opened"),
    "language": (pl.String, "Main language, ISO 639-1; empty when unknown"),
    "encrypted": (pl.Boolean, "The file asks for a password"),
    "status": (pl.String, "ok, or unreadable with the reason in warnings"),
    "duplicate_of": (pl.String, "doc_id of an earlier file of the pack with the same bytes"),
    "adapter": (pl.String, "Rules by which the file is read and cut: tender, cv or report"),
    "adapter_why": (pl.String, "What speaks for them: a parameter, the file's name, lines of its first pages"),
    "superseded_by": (pl.String, "doc_id of a file of the pack whose name says that it is a later version"),
    "warnings": (pl.List(pl.String), "One line each: what is wrong and the mend"),
})

PAGES = Table("pages", "One row a physical page", ("pack", "doc_id", "page"), {
    **_DOC,
    "page": (pl.Int32, "Physical page, from 1"),
    "page_label": (pl.String, "Printed page label"),
    "width": (pl.Float32, "Points"),
    "height": (pl.Float32, "Points"),
    "rotation": (pl.Int32, "Degrees"),
    "status": (pl.String, "text, ocr, blank, garbled or unreadable"),
    "coverage": (pl.Float32, "Share of the page's ink that is readable text, 0 to 1"),
    "language": (pl.String, "ISO 639-1; empty when unknown"),
    "chars": (pl.Int32, "Characters of text"),
    "ruled": (pl.Boolean, "The page holds ruling lines enough for a table"),
    "tables": (pl.Int32, "Tables found on the page"),
    "header": (pl.String, "Running header, removed from the blocks"),
    "footer": (pl.String, "Running footer, removed from the blocks"),
    "note": (pl.String, "Why a page is not plain text, and the mend"),
})

BLOCKS = Table("blocks", "One row a block of a page, in reading order", ("pack", "doc_id", "page", "block_no"), {
    **_DOC,
    "page": (pl.Int32, "Physical page, from 1"),
    "block_no": (pl.Int32, "Number of the block on its page, from 0"),
    "kind": (pl.String, "heading, paragraph, list_item, table_row, caption, footnote, contents or furniture"),
    "text": (pl.String, "Text; the cells of a table row are joined by ' | '"),
    "x0": (pl.Float32, "Box in points, origin top left"),
    "y0": (pl.Float32, "Box"),
    "x1": (pl.Float32, "Box"),
    "y1": (pl.Float32, "Box"),
    "heading_path": (pl.String, "Headings above, outermost first, joined by ' > '; a heading includes itself"),
    "level": (pl.Int32, "Depth of a heading, from 1; 0 for all else"),
    "table_no": (pl.Int32, "Table of a table row, numbered in the document; -1 for all else"),
    "row_no": (pl.Int32, "Row in that table, header rows first; both parts of a row over a page break have one; -1 for all else"),
    "is_header": (pl.Boolean, "The row is a header row of its table"),
    "struck": (pl.Boolean, "Crossed out: never citable"),
    "hidden": (pl.Boolean, "Not visible on the page: never citable"),
    "lines": (pl.List(LINE), "Character ranges of `text` with the box, or the anchor, of each line or cell"),
    "anchor": (pl.String, "Place in an office file: 'Prices!A3:D3', 'paragraph 12', 'table 2 row 3'; empty for a PDF"),
})

TABLE_CELLS = Table("table_cells", "One row a table cell", ("pack", "doc_id", "table_no", "row_no", "col_no"), {
    **_DOC,
    "page": (pl.Int32, "Physical page, from 1"),
    "block_no": (pl.Int32, "Block of the row on that page"),
    "table_no": (pl.Int32, "Table, numbered in the document; one table may run over pages"),
    "row_no": (pl.Int32, "Row, from 0"),
    "col_no": (pl.Int32, "Column, from 0"),
    "text": (pl.String, "Text of the cell, whole where a page break parts its row; page and box are those of the first part"),
    "header_path": (pl.String, "Header cells above, joined by ' > '"),
    "is_header": (pl.Boolean, "The cell belongs to a header row"),
    "start": (pl.Int32, "Offset of the cell in its block's text"),
    "x0": (pl.Float32, "Box in points, origin top left"),
    "y0": (pl.Float32, "Box"),
    "x1": (pl.Float32, "Box"),
    "y1": (pl.Float32, "Box"),
    "anchor": (pl.String, "Place in an office file: 'Prices!B7', 'table 2 row 3 column 1'; empty for a PDF"),
})

INTEGRITY = Table("integrity", "One row a remark: what the eye sees against what the text says", ("pack", "doc_id", "entry_no"), {
    **_DOC,
    "entry_no": (pl.Int32, "Number of the remark in its file, from 0: the file's own first, then page by page"),
    "page": (pl.Int32, "Physical page, from 1; 0 for the file as a whole"),
    "kind": (pl.String, "hidden_text, off_page_text, struck_text, annotation, form_field, signature, duplicate, superseded, embedded_file, active_content, control_characters, xfa, repaired, picture_text, unread_picture, language_data, ..."),
    "text": (pl.String, "The text or value in question; empty where there is none"),
    "x0": (pl.Float32, "Box in points, origin top left; all 0 where there is no place"),
    "y0": (pl.Float32, "Box"),
    "x1": (pl.Float32, "Box"),
    "y1": (pl.Float32, "Box"),
    "citable": (pl.Boolean, "The text may stand as evidence: it is seen on the page"),
    "severity": (pl.String, "info, warn or alert; an alert is text that nobody sees and that speaks to a judge"),
    "detail": (pl.String, "One line: what it means and what to do"),
})

CHUNKS = Table("chunks", "One row a chunk: the unit that is found, judged and cited", ("pack", "chunk_id"), {
    **_DOC,
    "chunk_id": (pl.String, "Unique in the warehouse: document id, first page, counter (ab12cd34ef:p47_c03)"),
    "page": (pl.Int32, "First physical page"),
    "pages": (pl.List(pl.Int32), "Physical pages that the chunk covers"),
    "heading_path": (pl.String, "Headings above, outermost first, joined by ' > '"),
    "section_no": (pl.String, "Number of the nearest numbered heading, e.g. 3.2"),
    "section_title": (pl.String, "Title of the nearest heading"),
    "kind": (pl.String, "text, list or row"),
    "text": (pl.String, "Text; a row chunk is its header line, a line break, then the row's cells joined by ' | '"),
    "content_type": (pl.String, "What the text is: heading, question, form, contact, requirement, table_row, list, caption, footnote, paragraph; of CVs and reports also their sections, e.g. position, education, finding, recommendation"),
    "tokens": (pl.Int32, "Tokens of the text under the chunking tokenizer"),
    "header_start": (pl.Int32, "Offset where a repeated table header starts, after a heading or caption that stands above the table"),
    "body_start": (pl.Int32, "Offset where the text proper starts, after all that leads a table row"),
    "spans": (pl.List(SPAN), "Which slice of the text is which slice of which block: maps a quote to page and box"),
    "language": (pl.String, "ISO 639-1 of the text itself, of its page where it is too short to tell; empty when unknown"),
    "questions": (pl.List(QUESTION), "Questions to the respondent: id, number as printed, text, and where it stands in the text"),
    "question_ids": (pl.List(pl.String), "Ids of those questions: as printed (Q12, 4.2.1), else q- and a digest of the words; a bid that repeats the RFP's words has the RFP's id"),
    "references": (pl.List(pl.String), "Sections, forms, annexes, questions and documents that the text refers to"),
    "reference_targets": (pl.List(REFERENCE), "Each of those, its kind (section, annex, form, question, document) and where it stands in the same pack; empty and page 0 when not found there or not in one place only"),
    "annotations": (pl.List(pl.String), "Labels that the file's adapter gives: deadline, deviation, signature; period, current, degree; figure, reporting period, going concern"),
    "quality": (pl.Int32, "1 to 100: how fit the chunk is to stand as evidence"),
    "anchor": (pl.String, "Place in an office file where the text proper begins; empty for a PDF"),
})

FACTS = Table("facts", "One row a typed fact found in a chunk", ("pack", "chunk_id", "fact_no"), {
    **_DOC,
    "chunk_id": (pl.String, "Chunk"),
    "fact_no": (pl.Int32, "Number of the fact in its chunk, from 0"),
    "page": (pl.Int32, "Physical page of the fact"),
    "kind": (pl.String, "percent, money, days, duration, quantity, class, standard, form, date or obligation"),
    "start": (pl.Int32, "Offset in the chunk's text"),
    "end": (pl.Int32, "Offset in the chunk's text"),
    "text": (pl.String, "That slice"),
    "value": (pl.Float64, "Number, or lower end of a range"),
    "value_max": (pl.Float64, "Upper end of a range"),
    "unit": (pl.String, "percent, currency code, day, working_day, ..., or a counted noun"),
    "comparator": (pl.String, ">=, <=, >, <, = or empty"),
    "base": (pl.String, "What a percentage is of"),
    "per": (pl.String, "Rate base, e.g. day"),
    "code": (pl.String, "Standard or form without its edition"),
    "edition": (pl.String, "Edition of a standard"),
    "date": (pl.String, "ISO date with one reading"),
    "readings": (pl.List(pl.String), "Readings of an ambiguous date"),
    "role": (pl.String, "What the number or date is for"),
    "conflict": (pl.Boolean, "Words and digits disagree"),
})

TAGS = Table("tags", "One row a tag of a chunk: a view of its facts", ("pack", "chunk_id", "tag"), {
    **_DOC,
    "chunk_id": (pl.String, "Chunk"),
    "tag": (pl.String, "money, percent, days, bond, iso, form, date, must or table"),
    "hits": (pl.Int32, "Facts behind the tag"),
})

CATALOGS = Table("catalogs", "One row a catalog version", ("tender", "catalog_version"), {
    **_PACK,
    "catalog_version": (pl.String, "Content digest of the rules"),
    "rules": (pl.Int32, "Rules"),
    "mandatory": (pl.Int32, "Mandatory rules"),
    "origin": (pl.String, "file or mined"),
    "draft": (pl.Boolean, "Not yet accepted by a person: mined, or a file that calls itself a draft"),
    "title": (pl.String, "Title that the catalog file gives"),
    "source_name": (pl.String, "Catalog file, or the RFP that was mined"),
    "rfp_sha256": (pl.String, "SHA-256 over the RFP's text as it is now"),
    "made_of_rfp_sha256": (pl.String, "The same when the catalog was made, as its file says; empty where it says none"),
    "rfp_files": (pl.List(pl.String), "RFP files with their SHA-256"),
    "author": (pl.String, "Who made the catalog"),
    "created_on": (pl.String, "ISO date on which it was made, as its file says; the manifest has the time of this row"),
    "accepted_by": (pl.String, "Person who accepted it"),
    "accepted_on": (pl.String, "ISO date of acceptance, as the file says"),
    "parameters": (pl.String, "Parameters of mining and derivation, JSON"),
    "superseded": (pl.List(pl.String), "Rules of the RFP that an addendum replaced or deleted, one JSON record each: old rule, id of the new one, why"),
    "conflicts": (pl.List(pl.String), "Places of the RFP that contradict one another, where it cannot be told which holds"),
    "submission_date": (pl.String, "ISO date on which certificates must be valid"),
})

REQUIREMENTS = Table("requirements", "One row a rule", ("tender", "rule_id"), {
    **_RULE,
    "rule_no": (pl.Int32, "Order in the catalog, from 0"),
    "area": (pl.String, "Admin, Technical, Commercial, ..."),
    "mandatory": (pl.Boolean, "A Fail or Missing fails the gate"),
    "scored": (pl.Boolean, "The RFP gives points for it"),
    "obligation": (pl.String, "Words of the RFP that make it mandatory, scored or optional"),
    "text": (pl.String, "The rule"),
    "clause_ref": (pl.String, "Where the RFP states it"),
    "weight": (pl.Float64, "Weight in the score"),
    "predicates": (pl.String, "Typed predicates, JSON list; all of a group, any group"),
    "sentry_terms": (pl.List(pl.String), "Tokens that evidence must not miss"),
    "synonyms": (pl.List(pl.String), "Other words for the same thing"),
    "section_hints": (pl.List(pl.String), "Headings under which evidence usually stands"),
    "submission_date": (pl.String, "ISO date on which certificates must be valid"),
    "flags": (pl.List(pl.String), "deadline, exclusion, intellectual_property, sovereignty, insurance"),
    "question_id": (pl.String, "The RFP's question to the respondent that the rule asks"),
    "references": (pl.List(pl.String), "What the rule refers to, as found in the RFP"),
    "definitions": (pl.List(pl.String), "Defined terms that it uses, with their meaning"),
    "sources": (pl.List(SOURCE), "Every place of the RFP that states the rule"),
    "source_page": (pl.Int32, "RFP page that states the rule"),
    "source_quote": (pl.String, "RFP words that state the rule"),
    "draft": (pl.Boolean, "Of a catalog that no person has accepted yet"),
})

LEXICAL_INDEX = Table("lexical_index", "Parts of the BM25 index of a pack", ("pack", "name"), {
    **_PACK,
    "name": (pl.String, "Part of the index"),
    "content": (pl.Binary, "Bytes of that part"),
})
DENSE_INDEX = Table("dense_index", "Parts of the FAISS index of a pack", ("pack", "name"), {
    **_PACK,
    "name": (pl.String, "Part of the index"),
    "content": (pl.Binary, "Bytes of that part"),
})

CANDIDATES = Table("candidates", "One row a rule and chunk that some leg found", ("pack", "rule_id", "chunk_id"), {
    **_RULE,
    "chunk_id": (pl.String, "Chunk"),
    "rank": (pl.Int32, "Rank by evidence score, from 1"),
    "bm25_rank": (pl.Int32, "Rank in the lexical leg"),
    "bm25_score": (pl.Float64, "BM25 score"),
    "dense_rank": (pl.Int32, "Rank in the dense leg"),
    "dense_score": (pl.Float64, "Cosine"),
    "sparse_rank": (pl.Int32, "Rank in the leg of the sparse model, where there is one"),
    "sparse_score": (pl.Float64, "Its score"),
    "tag_rank": (pl.Int32, "Rank in the tag pool, by evidence"),
    "tag_hits": (pl.List(pl.String), "Tags of the rule's pool that the chunk carries"),
    "clause_rank": (pl.Int32, "Rank in the pool of chunks under a hinted heading"),
    "relevance_rank": (pl.Int32, "Rank among all chunks by both legs' standardised scores and those of the page"),
    "rrf": (pl.Float64, "Fused reciprocal rank"),
    "evidence_score": (pl.Float64, "Sum of the parts below"),
    "score_terms": (pl.Float64, "Part: concept terms seen"),
    "score_numbers": (pl.Float64, "Part: required numbers, standards and forms seen"),
    "score_section": (pl.Float64, "Part: under a hinted heading, or a statement of accounts that the rule is about"),
    "score_title": (pl.Float64, "Part: under a title whose words the rule has, in excess of the part before"),
    "score_table": (pl.Float64, "Part: table row for a numeric rule"),
    "score_length": (pl.Float64, "Part: penalty for too long or too short"),
    "score_echo": (pl.Float64, "Part: penalty for repeating the RFP"),
    "score_lexical": (pl.Float64, "Part: BM25 score, standardised over the pack"),
    "score_dense": (pl.Float64, "Part: cosine, standardised over the pack"),
    "score_page": (pl.Float64, "Part: best chunks of the same page"),
    "score_rrf": (pl.Float64, "Part: fused rank, scaled; 0 where scores are fused"),
    "score_confirmed": (pl.Float64, "Part: likeness to evidence that people confirmed for the rule, standardised over the pack; 0 where that is not in use"),
    "score_rerank": (pl.Float64, "Part: score of the cross-encoder, standardised over what it read; what it did not read has its lowest; 0 where it is off"),
    "confirmed_score": (pl.Float64, "Cosine with the mean of the rule's confirmed evidence in other packs; empty where there is none"),
    "rerank_score": (pl.Float64, "Output of the cross-encoder for rule and chunk; empty where it was not read"),
    "sentry_hits": (pl.List(pl.String), "Sentry terms seen in the chunk"),
})

PASSAGES = Table("passages", "One row a passage chosen for a rule", ("pack", "rule_id", "order_no"), {
    **_RULE,
    "order_no": (pl.Int32, "Order of choice, from 1"),
    "chunk_id": (pl.String, "Chunk"),
    "why": (pl.String, "best, diverse, table guard, clause guard, sentry or escalated"),
    "attempt": (pl.Int32, "1, or 2 after escalation"),
    "missing_terms": (pl.List(pl.String), "Sentry terms still unseen after the whole choice"),
})

JUDGEMENTS = Table("judgements", "One row a rule and attempt", ("pack", "rule_id", "attempt"), {
    **_RULE,
    "attempt": (pl.Int32, "From 1"),
    "judge": (pl.String, "predicate, llama or openai"),
    "model": (pl.String, "Model name; the judge's code version for predicate"),
    "prompt_sha256": (pl.String, "Digest of everything that the judge was shown"),
    "raw_answer": (pl.String, "Answer as given"),
    "status": (pl.String, "Pass, Partial, Fail or Missing"),
    "rationale": (pl.String, "Why, under 80 words"),
    "quote": (pl.String, "Evidence, verbatim, under 40 words"),
    "chunk_id": (pl.String, "Chunk that the quote is from"),
    "pages": (pl.List(pl.Int32), "Pages named by the judge"),
    "risk": (pl.String, "Low, Medium or High"),
    "needs_review": (pl.Boolean, "The judge abstains or doubts"),
    "review_reason": (pl.String, "Why"),
    "other_quotes": (pl.List(pl.String), "Further quotes, e.g. the other side of a contradiction"),
    "shown": (pl.List(SHOWN), "Chunks that the judge read, in order; context: read beside the chosen passages"),
    "tokens_in": (pl.Int32, "Tokens sent; 0 without a model"),
    "tokens_out": (pl.Int32, "Tokens returned"),
})

FINDINGS = Table("findings", "One row a rule: the verdict after all checks", ("pack", "rule_id"), {
    **_RULE,
    "area": (pl.String, "Area of the rule"),
    "mandatory": (pl.Boolean, "A Fail or Missing fails the gate"),
    "status": (pl.String, "Pass, Partial, Fail or Missing"),
    "judged_status": (pl.String, "What the judge said before the checks"),
    "rationale": (pl.String, "Why"),
    "quote": (pl.String, "The source's own words"),
    "match_kind": (pl.String, "exact, typographic, dehyphenated, interleaved, elided or none"),
    "chunk_id": (pl.String, "Chunk that holds the quote"),
    "doc_id": (pl.String, "Document"),
    "file_name": (pl.String, "File"),
    "page": (pl.Int32, "Physical page of the quote"),
    "page_label": (pl.String, "Printed label of that page"),
    "heading_path": (pl.String, "Headings above the quote"),
    "boxes": (pl.List(BOX), "Where the quote stands, in points, origin top left; all zero in an office file"),
    "anchor": (pl.String, "Where the quote stands in an office file: 'Prices!B7', 'paragraph 12'; empty for a PDF"),
    "checks_passed": (pl.List(pl.String), "Live checks that hold"),
    "checks_failed": (pl.List(pl.String), "Live checks that do not, with the reason"),
    "needs_review": (pl.Boolean, "A person should look"),
    "review_reason": (pl.String, "Why"),
    "risk": (pl.String, "Low, Medium or High"),
    "other_quotes": (pl.List(pl.String), "Further quotes"),
    "absence": (pl.String, "JSON: where it was looked for, what was readable, the nearest miss"),
    "judge": (pl.String, "Judge"),
})

SCORES = Table("scores", "One row a pack", ("pack",), {
    **_PACK,
    "catalog_version": (pl.String, "Catalog"),
    "gate": (pl.String, "pass, fail or cannot decide"),
    "gate_reasons": (pl.List(pl.String), "One line each"),
    "gate_flips": (pl.List(GATE_FLIP), "Single verdicts that would turn the gate if they were another: mandatory rule, its verdict, the other one, the gate then"),
    "technical": (pl.Float64, "Mean of 1, 0.5 and 0 over the technical rules"),
    "technical_rules": (pl.Int32, "Technical rules"),
    "commercial": (pl.Float64, "The same over the commercial rules"),
    "commercial_rules": (pl.Int32, "Commercial rules"),
    "overall": (pl.Float64, "The same over all rules, by weight"),
    "passed": (pl.Int32, "Rules with Pass"),
    "partial": (pl.Int32, "Rules with Partial"),
    "failed": (pl.Int32, "Rules with Fail"),
    "missing": (pl.Int32, "Rules with Missing"),
    "to_review": (pl.Int32, "Rules that a person should look at"),
    "quotes_verified": (pl.Int32, "Verdicts other than Missing whose quote is proven"),
    "pages": (pl.Int32, "Physical pages"),
    "pages_readable": (pl.Int32, "Pages with citable text or truly blank"),
    "unreadable_files": (pl.List(pl.String), "Files that could not be opened"),
})

REPORTS = Table("reports", "Rendered reports of a tender", ("tender", "name"), {
    **_PACK,
    "name": (pl.String, "File name"),
    "content": (pl.Binary, "Bytes"),
})

EVALUATIONS = Table("evaluations", "One row a figure of a labelled set: metric, value, cases and interval", ("set_name", "kind", "language", "metric"), {
    "set_name": (pl.String, "Labelled set, by its folder"),
    "set_sha256": (pl.String, "Digest of its labels and of the files that they speak of"),
    "kind": (pl.String, "retrieval, verdicts or losses"),
    "language": (pl.String, "ISO 639-1 of the pages that hold the gold; empty for all together"),
    "metric": (pl.String, "recall@30, mandatory_recall@30, mrr, accuracy, false_pass, lost_parse, ..."),
    "value": (pl.Float64, "0 to 1; empty where nothing was counted"),
    "n": (pl.Int32, "Cases counted"),
    "low": (pl.Float64, "Lower end of the 95% Wilson interval"),
    "high": (pl.Float64, "Upper end"),
    "k": (pl.Int32, "Candidates of a rule that count for losses and for the check"),
    "params_sha256": (pl.String, "Digest of the parameters that change a figure; the manifest has them in full"),
    "code_versions": (pl.String, "JSON: behaviour version of each stage"),
})

# fmt: on

TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        DOCUMENTS, PAGES, BLOCKS, TABLE_CELLS, INTEGRITY, CHUNKS, FACTS, TAGS, CATALOGS, REQUIREMENTS, LEXICAL_INDEX,
        DENSE_INDEX, CANDIDATES, PASSAGES, JUDGEMENTS, FINDINGS, SCORES, REPORTS, EVALUATIONS,
        PROTOTYPES, LEARNING_CHECKS, TOKEN_PLAN, USAGE, ESCALATIONS, OBJECTIONS, CONSISTENCY, RANKINGS,
        AUDITS, AUDIT_BOUNDS, OVERRIDES, REVIEWS,
    )
}  # fmt: skip
