"""What a sentence does with its subject: affirms, denies, makes it conditional, puts it off, or orders it.

Belongs here: cues of negation, condition, promise and obligation, English and French, and their reach.
Does not belong here: whether the sentence speaks of the rule at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from bidproof.chunking.questions import asks_respondent
from bidproof.judging.negation import LIMITS, NOUNS, VERBS, Cues, Span, negations_in

_I = re.IGNORECASE
_UNTICKED = re.compile(r"☐\s*[^☐☑☒]*")
# "no less than" and the like affirm; "no conflict of interest" denies something unwanted.
_AFFIRMING = re.compile(
    LIMITS + r"|\b(?:(?:does|do|shall|will|must|may)\s+not\s+(?:affect|limit|relieve|prejudice|waive)"
    r"|(?:no|without|any|free\s+of|zero|nil|aucune?|sans|not\s+\w+\s+any)\s+(?:\w+\s+){0,2}?(?:conflicts?|deviations?|exceptions?|reservations?|qualifications?"
    r"|exclusions?|interruptions?|delays?|(?:extra\s+|additional\s+)?(?:costs?|charges?|fees?|price)|loss(?:es)?|breach(?:es)?|defaults?|litigations?|"
    r"insolvency|egress|downtime|outages?|errors?|defects?|limitations?|limit|incidents?|cross-border|disruptions?|gaps?|prejudice|"
    r"expiry|visit|tools?|touch|réserves?|reserves?|d[ée]rogations?|interruption|d[ée]lai|frais|surco[uû]ts?|conflits?|limite)"
    r"|(?:excluding|exclusive\s+of|excl\.?|without|net\s+of|hors)\s+(?:\w+\s+)?(?:vat|value\s+added\s+tax|gst|tax(?:es)?|tva|dut(?:y|ies))"
    r"|n°)",
    _I,
)
# A denial of one of these is what a bidder is expected to declare.
_UNWANTED = re.compile(
    r"\b(?:conflicts?\s+of\s+interest|insolven\w+|bankrupt\w*|convict\w+|litigation|in\s+default|egress|debarred|excluded\s+from|"
    r"cross-border|expired?|superseded|interrupt\w*|leave\s+the\s+country|conflits?\s+d['’]int[ée]r[êe]ts?|faillite|condamn\w+)\b",
    _I,
)
_VERB_NEGATION = re.compile(
    VERBS
    + r"|\b(?:nor|nothing)\b|\bnot\s+(?:able|willing|ready|in\s+a\s+position)\s+to\b|\bet\s+non\s+(?:d['’]|de\b|du\b|des\b|par\b|en\b|une?\b)"
    r"|\b(?:unable|fail(?:s|ed)?\s+to|refus\w+|declin\w+|lacks?|reject\w*)\b"
    r"|\b(?:excluded|omitted|non[- ]?compliant|non[- ]?conforme|unavailable|unsupported|unsigned|uncertified"
    r"|exclue?s?|(?:refus|rejet)[ée]e?s?|omise?s?)\b"
    r"|\bne\s+(?:\w+\s+){1,3}?gu[èe]re\b|\bnon[ -](?:fourni|joint|inclu|offert|pr[ée]vu|propos[ée]|accept|respect[ée]|disponible|applicable)\w*",
    _I,
)
# Not "is not assignable" or "does not cover vandalism": the thing itself is refused.
_REFUSES = re.compile(
    r"\b(?:not|cannot|never)\s+(?:\w+\s+)?(?:accept|agree|offer|grant|provide|give)\w*|\b(?:refus|reject|rejet|declin)\w*|\bnon\s+accept\w+"
    r"|\bno\s+(?:[\w-]+\s+){1,6}?(?:is|are|will\s+be)\s+(?:accepted|agreed|offered|granted|provided|given)\b"
    r"|\b(?:n['’]|ne\s+)(?:accept|offr|accord|propos|fourni|donn|consent)\w*\s+(?:pas|aucun\w*)\b"
    r"|\baucune?\s+(?:[\w'’-]+\s+){1,6}?(?:n['’]est|n['’]a\s+été|ne\s+sera)\s+(?:accept|offert|accord|fourni|donn)\w*",
    _I,
)
_NOUN_NEGATION = re.compile(
    rf"\b(?:{NOUNS}|excluding|hors|absence\s+d[e'])\b|\bn/a\b|\bnil\b",
    _I,
)
_FINITE = re.compile(r"\b(?:is|are|was|were|shall|will|may|can|has|have|est|sont|sera|seront)\b", _I)
_CLAUSE_END = re.compile(
    r"[;:!?|\n]|\.(?!\d)|\b(?:and|or|et|ou)\b(?=\s+(?:(?:is|are|was|were|does|do|did|will|shall|has|have|can|should|n['’]\w+|ne)\s+)?(?:not|never|cannot|pas|no)\b)|,\s+(?:but|however|and|while|whereas|which|who|where|mais|et|qui|dont)\b|\b(?:but|however|whereas|mais)\b"
    # an aside that leaves something out, and denies nothing before it: "99.9 %, maintenance windows not counted"
    r"|,\s+(?=(?:[^\W\d_]+\s+){1,4}(?:not|non|pas)\s+(?:counted|included|considered|covered|compt[ée]e?s?|comprise?s?|inclue?s?e?s?)\b)",
    _I,
)
_CONDITION = re.compile(
    r"\b(?:subject\s+to|provided\s+that|provided\s+the|conditional(?:ly)?\s+(?:up)?on|on\s+(?:the\s+)?condition|on\s+the\s+basis\s+that|unless"
    r"|except(?:ed|ing)?\b(?:\s+(?:for|that|where|when|if))?|with\s+the\s+exception|save\s+(?:for|that|where)|depend(?:s|ing|ent)\s+(?:up)?on"
    r"|(?:up)?on\s+request|\b(?:only|solely|exclusively)\s+(?:for|in\s+case|where|if|when)\b|\bfor\s+[^.;,]{1,40}?\s+only\b|if\s+(?:required|requested|needed|possible|awarded|you\s|the\s+(?:authority|employer|purchaser|buyer|client|customer|owner|utility)\b)|where\s+possible|as\s+far\s+as\s+possible|assuming|limited\s+to|best\s+effort\w*|endeavou?r\w*"
    r"|sous\s+r[ée]serve|[àa]\s+(?:la\s+)?condition|sauf|[àa]\s+l['’]exception|dans\s+la\s+mesure\s+du\s+possible|sur\s+demande|si\s+(?:besoin|possible|n[ée]cessaire))",
    _I,
)
_NO_CONDITION = re.compile(
    r"\bexcept\s+(?:as|where|when|to\s+the\s+extent)\s+(?:otherwise\s+)?(?:required|imposed|compelled|prescribed)\s+by\s+(?:\w+\s+)?(?:law|statute|court)"
    r"|\b(?:without|no|sans|aucune?|not)\s+(?:\w+\s+)?(?:exceptions?|condition\w*|limited\s+to|subject)|\bunconditional\w*|\bnot\s+limited\s+to",
    _I,
)
# Words that take the firmness out of a figure or a promise.
_VAGUE = re.compile(
    r"\b(?:typically|usually|generally|normally|on\s+average|indicative(?:ly)?|in\s+most\s+cases|as\s+a\s+rule|"
    r"estimated|should\s+(?:be\s+able|suffice)|ideally|g[ée]n[ée]ralement|habituellement|en\s+principe|en\s+moyenne|[àa]\s+titre\s+indicatif)\b",
    _I,
)
# A hope, a mere possibility, and a term that another one may end first.
_TENTATIVE = re.compile(
    r"\b(?:(?:(?:not|un)\s*able\s+to|cannot|can\s*not|can['’]t)\s+(?:yet\s+)?(?:declare|confirm|guarantee|certify|state|commit|assure|warrant)"
    r"|ne\s+(?:pouvons|peut|peuvent)\s+pas\s+(?:encore\s+)?(?:d[ée]clarer|confirmer|garantir|certifier|assurer|affirmer)"
    r"|(?:we|nous)\s+(?:expect|hope|believe|anticipate|trust|assume|esp[ée]rons|pensons|comptons)|could|might|perhaps|possibly"
    r"|whether\b(?!\s+or\s+not)|whichever\s+(?:\w+\s+){0,2}?(?:first|earlier|sooner|shorter|lower|less)"
    r"|pourrai(?:t|ent)|peut-[êe]tre|selon\s+la\s+premi[èe]re|au\s+premier\s+(?:des\s+deux\s+)?(?:termes?\s+)?(?:[ée]chus?|atteints?)|le\s+premier\s+des\s+deux)\b",
    _I,
)
# What holds of somebody else, or held of another contract, says nothing of this bid.
_FOREIGN = re.compile(
    r"\b(?:competitors?|competing\s+(?:bids?|products?|units?)|sub-?\s?suppliers?|sub-?\s?contractors?|(?:nos|des|les|leurs|un|du|d['’]un|notre)\s+concurrents?|sous-?\s?traitants?"
    r"|(?:previous|former|earlier|past|(?<!after the )(?<!after )(?<!of the )last)\s+"
    r"(?:tenders?|bids?|offers?|contracts?|projects?|orders?|deliver(?:y|ies)|customers?|clients?)"
    r"|(?:pr[ée]c[ée]dente?s?|ancien(?:ne)?s?)\s+(?:offres?|march[ée]s?|contrats?|projets?|livraisons?))\b",
    _I,
)
_BYGONE = re.compile(
    r"\b(?:we|our\s+company|nous)\s+(?:have\s+)?(?:\w+ed|built|sold|made|won|avons\s+\w+)\b[^.;]{0,80}?\b(?:in|during|en)\s+(?:19|20)\d\d\b"
    r"|\b(?:was|were|[ée]tai(?:t|ent))\b[^.;]{0,60}?\b(?:in|of|en|de)\s+(?:our\s+|nos\s+)?(?:19|20)\d\d\b",
    _I,
)
_LAPSED = re.compile(
    r"(?<!not )(?<!never )(?<!not yet )\b(?:expired|lapsed|ran\s+out|has\s+run\s+out|a\s+expir[ée]|est\s+expir[ée]e?)"
    r"\s+(?:on|in|since|at|le|en|depuis)\b",
    _I,
)
# Having read a requirement is not meeting it.
_ACKNOWLEDGES = re.compile(
    r"\b(?:we|bidder|tenderer|nous)\s+(?:have\s+|has\s+|avons\s+)?(?:duly\s+)?(?:noted?s?|understand|understood|read|acknowledged?s?|"
    r"taken?\s+note|are\s+aware|pris\s+(?:note|connaissance)|compris|lu)\b",
    _I,
)
# What is on a roadmap is not there, whatever the rule asks.
_ROADMAP = re.compile(
    r"\b(?:roadmap|road-map|feuille\s+de\s+route|under\s+(?:development|preparation|construction|negotiation)|in\s+development|in\s+preparation|en\s+pr[ée]paration|being\s+prepared|in\s+progress"
    r"|(?:is|are|was|were)\s+(?:currently\s+)?(?:planned|foreseen|scheduled|expected|underway|pending)|planned\s+(?:for|in|by)|pending\b"
    r"|to\s+be\s+(?:confirmed|agreed|defined|developed|determined|announced)|\btb[dca]\b|has\s+been\s+commissioned"
    r"|will\s+(?:be\s+(?:taken\s+out|obtained|arranged|procured|concluded|acquired)|take\s+out|obtain|procure|arrange\s+for)\b|ser(?:a|ont)\s+(?:souscri|obtenu|conclu)\w*"
    r"|not\s+yet|at\s+a\s+later|later\s+date|intends?\s+to|aims?\s+to|upcoming|future\s+(?:release|version)|q[1-4][\s/-]*20\d\d\s*$"
    r"|[àa]\s+venir|(?:est|sont|sera|seront)\s+pr[ée]vue?s?|ult[ée]rieurement|en\s+cours\s+(?:de|d['’]))",
    _I,
)
# A paper that will be handed in is not enclosed; a service that will be rendered is offered all the same.
_LATER = re.compile(
    r"\b(?:(?:will|shall|would|can|could|may)\s+be\s+(?:made\s+)?(?:available|released|handed|furnished|enclosed|attached|obtained|issued|certified|forwarded|sent|completed|signed|filled|provided|submitted|developed|supplied|produced|renewed|drawn)"
    r"|(?:can|may|could)\s+be\s+(?:consulted|inspected|viewed|seen|requested|obtained|downloaded)"
    r"|to\s+be\s+(?:submitted|provided|issued|completed|obtained|supplied|added)"
    r"|(?:after|upon|on|following)\s+(?:the\s+)?(?:notice\s+of\s+)?(?:contract\s+)?(?:award|signature)|will\s+(?:follow|obtain|submit|provide|send|supply|issue|seek)"
    r"|ser(?:a|ont)\s+(?:fourni|remis|transmis|joint|communiqu|disponible|produit|envoy|adress|pr[ée]sent|annex|d[ée]pos)\w*)",
    _I,
)
_DUTY_BEARER = (
    r"(?:bidders?|tenderers?|suppliers?|contractors?|vendors?|offerors?|applicants?|proponents?|consultants?|"
    r"service\s+providers?|candidates?|respondents?|soumissionnaires?|titulaires?|candidats?|prestataires?|fournisseurs?|attributaires?)"
)
_DUTY = (
    r"(?:shall|must|should|ought\s+to|(?:is|are)\s+(?:required|requested|obliged|invited|asked)\s+to"
    r"|ha(?:s|ve)\s+to|needs?\s+to|doi(?:t|vent)|devr(?:a|ont|ait|aient)|(?:est|sont)\s+tenue?s?)"
)
_ORDERS = re.compile(
    rf"\b{_DUTY_BEARER}\b[^.;]{{0,80}}?\b{_DUTY}\b|\b{_DUTY}\b[^.;]{{0,60}}?\bby\s+(?:the\s+|each\s+|all\s+)?{_DUTY_BEARER}\b",
    _I,
)
_MODAL = re.compile(rf"\b{_DUTY}\b", _I)
_OWN = re.compile(
    r"\b(?:we|our|ours|us|nous|notre|nos|confirm\w*|undertake\w*|commit(?:s|ted|ment)?|guarantee[sd]?|hereby|herewith|certif(?:y|ies)|"
    r"offered|engage(?:ons|ment)|confirmons|d[ée]clar\w+|attest\w+|garanti(?:t|ssons))\b",
    _I,
)


def _minus(found: Iterable[Span], masks: list[Span]) -> list[Span]:
    return [(a, b) for a, b in found if not any(start < b and a < end for start, end in masks)]


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [m.span() for m in pattern.finditer(text)]


# "When a meter does not report, the procedure returns it": the main clause begins at the comma.
_SUBORDINATE = re.compile(
    r"(?:^|[.;:•]\s*)(?:when|whenever|if|where|once|while|should|in\s+case|as\s+soon\s+as|lorsque?|quand|si|en\s+cas)\b[^,;.]{0,160}(,)",
    _I,
)


_CUES = Cues(_AFFIRMING, _VERB_NEGATION, _NOUN_NEGATION, _FINITE, (_CLAUSE_END, _SUBORDINATE))


@lru_cache(maxsize=1 << 16)
def denied(text: str) -> tuple[Span, ...]:
    """Stretches of `text` that are negated.

    An empty box denies the statement after it. Not denied is what a bidder is expected to do without, such as
    conflicts of interest.
    """
    reach = _spans(_UNTICKED, text)  # what stands beside a box that is not ticked is not said
    for (start, _), (_, end), stretch, verb in negations_in(text, _CUES):
        if not (verb and _UNWANTED.search(text, start, end)):
            reach.append(stretch)
    return tuple(sorted(reach))


def denials_in(text: str) -> list[str]:
    """What `text` denies, each from its negating word on, six words at most; unwanted things left out."""
    found = negations_in(text, _CUES)
    return [
        " ".join(text[a:].split()[:6]).rstrip(".,;:")
        for (a, _), (_, end), (start, stop), verb in found
        if not _UNWANTED.search(text, start, max(end, stop)) or not verb
    ]


def denies(text: str, places: Iterable[Span]) -> bool:
    """Half or more of `places` stand where `text` is negated."""
    spans = list(places)
    reach = denied(text)
    hit = sum(any(start <= a and b <= end for start, end in reach) for a, b in spans)
    return bool(spans) and hit * 2 >= len(spans)


def refuses(text: str) -> bool:
    """The text refuses something as a whole: not accepted, offered, granted or provided."""
    return bool(_REFUSES.search(text))


def condition_in(text: str) -> str:
    """The words that make `text` conditional; empty when nothing does."""
    masks = _spans(_NO_CONDITION, text)
    found = _minus(_spans(_CONDITION, text), masks)
    return text[slice(*found[0])] if found else ""


def hedge_in(text: str) -> str:
    """Why `text` commits to nothing firm: vague, a question, or a mere acknowledgement; empty when it does."""
    if found := _VAGUE.search(text) or _TENTATIVE.search(text):
        return f"not firm ({found.group()})"
    if _ACKNOWLEDGES.search(text):
        return "acknowledges the requirement without meeting it"
    asked = text.rstrip(" \"'”’»)").endswith("?") or (" | " not in text and asks_respondent(text))
    return "a question" if asked else ""


def lapsed_in(text: str) -> str:
    """The words by which `text` says that a thing has run out; empty when it does not."""
    found = _LAPSED.search(text)
    return found.group() if found else ""


def elsewhere_in(text: str, *, bygone: bool = True) -> str:
    """The words by which `text` speaks of another firm, or of an earlier contract; empty when it does neither.

    Without `bygone` what the bidder did in a year gone by counts as its own: a conviction of 2019 is one.
    """
    found = _FOREIGN.search(text) or (_BYGONE.search(text) if bygone else None)
    return found.group() if found else ""


def promise_in(text: str, *, paper: bool = False) -> str:
    """The words that put `text` off to later; empty when it speaks of what is there now.

    With `paper` set the rule asks for something to be in the bid, so "will be submitted" counts too.
    """
    found = _ROADMAP.search(text) or (_LATER.search(text) if paper else None)
    return found.group() if found else ""


def orders_bidder(text: str) -> bool:
    """The text lays a duty on bidders ("the bidder shall"), as an RFP does, instead of taking one on."""
    return bool(_ORDERS.search(text))


def has_duty_verb(text: str) -> bool:
    """The text says shall, must or should."""
    return bool(_MODAL.search(text))


def own_words(text: str) -> tuple[Span, ...]:
    """Places where the writer speaks for itself: we, our, confirm, undertake."""
    return tuple(_spans(_OWN, text))
