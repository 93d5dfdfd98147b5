"""Defined terms of an RFP: what it calls "the Works" and what it says that this means, with page.

Finds definitions in sentences, lists and tables and says which of them a rule uses. Who a term is, bidder or
buyer, stands in `term_roles`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import polars as pl

from bidproof.catalog.annotating.phrases import PhraseSet, annotation_words
from bidproof.chunking.sections import Block, citable
from bidproof.chunking.sentences import sentence_starts
from bidproof.facts import fold
from bidproof.facts.terms import word_set
from bidproof.records import BlockKind

_OPEN, _CLOSE = '["“”„«‘]', '["”“»’]'
_QUOTED = rf"{_OPEN}\s?(?P<term>[^\"“”«»\n]{{1,70}}?)\s?{_CLOSE}"
# "Start Date" or "Commencement Date" means ...
_TERMS = (
    rf"{_QUOTED}(?:\s*(?:,?\s+(?:or|and|ou|et)|,|/)\s*{_OPEN}\s?(?P<other>[^\"“”«»\n]{{1,70}}?)\s?{_CLOSE})?"
)
_VERB = (
    r"(?:(?:shall\s+|will\s+)?(?:means?|mean|refers?\s+to|denotes?|signif(?:y|ies))|(?:shall\s+have|has|have)\s+the\s+meaning"
    r"|(?:is|are|shall\s+be)\s+(?:defined\s+as|understood\s+(?:as|to\s+mean))|stands\s+for"
    r"|d[ée]signe(?:nt)?|signifie(?:nt)?|s['’](?:entend(?:ent)?)\s+(?:comme|de|par)|renvoie(?:nt)?\s+[àa]|vise(?:nt)?)"
)
# "Works" means ...; the term "Works" means ...; « Site » désigne ...
_MEANS = re.compile(rf"{_TERMS}\s*(?:\([^)]{{1,40}}\)\s*)?,?\s*{_VERB}\s*(?::|–|-)?\s+(?P<meaning>.+)", re.S)
# Below a heading that says "Definitions" the quotes, and the verb, may be missing.
_WORDS = r"[A-ZÀ-Þ][\w’'&/-]*(?:\s+(?:(?:of|the|and|for|de|du|des|d['’]|la|le|les|et|à)\s+)*[A-ZÀ-Þ(][\w’'&/)-]*){0,5}"
_PLAIN = re.compile(
    rf"^(?:[Tt]he\s+|[Ll][ea]s?\s+)?(?P<term>{_WORDS})\s*,?\s*{_VERB}\s*:?\s+(?P<meaning>.+)", re.S
)
_IS = re.compile(
    rf"^(?:{_TERMS}|(?:[Tt]he\s+|[Aa]n?\s+|[Ll][ea]s?\s+|L['’])?(?P<words>{_WORDS}))\s*\b(?:is|are|est|sont)\s+"
    r"(?P<meaning>(?:an?|the|any|all|that|those|such|une?|les?|la|des|toute?s?|celles?|ceux|celui)\s.+|l['’].+)",
    re.S,
)
_LABEL = re.compile(
    rf"^(?:{_QUOTED}|(?P<words>[A-ZÀ-Þ0-9][^:=|\n]{{0,60}}?))\s*(?::|=|\s[–—-]\s)\s*(?P<meaning>\S.+)", re.S
)
_UNDERSTOOD = (
    # on entend par « X » : ...; par « X », on entend ...
    re.compile(
        rf"\b[Oo]n\s+entend(?:ra)?\s+par\s+(?:le\s+terme\s+)?{_QUOTED}\s*,?\s*:?\s*(?P<meaning>.+)", re.S
    ),
    re.compile(
        rf"\b[Pp]ar\s+(?:le\s+terme\s+)?{_QUOTED}\s*,?\s*(?:on\s+entend(?:ra)?|il\s+faut\s+entendre|(?:il\s+)?est\s+entendue?)\s*:?\s*(?P<meaning>.+)",
        re.S,
    ),
    re.compile(
        r"\b[Oo]n\s+entend(?:ra)?\s+par\s+(?P<term>[^\W\d_][\w’' -]{1,50}?)\s*(?::|,)\s*(?P<meaning>.+)",
        re.S,
    ),
    re.compile(
        r"\b[Bb]y\s+(?:the\s+term\s+)?"
        + _QUOTED
        + r"\s*,?\s*(?:is\s+meant|we\s+mean)\s*:?\s*(?P<meaning>.+)",
        re.S,
    ),
)
_HEREINAFTER = re.compile(
    r"(?P<open>\()?\s*\b(?:herein-?after\s+(?:also\s+)?(?:(?:and\s+\w+\s+)?(?:referred\s+to\s+(?:individually\s+|collectively\s+|jointly\s+)?as|called|"
    r"known\s+as|named|designated(?:\s+as)?|termed|the|as)\s*)?|hereafter\s+(?:(?:referred\s+to\s+as|called)\s*)?"
    r"|(?:referred\s+to|known)\s+(?:herein(?:after)?|in\s+this\s+(?:document|RFP|tender))\s+as\s+"
    r"|(?:d[ée]nomm|d[ée]sign|appel|nomm)[ée]+s?\s+ci[- ]apr[èe]s\s*(?:par\s+|comme\s+)?(?:les?\s+termes?\s+)?"
    r"|ci[- ]apr[èe]s\s*(?:,\s*)?(?:(?:d[ée]nomm|d[ée]sign|appel|nomm)[ée]+s?\s*)?(?:par\s+|comme\s+)?(?:les?\s+termes?\s+)?)"
    rf"\s*,?\s*(?:the\s+|l[ea]s?\s+|l['’]\s?)?(?:{_OPEN}\s?(?:[Tt]he\s+|[Ll][ea]s?\s+|[Ll]['’]\s?)?(?P<term>[^\"“”«»\n]{{1,60}}?)\s?{_CLOSE}|(?P<words>{_WORDS}))"
)
# Acme Power Ltd (the "Employer"); Acme Power Ltd (“Employer”)
_BRACKETED = re.compile(
    rf"\(\s*(?:the\s+|collectively,?\s+|each,?\s+an?\s+|together,?\s+|l[ea]s?\s+|l['’]\s?)*{_OPEN}\s?(?:[Tt]he\s+|[Ll][ea]s?\s+|[Ll]['’]\s?)?"
    rf"(?P<term>[A-ZÀ-Þ][^\"“”«»\n]{{0,50}}?)\s?{_CLOSE}\s*\)"
)
_SHORT = re.compile(r"\((?P<term>[A-Z][A-Za-z&/-]{0,7}[A-Z])s?\)")
_BEFORE = re.compile(r"(?:^|[;:.]\s+|\s[–—]\s+)(?P<meaning>[^;:]*?)[\s,(]*$", re.S)
_NO_TERM = re.compile(
    r"[.;:!?…_()]|\[|\d{4}|^(?:see|note|ref|name|date|insert|n\.?b\.?|this|that|these|those|it|which|they|he|she|we|you|ce|cela|ceci|il|elle"
    r"|ils|elles|cette|ces)\b",
    re.I,
)
# What follows a name or a verb that was no definition: a clause with its own verb, a blank to fill in.
_NO_MEANING = re.compile(
    r"_{2,}|\.{4,}|…{2,}|^\[|^[\"“«]\w+$|^(?:has|have|had|is|are|was|were|shall|will|must|may|can|to|that)\s",
    re.I,
)
_NOUN_PHRASE = re.compile(
    r"(?<!\bof )(?<!\bin )(?<!\bto )(?<!\bby )(?<!\bwith )(?<!\bfor )(?<!\bfrom )(?<!\bde )(?<!\bdans )(?<!\bpar )(?<!\bpour )(?<!\bsur )"
    r"\b(?:the|an?|any|its|les?|la|une?|l['’])\s*(?=\w)"
)
_VERBAL = re.compile(r"\b(?:has|have|is|are|was|were|shall|will|must|may|est|sont|a été|ont|doit|doivent)\b")
_MARK = re.compile(
    r"^\s*(?:(?:\(?(?:[a-z]{1,2}|[ivxIVX]{1,5}|\d{1,2})[.)]+|\d{1,2}(?:\.\d{1,3}){1,3}\.?)\s+|[•▪◦●○\-–—*\uf0b7]\s*){1,3}(?=\S)"
)
_SMALL = word_set("of the and for to in on a an de du des la le les et d l à en au aux by with per")
_LONGEST_TERM_WORDS = 8
_LONG_NAME = 25
_LONGEST_BLOCK, _FAR_BACK = 1200, 600
_SHOWN = 240


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    """A term and what the RFP says that it means; `sentence` is the whole sentence or row that says so."""

    term: str
    meaning: str
    file_name: str
    page: int
    heading_path: str
    sentence: str


@lru_cache(maxsize=1)
def _headings() -> PhraseSet:
    return PhraseSet(annotation_words()["definitions"]["headings"])


def definitions_of(rfp_blocks: pl.DataFrame) -> tuple[DefinedTerm, ...]:
    """Defined terms of an RFP in reading order, each at its first and fullest definition.

    Read are sentences (`"Works" means ...`, `on entend par ...`), names given in passing (`hereinafter "the
    Employer"`, `ci-après dénommé « le Titulaire »`, `Online Charging System (OCS)`), lists below a heading that
    says "Definitions", and tables of terms with their meaning.

    Args:
        rfp_blocks: frame of shape `tables.BLOCKS`.
    """
    return definitions_in(citable_blocks(rfp_blocks))


def citable_blocks(rfp_blocks: pl.DataFrame) -> list[Block]:
    """Rows of `tables.BLOCKS` that may be cited, in reading order."""
    ordered = rfp_blocks.sort("file_name", "doc_id", "page", "block_no")
    return [block for block in ordered.iter_rows(named=True) if citable(block)]


def definitions_in(blocks: Sequence[Block]) -> tuple[DefinedTerm, ...]:
    """As `definitions_of`, of citable blocks in reading order."""
    found: dict[str, DefinedTerm] = {}
    columns: dict[tuple[str, int], tuple[int, int]] = {}
    for at, block in enumerate(blocks):
        for term in _of_block(block, blocks, at, columns):
            known = found.get(term.term)
            # An abbreviation spelled out in passing gives way to a definition that says more.
            if known is None or (len(known.meaning) < 60 < len(term.meaning) and known.term.isupper()):
                found[term.term] = term
    return tuple(found.values())


def _of_block(
    block: Block, blocks: Sequence[Block], at: int, columns: dict[tuple[str, int], tuple[int, int]]
) -> Iterator[DefinedTerm]:
    """Terms that a block defines, `blocks[at]` being the block."""
    if block["kind"] == BlockKind.HEADING.value:
        return
    under = _is_glossary(block["heading_path"])
    if block["kind"] == BlockKind.TABLE_ROW.value:
        yield from _of_row(block, under, columns)
        return
    if not under and not _may_define(block["text"]):
        return
    body = _MARK.sub("", _with_rest(blocks, at))
    starts = sentence_starts(body)
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        sentence = body[start:end].strip()
        first = under and start == 0
        if first or _may_define(sentence):
            yield from _of_sentence(sentence, body if first else sentence, block, first)


@lru_cache(maxsize=1 << 12)
def _is_glossary(heading_path: str) -> bool:
    """Whether one of the two nearest headings says that definitions follow."""
    return _headings().search(fold(" > ".join(heading_path.split(" > ")[-2:]))) is not None


def _with_rest(blocks: Sequence[Block], at: int) -> str:
    """A block's text with what a page break, or a list behind its colon, has parted from it."""
    block = blocks[at]
    text = " ".join(block["text"].split())
    listed = False
    for after in blocks[at + 1 : at + 8]:
        rest = " ".join(after["text"].split())
        parted = (
            after["kind"] == BlockKind.PARAGRAPH.value and rest[:1].islower() and text[-1:] not in ".:;!?"
        )
        listed = after["kind"] == BlockKind.LIST_ITEM.value and (text.endswith(":") or listed)
        if after["doc_id"] != block["doc_id"] or not (parted or listed) or len(text) > _LONGEST_BLOCK:
            break
        text = f"{text} {rest}"
    return text


