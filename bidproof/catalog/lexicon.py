"""The domain lexicon: other words for the same thing, and the words that place a rule in an area.

Reads `lexicon.yaml` once. Which of the words a search uses, and with what weight, is decided in retrieval.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bidproof.data_files import read_data
from bidproof.facts import fold, terms_of
from bidproof.facts.terms import word_set


@lru_cache(maxsize=1)
def _data() -> dict[str, object]:
    data: dict[str, object] = read_data("catalog/lexicon.yaml")
    return data


@lru_cache(maxsize=1)
def _groups() -> tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]:
    groups = _data()["groups"]
    assert isinstance(groups, list)
    return tuple(tuple((str(phrase), tuple(terms_of(str(phrase)))) for phrase in group) for group in groups)


@lru_cache(maxsize=2)
def _areas(section: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Terms of the words that tell an area, by `areas`, or by `headings` for those that tell it in a heading only."""
    areas = _data()[section]
    assert isinstance(areas, dict)
    return {str(area): tuple(tuple(terms_of(str(word))) for word in words) for area, words in areas.items()}


@lru_cache(maxsize=1)
def translations() -> tuple[tuple[str, ...], ...]:
    """English words with their French ones, as in `lexicon.yaml`."""
    words = _data()["translations"]
    assert isinstance(words, list)
    return tuple(tuple(str(word) for word in group) for group in words)


@lru_cache(maxsize=1)
def _translated_terms() -> tuple[tuple[tuple[str, str], ...], ...]:
    """Each group of `translations` as (word, its first term)."""
    return tuple(
        tuple((word, terms[0]) for word in group if (terms := terms_of(word))) for group in translations()
    )


@lru_cache(maxsize=1)
def _groups_by_term() -> dict[str, tuple[int, ...]]:
    """Numbers of the groups of `translations` that have a term."""
    found: dict[str, tuple[int, ...]] = {}
    for number, group in enumerate(_translated_terms()):
        for term in dict.fromkeys(term for _, term in group):
            found[term] = (*found.get(term, ()), number)
    return found


@lru_cache(maxsize=1)
def events() -> frozenset[str]:
    """Stems of what recurs: reports, meetings, tests ..., as in `lexicon.yaml`."""
    words = _data()["events"]
    assert isinstance(words, list)
    return frozenset(term for word in words for term in terms_of(str(word)))


def translated(text: str) -> list[str]:
    """Words of the other language for the words of `text`, in lexicon order, without those it holds."""
    spoken = set(_phrases(text))
    groups = sorted({number for term in spoken for number in _groups_by_term().get(term, ())})
    found = [word for number in groups for word, term in _translated_terms()[number] if term not in spoken]
    return list(dict.fromkeys(found))


def linked_phrases(text: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """For each thing that `text` names by a phrase of the lexicon: that phrase's terms, and those of another.

    "General liability insurance" gives `(general, liabil)` with `(responsabilit, civil)`.
    """
    spoken = _runs(text, _longest())
    return [
        (mine, other)
        for group in _groups()
        for _, mine in group
        if mine and mine in spoken
        for _, other in group
        if other not in spoken
    ]


def synonyms_of(text: str) -> list[str]:
    """Other phrases for the things that `text` names, in lexicon order, without those that it already holds.

    A phrase is met on word boundaries and in any inflection: "Meters replaced" meets `replacement`. A group
    of
    single words (bond, guarantee) is passed over where a longer group (bid bond) already speaks for the word.
    """
    spoken = _runs(text, _longest())
    found: list[str] = []
    covered: set[str] = set()
    for group in _longest_first():
        met = [terms for _, terms in group if terms and terms in spoken]
        if not met or all(len(terms) == 1 and terms[0] in covered for terms in met):
            continue
        covered.update(term for terms in met for term in terms if len(terms) > 1)
        found.extend(phrase for phrase, terms in group if terms not in spoken)
    return sorted(dict.fromkeys(found), key=_order().__getitem__)


@lru_cache(maxsize=1)
def _longest_first() -> list[tuple[tuple[str, tuple[str, ...]], ...]]:
    return sorted(_groups(), key=lambda group: -max(len(terms) for _, terms in group))


@lru_cache(maxsize=1)
def _order() -> dict[str, int]:
    return {phrase: number for number, phrase in enumerate(p for group in _groups() for p, _ in group)}


def _phrases(text: str) -> list[str]:
    return [term for word in re.split(r"[^\w'/-]+", text) for term in terms_of(word)]


@lru_cache(maxsize=1)
def _longest() -> int:
    return max(len(terms) for group in _groups() for _, terms in group)


def _runs(text: str, longest: int) -> frozenset[tuple[str, ...]]:
    """All runs of up to `longest` terms of `text`, the empty one with them."""
    terms = _phrases(text)
    return frozenset(
        tuple(terms[start : start + size])
        for size in range(longest + 1)
        for start in range(len(terms) - size + 1)
    )


_FRENCH = word_set(
    "le la les des du de un une et est sont dans pour par sur au aux doit doivent que qui ou en d l"
)
_ENGLISH = word_set("the of and is are in for by on to shall must that which or at with be an any")


def language_of(text: str) -> str:
    """`fr` or `en` by the small words of `text`, empty when they do not tell."""
    words = re.findall(r"[a-z]+", fold(text))
    french, english = sum(w in _FRENCH for w in words), sum(w in _ENGLISH for w in words)
    return "fr" if french > english else "en" if english > french else ""


def area_of(heading_path: str, text: str, default: str) -> str:
    """Area whose words the innermost telling heading holds most of; else the text's; else `default`."""
    for heading in reversed(heading_path.split(" > ")):
        if area := _told(heading, "areas") or _told(heading, "headings"):
            return area
    return _told(text, "areas") or default


def _told(where: str, section: str) -> str:
    """Area that most words speak for, the first of several in the order of the lexicon; empty for none."""
    areas = _areas(section)
    spoken = _runs(fold(where), max(len(terms) for words in areas.values() for terms in words))
    hits = {area: sum(terms in spoken for terms in words) for area, words in areas.items()}
    best = max(hits.values())
    return next(area for area, count in hits.items() if count == best) if best else ""
