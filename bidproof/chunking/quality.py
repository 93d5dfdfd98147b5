"""How fit a chunk is to stand as evidence. Judges no rule."""

from __future__ import annotations

import re

from bidproof.documents.sheets.condition import wordlike_share

# A line of underscores above a note is a rule, not a blank.
BLANKS = re.compile(
    r"_{3,}(?!_)(?!\s*\n\s*(?:\(?\d{1,2}\)?|\*|[a-z]\))\s)|\.{6,}|…{3,}|\[\s*(?:_+|\.{3,}|insert|indicate|enter|à compléter|préciser)[^\]]*\]",
    re.I,
)
_LEAST_WORDS = 12
_GOOD_WORDLIKE = 0.8


def quality_parts(
    text: str,
    kind: str,
    ocr: bool,
    heading_only: bool,
    torn: bool = False,
    least_words: int = _LEAST_WORDS,
) -> dict[str, int]:
    """Points taken off, by reason; none for a sound chunk.

    Reasons: `heading` (a heading alone says nothing), `short` (under `least_words`; rows are exempt), `blanks`
    (a form to be filled in), `odd` (many tokens that are no words), `figures` (hardly a letter), `ocr`
    (recognised, not read), `torn` (begins in mid-sentence, or is one part of a row that a page break parts).
    """
    parts: dict[str, int] = {}
    if heading_only:
        parts["heading"] = 45
    elif kind != "row" and len(text.split()) < least_words:
        parts["short"] = 25
    if BLANKS.search(text):
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