_CUES = re.compile(
    r"\b(?:means?|meaning|refer(?:s|red) to|denotes?|signif\w+|defined as|understood|stands for|désigne|entend|vise|renvoie|hereinafter|here-?after"
    r"|known)\b|ci[- ]apr|entendent|désignent|[\"“„«‘]\s?[A-ZÀ-Þa-z][^\"”»’\n]{0,60}[\"”»’]\s*\)|\([A-Z][A-Za-z&/-]{0,7}[A-Z]s?\)",
    re.I,
)


def _may_define(text: str) -> bool:
    return _CUES.search(text) is not None


def _of_sentence(sentence: str, text: str, block: Block, under: bool) -> Iterator[DefinedTerm]:
    """Terms that one sentence defines.

    Args:
        sentence: the sentence.
        text: the sentence and, for the first of its block, what follows it there: a definition may go on.
        block: where it stands.
        under: it opens a block below a heading of definitions.
    """
    for pattern in (*_UNDERSTOOD, _MEANS, _PLAIN, *((_IS, _LABEL) if under else ())):
        match = pattern.search(text)
        if match:
            groups = match.groupdict()
            for name in (groups.get("term") or groups.get("words"), groups.get("other")):
                made = _made(name or "", match["meaning"], sentence, block)
                if made:
                    yield made
            break
    for pattern in (_HEREINAFTER, _BRACKETED):
        for match in pattern.finditer(sentence):
            meaning = _BEFORE.search(sentence[max(0, match.start() - _FAR_BACK) : match.start()])
            name = match.groupdict().get("term") or match.groupdict().get("words") or ""
            made = _made(name, _noun_phrase(meaning["meaning"]) if meaning else "", sentence, block)
            if made:
                yield made
    for match in _SHORT.finditer(sentence):
        spelled = _spelled_out(match["term"], sentence[max(0, match.start() - _FAR_BACK) : match.start()])
        if spelled:
            yield DefinedTerm(match["term"], spelled, *_place(block), sentence)


