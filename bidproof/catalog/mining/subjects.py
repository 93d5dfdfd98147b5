"""Whose duty a sentence, list item or table row of an RFP states: bidder, buyer, contract, third party, nobody.

The bidder's duties are rules, the others are not. Which words name whom stands in `parties`, which words oblige in
`obligations`; what becomes of a duty is decided in `mining`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bidproof.catalog.mining.clause_parties import (
    Context,
    Subject,
    Verdict,
    agent_of,
    first_party,
    party_before,
)
from bidproof.catalog.mining.defined_parties import NO_PARTIES
from bidproof.catalog.mining.duty_words import (
    ACKNOWLEDGED,
    ACRONYM,
    AFTERMATH,
    ASKING_LEAD,
    AWARD,
    BIDDING,
    BY_SUPERVISOR,
    CHOOSING,
    CONTRACT_PARTS,
    DECLARED,
    DRAFTING,
    ELSEWHERE,
    GLUED,
    HANDLED,
    JOINTLY,
    LACKING,
    LEADING_BIDDER,
    LEGAL,
    MEANS,
    NEGATED,
    NEUTRAL,
    NOTE,
    NOTED,
    NUMBERING,
    OPENING,
    PRESENTED,
    PRODUCT,
    PRONOUN,
    QUALIFIED,
    QUANTITIES,
    REFUSED,
    SUPERVISOR,
    TAKEN_UP,
    UNAFFECTED,
    UNMET,
    WANTS,
)
from bidproof.catalog.mining.indicative import (
    asks_document,
    indicative,
    judging,
)
from bidproof.catalog.mining.obligations import (
    BORNE,
    FORBID,
    MAY,
    MODAL,
    REJECTION,
    SHOULD,
)
from bidproof.catalog.mining.parties import (
    Party,
)
from bidproof.catalog.mining.sentences import (
    is_lead,
    level,
)
from bidproof.catalog.mining.service_clauses import hanging, in_service


def classify(sentence: str, context: Context | None = None) -> Verdict:
    """Whose duty `sentence` states, with the words or the ground that tell.

    The party is the first one named before the verb that obliges: in "Tenders sent to the Procuring Entity shall be
    sealed" it is the tenders. An item takes the party of its lead-in. What nobody is named for ("Key rotation must be
    automated") is asked of the offer. Bids that are opened, read or returned are handled by the buyer; bids rejected
    for want of something are the bidder's matter. Legal consequences after award are the contract's.
    """
    context = context or Context()
    if context.defined.words:
        lead, sentence = context.defined.spoken(context.lead), context.defined.spoken(sentence)
        context = replace(context, lead=lead, defined=NO_PARTIES)
    sentence = GLUED.sub(" ", NUMBERING.sub("", sentence))
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
    if modal and party_before(text, modal.start(), context, sentence) in (
        "buyer",
        "contract",
        "third_party",
    ):
        return None
    if LEADING_BIDDER.search(level(context.lead)):
        return Verdict("bidder", "lead-in")
    if DECLARED.search(level(context.lead)):
        known = (ACKNOWLEDGED.match(text) and not REJECTION.search(text)) or MEANS.search(text[:120])
        return Verdict("none", "nothing is asked") if known else Verdict("bidder", "what the bidder declares")
    if ASKING_LEAD.search(level(context.lead)) and in_service(
        context, level(context.heading_path), level(context.heading_path).rsplit(" > ", 1)[-1]
    ):
        return Verdict("bidder", "a lead-in that asks")
    lead = _own(
        level(context.lead),
        context.lead,
        Context(context.heading_path, "", "sentence", context.previous, context.buyer_names),
        leading=True,
    )
    if lead.reason == "a mere right" and not modal:
        return Verdict("none", "lead-in: a mere right")
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
    if LEADING_BIDDER.search(text) and is_lead(text):
        return Verdict("bidder", "lead-in")
    leading = leading or is_lead(text)
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
    if NOTE.match(body) or _in_the_open(NOTED, text) or CHOOSING.search(text):
        return Verdict("buyer", "a note to the buyer")
    modal = _in_the_open(MODAL, body)
    forbid = _in_the_open(FORBID, body)
    verb = min((m for m in (modal, forbid) if m), key=lambda m: m.start(), default=None)
    rejection = REJECTION.search(text)
    if rejection and (said := _rejection(text, rejection, context)):
        return said
    if verb:
        return _obliged(text, body, verb, sentence[start:], context, headings)
    party = _spoken_of(body, context)
    should = SHOULD.search(body)
    may = MAY.search(body)
    if (wants := WANTS.search(body)) and (not may or wants.start() < may.start()):
        return Verdict("bidder", "what is required")
    if should and (not may or should.start() < may.start()):
        party = party_before(body, should.start(), context, sentence[start:]) or party
        return _wished(should, None if party == "buyer" and hanging(body) else party, headings)
    if may and (
        ends := body.find("; ", 0, may.start()) if "; " in body[: may.start()] else _further(body, may)
    ):
        clause = _own(body[:ends], sentence[start:][:ends], context)
        if clause.subject == "bidder":
            return clause
    if may:
        return _allowed(body, may, party, context, leading)
    return indicative(sentence, text, body, party, context, headings, innermost)


def _spoken_of(body: str, context: Context) -> Party | None:
    """The first party named, or the one before to whom a pronoun goes back."""
    party = first_party(body[:90], context)
    if party is None and context.previous != "none" and TAKEN_UP.match(body):
        return context.previous
    if (
        context.previous in ("buyer", "third_party")
        and party in (None, "bidder", "offer")
        and _HE.match(body)
    ):
        return context.previous
    return party


_HE = re.compile(
    r"\W*(?:it|they|elles?|ils?|celle-ci|celui-ci)(?= (?!appart|convien|incomb|import|est |sont |is |are |y a|s'agit|faut|sera |ne sera|"
    r"n'est)[a-z'])"
)
"""A pronoun of a person or body with its verb, that goes back to the sentence before."""


def _wished(should: re.Match[str], party: Party | None, headings: str) -> Verdict:
    if party != "bidder" and QUANTITIES.search(headings):
        return Verdict("buyer", "a note to whoever measures the works")
    if party in ("buyer", "contract", "third_party") and "welcome" not in should.group():
        return Verdict(party, should.group())
    return Verdict("bidder", should.group())


def _further(body: str, may: re.Match[str]) -> int:
    """Where a clause ends behind which "and may", "et peut" follows; 0 where the verb that allows is the first."""
    joint = re.search(r",? (?:and|et) $", body[: may.start()])
    return joint.start() if joint and len(body[: joint.start()].split()) >= 4 else 0


def _in_the_open(pattern: re.Pattern[str], body: str) -> re.Match[str] | None:
    """The first match outside brackets."""
    for match in pattern.finditer(body):
        before = body[: match.start()]
        if before.count("(") + before.count("[") <= before.count(")") + before.count("]"):
            return match
    return None


_RATED = re.compile(r"(?<![a-z])(?:rated|ranked|graded|notees?|classee?s?) [a-z]+")
"""What follows from a rating is the evaluation's, nothing that a bid answers."""


