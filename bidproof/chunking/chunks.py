"""Blocks to chunks: sections, then sentences, then tokens; table rows whole with their header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from bidproof.chunking.cutting import BLOCK, INSIDE_WORD, ITEM_SENTENCE, SENTENCE, WORD, Sizes, cut
from bidproof.chunking.quality import quality_parts, quality_score, references
from bidproof.chunking.sections import Block, RowRun, TextRun, citable, header_rows, runs
from bidproof.chunking.sentences import sentence_starts
from bidproof.chunking.tokens import Offsets, count_tokens, token_offsets
from bidproof.documents.headings import parse_number
from bidproof.params import ChunkingParams
from bidproof.records import BlockKind, PageStatus
from bidproof.tables import CHUNKS

_OWNER = ("tender", "bidder", "pack", "doc_id", "file_name")
# A header that fills more of a row's chunk than this is cut short; the row matters more.
_HEADER_SHARE = 0.5
_SEPARATOR = " | "


@dataclass(frozen=True, slots=True)
class Slice:
    """Part of a block's text, and what goes between the text before and it."""

    block: Block
    start: int
    end: int
    glue: str = "\n"

    @property
    def text(self) -> str:
        """The text of the part."""
        return str(self.block["text"][self.start : self.end])


@dataclass(frozen=True, slots=True)
class _Draft:
    header: tuple[Slice, ...]
    body: tuple[Slice, ...]
    kind: str
    tokens: int
    torn: bool = False


def chunk_blocks(blocks: pl.DataFrame, pages: pl.DataFrame, params: ChunkingParams) -> pl.DataFrame:
    """Rows of `chunks` of all documents, in order of documents, pages and blocks.

    Args:
        blocks: rows of `blocks`.
        pages: rows of `pages` of the same documents, for language and OCR.
        params: sizes in tokens.
    """
    rows: list[dict[str, Any]] = []
    facts = {
        (row["doc_id"], row["page"]): row
        for row in pages.select("doc_id", "page", "language", "status").to_dicts()
    }
    for _, document in blocks.group_by("doc_id", maintain_order=True):
        ordered = document.sort("page", "block_no").to_dicts()
        maker = _Maker(ordered, params)
        counts: Counter[int] = Counter()
        rows.extend(_chunk_row(draft, facts, counts) for draft in maker.drafts())
    return CHUNKS.frame(rows)


