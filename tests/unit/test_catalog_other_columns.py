"""Columns of a catalog that are the buyer's own go through every format and through acceptance."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

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
