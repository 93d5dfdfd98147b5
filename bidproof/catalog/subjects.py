"""Who owes a duty: the subject of "shall" in a sentence of an RFP.

A bidder's duty is a rule, the buyer's is not. Which sentences become rules is decided in `mining`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from bidproof.facts import fold
from bidproof.facts.terms import word_set

Party = Literal["bidder", "offer", "buyer", "other"]

# The buyer comes first: "tender documents" and "dossier d'appel d'offres" are its papers, no bid.
_WORDS: dict[Party, str] = {
    "buyer": r"employers?|buyers?|purchasers?|clients?|procuring entit(?:y|ies)|"
    r"contracting authorit(?:y|ies)|authorit(?:y|ies)|owners?|engineers?|architects?|project managers?|"
    r"procurement (?:unit|department|committee)|evaluation committee|committee|we|maitre d'ouvrage|maitre "
    r"d'oeuvre|acheteurs?|pouvoir adjudicateur|administration|"
    r"personne publique|commission|collectivite|jury|adjudicators?|arbitrators?|banks?|guarantors?|"
    r"government|review board|court|tribunal|dossier d'appel d'offres|dossier de consultation|(?:tender|"
    r"bidding|rfp|procurement) documents?|rfp|request for proposals?",
    "bidder": r"bidders?|tenderers?|suppliers?|contractors?|vendors?|proponents?|applicants?|offerors?|"
    r"consultants?|respondents?|"
    r"(?:joint venture|consortium)(?: members?| partners?)?|subcontractors?|manufacturers?|(?:service "
    r")?providers?|lead partners?|(?:bidding|bidder) (?:firms?|entit(?:y|ies)|compan(?:y|ies))|firms?|"
    r"compan(?:y|ies)|entreprises?|they|you|"
    r"soumissionnaires?|candidats?|titulaires?|prestataires?|fournisseurs?|concurrents?|attributaires?|"
    r"entrepreneurs?|groupements?",
    "offer": r"bids?|tenders?|proposals?|offers?|quotations?|submissions?|responses?|envelopes?|prices?|"
    r"price schedules?|rates?|forms?|securit(?:y|ies)|bonds?|"
    r"guarantees?|warrant(?:y|ies)|insurances?|certificates?|powers? of attorney|declarations?|references?|"
    r"documents?|copies|samples?|"
    r"systems?|solutions?|platforms?|architectures?|infrastructures?|layers?|environments?|integrations?|"
    r"deployments?|designs?|apis?|portals?|engines?|databases?|"
    r"backups?|head-ends?|displays?|keys|logs|firmware|networks?|installations?|commissioning|training|works?|materials?|tools?|"
    r"products?|software|applications?|modules?|equipment|goods|meters?|devices?|services?|interfaces?|"
    r"(?:supplied|offered|proposed|delivered)(?: [a-z-]+){1,3}|[a-z]+ propose?es?|equipes?|enveloppes?|"
    r"personnel|staff|teams?|plans?|reports?|manuals?|data|components?|deliverables?|"
    r"offres?|propositions?|plis?|prix|cautions?|cautionnements?|attestations?|pieces?|dossiers?|"
    r"prestations?|materiels?|agents?|fournitures?",
}
_PARTY = re.compile(
    "|".join(rf"(?P<{party}>(?<![a-z])(?:{words})(?![a-z]))" for party, words in _WORDS.items())
)
_MODAL = re.compile(
    r"(?<![a-z])(?:shall|must|(?:is|are) (?:required|obliged|expected) to|(?:has|have) to|doi(?:t|vent)|"
    r"devr(?:a|ont)|est tenue? de|sont tenus de|s'engage(?:nt)? a|"
    r"(?:is|are) mandatory|(?:is|are) required|est obligatoire|sont obligatoires)(?![a-z])"
)
# What is done to bids, by the buyer: no duty of the bidder although bids are the subject.
_HANDLED = re.compile(
    r"^\s+(?:not\s+)?(?:be|etre)\s+(?:\w+ly\s+)?(?:opened|evaluated|examined|read|returned|considered|"
    r"compared|announced|recorded|released|discharged|forfeited|notified|"
    r"rejected|disqualified|corrected|adjusted|invited|informed|paid|awarded|deemed|entitled|interpreted|"
    r"governed|ouverts?|ouvertes?|examines?|examinees?|rejetee?s?|restituee?s?|evaluee?s?)(?![a-z])"
)
_UNMET = re.compile(
    r"(?<![a-z])(?:without|not|fails?|failing|failure|missing|absence|incomplete|unsigned|late|lacks?|"
    r"lacking|sans|non|absence|manquant)(?![a-z])"
)
_REJECTED = re.compile(r"reject|disqualif|rejet|eliminat|ecarte|non[- ]responsive")


@dataclass(frozen=True)
class Duty:
    """An obligation of a sentence: whose it is and the verb that obliges.

    `negative_condition` marks a sentence that rejects bids for want of something.
    """

    party: Party
    modal: str
    negative_condition: bool = False


# Acronyms that name parts of the tender documents rather than things offered.
_PAPERS = word_set("ITT ITB ITP GCC SCC TDS BDS RFP RFQ RFI NB TOR CPS RC CCTP CCAP CCP CCAG DAO SLA")
_ACRONYM = re.compile(r"\b([A-Z]{2,6})\s*$")
_PRONOUN = re.compile(r"^[\W_]*(?:it|they|these|this|each|both|all|il|elle|ils|elles)\s*$")


def duty_of(sentence: str, previous: Party = "other") -> Duty | None:
    """The first duty of a sentence, or None when nothing obliges.

    Args:
        sentence: one sentence of the RFP.
        previous: party of the sentence before it, which "It must also ..." goes on with.

    The party is the first one named in the clause before the verb: in "Tenders sent to the Procuring Entity
    shall be
    sealed" it is the tenders. A sentence that rejects bids for want of something counts as a duty of the
    offer; one that says how bids are opened or compared is the buyer's.
    """
    text = fold(sentence)
    modal = _MODAL.search(text)
    if modal is None:
        return None
    clause_start = max(text.rfind(mark, 0, modal.start()) for mark in ("; ", ": ", ". "))
    before = text[max(0, clause_start) : modal.start()]
    before = re.sub(r"^[ ,;:.]*(?:if|where|when|unless|in case|si|lorsque|en cas)\b[^,]*,", "", before)
    match = _PARTY.search(before)
    party: Party = "other"
    if match:
        party = next(p for p in _WORDS if match[p])
    elif _PRONOUN.match(before):
        party = previous
    elif (acronym := _ACRONYM.search(" ".join(sentence.split())[: len(before)])) and acronym[
        1
    ] not in _PAPERS:
        party = "offer"  # "The replacement OCS must ..."
    if party != "buyer" and _HANDLED.match(text[modal.end() :]):
        rejecting = bool(_REJECTED.search(text[modal.end() :])) and bool(_UNMET.search(before))
        return Duty("offer" if rejecting else "buyer", modal.group(), rejecting)
    return Duty(party, modal.group())


def party_of(sentence: str) -> Party:
    """The first party that a sentence without a duty names, for a pronoun that follows it."""
    match = _PARTY.search(fold(sentence))
    return next((p for p in _WORDS if match[p]), "other") if match else "other"
