"""Blocks to chunks: sections, then sentences, then tokens; table rows whole with their header.

Cuts. What is said about a chunk is found in `describing`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import polars as pl

from bidproof.adapters import Adapter, adapter_named
from bidproof.chunking.cutting import BLOCK, INSIDE_WORD, ITEM_SENTENCE, SENTENCE, WORD, Sizes, cut
from bidproof.chunking.describing import Describer, Draft, Slice
from bidproof.chunking.questions import find_questions
from bidproof.chunking.references import PackIndex
from bidproof.chunking.sections import Block, RowRun, TextRun, citable, header_rows, joined, runs
from bidproof.chunking.sentences import sentence_starts
from bidproof.chunking.tokens import Offsets, TokenBook, count_tokens
from bidproof.documents.structure.joining import joint, vocabulary
from bidproof.params import ChunkingParams
from bidproof.records import BlockKind
from bidproof.tables import CHUNKS

# A header that fills more of a row's chunk than this is cut short; the row matters more.
_HEADER_SHARE = 0.5
_SEPARATOR = " | "
_READ = (
    "tender", "bidder", "pack", "doc_id", "file_name", "page", "block_no", "kind", "text", "heading_path", "table_no", "row_no",
    "is_header", "struck", "hidden", "lines", "anchor",
)  # fmt: skip


def chunk_blocks(
    blocks: pl.DataFrame,
    pages: pl.DataFrame,
    params: ChunkingParams,
    *,
    adapters: Mapping[str, str] | None = None,
    asked: Mapping[str, str] | None = None,
    book: TokenBook | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> pl.DataFrame:
    """Rows of `chunks` of all documents of a pack, in order of documents, pages and blocks.

    Args:
        blocks: rows of `blocks`.
        pages: rows of `pages` of the same documents, for language and OCR.
        params: sizes in tokens.
        adapters: name of the adapter by doc_id; tender for those left out.
        asked: ids by words of the RFP's questions, as `questions_asked` gives them.
        book: tokens of texts counted before.
        progress: called with (file name, documents done, documents) after each document.
    """
    book = book or TokenBook()
    documents = [
        document.sort("page", "block_no").to_dicts()
        for _, document in blocks.select(_READ).group_by("doc_id", maintain_order=True)
    ]
    citables = [[block for block in document if citable(block)] for document in documents]
    everything = [block for document in citables for block in document]
    facts = {
        (row["doc_id"], row["page"]): row
        for row in pages.select("doc_id", "page", "language", "status").to_dicts()
    }
    files = dict(pages.select("doc_id", "file_name").unique().sort("doc_id").iter_rows())
    describer = Describer(facts, find_questions(everything, asked or {}), PackIndex(everything, files))
    rows: list[dict[str, Any]] = []
    for done, document in enumerate(citables, start=1):
        if document:
            adapter = adapter_named((adapters or {}).get(document[0]["doc_id"], ""))
            maker = _Maker(document, params, adapter, book)
            rows.extend(describer.row(draft, adapter) for draft in maker.drafts())
        if progress is not None:
            progress(documents[done - 1][0]["file_name"], done, len(documents))
    return CHUNKS.frame(rows)


class _Maker:
    """Cuts the citable blocks of one document."""

    def __init__(
        self, blocks: list[Block], params: ChunkingParams, adapter: Adapter, book: TokenBook
    ) -> None:
        self.blocks, self.params, self.adapter = blocks, params, adapter
        self._spelled: set[int] = set()
        offsets = book.offsets([block["text"] for block in blocks])
        self.offsets = {id(block): each for block, each in zip(blocks, offsets, strict=True)}
        target = min(adapter.target_tokens or params.target_tokens, params.max_tokens)
        overlap = round(params.overlap * params.target_tokens)
        self.sizes = Sizes(target, params.max_tokens, overlap, params.span_tokens)

    def drafts(self) -> list[Draft]:
        """Chunks in reading order."""
        found = runs(self.blocks, header_rows(self.blocks), self.adapter.entry_pattern)
        tokens = {key: len(each) for key, each in self.offsets.items()}
        drafts: list[Draft] = []
        for run in joined(found, tokens, self.params.min_tokens):
            drafts.extend(self._text(run) if isinstance(run, TextRun) else self._row(run))
        # The second part of a long row comes with the first, but may stand below a note on the page before.
        return sorted(drafts, key=_begins)

    def _tokens(self, block: Block) -> Offsets:
        return self.offsets[id(block)]

    def _text(self, run: TextRun) -> Iterator[Draft]:
        places = [(at, n) for at, block in enumerate(run.blocks) for n in range(len(self._tokens(block)))]
        ranks = [rank for block in run.blocks for rank in _ranks(block, self._tokens(block))]
        for start, end in cut(ranks, self.sizes):
            body = tuple(self._slices(run.blocks, places[start:end]))
            listed = sum(len(part.text) for part in body if part.block["kind"] == BlockKind.LIST_ITEM.value)
            kind = "list" if listed > 0.5 * sum(len(part.text) for part in body) else "text"
            yield Draft(body, kind, end - start)

    def _slices(self, blocks: list[Block], places: list[tuple[int, int]]) -> Iterator[Slice]:
        held: dict[int, tuple[int, int]] = {}
        for at, number in places:
            held[at] = (held.get(at, (number, 0))[0], number)
        for at, (first, last) in held.items():
            yield self._slice(blocks[at], first, last)

    def _slice(self, block: Block, first: int, last: int) -> Slice:
        """From token `first` to token `last`, with the signs around them that are no tokens."""
        tokens, text = self._tokens(block), block["text"]
        start = 0 if first == 0 else tokens[first][0]
        end = len(text) if last == len(tokens) - 1 else tokens[last + 1][0]
        while end > start and text[end - 1].isspace():
            end -= 1
        return Slice(block, start, end)

    def _row(self, run: RowRun) -> Iterator[Draft]:
        header = tuple(self._header(run.header))
        used = sum(self._count(part) for part in header)
        lead = yield from self._lead(run, used)
        yield from self._overlong(run.header, header)
        whole = self._mended((run.row, *run.rests)) if run.rests else ()
        if whole:
            size = count_tokens(_joined((*lead, *header, *whole)))
            if size <= self.params.max_tokens:
                yield Draft(whole, "row", size, lead, header)
                return
        for row in (run.row, *run.rests):
            yield from self._cut_row(row, lead if row is run.row else (), header, used, bool(run.rests))

    def _cut_row(
        self, row: Block, lead: tuple[Slice, ...], header: tuple[Slice, ...], used: int, torn: bool
    ) -> Iterator[Draft]:
        used += sum(len(self._tokens(part.block)) for part in lead)
        room = max(self.params.max_tokens - used, 1)
        span = min(self.params.span_tokens, room)
        sizes = Sizes(room, room, min(span, room // 2), span)
        for start, end in cut(_row_ranks(row, self._tokens(row)), sizes):
            yield Draft((self._slice(row, start, end - 1),), "row", used + end - start, lead, header, torn)

    def _mended(self, parts: tuple[Block, ...]) -> tuple[Slice, ...]:
        """A row that page breaks have parted, put together cell by cell; nothing where the cells do not match."""
        if len({len(part["lines"]) for part in parts}) != 1:
            return ()
        found: list[Slice] = []
        for number, cells in enumerate(zip(*(part["lines"] for part in parts), strict=True)):
            glue = _SEPARATOR if number else "\n"
            for part, cell in zip(parts, cells, strict=True):
                text = part["text"][cell["start"] : cell["end"]]
                if not text and part is not parts[0]:
                    continue
                if part is not parts[0] and found[-1].end > found[-1].start:
                    drop, glue = joint(found[-1].text, text, self._words)
                    found[-1] = replace(found[-1], end=found[-1].end - drop)
                elif part is not parts[0]:
                    glue = ""
                found.append(Slice(part, cell["start"], cell["end"], glue))
        return tuple(found)

    @cached_property
    def _words(self) -> frozenset[str]:
        return vocabulary(block["text"] for block in self.blocks)

    def _lead(self, run: RowRun, used: int) -> Generator[Draft, None, tuple[Slice, ...]]:
        """Chunks of those headings and captions for which the row has no room; returns the others.

        A heading directly above a table would be a chunk that says nothing; its first row says it along.
        """
        room = self.params.max_tokens - used - len(self._tokens(run.row))
        taken: list[Block] = []
        for number, block in enumerate((*run.lead, *run.caption)):
            size = len(self._tokens(block))
            if size <= room and size <= _HEADER_SHARE * self.params.max_tokens:
                taken.append(block)
                room -= size
            elif number < len(run.lead) or run.first:
                yield from self._text(TextRun([block]))
        return tuple(Slice(block, 0, _said_until(block)) for block in taken)

    def _overlong(self, rows: list[Block], kept: tuple[Slice, ...]) -> Iterator[Draft]:
        """A header too long to repeat in full, as chunks of its own, once a table."""
        if not rows or rows[0]["table_no"] in self._spelled:
            return
        self._spelled.add(rows[0]["table_no"])
        if sum(part.end - part.start for part in kept) < sum(len(row["text"]) for row in rows):
            for row in rows:
                yield from self._row(RowRun([], row))

    def _count(self, part: Slice) -> int:
        return sum(part.start <= start < part.end for start, _ in self._tokens(part.block))

    def _header(self, rows: list[Block]) -> Iterator[Slice]:
        """Header rows, the last cut short where they would crowd out the row."""
        room = int(_HEADER_SHARE * self.params.max_tokens)
        room = min(room, self.params.max_tokens - self.params.span_tokens)
        for row in rows:
            tokens = self._tokens(row)
            if len(tokens) <= room:
                yield Slice(row, 0, len(row["text"]))
            elif room > 0:
                part = self._slice(row, 0, room - 1)
                yield part
                return
            room -= len(tokens)


def _begins(draft: Draft) -> tuple[int, int, int]:
    first = draft.body[0]
    return first.block["page"], first.block["block_no"], first.start


def _said_until(block: Block) -> int:
    """Where a block's words end: the title row of a group says something in its first place only."""
    if block["kind"] == BlockKind.TABLE_ROW.value:
        return int(block["lines"][0]["end"])
    return len(block["text"].rstrip())


def _joined(parts: tuple[Slice, ...]) -> str:
    return "".join(part.glue + part.text for part in parts)


def _ranks(block: Block, tokens: Offsets) -> list[int]:
    sentence = ITEM_SENTENCE if block["kind"] == BlockKind.LIST_ITEM.value else SENTENCE
    ranks = _word_ranks(block["text"], tokens, set(sentence_starts(block["text"])), sentence)
    if ranks:
        ranks[0] = BLOCK
    return ranks


def _row_ranks(row: Block, tokens: Offsets) -> list[int]:
    cells = {line["start"] for line in row["lines"]}
    return _word_ranks(row["text"], tokens, cells, SENTENCE)


def _word_ranks(text: str, tokens: Offsets, starts: set[int], rank: int) -> list[int]:
    ranks = []
    waiting = sorted(starts, reverse=True)
    for start, _ in tokens:
        # A sentence may begin with signs that are no tokens, such as a bullet of a symbol font.
        begins = False
        while waiting and waiting[-1] <= start:
            begins = True
            waiting.pop()
        if begins:
            ranks.append(rank)
        else:
            ranks.append(WORD if start == 0 or text[start - 1].isspace() else INSIDE_WORD)
    return ranks
