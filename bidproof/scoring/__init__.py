"""Gate and scores: what the findings of one pack add up to.

Belongs here: the mandatory gate, the scores beside it, rates with intervals. Does not belong here: how a
verdict was reached or checked, and any input or output.
"""

from bidproof.scoring.gate import decide_gate
from bidproof.scoring.metrics import Rate, wilson
from bidproof.scoring.ranking import rank_bidders
from bidproof.scoring.scores import score_pack
from bidproof.scoring.sensitivity import gate_flips

__all__ = ["Rate", "decide_gate", "gate_flips", "rank_bidders", "score_pack", "wilson"]
