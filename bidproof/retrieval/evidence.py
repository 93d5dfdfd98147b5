"""The evidence score: how much of what a rule asks for a chunk shows, as a sum of named parts.

Holds the features of all chunks of a pack, rule by rule, and their weights. Must not hold ranking by a leg
(`lexical`, `dense`), fusion or choice. Every part is stored, so that a rank can be explained in one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import polars as pl

from bidproof.catalog import translated
from bidproof.params import RetrievalParams
from bidproof.records import Predicate, Requirement
from bidproof.retrieval.echo import TenderEcho
from bidproof.retrieval.headings import PackHeadings
from bidproof.retrieval.lexical import LexicalIndex
from bidproof.retrieval.numbers_seen import TYPED, FactColumns, asks_for, typed_terms
from bidproof.retrieval.query import plain_words
from bidproof.retrieval.question import asked_words, is_open_question, is_question

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

LONG_CHARS, SHORT_CHARS = 1200, 400
# A rule of a contract ("The processor shall") is met by the clause that says the same; one that speaks of bidders is
# a tender's, at hand or not, and its sentence in a bid is a copy. A table row beside "Compliant" is one in either.
_TO_BIDDERS = re.compile(
    r"\b(?:bidders?|tenderers?|proponents?|respondents?|offerors?|soumissionnaires?|candidats?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Evidence:
    """Parts of the evidence score of every chunk for one rule; position `i` is the index's chunk `i`.

    `sentries` says for each sentry term which chunks carry it. `best_coverage` is the largest share of the
    rule's concept terms, by rarity, that one chunk has, 0 to 1.
    """

    terms: FloatArray
    numbers: FloatArray
    section: FloatArray
    title: FloatArray
    table: FloatArray
    length: FloatArray
    echo: FloatArray
    sentries: dict[str, BoolArray]
    best_coverage: float

    @property
    def total(self) -> FloatArray:
        """Sum of the parts, without the fused rank."""
        return self.terms + self.numbers + self.section + self.title + self.table + self.length + self.echo


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
        self._headings = PackHeadings(
            chunks["heading_path"].fill_null("").to_list(),
            chunks["section_title"].fill_null("").to_list(),
            index,
        )
        bodies = [
            text[start:]
            for text, start in zip(
                chunks["text"].fill_null(""), chunks["body_start"].fill_null(0), strict=True
            )
        ]
        chars = np.array([len(body) for body in bodies], dtype=np.int64)
        self._length = params.score_long * (chars > LONG_CHARS) + params.score_short * (chars < SHORT_CHARS)
        self._echo = TenderEcho(bodies, rfp_chunks["text"].fill_null("").to_list(), params.echo_shingle)
        self._tendered = not rfp_chunks.is_empty()

    def of(self, requirement: Requirement, relevance: FloatArray | None = None) -> Evidence:
        """Evidence of every chunk for one rule.

        `relevance` are points that the chunks have besides; a copy of the tender's words loses its share of them too.
        A question says what it is about, not what its answer says: it has no terms to be seen, only numbers.
        """
        params = self._params
        asks = is_question(requirement.text)
        typed = self._typed(requirement, asks)
        seen = [self._predicate_seen(predicate) for predicate in typed]
        shares = self._numbers_seen(requirement, typed, seen)
        concepts = [] if asks else concept_terms(requirement, self._index)
        covered = self._terms_seen(concepts)
        terms = params.score_term * covered
        numbers = params.score_number * shares
        section = params.score_section * self._headings.hinted(requirement)
        numeric = any(predicate.kind == "quantity" for predicate in typed)
        return Evidence(
            terms=terms,
            numbers=numbers,
            section=section,
            title=np.maximum(
                params.score_title * self._headings.named(self._words(requirement, concepts)) - section, 0.0
            ),
            table=params.score_table * self.is_row * np.minimum(shares, 1.0) * numeric,
            length=self._length * (not asks),
            echo=self._echo_part(requirement, terms + numbers + _gained(relevance)),
            sentries={term: self._sentry_seen(term, typed, seen) for term in requirement.sentry_terms},
            best_coverage=float(covered.max(initial=0.0)) / len(concepts) if concepts else float(not asks),
        )

    def _words(self, requirement: Requirement, concepts: Sequence[tuple[str, ...]]) -> list[str]:
        """Terms of what a rule is about, or a question asks for."""
        asked = self._index.terms(asked_words(requirement.text)) if is_question(requirement.text) else []
        return [*asked, *(term for terms in concepts for term in terms)]

    def _typed(self, requirement: Requirement, asks: bool) -> list[Predicate]:
        """Predicates with values or codes; of a question those that it asks to be so, not what its instructions name.

        "Is the warranty 24 months?" names its evidence; "What are three companies that were bought?" does not.
        """
        typed = [predicate for predicate in requirement.predicates if predicate.kind in TYPED]
        if not asks:
            return typed
        if is_open_question(requirement.text):
            return []
        whole, asked = " ".join(requirement.text.split()), asked_words(requirement.text)
        return [one for one in typed if one.text in asked or one.text not in whole]

    def _numbers_seen(
        self, requirement: Requirement, typed: Sequence[Predicate], seen: Sequence[FloatArray]
    ) -> FloatArray:
        """Number of a rule's values and codes seen; another value of a measure counts in part, and once.

        Any price would otherwise answer each of three sums insured.
        """
        total = np.zeros(len(self._index.chunk_ids))
        other = np.zeros(len(total), dtype=bool)
        for predicate, share in zip(typed, seen, strict=True):
            total += share
            other |= self.facts.comparable(predicate) & (share == 0)
        if any(predicate.valid_on_submission for predicate in requirement.predicates):
            total += self.facts.expiry()
        return total + self._params.number_comparable * other

    def _echo_part(self, requirement: Requirement, points: FloatArray) -> FloatArray:
        """What a chunk loses for words copied from the tender or from the rule itself.

        A compliance matrix that repeats the rule has all its words and numbers, is found first by every leg and shows
        nothing, so it loses a share of those points besides the fixed penalty.
        """
        shares = self._echo.shares(requirement.text)
        if not self._tendered and not _TO_BIDDERS.search(requirement.text):
            shares = shares * self.is_row
        return shares * (self._params.score_echo - self._params.echo_discount * points)

    def _terms_seen(self, concepts: Sequence[tuple[str, ...]]) -> FloatArray:
        """Number of a rule's concepts seen together in one window, each weighing as much as it is rare in the pack.

        Weights sum to the number of concepts, so that a chunk with all of them in one place scores one point a concept.
        """
        seen = np.zeros(self._index.windows.count)
        rarity = [min(self._index.rarity(term) for term in terms) for terms in concepts]
        scale = len(concepts) / (sum(rarity) or 1.0)
        for terms, rare in zip(concepts, rarity, strict=True):
            each = [self._index.nearby(term, self._params.heading_share) for term in terms]
            seen += rare * scale * np.max(each, axis=0)
        return self._index.windows.best(seen)

    def _predicate_seen(self, predicate: Predicate) -> FloatArray:
        """1 where the very value stands, or any value of its measure beside the words for it; else less."""
        named = [self._phrase(phrase) for phrase in predicate.measure]
        beside = np.max(named, axis=0) if named else np.zeros(len(self._index.chunk_ids))
        return np.where(self.facts.equal(predicate), 1.0, self.facts.comparable(predicate) * beside)

    def _phrase(self, phrase: str) -> FloatArray:
        """1 for chunks with every word of a phrase, in any order and under any language's stems.

        Less where a word stands in the headings only.
        """
        found = np.zeros(len(self._index.chunk_ids))
        for language in self._index.languages:
            terms = self._index.terms_in(phrase, language)
            if terms:
                each = [self._index.presence(term, self._params.heading_share) for term in terms]
                found = np.maximum(found, np.min(each, axis=0))
        return found

    def _sentry_seen(self, sentry: str, typed: Sequence[Predicate], seen: Sequence[FloatArray]) -> BoolArray:
        """Chunks that carry a sentry term: by value where it is a number or a code, else by its words."""
        wanted = typed_terms(sentry)
        if not wanted:
            return self._phrase(sentry) > 0
        found = np.all([self.facts.equal(predicate) for predicate in wanted], axis=0)
        for predicate, share in zip(typed, seen, strict=True):
            if asks_for(sentry, predicate):
                found = found | (share >= 1.0)
        return np.asarray(found, dtype=bool)


def _gained(relevance: FloatArray | None) -> FloatArray | float:
    """Points above the pack's mean; what stands below it has none to lose."""
    return 0.0 if relevance is None else np.maximum(relevance, 0.0)


