"""Schemas of audits: which Passes were drawn for people to look at, what they found, and the bound that follows.

`tables` lists them among all others.
"""

from __future__ import annotations

import polars as pl

from bidproof.table import RULE_COLUMNS, Table

# One line a column, so that a table reads as a table.
# fmt: off
AUDITS = Table("audits", "One row a Pass that was drawn for an audit", ("audit", "number"), {
    "audit": (pl.String, "Id of the audit: tender, or 'all', and a digest of the lot, the plan and the seed"),
    "lot": (pl.String, "Lot that it was drawn from: all, mandatory or optional"),
    "number": (pl.Int32, "Number on the sheet, from 1: mandatory rules first"),
    **RULE_COLUMNS,
    "mandatory": (pl.Boolean, "The rule is mandatory"),
    "text": (pl.String, "The rule"),
    "rationale": (pl.String, "Why it is a Pass, as the finding says"),
    "quote": (pl.String, "Evidence, in the source's own words"),
    "file_name": (pl.String, "File"),
    "page": (pl.Int32, "Physical page of the quote"),
    "page_label": (pl.String, "Printed label of that page"),
    "finding_sha256": (pl.String, "Digest of the finding as it was drawn"),
    "right": (pl.Boolean, "The auditor finds that the rule is met; empty until somebody has looked"),
    "auditor": (pl.String, "Who looked"),
    "note": (pl.String, "What they say"),
})

AUDIT_BOUNDS = Table("audit_bounds", "One row a lot of an audit: the plan, what was found, and how many of its Passes can be wrong", ("audit", "lot"), {
    "audit": (pl.String, "Id of the audit"),
    "lot": (pl.String, "all, mandatory or optional"),
    "passes": (pl.Int32, "Passes of the lot: all that nobody would otherwise look at"),
    "lot_sha256": (pl.String, "Digest of the lot's findings"),
    "bound": (pl.Float64, "Share of wrong Passes that the audit is to rule out"),
    "confidence": (pl.Float64, "Confidence, one-sided"),
    "allowed": (pl.Int32, "Wrong ones with which the lot is still accepted"),
    "sample": (pl.Int32, "Passes to audit"),
    "seed": (pl.Int64, "Seed of the draw"),
    "audited": (pl.Int32, "Passes that somebody has looked at"),
    "wrong": (pl.Int32, "Wrong ones among them"),
    "accepted": (pl.Boolean, "The lot is accepted; empty while that is open"),
    "upper": (pl.Float64, "Upper bound on the share of wrong Passes in the lot, exact (hypergeometric); what was drawn and not yet looked at counts as wrong"),
    "upper_process": (pl.Float64, "Upper bound on the rate of the process that made the lot (Clopper-Pearson), on the same count"),
})

# fmt: on