def _rejection(text: str, rejection: re.Match[str], context: Context) -> Verdict | None:
    before = text[: rejection.start()]
    if _RATED.search(before):
        return None
    party = first_party(before, context)
    if party == "buyer" and not re.search(
        r"(?<![a-z])(?:unless|without|failing|missing|sans|a defaut)(?![a-z])", text
    ):
        return None
    if party == "bidder" and re.search(r"exclu|eligible|barred", rejection.group()):
        return Verdict("bidder", rejection.group())
    if re.match(r"(?:sous|a) peine|pass|motif|ground|elimin|knock", rejection.group()):
        return Verdict("bidder", rejection.group()) if party != "buyer" else None
    around = f"{before[-400:]} {text[rejection.end() : rejection.end() + 120]}"
    if (UNMET.search(around) and (party in ("bidder", "offer", None))) or (
        re.search(r"not|ne |n'", rejection.group())
        and party in ("bidder", "offer", None)
        and (party or agent_of(text[rejection.end() :], context) != "buyer")
    ):
        return Verdict("bidder", rejection.group())
    return None


_ARRIVING = re.compile(
    r"\W*(?:be|etre|have been|avoir ete) (?:received|in the hands|recue?s?|parvenue?s?)(?![a-z])"
)
"""What is to reach the buyer: the bidder's duty although the buyer does the receiving."""


