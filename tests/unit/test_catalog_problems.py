"""Every fault of a catalog file in words, with its place, all at once; hostile files in one clear line."""

from __future__ import annotations

import time
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from bidproof.catalog.formats.checking import sources_astray, unsourced, warnings_of
from bidproof.catalog.formats.files import load_catalog, read_catalog
from bidproof.errors import CatalogError
from bidproof.tables import BLOCKS


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def problems(path: Path) -> list[tuple[str, str]]:
    return [(one.where, one.what) for one in read_catalog(path).problems]


RULE = "rules:\n  - id: R1\n    area: A\n    mandatory: yes\n    text: {text}\n"


def predicates(*lines: str, text: str = "The bid is valid for 90 days") -> str:
    return RULE.format(text=text) + "    predicates:\n" + "".join(f"      - {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("quantity: validity >= 90 dayz", "predicate 1: unit dayz is unknown; did you mean day?"),
        ("quantity: validity >= 90 houres", "predicate 1: unit houres is unknown; did you mean hour?"),
        ("quantity: validity", "predicate 1: a quantity without a value"),
        ("quantity: validity >=", "predicate 1: a quantity without a value"),
        ("quantity: length is 9 to 5 m", "predicate 1: min 9 is above max 5"),
        ("quantity: validity >= ninety day", "predicate 1: `ninety` is no number"),
        ("quantity: fee >= 5,000 EUR", "predicate 1: `5,000` has two readings; write 5000 or 5.000"),
        ('standard: ""', "predicate 1: a standard without its code"),
        ('presence: ""', "predicate 1: presence of nothing: name at least one term"),
        ("date: licence >= 2026-13-01", "predicate 1: date `2026-13-01` is no date; write 2026-09-17"),
        ("qantity: x >= 5 day", "predicate 1: kind: fields `qantity` name no single kind; did you mean `quantity`?"),
        ("{quantity: x >= 5 day, frm: b}", "predicate 1: unknown field `frm`; did you mean `from`?"),
        ("{kind: quantity, valeu: 5}", "predicate 1: unknown field `valeu`; did you mean `value`?"),
        ("{quantity: x >= 5 day, alternative: two}", "predicate 1: alternative `two` is no whole number"),
        ("not a predicate", "predicate 1: `not a predicate` does not begin with quantity, standard, form, date, presence and a colon"),
    ],
)  # fmt: skip
def test_a_faulty_predicate_is_named_in_words(tmp_path: Path, line: str, fault: str) -> None:
    found = problems(write(tmp_path / "c.yaml", predicates(line)))
    assert found[0][0] == "line 7"
    assert found[0][1].startswith(fault) or fault == found[0][1], found


def test_units_of_every_kind_pass(tmp_path: Path) -> None:
    text = "The lot has 3 flurbs of 2 kW for EUR 5 per flurb within 90 days"
    lines = (
        "quantity: lot >= 3 flurb", "quantity: lot is 2 kW", "quantity: price <= 5 EUR per flurb",
        "quantity: delivery <= 90 days", "quantity: team >= 2 reference",
    )  # fmt: skip
    (rule,) = load_catalog(write(tmp_path / "c.yaml", predicates(*lines, text=text))).rules
    assert [p.unit for p in rule.predicates] == ["flurb", "kW", "EUR", "day", "reference"]


def test_two_bounds_that_nothing_can_meet_are_a_fault_within_one_alternative_only(tmp_path: Path) -> None:
    low, high = "quantity: validity >= 100 day", "quantity: validity <= 50 day"
    assert problems(write(tmp_path / "a.yaml", predicates(low, high))) == [
        ("line 6", "predicates: nothing can be both >= 100 day and <= 50 day")
    ]
    either = (f"{{{low}, alternative: 1}}", f"{{{high}, alternative: 2}}")
    assert problems(write(tmp_path / "b.yaml", predicates(*either))) == []
    # A bound without a mark holds beside each marked one.
    assert problems(write(tmp_path / "e.yaml", predicates(f"{{{low}, alternative: 1}}", high))) == [
        ("line 6", "predicates: alternative 1: nothing can be both >= 100 day and <= 50 day")
    ]
    assert problems(write(tmp_path / "c.yaml", predicates(low, "quantity: validity <= 20 week"))) == []
    fixed = ("quantity: voltage = 110 V", "quantity: voltage = 230 V")  # both are listed, both can be shown
    assert problems(write(tmp_path / "d.yaml", predicates(*fixed))) == []


def test_all_faults_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = (
        "status: drafted\nrules:\n  - id: R1\n    mandatry: yes\n    text: ''\n    flags: [deadlin]\n"
        "    weight: heavy\n    keep: perhaps\n    scored: often\n    sources:\n      - pge: 3\n"
    )
    found = problems(write(tmp_path / "c.yaml", text))
    assert [where for where, _ in found] == [
        "line 1", "line 3", "line 4", "line 5", "line 6", "line 7", "line 8", "line 9", "line 11",
    ]  # fmt: skip
    said = dict(found)
    assert said["line 3"] == "mandatory is missing; write yes or no"
    assert said["line 4"] == "unknown field `mandatry`; did you mean `mandatory`?"
    assert said["line 6"] == "flag `deadlin` is unknown; did you mean `deadline`?"
    assert said["line 8"] == "keep is `perhaps`; write keep or drop"
    assert said["line 9"] == "scored is `often`; write yes or no"
    assert said["line 11"] == "source 1: unknown field `pge`; did you mean `page`?"


