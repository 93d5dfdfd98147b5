"""Statements anywhere in a bid that take back what another one proves: suspended, cancelled, not provided, other hours.

Belongs here: finding them among all that is read for a rule. Does not belong here: what stands right beside the proof
(`beside`), and figures that fail (`quantity`): those are weighed as evidence.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bidproof.judging.beside import GONE
from bidproof.judging.concept import asks_absence, concept_of
from bidproof.judging.evidence import Reading
from bidproof.judging.passages import has_code
from bidproof.judging.polarity import denied, denies
from bidproof.judging.topic import measure_of
from bidproof.judging.units import Unit
from bidproof.judging.words import coverage, words_of
from bidproof.records import Predicate

_I = re.IGNORECASE
_SHARE = 0.5  # of a concept, by weight, that a statement names which takes it back
_PARTLY_OPEN = re.compile(
    r"\b(?:[1-9]|1\d|2[0-3])\s*(?:hours?|h)\s*(?:a|per|/)\s*day\b|\b[1-6]\s*days?\s*(?:a|per|/)\s*week\b|\b(?:office|business|working)\s+hours\b|"
    r"\b(?:[1-9]|1\d|2[0-3])\s*(?:heures?|h)\s*(?:par|/)\s*jour\b|\b[1-6]\s*jours?\s*(?:par|sur|/)\s*(?:semaine|7|sept)\b|\bheures\s+(?:ouvr[ée]es|ouvrables|de\s+bureau)\b",
    _I,
)
_ROUND_THE_CLOCK = "24x7"


def withdrawals_from(predicate: Predicate, reading: Reading) -> list[Unit]:
    """Units of running text that name what `predicate` asks and say that it is gone, denied or, for a service, shut at times.

    Empty for a rule that asks for an absence, which a denial fulfils. Nothing is decided: a Pass beside one needs a reader.
    """
    if asks_absence(reading.requirement):
        return []
    return [unit for unit in reading.units if not unit.is_matrix and _takes_back(predicate, reading, unit)]


def _takes_back(predicate: Predicate, reading: Reading, unit: Unit) -> bool:
    text = unit.own_text
    clock = _ROUND_THE_CLOCK in predicate.terms
    gone = _says_gone(text)
    if clock and _PARTLY_OPEN.search(text) and _ROUND_THE_CLOCK not in {w.stem for w in words_of(text)}:
        return coverage(_subject(reading), _stems(unit)) >= _SHARE and not reading.echo(unit)
    if not gone and not denied(text):
        return False
    if not gone and not denies(text, _places(predicate, reading, unit)):
        return False
    return _about(predicate, reading, unit, _SHARE if gone else 1.0) and not reading.echo(unit)


@lru_cache(maxsize=1 << 16)
def _says_gone(text: str) -> bool:
    """Asked of every statement of a pack for every rule."""
    return GONE.search(text) is not None


def _subject(reading: Reading) -> tuple[str, ...]:
    """Stems of the rule's first words, up to its verb: whose hours are asked."""
    concept = concept_of(Predicate(kind="presence", text=reading.requirement.text), reading.requirement, {})
    return tuple(group[0] for group in concept.terms[:2])


def _stems(unit: Unit) -> list[str]:
    return [word.stem for word in unit.own_words]


def _about(predicate: Predicate, reading: Reading, unit: Unit, share: float) -> bool:
    """The unit itself, and not a heading above it, names what is asked; of a measure, at least `share` of its words."""
    if predicate.kind in ("standard", "form"):
        code = predicate.code.rpartition(" ")[2] if predicate.kind == "standard" else predicate.code
        return bool(code) and has_code(unit.text, code)
    if predicate.kind == "presence":
        concept = concept_of(predicate, reading.requirement, reading.weights)
        return concept.share(concept.seen(_stems(unit))) >= _SHARE
    own = measure_of(predicate, reading.requirement).own
    return bool(own) and coverage(own, _stems(unit), reading.requirement.synonyms) >= share


def _places(predicate: Predicate, reading: Reading, unit: Unit) -> list[tuple[int, int]]:
    """Where the unit's text names what is asked: what would have to be denied."""
    if predicate.kind == "presence":
        concept = concept_of(predicate, reading.requirement, reading.weights)
        return [(w.start, w.end) for w in unit.own_words if concept.seen([w.stem])]
    if predicate.kind in ("standard", "form"):
        return [(f.start - unit.start, f.end - unit.start) for f in unit.facts() if f.kind == predicate.kind]
    own = measure_of(predicate, reading.requirement).own
    return [(w.start, w.end) for w in unit.own_words if coverage([w.stem], own) == 1.0]
