"""Chunks in a whole run: the bid's questions carry the RFP's ids, a CV is read as one, alerts are checks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from bidproof.store import Warehouse
from pipelines.execute import run_inbox

QUESTION = "Describe your approach to the calibration of meters in the field."


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]) -> Path:
    import pymupdf

    folder = tmp_path_factory.mktemp("questions")
    inbox = small_tender(folder) / "water-meters"
    for path, lines in {
        "rfp/questions.pdf": ["5 Questions", f"Q7. {QUESTION}"],
        "bids/good/answers.pdf": ["4 Answers", QUESTION, "Our engineers calibrate each meter on its site."],
        "bids/good/CV Lind.pdf": [
            "Work experience",
            "2012 - 2019 Project engineer, Halden",
            "Led the works.",
        ],
    }.items():
        with pymupdf.open() as document:
            page = document.new_page()
            for number, line in enumerate(lines):
                page.insert_text((72, 90 + 30 * number), line, fontsize=10)
            document.save(inbox / path)
    options = {"dense": {"enabled": False}, "chunking": {"min_average_quality": 100}}
    report = run_inbox(folder / "inbox", str(folder / "warehouse"), overrides=options, project_root=folder)
    assert report.failed == {}
    return folder / "warehouse"


def test_a_bid_that_repeats_a_question_has_its_id_from_the_rfp(warehouse: Path) -> None:
    query = "select pack, unnest(questions, recursive := true), file_name from chunks where len(questions) > 0 order by pack"
    with duckdb.connect(str(warehouse / "bidproof.duckdb"), read_only=True) as connection:
        rows = connection.execute(f"select pack, id, label, text, file_name from ({query})").fetchall()
    assert rows == [
        ("water-meters", "Q7", "Q7", QUESTION, "questions.pdf"),
        ("water-meters--good", "Q7", "", QUESTION, "answers.pdf"),
    ]


def test_a_view_says_which_bids_take_up_a_question(warehouse: Path) -> None:
    with duckdb.connect(str(warehouse / "bidproof.duckdb"), read_only=True) as connection:
        rows = connection.execute(
            "select bidder, question_id, question, asked_file, asked_page, file_name, page, len(chunk_ids), found from v_questions"
        ).fetchall()
    assert rows == [
        ("bad", "Q7", QUESTION, "questions.pdf", 1, None, None, 0, False),
        ("good", "Q7", QUESTION, "questions.pdf", 1, "answers.pdf", 1, 1, True),
    ]


def test_a_cv_in_a_bid_is_read_and_cut_as_one(warehouse: Path) -> None:
    with duckdb.connect(str(warehouse / "bidproof.duckdb"), read_only=True) as connection:
        adapters = connection.execute(
            "select file_name, adapter, adapter_why from documents where pack = 'water-meters--good' order by 1"
        ).fetchall()
        posts = connection.execute(
            "select heading_path, content_type, annotations from chunks where file_name = 'CV Lind.pdf'"
        ).fetchall()
    assert [each[:2] for each in adapters] == [
        ("CV Lind.pdf", "cv"),
        ("answers.pdf", "tender"),
        ("offer.pdf", "tender"),
    ]
    assert adapters[0][2] == "file name: a CV's name (cv)"
    assert posts == [("Work experience", "position", ["period"])]


def test_alerts_are_checks_that_stop_nothing_and_metrics_stand_in_the_manifest(warehouse: Path) -> None:
    manifest = Warehouse(warehouse).manifest("chunks", "water-meters--good")
    assert manifest is not None
    checks = {check.name: check for check in manifest.checks}
    assert checks["nothing_lost"].passed
    assert (checks["quality"].passed, checks["quality"].severity, checks["quality"].blocking) == (
        False,
        "WARN",
        False,
    )
    assert checks["questions_found"].passed
    assert checks["chunking_time"].message.startswith("slowest file ")
    assert manifest.metrics["chunks"] == manifest.rows
    assert 0 < float(manifest.metrics["overlap_efficiency"]) <= 1
    dense = Warehouse(warehouse).manifest("dense_index", "water-meters--good")
    assert dense is not None
    assert {check.name: check.passed for check in dense.checks}["embeddable"]