def test_several_faults_of_one_cell_are_all_named(tmp_path: Path) -> None:
    rows = 'id,area,mandatory,text,clause_ref,predicates\nR1,A,yes,Valid for 90 days,,"quantity: x >= 5 dayz\nform: """"\nqty: x"\n'
    found = problems(write(tmp_path / "c.csv", rows))
    assert [(where, what[:42]) for where, what in found] == [
        ("line 2", "predicate 3: `qty: x` does not begin with "),
        ("line 2", "predicate 1: unit dayz is unknown; did you"),
        ("line 2", "predicate 2: a form without its code"),
    ]


def test_faults_of_ocds_criteria_name_fields_by_the_standard(tmp_path: Path) -> None:
    text = (
        '{"tender": {"criteria": [{"id": "1", "description": "a b", "requirementGroup": []}, {"id": "2", "description": "c d",'
        '"requirementGroups": [{"requirements": [{"id": "x", "title": "t", "dataType": "nmber", "minvalue": 3, "maxValue": "9"}]}]}, 7]}}'
    )
    found = problems(write(tmp_path / "c.json", text))
    assert ("criterion 1", "unknown field `requirementGroup`; did you mean `requirementGroups`?") in found
    spot = "criterion 2, group 1, requirement 1"
    assert (spot, "unknown field `minvalue`; did you mean `minValue`?") in found
    assert (spot, "dataType `nmber` is unknown; did you mean `number`?") in found
    assert (spot, "maxValue `9` is no number") in found
    assert ("criterion 3", "a criterion is no object") in found


def alias_bomb() -> str:
    lines = ["- &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "title: t\nrules:\n  - id: R1\n    synonyms:\n" + "".join(f"      {line}\n" for line in lines)


def zipped(members: dict[str, bytes]) -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


HEAD = b"id,area,mandatory,text,clause_ref\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bomb.yaml", alias_bomb(), "its aliases unfold to more than"),
        ("circle.yaml", "rules:\n  - id: R1\n    predicates: &b [*b]\n", "nested too deeply"),
        ("deep.yaml", b"[" * 20_000, "nested too deeply"),
        ("dashes.yaml", b"- " * 20_000, "nested too deeply"),
        ("steps.yaml", "".join(" " * i + "a:\n" for i in range(1500)), "nesting"),
        ("deep.json", b"[" * 200_000, "nested too deeply"),
        ("nul.yaml", b"rules:\n  - id: R1\x00\n", "line 2: malformed YAML: the character U+0000 must not stand in it"),
        ("bytes.yaml", bytes(range(256)) * 9, "neither UTF-8 nor Windows-1252"),
        ("code.yaml", "rules:\n  - !!python/object/apply:os.system [ls]\n", "a rule is no mapping of fields"),
        ("two.yaml", "rules: []\n---\nrules: []\n", "expected a single document in the stream"),
        ("merge.yaml", "rules:\n  - {<<: {id: R1}}\n", "`<<` is not followed; write the fields out"),
        ("marked.csv", HEAD.decode().encode("utf-16-le"), "is UTF-16 without its byte order mark"),
        ("book.csv", zipped({"a": b"b"}), "its content is that of another kind of file"),
        ("bomb.xlsx", zipped({"xl/workbook.xml": b" " * (300 << 20)}), "unpacks to 300 MB"),
        ("none.xlsx", b"", "cannot be opened as XLSX"),
        ("other.xlsx", zipped({"hello.txt": b"x"}), "cannot be opened as XLSX"),
        ("twice.csv", HEAD.replace(b"id,", b"id,id,") + b"1,1,a,yes,b c,\n", "column `id` stands twice"),
        ("nan.json", '{"rules":[{"id":"a","mandatory":"yes","text":"b c","predicates":[{"kind":"quantity","value":NaN}]}]}', "a value is no finite number"),
    ],
)  # fmt: skip
def test_a_hostile_file_is_refused_in_words_and_at_once(
    tmp_path: Path, name: str, content: str | bytes, said: str
) -> None:
    path = write(tmp_path / name, content)
    started = time.process_time()
    with pytest.raises(CatalogError) as caught:
        load_catalog(path)
    assert said in str(caught.value)
    assert "Traceback" not in str(caught.value)
    assert time.process_time() - started < 10


def test_a_file_too_large_to_be_a_catalog_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    with path.open("wb") as file:
        file.truncate(70 << 20)
    assert problems(path) == [("", "is 70 MB; a catalog is under 64 MB")]


