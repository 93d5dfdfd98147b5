"""Statements of a bid that may speak against a Pass in other words: found by likeness, for a person to read.

Belongs here: what the words of the rule do not find. "Swapping a faulty meter needs ten working days" shares none with
"defective meters are replaced within five". Does not belong here: what is read by its words (`bidproof.judging`); nothing
is decided here.

A sentence encoder says how like a statement is to the rule and to its proof; how like is much is told by all chunks of the
pack, as every encoder has its own scale. Likeness alone says nothing of agreement: what is asked for besides is a figure
that would fail the rule, or a denial.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bidproof.facts import compare, convert
from bidproof.judging import Passage, PassageShelf, RfpShingles
from bidproof.judging.concept import asks_absence
from bidproof.judging.passages import candidate_ids
from bidproof.judging.polarity import denied, refuses
from bidproof.judging.units import Unit, units_of
from bidproof.params import VerificationParams
from bidproof.records import Fact, Predicate, Requirement, Status
from bidproof.retrieval import DenseIndex, KeptVectors
from bidproof.verdict_tables import OBJECTIONS
from bidproof.verification.bench import last_attempts
from bidproof.verification.escalation import in_force, rounds_by_rule

FIGURE, DENIAL = "figure", "denial"
FEWEST_CHUNKS = 30
"""Of a shorter pack the chunks do not tell how like is much; all of it is among the candidates of every rule."""
_UNITS, _KEPT = 32, 3  # statements looked at, objections kept, a rule
_NUMBERED = re.compile(r"\bnos?\.?\s*\d+", re.IGNORECASE)
_TO_DEVIATION = 1.4826  # median absolute deviation to standard deviation, of a normal distribution
_SHOWN = 110  # characters of a statement in a reason
_TAKES_BACK = re.compile(
    r"\b(?:only|solely|merely|instead|no\s+longer|never|lapse[sd]?|expire[sd]?|terminated|withdrawn|suspended|cancell?ed|outside|separately"
    r"|seulement|uniquement|au\s+lieu|jamais|expir[ée]e?s?|r[ée]sili[ée]e?s?|retir[ée]e?s?|suspendue?s?|annul[ée]e?s?|s[ée]par[ée]ment)\b",
    re.IGNORECASE,
)
_FAILS = {
    ">=": lambda said, asked: said < asked, ">": lambda said, asked: said <= asked,
    "<=": lambda said, asked: said > asked, "<": lambda said, asked: said >= asked,
    "=": lambda said, asked: said != asked,
}  # fmt: skip

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Suspect:
    """A statement that may speak against a rule, and what in it does."""

    unit: Unit
    kind: str
    said: str


class Likeness:
    """How like texts are to a rule and to its proof, in deviations above the median of the pack's chunks."""

    def __init__(self, dense: DenseIndex, kept: KeptVectors, rule: str, proof: str) -> None:
        self._kept = kept
        self._vectors = np.concatenate([kept.of([rule], "query"), kept.of([proof], "passage")])
        cosines = np.stack(dense.cosines(self._vectors))
        self._middle = np.median(cosines, axis=1)
        # By the median: what is near, the proof itself among it, must not widen the measure that it is held against.
        self._spread = _TO_DEVIATION * np.median(np.abs(cosines - self._middle[:, None]), axis=1)

    def _deviations(self, cosines: Any) -> Any:
        spread = np.where(self._spread > 0, self._spread, 1.0)
        return (cosines - self._middle[:, None]) / spread[:, None]

    def of_texts(self, texts: Sequence[str]) -> Any:
        """Two rows, to the rule and to the proof, a column a text."""
        return self._deviations(self._vectors @ self._kept.of(texts, "passage").T)


def find_objections(
    requirements: Sequence[Requirement],
    rfp: RfpShingles,
    chunks: pl.DataFrame,
    facts: pl.DataFrame,
    candidates: pl.DataFrame,
    judgements: pl.DataFrame,
    escalations: pl.DataFrame,
    dense: DenseIndex,
    kept: KeptVectors | None,
    params: VerificationParams,
    catalog_version: str = "",
) -> pl.DataFrame:
    """Rows of `objections`, in order of rule id and likeness: for each Pass the statements that may speak against it.

    A statement is looked at where it stands among the rule's candidates, is not the proof itself nor the RFP's own words,
    and holds a figure that would fail a predicate of the rule or a denial. It is kept where it is at least
    `verification.objection_likeness` deviations nearer to the rule, and to its proof, than the pack's chunks are at their median.
    None are found with the dense leg off, or in a pack of few chunks.
    """
    wanted = params.objection_likeness
    if kept is None or not wanted or len(dense.chunk_ids) < FEWEST_CHUNKS:
        return OBJECTIONS.empty()
    last, rounds, wider = last_attempts(judgements), rounds_by_rule(escalations), candidate_ids(candidates)
    shelf = PassageShelf(chunks, facts)
    keys = {name: chunks[name][0] for name in ("tender", "bidder", "pack")} | {
        "catalog_version": catalog_version
    }
    rows: list[dict[str, Any]] = []
    for rule in sorted(requirements, key=lambda rule: rule.rule_id):
        if rule.rule_id not in last:
            continue
        judgement, _ = in_force(last[rule.rule_id], rounds.get(rule.rule_id, ()), proven_by_code=True)
        if judgement["status"] != Status.PASS or not judgement["quote"]:
            continue
        ranked = (shelf.passage(one) for one in wider.get(rule.rule_id, ()) if one in shelf)
        suspects = _suspects(rule, judgement, ranked, rfp)
        near = Likeness(dense, kept, rule.text, judgement["quote"]) if suspects else None
        found = _kept(suspects, near, wanted) if near else []
        rows += [
            {**keys, "rule_id": rule.rule_id, "order_no": n, **row} for n, row in enumerate(found, start=1)
        ]
    return OBJECTIONS.frame(rows)


