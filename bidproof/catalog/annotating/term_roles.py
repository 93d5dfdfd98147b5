"""Who a defined term is: bidder, buyer or a third party, so that a duty of "the Provider" finds its owner.

Reads definitions; finds none. Whose duty a sentence states is decided in `subjects`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from bidproof.catalog.annotating.definitions import DefinedTerm
from bidproof.catalog.annotating.phrases import PhraseSet, annotation_words
from bidproof.facts import fold
from bidproof.facts.terms import word_set

Role = Literal["bidder", "buyer", "third_party"]

_ROLES: tuple[Role, ...] = ("bidder", "buyer", "third_party")
_ARTICLE = re.compile(
    r"^(?:(?:the|an?|any|each|every|all|its|one|either|le|la|les|l|une?|tout|toute|tous|toutes|chaque|son|sa)[ ']+)+"
)
# The head of a meaning ends where something is said of it.
_HEAD_ENDS = re.compile(
    r"\(|,|;|:|\.(?= |$)| (?:who|whom|whose|which|that|to|of|for|in|on|by|with|under|named|appointed|selected|identified"
    r"|specified|designated|entered|entering|submitted|submitting|between|when|where|what|together|having|whether|as|at|from"
    r"|responsible|engaged|awarded|issuing|is|are|shall|will|has|have|and (?:its|his|her|their|any)"
    r"|et (?:ses|son|sa|leurs?)|ainsi que|qui|dont|auquel|a laquelle|lequel|laquelle|de|du|des|d'|pour|par|dans|chargee?"
    r"|designee?|nommee?|ayant|retenue?|est|signataire|a)(?= |$)"
)
# Terms that mean other terms are followed so far.
_DEPTH = 4
_FAR = 220
_NEAR = 120
_AT_ONCE = 25
_MOST_ADJECTIVES = 3
_NO_ADJECTIVES = word_set(
    "and or et ou the a an le la les un une no not any all by of to for with between one both either"
)


def role_of_terms(definitions: Iterable[DefinedTerm]) -> dict[str, Role]:
    """Role of each defined term that is a person or body; terms that are things, or undecided, are left out.

    What a term means decides: by its head ("the Provider" means the successful bidder), by what makes the
    person ("the party who employs the Contractor" is the buyer), by the roles of the defined terms that it
    means in turn; where a name is all that is given ("Acme Power Ltd, hereinafter the Employer"), by the term's
    own words, else by what the sentence says that it does. Where two signs disagree there is no role.
    """
    known: dict[str, DefinedTerm] = {}
    for each in definitions:
        known.setdefault(fold(each.term), each)
    roles = {each.term: _role(each, known, _DEPTH) for each in known.values()}
    return {term: role for term, role in roles.items() if role is not None}


@lru_cache(maxsize=1)
def _named() -> dict[Role, PhraseSet]:
    words = annotation_words()["definitions"]["roles"]["named"]
    return {role: PhraseSet(words[role]) for role in _ROLES}


@lru_cache(maxsize=1)
def _doing() -> dict[Role, PhraseSet]:
    words = annotation_words()["definitions"]["roles"]["doing"]
    return {role: PhraseSet(words.get(role, [])) for role in _ROLES}


@lru_cache(maxsize=1)
def _persons() -> PhraseSet:
    return PhraseSet(annotation_words()["definitions"]["roles"]["persons"])


def _role(each: DefinedTerm, known: Mapping[str, DefinedTerm], depth: int) -> Role | None:
    meaning = fold(each.meaning)[:_FAR]
    bare = _ARTICLE.sub("", meaning)
    head = _head(bare)
    own = _by_name(fold(each.term))
    person = _persons().search(head) is not None
    by_head = _by_name(head)
    if own == "third_party" and person:
        # A bank, an auditor or an adjudicator is what it is called, whoever appoints it.
        return own
    if person or by_head:
        doing = _first(_doing(), meaning, _NEAR)
        if doing or by_head:
            return doing or by_head
    term = known.get(head) or known.get(head.rstrip("s"))
    if term is not None and term.term != each.term and depth:
        return _role(term, known, depth - 1)
    if own and (person or _is_name(each.meaning)):
        return own
    return _active(each) if _is_name(each.meaning) else None


def _head(meaning: str) -> str:
    end = _HEAD_ENDS.search(meaning)
    return (meaning[: end.start()] if end else meaning).strip(" \"'")


def _by_name(words: str) -> Role | None:
    """The role whose name ends these words: "successful bidder", not "bidder's equipment" or "employer and contractor"."""
    words = words.rstrip(" .\"'")
    found = {
        role: max(
            (match.start() for match in pattern.finditer(words) if match.end() == len(words)), default=-1
        )
        for role, pattern in _named().items()
    }
    best = min((start for start in found.values() if start >= 0), default=-1)
    # The longer name holds: "contracting authority" before "authority".
    hits = [role for role, start in found.items() if start == best and best >= 0]
    before = words[:best].split() if hits else []
    if len(hits) != 1 or len(before) > _MOST_ADJECTIVES or any(word in _NO_ADJECTIVES for word in before):
        return None
    return hits[0]


def _first(patterns: Mapping[Role, PhraseSet], text: str, max_start: int) -> Role | None:
    """The role whose words come first; none where two begin at one place."""
    starts = {role: match.start() for role, pattern in patterns.items() if (match := pattern.search(text))}
    near = {role: start for role, start in starts.items() if start <= max_start}
    if not near:
        return None
    first = min(near.values())
    hits = [role for role, start in near.items() if start == first]
    return hits[0] if len(hits) == 1 else None


def _is_name(meaning: str) -> bool:
    """Whether a meaning is a proper name: most of its long words bear a capital."""
    words: Sequence[str] = [word for word in re.findall(r"[^\W\d_]+", meaning.split(",")[0]) if len(word) > 3]
    return bool(words) and sum(word[0].isupper() for word in words) > len(words) / 2


def _active(each: DefinedTerm) -> Role | None:
    """Role of a name by what its sentence says that it does, behind the name."""
    text = fold(each.sentence)
    meaning = fold(each.meaning)
    at = text.find(fold(each.term), max(0, text.find(meaning)) + len(meaning))
    return _first(
        _doing(), "who " + text[at + len(fold(each.term)) :].lstrip(" \")'.,") if at >= 0 else "", _AT_ONCE
    )
