"""Schemas of what follows from verdicts beside one another: second rounds, contradictions, the order of bidders.

`tables` lists them among all others.
"""

from __future__ import annotations

import polars as pl

from bidproof.table import PACK_COLUMNS, RULE_COLUMNS, SHOWN, Table

GATE_FLIP = pl.Struct(
    {"rule_id": pl.String, "status": pl.String, "if_status": pl.String, "gate": pl.String, "needs_review": pl.Boolean}
)  # fmt: skip

# One line a column, so that a table reads as a table.
# fmt: off
ESCALATIONS = Table("escalations", "One row a round in which a mandatory rule was judged again because its verdict did not survive the checks", ("pack", "rule_id", "round_no"), {
    **RULE_COLUMNS,
    "round_no": (pl.Int32, "Round, from 1"),
    "trigger": (pl.String, "Check that the verdict before failed, with the reason"),
    "added": (pl.List(pl.String), "Chunks of the fresh search that were not among the passages, in order of choice"),
    "judge": (pl.String, "predicate, llama or openai"),
    "model": (pl.String, "Model name; the judge's code version for predicate"),
    "prompt_sha256": (pl.String, "Digest of everything that the judge was shown"),
    "raw_answer": (pl.String, "Answer as given"),
    "status": (pl.String, "Pass, Partial, Fail or Missing, before the checks"),
    "rationale": (pl.String, "Why"),
    "quote": (pl.String, "Evidence, verbatim"),
    "chunk_id": (pl.String, "Chunk that the quote is from"),
    "pages": (pl.List(pl.Int32), "Pages named by the judge"),
    "risk": (pl.String, "Low, Medium or High"),
    "needs_review": (pl.Boolean, "The judge abstains or doubts"),
    "review_reason": (pl.String, "Why"),
    "other_quotes": (pl.List(pl.String), "Further quotes"),
    "shown": (pl.List(SHOWN), "Chunks that the judge read, in order; context: read beside the chosen passages"),
    "tokens_in": (pl.Int32, "Tokens sent; 0 without a model"),
    "tokens_out": (pl.Int32, "Tokens returned"),
    "checks_failed": (pl.List(pl.String), "Live checks that this answer does not hold, with the reason"),
    "outcome": (pl.String, "settled: it takes the place of the verdict before; contrary: a Pass beside a Fail by code, which stands; open: nothing proven"),
})

OBJECTIONS = Table("objections", "One row a statement that may speak against a Pass in other words: near to rule and proof, with a failing figure or a denial", ("pack", "rule_id", "order_no"), {
    **RULE_COLUMNS,
    "order_no": (pl.Int32, "From 1, the nearest first"),
    "kind": (pl.String, "figure: it would fail a predicate of the rule; denial: the statement denies or limits something"),
    "said": (pl.String, "The figure, or the words that deny"),
    "text": (pl.String, "The statement"),
    "chunk_id": (pl.String, "Chunk that holds it"),
    "file_name": (pl.String, "File"),
    "page": (pl.Int32, "Physical page"),
    "to_rule": (pl.Float64, "Likeness to the rule, in deviations above the median of the pack's chunks"),
    "to_proof": (pl.Float64, "Likeness to the quote of the Pass, likewise"),
    "reason": (pl.String, "What a reviewer is told"),
})

CONSISTENCY = Table("consistency", "One row a verdict and another one that it contradicts: same evidence, other verdict", ("pack", "rule_id", "kind", "other_pack", "other_rule_id"), {
    **RULE_COLUMNS,
    "kind": (pl.String, "same bid: two rules of the same measure; other bidder: the same rule on the same words; not found: words that were judged for another bidder stand in this one's candidates"),
    "status": (pl.String, "Verdict"),
    "page": (pl.Int32, "Physical page of its quote"),
    "other_bidder": (pl.String, "Bidder of the other verdict"),
    "other_pack": (pl.String, "Pack of the other verdict"),
    "other_rule_id": (pl.String, "Rule of the other verdict"),
    "other_status": (pl.String, "The other verdict"),
    "other_page": (pl.Int32, "Physical page of the other quote"),
    "others": (pl.Int32, "Verdicts that it contradicts like this one, this one included"),
    "evidence": (pl.String, "The words that both rest on, in one spelling; empty where they rest on other words"),
    "reason": (pl.String, "What a reviewer is told"),
})

RANKINGS = Table("rankings", "One row a bidder: its place among the bidders of the tender", ("pack",), {
    **PACK_COLUMNS,
    "catalog_version": (pl.String, "Content digest of the catalog"),
    "order_no": (pl.Int32, "Place in the list, from 1: gate pass by rank, then cannot decide, then fail"),
    "gate": (pl.String, "pass, fail or cannot decide"),
    "rank": (pl.Int32, "Competition rank (1, 1, 3) among the bidders whose gate is pass; empty for all others"),
    "rank_if_passed": (pl.Int32, "Rank that it would have if its gate alone became pass; for a bidder that passes, its rank"),
    "score": (pl.Float64, "Score that ranks, 0 to 1; empty without rules of that kind"),
    "ranked_by": (pl.String, "technical, commercial or overall (scoring.rank_by)"),
    "tied_with": (pl.List(pl.String), "Bidders of the same rank"),
})
# fmt: on
