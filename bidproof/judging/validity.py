"""Is a certificate, policy or power still in force on the submission date.

Belongs here: finding the date on which a thing ends and comparing it with the day on which it must hold;
editions of standards that were replaced. Does not belong here: which thing the rule asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from bidproof.data_files import read_data
from bidproof.facts import same_standard
from bidproof.judging.evidence import State
from bidproof.judging.units import Unit
from bidproof.records import Fact, Predicate, Requirement

_ENDS = re.compile(
    r"(?:valid(?:ity)?|in\s+force|current)?\s*(?:until|till|to|through|up\s+to|expir\w*(?:\s+date)?|date\s+of\s+expiry|jusqu\W?au|[ée]ch[ée]ance|fin\s+de\s+validit[ée]|\bau)\s*(?:on|:|\||le)?\s*$",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(?:\bfrom|\bsince|\bas\s+of|\beffective|\bstart\w*|\bbegin\w*|\bcommenc\w*|\bdu|\bd[èe]s|\bd[ée]but|"
    r"\b[àa]\s+(?:compter|partir)\s+du|\bprend\s+effet|\bprenant\s+effet)\s*(?:on|at|the|le|:|\|)*\s*$",
    re.IGNORECASE,
)
_BEGIN_COLUMN = re.compile(
    r"valid\w*\s+from|\bfrom\b|start|effective|begin|d[ée]but|prise\s+d\W?effet", re.IGNORECASE
)
_NO_END = re.compile(
    r"\b(?:until\s+(?:revoked|withdrawn|further\s+notice|cancelled)|unlimited|without\s+expiry|no\s+expiry|jusqu\W?[àa]\s+r[ée]vocation|illimit[ée]e?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Supersession:
    """An edition that another one replaced, and the last day on which it still counted, if set."""

    code: str
    edition: str
    by: str
    until: str


@lru_cache(maxsize=1)
def supersessions() -> tuple[Supersession, ...]:
    """All known replaced editions, from the data file beside this module."""
    return tuple(Supersession(**entry) for entry in read_data("judging/supersessions.yaml"))


def superseded(code: str, edition: str, day: str) -> Supersession | None:
    """The supersession that had ended `edition` of `code` by `day` (ISO; any day when empty)."""
    for entry in supersessions():
        if (
            entry.edition == edition
            and same_standard(code, entry.code)
            and (not day or not entry.until or day > entry.until)
        ):
            return entry
    return None


def needs_validity(predicate: Predicate, requirement: Requirement) -> bool:
    """The thing must be in force on a day."""
    return predicate.valid_on_submission or bool(
        predicate.date and predicate.kind in ("standard", "presence", "form")
    )


def day_of(predicate: Predicate, requirement: Requirement) -> str:
    """The day on which the thing must be in force; empty when nobody named one."""
    return predicate.date or requirement.submission_date


@dataclass(frozen=True)
class Expiry:
    """The end of validity found for a thing, or that none was."""

    state: State
    note: str
    unit: Unit | None = None
    fact: Fact | None = None


def _is_end(fact: Fact, unit: Unit) -> bool:
    if fact.kind != "date":
        return False
    if fact.role:
        return fact.role == "expiry"
    before = unit.passage.text[max(unit.start, fact.start - 60) : fact.start]
    if _ENDS.search(before):
        return True
    header = next((c.header for c in unit.cells if c.start <= fact.start < c.end), "")
    return bool(re.search(r"expir|valid\w*\s+(?:to|until)|until|[ée]ch[ée]ance|fin\b", header, re.IGNORECASE))


def is_beginning(fact: Fact, unit: Unit) -> bool:
    """The date is the first day of what the unit describes."""
    if fact.kind != "date":
        return False
    before = unit.passage.text[max(unit.start, fact.start - 40) : fact.start]
    header = next((c.header for c in unit.cells if c.start <= fact.start < c.end), "")
    return fact.role == "start" or bool(_BEGINS.search(before) or _BEGIN_COLUMN.search(header))


def _begins_later(unit: Unit, day: str) -> Expiry | None:
    """What `unit` describes is valid only from after `day`."""
    for fact in unit.facts() if day else ():
        if is_beginning(fact, unit) and any(reading > day for reading in _readings(fact)):
            note = f"valid only from {' '.join(fact.text.split())}, after {day}"
            return Expiry(State.UNCLEAR, note, unit, fact)
    return None


def _readings(fact: Fact) -> tuple[str, ...]:
    return fact.readings or ((fact.date,) if fact.date else ())


def _own_end(ends: list[Fact], of: Fact | None, unit: Unit) -> Fact:
    """The end that belongs to `of`, where a statement names several codes of its kind.

    The last one before the next code, where each has its own; else the one of its place, where there are as many ends as codes
    ("... until 11 June 2026 and 2 March 2028 respectively"); else the earliest, which holds for all of them.
    """
    codes = [f for f in unit.facts() if of is not None and f.kind == of.kind]
    if of is None or of not in codes or len(codes) == 1 or len(ends) == 1:
        return ends[-1]
    places = [f.start for f in codes if f.start >= of.end]
    own = [fact for fact in ends if of.end <= fact.start < min(places, default=unit.end)]
    apart = all(any(a.end <= fact.start < b.start for fact in ends) for a, b in pairwise(codes))
    if own and apart:
        return own[-1]
    if len(ends) == len(codes):
        return ends[codes.index(of)]
    return min(ends, key=lambda fact: min(_readings(fact), default=""))


def find_expiry(units: Iterable[Unit], day: str, *, of: Fact | None = None) -> Expiry:
    """Whether what `units` describe is in force on `day`; `units` belong to one record, nearest first.

    An end before `day` is a failure; a beginning after it is unclear, since what was in force until then is not known.

    Raises nothing: an unknown day or an ambiguous date is unclear, no date at all is not found.
    """
    for unit in units:
        if later := _begins_later(unit, day):
            return later
        ends = [fact for fact in unit.facts() if _is_end(fact, unit)]
        if not ends:
            if _NO_END.search(unit.own_text):
                return Expiry(State.HOLDS, "valid without end", unit)
            continue
        fact = _own_end(ends, of, unit)
        stated = " ".join(fact.text.split())
        if not day:
            return Expiry(State.UNCLEAR, f"valid until {stated}, but no submission date is known", unit, fact)
        answers = {reading >= day for reading in _readings(fact)}
        if len(answers) != 1:
            return Expiry(State.UNCLEAR, f"the date {stated} can be read in two ways", unit, fact)
        if answers.pop():
            return Expiry(State.HOLDS, f"valid until {stated}", unit, fact)
        return Expiry(State.FAILS, f"expired on {stated}, before {day}", unit, fact)
    return Expiry(State.ABSENT, "no date of expiry shown")
