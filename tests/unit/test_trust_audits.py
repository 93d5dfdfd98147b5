"""Audits of Passes: what is drawn, the auditor's sheet, and the bound that follows."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest
from typer.testing import CliRunner

from bidproof.cli.app import app
from bidproof.cli.audit_sheets import read_sheet, sheet_of
from bidproof.errors import BadInputError
from bidproof.evaluation.trust.audit_record import current_lot, plan_audit, record_audit
from bidproof.evaluation.trust.auditing import Answer, AuditPlan, drawn, lot_of
from bidproof.store import Manifest, Warehouse
from bidproof.tables import FINDINGS, REQUIREMENTS, REVIEWS

RULES = 40


def finding(number: int, **changes: Any) -> dict[str, Any]:
    made = {
        "tender": "road", "bidder": "acme", "pack": "road--acme", "rule_id": f"R{number:02}", "catalog_version": "v1",
        "area": "Admin", "mandatory": number % 4 == 0, "status": "Pass", "judged_status": "Pass", "rationale": "It says so.",
        "quote": f"=Our statement {number}", "file_name": "offer.pdf", "page": number, "page_label": str(number),
        "needs_review": False, "review_reason": "", "risk": "Low", "judge": "predicate",
    }  # fmt: skip
    return {**made, **changes}


def findings(count: int = RULES) -> pl.DataFrame:
    rows = [finding(number) for number in range(1, count + 1)]
    others = [finding(90, needs_review=True), finding(91, status="Missing"), finding(92, status="Partial")]
    return FINDINGS.frame([*rows, *others])


def put(store: Warehouse, table: Any, partition: str, frame: pl.DataFrame) -> None:
    made = str(frame.hash_rows().sum())
    content = store.stage_rows(table.name, partition, made, frame)
    store.commit(
        Manifest(
            table=table.name, partition=partition, stage=table.name, fingerprint=made, content=content, rows=frame.height,
            code="1", inputs={}, params={}, created=datetime.now(UTC).isoformat(),
        )
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Warehouse:
    warehouse = Warehouse(str(tmp_path / "warehouse"))
    put(warehouse, FINDINGS, "road--acme", findings())
    rules = [
        {"tender": "road", "pack": "road", "rule_id": f"R{n:02}", "text": f"Rule {n} holds."} for n in range(1, RULES + 1)
    ]  # fmt: skip
    put(warehouse, REQUIREMENTS, "road", REQUIREMENTS.frame(rules))
    return warehouse


def test_a_lot_is_the_passes_that_nobody_would_look_at() -> None:
    lot = lot_of(findings(3), {("road", "R02"): "Rule 2 holds."})
    assert [one["rule_id"] for one in lot] == ["R01", "R02", "R03"]
    assert lot[1]["text"] == "Rule 2 holds."


def test_what_a_person_has_decided_on_is_in_no_lot_and_what_was_reopened_is(store: Warehouse) -> None:
    before = len(current_lot(store, ["road"]))
    own = {"tender": "road", "bidder": "acme", "pack": "road--acme"}
    reviews = [{**own, "rule_id": "R01", "state": "kept"}, {**own, "rule_id": "R02", "state": "reopened"}]
    put(store, REVIEWS, "road--acme", REVIEWS.frame(reviews))
    lot = {one["rule_id"] for one in current_lot(store, ["road"])}
    assert len(lot) == before - 1
    assert "R01" not in lot


def test_the_same_lot_and_seed_give_the_same_draw_and_another_seed_another() -> None:
    lot = lot_of(findings(), {})
    plan = AuditPlan(bound=0.1)
    first, again = drawn(lot, plan, "road"), drawn(lot_of(findings().reverse(), {}), plan, "road")
    assert first[0].equals(again[0])
    other = drawn(lot, AuditPlan(bound=0.1, seed=2), "road")
    assert other[0]["rule_id"].to_list() != first[0]["rule_id"].to_list()
    assert other[1]["audit"][0] != first[1]["audit"][0]


def test_mandatory_rules_stand_first_on_the_sheet_and_can_be_a_lot_of_their_own() -> None:
    lot = lot_of(findings(), {})
    rows, bounds = drawn(lot, AuditPlan(bound=0.1), "road")
    assert rows["mandatory"].to_list() == sorted(rows["mandatory"].to_list(), reverse=True)
    assert bounds.select("lot", "passes", "sample").rows() == [("all", 40, 18)]
    rows, bounds = drawn(lot, AuditPlan(bound=0.1, apart=True), "road")
    assert bounds.select("lot", "passes", "sample").rows() == [("mandatory", 10, 8), ("optional", 30, 15)]
    assert rows.group_by("lot").len().sort("lot").rows() == [("mandatory", 8), ("optional", 15)]


def test_what_nobody_has_looked_at_counts_as_wrong_until_somebody_has(store: Warehouse) -> None:
    rows, bounds = plan_audit(store, ["road"], AuditPlan(bound=0.1))
    audit = bounds["audit"][0]
    assert bounds["upper"][0] == 1.0
    numbers = rows["number"].to_list()
    _, half, _ = record_audit(store, audit, {n: Answer(right=True) for n in numbers[:-1]})
    assert half.select("audited", "wrong", "accepted").row(0) == (17, 0, None)
    assert half["upper"][0] > 0.1
    _, whole, _ = record_audit(store, audit, {numbers[-1]: Answer(right=True, auditor="L. Roux")})
    assert whole.select("audited", "wrong", "accepted").row(0) == (18, 0, True)
    assert whole["upper"][0] == pytest.approx(0.1)
    # 18 right ones of a process without end: 1 - 0.05 ** (1 / 18).
    assert whole["upper_process"][0] == pytest.approx(0.1533, abs=1e-4)


def test_one_wrong_pass_refuses_a_lot_that_allows_none(store: Warehouse) -> None:
    rows, bounds = plan_audit(store, ["road"], AuditPlan(bound=0.1))
    answers = {n: Answer(right=n != 3, note="no such page") for n in rows["number"]}
    _, found, _ = record_audit(store, bounds["audit"][0], answers)
    assert found.select("wrong", "accepted").row(0) == (1, False)
    assert found["upper"][0] > 0.1


def test_a_plan_drawn_again_keeps_its_answers(store: Warehouse) -> None:
    rows, bounds = plan_audit(store, ["road"], AuditPlan(bound=0.1))
    record_audit(store, bounds["audit"][0], {1: Answer(right=False)})
    again, _ = plan_audit(store, ["road"], AuditPlan(bound=0.1))
    assert again["right"].to_list()[0] is False
    assert again["rule_id"].to_list() == rows["rule_id"].to_list()


def test_an_audit_names_the_findings_that_are_others_by_now(store: Warehouse) -> None:
    rows, bounds = plan_audit(store, ["road"], AuditPlan(bound=0.1))
    changed = rows["rule_id"][0]
    new = findings().with_columns(
        quote=pl.when(pl.col("rule_id") == changed).then(pl.lit("another")).otherwise(pl.col("quote"))
    )
    put(store, FINDINGS, "road--acme", new)
    _, _, notes = record_audit(store, bounds["audit"][0], {})
    assert notes == [f"road--acme, {changed}: the finding is another now than the one that was drawn"]


def test_each_audit_stays_when_old_versions_are_pruned(store: Warehouse) -> None:
    for seed in (1, 2):
        _, bounds = plan_audit(store, ["road"], AuditPlan(bound=0.1, seed=seed))
        record_audit(store, bounds["audit"][0], {1: Answer(right=True)})
    store.prune()
    assert len(store.partitions("audit_bounds")) == 2
    assert store.read_many("audit_bounds", store.partitions("audit_bounds"))["audited"].to_list() == [1, 1]


@pytest.mark.parametrize("ending", [".xlsx", ".csv"])
def test_a_sheet_comes_back_as_it_was_answered_and_runs_no_formula(tmp_path: Path, ending: str) -> None:
    rows, bounds = drawn(lot_of(findings(), {}), AuditPlan(bound=0.1), "road")
    rows = rows.with_columns(right=pl.when(pl.col("number") == 2).then(pl.lit(False)))
    sheet = tmp_path / f"audit{ending}"
    sheet.write_bytes(sheet_of(rows, ending))
    audit, answers = read_sheet(sheet)
    drawn_second = rows.filter(pl.col("number") == 2).select("tender", "bidder", "rule_id").row(0)
    assert (audit, answers) == (bounds["audit"][0], {2: Answer(right=False, of=drawn_second)})
    if ending == ".csv":
        quotes = [line["quote"] for line in csv.DictReader(io.StringIO(sheet.read_text("utf-8-sig")))]
        assert all(quote.startswith("'=") for quote in quotes)
    else:
        cells = openpyxl.load_workbook(sheet)["Audit"]
        assert {cells.cell(2, column).data_type for column in range(1, 17)} <= {"s", "n"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("road-1,1,perhaps", "right is 'perhaps'"),
        ("road-1,1,yes\nroad-1,1,no", "answers number 1 a second time"),
        ("road-1,1,yes\nroad-2,2,no", "is of road-1, road-2"),
        ("road-1,x,yes", "number 'x' is none"),
        ("", "is of no audit"),
    ],
)
def test_a_sheet_that_says_two_things_is_refused(tmp_path: Path, line: str, said: str) -> None:
    sheet = tmp_path / "audit.csv"
    sheet.write_text(f"audit,number,right\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInputError, match=said):
        read_sheet(sheet)


def test_a_sheet_saved_with_semicolons_is_read(tmp_path: Path) -> None:
    sheet = tmp_path / "audit.csv"
    sheet.write_text("audit;number;right;note\nroad-1;4;non;page 3, not 4\n", encoding="utf-8-sig")
    assert read_sheet(sheet) == ("road-1", {4: Answer(right=False, note="page 3, not 4")})


def test_a_sheet_goes_from_plan_to_record_on_the_command_line(store: Warehouse, tmp_path: Path) -> None:
    run, sheet = CliRunner(), tmp_path / "audit.csv"
    at = ["--warehouse", str(store.root)]
    planned = run.invoke(app, ["audit", "plan", "road", "--bound", "0.1", "-o", str(sheet), *at])
    assert planned.exit_code == 0, planned.output
    assert "40 Passes without a flag; audit 18 of them" in planned.output
    lines = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8-sig"))))
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows({**line, "right": "yes"} for line in lines)
    recorded = run.invoke(app, ["audit", "record", str(sheet), *at])
    assert recorded.exit_code == 0, recorded.output
    assert "accepted. 0 wrong of 18; at most 10.00% of its 40 Passes are wrong" in recorded.output


def test_a_column_that_was_sorted_by_itself_moves_no_answer_to_another_pass(store: Warehouse) -> None:
    rows, bounds = plan_audit(store, ["road"], AuditPlan(bound=0.1))
    first, second = rows.sort("number").select("tender", "bidder", "rule_id").rows()[:2]
    assert first != second
    with pytest.raises(BadInputError, match="number 1: is"):
        record_audit(store, bounds["audit"][0], {1: Answer(right=True, of=second)})


def test_an_audit_of_another_warehouse_is_refused(store: Warehouse) -> None:
    with pytest.raises(BadInputError, match="no such audit"):
        record_audit(store, "road-0000000000", {})


def test_a_tender_without_a_sure_pass_has_nothing_to_audit(store: Warehouse) -> None:
    put(store, FINDINGS, "road--acme", findings(0))
    with pytest.raises(BadInputError, match="no Pass without a flag"):
        plan_audit(store, ["road"], AuditPlan())
