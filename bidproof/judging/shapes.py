"""Shapes of a statement that make it less than what a rule asks, though each of its words may be harmless.

Belongs here: a part of a number ("ten vehicles, four of them electric"), a thing denied beside the one affirmed, another
field, language or rhythm than the one asked, and an unknown word that stands right at a word of the rule. Does not belong
here: accounting for words one by one (`residue`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bidproof.facts import fold, stem
from bidproof.facts.terms import word_set
from bidproof.judging.adjuncts import TOKEN, is_named, stems_in, word_lists
from bidproof.judging.frequency import slower_in
from bidproof.judging.polarity import denials_in
from bidproof.judging.prohibition import forbidden_in

_I = re.IGNORECASE
_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze)"
_OF_THEM = re.compile(
    rf"(?<!both )(?<!all )(?<!each )\bof\s+(?:which|whom)\b|\b(?:{_NUMBER}|some|most|half|part|several|few|many|none)\s+of\s+(?:these|those|them)\b"
    rf"|\bamong\s+(?:which|whom|them)\b|\bdont\s+(?:seule?s?\s+|au\s+moins\s+)?(?:{_NUMBER}\b|la\s+moiti|plusieurs|certain|une\s+partie)"
    rf"|\b(?:{_NUMBER}|certaine?s|plusieurs|la\s+plupart)\s+d['’]entre\s+(?:eux|elles)\b|\bparmi\s+(?:les)?(?:quel\w+|eux|elles)\b",
    _I,
)
_COMPLEMENT = re.compile(
    r"(?P<head>[^\W\d_]{3,})\s+(?:of|in|for|against|en|de|pour|contre)\s+(?:(?:the|our|an?|la|le|les)\s+)*(?P<what>[^\W\d_]+(?:[\s-][^\W\d_]+){0,2})",
    _I,
)
_COMPLEMENT_ENDS = re.compile(
    r"\s(?:of|in|for|on|at|by|with|from|to|and|or|is|are|has|have|as|en|de|du|des|dans|sur|pour|par|avec|et|ou|est|sont|a|ont)\b.*",
    _I | re.DOTALL,
)
_ATTACHED = re.compile(
    r"\s+(?:(?:above|below|in|at|on|for|of|under|over|with|from|behind|dans|sur|sous|pour|en|de|du|des)\s+)(?:(?:the|our|its|an?|la|le|les)\s+)*(?:[\w'’-]+\s+)?$|\s+(?:d|l)['’]$",
    _I,
)
_YOURS = re.compile(r"\b(?:in|at|on|from|dans|sur)\s+(?:your|vos|votre)\s+[\w-]+", _I)
_CURRENCY = re.compile(r"(?<![A-Z])[A-Z]{3}(?![A-Z])|[€$£]|\beuros?\b|\bdollars?\b")
_NUMBERED = re.compile(r"no\.\s|no\s+others\b", _I)
_NUMBERED_PART = re.compile(
    r"\b(?P<part>sections?|clauses?|articles?|chapters?|annex(?:es)?|appendix|parts?|lots?|phases?|volumes?|chapitres?|annexes?)\s+(?P<number>\d+(?:\.\d+)*|[A-Z]\b)",
    _I,
)
_MONTH = re.compile(  # without a day: days are dates, which a predicate tests
    r"(?<!\d )(?<!\der )\b(jan|feb|f[ée]v|mar|apr|avr|may|mai|june?|juin|july?|juil|aug|ao[ûu]|sep|oct|nov|dec|d[ée]c)[a-zé]*\.?\s+(?:20\d\d)",
    _I,
)
_MONTHS = {
    "fev": "feb",
    "avr": "apr",
    "mai": "may",
    "juin": "jun",
    "june": "jun",
    "july": "jul",
    "juil": "jul",
    "aou": "aug",
}
_ON_TOP = re.compile(
    r"\d[\d.,]*(?:\s?(?:%|€|[A-Z]{3}\b|euros?\b|dollars?\b))?\s+plus\s+(?!d[e'’]|que\b|ou\b|tard)[a-zà-ÿ]+"
)
_OF_PRICE = re.compile(r"\b(?:price|cost|fee|charge|budget|prix|co[ûu]t|exceed|at\s+most|maximum)", _I)
_SECOND_ACT = re.compile(
    r"\b(?:and|then|et|puis)\s+(?:\w+ly\s+)?(?P<act>[^\W\d_]{3,}(?:ed|[ée]e?s?))\s+(?P<how>(?:on|in|at|by|from|within|every|sur|dans|par|en|[àa]|chaque)\s[^.,;:]+)",
    _I,
)
_DUTY_TO = re.compile(r"\b(?:shall|must|will)\s+(?P<act>(?!be\b|have\b|hold\b|not\b|also\b)[^\W\d_]{3,})")
_SUM_OF_BOTH = re.compile(
    r"\b(?P<one>[^\W\d_]{3,})\s+(?:and|et)\s+(?P<other>[^\W\d_]{3,})\s+(?:of|de|totall?ing|amounting\s+to)\s+(?:[A-Z]{3}\s?|[€$£]\s?)?\d"
)
_PURPOSE = re.compile(r"(?P<before>[^\W\d_]+)\s+to\s+(?P<act>[^\W\d_]{3,})", _I)
_COMMITS = word_set(
    "undertake undertakes undertaking commit commits committed commitment agree agrees agreed ready able obliged bound promise promises guarantee "
    "guarantees accept accepts duty obligation willing prepared continue continues"
)
_AGENT = re.compile(
    r"\b(?P<by>by|par(?=\s+(?:une?|l[ea]s?|des|nos|notre|son|sa|ses)\b|\s+l['’]))\s+(?P<who>[^,.;:()\d]{3,60})",
    _I,
)
_PLACE = re.compile(
    r"\b(?:in|at|near|[àa]|en|au|aux)\s+(?:the\s+|la\s+|le\s+)?(?P<name>(?-i:[A-ZÀ-Ý])[\w-]{2,})\b", _I
)
_TERMS = word_set("EXW FCA CPT CIP DAP DAT DPU DDP DDU FAS FOB CFR CIF")  # of delivery
# Languages by their English and French names.
_LANGUAGES = {
    name: names[0]
    for names in (
        ("english", "anglais"), ("french", "francais"), ("spanish", "espagnol"), ("portuguese", "portugais"), ("german", "allemand"),
        ("italian", "italien"), ("arabic", "arabe"), ("chinese", "chinois"), ("russian", "russe"), ("dutch", "neerlandais"),
        ("polish", "polonais"), ("turkish", "turc"), ("swahili",), ("hindi",), ("romanian", "roumain"), ("greek", "grec"),
    )
    for name in names
}  # fmt: skip


def shapes_in(text: str, rule: str, asked: frozenset[str]) -> list[str]:
    """Words of `text` that make it less than `rule` asks by their shape, in no order.

    Args:
        text: a statement of the bid.
        rule: text of the rule.
        asked: stems of the rule's words.
    """
    found = [m.group() for m in _OF_THEM.finditer(text) if m.group().lower() not in rule.lower()]
    return [
        *found,
        *_denied(text, rule),
        *_other_complement(text, rule, asked),
        *_other_of_class(_languages(text), _languages(rule)),
        *_other_of_class(_terms(text), _terms(rule)),
        *_other_of_class(_months(text), _months(rule)),
        *_other_part(text, rule),
        *_of_another_act(text, asked),
        *_only_purpose(text, rule),
        *_sum_of_both(text, asked),
        *(m.group() for m in _ON_TOP.finditer(text) if _OF_PRICE.search(rule)),
        *_other_agent(text, rule),
        *_other_place(text, rule),
        *([f"every {slow:g} days"] if (slow := slower_in(text, rule)) else []),
        *_at_yours(text, asked),
    ]


def _denied(text: str, rule: str) -> list[str]:
    """Things denied beside the one affirmed, where the rule denies nothing: "the garage is not insured"."""
    if denials_in(rule) or forbidden_in(rule).stems:
        return []
    harmless = word_lists()["no_harm"]
    denied = (said for said in denials_in(text) if not _NUMBERED.match(said))
    return [" ".join(said.split()[:3]) for said in denied if not harmless & set(stems_in(said))]


def _complements(text: str) -> Iterator[tuple[str, str]]:
    """Heads and what they are of: (degree, civil engineering)."""
    for found in _COMPLEMENT.finditer(text):
        yield stem(fold(found["head"])), _COMPLEMENT_ENDS.sub("", found["what"])


def _other_complement(text: str, rule: str, asked: frozenset[str]) -> list[str]:
    """What a thing is of, where the rule asks it of something else: "a degree in law" for "in nursing"."""
    heads = {head for head, _ in _complements(rule)}
    lists = word_lists()
    quiet = lists["neutral"] | lists["events"] | lists["limits"]
    other = []
    for head, what in _complements(text):
        told = [word for word in stems_in(what) if word not in quiet and not _is_number(word)]
        if is_named(head, heads) and told and not any(is_named(word, asked) for word in told):
            other.append(what)
    return other


def _languages(text: str) -> list[str]:
    return [_LANGUAGES[word] for word in map(fold, TOKEN.findall(text)) if word in _LANGUAGES]


def _terms(text: str) -> list[str]:
    return [word for word in TOKEN.findall(text) if word in _TERMS]


def _months(text: str) -> list[str]:
    return [_MONTHS.get(word, word[:3]) for word in map(fold, _MONTH.findall(text))]


def _other_part(text: str, rule: str) -> list[str]:
    """A section, clause or lot by another number than those that the rule names."""
    wanted = [(stem(fold(m["part"])), m["number"]) for m in _NUMBERED_PART.finditer(rule)]
    parts = {part for part, _ in wanted}
    told = [(stem(fold(m["part"])), m["number"], m.group()) for m in _NUMBERED_PART.finditer(text)]
    return [said for part, number, said in told if part in parts and (part, number) not in wanted]


def _other_of_class(said: list[str], wanted: list[str]) -> list[str]:
    """The language, month or term of delivery that a statement names first, where the rule asks for others."""
    return said[:1] if wanted and said and said[0] not in wanted else []


def _other_agent(text: str, rule: str) -> list[str]:
    """Who acts first of all, where the rule says by whom: "by our caretaker" for "by an accredited body"."""
    acting = _AGENT.search(text)
    agents = [m["who"] for m in _AGENT.finditer(rule) if acting and m["by"].lower() == acting["by"].lower()]
    if not acting or not agents:
        return []
    lists = word_lists()
    words = TOKEN.findall(acting["who"])
    told = [word for word in words if stem(fold(word)) not in lists["function"] | lists["events"]]
    known = {word for who in agents for word in stems_in(who)} | lists["means"]
    named = any(word[:1].isupper() or is_named(stem(fold(word)), known) for word in told)
    return [] if named or not told else [" ".join(words[:3])]


def _other_place(text: str, rule: str) -> list[str]:
    """The place that a statement names first, where the rule names another."""
    quiet = word_lists()["neutral"]
    wanted, said = (
        [fold(m["name"]) for m in _PLACE.finditer(one) if stem(fold(m["name"])) not in quiet]
        for one in (rule, text)
    )
    told = [name for name in said if name not in _LANGUAGES][:1]
    return told if set(wanted) - _LANGUAGES.keys() and told and told[0] not in fold(rule) else []


def _of_another_act(text: str, asked: frozenset[str]) -> list[str]:
    """An act that the rule does not name takes to itself how the rule's own is to be done: "and reheated on site"."""
    quiet = word_lists()["function"]
    found = []
    for act in _SECOND_ACT.finditer(text):
        how = [word for word in stems_in(act["how"]) if word not in quiet and is_named(word, asked)]
        before = stems_in(text[: act.start()])
        if how and not is_named(stem(fold(act["act"])), asked) and not any(is_named(w, before) for w in how):
            found.append(act["act"])
    return found


