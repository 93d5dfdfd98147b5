"""Schemas of what asking a model will cost and did cost. `tables` lists them among all others."""

from __future__ import annotations

import polars as pl

from bidproof.table import PACK_COLUMNS, Table

# One line a column, so that a table reads as a table.
# fmt: off
TOKEN_PLAN = Table("token_plan", "One row a request that a run is expected to send: the newest plan of a pack, and those that runs were held against", ("pack", "plan_no", "pass_name", "batch_no"), {
    **PACK_COLUMNS,
    "plan_no": (pl.Int32, "Number of the pack's plan, from 1"),
    "catalog_version": (pl.String, "Content digest of the catalog; empty where rules are estimated"),
    "judge": (pl.String, "predicate, llama or openai; the first asks no model and has no rows"),
    "basis": (pl.String, "passages: those of the warehouse, which are fresh; estimate: pages and sizes of files"),
    "pass_name": (pl.String, "triage, or full"),
    "batch_no": (pl.Int32, "Number of the request in its pass, from 1"),
    "rules": (pl.List(pl.String), "Rules asked about"),
    "mandatory": (pl.Boolean, "They are mandatory, and go first"),
    "chance": (pl.Float64, "Chance that it is sent at all: a full pass only follows where triage settles not all of its rules"),
    "tokens_in": (pl.Float64, "Tokens expected to be sent: of the rules that triage is expected to leave, and of the instructions by the chance above"),
    "tokens_in_max": (pl.Int64, "Tokens sent if all its rules are asked"),
    "tokens_out": (pl.Float64, "Tokens expected to be returned"),
    "tokens_out_max": (pl.Int64, "Tokens that the answer may have at most"),
    "cost": (pl.Float64, "Expected cost; empty: no price is known"),
    "currency": (pl.String, "Currency of the cost"),
})

USAGE = Table("usage", "One row a request that was sent to a model for a pack: a log, which no run rewrites", ("pack", "run_no", "request_no"), {
    **PACK_COLUMNS,
    "catalog_version": (pl.String, "Content digest of the catalog"),
    "judge": (pl.String, "llama or openai"),
    "model": (pl.String, "Model name"),
    "run_no": (pl.Int32, "Number of the run that asked a model for this pack, from 1"),
    "plan_no": (pl.Int32, "Plan that was the newest when it ran; 0 where there was none"),
    "request_no": (pl.Int32, "Number of the request in that run, from 1, in order of its answer"),
    "pass_name": (pl.String, "triage, full, or escalation: further rounds, of which a plan knows only the most that they can be"),
    "rules": (pl.List(pl.String), "Rules asked about"),
    "attempts": (pl.Int32, "Times that it was sent"),
    "outcome": (pl.String, "ok, truncated, or failed"),
    "failed": (pl.String, "Why there is no answer"),
    "tokens_planned": (pl.Int64, "Tokens sent by our own count, before the first attempt"),
    "tokens_out_max": (pl.Int64, "Tokens that the answer might have"),
    "tokens_in": (pl.Int64, "Tokens sent over all attempts, as the server counted; by our own count where it did not say"),
    "tokens_out": (pl.Int64, "Tokens returned"),
    "cost": (pl.Float64, "Cost by the prices set; empty: no price is known"),
    "currency": (pl.String, "Currency of the cost"),
    "waited_seconds": (pl.Float64, "From when it was ready to its last start: room in the window, pauses, failed attempts"),
    "seconds": (pl.Float64, "From there to its answer"),
    "finished_seconds": (pl.Float64, "From the run's first request to its answer"),
})
# fmt: on
