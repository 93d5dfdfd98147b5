"""Judging: a verdict on each rule from its passages, with a verbatim quote or not at all.

Belongs here: what a judge is shown, the must-cite contract, the judge by typed predicates, and the shared
reading of negation and echo. Does not belong here: checks on a verdict (`bidproof.verification`) and points.
"""

from bidproof.judging.echo import RfpShingles
from bidproof.judging.evidence import Outcome, Reading, State
from bidproof.judging.pack import judge_pack, rfp_shingles
from bidproof.judging.passages import Passage, PassageShelf
from bidproof.judging.predicate_judge import CODE, Judge, PredicateJudge, outcomes_of

__all__ = [
    "CODE",
    "Judge",
    "Outcome",
    "Passage",
    "PassageShelf",
    "PredicateJudge",
    "Reading",
    "RfpShingles",
    "State",
    "judge_pack",
    "outcomes_of",
    "rfp_shingles",
]