def _only_purpose(text: str, rule: str) -> list[str]:
    """The act of the rule as what something else is for: "provides devices to peel" for "shall peel"."""
    duty = _DUTY_TO.search(rule)
    act = stem(fold(duty["act"])) if duty else ""
    if not act or _PURPOSE.search(rule):
        return []
    done = sum(word == act for word in stems_in(text))
    meant = [
        m
        for m in _PURPOSE.finditer(text)
        if stem(fold(m["act"])) == act and fold(m["before"]) not in _COMMITS
    ]
    return [f"to {m['act']}" for m in meant] if len(meant) == done else []


def _sum_of_both(text: str, asked: frozenset[str]) -> list[str]:
    """A figure said of the thing asked together with another: "liquid assets and stocks of EUR 400"."""
    return [
        m["other"]
        for m in _SUM_OF_BOTH.finditer(text)
        if is_named(stem(fold(m["one"])), asked) and not is_named(stem(fold(m["other"])), asked)
    ]


def _at_yours(text: str, asked: frozenset[str]) -> list[str]:
    """The buyer's own place or means, where the rule asks for keeping something or for room."""
    keeping = any(is_named(word, asked) for word in word_lists()["keeping"])
    return [m.group() for m in _YOURS.finditer(text)] if keeping else []


def _is_number(token: str) -> bool:
    """A number in digits or in words; what it counts is not what a predicate has read."""
    return bool(re.fullmatch(r"\d[\d.,\s]*", token)) or stem(fold(token)) in word_lists()["counts"]


