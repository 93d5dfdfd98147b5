"""Rules by which a parser's tables and headings are held against the gold of the benchmarks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from gold import readings, scoring, seal

TABLE = """== prices
file: offer.pdf
pages: 4 5
kind: ruled
headers: 2
Item | Price | <
^ | 2026 | 2027
Meter | $ 61.50 | (62)
Cabinet(a) || Cabinet | 900 |
Total without tax | < | ?
"""


@pytest.fixture
def gold() -> dict[str, Any]:
    return seal.seal_table(seal.tables(TABLE)[0])


def rows(*lines: list[str], page: int = 4) -> list[dict[str, Any]]:
    return [{"page": page, "cells": line} for line in lines]


RIGHT = [
    ["Item", "Price", ""],
    ["", "2026", "2027"],
    ["Meter", "$61.50", "(62)"],
    ["Cabinet", "900", ""],
    ["Total without tax", "", "1,862"],
]


def test_a_table_read_as_printed_is_found_whole(gold: dict[str, Any]) -> None:
    score = scoring.score_table(gold, [rows(*RIGHT)])
    assert (score.found, score.whole, score.rows_right, score.cells_right, score.beside) == (
        True,
        True,
        5,
        10,
        0,
    )


def test_columns_that_hold_only_currency_signs_change_nothing(gold: dict[str, Any]) -> None:
    spread = [
        ["Item", "", "Price", "", ""],
        ["", "", "2026", "", "2027"],
        ["Meter", "$", "61.50", "$", "(62)"],
        ["Cabinet (a)", "", "900", "", ""],
        ["", "Total without tax", "", "", "1,862"],
    ]
    assert scoring.score_table(gold, [rows(*spread)]).rows_right == 5


def test_a_value_under_the_wrong_header_is_wrong(gold: dict[str, Any]) -> None:
    moved = [*RIGHT[:3], ["Cabinet", "", "900"], RIGHT[4]]
    score = scoring.score_table(gold, [rows(*moved)])
    assert score.wrong_rows == [3]
    assert score.cells_right == 9


def test_a_figure_in_a_cell_that_is_empty_in_print_makes_its_row_wrong(gold: dict[str, Any]) -> None:
    filled = [*RIGHT[:3], ["Cabinet", "900", "900"], RIGHT[4]]
    assert scoring.score_table(gold, [rows(*filled)]).wrong_rows == [3]


def test_a_row_cut_in_two_is_wrong_and_leaves_a_row_beside(gold: dict[str, Any]) -> None:
    cut = [*RIGHT[:4], ["Total", "", ""], ["without tax", "", ""]]
    score = scoring.score_table(gold, [rows(*cut)])
    assert (score.wrong_rows, score.beside) == ([4], 2)


def test_a_table_in_two_pieces_has_its_rows_but_is_not_whole(gold: dict[str, Any]) -> None:
    pieces = [rows(*RIGHT[:3]), rows(RIGHT[1], *RIGHT[3:], page=5)]
    score = scoring.score_table(gold, pieces)
    assert (score.rows_right, score.whole) == (5, False)


def test_tables_on_other_pages_count_for_nothing(gold: dict[str, Any]) -> None:
    assert scoring.score_table(gold, [rows(*RIGHT, page=6)]).rows_right == 0


def test_headings_count_on_their_page_and_levels_by_their_parent() -> None:
    typed = "== offer.pdf\ntitles: 1\n2 | 3 Security | TOP\n2 | 3.2 Bid bond | 3 Security\n3 | Annex G | ?\n"
    gold = seal.seal_headings(seal.headings(typed)[0])
    found = [
        {"page": 1, "text": "Our offer", "parent": ""},
        {"page": 2, "text": "3 Security", "parent": "Our offer"},
        {"page": 2, "text": "3.2 Bid bond", "parent": "Our offer"},
        {"page": 4, "text": "Annex G", "parent": ""},
    ]
    scores = scoring.score_headings(gold, found)
    assert [(score.right, score.level) for score in scores] == [(True, True), (True, False), (False, None)]


def test_the_gold_holds_fifteen_tables_and_sixty_headings_and_no_text() -> None:
    tables, headings = readings.load()
    assert len(tables) == 15
    assert sum(len(file["headings"]) for file in headings) == 60
    cells = {part for table in tables for row in table["rows"] for cell in row for part in cell.split("|")}
    assert {len(cell) for cell in cells} == {0, 1, 10}
