"""What stands beside a statement in its passage and takes it back: a denial there, or a sentence that goes on about it.

Belongs here: words outside of the statement, which no reading of the statement itself can hear. Does not belong here: what
the statement says (`polarity`, `reservations`, `plainness`) and other statements on the same thing (`evidence.weigh`).
"""

from __future__ import annotations

import re

from bidproof.judging.adjuncts import is_named, stems_in, stems_of_text, word_lists
from bidproof.judging.frequency import slower_in
from bidproof.judging.units import Unit

_I = re.IGNORECASE
_ACT = r"(?:comply|meet|offer|accept|apply|fulfil|satisfy|provide|include|cover|supply|deliver|guarantee)"
_TAKEN_BACK = re.compile(
    r"(?<![\w-])(?:(?:do|does|did|can|will|could|shall)\s*(?:not|n['’]t)|cannot|are\s+(?:unable|not\s+able)\s+to)\s+"
    rf"{_ACT}\b|"
    r"\b(?:is|are)\s+(?:not|no\s+longer)\s+(?:offered|included|accepted|provided|supplied|covered|available|part\s+of)\b|"
    r"\b(?:not|non)[- ]compliant\b|\bnon[- ]conformes?\b|\b(?:was|were|has\s+been|is)\s+(?:withdrawn|suspended|revoked|cancelled)\b|"
    r"\bne\s+(?:pouvons|peut|peuvent|proposons|propose|respectons|respecte|fournissons|fournit|couvre|acceptons|accepte)\s+pas\b|"
    r"\bn['’](?:est|sont|acceptons|accepte|offrons|offre)\s+(?:pas|plus)\s*(?:compris|inclus|fourni|propos|couvert|conforme|disponible)?",
    _I,
)
_GOES_ON = re.compile(
    r"[\s.;]*(?P<said>(?:it|its|this|that|these|those|they|their|the\s+(?:above|latter|same)|such|however|but|"
    r"il|elle|ils|elles|cela|ceci|ce|cette|ces|celui-ci|celle-ci|toutefois|cependant|mais)\b[^.;|]*)",
    _I,
)
# A later sentence of the same paragraph that turns about, or that lays something on the buyer or on others.
_TURNS_ABOUT = re.compile(
    r"\b(?:however|nevertheless|nonetheless|though|by\s+contrast|in\s+contrast|on\s+the\s+other\s+hand|conversely|instead|otherwise|only|except\w*|thereafter|afterwards?|from\s+(?:month|year|week|day)\s+\d+"
    r"|toutefois|cependant|n[ée]anmoins|en\s+revanche|par\s+contre|pourtant|seule?s?|seulement|uniquement|sauf|except[ée]\w*)\b"
    r"|\b(?:by|with)\s+(?:the\s+|your\s+)?(?:buyer|client|customer|employer|purchaser|contracting\s+\w+|owner|city|municipality|hospital|ministry|staff|tenants?|users?|you)\b"
    r"|\b(?:at|to)\s+(?:your|the\s+(?:buyer|client|customer|employer|purchaser)['’]s)\s+(?:own\s+)?(?:cost|expense|charge|account)s?\b|\bat\s+the\s+(?:cost|expense)\s+of\b|\bat\s+cost\b"
    r"|\b(?:charged|billed|invoiced|quoted|priced|payable|extra|optional|excluded|subject\s+to)\b"
    r"|\b(?:remain|stay|fall|rest)s?\s+(?:with|to|on|the\s+responsibility)\b|\bresponsibility\s+of\b"
    r"|[àa]\s+(?:la\s+|votre\s+)?charge\b|[àa]\s+vos\s+frais|aux\s+frais\b|\bincomben?t?\b|\brevien(?:t|nent)\s+(?:[àa]|aux?)\b|\bfactur[ée]e?s?\b|\ben\s+option\b|\bsur\s+devis\b|\bpar\s+(?:vos|l['’]acheteur|le\s+client|la\s+(?:ville|commune|collectivit[ée]))",
    _I,
)
# What a thing is said to be no longer.
GONE = re.compile(
    r"\b(?:(?:was|were|has\s+been|have\s+been|is|are|being)\s+(?:\w+\s+)?(?:suspended|withdrawn|revoked|cancell?ed|terminated|annulled|discontinued)"
    r"|(?:expired|lapse[sd]?|ran\s+out)\b|take[ns]?\s+exception|no\s+longer\b|(?:may|can|could)\s+withdraw\b|reserve\s+the\s+right\b"
    r"|(?:handed|given)\s+back\b|surrendered\b|resigned\b|(?:left|quit)\s+(?:the|our)\s+(?:company|firm|team)\b|(?:has|have)\s+(?:left|retired|ceased)\b"
    r"|(?:a|ont)\s+(?:quitt[ée]|rendu|d[ée]missionn[ée]|cess[ée])\b|(?:a|ont)\s+[ée]t[ée]\s+(?:suspendu|retir[ée]|r[ée]voqu[ée]|r[ée]sili[ée]|annul[ée])\w*|(?:est|sont)\s+(?:suspendu|r[ée]sili[ée]|annul[ée]|expir[ée])\w*"
    r"|a\s+expir[ée]|n['’](?:est|sont)\s+plus\b)",
    _I,
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\w)[^.!?\n]+)*")
# What is not done to a thing: "asbestos is not touched".
_LEFT_UNDONE = re.compile(
    r"\b(?:is|are)\s+(?:not|never)\s+(?!subject|limited|required|needed|affected|interrupted|exceeded|expected)\w+(?:ed|en|ught|ld)\b"
    r"|\b(?:n['’]est|ne\s+sont|n['’]est\s+jamais)\s+(?:pas\s+)?(?!limit|interromp|d[ée]pass|requis|n[ée]cess)\w+[ée]e?s?\b",
    _I,
)
_NO_TRACE = re.compile(
    r"\b(?:leaves?|gives?|gets?|receives?|provides?|has|have|there\s+(?:is|are)|carr(?:y|ies)|shows?|bears?)\s+(?:no|none|neither)\b(?!\s+(?:others?|further|extra|additional|exceptions?|deviations?|conflict|reservations?|limit))"
    r"|\bne\s+\w+\s+aucune?\b|\bn['’]\w+\s+aucune?\b",
    _I,
)
_LATER = 2  # sentences behind the statement in which it may be taken back
_PLAIN_ON = 14  # words; a longer sentence that goes on is cut in the note


