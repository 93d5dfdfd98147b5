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

from bidproof.judging.polarity import Span
from bidproof.judging.words import words_of

_I = re.IGNORECASE
# Limits, and turns of phrase that deny nothing.
_NO_DENIAL = re.compile(
    r"\b(?:no|not)\s+(?:less|fewer|later|lower|more|longer|sooner|earlier|shorter|greater|higher|smaller|older)\s+than\b"
    r"|\bnot\s+(?:to\s+)?exceed\w*|\bnot\s+(?:only|limited|merely|just|above|below|affect|limit|relieve|prejudice|waive)\b"
    r"|\b(?:whether\s+or\s+not|no\s+matter|no\s+later|non\s+seulement|pas\s+(?:seulement|moins|plus)|no\.\s*\d)"
    r"|\bn['’]exc[èe]d\w+\s+pas|\bne\s+d[ée]passe\w*\s+pas"
    r"|\b(?:without|sans)\s+(?:\w+\s+)?(?:vat|gst|tax(?:es)?|tva|dut(?:y|ies)|limit\w*|prejudice|pr[ée]judice|delay|d[ée]lai)\b",
    _I,
)
_VERB = re.compile(
    r"\b(?:not|cannot|never|neither)\b|n['’]t\b|\bne\s+(?:[\w-]+\s+){1,3}?(?:pas|plus|jamais|aucun\w*|ni)\b"
    r"|\bn['’]\w+\s+(?:\w+\s+)?(?:pas|plus|jamais|aucun\w*|ni)\b",
    _I,
)
_NOUN = re.compile(
    r"\b(?:no|nor|ni|without|none\s+of|absence\s+of|absence\s+d[e'’]|free\s+(?:of|from)|devoid\s+of|aucune?|sans|exempte?s?\s+d[e'’])(?:\b|(?<=['’]))",
    _I,
)
_FORBIDS = re.compile(r"\b(?:prohibited|forbidden|banned|interdite?s?|proscrite?s?)\b", _I)
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
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|where|because|since|qui|dont|car|if|when|unless|si)\b", _I)
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
_OWN_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|shall|will|may|can|has|have|had|do|does|did|must|should|would|could)\s*$", _I
)
_NOUN_REACH = 8  # words behind "no" or "without"


@dataclass(frozen=True)
class Forbidden:
    """Stems that a rule forbids; `whole` when little else is asked; `marks` the words that forbid."""

    stems: frozenset[str]
    whole: bool
    marks: tuple[Span, ...]
    by_ban: bool


def _clause(text: str, a: int, b: int) -> Span:
    edges = [m.span() for m in _EDGE.finditer(text)]
    return (
        max((end for start, end in edges if end <= a), default=0),
        min((start for start, end in edges if start >= b), default=len(text)),
    )


@lru_cache(maxsize=8192)
def _negations(text: str) -> tuple[tuple[Span, Span, bool], ...]:
    """Negating words with their reach, and whether they count against another one."""
    masks = [m.span() for m in _NO_DENIAL.finditer(text)]
    found: list[tuple[Span, Span, bool]] = []
    for pattern in (_VERB, _NOUN):
        for match in pattern.finditer(text):
            a, b = match.span()
            if any(s < b and a < e for s, e in masks) or any(s <= a < e for (s, e), _, _ in found):
                continue
            left, right = _clause(text, a, b)
            counts = not _AGREES.match(match.group())
            found.append(((a, b), _reach(text, match, left, right, verb=pattern is _VERB), counts))
    return tuple(found)


def _reach(text: str, match: re.Match[str], left: int, right: int, *, verb: bool) -> Span:
    """The stretch that a negating word denies.

    A verb denies its own subject before it as well, but nothing before another verb or a relative.
    """
    a, b = match.span()
    if verb:
        before = _OWN_AUXILIARY.sub("", text[left:a])
        other = _FINITE.search(before) or _RELATIVE.search(before)
        return (a if other else left), right
    if not text[left:a].strip(" \"'•-") and _FINITE.search(text, b, right):
        return left, right
    following = list(re.finditer(r"\S+", text[b:right]))[:_NOUN_REACH]
    return a, b + (following[-1].end() if following else 0)


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
    for (a, b), (left, right), _ in _negations(rule):
        start = _clause(rule, a, b)[0]
        before = rule[start:a]
        lone = rule[a:b].lower() == "not" and not _AUXILIARY.search(before)
        if lone or _CONDITIONAL.search(before) or _RELATIVE.search(before):
            continue
        after = _stems(rule, b, right)
        core |= after or _stems(rule, left, a)
        reaches.append((left, right))
        marks.append((a, b))
    by_ban = not marks
    for match in _FORBIDS.finditer(rule) if by_ban else ():
        left, right = _clause(rule, *match.span())
        if not _RELATIVE.search(rule, left, match.start()):
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
    reaches = [(reach, counts) for _, reach, counts in negations]
    if by_ban:
        reaches += [(_clause(text, *m.span()), True) for m in _FORBIDS.finditer(text)]
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
