"""Dates that a rule names: which of them a bid can meet or miss, and on which side of it.

A date is a test where it bounds something: done by it, valid until it, no older than it. The date of a law, a
letter or an edition names a paper and tests nothing.
"""

from __future__ import annotations

import re

from bidproof.catalog.predicates.polarity import refuses_later
from bidproof.facts import fold
from bidproof.records import Comparator, Fact, Predicate

# "arrêté n° 20-14 du 8 kaada 1435 (4 septembre 2014)", "the Act of 3 May 2019": the date belongs to the paper's name.
_PAPER = re.compile(
    r"\b(?:decrets?|lois?|arretes?|dahirs?|ordonnances?|circulaires?|directives?|reglement n|decisions?|notes? n|avis n|protocoles?|conventions?|"
    r"act|law|decree|order|regulations?|ordinance|circular|gazette|notification no|resolution|letter|memorandum|rfp no|tender no|bulletin)\b"
    r"[^;|]{0,110}$"
)
_BOUND = re.compile(
    r"\b(?:by|before|until|till|later than|latest|deadline|due|avant|plus tard|jusqu|limite|valid\w*|valable\w*|expir\w*|since|depuis|after|apres|"
    r"from|(?:a|de) partir|(?:a|de) compter|on or)\b"
)
_NAMES_A_PAPER = re.compile(
    r"\b(?:dated|date du|en date du|issued on|emis(?:e)? le|signe(?:e)? le|published on|publie(?:e)? le|modifie\w*|complete\w*)\W*(?:the|le|on)?\W*$"
)
_NOT_EARLIER = re.compile(
    r"\b(?:since|depuis|after|apres|not (?:before|earlier than)|no earlier than|(?:a|de) partir|(?:a|de) compter|posterieure?s?(?: (?:a|au))?|"
    r"starting|commencing|effective|from|newer than)(?:\W+(?:the|du|de|le|la|date|on|from|au|of))*\W*$"
)
_BY = re.compile(
    r"\b(?:by|before|prior to|on or before|(?:no|not) later than|at the latest|deadline|due|avant|"
    r"au plus tard|anterieure?s?(?: (?:a|au))?|pour le|d'ici)"
    r"(?:\W+(?:the|le|la|on|du|de|au|end of|fin))*\W*$"
)


def date_predicate(fact: Fact, text: str, measure: tuple[str, ...]) -> Predicate | None:
    """The predicate of a date, or None where it only names a paper.

    `>=` for validity and for "since", else `<=`. A month stands for its last day. A date with two readings keeps both
    in `readings` and none in `date`.
    """
    days = fact.readings or ((fact.date,) if fact.date else ())
    if not days or names_a_paper(fact, text):
        return None
    if len(days) == 2 and _same_month(days):
        days = (_month_day(fact, text, days),)
    return Predicate(
        kind="date", measure=measure, comparator=_comparator(fact, text), date=days[0] if len(days) == 1 else "",
        readings=days if len(days) > 1 else (), text=fact.text,
    )  # fmt: skip


def names_a_paper(fact: Fact, text: str) -> bool:
    """The date is that of a law, a circular or a letter: part of its name."""
    left = fold(text[max(0, fact.start - 160) : fact.start])
    if _NAMES_A_PAPER.search(left):
        return True
    paper = _PAPER.search(left)
    return paper is not None and not _BOUND.search(left[paper.start() :])


# "ne doit pas être antérieure au": the very bound is denied, so that the other side of the day is asked.
_DENIED = re.compile(
    r"\b(?:not|no|never|cannot|pas|jamais)\s+(?:[\w'-]+\s+){0,3}?(?P<side>before|prior to|earlier than|anterieure?s?(?: (?:a|au))?|after|since|"
    r"posterieure?s?(?: (?:a|au))?)(?:\W+(?:the|le|la|on|du|de|au))*\W*$"
)


_AT_LEAST = re.compile(
    r"\b(?:at least|at the (?:earliest|least)|not less than|au moins|au minimum|au plus tot)(?:\W+(?:the|on|to|until|le|la|du|de|au|jusqu'au))*\W*$"
)


def _comparator(fact: Fact, text: str) -> Comparator:
    left = fold(text[max(0, fact.start - 60) : fact.start]) + " "
    if denied := _DENIED.search(left):
        return "<=" if denied["side"].startswith(("after", "since", "post")) else ">="
    if fact.role == "expiry" or _AT_LEAST.search(left):
        return ">="
    if _BY.search(left) or refuses_later(fact, text):
        return "<="
    return ">=" if _NOT_EARLIER.search(left) or fact.role == "start" else "<="


def _same_month(days: tuple[str, ...]) -> bool:
    return days[0][:7] == days[1][:7] and days[0].endswith("-01")


def _month_day(fact: Fact, text: str, days: tuple[str, ...]) -> str:
    """The stricter end of a month for "since", its last day else: what is due in March may come on the 31st."""
    return days[0] if _comparator(fact, text) == ">=" and fact.role != "expiry" else days[-1]
