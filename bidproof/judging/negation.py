"""Negating words of a sentence and the stretch that each denies.

Belongs here: how far "not", "no" and "without" reach, and the words that every reading of a denial shares. Does not
belong here: what is made of a denial, of a thing that is asked for (`polarity`) or forbidden (`prohibition`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

Span = tuple[int, int]

_A_NUMBER = (
    r"(?=\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty"
    r"|deux|trois|quatre|cinq|sept|huit|neuf|dix|quinze|vingt)\b)"
)
# Limits and turns of phrase that deny nothing.
LIMITS = (
    r"\b(?:no|not)\s+(?:less|fewer|later|lower|more|longer|sooner|earlier|shorter|greater|higher|smaller|older)\s+than\b"
    r"|\b(?:no|not|never|nothing|none|cannot)\s+(?:[\w-]+\s+){0,4}?(?:less|fewer|lower|more|longer|shorter|greater|higher|older)\s+than\s+"
    + _A_NUMBER
    + r"|\b(?:aucune?\s+[\w-]+\s+)?n['’](?:a|ont)\s+plus\s+de\s+"
    + _A_NUMBER
    + r"|\b(?:pas|not)\s+(?:[\w-]+\s+){0,3}?(?:ant[ée]rieure?s?|post[ée]rieure?s?)\s+(?:[àa]|aux?)(?!\w)"
    r"|\bnothing\s+(?:less|shorter|lower|short)\s+(?:than|of)\b"
    r"|\bnot\s+(?:to\s+)?exceed\w*|\bnot\s+(?:only|limited|merely|just|above|below)\b"
    r"|\b(?:whether\s+or\s+not|no\s+matter|no\s+later|non\s+seulement|no\.\s*\d)"
    r"|\bne\s+(?:[\w-]+\s+){1,3}?plus\s+de\s+(?=\d)|\bpas\s+(?:moins|plus)\s+de\b|\bn['’]exc[èe]d\w+\s+pas|\bne\s+d[ée]passe\w*\s+pas"
)
VERBS = (
    r"\b(?:not|cannot|never|neither)\b|n['’]t\b|\bne\s+(?:[\w-]+\s+){0,3}?(?:pas|plus|jamais|aucun\w*|ni)\b"
    r"|\bn['’]\w+\s+(?:\w+\s+)?(?:pas|plus|jamais|aucun\w*|ni)\b"
)
NOUNS = r"no|without|none\s+of|absence\s+of|aucune?|sans"
_NOUN_REACH = 8  # words behind "no" or "without"


@dataclass(frozen=True)
class Cues:
    """The words that one reading of a denial heeds.

    Args:
        affirming: turns of phrase that hold a negating word and deny nothing.
        verb: negations of a verb.
        noun: negations of a noun.
        finite: verbs that make a clause.
        edges: ends of a clause; where a pattern has a group, that is the end.
        own_subject: a negated verb denies nothing before another verb or a relative of its clause.
    """

    affirming: re.Pattern[str]
    verb: re.Pattern[str]
    noun: re.Pattern[str]
    finite: re.Pattern[str]
    edges: tuple[re.Pattern[str], ...]
    own_subject: bool = False


class Negation(NamedTuple):
    """A negating word, its clause and the stretch that it denies; `verb` where it negates a verb."""

    mark: Span
    clause: Span
    reach: Span
    verb: bool


RELATIVE = re.compile(
    r"\b(?:that|which|who|whose|where|because|since|qui|dont|car|if|when|unless|si)\b", re.I
)
_OWN_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|shall|will|may|can|has|have|had|do|does|did|must|should|would|could)\s*$", re.I
)


def clause_of(text: str, a: int, b: int, edges: Iterable[re.Pattern[str]]) -> Span:
    """The clause around `text[a:b]`."""
    marks = [m.span(m.re.groups) for edge in edges for m in edge.finditer(text)]
    return (
        max((end for _, end in marks if end <= a), default=0),
        min((start for start, _ in marks if start >= b), default=len(text)),
    )


def negations_in(text: str, cues: Cues) -> list[Negation]:
    """Negations of `text`, those of verbs first.

    A negated verb denies its whole clause, since its subject stands before it ("the certificate is not
    enclosed"), and so does "no" before the subject ("no licence is granted to us"). Elsewhere "no" and "without"
    deny what follows them in the clause, eight words at most.
    """
    masks = [m.span() for m in cues.affirming.finditer(text)]
    found: list[Negation] = []
    for pattern in (cues.verb, cues.noun):
        for match in pattern.finditer(text):
            a, b = match.span()
            if any(s < b and a < e for s, e in masks) or any(n.mark[0] <= a < n.mark[1] for n in found):
                continue
            clause, verb = clause_of(text, a, b, cues.edges), pattern is cues.verb
            reach = _verb_reach(text, a, clause, cues) if verb else _noun_reach(text, a, b, clause, cues)
            found.append(Negation((a, b), clause, reach, verb))
    return found


def _verb_reach(text: str, a: int, clause: Span, cues: Cues) -> Span:
    left, right = clause
    before = _OWN_AUXILIARY.sub("", text[left:a])
    other = cues.own_subject and (cues.finite.search(before) or RELATIVE.search(before))
    return (a if other else left), right


def _noun_reach(text: str, a: int, b: int, clause: Span, cues: Cues) -> Span:
    left, right = clause
    if not text[left:a].strip(" \"'•-") and cues.finite.search(text, b, right):
        return clause
    following = list(re.finditer(r"\S+", text[b:right]))[:_NOUN_REACH]
    return a, b + (following[-1].end() if following else 0)
