"""What a judge reads: passages with their facts, headings and table headers.

Belongs here: the record of a passage and its making from chunk and fact rows, with the other rows of the
same form or table record, and which of them each rule has. Does not belong here: reading sense into it (`units` and later modules).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import polars as pl

from bidproof.facts import fact_of_row, fold
from bidproof.judging.columns import is_matrix_header
from bidproof.judging.words import stems_of
from bidproof.records import Fact, Record

_LEAST_WEIGHT = 0.25
RECORD_ROWS = 12  # rows before and after a row that are read with it
SECTION_CHUNKS = 6  # chunks before and after a chosen one under its heading
FORM_CHUNKS = 60  # a form is longer only where it is a price schedule, which shows by then that it is filled


class Passage(Record):
    """A chunk as shown to a judge. Offsets of facts, spans and `body_start` are into `text`.

    `spans` are (start, end, page) of each stretch; `context` marks a row that was not chosen itself but
    belongs to the record of a chosen row: it may be cited as well.
    """

    chunk_id: str
    doc_id: str
    file_name: str
    page: int
    pages: tuple[int, ...]
    heading_path: str
    kind: str
    text: str
    body_start: int = 0
    headers: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, int], ...] = ()
    facts: tuple[Fact, ...] = ()
    language: str = ""
    context: bool = False

    @property
    def body(self) -> str:
        """The text without the repeated table header."""
        return self.text[self.body_start :]

    def pages_of(self, start: int, end: int) -> tuple[int, ...]:
        """Physical pages on which `text[start:end]` stands."""
        found = sorted({page for a, b, page in self.spans if a < end and start < b})
        return tuple(found) or (self.page,)


def passage_of(chunk: Mapping[str, Any], facts: Iterable[Fact] = (), *, context: bool = False) -> Passage:
    """The passage of a row of `chunks`."""
    body_start = int(chunk.get("body_start") or 0)
    header = _header(chunk).strip()
    spans = tuple((s["start"], s["end"], s["page"]) for s in chunk.get("spans") or ())
    return Passage(
        chunk_id=chunk["chunk_id"],
        doc_id=chunk["doc_id"],
        file_name=chunk["file_name"],
        page=chunk["page"],
        pages=tuple(chunk.get("pages") or (chunk["page"],)),
        heading_path=chunk.get("heading_path") or "",
        kind=chunk.get("kind") or "text",
        text=chunk["text"],
        body_start=body_start,
        headers=tuple(cell.strip() for cell in header.split(" | ")) if header else (),
        spans=spans,
        facts=tuple(facts),
        language=chunk.get("language") or "",
        context=context,
    )


class PassageShelf:
    """Chunks and facts of a pack by chunk id, handed out as passages."""

    def __init__(self, chunks: pl.DataFrame, facts: pl.DataFrame) -> None:
        """Index `chunks` and `facts` of one pack."""
        self._chunks = {row["chunk_id"]: row for row in chunks.iter_rows(named=True)}
        self._order = {chunk_id: n for n, chunk_id in enumerate(self._chunks)}
        self._ids = list(self._chunks)
        self._holding: Counter[str] | None = None
        self._facts: dict[str, list[dict[str, Any]]] = {}
        for row in facts.sort("chunk_id", "fact_no").iter_rows(named=True):
            self._facts.setdefault(row["chunk_id"], []).append(row)
        self._passages: dict[tuple[str, bool], Passage] = {}

    def __contains__(self, chunk_id: str) -> bool:
        return chunk_id in self._chunks

    def passage(self, chunk_id: str, *, context: bool = False) -> Passage:
        """The passage of one chunk."""
        key = (chunk_id, context)
        if key not in self._passages:
            facts = [fact_of_row(row) for row in self._facts.get(chunk_id, ())]
            self._passages[key] = passage_of(self._chunks[chunk_id], facts, context=context)
        return self._passages[key]

    def weights(self, stems: Iterable[str]) -> dict[str, float]:
        """How telling each stem is in this pack: 1 for a word that few chunks hold, 0.25 for one in all."""
        if self._holding is None:
            self._holding = _holding(tuple(row["text"] for row in self._chunks.values()))
        total = math.log(1 + len(self._chunks))
        return {s: _LEAST_WEIGHT + (1 - _LEAST_WEIGHT) * self._rarity(s, total) for s in stems}

    def _rarity(self, stem: str, total: float) -> float:
        held = self._holding[stem] if self._holding else 0
        return 1.0 if not held or not total else math.log((1 + len(self._chunks)) / (1 + held)) / total

    def chosen(self, chunk_ids: Iterable[str], forms: Iterable[str] = ()) -> tuple[Passage, ...]:
        """The chosen passages, then what is read with them, then the required `forms` wherever they stand.

        With a row go the other rows of its table or form and the text around it under the same heading: a
        table says little without the sentence that introduces it. With a text goes its table.

        A certificate or a form is a run of label-value rows: the expiry date is worth nothing without
        the standard two rows above it. In a table of service levels the row beside the one that search
        found may be the one that is asked for.
        """
        wanted = [chunk_id for chunk_id in dict.fromkeys(chunk_ids) if chunk_id in self._chunks]
        shown = dict.fromkeys(wanted)
        for chunk_id in wanted:
            for other in [*self._record(chunk_id), *self._section(chunk_id)]:
                shown.setdefault(other)
        for code in forms:
            for other in self._form(code):
                shown.setdefault(other)
        return tuple(self.passage(chunk_id, context=chunk_id not in wanted) for chunk_id in shown)

    def _section(self, chunk_id: str) -> list[str]:
        """Ids of the sentences about a chosen row's table, or of the table that a chosen text introduces."""
        row = self._chunks[chunk_id]
        if (row.get("kind") == "row" and not _is_row(row)) or not row.get("heading_path"):
            return []
        at, found = self._order[chunk_id], []
        for step in (-1, 1):
            for distance in range(1, SECTION_CHUNKS + 1):
                n = at + step * distance
                if not 0 <= n < len(self._ids) or not _same_section(row, self._chunks[self._ids[n]]):
                    break
                if (self._chunks[self._ids[n]].get("kind") == "row") != (row.get("kind") == "row"):
                    found.append(self._ids[n])
        return sorted(found, key=self._order.__getitem__)

    def _form(self, code: str) -> list[str]:
        """Ids of the chunks under a heading that names the form, in reading order."""
        headings = {row.get("heading_path") or "" for row in self._chunks.values()}
        named = {heading for heading in headings if has_code(heading, code)}
        found = [i for i in self._ids if (self._chunks[i].get("heading_path") or "") in named]
        return found[:FORM_CHUNKS]

    def _record(self, chunk_id: str) -> list[str]:
        """Ids of the rows of the same table or form as a chosen row, or of those under a bare heading."""
        row = self._chunks[chunk_id]
        steps = (-1, 1) if _is_row(row) else (1,) if _is_bare_heading(row) else ()
        at, found = self._order[chunk_id], []
        for step in steps:
            for distance in range(1, RECORD_ROWS + 1):
                n = at + step * distance
                if not 0 <= n < len(self._ids) or not _same_table(row, self._chunks[self._ids[n]]):
                    break
                found.append(self._ids[n])
        return sorted(found, key=self._order.__getitem__)


