"""A catalog that changes: what is judged again, what stays byte for byte, and which version a table speaks of."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bidproof.catalog.versions.history import catalog_versions, diff_named, stored_catalog
from bidproof.cli.catalog_comparing import diff_command
from bidproof.errors import BadInputError
from bidproof.judging import PredicateJudge
from bidproof.records import Judgement, Requirement
from bidproof.rule_staleness import stale_packs_of
from bidproof.store import Warehouse
from pipelines.execute import RunReport, run_inbox

OFF = {"dense": {"enabled": False}}
BY_RULE = ("candidates", "passages", "judgements", "findings")
GOOD = "water-meters--good"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]) -> Path:
    """A folder in which the small tender was run once: inbox and warehouse."""
    folder = tmp_path_factory.mktemp("versions")
    report = run_inbox(small_tender(folder), str(folder / "warehouse"), overrides=OFF, project_root=folder)
    assert report.failed == {}
    return folder


@pytest.fixture
def folder(done: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    shutil.copytree(done / "inbox", tmp_path / "inbox")
    shutil.copytree(done / "warehouse", tmp_path / "warehouse", ignore=shutil.ignore_patterns(".dagster"))
    Warehouse(tmp_path / "warehouse").register_sources({"water-meters": str(tmp_path / "inbox")})
    return tmp_path


def run(
    folder: Path, warehouse: str = "warehouse", *, overrides: Mapping[str, Any] = OFF, **options: Any
) -> RunReport:
    return run_inbox(
        folder / "inbox", str(folder / warehouse), overrides=overrides, project_root=folder, **options
    )


def edit(folder: Path, old: str, new: str) -> None:
    catalog = folder / "inbox/water-meters/catalog.yaml"
    text = catalog.read_text(encoding="utf-8")
    assert old in text
    catalog.write_text(text.replace(old, new), encoding="utf-8")


def metric(folder: Path, table: str, name: str = "rules_reused", pack: str = GOOD) -> object:
    manifest = Warehouse(folder / "warehouse").manifest(table, pack)
    assert manifest is not None
    return manifest.metrics[name]


def rows(folder: Path, table: str, rule_id: str) -> list[dict[str, object]]:
    frame = Warehouse(folder / "warehouse").read(table, GOOD).filter(pl.col("rule_id") == rule_id)
    return frame.drop("catalog_version").to_dicts()


def contents(folder: Path, warehouse: str = "warehouse") -> dict[str, str]:
    store = Warehouse(folder / warehouse)
    found = {table: store.manifest(table, GOOD) for table in (*BY_RULE, "scores")}
    return {table: manifest.content for table, manifest in found.items() if manifest}


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Rules for which the judge is asked, each once."""
    asked: list[str] = []
    ask = PredicateJudge.judge

    def noted(self: PredicateJudge, requirement: Requirement, *rest: Any) -> Judgement:
        if requirement.rule_id not in asked:
            asked.append(requirement.rule_id)
        return ask(self, requirement, *rest)

    monkeypatch.setattr(PredicateJudge, "judge", noted)
    return asked


def test_one_changed_rule_is_judged_again_and_the_findings_of_the_others_stay(
    folder: Path, judged: list[str]
) -> None:
    before = {rule: rows(folder, "findings", rule) for rule in ("V2", "T1", "C1")}
    edit(folder, "at least 120 calendar days", "at least 180 calendar days")
    assert run(folder).failed == {}
    assert judged == ["V1"]
    assert {table: metric(folder, table) for table in BY_RULE} == dict.fromkeys(BY_RULE, 3)
    assert {rule: rows(folder, "findings", rule) for rule in before} == before
    assert rows(folder, "findings", "V1")[0]["status"] == "Fail"


def test_what_was_kept_is_byte_for_byte_what_a_run_from_nothing_gives(folder: Path) -> None:
    edit(folder, "at least 36 months", "at least 60 months")
    edit(folder, "id: T1,", "id: T9,")
    assert run(folder).failed == {}
    assert run(folder, "fresh").failed == {}
    assert contents(folder) == contents(folder, "fresh")
    assert metric(folder, "judgements") == 2


def test_a_rule_added_and_one_dropped_touch_no_other(folder: Path, judged: list[str]) -> None:
    edit(
        folder,
        "  - {id: T1,",
        '  - {id: T2, area: Technical, mandatory: false, text: "Meters weigh at most 9 kg.", clause_ref: "3"}\n  - {id: T0,',
    )
    assert run(folder).failed == {}
    assert sorted(judged) == ["T0", "T2"]
    assert rows(folder, "findings", "T1") == []


def test_rules_in_another_order_are_not_judged_again(folder: Path, judged: list[str]) -> None:
    catalog = folder / "inbox/water-meters/catalog.yaml"
    *head, first, second, third, fourth = catalog.read_text(encoding="utf-8").splitlines()
    catalog.write_text("\n".join([*head, fourth, second, first, third]) + "\n", encoding="utf-8")
    assert run(folder).failed == {}
    assert judged == []


