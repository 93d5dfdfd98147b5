"""Questions to the respondent: which sentences ask, under which id, and which of a bid repeat the RFP's.

Works on blocks, so that a question has the same id and text in each chunk that holds it. Answers nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from bidproof.chunking.sections import Block
from bidproof.chunking.sentences import sentence_starts
from bidproof.records import BlockKind

Place = tuple[str, int, int]

_PARTY = (
    r"(?:bidders?|tenderers?|suppliers?|contractors?|consultants?|vendors?|applicants?|respondents?|proponents?"
    r"|offerors?|providers?|candidates?|candidats?|soumissionnaires?|titulaires?|prestataires?|fournisseurs?)"
)
_VERB = (
    r"(?:describe|explain|provide|state|list|give|outline|demonstrate|confirm|detail|specify|indicate|identify"
    r"|summari[sz]e|set out|show|attach|submit|name|quote|advise|clarify|discuss|elaborate|tell us|present|complete"
    r"|include|supply|define|illustrate|enclose|fill in|enter)"
)
# Of these alone is it plain that an answer in words is wanted; "Submit by 5 p.m." and "Name of bidder" ask none.
_TELL = (
    r"(?:describe|explain|provide|state|list|give|outline|demonstrate|confirm|detail|specify|indicate|identify|summari[sz]e"
    r"|advise|clarify|discuss|define|illustrate)"
)
_ASKING = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"^(?:if (?:so|yes|not|no),?\s+)?(?:please|kindly)\s+(?:also\s+)?{_VERB}\b",
        rf"^{_TELL}\b(?! of\b)(?:.{{0,100}}\b(?:you|your|yours|yourselves|how|whether)|.{{0,40}}\b{_PARTY})\b",
        rf"\b{_PARTY}\s+(?:are|is)\s+(?:requested|invited|asked)\s+to\s+{_TELL}\b",
        rf"\b{_PARTY}\s+(?:shall|should|must|are to|is to)\s+(?:describe|explain|outline|detail|clarify)\b",
        r"^(?:veuillez|merci de|pri[èe]re de|nous vous prions de|il vous est demand[ée] de)\b"
        r"(?!\s+(?:bien vouloir\s+)?(?:agr[ée]er|trouver|recevoir|croire|noter|prendre|consulter|contacter|vous))",
        r"^(?:d[ée]crivez|pr[ée]cisez|indiquez|expliquez|fournissez|d[ée]taillez|pr[ée]sentez|joignez|listez|donnez|citez|exposez"
        r"|justifiez|d[ée]montrez|compl[ée]tez|confirmez|renseignez|[ée]num[ée]rez)\b",
        r"^(?:d[ée]crire|pr[ée]ciser|indiquer|expliquer|fournir|d[ée]tailler|pr[ée]senter|exposer|justifier|lister)\b"
        r".*\b(?:votre|vos|vous|comment|l['’]entreprise)\b",
        rf"\b{_PARTY}\s+(?:d[ée]crira|pr[ée]cisera|indiquera|expliquera|d[ée]taillera|pr[ée]sentera|exposera|fournira une description)\b",
        r"^(?:bitte\s+)?(?:beschreiben|erl[äa]utern|nennen|best[äa]tigen|geben|legen|f[üu]gen|machen|stellen)\s+sie\b",
        r"^(?:por favor,?\s+)?(?:describa|explique|indique|detalle|proporcione|especifique|adjunte|s[íi]rvase|descreva|forne[çc]a)\b",
    )
)  # fmt: skip
# Words without one of which no pattern above can match.
_VERB_WORDS = """
describe explain provide state list give outline demonstrate confirm detail specify indicate identify summarise summarize set
show attach submit name quote advise clarify discuss elaborate tell present complete include supply define illustrate enclose
fill enter décrire decrire préciser preciser indiquer expliquer fournir détailler detailler présenter presenter exposer
justifier lister
"""
_ADDRESSEE_WORDS = """
you your yours yourselves how whether bidder bidders tenderer tenderers supplier suppliers contractor contractors consultant
consultants vendor vendors applicant applicants respondent respondents proponent proponents offeror offerors provider
providers candidate candidates candidat candidats soumissionnaire soumissionnaires titulaire titulaires prestataire
prestataires fournisseur fournisseurs votre vos vous comment entreprise
"""
_CUE_WORDS = """
please kindly veuillez merci prière priere prions demandé demande décrivez decrivez précisez precisez indiquez expliquez
fournissez détaillez detaillez présentez presentez joignez listez donnez citez exposez justifiez démontrez demontrez
complétez completez confirmez renseignez énumérez enumerez décrira decrira précisera precisera indiquera expliquera détaillera
detaillera présentera presentera exposera fournira sie describa explique indique detalle proporcione especifique adjunte
sírvase sirvase descreva forneça forneca
"""
_VERBS, _ADDRESSEES, _CUES = (
    frozenset(words.split()) for words in (_VERB_WORDS, _ADDRESSEE_WORDS, _CUE_WORDS)
)
_NUMBER = r"\d{1,4}(?:\.\d{1,3})*[a-z]?"
_Q_LABEL = re.compile(
    rf"(?:q|questions?|frage|pregunta|domanda|quest[ãa]o)\s*(?:n°|no\.?|nr\.?|#)?\s*[.\-]?\s*(?P<number>{_NUMBER})(?=$|[\s.:)\]–—-])",
    re.I,
)
_CLAUSE_LABEL = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3})+)(?=$|[.)]?(?:\s|$))")
_CODE_LABEL = re.compile(r"(?P<number>[A-Z]{1,6}[-.]?\d{1,4}(?:\.\d{1,3})*)(?=$|[\s.:)])")
_BARE_LABEL = re.compile(r"\(?(?P<number>\d{1,3}|[a-z]|[ivx]{1,4})(?:[.)](?=\s|$)|$)")
_LEAD = re.compile(r"[^\w¿(]*")
_AFTER_LABEL = re.compile(r"[\s.:)\]–—-]*")
_QUESTION_MARK = re.compile(r"\?[)”\"»'’\s]*$")
_ANSWERED = re.compile(
    r"[:–—|?.-]\s*(?:yes|confirmed|agreed|complied|compliant|comply|oui|conforme|confirm[ée]|non|no|n/a|none|s[íi]|ja|nein)\b",
    re.I,
)
_WORD = re.compile(r"[^\W_]+")
_QUESTION_HEAD = re.compile(
    r"(?:questions?|frage|pregunta|domanda|quest[ãa]o|câu hỏi)\b(?!\s*(?:no|n°|nr|id|#|number))", re.I
)
_MIN_WORDS, _MIN_CELL_WORDS = 4, 3
_ALIKE = 0.85


@dataclass(frozen=True, slots=True)
class Question:
    """A question in a block's text: `text` is the slice `start:end`; `label` its number as printed."""

    id: str
    label: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Label:
    shown: str
    printed_id: str
    end: int