@lru_cache(maxsize=2)
def _holding(texts: tuple[str, ...]) -> Counter[str]:
    """In how many texts each stem stands. Kept: who judges a pack and who checks the verdicts count the same."""
    return Counter(stem for text in texts for stem in stems_of(text))


def _header(chunk: Mapping[str, Any]) -> str:
    """The table's header row; a heading or caption printed above the table is no part of it."""
    return str(chunk["text"][int(chunk.get("header_start") or 0) : int(chunk.get("body_start") or 0)])


def _is_row(chunk: Mapping[str, Any]) -> bool:
    """A table row that is read with its table; the rows of a compliance matrix answer a rule each."""
    return chunk.get("kind") == "row" and not is_matrix_header(_header(chunk).strip().split(" | "))


def _is_bare_heading(chunk: Mapping[str, Any]) -> bool:
    last = (chunk.get("heading_path") or "").split(" > ")[-1]
    return chunk.get("kind") != "row" and bool(last) and chunk["text"].strip().splitlines()[-1:] == [last]


def _same_section(chunk: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (
        (other.get("kind") != "row" or _is_row(other))
        and other["doc_id"] == chunk["doc_id"]
        and other["heading_path"] == chunk["heading_path"]
        and abs(other["page"] - chunk["page"]) <= 1
    )


def has_code(text: str, code: str) -> bool:
    """A form's code stands in `text`, with any hyphen or space, as a whole."""
    parts = [re.escape(part) for part in re.split(r"[\s-]+", fold(code)) if part]
    return bool(parts) and bool(
        re.search(r"(?<![a-z0-9])" + r"[\s-]?".join(parts) + r"(?![a-z0-9])", fold(text))
    )


def _same_table(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (
        _is_row(other)
        and other["doc_id"] == row["doc_id"]
        and other["heading_path"] == row["heading_path"]
        and (row.get("kind") != "row" or _header(other) == _header(row))
        and abs(other["page"] - row["page"]) <= 1
    )


def chosen_ids(passages: pl.DataFrame) -> dict[str, list[str]]:
    """Chunk ids chosen for each rule, in order of choice."""
    chosen: dict[str, list[str]] = {}
    for row in passages.sort("rule_id", "order_no").iter_rows(named=True):
        chosen.setdefault(row["rule_id"], []).append(row["chunk_id"])
    return chosen


def candidate_ids(candidates: pl.DataFrame | None) -> dict[str, list[str]]:
    """Chunk ids of all candidates of each rule, best first."""
    found: dict[str, list[str]] = {}
    if candidates is not None:
        ranked = candidates.select("rule_id", "rank", "chunk_id").sort(pl.all())
        for rule_id, _, chunk_id in ranked.iter_rows():
            found.setdefault(rule_id, []).append(chunk_id)
    return found
