"""Alternatives in catalog files: what is unmarked holds in each; files and versions are the same after a round trip."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bidproof.catalog import catalog_version, derive, load_catalog
from bidproof.catalog.formats.alternatives import gathered, oddities, spread
from bidproof.catalog.formats.checking import warnings_of
from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.writing import catalog_bytes
from bidproof.records import Predicate, Requirement

BOND = Predicate(kind="form", code="BS-1")
CHECK = Predicate(kind="form", code="BS-2")
DAYS = Predicate(kind="quantity", measure=("validity",), comparator=">=", value=120.0, unit="day")


def at(predicate: Predicate, group: int) -> Predicate:
    return predicate.model_copy(update={"group": group})


MIXED = (at(BOND, 1), at(DAYS, 1), at(CHECK, 2), at(DAYS, 2))
"""What each form below must read as: a bond or a check, either of them valid for 120 days."""
YAML = """\
rules:
  - id: R1
    area: Securities
    mandatory: yes
    text: "A bond BS-1 or a check BS-2, valid for at least 120 days"
    clause_ref: "1"
    predicates:
      - form: BS-1
        alternative: 1
      - quantity: validity >= 120 day
      - form: BS-2
        alternative: 2
"""
CELL = "[alternative 1] form: BS-1\nquantity: validity >= 120 day\n[alternative 2] form: BS-2"
CSV = f'id,area,mandatory,text,clause_ref,predicates\nR1,Securities,yes,"A bond or a check",1,"{CELL}"\n'


def rule_of(predicates: tuple[Predicate, ...]) -> Requirement:
    text = "A bond BS-1 or a check BS-2, valid for at least 120 days"
    return Requirement(
        rule_id="R1", area="Securities", mandatory=True, text=text, clause_ref="1", predicates=predicates
    )


def through(rule: Requirement, suffix: str) -> Requirement:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"c{suffix}"
        path.write_bytes(catalog_bytes(CatalogFile(rules=(rule,)), suffix))
        return load_catalog(path).rules[0]


@pytest.mark.parametrize(("name", "text"), [("a.yaml", YAML), ("b.csv", CSV)])
def test_an_unmarked_predicate_holds_in_every_alternative(tmp_path: Path, name: str, text: str) -> None:
    # As an alternative of its own it would let 120 days without any bond pass.
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (rule,) = load_catalog(path).rules
    groups = {g: {p.code or p.value for p in rule.predicates if p.group == g} for g in (0, 1, 2)}
    assert groups == {0: set(), 1: {"BS-1", 120.0}, 2: {"BS-2", 120.0}}


def test_a_workbook_reads_its_unmarked_predicates_the_same_way(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    path = tmp_path / "c.xlsx"
    path.write_bytes(catalog_bytes(CatalogFile(rules=(rule_of((at(BOND, 1), at(CHECK, 2))),)), ".xlsx"))
    book = load_workbook(path)
    cells = {cell.value: cell.column for cell in book["rules"][1]}
    book["rules"].cell(2, cells["predicates"]).value = CELL
    book.save(path)
    (rule,) = load_catalog(path).rules
    assert set(rule.predicates) == set(MIXED)


def test_what_all_alternatives_share_is_written_once_without_a_mark() -> None:
    order = (at(BOND, 1), at(DAYS, 1), at(CHECK, 2), at(DAYS, 2))
    text = catalog_bytes(CatalogFile(rules=(rule_of(order),)), ".yaml").decode()
    body = text[text.index("rules:") :]
    assert body.count("quantity: validity >= 120 day") == 1
    assert body.count("alternative:") == 2
    ocds = catalog_bytes(CatalogFile(rules=(rule_of(order),)), ".json").decode()
    assert ocds.count('"description": "quantity: validity >= 120 day"') == 2  # there, groups stand in full


def test_a_group_named_0_is_an_alternative_and_not_shared() -> None:
    # Without its mark the first way to comply would be asked for beside the second: a Fail for who meets one.
    rule = rule_of((at(BOND, 0), at(CHECK, 1)))
    for suffix in (".yaml", ".csv", ".xlsx", ".json"):
        assert through(rule, suffix).predicates == rule.predicates


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                [BOND, CHECK, DAYS, Predicate(kind="form", code="A\nB"), Predicate(kind="date", date="x")]
            ),
            st.integers(-1, 3),
        ),
        max_size=7,
    )
)
def test_groups_come_back_from_words_as_they_were(chosen: list[tuple[Predicate, int]]) -> None:
    predicates = tuple(at(one, group) for one, group in chosen)
    assert spread(gathered(predicates)) == predicates


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.sampled_from([BOND, CHECK, DAYS, Predicate(kind="form", code="A\nB")]), st.integers(0, 2)
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([".yaml", ".csv", ".xlsx", ".json"]),
)
def test_a_version_is_the_same_after_every_format(chosen: list[tuple[Predicate, int]], suffix: str) -> None:
    rule = rule_of(tuple(at(one, group) for one, group in chosen))
    back = through(rule, suffix)
    assert back.predicates == rule.predicates
    assert catalog_version([back]) == catalog_version([rule])


def test_check_says_when_one_alternative_alone_is_marked_or_one_decides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(YAML.replace("        alternative: 2\n", ""), encoding="utf-8")
    said = [w.what for w in warnings_of(load_catalog(path))]
    assert any(
        what.startswith("alternative 1 is the only one, so all its predicates must hold") for what in said
    )
    assert list(oddities((at(DAYS, 1), at(DAYS, 2), at(BOND, 2)))) == [
        "alternative 2 asks all that alternative 1 asks, so it decides nothing"
    ]
    assert list(oddities(MIXED)) == list(oddities((BOND, CHECK))) == []


def test_a_warning_names_its_rule_once() -> None:
    # `rule R1: rule R1: ...` reads as if two rules were meant.
    found = warnings_of(CatalogFile(rules=(rule_of((at(BOND, 1),)),)))
    assert {one.where for one in found} == {"rule R1"}
    assert not any(one.what.startswith("rule R1") for one in found)


def test_diff_prints_the_alternative_of_each_predicate(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # `[form BS-1; form BS-2]` on both sides would hide that both are asked now and either was before.
    from bidproof.cli.catalog_comparing import diff_command

    for name, predicates in (("old", MIXED), ("new", (BOND, CHECK, DAYS))):
        raw = catalog_bytes(CatalogFile(rules=(rule_of(predicates),)), ".yaml")
        (tmp_path / f"{name}.yaml").write_bytes(raw)
    diff_command(str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml"), None, str(tmp_path / "wh"))
    said = " ".join(capsys.readouterr().out.split())
    either = "[[alternative 1] form: BS-1; quantity: validity >= 120 day; [alternative 2] form: BS-2]"
    assert f"predicates: {either} -> [form: BS-1; form: BS-2; quantity: validity >= 120 day]" in said


def test_one_form_or_another_are_alternatives_and_a_third_beside_them_is_not_left_out() -> None:
    def forms(text: str) -> list[tuple[str, int]]:
        rule = derive(Requirement(rule_id="R1", area="Admin", mandatory=True, text=text))
        return [(p.code, p.group) for p in rule.predicates if p.kind == "form"]

    assert forms("Form BS-1 or Form BS-2 is enclosed.") == [("BS-1", 0), ("BS-2", 1)]
    assert {group for _, group in forms("Form BS-1 or Form BS-2 and Form BS-3 are enclosed.")} == {0}
    assert {group for _, group in forms("Form BS-1 and Form BS-2 are enclosed.")} == {0}
