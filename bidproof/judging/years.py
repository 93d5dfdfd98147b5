"""Years that a rule lists ("accounts for 2023, 2024 and 2025") and years that a text shows.

Belongs here: reading years and ranges of them. Does not belong here: dates (`bidproof.facts`), and what years that
are not shown mean for a verdict (`named_parts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_YEAR = r"(?:FY\s?)?(?:19|20)\d\d(?:\s?[/-]\s?\d\d(?!\d))?"
_JOINS = r"\s*(?:,\s*(?:and|et|ou|or)?|;|&|/|\band\b|\bet\b|\bto\b|\bthrough\b|\bà\b|\bau\b|[-–])\s*"
# Years of a business, not those in the name of a law or a standard, or in a date.
_LISTED = re.compile(
    rf"(?:\b(?:for|in|during|of|from|between|years?|pour|en|de|exercices?|ann[ée]es?)\s+|\bFY\s?)"
    rf"({_YEAR}(?:{_JOINS}{_YEAR})*)(?![\d:/.-]*\d)",
    re.IGNORECASE,
)
_ANY_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_RANGE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)\s*(?:[-–]|\bto\b|\bthrough\b|\bà\b|\bau\b|\buntil\b)\s*((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween\s+((?:19|20)\d\d)\s+and\s+((?:19|20)\d\d)", re.IGNORECASE)
_MONTH_BEFORE = re.compile(
    r"\b(?:jan|feb|f[ée]v|mar|apr|avr|may|mai|jun|juin|jul|juil|aug|ao[uû]|sep|oct|nov|d[ée]c)\w*\.?\s+(?:of\s+|de\s+)?$",
    re.IGNORECASE,
)
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


def years_asked(rule: str) -> frozenset[int]:
    """Years for which the rule asks for something ("accounts for 2023, 2024 and 2025")."""
    found: set[int] = set()
    for match in _LISTED.finditer(rule):
        if not _MONTH_BEFORE.search(rule[: match.start(1)]):
            found |= years_in(match.group())
    return frozenset(found)


def unseen_years(rule: str, texts: Iterable[str]) -> list[int]:
    """Years of the rule that none of `texts` shows, in order."""
    asked = years_asked(rule)
    return sorted(asked - {y for text in texts for y in years_in(text)}) if asked else []
