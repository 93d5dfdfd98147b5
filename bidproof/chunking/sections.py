"""Blocks of a document to runs: text of one section, or one table row with its header.

Decides what may become evidence at all: running headers, contents lines, hidden and struck text do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bidproof.documents.running_tables import goes_on
from bidproof.records import BlockKind

Block = dict[str, Any]

_NEVER = frozenset({BlockKind.FURNITURE.value, BlockKind.CONTENTS.value})


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

    `rest` is the row on the next page that goes on with this one in mid-sentence; that row is a run of
    its own too, marked `is_rest`.
    """

    header: list[Block]
    row: Block
    rest: Block | None = None
    is_rest: bool = False


def runs(blocks: Iterable[Block], headers: dict[int, list[Block]]) -> Iterator[TextRun | RowRun]:
    """Runs of one document's citable blocks in reading order.

    Args:
        blocks: citable blocks.
        headers: header rows by table number.
    """
    bare = _tables_of_headers_only(headers, blocks := list(blocks))
    rests = _rests(blocks)
    begun = {_place(rest) for rest in rests.values()}
    current = TextRun()
    for block in blocks:
        if block["kind"] == BlockKind.TABLE_ROW.value:
            if current.blocks:
                yield current
                current = TextRun()
            if not block["is_header"]:
                place = _place(block)
                yield RowRun(headers.get(block["table_no"], []), block, rests.get(place), place in begun)
            elif block["table_no"] in bare:
                yield RowRun([], block)
        else:
            if current.blocks and _parts(current.blocks[-1], block):
                yield current
                current = TextRun()
            current.blocks.append(block)
    if current.blocks:
        yield current


def header_rows(blocks: Iterable[Block]) -> dict[int, list[Block]]:
    """Header rows of each table, by table number."""
    found: dict[int, list[Block]] = {}
    for block in blocks:
        if block["kind"] == BlockKind.TABLE_ROW.value and block["is_header"]:
            found.setdefault(block["table_no"], []).append(block)
    return found


def _tables_of_headers_only(headers: dict[int, list[Block]], blocks: list[Block]) -> set[int]:
    filled = {
        block["table_no"]
        for block in blocks
        if block["kind"] == BlockKind.TABLE_ROW.value and not block["is_header"]
    }
    return set(headers) - filled


def _rests(blocks: list[Block]) -> dict[tuple[int, int], Block]:
    """Rows that a page break has parted: the second part by the place of the first."""
    found: dict[tuple[int, int], Block] = {}
    last: dict[int, Block] = {}
    for block in blocks:
        if block["kind"] != BlockKind.TABLE_ROW.value or block["is_header"]:
            continue
        before = last.get(block["table_no"])
        if (
            before is not None
            and before["page"] + 1 == block["page"]
            and goes_on(cells(before), cells(block))
        ):
            found[_place(before)] = block
        last[block["table_no"]] = block
    return found


def cells(row: Block) -> list[str]:
    """Texts of the cells of a row."""
    return [row["text"][line["start"] : line["end"]] for line in row["lines"]]


def _place(block: Block) -> tuple[int, int]:
    return block["page"], block["block_no"]


def _parts(before: Block, block: Block) -> bool:
    """Whether a new run begins: at a heading after text, or where the heading path changes."""
    heading = BlockKind.HEADING.value
    if block["kind"] == heading:
        return bool(before["kind"] != heading)
    return bool(before["heading_path"] != block["heading_path"])
