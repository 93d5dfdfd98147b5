"""How well the headings above each chunk of a pack fit a rule: hints, statements of accounts, and the rule's own words.

Holds the comparison of headings with a rule. Must not hold what a fit is worth (`evidence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from bidproof.records import Requirement
from bidproof.retrieval.accounts import statements_entitled, statements_measured, statements_named
from bidproof.retrieval.lexical import LexicalIndex
from bidproof.retrieval.question import is_question

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

LEVEL_SIGN = " > "
"""Stands between the levels of a heading path."""

HALF = 0.5
"""Share of a hint's words in a heading, or of a title's words in a rule, below which they have nothing in common."""
_SECTION_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)*)(?![\w])")
_ROMAN = re.compile(r"\b[IVX]+\b")
# Words that say where, not what; with `s` left to the stemmer.
_PLACE_WORDS = """
section sections clause clauses article articles annex annexe annexes appendix chapter chapitre part partie
volume schedule lot see para paragraph
"""


class PackHeadings:
    """Headings of a pack, ready to be compared with one rule after another.

    Args:
        paths: heading path of each chunk, in the order of `index`.
        titles: title of each chunk's own section, the last of its path.
        index: lexical index of the same chunks.
    """

    def __init__(self, paths: Sequence[str], titles: Sequence[str], index: LexicalIndex) -> None:
        self._index = index
        self._place_terms = frozenset(index.terms(_PLACE_WORDS))
        self._paths, self._path_of = _distinct(paths)
        levels = [path.split(LEVEL_SIGN) for path in self._paths]
        own = {level: index.terms(level) for level in dict.fromkeys(chain.from_iterable(levels))}
        self._path_terms = [frozenset(chain.from_iterable(own[level] for level in path)) for path in levels]
        self._hinted: dict[str, FloatArray] = {}
        self._titles, self._title_of = _distinct(titles)
        self._under: dict[str, list[int]] = {}
        self._weight = np.zeros(len(self._titles))
        for number, title in enumerate(self._titles):
            for term in sorted(self._subject(title)):
                self._under.setdefault(term, []).append(number)
                self._weight[number] += index.rarity(term)

    def hinted(self, requirement: Requirement) -> FloatArray:
        """How well each chunk's headings fit the rule's hints; 1 also under a statement of accounts that it is about.

        Numbers speak only where no hint has words: a bidder numbers its own sections, so that `8` of the tender leads
        astray beside `Certifications`.
        """
        words = {hint: self._subject(hint) for hint in requirement.section_hints}
        titled = [hint for hint, terms in words.items() if terms]
        best = np.zeros(len(self._path_of))
        for hint in titled or requirement.section_hints:
            if hint not in self._hinted:
                shares = [self._hint_share(hint, words[hint], place) for place in range(len(self._paths))]
                self._hinted[hint] = np.array(shares, dtype=np.float64)[self._path_of]
            best = np.maximum(best, self._hinted[hint])
        return np.maximum(best, self.accounted(requirement.text))

    def named(self, terms: Iterable[str]) -> FloatArray:
        """Share of the words of each chunk's own title that are among `terms`, rare ones weighing more; 0 below half."""
        seen = np.zeros(len(self._titles))
        for term in sorted(set(terms)):
            places = self._under.get(term)
            if places:
                seen[places] += self._index.rarity(term)
        share = np.divide(seen, self._weight, out=np.zeros(len(seen)), where=self._weight > 0)
        found: FloatArray = np.where(share >= HALF, share, 0.0)[self._title_of]
        return found

    def accounted(self, text: str) -> FloatArray:
        """1 under the title of a statement of accounts that a text names, or that shows the figures a question is after.

        A rule that names a measure is answered where the bid states it; only a question may be left to the accounts.
        """
        wanted = statements_named(text) or (statements_measured(text) if is_question(text) else frozenset())
        if not wanted:
            return np.zeros(len(self._title_of))
        fits = [bool(wanted & statements_entitled(title)) for title in self._titles]
        return np.array(fits, dtype=np.float64)[self._title_of]

    def _subject(self, heading: str) -> frozenset[str]:
        """Terms of a heading or hint that name a subject: neither numbers nor words such as `section`."""
        terms = self._index.terms(_ROMAN.sub(" ", _SECTION_NUMBER.sub(" ", heading)))
        return frozenset(term for term in terms if not term[0].isdigit()) - self._place_terms

    def _hint_share(self, hint: str, terms: frozenset[str], place: int) -> float:
        """1 where a heading path has all terms of a hint, nothing below half of them; or the same number."""
        if terms:
            share = len(terms & self._path_terms[place]) / len(terms)
            return share if share >= HALF else 0.0
        numbers = set(_SECTION_NUMBER.findall(hint))
        return 1.0 if numbers & set(_SECTION_NUMBER.findall(self._paths[place])) else 0.0


def _distinct(values: Sequence[str]) -> tuple[list[str], IntArray]:
    """Distinct values in order, and for each value its place among them."""
    place: dict[str, int] = {}
    places = [place.setdefault(value, len(place)) for value in values]
    return list(place), np.array(places, dtype=np.int64)
