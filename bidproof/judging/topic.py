"""How well a unit, or one figure in it, fits what a predicate measures.

Belongs here: matching measure words against sentence, row label, column header and heading, telling rival
figures apart, designators such as P3 or Class 1, and what a period is counted from. Does not belong here:
comparing values (`quantity`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bidproof.facts.terms import fold
from bidproof.judging.concept import links_of
from bidproof.judging.units import Unit
from bidproof.judging.words import (
    MEASURE_GENERIC,
    Word,
    concept_terms,
    same,
    terms_by_phrase,
    word_list,
    words_of,
)
from bidproof.records import Fact, Predicate, Requirement

Links = Sequence[tuple[tuple[str, ...], tuple[str, ...]]]
_IN_LEAD = 0.8
_IN_LAST_HEADING = 0.7
_IN_HEADING = 0.5
_NEARER_TO_RIVAL = 0.4
_FOREIGN_LABEL = 0.5  # share of a heading's weight that reaches a row which names something else
_CROSSED = 0.8  # least fit of a figure in the row of the asked designator and the column of the measure
_IN_OWN_CELL = 0.7
_IN_OTHER_CELL = 0.5
_OWN_SHARE = 0.7  # weight of the words of the figure's own clause against those of the rule's subject
_FURTHER = (("; ", 40), ("|", 40), (". ", 60), (", ", 15), (" and ", 15), (" et ", 15), ("(", 8), (")", 8))

_DESIGNATOR = re.compile(
    r"\b(p|sev|severity|priority|level|class|lot|phase|type|tier|category|grade|stage|niveau|classe|priorit[ée]|cat[ée]gorie|gravit[ée]|s[ée]v[ée]rit[ée])"
    r"[\s.-]?(\d+(?:[.,]\d+)?[a-z]?|iv|i{1,3}|v)\b",
    re.IGNORECASE,
)
_FAMILY = {
    "p": "priority", "sev": "severity", "niveau": "level", "classe": "class", "priorite": "priority",
    "categorie": "category", "gravite": "severity", "severite": "severity",
}  # fmt: skip
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5"}
_BEYOND = re.compile(
    r"\b(?:beyond|after|(?<!the )past|following|au-del[àa]\s+d\w+|apr[èe]s|post)\b(?P<what>[^.;|,()]*)",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\b(?:from|since|as\s+of|counted\s+from|starting|upon|of|[àa]\s+(?:compter|partir)\s+d\w+|d[èe]s)\b(?P<what>[^.;|,()]*)",
    re.IGNORECASE,
)
_ANCHOR_FILL = word_list("anchor_fill")


_DONE = re.compile(r"\b\w{3,}ed\b")  # what is done must be said in the sentence, not in a heading
_OR = re.compile(r"\b(?:or|ou)\b")
_RULE_CLAUSE = re.compile(r"[;.:](?=\s|$)|,(?=\s)|\b(?:and|et)\s")


@dataclass(frozen=True)
class Measure:
    """What a predicate measures: words of its clause and of the rule's subject, designators such as P3."""

    own: tuple[str, ...]
    subject: tuple[str, ...]
    basis: tuple[str, ...]
    marks: frozenset[tuple[str, str]]
    clause: str

    @property
    def terms(self) -> tuple[str, ...]:
        """All words."""
        return tuple(dict.fromkeys((*self.own, *self.subject)))

    @property
    def telling(self) -> tuple[str, ...]:
        """Words of which a row or sentence must name one."""
        return (*self.terms, *self.basis)


def clause_in_rule(predicate: Predicate, requirement: Requirement) -> str:
    """The clause of the rule in which the predicate's figure stands; the whole rule when it is not found."""
    text = requirement.text
    at = text.find(predicate.text) if predicate.text else -1
    if at < 0:
        return predicate.text or text
    starts = [0, *(m.end() for m in _RULE_CLAUSE.finditer(text))]
    end = at + len(predicate.text)
    ends = [*(m.start() for m in _RULE_CLAUSE.finditer(text)), len(text)]
    return text[max(s for s in starts if s <= at) : min(e for e in ends if e >= end)]


