"""The red team: errors planted in a right pack come out as no Pass that nobody would look at.

A part of the errors of `benchmarks/red_team.yaml`, in two small files of the example; the benchmark plants them all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bidproof.errors import BadInputError, StageError
from bidproof.evaluation import Tools, read_set
from bidproof.evaluation.trust.red_team import KINDS, PlantedError, RedTeam, Result, catch_rates, read_errors
from bidproof.evaluation.trust.red_team.pack import RedPack
from bidproof.params import Params

ROOT = Path(__file__).resolve().parents[2]
ERRORS = ROOT / "benchmarks/red_team.yaml"
FILES = ("01_Cover_and_Administrative.pdf", "05_Certificates_and_Test_Reports.pdf")
CORVANE = "corvane-metering"


class Kept:
    """A cache in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self._kept.get(key)

    def put(self, key: str, content: bytes) -> None:
        self._kept[key] = content


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> RedTeam:
    """The red team on two files of a bidder of the example."""
    labelled = read_set(ROOT / "examples/gold")
    pack = next(one for one in labelled.packs if one.name.endswith(CORVANE))
    documents = tuple(one for one in pack.documents if one.name in FILES)
    rules = {one.requirement.rule_id: one.requirement for one in labelled.items if one.pack == pack.name}
    tools = Tools(Params(), None, Kept(), None, tmp_path_factory.mktemp("texts"))
    small = RedPack.read(pack.model_copy(update={"documents": documents}), rules, tools)
    return RedTeam({CORVANE: small}, tmp_path_factory.mktemp("printed"))


def error(kind: str, rule: str, **how: object) -> PlantedError:
    return PlantedError.model_validate({"kind": kind, "bidder": CORVANE, "rule": rule, **how})


CASES = [
    error("wrong number", "A03", swap={"EUR 7,500,000": "EUR 3,500,000"}),
    error("wrong unit", "A03", swap={"EUR 7,500,000": "JPY 7,500,000"}),
    error("negated", "T06", swap={"We provide a test report": "We cannot provide a test report"}),
    error("echoed", "T06", echo="rule"),
    error("forged quote", "A03", quote="The limit of our insurance is EUR 9,000,000 per occurrence.", route="judgement"),
    error("forged quote", "A03", quote="The limit of our insurance is EUR 9,000,000 per occurrence.", route="model"),
    error("swapped id", "SV1", of="A03", route="judgement"),
    error("wrong page", "T06", page=2, route="judgement"),
    error("wrong page", "T06", page=2, route="model"),
    error("hidden text", "A03", hide="white"),
    error("blank form", "A03", blank=["EUR 7,500,000"]),
    error("superseded edition", "R21", swap={"ISO 9001:2015": "ISO 9001:2008"}),
    error("superseded edition", "A03", later={"EUR 7,500,000": "EUR 3,500,000"}),
    error("contradiction", "A03", beside="The general liability insurance has a limit of EUR 2,000,000 per occurrence."),
    error(
        "negated", "T06", language="fr",
        right="Nous fournissons les rapports d'essai d'un laboratoire indépendant pour chaque classe de compteur.",
        say="Nous ne fournissons pas les rapports d'essai d'un laboratoire indépendant pour chaque classe de compteur.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    "planted", CASES, ids=lambda one: f"{one.kind} {one.rule} {one.route or one.language}"
)
def test_a_planted_error_comes_out_as_no_pass_that_nobody_looks_at(
    team: RedTeam, planted: PlantedError
) -> None:
    result = team.result(planted)
    assert result.control, "the right statement in the same place is no Pass by itself"
    assert not result.missed, result.line


def test_every_kind_of_error_is_tried_here_and_in_the_benchmark() -> None:
    listed = read_errors(ERRORS)
    assert {one.kind for one in CASES} == set(KINDS)
    assert len(listed) >= 60
    counts = {kind: sum(one.kind == kind for one in listed) for kind in KINDS}
    assert min(counts.values()) >= 5
    assert sum(one.language == "fr" for one in listed) >= 15


def test_an_error_whose_words_do_not_stand_in_the_pack_is_no_error(team: RedTeam) -> None:
    with pytest.raises(StageError, match="stands nowhere"):
        team.result(error("wrong number", "A03", swap={"EUR 8,500,000": "EUR 1"}))


def test_a_pass_that_nobody_looks_at_is_a_miss_and_a_flagged_one_is_not() -> None:
    made = {"error": CASES[0], "why": "", "quote": "", "control": True}
    missed = Result(status="Pass", needs_review=False, **made)
    flagged = Result(status="Pass", needs_review=True, **made)
    failed = Result(status="Fail", needs_review=False, **made)
    assert [one.missed for one in (missed, flagged, failed)] == [True, False, False]
    rates = catch_rates([missed, flagged, failed])
    assert rates["all"].value == pytest.approx(2 / 3, abs=1e-6)
    assert list(rates) == ["wrong number", "all"]


def test_an_error_of_an_unknown_kind_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "errors.yaml").write_text("- {kind: typo, bidder: a, rule: R1}\n", encoding="utf-8")
    with pytest.raises(BadInputError, match="error 1"):
        read_errors(tmp_path / "errors.yaml")
