"""What an addendum says of the clauses of an RFP: deleted, replaced, or some words put for others. EN and FR.

Finds instructions in an addendum's own words. What they do to the rules is for `addenda`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import polars as pl

from bidproof.facts import fold

Position = tuple[int, int, int]
"""Page, block and character, in reading order."""
END: Position = (10**9, 0, 0)


class Action(StrEnum):
    """What is done to a clause."""

    DELETE = "deleted"
    REPLACE = "replaced"
    AMEND = "amended"
    PART = "changed in part"
    SUBSTITUTE = "changed"
    ASKED = "asked for"
    RESTORE = "in force again"


@dataclass(frozen=True)
class Instruction:
    """One instruction: what is done to which clause, where it stands, and up to where its new words may run."""

    action: Action
    clauses: tuple[str, ...]
    document: str
    file_name: str
    page: int
    text: str
    start: Position
    end: Position = END
    old_words: str = ""
    new_words: str = ""

    @property
    def says(self) -> str:
        """The instruction with its place, in one line."""
        return f"{self.file_name} p. {self.page}: {self.text}"


_NO = r"(?:[A-Z]{1,3}[-.]?\d+(?:\.\d+)*|\d+(?:\.\d+)*|[IVX]+)(?![\w%])"
_NOUN = (
    r"(?:(?:sub[- ]?)?clauses?|sections?|articles?|art\.|paragraphs?|paragraphes?|para\.|chapters?|chapitres?|"
    r"points?|items?|ITB|ITT|§)"
)
# References keep their case, as `I` is a number and `i` is none; all other words do not.
REFERENCE = re.compile(
    rf"(?i:\b{_NOUN}|§)\s*(?i:n[o°]s?\.?\s*)?(?P<no>{_NO}(?:\s*(?:,|&|(?i:and|et|to|à|through))\s*{_NO})*)"
    r"(?:\s*[,>]?\s*(?P<inner>\d+(?:\.\d+)+)(?![\w%]))?"
)
_DOCUMENT = re.compile(
    r"^\s*(?:(?i:of|in|du|de la|de l['’]|des)\s+)(?:(?i:the|le|la|l['’])\s*)?(?P<name>[A-Z]{2,5})\b"
)
_ASIDE = r"(?:\s*[,:–—-]?\s*[(\"“«‘][^)\"”»’]{0,80}[)\"”»’])?"
_OF = (
    r"(?:\s*,?\s*(?:of|in|to|du|de|des|dans)\s+(?:the\s+|la\s+|l['’]|le\s+)?[\w'’.-]+(?:\s+[\w'’.-]+){0,4}?)?"
)
_TITLE = r"(?:\s*[-–—:]?\s*[A-ZÀ-Ý][\w'’-]*(?:\s+[\w'’-]+){0,5}?)?"
_BE = r"(?:is|are|has been|have been|est|sont|a été|ont été)"
_HEREBY = r"(?:\s+(?:hereby|now|thus|entièrement|totalement|purement et simplement|ainsi|donc))?"
_GONE = (
    r"(?:deleted|removed|withdrawn|cancell?ed|struck out|omitted|no longer applicable|"
    r"supprimée?s?|annulée?s?|abrogée?s?|retirée?s?)"
)
_NEW = r"(?:replaced|substituted|superseded|amended|modified|revised|remplacée?s?|modifiée?s?|rédigée?s?|reformulée?s?)"
_FOLLOWS = (
    r"(?:\s+(?:in (?:its|their) entirety|dans (?:son|leur) (?:intégralité|ensemble)))?"
    r"(?:\s+(?:by|with|par|as)\s+(?:the following|this|these|new|the (?:text|provisions|clause)|follows|"
    r"ce qui suit|les? (?:texte|dispositions?|suivante?s?|présente?s?)|la (?:disposition|rédaction|clause))|"
    r"\s+(?:to read|comme suit|ainsi qu'il suit)|\s*(?:by|with|par)?\s*:|\s+(?:by|with|par)\s*[\"“«‘]|\s*[.;]?\s*$)"
)
_BETWEEN_COMMAS = r"\s*,\s*[^,.;:]{2,40}(?=,)"
_GAP = rf"{_ASIDE}(?:{_BETWEEN_COMMAS}|{_OF}|{_TITLE}){_ASIDE}\s*,?\s+"


_REF = rf"(?i:\b{_NOUN}|§)\s*(?i:n[o°]s?\.?\s*)?(?:{_NO}(?:\s*(?:,|&|(?i:and|et|to|à|through))\s*{_NO})*)"
_ARTICLE = r"(?:(?i:the|la|le|les|l['’]|whole of|text of|texte de|dispositions de)\s*)*"
_REPLACED = (
    re.compile(rf"{_REF}{_GAP}(?i:{_BE}{_HEREBY}\s+(?:{_GONE}\s+(?:and|et)\s+)?{_NEW}{_FOLLOWS})"),
    re.compile(rf"{_REF}{_ASIDE}\s+(?i:shall be\s+(?:{_GONE}\s+(?:and|et)\s+)?{_NEW}{_FOLLOWS})"),
    re.compile(
        rf"{_REF}{_GAP}(?i:(?:shall|should|will|to|must)(?:\s+now)?\s+read|now reads|se lit|doit se lire)"
    ),
    re.compile(
        rf"(?i:\b(?:replaces?|supersedes?|annule(?:nt)? et remplace(?:nt)?|remplace(?:nt|r)?|amends?|modifie(?:nt)?)\s+)"
        rf"{_ARTICLE}{_REF}"
    ),
    re.compile(
        rf"(?i:\b(?:delete|remove|supprimer)\s+){_ARTICLE}{_REF}[^.;:]{{0,60}}?"
        rf"(?i:\b(?:and|et)\s+(?:(?:replace|substitute|insert)(?:\s+it)?|(?:la |le |les )?remplacer)\b)"
    ),
)
_DELETED = (
    re.compile(rf"{_REF}{_GAP}(?i:{_BE}{_HEREBY}\s+{_GONE})"),
    re.compile(rf"{_REF}{_ASIDE}\s+(?i:shall be\s+{_GONE})"),
    re.compile(rf"(?i:\b(?:delete|remove|omit|strike out|supprimer|retirer)\s+){_ARTICLE}{_REF}"),
)
_RESTORED = (
    re.compile(
        rf"{_REF}{_ASIDE}\s+(?i:(?:shall\s+)?remains?\s+(?:in (?:full )?force|in effect|applicable|valid)|"
        rf"{_BE}{_HEREBY}\s+(?:not (?:deleted|removed|withdrawn|cancell?ed)|reinstated|restored|maintained|rétablie?s?|"
        rf"maintenue?s?)|(?:reste|demeure)(?:nt)?\s+(?:en vigueur|applicables?|valables?))"
    ),
)
# What a bidder asks for changes nothing; what the answer says may.
_QUESTION = re.compile(
    r"(?:^|[.?!;|:]\s*)(?:(?:bidder|tenderer)['’]?s?\s+)?(?:question|query|request|q|demande)\s*(?:n[o°]\.?\s*)?\d{0,3}\s*[:.)–-]",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"(?:^|[.?!;|:\s])(?:(?:(?i:answer|response|reply|clarification|réponse)|[AR])\s*(?i:n[o°]\.?\s*)?\d{0,3}\s*[:.–-])\s"
)
_ASKS = re.compile(r"[^.?!]*(?:[.](?=\d)[^.?!]*)*[\"”»’]?\?")
# The right to change a clause changes none.
_MIGHT = re.compile(
    r"\b(?:may|can|could|might|not|right to|entitled to|peut|peuvent|pourra|pourront|droit de)\s*$",
    re.IGNORECASE,
)
# A sentence, a word or a letter of a clause is not the clause.
_PART = (
    r"(?:sentences?|words?|phrases?|lines?|rows?|bullets?|sub-?items?|indents?|references?|footnotes?|notes?|columns?|"
    r"parts?|bits?|alin[ée]as?|mots?|lignes?|mentions?|tirets?|puces?|colonnes?|renvois?|annex(?:e|es)?|tables?|tableaux?)"
)
_PARAGRAPH = r"(?:(?:first|second|third|fourth|last|final|premier|deuxi[èe]me|second|dernier)\s+(?:paragraph\w*|point))"
_OF_PART = re.compile(
    rf"(?:\b(?:{_PART}|{_PARAGRAPH}|items?|points?)\b|\b[a-z]\))[^.;:]{{0,60}}?\b(?:of|in|on|from|to|de|du|dans|à|sur|des)\s+"
    r"(?:the\s+|la\s+|l['’]|le\s+|les\s+)?$",
    re.IGNORECASE,
)
_ITS_PART = re.compile(
    rf"^\s*[,–-]?\s*(?:\(\s?[a-z0-9]{{1,4}}\s?\)|[a-z]\)|\(?(?:the\s+|le\s+|la\s+)?(?:\w+\s+)?(?:{_PART}|{_PARAGRAPH}|paragraph\w*)\b)",
    re.IGNORECASE,
)
_REWORDED = re.compile(r"\b(?:amend|modifi|revis)\w*", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:read|reads|replac\w*|rempla\w*|lire|lit|rédig\w*|supersede\w*|annule\w*)\b", re.IGNORECASE
)
_RANGE = re.compile(rf"({_NO})\s*(?:to|à|through)\s*({_NO})")
_INSTEAD = re.compile(r"^[^.;:]{0,40}?\b(?:and|et)\s+(?:replace|substitut|insert|rempla)", re.IGNORECASE)
_QUOTED = r"[\"“«„‘]\s*(?P<{0}>[^\"”»“«„‘’]{{1,200}}?)\s*[\"”»“’]"
_OLD, _PUT = _QUOTED.format("old"), _QUOTED.format("new")
_AMOUNT = r"(?P<{0}>(?:[^\W\d_]{{3,9}}\.? )?\d(?:[^.,;:\"“«]|[.,](?=\d)){{0,40}}?(?:, \d{{4}})?)"
_FROM, _TO = _AMOUNT.format("old"), _AMOUNT.format("new")
_ENDS = r"(?=[.;,](?!\s?\d)|\s*$|\s+(?:in|of|as|from|à|de|dans)\b)"
_TITLED = re.compile(rf"(?<!(?i:\bin) )(?<!(?i:dans) )(?<!(?i:\bof) )(?<!\bà )(?<!l['’]){_REF}\s*[(,–-]?\s*$")
_ADDED = re.compile(
    rf"(?i:\b(?:an?|the following|une?|la|le)?\s*(?:new|additional|further|nouvel(?:le)?|nouveau)?\s*)"
    rf"(?:{_REF}|(?i:{_NOUN}))[^.;:\"“«]{{0,40}}?(?i:{_BE}{_HEREBY}\s+(?:added|inserted|ajoutée?s?|insérée?s?))"
)
_OPENS = re.compile(r"[^.:\"“«]{0,60}[:\"“«]\s*")
_WORDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:replace|remplacer)\s+(?:the words?\s+|les mots?\s+)?{_OLD}\s*(?:by|with|par)\s*(?:the words?\s+)?{_PUT}",
        rf"{_OLD}\s*(?:(?:is|are|shall be|est|sont){_HEREBY}\s+)(?:replaced|substituted|amended|changed|remplacée?s?|"
        rf"modifiée?s?)\s+(?:by|with|to|par|en)\s*{_PUT}",
        rf"(?:for|instead of|in place of|au lieu de)\s*{_OLD}\s*,?\s*(?:please\s+|il faut\s+)?(?:read|lire)\s*:?\s*{_PUT}",
        rf"(?:read|lire)\s*:?\s*{_PUT}\s*,?\s*(?:instead of|in place of|au lieu de)\s*{_OLD}",
        rf"{_OLD}\s*,?\s*(?:(?:shall|should|must|will|is to|are to)\s+(?:now\s+)?(?:read|be read as)|now reads?|se lit|"
        rf"se lisent|doit se lire|doivent se lire|est à lire|devient|deviennent)\s*:?\s*{_PUT}",
        rf"(?:\bfor|instead of|in place of|au lieu de)\s+{_FROM}\s*,?\s+(?:please\s+|il faut\s+)?(?:read|lire)\s*:?\s+{_TO}{_ENDS}",
        rf"(?:read|lire)\s*:?\s+{_TO}\s*,?\s+(?:instead of|in place of|au lieu de)\s+{_FROM}{_ENDS}",
        rf"(?:delete|supprimer)\s*{_OLD}\s*(?:and|et)\s+(?:insert|substitute|replace (?:by|with)|remplacer par|insérer)\s*{_PUT}",
        rf"(?:changed|amended|extended|increased|reduced|revised|modified|raised|lowered|shortened|prolonged)\s+from\s+"
        rf"{_FROM}\s+to\s+{_TO}(?=[.;,](?!\s?\d)|\s*$|\s+(?:in|of|as|from)\b)",
        rf"(?:portée?s?|ramenée?s?|prolongée?s?|modifiée?s?|passe(?:nt|r)?|réduite?s?|augmentée?s?)\s+de\s+"
        rf"{_FROM}\s+à\s+{_TO}(?=[.;,](?!\s?\d)|\s*$|\s+(?:à|de|dans)\b)",
    )
)


_SENTENCE_END = re.compile(r"(?<!\bNo)[.;][\"”»’]?\s+")


def instructions_of(blocks: pl.DataFrame) -> list[Instruction]:
    """Instructions of one addendum in reading order.

    The words of a replaced clause run from its instruction to the next one, or to a heading of another clause.

    Args:
        blocks: blocks of one file, shape `tables.BLOCKS`.
    """
    rows = blocks.sort("page", "block_no").to_dicts()
    found = [one for row in rows for one in _of_block(row)]
    headings = [(int(row["page"]), int(row["block_no"]), 0) for row in rows if row["kind"] == "heading"]
    texts = {(int(row["page"]), int(row["block_no"]), 0): fold(row["text"] or "") for row in rows}
    ended = []
    for place, one in enumerate(found):
        after = found[place + 1].start if place + 1 < len(found) else END
        others = (h for h in headings if h > one.start and not _of_clause(texts[h], one.clauses))
        ended.append(replace(one, end=min([after, *others])))
    return ended


def is_instruction(text: str) -> bool:
    """Whether words do nothing but tell what becomes of a clause."""
    plain = " ".join(text.split())
    replaced = [
        match
        for pattern in _REPLACED
        if (match := pattern.search(plain)) and not _MIGHT.search(plain[: match.start()])
    ]
    if replaced:
        return max(len(plain) - match.end() for match in replaced) < 20
    return any(pattern.search(plain) for pattern in (*_WORDS, *_DELETED))


def words_put(text: str) -> str:
    """The new words of a clause without the instruction before them; empty where no instruction leads them.

    `Clause 2.1 is replaced by: "Bids remain valid."` is `Bids remain valid.`
    """
    for pattern in (*_REPLACED, _ADDED):
        match = pattern.search(text)
        if match is None or match.start() > 40 or _MIGHT.search(text[: match.start()]):
            continue
        end = match.end()
        if not re.search(r"[:\"“«]\s*$", match.group()):
            opened = _OPENS.match(text, end)
            if opened is None:
                continue
            end = opened.end()
        new = text[end:].lstrip(' :"“«')
        if new[-1:] in ("”", "»") or (new[-1:] == '"' and new.count('"') % 2):
            new = new[:-1].rstrip()  # the quotation mark that opened before it
        return new if len(new.split()) > 2 else ""
    return ""


def _of_clause(heading: str, clauses: tuple[str, ...]) -> bool:
    return any(re.search(rf"(?<![\w.]){re.escape(no)}(?!\w)", heading) for no in clauses)


def _of_block(row: Mapping[str, Any]) -> Iterator[Instruction]:
    """Instructions of one block; words put for others come before a clause replaced, that before one deleted."""
    text = " ".join((row["text"] or "").split())
    if row["kind"] in ("furniture", "contents") or row.get("struck") or row.get("hidden"):
        return
    taken: list[tuple[int, int]] = []
    made: list[tuple[int, Instruction]] = []
    for action, patterns in (
        (Action.SUBSTITUTE, _WORDS),
        (Action.REPLACE, _REPLACED),
        (Action.RESTORE, _RESTORED),
        (Action.DELETE, _DELETED),
    ):
        for pattern in patterns:
            for match in pattern.finditer(text):
                if any(match.start() < end and start < match.end() for start, end in taken):
                    continue
                if _MIGHT.search(text[: match.start()]):
                    continue
                if action is Action.SUBSTITUTE and _is_title(match, text):
                    continue
                if action is Action.DELETE and _INSTEAD.match(text[match.end() :]):
                    continue
                taken.append(match.span())
                kind = _kind(action, match, text)
                made.append((match.start(), _instruction(kind, match, text, row)))
    yield from (one for _, one in sorted(made, key=lambda each: each[0]))


def _is_title(match: re.Match[str], text: str) -> bool:
    """Whether the words said to be changed are a clause's title: `Clause 3.1 “Warranty” shall read “...”`."""
    named = _TITLED.search(text[: match.start()])
    return bool(named) and text[match.start()] in '"“«„‘' and not re.search(r"\d", match["old"])


