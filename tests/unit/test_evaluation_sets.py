"""Labelled sets are told by their files, and a broken one is one clear line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bidproof.errors import BadInputError
from bidproof.evaluation import read_set
from bidproof.evaluation.alignment import Ink, chunk_ranges, line_ranges, source_places

CONTRACT = "1. Secrecy\nThe recipient keeps all drawings secret.\nIt may show them to its auditors.\n"


def write_lines(path: Path, *records: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def make_contracts(folder: Path, label: str = "Entailment", span: int = 1) -> Path:
    spans = [[0, 10], [11, 51], [52, 85]]
    write_lines(folder / "documents.jsonl", {"doc_id": "c1", "text": CONTRACT, "spans": spans})
    write_lines(
        folder / "rules.jsonl",
        {"rule_id": "r1", "title": "Secret", "hypothesis": "Drawings are kept secret."},
    )
    evidence = [{"span": span, "start": 11, "end": 51, "text": CONTRACT[11:51]}]
    write_lines(
        folder / "items.jsonl",
        {"doc_id": "c1", "rule_id": "r1", "label": label, "evidence": evidence},
        {"doc_id": "c1", "rule_id": "r1", "label": "NotMentioned", "evidence": []},
    )
    return folder


def test_contracts_with_their_own_units(tmp_path: Path) -> None:
    found = read_set(make_contracts(tmp_path / "any name"))
    assert (found.format, found.recall_by, found.name) == ("contractnli", "span", "any name")
    first, second = found.items
    assert first.verdicts == ("Pass",)
    assert (first.gold[0].unit, first.gold[0].start, first.gold[0].end) == (1, 11, 51)
    assert second.verdicts == ("Missing",)
    assert second.gold == ()
    assert found.packs[0].documents[0].units == ((0, 10), (11, 51), (52, 85))


def test_clauses_present_and_absent_with_gold_moved_to_where_its_words_stand(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "c1.txt").write_text(CONTRACT, encoding="utf-8")
    here = {"start": 11, "end": 51, "text": CONTRACT[11:51]}
    moved = {"start": 50, "end": 60, "text": "its auditors"}
    lost = {"start": 0, "end": 4, "text": "nowhere at all"}
    write_lines(
        tmp_path / "items.jsonl",
        {
            "doc_id": "c1.txt",
            "category": "Secrecy",
            "present": True,
            "answer": "",
            "evidence": [here, moved, lost],
        },
        {"doc_id": "c1.txt", "category": "Rent", "present": False, "answer": "", "evidence": []},
    )
    (tmp_path / "docs" / "c2.txt").write_text("", encoding="utf-8")
    nothing = {"doc_id": "c2.txt", "category": "Rent", "present": False, "answer": "", "evidence": []}
    with (tmp_path / "items.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(nothing) + "\n")
    found = read_set(tmp_path)
    assert found.format == "cuad"
    assert [pack.name for pack in found.packs] == ["c1.txt", "c2.txt"], (
        "a document without gold is asked as well"
    )
    gold = found.items[0].gold
    assert CONTRACT[gold[1].start : gold[1].end] == "its auditors"
    assert [item.verdicts for item in found.items] == [("Pass",), ("Missing",), ("Missing",)]
    assert found.notes[0] == "1 gold spans moved to where their words stand"
    assert "its words do not stand at 0 to 4" in found.notes[1]


def test_questions_on_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus" / "a").mkdir(parents=True)
    (tmp_path / "corpus" / "a" / "c1.txt").write_text(CONTRACT, encoding="utf-8")
    snippet = {"doc": "a/c1.txt", "start": 11, "end": 51, "text": CONTRACT[11:51]}
    other = {**snippet, "doc": "a/c2.txt"}
    write_lines(
        tmp_path / "queries.jsonl",
        {"id": "q1", "set": "a", "query": "What is kept secret?", "snippets": [snippet]},
        {"id": "q2", "set": "a", "query": "And elsewhere?", "snippets": [snippet, other]},
    )
    found = read_set(tmp_path)
    assert (found.format, [item.item_id for item in found.items]) == ("legalbenchrag", ["q1"])
    assert found.notes == ("q2: names 2 documents; left out",)


def test_sentences_of_agreements_are_units_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "sentences.jsonl",
        {"doc_id": "d", "idx": 7, "text": "Second sentence.", "rules": []},
        {"doc_id": "d", "idx": 3, "text": "First sentence.", "rules": [1]},
    )
    write_lines(tmp_path / "rules.jsonl", {"rule_id": 1, "text": "The processor keeps records."})
    evidence = [{"idx": 7, "text": "Second sentence."}]
    write_lines(
        tmp_path / "items.jsonl", {"doc_id": "d", "rule_id": 1, "label": "present", "evidence": evidence}
    )
    found = read_set(tmp_path)
    assert (found.format, found.packs[0].documents[0].text) == (
        "dpa_gdpr",
        "First sentence.\nSecond sentence.",
    )
    assert (found.items[0].gold[0].unit, found.items[0].gold[0].start) == (1, 16)


def test_sentences_that_are_requirements_or_not(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "sentences.jsonl",
        {"split": "train", "doc": "a", "text": "The meter shall be sealed.", "label": "req"},
        {"split": "train", "doc": "a", "text": "Chapter two.", "label": "not_req"},
    )
    found = read_set(tmp_path)
    assert (found.format, [one.is_requirement for one in found.sentences]) == ("pure_req", [True, False])


def test_questions_on_filings_have_pages_for_gold(tmp_path: Path, pdf_writer: Any) -> None:
    pdf_writer(tmp_path / "pdfs" / "f.pdf", ["Sales were 12"], pages=2)
    evidence = [{"doc_id": "f", "page0": 0, "text": "Sales were 12"}, {"doc_id": "f", "page1": 2, "text": ""}]
    write_lines(
        tmp_path / "questions.jsonl", {"id": "q", "doc_id": "f", "question": "Sales?", "evidence": evidence}
    )
    found = read_set(tmp_path)
    assert (found.format, found.by_page) == ("financebench", True)
    assert [span.page for span in found.items[0].gold] == [1, 2]


def test_evidence_in_another_filing_is_left_out_by_name(tmp_path: Path) -> None:
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "f.pdf").write_bytes(b"%PDF-1.7")
    evidence = [{"doc_id": "f", "page1": 2, "text": ""}, {"doc_id": "g", "page1": 1, "text": ""}]
    write_lines(
        tmp_path / "questions.jsonl", {"id": "q", "doc_id": "f", "question": "Sales?", "evidence": evidence}
    )
    found = read_set(tmp_path)
    assert [span.page for span in found.items[0].gold] == [2]
    assert found.notes == ("q: evidence in g, which is not the filing asked; left out",)


def test_gold_of_a_tender_finds_its_bid_in_the_inbox_and_its_rules_in_the_catalog(small_inbox: Path) -> None:
    gold = small_inbox.parent / "gold" / "water-meters" / "good.jsonl"
    evidence = [{"file": "offer.pdf", "page": 1, "snippet": "48 months"}]
    rule = {"id": "C1", "area": "Commercial", "mandatory": True, "text": "Warranty.", "clause_ref": ""}
    write_lines(gold, {**rule, "verdict": "Pass", "alt_verdict": "Partial", "evidence": evidence})
    found = read_set(small_inbox.parent / "gold")
    assert (found.format, found.recall_by) == ("tender", "rule")
    assert [document.name for document in found.packs[0].documents] == ["offer.pdf"]
    assert [document.name for document in found.packs[0].rfp] == ["rfp.pdf"]
    item = found.items[0]
    assert (item.item_id, item.verdicts) == ("water-meters--good:C1", ("Pass", "Partial"))
    assert item.requirement.text == "Warranty of at least 36 months."


def test_gold_of_a_tender_beside_its_files(tmp_path: Path, pdf_writer: Any) -> None:
    pdf_writer(tmp_path / "bid.pdf", ["Warranty of 48 months"])
    pdf_writer(tmp_path / "rfp.pdf", ["Warranty of at least 36 months"])
    row = {"id": "C1", "mandatory": True, "text": "Warranty of at least 36 months.", "rfp_file": "rfp.pdf"}
    evidence = [{"file": "bid.pdf", "page": 1, "snippet": "48 months"}]
    write_lines(
        tmp_path / "gold_any.jsonl",
        {**row, "verdict": "Pass", "evidence": evidence},
        {**row, "id": "C2", "verdict": "Missing", "evidence": None},
    )
    found = read_set(tmp_path)
    assert [one.name for one in (*found.packs[0].documents, *found.packs[0].rfp)] == ["bid.pdf", "rfp.pdf"]
    assert [len(item.gold) for item in found.items] == [1, 0]
    assert found.items[0].requirement.mandatory


@pytest.mark.parametrize(
    ("breaking", "said"),
    [
        ("folder", "no such folder"),
        ("empty", "is no labelled set"),
        ("json", "items.jsonl, line 2: is no JSON"),
        ("record", "items.jsonl, line 2: is no record"),
        ("field", "items.jsonl, line 2: has no field label"),
        ("label", "unknown label Maybe"),
        ("span", "span 9 is not in the document"),
        ("rule", "rule_id r9 is not in the set"),
        ("file", "has documents.jsonl, items.jsonl but no rules.jsonl"),
        ("none", "holds no labelled items"),
        ("bytes", "is not UTF-8"),
    ],
)
def test_a_broken_set_is_one_line_that_names_file_and_line(tmp_path: Path, breaking: str, said: str) -> None:
    folder = make_contracts(
        tmp_path / "set", "Maybe" if breaking == "label" else "Entailment", 9 if breaking == "span" else 1
    )
    items = folder / "items.jsonl"
    first = items.read_text(encoding="utf-8").splitlines()[0]
    second = {
        "json": "{", "record": "[1]", "field": '{"doc_id": "c1", "rule_id": "r1", "evidence": []}',
        "rule": '{"doc_id": "c1", "rule_id": "r9", "label": "Entailment", "evidence": []}',
    }  # fmt: skip
    if breaking in second:
        items.write_text(f"{first}\n{second[breaking]}\n", encoding="utf-8")
    elif breaking == "file":
        (folder / "rules.jsonl").unlink()
    elif breaking == "none":
        items.write_text("", encoding="utf-8")
    elif breaking == "bytes":
        items.write_bytes(b"\xff\xfe{}")
    elif breaking in ("folder", "empty"):
        folder = tmp_path / "other"
    if breaking == "empty":
        folder.mkdir()
    with pytest.raises(BadInputError) as caught:
        read_set(folder)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_pdf_is_named_with_the_line_that_needs_it(tmp_path: Path) -> None:
    (tmp_path / "pdfs").mkdir()
    write_lines(
        tmp_path / "questions.jsonl", {"id": "q", "doc_id": "f", "question": "Sales?", "evidence": []}
    )
    with pytest.raises(BadInputError, match=r"line 1: names f\.pdf, which is not in pdfs/"):
        read_set(tmp_path)


def test_lines_end_where_the_reader_of_text_files_ends_them() -> None:
    assert line_ranges("a\r\nbc\n\nd") == [(0, 1), (3, 5), (6, 6), (7, 8)]


def block(text: str, anchor: str, number: int = 0) -> dict[str, Any]:
    return {"page": 1, "block_no": number, "text": text, "anchor": anchor}


def test_a_block_of_joined_lines_leads_back_to_the_characters_of_its_file() -> None:
    text = "first  line\nsecond line\n\nother"
    places = source_places(
        text, [block("first line second line", "lines 1 to 2"), block("other", "line 4", 1)]
    )
    assert text[places[1, 0][6] : places[1, 0][9] + 1] == "line"
    assert text[places[1, 0][11] :].startswith("second")
    assert places[1, 1] == [25, 26, 27, 28, 29]


def test_signs_that_reading_dropped_do_not_shift_what_follows() -> None:
    text = "net\x07work \ufeffcost of 5\n"
    places = source_places(text, [block("network cost of 5", "line 1")])
    assert text[places[1, 0][-1]] == "5"
    assert text[places[1, 0][8]] == "c"


def test_a_chunk_covers_the_source_of_its_slices_and_holds_a_span_whole_or_not() -> None:
    text = "alpha beta\ngamma delta\n"
    places = source_places(text, [block("alpha beta", "line 1"), block("gamma delta", "line 2", 1)])
    spans = [
        {"start": 0, "end": 4, "page": 1, "block_no": 0, "block_start": 6},
        {"start": 5, "end": 10, "page": 1, "block_no": 1, "block_start": 0},
    ]
    ranges = chunk_ranges({"spans": spans}, places)
    assert ranges == [(6, 10), (11, 16)]
    ink = Ink(text)
    assert ink.holds(ranges, 6, 16)
    assert ink.holds(ranges, 5, 17), "the gaps are spaces"
    assert not ink.holds(ranges, 6, 18)
    assert not ink.holds(ranges, 4, 10)
    assert ink(ranges) == 9


def test_a_long_line_with_a_sign_dropped_here_and_there_is_aligned_in_no_time() -> None:
    import time

    line = " ".join(
        f"word{number}\uf0b7" if number % 50 == 0 else f"word{number}" for number in range(20_000)
    )
    read = line.replace("\uf0b7", "•")
    started = time.perf_counter()
    places = source_places(line, [block(read, "line 1")])[1, 0]
    assert time.perf_counter() - started < 5
    assert all(line[place] == sign for place, sign in zip(places, read, strict=True) if sign not in " •")
