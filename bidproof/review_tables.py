"""Schemas of what people decide: the log of their verdicts, and what of it still holds.

`tables` lists them among all others.
"""

from __future__ import annotations

import polars as pl

from bidproof.table import BOX, RULE_COLUMNS, Table

# One line a column, so that a table reads as a table.
# fmt: off
OVERRIDES = Table("overrides", "One row a decision of a person on a verdict; the log is only ever added to", ("event_id",), {
    "event_id": (pl.String, "Time and a random part; sorts by time"),
    "at": (pl.String, "When, in UTC"),
    "reviewer": (pl.String, "Who"),
    **RULE_COLUMNS,
    "action": (pl.String, "agree, override, or withdraw: what was decided before no longer holds"),
    "from_status": (pl.String, "Verdict of `findings` that the person saw"),
    "to_status": (pl.String, "Verdict that the person gives; empty for withdraw"),
    "reason": (pl.String, "Why"),
    "comment": (pl.String, "Anything else"),
    "document_sha256": (pl.String, "File of the evidence that the person takes, by its bytes; empty without evidence"),
    "file_name": (pl.String, "Name of that file"),
    "page": (pl.Int32, "Physical page of the evidence"),
    "quote": (pl.String, "The evidence, in the source's own words"),
    "seen_document_sha256": (pl.String, "File that the verdict rested on when the person saw it; empty where nothing was found"),
    "seen_quote": (pl.String, "Words that it rested on"),
    "seen_review_reason": (pl.String, "Why that verdict was to be looked at; empty where it was not"),
    "rule_sha256": (pl.String, "Digest of the rule's words"),
    "pack_sha256": (pl.String, "Digest of all files of the pack"),
})

REVIEWS = Table("reviews", "One row a rule that a person has decided on: whether that still holds for the pack as it is now", ("pack", "rule_id"), {
    **RULE_COLUMNS,
    "event_id": (pl.String, "The last decision, in `overrides`"),
    "at": (pl.String, "When it was taken, in UTC"),
    "reviewer": (pl.String, "By whom"),
    "action": (pl.String, "agree or override"),
    "state": (pl.String, "kept: same rule, same evidence; reopened: one of them has drifted, and the finding stands again until somebody looks"),
    "drift": (pl.String, "What has drifted; empty where it is kept"),
    "from_status": (pl.String, "Verdict that the person saw"),
    "to_status": (pl.String, "Verdict that the person gave"),
    "found_status": (pl.String, "Verdict of `findings` as it is now; empty where the rule has none"),
    "status": (pl.String, "Verdict that counts: the person's where it is kept, else that of `findings`"),
    "needs_review": (pl.Boolean, "A person should look again"),
    "review_reason": (pl.String, "Why"),
    "rationale": (pl.String, "Who decided and why, with what the pipeline says"),
    "quote": (pl.String, "Evidence of the person's verdict, found in the pack as it is now; empty for Missing and where reopened"),
    "match_kind": (pl.String, "exact, typographic, dehyphenated or none"),
    "chunk_id": (pl.String, "Chunk that holds it"),
    "doc_id": (pl.String, "Document"),
    "file_name": (pl.String, "File"),
    "page": (pl.Int32, "Physical page"),
    "page_label": (pl.String, "Printed label of that page"),
    "heading_path": (pl.String, "Headings above it"),
    "boxes": (pl.List(BOX), "Where it stands, in points, origin top left"),
    "anchor": (pl.String, "Where it stands in an office file"),
})
# fmt: on
