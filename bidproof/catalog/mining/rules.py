"""Rules from an RFP without a catalog file: a draft that a person accepts or mends.

Turns statements of the bidder's side into atomic rules and says what it left out and why. It does not guess weights and
does not decide what is negotiable beyond the RFP's own words. How statements are found, whose duty they are, how they part
and merge stands in the modules beside it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import polars as pl

from bidproof.catalog.annotating.annotation import annotate
from bidproof.catalog.lexicon import area_of
from bidproof.catalog.mining.acting_parties import acting_parties
from bidproof.catalog.mining.cell_splitting import cell_parts
from bidproof.catalog.mining.clause_parties import BARE, BLANK, Context, Subject, Verdict
from bidproof.catalog.mining.defined_parties import DefinedParties, defined_parties
from bidproof.catalog.mining.lead_ins import CLAUSE_VERB, carried, own_duty
from bidproof.catalog.mining.merging import conflicts, merged, with_distinct_ids
from bidproof.catalog.mining.obligations import FORBID, MODAL, SHOULD, WEIGHTY, strength_of
from bidproof.catalog.mining.parties import buyer_names
from bidproof.catalog.mining.presumed import presumed
from bidproof.catalog.mining.row_subjects import row_verdict
from bidproof.catalog.mining.sentences import level
from bidproof.catalog.mining.splitting import Part, sentence_parts
from bidproof.catalog.mining.statements import Statement, ordered, statements
from bidproof.catalog.mining.subjects import classify
from bidproof.catalog.mining.unbinding import ANSWER, QUESTION, TO_A_JUDGE, why_unbinding
from bidproof.catalog.mining.unbound_figures import UNBOUND, states_figure
from bidproof.chunking.questions import question_words
from bidproof.facts import find_facts, fold
from bidproof.params import CatalogParams
from bidproof.records import Requirement, Source


@dataclass(frozen=True)
class LeftOut:
    """A statement that became no rule although it obliges somebody, or a conflict between two places."""

    page: int
    text: str
    why: str
    subject: Subject = "none"
    file_name: str = ""


@dataclass(frozen=True)
class Unit:
    """A sentence, list item or row of the RFP: whose duty it is, why, and the rules that it states (not derived).

    `left_out` says why a statement of the bidder's side gave no rule, or which of its parts bind somebody else.
    """

    text: str
    quote: str
    file_name: str
    page: int
    subject: Subject
    reason: str
    rules: tuple[Requirement, ...] = ()
    left_out: str = ""


@dataclass(frozen=True)
class Mined:
    """Draft rules in reading order, and what was left out of them."""

    rules: tuple[Requirement, ...]
    left_out: tuple[LeftOut, ...]


# A line to write on is part of a form; a placeholder in an obligation is a rule whose figure the buyer has yet to fill in.
_LINE = re.compile(r"_{4,}|\.{6,}|…{2,}|\[_+\]")
_FORM = re.compile(
    r"form|declaration|disclosure|schedule|annexe?|bond|letter|questionnaire|particulars|undertaking|"
    r"engagement|bordereau|vendor|bidder|tenderer"
)
_PLACEHOLDER = re.compile(
    r"\[(?:insert|select|name|specify|indicate|state|a (?:completer|préciser))[^\]]*\]", re.IGNORECASE
)
IN_PART = "in part the duty of somebody else"
_WHY: dict[Subject, str] = {
    "buyer": "a duty of the buyer",
    "contract": "a consequence of the contract to come, not of the bid",
    "third_party": "a duty of a third party",
    "none": "nothing is asked",
}


def mine(rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame, params: CatalogParams) -> Mined:
    """Draft rules of an RFP.

    Statements of the bidder's side are parted into atomic rules; those that say the same are one, with all their places.
    Ids are `M-` and six hex digits of the rule's folded text, so that they survive a new edition of the RFP.

    Args:
        rfp_blocks: frame of shape `tables.BLOCKS`.
        rfp_documents: frame of shape `tables.DOCUMENTS`; duplicates of an earlier file are passed over.
        params: mining limits.
    """
    pairs = _stated(rfp_blocks, rfp_documents, params)
    found = [unit if unit.rules or unit.left_out else _seen(statement, unit) for statement, unit in pairs]
    every = [rule for unit in found for rule in unit.rules]
    rules = merged(every)
    left_out = [
        LeftOut(unit.page, unit.text, unit.left_out or _WHY[unit.subject], unit.subject, unit.file_name)
        for unit in found
        if unit.left_out or (unit.subject not in ("bidder", "none"))
    ]
    for pair in conflicts(rules):
        where = f"p. {pair.first.source_page} says otherwise: {pair.first.text}"
        left_out.append(
            LeftOut(
                pair.second.source_page or 0,
                pair.second.text,
                f"conflict, kept as two rules; {where}",
                "bidder",
            )
        )
    rules = annotate(rules, rfp_blocks, rfp_documents, params.mined_area)
    return Mined(with_distinct_ids(rules), tuple(one for one in left_out if not _put(one, rules)))


def _put(one: LeftOut, rules: Iterable[Requirement]) -> bool:
    """The question that was left out is put to the respondent and is a rule as such."""
    words = question_words(one.text) if one.why == QUESTION else ""
    return bool(words) and any(
        rule.question_id and question_words(rule.source_quote) in words for rule in rules
    )


def mine_rules(
    rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame, params: CatalogParams
) -> list[Requirement]:
    """The draft rules of `mine`, without what was left out. They are not derived yet."""
    return list(mine(rfp_blocks, rfp_documents, params).rules)


def units(rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame, params: CatalogParams) -> list[Unit]:
    """Every statement of the RFP in reading order, with its subject and the rules that it states."""
    return [unit for _, unit in _stated(rfp_blocks, rfp_documents, params)]


def _stated(
    rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame, params: CatalogParams
) -> list[tuple[Statement, Unit]]:
    blocks = ordered(rfp_blocks, rfp_documents)
    around = Context(
        buyer_names=buyer_names("\n".join(blocks["text"].fill_null("").to_list())),
        defined=DefinedParties((*defined_parties(blocks).words, *acting_parties(blocks).words)),
    )
    found: list[Statement] = []
    verdicts: list[Verdict] = []
    previous: Subject = "none"
    aside = ""
    for statement in statements(blocks):
        asked = aside in (QUESTION, ANSWER)
        aside = why_unbinding(statement.text, statement.lead, statement.row, after_question=asked)
        verdict = Verdict("none", aside) if aside else _verdict(statement, previous, around)
        if statement.kind != "row":
            previous = verdict.subject
        found.append(statement)
        verdicts.append(verdict)
    verdicts = presumed(found, verdicts, around)
    return [(s, _unit(s, v, params)) for s, v in zip(found, verdicts, strict=True)]


def _seen(statement: Statement, unit: Unit) -> Unit:
    """A unit that would vanish says so where it holds a figure; lead-ins whose items follow are carried by these."""
    if unit.subject in ("bidder", "none") and not statement.announces and states_figure(statement):
        return replace(unit, left_out=UNBOUND)
    return unit


def stated_submission_date(rfp_blocks: pl.DataFrame) -> str:
    """ISO date of bid submission as the RFP states it first and in one reading; empty when it does not."""
    for block in rfp_blocks.sort("file_name", "doc_id", "page", "block_no").iter_rows(named=True):
        for fact in find_facts(block["text"] or ""):
            if fact.kind == "date" and fact.role == "submission" and fact.date:
                return fact.date
    return ""


def _verdict(statement: Statement, previous: Subject, around: Context) -> Verdict:
    context = replace(
        around,
        heading_path=statement.heading_path,
        lead=statement.lead,
        kind=statement.kind,
        previous=previous,
    )
    if statement.row is not None:
        return row_verdict(statement.row, context)
    return classify(statement.text, context)


def _unit(statement: Statement, verdict: Verdict, params: CatalogParams) -> Unit:
    text = _whole(statement)
    unit = Unit(text, statement.quote, statement.file_name, statement.page, verdict.subject, verdict.reason)
    if (
        verdict.subject == "none"
        and _LINE.search(statement.text)
        and _FORM.search(level(statement.heading_path))
    ):
        return replace(unit, subject="bidder", reason=BLANK, left_out=BLANK)
    if verdict.subject != "bidder":
        plain = level(statement.text)
        obliges = any(words.search(plain) for words in (MODAL, FORBID, SHOULD, WEIGHTY))
        asked = verdict.reason in ("a mere right", QUESTION, ANSWER, TO_A_JUDGE) or obliges
        return replace(unit, left_out=verdict.reason if verdict.subject == "none" and asked else "")
    if (
        verdict.reason == BLANK
        or (_LINE.search(statement.text) and not _worded(statement))
        or (
            _PLACEHOLDER.search(statement.text)
            and not MODAL.search(level(statement.text))
            and not _worded(statement)
        )
    ):
        return replace(unit, left_out="a blank to fill in")
    words = len(statement.text.split())
    if words > params.max_rule_words:
        return replace(unit, left_out="too long")
    if statement.kind == "sentence" and words < params.min_rule_words:
        return replace(unit, left_out="too short")
    parts = _parts(statement, verdict)
    others = [] if statement.row is not None else [p for p in parts[1:] if _of_others(p, statement)]
    rules = tuple(_rules(statement, verdict, params, parts, others))
    gone = "; ".join(part.slice.strip() for part in others)
    return replace(unit, rules=rules, left_out=f"{IN_PART}; {gone}" if others else "")


def _worded(statement: Statement) -> bool:
    """A row of requirements says enough beside the figure that the buyer has yet to fill in."""
    if statement.row is None or statement.row.purpose != "requirements":
        return False
    return len(_PLACEHOLDER.sub(" ", _LINE.sub(" ", statement.text)).split()) >= 10


def _whole(statement: Statement) -> str:
    if statement.row is not None:
        return statement.text
    return _led(statement, statement.text)


_PRONOUN = re.compile(r"(?:It|They|Elles?|Ils?)\s")


def _led(statement: Statement, words: str) -> str:
    """Words with the lead-in or the antecedent that they need."""
    if lead := carried(statement.lead):
        return f"{lead}: {words}"
    if not statement.about:
        return words
    if pronoun := _PRONOUN.match(words):
        return f"{statement.about} {words[pronoun.end() :]}"
    return words if level(statement.about) in level(words) else f"{statement.about}: {words}"


_TAIL = re.compile(r"[\s;,]*[;,]\s*(?:and|or|et|ou)?\s*$|(?<=\.)\s*(?:and|or|et|ou)\s*$|\s+$")


def _rules(
    statement: Statement, verdict: Verdict, params: CatalogParams, parts: list[Part], others: list[Part]
) -> Iterable[Requirement]:
    """Rules of the parts of a statement, but for those that are the duty of others."""
    row = statement.row
    around = statement.heading_path if row is None else f"{statement.heading_path} {row.header}"
    scored = row is not None and row.purpose == "points"
    strength = strength_of(statement.text, statement.lead, around, row.stated if row else None, scored=scored)
    if verdict.reason == "who may take part":
        strength = replace(strength, mandatory=True)
    each = len(parts) > 1 and row is None and not strength.mandatory and not strength.scored
    for part in parts:
        if any(part is other for other in others):
            continue
        if each:
            strength = strength_of(part.text, statement.lead, around)
        text = _TAIL.sub("", part.text.strip())
        key = fold(text).rstrip(" .;:")
        if not re.search(r"[^\W\d_]{2}|\d", text):
            continue
        quote = statement.quote if row is not None else _quote(part.slice, statement.quote)
        clause = " > ".join(p for p in (statement.heading_path, row.reference if row else "") if p)
        source = Source(
            file_name=statement.file_name,
            page=statement.page,
            heading_path=statement.heading_path,
            quote=quote,
        )
        yield Requirement(
            rule_id="M-" + hashlib.sha256(key.encode()).hexdigest()[:6], mandatory=strength.mandatory, scored=strength.scored,
            obligation=strength.words, text=text, area=_heading_area(statement.heading_path) or area_of("", text, params.mined_area),
            clause_ref=clause, sources=(source,), source_page=statement.page, source_quote=quote,
        )  # fmt: skip


@lru_cache(maxsize=4096)
def _heading_area(heading_path: str) -> str:
    """Area that the headings tell; the rules below a heading share it."""
    return area_of(heading_path, "", "")


def _quote(part: str, whole: str) -> str:
    return part if part in whole else whole


def _parts(statement: Statement, verdict: Verdict) -> list[Part]:
    row = statement.row
    if row is not None:
        return _row_parts(statement)
    if statement.announces:
        own = own_duty(statement.text)
        return sentence_parts(own) if own else []
    if verdict.reason == BARE and statement.kind == "sentence":
        name, _, rest = statement.text.partition(": ")
        if rest and len(name.split()) <= 3:
            return cell_parts(rest, name, headings=statement.heading_path, listing=False)
        parts = cell_parts(statement.text, headings=statement.heading_path)
        return parts if len(parts) > 1 else sentence_parts(statement.text)
    parts = sentence_parts(statement.text)
    return [Part(_led(statement, part.text), part.slice) for part in parts]


def _row_parts(statement: Statement) -> list[Part]:
    row = statement.row
    assert row is not None
    headings = f"{statement.heading_path} {row.header}"
    if row.purpose == "points":
        return [Part(row.text, row.text)]
    plain = level(headings)
    listing = row.purpose == "requirements" and bool(_SCOPE.search(plain)) and not _PRICED.search(plain)
    listed = row.purpose in ("requirements", "contract", "contents")
    parts: list[Part] = []
    for cell in row.values:
        label = row.label
        if len(row.values) > 1 and cell.name:
            label = f"{label}, {cell.name}" if label else cell.name
        if _PRICED.search(plain) or (row.purpose == "submission" and not re.search(r"\d|;", cell.text)):
            found = [
                part
                for piece in re.split(r";\s+", cell.text)
                for part in [Part(f"{label}: {piece}" if label else piece, piece)]
            ]
        elif row.purpose == "calendar":
            found = [Part(f"{label}: {cell.text}", cell.text)]
        else:
            found = cell_parts(cell.text, label, listing=listing and listed, headings=headings)
        parts.extend(found)
    return parts


def _of_others(part: Part, statement: Statement) -> bool:
    """A clause with a verb of its own, parted from the bidder's, that states what somebody else does."""
    if not CLAUSE_VERB.search(level(part.slice)):
        return False
    said = classify(part.slice, Context(statement.heading_path))
    return said.subject in ("buyer", "contract", "third_party") and part.text == part.slice


_SCOPE = re.compile(r"scope of (?:work|services?|supply)|deliverables|livrables|perimetre des prestations")
_PRICED = re.compile(r"pric(?:e|ing)|cost item|prix|tarif|bordereau")
