"""Sentences in plain sight that tell whoever judges what to find: no evidence of anything.

Stricter than what is asked of hidden text (`documents.integrity`): "the output is at its maximum" is what bids are made of.
Does not belong here: what is done with such a sentence.
"""

from __future__ import annotations

import re
import unicodedata

_VERB = (
    r"(?:mark|rate|score|grade|judge|evaluate|assess|treat|consider|classify|return|output|answer|respond|report"
    r"|marque[rz]?|note[rz]?|evalue[rz]?|jugez?|considere[rz]?|repond(?:re|ez)|classe[rz]?)"
)
_JUDGED = (
    r"(?:rules?|requirements?|criteri(?:a|on)|clauses?|questions?|everything|bid(?:s|der)?|tender(?:er)?|offer|proposal"
    r"|submission|vendor|status|verdict|regles?|exigences?|criteres?|clauses?|offres?|soumission(?:naire)?|tout|us|it|all|this)"
)
_VERDICT = (
    r"(?:pass(?:ed|es)?|(?:fully )?complian(?:t|ce)|fulfilled|satisfied|full marks?|(?:top|full|highest|maximum) (?:score|marks?|points)"
    r"|10/10|conformes?|satisfaites?|reussi(?:es?)?|note maximale)"
)
_LEAD = r"(?:^|[.:;!?,\n(\"'*>#-] ?|\b(?:please|must|should|shall|you|to|and|then|veuillez|devez)\s)"
_ORDER = re.compile(
    rf"{_LEAD}{_VERB}\b(?=[^.]{{0,50}}\b{_JUDGED}\b)[^.]{{0,80}}\b{_VERDICT}\b"
    r"|\b(?:ignore|disregard|forget|override)\b[^.]{0,25}\b(?:previous|prior|above|earlier|preceding|other|your|all)\b[^.]{0,20}"
    r"\b(?:instructions?|rules?|prompts?|directions?|guidelines?)\b"
    r"|\b(?:ignore[rz]?|oublie[rz]?)\b[^.]{0,30}\b(?:instructions?|regles?|consignes?)\b"
    r"|\b(?:system prompt|as an ai\b|you are an? (?:ai|assistant|language model|llm)|chatgpt)"
    r"|\b(?:instructions?|notes?|message|attention) (?:to|for) (?:the |any |all )?"
    r"(?:ai|llm|language models?|automated (?:evaluat|judg|review)\w*|model|assistant)s?\b"
    r"|\"status\" ?: ?\"(?:pass|partial|fail|missing)\""
)


def orders_a_judge(text: str) -> bool:
    """True for words that are meant for whoever judges the bid and tell what to find."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return bool(_ORDER.search(" ".join(plain.split())))