def test_other_parameters_or_a_pruned_version_before_judge_all_rules_again(
    folder: Path, judged: list[str]
) -> None:
    edit(folder, "at least 120 calendar days", "at least 100 calendar days")
    assert run(folder, overrides={**OFF, "judging": {"pass_coverage": 0.8}}).failed == {}
    assert sorted(judged) == ["C1", "T1", "V1", "V2"]
    assert metric(folder, "candidates") == 3
    assert metric(folder, "judgements") == 0


def test_rows_whose_origin_was_pruned_are_computed_anew(folder: Path, judged: list[str]) -> None:
    edit(folder, "at least 120 calendar days", "at least 100 calendar days")
    run(folder, bidder="bad")
    Warehouse(folder / "warehouse").prune()
    judged.clear()
    assert run(folder).failed == {}
    assert sorted(judged) == ["C1", "T1", "V1", "V2"]


def test_every_version_can_be_read_and_compared_until_it_is_pruned(folder: Path, judged: list[str]) -> None:
    store = Warehouse(folder / "warehouse")
    first = stored_catalog(store, "water-meters")
    edit(folder, "at least 120 calendar days", "at least 180 calendar days")
    assert run(folder).failed == {}
    versions = catalog_versions(store, "water-meters")
    assert [(one.version == first.version, one.current) for one in versions] == [(True, False), (False, True)]
    assert [rule.text for rule in stored_catalog(store, "water-meters", first.version[:6]).rules] == [
        rule.text for rule in first.rules
    ]
    name = str(folder / "inbox/water-meters/catalog.yaml")
    diff = diff_named(f"water-meters@{first.version}", name, store)
    assert [one.rule_id for one in diff.changed] == ["V1"]
    assert diff_named("water-meters@", name, store).empty
    store.prune()
    assert [one.version for one in catalog_versions(store, "water-meters")] == [versions[1].version]
    with pytest.raises(BadInputError, match="no such catalog version"):
        stored_catalog(store, "water-meters", first.version)


def test_what_a_change_makes_stale_is_known_before_it_is_run(folder: Path, judged: list[str]) -> None:
    store = Warehouse(folder / "warehouse")
    edit(folder, "at least 36 months", "at least 60 months")
    edit(folder, "id: T1,", "id: T9,")
    diff = diff_named("water-meters@", str(folder / "inbox/water-meters/catalog.yaml"), store)
    bad, good = stale_packs_of(diff, store, "water-meters")
    assert (bad.pack, good.pack) == ("water-meters--bad", GOOD)
    assert (good.to_judge, good.to_forget, good.fresh) == (("C1", "T9"), ("T1",), ("V1", "V2"))
    assert run(folder).failed == {}
    assert tuple(sorted(judged)) == good.to_judge
    again = diff_named("water-meters@", str(folder / "inbox/water-meters/catalog.yaml"), store)
    assert not any(pack.stale for pack in stale_packs_of(again, store, "water-meters"))


ADDENDUM = [
    "Addendum No. 1", "Clause 2.2 is replaced by the following:",
    "The bidder shall furnish a bid security of 3% of the total bid price.",
]  # fmt: skip


def test_an_addendum_changes_what_it_says_and_the_findings_of_all_other_rules_stay(
    folder: Path, judged: list[str], pdf_writer: Callable[..., Path]
) -> None:
    (folder / "inbox/water-meters/catalog.yaml").unlink()
    assert run(folder).failed == {}
    store = Warehouse(folder / "warehouse")
    before = stored_catalog(store, "water-meters")
    old = next(rule for rule in before.rules if "bid security" in rule.text)
    judged.clear()
    pdf_writer(folder / "inbox/water-meters/rfp/addendum_1.pdf", ADDENDUM)
    assert run(folder).failed == {}
    after = stored_catalog(store, "water-meters")
    diff = diff_named(f"water-meters@{before.version}", "water-meters@", store)
    assert {name: n for name, n in diff.counts.items() if n} == {
        "superseded": 1, "unchanged": len(before.rules) - 1,
    }  # fmt: skip
    (one,) = diff.superseded
    assert one.new is not None
    assert (one.old.rule_id, "3%" in one.new.text) == (old.rule_id, True)
    assert not any("2%" in rule.text for rule in after.rules)
    assert judged == [one.new.rule_id]
    assert rows(folder, "findings", old.rule_id) == []
    assert run(folder, "fresh").failed == {}
    assert contents(folder) == contents(folder, "fresh")


def test_a_bid_that_copies_an_addendum_is_judged_anew(
    folder: Path, judged: list[str], pdf_writer: Callable[..., Path]
) -> None:
    copied = "All meters are delivered in wooden crates of six with a seal of lead."
    pdf_writer(folder / "inbox/water-meters/bids/good/letter.pdf", ["1 Letter", copied])
    assert run(folder).failed == {}
    judged.clear()
    pdf_writer(folder / "inbox/water-meters/rfp/addendum_1.pdf", ["Addendum No. 1", copied])
    assert run(folder).failed == {}
    assert metric(folder, "judgements") == 0
    assert metric(folder, "judgements", pack="water-meters--bad") == 4
    assert run(folder, "fresh").failed == {}
    assert contents(folder) == contents(folder, "fresh")


