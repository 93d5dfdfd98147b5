"""Cutting text into index terms, for chunks and queries alike.

Holds the analyzer of the lexical leg: case, accents, numbers, codes, stems and stop words. Must not hold
scoring, and finds no typed facts: a term is a spelling, a fact is a value.

The laws that it keeps, each after a miss in the field: a number is never lost or masked; `BS-1`, `BS 1`
and `bs1` are one code; `62053-21` is found whole and by its parts; `1,106,500`, `1 106 500` and `1106500`
are one number; `0,5` is `0.5`; `2 %` is `2%` and also `2`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_QUOTES = dict.fromkeys(map(ord, "’‘‛ʼ`´"), "'")
_SPECIAL = {0x00AD: None, 0x200B: None, 0x2060: None, 0xFEFF: None, ord("œ"): "oe", ord("æ"): "ae"}
_FOLD = _DASHES | _QUOTES | _SPECIAL
_CURRENCY = {"€": "eur", "$": "usd", "£": "gbp", "₹": "inr", "¥": "jpy"}

_NUMBER = r"(?:\d{1,3}(?: \d{3})+(?![\d.,]*\d)|\d{1,3}(?: \d{3})+[.,]\d+|\d+(?:[.,:/'\-]\d+)*)"
_PIECE = re.compile(
    rf"(?P<head>[^\W\d_]{{1,6}})(?P<gap>[ \-_/.]?)(?P<coded>{_NUMBER})(?P<tail>[^\W\d_]{{0,10}}(?![^\W_])|)"
    rf"|(?P<number>{_NUMBER})(?P<unit> ?%|[^\W\d_]{{1,10}}(?![^\W_])|)"
    r"|(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*)"
    r"|(?P<sign>[€$£₹¥])"
)
_GROUPED_COMMA = re.compile(r"[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?")
_GROUPED_POINT = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_DECIMAL = re.compile(r"\d+[.,]\d+")

# Snowball's names; a language without one is indexed unstemmed.
_STEMMERS = {
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "sv": "swedish",
}
_ENGLISH_STOP_WORDS = """
a an and any are as at be been being but by can could did do does for from had has have he her his i if
in into is it its may might of on or our s shall she should so such t than that the their them then there
these they this those to was we were what when where which who will with would you your
"""
_FRENCH_STOP_WORDS = """
a au aux avec c ce ces cet cette d dans de des du elle elles en est et etre il ils j l la le les leur
leurs lui m me mes mon n nos notre nous on ont ou par pour qu que qui s sa se ses son sont sur t ta te
tes un une vos votre vous y
"""
_STOP_WORDS = {"en": frozenset(_ENGLISH_STOP_WORDS.split()), "fr": frozenset(_FRENCH_STOP_WORDS.split())}
DEFAULT_LANGUAGE = "en"


def folded(text: str) -> str:
    """`text` in lower case without accents, soft hyphens or typographic variants, white space single."""
    if text.isascii():
        return " ".join(text.lower().split())
    plain = unicodedata.normalize("NFKD", text.lower().translate(_FOLD))
    marks = {ord(c): None for c in set(plain) if not c.isascii() and unicodedata.combining(c)}
    return " ".join((plain.translate(marks) if marks else plain).translate(_FOLD).split())


def number_terms(written: str) -> list[str]:
    """Index terms of a number as written: its canonical form first, then what it may also be searched by."""
    if " " in written:
        joined = re.sub(r" ", "", written).replace(",", ".")
        return [_plain(joined), *written.replace(",", " ").replace(".", " ").split()]
    if _GROUPED_COMMA.fullmatch(written):
        joined = _plain(written.replace(",", ""))
        return (
            [joined]
            if written.count(",") > 1 or "." in written
            else [joined, _plain(written.replace(",", "."))]
        )
    if _GROUPED_POINT.fullmatch(written):
        joined = _plain(written.replace(".", "").replace(",", "."))
        return [joined] if written.count(".") > 1 or "," in written else [_plain(written), joined]
    if _DECIMAL.fullmatch(written):
        point = written.replace(",", ".")
        return list(dict.fromkeys([_plain(point), point]))
    parts = re.split(r"[:/'\-]", written)
    if len(parts) > 1:
        return list(dict.fromkeys([written, *(term for part in parts for term in number_terms(part))]))
    short = written.lstrip("0") or "0"
    return list(dict.fromkeys([short if "." not in written else written, written]))


def _plain(number: str) -> str:
    whole, _, decimals = number.partition(".")
    decimals = decimals.rstrip("0")
    return f"{whole.lstrip('0') or '0'}.{decimals}" if decimals else whole.lstrip("0") or "0"


class Analyzer:
    """Cuts text of one language into terms; keeps what it has once worked out for a spelling."""

    def __init__(self, language: str) -> None:
        self.language = language or DEFAULT_LANGUAGE
        self._stop = _STOP_WORDS.get(self.language, frozenset())
        self._stemmer: Any = None
        if self.language in _STEMMERS:
            import Stemmer

            self._stemmer = Stemmer.Stemmer(_STEMMERS[self.language])
        self._known: dict[tuple[str | None, ...], tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """Terms of `text` in reading order, stop words left out, repeats kept."""
        found: list[str] = []
        known = self._known
        for match in _PIECE.finditer(folded(text)):
            key = match.groups()
            terms = known.get(key)
            if terms is None:
                terms = known[key] = tuple(self._of_piece(*key))
            found.extend(terms)
        return found

    def _of_piece(
        self,
        head: str | None,
        gap: str | None,
        coded: str | None,
        tail: str | None,
        number: str | None,
        unit: str | None,
        word: str | None,
        sign: str | None,
    ) -> list[str]:
        if sign:
            return [_CURRENCY[sign]]
        if word:
            return self._of_word(word)
        if number:
            return self._of_number(number, unit or "")
        return self._of_code(head or "", gap or "", coded or "", tail or "")

    def _of_word(self, word: str) -> list[str]:
        parts = word.split("-")
        terms = [self._stem(part) for part in parts if part not in self._stop]
        return [*terms, self._stem("".join(parts))] if len(parts) > 1 else terms

    def _of_number(self, written: str, unit: str) -> list[str]:
        terms = number_terms(written)
        if unit.strip() == "%":
            return [f"{terms[0]}%", *terms]
        if unit:
            return [f"{terms[0]}{unit}", *terms, *self._of_word(unit)]
        return terms

    def _of_code(self, head: str, gap: str, written: str, tail: str) -> list[str]:
        numbers = self._of_number(written, tail)
        if head in self._stop:
            return numbers
        joined = [f"{head}{numbers[0]}"]
        if written != numbers[0] and not tail:
            joined.append(f"{head}{written}")
        return [*joined, *(self._of_word(head) if len(head) > 1 else []), *numbers]

    def _stem(self, word: str) -> str:
        return self._stemmer.stemWord(word) if self._stemmer is not None and len(word) > 2 else word


@lru_cache(maxsize=32)
def analyzer(language: str) -> Analyzer:
    """The analyzer of an ISO 639-1 language; English rules for an unknown one."""
    return Analyzer(language)


def query_terms(text: str, languages: Iterable[str]) -> list[str]:
    """Terms of a query under the rules of each language that the index holds, without repeats.

    A rule may be written in another language than the bid, so each language's stems are tried.
    """
    return list(
        dict.fromkeys(term for language in sorted(set(languages)) for term in analyzer(language).terms(text))
    )
