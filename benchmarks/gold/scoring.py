"""Holds what a parser found against the gold. Knows no parser; reads no PDF.

A reading is a dictionary: `tables`, each a list of rows `{"page": 3, "cells": ["a", "b"]}`, and `headings`, each
`{"page": 3, "text": "...", "parent": "..."}` in order, with an empty parent at the top.

Tables. The gold has a digest per cell. For each of the parser's tables with a row on the gold's pages, rows are
laid beside the gold's rows in order, and columns beside the gold's columns in order; neighbouring columns of the
parser count as one gold column as long as no row fills both (a `$` has no letters, so it counts as empty).
- A cell is right when its digest stands in its row and column; a merged cell, anywhere in the cells it covers.
- A row is right when all its cells are right and its empty cells are empty.
- A table is found when one of the parser's tables holds at least half of its cells' texts, whole when one holds
  all its rows right. Rows and cells count once, whichever of the parser's tables holds them.
- Rows beside are rows of the found table that answer to no row of the gold, repeated headers aside.

Headings. One is right when a heading with its digest stands on its page; its level is right when the heading
above it is the one of the gold (at the top: none, or one of the title pages).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from gold.seal import digest

Rows = list[list[str]]
CLASH = "!"


@dataclass
class TableScore:
    """What was right of one gold table."""

    id: str
    found: bool = False
    whole: bool = False
    rows: int = 0
    rows_right: int = 0
    cells: int = 0
    cells_right: int = 0
    beside: int = 0
    wrong_rows: list[int] = field(default_factory=list)


@dataclass
class HeadingScore:
    """What was right of one gold heading; `level` is None where it is not judged."""

    file: str
    page: int
    text: str
    right: bool
    level: bool | None


def spans(rows: Rows) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Places covered by each cell of the gold that holds text."""
    owner: dict[tuple[int, int], tuple[int, int]] = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            above = {"<": (r, c - 1), "^": (r - 1, c)}.get(cell)
            owner[r, c] = owner[above] if above else (r, c)
    covered: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place, anchor in owner.items():
        if rows[anchor[0]][anchor[1]] not in ("", "?"):
            covered.setdefault(anchor, []).append(place)
    return covered


def _fits(gold: str, found: str) -> bool:
    return bool(found) and found in gold.split("|")