@lru_cache(maxsize=2048)
def measure_of(predicate: Predicate, requirement: Requirement) -> Measure:
    """The measure of a predicate; of the rule's words when it names none."""
    own = concept_terms(predicate.measure[:1] or (requirement.text,), generic=MEASURE_GENERIC)
    subject = concept_terms(predicate.measure[1:], generic=MEASURE_GENERIC) if predicate.measure[1:] else ()
    clause = clause_in_rule(predicate, requirement)
    marks = {(f, v) for f, v, _, _ in designators(clause)}
    if not marks:
        whole = {(f, v) for f, v, _, _ in designators(requirement.text)}
        marks = {(f, v) for f, v in whole if sum(g == f for g, _ in whole) == 1}
    marks = {(f, v) for f, v in marks if f != predicate.unit}
    basis = (
        concept_terms((predicate.base, predicate.per), generic=MEASURE_GENERIC)
        if predicate.base or predicate.per
        else ()
    )
    return Measure(own, tuple(t for t in subject if t not in own), basis, frozenset(marks), clause)


def measure_terms(predicate: Predicate, requirement: Requirement) -> tuple[str, ...]:
    """Stems of what the predicate measures."""
    return measure_of(predicate, requirement).terms


@lru_cache(maxsize=8192)
def designators(text: str) -> tuple[tuple[str, str, int, int], ...]:
    """Designators such as `P3`, `Severity 1`, `Type II` as (family, value, start, end)."""
    found = []
    for match in _DESIGNATOR.finditer(text):
        family = fold(match[1])
        value = match[2].lower().replace(",", ".")
        found.append((_FAMILY.get(family, family), _ROMAN.get(value, value), *match.span()))
    return tuple(found)


def distance(text: str, a: tuple[int, int], b: tuple[int, int]) -> int:
    """Characters between two spans, with a toll for each clause boundary crossed."""
    first, second = sorted((a, b))
    between = text[first[1] : second[0]]
    return len(between) + sum(toll * between.count(mark) for mark, toll in _FURTHER)


def _nearest(text: str, place: tuple[int, int], spans: Sequence[tuple[int, int]]) -> int:
    return min(range(len(spans)), key=lambda n: (distance(text, place, spans[n]), n))


def _matches(word: Word, term: str) -> bool:
    return same(word.stem, term)


def _cell_header_stems(unit: Unit, fact: Fact) -> set[str]:
    header = next((c.header for c in unit.cells if c.start <= fact.start < c.end), "")
    return {word.stem for word in words_of(header)}


def _row_wide(unit: Unit, word: Word) -> bool:
    """The word stands in the cell that names the row, so it is about every figure of the row."""
    at = unit.start + word.start
    return any(c.start <= at < c.end and c.role in ("label", "asked", "number") for c in unit.cells)


def _anchored(text: str) -> list[tuple[int, int]]:
    return [m.span("what") for m in _BEYOND.finditer(text)]


def beyond(text: str) -> set[str]:
    """Stems of what a period is counted beyond, as in "90 days after bid validity"."""
    return {
        w.stem
        for m in _BEYOND.finditer(text)
        for w in words_of(m["what"])
        if fold(w.stem) not in _ANCHOR_FILL
    }


def counted_from(text: str) -> set[str]:
    """Stems of what a period is counted from, in whatever words."""
    found = set()
    for pattern in (_BEYOND, _FROM):
        for match in pattern.finditer(text):
            found |= {w.stem for w in words_of(match["what"]) if w.stem not in _ANCHOR_FILL}
    return found


def _heading_weight(term: str, headings: Sequence[tuple[frozenset[str], float]], links: Links = ()) -> float:
    return max(
        (
            weight
            for stems, weight in headings
            if _matches_any(term, stems) or (links and term in terms_by_phrase(links, stems))
        ),
        default=0.0,
    )


def _headings(unit: Unit) -> list[tuple[frozenset[str], float]]:
    parts = [part for part in unit.passage.heading_path.split(" > ") if part]
    levels = [(unit.lead, _IN_LEAD)] if unit.lead else []
    levels += [
        (part, _IN_LAST_HEADING if n == len(parts) - 1 else _IN_HEADING) for n, part in enumerate(parts)
    ]
    return [(frozenset(w.stem for w in words_of(text)), weight) for text, weight in levels]


