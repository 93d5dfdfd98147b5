"""Statements that hold something measurable but bind nobody, so that a figure which no rule took is seen in a review.

Says only that a figure stands there; whose duty a statement is, and which rules it gives, is decided elsewhere.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.duty_words import CONTACT, DEADLINE
from bidproof.catalog.mining.sentences import level
from bidproof.catalog.mining.statements import Statement
from bidproof.facts import find_facts

UNBOUND = "states a figure, binds nobody"

_TESTABLE = frozenset(("quantity", "percent", "money", "days", "duration", "standard", "form", "class"))
_PASSED_OVER = frozenset(("calendar", "prices"))
"""Purposes of tables whose figures are the buyer's dates and blanks for prices."""
_CONTENTS_LINE = re.compile(r"(?:\.\s?){4,}\s*\d+\W*$|…+\s*\d+\W*$")
# Something that may be a figure or a code; spares most sentences the search for facts.
_HINT = re.compile(
    r"\d|(?<![a-z])(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|deux|trois|quatre|cinq|sept|huit|neuf|"
    r"dix|douze|quinze|vingt|trente|one|une?|form|formulaire|class|classe|annexe?|appendix|emas|ohsas|norme?s?|standards?|half|moitie)(?![a-z])"
)


def states_figure(statement: Statement) -> bool:
    """Whether a statement holds a quantity, a sum, a time, a standard, a form or a class; a date only as a deadline."""
    if statement.row is not None and statement.row.purpose in _PASSED_OVER:
        return False
    text = statement.text
    plain = level(text)
    if not _HINT.search(plain) or _CONTENTS_LINE.search(text) or (len(text) < 60 and CONTACT.search(plain)):
        return False
    facts = find_facts(text)
    return any(
        fact.kind in _TESTABLE or (fact.kind == "date" and DEADLINE.search(plain) is not None)
        for fact in facts
    )
