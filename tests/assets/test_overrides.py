"""What people decide holds through later runs on the same evidence, and is reopened where it drifts (T56)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from bidproof.catalog import requirements_from_table
from bidproof.cli.app import run_app
from bidproof.errors import BadInputError, WarehouseError
from bidproof.evaluation.confirming import EVENT_COLUMNS
from bidproof.override_log import pack_events
from bidproof.records import Status
from bidproof.review import read_matrix
from bidproof.review.deciding import Decision, decide
from bidproof.store import Warehouse
from bidproof.verification import carry_over
from bidproof.views import build_views
from pipelines.execute import run_inbox

GOOD, BAD = "water-meters--good", "water-meters--bad"
BAD_OFFER = [
    "1 Administrative offer", "1.1 Bid Validity",
    *(f"Step {n} of the works is described in our method statement, with people and tools." for n in range(1, 9)),
    "Our bid remains valid for 60 calendar days from the submission deadline.",
    "1.2 Bid Security", "We enclose a bid security issued by our bank for 2% of the total bid price.",
    "2 Technical offer", "All water meters offered comply with ISO 4064:2014, as the attached test report shows.",
    "3 Commercial offer", "3.1 Warranty", "We grant a warranty of 24 months on every meter from delivery.",
]  # fmt: skip
OFF = "dense: {enabled: false}\n"
CUT = OFF + "chunking: {target_tokens: 20, max_tokens: 40, span_tokens: 10, overlap: 0.2}\n"


@pytest.fixture(scope="module")
def done(
    tmp_path_factory: pytest.TempPathFactory,
    small_tender: Callable[[Path], Path],
    pdf_writer: Callable[..., Path],
) -> Path:
    """A folder in which the small tender was run: inbox and warehouse."""
    folder = tmp_path_factory.mktemp("overrides")
    inbox = small_tender(folder)
    pdf_writer(inbox / "water-meters" / "bids" / "bad" / "offer.pdf", BAD_OFFER, pages=3)
    (inbox / "water-meters" / "params.yaml").write_text(OFF, encoding="utf-8")
    assert run_inbox(inbox, str(folder / "warehouse"), project_root=folder).failed == {}
    return folder


@pytest.fixture
def copy(done: Path, tmp_path: Path) -> Iterator[Path]:
    """A folder with inbox and warehouse that a test may change."""
    shutil.copytree(done, tmp_path / "own", ignore=shutil.ignore_patterns(".dagster"))
    return tmp_path / "own"


def again(folder: Path) -> Warehouse:
    assert run_inbox(folder / "inbox", str(folder / "warehouse"), project_root=folder).failed == {}
    return Warehouse(folder / "warehouse")


def decided(
    folder: Path, rule: str, status: Status | None, bidder: str = "bad", **more: str
) -> dict[str, Any]:
    store = Warehouse(folder / "warehouse")
    return decide(store, Decision("water-meters", bidder, rule, status, "A. Reviewer", **more))


def review(store: Warehouse, rule: str, pack: str = BAD) -> dict[str, Any]:
    return next(row for row in store.read("reviews", pack).to_dicts() if row["rule_id"] == rule)


def gate(store: Warehouse, pack: str = BAD) -> str:
    return str(store.read("scores", pack)["gate"][0])


def test_an_override_changes_cell_gate_and_rank_and_not_the_finding(copy: Path) -> None:
    assert gate(Warehouse(copy / "warehouse")) == "fail"
    event = decided(copy, "V1", Status.PASS, reason="The covering letter extends it to 150 days.")
    assert (event["from_status"], event["to_status"], event["action"]) == ("Fail", "Pass", "override")
    assert set(EVENT_COLUMNS) - {"at"} <= event.keys()
    store = again(copy)
    assert store.read("findings", BAD).filter(rule_id="V1")["status"].to_list() == ["Fail"]
    row = review(store, "V1")
    assert (row["state"], row["status"], row["found_status"], row["reviewer"]) == (
        "kept",
        "Pass",
        "Fail",
        "A. Reviewer",
    )
    assert row["quote"] == event["quote"]
    assert row["page"] == 1
    assert row["boxes"]
    assert gate(store) == "pass"
    assert store.read("rankings", "water-meters").filter(pack=BAD)["rank"].to_list() != [None]
    cell = read_matrix(store, "water-meters").cell("V1", "bad")
    assert cell.status is Status.PASS
    assert not cell.needs_review
    assert "covering letter" in cell.rationale
    assert cell.decision.startswith("A. Reviewer, ")
    assert cell.decision.endswith("Fail → Pass")
    with duckdb.connect(str(copy / "warehouse" / "bidproof.duckdb"), read_only=True) as connection:
        shown = connection.execute(
            "select status, found_status, decided_by, needs_review, quote from v_matrix where pack = ? and rule_id = 'V1'", [BAD]
        ).fetchall()  # fmt: skip
        current = connection.execute(
            "select state, from_status, to_status, reviewer, decisions from v_overrides_current"
        ).fetchall()
    assert shown == [("Pass", "Fail", "A. Reviewer", False, event["quote"])]
    assert current == [("kept", "Fail", "Pass", "A. Reviewer", 1)]


def test_another_overlap_keeps_it_on_the_same_words(copy: Path) -> None:
    event = decided(copy, "V1", Status.PASS, reason="Extended.")
    again(copy)
    before = Warehouse(copy / "warehouse").manifest("chunks", BAD)
    (copy / "inbox" / "water-meters" / "params.yaml").write_text(CUT, encoding="utf-8")
    store = again(copy)
    after = store.manifest("chunks", BAD)
    assert before is not None
    assert after is not None
    assert before.content != after.content
    assert store.read("findings", BAD).filter(rule_id="V1")["quote"].to_list() == [event["seen_quote"]]
    assert review(store, "V1")["state"] == "kept"
    assert gate(store) == "pass"
    assert pack_events(store, BAD).height == 1


def test_other_words_reopen_it_and_the_finding_stands_again(
    copy: Path, pdf_writer: Callable[..., Path]
) -> None:
    decided(copy, "V1", Status.PASS, reason="Extended.")
    again(copy)
    pdf_writer(
        copy / "inbox" / "water-meters" / "bids" / "bad" / "offer.pdf",
        ["1 Administrative offer", "1.1 Bid Validity", "Our bid remains valid for 45 calendar days from the submission deadline."],
        pages=3,
    )  # fmt: skip
    store = again(copy)
    row = review(store, "V1")
    assert row["state"] == "reopened"
    assert "45 calendar days" in row["drift"]
    assert row["status"] == "Fail"
    assert gate(store) == "fail"
    cell = read_matrix(store, "water-meters").cell("V1", "bad")
    assert cell.status is Status.FAIL
    assert cell.needs_review
    assert "reopened" in cell.review_reason
    assert cell.review_state == "reopened"
    assert pack_events(store, BAD).height == 1


def test_a_reason_to_look_that_is_new_flags_a_decision_that_is_kept(copy: Path) -> None:
    decided(copy, "V2", Status.PASS)
    store = again(copy)
    assert not review(store, "V2")["needs_review"]
    rules = requirements_from_table(store.read("requirements", "water-meters"))
    frames = [store.read(name, BAD) for name in ("documents", "pages", "blocks", "chunks", "facts")]
    said = "elsewhere: the bid security was cancelled"
    doubted = store.read("findings", BAD).with_columns(needs_review=pl.lit(True), review_reason=pl.lit(said))
    row = carry_over(pack_events(store, BAD), rules, doubted, *frames).row(0, named=True)
    assert (row["state"], row["status"], row["needs_review"]) == ("kept", "Pass", True)
    assert row["review_reason"] == f"new since the decision: {said}"
    events = pack_events(store, BAD).with_columns(seen_review_reason=pl.lit(f"another; {said}"))
    known = carry_over(events, rules, doubted, *frames).row(0, named=True)
    assert (known["state"], known["needs_review"], known["review_reason"]) == ("kept", False, "")


def test_a_rule_that_reads_otherwise_reopens_it(copy: Path) -> None:
    decided(copy, "V1", Status.PASS, reason="Extended.")
    catalog = copy / "inbox" / "water-meters" / "catalog.yaml"
    catalog.write_text(
        catalog.read_text().replace("at least 120 calendar", "at least 130 calendar"), encoding="utf-8"
    )
    row = review(again(copy), "V1")
    assert (row["state"], row["drift"]) == ("reopened", "the rule reads otherwise now")


def test_a_rule_that_left_the_catalog_leaves_its_decision_in_sight(copy: Path) -> None:
    decided(copy, "T1", Status.FAIL, reason="Wrong meters.")
    catalog = copy / "inbox" / "water-meters" / "catalog.yaml"
    kept = [line for line in catalog.read_text().splitlines() if "{id: T1" not in line]
    catalog.write_text("\n".join(kept) + "\n", encoding="utf-8")
    row = review(again(copy), "T1")
    assert (row["state"], row["drift"]) == ("reopened", "the rule is no longer in the catalog")


def test_the_last_decision_counts_and_can_be_withdrawn(copy: Path) -> None:
    decided(copy, "V1", Status.PASS, reason="Extended.")
    decided(copy, "V1", Status.PARTIAL, reason="Only for part of it.")
    store = again(copy)
    assert review(store, "V1")["status"] == "Partial"
    decided(copy, "V1", None)
    store = again(copy)
    assert store.read("reviews", BAD).is_empty()
    assert gate(store) == "fail"
    assert pack_events(store, BAD)["action"].to_list() == ["override", "override", "withdraw"]
    with pytest.raises(BadInputError, match="nothing was decided"):
        decided(copy, "V1", None)


def test_agreeing_takes_the_flag_off(copy: Path) -> None:
    event = decided(copy, "C1", Status.FAIL)
    assert event["action"] == "agree"
    assert event["quote"] == event["seen_quote"]
    cell = read_matrix(again(copy), "water-meters").cell("C1", "bad")
    assert cell.status is Status.FAIL
    assert not cell.needs_review
    assert cell.decision.endswith(": agreed")


def test_no_verdict_is_taken_without_words_of_the_pack(copy: Path) -> None:
    with pytest.raises(BadInputError, match="without a reason"):
        decided(copy, "V1", Status.PASS)
    with pytest.raises(BadInputError, match="not in the pack, word for word"):
        decided(copy, "V1", Status.PASS, reason="Seen.", quote="Our bid remains valid for 190 calendar days.")
    with pytest.raises(BadInputError, match="too short to confirm anything"):
        decided(copy, "V1", Status.PASS, reason="Seen.", quote="2%")
    with pytest.raises(BadInputError, match="no file of this pack"):
        decided(copy, "V1", Status.PASS, reason="Seen.", quote="Our bid remains", file_name="letter.pdf")
    with pytest.raises(BadInputError, match="no such bidder"):
        decided(copy, "V1", Status.PASS, bidder="ugly", reason="Seen.")
    with pytest.raises(BadInputError, match="no such rule"):
        decided(copy, "V9", Status.PASS, reason="Seen.")
    assert pack_events(Warehouse(copy / "warehouse"), BAD).is_empty()


def test_evidence_of_ones_own_is_found_again_in_the_pack(copy: Path) -> None:
    quote = "Team 1 installs the meters street by street."
    event = decided(
        copy, "T1", Status.PARTIAL, reason="Another place says it.", quote=quote, file_name="offer.pdf"
    )
    assert (event["quote"], event["page"], event["action"]) == (quote, 2, "override")
    row = review(again(copy), "T1")
    assert (row["state"], row["quote"], row["page"]) == ("kept", quote, 2)
    cell = read_matrix(Warehouse(copy / "warehouse"), "water-meters").cell("T1", "bad")
    assert (cell.quote, cell.page, cell.checks_failed) == (quote, 2, ())


def test_an_event_whose_rows_are_gone_is_named_and_takes_no_other_view_with_it(copy: Path) -> None:
    decided(copy, "V1", Status.PASS, reason="Extended.")
    kept = decided(copy, "V2", Status.PASS)
    (gone,) = [
        one
        for one in (copy / "warehouse" / "data" / "overrides").glob(f"{BAD}--*/*.parquet")
        if kept["event_id"] not in str(one)
    ]
    gone.unlink()
    with pytest.raises(
        WarehouseError, match=r"overrides of water-meters--bad--.*the rows are gone; put .* back"
    ):
        build_views(Warehouse(copy / "warehouse"))
    with duckdb.connect(str(copy / "warehouse" / "bidproof.duckdb"), read_only=True) as connection:
        assert connection.execute("select rule_id from overrides").fetchall() == [("V2",)]
        assert connection.execute("select count(*) from v_matrix").fetchone() == (8,)


def test_the_command_decides_and_brings_the_matrix_up_to_date(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    again(copy)  # The copy is an inbox of its own.
    words = [
        "override",
        "water-meters",
        "bad",
        "V1",
        "pass",
        "--by",
        "A. Reviewer",
        "--warehouse",
        str(copy / "warehouse"),
    ]
    monkeypatch.chdir(copy)

    def said(*more: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["bidproof", *words, *more])
        code = 0
        try:
            run_app()
        except SystemExit as end:
            code = int(end.code or 0)
        out = capsys.readouterr()
        return code, out.out, out.err

    code, _, errors = said()
    assert code == 2
    assert "give --reason" in errors
    code, text, _ = said("--reason", "Extended.", "--json", "-")
    record = json.loads(text)
    assert code == 0
    assert record["to_status"] == "Pass"
    assert record["matrix"].endswith("matrix.html")
    assert gate(Warehouse(copy / "warehouse")) == "pass"
    assert "A. Reviewer, " in (copy / "warehouse" / "reports" / "water-meters" / "matrix.html").read_text()
    (copy / "inbox" / "water-meters" / "params.yaml").write_text(CUT, encoding="utf-8")
    code, text, _ = said("--reason", "Extended again.")
    assert code == 0
    assert "after the next `bidproof run`" in text
    assert pack_events(Warehouse(copy / "warehouse"), BAD).height == 2
