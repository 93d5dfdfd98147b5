"""What a lead-in says: the duty that it states by itself, and the words that each item below it needs.

How lead-ins and items stand together is read in `statements`; what becomes of a duty is decided in `rules`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.indicative import asks_document
from bidproof.catalog.mining.sentences import level

_FIGURE = re.compile(
    r"\d|(?<![a-z])(?:two|three|four|five|six|seven|eight|nine|ten|deux|trois|quatre|cinq|six|sept|huit|neuf|dix)(?![a-z])"
)
CLAUSE_VERB = re.compile(
    r"(?<![a-z])(?:shall|must|will|is|are|doit|doivent|est|sont|contien(?:t|nent)|compren(?:d|nent)|comporte(?:nt)?)(?![a-z])"
)
_LINK = re.compile(
    r"[\s,]*(?:(?:(?:the|les?|la) )?(?:following|suivante?s?|ci-apres|ci-dessous|below|as follows)(?: \w+){0,2}|"
    r"comprenant|portant|contenant|comportant|"
    r"including|comprising|containing|consisting of|stating|namely|a savoir|notamment)?\s*[:：]\s*$",
    re.IGNORECASE,
)  # fmt: skip
_OBJECT = re.compile(
    r"(?:shall|must|will|doit|doivent|devra|devront|est|sont|contient|comprend|to)\s+(?:\w+\s+){1,3}(?:an?|the|its|"
    r"une?|l[ea]s?|l'|trois|deux|two|three|dans|des)\s?[\w']+.*"
    r"|(?:contient|comprend|comporte)\s+\w+\s+\w+"
)
_ASKED = re.compile(
    r"(?<![a-z])(?:sont|est) (?:demande|exige|requis)e?s?|(?<![a-z])(?:is|are) (?:required|requested)"
)


def own_duty(lead: str) -> str:
    """What a lead-in asks by itself ("shall submit a financial offer comprising:"); empty where it only leads."""
    match = _LINK.search(lead)
    linked = bool(
        match
        and re.search(
            r"comprenant|portant|contenant|comportant|including|comprising|containing|consisting|stating",
            level(match.group()),
        )
    )
    own = lead[: match.start()].rstrip(" ,") if match else lead
    if linked and _OBJECT.search(level(own)):
        return own
    passive = _ASKED.search(level(own))
    if passive and asks_document(own, "submit"):
        return own[: passive.start()].rstrip()
    return ""


def carried(lead: str) -> str:
    """The lead-in that an item needs; of one with a duty and figures of its own only what holds none of them."""
    lead = lead.rstrip(" :")
    if not lead or not _FIGURE.search(level(lead)) or not own_duty(f"{lead} :"):
        return lead
    verb = CLAUSE_VERB.search(level(lead))
    halves = (lead[: verb.start()].strip(), lead[verb.start() :].strip()) if verb else ("", "")
    return next((half for half in reversed(halves) if half and not _FIGURE.search(level(half))), "")
