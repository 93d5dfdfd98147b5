"""Which way a bare figure bounds, where what it is for tells: what is carried, secured, used up, listed on.

For figures without a comparator of their own. What other words around a figure tell stands in `wording`.
"""

from __future__ import annotations

import re

from bidproof.facts import fold
from bidproof.records import Comparator, Fact

_SECURITY = re.compile(
    r"\b(?:(?:bid|tender|proposal|performance|advance payment|bank|payment)[ -]+(?:bonds?|securit(?:y|ies)|guarantees?|suret(?:y|ies))|"
    r"surety bonds?|bid[ -]securing|earnest money|emd|insurances?|insured|assurances?(?! qualite)|cautions?|cautionnements?|"
    r"(?<!retenue de )garanties? (?:de soumission|de l'offre|d'offre|de bonne (?:execution|fin)|bancaires?|a premiere demande|financieres?))\b"
)
# The figure nearest to one of these belongs to it, whatever is secured besides.
_FIXED = re.compile(
    r"\b(?:penalt\w*|penalites?|damages|retenue|retention|discount|remise|rabais|fees?|premiums?|primes?|commission|interest|interets?|"
    r"vat|tva|tax|taxe|deposit of the buyer|advance payment(?! (?:bond|guarantee|security))|avance|acompte|price|prix)\b"
)
# What an insured or secured party bears itself: the lower the better, and no sum that is secured.
ASIDE = re.compile(
    r"\b(?:deductibles?|excess(?:es)?|franchises?|sub-?limits?|sous-limites?|self-insured|costs?|couts?|coute\w*|frais|charges?|"
    r"contributions?|participation|quote-part)\b"
)
_OF_IT = re.compile(r"^\W*(?:(?:as|for|of|en|de|a titre de|pour)\s+)?(?:(?:an?|the|la|le|une?)\s+)?$")
_CARRIED = re.compile(
    r"\b(?:carry|carries|carrying|lift|lifts|lifting|bear|bears|withstand\w*|accommodates?|payloads?|"
    r"(?:support|supports|hold|holds)\b(?! (?:desk|team|service|staff))|(?:load|carrying|lifting|storage|tank)[ -]capacity|"
    r"porter|porte|supporte(?:r|nt)?|soulever|souleve|charge utile|capacite de (?:charge|levage|stockage)|warrant\w*|garantie?s?|autonom\w*)\b"
)
_USED_UP = re.compile(r"\b(?:consum\w*|consomm\w*|emissions?|emet|emits?)\b")
_CLAUSE = re.compile(r"[;.:](?=\s|$)|\|")
_JOINED = re.compile(r"[ ,]*\b(?P<link>or|and|et|ou)\b[ ]*(?:(?:of|de|a|à|d['’])[ ]*)?", re.IGNORECASE)
_SPAN = re.compile(r"\b(?:within|dans|sous|in)\b")
_ONE_SIDED = (">=", "<=")


def told_by_purpose(fact: Fact, text: str, facts: list[Fact]) -> Comparator:
    """Comparator of a bare figure by what it is for; empty where that does not tell.

    - A figure that goes on with another by "or" takes its comparator: "at least 36 months or 100,000 km".
    - A security or an insurance is no breach where it is higher than asked; penalties and discounts stay fixed.
    - What is to be carried or lifted, or covered by a warranty, bounds from below; consumption by a rate, and emissions,
      from above.
    """
    if fact.comparator or fact.value_max is not None or fact.kind == "class":
        return ""
    if carried := _carried_over(fact, text, facts):
        return carried
    start = max([0, *(m.end() for m in _CLAUSE.finditer(text) if m.end() <= fact.start)])
    before, behind = fold(text[start : fact.start]), fold(text[fact.end : fact.end + 60])
    if fact.kind in ("percent", "money") and _secures(before, behind):
        return ">="
    technical = fact.kind == "quantity" and (not fact.unit.islower() or len(fact.unit) <= 2)
    if technical and fact.per and _USED_UP.search(before):
        return "<="
    return ">=" if technical and _carries(before) else ""


# Between what carries and the figure stands what is carried, nothing else that the figure could measure.
_REACH = re.compile(
    r"\W*(?:(?!(?:and|et|has|have|having|shall|must|with|avec|whose|while|but|mais|noise|bruit|sag|loss(?:es)?|pertes?|"
    r"leak\w*|fuites?|pressure|pression|temperature|weigh\w*|mass|masse|poids|consum\w*|consomm\w*|emissions?|discharge|height|width|"
    r"length|hauteur|largeur|longueur)\b)[\w'-]+\W*){0,5}"
)


def _carries(before: str) -> bool:
    carried = list(_CARRIED.finditer(before))
    return bool(carried) and _REACH.fullmatch(before[carried[-1].end() :]) is not None


def _secures(before: str, behind: str) -> bool:
    """The figure is that of a security: named before it, nearer than anything fixed, or right behind it.

    A bare field ("Bid security: 2% of total price") states the rate that the tender fixes and is left as it is.
    """
    if ASIDE.search(before):
        return False
    named, fixed = _last(_SECURITY, before), _last(_FIXED, before)
    if max(named, fixed) >= 0:
        return named > fixed
    found = _SECURITY.search(behind)
    return found is not None and _OF_IT.match(behind[: found.start()]) is not None


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((m.start() for m in pattern.finditer(text)), default=-1)


def _carried_over(fact: Fact, text: str, facts: list[Fact]) -> Comparator:
    """Comparator of the figure that this one goes on with: by "or", or by "and" where both are of one kind."""
    ahead = [f for f in facts if f.end <= fact.start and f.kind not in ("obligation", "form", "standard")]
    if not ahead:
        return ""
    first = ahead[-1]
    link = _JOINED.fullmatch(text[first.end : fact.start])
    if link is None or _SPAN.search(fold(text[max(0, first.start - 12) : first.start])):
        return ""
    if link["link"].lower() in ("and", "et") and (fact.kind, fact.unit) != (first.kind, first.unit):
        return ""
    stated = first.comparator or told_by_purpose(first, text, facts)
    return stated if stated in _ONE_SIDED else ""
