"""Who is named in a tender: the words for bidder, buyer, third parties, the bid and the contract.

A vocabulary only. Whose duty a sentence states is decided in `subjects`.
"""

from __future__ import annotations

import re
from typing import Literal

from bidproof.catalog.mining.sentences import level

Party = Literal["bidder", "offer", "buyer", "third_party", "contract"]

# The order decides where two words start at one place; longer names of the buyer's papers come before "tender".
WORDS: dict[Party, str] = {
    "buyer": r"employers?(?!'?s?'? liability)|buyers?|purchasers?|clients?|customers?(?! (?:data|information|records?|accounts?|complaints?|names?|"
        r"satisfaction)(?![a-z]))|procuring (?:entit(?:y|ies)|agenc(?:y|ies))|"
    r"contracting authorit(?:y|ies)|tender(?:ing)? authorit(?:y|ies)|authorit(?:y|ies)|owners?|"
    r"procurement (?:unit|department|committee|officer)s?|"
    r"(?:evaluation|opening|tender|selection|bid evaluation) committees?|committees?|evaluators?|we|us|"
    r"maitres? d'ouvrages?(?: delegue)?|maitrise d'ouvrage|maitres? d'(?:oe|œ)uvre|acheteurs?(?: publics?)?|"
    r"pouvoirs? adjudicateurs?|administration(?! competente)|personne publique|(?:sous-)?commissions?(?! (?:maxim|minim|"
        r"de (?:mouvement|gestion|change|souscription|placement)|bancaire|d'intervention|fixe))|collectivites?|"
    r"jury|autorite contractante|services? des marches|ordonnateurs?|donneur d'ordres?|comptable public|"
    r"dossiers? (?:d'appel d'offres?|de (?:la )?consultation|de l'appel d'offres?)|avis (?:d'appel|rectificatifs?)|"
    r"(?:tender(?:ing)?|bidding|rfp|procurement|solicitation|request for proposals?) documents?|rfp|rfq|"
    r"(?<!priced )bills? of quantities|(?:sample|standard|model) (?:bidding |tender(?:ing)? |procurement )?documents?|borrowers?|"
    r"invitations? to (?:tender|bid)|methodology (?:to|for)|request for (?:proposals?|quotations?)|addend(?:a|um)|"
    r"seances?(?! de travail)|ouverture (?:des|et|de)|(?:l')?examen (?:des|et)|(?:l')?evaluation|notations?|"
    r"eclaircissements?|(?:bid|tender) opening|opening of (?:bids|tenders)|evaluation of (?:bids|tenders|proposals)|"
    r"awards?(?= (?:will|shall|is) )|award of (?:the )?contract|councils?|government|agency(?!')|ministr(?:y|ies)|"
    r"municipality|county|(?<=la )villes?|(?<=la )mairies?|universit(?:y|ies)|"
    r"communautes? (?:de communes|d'agglomeration|urbaine)|agglomeration|communes?|ministeres?|departement|metropole|dsi|"
    r"(?:responsable|directeur|service)s? (?:securite|techniques?|du (?:site|patrimoine|marche|batiment)|de l'etablissement)|"
    r"gestionnaires? (?:du|de l)|letter of acceptance|notification of award|registre (?:du maitre|de(?:s)? depots?)|"
    r"cet(?:te)? (?:conversion|comparaison|verification|correction|analyse|evaluation|examen|ouverture|notation)|"
    r"notes? (?:technique|financiere|globale|moyenne)",
    "third_party": r"banks?(?! (?:guarantees?|drafts?|statements?|accounts?|details|references?|transfer))|guarantors?|suret(?:y|ies)|insurers?|"
    r"(?:outgoing|incumbent|previous|former) (?:service )?(?:providers?|suppliers?|contractors?|customers?|clients?)|"
    r"(?:titulaire|prestataire|attributaire)s? sortante?s?|(?:titulaire|prestataire)s? precedents?|"
    r"adjudicators?|arbitrators?|courts?|review board|"
    r"banques?(?! de donnees)|assureurs?|arbitres?|tribuna(?:l|ux)|garants?",
    "bidder": r"bidders?|tenderers?|suppliers?|contractors?|vendors?|proponents?|proposers?|applicants?|offerors?|"
    r"consultants?|respondents?|candidates?|"
    r"(?:joint ventures?|consorti(?:um|a)|jv)(?: members?| partners?)?|subcontractors?|sub-contractors?|manufacturers?|"
    r"(?:service )?providers?|lead partners?|(?:bidding|bidder) (?:firms?|entit(?:y|ies)|compan(?:y|ies))|firms?|"
    r"compan(?:y|ies)|entreprises?|they|you|economic operators?|operateurs? economiques?|"
    r"soumissionnaires?|candidats?|titulaires?|prestataires?|fournisseurs?|concurrents?|attributaires?|"
    r"entrepreneurs?|groupements?|sous-traitants?|cotraitants?|mandataires?|postulants?|societes?|"
    r"sellers?|lessors?|licensors?|carriers?|hauliers?|caterers?|vendeurs?|transporteurs?|bailleurs?|exploitants?|"
    r"operateurs?(?! telecom)|concessionnaires?|delegataires?|loueurs?|editeurs?|traiteurs?|hebergeurs?|"
    r"personnes (?:physiques|morales)|les personnes",
    "offer": r"bids?|tenders?|proposals?|offers?|quotations?|submissions?|responses?|envelopes?|prices?|"
    r"price schedules?|rates?|forms?|securit(?:y|ies)|bonds?|guarantees?|warrant(?:y|ies)|insurances?|certificates?|"
    r"powers? of attorney|declarations?|references?|documents?|copies|samples?|systems?|solutions?|platforms?|"
    r"services?|software|applications?|modules?|equipment|goods|works?|materials?|products?|"
    r"costs?|personnel|staff|teams?|plans?|reports?|manuals?|data|components?|deliverables?|enquir(?:y|ies)|requests? for clarification|"
    r"offres?|candidatures?|propositions?|plis?|prix|cautions?|cautionnements?|attestations?|pieces?|dossiers?|enveloppes?|equipes?|"
    r"prestations?|materiels?|agents?|fournitures?|memoires?|demandes? (?:d'informations?|d'eclaircissements?|de renseignements?)|"
    r"acte d'engagement|bordereaux?|intervenants?|montants?|references|vehicules?|travaux|consignes|interventions?|rapports?",
    "contract": r"(?<!cadre de ce )(?<!cadre du )(?<!cadre du present )(?:contract(?!ors?|ing| price| value| managers?| leads?| directors?|"
    r" administrat| coordinat)s?|either party|les parties|the parties|"
    r"agreements?|marches?(?! (?:publics|arriere))|contrats?|accords?-cadres?|clauses?|"
    r"stipulations?|gcc|scc|ccag|conditions of contract|arbitration|penalt(?:y|ies)|penalites?|liquidated damages|"
    r"resiliation|termination|litiges?|disputes?|avenants?|payments?|paiements?|reglement des comptes|invoices?|factures?)",
}  # fmt: skip
_NOT_OWNER = {"third_party": r"(?!'s)"}
"""What is a third party's is not done by it."""
PARTY = re.compile(
    "|".join(
        rf"(?P<{party}>(?<![a-z-])(?:{words})(?![a-z]){_NOT_OWNER.get(party, '')})"
        for party, words in WORDS.items()
    )
)


