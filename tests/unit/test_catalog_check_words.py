"""What `catalog check` says beside faults of fields, once and in words that a person can act on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pdf_builder import Pdf
from typer.testing import CliRunner

from bidproof.catalog.formats.checking import contradictions
from bidproof.catalog.formats.predicate_lines import parse_line
from bidproof.catalog.predicates.derivation import derive
from bidproof.cli.app import app
from bidproof.cli.summary import print_summary
from bidproof.errors import BadInputError
from bidproof.records import Predicate, Requirement


def checked(folder: Path, rules: str, *words: object) -> dict[str, list[dict[str, str]]]:
    """Problems and warnings of a catalog, by kind."""
    (folder / "c.yaml").write_text(rules, encoding="utf-8")
    words = ("catalog", "check", folder / "c.yaml", "--json", "-", *words)
    result = CliRunner().invoke(app, [str(word) for word in words])
    return json.loads(result.stdout)


def test_a_field_error_hides_neither_misquoted_rules_nor_contradictions(tmp_path: Path) -> None:
    # Mended one by one, the second fault would be found only after the first: or never, by who stops there.
    Pdf().page().text(72, 60, "Bids are valid for 90 days").document.save(tmp_path / "rfp.pdf")
    (tmp_path / "p.yaml").write_text("documents: {workers: 1}\n")
    rules = (
        "rules:\n"
        "  - {id: R1, area: A, mandatory: perhaps, clause_ref: x, text: The bid is in English}\n"
        "  - {id: R2, area: A, mandatory: yes, clause_ref: x, text: Bids are valid for 90 days,\n"
        '     predicates: ["quantity: validity >= 60 day"],\n'
        '     sources: [{page: 1, file_name: rfp.pdf, quote: "valid for 91 days"}]}\n'
    )
    found = checked(tmp_path, rules, "--rfp", tmp_path / "rfp.pdf", "--params", tmp_path / "p.yaml")
    what = [one["what"] for one in found["problems"]]
    assert what[0] == "mandatory is `perhaps`; write yes or no"
    assert what[1].startswith("rule R2: `valid for 91 days` does not stand on rfp.pdf p. 1")
    assert any(one["what"].startswith("rule R2: the text says `90 days`") for one in found["warnings"])


def test_a_missing_mandatory_is_said_to_be_missing(tmp_path: Path) -> None:
    found = checked(tmp_path, "rules:\n  - {id: R1, area: A, clause_ref: x, text: The bid is in English}\n")
    assert [one["what"] for one in found["problems"]] == ["mandatory is missing; write yes or no"]


@pytest.mark.parametrize(
    ("text", "predicate", "doubted"),
    [
        ("Bids are valid for 120 days", Predicate(kind="quantity", value=12.0, unit="month"), True),
        ("Bids are valid for 120 days", Predicate(kind="quantity", value=120.0, unit="month"), True),
        ("Bids are valid for 120 days", Predicate(kind="quantity", value=300.0, unit="kW"), True),
        ("Bids are valid for 120 days", Predicate(kind="quantity", value=120.0, unit="day"), False),
        # No fact, yet the text says it: a warning on what was just derived would be noise.
        ("Training of 3 days for 10 drivers", Predicate(kind="quantity", value=10.0, unit="driver"), False),
        ("A guarantee of one year", Predicate(kind="quantity", value=12.0, unit="month"), False),
    ],
)
def test_an_amount_in_a_unit_that_the_text_does_not_use_is_doubted(
    text: str, predicate: Predicate, doubted: bool
) -> None:
    # Days and months do not convert, so nothing was compared and the rule was called sound.
    rule = Requirement(
        rule_id="R1", area="A", mandatory=True, text=text, clause_ref="",
        predicates=(predicate.model_copy(update={"comparator": ">="}),),
    )  # fmt: skip
    assert any("its predicate `" in said for said in contradictions(rule)) is doubted


@pytest.mark.parametrize(
    ("text", "predicates", "said"),
    [
        ("The warranty must be at least 24 months", "presence: warranty", ["24 months"]),
        ("The warranty is at least 24 months and the response at most 4 hours", "quantity: warranty >= 24 month", ["4 hours"]),
        ("The bidder is certified to ISO 9001:2015 and ISO 14001", "standard: ISO 9001:2015", ["ISO 14001"]),
        ("The power of attorney is dated after 17 September 2026", "presence: power of attorney", ["17 September 2026"]),
        ("The warranty must be at least 24 months", "quantity: warranty >= 2 year", []),
        ("The warranty must be at least 24 months", "quantity: warranty >= 24 month", []),
    ],
)  # fmt: skip
def test_a_figure_of_the_text_that_no_predicate_tests_is_named(
    text: str, predicates: str, said: list[str]
) -> None:
    # A bid with a warranty of 6 months has a warranty, and would pass the rule of 24.
    rule = Requirement(
        rule_id="R1", area="A", mandatory=True, text=text, clause_ref="", predicates=(parse_line(predicates),)
    )
    assert list(contradictions(rule)) == [
        f"the text says `{figure}`, which none of its predicates tests" for figure in said
    ]


def test_a_rule_as_it_is_derived_is_not_doubted() -> None:
    for text in ("Bids are valid for 120 days", "Training of 3 days for 10 drivers", "A guarantee of one year",
                 "The response time is 4 to 8 hours", "The bond of ten (10) percent is valid for 90 days"):  # fmt: skip
        rule = derive(Requirement(rule_id="R1", area="A", mandatory=True, text=text, clause_ref=""))
        assert not any("none of its predicates" in said for said in contradictions(rule))


def test_a_catalog_with_contradictions_is_not_called_sound(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    rule = "  - {id: R1, area: A, mandatory: yes, clause_ref: x, text: Bids are valid for 120 days,\n"
    path.write_text("rules:\n" + rule + '     predicates: ["quantity: bid validity >= 12 month"]}\n')
    result = CliRunner().invoke(app, ["catalog", "check", str(path)])
    assert (result.exit_code, "sound" in result.stdout) == (0, False)
    assert "the text says `120 days`, its predicate `quantity: bid validity >= 12 month`" in result.stdout


def test_status_says_that_it_takes_no_inbox(tmp_path: Path) -> None:
    # `unexpected extra argument` names no way on.
    result = CliRunner().invoke(app, ["status", "inbox", "--warehouse", str(tmp_path)])
    assert isinstance(result.exception, BadInputError)
    assert "status takes no inbox" in str(result.exception)


def test_a_run_says_how_many_reasons_it_does_not_list(capsys: pytest.CaptureFixture[str]) -> None:
    # Twelve reasons without a word read as all of them.
    pack = {
        "pack": "t--b", "bidder_name": "Beta", "gate": "fail", "technical": None, "commercial": None, "pages": 3,
        "pages_readable": 3, "passed": 0, "partial": 0, "failed": 21, "missing": 0, "to_review": 0,
        "gate_reasons": [f"R{number} is not met" for number in range(21)],
    }  # fmt: skip
    tender = {
        "tender": "t",
        "tender_name": "T",
        "catalog": {},
        "packs": [pack],
        "left_out": 0,
        "report": "m.html",
    }
    result = {"tenders": [tender], "problems": [], "failed": [], "computed": [], "fresh": [], "seconds": 1.0}
    print_summary(result)
    said = capsys.readouterr().out
    assert "R11 is not met" in said
    assert "R12 is not met" not in said
    assert "and 9 more reasons; the matrix lists all 21" in said
