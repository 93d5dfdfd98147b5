"""Flags of a rule: deadline, exclusion, intellectual property, sovereignty and insurance, from the words it uses.

A flag says what a rule is about, so that its reader sees it first; whose duty it is,
whether it is mandatory and what it demands are decided elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from bidproof.catalog.annotating.phrases import PhraseSet, annotation_words
from bidproof.facts import fold
from bidproof.records import RuleFlag

_FLAGS: tuple[RuleFlag, ...] = get_args(RuleFlag)
_NUMBERING = re.compile(
    r"^(?:(?:section|article|clause|part|annexe?|chapter|chapitre)\s+)?[\divxlc.()-]+\s+|^[a-z][.)]\s+"
)
_SEVERAL = re.compile(r"(?<![a-z])(?:and|et|or|ou)(?![a-z])|[,;&/]")
_SENTENCE_END = re.compile(r"[.;!?](?= )")
# Headings further out speak of the whole part: only the two that stand nearest say what a rule is about.
_NEAREST = 2


@dataclass(frozen=True)
class _Together:
    """Words of every group must stand within `within` words of one another in one sentence."""

    within: int
    groups: tuple[PhraseSet, ...]


@dataclass(frozen=True)
class _Signs:
    phrases: PhraseSet
    together: tuple[_Together, ...]
    never: PhraseSet
    headings: PhraseSet
    weak: PhraseSet
    alone: bool


@lru_cache(maxsize=1)
def _signs() -> dict[RuleFlag, _Signs]:
    data = annotation_words()["flags"]
    classes = _classes(data["classes"])
    return {
        flag: _Signs(
            PhraseSet(data[flag]["phrases"], classes),
            tuple(
                _Together(each["within"], tuple(PhraseSet(group, classes) for group in each["groups"]))
                for each in data[flag].get("together", [])
            ),
            PhraseSet(data[flag].get("never", []), classes),
            PhraseSet(data[flag].get("headings", []), classes),
            PhraseSet(data[flag].get("weak", []), classes),
            data[flag].get("alone", True),
        )
        for flag in _FLAGS
    }


def _classes(data: dict[str, list[str]]) -> dict[str, list[str]]:
    """The classes with those that they name written out."""
    return {
        name: [
            other
            for phrase in phrases
            for other in (data[phrase[1:]] if phrase.startswith("@") else [phrase])
        ]
        for name, phrases in data.items()
    }


@lru_cache(maxsize=1 << 14)
def flags_of(text: str, heading_path: str = "") -> tuple[RuleFlag, ...]:
    """Flags of a rule, in the order of `records.RuleFlag`.

    Whole words and phrases count, never letters inside words. `heading_path` speaks by its two nearest headings:
    all below "13 Insurance" is about insurance; below "Confidentiality and intellectual property" the rule
    itself must hold a word of the thing.

    Args:
        text: the rule with the lead-in that it needs.
        heading_path: headings above it, outermost first, joined by ` > `.
    """
    words = fold(text)
    above = _above(heading_path)
    return tuple(
        flag
        for flag, signs in _signs().items()
        if _spoken(words, signs) or above.get(flag) or (flag in above and signs.weak.search(words))
    )


@lru_cache(maxsize=1 << 12)
def _above(heading_path: str) -> dict[RuleFlag, bool]:
    """Flags that the nearest headings speak of, with whether one speaks of nothing else."""
    found: dict[RuleFlag, bool] = {}
    for part in heading_path.split(" > ")[-_NEAREST:]:
        heading = _NUMBERING.sub("", fold(part))
        for flag, signs in _signs().items():
            if signs.headings.search(signs.never.without(heading)):
                alone = signs.alone and not _SEVERAL.search(signs.headings.without(heading))
                found[flag] = found.get(flag, False) or alone
    return found


def _spoken(words: str, signs: _Signs) -> bool:
    # What looks alike is blanked only where there is something to tell apart.
    return _any_sign(words, signs) and _any_sign(signs.never.without(words), signs)


def _any_sign(words: str, signs: _Signs) -> bool:
    return bool(signs.phrases.search(words)) or any(_stand_together(words, each) for each in signs.together)


def _stand_together(words: str, rule: _Together) -> bool:
    """Whether one word of each group stands in a stretch of `within` words that no sentence end parts."""
    if not all(group.search(words) for group in rule.groups):
        return False
    start = 0
    for end in [*(found.end() for found in _SENTENCE_END.finditer(words)), len(words)]:
        sentence = words[start:end]
        start = end
        places = [
            [_at(sentence, found.start()) for found in group.finditer(sentence)] for group in rule.groups
        ]
        if all(places) and any(
            all(any(first <= at <= first + rule.within for at in group) for group in places)
            for first in sorted({at for group in places for at in group})
        ):
            return True
    return False


def _at(sentence: str, start: int) -> int:
    """Number of the word that begins at an offset."""
    return sentence.count(" ", 0, start)
