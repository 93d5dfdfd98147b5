"""The statements of an RFP in reading order: its sentences, list items with their lead-in, and table rows.

Knows how blocks stand together: leads and nested lists, paragraphs that a page break cuts. Whose duty a statement is, and
which rules it holds, is decided elsewhere; rows are read in `compliance_rows`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from bidproof.catalog.mining.compliance_rows import RowContext, table_rows
from bidproof.catalog.mining.sentences import (
    Mark,
    goes_on,
    inline_items,
    is_lead,
    level,
    mark_of,
    one_line,
    split_sentences,
    without_mark,
)

Kind = Literal["sentence", "item", "row"]


@dataclass(frozen=True)
class Statement:
    """A sentence, list item or row with where it stands.

    `text` is its own words without list mark and lead-in; `lead` the words that announce it. `quote` is the text as
    it stands in the RFP. `announces` marks a sentence that only leads to what follows it; `about` is what a sentence that
    begins with a pronoun speaks of.
    """

    text: str
    quote: str
    file_name: str
    page: int
    heading_path: str
    kind: Kind
    lead: str = ""
    announces: bool = False
    about: str = ""
    row: RowContext | None = None


KINDS = ("paragraph", "list_item", "table_row", "footnote", "heading")


def ordered(blocks: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    """Blocks that speak, in reading order: without struck and hidden ones and copies of earlier files."""
    if not documents.is_empty() and {"doc_id", "duplicate_of"} <= set(documents.columns):
        doubles = documents.filter(pl.col("duplicate_of").fill_null("") != "")["doc_id"]
        blocks = blocks.filter(~pl.col("doc_id").is_in(doubles.to_list()))
    seen = (
        pl.col("kind").is_in(KINDS) & ~pl.col("struck").fill_null(False) & ~pl.col("hidden").fill_null(False)
    )
    return blocks.filter(seen).sort("file_name", "doc_id", "page", "block_no")


def statements(blocks: pl.DataFrame) -> Iterator[Statement]:
    """Statements of blocks that stand in order (`ordered`)."""
    columns = [
        "doc_id",
        "file_name",
        "page",
        "kind",
        "text",
        "heading_path",
        "table_no",
        "row_no",
        "is_header",
    ]
    rows = blocks.select(columns).to_dicts()
    tables: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        row["text"] = row["text"] or ""
        row["heading_path"] = row["heading_path"] or ""
        if row["kind"] == "table_row":
            tables.setdefault((row["doc_id"], row["table_no"] or 0), []).append(row)
    rows = _joined(rows)
    stack, done = _Leads(), set()
    for number, block in enumerate(rows):
        kind = block["kind"]
        if kind == "heading":
            stack.heading(block)
        elif kind == "table_row":
            key = (block["doc_id"], block["table_no"] or 0)
            if key not in done:
                done.add(key)
                yield from _table(tables[key], stack.open_lead())
                stack.clear()
        else:
            following = rows[number + 1] if number + 1 < len(rows) else None
            yield from _prose(block, following, stack)


def _joined(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Paragraphs that a page break or a stray line cut are one; the whole stands where it begins."""
    joined: list[dict[str, Any]] = []
    for row in rows:
        last = joined[-1] if joined else None
        if (
            last is not None
            and row["kind"] == "paragraph"
            and last["kind"] in ("paragraph", "list_item")
            and last["doc_id"] == row["doc_id"]
            and row["page"] - last["page"] <= 1
            and goes_on(last["text"], row["text"])
            and mark_of(row["text"]) is None
        ):
            joined[-1] = {**last, "text": f"{last['text']} {row['text']}"}
            continue
        if last is not None and row["kind"] == "list_item" and _either(last["text"], row["text"]):
            joined[-1] = {**last, "text": f"{last['text']} {without_mark(row['text'])}"}
            continue
        joined.append(row)
    return joined


_CHOICE = re.compile(r"^\W*(?:soit|either|ou bien)\s", re.IGNORECASE)


