"""Where sentences begin in a text, in English and French. Splits nothing itself."""

from __future__ import annotations

import re

_END = re.compile(r"(?:[.!?…]+[)\]”\"'»’]*|[;:](?=\s*\n))\s+")
_SHORT_WORDS = """
no nos nr art arts al cl cf e.g i.e etc vs viz approx inc ltd co corp pvt llc plc st dr mr mrs ms prof m
mm mme mlle fig figs sec sect para p pp vol ed rev ref refs ex max min tel ext jan feb mar apr jun jul
aug sep sept oct nov dec n° av env chap janv févr avr juil déc u.s u.k a.m p.m
"""
_ABBREVIATIONS = frozenset(_SHORT_WORDS.split())
_LONGEST_WORD = 80
_OPENING = re.compile(r"[\"'«“‘(\[•●▪–—-]*\s*[^\W_]")


def sentence_starts(text: str) -> list[int]:
    """Offsets at which sentences begin, the first always 0.

    A point after an abbreviation, an initial or a number before a small letter ends nothing.
    """
    starts = [0]
    for found in _END.finditer(text):
        after = found.end()
        if after >= len(text):
            break
        opening = _OPENING.match(text, after)
        if opening is None or opening[0][-1].islower():
            continue
        # The last word alone is looked at; a block may be as long as a book.
        before = text[max(0, found.start() - _LONGEST_WORD) : found.start()].rsplit(None, 1)
        last = before[-1].lstrip("(\"'«“‘[").lower() if before else ""
        if found[0].lstrip().startswith(".") and (
            last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha())
        ):
            continue
        if found[0].startswith(".") and last.rstrip(".").replace(".", "").isdigit() and len(before) < 2:
            continue
        starts.append(after)
    return starts
