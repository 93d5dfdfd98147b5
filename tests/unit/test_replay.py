"""Parameters, words and answers that a replay compares, without a warehouse."""

from __future__ import annotations

import polars as pl
import pytest

from bidproof.catalog import derive
from bidproof.cli.evaluate import settings
from bidproof.cli.replay_tables import print_replay, total_lines
from bidproof.cli.replaying import grid_values
from bidproof.errors import BadInputError
from bidproof.evaluation.replay.answers import RecordedJudge, asked_a_model
from bidproof.evaluation.replay.differences import compare_rules, share_kept
from bidproof.evaluation.replay.parameters import base_of, changed_knobs, overlaid, refuse_reading
from bidproof.evaluation.replay.replaying import PackReplay, totals
from bidproof.evaluation.replay.sweeping import COLUMNS, Grid, in_order, sweep, table_bytes
from bidproof.facts import facts_table
from bidproof.judging import judge_pack
from bidproof.params import Params, resolve
from bidproof.records import Judgement, Requirement, Status
from bidproof.store import Manifest
from bidproof.tables import CANDIDATES, CHUNKS, FINDINGS, JUDGEMENTS, PASSAGES, REQUIREMENTS


def made_with(**params) -> Manifest:
    return Manifest("passages", "t--b", "passages", "f", "c", 0, "1", {}, params)


# Parameters


def test_parameters_come_from_what_made_the_tables_not_from_files_that_changed_since():
    base = base_of([made_with(selection={"k": 5}), made_with(dense={"enabled": False})])
    assert (base.selection.k, base.dense.enabled, base.retrieval.alpha) == (
        5,
        False,
        Params().retrieval.alpha,
    )


def test_of_two_tables_that_differ_the_earlier_stage_says_the_parameters():
    base = base_of([made_with(chunking={"overlap": 0.2}), made_with(chunking={"overlap": 0.5})])
    assert base.chunking.overlap == 0.2


def test_a_knob_that_an_older_version_had_and_what_a_manifest_adds_are_left_out():
    base = base_of(
        [made_with(documents={"ocr_dpi": 150, "recognition_data": ["eng"], "gone": 1}, old={"x": 1})]
    )
    assert base.documents.ocr_dpi == 150


def test_a_profile_set_over_a_warehouse_brings_its_own_sizes():
    large = overlaid(Params(), {"chunking": {"profile": "large"}})
    assert large.chunking == resolve([("x", {"chunking": {"profile": "large"}})]).chunking
    assert large.chunking.target_tokens == 800


def test_sizes_that_were_set_one_by_one_stay_under_another_profile():
    base = resolve([("x", {"chunking": {"target_tokens": 150}})])
    assert overlaid(base, {"chunking": {"profile": "large"}}).chunking.target_tokens == 150


def test_values_are_checked_beside_those_of_the_warehouse():
    base = resolve([("x", {"chunking": {"target_tokens": 100}})])
    small = {"chunking": {"max_tokens": 150, "span_tokens": 50}}
    assert overlaid(base, small).chunking.max_tokens == 150
    with pytest.raises(BadInputError, match="target_tokens must not exceed max_tokens"):
        overlaid(Params(), small)


def test_changed_knobs_are_named_with_both_values():
    new = overlaid(Params(), {"selection": {"k": 4}, "dense": {"enabled": True}})
    assert changed_knobs(Params(), new) == {"selection.k": (3, 4)}


def test_how_files_are_read_cannot_be_replayed_but_how_much_must_be_read_can():
    refuse_reading({"documents.min_coverage": (0.5, 0.9), "selection.k": (3, 4)})
    with pytest.raises(BadInputError, match=r"documents\.ocr_dpi: changes how files are read"):
        refuse_reading({"documents.ocr_dpi": (200, 300)})


def test_who_judges_cannot_be_replayed_in_either_direction():
    by_model = overlaid(Params(), {"judging": {"judge": "openai"}})
    for old, new in ((Params(), by_model), (by_model, Params())):
        with pytest.raises(
            BadInputError, match=r"judging\.judge: changes who judges, and replay asks nobody"
        ):
            refuse_reading(changed_knobs(old, new))


