"""All packs of a tender beside one another: what contradicts what, and who comes first."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from assets import verification
from bidproof.review import read_matrix, to_json
from bidproof.store import Warehouse
from pipelines.execute import RunReport, run_inbox

OFF = {"dense": {"enabled": False}}
TENDER = "water-meters"
TURNED = "V1"
"""Rule of which the verdict on one of two like bids is turned."""


@pytest.fixture(scope="module")
def done(
    tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]
) -> tuple[Path, Callable[..., RunReport]]:
    """A folder in which the small tender was run with a third bidder, who sends the papers of the good one."""
    folder = tmp_path_factory.mktemp("beside")
    inbox = small_tender(folder)
    bids = inbox / TENDER / "bids"
    shutil.copytree(bids / "good", bids / "twin")

    def go() -> RunReport:
        return run_inbox(inbox, str(folder / "warehouse"), overrides=OFF, project_root=folder)

    genuine = verification.verify_findings

    def turned(*args: Any, **more: Any) -> pl.DataFrame:
        frame = genuine(*args, **more)
        hit = (pl.col("pack") == f"{TENDER}--twin") & (pl.col("rule_id") == TURNED)
        status = pl.when(hit).then(pl.lit("Partial")).otherwise("status")
        return frame.with_columns(status.alias("status"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verification, "verify_findings", turned)
        assert go().failed == {}
    return folder, go


def rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "warehouse" / "bidproof.duckdb"), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_two_bidders_with_the_same_papers_and_another_verdict_are_both_flagged(
    done: tuple[Path, Any],
) -> None:
    found = rows(
        done[0],
        "select bidder, pack, rule_id, kind, other_bidder, other_status from consistency order by pack",
    )
    assert found == [
        ("good", f"{TENDER}--good", TURNED, "other bidder", "twin", "Partial"),
        ("twin", f"{TENDER}--twin", TURNED, "other bidder", "good", "Pass"),
    ]
    manifest = Warehouse(done[0] / "warehouse").manifest("consistency", TENDER)
    assert manifest is not None
    check = next(check for check in manifest.checks if check.name == "same_evidence_same_verdict")
    assert (check.passed, check.severity, check.metadata) == (False, "WARN", {"verdicts": 2})
    assert check.message == f"2 verdicts contradict another: good {TURNED}, twin {TURNED}"
    assert next(one for one in manifest.checks if one.name == "one_bid_one_answer").passed


def test_the_matrix_and_its_view_send_both_to_a_reviewer_and_name_the_other(done: tuple[Path, Any]) -> None:
    matrix = read_matrix(Warehouse(done[0] / "warehouse"), TENDER)
    for bidder, other, status in (("good", "twin", "Partial"), ("twin", "good", "Pass")):
        cell = matrix.cell(TURNED, bidder)
        said = f"consistency: {other} has the same words and {TURNED} is {status} there"
        assert cell.needs_review
        assert said in cell.review_reason
        listed = rows(
            done[0],
            f"select needs_review, review_reason from v_matrix where bidder = '{bidder}' and rule_id = '{TURNED}'",
        )
        assert listed == [(True, cell.review_reason)]


def test_bidders_have_ranks_and_the_verdicts_that_would_turn_their_gates(done: tuple[Path, Any]) -> None:
    found = {row[0]: row[1:] for row in rows(done[0], "select bidder, gate, rank, flips from v_gate")}
    assert found["good"][:2] == ("pass", 1)
    assert found["twin"][0] == "pass"
    assert found["bad"][:2] == ("fail", None)
    listed = json.loads(to_json(read_matrix(Warehouse(done[0] / "warehouse"), TENDER)))["bidders"]
    shown = {one["slug"]: (one["rank"], len(one["gate_flips"])) for one in listed}
    assert shown == {name: (rank, flips) for name, (_, rank, flips) in found.items()}
    first = rows(
        done[0], "select rule_id, status, if_status, gate_then from v_gate_flips where bidder = 'good'"
    )
    assert first
    assert {row[1:] for row in first} == {("Pass", "Fail", "fail")}


def test_a_second_run_compares_nothing_again(done: tuple[Path, Callable[..., RunReport]]) -> None:
    folder, go = done
    store = Warehouse(folder / "warehouse")
    made = [store.manifest(name, TENDER) for name in ("consistency", "rankings")]
    assert None not in made
    assert go().computed == []
    assert made == [store.manifest(name, TENDER) for name in ("consistency", "rankings")]
