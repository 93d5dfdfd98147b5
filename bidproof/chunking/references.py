"""What a text refers to: sections, annexes, forms, questions and documents, and where they stand in the pack.

Finds and looks up; follows nothing. A reference is resolved only where one place fits it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bidproof.chunking.sections import Block
from bidproof.documents.structure.headings import parse_number
from bidproof.records import BlockKind

_NUMBER = r"(?:\d{1,3}(?:\.\d{1,3})*(?:-[A-Z](?![A-Za-z]))?(?:\([a-z0-9]{1,3}\))*|[IVXLC]{1,6}(?![a-z])|[A-Z]{1,3}(?:[-.]?\d{1,3})*(?![A-Za-z]))"
_SECTION = re.compile(
    r"\b(?P<word>sub-?clause|section|clause|article|annex|annexe|appendix|appendice|schedule|exhibit|attachment|form|formulaire|lot"
    r"|chapter|chapitre|paragraph|paragraphe|part|partie|table|tableau|volume|addendum|question|ITB|ITT|GCC|SCC|BDS|GC|SC|CCAP|CCTP"
    rf"|CCP|RC)\s+(?:n°\s*|no\.?\s*)?(?P<number>{_NUMBER})",
    re.I,
)
_FORM_CODE = re.compile(r"\b[A-Z]{2,4}-\d{1,2}\b")
# Q1 to Q4 are quarters more often than questions.
_QUESTION = re.compile(r"\bQ(?![1-4](?!\d|\.\d))\d{1,3}(?:\.\d{1,2})*\b")
_SUFFIX = r"(?:pdf|docx?|xlsx?|pptx?|zip|dwg|csv|rtf|odt|ods|txt|jpe?g|png)"
_FILE_END = re.compile(rf"\.{_SUFFIX}\b", re.I)
_FILE_START = re.compile(r"(?<![\w/@.])\w[\w&+()\-.]*(?:[ ][\w&+()\-.]+){0,7}$")
_LONGEST_FILE_NAME = 120
_KIND_OF_DOCUMENT = (
    r"(?:Manual|Handbook|Plan|Policy|Procedures?|Report|Statement|Certificate|Brochure|Data\s?sheet|Catalogue|Specifications?|Agreement"
    r"|Contract|Documents?|Dossier|Charter|Licen[cs]e|Methodology|Guide|Programme|Proposal|Schedule|Letter|Declaration|Code of Conduct"
    r"|Request for Proposals|CV)"
)
_CUE = (
    r"\b(?:[Ss]ee(?: also)?|[Rr]efer(?:red)? to(?: in)?|[Dd]escribed in|[Dd]etailed in|[Ss]et out in|[Cc]ontained in|[Ii]ncluded in"
    r"|[Pp]rovided in|[Aa]ttached|[Ee]nclosed|[Aa]ppended|[Oo]ur|[Aa]s per|[Aa]ccording to|[Ii]n accordance with|[Cc]onsult|of|in|to)"
)
_DOCUMENT = re.compile(
    rf"{_CUE}\s+(?:the\s+|our\s+|its\s+|a\s+)?[“\"«‘]?\s?(?P<name>(?:[A-Z][\w&'’/-]*\s+(?:(?:of|and|for|&)\s+)?){{0,5}}{_KIND_OF_DOCUMENT})\b"
)
_DOCUMENT_FR = re.compile(
    r"\b(?:[Vv]oir|[Cc]f\.?|[Nn]otre|[Nn]os|[Ll]e|[Ll]a|[Ll]['’]|[Dd]u|[Aa]u|[Dd]ans l[ea])\s?(?P<name>(?:Manuel|Plan d['’e]|Plan|Rapport"
    r"|M[ée]moire|Certificat|Attestation|Politique|R[èe]glement|Cahier des [cC](?:lauses|harges)|Notice|Proc[ée]dure|Charte|Dossier d['’]"
    r"|Acte d['’])\s?(?:[\w'’-]+)(?:\s(?:de|du|des|d['’]|la|le|et)?\s?[A-ZÉ][\w'’-]+)?)"
)
_OF_DOCUMENT = re.compile(
    rf"\s+(?:of|to|in|from)\s+(?:the\s+|our\s+|this\s+)?(?P<name>(?:[A-Z][\w&'’/-]*\s+(?:(?:of|and|for)\s+)?){{0,4}}{_KIND_OF_DOCUMENT}|RFP|RFQ|ITT|ITB)\b"
)
_ASKERS = re.compile(
    r"\b(?:tender|bidding|bid|rfp|rfq|itt|itb|request for|procurement|solicitation|consultation|appel d.offres|dao|dce)\b",
    re.I,
)
_ONE_WORD = {
    "annexe": "annex", "appendix": "annex", "appendice": "annex", "chapitre": "chapter", "formulaire": "form", "partie": "part",
    "paragraphe": "paragraph", "tableau": "table", "subclause": "clause", "sub-clause": "clause",
}  # fmt: skip
_KINDS = {
    **dict.fromkeys(("annex", "schedule", "exhibit", "attachment", "addendum", "volume"), "annex"),
    "form": "form", "question": "question", "table": "table",
}  # fmt: skip
# Their number counts in the RFP's own conditions, never in the pack of a bidder.
_CONDITIONS = frozenset({"itb", "itt", "gcc", "scc", "bds", "gc", "sc", "ccap", "cctp", "ccp", "rc"})
_DECIMALS = re.compile(r"^\d{1,3}(?:\.\d{1,3})+")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Reference:
    """One thing that a text names: `kind` is section, annex, form, table, question or document."""

    name: str
    kind: str
    word: str = ""
    number: str = ""
    outside: bool = False
    start: int = 0


@dataclass(frozen=True, slots=True)
class _Target:
    doc_id: str
    file_name: str
    heading_path: str
    page: int


def find_references(text: str) -> list[Reference]:
    """References of a text, each name once, in order: `Section III`, `Annex G of the Tender Document`, `BS-1`."""
    names: dict[str, Reference] = {}
    for reference in all_references(text):
        names.setdefault(reference.name, reference)
    return list(names.values())


def all_references(text: str) -> list[Reference]:
    """References of a text wherever they stand, in order."""
    taken = _Taken(len(text))
    found = [*_sections(text, taken), *_codes(text, taken), *_documents(text, taken)]
    return sorted(found, key=lambda each: each.start)


class _Taken:
    """Which letters of a text belong to a reference already."""

    def __init__(self, length: int) -> None:
        self._marks = bytearray(length)

    def add(self, start: int, end: int) -> None:
        self._marks[start:end] = b"\1" * (end - start)

    def free(self, start: int, end: int) -> bool:
        return self._marks.find(1, start, end) < 0


def _sections(text: str, taken: _Taken) -> Iterator[Reference]:
    for match in _SECTION.finditer(text):
        name = " ".join(match[0].split())
        taken.add(*match.span())
        if not (name.split()[-1][0].isupper() or name[-1].isdigit() or name[-1] == ")"):
            continue
        word = _ONE_WORD.get(match["word"].lower(), match["word"].lower())
        of = _OF_DOCUMENT.match(text, match.end())
        outside = word in _CONDITIONS or bool(of and _ASKERS.search(of["name"]))
        taken.add(match.start(), of.end() if of else match.end())
        whole = f"{name} {' '.join(of[0].split())}" if of else name
        yield Reference(whole, _KINDS.get(word, "section"), word, match["number"], outside, match.start())


def _codes(text: str, taken: _Taken) -> Iterator[Reference]:
    for pattern, kind in ((_FORM_CODE, "form"), (_QUESTION, "question")):
        for match in pattern.finditer(text):
            if taken.free(*match.span()):
                taken.add(*match.span())
                yield Reference(match[0], kind, kind, match[0], start=match.start())


def _documents(text: str, taken: _Taken) -> Iterator[Reference]:
    for match in _FILE_END.finditer(text):
        start = max(0, match.start() - _LONGEST_FILE_NAME)
        before = _FILE_START.search(text[start : match.start()])
        if before:
            whole = _file_named(before[0] + match[0])
            taken.add(match.end() - len(whole), match.end())
            yield Reference(whole, "document", "file", start=match.end() - len(whole))
    for pattern in (_DOCUMENT, _DOCUMENT_FR):
        for match in pattern.finditer(text):
            name = " ".join(match["name"].split())
            if taken.free(*match.span("name")) and " " in name and not name.startswith(("This ", "The ")):
                taken.add(*match.span("name"))
                outside = bool(_ASKERS.search(name))
                yield Reference(name, "document", "title", "", outside, match.start("name"))


def _file_named(text: str) -> str:
    """The file's name out of a run of words that ends in one: from the last word that begins like a name."""
    words = text.split(" ")
    at = len(words) - 1
    while at and (words[at - 1][0].isupper() or words[at - 1][0].isdigit() or words[at - 1] in ("-", "_")):
        at -= 1
    return " ".join(words[at:]).lstrip("(")


