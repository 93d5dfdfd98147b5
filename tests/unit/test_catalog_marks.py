"""What a reviewer marks on the review page changes the catalog's file, and nothing else of it."""

from __future__ import annotations

import datetime as dt
import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook

from bidproof.catalog.formats.checking import warnings_of
from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.formats.other_columns import OtherColumn
from bidproof.catalog.formats.workbook_reading import OmittedRow, left_out_in
from bidproof.catalog.formats.writing import write_catalog
from bidproof.cli.catalog_accepting import accept_command
from bidproof.cli.catalog_marking import mark_command
from bidproof.errors import BadInputError
from bidproof.records import Requirement

RULES = tuple(
    Requirement(rule_id=name, area="A", mandatory=must, text=f"Bids of {name} are valid for {days} days.")
    for name, must, days in (("R1", True, 30), ("R2", True, 60), ("R3", False, 90))
)
CATALOG = CatalogFile(
    rules=RULES, title="Meters", status="draft", remarks=(("R1", "why?"), ("R2", "see lot 2")),
    other=(OtherColumn(name="Owner", values=(("R1", "Lea"), ("R2", "Bo"))),), conflicts=("R1 and R2",),
)  # fmt: skip
MARKS = 'id,mark\n"R1",drop\n"R3",mandatory\nR2,optional\n'


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    path = tmp_path / "marks.csv"
    path.write_text(MARKS, encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", [".yaml", ".csv", ".xlsx", ".json"])
def test_marked_rules_are_dropped_or_change_their_duty_and_all_else_stays(
    tmp_path: Path, marks: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"c{suffix}"
    write_catalog(file, CATALOG)
    mark_command(file, marks, None)
    now = load_catalog(file)
    assert [(rule.rule_id, rule.mandatory) for rule in now.rules] == [("R2", False), ("R3", True)]
    assert [rule.text for rule in now.rules] == [rule.text for rule in RULES[1:]]
    assert (now.remarks, now.conflicts, now.status) == ((("R2", "see lot 2"),), ("R1 and R2",), "draft")
    assert [one.values for one in now.other] == [(("R2", "Bo"),)]
    assert "1 dropped, 1 mandatory, 1 optional; 2 rules" in capsys.readouterr().out


def test_an_accepted_catalog_that_is_marked_is_a_draft_again(tmp_path: Path, marks: Path) -> None:
    file = tmp_path / "c.csv"
    write_catalog(file, CATALOG)
    accept_command(file, "Ana", "2026-12-01", None)
    mark_command(file, marks, tmp_path / "again.csv")
    now = load_catalog(tmp_path / "again.csv")
    assert (now.status, now.accepted_by, now.accepted_on) == ("draft", "", "")
    assert load_catalog(file).status == "accepted"
    assert "version" in [one.where for one in warnings_of(now)]  # it is no untouched draft


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("R9,drop\n", "marks.csv:line 1: the catalog has no rule R9"),
        ("id,mark\nR1,delete\n", "marks.csv:line 2: no mark for R1; known are drop, mandatory, optional"),
        ("R1,drop\nR2,drop\nR3,drop\n", "drops all rules"),
    ],
)
def test_marks_that_fit_no_rule_change_nothing(tmp_path: Path, marks: Path, text: str, said: str) -> None:
    file = tmp_path / "c.yaml"
    write_catalog(file, CATALOG)
    before = file.read_bytes()
    marks.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        mark_command(file, marks, None)
    assert said in str(caught.value)
    assert file.read_bytes() == before


def test_a_working_copy_keeps_its_list_of_what_was_left_out(tmp_path: Path, marks: Path) -> None:
    file = tmp_path / "c.xlsx"
    write_catalog(file, CATALOG, (OmittedRow(4, "a duty of the buyer", "The buyer pays in 30 days."),))
    mark_command(file, marks, None)
    accept_command(file, "Ana", "2026-12-01", None)
    rows = list(load_workbook(file)["left out"].iter_rows(min_row=2, values_only=True))
    assert rows == [(4, "a duty of the buyer", "The buyer pays in 30 days.")]


def test_an_edited_page_costs_no_statement_that_was_left_out(tmp_path: Path) -> None:
    file = tmp_path / "c.xlsx"
    rows = [OmittedRow(n, "a duty of the buyer", f"The buyer pays invoice {n}.") for n in range(1, 7)]
    write_catalog(file, CATALOG, rows)
    book = load_workbook(file)
    sheet = book["left out"]
    for line, page in ((2, "3-4"), (3, "p. 12"), (4, None), (5, "annex"), (6, dt.date(2026, 4, 3)), (7, 6.0)):
        sheet.cell(line, 1).value = page
    sheet.append(["", "", ""])
    sheet.append([None, None, "La banque émet la caution."])
    book.save(file)
    assert [(one.page, one.text) for one in left_out_in(file)] == [
        (3, "The buyer pays invoice 1."), (12, "The buyer pays invoice 2."), (0, "The buyer pays invoice 3."),
        (0, "The buyer pays invoice 4."), (0, "The buyer pays invoice 5."), (6, "The buyer pays invoice 6."),
        (0, "La banque émet la caution."),
    ]  # fmt: skip
    accept_command(file, "Ana", "2026-12-01", None)
    assert [one.page for one in left_out_in(file)] == [3, 12, 0, 0, 0, 6, 0]


def test_a_list_of_what_was_left_out_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    file, broken = tmp_path / "c.xlsx", tmp_path / "broken.xlsx"
    write_catalog(file, CATALOG, (OmittedRow(4, "a duty of the buyer", "The buyer pays in 30 days."),))
    names = load_workbook(file).sheetnames
    part = f"xl/worksheets/sheet{names.index('left out') + 1}.xml"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            raw = old.read(name)
            new.writestr(name, raw[: raw.index(b"</row>")] + b"<row" if name == part else raw)
    (row,) = left_out_in(broken)
    assert (row.page, row.text) == (0, "")
    assert "sheet `left out` could not be read" in row.why
    assert left_out_in(tmp_path / "c.yaml") == []
