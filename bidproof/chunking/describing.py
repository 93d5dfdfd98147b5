"""A chunk's row: its text put together, and what is said about it: pages, section, language, questions, references.

Cuts nothing. What is found once in a block is carried into each chunk that holds that part of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bidproof.adapters import Adapter
from bidproof.chunking.content_types import content_type
from bidproof.chunking.languages import chunk_language, document_languages
from bidproof.chunking.quality import quality_parts, quality_score
from bidproof.chunking.questions import Place, Question, question_row, questions_within
from bidproof.chunking.references import PackIndex, Reference, all_references
from bidproof.chunking.sections import Block
from bidproof.documents.structure.headings import parse_number
from bidproof.records import BlockKind, PageStatus

_OWNER = ("tender", "bidder", "pack", "doc_id", "file_name")


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
class Draft:
    """A chunk before it is described.

    `lead` is the heading or caption above a table, `header` the table's header rows, `body` the text proper.
    """

    body: tuple[Slice, ...]
    kind: str
    tokens: int
    lead: tuple[Slice, ...] = ()
    header: tuple[Slice, ...] = ()
    torn: bool = False


@dataclass(slots=True)
class _Composed:
    text: str = ""
    spans: list[dict[str, int]] = field(default_factory=list)
    header_start: int = 0
    body_start: int = 0


class Describer:
    """Makes rows of `chunks` of one pack."""

    def __init__(
        self,
        pages: Mapping[tuple[str, int], Mapping[str, Any]],
        questions: Mapping[Place, list[Question]],
        index: PackIndex,
    ) -> None:
        self._languages = document_languages(pages.values())
        self._pages, self._questions, self._index = pages, questions, index
        self._references: dict[Place, list[Reference]] = {}
        self._counts: Counter[tuple[str, int]] = Counter()
        self._section_types: dict[tuple[str, str], str] = {}

    def row(self, draft: Draft, adapter: Adapter) -> dict[str, Any]:
        """The row of one chunk; chunks must come in reading order, which numbers them."""
        made = _compose(draft)
        body = made.text[made.body_start :]
        first = draft.body[0].block
        pages = sorted({part.block["page"] for part in draft.body})
        place = (first["doc_id"], pages[0])
        self._counts[place] += 1
        known = [self._pages.get((first["doc_id"], page), {}) for page in pages]
        language = next((fact["language"] for fact in known if fact.get("language")), "")
        language = language or self._languages.get(first["doc_id"], "")
        path = _path(draft.body)
        number, title = _section(path)
        kinds = [part.block["kind"] for part in draft.body]
        questions = list(self._asked(draft, made))
        references, targets = self._referred(draft)
        asked = sum(question["end"] - question["start"] for question in questions)
        ocr = any(fact.get("status") == PageStatus.OCR.value for fact in known)
        heading_only = all(kind == BlockKind.HEADING.value for kind in kinds)
        parts = quality_parts(body, draft.kind, ocr, heading_only, draft.torn, adapter.least_words)
        return {
            **{name: first[name] for name in _OWNER},
            "chunk_id": f"{first['doc_id']}:p{pages[0]}_c{self._counts[place]:02d}",
            "page": pages[0],
            "pages": pages,
            "heading_path": path,
            "section_no": number,
            "section_title": title,
            "kind": draft.kind,
            "content_type": content_type(
                body, draft.kind, kinds, asked, self._section_type(path, adapter), adapter
            ),
            "text": made.text,
            "tokens": draft.tokens,
            "header_start": made.header_start,
            "body_start": made.body_start,
            "spans": made.spans,
            "language": chunk_language(body, language),
            "questions": questions,
            "question_ids": list(dict.fromkeys(question["id"] for question in questions)),
            "references": references,
            "reference_targets": targets,
            "annotations": adapter.labels(body),
            "quality": quality_score(parts),
            "anchor": first["anchor"] or "",
        }

    def _section_type(self, path: str, adapter: Adapter) -> str:
        key = (adapter.name, path)
        if key not in self._section_types:
            self._section_types[key] = adapter.section_type(path)
        return self._section_types[key]

    def _asked(self, draft: Draft, made: _Composed) -> Iterator[dict[str, Any]]:
        # Spans stand in the order of the parts that have text; those of the body are the last.
        body = [part for part in draft.body if part.text]
        for part, span in zip(body, made.spans[len(made.spans) - len(body) :], strict=True):
            shift = span["start"] - part.start
            own = self._questions.get(_place(part.block), ())
            for question, end in questions_within(own, part.start, part.end):
                yield question_row(question, made.text, shift, end)

    def _referred(self, draft: Draft) -> tuple[list[str], list[dict[str, Any]]]:
        names: dict[str, dict[str, Any]] = {}
        for part in draft.body:
            block = part.block
            place = _place(block)
            if place not in self._references:
                self._references[place] = all_references(block["text"])
            found = self._references[place]
            for at in range(bisect_left(found, part.start, key=_start), len(found)):
                if found[at].start >= part.end:
                    break
                if found[at].name not in names:
                    names[found[at].name] = self._index.resolve(
                        found[at], block["doc_id"], block["heading_path"]
                    )
        return list(names), list(names.values())


def _compose(draft: Draft) -> _Composed:
    """Text of a chunk, its spans, and where its header and its body begin."""
    made = _Composed()
    for parts in (draft.lead, draft.header, draft.body):
        if parts is draft.body or parts is draft.header:
            begun = len(made.text) + (len(parts[0].glue) if parts and made.text else 0)
            made.body_start = begun
            if parts is draft.header:
                made.header_start = begun
        for part in parts:
            made.text += part.glue if made.text else ""
            if part.text:
                made.spans.append({
                    "start": len(made.text), "end": len(made.text) + len(part.text), "page": part.block["page"],
                    "block_no": part.block["block_no"], "block_start": part.start,
                })  # fmt: skip
            made.text += part.text
    if not draft.header:
        made.header_start = made.body_start
    return made


def _start(reference: Reference) -> int:
    return reference.start


def _place(block: Block) -> Place:
    return block["doc_id"], block["page"], block["block_no"]


def _path(body: tuple[Slice, ...]) -> str:
    """Headings of the last block, or those that all share where several sections stand in one chunk."""
    paths = list(dict.fromkeys(part.block["heading_path"] for part in body))
    last = paths[-1]
    if all(last == path or last.startswith(f"{path} > ") or not path for path in paths):
        return str(last)
    split = [path.split(" > ") for path in paths]
    shared = [names[0] for names in zip(*split, strict=False) if len(set(names)) == 1]
    return " > ".join(shared) or str(last)


def _section(path: str) -> tuple[str, str]:
    """Number and title of the nearest heading."""
    heading = path.rsplit(" > ", 1)[-1]
    number = parse_number(heading)
    if number is None:
        return "", heading
    label = heading[: len(heading) - len(number.title)].strip(" -–—:.)") if number.title else heading
    return label, number.title or heading
