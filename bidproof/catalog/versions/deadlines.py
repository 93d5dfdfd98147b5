"""Words that set or move the day of bid submission. EN and FR. Finds no dates itself; facts do."""

from __future__ import annotations

import re

from bidproof.facts import find_facts, fold

# The last day for questions is another one.
_DEADLINE = re.compile(
    r"\b(?:submission|bid|tender|proposal)s?\W+(?:\w+\W+){0,2}?(?:deadline|closing|due)\b"
    r"|\b(?:deadline|closing date|last date|due date)\W+(?:\w+\W+){0,6}?(?:submission|bids?|tenders?|proposals?|offers?)\b"
    r"|\bdate (?:et heure )?limites?\W+(?:\w+\W+){0,6}?(?:offres?|plis|remise|depot|soumissions?)\b"
)
_QUESTIONS = re.compile(r"\b(?:questions?|clarifications?|queries|enquiries|eclaircissements?|visite?s?)\b")
# What is handed in beside the bids, or before them, has a day of its own.
_BESIDE = re.compile(
    r"\b(?:samples?|echantillons?|securit(?:y|ies)|guarantees?|bonds?|garanties?|cautions?|cautionnements?|registration|"
    r"inscription|pre-?bid|meetings?|reunions?)\b"
)
# `May bids arrive on 5 May?` sets no day, whatever is answered.
_ASKED = re.compile(r"(?:(?<=[.?!:] )|^)[^.?!:]*\?")
_LOTS = re.compile(r"\blots?\b\s*(?:n\w*\s*)?[\w, &]*?\d+")


def without_questions(text: str) -> str:
    """A text without the sentences that ask something."""
    return _ASKED.sub(" ", text)


def names_deadline(text: str) -> bool:
    """Whether a text speaks of the deadline for bids."""
    said = fold(without_questions(text))
    return bool(_DEADLINE.search(said)) and not _QUESTIONS.search(said)


def sets_deadline(text: str) -> bool:
    """Whether a text names the deadline for bids and for nothing else, and one date."""
    if _BESIDE.search(fold(text)):
        return False
    facts = find_facts(without_questions(text))
    return names_deadline(text) and len({f.date for f in facts if f.kind == "date" and f.date}) == 1


def lots_of(text: str) -> tuple[str, ...]:
    """The lots that a text names; a deadline of one lot is none of another."""
    return tuple(sorted(set(_LOTS.findall(fold(text)))))
