"""A replay foretells what a run would write, from the warehouse alone, and leaves the warehouse as it is."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bidproof.catalog import requirements_from_table
from bidproof.cli.app import run_app
from bidproof.evaluation.replay import UNKNOWN, Grid, Replay, Tools, chosen_packs, sweep, totals
from bidproof.evaluation.replay.pack_at import PackAt
from bidproof.evaluation.replay.recomputing import BY_RULE, WHOLE
from bidproof.evaluation.replay.stored import CHAIN, READING, StoredPack
from bidproof.judging import judge_pack
from bidproof.params import Params, resolve
from bidproof.records import Judgement, Status
from bidproof.stages import BY_NAME
from bidproof.store import Warehouse
from pipelines.execute import run_inbox

OFF = {"dense": {"enabled": False}}
GOOD, BAD = "water-meters--good", "water-meters--bad"
SHORT = {"chunking": {"target_tokens": 20, "max_tokens": 40, "span_tokens": 10, "overlap": 0.2}}
NO_QUOTE = {"verification": {"min_quote_chars": 500}}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]) -> Path:
    """A folder in which the small tender was run: inbox and warehouse."""
    folder = tmp_path_factory.mktemp("replay")
    report = run_inbox(small_tender(folder), str(folder / "warehouse"), overrides=OFF, project_root=folder)
    assert report.failed == {}
    return folder


@pytest.fixture
def warehouse(done: Path) -> Warehouse:
    return Warehouse(done / "warehouse")


@pytest.fixture
def copy(done: Path, tmp_path: Path) -> Warehouse:
    """A warehouse that a test may change."""
    shutil.copytree(done / "warehouse", tmp_path / "warehouse", ignore=shutil.ignore_patterns(".dagster"))
    return Warehouse(tmp_path / "warehouse")


def replayed(store: Warehouse, layer: dict[str, Any], pack: str | None = None) -> dict[str, Any]:
    found = Replay(store, chosen_packs(store, None, pack), Tools()).at(layer)
    return {one.pack: one for one in found}


def contents(store: Warehouse) -> dict[str, str]:
    """Digest of every file of a warehouse but those of its cache and of run records."""
    root = Path(store.root)
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in ("cache", ".dagster")
    }


def bidproof(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    monkeypatch.setattr("sys.argv", ["bidproof", *words])
    with pytest.raises(SystemExit) as end:
        run_app()
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


# Rows


def test_each_stage_worked_out_by_a_replay_has_the_rows_of_the_run(warehouse: Warehouse) -> None:
    worked_out = {*WHOLE, *BY_RULE}
    assert {stage.name for stage in CHAIN} - READING == worked_out, "a new stage must be replayed too"
    for pack in (GOOD, BAD):
        stored = StoredPack(warehouse, pack)
        assert stored.lacks == ""
        assert {name for name in stored.stale if name in worked_out} == set()
        stored.stale = dict.fromkeys(worked_out, ("forced",))
        at = PackAt(stored, stored.base, Tools())
        for name in sorted(worked_out - {"requirements"}):
            assert at.token(name) == stored.manifests[name].content, f"{pack}: {name}"
        assert set(at.computed) == worked_out - {"requirements"}


@pytest.mark.parametrize(
    "layer",
    [{"selection": {"k": 1, "k_step": 0}}, {"retrieval": {"fusion": "ranks", "bm25_top": 2}}, SHORT, NO_QUOTE],
    ids=["k", "fusion", "chunks", "quotes"],
)  # fmt: skip
def test_a_replay_foretells_the_rows_that_a_run_then_writes(
    copy: Warehouse, done: Path, layer: dict[str, Any]
) -> None:
    replay = Replay(copy, [BAD, GOOD], Tools())
    replay.at(layer)
    foretold = {stored.pack: replay.tables(stored, layer)[1] for stored in replay.packs}
    frames = {
        (pack, name): at[name] for pack, at in foretold.items() for name in (*BY_RULE, "chunks", "scores")
    }
    report = run_inbox(done / "inbox", copy.url, overrides={**OFF, **layer}, project_root=done)
    assert report.failed == {}
    for (pack, name), frame in frames.items():
        assert frame.equals(copy.read(name, pack), null_equal=True), f"{pack}: {name}"


def test_nothing_but_the_cache_is_written(warehouse: Warehouse) -> None:
    before = contents(warehouse)
    assert any(name.startswith("manifests/findings/") for name in before)
    for layer in ({"selection": {"k": 1}}, SHORT, NO_QUOTE):
        replayed(warehouse, layer)
    assert contents(warehouse) == before


def test_stages_before_the_first_that_heeds_a_knob_are_read_not_worked_out(warehouse: Warehouse) -> None:
    assert replayed(warehouse, {"selection": {"k": 3}})[GOOD].recomputed == (), "three is what it was"
    assert replayed(warehouse, {"selection": {"k": 1, "k_step": 0}})[GOOD].recomputed[0] == "passages"
    assert replayed(warehouse, NO_QUOTE)[GOOD].recomputed == (
        "judgements",
        "escalations",
        "objections",
        "findings",
        "reviews",
        "scores",
    )
    assert replayed(warehouse, {"scoring": {"partial_points": 0.4}})[GOOD].recomputed == ("scores",)
    assert replayed(warehouse, SHORT)[GOOD].recomputed[:2] == ("rfp_chunks", "chunks")


# What is said


def test_fewer_passages_are_named_with_their_tokens(warehouse: Warehouse) -> None:
    rules = {
        rule.rule_id: rule for rule in replayed(warehouse, {"selection": {"k": 1, "k_step": 0}})[GOOD].rules
    }
    chunks, passages = warehouse.read("chunks", GOOD), warehouse.read("passages", GOOD)
    for rule_id, rule in rules.items():
        own = passages.filter(pl.col("rule_id") == rule_id).sort("order_no")
        dropped = [one.chunk_id for one in rule.passages_dropped]
        assert dropped == own["chunk_id"].to_list()[1:]
        assert rule.passages_added == ()
        tokens = own.join(chunks.select("chunk_id", "tokens"), "chunk_id", maintain_order="left")["tokens"]
        assert (rule.tokens_before, rule.tokens_after) == (tokens.sum(), tokens[0])
        assert (rule.words_kept < 1) == bool(dropped)
        assert (rule.candidates_added, rule.candidates_dropped, rule.candidates_moved) == ((), (), ())


def test_verdicts_that_lose_their_proof_flip_and_the_gate_falls(warehouse: Warehouse) -> None:
    found = replayed(warehouse, NO_QUOTE)
    good = found[GOOD]
    assert {(rule.verdict_before, rule.verdict_after) for rule in good.rules} == {("Pass", "Missing")}
    assert all(rule.flip for rule in good.rules)
    assert (good.before.gate, good.after.gate) == ("pass", "fail")
    total = totals(list(found.values()))
    assert total.flips_by == {"Fail > Missing": 2, "Pass > Missing": 6}
    assert (total.flips, total.flips_to_pass, total.flips_from_pass, total.gates_changed) == (8, 0, 6, 1)


def test_candidates_that_change_places_are_told_apart_from_those_that_come_and_go(
    warehouse: Warehouse,
) -> None:
    layer = {
        "retrieval": {"bm25_top": 1, "tag_top": 1, "clause_top": 1, "relevance_top": 0, "language_top": 0}
    }
    rules = replayed(warehouse, layer)[GOOD].rules
    before = warehouse.read("candidates", GOOD)
    for rule in rules:
        assert rule.candidates_added == ()
        own = before.filter(pl.col("rule_id") == rule.rule_id)
        left = set(own["chunk_id"]) - {one.chunk_id for one in rule.candidates_dropped}
        assert (rule.candidates_before, rule.candidates_after) == (own.height, len(left))
        for one in rule.candidates_moved:
            assert one.chunk_id in left
            assert one.before == own.filter(pl.col("chunk_id") == one.chunk_id)["rank"][0] != one.after
    assert any(rule.candidates_dropped for rule in rules)


def test_chunks_cut_elsewhere_are_known_by_what_they_say_not_by_their_number(warehouse: Warehouse) -> None:
    for rule in replayed(warehouse, {"chunking": {"overlap": 0.0}})[GOOD].rules:
        assert (rule.candidates_added, rule.candidates_dropped, rule.words_kept) == ((), (), 1.0), (
            "no chunk is so long"
        )


def test_a_setting_that_stops_a_run_is_an_error_of_its_row_alone(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "sweep.csv"
    code, said, _ = bidproof(
        capsys, monkeypatch, "replay", "--grid", "chunking.max_tokens=240,100", "--grid", "selection.k=1,3",
        "--set", "selection.k_step=0", "--out", str(out), "--warehouse", str(done / "warehouse"),
    )  # fmt: skip
    assert code == 0
    table = pl.read_csv(out)
    assert table.select("chunking.max_tokens", "selection.k").rows() == [
        (240, 1),
        (240, 3),
        (100, 1),
        (100, 3),
    ]
    assert (table["error"].fill_null("") != "").to_list() == [False, False, True, True]
    assert table["tokens"][0] < table["tokens"][1]
    assert "target_tokens must not exceed max_tokens" in said


def test_a_sweep_counts_gold_that_passages_keep_and_passes_that_labels_call_wrong(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "water-meters"
    folder.mkdir()
    shutil.copy(done / "inbox/water-meters/bids/good/offer.pdf", folder)
    lines = [
        {"id": "V1", "text": "Validity", "verdict": "Pass", "evidence": [{"file": "offer.pdf", "page": 1, "snippet": "150 calendar days"}]},
        {"id": "C1", "text": "Warranty", "verdict": "Fail", "evidence": [{"file": "offer.pdf", "page": 1, "snippet": "warranty of 48 months"}]},
    ]  # fmt: skip
    (folder / "good.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "sweep.parquet"
    code, _, said = bidproof(
        capsys, monkeypatch, "replay", "--grid", "verification.min_quote_chars=12,500", "--gold", str(folder),
        "--out", str(out), "--warehouse", str(done / "warehouse"),
    )  # fmt: skip
    assert code == 0, said
    rows = pl.read_parquet(out).to_dicts()
    wanted = ("evidence_spans", "evidence_kept", "labelled_verdicts", "right_verdicts", "wrong_passes")
    assert [rows[0][name] for name in wanted] == [2, 1.0, 2, 1, 1]
    assert [rows[1][name] for name in wanted] == [2, 1.0, 2, 0, 0]
    assert (rows[0]["flips"], rows[1]["flips"], rows[1]["pass_to_missing"]) == (0, 8, 6)


def test_the_json_of_a_replay_has_packs_rules_and_totals(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "replay.json"
    words = ("replay", "--set", "selection.k=1", "--pack", "good", "--json", str(out))
    code, said, _ = bidproof(capsys, monkeypatch, *words, "--warehouse", str(done / "warehouse"))
    assert (code, "Total" in said) == (0, True)
    found = json.loads(out.read_text(encoding="utf-8"))
    assert [pack["pack"] for pack in found["packs"]] == [GOOD]
    assert found["packs"][0]["settings"] == {"selection.k": [3, 1]}
    assert [rule["rule_id"] for rule in found["packs"][0]["rules"]] == ["C1", "T1", "V1", "V2"]
    assert found["total"]["rules"] == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "selection.kk=4"), "--set: parameter selection.kk: extra inputs are not permitted"),
        (("--set", "selection.k=99"), "--set: parameter selection.k: input should be less than or equal to 20"),
        (("--set", "documents.ocr_dpi=300"), "documents.ocr_dpi: changes how files are read"),
        (("--set", "judging.judge=openai"), "judging.judge: changes who judges, and replay asks nobody"),
        ((), "nothing is to change"),
        (("--set", "selection.k=1", "--pack", "nobody"), "nobody: no such pack in the warehouse"),
        (("--set", "selection.k=1", "--tender", "none"), "none: no such tender in the warehouse"),
        (("--grid", "selection.k=1,2", "--sort", "nosuch"), "--sort: there is no column nosuch"),
        (("--set", "selection.k=1", "--out", "x.csv"), "--out: is the table of a grid"),
        (("--grid", "selection.k=1", "--out", "x.txt"), "x.txt: unknown kind of table"),
    ],
)  # fmt: skip
def test_what_cannot_be_replayed_is_refused_in_one_line(
    done: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    said: str,
) -> None:
    code, out, err = bidproof(capsys, monkeypatch, "replay", *words, "--warehouse", str(done / "warehouse"))
    last = err.strip().splitlines()[-1]
    assert (code, out) == (2, "")
    assert said in last
    assert last.startswith("bidproof: ")


def test_a_sweep_that_is_stopped_has_kept_the_rows_so_far(warehouse: Warehouse) -> None:
    kept: list[pl.DataFrame] = []

    def stop_after_two(table: pl.DataFrame) -> None:
        kept.append(table)
        if len(kept) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(Replay(warehouse, [GOOD], Tools()), Grid({"selection.k": [1, 2, 3]}), keep=stop_after_two)
    assert [table["selection.k"].to_list() for table in kept] == [[1], [1, 2]]


def test_mined_rules_follow_the_knobs_of_mining(small_tender: Callable[[Path], Path], tmp_path: Path) -> None:
    inbox = small_tender(tmp_path)
    (inbox / "water-meters" / "catalog.yaml").unlink()
    shutil.rmtree(inbox / "water-meters" / "bids" / "bad")
    folder = str(tmp_path / "warehouse")
    assert run_inbox(inbox, folder, overrides=OFF, project_root=tmp_path).failed == {}
    store, layer = Warehouse(folder), {"catalog": {"min_rule_words": 11}}
    found = replayed(store, layer)[GOOD]
    gone = {rule.rule_id for rule in found.rules if rule.verdict_after == "none"}
    assert (gone != set(), "requirements" in found.recomputed) == (True, True)
    assert run_inbox(inbox, folder, overrides={**OFF, **layer}, project_root=tmp_path).failed == {}
    left = dict(store.read("findings", GOOD).select("rule_id", "status").iter_rows())
    assert {rule.rule_id: rule.verdict_after for rule in found.rules if rule.rule_id not in gone} == left


# Warehouses that are not as a run leaves them


def test_a_pack_without_verdicts_is_skipped_with_the_reason(copy: Warehouse) -> None:
    (Path(copy.root) / "manifests" / "findings" / f"{BAD}.json").unlink()
    found = replayed(copy, {"selection": {"k": 1}})
    assert (found[BAD].skipped, found[BAD].rules) == ("findings was never computed; run `bidproof run`", ())
    assert found[GOOD].skipped == ""
    assert totals(list(found.values())).skipped == 1


def test_a_stage_of_an_older_version_is_worked_out_on_both_sides_so_that_only_the_knob_shows(
    copy: Warehouse,
) -> None:
    old = copy.manifest("findings", GOOD)
    rows = copy.rows_of(old).with_columns(pl.lit("Fail").alias("status"))
    content = copy.stage_rows("findings", GOOD, "0" * 16, rows)
    copy.commit(replace(old, code="0", fingerprint="0" * 16, content=content))
    found = replayed(copy, {"selection": {"k": 1}})[GOOD]
    assert {rule.verdict_before for rule in found.rules} == {"Pass"}
    assert any(note.startswith("findings is stale (code version 0 -> ") for note in found.notes)


class Model:
    """A model that passes every rule on its first passage."""

    name, model = "llama", "small"

    def judge(self, requirement: Any, passages: Any, rfp: Any, weights: Any = None) -> Judgement:
        said = [
            one
            for one in passages
            if any(fact.kind in ("days", "percent", "duration", "standard") for fact in one.facts)
        ]
        first = (said or list(passages))[0]
        return Judgement(
            rule_id=requirement.rule_id, status=Status.PASS, rationale="said", quote=first.body, chunk_id=first.chunk_id,
            pages=(first.page,),
        )  # fmt: skip


def test_where_a_model_judged_only_prompts_that_it_has_answered_have_a_verdict(copy: Warehouse) -> None:
    old, rules = (
        copy.manifest("judgements", GOOD),
        requirements_from_table(copy.read("requirements", "water-meters")),
    )
    rows = judge_pack(
        rules, copy.read("passages", GOOD), copy.read("chunks", GOOD), copy.read("facts", GOOD),
        copy.read("chunks", "water-meters"), Params(), Model(), candidates=copy.read("candidates", GOOD),
        catalog_version=rows_version(copy),
    )  # fmt: skip
    copy.commit(
        replace(old, fingerprint="1" * 16, content=copy.stage_rows("judgements", GOOD, "1" * 16, rows))
    )
    same = replayed(copy, {"scoring": {"partial_points": 0.4}})[GOOD]
    assert [rule.unknown for rule in same.rules] == [False] * 4
    fewer = replayed(copy, {"selection": {"k": 1, "k_step": 0}})[GOOD]
    for rule in fewer.rules:
        expected = UNKNOWN if rule.passages_dropped else rule.verdict_before
        assert (rule.verdict_after, rule.flip) == (expected, False)
    assert any(rule.unknown for rule in fewer.rules)
    assert (fewer.after.gate, fewer.after.overall) == (UNKNOWN, None)


def test_a_pack_whose_model_has_answered_nothing_is_not_asked_about(copy: Warehouse) -> None:
    old = copy.manifest("judgements", GOOD)
    named = resolve([("test", {"judging": {"judge": "openai"}})]).groups(BY_NAME["judgements"].params)
    copy.commit(replace(old, params=named))
    found = replayed(copy, {"selection": {"k": 1, "k_step": 0}})[GOOD]
    assert [rule.unknown for rule in found.rules] == [bool(rule.passages_dropped) for rule in found.rules]
    assert any(rule.unknown for rule in found.rules)


def rows_version(store: Warehouse) -> str:
    return str(store.read("requirements", "water-meters")["catalog_version"][0])