def taken_back(unit: Unit, rule: str) -> str:
    """Words beside `unit`, in its passage, that may take back what it says; empty where there are none.

    Args:
        unit: a sentence of running text; a row of a table has its remarks in itself.
        rule: text of the rule, whose own denials ("shall not be provided by ...") take nothing back.
    """
    if unit.kind == "row":
        return ""
    text = unit.passage.text
    if on := _GOES_ON.match(text, unit.end):
        return " ".join(on["said"].split()[:_PLAIN_ON])
    if turned := _turned_about(text[unit.end :], rule):
        return turned
    for rest in (text[unit.passage.body_start : unit.start], text[unit.end :]):
        for found in _TAKEN_BACK.finditer(rest):
            if found.group().lower() not in rule.lower():
                return found.group()
    return ""


def _turned_about(rest: str, rule: str) -> str:
    """The start of a sentence close behind that turns about, does a thing less often or lays it on others."""
    for sentence in list(_SENTENCE.finditer(rest))[:_LATER]:
        said = sentence.group().strip()
        turned = _TURNS_ABOUT.search(said)
        turns = turned and turned.group().lower() not in rule.lower()
        if turns or _LEFT_UNDONE.search(said) or slower_in(said, rule) or _narrows(said, rule):
            return " ".join(said.split()[:_PLAIN_ON])
    return ""


def _narrows(said: str, rule: str) -> bool:
    """A sentence on a thing of the rule that has ended, or holds for a time or in an order that the rule has not."""
    asked, lists = stems_of_text(rule), word_lists()
    told = stems_in(said)
    quiet = lists["function"] | lists["limits"] | lists["parties"]
    about = any(is_named(word, asked) for word in told if word not in quiet and len(word) > 2)
    timed = any(word in lists["timed"] and not is_named(word, asked) for word in told)
    return about and (timed or bool(GONE.search(said)) or bool(_NO_TRACE.search(said)))
