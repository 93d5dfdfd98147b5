"""An edited word list of the package makes stale what was made with it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import bidproof
from bidproof import data_files
from bidproof.rows_by_rule import kept_rows
from bidproof.stages import STAGES
from bidproof.staleness import Sources, find_sources, recipe, stage_states
from bidproof.store import Warehouse
from pipelines.execute import run_inbox

PACKAGE = Path(bidproof.__file__).parent
GOOD = "water-meters--good"


def test_every_word_list_of_the_package_is_heeded_by_some_stage() -> None:
    there = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.yaml")}
    pipeline = {
        name for name in there if not name.startswith("evaluation/")
    }  # which plants and measures, no stage
    assert pipeline == {name for stage in STAGES for name in stage.data}


def test_a_word_list_has_one_digest_of_its_bytes() -> None:
    (digest,) = data_files.data_digests(["catalog/lexicon.yaml"]).values()
    assert len(digest) == 64


@pytest.fixture(scope="module")
def done(
    tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]
) -> tuple[Warehouse, Sources]:
    folder = tmp_path_factory.mktemp("data")
    off = {"dense": {"enabled": False}}
    assert (
        run_inbox(
            small_tender(folder), str(folder / "warehouse"), bidder="good", overrides=off, project_root=folder
        ).failed
        == {}
    )
    store = Warehouse(folder / "warehouse")
    return store, find_sources(store, "water-meters", folder, off)


def edited(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    known = data_files._digest
    monkeypatch.setattr(data_files, "_digest", lambda one: "f" * 64 if one == name else known(one))


def stale(done: tuple[Warehouse, Sources], partition: str) -> dict[str, tuple[str, ...]]:
    return {
        one.stage.name: one.reasons
        for one in stage_states(done[0], partition, done[1])
        if one.state == "stale"
    }


@pytest.mark.parametrize(
    ("name", "rfp", "bid"),
    [
        (
            "catalog/lexicon.yaml",
            {"requirements", "catalogs", "consistency"},
            {"candidates", "judgements", "escalations", "objections", "findings"},
        ),
        ("catalog/annotating/annotations.yaml", {"requirements", "catalogs"}, set()),
        ("judging/words.yaml", {"consistency"}, {"judgements", "escalations", "objections", "findings"}),
        (
            "judging/supersessions.yaml",
            {"consistency"},
            {"judgements", "escalations", "objections", "findings"},
        ),
    ],
)
def test_an_edited_word_list_makes_stale_what_was_made_with_it_and_names_itself(
    done: tuple[Warehouse, Sources], monkeypatch: pytest.MonkeyPatch, name: str, rfp: set[str], bid: set[str]
) -> None:
    assert stale(done, "water-meters") == stale(done, GOOD) == {}
    edited(monkeypatch, name)
    for partition, stages in (("water-meters", rfp), (GOOD, bid)):
        assert stale(done, partition) == dict.fromkeys(stages, (f"{name} changed",))


def test_no_row_of_a_verdict_is_kept_over_an_edited_word_list(
    done: tuple[Warehouse, Sources], monkeypatch: pytest.MonkeyPatch
) -> None:
    judging = next(stage for stage in STAGES if stage.name == "judgements")
    store, sources = done
    assert kept_rows(store, recipe(store, judging, GOOD, sources)).rules
    edited(monkeypatch, "judging/words.yaml")
    assert not kept_rows(store, recipe(store, judging, GOOD, sources)).rules