def _suspects(
    rule: Requirement, judgement: Row, passages: Iterator[Passage], rfp: RfpShingles
) -> list[Suspect]:  # fmt: skip
    """Statements in order of their chunks' rank, each once."""
    proof = {_plain(one) for one in (judgement["quote"], *(judgement["other_quotes"] or ()))}
    found: dict[str, Suspect] = {}
    for passage in passages:
        for unit in units_of(passage):
            text = _plain(unit.own_text)
            if unit.is_matrix or text in found or any(text in one or one in text for one in proof):
                continue
            suspect = _suspect(rule, unit)
            if suspect is not None and not rfp.echoes(text):
                found[text] = suspect
                if len(found) == _UNITS:
                    return list(found.values())
    return list(found.values())


def _plain(text: str) -> str:
    return " ".join(text.split())


def _suspect(rule: Requirement, unit: Unit) -> Suspect | None:
    amounts = [one for one in rule.predicates if one.kind == "quantity"]
    for fact in unit.facts():
        if any(_falls_short(fact, predicate) for predicate in amounts):
            return Suspect(unit, FIGURE, fact.text)
    if asks_absence(rule):
        return None
    own = _NUMBERED.sub(" ", unit.own_text)
    spans = denied(own)
    if spans and own.strip():
        return Suspect(unit, DENIAL, _plain(own[slice(*spans[0])]))
    taken = _TAKES_BACK.search(own)
    if taken is not None or refuses(own):
        return Suspect(unit, DENIAL, taken.group() if taken else _plain(own))
    return None


def _falls_short(fact: Fact, predicate: Predicate) -> bool:
    """The figure would fail the predicate, were it the one that is asked for, of whatever base."""
    if compare(fact, predicate) == "fails":
        return True
    fails = _FAILS.get(predicate.comparator)
    if fact.value is None or predicate.value is None or fails is None or predicate.readings:
        return False
    said = convert(fact.value, fact.unit, predicate.unit)
    return said is not None and bool(fails(said, predicate.value))


def _kept(suspects: Sequence[Suspect], near: Likeness, wanted: float) -> list[dict[str, Any]]:
    """Rows of the suspects that are near enough to rule and proof, the nearest first."""
    scores = near.of_texts([_plain(one.unit.text) for one in suspects]).round(3)
    order = sorted(range(len(suspects)), key=lambda n: (-float(scores[:, n].min()), n))
    return [
        _row(suspects[n], float(scores[0, n]), float(scores[1, n]))
        for n in order
        if scores[:, n].min() >= wanted
    ][:_KEPT]


def _row(suspect: Suspect, to_rule: float, to_proof: float) -> dict[str, Any]:
    unit, passage = suspect.unit, suspect.unit.passage
    page = unit.pages[0] if unit.pages else None
    text = _plain(unit.text)
    where = f"{passage.file_name}, p. {page}" if page else passage.file_name
    cut = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return {
        "kind": suspect.kind, "said": suspect.said, "text": text, "chunk_id": passage.chunk_id,
        "file_name": passage.file_name, "page": page, "to_rule": to_rule, "to_proof": to_proof,
        "reason": f"elsewhere, in other words: “{cut}” ({where})",
    }  # fmt: skip


def reasons_by_rule(objections: pl.DataFrame | None) -> dict[str, str]:
    """What a reviewer is told of each rule: its nearest objection, and how many more there are."""
    found: dict[str, list[str]] = {}
    if objections is not None:
        for rule_id, reason in objections.sort("rule_id", "order_no").select("rule_id", "reason").iter_rows():
            found.setdefault(rule_id, []).append(reason)
    return {
        rule_id: said[0] + (f" and {len(said) - 1} more" if len(said) > 1 else "")
        for rule_id, said in found.items()
    }
