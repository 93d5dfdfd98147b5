"""Forms, certificates, guarantees, statements and samples that a text names: what a bidder is asked to hand in.

Forms with a code are the facts' own (`Form PV-2`); here are the documents that have names only ("tax clearance
certificate", "extrait Kbis"). Whether the text asks for them is its subject's matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from bidproof.catalog.annotating.phrases import PhraseSet, annotation_words
from bidproof.facts.named import find_forms
from bidproof.facts.terms import STOP_WORDS, fold
from bidproof.facts.view import View

DocumentKind = Literal["form", "certificate", "guarantee", "statement", "sample"]

_KINDS: tuple[DocumentKind, ...] = ("form", "certificate", "guarantee", "statement", "sample")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# Behind the head: "certificate of incorporation", "attestation de régularité fiscale", "extrait Kbis".
_OF = frozenset({"of", "for", "de", "du", "d", "des", "en", "la", "le", "l", "the", "and", "et"})
_FRENCH_HEADS = frozenset(
    {
        "attestation",
        "certificat",
        "extrait",
        "proces-verbal",
        "agrement",
        "procuration",
        "releve",
        "justificatif",
    }
)
_MOST_BEFORE, _MOST_BEHIND, _FAR_BACK = 4, 5, 120


@dataclass(frozen=True, slots=True)
class AskedDocument:
    """A document by its name as printed; `code` is that of a form, `start` and `end` are offsets into the text."""

    name: str
    kind: DocumentKind
    code: str
    start: int
    end: int


@dataclass(frozen=True)
class _Words:
    names: dict[DocumentKind, PhraseSet]
    heads: dict[DocumentKind, PhraseSet]
    stops: PhraseSet
    never: PhraseSet
    alone: PhraseSet
    quick: PhraseSet


@lru_cache(maxsize=1)
def _words() -> _Words:
    data = annotation_words()["documents"]
    names = {kind: PhraseSet(data["names"].get(kind, [])) for kind in _KINDS}
    heads = {kind: PhraseSet(data["heads"].get(kind, [])) for kind in _KINDS}
    every = [
        phrase for group in (data["names"], data["heads"]) for phrases in group.values() for phrase in phrases
    ]
    return _Words(
        names,
        heads,
        PhraseSet(data["stops"]),
        PhraseSet(data["never"]),
        PhraseSet(data["alone"]),
        PhraseSet(every),
    )


def asked_documents(text: str) -> tuple[AskedDocument, ...]:
    """Forms, certificates, guarantees, statements and samples that a text names, in order, each name once.

    Of names that overlap the longest stays: a "tax clearance certificate" is not also a "certificate".
    """
    found = [
        AskedDocument(" ".join(fact.text.split()), "form", fact.code, fact.start, fact.end)
        for fact in find_forms(View.of(text))
    ]
    plain = _level(text)
    words = _words()
    if words.quick.search(plain):
        bare = words.never.without(plain)
        for kind in _KINDS:
            found += [_document(text, kind, *match.span()) for match in words.names[kind].finditer(bare)]
            spans = [
                (match.span(), _whole(bare, *match.span())) for match in words.heads[kind].finditer(bare)
            ]
            found += [
                _document(text, kind, *span)
                for head, span in spans
                # "certificate" alone, or one "of the" nothing, names no document.
                if span != head or words.alone.fullmatch(bare[slice(*head)])
            ]
    kept: list[AskedDocument] = []
    taken = bytearray(len(text))
    for each in sorted(found, key=lambda one: (one.start - one.end, one.start)):
        if taken.find(1, each.start, each.end) < 0:
            taken[each.start : each.end] = b"\1" * (each.end - each.start)
            kept.append(each)
    first: dict[str, AskedDocument] = {}
    for each in sorted(kept, key=lambda one: one.start):
        first.setdefault(each.code or fold(each.name), each)
    return tuple(first.values())


def _document(text: str, kind: DocumentKind, start: int, end: int) -> AskedDocument:
    return AskedDocument(" ".join(text[start:end].split()), kind, "", start, end)


def _level(text: str) -> str:
    """The text folded letter by letter: as long as it was, so that offsets hold."""
    return "".join(_letter(char) for char in text)


@lru_cache(maxsize=4096)
def _letter(char: str) -> str:
    if char.isspace():
        return " "
    folded = fold(char)
    return folded if len(folded) == 1 else char.lower() if len(char.lower()) == 1 else "#"


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """The head of a name with the words that belong to it, before it in English and behind it in both languages."""
    head = text[start:end].split()[0]
    begin = start
    if head.rstrip("s") not in _FRENCH_HEADS and head not in _FRENCH_HEADS:
        for word in list(_WORD.finditer(text, max(0, start - _FAR_BACK), start))[: -_MOST_BEFORE - 1 : -1]:
            if text[word.end() : begin].strip(" ") or _ends(word[0]):
                break
            begin = word.start()
    stop, at, kept = end, end, 0
    for word in _WORD.finditer(text, end):
        if text[at : word.start()].strip(" '’") or kept >= _MOST_BEHIND:
            break
        small = word[0] in _OF
        if not small and (_ends(word[0]) or (at == end and head not in _FRENCH_HEADS)):
            break
        if word[0] in ("and", "et", "the") and at == end:
            break
        at, kept = word.end(), kept + 1
        stop = stop if small else at
    return begin, stop


def _ends(word: str) -> bool:
    """Whether a word ends a name."""
    bare = word.strip("'’")
    return bare in STOP_WORDS or _words().stops.fullmatch(bare) is not None or bare.isdigit()
