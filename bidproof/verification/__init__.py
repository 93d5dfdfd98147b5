"""Verification: nothing counts until its quote is found in the pack, at its page, saying what it must.

Belongs here: the quote ladder, the live checks, absence certificates, what people decided. Does not belong here: how a rule is
judged; a judge is only asked again, through the seam that all judges share (`escalation`).
"""

from bidproof.verification.absence import absence_certificate
from bidproof.verification.carrying import carry_over, with_reviews
from bidproof.verification.consistency import find_contradictions
from bidproof.verification.escalation import escalate
from bidproof.verification.findings import verify_findings
from bidproof.verification.objections import find_objections
from bidproof.verification.quotes import Match, match_quote

__all__ = [
    "Match",
    "absence_certificate",
    "carry_over",
    "escalate",
    "find_contradictions",
    "find_objections",
    "match_quote",
    "verify_findings",
    "with_reviews",
]
