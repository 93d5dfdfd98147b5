"""Labelled sets from end to end on small packs, and the check that holds recall."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bidproof.cli.app import app
from bidproof.cli.evaluate import settings
from bidproof.errors import BadInputError
from bidproof.evaluation import (
    Evaluation,
    LabelledSet,
    Options,
    Tools,
    evaluate,
    read_set,
    recall_check,
    regression,
)
from bidproof.evaluation.found import FoundCandidate
from bidproof.evaluation.regression import CODE
from bidproof.evaluation.searching import reranked
from bidproof.params import Params, resolve
from bidproof.store import Warehouse

NO_DENSE = resolve([("test", {"dense": {"enabled": False}})])
CONTRACT = "\n".join(
    [
        "1. Secrecy",
        "The recipient keeps all drawings of the pump secret for five years.",
        "2. Return",
        "On request the recipient returns every copy of the samples within ten days.",
        "3. Law",
        "The courts of Oslo decide disputes.",
    ]
)


class Kept(dict[str, bytes]):
    """A cache in memory."""

    def put(self, key: str, content: bytes) -> None:
        self[key] = content


def tools(folder: Path, params: Params = NO_DENSE) -> Tools:
    folder.mkdir(parents=True, exist_ok=True)
    return Tools(params, None, Kept(), None, folder)


def write_lines(path: Path, *records: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def make_contracts(folder: Path) -> Path:
    units = []
    for line in CONTRACT.split("\n"):
        start = CONTRACT.index(line)
        units.append([start, start + len(line)])
    write_lines(folder / "documents.jsonl", {"doc_id": "c1", "text": CONTRACT, "spans": units})
    write_lines(
        folder / "rules.jsonl",
        {"rule_id": "r1", "title": "", "hypothesis": "Copies of the samples are returned on request."},
        {"rule_id": "r2", "title": "", "hypothesis": "The supplier insures all lorries."},
    )
    start, end = units[3]
    evidence = [{"span": 3, "start": start, "end": end, "text": CONTRACT[start:end]}]
    write_lines(
        folder / "items.jsonl",
        {"doc_id": "c1", "rule_id": "r1", "label": "Entailment", "evidence": evidence},
        {"doc_id": "c1", "rule_id": "r2", "label": "NotMentioned", "evidence": []},
    )
    return folder


def make_gold(inbox: Path, snippet: str = "We grant a warranty of 48 months") -> Path:
    """Gold of the small tender: one mandatory rule that the bid meets, one optional."""
    file = "offer.pdf"
    validity = [{"file": file, "page": 1, "snippet": "valid for 150 calendar days"}]
    warranty = [{"file": file, "page": 1, "snippet": snippet}]
    rule = {"area": "Admin", "clause_ref": ""}
    write_lines(
        inbox.parent / "gold" / "water-meters" / "good.jsonl",
        {**rule, "id": "V1", "mandatory": True, "text": "Validity.", "verdict": "Pass", "evidence": validity},
        {
            **rule,
            "id": "C1",
            "mandatory": False,
            "text": "Warranty.",
            "verdict": "Pass",
            "evidence": warranty,
        },
    )
    return inbox.parent / "gold"


def test_contracts_rank_the_sets_own_units_and_judge_the_products_chunks(tmp_path: Path) -> None:
    labelled = read_set(make_contracts(tmp_path / "set"))
    done = evaluate(labelled, tools(tmp_path / "texts"), Options(k=8, ablation=True))
    assert done.retrieval["recall@1"].model_dump() == {
        "value": 1.0,
        "n": 1,
        "low": pytest.approx(0.206549),
        "high": 1.0,
    }
    assert done.retrieval["mrr"].value == 1.0
    assert done.retrieval["char_precision@1"].value == 1.0
    assert done.retrieval["char_recall@1"].value == 1.0
    assert done.retrieval["chunk_recall@8"].value == 1.0
    assert done.retrieval["chunk_char_precision@1"].value is not None
    assert done.losses == {
        "parse": 0, "chunk": 0, "tag": 0, "candidates": 0, "fuse": 0, "select": 0, "kept": 1, "gold": 1,
    }  # fmt: skip
    assert done.verdicts["accuracy"].n == 2
    assert done.ablation["bm25"]["mrr"].value == 1.0
    assert done.ablation["dense"]["mrr"].value == 0.0


def test_the_result_has_the_shape_that_scripts_rely_on(tmp_path: Path) -> None:
    labelled = read_set(make_contracts(tmp_path / "set"))
    record = evaluate(labelled, tools(tmp_path / "texts"), Options(k=8)).record()
    assert {"set", "params", "retrieval", "verdicts", "items"} <= set(record)
    assert record["set"] == "set"
    assert set(record["retrieval"]["recall@8"]) == {"value", "n", "low", "high"}
    assert {"accuracy", "f1_pass", "false_pass"} <= set(record["verdicts"])
    assert record["params"]["selection"]["k"] == 3
    first = record["items"][0]
    assert {"id", "doc", "gold", "ranked"} <= set(first)
    assert (first["id"], first["doc"], first["label"]) == ("c1:r1", "c1", "Pass")
    assert first["ranked"][0]["unit"] == first["gold"][0]["unit"] == 3
    assert record["items"][1]["gold"] == []
    assert json.loads(json.dumps(record)) == record


def test_the_same_set_gives_the_same_result_twice(tmp_path: Path) -> None:
    labelled = read_set(make_contracts(tmp_path / "set"))
    one = evaluate(labelled, tools(tmp_path / "one"), Options()).record()
    assert one == evaluate(labelled, tools(tmp_path / "two"), Options()).record()


def test_a_tender_is_measured_by_rule_and_its_verdicts_by_label(tmp_path: Path, small_inbox: Path) -> None:
    labelled = read_set(make_gold(small_inbox))
    done = evaluate(labelled, tools(tmp_path / "texts"), Options())
    assert done.retrieval["recall@30"].value == 1.0
    assert done.retrieval["mandatory_recall@30"].n == 1
    assert done.retrieval["hit@1"].n == 2
    assert done.verdicts["accuracy"].value == 1.0
    assert done.verdicts["false_pass"].value == 0.0
    assert recall_check(done).passed


def test_gold_that_no_page_shows_is_lost_in_reading_and_fails_nothing_else(
    tmp_path: Path, small_inbox: Path
) -> None:
    labelled = read_set(make_gold(small_inbox, snippet="We grant a warranty of 99 months"))
    done = evaluate(labelled, tools(tmp_path / "texts"), Options(verdicts=False))
    assert done.losses["parse"] == 1
    assert done.losses["kept"] == 1
    assert done.retrieval["recall@30"].value == 0.5
    assert done.verdicts == {}


def test_recall_below_the_parameter_blocks_and_names_the_rules(tmp_path: Path, small_inbox: Path) -> None:
    gold = make_gold(small_inbox)
    path = gold / "water-meters" / "good.jsonl"
    path.write_text(path.read_text().replace("150 calendar days", "151 calendar days"))
    check = recall_check(evaluate(read_set(gold), tools(tmp_path / "texts"), Options(verdicts=False)))
    assert check.stops
    assert "Recall@30 of 1 mandatory rules 0.000" in check.message
    assert "lost: water-meters--good:V1" in check.message


def test_a_set_without_mandatory_rules_cannot_hold_recall(tmp_path: Path) -> None:
    labelled = read_set(make_contracts(tmp_path / "set"))
    assert not recall_check(Evaluation(labelled, Options(), Params())).passed


def test_questions_on_filings_are_measured_by_distinct_page(tmp_path: Path, pdf_writer: Any) -> None:
    pdf_writer(tmp_path / "set" / "pdfs" / "f.pdf", ["Turnover of pumps was 12 million crowns"], pages=3)
    evidence = [{"doc_id": "f", "page1": 1, "text": "12"}, {"doc_id": "f", "page1": 1, "text": "pumps"}]
    question = {"id": "q", "doc_id": "f", "question": "Turnover of pumps?", "evidence": evidence}
    write_lines(tmp_path / "set" / "questions.jsonl", question)
    done = evaluate(read_set(tmp_path / "set"), tools(tmp_path / "texts"), Options())
    assert done.retrieval["hit@1"].value == 1.0
    assert done.losses["gold"] == 1
    ranked = done.record()["items"][0]["ranked"]
    assert ranked[0]["page"] == 1
    assert len({one["page"] for one in ranked}) == len(ranked)


def candidate(name: str, **ranks: int) -> FoundCandidate:
    return FoundCandidate(
        name, "d", (1,), (), frozenset(), ranks=ranks, rrf=sum(1 / (60 + r) for r in ranks.values())
    )


def test_an_order_by_one_leg_holds_what_that_leg_found_and_nothing_else() -> None:
    found = [candidate("a", bm25=2, dense=1), candidate("b", bm25=1), candidate("c", dense=2, tags=1)]
    params = Params()
    assert [one.chunk_id for one in reranked(found, "bm25", (), params)] == ["b", "a"]
    assert [one.chunk_id for one in reranked(found, "dense", (), params)] == ["a", "c"]
    assert [one.chunk_id for one in reranked(found, "fused", ("bm25", "dense"), params)] == ["a", "b", "c"]
    assert [one.chunk_id for one in reranked(found, "evidence", (), params)] == ["a", "b", "c"]


def test_an_unknown_leg_is_refused() -> None:
    with pytest.raises(BadInputError, match="unknown leg dens"):
        Options(legs=("dens",)).check()


def figures(labelled: LabelledSet, folder: Path, params: Params, calls: list[int]) -> Evaluation:
    calls.append(1)
    return evaluate(labelled, tools(folder, params), Options(k=params.evaluation.k))


def test_the_regression_runs_again_only_when_something_changed_and_keeps_its_history(
    tmp_path: Path, small_inbox: Path
) -> None:
    labelled, warehouse, calls = read_set(make_gold(small_inbox)), Warehouse(tmp_path / "wh"), list[int]()

    def go(params: Params) -> tuple[Any, bool]:
        return regression(
            warehouse, labelled, params, lambda: figures(labelled, tmp_path / "texts", params, calls)
        )

    first, hit = go(NO_DENSE)
    assert not hit
    assert first.checks[0].passed
    assert go(NO_DENSE)[1]
    assert len(calls) == 1
    rows = warehouse.read("evaluations", "gold")
    row = rows.filter((rows["metric"] == "mandatory_recall@30") & (rows["language"] == "")).row(0, named=True)
    assert (row["value"], row["n"], row["set_name"], row["kind"]) == (1.0, 1, "gold", "retrieval")
    assert json.loads(row["code_versions"])["evaluations"] == CODE
    assert rows.filter(rows["metric"] == "kept")["value"].to_list() == [1.0]
    changed = resolve([("test", {"dense": {"enabled": False}, "retrieval": {"bm25_top": 5}})])
    second, hit = go(changed)
    assert not hit
    assert [version.fingerprint for version in second.history] == [first.fingerprint]
    assert warehouse.read("evaluations", "gold")["params_sha256"][0] != row["params_sha256"]


def test_settings_of_the_command_line() -> None:
    assert settings(["selection.k=4", "retrieval.b=0.5"]) == {"selection": {"k": 4}, "retrieval": {"b": 0.5}}
    for wrong in ("selection.k", "k=4", "selection.=4", "selection.k=[", "selection.kk=4"):
        with pytest.raises(BadInputError):
            settings([wrong])


def test_the_command_prints_a_table_and_writes_the_record(
    tmp_path: Path, small_inbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gold, output = make_gold(small_inbox), tmp_path / "out.json"
    given = ["evaluate", str(gold), "--no-dense", "--warehouse", str(tmp_path / "wh"), "--json", str(output)]
    done = CliRunner().invoke(app, [*given, "--check", "--set", "selection.k=2", "--k", "20"])
    assert done.exit_code == 0, done.output
    assert "mandatory_recall@20" in done.output
    record = json.loads(output.read_text(encoding="utf-8"))
    assert record["params"]["selection"]["k"] == 2
    assert record["params"]["evaluate"]["k"] == 20
    assert record["check"]["passed"]
    assert len(record["items"]) == 2


def test_the_command_exits_with_1_where_recall_does_not_hold(
    tmp_path: Path, small_inbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gold = make_gold(small_inbox)
    path = gold / "water-meters" / "good.jsonl"
    path.write_text(path.read_text().replace("150 calendar days", "151 calendar days"))
    done = CliRunner().invoke(
        app, ["evaluate", str(gold), "--no-dense", "--check", "--warehouse", str(tmp_path / "wh")]
    )
    assert done.exit_code == 1


def test_sentences_are_told_by_the_catalogs_own_detection(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "set" / "sentences.jsonl",
        {"doc": "a", "text": "The system shall keep a log of all logins.", "label": "req"},
        {"doc": "a", "text": "Figure 3 and its legend.", "label": "not_req"},
    )
    done = evaluate(read_set(tmp_path / "set"), tools(tmp_path / "texts"), Options())
    assert done.verdicts["accuracy"].value == 1.0
    assert [item["verdict"] for item in done.record()["items"]] == ["req", "not_req"]


def test_a_snippet_over_two_table_rows_is_found_once_both_rows_are(tmp_path: Path) -> None:
    table = "Item,Value\nStandard,ISO 9001:2015\nCertificate number,QX-55-12\nOffice,Bergen\n"
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "bid.csv").write_text(table, encoding="utf-8")
    rule = {"id": "T1", "mandatory": True, "text": "Certificate number of ISO 9001:2015.", "verdict": "Pass"}
    snippet = "Standard ISO 9001:2015 Certificate number QX-55-12"
    broken = "ISO 9001:2015 Certificate number QX-99"
    evidence = [{"file": "bid.csv", "page": 1, "snippet": one} for one in (snippet, broken)]
    write_lines(tmp_path / "set" / "gold.jsonl", {**rule, "evidence": evidence})
    done = evaluate(read_set(tmp_path / "set"), tools(tmp_path / "texts"), Options(verdicts=False))
    assert done.retrieval["recall@1"].value == 0.0
    assert done.retrieval["recall@4"].value == 1.0
    assert done.retrieval["span_recall@30"].value == 0.5
    assert (done.losses["chunk"], done.losses["parse"], done.losses["kept"]) == (0, 1, 1)
    found = done.searched[0]
    assert found.parts == {0: 2}
    assert found.held_along(found.candidates[:1]) == [frozenset()]
    record = done.record()
    assert [one.get("parts") for one in record["items"][0]["gold"]] == [2, None]
    assert record["notes"] == [
        "1 gold spans run over table rows: found once candidates hold all their rows, in no one of them"
    ]


def test_a_document_that_cannot_be_read_is_named_and_its_gold_is_lost_in_reading(tmp_path: Path) -> None:
    (tmp_path / "set" / "pdfs").mkdir(parents=True)
    (tmp_path / "set" / "pdfs" / "f.pdf").write_bytes(b"\x93\x07" * 900)
    evidence = [{"doc_id": "f", "page1": 1, "text": "12"}]
    question = {"id": "q", "doc_id": "f", "question": "Turnover of pumps?", "evidence": evidence}
    write_lines(tmp_path / "set" / "questions.jsonl", question)
    done = evaluate(read_set(tmp_path / "set"), tools(tmp_path / "texts"), Options())
    assert done.losses["parse"] == 1
    assert done.record()["notes"] == ["f.pdf: 1 pages could not be read"]
