"""Odd inputs and broken warehouses through the command line: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-m", "bidproof.cli"]


def bidproof(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*COMMAND, *words], cwd=home, capture_output=True, text=True, check=False, timeout=120
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def run(home: Path) -> subprocess.CompletedProcess[str]:
    return bidproof(home, "run", "inbox", "--no-dense", "--json", "run.json")


def report(home: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((home / "run.json").read_text())
    return found


@pytest.fixture(scope="module")
def done_once(tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]) -> Path:
    home = tmp_path_factory.mktemp("odd")
    small_tender(home)
    assert run(home).returncode == 0
    return home


@pytest.fixture
def home(done_once: Path, tmp_path: Path) -> Path:
    """A copy of a folder in which the small tender was run."""
    shutil.copytree(done_once, tmp_path / "home")
    # The copy's warehouse must not look for its files in the original.
    record = tmp_path / "home" / "warehouse" / "inbox.json"
    record.write_text(record.read_text().replace(str(done_once), str(tmp_path / "home")))
    return tmp_path / "home"


def one(home: Path, pattern: str) -> Path:
    return next(iter(sorted((home / "warehouse").glob(pattern))))


def contents(home: Path) -> dict[str, str]:
    manifests = (home / "warehouse" / "manifests").rglob("[!.]*.json")
    return {path.name + path.parent.name: json.loads(path.read_text())["content"] for path in manifests}


def test_a_damaged_warehouse_mends_itself_to_the_same_contents(home: Path) -> None:
    before = contents(home)
    one(home, "manifests/findings/*good.json").write_text("{broken")
    for path in (home / "warehouse/data/chunks/water-meters--good").glob("*.parquet"):
        path.unlink()
    rows = one(home, "data/facts/water-meters--bad/*.parquet")
    rows.write_bytes(rows.read_bytes()[:100])
    for path in (home / "warehouse/cache").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:50])
    one(home, "manifests/pages/*good.json").unlink()
    (home / "warehouse/inbox.json").write_text("{")
    (home / "warehouse/bidproof.duckdb").unlink()
    for path in (home / "warehouse/.dagster").rglob("*.db"):
        path.write_bytes(b"no database")
    told = bidproof(home, "matrix", "water-meters", "-o", "m.csv")
    assert told.returncode == 1
    assert "run `bidproof run` to rebuild it" in told.stderr
    assert run(home).returncode == 0
    assert contents(home) == before
    assert (home / "warehouse/bidproof.duckdb").is_file()


def test_rows_changed_on_disk_are_named_and_never_shown(home: Path) -> None:
    rows = one(home, "data/findings/water-meters--good/*.parquet")
    rows.write_bytes(bytes([*rows.read_bytes()[:-1], 0]))
    told = bidproof(home, "matrix", "water-meters", "-o", "m.csv")
    assert told.returncode == 1
    assert "the file is damaged; delete it and run" in told.stderr
    assert not (home / "m.csv").exists()


def test_what_cannot_be_had_of_a_pack_is_a_row_and_a_failed_check(home: Path) -> None:
    good = home / "inbox/water-meters/bids/good"
    os.mkfifo(good / "pipe.pdf")
    (good / "loop.pdf").symlink_to("loop.pdf")
    (good / "gone.pdf").symlink_to("nowhere.pdf")
    (good / "theirs").symlink_to("../bad")
    (good / "folder.pdf").mkdir()
    shutil.copy(good / "offer.pdf", good / "again.pdf")
    shutil.copy(good / "offer.pdf", os.fsencode(good) + b"/off\xe9re.pdf")
    shutil.copy(good / "offer.pdf", os.fsencode(good) + b"/off\xe8re.pdf")
    (good / ".secret.pdf").write_bytes(b"%PDF-1.7")
    (home / "inbox/water-meters/Catalogue.csv").write_text("id\n")
    assert run(home).returncode == 0
    found = report(home)
    said = {(problem["where"].rsplit("/", 1)[-1], problem["what"]) for problem in found["problems"]}
    assert ("pipe.pdf", "is a pipe, socket or device, no file") in said
    assert ("loop.pdf", "link leads in a circle") in said
    assert ("gone.pdf", "no such file or directory") in said
    assert ("theirs", "link leads out of its own pack") in said
    assert (".secret.pdf", "is hidden and not read") in said
    assert any(where == "Catalogue.csv" for where, _ in said)
    packs = {pack["bidder"]: pack for pack in found["tenders"][0]["packs"]}
    assert set(packs["good"]["unreadable_files"]) == {"gone.pdf", "loop.pdf", "pipe.pdf", "theirs"}
    # Four files of the same bytes are read once: three pages, and one for each that cannot be had.
    assert (packs["good"]["pages"], packs["good"]["pages_readable"]) == (7, 3)
    checks = json.loads(bidproof(home, "status", "--no-dense", "--json", "-").stdout)["stages"]
    failed = {
        row["stage"]: row["checks_failed"] for row in checks if row["partition"] == "water-meters--good"
    }
    assert failed["documents"] == ["files_open"]


def test_a_bidder_that_left_is_named_until_it_is_pruned(home: Path) -> None:
    shutil.rmtree(home / "inbox/water-meters/bids/bad")
    assert run(home).returncode == 0
    assert "water-meters--bad" in {problem["where"] for problem in report(home)["problems"]}
    assert "not in the inbox" in bidproof(home, "status", "--no-dense").stdout
    assert "water-meters--bad: dropped" in bidproof(home, "prune", "--gone").stdout
    assert run(home).returncode == 0
    assert bidproof(home, "matrix", "water-meters", "-o", "m.csv").returncode == 0
    assert "good" in (home / "m.csv").read_text()
    assert ",bad," not in (home / "m.csv").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "inbox", "--warehouse", "a.file"], "a.file: is a file, no warehouse"),
        (["run", "inbox", "--warehouse", "foo://x"], "foo://x: cannot be used as a warehouse"),
        (["run", "inbox", "--warehouse", ""], "--warehouse: is empty"),
        (["run", "inbox", "--warehouse", "/proc/none"], "/proc/none/inbox.json: cannot be written"),
        (["run", "inbox", "--json", "no/where.json"], "no/where.json: its folder does not exist"),
        (["run", "inbox", "--json", "."], ".: is a folder"),
        (["run", "inbox", "--params", "."], ".: is a directory"),
        (["status", "--json", "no/where.json"], "no/where.json: its folder does not exist"),
        (["search", "x", "--warehouse", "a.file"], "a.file: is a file, no warehouse"),
    ],
)
def test_nothing_to_be_done_is_one_line_and_exit_code_2(done_once: Path, words: list[str], said: str) -> None:
    (done_once / "a.file").write_text("x")
    done = bidproof(done_once, *words)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1), done.stderr
    assert said in done.stderr


@pytest.mark.parametrize("name", ["catalog.yaml", "params.yaml"])
def test_a_folder_in_a_files_place_is_refused_not_passed_over(home: Path, name: str) -> None:
    path = home / "inbox/water-meters" / name
    path.unlink(missing_ok=True)
    path.mkdir()
    assert run(home).returncode == 2
    assert name in report(home)["failed"][0]["reason"]


def test_a_tender_left_without_rules_is_bad_input_and_old_gates_are_marked_old(home: Path) -> None:
    tender = home / "inbox/water-meters"
    (tender / "catalog.yaml").unlink()
    shutil.rmtree(tender / "rfp")
    done = bidproof(home, "run", "inbox", "--no-dense")
    assert done.returncode == 2
    assert "no rules: name some in catalog.yaml" in done.stdout
    assert "of an earlier run" in done.stdout


@pytest.mark.slow
def test_control_c_says_how_to_go_on_and_the_next_run_ends_the_work(
    tmp_path: Path, small_tender: Callable[[Path], Path]
) -> None:
    small_tender(tmp_path)
    process = subprocess.Popen(
        [*COMMAND, "run", "inbox", "--no-dense"], cwd=tmp_path, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    until = time.monotonic() + 60
    while not (tmp_path / "warehouse/manifests/pages").is_dir() and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.strip().splitlines()[-1] == "bidproof: stopped; run again and it goes on where it was"
    assert "Traceback" not in told
    assert run(tmp_path).returncode == 0


@pytest.mark.slow
def test_two_runs_at_once_leave_one_sound_warehouse(
    tmp_path: Path, small_tender: Callable[[Path], Path]
) -> None:
    small_tender(tmp_path)
    both = [
        subprocess.Popen(
            [*COMMAND, "run", "inbox", "--no-dense"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for _ in range(2)
    ]
    for process in both:
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0, said.decode()
    assert run(tmp_path).returncode == 0
    assert report(tmp_path)["computed"] == []
    assert not (tmp_path / "warehouse/.dagster-broken").exists()
