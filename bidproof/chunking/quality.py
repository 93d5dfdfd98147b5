"""How fit a chunk is to stand as evidence, and what it refers to. Judges no rule."""

from __future__ import annotations

import re

from bidproof.documents.condition import wordlike_share

_BLANKS = re.compile(
    r"_{3,}|\.{6,}|…{3,}|\[\s*(?:_+|\.{3,}|insert|indicate|enter|à compléter|préciser)[^\]]*\]", re.I
)
_REFERENCE = re.compile(
    r"\b(?:section|clause|article|annex|annexe|appendix|appendice|schedule|exhibit|attachment|form|formulaire|lot|chapter"
    r"|chapitre|paragraph|paragraphe|part|partie|table|tableau|volume|addendum|ITB|GCC|SCC|ITT|BDS|GC|SC|CCAP|CCTP|CCP|RC)\s+"
    r"(?:n°\s*|no\.?\s*)?(?:\d{1,3}(?:\.\d{1,3})*(?:\([a-z0-9]{1,3}\))*|[IVXLC]{1,6}(?![a-z])|[A-Z]{1,3}(?:[-.]?\d{1,3})*(?![A-Za-z]))",
    re.I,
)
_FORM_CODE = re.compile(r"\b[A-Z]{2,4}-\d{1,2}\b")
_MIN_WORDS = 12
_GOOD_WORDLIKE = 0.8


def references(text: str) -> list[str]:
    """Sections, forms and annexes named in a text, each once, in order: `Section III`, `ITB 19.1`, `BS-1`."""
    covered: list[tuple[int, int]] = []
    found: list[tuple[int, str]] = []
    for match in _REFERENCE.finditer(text):
        covered.append(match.span())
        name = " ".join(match[0].split())
        if name.split()[-1][0].isupper() or name[-1].isdigit() or name[-1] == ")":
            found.append((match.start(), name))
    for match in _FORM_CODE.finditer(text):
        if not any(start <= match.start() < end for start, end in covered):
            found.append((match.start(), match[0]))
    return list(dict.fromkeys(name for _, name in sorted(found)))


def quality_parts(text: str, kind: str, ocr: bool, heading_only: bool, torn: bool = False) -> dict[str, int]:
    """Points taken off, by reason; none for a sound chunk.

    Reasons: `heading` (a heading alone says nothing), `short` (under 12 words; rows are exempt), `blanks`
    (a form to be filled in), `odd` (many tokens that are no words), `figures` (hardly a letter), `ocr`
    (recognised, not read), `torn` (begins in mid-sentence, or is one part of a row that a page break parts).
    """
    parts: dict[str, int] = {}
    if heading_only:
        parts["heading"] = 45
    elif kind != "row" and len(text.split()) < _MIN_WORDS:
        parts["short"] = 25
    if _BLANKS.search(text):
        parts["blanks"] = 30
    share, tokens = wordlike_share(text)
    if tokens >= 5 and share < _GOOD_WORDLIKE:
        parts["odd"] = 25
    letters = sum(map(str.isalpha, text))
    if kind != "row" and letters < 0.4 * len("".join(text.split())):
        parts["figures"] = 20
    if ocr:
        parts["ocr"] = 15
    if torn:
        parts["torn"] = 25
    elif kind != "row" and text[:1].islower():
        parts["torn"] = 5
    return parts


def quality_score(parts: dict[str, int]) -> int:
    """1 to 100: a hundred less all parts."""
    return max(1, 100 - sum(parts.values()))
