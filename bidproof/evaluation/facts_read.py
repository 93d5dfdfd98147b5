"""Whether the product read in a chunk the fact that stands there, with its value and unit."""

from __future__ import annotations

from collections.abc import Mapping
from math import isclose
from typing import Any

import polars as pl

from bidproof.evaluation.labelled import StatedFact
from bidproof.facts import convert, find_facts, same_standard

_COLUMNS = ("chunk_id", "kind", "value", "value_max", "unit", "code", "edition", "date")


class FactsRead:
    """Facts of a pack by chunk; `facts` are rows of `tables.FACTS`."""

    def __init__(self, facts: pl.DataFrame) -> None:
        self._by_chunk: dict[str, list[Mapping[str, Any]]] = {}
        for row in facts.select(_COLUMNS).iter_rows(named=True):
            self._by_chunk.setdefault(row["chunk_id"], []).append(row)

    def reads(self, chunk_id: str, fact: StatedFact) -> bool:
        """Whether one of the chunk's facts is `fact`."""
        return any(_is(row, fact) for row in self._by_chunk.get(chunk_id, ()))

    def stated(self, text: str) -> list[StatedFact]:
        """Facts of a gold snippet that names none: those that are read in it when it stands alone.

        A chunk may read less: in a cell, over a line end, in another language.
        """
        return [
            StatedFact(value=one.value, unit=one.unit, code=one.code, edition=one.edition, date=one.date)
            for one in find_facts(text)
            if one.value_max is None and (one.value is not None or one.code or one.date)
        ]


def _is(row: Mapping[str, Any], fact: StatedFact) -> bool:
    if fact.date:
        return bool(row["date"] == fact.date)
    if fact.code:
        same = row["code"] == fact.code or (
            row["kind"] == "standard" and same_standard(row["code"], fact.code)
        )
        return bool(same and (row["edition"] or "") == fact.edition)
    if fact.value is None:
        return False
    return any(
        value is not None
        and (there := convert(value, row["unit"] or "", fact.unit)) is not None
        and isclose(there, fact.value, rel_tol=1e-9)
        for value in (row["value"], row["value_max"])
    )
