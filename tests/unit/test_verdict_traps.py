"""Statements that look like an answer and are none, beside honest ones: no trap passes unseen, and honesty pays."""

from __future__ import annotations

import pytest
from trap_bench import Verdict, pairs_of, verdicts_on

# Share of the honest statements that must pass, and of those that must pass without a person being asked. What was
# measured, less two points: no trap is to be avoided by never passing anything.
SETS = {
    "verdict_traps.jsonl": (0.85, 0.66),
    "verdict_traps_more.jsonl": (0.89, 0.79),
    "verdict_traps_third.jsonl": (0.79, 0.61),
    "verdict_traps_fourth.jsonl": (0.87, 0.80),
    "verdict_traps_fifth.jsonl": (0.80, 0.59),
    "verdict_traps_sixth.jsonl": (0.86, 0.57),
    "verdict_traps_seventh.jsonl": (0.87, 0.72),
}


@pytest.fixture(scope="module", params=sorted(SETS))
def judged(request: pytest.FixtureRequest) -> tuple[str, list[Verdict]]:
    return request.param, verdicts_on(pairs_of(request.param))


def test_the_pairs_are_traps_and_honest_statements_in_two_languages(
    judged: tuple[str, list[Verdict]],
) -> None:
    pairs = [verdict.pair for verdict in judged[1]]
    assert len(set(pairs)) == len(pairs) >= 80
    assert 0.3 <= sum(pair.honest for pair in pairs) / len(pairs) <= 0.65
    for language in ("en", "fr"):
        assert {pair.honest for pair in pairs if pair.language == language} == {True, False}


def test_no_trap_passes_without_a_person_being_asked(judged: tuple[str, list[Verdict]]) -> None:
    wrong = [v.line() for v in judged[1] if v.unflagged_pass and not v.pair.honest]
    assert not wrong, "\n".join(wrong)


def test_honest_statements_pass(judged: tuple[str, list[Verdict]]) -> None:
    name, verdicts = judged
    honest = [v for v in verdicts if v.pair.honest]
    lost = "\n".join(v.line() for v in honest if v.status != "Pass")
    passed, clean = SETS[name]
    assert sum(v.status == "Pass" for v in honest) >= passed * len(honest), lost
    assert sum(v.unflagged_pass for v in honest) >= clean * len(honest), lost


def test_few_honest_statements_fail(judged: tuple[str, list[Verdict]]) -> None:
    failed = [v.line() for v in judged[1] if v.pair.honest and v.status == "Fail"]
    assert len(failed) <= 1, "\n".join(failed)
