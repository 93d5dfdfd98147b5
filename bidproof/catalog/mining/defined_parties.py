"""Names that an RFP gives its parties ("the Operator", "the Company"), read as bidder, buyer or third party.

Takes the roles that `annotating.term_roles` finds in the definitions. Only a name that `parties` does not know, or knows
otherwise, is kept. Whose duty a sentence states is decided in `subjects`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from bidproof.catalog.annotating.definitions import definitions_of
from bidproof.catalog.annotating.term_roles import role_of_terms
from bidproof.catalog.mining.duty_words import SUPERVISOR
from bidproof.catalog.mining.parties import PARTY
from bidproof.catalog.mining.sentences import level

_SPOKEN = {"bidder": "Contractor", "buyer": "Employer", "third_party": "Insurer"}
"""A word that `parties` knows, for each role."""
_MOST_WORDS = 4


@dataclass(frozen=True)
class DefinedParties:
    """Defined names, as they are written, with a word known for their role."""

    words: tuple[tuple[str, str], ...] = ()

    def spoken(self, text: str) -> str:
        """`text` with each defined name, written as it was defined, as a party that is known."""
        for name, word in self.words:
            if name in text:
                text = re.sub(rf"(?<!\w){re.escape(name)}(s?)(?!\w)", rf"{word}\1", text)
        return text


NO_PARTIES = DefinedParties()


def defined_parties(rfp_blocks: pl.DataFrame) -> DefinedParties:
    """The names that the definitions of an RFP give to bidder, buyer and third parties.

    Args:
        rfp_blocks: frame of shape `tables.BLOCKS`.
    """
    return parties_of(role_of_terms(definitions_of(rfp_blocks)))


def parties_of(roles: Mapping[str, str]) -> DefinedParties:
    """Of terms with their roles those that say more than their own words do, longest first."""
    kept = []
    for term, role in roles.items():
        if SUPERVISOR.search(level(term)):
            # Whose side an engineer or architect is on, the sentence tells.
            continue
        known = PARTY.fullmatch(level(term))
        if not term[:1].isupper() or len(term.split()) > _MOST_WORDS or len(term) < 3:
            continue
        if known is None or known.lastgroup != role:
            kept.append((term, _SPOKEN[role]))
    return DefinedParties(tuple(sorted(kept, key=lambda pair: (-len(pair[0]), pair[0]))))
