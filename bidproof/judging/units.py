"""Units of evidence: the sentences, list items and table rows of a passage, one at a time.

Belongs here: cutting passages into the smallest pieces that can be cited and saying which words of a piece
are the bidder's own. A column or bracket that repeats what the RFP asks is not. Does not belong here: what
a unit means for a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from bidproof.facts.terms import fold
from bidproof.judging.columns import NOTED, REFERENCE_ONLY, REFERENCE_WORDS, deviation_of, roles_of, status_of
from bidproof.judging.passages import Passage
from bidproof.judging.words import Word, concept_terms, words_of
from bidproof.records import Fact

_I = re.IGNORECASE
_SENTENCE_END = re.compile(
    r"(?<=[.!?])[\"'”’»)\]]*\s+(?=[\"'“‘«(\[]?[^\W_a-zà-ÿ]|[•▪◦■-])|(?<=;)\s+(?=[•▪◦■-])|\s+(?=[•▪◦■]\s)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:no|nos|nr|art|arts|sec|fig|figs|approx|ltd|inc|corp|co|pvt|st|mr|mrs|ms|dr|prof|vs|cf|e\.g|i\.e|incl|excl|max|min|ref|p|pp|vol|ch|"
    r"para|cl|rs|cr|tel|mme|mlle|env|al|resp|ca|s\.a|s\.p|plc)|\b[A-Z])\.$", _I
)  # fmt: skip
# A line of a table of contents; "Amount: ......" is a blank of a form instead.
_CONTENTS = re.compile(r"[^|_\[\]:]*?(?:\.{4,}|(?:\.\s){4,})\s*\d*\s*$")
_NUMBERED = re.compile(
    r"^(?:\d+(?:\.\d+)*\.?|[A-Z]{0,2}\d+(?:\.\d+)*|section|annex|annexe|form|chapter|part|article|appendix|schedule|volume|lot)\b",
    _I,
)
_ASKED = re.compile(
    r"\([^()]*\b(?:targets?|required|requirement|rfp|tender|exig[ée]e?s?|requis\w*|demand[ée]e?s?|asked|cible|objectif|threshold|vs\.?)\b[^()]*\)"
    r"|\b(?:targets?|required|rfp|tender(?:ed)?|exceeds?|instead\s+of|au\s+lieu\s+d[e']|compared\s+(?:to|with)|against|vs\.?)\s+(?:the\s+)?(?:(?:rfp|required|requested|specified|maximum|minimum|limit|requirement|threshold|of|is|a|un)\s*[:=]?\s*){1,3}[^\s,;)]*\d[^\s,;)]*(?:\s+[a-zà-ÿ%]+)?",
    _I,
)


@dataclass(frozen=True)
class Cell:
    """A cell of a row: its column header, its place in the passage and its role.

    Roles: number (a running number or reference), asked (what the RFP wants), status, own (the bidder's
    words), label (names the row).
    """

    header: str
    start: int
    end: int
    role: str


@dataclass(frozen=True)
class Unit:
    """A citable piece of a passage: `passage.text[start:end]`.

    `status` is what a compliance row declares: yes, partly, no, noted or nothing. `own` are the stretches
    in the bidder's own words; `lead` is the line that introduces a list item or a row's table header.
    """

    passage: Passage
    start: int
    end: int
    kind: str
    lead: str = ""
    cells: tuple[Cell, ...] = ()
    status: str = ""
    own: tuple[tuple[int, int], ...] = ()
    record: tuple[Unit, ...] = field(default=(), compare=False, repr=False)

    @cached_property
    def text(self) -> str:
        """The unit's text, verbatim."""
        return self.passage.text[self.start : self.end]

    @cached_property
    def own_text(self) -> str:
        """The bidder's own words, a space for each other character: offsets are those of `text`."""
        marks = [" "] * (self.end - self.start)
        for a, b in self.own:
            marks[a - self.start : b - self.start] = self.passage.text[a:b]
        return "".join(marks)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Words of the unit, offsets into `text`."""
        return words_of(self.text)

    @cached_property
    def own_words(self) -> tuple[Word, ...]:
        """Words of the bidder's own stretches, offsets into `text`."""
        return words_of(self.own_text)

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Stems that the bidder's own words say, column headers over its filled cells included."""
        text = self.passage.text
        filled = [
            c.header for c in self.cells if c.role in ("own", "label") and text[c.start : c.end].strip()
        ]
        above = [w.stem for header in filled for w in words_of(header)] if not self.is_matrix else []
        return (*(w.stem for w in self.own_words), *above)

    @cached_property
    def heading(self) -> str:
        """Heading path, lead line and column headers: they say what the unit is about."""
        return " . ".join(
            part for part in (self.passage.heading_path, self.lead, *self.passage.headers) if part
        )

    @cached_property
    def is_matrix(self) -> bool:
        """The unit is a row of a compliance matrix."""
        return any(cell.role == "asked" for cell in self.cells) and any(
            cell.role == "status" for cell in self.cells
        )

    @cached_property
    def deviation(self) -> str:
        """What a row of a table of deviations declares: `none` or `declared`; empty for any other unit."""
        own = [c for c in self.cells if c.role == "own"]
        under = [c for c in own if deviation_of(c.header, "", self.passage.text[c.start : c.end])] or own
        title = self.passage.heading_path.rpartition(" > ")[2]
        said = {deviation_of(c.header, title, self.passage.text[c.start : c.end]) for c in under}
        return next((one for one in ("declared", "none") if one in said), "")

    @cached_property
    def answer(self) -> str:
        """What a row such as "SOC 2 report | not available" says of its label: no, partly, or nothing of the kind."""
        own = [c for c in self.cells if c.role in ("own", "status")]
        said = {status_of(self.passage.text[c.start : c.end]) for c in own}
        silent = self.kind != "row" or self.deviation == "none"
        return "" if silent else next((one for one in ("no", "partly") if one in said), "")

    @cached_property
    def substance(self) -> str:
        """The bidder's remark in a matrix row, empty when it only refers to another place."""
        remark = " ".join(self.passage.text[c.start : c.end].strip() for c in self.cells if c.role == "own")
        remark = remark.strip()
        if NOTED.fullmatch(remark) or REFERENCE_ONLY.match(remark):
            return ""
        asked = {w.stem for w in words_of(self.asked_text)}
        news = [term for term in concept_terms([REFERENCE_WORDS.sub(" ", remark)]) if term not in asked]
        return remark if news else ""

    @cached_property
    def asked_text(self) -> str:
        """What the requirement column of a matrix row says."""
        return " ".join(self.passage.text[c.start : c.end] for c in self.cells if c.role == "asked")

    def facts(self, *, own: bool = True) -> tuple[Fact, ...]:
        """Facts of the unit; only those in the bidder's own words unless `own` is false."""
        inside = [f for f in self.passage.facts if self.start <= f.start and f.end <= self.end]
        if not own:
            return tuple(inside)
        ends = {f: f.start + len(f.text.rstrip()) for f in inside}
        return tuple(f for f in inside if any(a <= f.start and ends[f] <= b for a, b in self.own))

    def asked_facts(self) -> tuple[Fact, ...]:
        """Facts that stand in the requirement column of a matrix row."""
        asked = [(c.start, c.end) for c in self.cells if c.role == "asked"]
        return tuple(f for f in self.facts(own=False) if any(a <= f.start < b for a, b in asked))

    @property
    def pages(self) -> tuple[int, ...]:
        """Physical pages of the unit."""
        return self.passage.pages_of(self.start, self.end)


