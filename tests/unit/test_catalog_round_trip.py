"""A catalog goes into each format and comes back the same: every field, whatever stands in it."""

from __future__ import annotations

import json
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.formats.given import clean, folded_space
from bidproof.catalog.formats.other_columns import OtherColumn
from bidproof.catalog.formats.predicate_faults import faults_of, unmeetable
from bidproof.catalog.formats.predicate_lines import parse_line, predicate_line
from bidproof.catalog.formats.rfp_record import SupersededRule
from bidproof.catalog.formats.writing import catalog_bytes
from bidproof.records import Predicate, Requirement, RuleFlag, Source

FORMATS = (".yaml", ".csv", ".xlsx", ".json")
HURTS = [
    '"', "\n", ";", "|", ",", '=HYPERLINK("http://x.example","y")', "\xa0", "90\u202f000", "😀", "007", "NO", "3.10",
    "1e5", "\x01", "\x00", "\r\n", " ", "'", "'=x", "_x0041_", "#", ": ", "- ", "[a]", "{b: c}", '<- "x"',
    "whole rule", "\\", "`", "%", "\u2028", "\ufeff", "\x85", "TRUE", "2026-09-17", "03/04/2027", "p. 3", "null", "~",
    "+1", "@x", '{"kind": 1}', "/", "is 5", "of", "per", "valid on submission", "&amp;", "\t", "é", "drop", "sep=;",
]  # fmt: skip
texts = st.one_of(
    st.text(max_size=10),
    st.lists(st.one_of(st.sampled_from(HURTS), st.text(max_size=4)), max_size=4).map("".join),
)
full = texts.filter(lambda text: bool(text.strip()))
words = st.lists(texts, max_size=3).map(tuple)
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([2.0, 0.1, 90.0, 1e5, 1e22])
)
units = st.one_of(st.sampled_from(["day", "percent", "EUR", "working_day", "kW", "reference", ""]), texts)
days = st.one_of(st.just(""), st.dates().map(lambda day: day.isoformat()))
signs = st.sampled_from(["", "=", ">=", "<=", ">", "<"])


def predicate(kind: str, **fields: st.SearchStrategy) -> st.SearchStrategy[Predicate]:
    common = {
        "group": st.integers(0, 3), "text": texts, "per": texts, "base": texts, "edition": st.sampled_from(["", "2022", "a:b"]),
        "date": days, "valid_on_submission": st.booleans(), "unit": units, "readings": st.sampled_from([(), ("10", "15")]),
    }  # fmt: skip
    return st.builds(Predicate, kind=st.just(kind), **{**common, **fields})


ranges = st.tuples(predicate("quantity", measure=words, value=numbers), numbers).map(
    lambda pair: pair[0].model_copy(update={"value_max": max(pair[1], pair[0].value)})
)
predicates = st.one_of(
    predicate("quantity", measure=words, comparator=signs, value=numbers, terms=words, code=texts),
    ranges,
    predicate("standard", code=full, terms=words),
    predicate("form", code=full),
    predicate("presence", terms=st.lists(full, min_size=1, max_size=3).map(tuple)),
    predicate("date", measure=words, comparator=signs, valid_on_submission=st.just(True)),
)
sources = st.builds(
    Source, file_name=texts, page=st.integers(1, 999), page_label=texts, heading_path=texts, quote=texts
)


@st.composite
def requirements(draw: st.DrawFn) -> Requirement:
    rule = draw(
        st.builds(
            Requirement, rule_id=full, area=full, mandatory=st.booleans(), scored=st.booleans(), obligation=texts,
            text=full, clause_ref=texts, weight=st.floats(0, 1e9, allow_nan=False),
            predicates=st.lists(predicates, max_size=3).map(tuple), sentry_terms=words, synonyms=words,
            section_hints=words, submission_date=st.sampled_from(["", "2026-09-17", "2027-01-31"]),
            flags=st.lists(st.sampled_from(get_args(RuleFlag)), max_size=3).map(tuple), question_id=texts,
            references=words, definitions=words, sources=st.lists(sources, max_size=2).map(tuple),
            source_page=st.one_of(st.none(), st.integers(1, 500)), source_quote=texts,
        )
    )  # fmt: skip
    sound = tuple(p for p in rule.predicates if not list(faults_of(p)))
    if sound and draw(st.booleans()):  # as presence predicates are derived: from the whole rule
        sound = (sound[0].model_copy(update={"text": rule.text}), *sound[1:])
    return rule.model_copy(update={"predicates": () if list(unmeetable(sound)) else sound})


