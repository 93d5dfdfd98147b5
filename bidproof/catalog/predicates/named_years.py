"""Years that a rule asks for: "audited accounts for 2023, 2024 and 2025", "les exercices 2023 à 2025".

The year of a law, an edition or a product is part of its name and asks for nothing.
"""

from __future__ import annotations

import re

from bidproof.facts import fold
from bidproof.records import Fact

_YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
_RUN = re.compile(
    rf"(?<![\w/.,:-]){_YEAR}(?:(?:\s*(?:,|;|/|-|\band\b|\bet\b|\bor\b|\bou\b|\bto\b|a|\bthrough\b|\buntil\b|jusqu'a)\s*)+{_YEAR})*(?![\w%]|[/.,:-]\w)"
)
_SPAN = re.compile(rf"({_YEAR})\s*(?:-|to|a|through|until|jusqu'a)\s*(?={_YEAR})")
_ASKED = re.compile(
    r"\b(?:for|in|during|of|from|between|covering|since|years?|fy|exercices?|annees?|au titre de|pour|de|des|en|depuis|entre|accounts?|statements?|"
    r"balance sheets?|bilans?|comptes?|reports?|rapports?|turnover|revenues?|the|les|l'annee)[ ,:(]*$"
)
_NAME = re.compile(
    r"\b(?:act|law|rules?|regulations?|code|decree|order|ordinance|directive|convention|circular|loi|decret|arrete|ordonnance|reglement|norme|"
    r"standard|edition|version|release|incoterms|tender|rfp|no|n°|iso|en|nf|iec|fidic)\b[ ,:(]*(?:(?:of|de|du|no\.?|n°)[ ]*)?[\w./ -]{0,12}$"
)
_AMOUNT = re.compile(r"\b(?:least|most|than|minimum|maximum|over|under|exceed\w*|moins|plus)\s*(?:de\s*)?$")
_LONGEST = 15


def years_named(text: str, facts: list[Fact]) -> tuple[str, ...]:
    """The years that evidence must name, in order; those of a span are all of them."""
    bare = list(text)
    for fact in facts:
        if fact.kind != "obligation":
            bare[fact.start : fact.end] = "\x01" * (fact.end - fact.start)
    low = fold("".join(bare))
    found: list[int] = []
    for run in _RUN.finditer(low):
        left = low[max(0, run.start() - 40) : run.start()]
        listed = len(re.findall(_YEAR, run.group())) > 1
        if _NAME.search(left) or _AMOUNT.search(left) or not (listed or _ASKED.search(left)):
            continue
        years = [int(y) for y in re.findall(_YEAR, run.group())]
        for span in _SPAN.finditer(run.group()):
            first = int(span[1])
            last = years[years.index(first) + 1]
            years += range(first, last) if first < last <= first + _LONGEST else []
        found += sorted(years)
    return tuple(dict.fromkeys(str(year) for year in found))
