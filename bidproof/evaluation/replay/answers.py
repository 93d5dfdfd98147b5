"""Answers that a model has given, by the exact prompt: what is known of a verdict without asking again.

Holds the judge that only remembers. Must not ask anything: what was never asked stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from bidproof.judging import Passage, PredicateJudge, RfpShingles
from bidproof.judging.pack import Prompts
from bidproof.params import AskingParams, Params, SchedulingParams
from bidproof.records import Judgement, Requirement, Status

CODE_JUDGES = (PredicateJudge.name,)
"""Judges that are code: they are run again, as that asks no model."""

_SETTLED = (Status.PASS.value, Status.FAIL.value)


def asked_a_model(judgements: pl.DataFrame) -> bool:
    """Whether a model gave any of these judgements."""
    return judgements.filter(~pl.col("judge").is_in(CODE_JUDGES)).height > 0


class RecordedJudge:
    """Gives the answers that a model gave to the same prompts, and notes the rules for which it has none.

    A second look that changed nothing leaves no row. While it is `learning` from the run that wrote the newest rows, the
    judge is led through that run's own prompts and so knows which second looks were in vain.

    Args:
        versions: rows of `tables.JUDGEMENTS` of one pack, the newest version first.
        params: parameters of the prompts (`judging` and the echo of `verification`).
    """

    def __init__(self, versions: Iterable[pl.DataFrame], params: Params) -> None:
        rows = [row for frame in versions for row in frame.to_dicts()]
        by_model = [row for row in rows if row["judge"] not in CODE_JUDGES]
        first = next(iter(by_model), {"judge": "", "model": ""})
        self.name, self.model = str(first["judge"]), str(first["model"] or "")
        self.unasked: set[str] = set()
        self.learning = False
        self._params = params
        self._answers: dict[str, Judgement] = {}
        self._newest: dict[str, dict[str, Any]] = {}
        self._tried: dict[str, int] = {}
        self._prompts: tuple[RfpShingles | None, Prompts] | None = None
        for row in by_model:
            self._answers.setdefault(row["prompt_sha256"], _judgement_of(row))
            self._newest.setdefault(row["rule_id"], row)

    def under(self, params: Params) -> RecordedJudge:
        """The same memory, asked under other parameters; empty where these ask another model, or otherwise."""
        other = RecordedJudge((), params)
        other.name, other.model = self.name, self.model
        other._answers = self._answers if _asking(params) == _asking(self._params) else {}
        return other

    def judge(
        self,
        requirement: Requirement,
        passages: Sequence[Passage],
        rfp: RfpShingles | None,
        weights: Mapping[str, float] | None = None,
    ) -> Judgement:
        """The answer to this very prompt; Missing, and the rule noted in `unasked`, where it was never asked."""
        if self._prompts is None or self._prompts[0] is not rfp:
            shingles = rfp or RfpShingles((), self._params.verification.echo_shingle, 1.0)
            self._prompts = (rfp, Prompts(self, self._params, shingles))
        digest = self._prompts[1].digest(requirement, tuple(passages), weights or {})
        if self.learning:
            self._learn(requirement.rule_id, digest)
        if digest not in self._answers:
            self.unasked.add(requirement.rule_id)
            return _open(requirement.rule_id)
        return self._answers[digest]

    def _learn(self, rule_id: str, digest: str) -> None:
        """Remember a look that settled nothing: the first before a second that counts, or the second after a first."""
        attempt = self._tried[rule_id] = self._tried.get(rule_id, 0) + 1
        row = self._newest.get(rule_id)
        if row is None or digest in self._answers:
            return
        before_the_second = attempt == 1 and row["attempt"] == 2
        in_vain = attempt == 2 and row["attempt"] == 1 and row["status"] not in _SETTLED
        if before_the_second or (in_vain and rule_id not in self.unasked):
            self._answers[digest] = _open(rule_id)


def _asking(params: Params) -> list[Any]:
    """Knobs that name the model and how it is asked: a run knows the answers under others of them by another name."""
    return [
        *(getattr(params.asking, name) for name in AskingParams.HEEDED),
        *(getattr(params.scheduling, name) for name in SchedulingParams.HEEDED),
    ]


def _judgement_of(row: Mapping[str, Any]) -> Judgement:
    return Judgement(
        rule_id=row["rule_id"],
        status=Status(row["status"]),
        rationale=(row["rationale"] or "")[:2000],
        quote=row["quote"] or "",
        chunk_id=row["chunk_id"] or "",
        pages=tuple(row["pages"] or ()),
        risk=row["risk"] or "Medium",
        needs_review=bool(row["needs_review"]),
        review_reason=row["review_reason"] or "",
        other_quotes=tuple(row["other_quotes"] or ()),
    )


def _open(rule_id: str) -> Judgement:
    """An answer that settles nothing, so that it is looked further as in the run itself."""
    return Judgement(rule_id=rule_id, status=Status.MISSING, rationale="")
