"""Blocks of a document to runs: text of one section, or one table row with what belongs to its table.

Decides what may become evidence at all: running headers, contents lines, hidden and struck text do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from bidproof.records import BlockKind

Block = dict[str, Any]

_NEVER = frozenset({BlockKind.FURNITURE.value, BlockKind.CONTENTS.value})
_HEADING, _ROW, _CAPTION = BlockKind.HEADING.value, BlockKind.TABLE_ROW.value, BlockKind.CAPTION.value
_TABLE_CAPTION = re.compile(r"^(?:table|tableau|tabelle|tabla|bảng)\b", re.I)
# "(in thousands of EUR)" above a table: the figures mean nothing without it.
_UNITS = re.compile(
    r"^\W*(?:all\s+)?(?:[\w\s]{0,30}\b)?(?:in|en)\s+(?:thousands?|millions?|billions?|milliers?|k?(?:EUR|USD|GBP|MAD|XOF|CFA)|euros?|dollars?|[€$£%])",
    re.I,
)
_MAX_UNIT_WORDS = 14
_TITLE_WORDS = 10
_LEAST_COLUMNS = 3


def citable(block: Block) -> bool:
    """True for a block whose text may be cited."""
    return (
        block["kind"] not in _NEVER
        and not block["struck"]
        and not block["hidden"]
        and bool(block["text"].strip())
    )


@dataclass(slots=True)
class TextRun:
    """Consecutive text blocks under one heading, the headings above it first."""

    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class RowRun:
    """One table row and the header rows of its table.

    `lead` are headings that stand directly above the table, for its first row alone: all rows have them in
    their heading path. `caption` are the table's caption and its line of units, for each row. `rests` are the
    parts on the next pages of a row that page breaks have parted.
    """

    header: list[Block]
    row: Block
    rests: list[Block] = field(default_factory=list)
    lead: list[Block] = field(default_factory=list)
    caption: list[Block] = field(default_factory=list)
    first: bool = False


def runs(
    blocks: Iterable[Block], headers: dict[int, list[Block]], entry: re.Pattern[str] | None = None
) -> Iterator[TextRun | RowRun]:
    """Runs of one document's citable blocks in reading order.

    Args:
        blocks: citable blocks.
        headers: header rows by table number.
        entry: what begins an entry that is a run of its own, as a period does in a CV.
    """
    blocks = list(blocks)
    bare, rests, captions = _tables_of_headers_only(headers, blocks), _rests(blocks), _captions(blocks)
    taken = {_place(block) for held in (*captions.values(), *rests.values()) for block in held}
    known: set[int] = set()
    titles: dict[int, Block] = {}
    current = TextRun()
    for block in blocks:
        if _place(block) in taken:
            continue
        table = block["table_no"]
        if block["kind"] != _ROW:
            if current.blocks and _parts(current.blocks[-1], block):
                yield from _entries(current, entry)
                current = TextRun()
            current.blocks.append(block)
            continue
        if block["is_header"] and table not in bare:
            continue
        lead: list[Block] = []
        if current.blocks:
            if _above_only(current, block):
                lead = current.blocks
            else:
                yield from _entries(current, entry)
            current = TextRun()
        header = [] if table in bare else headers.get(table, [])
        place = _place(block)
        above = captions.get(table, [])
        if _is_title_row(block):
            titles[table] = block
        elif table in titles:
            above = [*above, titles[table]]
        yield RowRun(header, block, rests.get(place, []), lead, above, table not in known)
        known.add(table)
    if current.blocks:
        yield from _entries(current, entry)


def joined(
    found: Iterable[TextRun | RowRun], tokens: dict[int, int], least: int
) -> Iterator[TextRun | RowRun]:
    """The same runs, those of text under `least` tokens joined with the next under the same first heading.

    Args:
        found: runs in reading order.
        tokens: tokens of each block by its `id()`.
        least: 0 leaves all as they are.
    """
    held: TextRun | None = None
    for run in found:
        if held is not None and (isinstance(run, RowRun) or not _same_part(held, run)):
            yield held
            held = None
        if isinstance(run, RowRun) or not least:
            yield run
            continue
        held = TextRun([*held.blocks, *run.blocks]) if held is not None else run
        if sum(tokens[id(block)] for block in held.blocks) >= least:
            yield held
            held = None
    if held is not None:
        yield held


def _same_part(run: TextRun, other: TextRun) -> bool:
    one, two = (each.blocks[0]["heading_path"].split(" > ")[0] for each in (run, other))
    return bool(one == two)


def header_rows(blocks: Iterable[Block]) -> dict[int, list[Block]]:
    """Header rows of each table, by table number."""
    found: dict[int, list[Block]] = {}
    for block in blocks:
        if block["kind"] == _ROW and block["is_header"]:
            found.setdefault(block["table_no"], []).append(block)
    return found


def _is_title_row(row: Block) -> bool:
    """A row that names the group of rows below it: words in its first place and nothing beside."""
    texts = [row["text"][line["start"] : line["end"]] for line in row["lines"]]
    if len(texts) < _LEAST_COLUMNS or not texts[0] or any(texts[1:]):
        return False
    return (
        len(texts[0].split()) <= _TITLE_WORDS and any(map(str.isalpha, texts[0])) and texts[0][0] not in "*(†"
    )


def _above_only(run: TextRun, row: Block) -> bool:
    """Whether a run is nothing but the headings of the table that comes now."""
    return (
        all(block["kind"] == _HEADING for block in run.blocks)
        and run.blocks[-1]["heading_path"] == row["heading_path"]
    )


def _captions(blocks: list[Block]) -> dict[int, list[Block]]:
    """Caption and line of units of each table: directly above it, else directly below."""
    found: dict[int, list[Block]] = {}
    ends: dict[int, int] = {}
    taken: set[int] = set()
    for at, block in enumerate(blocks):
        if block["kind"] != _ROW:
            continue
        if block["table_no"] not in ends:
            above = at
            while above > 0 and at - above < 2 and _belongs(blocks[above - 1]) and above - 1 not in taken:
                above -= 1
            if above < at:
                found[block["table_no"]] = blocks[above:at]
                taken.update(range(above, at))
        ends[block["table_no"]] = at
    for table, at in ends.items():
        below = at + 1
        if table in found or below >= len(blocks) or below in taken:
            continue
        if blocks[below]["kind"] == _CAPTION and _TABLE_CAPTION.match(blocks[below]["text"]):
            found[table] = [blocks[below]]
            taken.add(below)
    return found


def _belongs(block: Block) -> bool:
    """A table's caption, or a line that says in what its figures are given."""
    if block["kind"] == _CAPTION:
        return bool(_TABLE_CAPTION.match(block["text"]))
    if block["kind"] != BlockKind.PARAGRAPH.value or len(block["text"].split()) > _MAX_UNIT_WORDS:
        return False
    return bool(_UNITS.match(block["text"])) and not block["text"].rstrip().endswith(".")