def test_a_wrong_name_is_refused_as_by_every_other_command():
    with pytest.raises(BadInputError) as by_all:
        settings(["selection.kk=4"])
    with pytest.raises(BadInputError) as by_replay:
        overlaid(Params(), {"selection": {"kk": 4}})
    with pytest.raises(BadInputError) as by_grid:
        grid_values(["selection.kk=4,5"])
    assert str(by_replay.value) == str(by_all.value)
    assert str(by_grid.value) == str(by_all.value).replace("--set", "--grid")


# Words kept


def test_words_kept_are_counted_in_characters_of_the_blocks_wherever_chunks_are_cut():
    here, there = ("d", 1, 0), ("d", 2, 0)
    assert share_kept({here: [(0, 100)]}, {here: [(0, 60), (40, 80)]}) == 0.8
    assert share_kept({here: [(0, 100)], there: [(0, 100)]}, {here: [(0, 100)]}) == 0.5
    assert share_kept({here: [(0, 60), (40, 100)]}, {here: [(0, 50)]}) == 0.5, (
        "what two passages show counts once"
    )
    assert share_kept({}, {}) == 1.0


# Grids


def test_a_grid_lists_each_value_once_and_reads_them_as_yaml():
    assert grid_values(["selection.k=2,3,3", "dense.enabled=true,false"]) == {
        "selection.k": [2, 3], "dense.enabled": [True, False],
    }  # fmt: skip
    assert grid_values(["documents.ocr_languages=[eng],[eng, fra]"]) == {
        "documents.ocr_languages": [["eng"], ["eng", "fra"]]
    }
    assert grid_values(["dense.enabled=true,1"])["dense.enabled"] == [True, 1], (
        "yes and one are not the same value"
    )


@pytest.mark.parametrize("bad", ["selection.k", "selection.k=", "k=1,2", "selection.k=[1"])
def test_what_is_no_list_of_values_is_refused(bad):
    with pytest.raises(BadInputError, match="--grid"):
        grid_values([bad])
    with pytest.raises(BadInputError, match="names a knob twice"):
        grid_values(["selection.k=1", "selection.k=2"])


def test_combinations_that_share_the_early_stages_are_worked_out_together():
    grid = Grid({"selection.k": [1, 2], "chunking.overlap": [0.2, 0.5]})
    found = list(grid.combinations())
    assert [tuple(one.values()) for one in found] == [(1, 0.2), (1, 0.5), (2, 0.2), (2, 0.5)]
    worked = [tuple(found[number].values()) for number in grid.work_order()]
    assert worked == [(1, 0.2), (2, 0.2), (1, 0.5), (2, 0.5)]


def test_a_combination_stands_over_what_is_fixed():
    grid = Grid({"selection.k": [1]}, {"selection": {"k": 9, "k_step": 0}, "dense": {"enabled": False}})
    assert grid.layer({"selection.k": 1}) == {"selection": {"k": 1, "k_step": 0}, "dense": {"enabled": False}}


def swept(*rows) -> pl.DataFrame:
    columns = {"selection.k": [n for n, _ in enumerate(rows)]}
    columns |= {name: [row.get(name) for row in rows] for name in COLUMNS}
    return pl.DataFrame(columns, schema={"selection.k": pl.Int64, **COLUMNS})


def test_the_fewest_wrong_passes_come_first_and_errors_last():
    table = swept(
        {"error": "no"},
        {"wrong_passes": 1, "flips_to_pass": 0, "evidence_kept": 1.0, "tokens": 10, "error": ""},
        {"wrong_passes": 0, "flips_to_pass": 3, "evidence_kept": 0.9, "tokens": 10, "error": ""},
        {"wrong_passes": 0, "flips_to_pass": 1, "evidence_kept": 0.8, "tokens": 10, "error": ""},
        {"wrong_passes": 0, "flips_to_pass": 1, "evidence_kept": 0.9, "tokens": 99, "error": ""},
        {"wrong_passes": 0, "reviews_lifted": 1, "flips_to_pass": 0, "tokens": 5, "error": ""},
    ).with_columns(reviews_lifted=pl.when(pl.col("error") == "").then(pl.col("reviews_lifted").fill_null(0)))
    assert in_order(table)["selection.k"].to_list() == [4, 3, 2, 5, 1, 0]
    assert in_order(table, ("-tokens", "selection.k"))["selection.k"].to_list() == [4, 1, 2, 3, 5, 0]
    with pytest.raises(KeyError, match="nosuch"):
        in_order(table, ("nosuch",))