def _made(name: str, meaning: str, sentence: str, block: Block) -> DefinedTerm | None:
    term = re.sub(r"^(?:the|an?|l[ea]s?)\s+(?=[A-ZÀ-Þ])|^l['’]\s?", "", name.strip(" ,."), flags=re.I)
    meaning = meaning.strip(" ,;:")
    words = term.split()
    if not term or not meaning or len(words) > _LONGEST_TERM_WORDS or _NO_TERM.search(term):
        return None
    if (
        not any(letter.isalpha() for letter in term)
        or fold(meaning) == fold(term)
        or _NO_MEANING.search(meaning)
    ):
        return None
    return DefinedTerm(term, meaning, *_place(block), sentence)


def _place(block: Block) -> tuple[str, int, str]:
    return block["file_name"], block["page"], block["heading_path"]


def _noun_phrase(before: str) -> str:
    """What a name given in passing names: the words before it, from the last preposition-free beginning."""
    part = re.split(
        r"\b(?:[Ww]hereas|[Bb]etween|[Bb]y and between|[Ee]ntre|[Ee]t|and)\s+(?=[A-ZÀ-Þ\[])", before
    )[-1]
    part = re.split(r"[”»\"]\s*\)?", part)[-1].strip(" ,(").removeprefix("and ").strip()
    if (part[:1].islower() and _VERBAL.search(part)) or len(part.split()) > _LONG_NAME:
        starts = [match.start() for match in _NOUN_PHRASE.finditer(part)]
        part = part[starts[-1] :] if starts else ""
    return part