superseded_rules = st.builds(
    SupersededRule, id=full, by=texts, why=texts, area=texts, mandatory=st.booleans(), text=texts, clause_ref=texts,
    file_name=texts, page=st.one_of(st.none(), st.integers(1, 999)), quote=texts,
)  # fmt: skip
names = st.one_of(
    st.sampled_from(["Text", "note", "texts", "other", "catalog.title", "exact", "no.", "n° (x)"]), texts
)
column_names = names.map(folded_space).filter(bool)
cell_values = texts.map(lambda text: clean(text).strip()).filter(bool)


@st.composite
def catalogs(draw: st.DrawFn) -> CatalogFile:
    rules = draw(st.lists(requirements(), min_size=1, max_size=2, unique_by=lambda rule: rule.rule_id))
    dates = st.sampled_from(["", "2026-01-02"])
    return draw(
        st.builds(
            CatalogFile, rules=st.just(tuple(rules)), title=texts, tender=texts, rfp=texts, rfp_sha256=texts,
            author=texts, created=dates, status=st.sampled_from(["", "draft", "accepted"]), accepted_by=texts,
            accepted_on=dates, version=texts, submission_date=st.sampled_from(["", "2026-09-17"]),
            remarks=st.sampled_from([(), ((rules[0].rule_id, "why? =1+1"),)]),
            superseded=st.lists(superseded_rules, max_size=3).map(tuple),
            conflicts=st.lists(full.map(folded_space).filter(bool), max_size=3).map(tuple),
            other=st.lists(
                st.builds(
                    OtherColumn, name=column_names,
                    values=st.tuples(*(st.tuples(st.just(rule.rule_id), cell_values) for rule in rules)),
                ),
                max_size=2, unique_by=lambda column: column.name,
            ).map(tuple),
        )
    )  # fmt: skip


def through(catalog: CatalogFile, suffix: str) -> CatalogFile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"catalog{suffix}"
        path.write_bytes(catalog_bytes(catalog, suffix))
        back = load_catalog(path)
    assert catalog_bytes(catalog, suffix) == catalog_bytes(catalog, suffix)
    return back.model_copy(update={"source_name": catalog.source_name, "warnings": ()})


LAW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_catalog_comes_back_from_each_format_as_it_was(suffix: str) -> None:
    @LAW
    @given(catalogs())
    def law(catalog: CatalogFile) -> None:
        assert through(catalog, suffix) == catalog

    law()


@LAW
@given(catalogs(), st.lists(st.sampled_from(FORMATS), min_size=2, max_size=4))
def test_a_catalog_comes_back_from_any_chain_of_formats(catalog: CatalogFile, chain: list[str]) -> None:
    now = catalog
    for suffix in chain:
        now = through(now, suffix)
    assert now == catalog


@settings(max_examples=300, deadline=None)
@given(predicates, texts)
def test_a_predicate_line_reads_back_as_the_same_predicate(one: Predicate, rule_text: str) -> None:
    line = predicate_line(one, rule_text)
    assert "\n" not in line
    assert parse_line(line, rule_text) == one


BOND = Requirement(
    rule_id="R12", area="Admin", mandatory=True, scored=True, obligation="grounds for rejection",
    text="The bid security is at least 2% of the total bid price, or Form BS-1 is signed.",
    clause_ref="Section III > 3.2 Bid Security", weight=2.5,
    predicates=(
        Predicate(kind="quantity", measure=("bid security",), comparator=">=", value=2.0, unit="percent",
                  base="total bid price", text="at least 2% of the total bid price"),
        Predicate(kind="form", group=1, code="BS-1", text="Form BS-1"),
    ),
    flags=("deadline",), sources=(Source(file_name="rfp.pdf", page=12, quote="The bid security is at least 2%"),),
    source_page=12, source_quote="The bid security is at least 2%", submission_date="2026-09-17",
)  # fmt: skip
CATALOG = CatalogFile(
    rules=(BOND,), title="Meters", status="draft", author="J. Doe", submission_date="2026-09-17"
)


