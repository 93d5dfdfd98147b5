"""How far verdicts can be trusted: wrong Passes among the automatic ones, the sample that bounds them, planted errors.

Measures and draws; judges nothing and changes no verdict.
"""

from bidproof.evaluation.trust.coverage import CurvePoint, coverage_figures, risk_coverage
from bidproof.evaluation.trust.decisions import Decision, decision_of

__all__ = ["CurvePoint", "Decision", "coverage_figures", "decision_of", "risk_coverage"]