def unit_fit(terms: Iterable[str], unit: Unit, *, own: bool = True) -> float:
    """Share of `terms` that the unit names, headings counting less; 0 to 1."""
    wanted = list(terms)
    words = unit.own_words if own else unit.words
    headings = _headings(unit)
    total = sum(1.0 if any(_matches(w, t) for w in words) else _heading_weight(t, headings) for t in wanted)
    return total / len(wanted) if wanted else 0.0


def figure_fit(
    predicate: Predicate, requirement: Requirement, unit: Unit, fact: Fact, rivals: Sequence[Fact]
) -> float:
    """How surely `fact` is the figure that `predicate` asks about; 0 to 1.

    A measure word counts in full when it stands nearest to this figure, or in the row's label or the
    column's header; less when a rival figure of the same dimension is nearer or only a heading says it.
    A designator of the same family with another value (P1 for P3) rules the figure out.
    """
    measure = measure_of(predicate, requirement)
    spans = [(f.start - unit.start, f.end - unit.start) for f in rivals]
    me = next(n for n, f in enumerate(rivals) if f is fact or f == fact)
    skip = [] if beyond(measure.clause) else _anchored(unit.text)
    header = _cell_header_stems(unit, fact)
    headings = _headings(unit)
    links = links_of(requirement)

    def here(term: str) -> float:
        """Weight of the term in the row or sentence itself."""
        best = 1.0 if _matches_any(term, header) else 0.0
        for word in unit.words:
            if _matches(word, term) and not any(a <= word.start < b for a, b in skip):
                best = max(best, _place_weight(unit, word, fact, spans, me))
        return best

    reach = _FOREIGN_LABEL if _foreign_label(unit, measure, links) else 1.0
    by_phrase = terms_by_phrase(links, (w.stem for w in unit.own_words))

    def weight(term: str) -> float:
        spoken = _IN_LEAD if term in by_phrase else 0.0
        return max(here(term), spoken, reach * _heading_weight(term, headings, links))

    marked = _marks_seen(measure.marks, unit, spans, me)
    if any(seen is None for seen in marked):
        return 0.0
    counted = fact.kind == "quantity" and fact.unit == predicate.unit
    spoken = counted or any(marked) or any(here(term) for term in measure.telling)
    if not spoken and not _plain_label(unit):
        return 0.0  # only the headings speak of it: any other figure under them would do as well
    if any(marked) and any(_matches_any(term, header) for term in measure.own):
        return max(_CROSSED, _fit(measure, weight, here, marked, counted=counted))
    return _fit(measure, weight, here, marked, counted=counted)


def unsaid_terms(predicate: Predicate, requirement: Requirement, unit: Unit, fact: Fact) -> list[str]:
    """Words of the measure that neither the unit nor its headings name: another thing may be measured.

    "Cyber liability" is not shown by general liability, nor delivery within ten weeks by ten weeks of sprints.
    A counted thing names itself.
    """
    if fact.kind == "quantity" and fact.unit == predicate.unit:
        return []
    measure = measure_of(predicate, requirement)
    if measure.marks and measure.marks <= {(family, value) for family, value, _, _ in designators(unit.text)}:
        return []  # "Severity 1" says by itself that an incident is spoken of
    own = [w.stem for w in unit.words]
    stems = [*own, *(w.stem for w in words_of(unit.heading))]
    linked = terms_by_phrase(links_of(requirement), stems)
    done = concept_terms(_DONE.findall(" ".join(predicate.measure[:1])), generic=MEASURE_GENERIC)
    unsaid = [
        t
        for t in measure.own
        if t not in linked and not _matches_any(t, own if t in done and not unit.cells else stems)
    ]
    if _OR.search(measure.clause) and len(unsaid) * 2 < len(measure.own):
        return []
    return unsaid


def _fit(
    measure: Measure,
    weight: Callable[[str], float],
    here: Callable[[str], float],
    marked: Sequence[bool | None],
    *,
    counted: bool,
) -> float:
    own = [weight(term) for term in measure.own] + [1.0 if seen else 0.0 for seen in marked]
    own += [1.0] if counted else []
    own += [1.0 for term in measure.basis if here(term)]
    subject = [weight(term) for term in measure.subject]
    everything = own + subject
    return _OWN_SHARE * _mean(own) + (1 - _OWN_SHARE) * _mean(everything)


