"""Where the evidence of a rule is looked for: headings its clause reference names, tags whose chunks are candidates.

Reads a rule and its predicates. Which chunks are then found, and how they rank, is the matter of retrieval.
"""

from __future__ import annotations

import re

from bidproof.catalog.lexicon import language_of
from bidproof.facts import find_facts
from bidproof.facts.frames import TAG_NAMES, bond_mentions
from bidproof.records import Requirement

_HINT_SPLIT = re.compile(r"\s*(?:>|;|\||›|→)\s*")
_HINT_NUMBER = re.compile(
    r"^(?:§+\s*)?(?P<number>(?:(?:section|clause|article|annexe?|appendix|chapter|part|volume|"
    r"lot)\s+)?(?:[0-9]+(?:\.[0-9]+)*|[IVXLC]+|[A-Z](?:\.[0-9]+)*)\.?)(?:\s*[-–—:.]\s*|"
    r"\s+)(?P<title>\S.*)$",
    re.IGNORECASE,
)


def section_hints(clause_ref: str) -> tuple[str, ...]:
    """Headings and numbers of a clause reference, outermost first.

    `Section III > 3.2 Bid Security` gives `Section III`, `3.2`, `Bid Security`; `§8 Certifications` gives
    `8`, `Certifications`.
    """
    hints: list[str] = []
    for part in _HINT_SPLIT.split(clause_ref.strip()):
        match = _HINT_NUMBER.match(part)
        if match:
            hints += [match["number"].rstrip("."), match["title"].strip()]
        elif part:
            hints.append(part.lstrip("§ "))
    return tuple(dict.fromkeys(hints))


_PRICE_WORDS = re.compile(
    r"\b(?:prices?|pricing|price schedule|incoterms?|line items?|line totals?|unit rates?|bill of "
    r"quantities|prix|bordereau)\b",
    re.IGNORECASE,
)
_DAY_WORDS = re.compile(
    r"\b(?:validity|days|lead times?|delivery time|validit[eé]|d[eé]lais?|jours)\b", re.IGNORECASE
)
_FORM_WORDS = re.compile(r"\b(?:forms?|formulaires?)\b", re.IGNORECASE)


def tag_pools(requirement: Requirement) -> tuple[str, ...]:
    """Tags whose chunks are candidates for the rule, in the order of `facts.TAG_NAMES`; by default `must`.

    Routed by typed facts and whole words, never by letters inside words: "calendar days" is no EN standard.
    """
    text = requirement.text
    pools: set[str] = set()
    for predicate in requirement.predicates:
        if predicate.kind == "quantity":
            pools.add({"percent": "percent"}.get(predicate.unit, ""))
        elif predicate.kind == "standard":
            pools.update({"iso"} | ({"date"} if predicate.valid_on_submission else set()))
        elif predicate.kind in ("form", "date"):
            pools.add(predicate.kind)
    for fact in find_facts(text, language=language_of(text)):
        pools.add(
            {
                "money": "money",
                "percent": "percent",
                "days": "days",
                "standard": "iso",
                "form": "form",
                "date": "date",
            }.get(fact.kind, "")
        )
    if bond_mentions(text):
        pools.update(("bond", "percent", "money"))
    priced = text
    for predicate in requirement.predicates:
        if predicate.base:  # "2% of total price" is no price rule
            priced = re.sub(re.escape(predicate.base), " ", priced, flags=re.IGNORECASE)
    if _PRICE_WORDS.search(priced):
        pools.update(("table", "money"))
    if _DAY_WORDS.search(text):
        pools.add("days")
    if _FORM_WORDS.search(text):
        pools.add("form")
    return tuple(tag for tag in TAG_NAMES if tag in pools) or ("must",)