def _either(before: str, item: str) -> bool:
    """Alternatives of a list are one statement with their lead-in, since they are one rule."""
    return bool(_CHOICE.match(item)) and (
        is_lead(before) or bool(re.search(r"(?<![a-z])(?:soit|either)\s", level(before)))
    )


@dataclass
class _Lead:
    text: str
    mark: Mark | None
    children: str = ""


@dataclass
class _Leads:
    """Lead-ins that are open, outermost first."""

    open: list[_Lead] = field(default_factory=list)
    last_rank: dict[str, int] = field(default_factory=dict)
    fresh: bool = False
    asleep: bool = False

    def clear(self) -> None:
        self.open, self.last_rank, self.fresh, self.asleep = [], {}, False, False

    def heading(self, block: dict[str, Any]) -> None:
        """A heading ends lists, but not a lead-in that stands right before it."""
        if not self.fresh:
            self.clear()

    def open_lead(self) -> str:
        return self.words() if self.fresh else ""

    def words(self) -> str:
        """The lead-ins from the last one that is a sentence of its own."""
        start = max((n for n, lead in enumerate(self.open) if _complete(lead.text)), default=0)
        return " ".join(lead.text for lead in self.open[start:])

    def plain(self) -> None:
        """A paragraph that is no item: the list may go on after it, but only by its own marks."""
        self.fresh, self.asleep = False, True

    def item(self, mark: Mark | None, leads: bool) -> str:
        """Lead-ins of an item with this mark; those that it closes are closed."""
        if self.asleep:
            known = mark is not None and mark.rank > 1 and self.last_rank.get(mark.kind, -1) == mark.rank - 1
            if not known:
                self.clear()
            self.asleep = False
        self._close(mark, leads)
        if mark is not None:
            self.last_rank[mark.kind] = mark.rank
        self.fresh = False
        return self.words()

    def _close(self, mark: Mark | None, leads: bool) -> None:
        """Close the leads whose lists have ended: an item with another mark than theirs follows an item that led nowhere."""
        kind = mark.kind if mark else "none"
        while self.open:
            inner = self.open[-1]
            again = inner.mark is not None and inner.mark.kind == kind
            # A bullet under a lead with the same bullet is its child, until a bullet leads anew; a number never is.
            if again and (leads or (mark is not None and mark.rank > 0)):
                self.open.pop()
            elif not inner.children:
                inner.children = kind
                return
            elif inner.children == kind:
                return
            else:
                self.open.pop()

    def push(self, text: str, mark: Mark | None, *, outermost: bool) -> None:
        if outermost:
            self.clear()
        self.open.append(_Lead(text, mark))
        self.fresh = True


_TITLE = re.compile(r"^[A-ZÀ-Ý][^.:;]{2,60}:$")


def _prose(block: dict[str, Any], following: dict[str, Any] | None, stack: _Leads) -> Iterator[Statement]:
    text = one_line(block["text"])
    if not text:
        return
    mark = mark_of(text)
    listed = following is not None and (
        following["kind"] in ("list_item", "table_row") or mark_of(following["text"]) is not None
    )
    is_item = block["kind"] == "list_item" or (
        mark is not None and mark.kind not in ("1.", "1)") and bool(stack.open)
    )
    pieces = [piece for sentence in split_sentences(text) for piece in inline_items(sentence)]
    if not is_item:
        if mark is None or not stack.open:
            stack.plain()
        lead = ""
    else:
        lead = stack.item(mark, is_lead(text))
    inner, about = "", ""
    for position, piece in enumerate(pieces):
        own = without_mark(piece) if position == 0 or mark_of(piece) else piece
        if not own:
            continue
        last = position == len(pieces) - 1
        announces = is_lead(own) or (is_item and last and _names_case(own, mark, following))
        follows = (
            not last or listed or (following is not None and following["kind"] in ("heading", "paragraph"))
        )
        piece_mark = mark_of(piece)
        if inner and piece_mark is None and not announces and position > 0:
            inner = ""
        # A further sentence of an item stands by itself; a pronoun in it speaks of the one before.
        alone = position > 0 and piece_mark is None and bool(_FINITE.search(level(own)))
        speaks = about if _PRONOUN.match(level(own)) else ""
        yield _statement(
            block, own, piece, "" if alone else lead, inner, is_item, announces and follows, speaks
        )
        about = speaks or _spoken_of(own)
        if announces and follows:
            if last:
                stack.push(_shortened(own), piece_mark or mark if is_item else None, outermost=not is_item)
            else:
                inner = _shortened(own)
        elif last and inner and piece_mark:
            # "... shall contain: (a) one" with (b) in the block that follows.
            stack.push(inner, None, outermost=not is_item)
            stack.open[-1].children = piece_mark.kind
            stack.last_rank[piece_mark.kind] = piece_mark.rank
            stack.fresh = False


