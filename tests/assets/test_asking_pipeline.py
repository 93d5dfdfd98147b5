"""A run whose judge asks a server: what is asked, what is kept, what is logged, and what is refused."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bidproof.store import Warehouse
from pipelines.execute import RunReport, run_inbox

KEY = "sk-pipeline-987654"
PACKS = ("water-meters--bad", "water-meters--good")


class _Server(ThreadingHTTPServer):
    """Keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Model)
        self.bodies: list[dict[str, Any]] = []


class _Model(BaseHTTPRequestHandler):
    """Says Pass of every rule and quotes the first line of its first passage."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert isinstance(self.server, _Server)
        self.server.bodies.append(body)
        text = body["messages"][1]["content"]
        passages = {
            name: (
                int(pages.split(",")[0]),
                [line for line in lines.splitlines() if not line.startswith("[")],
            )
            for name, pages, lines in re.findall(r"<\w+ (P\d+) p\.([\d,]+)>\n(.*?)\n</\w+>", text, re.S)
        }
        items = []
        for rule_id, names in re.findall(r'<rule \w+ id="([^"]+)" passages=([^>]+)>', text):
            page, lines = passages[names.split(", ")[0]]
            items.append({
                "rule_id": rule_id, "status": "Pass", "evidence_quote": lines[-1], "page_refs": [page],
                "rationale": "So it says.", "risk_level": "Low",
            })  # fmt: skip
        raw = json.dumps({
            "choices": [{"message": {"content": json.dumps({"answers": items})}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 500, "completion_tokens": 60},
        }).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[Any]:
    served = _Server()
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield served
    served.shutdown()
    served.server_close()
    thread.join()


def overrides_for(url: str, **verification: Any) -> dict[str, Any]:
    return {
        "dense": {"enabled": False},
        "judging": {"judge": "openai"},
        "asking": {"url": url, "model": "test-model"},
        "scheduling": {
            "triage": False,
            "requests_per_minute": 0,
            "tokens_per_minute": 0,
            "backoff_seconds": 0.01,
        },
        "verification": verification,
    }


def test_a_run_asks_once_keeps_the_answers_and_logs_what_they_cost(
    tmp_path: Path, small_tender: Callable[[Path], Path], server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIDPROOF_JUDGE_KEY", KEY)
    inbox, url = small_tender(tmp_path), f"http://127.0.0.1:{server.server_address[1]}/v1"

    def run(**verification: Any) -> RunReport:
        return run_inbox(
            inbox,
            str(tmp_path / "warehouse"),
            overrides=overrides_for(url, **verification),
            project_root=tmp_path,
        )

    assert run().failed == {}
    warehouse = Warehouse(tmp_path / "warehouse")
    judged = warehouse.read("judgements", PACKS[1])
    assert set(judged["judge"]) == {"openai"}
    assert judged["model"][0].startswith("test-model #")
    passed = judged.filter(pl.col("status") == "Pass")
    assert passed.height
    assert all(tokens > 0 for tokens in passed["tokens_in"])
    assert {json.loads(raw)["rationale"] for raw in passed["raw_answer"]} == {"So it says."}
    # A model that says Pass to everything is believed nowhere that the predicates disagree.
    bad = warehouse.read("judgements", PACKS[0]).filter(
        pl.col("review_reason").str.contains("typed predicates say Fail")
    )
    assert bad.height
    assert bad["needs_review"].all()
    usage = pl.concat([warehouse.read("usage", pack) for pack in PACKS])
    assert usage.height == len(server.bodies)
    assert usage["tokens_in"].sum() == 500 * len(server.bodies)

    asked = len(server.bodies)
    assert run(min_quote_chars=13).failed == {}
    manifest = warehouse.manifest("judgements", PACKS[1])
    assert manifest is not None
    assert manifest.params["verification"]["min_quote_chars"] == 13, "the stage ran again"
    assert len(server.bodies) == asked, "and asked nothing"
    assert warehouse.read("judgements", PACKS[1])["quote"].to_list() == judged["quote"].to_list()

    kept = [
        path
        for path in (tmp_path / "warehouse").rglob("*")
        if path.is_file() and KEY.encode() in path.read_bytes()
    ]
    assert kept == [], "the key is written nowhere"


def test_a_judge_that_cannot_ask_refuses_the_tender_before_anything_is_computed(
    tmp_path: Path, small_tender: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BIDPROOF_JUDGE_KEY", raising=False)
    for asking, said in (
        ({}, "asking.url: is empty"),
        ({"url": "http://127.0.0.1:9/v1", "model": "m"}, "BIDPROOF_JUDGE_KEY"),
    ):
        overrides = {**overrides_for(""), "asking": asking}
        report = run_inbox(
            small_tender(tmp_path) if not (tmp_path / "inbox").exists() else tmp_path / "inbox",
            str(tmp_path / "warehouse"), overrides=overrides, project_root=tmp_path,
        )  # fmt: skip
        kind, message = report.failed["water-meters"]
        assert kind == "input"
        assert said in message
        assert report.computed in ([], {})
