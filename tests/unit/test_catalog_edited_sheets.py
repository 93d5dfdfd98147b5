"""Catalogs as people hand them back from a spreadsheet: saved by French Excel, reordered, with titles and remarks."""

from __future__ import annotations

import datetime as dt
from io import BytesIO
from pathlib import Path

import pytest

from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.formats.writing import catalog_bytes
from bidproof.errors import CatalogError
from bidproof.records import Predicate, Requirement, Source

HEAD = ["id", "area", "mandatory", "text", "clause_ref"]


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def sheet(path: Path, *rows: list[object], title: str = "Feuille 1") -> Path:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def faults(path: Path) -> str:
    with pytest.raises(CatalogError) as caught:
        load_catalog(path)
    return str(caught.value)


def test_a_file_saved_by_french_excel_reads_well(tmp_path: Path) -> None:
    text = (
        "Catalogue des exigences;;;;;;\n;;;;;;\n"
        "Identifiant;Domaine;Obligatoire;Exigence;Clause ref;Weight;Submission date\n"
        "R1;Admin;VRAI;Délai de validité : 120 jours;3.4;2,5;17/09/2026\n"
        "R2;Technique;FAUX;« Compteurs » de classe 1 – essais à l’appui; ; ;\n"
    )
    catalog = load_catalog(write(tmp_path / "c.csv", text.encode("cp1252")))
    assert [(r.rule_id, r.area, r.mandatory, r.weight, r.submission_date) for r in catalog.rules] == [
        ("R1", "Admin", True, 2.5, "2026-09-17"),
        ("R2", "Technique", False, 1.0, ""),
    ]
    assert catalog.rules[1].text == "« Compteurs » de classe 1 – essais à l’appui"
    assert "line 1: `Catalogue des exigences` stands above the header and is not read" in catalog.warnings


def test_dates_that_became_serials_or_cells_of_dates_are_dates_again(tmp_path: Path) -> None:
    path = sheet(
        tmp_path / "c.xlsx",
        [*HEAD, "submission_date"],
        ["R1", "A", True, "One rule stands here", "", 46282],
        ["R2", "A", False, "Another stands here", "", dt.datetime(2026, 9, 17)],
    )
    assert [r.submission_date for r in load_catalog(path).rules] == ["2026-09-17", "2026-09-17"]


def test_a_date_with_two_readings_is_asked_for(tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.csv",
        "id;area;mandatory;text;clause_ref;submission_date\nR1;A;oui;Une exigence;;03/04/2027\n",
    )
    assert "line 2: date `03/04/2027` has two readings; write 2027-04-03 or 2027-03-04" in faults(path)


def test_an_id_that_a_spreadsheet_turned_into_a_date_is_named(tmp_path: Path) -> None:
    path = sheet(tmp_path / "c.xlsx", HEAD, [dt.datetime(2026, 10, 3), "A", "yes", "One rule here", ""])
    assert (
        "Feuille 1!A2: id was turned into the date 2026-10-03 by a spreadsheet; write it as text"
        in faults(path)
    )


def test_columns_may_stand_in_any_order_and_others_beside_them(tmp_path: Path) -> None:
    path = sheet(
        tmp_path / "c.xlsx",
        ["Tender 114: rules"],
        ["Owner", "Text", "Clause ref", "Mandatory (yes/no)", "ID", "Area"],
        ["Lea", "Bid validity is 120 days", "3.4", "x", 7, "Admin"],
    )
    catalog = load_catalog(path)
    assert [(r.rule_id, r.text, r.mandatory) for r in catalog.rules] == [
        ("7", "Bid validity is 120 days", True)
    ]
    assert (
        "Feuille 1!A2: column `Owner` is no field of a rule; it is kept and changes nothing"
        in catalog.warnings
    )
    assert [(one.name, one.values) for one in catalog.other] == [("Owner", (("7", "Lea"),))]


