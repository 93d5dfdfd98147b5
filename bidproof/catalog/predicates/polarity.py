"""Which way a rule points: limits that are stated by what is refused, things that must not be, laws merely cited.

A rule may say what gets a bid rejected instead of what it must hold. Read as it stands, its limit would be the
wrong way round and let the very bids pass that it refuses.
"""

from __future__ import annotations

import re

from bidproof.facts import fold
from bidproof.records import Comparator, Fact

_REFUSES = re.compile(
    r"\b(?:(?:will|shall|may|must|to) be (?:rejected|disqualified|excluded|declared (?:non-?responsive|ineligible))|"
    r"(?:are|is) (?:rejected|excluded|disqualified|ineligible|unacceptable|inadmissible|"
    r"not (?:eligible|admitted|allowed|permitted|accepted|acceptable|admissible))|"
    r"no (?:bid|bidder|tender|tenderer|offer|proposal|candidate|applicant|firm)s? (?:[^.;]*? )?"
    r"(?:will|shall|may|can|is|are) (?:be )?(?:admitted|accepted|considered|eligible)|"
    r"n'(?:est|sont) pas (?:recevables?|admissibles?|admise?s?|acceptee?s?|acceptables?)|(?:est|sont|sera|seront) eliminatoires?|"
    r"(?:shall|will|may|must|can)(?:not| not) (?:be (?:admitted|accepted|considered|eligible)|participate)|"
    r"grounds? for (?:rejection|exclusion|disqualification)|"
    r"(?:ne (?:sont|seront|sera|peuvent|peut) pas|ne (?:sont|seront|sera) (?:point|"
    r"en aucun cas)) (?:etre )?(?:admise?s?|acceptee?s?|autorisee?s?|retenue?s?|"
    r"recevables?|participer|prise?s? en compte)|(?:sera|seront|est|sont) (?:rejetee?s?|ecartee?s?|exclue?s?|eliminee?s?|irrecevables?|refusee?s?)|"
    r"irrecevables?|returned unopened|not be (?:opened|considered|evaluated)|retournee?s?(?: sans etre ouverte?s?)?)\b"
)
_UNLESS = re.compile(
    r"\b(?:unless|except|sauf|a moins|hormis|if (?:it|they|the \w+) (?:is|are|does|do) not|not (?:less|more|exceed\w*)|without)\b"
)
_FORBIDS = re.compile(
    r"\b(?:(?:shall|must|may|can|will)(?: not|not)|cannot|(?:is|are) not (?:allowed|permitted|to)|n(?:e |"
    r"')(?:peut|peuvent|doit|doivent|pourra|pourront|"
    r"devra|devront|sera|seront|est|sont|saurait|sauraient)(?: en aucun cas| jamais)?(?: pas)?)\b(?P<what>[^.;|]*)$"
)
_OPPOSITE: dict[Comparator, Comparator] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_BEHIND = re.compile(
    r"(?:or more|and more|or above|and above|or higher|or over|or greater|ou plus|et plus|ou davantage|\+)\W*$"
)
_OWN_NEGATION = re.compile(
    r"\b(?:exceed\w*|depass\w*|exced\w*|less|more|fewer|greater|higher|lower|longer|later|inferieur\w*|superieur\w*|moins|plus)\b"
)


def asked_comparator(comparator: Comparator, fact: Fact, text: str, context: str = "") -> Comparator:
    """`comparator` turned round where the rule refuses what it describes.

    "Bids of more than 20 pages will be rejected" asks for at most 20, "no expert may be proposed for two or more
    lots" for fewer than two. `context` counts where it opens with the refusal and the rule is an item below it.
    """
    if comparator not in _OPPOSITE or not fact.comparator:
        return comparator
    low = fold(text)
    sentence = _sentence(text, fact)
    refusal = _REFUSES.search(fold(sentence))
    refused = (
        refusal and not _UNLESS.search(fold(sentence)) and not _heard(refusal, comparator, fact, sentence)
    )
    head = (
        fold(context)[: max(0, fold(context).find(low[:40]))] if context and text not in context[:5] else ""
    )
    if refused or (_REFUSES.search(head) and not _UNLESS.search(low)):
        return _OPPOSITE[comparator]
    left = fold(sentence.partition(fact.text)[0]) + " "
    if comparator in (">", "<") and _is_banned(left, fold(sentence.partition(fact.text)[2])):
        return _OPPOSITE[comparator]
    forbids = _FORBIDS.search(left)
    if forbids is None or _CONDITION.search(forbids["what"]):
        return comparator
    bound = _OWN_NEGATION.search(forbids["what"])
    # Where the finder of facts hears "not" with its bound ("not exceeding") it turns the bound itself: what is
    # strict still stands too far from its "not" ("may not propose one expert for more than two lots").
    far = comparator in (">", "<") and bound is not None
    return _OPPOSITE[comparator] if far or (bound is None and _BEHIND.search(fold(fact.text))) else comparator


_STRICT = re.compile(
    r"\b(?:(?:more|greater|larger|higher|longer|older|less|fewer|lower|smaller|shorter) than|over|above|below|under|beyond|exceed\w*|in excess of|"
    r"plus d[e']|moins d[e']|(?:inf|sup)erieure?s? a|exced\w+|depass\w+|au-dela de)(?! or equal)\W*(?:\w+\W+){0,3}$"
)


def _heard(refusal: re.Match[str], comparator: Comparator, fact: Fact, sentence: str) -> bool:
    """The finder of facts has turned the bound at the refusing words already: "not permitted to exceed 4 hours"."""
    left = fold(sentence.partition(fact.text)[0])
    return comparator in (">=", "<=") and refusal.end() <= len(left) and _STRICT.search(left) is not None


