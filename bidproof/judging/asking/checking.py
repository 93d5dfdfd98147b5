"""What of an answer is sound, and which rules must be asked again.

Belongs here: ids, the quote against the exact passages sent, mixed-up rules. Does not belong here: the live checks that
every finding goes through (`verification`), and whether the verdict is right (`opinion`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bidproof.judging.asking.answers import Item
from bidproof.judging.asking.cases import Case
from bidproof.judging.asking.contract import Answer, read_answer, too_long
from bidproof.judging.asking.orders import orders_a_judge
from bidproof.judging.asking.verbatim import find_verbatim
from bidproof.judging.passages import Passage
from bidproof.records import Judgement, Status

NO_ANSWER = "there was no whole answer on it"
SWAPPED = "the quote stands only in passages of"


@dataclass(frozen=True)
class Sound:
    """An answer that keeps the contract.

    Attributes:
        judgement: the verdict; its quote is the passage's own characters.
        text: the model's words.
    """

    judgement: Judgement
    text: str


@dataclass(frozen=True)
class Checked:
    """Sound answers by rule id; why there is none, by rule id; what was answered unasked, one line each."""

    sound: Mapping[str, Sound]
    refused: Mapping[str, str]
    unasked: tuple[str, ...] = ()


def check_items(items: Iterable[Item], cases: Sequence[Case]) -> Checked:
    """Each case of a request with its answer, or the reason why it has none.

    A rule that is answered twice in different words has no answer. An answer on a rule that was not asked about is
    never carried over to another rule.
    """
    asked = {case.rule_id: case for case in cases}
    given: dict[str, list[Item]] = {}
    unasked: list[str] = []
    for item in items:
        rule_id = str(item.fields["rule_id"]).strip()
        if rule_id in asked:
            given.setdefault(rule_id, []).append(item)
        else:
            unasked.append(f"an answer on {rule_id[:60]!r}, which was not asked about")
    sound: dict[str, Sound] = {}
    refused: dict[str, str] = {}
    for rule_id, case in asked.items():
        answers = given.get(rule_id, [])
        if not answers:
            refused[rule_id] = NO_ANSWER
        elif any(answer.fields != answers[0].fields for answer in answers):
            refused[rule_id] = "it was answered twice, differently"
        else:
            checked = check_item(answers[0], case, [other for other in cases if other is not case])
            if isinstance(checked, Sound):
                sound[rule_id] = checked
            else:
                refused[rule_id] = checked
    return Checked(sound, refused, tuple(unasked))


def check_item(item: Item, case: Case, others: Sequence[Case] = ()) -> Sound | str:
    """The item as a sound answer on `case`, or how it breaks the contract."""
    answer, breach = read_answer(item.fields)
    if answer is None:
        return breach
    if answer.status is Status.MISSING:
        # Whatever is quoted beside it proves nothing; it must not look as if it did.
        return Sound(_judgement(answer, case), item.text)
    if not answer.evidence_quote:
        return f"{answer.status.value} without a quote"
    place = _cited(answer, case.passages)
    if place is None:
        return _misquoted(answer, others)
    passage, start, end = place
    quote = passage.text[start:end]
    if too_long(quote, passage.kind == "row"):
        return f"the quote has {len(quote.split())} words"
    if orders_a_judge(quote):
        return "the quote tells whoever judges what to find, which is no evidence"
    if not set(answer.page_refs) & {*passage.pages, passage.page}:
        named = ", ".join(map(str, answer.page_refs)) or "none"
        return f"the quote stands on page {passage.pages_of(start, end)[0]}, page_refs names {named}"
    return Sound(_judgement(answer, case, place), item.text)


def _cited(answer: Answer, passages: Sequence[Passage]) -> tuple[Passage, int, int] | None:
    """Where the quote stands: on a page that is named, if it can be; the first of several places."""
    found = []
    for passage in passages:
        if place := find_verbatim(answer.evidence_quote, passage.text):
            found.append((passage, *place))
    named = [at for at in found if set(answer.page_refs) & set(at[0].pages_of(at[1], at[2]))]
    return next(iter([*named, *found]), None)


def _misquoted(answer: Answer, others: Sequence[Case]) -> str:
    """Why a quote that stands in none of the rule's passages is refused."""
    for other in others:
        if any(find_verbatim(answer.evidence_quote, passage.text) for passage in other.passages):
            return f"{SWAPPED} {other.rule_id}"
    return "the quote stands word for word in none of its passages"


def _judgement(answer: Answer, case: Case, place: tuple[Passage, int, int] | None = None) -> Judgement:
    quote, chunk_id = "", ""
    pages: tuple[int, ...] = ()
    if place is not None:
        passage, start, end = place
        quote, chunk_id = passage.text[start:end], passage.chunk_id
        # A passage is shown with all its pages; on which of them the quote stands is known here alone.
        own = {*passage.pages, passage.page}
        pages = (*passage.pages_of(start, end), *(page for page in answer.page_refs if page in own))
    return Judgement(
        rule_id=case.rule_id,
        status=answer.status,
        rationale=answer.short_rationale,
        quote=quote,
        chunk_id=chunk_id,
        pages=tuple(dict.fromkeys(pages)),
        risk=answer.risk_level,
    )


def unanswered(case: Case, reason: str) -> Judgement:
    """Missing, for a person: there is no answer that keeps the contract."""
    mandatory = case.requirement.mandatory
    return Judgement(
        rule_id=case.rule_id,
        status=Status.MISSING,
        rationale="No answer of the model keeps the contract.",
        risk="High" if mandatory else "Medium",
        needs_review=True,
        review_reason=f"the model's answer was refused: {reason}",
    )


def nothing_shown(case: Case) -> Judgement:
    """Missing without asking: there is no passage that a model could judge by."""
    return Judgement(
        rule_id=case.rule_id,
        status=Status.MISSING,
        rationale="No passage was found for this rule.",
        risk="High" if case.requirement.mandatory else "Medium",
    )