def test_a_misspelt_column_is_a_fault_and_no_mere_extra(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", "id,area,mandatory,text,clause_ref,predicats\nR1,A,yes,One rule,,x\n")
    assert "line 1: unknown field `predicats`; did you mean `predicates`?" in faults(path)


RULE = Requirement(
    rule_id="3.10", area="Admin", mandatory=True, text=" Two lines\nand a tab\there ", clause_ref="007",
    predicates=(Predicate(kind="quantity", measure=("validity",), comparator=">=", value=90.0, unit="day", text="90\xa0days"),),
    synonyms=("a;b", "c"), sources=(Source(page=3, quote="Two lines"),), source_page=3, source_quote="Two lines",
)  # fmt: skip
CATALOG = CatalogFile(rules=(RULE, RULE.model_copy(update={"rule_id": "NO"})), title=" T ", status="draft")


def edited(catalog: CatalogFile, changes: dict[str, object]) -> bytes:
    """The working copy of a catalog with cells of its sheet of rules changed."""
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(catalog_bytes(catalog, ".xlsx")))
    for cell, value in changes.items():
        book["rules"][cell] = value
    saved = BytesIO()
    book.save(saved)
    return saved.getvalue()


def test_a_working_copy_saved_unchanged_by_another_program_loses_nothing(tmp_path: Path) -> None:
    back = load_catalog(write(tmp_path / "c.xlsx", edited(CATALOG, {})))
    assert (back.rules, back.title, back.status) == (CATALOG.rules, " T ", "draft")


def test_edits_of_a_working_copy_come_back_and_the_rest_stays(tmp_path: Path) -> None:
    changes = {
        "A3": "drop",
        "E2": "Bids are valid for 120 days",
        "H2": "quantity: validity >= 120 days",
        "I2": "was 90",
    }
    back = load_catalog(write(tmp_path / "c.xlsx", edited(CATALOG, changes)))
    (rule,) = back.rules
    assert rule.text == "Bids are valid for 120 days"
    assert [(p.comparator, p.value, p.unit) for p in rule.predicates] == [(">=", 120.0, "day")]
    assert (rule.synonyms, rule.clause_ref, rule.rule_id) == (("a;b", "c"), "007", "3.10")
    assert back.remarks == (("3.10", "was 90"),)
    assert back.dropped == ("NO",)
    assert "c.xlsx: 1 rules are dropped: NO" in back.warnings


def test_trimmed_cells_do_not_undo_what_stood_there(tmp_path: Path) -> None:
    back = load_catalog(write(tmp_path / "c.xlsx", edited(CATALOG, {"E2": "Two lines and a tab here"})))
    assert back.rules[0].text == RULE.text


def test_a_csv_whose_columns_were_sorted_and_rows_deleted_keeps_its_head(tmp_path: Path) -> None:
    import csv

    rows = list(csv.reader(catalog_bytes(CATALOG, ".csv").decode("utf-8-sig").splitlines(keepends=True)))
    order = sorted(range(len(rows[0])), key=lambda i: rows[0][i])
    target = tmp_path / "c.csv"
    with target.open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows([[row[i] for i in order] for row in (rows[0], rows[2])])
    back = load_catalog(target)
    assert [r.rule_id for r in back.rules] == ["NO"]
    assert back.rules[0].model_copy(update={"rule_id": "3.10"}) == RULE
    assert (back.title, back.status) == (" T ", "draft")


def test_heads_of_rows_that_disagree_are_a_fault(tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.csv",
        "id,area,mandatory,text,clause_ref,catalog.status\nR1,A,yes,One rule,,draft\nR2,A,yes,Two rules,,accepted\n",
    )
    assert "line 3: catalog.status is `accepted` here and `draft` at line 2" in faults(path)


def test_a_draft_says_so_and_other_words_are_refused(tmp_path: Path) -> None:
    rules = "rules:\n  - {id: R1, area: A, mandatory: yes, text: One rule}\n"
    draft = load_catalog(write(tmp_path / "a.yaml", "status: draft\ncreated: 2026-11-30\n" + rules))
    assert (draft.draft, draft.status, draft.created) == (True, "draft", "2026-11-30")
    signed = load_catalog(write(tmp_path / "b.yaml", "status: accepted\naccepted_by: A. Diaz\n" + rules))
    assert (signed.draft, signed.accepted_by) == (False, "A. Diaz")
    assert load_catalog(write(tmp_path / "c.yaml", rules)).draft is False
    assert "line 1: status is `drft`; write draft or accepted; did you mean draft?" in faults(
        write(tmp_path / "d.yaml", "status: drft\n" + rules)
    )


def test_an_apostrophe_that_people_write_stays(tmp_path: Path) -> None:
    text = "id,area,mandatory,text,clause_ref\nR1,A,yes,'quoted' words of a rule,'3.10\n"
    (rule,) = load_catalog(write(tmp_path / "c.csv", text)).rules
    assert (rule.text, rule.clause_ref) == ("'quoted' words of a rule", "3.10")