def _asked(match: re.Match[str], text: str) -> bool:
    """Whether words stand in a bidder's question: behind its label, or before a question mark."""
    labels = [one.end() for one in _QUESTION.finditer(text, 0, match.start())]
    answered = labels and _ANSWER.search(text, labels[-1], match.start())
    return bool(labels and not answered) or bool(_ASKS.match(text, match.end()))


def _kind(action: Action, match: re.Match[str], text: str) -> Action:
    """What is really done: to a whole clause, to a part of it that no one can tell from here, or nothing as yet."""
    if _asked(match, text):
        return Action.ASKED
    if action is Action.SUBSTITUTE:
        return action
    named = REFERENCE.search(text, match.start(), match.end())
    if named and (
        _OF_PART.search(text[: named.start()]) or _ITS_PART.match(text[named.end() : match.end() + 20])
    ):
        return Action.AMEND if action is Action.REPLACE else Action.PART
    said = match.group()
    reworded = action is Action.REPLACE and _REWORDED.search(said) and not _WHOLE.search(said)
    return Action.AMEND if reworded else action


def _spread(numbers: str) -> list[str]:
    """Numbers of clauses that are named, those inside a range among them: `3.2 to 3.4` is three."""
    found = re.findall(_NO, numbers)
    if any("." in no for no in found):
        # `Section III, 3.4` names one clause.
        found = [no for no in found if not re.fullmatch(r"[IVX]+", no)]
    for match in _RANGE.finditer(numbers):
        (head, _, first), (tail, _, last) = match[1].rpartition("."), match[2].rpartition(".")
        if head == tail and first.isdigit() and last.isdigit() and 0 < int(last) - int(first) < 50:
            found += [f"{head}.{n}" if head else str(n) for n in range(int(first) + 1, int(last))]
    return found


