"""Of what a sentence says what it says: the thing that bears the figure or the quality.

Belongs here: telling that the right words stand about another thing ("the warranty period of the paint is 36
months"). Does not belong here: negation and hedges (`polarity`), and the fit of a figure to a measure (`topic`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from bidproof.judging.words import GENERIC, same, words_of

_BE = r"(?:is|are|was|were|remains?|stays?|amounts?|reach(?:es)?|does|do|will|shall|comes?|contains?)"
_ARTICLE = r"(?:the|our|its|their|these|those|all)"
_PHRASE = r"((?:[a-z-]+\s+){0,2}[a-z-]+)"
# "The warranty period of the paint is ...": the thing stands between `of the` and the verb.
_OF = re.compile(rf"\b([a-z-]+)\s+(?:[a-z-]+\s+)?of\s+{_ARTICLE}\s+{_PHRASE}\s+{_BE}\b", re.IGNORECASE)
# "Foundation drawings for the transformers are delivered ...": the thing stands before `for the`.
_FOR = re.compile(
    rf"(?:^|[.;:]\s*)((?:[a-z-]+\s+){{0,2}}[a-z-]+)\s+for\s+{_ARTICLE}\s+{_PHRASE}\s+{_BE}\b", re.IGNORECASE
)
# "Our drawings stay valid ...": what is valid, binding or open.
_VALID = re.compile(
    rf"\b{_ARTICLE}\s+{_PHRASE}\s+(?:is|are|remains?|stays?)\s+(?:[a-z]+\s+)?(?:valid|binding|firm)\b",
    re.IGNORECASE,
)
_BID = re.compile(
    r"\b(?:bids?|tenders?|offers?|proposals?|quotations?|prices?|offres?|soumissions?)\b", re.IGNORECASE
)
_BID_VALID = re.compile(
    r"\b(?:bid|tender|offer|proposal|offre)\b.{0,40}\b(?:valid\w*|open|binding|firm)",
    re.IGNORECASE | re.DOTALL,
)


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words_of(text))


def _named(phrase: str, rule: str) -> bool:
    """The rule names some word of the phrase, or the phrase says nothing of its own."""
    own = [stem for stem in _stems(phrase) if stem not in GENERIC]
    return not own or any(same(stem, asked) for stem in own for asked in _stems(rule))


def other_bearer(text: str, rule: str) -> str:
    """The thing of which `text` speaks where that is another than the rule's; empty where it is not told."""
    for found in _OF.finditer(text):
        if _named(found[1], rule) and not _named(found[2], rule):
            return found[2]
    for found in _FOR.finditer(text):
        if _named(found[2], rule) and not _named(found[1], rule):
            return found[1]
    if _BID_VALID.search(rule):
        for found in _VALID.finditer(text):
            if not _BID.search(found[1]) and not _named(found[1], rule):
                return found[1]
    return ""
