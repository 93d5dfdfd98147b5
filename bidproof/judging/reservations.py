"""What a statement keeps back: a condition, an exception, an extra charge, a plan, a time gone by, another firm.

Belongs here: the words of the closed classes by which English and French take scope or firmness out of a statement
that is otherwise affirmed, and what of them the rule itself says. Does not belong here: negation (`polarity`), and the
thing of which a sentence speaks (`bearer`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bidproof.data_files import read_data
from bidproof.judging.words import GENERIC, same, words_of

_I = re.IGNORECASE
_NEAR, _WIDE = 60, 200  # characters around a word in which others bear on it
_EDGE = re.compile(r"[,;.|]")


@dataclass(frozen=True)
class Reservation:
    """Words that keep something back; `open` where the rule is left open by them, else a person looks."""

    kind: str
    words: str
    open: bool = True

    @property
    def note(self) -> str:
        """The reservation as put to a reader."""
        return f"{self.kind} ({' '.join(self.words.split())})"


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    """The patterns of `reservations.yaml` by kind."""
    data: dict[str, list[str]] = read_data("judging/reservations.yaml")
    return {kind: re.compile(rf"\b(?:{'|'.join(lines)})(?!\w)", _I) for kind, lines in data.items()}


_EXCEPTION_AFTER_NO = re.compile(
    r"\b(?:no|not|nothing|none|nobody|never|any|aucune?|sans|pas)\b[^.;,]{0,30}$", _I
)
_TAX = re.compile(
    r"^\W*(?:of\s+)?(?:the\s+|all\s+|any\s+)?(?:vat|value\s+added|gst|tax|sales\s+tax|dut(?:y|ies)|tva|limited)",
    _I,
)
# "if a replacement is available": what it hangs on is told behind the word, up to the next comma.
_IF = re.compile(
    r"\b(?:(?:even\s+)?if|unless|as\s+long\s+as|so\s+long\s+as|in\s+so\s+far\s+as|insofar\s+as|to\s+the\s+extent|providing|on\s+condition"
    r"|provided(?=\s+(?:that|the|it|we|a|an|no|our|your|you|they|he|she|their)\b)|only\s+(?:if|when|where|after|once)|tant\s+que|pourvu\s+qu\w*|pour\s+autant\s+qu\w*"
    r"|[àa]\s+moins\s+(?:qu\w*|d[e'’])|d[èe]s\s+lors\s+qu\w*|depending\s+on|in\s+the\s+(?:event|case)(?:\s+(?:that|of))?|within\s+the\s+limits?\s+of|dans\s+la\s+(?:limite|mesure)\s+d[eu]\w*|(?<=,\s)\w+\s+permitting|contingent\s+(?:up)?on|pending|en\s+fonction\s+d[eu]\w*"
    r"|selon\s+(?:les?\s+|la\s+|nos\s+|vos\s+)?(?:disponibilit\w+|stocks?|besoins?|possibilit\w+|conditions?)|(?-i:si(?!\s+bien)|s['’](?=ils?\b)))(?!\w)(?P<on>[^.;,|]*)",
    _I,
)
_WHEN = re.compile(
    r"(?<!,\s)\b(?:when(?:ever)?|where(?:ver)?|once(?!\s+(?:an?|per|every|each|in)\b)|until(?!\s+(?:[\w.]+\s+){0,3}?\d)|lorsqu\w*|quand|en\s+cas|une\s+fois\s+qu\w*)\b(?P<on>[^.;,|]*)",
    _I,
)
_FREE = re.compile(r"\b(?:no|not|without|free|nor|never|any|zero|sans|aucune?|ni|pas)\b[^.;,]{0,25}$", _I)
_UNTIL_YEAR = re.compile(
    r"\b(?:until|till|through|to|up\s+to|and|jusqu['’](?:en|au|[àa])|[àa]|au|et)\s+(?:the\s+end\s+of\s+|early\s+|late\s+|(?:le\s+)?(?:\d{1,2}(?:er|st|nd|rd|th)?\s+)?[a-zéû]+\s+)?(?P<year>(?:19|20)\d\d)\b(?!\s*[-/–]\s*\d)",
    _I,
)
_ENDED = re.compile(r"\b(?:until|till|jusqu\W?|from|between|de|entre)\b", _I)
_ONLY = re.compile(r"\b(?<!not )(?:only|solely|exclusively|merely|uniquement|seulement|exclusivement)\b", _I)
_LOOKED_AT = ("possible", "narrowed")  # kinds of which a person judges
_TOLD = {
    "planned": "not yet so", "bygone": "no longer so", "other": "said of another", "possible": "not firm",
    "narrowed": "not all of it",
}  # fmt: skip


def _told(text: str, rule: str) -> bool:
    """The rule names every word of `text` that tells anything."""
    own = [w.stem for w in words_of(text) if w.stem not in GENERIC]
    return all(any(same(stem, asked) for asked in _stems(rule)) for stem in own)


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words_of(text))


def _in_rule(words: str, rule: str) -> bool:
    """The rule makes the reservation itself, in the same words."""
    return " ".join(words.lower().split()) in " ".join(rule.lower().split())


def _hangs_on(text: str, rule: str) -> Iterator[Reservation]:
    for pattern, firm in ((_IF, True), (_WHEN, False)):
        for found in pattern.finditer(text):
            leading = not text[: found.start()].strip(" •-–*(\"'")
            words = found["on"].strip()
            if (firm and not words) or (words and not _told(words, rule)):
                yield Reservation("conditional", found.group()[:60].strip(), firm and not leading)


def _by_words(text: str, rule: str) -> Iterator[Reservation]:
    for found in _patterns()["exception"].finditer(text):
        before = text[max(0, found.start() - _NEAR) : found.start()]
        if not _EXCEPTION_AFTER_NO.search(before) and not _TAX.match(text[found.end() :]):
            yield Reservation("with an exception", found.group())
    for found in _patterns()["charged"].finditer(text):
        if not _FREE.search(text[max(0, found.start() - _NEAR) : found.start()]):
            yield Reservation("at a price of its own", found.group())
    for kind, told in _TOLD.items():
        yield from (
            Reservation(told, found.group(), open=kind not in _LOOKED_AT)
            for found in _patterns()[kind].finditer(text)
        )


def _ended(text: str, day: str) -> Iterator[Reservation]:
    """A time that ended before `day`: "until 2022", "from 2012 to 2019"."""
    for found in _UNTIL_YEAR.finditer(text) if day else ():
        if found["year"] < day[:4] and _ENDED.search(text[max(0, found.start() - 30) : found.end()]):
            yield Reservation("no longer so", found.group())


@lru_cache(maxsize=8192)
def reservation_in(text: str, rule: str, day: str = "") -> Reservation | None:
    """What `text` keeps back of what it says, one that leaves the rule open before one that a person looks at.

    Nothing is kept back by words of the rule itself, nor by a condition of which the rule names every word.

    Args:
        text: a statement of the bid.
        rule: text of the rule.
        day: ISO date of submission, before which a time has ended; empty where it is not known.
    """
    found = [
        one
        for one in (*_by_words(text, rule), *_hangs_on(text, rule), *_ended(text, day))
        if not _in_rule(one.words, rule)
    ]
    for only in _ONLY.finditer(text):
        before, behind = text[max(0, only.start() - _WIDE) : only.start()], text[only.end() :][:_WIDE]
        around = _EDGE.split(before)[-1] + _EDGE.split(behind)[0]
        if not _told(around, rule):
            found.append(Reservation("restricted", only.group(), open=False))
    return min(found, key=lambda one: not one.open, default=None)
