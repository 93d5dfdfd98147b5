"""Is a statement a plain one: does it say of the bidder or its offer that the thing asked for is there.

Belongs here: what a sentence is about and what it says of it, as far as word lists tell; anything else is left to a
person. Does not belong here: words that keep something back (`reservations`) and denials (`polarity`), which decide.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bidproof.data_files import read_data
from bidproof.facts import fold, stem
from bidproof.judging.words import same, words_of

_I = re.IGNORECASE
_BE = re.compile(r"\b(?:is|are|est|sont|sommes)\b", _I)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|holds?|owns?|will|shall|can|does|do|comes?|remains?|stays?|provides?|est|sont|sera|seront|a|ont|[ée]tai\w+|avait|dispos\w+|d[ée]tien\w+)\b"
)
_ACTOR = re.compile(
    r"\b(?:we|nous|our\s+(?:company|firm)|the\s+(?:bidder|vendor|supplier|contractor|tenderer|bank|company|firm|consultant)"
    r"|le\s+(?:candidat|soumissionnaire|titulaire|prestataire|fournisseur)|notre\s+(?:soci[ée]t[ée]|entreprise))\s+(?P<act>[\w'’-]+)",
    _I,
)
_TOKEN = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_CLAUSE = re.compile(r"[,;:|]|\b(?:which|that|who|where|qui|dont|que)\b", _I)
_HEAD_ENDS = re.compile(
    r"\b(?:of|for|in|at|on|to|with|from|by|over|under|during|between|within|after|before|per|since|that|which|who|de|d|du|des|au|aux|pour|dans|sur|[àa]|en|qui|que)\b|\b\w+(?:ed|ant|[ée]e?s?)(?=\s+(?:by|at|in|on|to|au|du|par|[àa]|dans)\b)|[,;:(]|['’]s\b",
    _I,
)
_DENIED = re.compile(r"\s+(?:not|never|pas|jamais)\b", _I)
_EMPTY = ("it", "this", "il", "c'", "c’", "ce")  # subjects that stand for what follows: "it is our wish that"
_MAX_SUBJECT = 10
_ADVERBIAL = re.compile(
    r"^(?:without|in|on|at|for|with|as|from|to|by|under|during|sans|pour|dans|en|sous|sur|[àa]|d[èe]s)\b[^,]{0,80},\s*",
    _I,
)
# An owner or doer other than the bidder: "is owned by a neighbouring company".
_DOER = re.compile(
    r"\b(?:owned|operated|held|provided|supplied|carried\s+out|performed|employed|borne|paid|done|managed|run|made|insured|d[ée]tenue?s?|exploit[ée]e?s?|assur[ée]e?s?|fournie?s?)"
    r"\s+(?:by|par)\s+(?P<doer>(?:(?!our\b|us\b|the\s+(?:bidder|supplier|contractor|vendor)|nos\b|notre\b|nous\b|le\s+(?:candidat|titulaire))[\w'’-]+\s*){1,4})",
    _I,
)
_OTHER_ONE = re.compile(
    r"\b(?:older|newer|larger|smaller|bigger|other|another|previous|former|alternative|similar|premium|upgraded|next|neighbouring|d['’]une\s+autre|autres?|ancien\w*|pr[ée]c[ée]dent\w*)\s+(?P<what>[\w-]+)",
    _I,
)  # fmt: skip


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    """The lists of `plainness.yaml`, stemmed."""
    data: dict[str, list[str]] = read_data("judging/plainness.yaml")
    return {name: frozenset(stem(fold(str(word))) for word in words) for name, words in data.items()}


def lists_of() -> dict[str, frozenset[str]]:
    """The lists of `plainness.yaml` by name, as stems."""
    return _lists()


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words_of(text)) | frozenset(
        stem(fold(token)) for token in _TOKEN.findall(text)
    )


def _known(word: str, name: str, rule: str) -> bool:
    """The word is of a list, of the rule, a number, or a name."""
    own = stem(fold(word))
    return (
        own in _lists()[name]
        or word[:1].isupper()
        or word[:1].isdigit()
        or any(same(own, s) for s in _stems(rule))
    )


def _head(text: str) -> str:
    """The first word behind a verb that says something, adverbs and articles left out."""
    for token in map(str, _TOKEN.findall(text)[:5]):
        folded = fold(token)
        if stem(folded) not in _lists()["adverbs"] and not (
            len(folded) > 4 and folded.endswith(("ly", "ment"))
        ):
            return token
    return ""


def _states(text: str, rule: str) -> str:
    """What a thing of the rule is said to be, where that is neither asked nor a plain yes."""
    for verb in _BE.finditer(text):
        before = _CLAUSE.split(text[max(0, verb.start() - 120) : verb.start()])[-1]
        head = "" if _DENIED.match(text, verb.end()) else _head(text[verb.end() : verb.end() + 80])
        about = _stems(before) & _stems(rule) or before.strip().lower() in _EMPTY
        if head and about and not _known(head, "states", rule):
            return f"{verb.group()} {head}"
    return ""


def _acts(text: str, rule: str) -> str:
    """What the bidder is said to do, where that is neither asked nor a plain yes."""
    for actor in _ACTOR.finditer(text):
        act = re.split(r"['’]", actor["act"])[0]
        if act.islower() and not (act.endswith("ly") and len(act) > 4) and not _known(act, "acts", rule):
            return actor.group()
    return ""


def _other_kind(words: list[str], rule: str) -> bool:
    """The rule's thing of another kind: a mobile crane where a tower crane is asked for."""
    if len(words) < 2 or not words[-2].islower() or _known(words[-2], "modifiers", rule):
        return False
    kinds = [
        m["kind"]
        for m in re.finditer(rf"\b(?P<kind>[\w-]+)\s+{re.escape(words[-1])}\b", rule, _I)
        if stem(fold(m["kind"])) not in _lists()["adverbs"] | _lists()["modifiers"]
    ]
    return bool(kinds) and stem(fold(words[-2])) not in _lists()["adverbs"]


