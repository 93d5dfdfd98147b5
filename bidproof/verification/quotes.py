"""The quote match ladder: is a quote really in a text, and how exactly.

Belongs here: finding a quote in its source and saying by which rung of the ladder. Does not belong here:
whether the quote proves anything (`checks`), where it stands on a page (`bidproof.chunking`).

Rungs, best first: exact; typographic (quotes, dashes, spaces, ligatures, comparison signs); de-hyphenated
(a word broken at a line end); interleaved (all words in order, with others between them); elided (parts in
order around "..."). Only the first three verify: the last two can swallow a "not".
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from bidproof.records import MatchKind
from bidproof.verification.glyphs import Folded, fold_glyphs

VERIFIED = frozenset({MatchKind.EXACT, MatchKind.TYPOGRAPHIC, MatchKind.DEHYPHENATED})

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…)\s*")
_OUTER = re.compile(r"^[\s\"'“”„«»‘’]+|[\s\"'“”„«»‘’]+$")
# A hyphen at a line end; "bid- and performance bond" is no broken word.
_BREAK = re.compile(r"(?<=[^\W\d_])-\s+(?=[^\W_])(?!(?:and|or|et|ou|und|oder|y|o)\b)")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_SPREAD = 3  # an interleaved quote may be spread over this many times its own words


@dataclass(frozen=True)
class Match:
    """Where a quote stands in its source: `source[start:end]`; -1, -1 when it does not."""

    kind: MatchKind
    start: int = -1
    end: int = -1

    @property
    def verified(self) -> bool:
        """The source holds the quote's own words, unbroken."""
        return self.kind in VERIFIED


NO_MATCH = Match(MatchKind.NONE)


def _is_letter(mark: str) -> bool:
    return bool(mark) and (mark.isalnum() or mark == "_" or unicodedata.category(mark).startswith("M"))


def _whole(text: str, start: int, end: int) -> bool:
    """`text[start:end]` cuts no word and no number: "90 days" is not in "190 days" nor in "0.90 days"."""
    before, first = text[start - 1 : start], text[start]
    after, last = text[end : end + 1], text[end - 1]
    if _is_letter(first) and _is_letter(before):
        return False
    if (_is_letter(last) and _is_letter(after)) or (after and unicodedata.combining(after)):
        return False
    if first.isdigit() and before in (".", ",") and text[start - 2 : start - 1].isdigit():
        return False
    return not (last.isdigit() and after in (".", ",") and text[end + 1 : end + 2].isdigit())


def _find_whole(text: str, quote: str, at: int = 0) -> int:
    """First offset at which `quote` stands in `text` with whole words and numbers; -1 for nowhere."""
    at = text.find(quote, at)
    while at >= 0 and not _whole(text, at, at + len(quote)):
        at = text.find(quote, at + 1)
    return at


@lru_cache(maxsize=256)
def _folded(source: str) -> Folded:
    return fold_glyphs(source)


def _typographic(quote: str, source: str) -> Match:
    wanted, folded = fold_glyphs(quote.strip()).text.strip(), _folded(source)
    if not wanted:
        return NO_MATCH
    at = _find_whole(folded.text, wanted)
    if at < 0:
        return NO_MATCH
    return Match(MatchKind.TYPOGRAPHIC, folded.source_start(at), folded.source_end(at + len(wanted)))


def _joined(text: str) -> tuple[str, list[tuple[int, int]], dict[int, bool]]:
    """`text` without the hyphens inside words.

    Returns the joined text, the shifts back (joined offset, characters dropped before it), and for each
    joined offset at which a hyphen was dropped whether it was one at a line end.
    """
    cuts = sorted(
        [(m.start(), m.end(), True) for m in _BREAK.finditer(text)]
        + [(m.start(), m.end(), False) for m in _HYPHEN.finditer(text)]
    )
    parts: list[str] = []
    shifts: list[tuple[int, int]] = [(0, 0)]
    hyphens: dict[int, bool] = {}
    at = dropped = 0
    for start, end, broken in cuts:
        parts.append(text[at:start])
        dropped += end - start
        hyphens[start - (dropped - (end - start))] = broken
        shifts.append((start - (dropped - (end - start)), dropped))
        at = end
    parts.append(text[at:])
    return "".join(parts), shifts, hyphens


