"""Which chunks carry a number, code or date that a rule asks for.

Holds the comparison of a rule's typed predicates with the typed facts of a pack, all chunks at once. Must not
hold verdicts: a chunk that says 60 days is as much evidence for `at least 90 days` as one that says 90, and
hiding the first would be the wrong Pass that this product exists to prevent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import polars as pl

from bidproof.facts import convert, find_facts, same_standard
from bidproof.records import Predicate, Requirement

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

TYPED = frozenset({"quantity", "standard", "form", "date"})
_NUMERIC_KINDS = ("percent", "money", "days", "duration", "quantity", "class")


class FactColumns:
    """Facts of a pack as arrays, one place a fact, pointing at positions of chunks."""

    def __init__(self, chunk_ids: Sequence[str], facts: pl.DataFrame) -> None:
        place = {chunk_id: position for position, chunk_id in enumerate(chunk_ids)}
        known = facts.filter(pl.col("chunk_id").is_in(list(place)))
        self.chunks = len(chunk_ids)
        self.chunk = np.array([place[chunk_id] for chunk_id in known["chunk_id"]], dtype=np.int64)
        self.numeric = known["kind"].is_in(_NUMERIC_KINDS).to_numpy()
        self.dates = (known["kind"] == "date").to_numpy()
        units = known["unit"].fill_null("")
        self._unit_names = units.unique().sort().to_list()
        number = {name: position for position, name in enumerate(self._unit_names)}
        self._unit = np.array([number[name] for name in units], dtype=np.int64)
        self._value = known["value"].cast(pl.Float64).to_numpy()
        self._value_max = known["value_max"].cast(pl.Float64).to_numpy()
        self._kind = np.array(known["kind"].to_list(), dtype=object)
        self._code = np.array(known["code"].fill_null("").to_list(), dtype=object)
        self._codes = sorted(set(self._code) - {""})
        self._role = np.array(known["role"].fill_null("").to_list(), dtype=object)
        self._date = np.array(known["date"].fill_null("").to_list(), dtype=object)

    def equal(self, predicate: Predicate) -> BoolArray:
        """Chunks that name the very value, code or date of a predicate."""
        if predicate.kind in ("standard", "form"):
            same = [code for code in self._codes if _same_code(code, predicate)]
            return (
                self._in_chunks((self._kind == predicate.kind) & np.isin(self._code, same))
                if same
                else self._nowhere()
            )
        if predicate.kind == "date":
            return (
                self._in_chunks(self.dates & (self._date == predicate.date))
                if predicate.date
                else self._nowhere()
            )
        if predicate.kind != "quantity":
            return self._nowhere()
        found = np.zeros(len(self.chunk), dtype=bool)
        factors = self._factors(predicate.unit)
        for wanted in (predicate.value, predicate.value_max):
            if wanted is not None:
                for values in (self._value * factors, self._value_max * factors):
                    found |= np.isclose(values, wanted, rtol=1e-9, atol=1e-12)
        return self._in_chunks(found & self.numeric)

    def expiry(self) -> BoolArray:
        """Chunks with a date until which something is valid."""
        return self._in_chunks(self.dates & np.isin(self._role, ("expiry", "validity")))

    def comparable(self, predicate: Predicate) -> BoolArray:
        """Chunks that name any value of the predicate's measure, whatever its size."""
        if predicate.kind == "date":
            return self._in_chunks(self.dates)
        if predicate.kind != "quantity" or not predicate.unit:
            return self._nowhere()
        return self._in_chunks(self.numeric & np.isfinite(self._value * self._factors(predicate.unit)))

    def _factors(self, unit: str) -> FloatArray:
        """Factor of each fact's unit into `unit`; not a number where the two do not compare."""
        by_name = [
            1.0 if name == unit else convert(1.0, name, unit) if name and unit else None
            for name in self._unit_names
        ]
        factors = np.array([np.nan if factor is None else factor for factor in by_name], dtype=np.float64)
        return factors[self._unit] if len(self._unit) else np.zeros(0)

    def _in_chunks(self, facts: npt.NDArray[np.bool_]) -> BoolArray:
        seen = self._nowhere()
        seen[self.chunk[np.asarray(facts, dtype=bool)]] = True
        return seen

    def _nowhere(self) -> BoolArray:
        return np.zeros(self.chunks, dtype=bool)


@lru_cache(maxsize=4096)
def typed_terms(term: str) -> tuple[Predicate, ...]:
    """What a sentry term asks for as predicates; none for plain words."""
    found = []
    for fact in find_facts(term):
        if fact.kind in _NUMERIC_KINDS and fact.value is not None:
            found.append(
                Predicate(kind="quantity", value=fact.value, value_max=fact.value_max, unit=fact.unit)
            )
        elif fact.kind in ("standard", "form"):
            found.append(Predicate(kind=fact.kind, code=fact.code))
        elif fact.kind == "date" and fact.date:
            found.append(Predicate(kind="date", date=fact.date))
    return tuple(found)


def asks_for(term: str, predicate: Predicate) -> bool:
    """Whether a sentry term stands for a predicate of its rule."""
    return any(
        (one.kind, one.value, one.unit, one.date)
        == (predicate.kind, predicate.value, predicate.unit, predicate.date)
        and (not one.code or _same_code(one.code, predicate))
        for one in typed_terms(term)
    )


def _same_code(code: str, predicate: Predicate) -> bool:
    """Whether a code found is the one asked for; another edition is still the evidence to judge."""
    if predicate.kind == "standard":
        return same_standard(code, predicate.code)
    return _letters(code) == _letters(predicate.code) != ""


def _letters(code: str) -> str:
    return "".join(c for c in code.upper() if c.isalnum())


def unseen_numbers(rules: Sequence[Requirement], passages: pl.DataFrame) -> list[str]:
    """For each mandatory rule, the required numbers, standards and forms that its passages do not show.

    One line a rule; words that are unseen do not count, they are often said in other words.
    """
    missing: dict[str, set[str]] = {}
    for rule_id, terms in passages.select("rule_id", "missing_terms").iter_rows():
        missing.setdefault(rule_id, set()).update(term for term in terms or () if typed_terms(term))
    mandatory = {rule.rule_id for rule in rules if rule.mandatory}
    return [
        f"{rule}: {', '.join(sorted(terms))}"
        for rule, terms in sorted(missing.items())
        if terms and rule in mandatory
    ]
