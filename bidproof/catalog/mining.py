"""Rules from an RFP without a catalog file: a draft that a person accepts or mends.

Takes obligation sentences of the bidder's side and rows of compliance tables. Says what it left out and
why; it
does not guess weights and does not decide what is negotiable beyond the RFP's own words.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from bidproof.catalog.compliance_rows import compliance_rules
from bidproof.catalog.lexicon import area_of
from bidproof.catalog.subjects import Duty, Party, duty_of, party_of
from bidproof.facts import find_facts, fold
from bidproof.params import CatalogParams
from bidproof.records import Requirement


@dataclass(frozen=True)
class LeftOut:
    """A sentence with an obligation that became no rule."""

    page: int
    text: str
    why: str


@dataclass(frozen=True)
class Mined:
    """Draft rules in reading order, and what was left out of them."""

    rules: tuple[Requirement, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True)
class Statement:
    """A sentence of the RFP that may state a rule, with where it stands."""

    text: str
    quote: str
    page: int
    heading_path: str
    mandatory: bool | None = None
    reference: str = ""
    duty: Duty | None = None


_KINDS = ("paragraph", "list_item", "table_row", "footnote")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-ZÀ-Ý(\"“«•\-–0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:No|Nos|e\.g|i\.e|etc|approx|min|max|Art|Sec|Cl|Fig|Ref|Ltd|Pvt|Co|vs|resp|cf|p|art|n°)|"
    r"\b[A-Z])\.$"
)
_LETTERED = re.compile(r"\b(?:Annexe?|Appendix|Part|Section|Class|Form|Lot|Envelope) [A-Z]\.$")
_MANDATORY = re.compile(
    r"grounds? for (?:rejection|disqualification)|mandatory|pass ?/ ?fail|(?:shall|will|may) (?:be|lead to|"
    r"result in) (?:rejected|rejection|disqualif\w+)|non-responsive|"
    r"obligatoire|sous peine de|motifs? de rejet|sera rejetee?|eliminatoire"
)
_SOFT = re.compile(
    r"(?<![a-z])(?:should|may|preferably|desirable|optional|nice to have|preferred|souhait\w+|facultati\w+|"
    r"de preference)(?![a-z])"
)
# What a standard contract or form attached to the RFP says binds after award; a bid has nothing to show for
# it.
_CONTRACT = re.compile(
    r"(?:general|special|particular) conditions? of (?:the )?contract|form of (?:contract|agreement)|"
    r"(?<![a-z])[gs]cc(?![a-z])|cahier des clauses administratives generales"
)
_BLANK = re.compile(
    r"_{4,}|\.{6,}|\[(?:insert|select|name|specify|indicate)[^\]]*\]|…{2,}|\[_+\]", re.IGNORECASE
)


def mine(rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame, params: CatalogParams) -> Mined:
    """Draft rules of an RFP.

    A sentence is a rule when it obliges (shall, must, is required to, doit ...) and its subject is the
    bidder or what
    the bidder offers; the buyer's duties, the handling of bids and conditions of the contract to come are
    not. Items of a list take the lead-in
    ("The bidder shall:") before them. Rows of a table whose header names requirements are rules whatever
    their verb.

    Mandatory is what the words or the heading above call mandatory, or make a ground for rejection, and every
    plain "shall" or "must"; "should" and "may" make no rule. Ids are `M-` and six hex digits of the folded
    text, so that they survive a new edition of the RFP. Equal texts are one rule, at its first place.

    Args:
        rfp_blocks: frame of shape `tables.BLOCKS`.
        rfp_documents: frame of shape `tables.DOCUMENTS`; duplicates of an earlier file are passed over.
        params: mining limits.
    """
    rules: dict[str, Requirement] = {}
    left_out: list[LeftOut] = []
    for statement in _statements(_ordered(rfp_blocks, rfp_documents)):
        reason = _refusal(statement, params)
        if reason is not None:
            if reason:
                left_out.append(LeftOut(statement.page, statement.text, reason))
            continue
        key = fold(statement.text).rstrip(" .;")
        if key not in rules:
            rules[key] = _rule(statement, key, params)
    return Mined(_with_distinct_ids(list(rules.values())), tuple(left_out))


def mine_rules(
    rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame, params: CatalogParams
) -> list[Requirement]:
    """The draft rules of `mine`, without what was left out. They are not derived yet."""
    return list(mine(rfp_blocks, rfp_documents, params).rules)


def stated_submission_date(rfp_blocks: pl.DataFrame) -> str:
    """ISO date of bid submission as the RFP states it first and in one reading; empty when it does not."""
    for block in rfp_blocks.sort("file_name", "doc_id", "page", "block_no").iter_rows(named=True):
        for fact in find_facts(block["text"] or ""):
            if fact.kind == "date" and fact.role == "submission" and fact.date:
                return fact.date
    return ""


def _ordered(blocks: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    if not documents.is_empty() and {"doc_id", "duplicate_of"} <= set(documents.columns):
        doubles = documents.filter(pl.col("duplicate_of").fill_null("") != "")["doc_id"]
        blocks = blocks.filter(~pl.col("doc_id").is_in(doubles.to_list()))
    seen = (
        pl.col("kind").is_in([*_KINDS, "heading"])
        & ~pl.col("struck").fill_null(False)
        & ~pl.col("hidden").fill_null(False)
    )
    return blocks.filter(seen).sort("file_name", "doc_id", "page", "block_no")


def _statements(blocks: pl.DataFrame) -> Iterator[Statement]:
    lead = ""
    tables: dict[tuple[str, int], list[dict[str, object]]] = {}
    for block in blocks.iter_rows(named=True):
        if block["kind"] == "table_row" and block["table_no"] is not None and block["table_no"] >= 0:
            tables.setdefault((block["doc_id"], block["table_no"]), []).append(block)
    done: set[tuple[str, int]] = set()
    for block in blocks.iter_rows(named=True):
        text = " ".join((block["text"] or "").split())
        if block["kind"] == "heading":
            lead = ""
        elif block["kind"] == "table_row":
            key = (block["doc_id"], block["table_no"])
            if key in done:
                continue
            done.add(key)
            for row in compliance_rules(tables.get(key, [block])):
                yield Statement(row.text, row.quote, row.page, row.heading_path, row.mandatory, row.reference)
        elif block["kind"] == "list_item" and lead:
            item = _BULLET.sub("", text)
            yield Statement(f"{lead.rstrip(': ')} {item}", text, block["page"], block["heading_path"] or "")
        else:
            sentences = split_sentences(text)
            lead = (
                sentences[-1]
                if sentences and sentences[-1].endswith((":", "：")) and duty_of(sentences[-1])
                else ""
            )
            party: Party = "other"
            for sentence in sentences[:-1] if lead else sentences:
                duty = duty_of(sentence, party)
                party = duty.party if duty else party_of(sentence)
                yield Statement(sentence, sentence, block["page"], block["heading_path"] or "", duty=duty)


_BULLET = re.compile(r"^\s*(?:[•▪◦●○\-–—*\uf0b7]|\(?[a-z0-9ivx]{1,4}[.)])\s+", re.IGNORECASE)


def split_sentences(text: str) -> list[str]:
    """Sentences of a block; an abbreviation ("No. 5", "e.g.") does not end one."""
    parts: list[str] = []
    for piece in _SENTENCE.split(text):
        if parts and _ABBREVIATION.search(parts[-1]) and not _LETTERED.search(parts[-1]):
            parts[-1] = f"{parts[-1]} {piece}"
        else:
            parts.append(piece)
    return [part.strip() for part in parts if part.strip()]


def _refusal(statement: Statement, params: CatalogParams) -> str | None:
    """Why a statement is no rule: None for a rule, an empty string for plain prose that obliges nobody."""
    row = statement.mandatory is not None
    duty = statement.duty or (None if row else duty_of(statement.text))
    if not row and duty is None:
        return ""
    words = len(statement.text.split())
    if words < params.min_rule_words:
        return "" if row else "too short"
    if _BLANK.search(statement.text):
        return "a blank to fill in"
    if words > params.max_rule_words:
        return "too long"
    if not row and _CONTRACT.search(fold(statement.heading_path)):
        return "a condition of the contract to come, not of the bid"
    return None if row else _wrong_party(duty)


def _wrong_party(duty: Duty | None) -> str | None:
    if duty is None or duty.party in ("bidder", "offer"):
        return None
    return "a duty of the buyer" if duty.party == "buyer" else "no bidder in its subject"


def _rule(statement: Statement, key: str, params: CatalogParams) -> Requirement:
    text = _NUMBERING.sub("", statement.text).strip()
    mandatory = statement.mandatory
    if mandatory is None:
        called = fold(f"{statement.heading_path} {text}")
        mandatory = bool(_MANDATORY.search(called)) or not _SOFT.search(fold(text).split(" shall ")[0])
    return Requirement(
        rule_id="M-" + hashlib.sha256(key.encode()).hexdigest()[:6], mandatory=mandatory, text=text,
        area=area_of(statement.heading_path, text, params.mined_area),
        clause_ref=" > ".join(p for p in (statement.heading_path, statement.reference) if p),
        source_page=statement.page, source_quote=statement.quote,
    )  # fmt: skip


_NUMBERING = re.compile(
    r"^\s*(?:\(?[a-z]\)|\(?[ivx]{1,4}\)|[0-9]+(?:\.[0-9]+)+\.?|[•▪◦●○\uf0b7–-])\s+", re.IGNORECASE
)


def _with_distinct_ids(rules: list[Requirement]) -> tuple[Requirement, ...]:
    """Two texts whose six digits agree get more of them."""
    seen: dict[str, str] = {}
    distinct = []
    for rule in rules:
        key = fold(rule.text)
        length = 6
        while seen.get(rule.rule_id, key) != key:
            length += 2
            rule = rule.model_copy(
                update={"rule_id": "M-" + hashlib.sha256(key.encode()).hexdigest()[:length]}
            )
        seen[rule.rule_id] = key
        distinct.append(rule)
    return tuple(distinct)
