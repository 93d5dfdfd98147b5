"""Rules, passages and a real chat server of one's own for tests of judges that ask a model. Holds no test."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bidproof.catalog import derive
from bidproof.facts import find_facts
from bidproof.judging import Passage
from bidproof.judging.asking.cases import Case, Judged
from bidproof.judging.asking.kept import Memory
from bidproof.judging.asking.openai_judge import OpenAIJudge
from bidproof.judging.asking.server import Address
from bidproof.params import Params
from bidproof.records import Requirement

KEY = "sk-test-0123456789"
KEY_NAME = "BIDPROOF_JUDGE_KEY"

Reply = str | tuple[int, dict[str, Any] | str, dict[str, str]]
"""The text of an answer, or a status with body and headers."""


def rule(rule_id: str, text: str, mandatory: bool = True) -> Requirement:
    return derive(
        Requirement(rule_id=rule_id, area="Admin", mandatory=mandatory, text=text),
        submission_date="2026-09-17",
    )


def said(text: str, number: int, page: int = 3, kind: str = "text") -> Passage:
    return Passage(
        chunk_id=f"doc:p{page}_c{number:02d}", doc_id="doc", file_name="bid.pdf", page=page, pages=(page,),
        heading_path="2 Our Offer", kind=kind, text=text, facts=tuple(find_facts(text)),
    )  # fmt: skip


VALIDITY = Case(
    rule("R1", "The bid remains valid for at least 120 calendar days from the submission date."),
    (said("Our bid remains valid for 150 calendar days from the submission date.", 1, page=4),),
)
REPLACEMENT = Case(
    rule("R2", "Defective meters are replaced within 5 working days of notification."),
    (said("We replace defective meters within 4 working days of notification.", 2, page=9),),
)
WARRANTY = Case(
    rule("R3", "The warranty on all meters is at least 24 months.", mandatory=False),
    (said("The warranty on all meters is 36 months from delivery.", 3, page=12),),
)
CASES = (VALIDITY, REPLACEMENT, WARRANTY)


def item(case: Case, **changes: Any) -> dict[str, Any]:
    """A sound answer: Pass, with the case's first passage as quote."""
    passage = case.passages[0]
    made = {
        "rule_id": case.rule_id, "status": "Pass", "evidence_quote": passage.text, "page_refs": [passage.page],
        "rationale": "The bid states it.", "risk_level": "Low",
    }  # fmt: skip
    return {**made, **changes}


def answer(*items: dict[str, Any]) -> str:
    return json.dumps({"answers": list(items)})


def params_for(url: str, scheduling: dict[str, Any] | None = None, **asking: Any) -> Params:
    """Parameters that ask `url` one request after the other, without triage, and try again fast."""
    fast = {
        "concurrent_requests": 1,
        "triage": False,
        "backoff_seconds": 0.01,
        "tokens_per_minute": 0,
        "requests_per_minute": 0,
    }
    return Params.model_validate(
        {
            "judging": {"judge": "openai"},
            "asking": {"url": url, "model": "test-model", "timeout_seconds": 5, **asking},
            "scheduling": {**fast, **(scheduling or {})},
        }
    )


class ChatServer(ThreadingHTTPServer):
    """Answers chat completions by a script, one reply a request; then by `otherwise`. Notes all it is asked."""

    daemon_threads = True

    def __init__(self, *script: Reply, otherwise: Callable[[dict[str, Any]], Reply] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = list(script)
        self.otherwise = otherwise or (lambda body: answer(*(item(case) for case in asked_in(body))))
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.lock = threading.Lock()
        self.drip_seconds = 0.0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def asked(self) -> list[list[str]]:
        """Ids of the rules of each request."""
        return [[case.rule_id for case in asked_in(body)] for body in self.bodies]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is none of the test's business."""


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.bodies.append(body)
            self.server.paths.append(self.path)
            self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
            reply = self.server.script.pop(0) if self.server.script else self.server.otherwise(body)
        status, content, headers = (200, chat(reply), {}) if isinstance(reply, str) else reply
        raw = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(raw)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if not self.server.drip_seconds:
            self.wfile.write(raw)
            return
        with contextlib.suppress(OSError):
            for byte in raw:
                self.wfile.write(bytes([byte]))
                time.sleep(self.server.drip_seconds)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


def chat(text: str, ended: str = "stop", used: tuple[int, int] = (100, 20)) -> dict[str, Any]:
    """A chat completion with this text."""
    return {
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": ended}],
        "usage": {"prompt_tokens": used[0], "completion_tokens": used[1]},
    }


def asked_in(body: dict[str, Any]) -> list[Case]:
    """Cases of these tests that a request asks about, in order."""
    named = re.findall(r"^<rule \w+ id=\"([^\"]+)\" ", body["messages"][-1]["content"], re.M)
    return [case for name in named for case in CASES if case.rule_id == name]


@contextmanager
def serving(
    *script: Reply, otherwise: Callable[[dict[str, Any]], Reply] | None = None
) -> Iterator[ChatServer]:
    server = ChatServer(*script, otherwise=otherwise)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


ENVIRONMENT = {KEY_NAME: KEY}


def judge_at(server: ChatServer, shelf: Memory | None = None, **asking: Any) -> OpenAIJudge:
    params = params_for(server.url, None, **asking)
    return OpenAIJudge(params, Address.of(params.asking, ENVIRONMENT), shelf)


def statuses(judged: dict[str, Judged]) -> dict[str, str]:
    return {rule_id: one.judgement.status.value for rule_id, one in judged.items()}


ALL_PASS = {"R1": "Pass", "R2": "Pass", "R3": "Pass"}
