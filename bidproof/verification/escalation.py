"""A second and a third round for mandatory rules whose verdict did not survive its checks.

Belongs here: which verdicts are tried again, on which fresh passages, and what becomes of the answer. Does not belong
here: the checks (`checks`), the final row of a rule (`findings`), and any other judge than the one that judged before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from bidproof.judging import Judge
from bidproof.judging.asking.cases import Case, Judged, judged_all
from bidproof.judging.counter import shown_passages
from bidproof.judging.pack import Prompts
from bidproof.judging.predicate_judge import concept_stems
from bidproof.params import EscalationParams, Params
from bidproof.records import Requirement, Status
from bidproof.verdict_tables import ESCALATIONS
from bidproof.verification.bench import Bench, Row, claim_of, last_attempts
from bidproof.verification.checks import FATAL, Desk
from bidproof.verification.verifying import Verified, verify_claim

SETTLED, CONTRARY, OPEN = "settled", "contrary", "open"


def trouble(verified: Verified) -> str:
    """The check that makes a verdict invalid, with its reason; empty where it is valid.

    What makes a verdict Missing, and a figure that code does not find in the quote.
    """
    failed = [check for check in verified.checks if check.reason]
    return next(
        (check.line for check in failed if check.name in FATAL or check.name == "predicates_recomputed"), ""
    )


@dataclass
class Escalated:
    """A rule on its way through the rounds."""

    rule: Requirement
    judgement: Row
    fails_by_code: bool
    trigger: str
    seen: list[str]
    read: list[str] = field(default_factory=list)


class FreshSearch:
    """Wider passages for a rule: all that were read, further candidates with table rows first, neighbours of the best."""

    def __init__(
        self, chunks: pl.DataFrame, wider: Mapping[str, Sequence[str]], params: EscalationParams
    ) -> None:
        self._order = {chunk_id: n for n, chunk_id in enumerate(chunks["chunk_id"])}
        self._docs, self._kinds = chunks["doc_id"].to_list(), chunks["kind"].to_list()
        self._ids = list(self._order)
        self._wider, self._params = wider, params

    def _is_row(self, chunk_id: str) -> bool:
        return bool(self._kinds[self._order[chunk_id]] == "row")

    def added(self, rule_id: str, read: Sequence[str], round_no: int) -> list[str]:
        """Chunk ids that the round adds to those that were `read`, best first, in order of choice."""
        fresh = [c for c in self._wider.get(rule_id, ()) if c not in read and c in self._order]
        # Stable: rows keep their rank among rows, the others among the others.
        chosen = sorted(fresh, key=lambda c: not self._is_row(c))[: self._params.k_step * round_no]
        best = next((c for c in read if c in self._order), None)
        beside = self._beside(best, self._params.neighbours * round_no) if best else []
        return list(dict.fromkeys([*chosen, *(c for c in beside if c not in read)]))

    def _beside(self, chunk_id: str, reach: int) -> list[str]:
        at = self._order[chunk_id]
        near = [at + side * step for step in range(1, reach + 1) for side in (1, -1)]
        return [self._ids[n] for n in near if 0 <= n < len(self._ids) and self._docs[n] == self._docs[at]]

    def order(self, read: Sequence[str], added: Sequence[str]) -> list[str]:
        """What is shown: table rows first, for a figure that was not in the text often stands in one."""
        return sorted([*read, *added], key=lambda c: c not in self._order or not self._is_row(c))


def escalate(
    requirements: Sequence[Requirement],
    rfp_chunks: pl.DataFrame,
    documents: pl.DataFrame,
    pages: pl.DataFrame,
    blocks: pl.DataFrame,
    chunks: pl.DataFrame,
    facts: pl.DataFrame,
    candidates: pl.DataFrame,
    passages: pl.DataFrame,
    judgements: pl.DataFrame,
    params: Params,
    judge_of: Callable[[], Judge],
    *,
    catalog_version: str = "",
) -> pl.DataFrame:
    """Rows of `escalations`, one a rule and round, in order of rule id and round; none where every verdict is valid.

    A mandatory rule whose verdict other than Missing is invalid is judged again on a fresh search, at most
    `escalation.rounds` times, each time wider. A round that would show nothing new is not asked. The answer goes
    through all checks; a valid one settles the rule. A Pass beside an earlier figure that plainly fails settles
    nothing: it is `contrary`, and the Fail stands. A judge is made only if one is needed.
    """
    last = last_attempts(judgements)
    claimed = [
        rule for rule in sorted(requirements, key=lambda rule: rule.rule_id)
        if rule.mandatory and last.get(rule.rule_id, {}).get("status", "Missing") != Status.MISSING
    ]  # fmt: skip
    if not claimed or not params.escalation.rounds:
        return ESCALATIONS.empty()
    bench = Bench(
        rfp_chunks, documents, pages, blocks, chunks, facts, candidates, passages, params.verification
    )
    going = [one for rule in claimed if (one := _first(rule, last[rule.rule_id], bench)) is not None]
    if not going:
        return ESCALATIONS.empty()
    keys = {name: chunks[name][0] if chunks.height else "" for name in ("tender", "bidder", "pack")}
    keys["catalog_version"] = catalog_version or str(going[0].judgement["catalog_version"])
    rounds = _Rounds(bench, FreshSearch(chunks, bench.wider, params.escalation), params, judge_of(), keys)
    for round_no in range(1, params.escalation.rounds + 1):
        going = rounds.ask(going, round_no)
    rows = sorted(rounds.rows, key=lambda row: (str(row["rule_id"]), int(str(row["round_no"]))))
    return ESCALATIONS.frame(rows)


def _first(rule: Requirement, judgement: Row, bench: Bench) -> Escalated | None:
    """The rule, if the verdict on it is invalid."""
    desk = bench.desk(rule, judgement)
    verified = verify_claim(claim_of(judgement), desk)
    trigger = trouble(verified)
    if not trigger:
        return None
    fails = verified.status is Status.FAIL and judgement["status"] != Status.FAIL
    read = [passage.chunk_id for passage in desk.shown if not passage.context]
    return Escalated(rule, judgement, fails, trigger, [passage.chunk_id for passage in desk.shown], read)


class _Rounds:
    def __init__(
        self, bench: Bench, search: FreshSearch, params: Params, judge: Judge, keys: Mapping[str, str]
    ) -> None:
        self._bench, self._search, self._params, self._judge, self._keys = bench, search, params, judge, keys
        self._prompts = Prompts(judge, params, bench.rfp)
        self.rows: list[dict[str, object]] = []

    def ask(self, going: Sequence[Escalated], round_no: int) -> list[Escalated]:
        """One round over all rules that are still open; those that it leaves open."""
        asked: list[tuple[Escalated, list[str], Case]] = []
        for one in going:
            added = self._search.added(one.rule.rule_id, one.read, round_no)
            case = self._case(one, added)
            if {passage.chunk_id for passage in case.passages} - set(one.seen):
                asked.append((one, added, case))
        if not asked:
            return list(going)
        cases = [case for _, _, case in asked]
        judged = judged_all(self._judge, cases, self._bench.rfp, self._keys["pack"])
        settled = set()
        for one, added, case in asked:
            if self._answer(one, added, case, judged[case.rule_id], round_no) != OPEN:
                settled.add(case.rule_id)
        return [one for one in going if one.rule.rule_id not in settled]

    def _case(self, one: Escalated, added: Sequence[str]) -> Case:
        shelf = self._bench.source.shelf
        ids = self._search.order(one.read, added)
        others = self._bench.wider.get(one.rule.rule_id, ())
        shown = shown_passages(one.rule, shelf, ids, others, self._params.judging, self._bench.rfp)
        return Case(one.rule, shown, shelf.weights(concept_stems(one.rule)))

    def _answer(self, one: Escalated, added: list[str], case: Case, judged: Judged, round_no: int) -> str:
        """Note one answer; what became of it."""
        row = self._row(case, judged)
        desk = Desk(one.rule, case.passages, self._bench.source, self._bench.rfp, self._params.verification)
        outcome, failed = _outcome(one, row, desk)
        self.rows.append({
            **self._keys, **row, "round_no": round_no, "trigger": one.trigger, "added": added, "checks_failed": failed,
            "outcome": outcome,
        })  # fmt: skip
        one.trigger = failed[0] if failed else one.trigger
        one.seen, one.read = [passage.chunk_id for passage in case.passages], [*one.read, *added]
        return outcome

    def _row(self, case: Case, judged: Judged) -> dict[str, Any]:
        said = judged.judgement
        answer = json.dumps(said.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return {
            "rule_id": case.rule_id, "judge": self._judge.name, "model": self._judge.model,
            "prompt_sha256": self._prompts.digest(case.requirement, case.passages, case.weights),
            "raw_answer": judged.raw_answer or answer, "status": said.status.value, "rationale": said.rationale,
            "quote": said.quote, "chunk_id": said.chunk_id, "pages": list(said.pages), "risk": said.risk,
            "needs_review": said.needs_review, "review_reason": said.review_reason, "other_quotes": list(said.other_quotes),
            "shown": [{"chunk_id": p.chunk_id, "context": p.context} for p in case.passages],
            "tokens_in": judged.tokens_in, "tokens_out": judged.tokens_out,
        }  # fmt: skip


def _outcome(one: Escalated, row: Row, desk: Desk) -> tuple[str, list[str]]:
    """What becomes of an answer, and the checks that it does not hold."""
    if row["status"] == Status.MISSING:
        return OPEN, []
    verified = verify_claim(claim_of(row), desk)
    failed = [check.line for check in verified.checks if check.reason]
    if trouble(verified):
        return OPEN, failed
    return (CONTRARY if one.fails_by_code and verified.status is not Status.FAIL else SETTLED), failed


def rounds_by_rule(escalations: pl.DataFrame | None) -> dict[str, list[dict[str, Any]]]:
    """Rows of `escalations` of each rule, first round first."""
    found: dict[str, list[dict[str, Any]]] = {}
    if escalations is not None:
        for row in escalations.sort("rule_id", "round_no").iter_rows(named=True):
            found.setdefault(row["rule_id"], []).append(row)
    return found


def in_force(judgement: Row, rounds: Sequence[Row], proven_by_code: bool) -> tuple[Row, str]:
    """The judgement that counts after all rounds, and what a reviewer is told of them.

    One that settled a rule takes the place of the first. A person still looks at it, unless it is Pass or Fail and the
    checks have found the figure in its quote: a judge that was wrong once is not taken at its word.
    """
    if not rounds:
        return judgement, ""
    last = rounds[-1]
    attempt = judgement["attempt"] + len(rounds)
    if last["outcome"] == SETTLED:
        sure = proven_by_code and last["status"] in (Status.PASS, Status.FAIL)
        told = "" if sure else f"escalated: settled in round {last['round_no']}, after {rounds[0]['trigger']}"
        return {**judgement, **last, "attempt": attempt}, told
    if last["outcome"] == CONTRARY:
        where = ", ".join(map(str, last["pages"] or ())) or "?"
        told = f"escalated: round {last['round_no']} finds {last['status']} on p. {where}: “{last['quote'][:80]}”"
    else:
        told = f"escalated: {len(rounds)} further round{'s' * (len(rounds) > 1)} proved nothing"
    return {**judgement, "attempt": attempt}, told
