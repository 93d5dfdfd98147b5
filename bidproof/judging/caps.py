"""Limits of sums beside the sums themselves: caps of penalties and policies, deductibles, discounts.

Belongs here: telling a figure that only limits or lessens a sum, and when a rule fixes a rate or cap instead of
bounding it. Does not belong here: the comparison of figures (`quantity`).
"""

from __future__ import annotations

import re

from bidproof.judging.units import Unit
from bidproof.records import Fact, Predicate, Requirement

CAP_WORDS = re.compile(r"\b(?:cap(?:ped)?|ceiling|plafon\w+|overall\s+limit|maximum\s+of)\b", re.IGNORECASE)
ASIDE = re.compile(
    r"\b(?:deductibles?|excess(?:es)?|franchises?|sub-?limits?|sous-limites?|self-insured|discounts?|rebates?|rabais|remises?|escomptes?)\b",
    re.IGNORECASE,
)
_ACCEPTS = re.compile(r"\baccept(?:s|ed|ance|able)?\b|\baccept[ée]e?s?\b", re.IGNORECASE)
# What the bidder has to pay: a rule that limits it fixes how much the buyer may claim.
_PENALTY = re.compile(r"\b(?:damages|penalt(?:y|ies)|p[ée]nalit[ée]s?|service\s+credits?)\b", re.IGNORECASE)


def label_of(unit: Unit) -> str:
    """The words of the cells that name a row; empty for a sentence."""
    return " ".join(unit.passage.text[c.start : c.end] for c in unit.cells if c.role == "label")


def before(unit: Unit, fact: Fact) -> str:
    """The words of the unit just before a figure."""
    return unit.passage.text[max(unit.start, fact.start - 40) : fact.start]


def is_cap(fact: Fact, unit: Unit) -> bool:
    """The figure is an upper limit of a sum, by the words just before it or by its row's label."""
    return fact.kind in ("percent", "money") and bool(
        CAP_WORDS.search(before(unit, fact)[-25:] + " " + label_of(unit))
    )


def is_aside(fact: Fact, unit: Unit) -> bool:
    """The figure is a deductible, a sub-limit or a discount, which stand beside the sums that are asked for."""
    clause = re.split(r"[;.](?=\s)", unit.passage.text[unit.start : fact.start])[-1]
    return fact.kind in ("percent", "money") and bool(ASIDE.search(clause[-60:] + " " + label_of(unit)))


def strict(predicate: Predicate, requirement: Requirement) -> Predicate:
    """The predicate as an exact one where terms are to be accepted, or the bidder is to pay: a lower cap is a deviation too."""
    fixed = predicate.kind == "quantity" and predicate.unit == "percent"
    told = " ".join((requirement.text, *predicate.measure))
    if fixed and (_ACCEPTS.search(requirement.text) or _PENALTY.search(told)):
        return predicate.model_copy(update={"comparator": "="})
    return predicate
