"""Whose duty a sentence states that has no verb that obliges: present tense, will, imperative, bare specifications.

French regulations oblige in the present tense, English ones leave the verb out ("All prices in euro.").
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.clause_parties import (
    BARE,
    FORM,
    Context,
    Verdict,
    agent_of,
    first_party,
)
from bidproof.catalog.mining.duty_words import (
    AIM,
    ASKING,
    BIDDING,
    CHOICE,
    CONSENT,
    CONTACT,
    CONTRACT_PARTS,
    DEADLINE,
    DESCRIBES,
    DOCUMENT,
    ELSEWHERE,
    HANDLED,
    IMPERATIVE,
    JUDGING,
    LEGAL,
    LIMITED,
    OUT,
    PAPERS,
    PLEDGE,
    PRESENT,
    QUALIFIED,
    SELECTED,
    SELF,
    SUBMITTING,
    SUPERVISOR,
    VERB,
    WANTS,
)
from bidproof.catalog.mining.obligations import (
    POINTS,
    REJECTION,
)
from bidproof.catalog.mining.parties import (
    Party,
)
from bidproof.catalog.mining.requirement_language import (
    is_requirement,
)
from bidproof.catalog.mining.sentences import (
    is_lead,
    level,
)
from bidproof.catalog.mining.service_clauses import (
    CONTENTS,
    FUTURE,
    GIVEN,
    acting,
    by_others,
    hanging,
    in_service,
    nominal,
    obliged_act,
)
from bidproof.catalog.mining.told_by_others import told_by_others


def indicative(
    sentence: str, text: str, body: str, party: Party | None, context: Context, headings: str, innermost: str
) -> Verdict:
    """Sentences without a verb that obliges: present tense, will, imperative, bare specifications."""
    if SELF.match(text):
        return Verdict("none", "the document about itself")
    if OUT.search(innermost):
        return Verdict("none", "out of scope or background")
    if not REJECTION.search(text) and (said := told_by_others(body)):
        return said
    if (party == "bidder" or FORM.search(headings)) and PLEDGE.search(body):
        return Verdict("bidder", "what the bidder declares")
    if GIVEN.search(body):
        return Verdict("buyer", "given to the bidder")
    if _COVERED.match(body) and not VERB.search(_COVERED.sub(" ", body)):
        return Verdict("bidder", "a cover that is asked for")
    if _SECURED.match(body):
        return Verdict("bidder", "a security with its amount")
    legal = LEGAL.search(body)
    if not legal and (done := obliged_act(body, headings, innermost)):
        return Verdict("bidder", done.group().strip(" ,;:"))
    serves = not legal and in_service(context, headings, innermost)
    if (
        serves
        and first_party(body[:90], context) in ("buyer", "third_party")
        and (acts := acting(body, party, context))
    ):
        return Verdict("bidder", acts.group().strip())
    said = None if SELECTED.match(body) else _future(body, party, legal)
    said = said or _asked(body, party, legal, context)
    said = said or _present(body, party, legal, context, innermost)
    if said:
        return said
    if serves and by_others(body, party):
        return Verdict("buyer", "done by or for others")
    if serves and (acts := acting(body, party, context)):
        return Verdict("bidder", acts.group().strip())
    if legal:
        return Verdict("contract", legal.group())
    return _verbless(sentence, text, body, party, context, headings, innermost)


_SECURED = re.compile(
    r"\W*(?:the |an? |la |le |une? )?(?:(?:performance|bid|tender) (?:security|bond|guarantee)|caution(?:nement)?|garantie (?:bancaire|a premiere|"
    r"de bonne execution)|caution bancaire)(?![a-z])[^.;]{0,60}\d"
)

_COVERED = re.compile(
    r"\W*(?:the |an? |l'|une? |la )?(?:(?:[a-z'-]+ ){0,3}?(?:liability|indemnity|insurance)(?: insurance| cover(?:age)?)? (?:of|for|with|up to|"
    r"not less than|at|in the amount of)[^.;]{0,40}?\d|"
    r"assurances?[^.;]{0,40}? (?:couvr(?:e|ent|ira|iront)|garanti(?:t|ssent))(?![a-z])|"
    r"(?:assurance )?(?:responsabilite|rc) (?:civile|professionnelle|decennale)[^.;]{0,60}?\d)"
)
"""An insurance by its kind and sum, or what it covers."""
_HANDED_TO = re.compile(r"(?<![a-z])a (?:la )?disposition d")
_ORIGINALS = re.compile(
    r"\W*(?:an?|one|une?|two|deux|three|trois|\d+)(?: \(\d+\))? (?:signed |bound |sealed )?(?:originals?|copy|copies|exemplaires?|originaux)"
    r"(?![a-z])"
)


def _future(body: str, party: Party | None, legal: re.Match[str] | None) -> Verdict | None:
    will = re.search(r"(?<![a-z])will(?![a-z])", body)
    after = body[will.end() :] if will else ""
    if will and re.match(r"\W*be (?:allowed|permitted|free|entitled) ", after):
        return Verdict("none", "a mere right")
    if will and ELSEWHERE.match(after):
        return Verdict("none", "said elsewhere")
    if will and party and HANDLED.match(after):
        return Verdict("buyer", "will")
    if will and party in (None, "offer") and SUPERVISOR.search(body[: will.start()]):
        return Verdict("bidder" if QUALIFIED.match(after) else "buyer", "will")
    if WANTS.search(body):
        return Verdict("bidder", "what is required")
    if will and (party == "bidder" or party == "offer"):
        return Verdict("contract", legal.group()) if legal else Verdict("bidder", "will")
    return Verdict(party, "will") if will and party and party != "offer" else None


def _asked(body: str, party: Party | None, legal: re.Match[str] | None, context: Context) -> Verdict | None:
    """Choices, imperatives, consents, thresholds, and what others do."""
    if SELECTED.match(body):
        return Verdict("bidder", "who is selected")
    if CHOICE.search(body):
        return Verdict("bidder", "a choice of the bidder")
    if imperative := IMPERATIVE.match(body):
        return Verdict("bidder", imperative.group().strip())
    consent = CONSENT.search(body)
    if consent and not legal and first_party(body[: consent.start()], context) not in ("buyer", "contract"):
        return Verdict("bidder", "what needs consent")
    if party == "buyer" and not hanging(body):
        if DESCRIBES.search(body[:90]) or len(body.split()) < 4:
            return Verdict("none", "about the buyer")
        return Verdict("buyer", "the buyer acts")
    return Verdict("third_party", "a third party acts") if party == "third_party" else None


def _present(
    body: str, party: Party | None, legal: re.Match[str] | None, context: Context, innermost: str
) -> Verdict | None:
    """The present tense of regulations, limits and deadlines."""
    passive = re.search(r"(?<![a-z])(?:est|sont|sera|seront|is|are) ", body)
    if passive and (by := agent_of(body[passive.end() :], context)) in ("bidder", "buyer"):
        return Verdict(by, "the one by whom it is done")
    if passive and HANDLED.match(body[passive.end() :]) and party != "contract":
        unnamed = first_party(body[: passive.start()], context) is None and not _HANDED_TO.search(body)
        own = unnamed and not BIDDING.search(f"{innermost} {body}") and not REJECTION.search(body)
        if own and in_service(context, level(context.heading_path), innermost):
            return None
        return Verdict("buyer", "handled by the buyer")
    present = PRESENT.search(body)
    if present and party in ("bidder", "offer"):
        if legal and not BIDDING.search(body):
            return Verdict("contract", legal.group())
        if re.match(r"\W*seuls? ", body) or AIM.search(body):
            return Verdict("none", "who stays, or an aim")
        return Verdict("bidder", present.group())
    if legal or (party == "contract" and not present):
        return None
    if present and party is None and ASKING.search(innermost):
        return Verdict("bidder", present.group())
    if party != "contract" and (limit := LIMITED.search(body) or DEADLINE.search(body)):
        return Verdict("bidder", limit.group())
    return None


def _verbless(
    sentence: str, text: str, body: str, party: Party | None, context: Context, headings: str, innermost: str
) -> Verdict:
    """Documents named in lists, bare specifications, what a product does."""
    if asks_document(text, f"{headings} {level(context.lead)}"):
        return Verdict("bidder", "a document asked for")
    verb = VERB.search(body) or PRESENT.search(body) or FUTURE.search(body)
    if not verb and _ORIGINALS.match(body):
        return Verdict("bidder", "copies to hand in")
    if judging(headings) and not verb and party != "bidder":
        return Verdict("buyer", "how bids are evaluated")
    listed = ASKING.search(headings) and in_service(context, headings, innermost) and context.kind == "item"
    asking = (
        ASKING.search(innermost) or listed or nominal(body, headings, innermost, item=context.kind == "item")
    ) and not PAPERS.search(headings)
    if not verb and asking and not is_lead(text) and not sentence.isupper() and _tells(body, sentence):
        return Verdict("bidder", BARE)
    if is_lead(text) and party in ("bidder", "offer") and context.kind == "item":
        return Verdict("bidder", "lead-in")
    if POINTS.search(headings) and asks_document(text, "pieces"):
        return Verdict("bidder", "points")
    asked = in_service(context, headings, innermost) and not OUT.search(headings)
    if party in ("offer", None) and asked and is_requirement(sentence):
        return Verdict("bidder", "what the offer does")
    return Verdict("none", "nothing is asked")


def judging(headings: str) -> bool:
    """The section above tells how bids are evaluated, not what they must show."""
    innermost = headings.rsplit(" > ", 1)[-1]
    return bool(JUDGING.search(innermost)) and not re.search(r"qualif|eligib|capacit", innermost)


def _tells(body: str, sentence: str) -> bool:
    """Words without a verb say more than a title or a line of contact data."""
    if (
        CONTACT.search(body)
        or (CONTENTS.match(body) and len(body.split()) <= 12)
        or not 3 <= len(body.split()) <= 40
    ):
        return False
    if body[:1].islower() and sentence[:1].islower():
        return False
    return len(body.split()) >= 6 or bool(re.search(r"\d", body)) or body.rstrip().endswith((".", ";"))


def asks_document(text: str, around: str) -> bool:
    """`text` names a document and `around`, headings and lead-in, speaks of handing in."""
    spoken = level(around)
    return (
        bool(DOCUMENT.match(level(text)))
        and bool(SUBMITTING.search(spoken) or POINTS.search(spoken))
        and not PAPERS.search(spoken)
        and not CONTRACT_PARTS.search(spoken)
        and not re.search(r"fai(?:t|sant) (?:seule? )?foi", level(text))
    )