def test_both_kinds_of_file_hold_every_row_and_column(tmp_path):
    table = swept({"flips": 2, "error": ""}, {"error": "max_tokens, too small"})
    for ending, read in ((".csv", pl.read_csv), (".parquet", pl.read_parquet)):
        path = tmp_path / f"sweep{ending}"
        path.write_bytes(table_bytes(table, ending))
        found = read(path)
        assert found.columns == table.columns
        assert found["flips"].to_list() == [2, None]
        assert found["error"].to_list()[1] == "max_tokens, too small"


# Passes that a person was to look at


class Version(dict):
    """Tables of a pack with two rules, R1 and R2, each with a status and whether a person should look."""

    def __init__(self, first, second, judged=("R1", "R2")):
        rules = ("R1", "R2")
        super().__init__(
            chunks=CHUNKS.empty(), candidates=CANDIDATES.empty(), passages=PASSAGES.empty(),
            requirements=REQUIREMENTS.frame([{"rule_id": rule, "area": "", "mandatory": True} for rule in rules]),
            judgements=JUDGEMENTS.frame([{"rule_id": rule} for rule in judged]),
            findings=FINDINGS.frame([
                {"rule_id": rule, "status": status, "needs_review": flagged}
                for rule, (status, flagged) in zip(rules, (first, second), strict=True)
            ]),
        )  # fmt: skip

    def token(self, name):
        return name


FLAGGED, PLAIN = ("Pass", True), ("Pass", False)


def test_a_pass_that_no_person_would_look_at_any_more_is_a_change():
    lifted, same = compare_rules(Version(FLAGGED, PLAIN), Version(PLAIN, PLAIN))
    assert (lifted.review_lifted, lifted.changed, lifted.flip) == (True, True, False)
    assert (same.review_lifted, same.changed) == (False, False)


@pytest.mark.parametrize(
    ("before", "after"),
    [(FLAGGED, FLAGGED), (PLAIN, FLAGGED), (("Fail", True), ("Fail", False)), (("Missing", True), PLAIN)],
)
def test_only_a_pass_that_stays_one_has_its_review_lifted(before, after):
    assert not compare_rules(Version(before, PLAIN), Version(after, PLAIN))[0].review_lifted


def test_a_verdict_that_is_unknown_lifts_no_review():
    found = compare_rules(Version(FLAGGED, FLAGGED), Version(PLAIN, PLAIN, judged=("R2",)))
    assert [(rule.unknown, rule.review_lifted) for rule in found] == [(True, False), (False, True)]


class OneAnswer:
    """A replay that says the same of every combination."""

    usable = ()

    def at(self, layer):
        rules = compare_rules(Version(FLAGGED, FLAGGED), Version(PLAIN, PLAIN))
        return (PackReplay(pack="t--b", tender="t", bidder="b", rules=rules),)


def test_lifted_reviews_are_counted_and_said_in_red():
    found = OneAnswer().at({})
    total = totals(found)
    assert (total.reviews_lifted, total.rules_changed, total.flips_to_pass) == (2, 2, 0)
    said = "[red]![/] 2 Passes would no longer go to a person: look at these first"
    assert said in total_lines(total)
    assert not any("person" in line for line in total_lines(totals(())))
    row = sweep(OneAnswer(), Grid({"judging.residue": [-1]})).row(0, named=True)
    assert (row["error"], row["reviews_lifted"], row["flips"]) == ("", 2, 0)


def test_the_table_of_rules_says_which_review_is_lifted(capsys):
    found = OneAnswer().at({})
    print_replay(found, totals(found), 0.1)
    assert capsys.readouterr().out.count("Pass (review lifted)") == 2


# Answers of a model

RULES = [
    derive(Requirement(rule_id=rule, area="Admin", mandatory=True, text=text))
    for rule, text in (
        ("R1", "A signed letter of tender is enclosed."),
        ("R2", "A delivery schedule is enclosed."),
    )
]


def a_chunk(number: int, text: str) -> dict:
    return {
        "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "d", "file_name": "bid.pdf", "chunk_id": f"d:p1_c{number:02}",
        "page": 1, "pages": [1], "heading_path": "", "kind": "text", "text": text, "tokens": 8, "body_start": 0,
        "header_start": 0, "spans": [], "language": "en",
    }  # fmt: skip


CHUNKED = CHUNKS.frame([
    a_chunk(1, "The letter of tender is enclosed and signed."), a_chunk(2, "A schedule is given in annex 4."),
    a_chunk(3, "Deliveries start in May."),
])  # fmt: skip


