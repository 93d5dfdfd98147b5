"""The order of a tender's bidders: gate first, then one score, ties shared.

Belongs here: ranks. Does not belong here: points and gates (`scores`, `gate`): they never mix, so that no score makes
up for a failed gate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from bidproof.params import ScoringParams
from bidproof.records import Gate
from bidproof.verdict_tables import RANKINGS

_DIGITS = 9
"""Decimals at which two scores are the same: sums of the same points in another order differ in their last digits."""
_LISTED = {Gate.PASS.value: 0, Gate.CANNOT_DECIDE.value: 1, Gate.FAIL.value: 2}

Row = Mapping[str, Any]


def competition_rank(score: float, others: Sequence[float]) -> int:
    """One more than there are better scores: 1, 1, 3."""
    return 1 + sum(other > score for other in others)


def rank_bidders(scores: pl.DataFrame, params: ScoringParams) -> pl.DataFrame:
    """Rows of `rankings`, in order of place; `scores` holds one row a pack of one tender.

    Only bidders whose gate is pass have a rank. The others are listed behind them, each with the rank that it would
    have if its gate alone became pass: first those whose gate cannot be decided, then those that fail. A bidder
    without a score that ranks (no rule of that kind) has none of either. The result heeds no order of rows.
    """
    rows = sorted(scores.to_dicts(), key=lambda row: str(row["pack"]))
    points = {row["pack"]: _points(row, params) for row in rows}
    passing = {
        row["pack"]: score
        for row in rows
        if row["gate"] == Gate.PASS and (score := points[row["pack"]]) is not None
    }
    ranked = sorted(
        ({**row, "rank_if_passed": _rank(row["pack"], points, passing)} for row in rows), key=_listed
    )
    return RANKINGS.frame([
        {
            **{name: row[name] for name in ("tender", "bidder", "pack", "catalog_version", "gate", "rank_if_passed")},
            "order_no": number, "rank": row["rank_if_passed"] if row["pack"] in passing else None,
            "score": points[row["pack"]], "ranked_by": params.rank_by,
            "tied_with": _tied(row["pack"], passing, rows),
        }
        for number, row in enumerate(ranked, start=1)
    ])  # fmt: skip


def _points(row: Row, params: ScoringParams) -> float | None:
    score = row[params.rank_by]
    return None if score is None else round(score, _DIGITS)


def _rank(pack: str, points: Mapping[str, float | None], passing: Mapping[str, float]) -> int | None:
    own = points[pack]
    if own is None:
        return None
    return competition_rank(own, [score for other, score in passing.items() if other != pack])


def _listed(row: Row) -> tuple[int, float, str]:
    rank = row["rank_if_passed"]
    return _LISTED[row["gate"]], float("inf") if rank is None else rank, str(row["pack"])


def _tied(pack: str, passing: Mapping[str, float], rows: Sequence[Row]) -> list[str]:
    if pack not in passing:
        return []
    return [
        row["bidder"]
        for row in rows
        if row["pack"] != pack and row["pack"] in passing and passing[row["pack"]] == passing[pack]
    ]
