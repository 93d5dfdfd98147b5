"""The command line as scripts and people use it: options, exit codes, one clear line for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]) -> Path:
    """A folder with the small tender, run once through the command line."""
    home = tmp_path_factory.mktemp("cli")
    small_tender(home)
    done = bidproof(home, "run", "inbox", "--no-dense", "--json", "run.json")
    assert done.returncode == 0, done.stderr
    return home


def bidproof(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bidproof.cli", *words]
    return subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)


def test_a_run_ends_with_a_table_of_gates_and_the_path_of_the_matrix(folder: Path) -> None:
    done = bidproof(folder, "run", "inbox", "--no-dense")
    assert done.returncode == 0
    assert "PASS" in done.stdout
    assert "FAIL" in done.stdout
    assert "0 computed, 3 already fresh, 0 failed" in done.stdout
    assert "matrix.html" in done.stdout
    assert (folder / "warehouse/reports/water-meters/matrix.html").is_file()


def test_the_json_report_is_stable_and_complete(folder: Path) -> None:
    report = json.loads((folder / "run.json").read_text())
    assert set(report) == {"tenders", "computed", "fresh", "failed", "problems", "seconds"}
    packs = {pack["bidder"]: pack["gate"] for pack in report["tenders"][0]["packs"]}
    assert packs == {"bad": "fail", "good": "pass"}
    assert report["computed"] == ["water-meters", "water-meters--bad", "water-meters--good"]


def test_status_is_quiet_when_fresh_and_names_the_knob_when_not(folder: Path) -> None:
    fresh = bidproof(folder, "status", "--no-dense")
    assert fresh.returncode == 0
    assert fresh.stdout.count("fresh") == 3
    (folder / "k.yaml").write_text("selection: {k: 2}\n")
    stale = json.loads(bidproof(folder, "status", "--no-dense", "--params", "k.yaml", "--json", "-").stdout)
    moved = {row["stage"]: row["reasons"] for row in stale["stages"] if row["state"] == "stale"}
    assert moved == {"passages": ["selection.k 3 -> 2"]}
    below = {row["stage"] for row in stale["stages"] if row["state"] == "downstream"}
    assert below == {"judgements", "escalations", "objections", "findings", "reviews", "scores"}


@pytest.mark.parametrize("name", ["matrix.html", "matrix.json", "matrix.csv", "matrix.xlsx"])
def test_the_matrix_comes_in_four_formats_by_the_ending_of_its_name(folder: Path, name: str) -> None:
    done = bidproof(folder, "matrix", "water-meters", "-o", name)
    assert done.returncode == 0, done.stderr
    path = folder / name
    if name.endswith("xlsx"):
        book = openpyxl.load_workbook(path)
        assert "Matrix" in book.sheetnames
    elif name.endswith("json"):
        matrix = json.loads(path.read_text())
        assert len(matrix["cells"]) == 8
    else:
        text = path.read_text(encoding="utf-8")
        assert "60 calendar days" in text


def test_two_exports_of_the_same_warehouse_are_the_same_bytes(folder: Path) -> None:
    for name in ("a.xlsx", "b.xlsx", "a.html", "b.html"):
        assert bidproof(folder, "matrix", "water-meters", "-o", name).returncode == 0
    assert (folder / "a.xlsx").read_bytes() == (folder / "b.xlsx").read_bytes()
    assert (folder / "a.html").read_bytes() == (folder / "b.html").read_bytes()


def test_search_gives_document_page_box_and_scores(folder: Path) -> None:
    done = bidproof(
        folder, "search", "bid validity calendar days", "--no-dense", "--json", "--pack", "water-meters--good"
    )
    hit = json.loads(done.stdout)["hits"][0]
    assert "150 calendar days" in hit["text"]
    assert (hit["file_name"], hit["page"]) == ("offer.pdf", 1)
    box = hit["boxes"][0]
    assert box["page"] == 1
    assert 0 < box["x0"] < box["x1"] < 600
    assert hit["score"] > 0


def test_search_reads_a_single_file_without_a_warehouse(folder: Path) -> None:
    offer = folder / "inbox/water-meters/bids/bad/offer.pdf"
    done = bidproof(
        folder, "search", "warranty", "--file", str(offer), "--no-dense", "--json", "--warehouse", "nowhere"
    )
    assert "24 months" in json.loads(done.stdout)["hits"][0]["text"]
    assert not (folder / "nowhere").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "nowhere"], "nowhere: no such inbox"),
        (["run", "inbox", "--tender", "gas"], "no tender 'gas'"),
        (["run", "inbox", "--bidder", "nobody"], "no bidder 'nobody'"),
        (["run", "inbox", "--params", "none.yaml"], "none.yaml: no such parameter file"),
        (["run", "inbox", "--judge", "oracle"], "judging.judge"),
        (["status", "--warehouse", "empty"], "nothing was run into this warehouse"),
        (["status", "--tender", "gas"], "no such tender"),
        (["matrix", "gas", "-o", "m.html"], "no such tender"),
        (["matrix", "water-meters", "-o", "m.docx"], "unknown format docx"),
        (["search", " "], "query: is empty"),
        (["search", "x", "--pack", "gas--x"], "no such pack"),
        (["search", "x", "--file", "none.pdf"], "none.pdf: no such file"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_2(folder: Path, words: list[str], said: str) -> None:
    done = bidproof(folder, *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_a_judge_that_has_nobody_to_ask_fails_the_tender_in_one_line_and_exit_code_2(folder: Path) -> None:
    done = bidproof(folder, "run", "inbox", "--judge", "openai")
    assert done.returncode == 2, done.stdout + done.stderr
    assert "asking.url: is empty, so the judge openai has no server to ask" in done.stdout
    assert "0 computed" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("id: V2", "id: V1", "V1"),
        (
            'area: Admin, mandatory: true, text: "Bid sec',
            'aera: Admin, mandatory: true, text: "Bid sec',
            "aera",
        ),
        ('mandatory: false, text: "Warranty', 'mandatory: perhaps, text: "Warranty', "perhaps"),
    ],
)
def test_a_broken_catalog_is_exit_code_2_and_names_file_and_fault(
    tmp_path: Path, small_tender: Callable[[Path], Path], old: str, new: str, said: str
) -> None:
    catalog = small_tender(tmp_path) / "water-meters/catalog.yaml"
    text = catalog.read_text()
    assert old in text
    catalog.write_text(text.replace(old, new))
    done = bidproof(tmp_path, "run", "inbox", "--no-dense")
    assert done.returncode == 2
    assert "catalog.yaml" in done.stdout
    assert said in done.stdout


def test_a_catalog_without_rules_is_exit_code_2(tmp_path: Path, small_tender: Callable[[Path], Path]) -> None:
    catalog = small_tender(tmp_path) / "water-meters/catalog.yaml"
    catalog.write_text("tender: water-meters\nrules: []\n")
    done = bidproof(tmp_path, "run", "inbox", "--no-dense")
    assert done.returncode == 2
    assert "rules" in done.stdout


def test_one_tenders_broken_catalog_does_not_stop_the_other_tender(
    tmp_path: Path, small_tender: Callable[[Path], Path]
) -> None:
    inbox = small_tender(tmp_path)
    (inbox / "water-meters").rename(inbox / "gas-meters")
    small_tender(tmp_path)
    (inbox / "gas-meters/catalog.yaml").write_text("rules: [")
    done = bidproof(tmp_path, "run", "inbox", "--no-dense", "--json", "out.json")
    assert done.returncode == 2
    report = json.loads((tmp_path / "out.json").read_text())
    assert [failure["partition"] for failure in report["failed"]] == ["gas-meters"]
    assert "water-meters--good" in report["computed"]


def test_broken_files_leave_the_rest_of_the_inbox_done(
    tmp_path: Path, small_tender: Callable[[Path], Path], pdf_writer: Callable[..., Path]
) -> None:
    import pymupdf

    bids = small_tender(tmp_path) / "water-meters/bids"
    good = (bids / "good/offer.pdf").read_bytes()
    (bids / "good/empty.pdf").write_bytes(b"")
    (bids / "good/truncated.pdf").write_bytes(good[: len(good) // 3])
    (bids / "good/renamed.pdf").write_text("plain words, no PDF")
    with pymupdf.open(stream=good) as document:
        document.save(
            bids / "good/locked.pdf",
            encryption=pymupdf.PDF_ENCRYPT_AES_256,
            user_pw="secret",
            owner_pw="owner",
        )
    (bids / "Société Générale & Fils").mkdir()
    pdf_writer(
        bids / "Société Générale & Fils/a/offre technique é.pdf",
        ["Our bid remains valid for 150 calendar days from the submission deadline."],
    )
    pdf_writer(
        bids / "Société Générale & Fils/b/offre technique é.pdf",
        ["We grant a warranty of 48 months on every meter from delivery."],
    )
    (bids / "nothing in here").mkdir()
    (bids / ("x" * 200)).mkdir()
    pdf_writer(bids / ("x" * 200) / ("y" * 200 + ".pdf"), ["A bid."])
    done = bidproof(tmp_path, "run", "inbox", "--no-dense", "--json", "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["failed"] == []
    said = " | ".join(f"{p['where']} {p['what']}" for p in report["problems"])
    for name in ("empty.pdf", "renamed.pdf", "locked.pdf", "nothing in here"):
        assert name in said
    packs = {pack["bidder_name"]: pack for pack in report["tenders"][0]["packs"]}
    assert set(packs) == {"good", "bad", "Société Générale & Fils", "nothing in here", "x" * 200}
    assert set(packs["good"]["unreadable_files"]) >= {"empty.pdf", "renamed.pdf", "locked.pdf"}
    assert packs["Société Générale & Fils"]["pages"] == 2
    assert all(pack["gate"] for pack in packs.values())