def test_a_catalog_that_states_an_addendum_touches_the_changed_rule_only(
    folder: Path, judged: list[str]
) -> None:
    edit(folder, "Bid security of 2%", "Bid security of 3%")
    edit(
        folder,
        "title: Water meters",
        "title: Water meters, with addendum 1\nstatus: accepted\naccepted_by: J. Doe\naccepted_on: 2026-02-01",
    )
    assert run(folder).failed == {}
    assert judged == ["V2"]
    record = stored_catalog(Warehouse(folder / "warehouse"), "water-meters").record
    assert (record["title"], record["accepted_by"], record["draft"]) == (
        "Water meters, with addendum 1",
        "J. Doe",
        False,
    )


def test_acceptance_of_a_draft_judges_nothing_again(folder: Path, judged: list[str]) -> None:
    edit(folder, "title: Water meters", "title: Water meters\nstatus: draft")
    assert run(folder).failed == {}
    manifest = Warehouse(folder / "warehouse").manifest("catalogs", "water-meters")
    assert manifest is not None
    assert "draft: catalog.yaml calls itself a draft" in {check.message for check in manifest.checks}
    edit(folder, "status: draft", "status: accepted\naccepted_by: J. Doe\naccepted_on: 2026-02-01")
    assert run(folder).failed == {}
    assert judged == []
    assert not stored_catalog(Warehouse(folder / "warehouse"), "water-meters").record["draft"]


def test_the_command_line_compares_a_version_with_a_file_and_says_which_packs_it_makes_stale(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(folder, "at least 36 months", "at least 60 months")
    name = str(folder / "inbox/water-meters/catalog.yaml")
    diff_command("water-meters@", name, None, str(folder / "warehouse"))
    said = capsys.readouterr().out
    assert "1 changed" in said
    assert "water-meters--bad: stale, 1 rules to judge anew, 3 findings stay as they are" in said
    diff_command("water-meters@", name, Path("-"), str(folder / "warehouse"))
    packs = json.loads(capsys.readouterr().out)["packs"]
    assert [(pack["pack"], pack["to_judge"]) for pack in packs] == [
        ("water-meters--bad", ["C1"]),
        (GOOD, ["C1"]),
    ]


def packs_named(capsys: pytest.CaptureFixture[str], *names: str, warehouse: Path) -> dict[str, list[int]]:
    """Of each pack that the command names, how many rules to judge, to forget, and to leave."""
    capsys.readouterr()
    diff_command(*names, Path("-"), str(warehouse))
    packs = json.loads(capsys.readouterr().out)["packs"]
    return {one["pack"]: [len(one[what]) for what in ("to_judge", "to_forget", "fresh")] for one in packs}


def test_a_diff_of_two_revisions_of_an_rfp_names_the_packs_that_it_makes_stale(
    folder: Path, capsys: pytest.CaptureFixture[str], pdf_writer: Callable[..., Path]
) -> None:
    tender = folder / "inbox/water-meters"
    (tender / "catalog.yaml").unlink()
    assert run(folder, bidder="good").failed == {}
    count = len(stored_catalog(Warehouse(folder / "warehouse"), "water-meters").rules)
    shutil.copytree(tender / "rfp", folder / "revised")
    pdf_writer(folder / "revised/addendum_1.pdf", ADDENDUM)
    names = (str(tender / "rfp"), str(folder / "revised"))
    assert packs_named(capsys, *names, warehouse=folder / "warehouse")[GOOD] == [1, 1, count - 1]
    diff_command(*names, None, str(folder / "warehouse"))
    said = capsys.readouterr().out
    assert "1 superseded" in said
    assert (
        f"{GOOD}: stale, 1 rules to judge anew, 1 findings to drop, {count - 1} findings stay as they are"
        in said
    )
    assert packs_named(capsys, names[0], names[0], warehouse=folder / "warehouse")[GOOD] == [0, 0, count]


def test_packs_that_a_catalog_in_force_no_more_judged_are_named_and_those_judged_since_are_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = folder / "before.yaml"
    shutil.copy(folder / "inbox/water-meters/catalog.yaml", before)
    edit(folder, "at least 36 months", "at least 60 months")
    assert run(folder, bidder="good").failed == {}
    after = str(folder / "inbox/water-meters/catalog.yaml")
    stale = {"water-meters--bad": [1, 0, 3]}  # C1 is judged anew under its old id
    assert packs_named(capsys, str(before), after, warehouse=folder / "warehouse") == stale
    version = stored_catalog(Warehouse(folder / "warehouse"), "water-meters", "").version
    assert packs_named(capsys, f"water-meters@{version}", after, warehouse=folder / "warehouse") == {
        "water-meters--bad": [0, 0, 4], GOOD: [0, 0, 4],
    }  # fmt: skip
