"""`bidproof catalog`: mine, check, accept, diff and convert, as people and scripts use them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pdf_builder import Pdf
from typer.testing import CliRunner

from bidproof.catalog.formats.files import load_catalog
from bidproof.cli.app import app
from bidproof.errors import BadInputError, CatalogError

SENTENCES = [
    "The bidder shall submit a bid security of at least 2% of the total bid price.",
    "The bidder must be certified to ISO 9001:2015.",
    "The bid shall remain valid for at least 90 days.",
    "The Employer shall pay each invoice within 30 days.",
]
RULES = "rules:\n  - {id: R1, area: A, mandatory: yes, text: Bids are valid for 90 days}\n"


def call(*words: object) -> tuple[int, str]:
    """Exit code and standard output; a refusal is raised."""
    result = CliRunner().invoke(app, ["catalog", *map(str, words)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


@pytest.fixture(scope="module")
def rfp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rfp")
    pdf = Pdf().page().text(72, 60, "3 Submission of bids", size=16, bold=True)
    pdf.lines(SENTENCES, step=30).document.save(folder / "tender.pdf")
    (folder / "params.yaml").write_text("documents: {workers: 1}\n")
    return folder / "tender.pdf"


@pytest.fixture(scope="module")
def mined(rfp: Path) -> Path:
    target = rfp.parent / "catalog.yaml"
    code, said = call(
        "mine", rfp, "-o", target, "--html", rfp.parent / "page.html", "--json", rfp.parent / "mine.json",
        "--title", "Meters", "--on", "2026-11-30", "--params", rfp.parent / "params.yaml", "--left-out",
    )  # fmt: skip
    assert code == 0
    assert f"{target}: DRAFT, 3 rules, 3 mandatory, 0 scored; 1 statements left out" in said
    assert "left out: tender.pdf p. 1 (a duty of the buyer): The Employer shall pay each invoice" in said
    return target


def test_a_mined_catalog_is_a_draft_that_says_what_it_was_made_of(mined: Path, rfp: Path) -> None:
    catalog = load_catalog(mined)
    assert (catalog.status, catalog.title, catalog.rfp, catalog.created) == (
        "draft", "Meters", "tender.pdf", "2026-11-30",
    )  # fmt: skip
    assert len(catalog.rfp_sha256) == 64
    assert catalog.version
    assert [rule.sources[0].quote for rule in catalog.rules] == SENTENCES[:3]
    assert {(s.file_name, s.page) for rule in catalog.rules for s in rule.sources} == {("tender.pdf", 1)}
    quantities = [p for rule in catalog.rules for p in rule.predicates if p.kind == "quantity"]
    assert [(p.comparator, p.value, p.unit) for p in quantities] == [
        (">=", 2.0, "percent"),
        (">=", 90.0, "day"),
    ]
    report = json.loads((rfp.parent / "mine.json").read_text())
    assert (report["rules"], report["mandatory"], len(report["left_out"])) == (3, 3, 1)
    assert report["left_out"][0]["why"] == "a duty of the buyer"


def test_mining_again_gives_the_same_bytes_and_never_writes_over_a_persons_work(
    mined: Path, rfp: Path
) -> None:
    before = mined.read_bytes()
    again = ("mine", rfp, "-o", mined, "--title", "Meters", "--params", rfp.parent / "params.yaml")
    assert call(*again, "--on", "2026-11-30")[0] == 0
    assert mined.read_bytes() == before
    edited = rfp.parent / "edited.yaml"
    edited.write_bytes(before.replace(b"at least 90 days", b"at least 60 days"))
    with pytest.raises(BadInputError, match="is there already and is no untouched draft"):
        call("mine", rfp, "-o", edited)
    edited.write_bytes(before + b"# ask the buyer about lot 2\n")
    with pytest.raises(BadInputError, match="is there already and is no untouched draft"):
        call("mine", rfp, "-o", edited)


def test_check_finds_the_words_of_a_mined_catalog_on_their_pages(mined: Path, rfp: Path) -> None:
    params = ("--params", rfp.parent / "params.yaml")
    code, said = call("check", mined, "--rfp", rfp, *params)
    assert (code, said.splitlines()[-1]) == (
        0,
        f"{mined}: DRAFT, 3 rules, 3 mandatory; 0 problems, 0 warnings",
    )
    astray = rfp.parent / "astray.yaml"
    astray.write_text(
        mined.read_text().replace('quote: "The bidder must be certified', 'quote: "The vendor is certified')
    )
    code, said = call("check", astray, "--rfp", rfp, *params)
    assert code == 2
    assert "does not stand on tender.pdf p. 1, nor on any other page of the RFP" in said


def test_check_names_every_problem_and_ends_with_two(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(RULES + "  - {id: R1, mandatory: maybe, text: ''}\n  - {id: R3, mandatory: no, txt: x}\n")
    code, said = call("check", path, "--json", tmp_path / "c.json")
    assert code == 2
    assert said.splitlines() == [
        "c.yaml:line 3: rule R1 has no text",
        "c.yaml:line 3: mandatory is `maybe`; write yes or no",
        "c.yaml:line 4: unknown field `txt`; did you mean `text`?",
        "c.yaml:line 4: rule R3 has no text",
        f"{path}: 4 problems, 0 warnings",
    ]
    report = json.loads((tmp_path / "c.json").read_text())
    assert (report["ok"], report["problems"][1]) == (
        False,
        {"where": "line 3", "what": "mandatory is `maybe`; write yes or no"},
    )


def test_check_warns_and_still_ends_with_nought(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        RULES
        + "    \n".join(["", ""])
        + "  - id: R2\n    mandatory: yes\n    text: Bids are valid for 90 days\n    predicates: ['quantity: validity >= 60 days']\n"
    )
    code, said = call("check", path)
    assert code == 0
    assert "warning: rule R2 says the same as R1 (line 2)" in said
    assert "warning: rule R2: the text says `90 days`, its predicate `quantity: validity >= 60 day`" in said


def test_accepting_is_a_persons_act_and_leaves_the_rest_of_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("# my own note\nstatus: draft\ntitle: Meters\n" + RULES + "  # a note below\n")
    code, said = call("accept", path, "--by", "Ana Díaz", "--on", "2026-12-01")
    assert code == 0
    assert "accepted by Ana Díaz on 2026-12-01, version " in said
    catalog = load_catalog(path)
    assert (catalog.status, catalog.accepted_by, catalog.accepted_on) == (
        "accepted",
        "Ana Díaz",
        "2026-12-01",
    )
    text = path.read_text()
    assert text.startswith("# my own note\ntitle: Meters\n# STATUS: accepted by Ana Díaz on 2026-12-01")
    assert text.endswith(RULES + "  # a note below\n")
    with pytest.raises(BadInputError, match="is accepted already by Ana Díaz on 2026-12-01"):
        call("accept", path, "--by", "Bo Li")


def test_an_edit_after_acceptance_is_noticed_and_can_be_accepted_anew(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("status: draft\n" + RULES)
    call("accept", path, "--by", "Ana", "--on", "2026-12-01")
    path.write_text(path.read_text().replace("90 days", "120 days"))
    code, said = call("check", path)
    assert code == 0
    assert "was edited after version" in said
    assert "accepted by Ana; accept it again" in said
    assert call("accept", path, "--by", "Bo Li", "--on", "2026-12-02")[0] == 0
    assert load_catalog(path).accepted_by == "Bo Li"
    assert "0 warnings" in call("check", path)[1]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".json"])
def test_a_catalog_of_any_format_can_be_accepted(tmp_path: Path, mined: Path, suffix: str) -> None:
    path = tmp_path / f"c{suffix}"
    assert call("convert", mined, "-o", path)[0] == 0
    call("accept", path, "--by", "Ana", "--on", "2026-12-01")
    back = load_catalog(path)
    assert (back.status, back.accepted_by, back.rules) == ("accepted", "Ana", load_catalog(mined).rules)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--by", "  "), "--by: is empty"),
        (("--by", "Ana", "--on", "tomorrow"), "`tomorrow` is no date"),
        (("--by", "Ana", "-o", "c.txt"), "a catalog cannot be written as .txt"),
    ],
)
def test_an_act_without_name_or_date_is_refused(tmp_path: Path, words: tuple[str, ...], fault: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(RULES)
    with pytest.raises(BadInputError, match=re.escape(fault)):
        call("accept", path, *words)


def test_a_catalog_with_problems_cannot_be_accepted(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(RULES.replace("yes", "perhaps"))
    with pytest.raises(CatalogError, match="mandatory is `perhaps`"):
        call("accept", path, "--by", "Ana")


def test_the_difference_of_two_files_is_told_field_by_field(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(RULES + "  - {id: R2, mandatory: no, text: Forms are signed in ink}\n")
    (tmp_path / "b.yaml").write_text(
        RULES.replace("90", "120") + "  - {id: R3, mandatory: no, text: Samples of each meter are enclosed}\n"
    )
    code, said = call("diff", tmp_path / "a.yaml", tmp_path / "b.yaml", "--json", tmp_path / "d.json")
    assert code == 0
    assert "1 added, 1 dropped, 1 changed" in said
    assert "+ added  R3 o  Samples of each meter are enclosed" in said
    assert "- dropped  R2 o  Forms are signed in ink" in said
    assert "text: Bids are valid for 90 days -> Bids are valid for 120 days" in said
    assert json.loads((tmp_path / "d.json").read_text())["counts"]["changed"] == 1


def test_an_rfp_without_rules_or_without_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such file"):
        call("mine", tmp_path / "none.pdf", "-o", tmp_path / "c.yaml")
    with pytest.raises(BadInputError, match=r"a catalog cannot be written as [.]pdf"):
        call("mine", tmp_path / "none.pdf", "-o", tmp_path / "c.pdf")
    Pdf().page().lines(["A photograph of the river at dawn."]).document.save(tmp_path / "poem.pdf")
    (tmp_path / "p.yaml").write_text("documents: {workers: 1}\n")
    with pytest.raises(BadInputError, match="no rules found"):
        call("mine", tmp_path / "poem.pdf", "-o", tmp_path / "c.yaml", "--params", tmp_path / "p.yaml")
    assert not (tmp_path / "c.yaml").exists()


def test_foreign_text_cannot_command_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        'rules:\n  - {id: "R\\u001b[2J", mandatory: "may\\u001b]0;x\\u0007be", text: two words, "a\\u001b[1m": b}\n'
    )
    code, said = call("check", path)
    assert code == 2
    assert "\x1b" not in said
    with pytest.raises(CatalogError) as caught:
        load_catalog(path)
    assert "\x1b" not in str(caught.value)


def test_a_catalog_bears_the_name_of_the_rfp_and_not_of_its_addendum(tmp_path: Path) -> None:
    # `addendum-1` sorts before `tender`, and would name no tender.
    for name, lines in (
        ("tender.pdf", SENTENCES),
        ("addendum-1.pdf", ["Addendum 1", "Clause 9.9 is deleted."]),
    ):
        Pdf().page().lines(lines, step=30).document.save(tmp_path / name)
    (tmp_path / "params.txt").write_text("documents: {workers: 1}\n")
    code, _ = call(
        "mine", tmp_path / "tender.pdf", tmp_path / "addendum-1.pdf", "-o", tmp_path / "c.yaml",
        "--params", tmp_path / "params.txt",
    )  # fmt: skip
    assert (code, load_catalog(tmp_path / "c.yaml").title) == (0, "tender")


def test_converting_and_accepting_elsewhere_never_write_over_another_file_unasked(tmp_path: Path) -> None:
    source, target = tmp_path / "c.yaml", tmp_path / "work.csv"
    source.write_text(RULES)
    target.write_text("a week of remarks")
    for words in (("convert", source, "-o", target), ("accept", source, "--by", "Ana", "-o", target)):
        with pytest.raises(BadInputError, match="is there already"):
            call(*words)
        assert target.read_text() == "a week of remarks"
    assert call("convert", source, "-o", target, "--force")[0] == 0
    assert load_catalog(target).rules == load_catalog(source).rules
    assert call("accept", source, "--by", "Ana", "-o", target, "--force")[0] == 0
    assert load_catalog(target).accepted_by == "Ana"


def test_a_page_to_read_is_not_written_over_either(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(RULES)
    (tmp_path / "page.html").write_text("mine")
    with pytest.raises(BadInputError, match="is there already"):
        call("convert", tmp_path / "c.yaml", "-o", tmp_path / "page.html")


def test_comments_stay_where_the_status_stands_after_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("# my own note\n" + RULES + "  # a note below\nauthor: Li\nstatus: draft")
    call("accept", path, "--by", "Ana", "--on", "2026-12-01")
    text = path.read_text()
    assert text.startswith("# my own note\n# STATUS: accepted by Ana on 2026-12-01")
    assert text.endswith(RULES + "  # a note below\nauthor: Li\n")
    assert (load_catalog(path).status, load_catalog(path).author) == ("accepted", "Li")


def test_a_file_that_must_be_written_anew_says_that_its_comments_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("# my own note\n{rules: [{id: R1, area: A, mandatory: yes, text: Bids are valid}]}\n")
    _, said = call("accept", path, "--by", "Ana", "--on", "2026-12-01")
    assert "written anew, so that your own comments are not in it" in said
    assert load_catalog(path).accepted_by == "Ana"
