"""Catalog files in four formats, their faults named all at once, their versions and tables."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from bidproof.catalog import (
    build_catalog,
    build_requirements,
    catalog_version,
    catalog_version_of,
    derive,
    load_catalog,
    requirements_from_table,
    requirements_table,
    rfp_digest,
)
from bidproof.errors import BadInputError, CatalogError
from bidproof.params import CatalogParams
from bidproof.records import Predicate, Requirement
from bidproof.tables import BLOCKS, CATALOGS, DOCUMENTS, REQUIREMENTS

YAML = """\
tender: bridge
title: A footbridge
submission_date: 2026-09-17
rules:
  - id: R1
    area: Admin
    mandatory: yes
    text: "Bid validity: 120 days."
    clause_ref: "3 > 3.4 Validity"
  - id: 3.10
    area: Legal
    mandatory: no
    text: A list of deviations
      is enclosed.
    weight: 2,5
    synonyms: [departures, exceptions]
"""


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def faults(path: Path) -> str:
    with pytest.raises(CatalogError) as caught:
        load_catalog(path)
    assert isinstance(caught.value, BadInputError)
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def test_a_yaml_catalog_keeps_order_ids_as_written_and_its_head(tmp_path: Path) -> None:
    catalog = load_catalog(write(tmp_path / "catalog.yaml", YAML))
    assert [(r.rule_id, r.mandatory, r.area, r.weight) for r in catalog.rules] == [
        ("R1", True, "Admin", 1.0),
        ("3.10", False, "Legal", 2.5),
    ]
    assert catalog.rules[1].text == "A list of deviations is enclosed."
    assert catalog.rules[1].synonyms == ("departures", "exceptions")
    assert (catalog.title, catalog.tender, catalog.submission_date, catalog.source_name) == (
        "A footbridge",
        "bridge",
        "2026-09-17",
        "catalog.yaml",
    )
    assert {r.submission_date for r in catalog.rules} == {"2026-09-17"}


@pytest.mark.parametrize(
    ("word", "mandatory"),
    [
        ("yes", True),
        ("true", True),
        ("Oui", True),
        ("M", True),
        ("1", True),
        ("no", False),
        ("FALSE", False),
        ("non", False),
        ("0", False),
    ],
)
def test_mandatory_is_read_in_english_and_french(tmp_path: Path, word: str, mandatory: bool) -> None:
    path = write(
        tmp_path / "c.csv",
        f"id,area,mandatory,text,clause_ref\nR1,Admin,{word},Bid validity of 90 days,3.4\n",
    )
    assert load_catalog(path).rules[0].mandatory is mandatory


def test_the_letter_o_means_optional_beside_m_and_oui_beside_n(tmp_path: Path) -> None:
    head = "id,area,mandatory,text,clause_ref\n"
    beside_m = load_catalog(write(tmp_path / "m.csv", head + "R1,A,M,First rule,\nR2,A,O,Second rule,\n"))
    beside_n = load_catalog(write(tmp_path / "n.csv", head + "R1,A,N,First rule,\nR2,A,O,Second rule,\n"))
    assert [r.mandatory for r in beside_m.rules] == [True, False]
    assert [r.mandatory for r in beside_n.rules] == [False, True]
    assert "line 2: mandatory is `O`; write yes or no" in faults(
        write(tmp_path / "o.csv", head + "R1,A,O,First rule,\n")
    )


def test_csv_with_commas_semicolons_or_tabs_says_the_same(tmp_path: Path) -> None:
    rows = [
        ["id", "area", "mandatory", "text", "clause_ref", "weight"],
        ["R1", "Admin", "oui", "Caution, de 2 %; valable", "3.4", "2"],
    ]
    catalogs = []
    for name, mark in (("comma", ","), ("semicolon", ";"), ("tab", "\t")):
        text = "\n".join(mark.join(f'"{cell}"' for cell in row) for row in rows)
        catalogs.append(load_catalog(write(tmp_path / f"{name}.csv", "\ufeff" + text)).rules)
    assert catalogs[0] == catalogs[1] == catalogs[2]
    assert catalogs[0][0].text == "Caution, de 2 %; valable"


def test_xlsx_json_and_yaml_say_the_same(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.append(["ID", "Area", "Mandatory", "Text", "Clause ref", "Weight"])
    sheet.append(["R1", "Admin", True, "Bid validity: 120 days.", "3 > 3.4 Validity", None])
    sheet.append([7, "Legal", "no", "Deviations are listed.", None, 2.5])
    book.save(tmp_path / "c.xlsx")
    rules = [
        {
            "id": "R1",
            "area": "Admin",
            "mandatory": True,
            "text": "Bid validity: 120 days.",
            "clause_ref": "3 > 3.4 Validity",
        },
        {"id": 7, "area": "Legal", "mandatory": "no", "text": "Deviations are listed.", "weight": 2.5},
    ]
    as_json = load_catalog(write(tmp_path / "c.json", json.dumps({"title": "x", "rules": rules})))
    as_xlsx = load_catalog(tmp_path / "c.xlsx")
    assert as_json.rules == as_xlsx.rules
    assert [r.rule_id for r in as_xlsx.rules] == ["R1", "7"]
    assert catalog_version(as_json.rules) == catalog_version(as_xlsx.rules)


def test_every_fault_of_a_yaml_catalog_is_named_with_its_line(tmp_path: Path) -> None:
    broken = (
        "rules:\n  - {id: R1, area: A, mandatory: yes, text: One rule stands here}\n  - {id: R1, area: A, mandatory: no, text: Twice}\n"
        "  - {id: R2, area: A, mandatory: maybe, text: Third}\n  - {id: R3, area: A, mandatory: yes, text: ''}\n"
        "  - {id: R4, area: A, mandatory: yes, text: Fifth, mandatry: yes}\n"
    )
    message = faults(write(tmp_path / "catalog.yaml", broken))
    assert "5 problems" not in message
    assert "4 problems" in message
    assert "catalog.yaml:line 3: id `R1` is used twice, first in line 2" in message
    assert "catalog.yaml:line 4: mandatory is `maybe`; write yes or no" in message
    assert "catalog.yaml:line 5: rule R3 has no text" in message
    assert "catalog.yaml:line 6: unknown field `mandatry`; did you mean `mandatory`?" in message


def test_faults_of_a_sheet_name_the_cell(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "Rules 1"
    book.active.append(["id", "area", "mandatory", "text", "clause_ref"])
    book.active.append(["R1", "Admin", "perhaps", "Something is shown", ""])
    book.save(tmp_path / "c.xlsx")
    assert "Rules 1!C2: mandatory is `perhaps`" in faults(tmp_path / "c.xlsx")


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.yaml", "rules: []\n", "holds no rules"),
        ("a.yaml", "", "holds no rules"),
        ("a.yaml", "title: x\nrules:\n  - {id: [\n", "malformed YAML"),
        ("a.yaml", "just words\n", "holds no `rules:` list"),
        ("a.yaml", "titel: x\nrules: []\n", "unknown field `titel`"),
        ("a.yaml", "rules:\n  - {id: R1, id: R2, mandatory: yes, text: x y}\n", "field `id` is given twice"),
        ("a.yaml", "submission_date: tomorrow\nrules:\n  - {id: R1, mandatory: yes, text: x y}\n", "submission_date `tomorrow` is no date"),
        ("a.yaml", "rules:\n  - {id: R1, mandatory: yes, text: x, predicates: [{kind: colour}]}\n", "predicate 1: kind"),
        ("a.json", '{"rules": [', "malformed JSON"),
        ("a.json", '{"rules": {}}', "holds no rules"),
        ("a.csv", "id,text\nR1,x\n", "missing columns area, mandatory, clause_ref"),
        ("a.csv", "id,area,mandatory,text,clause_ref\n", "holds no rules"),
        ("a.csv", "id,area,mandatory,text,clause_ref,weight\nR1,A,yes,x y,,heavy\n", "line 2: weight `heavy`"),
        ("a.xlsx", "no zip", "cannot be opened as XLSX"),
        ("a.txt", "x", "a catalog cannot be read from .txt"),
    ],
)  # fmt: skip
def test_a_broken_catalog_says_what_is_wrong(tmp_path: Path, name: str, content: str, fault: str) -> None:
    assert fault in faults(write(tmp_path / name, content))


def test_a_missing_catalog_is_named(tmp_path: Path) -> None:
    assert "no such catalog file" in faults(tmp_path / "catalog.yaml")


def test_windows_text_is_read_with_a_warning_and_control_characters_are_cleaned(tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.csv",
        "id;area;mandatory;text;clause_ref\nR1;Admin;oui;Délai de 90 jours\x00\x16;\n".encode("cp1252"),
    )
    catalog = load_catalog(path)
    assert catalog.rules[0].text == "Délai de 90 jours"
    assert catalog.warnings == (
        "c.csv: line 2 is not UTF-8; the file is read as Windows-1252, save it as UTF-8",
    )


def test_ocds_criteria_become_rules_with_groups_as_alternatives(tmp_path: Path) -> None:
    release = {
        "tender": {
            "title": "Meters", "tenderPeriod": {"endDate": "2026-09-17T12:00:00Z"},
            "criteria": [{
                "id": "C-1", "title": "Turnover", "relatesTo": "tenderer",
                "requirementGroups": [
                    {"requirements": [{"id": "1", "title": "Yearly turnover", "dataType": "number", "minValue": 25e6, "unit": {"value": {"currency": "EUR"}}}]},
                    {"requirements": [{"id": "2", "title": "Parent guarantee", "dataType": "boolean", "expectedValue": True}]},
                ],
            }],
        }
    }  # fmt: skip
    catalog = load_catalog(write(tmp_path / "c.json", json.dumps({"releases": [release]})))
    (rule,) = catalog.rules
    assert (rule.rule_id, rule.area, rule.mandatory, catalog.submission_date) == (
        "C-1",
        "tenderer",
        True,
        "2026-09-17",
    )
    assert [(p.group, p.kind, p.comparator, p.value, p.unit, p.terms) for p in rule.predicates] == [
        (0, "quantity", ">=", 25e6, "EUR", ()),
        (1, "presence", "", None, "", ("parent", "guarantee")),
    ]


def rules() -> list[Requirement]:
    plain = [
        Requirement(rule_id="R1", area="Admin", mandatory=True, text="Bid security: 2% of total price; validity >= 90 days.", clause_ref="3 > 3.2 Bid Security"),
        Requirement(rule_id="R2", area="Technical", mandatory=False, text="Meters to IEC 62053-21 Class 1.", weight=2.0, source_page=4, source_quote="Meters to"),
    ]  # fmt: skip
    return [derive(r, submission_date="2026-09-17") for r in plain]


def test_the_version_is_the_content_whatever_its_order_or_place() -> None:
    one, two = rules()
    version = catalog_version([one, two])
    assert len(version) == 8
    assert int(version, 16) >= 0
    assert catalog_version([two, one]) == version
    assert catalog_version([one, two.model_copy(update={"source_page": 9})]) == version
    assert catalog_version([one, two.model_copy(update={"mandatory": True})]) != version
    assert (
        catalog_version([one, two.model_copy(update={"predicates": (Predicate(kind="form", code="X-1"),)})])
        != version
    )


def test_rules_survive_the_table_unchanged() -> None:
    table = requirements_table(rules(), tender="bridge", version="abcd1234", draft=False)
    assert table.schema == REQUIREMENTS.schema
    assert table["rule_no"].to_list() == [0, 1]
    assert table["pack"].to_list() == ["bridge", "bridge"]
    assert requirements_from_table(table) == rules()
    assert requirements_from_table(table.reverse()) == rules()
    assert catalog_version_of(table) == "abcd1234"


def rfp(*texts: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    documents = DOCUMENTS.frame(
        [{"doc_id": "d", "file_name": "rfp.pdf", "role": "rfp", "sha256": "ff00", "duplicate_of": ""}]
    )
    blocks = [
        {"doc_id": "d", "file_name": "rfp.pdf", "page": 1, "block_no": n, "kind": "paragraph", "text": t, "heading_path": "", "table_no": -1, "struck": False, "hidden": False}
        for n, t in enumerate(texts)
    ]  # fmt: skip
    return documents, BLOCKS.frame(blocks)


def test_a_catalog_file_is_recorded_with_the_hash_of_the_rfp_text(tmp_path: Path) -> None:
    path = write(tmp_path / "catalog.yaml", YAML.replace("title:", "author: J. Doe\ntitle:"))
    documents, blocks = rfp("The bidder shall sign the form of bid.")
    table = build_requirements(path, documents, blocks, CatalogParams(), tender="bridge")
    assert table["draft"].to_list() == [False, False]
    assert requirements_from_table(table)[0].predicates[0].value == 120.0
    record = build_catalog(table, documents, blocks, path, tender="bridge")
    assert record.schema == CATALOGS.schema
    (row,) = record.to_dicts()
    assert row["catalog_version"] == table["catalog_version"][0]
    assert (row["rules"], row["mandatory"], row["origin"], row["draft"], row["author"]) == (
        2,
        1,
        "file",
        False,
        "J. Doe",
    )
    assert row["rfp_files"] == ["rfp.pdf ff00"]
    assert row["rfp_sha256"] == rfp_digest(blocks)
    assert rfp_digest(blocks) == rfp_digest(blocks.reverse())
    assert rfp_digest(rfp("Another text.")[1]) != rfp_digest(blocks)
    assert rfp_digest(BLOCKS.empty()) == ""


def test_without_a_file_the_rules_are_a_mined_draft_already_derived() -> None:
    documents, blocks = rfp(
        "Submission deadline: 17 September 2026.",
        "The bidder shall enclose a bid security of 2% of the bid price.",
    )
    table = build_requirements(None, documents, blocks, CatalogParams(), tender="bridge")
    deadline, rule = requirements_from_table(table)
    assert deadline.text == "Submission deadline: 17 September 2026."
    assert table["draft"].to_list() == [True, True]
    assert rule.submission_date == "2026-09-17"
    assert [(p.comparator, p.value, p.base) for p in rule.predicates if p.kind == "quantity"] == [
        (">=", 2.0, "bid price")
    ]
    (row,) = build_catalog(table, documents, blocks, None, tender="bridge").to_dicts()
    assert (row["origin"], row["draft"], row["source_name"], row["submission_date"]) == (
        "mined",
        True,
        "rfp.pdf",
        "2026-09-17",
    )