def _obliged(
    text: str, body: str, verb: re.Match[str], sentence: str, context: Context, headings: str
) -> Verdict:
    party = party_before(body, verb.start(), context, sentence)
    after = body[verb.end() :]
    words = verb.group()
    party = _bearer(words, after, context) or party
    if PRONOUN.match(body[: verb.start()]) and (
        named := first_party(text[: len(text) - len(body)], context)
    ) in ("bidder", "offer"):
        party = named
    if party in (None, "offer") and SUPERVISOR.search(body[: verb.start()]):
        return Verdict("bidder" if QUALIFIED.match(after) else "buyer", words)
    if party == "third_party":
        issues = _ISSUER.search(body[: verb.start()]) and QUALIFIED.match(after)
        return Verdict("bidder" if issues else "third_party", words)
    if UNAFFECTED.match(after):
        return Verdict("none", "what has no effect")
    if ELSEWHERE.match(after):
        return Verdict("none", "said elsewhere")
    by = None if _ARRIVING.match(after) else agent_of(after, context)
    if by == "bidder":
        return Verdict("bidder", words)
    if party != "bidder" and BY_SUPERVISOR.match(after):
        return Verdict("buyer", words)
    if party == "buyer" and REFUSED.match(after) and LACKING.search(text):
        return Verdict("bidder", words)
    if party == "buyer":
        legal = CONTRACT_PARTS.search(headings) and LEGAL.search(body)
        return Verdict("contract", legal.group()) if legal else Verdict("buyer", words)
    if by == "buyer" and party != "bidder":
        return Verdict("buyer", words)
    if re.search(
        r"(?:permitted|accepted|allowed|considered)[^.]{0,40} (?:unless|without)", f"{words}{after}"
    ):
        return Verdict("bidder", "unless")
    if party not in ("bidder", "buyer") and judging(headings):
        return Verdict("buyer", "how bids are evaluated")
    if party is None and NEUTRAL.match(after) and not BIDDING.search(f"{headings} {body}"):
        return Verdict("bidder", words)
    if HANDLED.match(after) and party != "bidder":
        if party == "contract" or re.match(r"\W*(?:not )?be deemed", after):
            return Verdict("contract", words)
        return Verdict("buyer", words)
    if party == "bidder" and HANDLED.match(after) and re.match(r"\W*(?:\w+ )?(?:be|etre) ", after):
        return Verdict("buyer", words)
    return _in_contract(body, verb, sentence, party, headings) or Verdict("bidder", words)


_ISSUER = re.compile(r"(?<![a-z])(?:issuing|guaranteeing|garante?|emettrice|emetteur)(?![a-z])")
"""Who stands surety for the bidder: what it must be or have is asked of the bid."""


def _bearer(words: str, after: str, context: Context) -> Party | None:
    """The party behind "it is the responsibility of", "il appartient à"; None where the duty's words name it before them."""
    borne = BORNE.search(f"{words}{after}")
    if borne is None or borne.start() >= len(words):
        return None
    named = first_party(" ".join(after[max(0, borne.end() - len(words)) :].split()[:3]), context)
    return None if named == "offer" else named


def _in_contract(
    body: str, verb: re.Match[str], sentence: str, party: Party | None, headings: str
) -> Verdict | None:
    """What the contract to come states, although a verb obliges; None for a duty of the bid."""
    after, words = body[verb.end() :], verb.group()
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
    if AFTERMATH.search(headings.rsplit(" > ", 1)[-1]) and not BIDDING.search(f"{headings} {body}"):
        return Verdict("contract", "an aftermath")
    if legal and not BIDDING.search(body[: verb.end() + 40]) and not JOINTLY.search(body):
        return Verdict("contract", legal.group())
    if legal and AWARD.search(body) and re.search(r"sign|agreement|payment", legal.group()):
        return Verdict("contract", legal.group())
    return None


def _allowed(body: str, may: re.Match[str], party: Party | None, context: Context, leading: bool) -> Verdict:
    before = party_before(body, may.start(), context, "") or party
    if before != "bidder" and QUANTITIES.search(level(context.heading_path)):
        return Verdict("buyer", "a note to whoever measures the works")
    if before != "bidder" and HANDLED.match(body[may.end() :]):
        return Verdict("contract" if before == "contract" else "buyer", may.group())
    if (
        before == "buyer"
        and CONTRACT_PARTS.search(level(context.heading_path))
        and (legal := LEGAL.search(body))
    ):
        return Verdict("contract", legal.group())
    if before in (None, "offer") and SUPERVISOR.search(body[: may.start()]):
        return Verdict("buyer", may.group())
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
    if before == "bidder" and re.match(r"\W*be an? ", body[may.end() :]):
        return Verdict("bidder", "who may take part")
    if re.match(r"\W*(?:this|these|such \w+) $", body[: may.start()]):
        return Verdict("none", "what something may be like")
    if PRESENTED.match(body[may.end() :]) or (
        leading and before == "offer" and body.rstrip(" :").endswith(("be", "etre"))
    ):
        return Verdict("bidder", may.group())
    return Verdict("none", "a mere right")
