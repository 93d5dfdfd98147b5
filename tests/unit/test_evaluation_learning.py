"""Statements about when learning from confirmed evidence is switched on, and what is stored of it."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from bidproof.errors import BadInputError
from bidproof.evaluation import Tools
from bidproof.evaluation.confirming import EVENT_COLUMNS, both, overrides_as_labels, under_pack_names
from bidproof.evaluation.labelled import (
    GoldSpan,
    LabelledDocument,
    LabelledItem,
    LabelledPack,
    LabelledSet,
)
from bidproof.evaluation.learning import confirmed_passages, learned_from, try_learning
from bidproof.evaluation.learning_check import HeldOut, chance_of_gain, decided
from bidproof.evaluation.learning_record import learn
from bidproof.intake.source_files import SourceFile, hash_file
from bidproof.learned import learned_rows, learning_in_use, learning_line, learning_record
from bidproof.params import LearningParams, Params
from bidproof.records import Requirement
from bidproof.retrieval import PackagedMiniLM, Prototypes, rule_digest
from bidproof.store import Warehouse

KNOBS = LearningParams()


def _held(*gains: float, recall: float = 0.0) -> list[HeldOut]:
    return [HeldOut(f"p{number}", 4, 0.4, 0.4 + gain, 0.5, 0.5 + recall) for number, gain in enumerate(gains)]


def test_a_gain_on_five_packs_of_five_switches_learning_on() -> None:
    check = decided(_held(0.1, 0.02, 0.2, 0.05, 0.1), KNOBS)
    assert check.in_use
    assert (check.documents, check.rules, check.packs_better, check.packs_worse) == (5, 20, 5, 0)
    assert check.p == pytest.approx(1 / 32)
    assert check.mrr_with == pytest.approx(0.494)
    assert "on: the gain is beyond chance; MRR 0.400 -> 0.494" in check.line


def test_a_gain_on_four_packs_may_be_chance() -> None:
    check = decided(_held(0.1, 0.2, 0.2, 0.1), KNOBS)
    assert not check.in_use
    assert check.reason == "4 packs held out, learning.min_documents is 5"
    assert not decided(_held(0.1, 0.2, 0.2, 0.1), LearningParams(min_documents=4)).in_use


def test_one_large_gain_among_losses_is_not_beyond_chance() -> None:
    check = decided(_held(0.5, -0.02, -0.01, -0.03, -0.02, -0.01), KNOBS)
    assert not check.in_use
    assert check.mrr_with > check.mrr_without
    assert "may be chance" in check.reason


def test_where_learning_hurts_it_stays_off() -> None:
    check = decided(_held(-0.1, -0.2, -0.05, -0.1, 0.0, -0.2), KNOBS)
    assert (check.in_use, check.reason) == (False, "no gain")


def test_a_better_first_hit_does_not_pay_for_evidence_that_falls_out() -> None:
    check = decided(_held(0.1, 0.2, 0.2, 0.1, 0.1, 0.1, recall=-0.05), KNOBS)
    assert (check.in_use, check.reason) == (False, "evidence falls out of the first 8")


def test_nothing_to_compare_leaves_it_off() -> None:
    check = decided([], KNOBS)
    assert not check.in_use
    assert check.line == "learning from confirmed evidence off: no rule has confirmed evidence in two packs"


@pytest.mark.parametrize(
    "gains", [(0.1, 0.2, -0.05), (0.3, -0.1, 0.2, 0.2, -0.15, 0.07), (-0.1, -0.2), (0.25, 0.25, 0.25, 0.0)]
)
def test_the_chance_is_that_of_all_signs_counted_out(gains: tuple[float, ...]) -> None:
    sizes = [abs(gain) for gain in gains]
    sums = [
        sum(s * g for s, g in zip(signs, sizes, strict=True))
        for signs in itertools.product((1, -1), repeat=len(sizes))
    ]
    wanted = sum(one >= sum(gains) - 1e-9 for one in sums) / len(sums)
    assert chance_of_gain(gains) == pytest.approx(wanted, abs=1e-6)


def test_the_chance_of_many_packs_is_found_without_drawing_lots() -> None:
    gains = [0.01 * (1 + number % 7) * (1 if number % 9 < 5 else -1) for number in range(300)]
    assert chance_of_gain(gains) == chance_of_gain(gains[::-1])
    assert 0.01 < chance_of_gain(gains) < 0.5
    assert chance_of_gain([0.0, 0.0]) == 1.0


# A set in which the rule is answered in words that the rule has not, the same in all packs.

RULE = Requirement(rule_id="R1", area="Admin", mandatory=True, text="Insurance of the works must be shown.")
ANSWER = "A policy with a sum of five million covers damage and third parties."
DECOY = "Insurance of the works is a matter which every works manager knows from the works of others."
OTHERS = (
    "Our engineers plan each week with the client.", "Quality plans are kept on site.",
    "The programme runs for two years.", "Training is given each spring.", "Waste is sorted and taken away.",
    "Vehicles are serviced in our own garage.",
)  # fmt: skip


def _set(packs: int, answer: str = ANSWER) -> LabelledSet:
    documents, items = [], []
    for number in range(packs):
        lines = [*OTHERS[:3], DECOY, *OTHERS[3:], answer.replace("five", f"{number + 5}")]
        text = "\n".join(lines)
        units, at = [], 0
        for line in lines:
            units.append((at, at + len(line)))
            at += len(line) + 1
        name = f"pack{number}"
        documents.append(LabelledDocument(name=name, text=text, units=tuple(units)))
        start, end = units[-1]
        gold = GoldSpan(document=name, start=start, end=end, unit=len(lines) - 1, text=text[start:end])
        items.append(
            LabelledItem(item_id=f"{name}:R1", pack=name, requirement=RULE, gold=(gold,), verdicts=("Pass",))
        )
    return LabelledSet(
        name="held", format="contractnli", items=tuple(items),
        packs=tuple(LabelledPack(name=one.name, documents=(one,)) for one in documents),
    )  # fmt: skip


class _Memory(dict):
    def put(self, key: str, content: bytes) -> None:
        self[key] = content


@pytest.fixture(scope="module")
def kept() -> tuple[PackagedMiniLM, _Memory, _Memory]:
    return PackagedMiniLM("fp32"), _Memory(), _Memory()


def _tools(kept, folder: Path, **knobs: object) -> Tools:
    params = Params().model_copy(update={"retrieval": Params().retrieval.model_copy(update=knobs)})
    return Tools(params, *kept, folder)


def test_the_gold_of_a_set_is_its_confirmed_evidence() -> None:
    found = confirmed_passages(_set(2))
    assert [one.pack for one in found] == ["pack0", "pack1"]
    assert found[1].text == ANSWER.replace("five", "6")
    assert found[0].source == "pack0:R1"


def test_evidence_in_other_words_than_the_rule_is_learned_from_other_packs(kept, tmp_path: Path) -> None:
    labelled, tools = _set(5), _tools(kept, tmp_path, score_confirmed=6.0)
    check = try_learning(labelled, learned_from(labelled, tools), tools)
    assert check.in_use
    assert check.mrr_without < 1.0
    assert check.mrr_with == 1.0
    assert (check.documents, check.packs_better) == (5, 5)


def test_learning_from_wrong_labels_is_found_out_and_stays_off(kept, tmp_path: Path) -> None:
    labelled, tools = _set(6), _tools(kept, tmp_path, score_confirmed=6.0)
    wrong = [one.model_copy(update={"text": OTHERS[0]}) for one in confirmed_passages(labelled)]
    from bidproof.retrieval import prototype_rows

    check = try_learning(labelled, prototype_rows(wrong, tools.embedder), tools)
    assert not check.in_use
    assert check.mrr_with < check.mrr_without
    assert check.reason == "no gain"


def test_one_pack_alone_teaches_nothing(kept, tmp_path: Path) -> None:
    labelled, tools = _set(1), _tools(kept, tmp_path)
    check = try_learning(labelled, learned_from(labelled, tools), tools)
    assert (check.in_use, check.documents) == (False, 0)


def test_without_a_model_nothing_is_learned(tmp_path: Path) -> None:
    labelled, tools = _set(5), Tools(Params(), None, _Memory(), None, tmp_path)
    check = try_learning(labelled, learned_from(labelled, tools), tools)
    assert (check.in_use, check.documents) == (False, 0)
    assert "dense.enabled" in check.line


def test_what_is_learned_and_its_check_are_kept_and_not_made_twice(kept, tmp_path: Path) -> None:
    warehouse, labelled = Warehouse(tmp_path / "wh"), _set(5)
    tools = _tools(kept, tmp_path, score_confirmed=6.0)
    assert learning_line(warehouse, "bridge") == ""
    manifest, known = learn(warehouse, "bridge", labelled, tools, "v1")
    assert not known
    assert learn(warehouse, "bridge", labelled, tools, "v1") == (manifest, True)
    rows = learned_rows(warehouse, "bridge")
    assert rows["evidence_pack"].to_list() == [f"pack{number}" for number in range(5)]
    assert rows["sources"].to_list()[0] == ["pack0:R1"]
    assert rows["catalog_version"].unique().to_list() == ["v1"]
    assert Prototypes(rows).of(RULE.text, "pack0") is not None
    record = learning_record(warehouse, "bridge")
    assert record is not None
    assert (record["in_use"], record["documents"], record["mrr_with"]) == (True, 5, 1.0)
    assert "learning from confirmed evidence on" in learning_line(warehouse, "bridge")


def test_what_the_check_does_not_hold_for_is_kept_but_not_used(kept, tmp_path: Path) -> None:
    warehouse, tools = Warehouse(tmp_path / "wh"), _tools(kept, tmp_path, score_confirmed=6.0)
    learn(warehouse, "bridge", _set(4), tools)
    assert warehouse.read("prototypes", "bridge").height == 4
    assert learning_in_use(warehouse, "bridge") is None
    assert learned_rows(warehouse, "bridge").is_empty()
    assert "off: 4 packs held out" in learning_line(warehouse, "bridge")


def test_prototypes_that_no_check_has_seen_are_not_used(kept, tmp_path: Path) -> None:
    warehouse, tools = Warehouse(tmp_path / "wh"), _tools(kept, tmp_path, score_confirmed=6.0)
    learn(warehouse, "bridge", _set(5), tools)
    other = Warehouse(tmp_path / "other")
    learn(other, "bridge", _set(6), tools)
    for part in ("data", "manifests"):
        shutil.copytree(
            tmp_path / "other" / part / "prototypes",
            tmp_path / "wh" / part / "prototypes",
            dirs_exist_ok=True,
        )
    assert learning_in_use(warehouse, "bridge") is None


# Reviewers' overrides: the log's own table is written by the review of verdicts; its documented columns are read.


def _files(tmp_path: Path, *names: str) -> list[SourceFile]:
    found = []
    for name in names:
        path = tmp_path / name
        path.write_text(f"content of {name}", encoding="utf-8")
        found.append(SourceFile(file_name=name, path=path, size=path.stat().st_size, sha256=hash_file(path)))
    return found


def _event(number: int, file: SourceFile, **changed: object) -> dict[str, object]:
    return {
        "event_id": f"e{number}", "at": f"2026-11-{number:02}", "pack": "t--b", "rule_id": "R1",
        "rule_sha256": rule_digest(RULE.text), "to_status": "Pass", "document_sha256": file.sha256, "page": 2,
        "quote": ANSWER, **changed,
    }  # fmt: skip


def test_the_last_event_of_a_rule_says_what_its_evidence_is(tmp_path: Path) -> None:
    (file,) = _files(tmp_path, "offer.txt")
    events = pl.DataFrame([_event(1, file, quote="old words"), _event(2, file, to_status="Fail")])
    found = overrides_as_labels(events, [RULE], {"t--b": [file]})
    assert [(item.item_id, item.verdicts) for item in found.items] == [("override e2", ("Fail",))]
    assert found.items[0].gold[0] == GoldSpan(document="offer.txt", page=2, text=ANSWER)
    assert [one.text for one in confirmed_passages(found)] == [ANSWER]


def test_an_event_that_ends_in_missing_confirms_nothing(tmp_path: Path) -> None:
    (file,) = _files(tmp_path, "offer.txt")
    events = pl.DataFrame([_event(1, file), _event(2, file, to_status="Missing", quote="")])
    assert not overrides_as_labels(events, [RULE], {"t--b": [file]}).items


def test_an_event_of_a_rule_that_changed_or_of_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    (file,) = _files(tmp_path, "offer.txt")
    events = pl.DataFrame([
        _event(1, file, rule_sha256="of other words"), _event(2, file, pack="t--c", document_sha256="gone"),
        _event(3, file, pack="another--d"),
    ])  # fmt: skip
    found = overrides_as_labels(events, [RULE], {"t--b": [file], "t--c": [file]})
    assert not found.items
    assert found.notes == ("e1: rule R1 reads otherwise now", "e2: its document is no longer in t--c")


def test_a_log_without_the_identity_of_evidence_is_refused(tmp_path: Path) -> None:
    (file,) = _files(tmp_path, "offer.txt")
    events = pl.DataFrame([_event(1, file)]).drop("quote")
    with pytest.raises(BadInputError, match="has no column quote"):
        overrides_as_labels(events, [RULE], {"t--b": [file]})
    assert "quote" in EVENT_COLUMNS


def test_a_pack_of_labels_is_known_again_by_its_files_whatever_it_is_called(tmp_path: Path) -> None:
    (file,) = _files(tmp_path, "offer.txt")
    document = LabelledDocument(name="offer.txt", path=file.path)
    item = LabelledItem(item_id="x", pack="Bidder B", requirement=RULE)
    labels = LabelledSet(
        name="gold", format="tender", packs=(LabelledPack(name="Bidder B", documents=(document,)),), items=(item,)
    )  # fmt: skip
    found = under_pack_names(labels, {"t--a": [], "t--b": [file]})
    assert ([pack.name for pack in found.packs], found.items[0].pack) == (["t--b"], "t--b")
    assert under_pack_names(labels, {"t--a": []}) == labels


def test_what_a_reviewer_said_stands_before_a_label_of_the_same_rule_and_pack(tmp_path: Path) -> None:
    (file,) = _files(tmp_path, "offer.txt")
    overrides = overrides_as_labels(pl.DataFrame([_event(1, file)]), [RULE], {"t--b": [file]})
    pack = LabelledPack(name="t--b", documents=(LabelledDocument(name="offer.txt", path=file.path),))
    labels = LabelledSet(name="gold", format="tender", packs=(pack,), items=tuple(
        LabelledItem(item_id=f"label {rule}", pack="t--b", requirement=RULE.model_copy(update={"rule_id": rule}))
        for rule in ("R1", "R2")
    ))  # fmt: skip
    found = both(labels, overrides)
    assert [item.item_id for item in found.items] == ["label R2", "override e1"]
    assert [one.name for one in found.packs] == ["t--b"]
    assert json.loads(found.model_dump_json())["notes"] == []