def _third_person(text: str, rule: str) -> re.Match[str] | None:
    """The verb of the rule in a sentence that opens with an article: "The carrying case weighs 1 kg"."""
    if not _ARTICLE.match(text):
        return None
    verbs = (m for m in _TOKEN.finditer(text) if m.group().endswith("s") and m.group().islower())
    modal = _DUTY.search(rule)
    asked = _TOKEN.search(rule, modal.end()) if modal else None
    own = stem(fold(asked.group())) if asked else ""
    return next((m for m in verbs if own and stem(fold(m.group())) == own), None)


_NAMED_KIND = re.compile(
    r"\b[A-Z][\w-]*[ -]?\d[\w./-]*\s+[^\W\d_]+\s*$|\d[.,]\d[^,;]*$"
)  # "All Delta X40 pumps"; a sum
_ARTICLE = re.compile(r"\W*(?:the|our|an?|its|le|la|les|notre|nos|une?)\s", _I)


def _subject(text: str, rule: str) -> str:
    """The thing that the sentence is about, where neither the rule nor a bidder's offer has its name."""
    verb = _VERB.search(text) or _third_person(text, rule)
    if verb is None:
        return ""
    opening = _ADVERBIAL.sub("", text[: verb.start()].lstrip(" •-–*\"'("))
    words = _TOKEN.findall(_HEAD_ENDS.split(opening, maxsplit=1)[0])
    if not words or len(words) > _MAX_SUBJECT:
        return ""
    if _NAMED_KIND.search(opening):
        return ""
    last = words[-1]
    if _other_kind(words, rule):
        return " ".join(words)
    return "" if _known(last, "subjects", rule) or _known(last, "acts", rule) else " ".join(words)


# "DataNord, which hosts our servers, is certified": nobody tells a buyer what itself is.
_THIRD = re.compile(
    r"^[^\w]*[A-Z][\w-]*(?:\s+[A-Z][\w-]*)*,\s+(?:which|who|whose|our|an?|the|qui|notre|un|une|le|la)\b"
)
_HAS_DONE = re.compile(r"\b(?:has|have|had)\s+(?:\w+ly\s+)?(?P<act>\w+ed)\b", _I)


def _done(text: str, rule: str) -> str:
    """What the bidder has done, where that is neither asked nor a plain yes ("has started the process")."""
    for found in _HAS_DONE.finditer(text):
        if not (_known(found["act"], "acts", rule) or _known(found["act"], "states", rule)):
            return found.group()
    return ""


def _verb_of_subject(text: str, rule: str) -> str:
    """What the thing with which the rule opens is said to do, where that is neither asked nor a plain yes."""
    opening = _DUTY.split(rule, maxsplit=1)[0].strip()
    if not opening or len(opening) > 60 or not text.lower().lstrip().startswith(opening.lower()):
        return ""
    following = _TOKEN.search(text.lstrip(), len(opening))
    verb = following.group() if following else ""
    told = any(_known(verb, name, rule) for name in ("acts", "states", "adverbs")) if verb else True
    return (
        ""
        if told or verb in ("can", "does", "do", "may", "peut") or _VERB.fullmatch(verb)
        else f"{opening} {verb}"
    )


_DUTY = re.compile(
    r"\b(?:shall|must|will|should|is|are|has|have|doit|doivent|est|sont|a|ont|dispose|poss[èe]de|fournit|assure)\b",
    _I,
)


def not_plain(text: str, rule: str, *, row: bool = False) -> str:
    """The words by which `text` is no plain statement of what `rule` asks; empty where it is one.

    Args:
        text: a statement of the bid.
        rule: text of the rule.
        row: the statement is a row of a table, which needs no verb.
    """
    asked = _stems(rule)
    for other in _OTHER_ONE.finditer(text):
        if stem(fold(other["what"])) in asked and stem(fold(other.group().split()[0])) not in asked:
            return other.group()
    if row:
        return ""
    doer = _DOER.search(text)
    names = _TOKEN.findall(doer["doer"]) if doer else []
    if doer and not any(name[:1].isupper() or stem(fold(name)) in asked for name in names):
        return doer.group().strip()
    if third := _THIRD.search(text):
        return third.group().strip()
    looks = (_subject, _states, _acts, _done, _verb_of_subject)
    return next((told for look in looks if (told := look(text, rule))), "")