def _same_hyphens(quote: dict[int, bool], source: dict[int, bool], start: int, end: int) -> bool:
    """Hyphens agree wherever neither side broke the word at a line end."""
    here = {at - start: broken for at, broken in source.items() if start < at < end}
    return all(
        here.get(at, False) or quote.get(at, False) or (at in here and at in quote) for at in {*here, *quote}
    )


def _dehyphenated(quote: str, source: str) -> Match:
    folded = _folded(source)
    wanted, _, quote_hyphens = _joined(fold_glyphs(quote.strip()).text.strip())
    joined, shifts, hyphens = _joined(folded.text)
    if not wanted:
        return NO_MATCH
    starts = [start for start, _ in shifts]
    at = _find_whole(joined, wanted)
    while at >= 0:
        end = at + len(wanted)
        if _same_hyphens(quote_hyphens, hyphens, at, end):
            first = at + shifts[bisect_left(starts, at + 1) - 1][1]
            last = end - 1 + shifts[bisect_left(starts, end) - 1][1] + 1
            return Match(MatchKind.DEHYPHENATED, folded.source_start(first), folded.source_end(last))
        at = _find_whole(joined, wanted, at + 1)
    return NO_MATCH


def _interleaved(quote: str, source: str) -> Match:
    """All words of the quote in their order, with few others between them."""
    folded = _folded(source)
    words = [m.group() for m in _WORD.finditer(fold_glyphs(quote).text)]
    places: dict[str, list[int]] = {}
    spans: list[tuple[int, int]] = []
    for number, found in enumerate(_WORD.finditer(folded.text)):
        places.setdefault(found.group(), []).append(number)
        spans.append(found.span())
    if len(words) < 3 or any(word not in places for word in words):
        return NO_MATCH
    window = _window([places[word] for word in words])
    if window is None:
        return NO_MATCH
    return Match(
        MatchKind.INTERLEAVED,
        folded.source_start(spans[window[0]][0]),
        folded.source_end(spans[window[1]][1]),
    )


def _window(lines: list[list[int]]) -> tuple[int, int] | None:
    """First and last of a run of numbers, one of each line in order, that is not spread too wide; None for nowhere.

    Around each number of the shortest line, so that common words cost nothing: a text may hold one ten thousand times.
    """
    widest = _SPREAD * len(lines)
    rarest = min(range(len(lines)), key=lambda n: len(lines[n]))
    for anchor in lines[rarest]:
        first = last = anchor
        for line in lines[rarest + 1 :]:
            at = bisect_left(line, last + 1)
            if at == len(line):
                return None  # nor behind any later anchor
            last = line[at]
            if last - anchor > widest:
                break
        for line in reversed(lines[:rarest]):
            if last - first > widest:
                break
            at = bisect_left(line, first)
            if not at:
                first = last - widest - 1
                break
            first = line[at - 1]
        if last - first <= widest:
            return first, last
    return None


def _elided(quote: str, source: str) -> Match:
    """Parts around an ellipsis, each found whole and in order."""
    parts = [part for part in _ELLIPSIS.split(quote) if _WORD.search(part)]
    folded, at, start = _folded(source), 0, -1
    if len(parts) < 2:
        return NO_MATCH
    for part in parts:
        wanted = fold_glyphs(part.strip()).text.strip()
        found = _find_whole(folded.text, wanted, at)
        if found < 0:
            return NO_MATCH
        start = found if start < 0 else start
        at = found + len(wanted)
    return Match(MatchKind.ELIDED, folded.source_start(start), folded.source_end(at))


def match_quote(quote: str, source: str) -> Match:
    """Where `quote` stands in `source`, by the best rung of the ladder.

    The match is a slice of the source, so that what is stored are the source's own characters. A blank
    quote, or one that only cuts into a word or number, is no match. Time is linear in the source for the
    verifying rungs (50,000 characters take a few milliseconds).
    """
    stripped = quote.strip()
    if not _WORD.search(stripped) or not source:
        return NO_MATCH
    at = _find_whole(source, stripped)
    if at >= 0:
        return Match(MatchKind.EXACT, at, at + len(stripped))
    bare = _OUTER.sub("", stripped)
    tried = [stripped] if bare == stripped or not bare else [stripped, bare]
    for rung in (_typographic, _dehyphenated):
        for text in tried:
            match = rung(text, source)
            if match.verified:
                return match
    for text in tried:
        match = _elided(text, source) if _ELLIPSIS.search(text) else _interleaved(text, source)
        if match.kind is not MatchKind.NONE:
            return match
    return NO_MATCH
