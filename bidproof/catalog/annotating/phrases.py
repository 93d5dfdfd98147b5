"""A small language for phrases in data files, matched on folded text by whole words.

`insur*` is a word that begins so, `a/b` one word or the other, `..` up to four words between (`..8` up to
eight, within one sentence), `word?` a word that may be missing, `@name` a class of words or a built-in form
(`@count`, `@period`, `@date`, `@time`). A plain word of three letters or more also stands for its plural.
Knows no domain: what the phrases mean is said where they are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from bidproof.data_files import read_data

_GAP = re.compile(r"\.\.(\d*)")
_SEPARATOR = r"[ '/-]+"
_BETWEEN = r"[ ,()'/\"-]+"
_NUMBER_WORDS = (
    r"(?:(?:twenty|thirty|forty|fifty|sixty|ninety|vingt|trente|quarante|cinquante|soixante|quatre-vingt)"
    r"(?:[ -](?:et[ -])?)?)?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|"
    r"fifteen|sixteen|seventeen|eighteen|nineteen|(?:a |one )?hundred|"
    r"twenty|thirty|forty|fifty|sixty|ninety|un|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|cent|"
    r"vingt|trente|quarante|soixante|cinquante)"
)
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|janvier|"
    r"fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)"
)
_BUILT_IN = {
    "count": rf"(?:(?:\d+|{_NUMBER_WORDS})(?: ?[([]\s?\w+\s?[)\]])?)",
    "period": (
        r"(?:(?:working|calendar|business|consecutive|clear|full) |[a-z]+-)?(?:days?|weeks?|months?)|"
        r"(?:jours?|semaines?|mois)(?: (?:ouvres?|ouvrables?|calendaires?|francs?|consecutifs?))?"
    ),
    "date": (
        rf"(?:(?:the |le )?\d{{1,2}}(?:st|nd|rd|th|er)?(?: of)? {_MONTHS}|{_MONTHS} \d{{1,2}}"
        r"|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})"
    ),
    "time": r"(?:\d{1,2}(?:[:.h]\d{2}| ?h(?:eures?|rs?)?(?![a-z])) ?(?:a\.?m|p\.?m)?|\d{1,2} ?(?:a\.?m|p\.?m)|noon|midi|midnight|minuit)",
}


def pattern_of(phrase: str, classes: Mapping[str, Iterable[str]] | None = None) -> str:
    """Regular expression of one phrase, without its word boundaries.

    Args:
        phrase: folded words in the language of this module.
        classes: phrases by name of class, for `@name`.

    Raises:
        KeyError: the phrase names a class that is not there.
    """
    parts: list[str] = []
    opens = True  # no separator is due: at the start and behind a gap, which ends in one
    for token in phrase.split():
        gap = _GAP.fullmatch(token)
        if gap:
            # Words of the same sentence: a point, colon or semicolon ends it, a comma or bracket does not.
            parts.append(rf"(?:{_BETWEEN}[^\s.;:!?,()'\"/-]+){{0,{gap[1] or 4}}}?{_BETWEEN}")
            opens = True
            continue
        piece = _word(token.removesuffix("?"), classes or {})
        if token.endswith("?"):
            parts.append(f"(?:{piece}{_SEPARATOR})?" if opens else f"(?:{_SEPARATOR}{piece})?")
            continue
        parts.append(piece if opens else _SEPARATOR + piece)
        opens = False
    return "".join(parts)


def _word(token: str, classes: Mapping[str, Iterable[str]]) -> str:
    if token.startswith("@"):
        name = token[1:]
        if name in _BUILT_IN:
            return f"(?:{_BUILT_IN[name]})"
        return f"(?:{'|'.join(pattern_of(each) for each in classes[name])})"
    return f"(?:{'|'.join(_stem(word) for word in token.split('/'))})"


def _stem(word: str) -> str:
    if word.endswith("*"):
        return f"{_escaped(word[:-1])}[a-z]*"
    last = re.split(r"['-]", word)[-1]
    plural = len(last) > 2 and last.isalpha() and not last.endswith("s")
    return _escaped(word) + ("(?:s|es|x)?" if plural else "")


def _escaped(word: str) -> str:
    """The word itself; a hyphen or an apostrophe inside it may also be a space."""
    return _SEPARATOR.join(re.escape(part) for part in re.split(r"['-]", word))


class PhraseSet:
    """Phrases looked for together, on word boundaries, the longest first.

    A text without a piece that one of them needs is passed over by plain look-up: most rules speak of most things
    not at all. The pattern is made when it is needed first.
    """

    def __init__(self, phrases: Iterable[str], classes: Mapping[str, Iterable[str]] | None = None) -> None:
        """Take phrases with the classes that they name."""
        self._phrases = sorted(set(phrases), key=lambda each: (-len(each), each))
        self._classes = classes or {}
        needed = {piece for phrase in self._phrases for piece in _needed(phrase, self._classes)}
        shortest = sorted(needed, key=lambda piece: (len(piece), piece))
        self._pieces = tuple(
            piece for at, piece in enumerate(shortest) if not any(other in piece for other in shortest[:at])
        )

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """One expression for all phrases; it matches nothing where there are none."""
        if not self._phrases:
            return re.compile(r"(?!)")
        parts = "|".join(pattern_of(phrase, self._classes) for phrase in self._phrases)
        return re.compile(rf"(?<![a-z0-9])(?:{parts})(?![a-z0-9])")

    def _may_match(self, text: str) -> bool:
        return any(piece in text for piece in self._pieces)

    def search(self, text: str) -> re.Match[str] | None:
        """The first place of a phrase in folded text."""
        return self.pattern.search(text) if self._may_match(text) else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A phrase that is the whole of a folded text."""
        return self.pattern.fullmatch(text) if self._may_match(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All places of phrases in folded text."""
        return self.pattern.finditer(text) if self._may_match(text) else iter(())

    def without(self, text: str) -> str:
        """The text with `#` for every letter of a phrase."""
        return self.pattern.sub(lambda found: "#" * len(found[0]), text) if self._may_match(text) else text


def _needed(phrase: str, classes: Mapping[str, Iterable[str]]) -> set[str]:
    """Pieces of which a match of the phrase holds at least one: those of its most telling token."""
    best: set[str] = {""}
    for token in phrase.split():
        if _GAP.fullmatch(token) or token.endswith("?"):
            continue
        if token.startswith("@"):
            if token[1:] in _BUILT_IN:
                continue
            pieces = {piece for each in classes[token[1:]] for piece in _needed(each, classes)}
        else:
            pieces = {max(re.split(r"['-]", word.rstrip("*")), key=len) for word in token.split("/")}
        if min(map(len, pieces)) > min(map(len, best)):
            best = pieces
    return best


@lru_cache(maxsize=1)
def annotation_words() -> dict[str, Any]:
    """The data of `annotations.yaml`: phrases by what they tell."""
    data: dict[str, Any] = read_data("catalog/annotating/annotations.yaml")
    return data
