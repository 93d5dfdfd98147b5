"""Parameters: layers, refusals, and what a fingerprint sees of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidproof.errors import BadInputError
from bidproof.params import Params, load_params, resolve
from bidproof.stages import BY_NAME, STAGES, downstream


def test_later_layers_win_and_leave_other_knobs_alone(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text("selection: {k: 4}\nretrieval: {bm25_top: 40}\n")
    tender = tmp_path / "tender"
    tender.mkdir()
    (tender / "params.yaml").write_text("selection: {k: 5}\n")
    params = load_params(tmp_path, tender, {"dense": {"enabled": False}})
    assert (params.selection.k, params.retrieval.bm25_top, params.dense.enabled) == (5, 40, False)
    assert params.selection.k_step == Params().selection.k_step


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("selection: {kk: 4}", "selection.kk"),
        ("selection: {k: 0}", "selection.k"),
        ("selecton: {k: 1}", "selecton"),
        ("judging: {judge: oracle}", "judging.judge"),
        ("- k", "holds no parameter groups"),
        ("selection: [", "not a YAML parameter file"),
    ],
)
def test_an_unknown_knob_or_value_is_one_line_that_names_file_and_knob(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(BadInputError) as caught:
        load_params(tmp_path)
    assert said in str(caught.value)
    assert "params.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_number_of_workers_changes_no_fingerprint() -> None:
    one = resolve([("test", {"documents": {"workers": 1}})]).groups(["documents"])
    assert one == Params().groups(["documents"])
    assert resolve([("test", {"documents": {"ocr_dpi": 300}})]).groups(["documents"]) != one


def test_every_stage_names_known_inputs_parameters_and_comes_after_what_it_reads() -> None:
    seen: set[str] = set()
    for stage in STAGES:
        assert set(stage.inputs) <= seen, stage.name
        assert set(stage.params) <= set(Params.model_fields), stage.name
        seen.add(stage.name)


def test_changing_the_number_of_passages_touches_passages_and_below_only() -> None:
    direct = [s.name for s in STAGES if "selection" in s.params]
    assert direct == ["passages"]
    assert set(downstream("passages")) == {
        "judgements",
        "escalations",
        "objections",
        "findings",
        "reviews",
        "scores",
        "consistency",
        "rankings",
        "matrix_report",
    }


def test_candidates_do_not_depend_on_judging_or_scoring() -> None:
    assert not {"judging", "verification", "scoring", "selection"} & set(BY_NAME["candidates"].params)