def _entries(run: TextRun, entry: re.Pattern[str] | None) -> Iterator[TextRun]:
    """The entries of a run, each with the title lines above its period; headings go with the first."""
    if entry is None:
        yield run
        return
    cuts: list[int] = []
    for at, block in enumerate(run.blocks):
        head = block["text"][:100]
        found = entry.search(head)
        if found is None or found.start() > 60:
            continue
        start = at
        if len((head[: found.start()] + head[found.end() :]).split()) <= 3:
            # The period stands on a line of its own: post and employer stand on the one or two lines above.
            while (
                start > (cuts[-1] + 1 if cuts else 0) and at - start < 2 and _is_title(run.blocks[start - 1])
            ):
                start -= 1
        cuts.append(start)
    if cuts and all(block["kind"] == _HEADING for block in run.blocks[: cuts[0]]):
        cuts[0] = 0
    edges = sorted({0, *cuts, len(run.blocks)})
    for start, end in pairwise(edges):
        yield TextRun(run.blocks[start:end])


def _is_title(block: Block) -> bool:
    text = block["text"].strip()
    return (
        block["kind"] in (BlockKind.PARAGRAPH.value, _HEADING)
        and len(text.split()) <= _TITLE_WORDS
        and not text.endswith((".", ";", ":"))
        and "\n" not in text
    )


def _tables_of_headers_only(headers: dict[int, list[Block]], blocks: list[Block]) -> set[int]:
    filled = {block["table_no"] for block in blocks if block["kind"] == _ROW and not block["is_header"]}
    return set(headers) - filled


def _rests(blocks: list[Block]) -> dict[tuple[int, int], list[Block]]:
    """Rows that a page break has parted, which bear one number: the further parts by the place of the first."""
    found: dict[tuple[int, int], list[Block]] = {}
    first: dict[int, Block] = {}
    for block in blocks:
        if block["kind"] != _ROW or block["is_header"]:
            continue
        begun = first.get(block["table_no"])
        if begun is not None and begun["row_no"] == block["row_no"]:
            parts = found.setdefault(_place(begun), [])
            if (parts[-1] if parts else begun)["page"] + 1 == block["page"]:
                parts.append(block)
                continue
        first[block["table_no"]] = block
    return {place: parts for place, parts in found.items() if parts}


def _place(block: Block) -> tuple[int, int]:
    return block["page"], block["block_no"]


def _parts(before: Block, block: Block) -> bool:
    """Whether a new run begins: at a heading after text, or where the heading path changes."""
    if block["kind"] == _HEADING:
        return bool(before["kind"] != _HEADING)
    return bool(before["heading_path"] != block["heading_path"])
