"""The shape of an adapter: what a kind of document calls its sections and how its parts belong together.

Holds declarations only. Reading and cutting live in `documents` and `chunking`, which follow them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import Literal

from pydantic import Field

from bidproof.records import Record

AdapterName = Literal["tender", "cv", "report"]

_NUMBERING = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*[.):]?|(?:[IVX]{1,5}|[A-Z])[.):])\s+(?=\S{3})")
_REMARK = re.compile(r"(?<=\w)\s*[(\[].*$", re.S)
_EDGES = " \t:.-–—•●▪|*_"


def title_key(text: str) -> str:
    """A title without case, accents, leading number, remark in brackets, trailing colon and doubled spaces."""
    plain = unicodedata.normalize("NFKD", _REMARK.sub("", _NUMBERING.sub("", text.strip(_EDGES))))
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join(letters.casefold().replace("&", "and").replace("’", "'").strip(_EDGES).split())


class Section(Record):
    """Sections of one kind: the content type of what stands below, and the titles by which they go."""

    content_type: str
    titles: tuple[str, ...]


class Mark(Record):
    """A pattern that speaks for an adapter, or for a content type, and in words what it shows."""

    says: str
    pattern: str
    points: int = 1
    needles: tuple[str, ...] = Field(
        (), description="lower-case pieces, one of which every match holds: spares most texts the pattern"
    )


class Adapter(Record):
    """One kind of document."""

    name: AdapterName
    description: str
    file_marks: tuple[Mark, ...] = Field(
        description="evidence in the words of the file name, which are lower case and apart by spaces"
    )
    opening_marks: tuple[Mark, ...] = Field(description="evidence in single lines of the first pages")
    max_pages: int = Field(0, description="beyond this many pages the opening is no evidence; 0 for no limit")
    sections: tuple[Section, ...] = Field(
        (), description="lines with these titles are headings, with or without number or type of their own"
    )
    titles_decide: bool = Field(
        False, description="such a line is a heading even in the type of the text around it"
    )
    has_cover: bool = Field(True, description="titles of the first page head nothing that follows it")
    entry: str = Field(
        "", description="pattern at the head of an entry (a period, say): an entry is one chunk of its own"
    )
    target_tokens: int | None = Field(None, description="aim in place of chunking.target_tokens")
    least_words: int = Field(12, description="words below which a chunk of text is marked down as short")
    passages: tuple[Mark, ...] = Field(
        (), description="content type (`says`) of a chunk by its own words; the first that matches"
    )
    annotations: tuple[Mark, ...] = Field((), description="labels (`says`) of a chunk; each that matches")

    @cached_property
    def section_types(self) -> dict[str, str]:
        """Content type by folded title."""
        return {title_key(title): each.content_type for each in self.sections for title in each.titles}

    @cached_property
    def titles(self) -> frozenset[str]:
        """Folded titles that make a plain line a heading; none where titles do not decide."""
        return frozenset(self.section_types) if self.titles_decide else frozenset()

    @cached_property
    def entry_pattern(self) -> re.Pattern[str] | None:
        """`entry`, compiled."""
        return re.compile(self.entry, re.I) if self.entry else None

    @cached_property
    def _passage_patterns(self) -> tuple[tuple[Mark, re.Pattern[str]], ...]:
        return tuple((mark, re.compile(mark.pattern, re.I)) for mark in self.passages)

    @cached_property
    def _annotation_patterns(self) -> tuple[tuple[Mark, re.Pattern[str]], ...]:
        return tuple((mark, re.compile(mark.pattern, re.I)) for mark in self.annotations)

    def passage_type(self, text: str) -> str:
        """Content type of a text by its own words; else empty."""
        low = text.lower()
        return next((m.says for m, pattern in self._passage_patterns if _matches(m, pattern, text, low)), "")

    def labels(self, text: str) -> list[str]:
        """Labels of a text, in the adapter's order."""
        low = text.lower()
        return [m.says for m, pattern in self._annotation_patterns if _matches(m, pattern, text, low)]

    def section_type(self, heading_path: str) -> str:
        """Content type of the nearest heading above that is one of the adapter's titles; else empty."""
        for title in reversed(heading_path.split(" > ")):
            found = self.section_types.get(title_key(title))
            if found:
                return found
        return ""


def _matches(mark: Mark, pattern: re.Pattern[str], text: str, low: str) -> bool:
    return (not mark.needles or any(needle in low for needle in mark.needles)) and bool(pattern.search(text))