class _Maker:
    """Cuts the blocks of one document."""

    def __init__(self, blocks: list[Block], params: ChunkingParams) -> None:
        self.blocks = [block for block in blocks if citable(block)]
        self.params = params
        self._spelled: set[int] = set()
        offsets = token_offsets([block["text"] for block in self.blocks])
        self.offsets = {
            (b["page"], b["block_no"]): each for b, each in zip(self.blocks, offsets, strict=True)
        }

    def drafts(self) -> Iterator[_Draft]:
        """Chunks in reading order."""
        for run in runs(self.blocks, header_rows(self.blocks)):
            if isinstance(run, TextRun):
                yield from self._text(run)
            else:
                yield from self._row(run)

    def _tokens(self, block: Block) -> Offsets:
        return self.offsets[block["page"], block["block_no"]]

    def _text(self, run: TextRun) -> Iterator[_Draft]:
        places = [(at, n) for at, block in enumerate(run.blocks) for n in range(len(self._tokens(block)))]
        ranks = [rank for block in run.blocks for rank in _ranks(block, self._tokens(block))]
        overlap = round(self.params.overlap * self.params.target_tokens)
        sizes = Sizes(self.params.target_tokens, self.params.max_tokens, overlap, self.params.span_tokens)
        for start, end in cut(ranks, sizes):
            body = tuple(self._slices(run.blocks, places[start:end]))
            listed = sum(len(part.text) for part in body if part.block["kind"] == BlockKind.LIST_ITEM.value)
            kind = "list" if listed > 0.5 * sum(len(part.text) for part in body) else "text"
            yield _Draft((), body, kind, end - start)

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

    def _row(self, run: RowRun) -> Iterator[_Draft]:
        header = tuple(self._header(run.header))
        yield from self._overlong(run.header, header)
        used = sum(self._count(part) for part in header)
        ranks = _row_ranks(run.row, self._tokens(run.row))
        room = max(self.params.max_tokens - used, 1)
        span = min(self.params.span_tokens, room)
        sizes = Sizes(room, room, min(span, room // 2), span)
        for start, end in cut(ranks, sizes):
            torn = run.rest is not None or run.is_rest
            yield _Draft(header, (self._slice(run.row, start, end - 1),), "row", used + end - start, torn)
        if run.rest is not None:
            total = used + len(self._tokens(run.row)) + len(self._tokens(run.rest))
            if total <= self.params.max_tokens:
                body = tuple(_mended(run.row, run.rest))
                yield _Draft(header, body, "row", count_tokens(_joined((*header, *body))))

    def _overlong(self, rows: list[Block], kept: tuple[Slice, ...]) -> Iterator[_Draft]:
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


def _mended(row: Block, rest: Block) -> Iterator[Slice]:
    """A row that a page break has parted, put together cell by cell."""
    for number, (first, second) in enumerate(zip(row["lines"], rest["lines"], strict=True)):
        yield Slice(row, first["start"], first["end"], _SEPARATOR if number else "\n")
        if second["end"] > second["start"]:
            yield Slice(rest, second["start"], second["end"], " " if first["end"] > first["start"] else "")


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
    after = 0
    for start, end in tokens:
        # A sentence may begin with signs that are no tokens, such as a bullet of a symbol font.
        begins = any(place in starts for place in range(after, start + 1))
        spaced = start == 0 or text[start - 1].isspace()
        ranks.append(rank if begins else WORD if spaced else INSIDE_WORD)
        after = end
    return ranks


def _chunk_row(
    draft: _Draft, facts: dict[tuple[str, int], dict[str, Any]], counts: Counter[int]
) -> dict[str, Any]:
    text, spans, body_start = _compose(draft)
    first = draft.body[0].block
    pages = sorted({part.block["page"] for part in draft.body})
    counts[pages[0]] += 1
    known = [facts.get((first["doc_id"], page), {}) for page in pages]
    path = draft.body[-1].block["heading_path"]
    number, title = _section(path)
    heading_only = all(part.block["kind"] == BlockKind.HEADING.value for part in draft.body)
    ocr = any(fact.get("status") == PageStatus.OCR.value for fact in known)
    body = text[body_start:]
    return {
        **{name: first[name] for name in _OWNER},
        "chunk_id": f"{first['doc_id']}:p{pages[0]}_c{counts[pages[0]]:02d}",
        "page": pages[0],
        "pages": pages,
        "heading_path": path,
        "section_no": number,
        "section_title": title,
        "kind": draft.kind,
        "text": text,
        "tokens": draft.tokens,
        "body_start": body_start,
        "spans": spans,
        "language": next((fact["language"] for fact in known if fact.get("language")), ""),
        "references": references(body),
        "quality": quality_score(quality_parts(body, draft.kind, ocr, heading_only, draft.torn)),
        "anchor": first["anchor"] or "",
    }


def _compose(draft: _Draft) -> tuple[str, list[dict[str, int]], int]:
    """Text of a chunk, its spans, and where its body begins."""
    text = ""
    spans: list[dict[str, int]] = []
    body_start = 0
    for part in (*draft.header, *draft.body):
        text += part.glue if text else ""
        if draft.header and part is draft.body[0]:
            body_start = len(text)
        if part.text:
            spans.append({
                "start": len(text), "end": len(text) + len(part.text), "page": part.block["page"],
                "block_no": part.block["block_no"], "block_start": part.start,
            })  # fmt: skip
        text += part.text
    return text, spans, body_start


def _section(path: str) -> tuple[str, str]:
    """Number and title of the nearest heading."""
    heading = path.rsplit(" > ", 1)[-1]
    number = parse_number(heading)
    if number is None:
        return "", heading
    label = heading[: len(heading) - len(number.title)].strip(" -–—:.)") if number.title else heading
    return label, number.title or heading
