"""Schemas of what is learned from evidence that people confirmed. `tables` lists them among all others."""

from __future__ import annotations

import polars as pl

from bidproof.table import PACK_COLUMNS, RULE_COLUMNS, Table

# One line a column, so that a table reads as a table.
# fmt: off
PROTOTYPES = Table("prototypes", "One row a rule and a pack in which people confirmed evidence for it", ("pack", "rule_id", "evidence_pack"), {
    **RULE_COLUMNS,
    "rule_sha256": (pl.String, "Digest of the rule's words: what is learned holds for a rule as long as it reads the same"),
    "evidence_pack": (pl.String, "Pack that holds the evidence; ranking that pack leaves this row out"),
    "passages": (pl.Int32, "Confirmed passages"),
    "sources": (pl.List(pl.String), "What confirmed them: labelled item, or override event"),
    "embedder": (pl.String, "Fingerprint of the model that made the vector"),
    "vector": (pl.List(pl.Float32), "Sum of the passages' unit vectors; a prototype is the unit vector along the sum over packs"),
})

LEARNING_CHECKS = Table("learning_checks", "One row a catalog: what learning from confirmed evidence gains on packs held out, and whether it is in use", ("pack",), {
    **PACK_COLUMNS,
    "catalog_version": (pl.String, "Content digest of the catalog whose rules were ranked; empty for rules of no catalog"),
    "embedder": (pl.String, "Fingerprint of the model"),
    "in_use": (pl.Boolean, "The check holds: candidates of this tender are ranked with it"),
    "reason": (pl.String, "Why, in one line"),
    "documents": (pl.Int32, "Packs held out, each ranked by what was confirmed in the others"),
    "rules": (pl.Int32, "Rankings compared: rules with evidence in a pack held out and in another"),
    "mrr_without": (pl.Float64, "Mean over packs of the mean reciprocal rank of a rule's first evidence, without learning"),
    "mrr_with": (pl.Float64, "The same with it"),
    "recall8_without": (pl.Float64, "Mean over packs of the mean share of a rule's evidence among its first 8 candidates, without learning"),
    "recall8_with": (pl.Float64, "The same with it"),
    "packs_better": (pl.Int32, "Packs held out whose mean reciprocal rank rose"),
    "packs_worse": (pl.Int32, "Packs held out whose mean reciprocal rank fell"),
    "p": (pl.Float64, "Chance of a gain in reciprocal rank as large or larger if learning did nothing: one-sided randomisation test over packs"),
    "confirmed_rules": (pl.Int32, "Rules with confirmed evidence"),
    "confirmed_passages": (pl.Int32, "Confirmed passages"),
})
