"""Invented tenders of the benchmarks: their labels are whole, and their blocks say what the units say."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from gold.rules import own_tenders, seal_rules

TENDERS = sorted(Path(seal_rules.__file__).parents[1].glob("*/own/*.jsonl"))


def unit(kind: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "file": "own/en_test",
        "page": 1,
        "kind": kind,
        "text": text,
        "heading": "1 Scope > 1.1 Staff",
        "lead": "",
        **more,
    }


def test_twenty_tenders_are_labelled() -> None:
    assert len(TENDERS) == 20


@pytest.mark.parametrize("path", TENDERS, ids=lambda path: path.stem)
def test_every_rule_of_a_tender_is_a_slice_of_its_unit(path: Path) -> None:
    assert [fault for each in own_tenders.read_clear(path) for fault in seal_rules.faults(each)] == []


@pytest.mark.parametrize("path", TENDERS, ids=lambda path: path.stem)
def test_the_blocks_of_a_tender_hold_every_unit_in_order(path: Path) -> None:
    units = own_tenders.read_clear(path)
    blocks, documents = own_tenders.own_blocks(units)
    whole = "\n".join(blocks["text"])
    start = 0
    for each in units:
        start = whole.index(each["text"].removeprefix(f"{each['lead']} … "), start)
    assert documents["file_name"].to_list() == [f"{path.stem}.pdf"]


def test_headings_come_once_and_the_lead_in_stands_before_its_first_item() -> None:
    lead = {"lead": "The bidder supplies:"}
    units = [
        unit("item", "The bidder supplies: … a plan;", **lead),
        unit("item", "The bidder supplies: … (b) a schedule.", **lead),
    ]
    blocks, _ = own_tenders.own_blocks(units)
    assert list(zip(blocks["kind"], blocks["level"], blocks["text"], strict=True)) == [
        ("heading", 1, "1 Scope"),
        ("heading", 2, "1.1 Staff"),
        ("paragraph", 0, "The bidder supplies:"),
        ("list_item", 0, "- a plan;"),
        ("list_item", 0, "(b) a schedule."),
    ]


def test_a_lead_in_that_is_a_unit_is_not_said_twice() -> None:
    units = [
        unit("sentence", "Within 5 days, hand in:"),
        unit("item", "Within 5 days, hand in: … a plan;", lead="Within 5 days, hand in:"),
    ]
    blocks, _ = own_tenders.own_blocks(units)
    assert blocks["text"].to_list()[2:] == ["Within 5 days, hand in:", "- a plan;"]


def test_a_sentence_that_follows_goes_on_in_the_paragraph() -> None:
    blocks, _ = own_tenders.own_blocks(
        [
            unit("sentence", "Staff wear badges."),
            unit("sentence", "They sign in.", follows=True),
        ]
    )
    assert blocks["text"].to_list()[2:] == ["Staff wear badges. They sign in."]
    assert blocks["lines"].to_list()[2][0]["end"] == 32


def test_a_table_starts_with_its_header_row_and_an_empty_cell_keeps_its_place() -> None:
    row = {"header": ["Ref", "Need", "Reply"], "table": 3}
    blocks, _ = own_tenders.own_blocks([unit("row", "F1 | Search | ", **row)])
    rows = blocks.filter(blocks["kind"] == "table_row")
    assert rows.select("text", "table_no", "row_no", "is_header").rows() == [
        ("Ref | Need | Reply", 3, 0, True),
        ("F1 | Search | ", 3, 1, False),
    ]
    assert [line["start"] for line in rows["lines"].to_list()[1]] == [0, 5, 14]
