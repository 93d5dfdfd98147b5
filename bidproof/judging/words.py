"""Words of rules and bids: stems with their places, words that carry no subject, words for the same thing.

Belongs here: cutting a text into comparable words, English and French. Does not belong here: what a
sentence asserts (`polarity`), and the finding of numbers (`bidproof.facts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from bidproof.catalog import translations
from bidproof.data_files import read_data
from bidproof.facts import terms
from bidproof.facts.terms import STOP_WORDS, fold, stem

# A code keeps its inner hyphens, dots and slashes (62053-21, BS-1); other words are cut at them.
_TOKEN = re.compile(r"[^\W_]+(?:[-./:][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")

_ROUND_THE_CLOCK = "24x7"  # how `facts` writes all spellings of it


@lru_cache(maxsize=1)
def _data() -> dict[str, list[Any]]:
    data: dict[str, list[Any]] = read_data("judging/words.yaml")
    return data


def word_list(name: str) -> frozenset[str]:
    """One list of `words.yaml`; the file says what each is for."""
    return frozenset(_data()[name])


LIGHT = word_list("light")
GENERIC = word_list("generic") | LIGHT
MEASURE_GENERIC = GENERIC - word_list("of_the_bid")


@lru_cache(maxsize=1)
def _classes() -> dict[str, frozenset[str]]:
    """Stem to the names of the classes of synonyms that hold it: `garantie` is a warranty and a bond."""
    named: dict[str, set[str]] = {}
    for group in [*_data()["same"], *translations()]:
        for word in group:
            if " " not in word:
                named.setdefault(_root(stem(fold(word))), set()).add(f"~{group[0]}")
    return {word: frozenset(classes) for word, classes in named.items()}


class Word(NamedTuple):
    """A word of a text: its stem and its place."""

    stem: str
    start: int
    end: int


@lru_cache(maxsize=32768)
def words_of(text: str) -> tuple[Word, ...]:
    """Words and codes of `text` in order, stop words left out; offsets are into `text`."""
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        at = match.start()
        for start, end, stem_, acronym in _parts(match[0]):
            if not acronym or not token_is_shouting(text):
                found.append(Word(stem_, at + start, at + end))
    if "24" in text:
        places = list(terms.ROUND_THE_CLOCK.finditer(text))[:1]
        found += [Word(_ROUND_THE_CLOCK, *place.span()) for place in places]
    return tuple(found)


def stems_of(text: str) -> set[str]:
    """Stems of `words_of(text)`, for counting in how many texts a word stands."""
    shouting = token_is_shouting(text)
    found = {
        part[2] for token in set(_TOKEN.findall(text)) for part in _parts(token) if not (part[3] and shouting)
    }
    if "24" in text and terms.ROUND_THE_CLOCK.search(text):
        found.add(_ROUND_THE_CLOCK)
    return found


@lru_cache(maxsize=1 << 17)
def _parts(token: str) -> tuple[tuple[int, int, str, bool], ...]:
    """Words inside a token: place, stem, and whether it counts as an acronym only. Tokens recur: kept."""
    code = any(c.isdigit() for c in token) and any(c.isalpha() for c in token)
    spans = [(0, len(token))] if code else [part.span() for part in _PART.finditer(token)]
    parts = []
    for start, end in spans:
        written = token[start:end]
        word = fold(written)
        stop = word in STOP_WORDS
        acronym = stop and len(written) > 1 and written.isupper()
        if (stop and not acronym) or (len(word) == 1 and word.isalpha()):
            continue
        parts.append((start, end, stem(word), acronym))
    return tuple(parts)


def token_is_shouting(text: str) -> bool:
    """The whole text is in capitals, so that capitals mark no acronym."""
    return text.upper() == text


def _root(term: str) -> str:
    """The stem without the ending that sets `deliveri` (delivery) apart from `deliver`."""
    return term[:-1] if len(term) > 5 and term.endswith("i") else term


@lru_cache(maxsize=1)
def senses() -> tuple[tuple[frozenset[str], str, frozenset[str]], ...]:
    """Names of a term, a word that may name it, and the words beside which it does not; all stems."""
    return tuple(
        (
            kin(stem(fold(entry["term"]))),
            stem(fold(entry["word"])),
            frozenset(stem(fold(word)) for word in entry["beside"]),
        )
        for entry in _data()["senses"]
    )


def in_another_sense(term: str, stems: Iterable[str]) -> bool:
    """The only word among `stems` that names the term means something else beside the others."""
    have = set(stems)
    for names, word, beside in senses():
        others = (s for s in have if s != word and same(s, term))
        if word in have and not names.isdisjoint(kin(term)) and term != word and have & beside:
            return next(others, None) is None
    return False


@lru_cache(maxsize=32768)
def kin(term: str) -> frozenset[str]:
    """The term's root and its classes of synonyms; `delivery` and `deliver` are one."""
    root = _root(term)
    first = (root[:-2],) if len(root) > 5 and root.endswith("on") else ()  # "nous acceptons" and "accepte"
    feminine = (root[:-1],) if len(root) > 4 and root.endswith("e") else ()  # "réparées" and "nous réparons"
    return frozenset((root, *first, *feminine)) | _classes().get(root, frozenset())


def same(a: str, b: str) -> bool:
    """Two stems name the same thing, in one language or in two."""
    return a == b or not kin(a).isdisjoint(kin(b))


def concept_terms(texts: Iterable[str], *, generic: frozenset[str] = GENERIC) -> tuple[str, ...]:
    """Stems that say what is spoken of: no stop words, no words of any rule, no bare numbers, no repeats.

    When nothing is left the generic words are kept: a rule made of such words still asks something.
    """
    found = [(word.stem, text[word.start : word.end]) for text in texts for word in words_of(text)]
    telling = [term for term, written in found if fold(written) not in generic and not _is_number(written)]
    chosen = telling or [term for term, written in found if not _is_number(written)]
    return tuple(dict.fromkeys(chosen))


def _is_number(written: str) -> bool:
    return written.replace(".", "").replace(",", "").replace("-", "").isdigit()


def coverage(terms: Iterable[str], stems: Iterable[str], synonyms: Iterable[str] = ()) -> float:
    """Share of `terms` that `stems` name, as such or by a word for the same thing; 0 to 1."""
    wanted = list(terms)
    return len(seen_terms(wanted, stems, synonyms)) / len(wanted) if wanted else 0.0


def seen_terms(terms: Iterable[str], stems: Iterable[str], synonyms: Iterable[str] = ()) -> set[str]:
    """Those of `terms` that `stems` name.

    `synonyms` are the rule's own other words, "a = b" or single phrases: a phrase that is wholly there
    stands for the terms with which it shares a word.
    """
    have = set(stems)
    have |= {name for term in have for name in kin(term)}
    seen = {term for term in terms if term in have or not kin(term).isdisjoint(have)}
    for phrase in synonyms:
        parts = _phrase(phrase)
        if parts and parts <= have:
            seen |= {term for term in terms if term in parts}
    return seen


def terms_by_phrase(
    links: Iterable[tuple[tuple[str, ...], tuple[str, ...]]], stems: Iterable[str]
) -> set[str]:
    """Terms of a rule that `stems` name by another phrase of the lexicon, in whatever language.

    `links` are pairs of a phrase of the rule and one that stands for it; the latter must be there whole.
    """
    have = set(stems)
    return {term for mine, other in links if have.issuperset(other) for term in mine}


@lru_cache(maxsize=4096)
def _phrase(phrase: str) -> frozenset[str]:
    return frozenset(concept_terms([phrase]))
