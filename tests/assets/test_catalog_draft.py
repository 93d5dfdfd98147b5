"""A catalog that no person has accepted says so wherever it or a verdict under it is shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import openpyxl
import pymupdf
import pytest

from bidproof.catalog import rfp_digest
from bidproof.cli.rfp_reading import read_rfp
from bidproof.cli.running import summarise
from bidproof.cli.status import status_command
from bidproof.cli.summary import print_summary
from bidproof.params import DocumentParams
from bidproof.review import read_matrix, to_html, to_xlsx
from bidproof.review.exports import to_csv, to_json
from bidproof.review.model import Matrix
from bidproof.store import Warehouse
from pipelines.execute import RunReport, run_inbox

OFF = {"dense": {"enabled": False}}


@pytest.fixture(scope="module", params=["mined", "file"])
def drafted(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    small_tender: Callable[[Path], Path],
) -> tuple[Path, RunReport, str]:
    """A run under a mined catalog, and one under a file that calls itself a draft; one bidder is enough."""
    folder = tmp_path_factory.mktemp("draft")
    catalog = small_tender(folder) / "water-meters/catalog.yaml"
    if request.param == "mined":
        catalog.unlink()
    else:
        catalog.write_text("status: draft\n" + catalog.read_text(encoding="utf-8"), encoding="utf-8")
    report = run_inbox(
        folder / "inbox", str(folder / "warehouse"), bidder="good", overrides=OFF, project_root=folder
    )
    assert report.failed == {}
    why = "mined" if request.param == "mined" else "a draft by its own file"
    return folder, report, f"{why}, not accepted by a person"


@pytest.fixture
def warehouse(drafted: tuple[Path, RunReport, str]) -> Warehouse:
    return Warehouse(drafted[0] / "warehouse")


@pytest.fixture
def matrix(warehouse: Warehouse) -> Matrix:
    return read_matrix(warehouse, "water-meters")


def test_the_tables_of_catalogs_and_rules_mark_a_draft(warehouse: Warehouse) -> None:
    assert warehouse.read("catalogs", "water-meters")["draft"].to_list() == [True]
    assert set(warehouse.read("requirements", "water-meters")["draft"]) == {True}


def asked(warehouse: Warehouse, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(Path(warehouse.root) / "bidproof.duckdb"), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_the_views_mark_what_was_found_under_a_draft(warehouse: Warehouse) -> None:
    for view in ("catalogs", "requirements"):
        assert asked(warehouse, f"select distinct draft from {view}") == [(True,)]
    for view in ("v_matrix", "v_gate"):
        assert asked(warehouse, f"select distinct catalog_draft from {view}") == [(True,)]


def test_the_summary_of_a_run_says_draft(
    drafted: tuple[Path, RunReport, str], warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    result = summarise(warehouse, drafted[1], seconds=1.0)
    assert result["tenders"][0]["catalog"]["draft"] is True
    print_summary(result)
    assert "DRAFT" in capsys.readouterr().out


def test_status_says_draft_to_people_and_to_scripts(
    drafted: tuple[Path, RunReport, str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = drafted[0]
    status_command(str(folder / "warehouse"), None, OFF, None)
    said = capsys.readouterr().out
    assert "DRAFT catalog, not accepted by a person" in said
    assert "accepted: draft:" in said
    status_command(str(folder / "warehouse"), None, OFF, Path("-"))
    stages = json.loads(capsys.readouterr().out)["stages"]
    drafts = {row["stage"]: row["draft"] for row in stages if "draft" in row}
    assert drafts == {"requirements": True, "catalogs": True}


def test_the_page_of_the_matrix_says_draft_in_badge_watermark_rows_and_record(
    drafted: tuple[Path, RunReport, str], matrix: Matrix
) -> None:
    page, why = to_html(matrix), drafted[2]
    assert f'id="draft-badge" title="{why.capitalize()}"' in page
    assert "Unreviewed · draft catalog" in page
    assert page.count('<span class="draft-tag">draft</span>') == len(matrix.rules)
    assert f"<dd>no: {why}</dd>" in page


def test_the_workbook_says_draft_under_its_title_and_among_the_parameters(
    drafted: tuple[Path, RunReport, str], matrix: Matrix
) -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(matrix)))
    assert str(book["Matrix"]["A2"].value).endswith(f"DRAFT catalog: {drafted[2]}")
    rows = {row[1]: row[2] for row in book["Parameters"].iter_rows(values_only=True)}
    assert str(rows["catalog draft"]).lower() in ("true", "yes", "1")


def test_csv_and_json_say_draft(matrix: Matrix) -> None:
    assert {row["catalog_draft"] for row in csv.DictReader(io.StringIO(to_csv(matrix)))} == {"yes"}
    data = json.loads(to_json(matrix))
    assert data["draft"] is True
    assert data["catalog"]["draft"] is True


def test_an_accepted_catalog_is_no_draft_anywhere(
    tmp_path: Path, small_tender: Callable[[Path], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    catalog = small_tender(tmp_path) / "water-meters/catalog.yaml"
    head = "status: accepted\naccepted_by: J. Doe\naccepted_on: 2026-02-01\n"
    catalog.write_text(head + catalog.read_text(encoding="utf-8"), encoding="utf-8")
    store = Warehouse(tmp_path / "warehouse")
    report = run_inbox(
        tmp_path / "inbox", str(store.root), bidder="good", overrides=OFF, project_root=tmp_path
    )
    print_summary(summarise(store, report, seconds=1.0))
    status_command(str(store.root), None, OFF, None)
    matrix = read_matrix(store, "water-meters")
    page = to_html(matrix)
    assert "draft" not in capsys.readouterr().out.lower()
    assert 'id="draft-badge"' not in page
    assert '<span class="draft-tag">' not in page
    assert "by <bdi>J. Doe</bdi> on 2026-02-01" in page
    assert {row["catalog_draft"] for row in csv.DictReader(io.StringIO(to_csv(matrix)))} == {"no"}
    for view in ("v_matrix", "v_gate"):
        assert asked(store, f"select distinct catalog_draft from {view}") == [(False,)]


def test_a_run_says_that_an_addendum_came_after_the_accepted_catalog(
    tmp_path: Path, small_tender: Callable[[Path], Path]
) -> None:
    # Without it the old rules pass bids that the addendum fails, and nothing says so.
    folder = small_tender(tmp_path) / "water-meters"
    made_of = rfp_digest(read_rfp([folder / "rfp"], DocumentParams()).blocks)
    head = f"status: accepted\naccepted_by: J. Doe\naccepted_on: 2026-02-01\nrfp_sha256: {made_of}\n"
    catalog = folder / "catalog.yaml"
    catalog.write_text(head + catalog.read_text(encoding="utf-8"), encoding="utf-8")
    store = Warehouse(tmp_path / "warehouse")
    report = run_inbox(
        tmp_path / "inbox", str(store.root), bidder="good", overrides=OFF, project_root=tmp_path
    )
    assert [note.what for note in report.notes] == []
    assert read_matrix(store, "water-meters").warnings == ()
    with pymupdf.open() as book:
        book.new_page().insert_text((72, 90), "Addendum 1. Clause 1 is deleted.")
        book.save(folder / "rfp" / "addendum-1.pdf")
    report = run_inbox(
        tmp_path / "inbox", str(store.root), bidder="good", overrides=OFF, project_root=tmp_path
    )
    problems = summarise(store, report, seconds=1.0)["problems"]
    assert [one["where"] for one in problems] == ["water-meters"]
    assert problems[0]["what"].startswith(f"the catalog was made of another RFP text ({made_of[:12]})")
    (warning,) = json.loads(to_json(read_matrix(store, "water-meters")))["warnings"]
    assert warning[1:] == problems[0]["what"][1:]
    assert "addendum-1.pdf" in to_html(read_matrix(store, "water-meters"))
