"""What a rule names as places of its RFP: `clauses 3.1 and 3.2`, `article 12 du CCAP`, `ITB Clause 3.2`.

Adds to chunking's references what holds in a tender's own papers: the conditions that a number counts in, lists
and ranges of numbers, laws whose articles are no place of it. Looks nothing up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bidproof.chunking.references import Reference, all_references
from bidproof.facts import fold
from bidproof.facts.terms import word_set

CONDITIONS: dict[str, tuple[str, ...]] = {
    "itb": ("instructions to bidders", "instruction to bidders"),
    "itt": ("instructions to tenderers", "instruction to tenderers"),
    "itp": ("instructions to proponents", "instructions to consultants"),
    "bds": ("bid data sheet",),
    "tds": ("tender data sheet",),
    "gcc": ("general conditions",),
    "gc": ("general conditions",),
    "scc": ("special conditions", "particular conditions"),
    "pcc": ("particular conditions", "special conditions"),
    "sc": ("special conditions",),
    "tor": ("terms of reference",),
    "ccap": ("cahier des clauses administratives particulieres",),
    "cctp": ("cahier des clauses techniques particulieres",),
    "ccp": ("cahier des clauses particulieres",),
    "ccag": ("cahier des clauses administratives generales",),
    "cps": ("cahier des prescriptions speciales",),
    "rc": ("reglement de la consultation", "reglement de consultation"),
    "ae": ("acte d'engagement",),
    "dqe": ("detail quantitatif estimatif",),
    "bpu": ("bordereau des prix",),
}  # fmt: skip
"""Conditions of a tender by their abbreviation: words that their heading or file name holds."""
_ABBREVIATION = "|".join(sorted((word.upper() for word in CONDITIONS), key=len, reverse=True))
# "of the GCC", "du CCAP", "of the General Conditions of Contract": the document that a number counts in.
_INSIDE = re.compile(
    rf"\s*,?\s+(?:(?:of|in|to|under|from|du|de la|de l['’]|de|des|au|aux|dans le|dudit|au présent|du dit)\s+)(?:the\s+|le\s+|la\s+|said\s+|dit\s+)?"
    r"(?P<this>(?:present|présente?|this)\s+)?"
    rf"(?:(?P<short>{_ABBREVIATION})\b|(?P<long>(?i:general conditions|special conditions|particular conditions|instructions? to (?:bidders|"
    r"tenderers|proponents|consultants)|terms of reference|(?:bid|tender) data sheet|cahier des (?:clauses|prescriptions) [a-zé]+(?: [a-zé]+)?"
    r"|r[èe]glement de (?:la )?consultation|acte d['’]engagement)))"
)
# "ITB Clause 3.2", "GCC Sub-Clause 14.1"
_AHEAD = re.compile(rf"\b(?P<short>{_ABBREVIATION})\s+$")
# A law has articles of its own, no place of this RFP. Between an article and its law may stand more numbers:
# "article 18 paragraphe 3 du décret", "articles 39 et 40 of the Act".
_OUTSIDE = re.compile(
    r"(?:[\s,.;§°()/-]|\b(?:et|and|ou|or|to|à|suivants?|paragraph(?:e|s|es)?|alin[ée]as?|sub-?sections?|points?|l['’]articles?|articles?|sections?|1er|er"
    r"|bis|ter|[IVX]{1,5}|[a-z]|de|of|de la|(?>\d{1,4}(?:[.-]\d{1,3})*))\b){0,24}?"
    r"[\s,](?:of|in|under|du|de la|de l['’]|des|de)\s+(?:the\s+|said\s+|présent\s+|dite?\s+|ladite\s+)?(?:[\w'’-]+\s+){0,4}?"
    r"(?:act|law|regulations?|directive|decree|code|constitution|ordinance|convention|d[ée]cret|loi|ordonnance|r[èe]glement\s+\((?:ue|ce)\)|arr[êe]t[ée]"
    r"|dahir)\b",
    re.I,
)
# article L.611-1, article R 2143-3: of a French code.
_OFCODE = re.compile(r"\s?\.?\s?\d")
_LAW_AHEAD = re.compile(
    r"\b(?:Act|Law|Decree|Code|Directive|Ordinance|Regulations?|[Ll]oi|[Dd][ée]cret|[Oo]rdonnance|[Aa]rr[êe]t[ée]|dahir)\b[^.;:]{0,30}$"
)
_WHOSE = re.compile(r"\s+(?:of|in|de|du|des|de l['’])\b", re.I)
_LIST = re.compile(
    r"\b(?P<word>sub-?clauses|clauses|sections|articles|annexe?s|appendices|appendixes|schedules|forms|formulaires|paragraphs|paragraphes|parts|parties"
    r"|chapters|chapitres|tables|tableaux|exhibits|attachments)\s+(?:n°\s*|nos?\.?\s*)?"
    r"(?P<numbers>(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}(?![a-z])|[A-Z](?![A-Za-z])|[A-Z]{2,4}-\d{1,2}(?:\.\d{1,2})?)"
    r"(?:\s*(?:,|;|/|&|-|–|and|or|et|ou|to|à|through)\s*(?:(?:and|or|et|ou)\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}(?![a-z])|[A-Z](?![A-Za-z])|[A-Z]{2,4}-\d{1,2}(?:\.\d{1,2})?))*)",
    re.I,
)
_ONE = {
    "clauses": "clause", "sub-clauses": "clause", "subclauses": "clause", "sections": "section", "articles": "article",
    "annexes": "annex", "annexs": "annex", "appendices": "annex", "appendixes": "annex", "schedules": "schedule", "forms": "form",
    "formulaires": "form", "paragraphs": "paragraph", "paragraphes": "paragraph", "parts": "part", "parties": "part",
    "chapters": "chapter", "chapitres": "chapter", "tables": "table", "tableaux": "table", "exhibits": "exhibit",
    "attachments": "attachment",
}  # fmt: skip
_SHOWN = {"clause": "Clause", "annex": "Annex"}
_ITEM = re.compile(
    r"[A-Z]{2,4}-\d{1,2}(?:\.\d{1,2})?|\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}(?![a-z])|[A-Z](?![A-Za-z])"
)
_RANGE = re.compile(r"\s*(?:-|–|to|à|through)\s*")
# "Form FIN – 3.1" and FIN-3.1 are one form.
CODE = re.compile(r"\b(?<!-)[A-Z]{2,4}\s?[-–]\s?\d{1,2}(?:\.\d{1,2})?[A-Z]?\b")
# Capitals behind "ANNEX" in a line of capitals: "APPENDIX TO INSTRUCTIONS".
_NO_NUMBERS = word_set("TO OF THE IN AND FOR ON BY AT OR DE DU DES LA LE LES ET AU AUX")
ROMAN = (
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X",
    "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX",
)  # fmt: skip
"""Roman numbers of sections, from 1."""
_LONGEST_RANGE = 20


def named_places(text: str) -> Iterator[tuple[Reference, str]]:
    """References of a text in order, each with the conditions it counts in or an empty string.

    Articles of laws are passed over, and so are paragraphs within a clause that is named itself. Runs of space in
    `text` must be single, and codes as `form_code` writes them.
    """
    listed = list(_listed(text))
    spans = [(match.start(), match.end()) for match in _LIST.finditer(text)]
    everything = [(each, "") for each in all_references(text) if not _within(each.start, spans)] + listed
    for found, known in sorted(everything, key=lambda pair: pair[0].start):
        reference = _whole_code(found, text)
        end = reference.start + len(reference.name)
        after = text[end:] if not known else ""
        before = text[max(0, reference.start - 60) : reference.start]
        if _is_elsewhere(reference, after) or (reference.kind == "section" and _LAW_AHEAD.search(before)):
            continue
        inside = known or (reference.word if reference.word in CONDITIONS else "")
        behind, ahead = (
            _INSIDE.match(after),
            _AHEAD.search(text, max(0, reference.start - 8), reference.start),
        )
        if behind:
            inside = "" if behind["this"] else _short(behind)
            yield replace(reference, name=text[reference.start : end + behind.end()]), inside
        elif ahead:
            yield replace(reference, name=text[ahead.start() : end]), ahead["short"].lower()
        else:
            yield reference, inside


def _whole_code(reference: Reference, text: str) -> Reference:
    """The reference with all of its form's code: FIN-3.1, not FIN-3."""
    code = (
        CODE.match(text, reference.start) if reference.kind == "form" and reference.word == "form" else None
    )
    if code is None or len(code[0]) <= len(reference.name):
        return reference
    return replace(reference, name=code[0], number=code[0])