def _instruction(action: Action, match: re.Match[str], text: str, row: Mapping[str, Any]) -> Instruction:
    said = match.groupdict()
    clauses, document = _named(match, text, row, action)
    start = max((one.end() for one in _SENTENCE_END.finditer(text, 0, match.start())), default=0)
    return Instruction(
        action=action, clauses=clauses, document=document, file_name=row["file_name"], page=int(row["page"]),
        text=text[start : match.end()][:300].strip(),
        start=(int(row["page"]), int(row["block_no"]), match.start()),
        old_words=said.get("old") or "", new_words=said.get("new") or "",
    )  # fmt: skip


def _named(
    match: re.Match[str], text: str, row: Mapping[str, Any], action: Action
) -> tuple[tuple[str, ...], str]:
    """Clauses that an instruction is about, and the document that they are of where it is named."""
    if action is Action.SUBSTITUTE:
        before = list(REFERENCE.finditer(text[: match.start()]))
        found = before[-1:] or list(REFERENCE.finditer(text, match.end()))[:1]
        source = text
        if not found:
            source = row["heading_path"] or ""
            found = list(REFERENCE.finditer(source))[-1:]
    else:
        source, found = text, list(REFERENCE.finditer(text, match.start(), match.end()))
        found = found if action in (Action.DELETE, Action.PART) else found[:1]
    numbers = tuple(no.lower() for one in found for no in _spread(one["inner"] or one["no"]))
    names = [_DOCUMENT.match(source[one.end() :]) for one in found]
    return numbers, next((name["name"] for name in names if name), "")
