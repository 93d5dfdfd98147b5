"""A run whose judge asks a model server, on a pack that was judged by code before: requests, tokens, order, saving.

    python benchmarks/scripted_model.py INBOX --warehouse DIR [--wrong SHARE] [--triage] [--latency SECONDS] [--json FILE]

The warehouse must hold a run of INBOX by the predicate judge; it is copied. The server stands on this machine, answers each
rule as the predicate judge did, and of a share of the rules first with a Pass on a quote that it makes up, so that further
rounds are needed. It counts tokens by the packaged vocabulary. Printed for each pack: requests, rules a request, tokens a rule,
what sending the whole pack with each request would take, when each mandatory rule had its first answer and how many
requests about others had begun by then, and what became of the wrong answers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bidproof.chunking.tokens import token_offsets
from bidproof.store import Warehouse
from pipelines.execute import run_inbox

FORGED = "We confirm all of this without any reserve whatsoever."
_RULE = re.compile(r'<rule \w+ id="([^"]+)" passages=([^>]*)>')
_PASSAGE = re.compile(r"<(\w+) (P\d+) p\.([\d,]+)>\n(.*?)\n</\1>", re.S)


@dataclass
class Asked:
    """One request as the server saw it."""

    pack: str
    rules: list[str]
    tokens: int
    began: float
    ended: float


@dataclass
class Script:
    """What the server knows: verdicts by pack and rule, and what it was asked."""

    verdicts: dict[tuple[str, str], dict[str, Any]]
    wrong: float
    latency: float
    asked: list[Asked] = field(default_factory=list)
    forged: set[tuple[str, str]] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, text: str) -> tuple[str, list[dict[str, Any]]]:
        """The pack that a prompt is of, and the answers to it."""
        passages = {name: (pages, " ".join(body.split())) for _, name, pages, body in _PASSAGE.findall(text)}
        rules = [rule for rule, _ in _RULE.findall(text)]
        pack = self._pack(rules, passages)
        return pack, [self._on(pack, rule, passages) for rule in rules]

    def _pack(self, rules: list[str], passages: dict[str, tuple[str, str]]) -> str:
        """The pack whose quotes stand in the prompt most often."""
        shown = " ".join(body for _, body in passages.values())
        packs = sorted({pack for pack, _ in self.verdicts})
        return max(packs, key=lambda pack: sum(self._quote(pack, rule) in shown for rule in rules))

    def _quote(self, pack: str, rule: str) -> str:
        quote = self.verdicts.get((pack, rule), {}).get("quote", "")
        return " ".join(quote.split()) or "\0"

    def _on(self, pack: str, rule: str, passages: dict[str, tuple[str, str]]) -> dict[str, Any]:
        known = self.verdicts.get(
            (pack, rule), {"status": "Missing", "quote": "", "pages": [], "risk": "High"}
        )
        first = int(hashlib.sha256(f"{pack} {rule}".encode()).hexdigest()[:8], 16) / 16**8 < self.wrong
        with self.lock:
            forge = first and (pack, rule) not in self.forged
            self.forged |= {(pack, rule)} if forge else set()
        quote = next((body for _, body in passages.values() if self._quote(pack, rule) in body), "")
        status = "Pass" if forge else known["status"] if quote or known["status"] == "Missing" else "Missing"
        pages = [int(one) for one in next(iter(passages.values()), ("1", ""))[0].split(",")[:1]]
        return {
            "rule_id": rule, "status": status, "rationale": "As the passages say.", "risk_level": known["risk"],
            "evidence_quote": FORGED if forge else known["quote"] if status != "Missing" else "",
            "page_refs": pages if forge else list(known["pages"]) if status != "Missing" else [],
        }  # fmt: skip


class Server(ThreadingHTTPServer):
    """A chat server that follows a script."""

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Model)
        self.script = script


class Model(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """A chat completion."""
        began = time.monotonic()
        assert isinstance(self.server, Server)
        script, body = self.server.script, json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [message["content"] for message in body["messages"]]
        pack, items = script.answer(texts[-1])
        time.sleep(script.latency)
        said = json.dumps({"answers": items})
        sent, returned = sum(map(tokens, texts)), tokens(said)
        with script.lock:
            rules = [item["rule_id"] for item in items]
            script.asked.append(Asked(pack, rules, sent, began, time.monotonic()))
        raw = json.dumps({
            "choices": [{"message": {"content": said}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": sent, "completion_tokens": returned},
        }).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


def tokens(text: str) -> int:
    """Tokens of the packaged vocabulary."""
    return len(token_offsets([text])[0])


def script_of(store: Warehouse, wrong: float, latency: float) -> Script:
    """The verdicts of the predicate judge, as the server is to give them."""
    verdicts = {}
    for pack in store.partitions("judgements"):
        for row in store.read("judgements", pack).sort("attempt").iter_rows(named=True):
            verdicts[pack, row["rule_id"]] = row
    return Script(verdicts, wrong, latency)


def measured(store: Warehouse, script: Script) -> list[dict[str, Any]]:
    """Figures of each pack."""
    by_pack: dict[str, list[Asked]] = defaultdict(list)
    for one in script.asked:
        by_pack[one.pack].append(one)
    found = []
    for pack, asked in sorted(by_pack.items()):
        tender = pack.partition("--")[0]
        mandatory = dict(store.read("requirements", tender).select("rule_id", "mandatory").iter_rows())
        whole = sum(map(len, token_offsets(store.read("blocks", pack)["text"].to_list())))
        first = [one for one in asked if any(mandatory[rule] for rule in one.rules)]
        others = [one for one in asked if not any(mandatory[rule] for rule in one.rules)]
        sent, rules = sum(one.tokens for one in asked), {rule for one in asked for rule in one.rules}
        began = min(one.began for one in asked)
        answered: dict[str, float] = {}
        for one in sorted(first, key=lambda one: one.ended):
            for rule in one.rules:
                answered.setdefault(rule, one.ended)
        gate = max(answered.values(), default=began)
        rounds = store.read("escalations", pack)
        forged = {rule for where, rule in script.forged if where == pack}
        findings = {row["rule_id"]: row for row in store.read("findings", pack).iter_rows(named=True)}
        found.append({
            "pack": pack, "rules": len(rules), "requests": len(asked), "mixed": sum(len({mandatory[r] for r in one.rules}) > 1 for one in asked),
            "rules_per_request": round(sum(len(one.rules) for one in asked) / len(asked), 1),
            "tokens_sent": sent, "tokens_per_rule": round(sent / len(rules)), "whole_pack": whole,
            "saving_with_each_request": round(1 - sent / (whole * len(asked)), 4),
            "saving_with_each_rule": round(1 - sent / (whole * len(rules)), 4),
            "saving_once": round(1 - sent / whole, 4),
            "requests_mandatory": len(first), "others_begun_by_then": sum(one.began < gate for one in others),
            "mandatory_answered_after": round(gate - began, 2),
            "all_after": round(max(one.ended for one in asked) - began, 2),
            "forged": len(forged), "rounds": rounds.height, "outcomes": dict(rounds["outcome"].value_counts().iter_rows()),
            "forged_as_pass": sum(findings[rule]["quote"].strip() == FORGED for rule in forged),
        })  # fmt: skip
    return found


def main() -> None:
    """Run, and print the figures of each pack."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("inbox", type=Path)
    parser.add_argument("--warehouse", type=Path, required=True)
    parser.add_argument("--wrong", type=float, default=0.0)
    parser.add_argument("--triage", action="store_true")
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    os.environ.setdefault("BIDPROOF_JUDGE_KEY", "sk-scripted")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "warehouse"
        shutil.copytree(options.warehouse, root, ignore=shutil.ignore_patterns(".dagster"))
        script = script_of(Warehouse(root), options.wrong, options.latency)
        server = Server(script)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        overrides = {
            "judging": {"judge": "openai"},
            "asking": {"url": f"http://127.0.0.1:{server.server_address[1]}/v1", "model": "scripted"},
            "scheduling": {"triage": options.triage, "requests_per_minute": 0, "tokens_per_minute": 0},
        }
        report = run_inbox(options.inbox, str(root), overrides=overrides, project_root=options.inbox)
        server.shutdown()
        if report.failed:
            sys.exit(str(report.failed))
        figures = measured(Warehouse(root), script)
    for one in figures:
        print(json.dumps(one, ensure_ascii=False))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