def test_thousands_of_faults_are_counted_and_not_all_printed(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", HEAD + b"R1,A,yes,A rule here,\n" * 500)
    with pytest.raises(CatalogError) as caught:
        load_catalog(path)
    assert "499 problems" in str(caught.value)
    assert "and 299 more" in str(caught.value)


def warnings(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    read = read_catalog(write(tmp_path / "c.yaml", text))
    assert read.catalog is not None, read.problems
    return [(one.where, one.what) for one in warnings_of(read.catalog, read.places)]


@pytest.mark.parametrize(
    ("text", "predicate", "said"),
    [
        (
            "The bid is valid for at least 120 days",
            "{quantity: bid validity >= 90 day, from: at least 90 days}",
            "the text says `120 days`, its predicate `quantity: bid validity >= 90 day`",
        ),
        (
            "Certificates to ISO 9001:2015 are enclosed",
            "standard: ISO 9001:2008",
            "the text says `ISO 9001:2015`, its predicate `standard: ISO 9001:2008`",
        ),
        (
            "The form is signed by the bidder",
            "{form: BS-1, from: Form BS-1}",
            "the text no longer says `Form BS-1`, from which its predicate `form: BS-1` came",
        ),
        (
            "L'offre reste valable au moins 120 jours",
            "quantity: validité >= 90 jours",
            "the text says `120 jours`, its predicate `quantity: validité >= 90 day`",
        ),
    ],
)
def test_a_text_that_its_predicates_contradict_is_a_warning_naming_both(
    tmp_path: Path, text: str, predicate: str, said: str
) -> None:
    assert warnings(tmp_path, predicates(predicate, text=text)) == [("line 2", f"rule R1: {said}")]


def test_a_predicate_in_another_unit_or_with_another_measure_is_no_contradiction(tmp_path: Path) -> None:
    text = "The bid is valid for at least 2 weeks"
    assert warnings(tmp_path, predicates("quantity: offer >= 14 day", text=text)) == []


def test_two_rules_that_say_the_same_are_named_with_both_places(tmp_path: Path) -> None:
    again = "  - {id: R2, area: A, mandatory: yes, text: THE BID IS  valid for 90 days.}\n"
    text = RULE.format(text="The bid is valid for 90 days") + again
    assert warnings(tmp_path, text) == [
        ("line 6", "rule R2 says the same as R1 (line 2); keep one, or tell them apart")
    ]


def test_words_of_a_rule_are_looked_up_on_their_page(tmp_path: Path) -> None:
    rows = [(3, 0, "paragraph", "The bid is valid for"), (3, 1, "furniture", "Page 3 of 9"), (4, 0, "paragraph", "90 days."), (5, 0, "paragraph", "Forms are signed.")]  # fmt: skip
    blocks = BLOCKS.frame(
        [
            {
                "file_name": "rfp.pdf",
                "doc_id": "d",
                "page": p,
                "block_no": n,
                "kind": k,
                "text": t,
                "heading_path": "",
            }
            for p, n, k, t in rows
        ]
    )
    text = RULE.format(text="The bid is valid for 90 days") + (
        "    sources:\n      - {page: 3, quote: The bid is valid for 90 days.}\n      - {page: 4, quote: Forms are signed.}\n"
        "      - {page: 5, quote: Never said.}\n  - {id: R2, area: A, mandatory: no, text: Unsourced rule}\n"
    )
    read = read_catalog(write(tmp_path / "c.yaml", text))
    assert read.catalog is not None
    assert [(one.where, one.what) for one in sources_astray(read.catalog, blocks, read.places)] == [
        ("line 2", "rule R1: `Forms are signed.` does not stand on p. 4, but on rfp.pdf p. 5"),
        ("line 2", "rule R1: `Never said.` does not stand on p. 5, nor on any other page of the RFP"),
    ]
    assert [(one.where, one.what) for one in unsourced(read.catalog, read.places)] == [
        ("line 10", "rule R2 quotes no words of the RFP"),
    ]


def test_words_and_digits_that_disagree_are_a_warning(tmp_path: Path) -> None:
    line = "{quantity: validity >= 15 day; readings = 10 / 15, from: ten (15) days}"
    text = predicates(line, text="Bids are valid for ten (15) days")
    assert warnings(tmp_path, text) == [
        (
            "line 2",
            "rule R1: words and digits of `ten (15) days` disagree (10 or 15); a bid passes only where both hold",
        )
    ]


def test_a_plural_unit_is_taken_for_its_unit_and_a_quoted_one_is_warned_of(tmp_path: Path) -> None:
    fields = "{kind: quantity, comparator: '>=', value: 90, unit: days}"
    (rule,) = load_catalog(write(tmp_path / "a.yaml", predicates(fields))).rules
    assert rule.predicates[0].unit == "day"
    quoted = predicates("{kind: quantity, comparator: '>=', value: 90, unit: 'days'}")
    assert ("line 2", "rule R1: unit `days` matches nothing; write day") in warnings(tmp_path, quoted)
