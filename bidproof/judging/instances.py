"""Instances of what a rule names in general: a law for "local regulations", 36 months for "duration".

Belongs here: which general words of a rule a statement may show instead of repeating. Does not belong here:
words for the same thing (`words`), and figures that a rule asks for by value (`quantity`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from bidproof.data_files import read_data
from bidproof.facts.terms import fold, stem
from bidproof.judging.frequency import intervals_in, is_frequency
from bidproof.judging.units import Unit


@dataclass(frozen=True)
class Instance:
    """What shows the thing that `stems` name: words that match, or facts after certain words."""

    stems: frozenset[str]
    rule: re.Pattern[str] | None
    shown: re.Pattern[str] | None
    facts: frozenset[str]
    before: re.Pattern[str] | None
    rhythm: bool = False

    def in_unit(self, unit: Unit) -> bool:
        """Whether the bidder's own words of the unit show an instance."""
        if self.rhythm:
            return bool(intervals_in(unit.own_text))
        headers = " ".join(c.header for c in unit.cells if c.role in ("own", "label"))
        if self.shown is not None and self.shown.search(f"{headers} {unit.own_text}"):
            return True
        text = unit.passage.text
        return any(
            f.kind in self.facts
            and (self.before is None or self.before.search(text[max(unit.start, f.start - 40) : f.start]))
            for f in unit.facts()
        )


_RHYTHM = Instance(frozenset(), None, None, frozenset(), None, rhythm=True)


@lru_cache(maxsize=1)
def _instances() -> tuple[Instance, ...]:
    return tuple(
        Instance(
            frozenset(stem(fold(word)) for word in entry["words"]),
            _pattern(entry.get("rule")),
            _pattern(entry.get("shown")),
            frozenset(entry.get("facts", ())),
            _pattern(entry.get("before")),
        )
        for entry in read_data("judging/instances.yaml")
    )


def _pattern(source: str | None) -> re.Pattern[str] | None:
    return re.compile(source) if source else None


def instances_of(term: str, rule_text: str) -> tuple[Instance, ...]:
    """What may show the term (a stem) of a rule in place of its name."""
    if is_frequency(term):
        return (_RHYTHM,)
    return tuple(
        one for one in _instances() if term in one.stems and (one.rule is None or one.rule.search(rule_text))
    )
