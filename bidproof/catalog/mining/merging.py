"""One rule for one duty: rules that say the same at several places become one with all its places.

Equal figures and codes are a condition: the same words with other figures are a conflict to show, never one rule.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bidproof.catalog.mining.sentences import level
from bidproof.facts.terms import fold, word_set
from bidproof.records import Requirement

NEAR = 0.8
"""Share of common words of two rules that say the same: reworded articles and verbs pass, another object does not."""
ALIKE = 0.85
_WORD = re.compile(r"[a-z0-9]+(?:[.,/][a-z0-9]+)*%?|[<>≤≥]")
_FIGURE = re.compile(r"\d|[<>≤≥%]")
_EMPTY = word_set(
    "the a an of to and or be is are in on for by with its their this that shall must will le la les l de du des d un une et ou est "
    "sont au aux en par pour dans doit doivent ce cette son sa ses leur leurs qui que"
)
_CASES = word_set("if when where whether unless except only case si quand lorsque lorsqu sauf cas")
"""Words that bind a duty to a case: with other ones of them it is another duty, whatever else is the same."""
_S_IL = re.compile(r"(?<![a-z])s['’](?=ils?(?![a-z]))")
_NOT = word_set("not no without never ne pas sans aucun aucune non")


@dataclass(frozen=True)
class Conflict:
    """Two rules that ask the same thing with other figures."""

    first: Requirement
    second: Requirement


@dataclass(frozen=True)
class _Said:
    words: frozenset[str]
    figures: tuple[str, ...]
    denied: int
    cases: frozenset[str]


def merged(rules: Sequence[Requirement]) -> list[Requirement]:
    """Rules in order of their first place, those that say the same as one, in the fuller wording, with all sources."""
    kept: list[Requirement] = []
    said: list[_Said] = []
    by_word: dict[str, list[int]] = defaultdict(list)
    for rule in rules:
        own = _said(rule.text)
        match = _same(own, said, by_word)
        if match is None:
            for word in own.words:
                by_word[word].append(len(kept))
            kept.append(rule)
            said.append(own)
        else:
            kept[match] = _joined(kept[match], rule)
    return kept


def conflicts(rules: Sequence[Requirement]) -> list[Conflict]:
    """Pairs of rules whose words agree and whose figures do not, from different headings."""
    found: list[Conflict] = []
    by_words: dict[frozenset[str], list[tuple[_Said, Requirement]]] = defaultdict(list)
    for rule in rules:
        own = _said(rule.text)
        if len(own.words) < 4 or not own.figures:
            continue
        for other, first in by_words[own.words]:
            apart = first.source_page != rule.source_page or first.clause_ref != rule.clause_ref
            if (
                apart
                and other.figures != own.figures
                and len(other.figures) == len(own.figures)
                and other.denied == own.denied
            ):
                found.append(Conflict(first, rule))
        by_words[own.words].append((own, rule))
    return found


def _said(text: str) -> _Said:
    words = _WORD.findall(_S_IL.sub("si ", level(text)))
    plain = frozenset(
        _stem(word) for word in words if word not in _EMPTY and word not in _NOT and not _FIGURE.search(word)
    )
    figures = tuple(sorted(word.rstrip(".,") for word in words if _FIGURE.search(word)))
    return _Said(plain, figures, sum(word in _NOT for word in words), _CASES.intersection(words))


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _same(own: _Said, said: list[_Said], by_word: dict[str, list[int]]) -> int | None:
    """Number of the first rule that says the same."""
    if not own.words:
        return next(
            (n for n, other in enumerate(said) if not other.words and other.figures == own.figures), None
        )
    # Two rules with four fifths of their words in common share one of the rarest fifth (and one more) of either.
    rare = sorted(own.words, key=lambda word: (len(by_word.get(word, ())), word))
    needed = rare[: int(len(rare) * (1 - NEAR)) + 1]
    for number in sorted({n for word in needed for n in by_word.get(word, ())}):
        other = said[number]
        if (other.figures, other.denied, other.cases) != (own.figures, own.denied, own.cases):
            continue
        if other.words == own.words:
            return number
        common = len(own.words & other.words)
        if len(own.words) >= 5 and common >= NEAR * len(own.words | other.words) and not _swapped(own, other):
            return number
    return None


def _swapped(one: _Said, other: _Said) -> bool:
    """Each has a word of weight that the other lacks, so that another object may be meant."""
    return bool(one.words - other.words) and bool(other.words - one.words)


def _joined(first: Requirement, second: Requirement) -> Requirement:
    places = {(s.file_name, s.page, s.quote): s for s in (*first.sources, *second.sources)}
    fuller = (
        second if len(second.text) > len(first.text) and level(first.text) != level(second.text) else first
    )
    mandatory = first.mandatory or second.mandatory
    stronger = first if first.mandatory or not second.mandatory else second
    return first.model_copy(
        update={
            "text": fuller.text, "rule_id": fuller.rule_id, "sources": tuple(places.values()), "mandatory": mandatory,
            "scored": first.scored or second.scored, "obligation": stronger.obligation or first.obligation or second.obligation,
        }
    )  # fmt: skip


def with_distinct_ids(rules: list[Requirement]) -> tuple[Requirement, ...]:
    """Two texts whose six digits agree get more of them."""
    seen: dict[str, str] = {}
    distinct = []
    for rule in rules:
        key = fold(rule.text).rstrip(" .;:")
        length = 6
        while seen.get(rule.rule_id, key) != key:
            length += 2
            rule = rule.model_copy(
                update={"rule_id": "M-" + hashlib.sha256(key.encode()).hexdigest()[:length]}
            )
        seen[rule.rule_id] = key
        distinct.append(rule)
    return tuple(distinct)
