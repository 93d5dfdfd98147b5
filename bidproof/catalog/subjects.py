"""Whose duty a sentence, list item or table row of an RFP states: bidder, buyer, contract, third party, nobody.

The bidder's duties are rules, the others are not. Which words name whom stands in `parties`, which words oblige in
`obligations`; what becomes of a duty is decided in `mining`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from bidproof.catalog.duty_words import (
    ACRONYM,
    AGENT,
    ASKING,
    AWARD,
    BIDDING,
    CHOICE,
    DEADLINE,
    DESCRIBES,
    DOCUMENT,
    DRAFTING,
    HANDLED,
    IMPERATIVE,
    JUDGING,
    LEGAL,
    MEANS,
    NEGATED,
    OPENING,
    OUT,
    PAPERS,
    PRESENT,
    PRESENTED,
    PRODUCT,
    PRONOUN,
    QUALIFIED,
    SELF,
    SUBMITTING,
    SUPERVISOR,
    TAKEN_UP,
    UNMET,
    VERB,
)
from bidproof.catalog.obligations import FORBID, MAY, MODAL, POINTS, REJECTION, SHOULD
from bidproof.catalog.parties import PARTY, Party
from bidproof.catalog.requirement_language import is_requirement
from bidproof.catalog.sentences import is_lead, level

Subject = Literal["bidder", "buyer", "contract", "third_party", "none"]


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


@dataclass(frozen=True)
class Verdict:
    """Whose duty it is, and the words or the ground that tell."""

    subject: Subject
    reason: str


def classify(sentence: str, context: Context | None = None) -> Verdict:
    """Whose duty `sentence` states, with the words or the ground that tell.

    The party is the first one named before the verb that obliges: in "Tenders sent to the Procuring Entity shall be
    sealed" it is the tenders. An item takes the party of its lead-in. What nobody is named for ("Key rotation must be
    automated") is asked of the offer. Bids that are opened, read or returned are handled by the buyer; bids rejected
    for want of something are the bidder's matter. Legal consequences after award are the contract's.
    """
    context = context or Context()
    text = level(sentence)
    if context.lead and (said := _by_lead(text, sentence, context)):
        return said
    return _own(text, sentence, context)


def subject_of(sentence: str, context: Context | None = None) -> Subject:
    """The subject alone of `classify`."""
    return classify(sentence, context).subject


def is_legal(text: str) -> bool:
    """Levelled `text` speaks of a legal consequence after award."""
    return bool(LEGAL.search(text))


def _by_lead(text: str, sentence: str, context: Context) -> Verdict | None:
    if NEGATED.search(text):
        return Verdict("none", "nothing is asked")
    modal = MODAL.search(text)
    if modal and _party_before(text, modal.start(), context, sentence) in (
        "buyer",
        "contract",
        "third_party",
    ):
        return None
    lead = _own(
        level(context.lead),
        context.lead,
        Context(context.heading_path, "", "sentence", context.previous, context.buyer_names),
        leading=True,
    )
    if lead.subject != "none":
        return Verdict(lead.subject, f"lead-in: {lead.reason}")
    if modal:
        return None
    if asks_document(text, f"{context.heading_path} {context.lead}"):
        return Verdict("bidder", "a document asked for")
    return None


def _own(text: str, sentence: str, context: Context, *, leading: bool = False) -> Verdict:
    headings = level(context.heading_path)
    innermost = headings.rsplit(" > ", 1)[-1]
    means, first = MEANS.search(text[:120]), MODAL.search(text)
    if means and (first is None or means.start() <= first.start()):
        return Verdict("none", "a definition")
    if DRAFTING.search(headings) and not BIDDING.search(text):
        return Verdict(
            "buyer" if MODAL.search(text) or SHOULD.search(text) else "none", "a note to the buyer"
        )
    opening = OPENING.match(text)
    start = opening.end() if opening else 0
    if start >= len(text) - 3:
        start = 0
    body = text[start:]
    modal = MODAL.search(body)
    forbid = FORBID.search(body)
    verb = min((m for m in (modal, forbid) if m), key=lambda m: m.start(), default=None)
    rejection = REJECTION.search(text)
    if rejection and (said := _rejection(text, rejection, context)):
        return said
    if verb:
        return _obliged(text, body, verb, sentence[start:], context, headings)
    party = _first_party(body[:90], context)
    if party is None and context.previous != "none" and TAKEN_UP.match(body):
        party = context.previous
    should = SHOULD.search(body)
    may = MAY.search(body)
    if should and (not may or should.start() < may.start()):
        party = _party_before(body, should.start(), context, sentence[start:]) or party
        if party in ("buyer", "contract", "third_party"):
            return Verdict(party, should.group())
        return Verdict("bidder", should.group())
    if may:
        return _allowed(body, may, party, context, leading)
    return _stated(sentence, text, body, party, context, headings, innermost)


def _rejection(text: str, rejection: re.Match[str], context: Context) -> Verdict | None:
    before = text[: rejection.start()]
    party = _first_party(before, context)
    if party == "buyer" and not re.search(
        r"(?<![a-z])(?:unless|without|failing|missing|sans|a defaut)(?![a-z])", text
    ):
        return None
    if re.match(r"(?:sous|a) peine|pass|motif|ground|elimin|knock", rejection.group()):
        return Verdict("bidder", rejection.group()) if party != "buyer" else None
    around = f"{before[-400:]} {text[rejection.end() : rejection.end() + 120]}"
    if (UNMET.search(around) and (party in ("bidder", "offer", None))) or (
        re.search(r"not|ne |n'", rejection.group()) and party in ("bidder", "offer", None)
    ):
        return Verdict("bidder", rejection.group())
    return None


def _obliged(
    text: str, body: str, verb: re.Match[str], sentence: str, context: Context, headings: str
) -> Verdict:
    party = _party_before(body, verb.start(), context, sentence)
    after = body[verb.end() :]
    words = verb.group()
    if party in (None, "offer") and SUPERVISOR.search(body[: verb.start()]):
        return Verdict("bidder" if QUALIFIED.match(after) else "buyer", words)
    if party in ("third_party",):
        return Verdict("third_party", words)
    agent = AGENT.match(after)
    by = PARTY.match(after[agent.end() :]) if agent else None
    if by and by.lastgroup == "bidder":
        return Verdict("bidder", words)
    if party == "buyer":
        return Verdict("buyer", words)
    if by and by.lastgroup == "buyer" and party != "bidder":
        return Verdict("buyer", words)
    if HANDLED.match(after) and party != "bidder":
        if party == "contract":
            return Verdict("contract", words)
        return Verdict("buyer", words)
    if party == "bidder" and HANDLED.match(after) and re.match(r"\W*(?:\w+ )?(?:be|etre) ", after):
        return Verdict("buyer", words)
    # A product that handles disputes or terminations has no legal consequence in it: only the clause's own subject and verb tell.
    near = body[: verb.end() + 60]
    legal = (
        None
        if PRODUCT.search(body[: verb.start()]) or ACRONYM.search(sentence[: verb.start()].rstrip())
        else LEGAL.search(near)
    )
    if party == "contract" and not (
        legal is None and re.match(r"\W*(?:include|cover|provide for|comprendre|inclure|prevoir)\s", after)
    ):
        return Verdict("contract", words)
    if legal and not BIDDING.search(body[: verb.end() + 40]):
        return Verdict("contract", legal.group())
    if legal and AWARD.search(body) and re.search(r"sign|agreement|payment", legal.group()):
        return Verdict("contract", legal.group())
    return Verdict("bidder", words)


def _allowed(body: str, may: re.Match[str], party: Party | None, context: Context, leading: bool) -> Verdict:
    before = _party_before(body, may.start(), context, "") or party
    if before != "bidder" and HANDLED.match(body[may.end() :]):
        return Verdict("contract" if before == "contract" else "buyer", may.group())
    if before == "buyer":
        return Verdict(
            "none"
            if re.match(r"\W*(?:be|etre) (?:tele|down|obtained|consult|purchas)", body[may.end() :])
            else "buyer",
            may.group(),
        )
    if re.match(
        r"\W*(?:valablement |seuls? )?(?:participer|participate|be eligible|soumissionner)", body[may.end() :]
    ):
        return Verdict("bidder", "who may take part")
    if before in ("contract", "third_party"):
        return Verdict(before, may.group())
    if PRESENTED.match(body[may.end() :]):
        return Verdict("bidder", may.group())
    return Verdict("none", "a mere right")


def _stated(
    sentence: str, text: str, body: str, party: Party | None, context: Context, headings: str, innermost: str
) -> Verdict:
    """Sentences without a verb that obliges: present tense, will, imperative, bare specifications."""
    if SELF.match(text):
        return Verdict("none", "the document about itself")
    if OUT.search(innermost):
        return Verdict("none", "out of scope or background")
    will = re.search(r"(?<![a-z])will(?![a-z])", body)
    legal = LEGAL.search(body)
    if will and party:
        if party == "bidder" or party == "offer":
            if HANDLED.match(body[will.end() :]):
                return Verdict("buyer", "will")
            return Verdict("contract", legal.group()) if legal else Verdict("bidder", "will")
        return Verdict(party, "will")
    if CHOICE.search(body):
        return Verdict("bidder", "a choice of the bidder")
    if imperative := IMPERATIVE.match(body):
        return Verdict("bidder", imperative.group().strip())
    if party == "buyer":
        if DESCRIBES.search(body[:90]) or len(body.split()) < 4:
            return Verdict("none", "about the buyer")
        return Verdict("buyer", "the buyer acts")
    if party == "third_party":
        return Verdict("third_party", "a third party acts")
    passive = re.search(r"(?<![a-z])(?:est|sont|sera|seront|is|are) ", body)
    if passive and HANDLED.match(body[passive.end() :]) and party != "contract":
        return Verdict("buyer", "handled by the buyer")
    present = PRESENT.search(body)
    if present and party in ("bidder", "offer"):
        if legal and not BIDDING.search(body):
            return Verdict("contract", legal.group())
        if re.match(r"\W*seuls? ", body):
            return Verdict("none", "who stays")
        return Verdict("bidder", present.group())
    if present and party is None and not legal and ASKING.search(innermost):
        return Verdict("bidder", present.group())
    if DEADLINE.search(body) and party != "contract" and not legal:
        return Verdict("bidder", "a deadline for bidders")
    if legal:
        return Verdict("contract", legal.group())
    if asks_document(text, f"{headings} {level(context.lead)}"):
        return Verdict("bidder", "a document asked for")
    finite = VERB.search(body)
    if (
        JUDGING.search(innermost)
        and not re.search(r"qualif|eligib|capacit", innermost)
        and not finite
        and not present
        and party != "bidder"
    ):
        return Verdict("buyer", "how bids are evaluated")
    if (
        (
            not finite
            and not present
            and not is_lead(text)
            and ASKING.search(innermost)
            and not PAPERS.search(headings)
        )
        and 3 <= len(body.split()) <= 40
        and not sentence.isupper()
        and not re.search(r"(?:version|classification|page)\b", body[:60])
    ):
        return Verdict("bidder", BARE)
    if is_lead(text) and (party in ("bidder", "offer")) and context.kind == "item":
        return Verdict("bidder", "lead-in")
    if POINTS.search(headings) and asks_document(text, "pieces"):
        return Verdict("bidder", "points")
    if (
        party in ("offer", None)
        and not legal
        and is_requirement(sentence)
        and ASKING.search(headings)
        and not OUT.search(headings)
    ):
        return Verdict("bidder", "what the offer does")
    return Verdict("none", "nothing is asked")


def asks_document(text: str, around: str) -> bool:
    """`text` names a document and `around`, headings and lead-in, speaks of handing in."""
    spoken = level(around)
    return (
        bool(DOCUMENT.match(level(text)))
        and bool(SUBMITTING.search(spoken) or POINTS.search(spoken))
        and not PAPERS.search(spoken)
    )


def _first_party(text: str, context: Context) -> Party | None:
    match = PARTY.search(text)
    end = match.start() if match else len(text)
    if context.buyer_names and any(
        re.search(rf"(?<![\w-]){re.escape(name)}(?!['\w-])(?!'s)", text[:end]) for name in context.buyer_names
    ):
        return "buyer"
    return cast("Party | None", match.lastgroup) if match else None


def _party_before(body: str, at: int, context: Context, sentence: str) -> Party | None:
    """The party of the clause whose verb stands at `at`: the first one named in it, or what a pronoun stands for."""
    clause = max(body.rfind(mark, 0, at) for mark in ("; ", ": ", ". ", "? "))
    before = body[max(0, clause) : at]
    before = re.sub(r"^[ ,;:.]*(?:if|where|when|unless|in case|si|lorsque|en cas)\b[^,]*,", "", before)
    if party := _first_party(before, context):
        return party
    if PRONOUN.match(before):
        return None if context.previous == "none" else context.previous
    return None