def question_words(text: str) -> str:
    """The words of a question without case, signs and spacing: what makes two questions the same."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def asks_respondent(sentence: str) -> bool:
    """Whether a sentence asks the respondent for an answer, with or without its number; an answer beside it is none.

    What a bid repeats of the questions put to it says nothing of the bid.
    """
    if not ("?" in sentence or _may_ask(sentence)) or _ANSWERED.search(sentence):
        return False
    label = _label(sentence, 0, len(sentence))
    start = label.end if label else _LEAD.match(sentence).end()  # type: ignore[union-attr]
    return start < len(sentence) and _asks(sentence[start:], label is not None and bool(label.printed_id))


def find_questions(blocks: Iterable[Block], asked: Mapping[str, str]) -> dict[Place, list[Question]]:
    """Questions of a pack's citable blocks by (doc_id, page, block_no).

    A printed number (`Q12`, `4.2.1`, `OCS-009`) is the id, with a digest behind it where two questions of
    the pack bear the same; a question without one has an id made from its words. A question with the words
    of one of `asked` has that one's id.

    Args:
        blocks: citable blocks in reading order.
        asked: ids by words (see `question_words`) of the questions that this pack answers.
    """
    found: dict[Place, list[Question]] = {}
    waiting: _Label | None = None
    columns: dict[tuple[str, int], int] = {}
    for block in blocks:
        if block["kind"] == BlockKind.TABLE_ROW.value:
            questions, waiting = _of_row(block, columns), None
        else:
            questions, waiting = _of_block(block, waiting)
        if questions:
            found[block["doc_id"], block["page"], block["block_no"]] = questions
    return _with_ids(found, _Asked(asked))


def questions_asked(chunks: pl.DataFrame) -> dict[str, str]:
    """Ids by words of the questions in rows of `chunks`, the longest wording of each id."""
    best: dict[str, str] = {}
    for questions in chunks["questions"].drop_nulls().to_list():
        for question in questions:
            words = question_words(question["text"])
            if len(words) > len(best.get(question["id"], "")):
                best[question["id"]] = words
    return {words: name for name, words in sorted(best.items())}


def _of_block(block: Block, waiting: _Label | None) -> tuple[list[Question], _Label | None]:
    """Questions of a block of text, and the number at its end whose question is still to come."""
    text = block["text"]
    if "?" not in text and waiting is None and not _may_ask(text):
        return [], _label_alone(text)
    return _of_text(text, 0, len(text), waiting)


def _of_row(block: Block, columns: dict[tuple[str, int], int]) -> list[Question]:
    """Questions of a table row: in each cell, or all of the cell under a head that says "Question".

    Args:
        block: the row.
        columns: the column under such a head by document and table; a header row adds its own.
    """
    text, key = block["text"], (block["doc_id"], block["table_no"])
    if block["is_header"]:
        heads = [text[line["start"] : line["end"]].strip() for line in block["lines"]]
        at = next((at for at, head in enumerate(heads) if _QUESTION_HEAD.match(head)), None)
        if at is not None:
            columns[key] = at
        return []
    found: list[Question] = []
    label: _Label | None = None
    for at, line in enumerate(block["lines"]):
        start, end = line["start"], line["start"] + len(text[line["start"] : line["end"]].rstrip())
        own = _label(text, start, end)
        if own is not None and not text[own.end : end].strip():
            label = own
            continue
        if at == columns.get(key, -1) and len(_WORD.findall(text[start:end])) >= _MIN_CELL_WORDS:
            label, begin = own or label, own.end if own else start
            found.append(Question(*_named(label), text[begin:end], begin, end))
            continue
        questions, own = _of_text(text, start, end, label)
        found.extend(questions)
        label = own or label
    return found


def _named(label: _Label | None) -> tuple[str, str]:
    return (label.printed_id, label.shown) if label else ("", "")


def _may_ask(text: str) -> bool:
    """Quick test by words: most blocks of a pack ask nothing."""
    words = set(_WORD.findall(text.lower()))
    return not words.isdisjoint(_CUES) or (not words.isdisjoint(_VERBS) and not words.isdisjoint(_ADDRESSEES))


def _label_alone(text: str) -> _Label | None:
    label = _label(text, 0, len(text)) if len(text) < 30 else None
    return label if label and label.printed_id and not text[label.end :].strip() else None


def _of_text(text: str, start: int, end: int, waiting: _Label | None) -> tuple[list[Question], _Label | None]:
    found: list[Question] = []
    label, fresh = waiting, waiting is not None
    part = text[start:end]
    starts = sentence_starts(part)
    for at, after in zip(starts, [*starts[1:], len(part)], strict=True):
        own = _label(text, start + at, start + after)
        if own is not None:
            label, fresh = own, True
        begin = own.end if own else start + at + _LEAD.match(part[at:after]).end()  # type: ignore[union-attr]
        stop = start + at + len(part[at:after].rstrip())
        if begin >= stop:
            continue
        bracketed = "[" in text[start + at : begin]
        if bracketed or not _asks(text[begin:stop], label is not None and bool(label.printed_id)):
            fresh = False
            continue
        if label and label.printed_id and not fresh and found and found[-1].label == label.shown:
            # One number, one question: its second sentence goes with the first.
            found[-1] = replace(found[-1], text=text[found[-1].start : stop], end=stop)
            continue
        shown = label.shown if label and (fresh or label.printed_id) else ""
        printed = label.printed_id if label else ""
        found.append(Question(printed, shown, text[begin:stop], begin, stop))
        fresh = False
    alone = label if label and label.printed_id and fresh else None
    return found, alone


def _label(text: str, start: int, end: int) -> _Label | None:
    at = _LEAD.match(text, start, end).end()  # type: ignore[union-attr]
    for pattern, prefix in ((_Q_LABEL, "Q"), (_CLAUSE_LABEL, ""), (_CODE_LABEL, "")):
        found = pattern.match(text, at, end)
        if found:
            after = _AFTER_LABEL.match(text, found.end(), end).end()  # type: ignore[union-attr]
            return _Label(found[0].strip(), prefix + found["number"], after)
    bare = _BARE_LABEL.match(text, at, end)
    if bare:
        after = _AFTER_LABEL.match(text, bare.end(), end).end()  # type: ignore[union-attr]
        return _Label(bare["number"], "", after)
    return None


def _asks(sentence: str, numbered: bool) -> bool:
    words = len(_WORD.findall(sentence))
    if _QUESTION_MARK.search(sentence):
        return words >= (2 if numbered else _MIN_WORDS)
    return words >= 2 and any(pattern.search(sentence) for pattern in _ASKING)


class _Asked:
    """Questions of the RFP, found by their words or by nearly all of them."""

    def __init__(self, ids: Mapping[str, str]) -> None:
        self.ids = ids
        self.sets = [(frozenset(words.split()), name) for words, name in sorted(ids.items())]

    def id_of(self, words: str) -> str:
        """Id of the question asked in these words; empty for none or for more than one."""
        if not self.ids or words in self.ids:
            return self.ids.get(words, "")
        own = frozenset(words.split())
        alike = {
            name for other, name in self.sets
            if len(own & other) >= _ALIKE * len(own | other) and _figures(own) == _figures(other)
        }  # fmt: skip
        return alike.pop() if len(alike) == 1 else ""


def _figures(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(map(str.isdigit, word)))


def _with_ids(found: Mapping[Place, list[Question]], asked: _Asked) -> dict[Place, list[Question]]:
    wordings: dict[str, set[str]] = defaultdict(set)
    for question in _all(found):
        if question.id:
            wordings[question.id].add(question_words(question.text))

    def settle(question: Question) -> Question:
        words = question_words(question.text)
        digest = hashlib.sha256(words.encode()).hexdigest()
        known = asked.id_of(words)
        if known:
            name = known
        elif not question.id:
            name = f"q-{digest[:8]}"
        else:
            name = question.id if len(wordings[question.id]) == 1 else f"{question.id}~{digest[:4]}"
        return replace(question, id=name)

    return {place: [settle(question) for question in questions] for place, questions in found.items()}


def _all(found: Mapping[Place, list[Question]]) -> Iterator[Question]:
    for questions in found.values():
        yield from questions


def questions_within(questions: Sequence[Question], start: int, end: int) -> Iterator[tuple[Question, int]]:
    """Questions, in order, that begin in `start:end` of their block, each with where it ends there."""
    for at in range(bisect_left(questions, start, key=lambda each: each.start), len(questions)):
        if questions[at].start >= end:
            return
        yield questions[at], min(questions[at].end, end)


def question_row(question: Question, text: str, shift: int, end: int) -> dict[str, Any]:
    """A question as an entry of `chunks.questions`: offsets moved by `shift` into the chunk's `text`."""
    start = question.start + shift
    return {
        "id": question.id,
        "label": question.label,
        "text": text[start : end + shift],
        "start": start,
        "end": end + shift,
    }