_CELL_EDGE = re.compile(r" \|(?: |$)")


def cells_of(text: str, start: int) -> list[tuple[int, int]]:
    """Places of the cells of a row's text, which begins at `start` of its passage; empty cells count."""
    places, at = [], 0
    for edge in _CELL_EDGE.finditer(text):
        places.append((start + at, start + edge.start()))
        at = edge.end()
    return [*places, (start + at, start + len(text))]


def _without_asked(passage: Passage, start: int, end: int) -> list[tuple[int, int]]:
    """`start:end` without the brackets that only repeat what is asked, as in "(target: <60 s)"."""
    pieces, at = [], start
    for found in _ASKED.finditer(passage.text, start, end):
        pieces.append((at, found.start()))
        at = found.end()
    pieces.append((at, end))
    return [(a, b) for a, b in pieces if b > a]


def _row(passage: Passage) -> Unit:
    places = cells_of(passage.body, passage.body_start)
    texts = [passage.text[a:b] for a, b in places]
    headers = list(passage.headers) if len(passage.headers) == len(places) else [""] * len(places)
    roles = roles_of(headers, texts)
    cells = tuple(Cell(h, a, b, r) for h, (a, b), r in zip(headers, places, roles, strict=True))
    status = next((status_of(passage.text[c.start : c.end]) for c in cells if c.role == "status"), "")
    own = [
        piece
        for c in cells
        if c.role in ("own", "label")
        for piece in _without_asked(passage, c.start, c.end)
    ]
    end = len(passage.text.rstrip())
    return Unit(
        passage, passage.body_start, max(end, passage.body_start), "row", "", cells, status, tuple(own)
    )


