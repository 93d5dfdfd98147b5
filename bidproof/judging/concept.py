"""The concept that a presence predicate asks for: its terms, their weights, and how a statement covers them.

Belongs here: which words of a rule tell, which stand for one another, and the share that a text names. Does
not belong here: what the text says about them (`presence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from bidproof.catalog import linked_phrases
from bidproof.facts import fold, stem
from bidproof.judging.instances import Instance, instances_of
from bidproof.judging.polarity import denies
from bidproof.judging.prohibition import forbidden_in, negates
from bidproof.judging.units import Unit
from bidproof.judging.words import (
    LIGHT,
    concept_terms,
    in_another_sense,
    same,
    seen_terms,
    terms_by_phrase,
    word_list,
    words_of,
)
from bidproof.judging.years import years_asked
from bidproof.records import Predicate, Requirement

ABOVE = 0.6  # weight of a term that only headings or the lead line name
# "held", "sent", "located" tell nothing that evidence must repeat.
_WEAK = frozenset(stem(word) for word in (*word_list("weak"), *LIGHT))
# Where a standard is asked for, its own predicate asks for the certificate.
_CERTIFIED = frozenset(stem(w) for w in ("certified", "certificate", "certificates", "certification"))
_EXAMPLES = re.compile(r"\(([^()]*?\w\s*/\s*\w[^()]*)\)")
_BEARER = (
    r"(?:bidders?|tenderers?|suppliers?|contractors?|vendors?|offerors?|applicants?|"
    r"soumissionnaires?|candidats?)"
)
_APPLIES_TO = re.compile(
    rf"\b{_BEARER}\s+(?:that|which|who)\s+(?:is|are|acts?|forms?)\b(?P<what>[^,;.]*?)(?=\s+(?:provides?|submits?|encloses?|attach\w*|shall|must|gives?|furnish\w*|signs?|includes?)\b|[,;.]|$)",
    re.IGNORECASE,
)
ONLY = re.compile(
    r"\b(?:only|exclusively|solely|nothing\s+(?:but|else)|uniquement|seulement|exclusivement)\b",
    re.IGNORECASE,
)
EVERY = re.compile(
    r"\b(?:all|every|each|any|entire(?:ly)?|whole|full(?:y)?|complete(?:ly)?|100\s?%|tous|toutes|chaque|int[ée]gral\w*|no\s+others?|none)\b",
    re.IGNORECASE,
)
_ASKS_EVERY = re.compile(
    r"^\W*(?:all|every|any|tous|toutes)\b|\b(?:of\s+all|for\s+(?:each|every|all)|pour\s+(?:chaque|tous|toutes))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Concept:
    """Terms that evidence must name. Terms of one inner tuple stand for one another."""

    terms: tuple[tuple[str, ...], ...]
    weights: tuple[float, ...]
    synonyms: tuple[str, ...]
    links: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    instances: tuple[tuple[Instance, ...], ...] = ()

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """All stems, flat."""
        return tuple(stem_ for group in self.terms for stem_ in group)

    def seen(self, stems: Iterable[str]) -> frozenset[int]:
        """Numbers of the terms that `stems` name."""
        said = tuple(stems)
        known = self._known.get(said)
        if known is None:
            named = seen_terms(self.stems, said, self.synonyms) | terms_by_phrase(self.links, said)
            known = frozenset(n for n, group in enumerate(self.terms) if not named.isdisjoint(group))
            self._known[said] = known
        return known

    @cached_property
    def _known(self) -> dict[tuple[str, ...], frozenset[int]]:
        """What was seen before: statements recur between looks, single words all the time."""
        return {}

    def told(self, unit: Unit) -> frozenset[int]:
        """Numbers of the terms that the bidder's words of a unit name, or show by an instance.

        An instance counts where the unit or its headings name the subject: any thing lasts so many days.
        """
        named = self.seen(unit.said)
        if named:
            around = [*unit.said, *(w.stem for w in words_of(unit.passage.heading_path))]
            named = frozenset(
                n for n in named if not all(in_another_sense(term, around) for term in self.terms[n])
            )
        subject = self.subject
        if subject and not subject & (named | self.seen(w.stem for w in words_of(unit.heading))):
            return named
        return named | {n for n in range(len(self.terms)) if any(way.in_unit(unit) for way in self._ways(n))}

    @cached_property
    def subject(self) -> frozenset[int]:
        """Numbers of the terms that say what is spoken of: those that no instance stands for."""
        return frozenset(n for n in range(len(self.terms)) if not self._ways(n))

    def _ways(self, number: int) -> tuple[Instance, ...]:
        return self.instances[number] if self.instances else ()

    def is_named(self, number: int, stem_: str) -> bool:
        """Whether one word names the term."""
        return any(same(stem_, term) for term in self.terms[number])

    def share(self, own: Iterable[int], above: Iterable[int] = ()) -> float:
        """Weighted share of the terms named by a statement itself and by what stands above it; 0 to 1."""
        mine = set(own)
        total = sum(self.weights)
        got = sum(self.weights[n] for n in mine) + ABOVE * sum(self.weights[n] for n in set(above) - mine)
        return got / total if total else 0.0

    def names(self, numbers: Iterable[int]) -> list[str]:
        """Terms in words, for a rationale."""
        return ["/".join(self.terms[n]) for n in sorted(numbers)]


@lru_cache(maxsize=2048)
def _terms(predicate: Predicate, requirement: Requirement) -> tuple[tuple[str, ...], ...]:
    if predicate.terms:  # chosen by the catalog, folded
        stems = list(dict.fromkeys(stem(fold(term)) for term in predicate.terms))
    else:
        stems = list(concept_terms(predicate.measure or (predicate.text or requirement.text,)))
    applies = {t for m in _APPLIES_TO.finditer(requirement.text) for t in concept_terms([m["what"]])}
    # Years are looked for as years, ranges among them (`named_parts`).
    apart = {*_forbidding_words(requirement.text), *map(str, years_asked(requirement.text))}
    stems = [t for t in stems if t not in apart] or stems
    strong = [t for t in stems if t not in _WEAK and t not in applies] or stems
    if any(p.kind == "standard" for p in requirement.predicates):
        strong = [t for t in strong if t not in _CERTIFIED] or strong
    groups = [
        g
        for m in _EXAMPLES.finditer(requirement.text)
        if len(g := [t for t in concept_terms([m[1]]) if t in strong]) > 1
    ]
    grouped = {t for group in groups for t in group}
    stands = _acronyms(requirement.text)
    dropped = {a for term, more in stands.items() if term in strong and len(more) == 1 for a in more}
    single = [t for t in strong if t not in grouped and t not in dropped]
    return (*((t, *stands.get(t, ())) for t in single), *(tuple(group) for group in groups))


def _forbidding_words(text: str) -> frozenset[str]:
    """Stems that do nothing in the rule but forbid ("free of", "prohibited"): evidence need not repeat them."""
    marks = forbidden_in(text).marks
    words = [(w.stem, any(a <= w.start < b for a, b in marks)) for w in words_of(text)]
    return frozenset(s for s, mark in words if mark) - {s for s, mark in words if not mark}


_ACRONYMS = re.compile(
    r"((?:[\w-]+\s+){0,1}[\w-]+)\s+\(([A-Z][A-Z0-9]{1,5}(?:(?:,\s*|\s+(?:and|et|or|ou)\s+|\s*/\s*)[A-Z][A-Z0-9]{1,5})*)\)"
)


def _acronyms(text: str) -> dict[str, tuple[str, ...]]:
    """Stems and acronyms in brackets behind them: "recovery objectives (RTO and RPO)", "Identify (ID)"."""
    found: dict[str, tuple[str, ...]] = {}
    for match in _ACRONYMS.finditer(text):
        acronyms = tuple(stem(fold(a)) for a in re.findall(r"[A-Z][A-Z0-9]+", match[2]))
        words = list(concept_terms([match[1]]))
        short = len(acronyms) == 1 and bool(words) and match[1].split()[-1].lower().startswith(acronyms[0][0])
        spelled = "".join(w[0] for w in match[1].lower().split()) == acronyms[0]
        for word in words[-1:] if short and not spelled else words:
            found[word] = acronyms
    return found


def concept_of(predicate: Predicate, requirement: Requirement, weights: Mapping[str, float]) -> Concept:
    """The concept of a presence predicate; `weights` say how telling each stem is, 1 by default."""
    terms = _terms(predicate, requirement)
    telling = tuple(max(weights.get(t, 1.0) for t in group) for group in terms)
    return _concept(predicate, requirement, telling)


@lru_cache(maxsize=512)
def _concept(predicate: Predicate, requirement: Requirement, telling: tuple[float, ...]) -> Concept:
    """Kept, since the same statements are held against it when they are looked through and when they are judged."""
    terms = _terms(predicate, requirement)
    return Concept(
        terms,
        telling,
        requirement.synonyms,
        links_of(requirement),
        tuple(tuple(i for t in group for i in instances_of(t, requirement.text)) for group in terms),
    )


@lru_cache(maxsize=2048)
def links_of(requirement: Requirement) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Phrases of the rule with the phrases of the lexicon that stand for them."""
    return tuple(linked_phrases(requirement.text))


@lru_cache(maxsize=2048)
def asks_absence(requirement: Requirement) -> bool:
    """The rule forbids or excludes its subject, so that a denial fulfils it ("data shall not leave the country")."""
    text = requirement.text
    if negates(text):  # words such as "excluded" are left to the reading of any denial
        return forbidden_in(text).whole
    told = set(concept_terms([text]))
    return denies(text, [(w.start, w.end) for w in words_of(text) if w.stem in told])


def asks_every(requirement: Requirement) -> bool:
    """The rule speaks of all of something, so that one instance proves nothing."""
    return bool(_ASKS_EVERY.search(requirement.text))


def asks_only(requirement: Requirement) -> bool:
    """The rule excludes everything else, which no single statement can prove."""
    return bool(ONLY.search(requirement.text))
