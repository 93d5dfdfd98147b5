"""The evidence score: how much of what a rule asks for a chunk shows, as a sum of named parts.

Holds the features of all chunks of a pack, rule by rule, and their weights. Must not hold ranking by a leg
(`lexical`, `dense`), fusion or choice. Every part is stored, so that a rank can be explained in one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from bidproof.params import RetrievalParams
from bidproof.records import Predicate, Requirement
from bidproof.retrieval.analysis import folded
from bidproof.retrieval.lexical import LexicalIndex
from bidproof.retrieval.numbers_seen import TYPED, FactColumns
from bidproof.retrieval.query import plain_words

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

LONG_CHARS, SHORT_CHARS = 1200, 400
_WORD = re.compile(r"\w+")
_SECTION_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)*)(?![\w])")
_ROMAN = re.compile(r"\b[IVX]+\b")
# Words that say where, not what; with `s` left to the stemmer.
_PLACE_WORDS = """
section sections clause clauses article articles annex annexe annexes appendix chapter chapitre part partie
volume schedule lot see para paragraph
"""


@dataclass(frozen=True)
class Evidence:
    """Parts of the evidence score of every chunk for one rule; position `i` is the index's chunk `i`."""

    terms: FloatArray
    numbers: FloatArray
    section: FloatArray
    table: FloatArray
    length: FloatArray
    echo: FloatArray
    sentries: dict[str, BoolArray]

    @property
    def total(self) -> FloatArray:
        """Sum of the parts, without the fused rank."""
        return self.terms + self.numbers + self.section + self.table + self.length + self.echo


class PackEvidence:
    """What the evidence score needs to know of a pack, worked out once for all rules.

    Args:
        chunks: chunks of the pack in the order of `index`.
        facts: facts of those chunks.
        index: lexical index of the same chunks.
        rfp_chunks: chunks of the tender, whose own words are no evidence.
        params: weights.
    """

    def __init__(
        self,
        chunks: pl.DataFrame,
        facts: pl.DataFrame,
        index: LexicalIndex,
        rfp_chunks: pl.DataFrame,
        params: RetrievalParams,
    ) -> None:
        self._index, self._params = index, params
        self.facts = FactColumns(index.chunk_ids, facts)
        self.is_row = (chunks["kind"] == "row").to_numpy()
        self._headings = chunks["heading_path"].fill_null("").to_list()
        self._heading_terms = {path: frozenset(index.terms(path)) for path in set(self._headings)}
        self._place_terms = frozenset(index.terms(_PLACE_WORDS))
        self._hint_match: dict[str, FloatArray] = {}
        bodies = [
            text[start:]
            for text, start in zip(
                chunks["text"].fill_null(""), chunks["body_start"].fill_null(0), strict=True
            )
        ]
        chars = np.array([len(body) for body in bodies], dtype=np.int64)
        self._length = params.score_long * (chars > LONG_CHARS) + params.score_short * (chars < SHORT_CHARS)
        self._echo = params.score_echo * echo_shares(
            bodies, rfp_chunks["text"].fill_null("").to_list(), params.echo_shingle
        )

    def of(self, requirement: Requirement) -> Evidence:
        """Evidence of every chunk for one rule."""
        params = self._params
        typed = [predicate for predicate in requirement.predicates if predicate.kind in TYPED]
        numeric = any(predicate.kind == "quantity" for predicate in typed)
        seen = [self._predicate_seen(predicate) for predicate in typed]
        zero = np.zeros(len(self._index.chunk_ids))
        return Evidence(
            terms=params.score_term * self._terms_seen(concept_terms(requirement, self._index)),
            numbers=params.score_number * np.sum(seen, axis=0) if seen else zero,
            section=params.score_section * self._under_hint(requirement),
            table=params.score_table * self.is_row if numeric else zero,
            length=self._length,
            echo=self._echo,
            sentries={term: self._sentry_seen(term, typed, seen) for term in requirement.sentry_terms},
        )

    def _terms_seen(self, terms: Sequence[str]) -> FloatArray:
        """Number of a rule's concept terms seen, each weighing as much as it is rare in the pack.

        Weights sum to the number of terms, so that a chunk with all of them scores one point a term.
        """
        seen = np.zeros(len(self._index.chunk_ids))
        rarity = {term: self._index.rarity(term) for term in terms}
        scale = len(terms) / (sum(rarity.values()) or 1.0)
        for term in terms:
            seen[self._index.postings(term)] += rarity[term] * scale
        return seen

    def _predicate_seen(self, predicate: Predicate) -> FloatArray:
        """1 where the very value stands, or any value of its measure beside the words for it; else less."""
        equal, comparable = self.facts.equal(predicate), self.facts.comparable(predicate)
        named = self._any_phrase(predicate.measure)
        return np.where(
            equal | (comparable & named), 1.0, np.where(comparable, self._params.number_comparable, 0.0)
        )

    def _any_phrase(self, phrases: Sequence[str]) -> BoolArray:
        found = np.zeros(len(self._index.chunk_ids), dtype=bool)
        for phrase in phrases:
            found |= self._phrase(phrase)
        return found

    def _phrase(self, phrase: str) -> BoolArray:
        """Chunks with every word of a phrase, in any order and under any language's stems."""
        found = np.zeros(len(self._index.chunk_ids), dtype=bool)
        for language in self._index.languages:
            terms = self._index.terms_in(phrase, language)
            if terms:
                count = np.zeros(len(found), dtype=np.int64)
                for term in terms:
                    count[self._index.postings(term)] += 1
                found |= count == len(terms)
        return found

    def _sentry_seen(self, sentry: str, typed: Sequence[Predicate], seen: Sequence[FloatArray]) -> BoolArray:
        """Chunks that carry a sentry term: by value where it is a number or a code, else by its words."""
        found = self._phrase(sentry)
        for predicate, share in zip(typed, seen, strict=True):
            if same_thing(sentry, predicate):
                found = found | (share >= 1.0)
        return found

    def _under_hint(self, requirement: Requirement) -> FloatArray:
        best = np.zeros(len(self._headings))
        for hint in requirement.section_hints:
            if hint not in self._hint_match:
                shares = {path: self._hint_share(hint, path) for path in self._heading_terms}
                self._hint_match[hint] = np.array([shares[path] for path in self._headings], dtype=np.float64)
            best = np.maximum(best, self._hint_match[hint])
        return best

    def _hint_share(self, hint: str, path: str) -> float:
        """How well a heading path fits a hint: 1 for all its words, nothing below half of them.

        Only the last part of a hint such as `Section III > 3.2 Bid Security` names the subject. Its number
        counts for nothing beside words, since a bidder numbers its own sections; alone it fits that number.
        """
        for part in reversed(hint.split(" > ")):
            bare = _ROMAN.sub(" ", _SECTION_NUMBER.sub(" ", part))
            words = {term for term in self._index.terms(bare) if not term[0].isdigit()} - self._place_terms
            if words:
                share = len(words & self._heading_terms[path]) / len(words)
                return share if share >= 0.5 else 0.0
            if numbers := set(_SECTION_NUMBER.findall(part)):
                return 1.0 if numbers & set(_SECTION_NUMBER.findall(path)) else 0.0
        return 0.0


