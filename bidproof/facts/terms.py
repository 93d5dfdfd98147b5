"""Words as concepts: folding, stop words, stems.

One way of cutting text into concept terms for catalog, retrieval and judging alike, so that a rule and a
passage that say the same thing share their terms. Ranking stands in retrieval.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

_PLAIN = str.maketrans({
    "\u0153": "oe", "\u0152": "oe", "\u00e6": "ae", "\u00c6": "ae", "\u00df": "ss", "\u00ad": "",
    "\u200b": "", "\ufeff": "",
    "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"',
    **dict.fromkeys("‐‑‒–—―−", "-"),
})  # fmt: skip


def word_set(words: str) -> frozenset[str]:
    """The words of a spaced list as a set: long vocabularies stay readable that way."""
    return frozenset(words.split())


STOP_WORDS = word_set(
    "a about after all also an and any are as at be been being but by can could do does for from had has "
    "have "
    "he her his if in into is it its may might must no nor not of on only or other our shall she should so "
    "such "
    "than that the their them then there these they this those through to under up upon was we were what "
    "when "
    "where which while who whom whose will with within would you your both each either every more most same "
    "above across among before behind below beyond during per together toward towards until unto via "
    "au aux avec ce ces cet cette dans de des du elle elles en est et eu il ils je l la le les leur leurs "
    "lui ma "
    "mais me ne nos notre nous on ont ou par pas pour qu que qui sa sans se ses si son sont sur ta te tu "
    "un une "
    "vos votre vous y d n s c j m t qu doit doivent sera seront etre ainsi dont entre chaque tout toute "
    "tous toutes"
    )  # fmt: skip

# A token: a word, or a code that keeps its inner hyphens, dots, slashes and colons (62053-21, ISO/IEC,
# 27001:2022).
_TOKEN = re.compile(r"[^\W_]+(?:[-./:&][^\W_]+)*", re.UNICODE)
ROUND_THE_CLOCK = re.compile(
    r"\b24\s?(?:[x×/]\s?7\b(?:\s?[x×/]\s?365)?|h(?:ours?|rs?|eures)?\s?(?:a|per|/|sur|par)\s?(?:day|jour|"
    r"24)\b(?:[,\s]*(?:and\s|et\s)?7\s?"
    r"(?:/\s?7|(?:days|jours)\s(?:a|per|par|sur)\s(?:week|semaine|7)|j/7)\b)?)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def fold(text: str) -> str:
    """`text` in lower case, without accents or ligatures, typography plain, runs of space single.

    For comparing words. Offsets change: a quote is never cut from folded text.
    """
    return _folded_word(text) if len(text) <= _WORD_LENGTH else _folded(text)


def _folded(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().split())
    text = unicodedata.normalize("NFKD", text.translate(_PLAIN)).casefold()
    text = "".join(c for c in text if not unicodedata.combining(c)).translate(_PLAIN)
    return " ".join(text.split())


_folded_word = lru_cache(maxsize=1 << 17)(_folded)
"""Words and headings recur by the hundred thousand in a pack: each is folded once."""
_WORD_LENGTH = 120


def singular(word: str) -> str:
    """Singular of a lower-case English or French plural, by rule."""
    if len(word) <= 3 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return word[:-2]
    if word.endswith("eaux"):
        return word[:-1]
    return word[:-1] if word.endswith("s") else word


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer  # loaded on first use

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Stem of one folded word; codes (anything with a digit, slash or hyphen) stay whole.

    One stemmer serves both languages: what counts is that the same word gives the same stem on both sides,
    and that singular and plural meet (`garanties`, `garantie`).
    """
    if not word.isalpha():
        return word
    return str(_stemmer().stemWord(singular(word)))


def words_of(text: str) -> list[str]:
    """Folded content words and codes of `text` in order, with repeats, stop words out, not stemmed.

    Plain numbers and years are left to the facts. A two-letter acronym in capitals survives although its
    lower-case twin is a stop word (`DE`, `PR`), unless the whole text is in capitals. All spellings of
    round the
    clock ("24 hours a day and 7 days a week", `24/7`) read `24x7`.
    """
    shouting = text.upper() == text
    text = ROUND_THE_CLOCK.sub(" 24x7 ", text)
    words: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        word = fold(token)
        acronym = token.isupper() and len(token) > 1 and not shouting
        for part in _parts(word):
            if (part in STOP_WORDS and not acronym) or (len(part) == 1 and part.isalpha()):
                continue
            if part.isdigit() and (len(part) < 4 or _YEAR.fullmatch(part)):
                continue
            words.append(part)
    return words


def _parts(word: str) -> list[str]:
    """A code is one part; a hyphenated or slashed word is its words."""
    word = word.split(":")[0] if re.search(r"\d:\d", word) else word  # the edition of a standard is a fact
    if any(c.isdigit() for c in word):
        return [] if re.fullmatch(r"[\d./-]+", word) and not re.search(r"\d{4}", word) else [word]
    return [part for part in re.split(r"[-./:&]", word) if part]


def terms_of(text: str) -> list[str]:
    """Concept terms of `text`: stems in order of first appearance, without repeats."""
    return list(dict.fromkeys(stem(word) for word in words_of(text)))
