"""The judge that the parameters name."""

from __future__ import annotations

import dagster as dg

from bidproof.judging import Judge, PredicateJudge
from bidproof.params import JudgingParams


class JudgeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Makes the judge of a run; keys of remote judges will come from the environment, never from parameters."""

    def make(self, params: JudgingParams) -> Judge:
        """Judge named by `params.judge`."""
        return {"predicate": PredicateJudge}[params.judge](params)
