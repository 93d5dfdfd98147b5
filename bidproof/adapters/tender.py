"""Tenders and bids: instructions, conditions, offers, forms, schedules. The core's own rules, and the default."""

from __future__ import annotations

from bidproof.adapters.rules import Adapter, Mark

_PARTIES = (
    r"(?:bidders?|tenderers?|suppliers?|contractors?|consultants?|vendors?|applicants?|respondents?|offerors?"
    r"|service providers?|soumissionnaires?|candidats?|titulaires?|prestataires?|fournisseurs?|attributaires?)"
)
_DUTY = (
    r"(?:shall|must|is required to|are required to|doit|doivent|devra|devront|est tenu|sont tenus|s'engage)"
)

TENDER = Adapter(
    name="tender",
    description="RFPs, bids and their forms",
    file_marks=(
        Mark(says="a tender's or bid's name", points=2, pattern=(
            r"\b(?:rfp|rfq|itt|itb|tender|bid|bidding|offer|offre|proposal|proposition|soumission|dao|dce|cctp|ccap|rc"
            r"|boq|annex|annexe|form|forms|schedule|lot|technical|commercial|financial proposal|addendum|terms of reference|tor)\b"
        )),
    ),
    opening_marks=(
        Mark(says="request for proposals or invitation", points=3, pattern=(
            r"^.{0,60}\b(?:request for (?:proposals?|quotations?|bids?|tenders?)|invitation (?:to|for) (?:tender|bid)s?"
            r"|(?:bidding|tender) documents?|terms of reference|appel d'offres|dossier de consultation|cahier des (?:clauses|charges))\b"
        )),
        Mark(says="speaks of the bid", points=2, pattern=(
            r"^.{0,60}\b(?:instructions to (?:bidders|tenderers)|letter of (?:bid|tender)|(?:technical|financial|commercial) (?:bid|offer|proposal)"
            r"|bid (?:security|validity)|acte d'engagement|m[ée]moire technique|offre (?:technique|financi[èe]re)|r[èe]glement de la consultation)\b"
        )),
    ),
    passages=(
        Mark(
            says="requirement", pattern=rf"\b{_PARTIES}\b[^.;:!?|]{{0,80}}\b{_DUTY}\b",
            needles=("shall", "must", "required to", "doit", "doiv", "devr", "tenu", "engage"),
        ),
    ),
    annotations=(
        Mark(says="deadline", needles=("deadline", "closing", "later than", "on or before", "limite", "plus tard"), pattern=(
            r"\b(?:deadline|closing date|no later than|not later than|on or before|date limite|au plus tard)\b"
        )),
        Mark(says="deviation", needles=("deviation", "exception", "reservation", "rogation", "serve"), pattern=(
            r"\b(?:deviations?|exceptions? (?:to|from)|reservations?|d[ée]rogations?|r[ée]serves? (?:[àa]|sur))\b"
        )),
        Mark(says="signature", needles=("sign", "cachet"), pattern=(
            r"\b(?:signed (?:by|for)|authori[sz]ed signator(?:y|ies)|signature(?: of|:)|sign[ée] par|le signataire|cachet)\b"
        )),
    ),
)  # fmt: skip