def _pair_rows(gold: Rows, worth: list[list[float]]) -> dict[int, int]:
    """Gold row to parser's row, in order, so that the worth of the pairs is largest."""
    n, m = len(gold), len(worth[0]) if worth else 0
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            pair = best[i + 1][j + 1] + worth[i][j] if worth[i][j] > 0 else -1.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], pair)
    pairs, i, j = {}, 0, 0
    while i < n and j < m:
        if worth[i][j] > 0 and best[i][j] == best[i + 1][j + 1] + worth[i][j]:
            pairs[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _merged(row: list[str], start: int, end: int) -> str:
    texts = {cell for cell in row[start:end] if cell}
    return "" if not texts else texts.pop() if len(texts) == 1 else CLASH


def _group_columns(
    gold: Rows, rows: Rows, pairs: dict[int, int], cover: dict[tuple[int, int], Any]
) -> list[int]:
    """Where each gold column starts among the parser's columns; a last entry closes the list."""
    width, found = max(map(len, gold)), max(map(len, rows))
    at = {place: anchor for anchor, places in cover.items() for place in places}

    def worth(column: int, start: int, end: int) -> float:
        total = 0.0
        for r, p in pairs.items():
            text = _merged(rows[p], start, end)
            anchor = at.get((r, column))
            if anchor and _fits(gold[anchor[0]][anchor[1]], text):
                total += 1
            elif text and gold[r][column] != "?":
                total -= 0.01
        return total

    best = [[float("-inf")] * (found + 1) for _ in range(width + 1)]
    back = [[0] * (found + 1) for _ in range(width + 1)]
    best[0][0] = 0.0
    for column in range(1, width + 1):
        for end in range(found + 1):
            for start in range(end + 1):
                if best[column - 1][start] == float("-inf"):
                    continue
                value = best[column - 1][start] + (worth(column - 1, start, end) if end > start else 0.0)
                if value > best[column][end]:
                    best[column][end], back[column][end] = value, start
    edges = [found]
    for column in range(width, 0, -1):
        edges.append(back[column][edges[-1]])
    return edges[::-1]


def _overlap(gold: list[str], row: list[str]) -> float:
    wanted = Counter(part for cell in gold for part in cell.split("|")[:1] if len(part) > 1)
    has = {cell for cell in row if cell}
    other = {part for cell in gold for part in cell.split("|")}
    return sum(count for text, count in wanted.items() if text in has) + 0.1 * len(has & other)


@dataclass
class _Laid:
    """A parser's table laid beside the gold."""

    grid: dict[tuple[int, int], str]
    paired: dict[int, int]


def _lay(gold: Rows, rows: Rows, cover: dict[tuple[int, int], Any]) -> _Laid:
    width = max(map(len, gold))
    pairs = _pair_rows(gold, [[_overlap(row, other) for other in rows] for row in gold])
    grid: dict[tuple[int, int], str] = {}
    for _ in range(2):
        edges = _group_columns(gold, rows, pairs, cover)
        merged = [[_merged(row, edges[c], edges[c + 1]) for c in range(width)] for row in rows]
        at = {place: anchor for anchor, places in cover.items() for place in places}

        def alike(r: int, row: list[str], at: dict[Any, Any] = at) -> float:
            right = sum(_fits(gold[at[r, c][0]][at[r, c][1]], row[c]) for c in range(width) if (r, c) in at)
            return right + 0.1 * min(1.0, _overlap(gold[r], row))

        pairs = _pair_rows(gold, [[alike(r, row) for row in merged] for r in range(len(gold))])
        grid = {(r, c): merged[p][c] for r, p in pairs.items() for c in range(width)}
    return _Laid(grid, pairs)


def score_table(gold: dict[str, Any], tables: list[list[dict[str, Any]]]) -> TableScore:
    """Hold the parser's tables against one gold table."""
    rows: Rows = gold["rows"]
    cover, pages = spans(rows), set(gold["pages"])
    texts = Counter(rows[r][c].split("|")[0] for r, c in cover)
    readings = {part: rows[r][c].split("|")[0] for r, c in cover for part in rows[r][c].split("|")}
    score = TableScore(gold["id"], rows=len(rows), cells=len(cover))
    right_cells: set[tuple[int, int]] = set()
    right_rows: set[int] = set()
    best = 0
    for table in tables:
        here = [[digest(cell) for cell in row["cells"]] for row in table if row["page"] in pages]
        here = [row for row in here if any(row)]
        if not here:
            continue
        width = max(map(len, here))
        here = [row + [""] * (width - len(row)) for row in here]
        laid = _lay(rows, here, cover)
        cells, complete = _right(rows, laid, cover)
        right_cells |= cells
        right_rows |= complete
        held = sum((texts & Counter(readings.get(cell, "") for row in here for cell in row)).values())
        score.found |= 2 * held >= len(cover)
        score.whole |= len(complete) == len(rows)
        if held > best:
            best = held
            score.beside = _beside(gold, here, laid)
    score.rows_right, score.cells_right = len(right_rows), len(right_cells)
    score.wrong_rows = sorted(set(range(len(rows))) - right_rows)
    return score


def _right(
    rows: Rows, laid: _Laid, cover: dict[tuple[int, int], Any]
) -> tuple[set[tuple[int, int]], set[int]]:
    right, clash = set(), set()
    for anchor, places in cover.items():
        there = [laid.grid.get(place, "") for place in places]
        fits = [_fits(rows[anchor[0]][anchor[1]], text) for text in there]
        if any(fits) and all(fit or not text for fit, text in zip(fits, there, strict=True)):
            right.add(anchor)
    for (r, c), text in laid.grid.items():
        if text and rows[r][c] == "":
            clash.add(r)
    wanted: dict[int, list[tuple[int, int]]] = {}
    for anchor in cover:
        wanted.setdefault(anchor[0], []).append(anchor)
    complete = {
        r for r in laid.paired if r not in clash and all(anchor in right for anchor in wanted.get(r, ()))
    }
    return right, complete


def _beside(gold: dict[str, Any], here: Rows, laid: _Laid) -> int:
    headers = [{part for cell in row for part in cell.split("|")} for row in gold["rows"][: gold["headers"]]]
    other = [row for n, row in enumerate(here) if n not in laid.paired.values()]
    return sum(not any({cell for cell in row if cell} <= header for header in headers) for row in other)


def score_headings(gold: dict[str, Any], headings: list[dict[str, Any]]) -> list[HeadingScore]:
    """Hold the parser's headings of a file against the gold's."""
    titles = {digest(h["text"]) for h in headings if h["page"] in gold["titles"]} | {""}
    scores = []
    for wanted in gold["headings"]:
        readings = wanted["text"].split("|")
        found = [h for h in headings if h["page"] == wanted["page"] and digest(h["text"]) in readings]
        level = None
        if wanted["parents"] is not None:
            above = {digest(h["parent"]) for h in found}
            level = bool(above & set(wanted["parents"])) or ("" in wanted["parents"] and bool(above & titles))
        scores.append(HeadingScore(gold["file"], wanted["page"], readings[0], bool(found), level))
    return scores
