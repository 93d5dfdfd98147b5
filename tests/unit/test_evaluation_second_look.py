"""Statements about what `evaluate` says of a cross-encoder and of learning from confirmed evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cross_encoder_builder import tiny_cross_encoder

from bidproof.cli.app import app

ANSWER = "A policy with a sum of {} million covers damage and third parties."
LINES = (
    "Insurance of the works is a matter which every works manager knows from the works of others.",
    "Our engineers plan each week with the client.", "Quality plans are kept on site.",
    "The programme runs for two years.", "Training is given each spring.", "Waste is sorted and taken away.",
)  # fmt: skip


def _offer(answer: str) -> str:
    """Each line a section of its own, so that each is a chunk."""
    parts = [f"<h2>Part {number}</h2><p>{line}</p>" for number, line in enumerate([*LINES, answer], 1)]
    return f"<html><body>{''.join(parts)}</body></html>"


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three bids of one page of text, each with the same rule."""
    folder = tmp_path_factory.mktemp("sets") / "insurance"
    folder.mkdir()
    for number in range(3):
        answer = ANSWER.format(number + 5)
        (folder / f"bid{number}.html").write_text(_offer(answer), encoding="utf-8")
        gold = {
            "id": "R1", "area": "Admin", "mandatory": True, "text": "Insurance of the works must be shown.",
            "verdict": "Pass", "evidence": [{"file": f"bid{number}.html", "page": 1, "snippet": answer}],
        }  # fmt: skip
        (folder / f"bid{number}.jsonl").write_text(json.dumps(gold) + "\n", encoding="utf-8")
    return folder


def _evaluated(labelled: Path, tmp_path: Path, *options: str) -> tuple[dict, str]:
    from typer.testing import CliRunner

    out = tmp_path / "out.json"
    arguments = [
        "evaluate",
        str(labelled),
        "--no-verdicts",
        "--json",
        str(out),
        "--warehouse",
        str(tmp_path / "wh"),
    ]
    done = CliRunner().invoke(app, [*arguments, *options])
    assert done.exit_code == 0, done.output
    return json.loads(out.read_text(encoding="utf-8")), done.output


def test_figures_with_a_cross_encoder_come_with_what_it_changed(labelled: Path, tmp_path: Path) -> None:
    model = tiny_cross_encoder(tmp_path / "tiny")
    off, _ = _evaluated(labelled, tmp_path)
    on, said = _evaluated(
        labelled, tmp_path, "--set", f"retrieval.reranker={model}", "--set", "retrieval.score_rerank=5"
    )  # fmt: skip
    assert "reranker" not in off
    assert on["reranker"]["without"] == off["retrieval"]
    for name in ("mrr", "map", "recall@8"):
        change = on["retrieval"][name]["value"] - off["retrieval"][name]["value"]
        assert on["reranker"]["gain"][name] == pytest.approx(change, abs=2e-6)
    assert on["reranker"]["fingerprint"].startswith("tiny:")
    assert "against the same run without it" in said
    kept = list((tmp_path / "wh" / "cache" / "rerank").rglob("*"))
    assert sum(path.is_file() for path in kept) == 3


def test_learning_tried_on_a_set_is_told_with_its_decision(labelled: Path, tmp_path: Path) -> None:
    found, said = _evaluated(labelled, tmp_path, "--learning")
    assert found["learning"]["documents"] == 3
    assert found["learning"]["in_use"] is False
    assert found["learning"]["mrr_with"] >= found["learning"]["mrr_without"]
    assert "learning from confirmed evidence off: 3 packs held out" in " ".join(said.split())
