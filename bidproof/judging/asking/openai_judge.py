"""The judge `openai`: rules of a pack asked of a server, several a request, under its limits.

Belongs here: the way from cases to verdicts: kept answers, requests, checks, what is asked again. Does not belong here:
when a request is sent (`scheduling`), HTTP (`server`), what is sound (`checking`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bidproof.errors import StageError
from bidproof.judging.asking.answers import read_items
from bidproof.judging.asking.cases import AskedAlone, Case, Judged
from bidproof.judging.asking.checking import NO_ANSWER, Sound, check_items, nothing_shown, unanswered
from bidproof.judging.asking.contract import INSTRUCTIONS, answer_schema
from bidproof.judging.asking.kept import KeptAnswers, Memory, Shelf
from bidproof.judging.asking.opinion import by_predicates, contradicted, with_second_opinion
from bidproof.judging.asking.prompts import prompt_of
from bidproof.judging.asking.server import DECLINED, Address, ChatServer
from bidproof.judging.echo import RfpShingles
from bidproof.judging.scheduling import (
    Ask,
    Kind,
    Outcome,
    Request,
    RequestBudget,
    Result,
    Scheduler,
    ask_in_passes,
    limits_of,
    needs_full,
    retries_of,
)
from bidproof.judging.scheduling.asks import TokenCounter, asks_of
from bidproof.params import AskingParams, Params, SchedulingParams
from bidproof.records import Judgement
from bidproof.store import digest


def settings_of(address: Address, asking: AskingParams, scheduling: SchedulingParams) -> dict[str, Any]:
    """All that decides an answer besides rule and passages. How fast it is had is no part of it."""
    return {
        "judge": "openai",
        "url": address.url,
        "model": address.model,
        "contract": INSTRUCTIONS,
        "schema": answer_schema(()),
        "mode": asking.schema_mode,
        "temperature": asking.temperature,
        "seed": asking.seed,
        "asked": {
            name: getattr(scheduling, name)
            for name in SchedulingParams.HEEDED
            if scheduling.triage or "triage_" not in name
        },
    }


class OpenAIJudge(AskedAlone):
    """Asks a server with an OpenAI-compatible API; what it cannot check, it does not believe.

    `results` are the requests of all calls so far, as the scheduler delivered them: what was sent and what it used.
    """

    name = "openai"

    def __init__(
        self,
        params: Params,
        address: Address,
        shelf: Shelf | None = None,
        scheduler: Scheduler | None = None,
    ) -> None:
        """A judge at `address`; answers are kept on `shelf`, or for this object's life where there is none."""
        self.params, self.address = params, address
        settings = settings_of(address, params.asking, params.scheduling)
        self.model = f"{address.model} #{digest(settings)[:8]}"
        self.kept = KeptAnswers(shelf or Memory(), settings)
        self.results: list[Result] = []
        self._server = ChatServer(address, params.asking)
        limits = limits_of(params.scheduling)
        self._scheduler = scheduler or Scheduler(limits, retries_of(params.scheduling))
        self._count = TokenCounter(params.scheduling.token_ratio)

    def judge_all(self, cases: Sequence[Case], rfp: RfpShingles | None, pack: str = "") -> dict[str, Judged]:
        """The verdict on each case of one pack, by rule id; only what is not kept is asked.

        Raises:
            StageError: the server did not answer on some rules; sound answers so far are kept for the next run.
            BadInputError: it refuses the key, the model or the path.
        """
        judged: dict[str, Judged] = {}
        to_ask: dict[str, Case] = {}
        codes = {case.rule_id: by_predicates(case, self.params.judging, rfp) for case in cases}
        for case in cases:
            if not case.passages:
                judged[case.rule_id] = Judged(nothing_shown(case))
            elif (known := self.kept.get(case)) is not None:
                judged[case.rule_id] = Judged(known.judgement, known.text)
            else:
                to_ask[case.rule_id] = case
        if to_ask:
            judged.update(self._ask(to_ask, codes, pack))
        return {
            rule_id: Judged(
                with_second_opinion(one.judgement, codes[rule_id]),
                one.raw_answer,
                one.tokens_in,
                one.tokens_out,
            )
            for rule_id, one in judged.items()
        }

    def _ask(self, cases: Mapping[str, Case], codes: Mapping[str, Judgement], pack: str) -> dict[str, Judged]:
        hearing = _Hearing(cases, codes, self.kept)
        scheduling = self.params.scheduling
        budget = RequestBudget.of(scheduling, limits_of(scheduling))
        try:
            send = partial(self._send, hearing=hearing)
            ask_in_passes(self._asks(cases, pack), self._scheduler, send, hearing.receive, scheduling, budget)
        finally:
            self.results += hearing.results
            self._server.close()
        if lost := hearing.without_answer():
            rule_id, reason = min(lost.items())
            raise StageError(
                f"{self.address.host} gave no answer on {len(lost)} of {len(cases)} rules, {rule_id} first: {reason}; "
                "sound answers are kept, run again for the rest"
            )
        return hearing.verdicts()

    def _asks(self, cases: Mapping[str, Case], pack: str) -> list[Ask]:
        rules = [case.requirement for case in cases.values()]
        shown = {rule_id: case.passages for rule_id, case in cases.items()}
        return asks_of(rules, shown, self.params, self._count, pack=pack)

    def _send(self, request: Request, hearing: _Hearing) -> Outcome:
        """One request; called in a thread of the scheduler."""
        asked = hearing.asked_in(request)
        prompt = prompt_of(asked, dict(hearing.refused) if request.stage == "full" else {})
        schema = answer_schema([case.rule_id for case in asked])
        return self._server.ask(prompt.messages(), schema, request.tokens_out_max)


