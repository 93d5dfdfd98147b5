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

_CLAUSES = re.compile(
    r"[;.,]\s+(?!\d)|\s(?:and|et)\s+(?=(?:the|its?|works?|bids?|les?|la|leurs?|son|sa)\s|l['’])",
    re.IGNORECASE,
)
# What goes on about the deadline that was named before: "it is now", "previously", "instead of", "March 15".
_GOES_ON = re.compile(
    r"(?:(?:and|but|et|mais) )?(?:(?:le )?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|"
    r"(?:jan|fe[bv]|mar|a[pv]r|ma[iy]|ju[nli]|aug|aou|sep|oct|nov|dec)[a-z]*[. ]+\d)|"
    r"(?:it|this|that|which|is|was|has|will|now|new|instead|not|no longer|rather|previously|formerly|initially|originally|namely|"
    r"set|fixed|moved|extended|postponed|replaced|brought|changed|to|from|until|at|on|by|in place|"
    r"elle|celle-ci|cette|qui|est|sera|etait|nouvelle|desormais|au lieu|auparavant|initialement|precedemment|anciennement|soit|"
    r"a savoir|fixee?|prevue?|reportee?|prolongee?|remplacee?|prorogee?|avancee?|et non|au|jusqu)\b|"
    r"(?:the|la|le) (?:new|old|former|nouvelle|nouveau|ancienne|deadline|date|delai)\b)"
)


def deadline_clauses(text: str) -> str:
    """The clauses of a text that speak of the deadline for bids, in order; empty where none is told apart."""
    chosen: list[str] = []
    about = False
    for clause in _CLAUSES.split(text):
        said = fold(clause).strip()
        beside = bool(_BESIDE.search(said) or _QUESTIONS.search(said))
        named = names_deadline(clause) or any(
            fact.kind == "date" and fact.role == "submission" for fact in find_facts(clause)
        )
        about = not beside and (named or (about and bool(_GOES_ON.match(said))))
        if about:
            chosen.append(clause.strip())
    return "; ".join(chosen)


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
