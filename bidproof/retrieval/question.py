"""Questions among the rules: whether a text asks, and which of its words say what is asked for.

Holds spellings of asking only. A rule names what the evidence says; a question names what it is about, and the words
by which it asks, or tells how its answer shall look, stand nowhere in the evidence.
"""

from __future__ import annotations

import re

# "When" and "where" begin conditions more often than questions, so that they need a question mark.
_BEGINS = re.compile(
    r"\W*(?:what|which|who|whom|whose|why|how|is|are|was|were|do|does|did|has|have|had|can|could"
    r"|quels?|quelles?|qui|pourquoi|comment|combien|est-ce|qu'est-ce)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how|quels?|quelles?|qui|quand|où|pourquoi|comment|combien)\b",
    re.IGNORECASE,
)
_DUTY = re.compile(r"\b(?:shall|must|doit|doivent|devra|devront)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[^\W\da-z_]|\d|\()")
# Sentences to whoever answers: they speak of the answer, not of what is asked.
_TO_THE_ANSWERER = re.compile(
    r"\W*(?:please\s+|kindly\s+|veuillez\s+|merci de\s+)?(?:"
    r"answer|respond|reply|address|round|calculate|compute|state|explain|express|use|assume|show|list|give|tell"
    r"|we need|i need|répond\w*|arrondi\w*|calcul\w*|expliqu\w*|donne\w*|utilis\w*"
    r")\b|\W*if\b.*\b(?:answer|state|explain|say)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\((?:in|en)\s[^()]*\)", re.IGNORECASE)
_WORDS_OF_ASKING = re.compile(
    r"\b(?:how (?:much|many)|how|why|comment|combien|quels?|quelles?|pourquoi"
    r"|answers?|questions?|comput(?:e|ed|ing)|calculat(?:e|ed|ing)|extract(?:ed|ing)?|explain(?:ed|ing)?|utili[sz]ing|using"
    r"|clearly|primarily|plainly|mentioned|shown|outlined|stated|provided|asked|according|bas(?:ing|ed)|judge?ments?"
    r"|information|details|line items?|items?)\b",
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
    return " ".join(part for part in _SENTENCE.split(text) if not _TO_THE_ANSWERER.match(part)) or text
