"""Where in the RFP stands what a rule refers to: `as per Annex G`, `clause 3.2.1`, `article 12 du CCAP`.

Looking up is chunking's, with the RFP's own conditions of contract and instructions at hand; what is not found is
named as such. Which words name a place stands in `named_places`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from bidproof.catalog.annotating.definitions import citable_blocks
from bidproof.catalog.annotating.named_places import CODE, CONDITIONS, ROMAN, form_code, named_places
from bidproof.chunking.references import PackIndex, Reference
from bidproof.chunking.sections import Block
from bidproof.facts import fold
from bidproof.records import BlockKind

_BEGINS = re.compile(
    r"^(?P<word>section|annexe?|appendix|appendice|schedule|exhibit|attachment|form|formulaire|part|partie|chapter|chapitre|article)\s+(?:n°\s*|no\.?\s*)?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-Z]{1,3}(?:[-.]?\d{1,3})*)(?=\s*(?:$|[|:–—]|-\s))",
    re.I,
)
_CLAUSE = re.compile(r"\d{1,3}(?:\.\d{1,3})+")
_TABLE = re.compile(r"^(?:table|tableau)\s*(?:n°\s*|no\.?\s*)?(?P<number>[\dIVXLC]+(?:[.-]\d+)*)", re.I)
_LONGEST_HEADING, _TITLE_PAGES, _FEW_HEADINGS = 90, 2, 3
# A lot is what is bought, not a place; an addendum that is not at hand is no fault of the RFP.
_NEVER_MISSED = frozenset({"lot", "addendum", "volume", "question"})


@dataclass(frozen=True, slots=True)
class _Place:
    file_name: str
    heading_path: str
    page: int


class RfpIndex:
    """Where the sections, clauses, annexes, forms, tables and files of an RFP stand."""

    def __init__(self, blocks: Sequence[Block], rfp_documents: pl.DataFrame | None = None) -> None:
        """Index an RFP.

        Args:
            blocks: citable blocks in reading order.
            rfp_documents: frame of shape `tables.DOCUMENTS`, for files without a block as well.
        """
        files = {block["doc_id"]: block["file_name"] for block in blocks}
        if rfp_documents is not None and not rfp_documents.is_empty():
            files |= dict(rfp_documents.select("doc_id", "file_name").iter_rows())
        self._pack = PackIndex(blocks, files)
        self._several = len(files) > 1
        self._first = blocks[0]["doc_id"] if blocks else ""
        self._tables: dict[str, _Place] = {}
        self._codes: dict[str, list[_Place]] = {}
        self._listed: dict[tuple[str, str], list[_Place]] = {}
        self._conditions = _conditions(blocks, files)
        for block in blocks:
            self._add(block)

    def _add(self, block: Block) -> None:
        text, kind = block["text"], block["kind"]
        if kind != BlockKind.TABLE_ROW.value and len(text) < 2 * _LONGEST_HEADING:
            table = _TABLE.match(text)
            if table:
                place = _Place(block["file_name"], block["heading_path"], block["page"])
                self._tables.setdefault(table["number"].upper(), place)
        begins = _BEGINS.match(text) if kind != BlockKind.HEADING.value else None
        if kind == BlockKind.HEADING.value:
            for code in CODE.finditer(text):
                place = _Place(block["file_name"], block["heading_path"], block["page"])
                self._codes.setdefault(form_code(code[0]), []).append(place)
        if begins:
            # A list of annexes is the only place of one that lies in a file of its own.
            path = " > ".join(part for part in (block["heading_path"], begins[0]) if part)
            place = _Place(block["file_name"], path, block["page"])
            self._listed.setdefault((_kind_of_word(begins["word"]), begins["number"].upper()), []).append(
                place
            )

    @classmethod
    def of(cls, rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame | None = None) -> RfpIndex:
        """Index of a frame of shape `tables.BLOCKS`."""
        return cls(citable_blocks(rfp_blocks), rfp_documents)

    def place_of(
        self, reference: Reference, doc_id: str = "", heading_path: str = "", inside: str = ""
    ) -> _Place | None:
        """The one place that a reference names, None where there is none or more than one.

        Args:
            reference: what is named.
            doc_id: document in which it is named; the RFP's first one when left out.
            heading_path: headings above the place that names it: of two clauses 3.2 the nearer one is meant.
            inside: abbreviation of the conditions in which the number counts.
        """
        own = doc_id or self._first
        codes = self._codes.get(form_code(reference.number), []) if reference.kind == "form" else []
        if codes:
            return codes[0]
        if reference.kind == "table":
            return self._tables.get(reference.number.upper())
        within = ""
        if inside:
            if inside not in self._conditions:
                return None
            own, within = self._conditions[inside]
            heading_path = within
            if reference.word in CONDITIONS and not reference.number:
                return self._whole(own, within)
        for number in _spellings(reference.number):
            word = "clause" if reference.word in CONDITIONS else reference.word
            asked = replace(reference, word=word, number=number, outside=False)
            found = self._pack.resolve(asked, own, heading_path)
            if found["page"] and found["heading_path"].startswith(within):
                return _Place(found["file_name"], found["heading_path"], found["page"])
        listed = (
            [] if inside else self._listed.get((_kind_of_word(reference.word), reference.number.upper()), [])
        )
        return listed[0] if listed else None

    def _whole(self, doc_id: str, path: str) -> _Place | None:
        reference = Reference(path.split(" > ")[-1], "document", "title")
        found = self._pack.resolve(reference, doc_id, path)
        return _Place(found["file_name"], found["heading_path"], found["page"]) if found["page"] else None

    def shown(self, place: _Place) -> str:
        """`Annex G > Form BS-1 (p. 31)`; the file before it where the RFP has several."""
        path = " > ".join(_cut(part) for part in place.heading_path.split(" > ") if part)
        where = [place.file_name] if self._several or not path else []
        return f"{' > '.join([*where, *([path] if path else [])])} (p. {place.page})"


def references_of(text: str, index: RfpIndex, doc_id: str = "", heading_path: str = "") -> tuple[str, ...]:
    """What a text refers to, in order: `heading path (p. N)`, or `Annex K (not found in the RFP)`.

    Titles of documents that are not in the RFP ("the Quality Plan") are what a bidder hands in, no reference.

    Args:
        text: a rule with its context.
        index: the RFP's places.
        doc_id: document that the text stands in.
        heading_path: headings above the text.
    """
    found: dict[str, None] = {}
    words = CODE.sub(lambda match: form_code(match[0]), " ".join(text.split()))
    for reference, inside in named_places(words):
        place = index.place_of(reference, doc_id, heading_path, inside)
        if reference.start == 0 and _BEGINS.match(words):
            continue  # the line that introduces the annex
        if place is not None:
            found[index.shown(place)] = None
        elif reference.kind != "document" and reference.word not in _NEVER_MISSED:
            found[f"{reference.name} (not found in the RFP)"] = None
    return tuple(found)


def _kind_of_word(word: str) -> str:
    """One word for a thing in both languages: annexe, appendix and annex are one."""
    low = word.lower()
    return {
        "annexe": "annex", "appendix": "annex", "appendice": "annex", "formulaire": "form", "partie": "part", "chapitre": "chapter",
    }.get(low, low)  # fmt: skip


def _conditions(blocks: Sequence[Block], files: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Document and heading path of the conditions of the RFP, by their abbreviation.

    Of several headings that name one the one with most clauses below it holds them; a title on the first pages, or
    the file's name, stands for the whole file.
    """
    headings = [block for block in blocks if block["kind"] == BlockKind.HEADING.value]
    names = [(doc_id, "", 1, re.sub(r"[\W_]+", " ", fold(name))) for doc_id, name in sorted(files.items())]
    names += [(each["doc_id"], each["heading_path"], each["page"], fold(each["text"])) for each in headings]
    below: Counter[tuple[str, str]] = Counter()
    for block in blocks:
        heading = block["kind"] == BlockKind.HEADING.value
        if heading or _CLAUSE.match(block["text"]):
            parts = block["heading_path"].split(" > ")
            below.update(
                (block["doc_id"], " > ".join(parts[:end])) for end in range(1, len(parts) + (not heading))
            )
    found: dict[str, tuple[str, str]] = {}
    for short, spelled in CONDITIONS.items():
        named = re.compile(rf"(?<![a-z])(?:{short}|{'|'.join(map(re.escape, spelled))})(?![a-z])")
        best = 0
        for doc_id, path, page, words in names:
            if not named.search(words):
                continue
            # A heading without clauses ("Deviations from the GCC") only speaks of them.
            whole = page <= _TITLE_PAGES and below[doc_id, path] < _FEW_HEADINGS
            weight = _FEW_HEADINGS if whole else below[doc_id, path]
            if weight > best:
                best, found[short] = weight, (doc_id, "" if whole else path)
    return found


def _spellings(number: str) -> list[str]:
    """A number as printed, then in the other kind of figures: Section III is Section 3."""
    if number.isdigit() and 0 < int(number) <= len(ROMAN):
        return [number, ROMAN[int(number) - 1]]
    if number in ROMAN:
        return [number, str(ROMAN.index(number) + 1)]
    return [number]


def _cut(heading: str) -> str:
    return (
        heading if len(heading) <= _LONGEST_HEADING else heading[:_LONGEST_HEADING].rsplit(" ", 1)[0] + " …"
    )
