"""Questions of an RFP to the respondent as rules: each one an answer that the bid must hold.

Which sentences ask, and under which id, is found by chunking; here they get their place and the words that make
them mandatory, and become rules or join the rule that says the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import polars as pl

from bidproof.catalog.annotating.definitions import citable_blocks
from bidproof.catalog.lexicon import area_of
from bidproof.chunking.questions import Question, find_questions, question_words
from bidproof.chunking.sections import Block
from bidproof.facts import fold
from bidproof.records import BlockKind, Requirement, Source

_OBLIGATION = re.compile(
    r"(?<![a-z])(?:mandatory|compulsory|required|must (?:be )?answer(?:ed)?|pass ?/ ?fail|(?:failure|failing) to (?:answer|respond)[^.;|]{0,60}"
    r"|obligatoires?|obligatoirement|eliminatoires?|sous peine d[e'][^.;|]{0,40}|a peine d[e'][^.;|]{0,40}"
    r"|shall|must|doi(?:t|vent)|devr(?:a|ont))(?![a-z])"
    r"|\((?:m|o)\)"
)
_OPTIONAL = re.compile(
    r"(?<![a-z])(?:optional(?:ly)?|desirable|nice to have|if applicable|where applicable|for information only|facultati(?:f|ve)s?|optionnel(?:le)?s?"
    r"|souhaitables?|le cas echeant|a titre indicatif)(?![a-z])|\(d\)"
)
_SCORED = re.compile(
    r"(?<![a-z])(?:\d{1,3}(?:[.,]\d+)? ?(?:points?|pts?|marks?)|(?:max(?:imum)?\.? )?(?:score|weight(?:ing|age)?|note|ponderation)s?:? ?\d{1,3} ?%?"
    r"|scored|note sur \d+)(?![a-z])"
)
_ANSWER_HEAD = re.compile(
    r"(?:answers?|responses?|reponses?|clarifications?|reply|replies|eclaircissements?)(?![a-z])"
)
_CLARIFIED = re.compile(
    r"(?<![a-z])(?:clarifications? (?:to|of|issued|no)|questions? (?:and|&) answers?|questions? et reponses?|q ?& ?a|faq)(?![a-z])"
)
_TO_BUYER = re.compile(
    r"\W*(?:(?:shall|must|should|may|are|is|do|does|can|could|will)(?: not)? (?:(?:the|all|any|our) )?(?:bidders?|tenderers?|suppliers?|vendors?|"
    r"we|bids?|tenders?|offers?|proposals?)(?: \w+)? (?:be|have to|need to|required|allowed|permitted|remain|submit|provide|include|attach|use)"
    r"|(?:is|are) (?:it|an?|the|there)(?: \w+){0,4} (?:mandatory|compulsory|required|needed|allowed|permitted|acceptable)"
    r"|(?:faut|peut|doit|est|sera)-(?:il|on|ce)|les? (?:candidats?|soumissionnaires?|offres?) (?:doi(?:t|vent)|peu(?:t|vent))-)(?![a-z])"
)
"""A question about what the RFP asks, which the buyer answers."""
_YOU = re.compile(r"(?<![a-z])(?:you|your|yours|vous|votre|vos)(?![a-z])")
_REPLY = re.compile(
    r"\W*(?:(?:(?:answers?|responses?|reply|reponses?) ?\d{0,3} ?[:.–-]|[ar] ?\d{0,3} ?:)\s*(?=[a-z0-9])"
    r"(?!yes ?/ ?no|oui ?/ ?non|please|describe|max|veuillez|decri|_)"
    r"|(?:yes|no|oui|non)(?=\s*[.,;:]|\s*$)(?!\.? ?\d))"
)
"""A reply by its label or its first word; "Yes / No" and a label alone are for the respondent to fill in."""
# Forms and letters attached to an RFP are full of blanks that ask nobody anything.
_BLANK = re.compile(r"_{3,}|\.{5,}|…{2,}|\[(?:insert|select|specify|indiquer|pr[ée]ciser)", re.I)
_ALIKE = 0.8
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class RespondentQuestion:
    """A question with where it stands and what the RFP says of its weight.

    `mandatory` and `scored` are what its own words, its row or its heading say; None where they say nothing.
    `obligation` are these words.
    """

    id: str
    label: str
    text: str
    file_name: str
    page: int
    heading_path: str
    mandatory: bool | None = None
    scored: bool = False
    obligation: str = ""


def questions_of(rfp_blocks: pl.DataFrame) -> tuple[RespondentQuestion, ...]:
    """Questions of an RFP to the respondent in reading order, each id once.

    Left out are questions that the buyer has answered (rows under an answer column that is filled, pages of
    clarifications, an answer right behind), questions about what the RFP asks, and lines with blanks to fill in.

    Args:
        rfp_blocks: frame of shape `tables.BLOCKS`.
    """
    return questions_in(citable_blocks(rfp_blocks))


def questions_in(blocks: Sequence[Block]) -> tuple[RespondentQuestion, ...]:
    """As `questions_of`, of citable blocks in reading order."""
    found = find_questions(blocks, {})
    answers: dict[tuple[str, int], int] = {}
    questions: dict[str, RespondentQuestion] = {}
    for block, following in zip_longest(blocks, blocks[1:]):
        _note_answers(block, answers)
        for question in found.get((block["doc_id"], block["page"], block["block_no"]), []):
            if _answered(block, answers) or _replied(question, block, following):
                continue
            if _BLANK.search(question.text) or _put_to_buyer(question):
                continue
            if len(question_words(question.text).split()) >= _LEAST_WORDS:
                questions.setdefault(question.id, _placed(question, block))
    return tuple(questions.values())


def _note_answers(block: Block, answers: dict[tuple[str, int], int]) -> None:
    if block["kind"] == BlockKind.TABLE_ROW.value and block["is_header"]:
        for at, cell in enumerate(block["text"].split(" | ")):
            if _ANSWER_HEAD.match(fold(cell)):
                answers[block["doc_id"], block["table_no"]] = at


def _answered(block: Block, answers: dict[tuple[str, int], int]) -> bool:
    if _CLARIFIED.search(fold(block["heading_path"])):
        return True
    at = (
        answers.get((block["doc_id"], block["table_no"]))
        if block["kind"] == BlockKind.TABLE_ROW.value
        else None
    )
    cells = block["text"].split(" | ")
    return at is not None and at < len(cells) and len(cells[at].split()) > 1


def is_reply(text: str) -> bool:
    """Whether words that follow a question answer it: "Answer: ...", "No, ..."."""
    return bool(_REPLY.match(fold(text)))


def _put_to_buyer(question: Question) -> bool:
    words = fold(question.text)
    return words.endswith("?") and bool(_TO_BUYER.match(words)) and not _YOU.search(words)


def _replied(question: Question, block: Block, following: Block | None) -> bool:
    """The reply stands right behind the question, in its block or at the beginning of the next one."""
    behind = block["text"][question.end :].strip(" )]»”\"'|")
    if not behind and following is not None and following["doc_id"] == block["doc_id"]:
        behind = following["text"] if block["kind"] != BlockKind.TABLE_ROW.value else ""
    return is_reply(behind)


def _placed(question: Question, block: Block) -> RespondentQuestion:
    own = fold(question.text)
    row = (
        fold(block["text"])
        if block["kind"] == BlockKind.TABLE_ROW.value
        else fold(_around(block["text"], question))
    )
    heading = fold(block["heading_path"].split(" > ")[-1])
    mandatory: bool | None = None
    words = ""
    for where in (own, row, heading):
        optional, obliged = _OPTIONAL.search(where), _OBLIGATION.search(where)
        if optional or obliged:
            mandatory, words = not optional, (optional or obliged)[0].strip()  # type: ignore[index]
            break
    scored = next((found for found in map(_SCORED.search, (own, row, heading)) if found), None)
    if scored and not words:
        words = scored[0].strip()
    return RespondentQuestion(
        question.id, question.label, question.text, block["file_name"], block["page"], block["heading_path"],
        mandatory, scored is not None, words,
    )  # fmt: skip


def _around(text: str, question: Question) -> str:
    """What stands in brackets round a question in running text: "(mandatory, 10 points)"."""
    before, after = text[: question.start], text[question.end :]
    return " ".join(
        [
            *re.findall(r"[\[(][^\])]{1,60}[\])]", before)[-1:],
            *re.findall(r"^\W*[\[(][^\])]{1,60}[\])]", after),
        ]
    )


def with_questions(
    rules: Sequence[Requirement], questions: Iterable[RespondentQuestion], default_area: str
) -> list[Requirement]:
    """Rules with each question as a rule: joined to the rule that says the same, else added behind the others.

    A rule says the same when its text, or a place that states it, has the question's words, or nearly all of
    them with equal figures. It takes the question's id and, where the question alone has them, its words of
    obligation. Ids of added rules are `M-` and six hex digits of the folded text, as in mining, and more of
    them where two agree.

    Args:
        rules: mined rules.
        questions: those of the RFP.
        default_area: area of a question whose heading and words tell none.
    """
    made = list(rules)
    index = _Sayings(made)
    taken = {rule.rule_id for rule in made}
    for question in questions:
        at = index.same_as(question)
        if at is not None:
            if not made[at].question_id:
                made[at] = _joined(made[at], question)
            continue
        rule = rule_of(question, default_area)
        length = 6
        while rule.rule_id in taken:
            length += 2
            rule = rule.model_copy(update={"rule_id": _id_of(rule.text, length)})
        taken.add(rule.rule_id)
        made.append(rule)
        index.add(rule, len(made) - 1)
    return made


def rule_of(question: RespondentQuestion, default_area: str) -> Requirement:
    """The rule that a question makes: mandatory unless its words make it optional or give points for it."""
    mandatory = question.mandatory if question.mandatory is not None else not question.scored
    source = Source(
        file_name=question.file_name,
        page=question.page,
        heading_path=question.heading_path,
        quote=question.text,
    )
    text = " ".join(question.text.split())
    return Requirement(
        rule_id=_id_of(text, 6), area=area_of(question.heading_path, text, default_area), mandatory=mandatory,
        scored=question.scored, obligation=question.obligation, text=text,
        clause_ref=" > ".join(part for part in (question.heading_path, question.label) if part),
        question_id=question.id, sources=(source,), source_page=question.page, source_quote=question.text,
    )  # fmt: skip


def _id_of(text: str, length: int) -> str:
    return "M-" + hashlib.sha256(fold(text).rstrip(" .;").encode()).hexdigest()[:length]


def _joined(rule: Requirement, question: RespondentQuestion) -> Requirement:
    here = Source(
        file_name=question.file_name,
        page=question.page,
        heading_path=question.heading_path,
        quote=question.text,
    )
    known = any(
        each.page == here.page and question_words(here.quote) in question_words(each.quote)
        for each in rule.sources
    ) or (rule.source_page == here.page and question_words(here.quote) in question_words(rule.source_quote))
    return rule.model_copy(
        update={
            "question_id": question.id,
            "obligation": rule.obligation or question.obligation,
            "scored": rule.scored or question.scored,
            "sources": rule.sources if known else (*rule.sources, here),
        }
    )


class _Sayings:
    """What rules say, by their words: equal ones by look-up, near ones by a word that both must share."""

    def __init__(self, rules: Sequence[Requirement]) -> None:
        self._exact: dict[str, int] = {}
        self._sets: list[tuple[frozenset[str], int]] = []
        self._by_word: dict[str, list[int]] = {}
        for at, rule in enumerate(rules):
            self.add(rule, at)

    def add(self, rule: Requirement, at: int) -> None:
        for saying in dict.fromkeys(
            [rule.text, rule.source_quote, *(source.quote for source in rule.sources)]
        ):
            words = question_words(saying)
            if words and words not in self._exact:
                self._exact[words] = at
                self._sets.append((frozenset(words.split()), at))
                for word in self._sets[-1][0]:
                    self._by_word.setdefault(word, []).append(len(self._sets) - 1)

    def same_as(self, question: RespondentQuestion) -> int | None:
        """Number of the rule that says what a question asks; None for none."""
        words = question_words(question.text)
        if words in self._exact:
            return self._exact[words]
        own = frozenset(words.split())
        figures = {word for word in own if any(map(str.isdigit, word))}
        # Of words alike in four parts of five, one of the rarest fifth and one more is shared.
        rare = sorted(own, key=lambda word: (len(self._by_word.get(word, [])), word))[: len(own) // 5 + 1]
        for number in sorted({each for word in rare for each in self._by_word.get(word, [])}):
            other, at = self._sets[number]
            if len(own & other) < _ALIKE * len(own | other):
                continue
            if figures == {word for word in other if any(map(str.isdigit, word))}:
                return at
        return None