@dataclass
class _Hearing:
    """Takes down the answers of one run and says which rules must be asked again."""

    cases: Mapping[str, Case]
    codes: Mapping[str, Judgement]
    kept: KeptAnswers
    results: list[Result] = field(default_factory=list)
    sound: dict[str, Sound] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    used: dict[str, tuple[int, int]] = field(default_factory=dict)

    def asked_in(self, request: Request) -> list[Case]:
        """The request's rules with the passages that it shows: in the triage pass the best ones only."""
        cases = []
        for ask in request.payload:
            case = self.cases[ask.rule_id]
            names = {name for name, _ in ask.passages}
            shown = tuple(passage for passage in case.passages if passage.chunk_id in names)
            cases.append(Case(case.requirement, shown, case.weights))
        return cases

    def receive(self, result: Result) -> dict[str, str]:
        """Keep what is sound of a result; the rules of it to ask again, each with the reason."""
        self.results.append(result)
        rules = result.request.rules
        for number, rule_id in enumerate(rules):
            sent, returned = self.used.get(rule_id, (0, 0))
            self.used[rule_id] = (
                sent + _share(result.tokens_in, len(rules), number),
                returned + _share(result.tokens_out, len(rules), number),
            )
        if result.failed or result.outcome is None:
            self._failed(result)
            return {}
        checked = check_items(read_items(result.outcome.answer or ""), self.asked_in(result.request))
        again: dict[str, str] = {}
        for rule_id in rules:
            if rule_id in checked.refused:
                reason = checked.refused[rule_id]
                if reason == NO_ANSWER and result.outcome.kind is Kind.TRUNCATED:
                    reason = "the answer was cut off before it"
                again[rule_id] = self.refused[rule_id] = reason
            elif why := self._unsettled(checked.sound[rule_id], result.request.stage):
                again[rule_id] = why
            else:
                self.sound[rule_id] = checked.sound[rule_id]
                self.refused.pop(rule_id, None)
                self.kept.put(self.cases[rule_id], checked.sound[rule_id])
        return again

    def _unsettled(self, answer: Sound, stage: str) -> str:
        """Why a sound answer of the triage pass is not enough."""
        if stage != "triage":
            return ""
        judgement = answer.judgement
        against = contradicted(judgement, self.codes[judgement.rule_id])
        return needs_full(judgement.status, proven=True, contradicted=bool(against))

    def _failed(self, result: Result) -> None:
        """No answer at all: what the server will never answer goes to a person, all else is lost for this run."""
        rejected = result.outcome is not None and result.outcome.kind is Kind.REJECTED
        for rule_id in result.request.rules:
            (self.refused if rejected else self.lost)[rule_id] = result.failed

    def without_answer(self) -> dict[str, str]:
        """Rules that got no answer through no fault of theirs, with the reason; all, where every request is rejected."""
        outcomes = [result.outcome for result in self.results if result.outcome is not None]
        if outcomes and all(one.kind is Kind.REJECTED and DECLINED not in one.note for one in outcomes):
            return {**self.refused, **self.lost}
        return self.lost

    def verdicts(self) -> dict[str, Judged]:
        """What was found for each rule; Missing, for a person, where no answer keeps the contract."""
        judged = {}
        for rule_id, case in self.cases.items():
            answer = self.sound.get(rule_id)
            judgement = answer.judgement if answer else unanswered(case, self.refused.get(rule_id, NO_ANSWER))
            sent, returned = self.used.get(rule_id, (0, 0))
            judged[rule_id] = Judged(judgement, answer.text if answer else "", sent, returned)
        return judged


def _share(tokens: int, parts: int, number: int) -> int:
    """Whole tokens of one of several rules; the shares add up."""
    return tokens // parts + (1 if number < tokens % parts else 0)