def test_the_yaml_file_explains_itself_and_shows_predicates_beside_their_words() -> None:
    text = catalog_bytes(CATALOG, ".yaml").decode()
    assert "# STATUS: DRAFT, 1 rules, 1 mandatory. No person has accepted it yet:" in text
    assert "#   mandatory        yes: a Fail or Missing closes the gate for the bidder" in text
    assert (
        "      - quantity: bid security >= 2 percent of total bid price\n"
        '        from: "at least 2% of the total bid price"\n'
        "        alternative: 0\n"
        "      - form: BS-1\n"
        '        from: "Form BS-1"\n'
        "        alternative: 1\n"
    ) in text
    assert "submission_date" not in text.split("rules:")[1]


def test_ocds_groups_are_alternatives_and_the_standard_fields_say_all_they_can() -> None:
    tender = json.loads(catalog_bytes(CATALOG, ".json"))["releases"][0]["tender"]
    (criterion,) = tender["criteria"]
    assert (criterion["id"], criterion["description"]) == ("R12", BOND.text)
    first, second = (group["requirements"][0] for group in criterion["requirementGroups"])
    assert {n: first[n] for n in ("title", "dataType", "minValue", "unit")} == {
        "title": "bid security",
        "dataType": "number",
        "minValue": 2,
        "unit": {"name": "percent"},
    }
    assert (second["dataType"], second["pattern"], second["expectedValue"]) == ("string", "BS\\-1", "BS-1")
    assert first["x_bidproof"] == {
        "base": "total bid price",
        "text": "at least 2% of the total bid price",
    }
    assert "mandatory" not in criterion["x_bidproof"]
    assert tender["tenderPeriod"] == {"endDate": "2026-09-17T00:00:00Z"}


def test_an_edit_of_a_standard_ocds_field_is_an_edit_of_the_rule(tmp_path: Path) -> None:
    package = json.loads(catalog_bytes(CATALOG, ".json"))
    requirement = package["releases"][0]["tender"]["criteria"][0]["requirementGroups"][0]["requirements"][0]
    requirement["minValue"] = 3
    (tmp_path / "c.json").write_text(json.dumps(package))
    (rule,) = load_catalog(tmp_path / "c.json").rules
    assert (rule.predicates[0].value, rule.predicates[0].base) == (3.0, "total bid price")


def test_a_formula_stays_text_in_every_sheet() -> None:
    nasty = BOND.model_copy(
        update={"text": '=HYPERLINK("http://x.example","pay")', "rule_id": "=1+1", "predicates": ()}
    )
    catalog = CATALOG.model_copy(update={"rules": (nasty,)})
    csv = catalog_bytes(catalog, ".csv").decode("utf-8-sig")
    assert csv.splitlines()[1].startswith("'=1+1,")
    assert ',"\'=HYPERLINK(""http' in csv
    with zipfile.ZipFile(BytesIO(catalog_bytes(catalog, ".xlsx"))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    assert "<hyperlink" not in sheet


def test_a_working_copy_has_drop_downs_filters_and_a_frozen_header() -> None:
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(catalog_bytes(CATALOG, ".xlsx")))
    sheet = book["rules"]
    assert book.sheetnames == ["rules", "catalog", "how to"]
    assert [cell.value for cell in sheet[1]][:9] == [
        "keep", "id", "mandatory", "scored", "text", "source_quote", "source_page", "predicates", "remark",
    ]  # fmt: skip
    choices = {str(v.sqref): v.formula1 for v in sheet.data_validations.dataValidation}
    assert choices == {"A2": '"keep,drop"', "C2": '"yes,no"', "D2": '"yes,no"'}
    assert sheet.freeze_panes == "C2"
    assert sheet.auto_filter.ref is not None
    assert sheet["H2"].value == (
        "[alternative 0] quantity: bid security >= 2 percent of total bid price"
        ' <- "at least 2% of the total bid price"\n'
        '[alternative 1] form: BS-1 <- "Form BS-1"'
    )
    assert (sheet["F2"].value, sheet["G2"].value, sheet["E2"].number_format) == (BOND.source_quote, 12, "@")
