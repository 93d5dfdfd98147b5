"""Rules whose place shows no clause number, as rows of a table under a clause: the one that an addendum speaks of.

Chooses a rule; what is done to it is for `addenda`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bidproof.catalog.versions.likeness import clause_numbers
from bidproof.catalog.versions.places import Places
from bidproof.facts import fold
from bidproof.records import Requirement

_WORD = re.compile(r"[^\W\d_]{4,}")
# What every such instruction says names no subject.
_OF_CHANGE = frozenset(
    _WORD.findall(
        "clause section article paragraph changed amended extended increased reduced revised modified raised lowered "
        "from minimum maximum least most shall read words porte portee minimale maximale lire lieu modifie modifiee dans"
    )
)


def unnumbered(
    places: Places, clauses: Iterable[str], said: str, holding: Sequence[Requirement]
) -> list[Requirement]:
    """The one rule of `holding`, or none.

    It has no number of its own, stands in the section of the clauses, and shares a word with what is said of it. None
    where there are several, or where another clause states it.
    """
    sections = {clause.partition(".")[0] for clause in clauses}
    about = set(_WORD.findall(fold(said))) - _OF_CHANGE
    if len(holding) != 1 or not about & set(_WORD.findall(fold(holding[0].text))):
        return []
    for source in places.sources(holding[0]):
        numbers = clause_numbers(source.heading_path)
        if places.own_numbers(source) or any("." in no for no in numbers) or not sections & set(numbers):
            return []
    return list(holding)
