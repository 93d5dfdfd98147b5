"""Statements about learning from confirmed evidence in a tender that is run, labelled, learned from and run again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from bidproof.cli.learning import learn_command
from bidproof.cli.status import status_command
from bidproof.errors import BadInputError
from bidproof.learned import learned_rows
from bidproof.store import Warehouse
from pipelines.execute import run_inbox

BIDDERS = ("alpha", "beta", "gamma")
RULE = "Insurance of the works must be shown."
ANSWER = "A policy with a sum of {} million covers damage and third parties."
LINES = (
    "Insurance of the works is a matter which every works manager knows from the works of others.",
    "Our engineers plan each week with the client.", "Quality plans are kept on site.",
    "The programme runs for two years.", "Training is given each spring.", "Waste is sorted and taken away.",
)  # fmt: skip
LEARNING = {
    "learning": {"min_documents": 2, "max_p": 0.2}, "retrieval": {"score_confirmed": 6.0},
}  # fmt: skip


def _offer(answer: str) -> str:
    """Each line a section of its own, so that each is a chunk."""
    parts = [f"<h2>Part {number}</h2><p>{line}</p>" for number, line in enumerate([*LINES, answer], 1)]
    return f"<html><body>{''.join(parts)}</body></html>"


@pytest.fixture(scope="module")
def run_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An inbox of one tender with three bids in plain text, gold beside it, run once."""
    tmp_path = tmp_path_factory.mktemp("learning")
    tender = tmp_path / "inbox" / "bridge"
    (tender / "rfp").mkdir(parents=True)
    (tender / "rfp" / "rfp.txt").write_text(
        "Invitation to tender for a bridge over the river.", encoding="utf-8"
    )
    (tender / "catalog.csv").write_text(
        f"id,area,mandatory,text,clause_ref\nR1,Admin,true,{RULE},\n", encoding="utf-8"
    )
    gold = tmp_path / "gold" / "bridge"
    gold.mkdir(parents=True)
    for number, bidder in enumerate(BIDDERS):
        folder = tender / "bids" / bidder
        folder.mkdir(parents=True)
        answer = ANSWER.format(number + 5)
        (folder / "offer.html").write_text(_offer(answer), encoding="utf-8")
        label = {
            "id": "R1", "area": "Admin", "mandatory": True, "text": RULE, "verdict": "Pass",
            "evidence": [{"file": "offer.html", "page": 1, "snippet": answer}],
        }  # fmt: skip
        (gold / f"{bidder}.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    _run(tmp_path, tmp_path)
    return tmp_path


@pytest.fixture
def place(run_once: Path, tmp_path: Path) -> Path:
    """A copy of it with a warehouse of its own, which knows the inbox where it lies."""
    shutil.copytree(run_once / "wh", tmp_path / "wh")
    shutil.copytree(run_once / "gold", tmp_path / "gold")
    shutil.copytree(run_once / "inbox", tmp_path / "inbox")
    return tmp_path


def _run(place: Path, inbox: Path) -> None:
    report = run_inbox(
        inbox / "inbox", str(place / "wh"), tender=None, bidder=None, overrides=LEARNING, tell=None
    )
    assert not report.failed


def _candidates(place: Path, bidder: str) -> pl.DataFrame:
    return Warehouse(place / "wh").read("candidates", f"bridge--{bidder}")


def _states(place: Path, capsys: pytest.CaptureFixture[str]) -> dict:
    capsys.readouterr()
    status_command(str(place / "wh"), None, LEARNING, Path("-"))
    return json.loads(capsys.readouterr().out)


def test_what_is_learned_and_holds_ranks_the_packs_anew_and_nothing_else(
    place: Path, run_once: Path, capsys
) -> None:
    before = {bidder: _candidates(place, bidder) for bidder in BIDDERS}
    learn_command(str(place / "wh"), "bridge", place / "gold", LEARNING, None)
    told = _states(place, capsys)
    assert told["learning"]["bridge"]["in_use"] is True
    assert told["learning"]["bridge"]["documents"] == 3
    stale = {
        (row["partition"], row["stage"]): row["reasons"] for row in told["stages"] if row["state"] == "stale"
    }
    assert set(stale) == {(f"bridge--{bidder}", "candidates") for bidder in BIDDERS}
    assert all("retrieval.confirmed_evidence" in reasons[0] for reasons in stale.values())

    _run(place, run_once)
    for bidder in BIDDERS:
        old, new = before[bidder], _candidates(place, bidder)
        assert set(old["chunk_id"]) == set(new["chunk_id"])
        assert new["confirmed_score"].null_count() == 0
        others = [name for name in old.columns if name.endswith("_rank")]
        assert old.sort("chunk_id").select(others).equals(new.sort("chunk_id").select(others))
    assert all(row["state"] == "fresh" for row in _states(place, capsys)["stages"])


def test_each_pack_is_ranked_by_the_evidence_of_the_others(place: Path) -> None:
    learn_command(str(place / "wh"), "bridge", place / "gold", LEARNING, None)
    rows = learned_rows(Warehouse(place / "wh"), "bridge")
    assert rows["evidence_pack"].to_list() == [f"bridge--{bidder}" for bidder in BIDDERS]
    assert rows["catalog_version"].n_unique() == 1


def test_what_does_not_hold_leaves_every_stage_fresh(place: Path, capsys) -> None:
    strict = {**LEARNING, "learning": {"min_documents": 5}}
    learn_command(str(place / "wh"), "bridge", place / "gold", strict, place / "learned.json")
    told = json.loads((place / "learned.json").read_text(encoding="utf-8"))
    assert told["learning"]["in_use"] is False
    assert told["learning"]["reason"] == "3 packs held out, learning.min_documents is 5"
    states = _states(place, capsys)
    assert all(row["state"] == "fresh" for row in states["stages"])
    assert states["learning"]["bridge"]["reason"] == told["learning"]["reason"]


def test_a_tender_of_which_nothing_was_confirmed_is_told_so(place: Path) -> None:
    with pytest.raises(BadInputError, match="nothing was confirmed of this tender"):
        learn_command(str(place / "wh"), "bridge", None, {}, None)
