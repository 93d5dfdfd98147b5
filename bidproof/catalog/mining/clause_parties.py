"""Who is named in a clause, and as what: before its verb, as the one by whom it is done, by a pronoun.

Also the records with which a statement is judged: what stands around it, and whose duty it was found to be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from bidproof.catalog.mining.defined_parties import NO_PARTIES, DefinedParties
from bidproof.catalog.mining.duty_words import (
    AGENT,
    PRONOUN,
    STARTS,
    SUBORDINATE,
)
from bidproof.catalog.mining.parties import (
    PARTY,
    WORDS,
    Party,
)
from bidproof.catalog.mining.sentences import level

Subject = Literal["bidder", "buyer", "contract", "third_party", "none"]


FORM = re.compile(
    r"form of (?:tender|bid|offer|quotation)|(?:bid|tender|offer|proposal|quotation)(?:er'?s?)? (?:submission )?(?:form|letter)|"
    r"letter of (?:tender|bid|offer)|declaration|undertaking|acte d'engagement"
)
"""Headings of papers in which the bidder speaks."""
_ASKED_BY = re.compile(
    r"(?<![a-z])(?:required|requested|needed|prescribed|debarred|barred|excluded|suspended|approved|recognised|recognized|authorised|authorized|"
    r"licensed|accredited|"
    r"designated|"
    r"demande\w*|exige\w*|agree\w*|designe\w*|habilite\w*) (?:by|to enable|to allow|par) (?:the |"
    r"le |la |l')?[a-z]+(?: entity| authority| d'ouvrage)?"
)
"""Who asks for a thing, not who does it."""
_ASIDE = re.compile(r", (?:with|including|having|avec|y compris|ayant) [^,;]{2,80},(?= )")
"""What is said by the way, between a subject and its verb."""
ACTOR = re.compile(r"\s*(?:the|le|la|l'|les|our|each)\s?[a-z'-]+(?: [a-z'-]+){0,2}\s*$")
"""A short noun phrase right before the verb."""


BLANK = "a blank to fill in"
"""Reason of a row that bidders fill in: asked of them, but with nothing yet that a bid could be held against."""


BARE = "a bare specification"
"""Reason of a statement without a verb under a heading that asks."""


@dataclass(frozen=True)
class Context:
    """What stands around a sentence: headings (outermost first, ` > ` between), lead-in, kind, the subject before it."""

    heading_path: str = ""
    lead: str = ""
    kind: Literal["sentence", "item", "row"] = "sentence"
    previous: Subject = "none"
    buyer_names: frozenset[str] = frozenset()
    defined: DefinedParties = NO_PARTIES


@dataclass(frozen=True)
class Verdict:
    """Whose duty it is, and the words or the ground that tell."""

    subject: Subject
    reason: str


def first_party(text: str, context: Context) -> Party | None:
    """The first party named in levelled `text`; the buyer also under the names by which the RFP calls it."""
    match = PARTY.search(text)
    end = match.start() if match else len(text)
    for name in context.buyer_names:
        written = rf"(?<![\w-]){re.escape(name).replace(chr(92) + ' ', '[ -]')}(?!['\w-])(?!'s)"
        if (named := re.search(written, text)) and named.start() <= end:
            return "buyer"
    if match and match.group() in ("we", "us") and FORM.search(level(context.heading_path)):
        return "bidder"
    return cast("Party | None", match.lastgroup) if match else None


def agent_of(after: str, context: Context) -> Party | None:
    """The party by whom something is done: "shall be completed by the vendor"."""
    agent = AGENT.match(after)
    if agent is None or not STARTS.match(after[agent.end() :]):
        return None
    return first_party(_TOWARDS.split(after[agent.end() :][:40], maxsplit=1)[0], context)


_TOWARDS = re.compile(r" (?:to|for|at|within|aupres|au|aux|dans|sous) ")
"""What is done by something reaches somebody: "sent by e-mail to the buyer"."""


_BEARER = re.compile(
    rf"(?P<preposition>(?<![a-z])(?:of|by|to|with|from|for|between|or|and|on|than|du|de|des|au|aux|par|pour|que|qu'|ou|et|a|avec|sur) )?"
    rf"(?:the |each |every |any |a |le |la |les |l'|chaque |tout )(?:(?:successful|selected|winning|preferred) )?"
    rf"(?:(?P<bidder>{WORDS['bidder']})|(?P<buyer>procuring entity|contracting authority|employer|purchaser|buyer))\s*$"
)


def _right_before(before: str) -> Party | None:
    """The party whose name with its article stands right before the verb and hangs on nothing: "to perform the contract the tenderer"."""
    found = _BEARER.search(before)
    return None if found is None or found["preposition"] else cast("Party | None", found.lastgroup)


_SERVED = re.compile(
    r"\W*(?:an?|the|all|any|every|no) (?:(?!offer|bid|tender|price|contract|award|notice|clause|payment)[a-z-]+ ){1,3}(?:for|from|within|with) "
    rf"(?:the |an? )?(?:[a-z]+ ){{0,2}}(?:{WORDS['buyer']}|{WORDS['third_party']}) $"
)
"""A thing that somebody gets, not the one who does something: "A licence for the County is required"."""


def party_before(body: str, at: int, context: Context, sentence: str) -> Party | None:
    """The party of the clause whose verb stands at `at`: the first one named in it, or what a pronoun stands for."""
    clause = max(body.rfind(mark, 0, at) for mark in ("; ", ": ", ". ", "? "))
    before = _ASIDE.sub(" ", _ASKED_BY.sub(" ", body[max(0, clause) : at]))
    if subject := _right_before(before):
        return subject
    segments = before.split(", ")
    if len(segments) > 1 and SUBORDINATE.match(segments[0]):
        # "if a tenderer wishes ..., it shall": the main clause tells, and its pronoun goes back to the subordinate one.
        if PRONOUN.match(segments[-1]):
            return first_party(segments[0], context)
        if not SUBORDINATE.match(segments[-1]) and (party := first_party(segments[-1], context)):
            return party
    last = first_party(segments[-1], context) if len(segments) > 1 and ACTOR.match(segments[-1]) else None
    if last not in (None, "offer") and first_party(before, context) in (None, "offer"):
        return last
    before = re.sub(r"^[ ,;:.]*(?:if|where|when|unless|in case|si|lorsque|en cas)\b[^,]*,", "", before)
    if (party := first_party(before, context)) and not (party != "bidder" and _SERVED.match(before)):
        return party
    if PRONOUN.match(before):
        return None if context.previous == "none" else context.previous
    return None
