"""Columns of a catalog that are the buyer's own go through every format and through acceptance."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import xlsxwriter
from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment
from openpyxl.styles import Font

from bidproof.catalog.formats.files import load_catalog
from bidproof.cli.catalog_accepting import accept_command, convert_command

SHEET = (
    "id;area;mandatory;text;clause_ref;Responsable;Coût estimé;Priorité\n"
    "R1;Admin;oui;L'offre est valable 120 jours.;3.2;Léa;1 200,50;\n"
    "R2;Admin;oui;Le candidat joint l'annexe 2.;3.3;=Marc;;\n"
)
OWN = [
    ("Responsable", (("R1", "Léa"), ("R2", "=Marc"))),
    ("Coût estimé", (("R1", "1 200,50"),)),
    ("Priorité", ()),
]


def own(path: Path) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    return [(one.name, one.values) for one in load_catalog(path).other]


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    path = tmp_path / "catalog.csv"
    path.write_text(SHEET, encoding="utf-8")
    return path


def test_own_columns_of_a_sheet_are_kept_and_said_once(catalog: Path) -> None:
    assert own(catalog) == OWN
    said = [line for line in load_catalog(catalog).warnings if "Responsable" in line]
    assert said == ["line 1: column `Responsable` is no field of a rule; it is kept and changes nothing"]


@pytest.mark.parametrize("suffix", [".yaml", ".xlsx", ".json", ".csv"])
def test_own_columns_survive_conversion_and_acceptance(
    catalog: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    there, signed = catalog.with_name(f"there{suffix}"), catalog.with_name(f"signed{suffix}")
    convert_command(catalog, there)
    said = capsys.readouterr().out
    accept_command(there, "Ana Díaz", "2026-11-30", signed)
    full = suffix in (".csv", ".xlsx")
    assert own(signed) == (OWN if full else OWN[:2])
    assert (f"empty columns are not in a {suffix} file: Priorité" in said) == (not full)


def test_own_columns_are_columns_again_in_a_sheet(catalog: Path) -> None:
    convert_command(catalog, catalog.with_name("c.yaml"))
    convert_command(catalog.with_name("c.yaml"), catalog.with_name("back.csv"))
    rows = list(csv.DictReader(io.StringIO(catalog.with_name("back.csv").read_text("utf-8-sig"))))
    assert [row["Responsable"] for row in rows] == ["Léa", "'=Marc"]  # no formula
    convert_command(catalog, catalog.with_name("c.xlsx"))
    rules = load_workbook(catalog.with_name("c.xlsx"))["rules"]
    heads = [cell.value for cell in rules[1]]
    assert rules.cell(2, heads.index("Coût estimé") + 1).value == "1 200,50"


def test_own_columns_do_not_touch_the_version_of_the_rules(
    catalog: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accept_command(catalog, "Ana", "2026-11-30", catalog.with_name("a.yaml"))
    bare = catalog.with_name("bare.csv")
    rows = list(csv.reader(io.StringIO(SHEET), delimiter=";"))
    bare.write_text("\n".join(";".join(row[:5]) for row in rows) + "\n", encoding="utf-8")
    accept_command(bare, "Ana", "2026-11-30", catalog.with_name("b.yaml"))
    assert (
        load_catalog(catalog.with_name("a.yaml")).version == load_catalog(catalog.with_name("b.yaml")).version
    )


def test_a_yaml_block_whose_names_are_those_of_fields_comes_back_from_a_sheet(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        "rules:\n- id: R1\n  area: A\n  mandatory: yes\n  text: The bid is signed.\n  clause_ref: ''\n"
        "  other: {Text: Entwurf, note: x, texts: y, keep: drop}\n",
        encoding="utf-8",
    )
    convert_command(path, tmp_path / "c.csv")
    assert "other.Text,other.note,other.texts,other.keep" in (tmp_path / "c.csv").read_text("utf-8-sig")
    assert own(tmp_path / "c.csv") == own(path)
    assert [rule.text for rule in load_catalog(tmp_path / "c.csv").rules] == ["The bid is signed."]


def test_fields_that_others_write_into_an_ocds_release_are_kept_and_the_rest_is_said(tmp_path: Path) -> None:
    criterion = {
        "id": "C1", "title": "Turnover", "description": "Turnover of 2 M EUR", "buyerCode": "F-12",
        "lots": [1, 2], "requirementGroups": [],
    }  # fmt: skip
    tender = {"title": "Meters", "criteria": [criterion], "procurementMethod": "open"}
    path = tmp_path / "release.json"
    path.write_text(json.dumps({"ocid": "x-1", "tag": ["tender"], "tender": tender}), encoding="utf-8")
    kept = [("buyerCode", (("C1", "F-12"),)), ("lots", (("C1", "[1, 2]"),))]
    assert own(path) == kept
    said = "holds more than a catalog does, and that is not read: ocid, tender.procurementMethod"
    assert said in load_catalog(path).warnings
    convert_command(path, tmp_path / "there.json")
    assert own(tmp_path / "there.json") == kept


def test_a_second_column_of_one_name_is_kept_under_a_number(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text(
        "id,area,mandatory,text,clause_ref,Owner,Owner\nR1,A,yes,The bid is signed.,,Lea,Bo\n", "utf-8"
    )
    assert own(path) == [("Owner", (("R1", "Lea"),)), ("Owner (2)", (("R1", "Bo"),))]


def test_a_further_sheet_and_a_row_of_sums_are_named_as_not_read(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "rules"
    for row in (
        ["id", "area", "mandatory", "text", "clause_ref", "Cost"],
        ["R1", "A", "yes", "The bid is signed.", "1", 12.5],
        [None, None, None, None, None, 12.5],
    ):
        sheet.append(row)
    book.create_sheet("Budget").append(["a", 1])
    book.create_sheet("Sheet3")
    book.save(tmp_path / "c.xlsx")
    catalog = load_catalog(tmp_path / "c.xlsx")
    assert [(one.name, one.values) for one in catalog.other] == [("Cost", (("R1", "12.5"),))]
    assert "sheet `Budget` is no part of the catalog and is not read" in catalog.warnings
    assert "rules!F3: a row that fills none of a rule's fields is not read" in catalog.warnings
    assert not any("Sheet3" in line for line in catalog.warnings)


def test_a_workbook_is_accepted_as_it_is_with_its_own_sheets_comments_and_looks(
    catalog: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = catalog.with_name("c.xlsx")
    convert_command(catalog, path)
    book = load_workbook(path)
    book.create_sheet("Budget").append(["Lot 1", 12.5])
    book["rules"]["E2"].comment = Comment("check with Léa", "Bo")
    book["rules"]["E3"].font = Font(bold=True)
    book.save(path)
    capsys.readouterr()
    accept_command(path, "=Ana Díaz", "2026-12-01", None)
    assert "written anew" not in capsys.readouterr().out
    accepted = load_catalog(path)
    assert (accepted.status, accepted.accepted_by, accepted.accepted_on) == (
        "accepted",
        "=Ana Díaz",
        "2026-12-01",
    )
    signed = load_workbook(path)
    assert signed["Budget"]["B1"].value == 12.5
    assert signed["rules"]["E2"].comment.text == "check with Léa"
    assert signed["rules"]["E3"].font.bold
    assert signed["rules"].data_validations.count
    assert "DRAFT" not in str(signed["rules"].oddFooter.left.text)


def test_a_workbook_with_formulas_is_written_anew_with_their_values_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Values that a formula gave are kept beside it by spreadsheets; whoever writes the file again loses them.
    book = xlsxwriter.Workbook(str(tmp_path / "c.xlsx"))
    sheet = book.add_worksheet("rules")
    sheet.write_row(0, 0, ["id", "area", "mandatory", "text", "clause_ref", "Cost"])
    sheet.write_row(1, 0, ["R1", "A", "yes", "The bid is signed.", "1"])
    sheet.write_formula(1, 5, "=10+2.5", None, 12.5)
    book.close()
    accept_command(tmp_path / "c.xlsx", "Ana", "2026-12-01", None)
    assert own(tmp_path / "c.xlsx") == [("Cost", (("R1", "12.5"),))]
    assert load_catalog(tmp_path / "c.xlsx").status == "accepted"
    assert "written anew, so that your own sheets, comments and formulas" in capsys.readouterr().out


def test_a_workbook_of_a_single_sheet_gets_its_record_on_a_second_one(tmp_path: Path) -> None:
    book = Workbook()
    for row in (
        ["id", "area", "mandatory", "text", "clause_ref"],
        ["R1", "A", "yes", "The bid is signed.", "1"],
    ):
        book.active.append(row)
    book.save(tmp_path / "c.xlsx")
    accept_command(tmp_path / "c.xlsx", "Ana", "2026-12-01", None)
    assert load_workbook(tmp_path / "c.xlsx").sheetnames == ["Sheet", "catalog"]
    assert load_catalog(tmp_path / "c.xlsx").accepted_by == "Ana"