def _spelled_out(short: str, before: str) -> str:
    """The words just before `(OCS)` whose initials make it, empty where they do not."""
    letters = [letter.lower() for letter in short if letter.isalpha()]
    before = re.split(r"[.;:()\[\]\"“”«»|]", before)[-1]
    words = re.findall(r"[^\W\d_][\w’'&-]*", before[-160:])
    for count in range(min(len(words), len(letters) + 4), 1, -1):
        tail = words[-count:]
        initials = [
            part[0].lower()
            for word in tail
            for part in re.split(r"[-’']", word)
            if part and fold(word) not in _SMALL
        ]
        every = [part[0].lower() for word in tail for part in re.split(r"[-’']", word) if part]
        if fold(tail[0]) not in _SMALL and letters in ([fold(c) for c in initials], [fold(c) for c in every]):
            at = before.rfind(tail[0], 0, len(before))
            return " ".join(before[at:].split()).strip(" ,(")
    return ""


def _of_row(
    block: Block, under: bool, columns: dict[tuple[str, int], tuple[int, int]]
) -> Iterator[DefinedTerm]:
    """The term of a table row: by the table's header, or in two cells below a heading of definitions."""
    cells = [" ".join(cell.split()) for cell in block["text"].split(" | ")]
    key = (block["doc_id"], block["table_no"])
    if block["is_header"] or key not in columns:
        at = _columns(cells)
        if at:
            columns[key] = at
            return
    filled = [number for number, cell in enumerate(cells) if cell]
    if key in columns:
        first, second = columns[key]
    elif under and len(filled) == 2 and not block["is_header"]:
        first, second = filled
    else:
        for cell in cells:
            if _may_define(cell):
                yield from _of_sentence(cell, cell, block, False)
        return
    if max(first, second) < len(cells):
        term = cells[first].strip('"“”«»: ')
        made = _made(term, cells[second], block["text"], block)
        if made and len(cells[first].split()) <= _LONGEST_TERM_WORDS:
            yield made


