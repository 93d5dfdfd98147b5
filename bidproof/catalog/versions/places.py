"""Where a rule stands in the RFP: its file, its block, the number before its words; and which file is the later.

Looks up; decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import polars as pl

from bidproof.catalog.versions.likeness import clause_numbers
from bidproof.documents.revisions import is_addendum, split_name
from bidproof.facts import fold
from bidproof.records import Requirement, Source

Place = tuple[int, int, int]
"""Page, block and character, in reading order."""

_TITLED = re.compile(
    r"^\W*(?:add?end(?:um|a)|corrigend(?:um|a)|amendment|avenant|additif|rectificatif|erratum)"
    r"(?:\s*(?:n[o°.]*|number|numero)?\s*(?P<no>\d{1,2}))?\b(?!.*\b(?:shall|must|may|may be|doit)\b)"
)


def file_rank(rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame) -> dict[str, int]:
    """0 for each file of the RFP itself, 1 and up for its addenda in the order of their numbers and dates.

    A file is an addendum when its name or one of its first lines says so.
    """
    names = sorted(set(rfp_documents["file_name"]) | set(rfp_blocks["file_name"]))
    found: dict[str, tuple[int, str, str]] = {}
    for name in names:
        titled = _title_number(rfp_blocks.filter(pl.col("file_name") == name))
        if titled is None and not is_addendum(name):
            continue
        _, _, version = split_name(name)
        number = version.revision[0] if version.revision else _trailing(name) or titled or 0
        found[name] = (number, version.date, name)
    order = sorted(found, key=lambda name: found[name])
    return {name: (order.index(name) + 1 if name in found else 0) for name in names}


def _trailing(name: str) -> int:
    digits = re.search(r"(\d{1,2})\D*$", name.rpartition(".")[0])
    return int(digits[1]) if digits else 0


def _title_number(blocks: pl.DataFrame) -> int | None:
    """Number of the addendum that the first lines of a file announce; 0 without a number, None for no addendum."""
    first = blocks.sort("page", "block_no").filter(pl.col("kind") != "furniture").head(6)
    for text in first["text"]:
        if len(text or "") < 120 and (match := _TITLED.match(fold(text or ""))):
            return int(match["no"] or 0)
    return None


class Places:
    """The blocks of an RFP, asked where a source stands."""

    def __init__(self, rfp_blocks: pl.DataFrame) -> None:
        self._pages: dict[tuple[str, int], list[tuple[int, str]]] = {}
        self._clauses: dict[str, set[str]] = {}
        self._sources: dict[str, tuple[Source, ...]] = {}
        self._letters: dict[tuple[str, int, bool], str] = {}
        self._bodies: dict[tuple[str, int], list[str]] = {}
        rows = rfp_blocks.select("file_name", "page", "block_no", "text", "heading_path", "kind").sort(
            "file_name", "page", "block_no"
        )
        for name, page, number, text, path, kind in rows.iter_rows():
            if kind != "furniture":
                self._bodies.setdefault((name, page), []).append(_plain(text))
            self._pages.setdefault((name, page), []).append((number, _plain(text)))
            self._clauses.setdefault(name, set()).update(clause_numbers(path or ""))

    def sources(self, rule: Requirement) -> tuple[Source, ...]:
        """Places of a rule; where it names a page and no file, the files that have its words on that page."""
        if rule.sources:
            return rule.sources
        if rule.rule_id not in self._sources:
            self._sources[rule.rule_id] = tuple(self._found(rule)) or (
                Source(page=rule.source_page or 1, heading_path=rule.clause_ref, quote=rule.source_quote),
            )
        return self._sources[rule.rule_id]

    def _found(self, rule: Requirement) -> Iterable[Source]:
        quote = _plain(rule.source_quote)
        for (name, page), blocks in self._pages.items():
            if quote and page == rule.source_page and any(quote in text for _, text in blocks):
                yield Source(file_name=name, page=page, heading_path=rule.clause_ref, quote=rule.source_quote)

    def stands(self, source: Source) -> bool:
        """Whether the words of a source stand on its page, in one block or running over several, or over its end."""
        names = [source.file_name] if source.file_name else sorted({name for name, _ in self._pages})
        quote = _bare(source.quote)
        return bool(quote) and any(self._starts(name, source.page, quote) for name in names)

    def _starts(self, name: str, page: int, quote: str) -> bool:
        """Whether letters and digits of a quote begin on a page; a row may run past its footer on to the next."""
        if quote in self._joined(name, page, furniture=True):
            return True
        here, after = (self._joined(name, number, furniture=False) for number in (page, page + 1))
        at = (here + after).find(quote, max(0, len(here) - len(quote)))
        return 0 <= at < len(here)

    def _joined(self, name: str, page: int, *, furniture: bool) -> str:
        """Letters and digits of a page in reading order, with or without its header and footer."""
        key = (name, page, furniture)
        if key not in self._letters:
            whole = [text for _, text in self._pages.get((name, page), ())]
            texts = whole if furniture else self._bodies.get((name, page), [])
            self._letters[key] = _bare(" ".join(texts))
        return self._letters[key]

    def position(self, source: Source) -> Place:
        """Page, block and character of a source; the top of its page where its words are not found in one block."""
        quote = _plain(source.quote)
        for number, text in self._pages.get((source.file_name, source.page), ()):
            if quote and (at := text.find(quote)) >= 0:
                return source.page, number, at
        for number, text in self._pages.get((source.file_name, source.page), ()):
            if text and text in quote:
                return source.page, number, 0
        return source.page, 0, 0

    def own_numbers(self, source: Source) -> frozenset[str]:
        """The number that leads the block of a source: `3.2.1 The bidder shall ...`."""
        quote = _plain(source.quote)
        for _, text in self._pages.get((source.file_name, source.page), ()):
            if quote and quote in text:
                return frozenset(no for no in clause_numbers(text) if "." in no)
        return frozenset()

    def holds(self, clauses: Iterable[str], ranks: Mapping[str, int], below: int) -> bool:
        """Whether a file of a lower rank has a heading with one of these numbers."""
        wanted = set(clauses)
        return any(wanted & numbers for name, numbers in self._clauses.items() if ranks.get(name, 0) < below)


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())


def _bare(text: str) -> str:
    """Letters and digits alone: how cells are joined and lines are broken plays no part."""
    return re.sub(r"[\W_]+", "", fold(text))