class PackIndex:
    """Where the sections, annexes, forms and files of a pack stand."""

    def __init__(self, blocks: Iterable[Block], files: Mapping[str, str]) -> None:
        """Index a pack.

        Args:
            blocks: citable blocks of all documents.
            files: file name by doc_id, of files without a block as well.
        """
        self._numbered: dict[tuple[str, str], list[_Target]] = defaultdict(list)
        self._coded: dict[str, list[_Target]] = defaultdict(list)
        self._titled: dict[str, list[_Target]] = defaultdict(list)
        self._files = {doc_id: (name, _key(_stem(name))) for doc_id, name in sorted(files.items())}
        for block in blocks:
            self._add(block)

    def _add(self, block: Block) -> None:
        text, heading = block["text"], block["kind"] == BlockKind.HEADING.value
        target = _Target(block["doc_id"], block["file_name"], block["heading_path"], block["page"])
        if not heading:
            clause = _DECIMALS.match(text) if text[:1].isdigit() else None
            if clause and block["kind"] != BlockKind.TABLE_ROW.value:
                self._numbered["", clause[0]].append(target)
            return
        number = parse_number(text)
        if number is not None:
            word = _ONE_WORD.get(number.family, number.family)
            plain = word in ("decimal", "roman", "letter", "coded")
            self._numbered["" if plain else word, ".".join(number.parts).upper()].append(target)
            if number.family == "letter" and number.depth > 1:
                # Printed as A.1 or as A1: a reference may be to either.
                self._numbered["", number.parts[0] + ".".join(number.parts[1:])].append(target)
        for code in _FORM_CODE.findall(text):
            self._coded[code].append(target)
        self._titled[_key(number.title if number is not None and number.title else text)].append(target)

    def resolve(self, reference: Reference, doc_id: str, heading_path: str) -> dict[str, Any]:
        """A row of `chunks.reference_targets`; doc_id, file and path empty and page 0 where no one place fits."""
        found = None if reference.outside else self._find(reference, doc_id, heading_path)
        found = found or _Target("", "", "", 0)
        return {
            "name": reference.name, "kind": reference.kind, "doc_id": found.doc_id, "file_name": found.file_name,
            "heading_path": found.heading_path, "page": found.page,
        }  # fmt: skip

    def _find(self, reference: Reference, doc_id: str, path: str) -> _Target | None:
        if reference.kind == "document":
            return self._document(reference)
        if reference.kind in ("question", "table"):
            return None
        if reference.word == "form" and _FORM_CODE.fullmatch(reference.number):
            return _one(self._coded.get(reference.number, []), doc_id, path) or self._file(reference.number)
        number = reference.number.split("(")[0].upper()
        targets = self._numbered.get((reference.word, number), [])
        if not targets and reference.kind == "section":
            targets = [each for each in self._numbered.get(("", number), []) if each.doc_id == doc_id]
            if not targets and "." in number:
                parent = number.rpartition(".")[0]
                targets = [each for each in self._numbered.get(("", parent), []) if each.doc_id == doc_id]
        if reference.kind == "section":
            # Section 3.2 is one of this document, or of one that is not at hand.
            targets = [each for each in targets if each.doc_id == doc_id]
        found = _one(targets, doc_id, path)
        return found or (self._file(f"{reference.word} {number}") if reference.kind != "section" else None)

    def _document(self, reference: Reference) -> _Target | None:
        if reference.word == "file":
            same = [d for d, (name, _) in self._files.items() if name.rpartition("/")[2] == reference.name]
            return self._whole(same[0]) if len(same) == 1 else self._file(_stem(reference.name))
        return self._file(reference.name) or _only(self._titled.get(_key(reference.name), []))

    def _file(self, words: str) -> _Target | None:
        """The one file whose name holds these words side by side."""
        key = _key(words)
        hits = [doc_id for doc_id, (_, name) in self._files.items() if f" {key} " in f" {name} "]
        return self._whole(hits[0]) if key and len(hits) == 1 else None

    def _whole(self, doc_id: str) -> _Target:
        return _Target(doc_id, self._files[doc_id][0], "", 1)


def _one(targets: list[_Target], doc_id: str, path: str) -> _Target | None:
    """The target in the same document and under the same headings; none where two fit alike."""
    own = [each for each in targets if each.doc_id == doc_id] or targets
    if len({each.doc_id for each in own}) != 1:
        return None
    best: dict[int, list[_Target]] = defaultdict(list)
    for each in own:
        best[_shared(each.heading_path, path)].append(each)
    return _only(best[max(best)])


def _only(targets: list[_Target]) -> _Target | None:
    """The first place of the one heading that all targets are, none where they differ."""
    return targets[0] if len({(each.doc_id, each.heading_path) for each in targets}) == 1 else None


def _shared(path: str, other: str) -> int:
    one, two = path.split(" > "), other.split(" > ")
    return next(
        (at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
    )


def _key(text: str) -> str:
    plain = unicodedata.normalize("NFKD", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))
    return " ".join(_WORD.findall("".join(c for c in plain if not unicodedata.combining(c)).casefold()))


def _stem(name: str) -> str:
    return re.sub(rf"\.{_SUFFIX}$", "", name.rpartition("/")[2], flags=re.I)