def concept_terms(requirement: Requirement, index: LexicalIndex) -> list[tuple[str, ...]]:
    """Index terms of what a rule is about, its numbers left to the typed facts.

    The terms of one tuple are one word: under the stems of each language of the index, and in translation
    where the index holds more than one language.
    """
    phrases = [plain_words(requirement.text)]
    for predicate in requirement.predicates:
        phrases.extend(predicate.terms)
    concepts: dict[str, tuple[str, ...]] = {}
    if len(index.languages) < 2:
        terms = dict.fromkeys(term for phrase in phrases for term in index.terms(phrase))
        return [(term,) for term in terms if not term[0].isdigit()]
    for word in " ".join(phrases).split():
        for alike in _as_one(word, index):
            kept = tuple(term for term in alike if not term[0].isdigit())
            if kept:
                concepts.setdefault(kept[0], kept)
    return list(concepts.values())


def _as_one(word: str, index: LexicalIndex) -> list[tuple[str, ...]]:
    """Terms of a word, those of each language side by side."""
    by_language = [index.terms_in(word, language) for language in index.languages]
    lists = [terms for terms in by_language if terms]
    if not lists:
        return []
    size = max(map(len, lists))
    found = [tuple(dict.fromkeys(terms[n] for terms in lists if n < len(terms))) for n in range(size)]
    if size == 1:
        other = [term for phrase in _translations(word) for term in index.terms(phrase)]
        return [tuple(dict.fromkeys((*found[0], *other)))]
    return found


@lru_cache(maxsize=8192)
def _translations(word: str) -> tuple[str, ...]:
    """Words of the other language for one; the rules of a catalog share most of theirs."""
    return tuple(translated(word))
