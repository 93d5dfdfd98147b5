"""What a statement says beside what a rule asks, and what of the rule it does not show: the words left over.

Belongs here: accounting for every word and number of a statement that carries a Pass, by the rule's own words, by
figures that decided, by names and references, and by words that take nothing away. Does not belong here: what any
word left over means; a person reads it (`verdict` asks for one).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bidproof.facts import fold, stem
from bidproof.judging.adjuncts import (
    PREPOSITIONS,
    TOKEN,
    harmless,
    is_named,
    stems_in,
    stems_of_text,
    turns,
    word_lists,
    written,
)
from bidproof.judging.frequency import intervals_in, is_frequency
from bidproof.judging.shapes import bears_on_rule, shapes_in
from bidproof.judging.words import GENERIC

_I = re.IGNORECASE
_CODE = re.compile(r"(?=[\w./-]*\d)(?=[\w./-]*[A-Z])[\w./-]+|\w+[a-z][A-Z]\w*")
_DUTY = re.compile(
    r"\b(?:shall|must|will|should|is|are|has|have|doit|doivent|est|sont|a|ont|dispose|poss[èe]de|fournit|assure)\b",
    _I,
)
_NAME_BEFORE = re.compile(
    r"\b(?!(?:EUR|USD|GBP|CHF|XOF|XAF|KES|NGN|ZAR|INR|MAD|TND|GHS|CAD|AUD)\b)[A-Z][\w-]*[\s-]+$"
)
_FINITE = re.compile(
    r"\b(?:is|are|has|have|will|carries|comes|runs|supports|reads|est|sont|a|ont|b[ée]n[ée]fici\w+|offre|comprend)\b"
)
_SHORT, _SHORT_RULE, _A_WORD_MORE = (
    12,
    8,
    5,
)  # words of a short statement, and for how many more of them one may be unknown
_DENIAL = re.compile(r"\b(?:no|neither|nor|none|not|never|aucune?|ni)\b", _I)
_PER_PERIOD = re.compile(
    r"(?:per|par|each|every)\s+(?:year|annum|month|quarter|week|day|an|mois|trimestre|semaine|jour)\b", _I
)
_ABLE = re.compile(r"[aeiou]?[^aeiou]+(?:a|i)bles?$", _I)
_A_DOER = re.compile(r"(?:er|or)s?$")
_COMPOUND = re.compile(
    r"\W*(?:the\s+|our\s+|an?\s+)?(?:[\w-]+\s+){0,2}(?P<whole>[^\W\d_]+)\s+(?P<head>[^\W\d_]+)\s+(?:is|are|has|have|was|comes?)\b",
    _I,
)
_ABLE_AND_SO = re.compile(
    r"(?:available|disponible|valable|reachable|joignable|responsi?a?ble|irrevocable|capable|table|payable|applicable|compatible)s?$"
)
_CHOICE = re.compile(r"\b(?:either|or|ou|soit)\b", _I)
_CARDINAL = re.compile(
    r"two|three|four|five|six|seven|eight|nine|ten|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|[2-9]|[1-9]\d",
    _I,
)
_ONE = re.compile(r"\b(?:an?|une?)\s", _I)
_DOER = re.compile(
    r"(?:^\W*|\b(?:by|par)\s+)(?:the\s+|our\s+|le\s+|la\s+|l['’]|notre\s+|nos\s+)?(?P<who>[^\W\d_]+)", _I
)
_JOINED_NAMES = re.compile(
    r"\b(?P<one>[A-Z][\w-]+)(?=(?:,\s+(?:(?:the|la|le|les)\s+)?|,?\s+(?:and|or|et|ou|&)\s+(?:(?:the|in|au|aux|en|à|la|le|les)\s+)*)(?P<other>[A-Z][\w-]+))"
)
_MADE_OF = re.compile(
    r"\b(?:of|from|en|in)\s+(?:[^\W\d_]+\s+){0,2}?(?P<one>[a-z][\w-]+)\s+(?:and|et|&)\s+(?P<other>[A-Z][a-z][\w-]+)"
)
_BE_AFTER = re.compile(r"\s+(?:is|are|est|sont)\b", _I)


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    marks = list(text)
    for start, end in spans:
        marks[start:end] = " " * (end - start)
    return "".join(marks)


def _near_code(text: str, token: re.Match[str]) -> bool:
    """The kind of a product beside its name with a number, before the verb: "The MX-200 analyser", "Delta X40 pumps"."""
    verb = _FINITE.search(text)
    if verb and token.start() > verb.start():
        return False
    before, behind = text[: token.start()], text[token.end() :]
    if re.search(r"\b(?:nos|les)\s+$", before, _I) and re.match(r"\s+[A-Z][a-z]+\b", behind):
        return True  # "Nos vélos Altis"
    return bool(
        re.search(r"[A-Z][\w-]*[ -]?\d[\w./-]*\s+$", before) or re.match(r"\s+[A-Z][\w-]*[ -]?\d", behind)
    )


def _is_name(text: str, whole: str, token: re.Match[str], opening: int) -> bool:
    """A capital inside a sentence, a code, or the first of several capitals that open it."""
    word = token[0]
    if word[0].isdigit() and _NAME_BEFORE.search(whole[: token.start()]):
        return True
    if _near_code(text, token):
        return True
    if _CODE.fullmatch(word) or (len(word) > 1 and word.isupper()):
        return True
    if not word[:1].isupper():
        return False
    return token.start() > opening or bool(re.match(r"\s+[A-Z]", text[token.end() :]))


def _counted(text: str, rule: str, token: re.Match[str], asked: frozenset[str]) -> bool:
    """A number of what the rule asks for once: "four qualified electricians" where it asks for an electrician."""
    following = TOKEN.findall(text[token.end() :])[:3]
    if token[0].lower() == "one":  # "one system" where the rule speaks of the system, not of systems
        first = next((w for w in following if w in PREPOSITIONS or is_named(stem(fold(w)), asked)), "")
        return (
            bool(first)
            and first not in PREPOSITIONS
            and bool(re.search(rf"\b{re.escape(first)}\b", rule, _I))
        )
    if not _CARDINAL.fullmatch(token[0]) or not following or following[0].lower() == "of":
        return False
    return any(is_named(stem(fold(w)), asked) for w in following) and bool(_ONE.search(rule))


def _by_another(text: str, rule: str) -> list[str]:
    """The buyer or another firm as the one who acts, where the rule lets the bidder act."""
    opening = stems_in(_DUTY.split(rule, maxsplit=1)[0])
    who = [m["who"] for m in _DOER.finditer(text) if not m.start() or not _BE_AFTER.match(text[m.end() :])]
    return [
        one for one in who if (word := stem(fold(one))) in word_lists()["other_firms"] and word not in opening
    ]


def _another_name(text: str, asked: frozenset[str]) -> list[str]:
    """A place or system named beside the one asked for: "hosted in France and Ireland"."""
    joined = [*_JOINED_NAMES.finditer(text), *_MADE_OF.finditer(text)]
    return [
        m["other"]
        for m in joined
        if is_named(stem(fold(m["one"])), asked) and not is_named(stem(fold(m["other"])), asked)
    ]


_CLAUSES = re.compile(r"[;.]\s|,\s+(?:but|while|whereas|mais|tandis\s+que)\b|\s+(?:but|while|whereas|mais)\s")


def _short_of_names(text: str, rule: str) -> list[str]:
    """A clause that has only one of two names asked together: "screens in English and French; manuals in English"."""
    clauses = _CLAUSES.split(text)
    found = []
    for pair in _JOINED_NAMES.finditer(rule) if len(clauses) > 1 else ():
        asked = [re.compile(rf"\b{re.escape(name)}\b") for name in (pair["one"], pair["other"])]
        found += [
            f"only {seen[0]}"
            for clause in clauses
            for name, other in (asked, asked[::-1])
            if (seen := name.search(clause)) and not other.search(clause)
        ]
    return found


class Left(NamedTuple):
    """Words that nothing accounts for: those that narrow or count, and others of which nothing is known."""

    narrowing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """All of them, those that narrow first."""
        return (*self.narrowing, *self.unknown)


def allowance(text: str, allowed: int, *, rule: bool = False) -> int:
    """Unknown words that a text of this length may hold where a short one may hold `allowed`; fewer for a `rule`."""
    short, more = (_SHORT_RULE, _A_WORD_MORE + 1) if rule else (_SHORT, _A_WORD_MORE)
    return allowed + max(0, len(text.split()) - short) // more


def _of_parts(parts: list[str], asked: frozenset[str]) -> bool:
    """A compound of the rule's words and neutral ones, of which one at least is the rule's."""
    named = [is_named(part, asked) for part in parts]
    return any(named) and all(n or p in word_lists()["neutral"] for n, p in zip(named, parts, strict=True))


def _only_possible(written: str, rule: str) -> bool:
    """What can be done where the rule asks for what is done: "recyclable" for "recycled"."""
    return bool(_ABLE.search(written)) and not any(
        _ABLE.search(w) and w[:5].lower() == written[:5].lower() for w in TOKEN.findall(rule)
    )


def _neutral(token: str, word: str) -> bool:
    """A word that takes nothing away; a doer ("installer") only where it is listed as such."""
    if len(token) == 1:
        return not token.isdigit()
    if _ABLE.search(token) and not _ABLE_AND_SO.match(fold(token)):
        return False
    doer = _A_DOER.search(token) and fold(token) not in written() | GENERIC
    return word in word_lists()["neutral"] and not doer


def _of_a_part(text: str, asked: frozenset[str]) -> list[str]:
    """A part or thing beside the one asked for, as the subject: "the mattress cover is fire resistant"."""
    found = _COMPOUND.match(text)
    if not found or not is_named(stem(fold(found["whole"])), asked) or len(found["whole"]) < 4:
        return []
    head = stem(fold(found["head"]))
    known = is_named(head, asked) or head not in word_lists()["parts"]
    return [] if known else [found["head"]]


def left_over(text: str, rule: str, *, decided: Iterable[tuple[int, int]] = (), row: bool = False) -> Left:
    """Words and numbers of `text` that neither the rule nor anything harmless accounts for, in order.

    Args:
        text: a statement of the bid in its own words.
        rule: text of the rule, with other names of what it asks.
        decided: stretches of `text` that a predicate has read.
        row: the statement is a row of a table, whose other cells tell of other things: only words that narrow count.
    """
    asked, lists = stems_of_text(rule), word_lists()
    read = list(decided)
    spans = [*harmless(text, rule), *read]
    shown = _blanked(text, spans)
    opening = len(text) - len(text.lstrip(" •-–*\"'("))
    rhythm = any(is_frequency(word) for word in asked)
    denied = bool(_DENIAL.search(text))
    hard = [
        *_by_another(text, rule),
        *_of_a_part(text, asked),
        *_another_name(text, asked),
        *_short_of_names(text, rule),
        *shapes_in(text, rule, asked),
    ]
    hard += [m.group() for m in turns().finditer(text) if m.group().lower() not in rule.lower()]
    soft: list[str] = []
    for token in TOKEN.finditer(shown):
        word = stem(fold(token[0]))
        if is_named(word, asked) and _only_possible(token[0], rule):
            hard.append(token[0])
            continue
        if is_named(word, asked) or (rhythm and is_frequency(word)) or _counted(shown, rule, token, asked):
            continue
        parts = [stem(fold(part)) for part in token[0].split("-")]
        if len(parts) > 1 and _of_parts(parts, asked):
            continue
        if rhythm and _PER_PERIOD.match(shown, token.start()):
            continue
        if word in lists["narrowing"]:
            hard += [] if denied and token[0] in ("or", "ou", "other", "others", "autre") else [token[0]]
        elif not row and not _neutral(token[0], word) and not _is_name(shown, text, token, opening):
            near = bears_on_rule(text, token, asked, [text[a:b] for a, b in read])
            (hard if near else soft).append(token[0])
    return Left(tuple(dict.fromkeys(hard)), tuple(dict.fromkeys(soft)))


def not_shown(rule: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Words of the rule, behind its verb of duty, that none of `texts` shows, in order."""
    duty = _DUTY.search(rule)
    start = duty.end() if duty else 0
    said = frozenset(s for text in texts for s in stems_of_text(text))
    lists = word_lists()
    quiet = (lists["neutral"] | lists["limits"]) - lists["telling"]
    rhythm = any(intervals_in(text) for text in texts)
    choice = bool(_CHOICE.search(rule))
    found = []
    for token in TOKEN.finditer(rule, start):
        word = stem(fold(token[0]))
        unit = bool(re.search(r"\d\s?$", rule[: token.start()])) or not token[0][0].isalpha()
        if choice or unit or word in quiet or len(token[0]) < 3 or (rhythm and is_frequency(word)):
            continue
        if not is_named(word, said):
            found.append(token[0])
    return tuple(dict.fromkeys(found))
