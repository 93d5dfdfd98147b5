"""Questions among the rules: whether a text asks, and which of its words say what is asked for.

Holds spellings of asking only. A rule names what the evidence says; a question names what it is about, and the words
by which it asks, or tells how its answer shall look, stand nowhere in the evidence.
"""

from __future__ import annotations

import re

# Verbs begin statements of an unnamed bidder ("Is registered", "Has a local office") and bans ("Do not subcontract"),
# "when" and "where" conditions, more often than questions: all of these need a question mark.
_BEGINS = re.compile(
    r"\W*(?:what|which|who|whom|whose|why|how|quels?|quelles?|qui|pourquoi|comment|combien|est-ce|qu'est-ce)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how|quels?|quelles?|qui|quand|où|pourquoi|comment|combien)\b",
    re.IGNORECASE,
)
_DUTY = re.compile(r"\b(?:shall|must|doit|doivent|devra|devront)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[^\W\da-z_]|\d|\()")
# Sentences to whoever answers: they speak of the answer, not of what is asked. One that itself asks is none.
_TO_THE_ANSWERER = re.compile(
    r"\W*(?:please\s+|kindly\s+|veuillez\s+|merci de\s+)?(?:answer|respond|reply|round|calculate|compute|répond\w*|arrondi\w*|calcul\w*)\b"
    r"|.*\b(?:(?:the|your) (?:answer|question|response)|(?:la|votre) (?:réponse|question))\b"
    r"|\W*if\b.*\b(?:answer|state|explain|say)\b",
    re.IGNORECASE,
)
# "(in USD millions)" says in what to answer; "(in force for 90 days)" is asked.
_ASIDE = re.compile(
    r"\((?:in|en)\s[^()]*\b(?:units?|thousands?|millions?|billions?|percents?|decimals?"
    r"|unités?|milliers?|milliards?|pour ?cent|décimales?)\b[^()]*\)",
    re.IGNORECASE,
)
# Words that ask, or say where and how plainly the source says it; none that can name what a bid is asked for.
_WORDS_OF_ASKING = re.compile(
    r"\b(?:how (?:much|many)|how|why|comment|combien|quels?|quelles?|pourquoi|answers?|questions?"
    r"|according to|bas(?:ed|ing)|given|mentioned|outlined|provided|referr(?:ed|ing)|shown|stated|us(?:ed|ing)"
    r"|utili[sz](?:ed|ing)|chiefly|clearly|explicitly|mainly|plainly|primarily"
    r"|selon|d'après|indiquée?s?|mentionnée?s?|principalement|clairement)\b",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Whether a text asks: it begins as questions do, or holds a question mark; what says "shall" is a rule."""
    return ("?" in text or _BEGINS.match(text) is not None) and not _DUTY.search(text)


def is_open_question(text: str) -> bool:
    """Whether a text asks for what it does not say ("What is the warranty?"), not whether something is so."""
    return is_question(text) and _OPEN.search(_asking_part(text)) is not None


def asked_words(text: str) -> str:
    """What of a question says what it is about: its sentences without those to whoever answers, nor words of asking.

    Numbers, years and names stay. A text that is no question comes back as it is, and so does one of nothing else.
    """
    if not is_question(text):
        return text
    bare = " ".join(_WORDS_OF_ASKING.sub(" ", _ASIDE.sub(" ", _asking_part(text))).split())
    return bare if re.search(r"\w", bare) else text


def _asking_part(text: str) -> str:
    """Sentences of a question without those to whoever answers; the whole where nothing else is in it."""
    parts = [part for part in _SENTENCE.split(text) if part.endswith("?") or not _TO_THE_ANSWERER.match(part)]
    return " ".join(parts) or text
