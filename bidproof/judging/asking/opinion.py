"""A model's verdict beside that of the typed predicates: where they disagree, a person decides.

Belongs here: the comparison. Does not belong here: how predicates are read, and the checks of the quote itself.
"""

from __future__ import annotations

from bidproof.judging.asking.cases import Case
from bidproof.judging.echo import RfpShingles
from bidproof.judging.predicate_judge import PredicateJudge
from bidproof.params import JudgingParams
from bidproof.records import Judgement, Status

_FAVOURABLE = (Status.PASS, Status.PARTIAL)


def by_predicates(case: Case, params: JudgingParams, rfp: RfpShingles | None) -> Judgement:
    """What code reads in the same passages, without a model."""
    return PredicateJudge(params).judge(case.requirement, case.passages, rfp, case.weights)


def contradicted(judgement: Judgement, code: Judgement) -> str:
    """Why a model's verdict needs a person, after what the typed predicates say; empty where both agree.

    A Pass that they do not bear out is the fault that costs most. A Fail or Missing where they hold would shut a bidder
    out on a misreading; a Partial where they fail is mild on a figure that is plainly short.
    """
    if judgement.status is code.status:
        # They agree, and share a doubt: reservations, conflicts, words that do not settle it.
        return code.review_reason if code.needs_review else ""
    told = f"the typed predicates say {code.status.value}: {code.rationale}"
    if judgement.status is Status.PASS:
        return told
    if code.status is Status.PASS:
        return told
    if judgement.status is Status.PARTIAL and code.status is Status.FAIL:
        return told
    if judgement.status is Status.MISSING and code.status is Status.FAIL:
        return told
    return code.review_reason if code.needs_review else ""


def with_second_opinion(judgement: Judgement, code: Judgement) -> Judgement:
    """The model's verdict, marked for review where the typed predicates disagree; their quote stands beside it."""
    reason = contradicted(judgement, code)
    if not reason:
        return judgement
    known = ("", judgement.quote, *judgement.other_quotes)
    beside = [q for q in dict.fromkeys((code.quote, *code.other_quotes)) if q not in known]
    return judgement.model_copy(
        update={
            "needs_review": True,
            "review_reason": "; ".join(filter(None, (judgement.review_reason, reason))),
            "risk": "High"
            if judgement.status in _FAVOURABLE and code.status is Status.FAIL
            else judgement.risk,
            "other_quotes": (*judgement.other_quotes, *beside),
        }
    )
