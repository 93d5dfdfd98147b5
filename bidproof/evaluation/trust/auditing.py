"""Audits of Passes: the lot, the draw, and what follows from the auditor's answers.

A lot is every Pass that nobody would otherwise look at. Frames in, frames out; where audits are kept stands in
`audit_record`, how many to draw in `sampling`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import polars as pl

from bidproof.evaluation.trust.sampling import (
    SamplingPlan,
    clopper_pearson,
    sampling_plan,
    upper_bound,
)
from bidproof.records import Record, Status
from bidproof.store import digest
from bidproof.trust_tables import AUDIT_BOUNDS, AUDITS

WHOLE = "all"
_KEPT = (
    "tender",
    "bidder",
    "pack",
    "rule_id",
    "catalog_version",
    "mandatory",
    "rationale",
    "quote",
    "file_name",
    "page",
    "page_label",
)


class AuditPlan(Record):
    """What an audit is to show: at most `bound` of the Passes wrong, with `confidence`, `allowed` wrong ones seen.

    `apart` makes the mandatory rules' Passes a lot of their own, for which the bound holds by itself: a wrong one of
    them opens the gate.
    """

    bound: float = 0.02
    confidence: float = 0.95
    allowed: int = 0
    seed: int = 1
    apart: bool = False


class Answer(Record):
    """What an auditor says of one Pass."""

    right: bool
    auditor: str = ""
    note: str = ""
    of: tuple[str, str, str] = ("", "", "")
    """Tender, bidder and rule id as the sheet has them beside the number; empty where it does not."""


def lot_of(findings: pl.DataFrame, texts: Mapping[tuple[str, str], str]) -> list[dict[str, Any]]:
    """Passes without a flag, in order of pack and rule, each with its rule's text and the digest of its finding.

    `texts` are the rules' texts by tender and rule id.
    """
    lot = findings.filter((pl.col("status") == Status.PASS.value) & ~pl.col("needs_review"))
    return [
        {
            **{name: row[name] for name in _KEPT},
            "text": texts.get((row["tender"], row["rule_id"]), ""),
            "finding_sha256": digest(json.loads(json.dumps(row, sort_keys=True))),
        }
        for row in lot.sort("pack", "rule_id").iter_rows(named=True)
    ]


def drawn(lot: Sequence[dict[str, Any]], plan: AuditPlan, name: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The audit of a lot before anybody has looked: rows of `audits` and of `audit_bounds`.

    The same lot, plan and name give the same draw. Mandatory rules come first, in whose order an auditor works.
    """
    audit = f"{name}-{digest([[one['finding_sha256'] for one in lot], plan.model_dump()])[:10]}"
    samples: list[dict[str, object]] = []
    bounds: list[dict[str, object]] = []
    for lot_name, members in _lots(lot, plan.apart):
        asked = sampling_plan(len(members), plan.bound, plan.confidence, plan.allowed)
        chosen = Random(f"{plan.seed} {lot_name}").sample(range(len(members)), asked.sample)
        samples += [
            {"audit": audit, "lot": lot_name, **members[place], "auditor": "", "note": ""}
            for place in sorted(chosen)
        ]
        bounds.append({
            "audit": audit, "lot": lot_name, "passes": len(members), "bound": plan.bound, "confidence": plan.confidence,
            "lot_sha256": digest([one["finding_sha256"] for one in members]), "allowed": asked.allowed,
            "sample": asked.sample, "seed": plan.seed, **_found(asked, [None] * asked.sample),
        })  # fmt: skip
    samples.sort(key=lambda one: (not one["mandatory"], str(one["pack"]), str(one["rule_id"])))
    rows = AUDITS.frame([{**one, "number": number} for number, one in enumerate(samples, start=1)])
    return rows, AUDIT_BOUNDS.frame(bounds)


def _lots(lot: Sequence[dict[str, Any]], apart: bool) -> list[tuple[str, list[dict[str, Any]]]]:
    if not apart:
        return [(WHOLE, list(lot))]
    mandatory = [one for one in lot if one["mandatory"]]
    return [("mandatory", mandatory), ("optional", [one for one in lot if not one["mandatory"]])]


def answered(
    rows: pl.DataFrame, bounds: pl.DataFrame, answers: Mapping[int, Answer]
) -> tuple[pl.DataFrame, pl.DataFrame]:  # fmt: skip
    """Both frames of an audit after `answers`, by number; answers given before stay where there is no new one."""
    told = [
        {**row, **answers[row["number"]].model_dump(exclude={"of"})} if row["number"] in answers else row
        for row in rows.iter_rows(named=True)
    ]
    new = AUDITS.frame(told)
    plans = []
    for row in bounds.iter_rows(named=True):
        right = new.filter(pl.col("lot") == row["lot"])["right"].to_list()
        plan = SamplingPlan(
            lot=row["passes"], bound=row["bound"], confidence=row["confidence"], allowed=row["allowed"], sample=row["sample"]
        )  # fmt: skip
        plans.append({**row, **_found(plan, right)})
    return new, AUDIT_BOUNDS.frame(plans)


def _found(plan: SamplingPlan, right: Sequence[bool | None]) -> dict[str, object]:
    """Counts and bounds of a lot: what nobody has looked at counts as wrong until somebody has.

    More wrong ones than allowed decide at once; no open answer can take them back.
    """
    wrong, audited = sum(one is False for one in right), sum(one is not None for one in right)
    pessimistic = wrong + plan.sample - audited
    accepted = False if wrong > plan.allowed else (True if pessimistic <= plan.allowed else None)
    return {
        "audited": audited, "wrong": wrong, "accepted": accepted,
        "upper": upper_bound(pessimistic, plan.sample, plan.lot, plan.confidence) if plan.lot else 0.0,
        "upper_process": clopper_pearson(pessimistic, plan.sample, plan.confidence),
    }  # fmt: skip


def rule_texts(requirements: pl.DataFrame) -> dict[tuple[str, str], str]:
    """Texts of rules by tender and rule id."""
    return {
        (tender, rule): text
        for tender, rule, text in requirements.select("tender", "rule_id", "text").iter_rows()
    }
