"""Rules that forbid a state or an act, and what a statement says of the forbidden thing.

Belongs here: which words of a rule it forbids ("shall not be bankrupt", "without asbestos", "est interdit"), and
whether a statement affirms or denies them. Does not belong here: what a denial does to a thing that is asked
for (`polarity`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from bidproof.judging.negation import LIMITS, NOUNS, RELATIVE, VERBS, Cues, Span, clause_of, negations_in
from bidproof.judging.words import words_of

_I = re.IGNORECASE
_NO_DENIAL = re.compile(
    LIMITS + r"|\bnot\s+(?:affect|limit|relieve|prejudice|waive)\b|\bpas\s+(?:seulement|moins|plus)"
    r"|\b(?:without|sans)\s+(?:\w+\s+)?(?:vat|gst|tax(?:es)?|tva|dut(?:y|ies)|limit\w*|prejudice|pr[ée]judice|delay|d[ée]lai)\b",
    _I,
)
_VERB = re.compile(
    VERBS + r"|\bne\s+(?:[\w-]+\s+){1,3}?ni\b|\bn['’]\w+\s+(?:\w+\s+)?ni\b",
    _I,
)
_NOUN = re.compile(
    rf"\b(?:{NOUNS}|nor|ni|absence\s+d[e'’]|free\s+(?:of|from)|devoid\s+of|exempte?s?\s+d[e'’]|(?:refrain|abstain)(?:s|ed|ing)?\s+from|s['’]abst\w+\s+d[e'’])(?:\b|(?<=['’]))",
    _I,
)
_FORBIDS = re.compile(
    r"\b(?:prohibited|forbidden|banned|disallowed|inadmissible|unacceptable|ruled\s+out|interdite?s?|proscrite?s?|inadmissibles?|irrecevables?)\b",
    _I,
)
_PERMITTED = re.compile(
    r"\b(?:be|is|are|allowed|permitted|accept\w*|admitted|authori[sz]ed|possible|tolerated|autoris\w+|admis\w*|permis\w*|accept[ée]\w*)\b",
    _I,
)
# A second negation of another kind ("never without") makes the sense hard to tell; these only agree with one.
_AGREES = re.compile(r"nor|ni|neither|none\s+of|aucune?", _I)
# What is said of a saying: "it is not true that we are not", "we do not contest that".
_SAID_OF_SAYING = re.compile(
    r"\b(?:not|never)\s+(?:\w+\s+){0,3}that\b|\b(?:den(?:y|ies|ied)|false|untrue|incorrect|doubt\w*|contest\w*|disput\w*|refut\w*|faux|inexact)\b"
    r"|\b(?:not|never)\s+(?:hide|conceal|mention|disclose|believe|consider|regard|know|exclude|rule\s+out|guarantee|preclude|prevent|prohibit|object|mind|expect)\b"
    # The thing is there, and only its end, weight or effect is denied: "our arrears are not settled".
    r"|\b(?:not|never|nor|n['’]t)\s+(?:yet\s+|been\s+|being\s+|be\s+|very\s+|all\s+|fully\s+)*(?:paid|pay|settle\w*|final|appeal\w*|finish\w*|clos\w+|complete\w*|resolv\w+"
    r"|lift\w*|annul\w*|overturned|significant|material|relevant|serious|large|high|important|recent|expired|over|end\w*|spent|clear\w*|remed\w+|report\w*|public\w*|new)\b"
    r"|\bpas\s+(?:vrai|exact|que|pay\w+|r[ée]gl\w+|d[ée]finiti\w+|termin\w+|cl[oô]tur\w+|significati\w+|important\w*)\b",
    _I,
)
# A verb that may deny by itself, so that the thing is not plainly affirmed.
_REFUSES = re.compile(
    r"\b(?:refus\w+|declin\w+|exclu\w+|unable|reject\w*|avoid\w*|abstain\w*|prevent\w*|prohibit\w*|forbid\w*|ban(?:s|ned)?|zero|nil"
    r"|former\w*|discharged|acquitted|declaration|statement|polic(?:y|ies)|certificates?|extracts?|attestation|d[ée]claration|interdi\w+|[ée]vit\w+)\b",
    _I,
)
_EDGE = re.compile(
    r"[;:!?|\n]|\.(?!\d)|,\s*(?=(?:not|never|pas|non|we|it|they|our|nous|elle|il)\b)"
    r"|,?\s+\b(?:but|however|whereas|although|though|while|yet|mais|bien\s+que|tandis\s+que)\b"
    r"|,?\s+\b(?:and|or|et|ou)\s+(?=(?:(?:is|are|was|were|does|do|did|will|shall|has|have|had|can|may|should|must|we|it|they|nous|est|sont|ont|contain\w*|includ\w*|n['’]\w+|ne)\b|not\b|never\b|cannot\b|no\b|pas\b))"
    r"|,\s+(?:and|which|who|where|et|qui|dont)\b|\bthat\s+(?=(?:we|our|it|they|the)\b)|\bque\s+(?=(?:nous|notre|nos|la|le|les)\b)",
    _I,
)
_CONDITIONAL = re.compile(
    r"^\W*(?:if|when|whenever|where|unless|in\s+case|should|si|lorsqu\w*|en\s+cas|sauf)\b", _I
)
_AUXILIARY = re.compile(
    r"\b(?:shall|must|may|will|should|can|could|would|is|are|be|been|was|were|has|have|had|do|does|did|to)\s+(?:\w+\s+)?$",
    _I,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|shall|will|may|can|has|have|had|est|sont|sera|seront|sommes|a|ont|avons)\b", _I
)
_CUES = Cues(_NO_DENIAL, _VERB, _NOUN, _FINITE, (_EDGE,), own_subject=True)


@dataclass(frozen=True)
class Forbidden:
    """Stems that a rule forbids; `whole` when little else is asked; `marks` the words that forbid."""

    stems: frozenset[str]
    whole: bool
    marks: tuple[Span, ...]
    by_ban: bool


@lru_cache(maxsize=8192)
def _negations(text: str) -> tuple[tuple[Span, Span, Span, bool], ...]:
    """Negating words with their clause and reach, and whether they count against another one."""
    return tuple(
        (mark, clause, reach, not _AGREES.match(text, *mark))
        for mark, clause, reach, _ in negations_in(text, _CUES)
    )


def negates(rule: str) -> bool:
    """The rule denies or forbids something, be it in a condition only."""
    return bool(_negations(rule) or _FORBIDS.search(rule))


@lru_cache(maxsize=2048)
def forbidden_in(rule: str) -> Forbidden:
    """What `rule` forbids; no stems when it forbids nothing.

    A condition ("if it is not in English") and a relative ("bids that are not signed") forbid nothing.
    """
    core: set[str] = set()
    reaches: list[Span] = []
    marks: list[Span] = []
    for (a, b), (start, _), (left, right), _ in _negations(rule):
        before = rule[start:a]
        lone = rule[a:b].lower() == "not" and not _AUXILIARY.search(before)
        if lone or _CONDITIONAL.search(before) or RELATIVE.search(before):
            continue
        after = _stems(rule, b, right)
        core |= after or _stems(rule, left, a)
        reaches.append((left, right))
        marks.append((a, b))
    by_ban = not marks
    for match in _FORBIDS.finditer(rule) if by_ban else ():
        left, right = clause_of(rule, *match.span(), (_EDGE,))
        if not RELATIVE.search(rule, left, match.start()):
            core |= _stems(rule, left, match.start()) or _stems(rule, match.end(), right)
            reaches.append((left, right))
            marks.append(match.span())
    told = [w for w in words_of(rule) if not any(a <= w.start < b for a, b in marks)]
    hit = sum(any(a <= w.start < b for a, b in reaches) for w in told)
    return Forbidden(frozenset(core), bool(core) and hit * 2 >= len(told), tuple(marks), by_ban)


def _stems(text: str, a: int, b: int) -> set[str]:
    return {w.stem for w in words_of(_PERMITTED.sub(lambda m: " " * len(m[0]), text[a:b]))}


def says_of_forbidden(text: str, terms: Iterable[Iterable[Span]], *, by_ban: bool) -> str:
    """What `text` says of the forbidden things: "affirmed", "denied" or "unclear".

    Args:
        text: the statement.
        terms: places of each forbidden thing that it names, none of them empty.
        by_ban: the rule forbids by "prohibited", so that this word in the statement denies as well.
    """
    negations = _negations(text)
    reaches = [(reach, counts) for _, _, reach, counts in negations]
    if by_ban:
        reaches += [(clause_of(text, *m.span(), (_EDGE,)), True) for m in _FORBIDS.finditer(text)]
    if _SAID_OF_SAYING.search(text):
        return "unclear"
    answers = set()
    for places in terms:
        over = [[counts for (a, b), counts in reaches if a <= s < b] for s, _ in places]
        if any(sum(one) > 1 for one in over):
            return "unclear"
        answers.add("denied" if all(over) else "unclear" if any(over) else "affirmed")
    if answers == {"denied"}:
        return "denied"
    plain = answers == {"affirmed"} and not reaches and not _REFUSES.search(text)
    return "affirmed" if plain else "unclear"
