"""Which gold of a labelled set stands in a chunk: by characters, by unit, by page, or by words on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from bidproof.evaluation.alignment import Ink, Range, chunk_ranges
from bidproof.evaluation.facts_read import FactsRead
from bidproof.evaluation.found import COLUMNS, FoundCandidate, Searched
from bidproof.evaluation.labelled import GoldSpan, LabelledItem, LabelledPack
from bidproof.evaluation.pack_frames import PackFrames


def bare(text: str) -> str:
    """ASCII letters, digits and percent signs in small letters: what a gold snippet and a page surely share."""
    return "".join(sign for sign in text.lower() if sign.isascii() and (sign.isalnum() or sign == "%"))


class GoldFinder:
    """Tells which gold spans stand wholly in a chunk of a pack."""

    def __init__(self, pack: LabelledPack, frames: PackFrames, by_page: bool) -> None:
        self._frames, self._by_page = frames, by_page
        self._documents = {document.name: document for document in pack.documents}
        self._chunks = {row["chunk_id"]: row for row in frames.chunks.iter_rows(named=True)}
        self._bare: dict[str, str] = {}
        self._ranges: dict[str, tuple[Range, ...]] = {}
        self._ink: dict[str, Ink] = {}
        self._facts = FactsRead(frames.facts)
        self._languages = {
            (frames.names[doc_id], page): language or ""
            for doc_id, page, language in frames.pages.select("doc_id", "page", "language").iter_rows()
        }

    def searched(
        self, item: LabelledItem, candidates: pl.DataFrame, passages: frozenset[str], verdict: str
    ) -> Searched:
        """An item with its candidates and what of its gold each holds."""
        gold = self._distinct(item.gold)
        lost = [self._lost_before(span) for span in gold]
        parts: dict[int, list[str]] = {}
        for number, span in enumerate(gold):
            if lost[number] == "chunk" and (split := self._over_rows(span)):
                parts[number], lost[number] = split, ""
        found = tuple(self._candidate(row, gold, parts) for row in candidates.iter_rows(named=True))
        counts = {number: len(split) for number, split in parts.items()}
        language = self._language(item, gold)
        untagged = frozenset(
            number
            for number, span in enumerate(gold)
            if not lost[number] and not self._tagged(span, parts.get(number))
        )
        return Searched(item, gold, found, passages, tuple(lost), language, verdict, counts, untagged)

    def _distinct(self, gold: Sequence[GoldSpan]) -> tuple[GoldSpan, ...]:
        """Gold spans less those that say the same: one page twice, or one place twice."""
        return tuple({
            (one.document, one.page) if self._by_page else (one.document, one.start, one.end, one.unit, one.page, one.text): one
            for one in reversed(gold)
        }.values())[::-1]  # fmt: skip

    def _language(self, item: LabelledItem, gold: Sequence[GoldSpan]) -> str:
        """Language of the page that answers, else of the pack's first page."""
        wanted = [(span.document, span.page or 1) for span in gold] or list(self._languages)[:1]
        return next((self._languages[place] for place in wanted if self._languages.get(place)), "")

    def _candidate(
        self, row: Mapping[str, Any], gold: Sequence[GoldSpan], parts: Mapping[int, list[str]]
    ) -> FoundCandidate:
        chunk_id = row["chunk_id"]
        chunk = self._chunks[chunk_id]
        return FoundCandidate(
            chunk_id=chunk_id,
            document=self._frames.names[chunk["doc_id"]],
            pages=tuple(chunk["pages"]),
            ranges=self._ranges_of(chunk_id),
            holds=frozenset(number for number, span in enumerate(gold) if self._holds(chunk_id, span)),
            parts=frozenset(
                (number, place)
                for number, split in parts.items()
                for place, part in enumerate(split)
                if self._shows(chunk_id, gold[number], part)
            ),
            score=row["evidence_score"],
            ranks={leg: row[name] for leg, name in COLUMNS.items() if row[name] is not None},
            rrf=row["rrf"],
        )

    def _ranges_of(self, chunk_id: str) -> tuple[Range, ...]:
        if chunk_id not in self._ranges:
            chunk = self._chunks[chunk_id]
            document = self._documents[self._frames.names[chunk["doc_id"]]]
            if ":p1_u" in chunk_id and document.units:
                ranges: Sequence[Range] = [document.units[int(chunk_id.rpartition("_u")[2])]]
            else:
                ranges = chunk_ranges(chunk, self._frames.places.get(chunk["doc_id"], {}))
            self._ranges[chunk_id] = tuple(ranges)
        return self._ranges[chunk_id]

    def _holds(self, chunk_id: str, span: GoldSpan) -> bool:
        chunk = self._chunks[chunk_id]
        if self._frames.names[chunk["doc_id"]] != span.document:
            return False
        if span.start is not None and span.end is not None:
            if span.unit is not None and ":p1_u" in chunk_id:
                return int(chunk_id.rpartition("_u")[2]) == span.unit
            return self._ink_of(span.document).holds(self._ranges_of(chunk_id), span.start, span.end)
        return self._shows(chunk_id, span, "" if self._by_page else bare(span.text))

    def _shows(self, chunk_id: str, span: GoldSpan, text: str) -> bool:
        """Whether a chunk stands on a span's page and has some text."""
        chunk = self._chunks[chunk_id]
        here = self._frames.names[chunk["doc_id"]] == span.document and span.page in chunk["pages"]
        return here and text in self._bare_of(chunk_id)

    def _ink_of(self, document: str) -> Ink:
        if document not in self._ink:
            self._ink[document] = Ink(self._documents[document].text or "")
        return self._ink[document]

    def _bare_of(self, chunk_id: str) -> str:
        if chunk_id not in self._bare:
            self._bare[chunk_id] = bare(self._chunks[chunk_id]["text"])
        return self._bare[chunk_id]

    def _lost_before(self, span: GoldSpan) -> str:
        """`parse` where the blocks do not show a gold span, `chunk` where no chunk holds it whole, else nothing."""
        if any(self._holds(chunk_id, span) for chunk_id in self._chunks):
            return ""
        return "chunk" if self._read(span) else "parse"

    def _read(self, span: GoldSpan) -> bool:
        if span.start is not None and span.end is not None:
            places = [
                place
                for doc_id in self._doc_ids(span)
                for place in self._frames.places.get(doc_id, {}).values()
            ]
            ranges = [(min(place), max(place) + 1) for place in places if place]
            return self._ink_of(span.document).holds(ranges, span.start, span.end)
        text = "".join(text for text, _ in self._page(span))
        return bool(text) and (self._by_page or bare(span.text) in text)

    def _tagged(self, span: GoldSpan, parts: Sequence[str] | None) -> bool:
        """Whether every fact that a span states was read in a chunk that holds it, or part of it."""
        stated = [span.fact] if span.fact else self._facts.stated(span.text)
        if not stated or self._by_page:
            return True
        chunks = [
            chunk_id
            for chunk_id in self._chunks
            if self._holds(chunk_id, span) or any(self._shows(chunk_id, span, part) for part in parts or ())
        ]
        return all(any(self._facts.reads(chunk_id, fact) for chunk_id in chunks) for fact in stated)

    def _over_rows(self, span: GoldSpan) -> list[str]:
        """Parts of a snippet that runs over several table rows, in order, if chunks hold them all; else nothing."""
        blocks, wanted = self._page(span), bare(span.text)
        at = "".join(text for text, _ in blocks).find(wanted)
        if self._by_page or span.page is None or at < 0:
            return []
        parts, rows, start = [], False, 0
        for text, is_row in blocks:
            low, high = max(at, start), min(at + len(wanted), start + len(text))
            if low < high:
                parts.append(text[low - start : high - start])
                rows = rows or is_row
            start += len(text)
        shown = all(any(self._shows(chunk_id, span, part) for chunk_id in self._chunks) for part in parts)
        return parts if rows and shown else []

    def _doc_ids(self, span: GoldSpan) -> list[str]:
        return [doc_id for doc_id, name in self._frames.names.items() if name == span.document]

    def _page(self, span: GoldSpan) -> list[tuple[str, bool]]:
        """Bare text of each visible block of a span's page, in order, and whether it is a table row.

        Of words over a page break all its pages, without what stands on a page's edge between them.
        """
        pages = range(span.page or 0, (span.last_page or span.page or 0) + 1)
        return [
            (text, kind == "table_row")
            for doc_id in self._doc_ids(span)
            for page in pages
            for text, kind in self._pages.get((doc_id, page), [])
            if len(pages) < 2 or kind not in ("furniture", "footnote")
        ]

    @cached_property
    def _pages(self) -> dict[tuple[str, int], list[tuple[str, str]]]:
        found: dict[tuple[str, int], list[tuple[str, str]]] = {}
        shown = self._frames.blocks.filter(~pl.col("hidden").fill_null(False))
        columns = ("doc_id", "page", "text", "kind")
        for doc_id, page, text, kind in shown.sort("doc_id", "page", "block_no").select(columns).iter_rows():
            found.setdefault((doc_id, page), []).append((bare(text or ""), kind))
        return found
