"""Who the bidder is where a trade has its own name for it: "the insurer", "l'assureur", "the agency" that fills bookings.

Such names are a buyer's or a third party's in most RFPs. Whose they are in this one is told by how it speaks of them: a buyer
presents itself, reserves and awards; a bidder does and bears, in an RFP with few of the usual words for it. Names that
definitions give stand in `defined_parties`.
"""

from __future__ import annotations

import re

import polars as pl

from bidproof.catalog.mining.defined_parties import DefinedParties
from bidproof.catalog.mining.sentences import level

_NAMES = (
    "agency", "bank", "insurer", "tribunal", "court", "university", "laboratory", "guarantor", "surety", "authority", "owner", "association",
    "agence", "banque", "assureur", "garant", "gestionnaire", "universite", "administration", "etablissement bancaire",
)  # fmt: skip
_USUAL = re.compile(
    r"(?<![a-z])(?:the|each|le|la|l'|au|du|par) ?(?:contractor|supplier|vendor|(?:service )?provider|consultant|titulaire|prestataire|"
    r"attributaire|fournisseur|entrepreneur)(?![a-z])"
)
_OWN_ACT = (
    r"(?:hears|receives|(?:does|shall|will) not bind|reserves|invites|intends|wishes|is seeking|seeks|will (?:award|evaluate|answer|publish)|owns|"
    r"operates|now|may (?:cancel|accept|reject|extend)|has (?:decided|set)|was|"
    r"souhaite|lance|se reserve|attribue|retient|examine|met en concurrence|a decide|confie|procede a l'ouverture)"
)
_DUTY = (
    r"(?:also |then |[a-z]+ly |ne |n'|s'|se |en |y |lui )?(?:shall|must|will|undertakes|maintains|keeps|provides|ensures|submits|supplies|appoints|"
    r"delivers|replaces|holds|checks|carries|pays|settles|issues|reports|"
    r"doit|devra|engage|assure|garantit|prend|fournit|met|remet|transmet|designe|verse|indemnise|etablit|adresse|tient|communique|"
    r"delivre|instruit|regle|produit|informe|participe|accompagne|propose|gere)"
)
_LEAST = 3


def acting_parties(rfp_blocks: pl.DataFrame) -> DefinedParties:
    """Names of a trade that this RFP's bidder or buyer has, with a word that is known for it.

    Args:
        rfp_blocks: frame of shape `tables.BLOCKS`.
    """
    text = level("\n".join(rfp_blocks["text"].fill_null("").to_list()))
    usual = len(_USUAL.findall(text))
    words: list[tuple[str, str]] = []
    for name in _NAMES:
        said = rf"(?<![a-z])(?:the |l'|la |le |les ){name}"
        often = len(re.findall(rf"{said}(?!'s)(?![a-z])", text))
        if often < _LEAST or usual >= often:
            continue
        own = len(re.findall(rf"{said} {_OWN_ACT}(?![a-z])", text))
        duties = len(re.findall(rf"{said} {_DUTY}(?![a-z])", text))
        done = len(re.findall(rf"(?<![a-z])(?:by|par) (?:the |l'|la |le ){name}(?![a-z])", text))
        if own and own >= duties:
            words += _written(name, "Employer")
        elif not own and duties >= 1 and duties + done >= 2:
            words += _written(name, "Contractor")
    return DefinedParties(tuple(words))


def _written(name: str, word: str) -> list[tuple[str, str]]:
    """The name in small letters and as a name."""
    return [(name, word), (name.capitalize(), word)]
