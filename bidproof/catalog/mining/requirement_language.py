"""Whether an isolated sentence is a requirement, by its language alone: for sentences without headings and lead-in.

Knows verbs that oblige, what a user can do, what a product does in the present or the future, and how definitions and a
document's talk of itself look. No context, no vocabulary of one domain, no learned weights. Where headings and lead-ins are
known, `subjects` decides with them.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.sentences import level

_ACTORS = (
    r"(?:users?|customers?|clients?|operators?|administrators?|admins?|managers?|members?|staff|employees?|players?|patrons?|publishers?|"
    r"contributors?|visitors?|suppliers?|vendors?|buyers?|students?|teachers?|owners?|personnel|providers?|librarians?|moderators?|analysts?|"
    r"authors?|editors?|reviewers?|guests?|persons?|people|citizens?|officers?|clerks?|technicians?|engineers?|groups?|utilisateurs?|agents?)"
)
_WHOLE = r"(?:systems?|software|solution|platform|application|product|program|module)"
_DONE = (
    r"(?:displayed|shown|generated|stored|sent|created|required|notified|calculated|assigned|logged|recorded|encrypted|presented|added|prompted|"
    r"populated|replaced|allowed|permitted|restricted|validated|checked|tracked|kept|accessible|configurable|modifiable|mandatory|informed|asked|"
    r"protected|authenticated|grouped|sorted|taken|transferred|hidden|highlighted|listed)"
)
_SHALL = re.compile(r"(?<![a-z\"'])(?:shall|doi(?:t|vent)|devr(?:a|ont))(?![a-z\"'])")
_MUST = re.compile(
    r"(?<![a-z\"'])(?:must|should|ought to|(?:is|are) (?:required|able) to|be able to|(?:is|are) responsible for|"
    "does not require|(?:has|have|needs?) to(?! (?:understand|recogni[sz]e|know|be (?:noted|emphasi[sz]ed|"
    "mentioned)))|is (?:mandatory|essential|required)|"
    r"are (?:mandatory|essential|required)|ha(?:s|ve) (?:the|an) (?:ability|possibility|option|capability) (?:to|of)|"
    r"doi(?:t|vent) etre)(?![a-z\"'])"
)
_WILL = re.compile(
    rf"^\W*(?:the |this |an? |each |all |any )?(?:(?:[\w/-]+ ){{0,2}}?(?:{_WHOLE}|{_ACTORS}) will (?:not |also |only |"
    rf"automatically )?(?!need|typically|likely)\w+|"
    rf"(?:[\w/-]+ ){{1,4}}will (?:not |also |only |automatically )?(?:allow|enable|provide|support|display|ensure|"
    rf"show|store|send|generate|notify|create|"
    rf"update|perform|accept|reject|prevent|inform|use|run|include|contain|handle|manage|track|return|check|verify|validate)(?![a-z]))"
)
_CAN = re.compile(
    rf"(?<![a-z])can(?![a-z])|^\W*(?:the |an? |any |all |every )?(?:[\w-]+ ){{0,2}}?{_ACTORS} (?:may|peu(?:t|vent)) "
)
_ABILITY = re.compile(
    r"^\W*(?:\w+[-.:\d]*\s)?(?:ability|capability|capacity|support|possibility|option|facility) (?:to|for|of)(?![a-z])"
)
_PASSIVE = re.compile(
    rf"(?<![a-z])(?:is|are|be) (?:not |also |then |only |automatically |always |\w+ly )?{_DONE}(?![a-z])"
)
_LETS = re.compile(
    rf"(?<![a-z])(?:allows?|enables?|permits?|lets?|allowing|enabling)(?: \w+){{0,4}}? (?:to|access|"
    rf"\w+ing)(?![a-z])|(?<![a-z])(?:allows?|enables?) (?:the )?{_ACTORS}"
)
_SELF = re.compile(
    r"(?<![a-z])(?:this|the (?:following|next|previous|present|remaining|above|below)|each|these|that) (?:document|"
    r"section|chapter|sub-?section|appendix|annex|"
    r"specification|report|paper|table|figure|diagram|deliverable|glossary|manual|list of|part|"
    r"requirements? (?:specification|document)|srs|release)s?(?![a-z])|"
    r"(?:sections?|chapters?|appendix|figures?|tables?) \d|(?:described|explained|discussed|defined|listed|detailed|"
    r"specified|outlined|summari[sz]ed|found|presented|"
    r"given|provided|included) (?:in|within|by) (?:this|the|section|chapter|appendix|detail|table|figure|following|"
    r"\[)|(?:the )?(?:purpose|scope|goal|aim|intent|"
    r"objective)s? of (?:this|the)|"
    r"(?:srs|requirements document|specification document)|readers?(?![a-z])|intended audience|project team|"
    r"stakeholders|references?:|we (?:are|have|will|assume|suppose|would)"
)
_TOLD = re.compile(
    r"(?<![a-z])(?:(?:number|amount|length|time|which|how) (?:[\w-]+ ){0,3}(?:that|which|it) )$|(?:these|each) requirements? $"
)
"""What is told of before a "shall" of a relative clause: "the amount of time that shall elapse"."""
_ABOUT = re.compile(
    r"\W*(?:(?:all |any |other |additional )?requirements?|(?:this|the|these) (?:document|section|chapter|"
    r"specification|requirements?|project|developers?|design)s?|"
    r"developers?|software engineers?|we|the (?:amount|length|time|hours?|numbers) of|"
    r"assumptions?|pre-?conditions?|it (?:is|has been)|no |they|x |y )(?![a-z])"
)
"""What a sentence with a verb that obliges is about when it asks nothing of the product: the document, the project, a definition."""
_RELATIVE = re.compile(r"(?<![a-z])(?:that|which|who|what|how|whether|if|where|as)(?: [\w'-]+){0,4} $")
"""The verb stands in a relative clause: what is told of is not asked here."""
_TERM = re.compile(
    r"[\"'](?:shall|should|must|will|may)[\"']|use of the terms?|requirements? (?:formulated|stated|written)|the terms? "
)
_PAST = re.compile(
    r"(?<![a-z])(?:was|were|had|did|has been|have been|been (?:developed|designed|written)|became|"
    r"began|decided|founded|formed|released)(?![a-z])"
)
_DEFINES = re.compile(
    r"^\W*[\w/() .'-]{2,45}?\s*(?::|\s[–—-])\s*(?:an?|the|in|any|one|set|list|information|software|term|used|process|"
    r"type|standard|method|group|act|ability|"
    r"short|see|refers|means|describes|specifies|someone|person|data)\s|"
    r"(?<![a-z])(?:stands for|refers to|is defined as|means|is called|known as|is an acronym|abbreviation)(?![a-z])|"
    r"^\W*an? (?:[\w-]+ ){1,4}(?:is|are) (?:an?|the|any|one) "
)
_REFERENCE = re.compile(
    r"https?://|www\.|ieee std|\bpp\. ?\d|\bvol\. ?\d|(?:19|20)\d\d\.$|^figure|^table \d|"
    r"^\W*\d+(?:\.\d+)* [A-Z][\w ]{2,40}$",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"^\W*(?:for example|e\.g|for instance|note that|in other words|in this case|as a result|"
    r"basically|usually|generally|typically)(?![a-z])"
)
_VAGUE = re.compile(r"\W*(?:this|it|that|anyone|nobody|we|an?)(?![a-z])|\W*use cases?(?![a-z])")
_CLAUSE = re.compile(
    r"\W*(?:if|when|once|where|while|as|although|however|therefore|thus|these|they|there|in this|"
    r"in that|at the|since|because)(?![a-z])"
)
"""Openings of narration: what happens when, not what is asked."""
_LONG = 30
"""Words: longer sentences in the indicative mostly tell a story."""


_LIMIT = re.compile(
    r"(?<![a-z])(?:(?:minimum|maximum)(?: [\w-]+){1,9}? (?:is|are|will be|of|:)[^.]{0,40}\d|(?:minimum|maximum) of \d|at (?:least|most) \d|"
    r"no (?:more|less|fewer|greater) than \d|(?:more|less|fewer) than \d)"
)
"""A limit with its figure."""
_SYSTEM = re.compile(
    rf"(?:^\W*(?:the |this |an? )?(?:[\w-]+ )?|(?<=[,;.:] )(?:the |then the )){_WHOLE} (?:also |then |automatically |only )?"
    r"(?!is |has been|was |does |consists |needs )[a-z]+s (?!of |on |in )\w+"
)
"""The product as a whole does something."""
_NUMBERED = re.compile(r"^\W*(?:req(?:uirement)?|rr?|fr|nfr)[-. ]?\d[\w.-]*[:.]? \w+")


def is_requirement(sentence: str) -> bool:
    """Whether `sentence` asks for something, as far as its own words tell."""
    return ground_of(sentence) != ""


def ground_of(sentence: str) -> str:
    """What makes an isolated sentence a requirement: `shall`, `must`, `will`, `can`, `does`, `passive` ...; empty where it is none."""
    plain = level(" ".join(sentence.split()))
    if _TERM.search(plain) or len(plain.split()) < 4:
        return ""
    if shall := _SHALL.search(plain):
        return "" if _TOLD.search(plain[: shall.start()]) else "shall"
    if must := _MUST.search(plain):
        return "" if _ABOUT.match(plain) or _RELATIVE.search(plain[: must.start()]) else "must"
    if (
        _REFERENCE.search(plain)
        or _SELF.search(plain)
        or _DEFINES.search(plain)
        or _PAST.search(plain)
        or _EXAMPLE.search(plain)
    ):
        return ""
    for ground, pattern in (("ability", _ABILITY), ("limit", _LIMIT), ("numbered", _NUMBERED)):
        if pattern.search(plain):
            return ground
    if _SYSTEM.search(plain):
        return "system"
    if len(plain.split()) > _LONG:
        return ""
    if (can := _CAN.search(plain)) and not _VAGUE.match(plain) and not _RELATIVE.search(plain[: can.start()]):
        return "can"
    if _CLAUSE.match(plain):
        return ""
    if _WILL.search(plain):
        return "will"
    if (lets := _LETS.search(plain)) and not _RELATIVE.search(plain[: lets.start()]):
        return "lets"
    if (passive := _PASSIVE.search(plain)) and not _RELATIVE.search(plain[: passive.start()]):
        return "passive"
    return ""
