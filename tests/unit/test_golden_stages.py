"""Rows of a stage do not change unless what they are made from does: its version, its parameters, its inputs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import golden_stages as stages

from bidproof.params import Params
from bidproof.stages import BY_NAME


@pytest.fixture(scope="module")
def frames() -> dict[str, pl.DataFrame]:
    return stages.tables(stages.example(), Params())


def _made(frames: dict[str, pl.DataFrame]) -> dict[str, dict[str, str]]:
    return stages.made(stages.example(), Params(), frames)


def test_a_stage_whose_rows_change_has_a_new_version(frames):
    made = _made(frames)
    kept = json.loads(stages.FILE.read_text())
    stale = [
        name
        for name in made
        if name in kept
        and made[name]["made_from"] == kept[name]["made_from"]
        and made[name]["rows"] != kept[name]["rows"]
    ]
    assert not stale, (
        f"bump the versions of {stale} in bidproof/stages.py, then run tests/golden/golden_stages.py"
    )
    assert made == kept, (
        "what the rows are made from is new: look whether their change is meant, then run tests/golden/golden_stages.py"
    )


def test_a_verdict_that_turns_under_the_same_version_is_stale(frames):
    turned = frames["findings"].with_columns(status=pl.lit("Pass"))
    before, after = _made(frames), _made({**frames, "findings": turned})
    assert before["findings"]["made_from"] == after["findings"]["made_from"]
    assert before["findings"]["rows"] != after["findings"]["rows"]
    assert before["scores"]["made_from"] != after["scores"]["made_from"]


def test_every_stage_is_held(frames):
    unheld = set(BY_NAME) - {name.partition(" ")[0] for name in frames}
    # A model's vectors, and what follows from them, differ in their last digits from machine to machine; a report is a page made of held tables.
    assert unheld == {"dense_index", "objections", "matrix_report"}


def test_a_score_counts_to_the_third_decimal():
    ranked = pl.DataFrame({"rank": [1, 2], "evidence_score": [2.0011, 1.0]})
    moved = [
        ranked.with_columns(pl.col("evidence_score") + by).pipe(stages.digest, 3) for by in (0.0001, 0.01)
    ]
    assert stages.digest(ranked, 3) == moved[0] != moved[1]


def test_the_held_bidder_has_verdicts_of_every_kind(frames):
    assert set(frames["findings"]["status"]) == {"Fail", "Missing", "Partial", "Pass"}
