"""What stands around a number: comparator, base and role. Its rate stands in `rates`.

Reads the words before and after an amount that is already found. Windows are short and the patterns are
anchored at the amount, so the cost of a number is bounded whatever the length of the text.
"""

from __future__ import annotations

import re

from bidproof.facts.terms import word_set
from bidproof.facts.view import View
from bidproof.records import Comparator

_WINDOW = 80

# Words that may stand between a comparator and its number.
_FILL = (
    r"(?:(?:of|a|an|the|any|its|their|period|periods|term|duration|total|amount|value|sum|rate|some|about|"
    r"approximately|"
    r"further|another|additional|de|du|d'|un|une|le|la|les|l'|delai|duree|periode|montant|taux|somme|and|"
    r"including|et|pas|y compris)"
    r"(?![a-z])|[ \n:=~\"(\[])*$"
)
_LABEL = r"(?:[ \n]+(?!(?:with|avec)[ \n])[a-z][a-z/'-]*){0,5}[ \n]*(?:\([a-z /]{0,20}\))?[ \n]*[:=|\u2026-]?[ \n]*"
_BEFORE = re.compile(
    r"(?:"
    r"(?P<ge>≥|>=|=>|(?<![a-z])(?:at least|at minimum|at the least|greater than or equal to|more than or "
    r"equal to|equal to or (?:greater|more|longer) than|"
    r"(?:greater|more|longer) than or equal to|starting (?:from|at)|au moins|au minimum|a minima|minimum|"
    r"(?<![0-9] )(?<![0-9])min\.?|"
    r"(?:superieure?s?|egale?s?) ou (?:superieure?s?|egale?s?) a|superieure?s? ou egale?s? a)(?![a-z]))"
    r"|(?P<le>≤|<=|=<|(?<![a-z])(?:at most|at the most|up to|within|capped at(?: the)?(?: lower of)?|cap "
    r"of|limited to|limit of|ceiling of|subject to a (?:cap|maximum) of|"
    r"(?:less|smaller|fewer|lower) than or equal to|equal to or (?:less|lower) than|inferieure?s? ou "
    r"egale?s? a|"
    r"au plus tard|au plus|au maximum|maximum|max\.?|jusqu'a|plafonnee?s? a|plafond de|limitee?s? a|dans un delai(?: "
    r"maximal| maximum)?(?: de)?|dans les|sous|no later than|not later than)(?![a-z]))"
    r"|(?P<gt>>|(?<![a-z])(?:more than|greater than|larger than|higher than|longer than|older than|over|"
    r"above|beyond|exceeds?|exceeding|exceeded|in excess of|"
    r"plus (?:de|d')|superieure?s? a|excedant|excede|exceder|depasse|depassant|depasser|au-dela de)(?![a-z]))"
    r"|(?P<lt><|(?<![a-z])(?:less than|fewer than|lower than|smaller than|shorter than|under|below|moins "
    r"(?:de|d')|inferieure?s? a)(?![a-z]))"
    r"|(?P<eq>(?<![<>=])=|(?<![a-z])(?:exactly|equal to|egale?s? a|exactement)(?![a-z]))"
    r")" + _FILL
)
# `Minimum validity period: 120 days`: the measure stands between the comparator and its number.
_LABELLED = re.compile(
    r"(?<![a-z])(?:(?P<ge>minimum|minimale?|(?<![0-9] )(?<![0-9])min\.)|(?P<le>maximum|maximale?|max\.?))"
    + _LABEL
    + r"(?:(?:of|is|shall be|de|est de)[ \n]+)?(?:a[ \n]+)?$"
)
_NEGATED = re.compile(
    r"(?:(?<![a-z])(?:not|never|no|nor|nothing|neither|cannot|without|sans|non|ne|pas|jamais|aucune?)|n't|(?<![a-z])n'(?=$)|"
    r"(?<![a-z])n'[a-z]+)(?:(?:[ \n]+(?!(?:and|et|but|mais|only|seulement)[ \n])[a-z][a-z-]*){0,4}[ \n]+)?$"
    r"|(?<![a-z])sans qu(?:e |')[^.;,\n]{0,60}$"
)
_NOT = re.compile(r"(?<![a-z])(?:not|pas)[ ]$")
_AFTER = re.compile(
    r"[ \n]*[,(]?[ \n]*(?:"
    r"(?P<ge>or (?:more|above|higher|longer|over|greater)|and (?:more|above|higher|over)|(?:as )?(?:a |at "
    r"a )?minimum|min\.?(?![a-z])|at least|at the least|"
    r"ou plus|et plus|au moins|au minimum|minimum)"
    r"|(?P<le>or (?:less|fewer|below|lower|under|shorter)|and below|(?:as )?(?:a |at a )?maximum|"
    r"max\.?(?![a-z])|at (?:the )?(?:most|latest)|"
    r"ou moins|au plus(?: tard)?|au maximum|maxi(?:mum)?)"
    r")(?![a-z])"
)
_FLIPPED: dict[str, Comparator] = {"gt": "<=", "lt": ">="}
_DIRECT: dict[str, Comparator] = {"ge": ">=", "le": "<=", "gt": ">", "lt": "<", "eq": "="}
_CAP = re.compile(
    r"(?:capped at|(?<![a-z])cap(?![a-z])(?: of)?|limited to|ceiling of|plafon\w+|maximum|not exceed\w*|up "
    r"to|limitee?s? a)[^.;\n]{0,30}$"
)