def _is_heading(line: str, passage: Passage) -> bool:
    """The line is a heading that the chunk took along: it names a subject and asserts nothing."""
    folded = fold(line)
    if any(
        folded == fold(part) or folded.endswith(fold(part))
        for part in passage.heading_path.split(" > ")
        if part
    ):
        return True
    return (
        bool(_NUMBERED.match(line))
        and len(line.split()) <= 12
        and line[-1:] not in ".;:!?"
        and " | " not in line
    )


def _blocks(passage: Passage) -> list[tuple[int, int]]:
    """Stretches of the text that never share a sentence: blocks where they are known, else lines."""
    cuts = sorted(
        {a for a, _, _ in passage.spans} | {b for _, b, _ in passage.spans} | {0, len(passage.text)}
    )
    if len(passage.spans) < 2:
        cuts = sorted({*cuts, *(m.end() for m in re.finditer(r"\n", passage.text))})
    return [(a, b) for a, b in pairwise(cuts) if passage.text[a:b].strip()]


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for found in _SENTENCE_END.finditer(text, start, end):
        if _ABBREVIATION.search(text, at, found.start()) and text[found.start() - 1] == ".":
            continue
        yield at, found.start()
        at = found.end()
    yield at, end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


# "Guarantor: Bank of X  Amount: EUR 5": fields of a form that the page does not rule.
_LABEL = re.compile(
    r"(?:^|(?<=\s))[A-ZÀ-Ý][\w'’-]*(?:[ \u00a0][a-zà-ÿ('’][\w()/'’-]*){0,9}[ \u00a0]?:(?=\s|$)"
)
_FIELDS = 3  # so many labels make a form of a paragraph


_STATEMENT = re.compile(r"\s(?=(?:We|I|This|Nous|Je|The\s+undersigned|Le\s+soussign[ée])\s+[a-zà-ÿ])")


def _form_fields(passage: Passage, start: int, end: int) -> tuple[list[Unit], int]:
    """Label and value of each field, as rows, and where the fields end; none where there is no run of fields."""
    labels = list(_LABEL.finditer(passage.text, start, end))
    if len(labels) < _FIELDS or passage.text[start : labels[0].start()].strip():
        return [], start
    closing = _STATEMENT.search(passage.text, labels[-1].end(), end)
    end = closing.start() if closing else end
    found = []
    for label, following in zip(labels, [*labels[1:], None], strict=True):
        first, last = _trim(passage.text, label.start(), following.start() if following else end)
        cells = (Cell("", first, label.end(), "label"), Cell("", label.end(), last, "own"))
        own = tuple(p for c in cells for p in _without_asked(passage, c.start, c.end))
        found.append(Unit(passage, first, last, "row", "", cells, "", own))
    return found, end


# "RFP requirement: ..." before an answer: the RFP's words, set out for the reader.
_QUOTED_RULE = re.compile(
    r"[\W\d.]*(?:rfp\s+|tender\s+)?(?:requirement|clause|question|exigence|prescription)s?\b[^:.]{0,40}:\s",
    _I,
)


def _prose(passage: Passage) -> Iterator[Unit]:
    lead = ""
    for block_start, block_end in _blocks(passage):
        fields, prose_start = _form_fields(passage, block_start, block_end)
        yield from fields
        for sentence in _sentences(passage.text, prose_start, block_end):
            start, end = _trim(passage.text, *sentence)
            line = passage.text[start:end]
            if not line or _CONTENTS.match(line):
                continue
            if _is_heading(line, passage):
                lead = line
                continue
            item = bool(re.match(r"[•▪◦■–-]|\(?[a-z0-9]{1,3}[).]\s", line))
            yield Unit(
                passage,
                start,
                end,
                "item" if item else "sentence",
                lead,
                own=() if _QUOTED_RULE.match(line) else tuple(_without_asked(passage, start, end)),
            )
            if line.endswith(":"):
                lead = line


@lru_cache(maxsize=8192)
def units_of(passage: Passage) -> tuple[Unit, ...]:
    """Units of a passage in reading order: one for a table row, one for each sentence or list item."""
    if passage.kind == "row":
        return (_row(passage),) if passage.body.strip() else ()
    return tuple(_prose(passage))