def _is_elsewhere(reference: Reference, after: str) -> bool:
    """Whether a number counts in a law, or within the clause that is named right behind it."""
    if reference.number in _NO_NUMBERS:
        return True
    if reference.kind != "section":
        return False
    if reference.word == "article" and reference.number in ("L", "R", "D", "A") and _OFCODE.match(after):
        return True
    if reference.word == "paragraph" and (
        reference.number.isdigit() or (_WHOSE.match(after) and not _INSIDE.match(after))
    ):
        return True
    return _OUTSIDE.match(after) is not None


def _within(start: int, spans: list[tuple[int, int]]) -> bool:
    return any(first <= start < last for first, last in spans)


def _listed(text: str) -> Iterator[tuple[Reference, str]]:
    """The single references of "clauses 3.1, 3.2 and 4" and "Annexes A to C"."""
    for match in _LIST.finditer(text):
        word = _ONE[match["word"].lower()]
        kind = {
            "annex": "annex",
            "schedule": "annex",
            "exhibit": "annex",
            "attachment": "annex",
            "form": "form",
            "table": "table",
        }
        after = text[match.end() :]
        if _OUTSIDE.match(after) and word not in kind:
            continue
        if word == "article" and _OFCODE.match(after) and match["numbers"][-1] in "LRDA":
            continue
        inside = _INSIDE.match(after)
        french = re.search(r"\b(?:et|ou|à)\b", match["numbers"]) is not None
        shown = "annexe" if word == "annex" and french else _SHOWN.get(word, word.capitalize())
        for at, number in enumerate(_numbers(match["numbers"])):
            name = f"{shown} {number}{' '.join(['', *inside[0].split()]) if inside else ''}"
            # Offsets one apart keep their order.
            reference = Reference(name, kind.get(word, "section"), word, number, start=match.start() + at)
            yield reference, "" if inside is None or inside["this"] else _short(inside)


def _numbers(text: str) -> Iterator[str]:
    items = list(_ITEM.finditer(text))
    for at, item in enumerate(items):
        yield item[0]
        if at + 1 < len(items) and _RANGE.fullmatch(text[item.end() : items[at + 1].start()]):
            yield from _between(item[0], items[at + 1][0])


def _between(first: str, last: str) -> list[str]:
    if first.isdigit() and last.isdigit() and 0 < int(last) - int(first) <= _LONGEST_RANGE:
        return [str(number) for number in range(int(first) + 1, int(last))]
    if first in ROMAN and last in ROMAN and len(first + last) > 2:
        return list(ROMAN[ROMAN.index(first) + 1 : ROMAN.index(last)])
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
        return [chr(code) for code in range(ord(first) + 1, ord(last))]
    return []


def form_code(text: str) -> str:
    """A form's code without the spaces round its hyphen."""
    return re.sub(r"\s?[-–]\s?", "-", text)


def _short(match: re.Match[str]) -> str:
    if match["short"]:
        return match["short"].lower()
    words = fold(match["long"])
    return next(
        (short for short, spelled in CONDITIONS.items() if any(words in s or s in words for s in spelled)),
        "",
    )