def comparator_at(view: View, start: int, end: int) -> tuple[Comparator, int, str]:
    """Comparator of the amount at `start:end`, where the amount then ends, and the words before that say so.

    A negation flips a strict comparator: "shall not exceed 5%" is `<=`, "not less than 90 days" is `>=`.
    """
    left = view.low[max(0, start - _WINDOW) : start]
    match = _BEFORE.search(left) or _LABELLED.search(left)
    after = _AFTER.match(view.low, end)
    if after and match and match.group().startswith(("within", "dans ")):
        match = None  # "dans un délai de sept jours au moins"
    if match and match.lastgroup:
        side = match.lastgroup
        if side == "gt" and left[max(0, match.start() - 1) : match.start()] == "-":
            return "", end, ""  # an arrow
        worded = match[side][0].isalpha()  # a sign is negated by nothing but the word right before it
        not_it = _NEGATED.search(left[: match.start()]) if worded else _NOT.search(left[: match.start()])
        negated = side in _FLIPPED and not_it is not None
        return (_FLIPPED[side] if negated else _DIRECT[side]), end, left[match.start() :]
    if after and after.lastgroup:
        closing = after.end() + (
            1 if "(" in after.group() and view.low[after.end() : after.end() + 1] == ")" else 0
        )
        return _DIRECT[after.lastgroup], closing, ""
    return "", end, ""


_BEHIND = re.compile(
    r"(?:[ \n]+[a-z'-]+){0,4}?[ \n,(]+(?:(?P<ge>(?:au |at a |at )?minimum|minimale?s?|at least|au moins)|"
    r"(?P<le>(?:au |at a |at )?maximum|maximale?s?|"
    r"at (?:the )?most|au plus(?: tard)?))[ ]?\)?(?=[ ]?(?:[.;,|\n)]|$))"
)
# The words between must not open another thought: "5 references and 20 pages maximum".
_OTHER = re.compile(r"(?<![a-z])(?:and|or|et|ou|with|avec|but|mais|which|qui|at|of (?:at|up))(?![a-z])|[0-9]")


def comparator_behind(view: View, end: int) -> Comparator:
    """Comparator that closes the phrase of the amount: "100 MB per file at most", "2 M€ de chiffre d'affaires minimum"."""
    match = _BEHIND.match(view.low, end)
    if not match or not match.lastgroup or _OTHER.search(view.low[end : match.start(match.lastgroup)]):
        return ""
    return _DIRECT[match.lastgroup]


_BASE = re.compile(
    r"[ \n]*(?:of|on|du|de la|de l'|des|de|sur)(?:[ \n]+|(?<='))(?:(?:the|its|their|our|your|each|any|that|"
    r"le|la|les|l')(?:[ \n]+|(?<=')))?"
    r"([a-z][a-z'-]*(?:[ \n]+[a-z][a-z'/-]*){0,6})"
)
_BASE_END = word_set(
    "and or shall must will is are was be being has have for per in at as to with by on which that if when "
    "where within up capped "
    "not valid from until subject plus including payable applied applies et ou est sont sera dans par pour "
    "avec sur dont "
    "below above over under max maximum minimum may can should if each accepted upon"
)
# "2% of the total price Validity: 90 days": the next field of a form that the page does not rule.
_NEXT_LABEL = re.compile(r"[A-Z][a-z'-]*(?:[ ][a-z()/'-]+){0,5}[ ]?:")
_NO_BASE = word_set("delay delays retard lateness")
_DETERMINERS = word_set("of the du de la le les des d' l'")


def base_at(view: View, end: int) -> str:
    """What a percentage that ends at `end` is of, e.g. `total bid price`; empty when not said."""
    match = _BASE.match(view.low, end)
    if not match:
        return ""
    words: list[str] = []
    for found in re.finditer(r"[^ \n]+", match[1]):
        word = found.group()
        if word in _BASE_END or (words and _NEXT_LABEL.match(view.plain, match.start(1) + found.start())):
            break
        words.append(word)
    while words and words[-1] in _DETERMINERS:
        words.pop()
    if not words or words[0] in _NO_BASE:
        return ""
    return " ".join(words)


_ROLES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "warranty",
        re.compile(r"warrant\w*|defects? liability|garantie (?:technique|legale|contractuelle|constructeur)"),
    ),
    ("validity", re.compile(r"valid\w*|in force|remain open|valable\w*")),
    ("retention", re.compile(r"retention|retain\w*|conserv\w+|archiv\w+")),
    ("delivery", re.compile(r"deliver\w*|lead time|livraison|livre[re]?\w*")),
    ("response", re.compile(r"respon[sd]\w*|reponse|intervention")),
    ("experience", re.compile(r"experience")),
)
_CLAUSE_BREAK = re.compile(r"[.;\n](?=[ \n]|$)")


def role_at(view: View, start: int, end: int, before: str, *, duration: bool) -> str:
    """What an amount is for: `cap`, or for a duration the nearest of a few purposes in its own clause."""
    left = view.low[max(0, start - _WINDOW) : start]
    if not duration:
        return "cap" if _CAP.search(before) or _CAP.search(left[-40:]) else ""
    left = _CLAUSE_BREAK.split(left)[-1]
    right = _CLAUSE_BREAK.split(view.low[end : end + 40])[0]
    best: tuple[int, str] | None = None
    for role, pattern in _ROLES:
        for match in pattern.finditer(left):
            distance = len(left) - match.end()
            best = min(best or (distance, role), (distance, role))
        if found := pattern.search(right):
            best = min(best or (found.start() + 5, role), (found.start() + 5, role))
    return best[1] if best else ""
