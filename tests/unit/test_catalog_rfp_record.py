"""What addenda replaced and what contradicts stays in the record of a catalog that a person accepted."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from openpyxl import load_workbook
from pdf_builder import Pdf

from bidproof.catalog.building import build_catalog, build_rules, rules_table
from bidproof.catalog.formats.checking import warnings_of
from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.formats.rfp_record import open_conflicts
from bidproof.catalog.versions.acceptance import audit_points
from bidproof.catalog.versions.history import diff_named
from bidproof.catalog.versions.superseded import superseded_of
from bidproof.cli.catalog_accepting import accept_command, convert_command
from bidproof.cli.catalog_comparing import diff_command
from bidproof.cli.catalog_mining import Outputs, mine_command
from bidproof.cli.rfp_reading import read_rfp
from bidproof.errors import CatalogError
from bidproof.params import CatalogParams, DocumentParams
from bidproof.store import Warehouse

RFP = [
    "The bidder shall submit a bid security of at least 2% of the total bid price.",
    "The bidder must be certified to ISO 9001:2015.",
    "The bid shall remain valid for at least 90 days.",
]
ADDENDUM = [
    "Clause 3.1 is replaced by the following:",
    "The bidder shall submit a bid security of at least 3% of the total bid price.",
    "Clause 9.9 is deleted.",
]
CONFLICT = "addendum-1.pdf p. 1: Clause 9.9 is deleted: the RFP has no clause 9.9"


@pytest.fixture(scope="module")
def rfp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rfp")
    body = Pdf().page().text(72, 60, "3 Submission", size=16, bold=True)
    body.text(72, 90, "3.1 Bid security", size=13, bold=True).text(72, 110, RFP[0], size=10)
    body.text(72, 140, "3.2 Standing", size=13, bold=True).text(72, 160, RFP[1], size=10)
    body.text(72, 180, RFP[2], size=10)
    body.document.save(folder / "tender.pdf")
    Pdf().page().text(72, 60, "Addendum 1", size=16, bold=True).lines(ADDENDUM, step=30).document.save(
        folder / "addendum-1.pdf"
    )
    return folder


@pytest.fixture(scope="module")
def draft(rfp: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("draft") / "c.yaml"
    outputs = Outputs(path, None, None, left_out=False, force=False)
    assert mine_command([rfp], outputs, "Meters", "2026-11-30", None) == 0
    return path


def record(catalog: CatalogFile) -> tuple[list[tuple[str, str]], list[str]]:
    new = {rule.rule_id: rule.text for rule in catalog.rules}
    return [(one.text, new[one.by]) for one in catalog.superseded], list(catalog.conflicts)


@pytest.mark.parametrize("suffix", [".yaml", ".csv", ".xlsx", ".json"])
def test_an_accepted_catalog_names_what_an_addendum_replaced_and_what_contradicts(
    draft: Path, tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / f"c{suffix}"
    convert_command(draft, there)
    accept_command(there, "Ana Díaz", "2026-12-01", None)
    accepted = load_catalog(there)
    assert (accepted.status, accepted.accepted_by) == ("accepted", "Ana Díaz")
    assert record(accepted) == ([(RFP[0], ADDENDUM[1])], [CONFLICT])
    assert accepted.superseded[0].page == 1
    assert accepted.superseded[0].why.startswith("addendum-1.pdf p. 1: Clause 3.1 is replaced")
    assert f"warning: conflicts: {CONFLICT}: mend the rules" in capsys.readouterr().out


def test_the_record_of_the_accepted_version_keeps_them_too(draft: Path, rfp: Path, tmp_path: Path) -> None:
    accepted = tmp_path / "catalog.yaml"
    accept_command(draft, "Ana", "2026-12-01", accepted)
    read = read_rfp([rfp], DocumentParams())
    rows = {}
    for name, path in (("mined", None), ("accepted", accepted)):
        built = build_rules(path, read.documents, read.blocks, CatalogParams())
        rules = rules_table(built, tender="t")
        table = build_catalog(rules, read.documents, read.blocks, path, tender="t")
        rows[name] = table.row(0, named=True)
    assert rows["accepted"]["catalog_version"] == rows["mined"]["catalog_version"]
    assert rows["accepted"]["conflicts"] == rows["mined"]["conflicts"] == [CONFLICT]
    (mined,), (kept,) = (superseded_of(rows[name]["superseded"]) for name in ("mined", "accepted"))
    assert (kept.old.rule_id, kept.old.text, kept.old.predicates, kept.why) == (
        mined.old.rule_id, mined.old.text, mined.old.predicates, mined.why,
    )  # fmt: skip
    assert [json.loads(rows[name]["superseded"][0])["new"] for name in rows] == [kept_id(accepted)] * 2


def kept_id(accepted: Path) -> str:
    return load_catalog(accepted).superseded[0].by


def test_a_diff_of_files_says_what_was_superseded_and_what_is_not_settled(
    draft: Path, rfp: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path / "before.yaml"
    outputs = Outputs(before, None, None, left_out=False, force=False)
    assert mine_command([rfp / "tender.pdf"], outputs, "Meters", "2026-11-30", None) == 0
    after = tmp_path / "after.yaml"
    accept_command(draft, "Ana", "2026-12-01", after)
    found = diff_named(str(before), str(after), Warehouse(tmp_path / "none"))
    (one,) = found.superseded
    assert "is replaced by the following" in one.why
    assert found.conflicts == (CONFLICT,)
    capsys.readouterr()
    diff_command(str(before), str(after), None, str(tmp_path / "none"))
    assert f"! conflict, not settled: {CONFLICT}" in capsys.readouterr().out


def settled(draft: Path, target: Path) -> CatalogFile:
    text = draft.read_text(encoding="utf-8")
    target.write_text(
        text.replace(CONFLICT, f"{CONFLICT} => settled: clause 3.9 was meant, it is dropped"), "utf-8"
    )
    return load_catalog(target)


def test_a_conflict_that_a_person_settled_stays_in_the_record_and_asks_for_nothing(
    draft: Path, rfp: Path, tmp_path: Path
) -> None:
    catalog = settled(draft, tmp_path / "c.yaml")
    assert len(catalog.conflicts) == 1
    assert open_conflicts(catalog.conflicts) == []
    assert not [one for one in warnings_of(catalog) if one.where == "conflicts"]
    assert [one.where for one in warnings_of(load_catalog(draft))] == ["conflicts"]
    blocks = read_rfp([rfp], DocumentParams()).blocks
    for file, holds in ((catalog, True), (load_catalog(draft), False)):
        points = audit_points(file.rules, {"conflicts": list(file.conflicts)}, blocks)
        assert next(point.holds for point in points if point.name == "no_conflicts") is holds


def test_a_conflict_is_settled_in_the_working_copy_and_a_row_deleted_there_is_gone(
    draft: Path, tmp_path: Path
) -> None:
    path = tmp_path / "c.xlsx"
    convert_command(draft, path)
    book = load_workbook(path)
    assert [cell.value for cell in book["superseded"][1]][:3] == ["id", "by", "why"]
    book["conflicts"]["A2"].value = f"{CONFLICT} => settled: no such clause"
    book.save(path)
    assert load_catalog(path).conflicts == (f"{CONFLICT} => settled: no such clause",)
    assert load_catalog(path).superseded == load_catalog(draft).superseded
    book["superseded"].delete_rows(2)
    book.save(path)
    assert load_catalog(path).superseded == ()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("conflicts: yes", "`conflicts` is no list"),
        ("superseded: [x]", "an entry of `superseded` is no mapping of fields"),
        ("superseded: [{id: R9, txt: a}]", "superseded: unknown field `txt`; known are id, by, why"),
        ("superseded: [{text: a}]", "a superseded rule has no id"),
        ("superseded: [{id: R9, page: ten}]", "superseded rule R9: its page is no number"),
    ],
)
def test_a_record_that_makes_no_sense_is_named_with_its_line(tmp_path: Path, lines: str, said: str) -> None:
    path = tmp_path / "c.yaml"
    rule = "rules:\n- {id: R1, area: A, mandatory: yes, text: The bid is signed., clause_ref: ''}\n"
    path.write_text(f"{lines}\n{rule}", encoding="utf-8")
    with pytest.raises(CatalogError, match="line 1") as caught:
        load_catalog(path)
    assert said in str(caught.value)


def test_a_rule_that_replaced_another_and_was_dropped_since_is_said(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        "superseded: [{id: R0, by: R2, why: addendum p. 1, text: Bids are valid 60 days, page: 3}]\n"
        "rules:\n- {id: R1, area: A, mandatory: yes, text: The bid is signed., clause_ref: ''}\n",
        encoding="utf-8",
    )
    built = build_rules(path, pl.DataFrame(), pl.DataFrame(), CatalogParams())
    (one,) = built.superseded
    assert one.new is None
    assert one.why == "addendum p. 1; R2, which stood in its place, is no rule any more"