_NEGATED = re.compile(
    r"\b(?:not|never|neither|nor|jamais|pas|ni)\b(?P<what>[^.;:|]*)$|n['’]t\b(?P<short>[^.;:|]*)$"
)
_STANDS_FOR = re.compile(
    r"^\s*(?:be|is|are|have|has|etre|avoir)?\s*(?:a|an|of|de|d'|une?|equal to|egale? a)?\s*$"
)
_TWICE = re.compile(r"\b(?:without|unless|sauf|sans|if|when|where|si|lorsque|but|mais|only|limited)\b")


def is_negated(comparator: Comparator, fact: Fact, text: str) -> bool:
    """The bare figure is what must not be: "shall not weigh 40 kg", "n'est pas de 90 jours".

    A figure with a comparator of its own is left to `asked_comparator`, and a period for which something must not
    happen ("may not be withdrawn for 90 days") bounds as ever.
    """
    sentence = _sentence(text, fact)
    if fact.comparator or fact.value_max is not None or _REFUSES.search(fold(sentence)):
        return False
    found = _NEGATED.search(fold(sentence.partition(fact.text)[0]) + " ")
    if found is None:
        return False
    between = found["what"] or found["short"] or ""
    return bool(_STANDS_FOR.match(between)) or (comparator == "=" and not _TWICE.search(between))


_BAN = (
    r"(?<!not )(?<!pas )(?<!no longer )(?<!plus )(?:strictly |formally |expressly |strictement |formellement )?"
    r"(?:interdi(?:te?s?|ction)|proscrite?s?|prohibee?s?|defendue?s?|forbid\w*|forbidden|prohibit\w*|banned|not (?:allowed|permitted))\b"
)
_BANNED_BEFORE = re.compile(_BAN + r"(?P<what>[^.;:|]*)$")
_BANNED_BEHIND = re.compile(
    r"^(?P<what>[^.;:|]*?)\b(?:is|are|be|est|sont|sera|seront|demeure\w*|reste\w*)\W+" + _BAN
)
_DUTY = re.compile(
    r"\b(?:shall|must|should|ha(?:s|ve) to|is required|are required|requires?|doit|doivent|devra|devront|unless|sauf si|a moins|except where)\b"
)


def _is_banned(left: str, right: str) -> bool:
    """The amount is part of what is forbidden: "interdit de sous-traiter plus de 30 %", "more than 30% is prohibited".

    A duty between the two begins another thought.
    """
    return any(
        found is not None and not _DUTY.search(found["what"])
        for found in (_BANNED_BEFORE.search(left), _BANNED_BEHIND.match(right))
    )


def refuses_later(fact: Fact, text: str) -> bool:
    """The sentence turns away what comes after the date: "bids received after 30 June will be returned unopened"."""
    sentence = fold(_sentence(text, fact))
    left = fold(text[max(0, fact.start - 40) : fact.start]) + " "
    return bool(_REFUSES.search(sentence) and _AFTER.search(left))


_AFTER = re.compile(
    r"\b(?:after|later than|past|apres|au-dela|posterieure?s?(?: (?:a|au))?)(?:\W+(?:the|le|la|du|de|date|limite))*\W*$"
)


_CONDITION = re.compile(r"\b(?:if|when|where|unless|except|si|lorsque|sauf|en cas)\b")


def _sentence(text: str, fact: Fact) -> str:
    """The sentence of `text` in which a fact stands."""
    starts = [0, *(m.end() for m in re.finditer(r"[.;](?=\s)", text) if m.end() <= fact.start)]
    end = re.search(r"[.;](?=\s|$)", text[fact.end :])
    return text[starts[-1] : fact.end + end.start() if end else len(text)]


_GROUND = re.compile(
    r"\b(?:articles?|art\.?|sections?|clauses?|paragraphs?|paragraphes?|alineas?|dispositions?|pursuant|within the meaning|as defined|established by|"
    r"sens d\w*|application d\w*|vertu d\w*|prevue?s? (?:par|a|au)|visee?s? (?:par|a|au)|relatif|relative|"
    r"fixees? par|portant|provided for)\b[^.;|]{0,60}$"
)
_COMPLY = re.compile(
    r"\b(?:compl\w+|(?<!certifie )(?<!certifiee )(?<!certifies )(?<!certifiees )conform(?:e|es|ity|ite|"
    r"ance)?|adher\w*|respect\w*|satisf\w*|in accordance with the requirements)\b(?! aux dispositions|"
    r" a l'article)"
    r"[^.;|]{0,60}$"
)
_LAW = re.compile(r"(?:Act|Regulations?|Rules|Ordinance|Code|Law)$|^(?:LOI|EU) ")


def is_ground(fact: Fact, text: str) -> bool:
    """The law is cited as the ground of a clause ("as defined in section 4 of the ... Act 2015"), not to be complied with."""
    if not _LAW.search(fact.code):
        return False
    left = fold(text[max(0, fact.start - 120) : fact.start]) + " "
    return bool(_GROUND.search(left)) and not _COMPLY.search(left)


_OUT = re.compile(
    r"\b(?:disabled?|prohibited|forbidden|deprecated|removed|blocked|banned|not (?:be )?(?:used|permitted|allowed|supported|accepted|enabled)|"
    r"must not|shall not|desactivee?s?|interdite?s?|proscrite?s?|exclue?s?|bannie?s?|abandonnee?s?|ne (?:doit|doivent) (?:pas|plus))\b"
)


def is_ruled_out(fact: Fact, text: str) -> bool:
    """The sentence says that the protocol must not be used: "TLS 1.0 and SSL 3.0 must be disabled"."""
    return bool(_OUT.search(fold(_sentence(text, fact))))