# What is spoken of as a thing beside the bid, with a period and a sum of its own.
_PAPER_OF_ITS_OWN = re.compile(
    r"\b(?:securit(?:y|ies)|bonds?|guarantees?|suret(?:y|ies)|deposits?|cautions?|cautionnements?|garanties?|insurances?|assurances?|warrant(?:y|ies))\b",
    re.IGNORECASE,
)
_CLAUSE_BEFORE = re.compile(r"[;,.|(:](?=\s)|\b(?:and|et|beyond|after)\s", re.IGNORECASE)


def of_other_paper(rule: str, unit: Unit, fact: Fact) -> bool:
    """The figure is said of a bond, insurance or warranty, where the rule asks of none.

    28 days of the bid security say nothing of the bid's validity.
    """
    if fact.kind not in ("days", "duration") or _PAPER_OF_ITS_OWN.search(rule):
        return False
    label = " ".join(unit.passage.text[c.start : c.end] for c in unit.cells if c.role == "label")
    before = _CLAUSE_BEFORE.split(unit.passage.text[unit.start : fact.start])[-1]
    return bool(_PAPER_OF_ITS_OWN.search(label) or _PAPER_OF_ITS_OWN.search(before))


# A row that only says "Amount" or "Period" leaves it to the heading what it is about.
_PLAIN_LABEL = word_list("plain_labels")


def _plain_label(unit: Unit) -> bool:
    label = [fold(word) for c in unit.cells[:1] for word in unit.passage.text[c.start : c.end].split()]
    return bool(label) and set(label) <= _PLAIN_LABEL


def _foreign_label(unit: Unit, measure: Measure, links: Links) -> bool:
    """The row's label names something of its own, so that what the heading says need not be meant."""
    label = " ".join(unit.passage.text[c.start : c.end] for c in unit.cells if c.role == "label")
    stems = [w.stem for w in words_of(label) if fold(label[w.start : w.end]) not in _PLAIN_LABEL]
    told = [*measure.telling, *concept_terms([measure.clause], generic=MEASURE_GENERIC)]
    if not stems or designators(label) or any(_matches_any(term, stems) for term in told):
        return False
    return not terms_by_phrase(links, stems)


def _place_weight(unit: Unit, word: Word, fact: Fact, spans: Sequence[tuple[int, int]], me: int) -> float:
    """Weight of a measure word by where it stands to the figure."""
    if _row_wide(unit, word):
        return 1.0
    if unit.cells and not _same_cell(unit, word, fact):
        return _IN_OTHER_CELL
    near = _nearest(unit.text, (word.start, word.end), spans) == me
    labelled = any(c.role in ("label", "asked") for c in unit.cells)
    return (_IN_OWN_CELL if labelled else 1.0) if near else _NEARER_TO_RIVAL


def _same_cell(unit: Unit, word: Word, fact: Fact) -> bool:
    at = unit.start + word.start
    return any(c.start <= at < c.end and c.start <= fact.start < c.end for c in unit.cells)


def _mean(weights: Sequence[float]) -> float:
    return sum(weights) / len(weights) if weights else 0.0


def _matches_any(term: str, stems: Iterable[str]) -> bool:
    return any(same(term, s) for s in stems)


def _marks_seen(
    marks: Iterable[tuple[str, str]], unit: Unit, spans: Sequence[tuple[int, int]], me: int
) -> list[bool | None]:
    """For each designator asked for: seen with this figure, not seen, or (None) another one in its place."""
    found: list[bool | None] = []
    for family, value in sorted(marks):
        here = [d for d in designators(unit.text) if d[0] == family]
        mine = [
            d
            for d in here
            if len(here) == 1
            or _row_wide(unit, Word("", d[2], d[3]))
            or _nearest(unit.text, (d[2], d[3]), spans) == me
        ]
        mine = mine or [d for d in designators(unit.heading) if d[0] == family]
        if any(d[1] == value for d in mine):
            found.append(True)
        else:
            found.append(None if mine else False)
    return found