def chosen(*pairs) -> pl.DataFrame:
    keys = {"tender": "t", "bidder": "b", "pack": "t--b", "catalog_version": "v"}
    return PASSAGES.frame([
        {**keys, "rule_id": rule, "order_no": n, "chunk_id": f"d:p1_c{chunk:02}", "why": "best", "attempt": 1, "missing_terms": []}
        for n, (rule, chunk) in enumerate(pairs, start=1)
    ])  # fmt: skip


def ranked(*pairs) -> pl.DataFrame:
    return CANDIDATES.frame([
        {"pack": "t--b", "rule_id": rule, "chunk_id": f"d:p1_c{chunk:02}", "rank": n}
        for n, (rule, chunk) in enumerate(pairs, start=1)
    ])  # fmt: skip


class Model:
    """A model that is sure of the letter and undecided on all else, and counts what it is asked."""

    name, model = "llama", "small"

    def __init__(self):
        self.asked = 0

    def judge(self, requirement, passages, rfp, weights=None):
        self.asked += 1
        sure = requirement.rule_id == "R1"
        return Judgement(
            rule_id=requirement.rule_id, status=Status.PASS if sure else Status.PARTIAL, rationale="said",
            quote=passages[0].text if passages else "", chunk_id=passages[0].chunk_id if passages else "",
        )  # fmt: skip


def judged(judge, passages, candidates, params=Params()):
    facts = facts_table(CHUNKED, params.facts)
    return judge_pack(RULES, passages, CHUNKED, facts, CHUNKS.empty(), params, judge, candidates=candidates)


PICKED, RANKED = chosen(("R1", 1), ("R2", 2)), ranked(("R1", 1), ("R2", 2), ("R2", 3))


@pytest.fixture
def memory():
    """What a model answered on the letter and on the schedule, the latter after a second look in vain."""
    model = Model()
    rows = judged(model, PICKED, RANKED)
    assert (model.asked, rows["attempt"].to_list()) == (3, [1, 1])
    found = RecordedJudge([rows], Params())
    found.learning = True
    judged(found, PICKED, RANKED)
    found.learning = False
    return found


def test_the_same_prompt_has_the_same_answer_without_asking(memory):
    judge = memory.under(Params())
    again = judged(judge, PICKED, RANKED)
    assert judge.unasked == set()
    assert again["status"].to_list() == ["Pass", "Partial"]
    assert again["judge"].to_list() == ["llama", "llama"]


def test_another_passage_is_another_prompt_and_has_no_answer(memory):
    judge = memory.under(Params())
    judged(judge, chosen(("R1", 1), ("R2", 3)), RANKED)
    assert judge.unasked == {"R2"}


def test_a_second_look_at_other_candidates_would_have_to_be_asked(memory):
    judge = memory.under(Params())
    judged(judge, PICKED, ranked(("R1", 1), ("R2", 2), ("R2", 1)))
    assert judge.unasked == {"R2"}


def test_a_stricter_judge_is_asked_anew_about_everything(memory):
    strict = resolve([("x", {"judging": {"pass_coverage": 0.9}})])
    judge = memory.under(strict)
    judged(judge, PICKED, RANKED, strict)
    assert judge.unasked == {"R1", "R2"}


@pytest.mark.parametrize(
    "layer",
    [
        {"asking": {"model": "large"}},
        {"asking": {"gguf": "large.gguf"}},
        {"asking": {"seed": 7}},
        {"scheduling": {"triage": False}},
    ],
)
def test_answers_of_one_model_are_none_of_another(memory, layer):
    params = resolve([("x", layer)])
    judge = memory.under(params)
    judged(judge, PICKED, RANKED, params)
    assert judge.unasked == {"R1", "R2"}


def test_how_fast_a_model_is_asked_changes_no_answer(memory):
    params = resolve([("x", {"asking": {"timeout_seconds": 9}, "scheduling": {"requests_per_minute": 9}})])
    judge = memory.under(params)
    judged(judge, PICKED, RANKED, params)
    assert judge.unasked == set()


def test_only_what_a_model_said_is_remembered():
    by_code = judged(None, PICKED, RANKED)
    assert not asked_a_model(by_code)
    assert asked_a_model(judged(Model(), PICKED, RANKED))
    judge = RecordedJudge([by_code], Params())
    judged(judge, PICKED, RANKED)
    assert judge.unasked == {"R1", "R2"}
