"""A small language for phrases in data files, matched on folded text by whole words.

`insur*` is a word that begins so, `a/b` one word or the other, `..` up to four words between (`..8` up to
eight, within one sentence), `word?` a word that may be missing, `@name` a class of words or a built-in form
(`@count`, `@period`, `@date`, `@time`). A plain word of three letters or more also stands for its plural.
Knows no domain: what the phrases mean is said where they are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

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


def any_of(phrases: Iterable[str], classes: Mapping[str, Iterable[str]] | None = None) -> re.Pattern[str]:
    """One pattern for all phrases on word boundaries, the longest first; it matches nothing where there are none."""
    patterns = [
        pattern_of(phrase, classes) for phrase in sorted(set(phrases), key=lambda each: (-len(each), each))
    ]
    if not patterns:
        return re.compile(r"(?!)")
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(patterns)})(?![a-z0-9])")


@lru_cache(maxsize=1)
def annotation_words() -> dict[str, Any]:
    """The data of `annotations.yaml`: phrases by what they tell."""
    text = files("bidproof.catalog").joinpath("annotations.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = yaml.safe_load(text)
    return data