def _more_money(text: str, token: re.Match[str], read: Iterable[str]) -> bool:
    """A sum greater than the one that a predicate has read: the yearly sum beside that of each claim."""
    around = text[max(0, token.start() - 5) : token.start()] + text[token.end() :][:7]
    sums = [_amount(stretch) for stretch in read]
    return bool(_CURRENCY.search(around)) and bool(sums) and _amount(token[0]) > max(sums)


def _amount(written: str) -> int:
    """The whole units of a sum in digits; 0 where there is none."""
    digits = re.search(r"\d[\d \u00a0\u202f.,']*", written)
    return int(re.sub(r"\D", "", re.sub(r"[.,]\d\d?(?!\d)", "", digits[0]))) if digits else 0


def _attached(text: str, token: re.Match[str], asked: Iterable[str]) -> bool:
    """An unknown word stands right at a word of the rule and narrows it: "piling works", "works above ground"."""
    stems = frozenset(asked) - word_lists()["function"]
    following = TOKEN.match(text, token.end() + 1) if text[token.end() : token.end() + 1] == " " else None
    if following and is_named(stem(fold(following[0])), stems):
        return True
    before = text[: token.start()]
    if joined := _ATTACHED.search(before):
        words = TOKEN.findall(before[: joined.start()][-40:])
        return (
            bool(words)
            and before[: joined.start()].endswith(words[-1])
            and is_named(stem(fold(words[-1])), stems)
        )
    return False


def bears_on_rule(text: str, token: re.Match[str], asked: Iterable[str], read: Iterable[str]) -> bool:
    """An unknown word of `text` bears on what the rule asks: a number, but no greater sum, or a word right at one of its own.

    Args:
        text: a statement of the bid.
        token: the word in it.
        asked: stems of the rule's words.
        read: stretches of `text` that a predicate has read.
    """
    if _is_number(token[0]):
        return not _more_money(text, token, read)
    return _attached(text, token, asked)