def concept_terms(requirement: Requirement, index: LexicalIndex) -> list[str]:
    """Index terms of what a rule is about, its numbers left to the typed facts."""
    phrases = [plain_words(requirement.text)]
    for predicate in requirement.predicates:
        phrases.extend(predicate.terms)
    terms = dict.fromkeys(term for phrase in phrases for term in index.terms(phrase))
    return [term for term in terms if not term[0].isdigit()]


def same_thing(sentry: str, predicate: Predicate) -> bool:
    """Whether a sentry term stands for a predicate: same code, or its value among the digits of the term."""
    bare = folded(sentry)
    if predicate.kind in ("standard", "form"):
        letters = re.sub(r"[\W_]", "", bare)
        return bool(predicate.code) and re.sub(r"[\W_]", "", folded(predicate.code)) in letters
    if predicate.kind == "date":
        return bool(predicate.date) and predicate.date in bare
    digits = {float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", bare)}
    return any(value is not None and value in digits for value in (predicate.value, predicate.value_max))


def echo_shares(bodies: Sequence[str], source: Sequence[str], words: int) -> FloatArray:
    """Share of each text's words that stand in runs of `words` words copied from `source`, 0 to 1."""
    copied = {shingle for text in source for shingle in _shingles(_WORD.findall(folded(text)), words)}
    shares = np.zeros(len(bodies))
    if not copied:
        return shares
    for place, body in enumerate(bodies):
        tokens = _WORD.findall(folded(body))
        covered = np.zeros(len(tokens), dtype=bool)
        for start, shingle in enumerate(_shingles(tokens, words)):
            if shingle in copied:
                covered[start : start + words] = True
        shares[place] = covered.mean() if len(tokens) else 0.0
    return shares


def _shingles(tokens: list[str], words: int) -> list[tuple[str, ...]]:
    return list(zip(*(tokens[start:] for start in range(words)), strict=False))