def _columns(cells: Sequence[str]) -> tuple[int, int] | None:
    """Columns of term and meaning by the cells of a header row; nothing where it is none."""
    words = annotation_words()["definitions"]
    terms, meanings = PhraseSet(words["term_columns"]), PhraseSet(words["meaning_columns"])
    first = next((n for n, cell in enumerate(cells) if terms.fullmatch(fold(cell).strip(" .:"))), None)
    second = next(
        (n for n, cell in enumerate(cells) if n != first and meanings.fullmatch(fold(cell).strip(" .:"))),
        None,
    )
    return (first, second) if first is not None and second is not None else None


def used_definitions(text: str, definitions: Sequence[DefinedTerm]) -> tuple[str, ...]:
    """`Term: meaning` of the defined terms that a text uses, in order of first use, meanings cut to a line or two.

    The longest term that fits a place has it: "Bid Security" is no "Bid". A term with a capital is met only as
    it is written, in singular or plural; one in small letters in any case.
    """
    return DefinitionFinder(definitions).used(text)


class DefinitionFinder:
    """Finds the defined terms that texts use."""

    def __init__(self, definitions: Iterable[DefinedTerm]) -> None:
        """Of several definitions of one term the first holds."""
        self._meanings: dict[str, str] = {}
        for each in definitions:
            self._meanings.setdefault(each.term, each.meaning)
        self._terms: dict[str, str] = {}
        parts = []
        for term in sorted(self._meanings, key=lambda term: (-len(term), term)):
            spelled = re.escape(term).replace(r"\ ", r"\s+").replace("'", "['’]").replace("’", "['’]")
            parts.append(f"{spelled if _marked(term) else f'(?i:{spelled})'}(?:s|es|x)?")
            for end in ("", "s", "es", "x"):
                self._terms.setdefault(_plain(term) + end, term)
        self._pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(parts) or '(?!)'})(?![\w-])")

    def used(self, text: str) -> tuple[str, ...]:
        """See `used_definitions`."""
        found = (_plain(match[0]) for match in self._pattern.finditer(text))
        used = dict.fromkeys(self._terms.get(each) or self._terms[each.lower()] for each in found)
        return tuple(f"{t}: {_cut(self._meanings[t])}" for t in used if self._meanings[t] not in text)


def _plain(term: str) -> str:
    return " ".join(term.split()).replace("’", "'")


def _marked(term: str) -> bool:
    """Whether a term bears a capital, by which it is told from the plain word."""
    return term != term.lower()


def _cut(meaning: str) -> str:
    if len(meaning) <= _SHOWN:
        return meaning
    return meaning[:_SHOWN].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"
