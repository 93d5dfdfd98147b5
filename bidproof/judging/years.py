"""Years that a rule asks for ("accounts for 2023, 2024 and 2025") and years that a text shows.

Belongs here: years of evidence and ranges of them. Does not belong here: dates (`bidproof.facts`), and what years that
are not shown mean for a verdict (`named_parts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from bidproof.catalog.predicates.named_years import years_named
from bidproof.facts import find_facts

_ANY_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_RANGE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)\s*(?:[-–]|\bto\b|\bthrough\b|\bà\b|\bau\b|\buntil\b)\s*((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween\s+((?:19|20)\d\d)\s+and\s+((?:19|20)\d\d)", re.IGNORECASE)
_LONGEST = 30  # years in a range; a longer one is no range of years


def years_in(text: str) -> frozenset[int]:
    """All years that `text` names, those within a range among them."""
    found = {int(m[1]) for m in _ANY_YEAR.finditer(text)}
    for pattern in (_RANGE, _BETWEEN):
        for match in pattern.finditer(text):
            first, last = int(match[1]), int(match[2])
            if first < last <= first + _LONGEST:
                found.update(range(first, last + 1))
    return frozenset(found)


@lru_cache(maxsize=2048)
def years_asked(rule: str) -> frozenset[int]:
    """Years for which the rule asks for something ("accounts for 2023, 2024 and 2025"), as the catalog reads them."""
    return frozenset(map(int, years_named(rule, find_facts(rule))))


_LEFT_OUT = re.compile(
    r"\b(?:without|except|excluding|excepting|but\s+not|not|missing|sans|sauf|hors|hormis)\b[^.;]{0,20}?(?P<year>(?:19|20)\d\d)(?!\d)"
    r"|(?<!\d)(?P<gone>(?:19|20)\d\d)\s+(?:is\s+|are\s+|est\s+)?(?:missing|not\b|excluded|manqu\w+|exclue?s?)",
    re.IGNORECASE,
)


def years_shown(text: str) -> frozenset[int]:
    """Years that `text` names, less those that it names to leave them out ("2023 to 2025 without 2024")."""
    gone = {int(found["year"] or found["gone"]) for found in _LEFT_OUT.finditer(text)}
    return years_in(text) - gone


def unseen_years(rule: str, texts: Iterable[str]) -> list[int]:
    """Years of the rule that none of `texts` shows, in order."""
    asked = years_asked(rule)
    return sorted(asked - {y for text in texts for y in years_shown(text)}) if asked else []