_CASE = re.compile(r"^(?:pour|en cas|cas|for|if|where|lorsque)\s[^:]{4,140}\s?:\s")


def _names_case(own: str, mark: Mark | None, following: dict[str, Any] | None) -> bool:
    """An item that names a case ("Pour le concurrent retenu : ... ;") under which items with other marks follow."""
    if mark is None or following is None or not _CASE.match(level(own)):
        return False
    after = mark_of(one_line(following["text"]))
    return after is not None and after.kind != mark.kind


_OPENING = re.compile(
    r"^(?:conformement|en application|en vertu|in accordance|pursuant)\s[^,;:]{2,200},\s*(?=[a-z])"
)
_FINITE = re.compile(
    r"(?<![a-z])(?:shall|must|will|should|may|can|is|are|doi(?:t|vent)|devr(?:a|ont)|peu(?:t|vent)|est|sont|ser(?:a|ont)|[a-z]{3,}(?:era|eront)|"
    r"contien(?:t|nent)|compren(?:d|nent)|comporte(?:nt)?|indique(?:nt)?|presente(?:nt)?|produi(?:t|sent)|fourni(?:t|ssent))(?![a-z])"
)
_PRONOUN = re.compile(
    r"^(?:it|they|this|these|such|elle|elles|il|ils|cette|ce|ces|celui-ci|celle-ci|ceux-ci|"
    r"celles-ci)(?=\s)(?! (?:article|section|clause|document|rfp|tender|"
    r"marche|reglement|appel|est|sont|cas|effet|appartient|convient|incombe|y a|is|means))"
)


def _complete(lead: str) -> bool:
    """The lead-in is a sentence, so that those around it need not be said."""
    return bool(_FINITE.search(level(lead))) and lead[:1].isupper()


def _shortened(lead: str) -> str:
    """A lead-in without the law that it names first and without what stands behind the case that it names."""
    opening = _OPENING.match(level(lead))
    lead = lead[opening.end() :] if opening else lead
    case = _CASE.match(level(lead))
    return lead[: case.end()].strip() if case else lead


def _spoken_of(sentence: str) -> str:
    """What a sentence is about: the words before its colon or verb, if they are few."""
    plain = level(sentence)
    match = re.search(r"\s?:\s", plain[:60]) or _FINITE.search(plain)
    words = sentence[: match.start()].strip(" ,") if match else ""
    return (
        words
        if 0 < len(words.split()) <= 9
        and not re.search(r"\d", words)
        and not _PRONOUN.match(level(words) + " ")
        else ""
    )


def _statement(
    block: dict[str, Any],
    own: str,
    quote: str,
    lead: str,
    inner: str,
    is_item: bool,
    announces: bool,
    about: str,
) -> Statement:
    leads = " ".join(part for part in (lead, inner) if part)
    kind: Kind = "item" if is_item or inner else "sentence"
    return Statement(
        own, quote, block["file_name"], block["page"], block["heading_path"], kind, leads, announces, about
    )


def _table(rows: list[dict[str, Any]], lead: str) -> Iterator[Statement]:
    first = rows[0]
    for row in table_rows(rows, lead):
        yield Statement(
            row.text, row.quote, first["file_name"], row.page, row.heading_path, "row", lead, row=row
        )