# "Acme Corp reserves the right", "La Région lance": how an RFP lets its buyer speak under a name of its own.
_BUYER_NAME = re.compile(
    r"(?<![\w’'])((?:[A-Z][\w&’.-]*)(?: (?:[A-Z][\w&’.-]*|of|and|de|du|des|la)){0,4})(?: \([^)]{1,60}\))?\s"
    r"(?:reserves the right|invites|now invites|is seeking|seeks (?:a|to|bids|proposals)|will (?:use this|evaluate|award|not be (?:bound|liable))|"
    r"intends to|operates|owns|wishes to|is looking for|is the (?:owner|landlord|operator) of|se réserve|lance|souhaite (?:confier|acqu)|"
    r"thanks all|"
    r"(?:serves|hears|employs|spends|houses|runs|manages|regroupe|gère|compte|dessert|accueille|emploie)"
    r"(?: some| around| about| over| nearly| more than| approximately| plus de| environ| près de)? ?\d)"
)
_NO_NAME = re.compile(
    r"^(?:The|This|It|Vendors?|Bidders?|Le|La|Les|Tenderers?|Suppliers?|Contractors?|A|An|Each|If|In)$"
)


_RESERVING = re.compile(
    r"(?:[Ll]e|[Ll]a|[Ll]es|[Ll]['’]|[Tt]he) ?([a-zà-ÿ][\w'’ -]{3,50}?) (?:se réserve(?:ra)? le droit|reserves the right)"
)


_OFFICE = re.compile(
    r"(?:(?<![\w’'])(?:[Ll]e|[Ll]a|[Aa]u|[Dd]u) ((?:[Ss]ervice|[Dd]irection|[Pp]ôle|[Dd]épartement|[Bb]ureau)"
    r"(?: (?:de (?:la )?|des |du |(?=[A-Z]))| de l['’]| d['’])[A-ZÀ-Ý][\w-]+)|"
    r"[Tt]he ((?:[A-Z]\w+ ){1,3}(?:Team|Department|Office|Unit|Board|Division|Directorate|Trust|College|Council|Library|Museum)))(?!\w)"
)
"""Offices of the buyer by their names: "le service Mobilités", "the Asset Team"."""


def buyer_names(text: str) -> frozenset[str]:
    """Names under which the RFP's buyer speaks ("Acme reserves the right"), levelled, with their first word."""
    found: set[str] = set()
    for match in _BUYER_NAME.finditer(text):
        words = [word for word in match[1].split() if not _NO_NAME.match(word)]
        if not words or PARTY.fullmatch(" ".join(words).lower()):
            continue
        name = " ".join(words).lower()
        found.add(name)
        if match[1].startswith("The ") and len(words) > 1:
            found.add(words[-1].lower())
        elif len(words[0]) >= 2 and words[0][0].isupper() and not PARTY.fullmatch(words[0].lower()):
            found.add(words[0].lower())
    for match in _OFFICE.finditer(text):
        name = match[1] or match[2]
        if not re.match(r"(?:Project|Contract|Service|Support|Bid|Delivery|Supplier|Contractor)\b", name):
            found.add(level(name))
    for match in _RESERVING.finditer(text):
        name = " ".join(match[1].lower().split())
        if not PARTY.search(level(name)):
            found.add(level(name))
            found.add(" ".join(level(name).split()[:2]))
    return frozenset(found)
