"""Answers that are kept, and where, with which key, a judge asks at all: never on defaults."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from asking_builder import (
    ALL_PASS,
    CASES,
    ENVIRONMENT,
    KEY,
    KEY_NAME,
    VALIDITY,
    WARRANTY,
    answer,
    asked_in,
    item,
    judge_at,
    params_for,
    said,
    serving,
    statuses,
)

from bidproof.errors import BadInputError, StageError
from bidproof.judging.asking import contract, openai_judge, prompts
from bidproof.judging.asking.cases import AsksTogether, Case, Judged, judged_all
from bidproof.judging.asking.judges import check_judge, judge_named
from bidproof.judging.asking.kept import Memory
from bidproof.judging.asking.openai_judge import OpenAIJudge
from bidproof.judging.asking.server import Address, Key, chat_url, retry_after
from bidproof.model_files import file_digest
from bidproof.params import Params
from bidproof.stages import BY_NAME

# What is kept


def test_unchanged_passages_mean_no_call() -> None:
    shelf = Memory()
    with serving() as server:
        first = judge_at(server, shelf).judge_all(CASES, None)
        asked = len(server.bodies)
        again = judge_at(server, shelf).judge_all(CASES[::-1], None)
        assert len(server.bodies) == asked
    assert {r: one.judgement for r, one in again.items()} == {r: one.judgement for r, one in first.items()}
    assert all((one.tokens_in, one.tokens_out) == (0, 0) for one in again.values())


def test_a_changed_passage_asks_about_its_rule_alone() -> None:
    shelf = Memory()
    longer = Case(
        WARRANTY.requirement, (said("The warranty on all meters is 48 months from delivery.", 3, page=12),)
    )
    with serving(
        otherwise=lambda body: answer(
            *(item(longer if c is WARRANTY and "48" in str(body) else c) for c in asked_in(body))
        )
    ) as server:
        judge_at(server, shelf).judge_all(CASES, None)
        before = len(server.bodies)
        judged = judge_at(server, shelf).judge_all((*CASES[:2], longer), None)
        assert server.asked[before:] == [["R3"]]
    assert judged["R3"].judgement.quote == longer.passages[0].text


@pytest.mark.parametrize(
    ("asking", "scheduling"),
    [
        ({"model": "another"}, {}),
        ({"temperature": 0.5}, {}),
        ({"seed": 1}, {}),
        ({"schema_mode": "text"}, {}),
        ({}, {"answer_tokens": 200}),
        ({}, {"answer_tokens_per_request": 1000}),
        ({}, {"rules_per_request": 1}),
        ({}, {"triage": True}),
    ],
)
def test_another_model_sampling_or_length_is_another_answer(
    asking: dict[str, Any], scheduling: dict[str, Any]
) -> None:
    shelf = Memory()
    with serving() as server:
        judge_at(server, shelf).judge_all([VALIDITY], None)
        params = params_for(server.url, scheduling, **asking)
        other = OpenAIJudge(params, Address.of(params.asking, ENVIRONMENT), shelf)
        other.judge_all([VALIDITY], None)
        assert len(server.bodies) == 2
        assert other.model != judge_at(server).model


def test_another_prompt_or_schema_is_another_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Memory()
    with serving() as server:
        judge_at(server, shelf).judge_all([VALIDITY], None)
        monkeypatch.setattr(openai_judge, "INSTRUCTIONS", contract.INSTRUCTIONS + " Be strict.")
        judge_at(server, shelf).judge_all([VALIDITY], None)
        assert len(server.bodies) == 2
        wider = {**contract.answer_schema(()), "title": "answers"}
        monkeypatch.setattr(openai_judge, "answer_schema", lambda _: wider)
        judge_at(server, shelf).judge_all([VALIDITY], None)
        assert len(server.bodies) == 3
        monkeypatch.setattr(prompts, "rule_text", lambda requirement: f"Rule: {requirement.text}")
        judge_at(server, shelf).judge_all([VALIDITY], None)
        assert len(server.bodies) == 4


@pytest.mark.parametrize("knob", ["timeout_seconds", "key_header", "threads"])
def test_how_fast_an_answer_is_had_is_no_part_of_it(knob: str) -> None:
    shelf = Memory()
    changed: dict[str, Any] = {"timeout_seconds": 9, "key_header": "api-key", "threads": 2}
    with serving() as server:
        first = judge_at(server, shelf)
        first.judge_all([VALIDITY], None)
        other = judge_at(server, shelf, **{knob: changed[knob]})
        other.judge_all([VALIDITY], None)
        assert len(server.bodies) == 1
    assert other.model == first.model


def test_a_refused_answer_is_not_kept() -> None:
    shelf = Memory()
    with serving("no", "no") as server:
        assert statuses(judge_at(server, shelf).judge_all([VALIDITY], None)) == {"R1": "Missing"}
        assert statuses(judge_at(server, shelf).judge_all([VALIDITY], None)) == {"R1": "Pass"}


def test_a_kept_answer_is_checked_like_a_new_one() -> None:
    shelf = Memory()
    with serving() as server:
        judge = judge_at(server, shelf)
        shelf.put(judge.kept.key(VALIDITY), json.dumps(item(VALIDITY, evidence_quote="Anything.")).encode())
        assert judge.judge_all([VALIDITY], None)["R1"].judgement.quote == VALIDITY.passages[0].text
        assert len(server.bodies) == 1


# Where it is asked, and with which key


@pytest.mark.parametrize(
    ("asking", "environment", "said"),
    [
        ({}, {}, "asking.url: is empty"),
        ({"url": "http://127.0.0.1:1/v1"}, {}, "asking.model: is empty"),
        ({"url": "http://127.0.0.1:1/v1", "model": "m"}, {}, f"{KEY_NAME}: holds no key"),
        ({"url": "http://127.0.0.1:1/v1", "model": "m"}, {KEY_NAME: " "}, f"{KEY_NAME}: holds no key"),
        ({"url": "http://127.0.0.1:1/v1", "model": "m"}, {KEY_NAME: "a\nb"}, "holds no key but other text"),
        ({"url": "ftp://host/v1", "model": "m"}, {KEY_NAME: KEY}, "no http or https URL"),
        ({"url": "host/v1", "model": "m"}, {KEY_NAME: KEY}, "no http or https URL"),
        ({"url": "https://me:secret@host/v1", "model": "m"}, {KEY_NAME: KEY}, "holds a user or password"),
        (
            {"url": "https://host/v1?api-key=secret", "model": "m"},
            {KEY_NAME: KEY},
            "has api-key in its query",
        ),
    ],
)
def test_the_judge_openai_never_runs_on_defaults(
    asking: dict[str, Any], environment: dict[str, str], said: str
) -> None:
    params = Params.model_validate({"judging": {"judge": "openai"}, "asking": asking})
    for ask in (check_judge, lambda p, e: judge_named(p, None, e)):
        with pytest.raises(BadInputError) as caught:
            ask(params, environment)
        assert said in str(caught.value)
        assert "secret" not in str(caught.value)


def test_the_key_is_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving((500, {"error": f"your key is {KEY}"}, {})) as server:
        judge = judge_at(server)
        judged = judge.judge_all([VALIDITY], None)
    with serving(otherwise=lambda _: (500, {"error": f"your key is {KEY}"}, {})) as broken:
        other = judge_at(broken)
        with pytest.raises(StageError) as caught:
            other.judge_all([VALIDITY], None)
    notes = [result.outcome.note for result in other.results if result.outcome]
    assert all("your key is" in note for note in notes)
    assert notes
    shown = [
        repr(judge.address), repr(Key(KEY)), str(judge.results), str(judged), judge.model, caplog.text,
        str(other.results), str(caught.value),
    ]  # fmt: skip
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert not [text for text in shown if KEY in text]
    assert KEY not in json.dumps(judge.params.model_dump(mode="json"))


def test_azure_gets_its_own_header_and_its_version() -> None:
    with serving() as server:
        url = server.url.replace("/v1", "/openai/deployments/d1/chat/completions?api-version=2027-01-01")
        params = params_for(url, key_header="api-key")
        OpenAIJudge(params, Address.of(params.asking, ENVIRONMENT)).judge_all([VALIDITY], None)
    assert server.paths == ["/openai/deployments/d1/chat/completions?api-version=2027-01-01"]
    assert server.headers[0]["api-key"] == KEY
    assert "authorization" not in server.headers[0]


def test_a_server_that_asks_for_no_key_gets_none() -> None:
    with serving() as server:
        params = params_for(server.url, key_env="")
        judge = OpenAIJudge(params, Address.of(params.asking, ENVIRONMENT))
        assert statuses(judge.judge_all([VALIDITY], None)) == {"R1": "Pass"}
    assert "authorization" not in server.headers[0]


def test_urls_lead_to_the_chat_completions() -> None:
    assert chat_url("http://h:1/v1") == chat_url("http://h:1/v1/") == "http://h:1/v1/chat/completions"
    assert chat_url("http://h/v1/chat/completions") == "http://h/v1/chat/completions"


def test_waits_are_read_as_seconds_milliseconds_and_dates() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert retry_after({"retry-after": "7"}) == 7
    assert retry_after({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert 25 < (retry_after({"retry-after": soon}) or 0) <= 30
    assert retry_after({"retry-after": "-3"}) == 0
    assert retry_after({"retry-after": "nan"}) is None
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_the_judge_is_asked_together_or_alone_with_the_same_verdict() -> None:
    with serving() as server:
        judge = judge_at(server)
        assert isinstance(judge, AsksTogether)
        alone = judge.judge(VALIDITY.requirement, VALIDITY.passages, None)
        assert judged_all(judge, [VALIDITY], None)["R1"].judgement == alone


def test_no_rule_is_left_out_whatever_the_pack_is_called() -> None:
    with serving() as server:
        judged = judged_all(judge_at(server), CASES, None, "prior-auth--skip-rules")
        assert statuses(judged) == ALL_PASS

    class Forgetful(OpenAIJudge):
        def judge_all(self, *args: Any, **options: Any) -> dict[str, Judged]:
            return {"R1": judged["R1"]}

    params = params_for("http://127.0.0.1:9/v1")
    forgetful = Forgetful(params, Address.of(params.asking, ENVIRONMENT))
    with pytest.raises(StageError, match="the judge left out R2, R3"):
        judged_all(forgetful, CASES, None, "prior-auth")


# What a fingerprint sees


def test_knobs_of_asking_are_no_part_of_a_run_without_a_model() -> None:
    asked = Params.model_validate({"asking": {"url": "http://h/v1"}, "scheduling": {"price_in": 3}})
    names = BY_NAME["judgements"].params
    assert asked.groups(names) == Params().groups(names)
    assert set(Params().groups(names)) == {"judging", "verification"}


def test_a_fingerprint_heeds_what_changes_answers_and_not_how_they_are_had() -> None:
    def seen(**asking: Any) -> dict[str, Any]:
        made = {"judging": {"judge": "openai"}, "asking": asking, "scheduling": {"price_in": len(asking)}}
        return Params.model_validate(made).groups(BY_NAME["judgements"].params)

    assert seen(timeout_seconds=3, key_env="OTHER", key_header="api-key", threads=4) == seen()
    assert seen(model="another") != seen()
    assert "requests_per_minute" not in seen()["scheduling"]
    assert seen()["scheduling"]["rules_per_request"] == 5


def test_other_weights_under_the_same_name_make_judgements_stale(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF one")
    first = file_digest(str(file))
    file.write_bytes(b"GGUF two, longer")
    assert first
    assert file_digest(str(file)) not in (first, "")
    assert file_digest(str(tmp_path)) == file_digest("") == file_digest(str(tmp_path / "none")) == ""
