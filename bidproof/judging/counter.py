"""What a judge reads besides the chosen passages: candidates that speak against a rule, and a second look.

Belongs here: which chunks are read, so that evidence against is never missed because only a few passages were
chosen. Does not belong here: the weighing of it (`evidence`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bidproof.catalog.lexicon import language_of
from bidproof.judging.concept import concept_of
from bidproof.judging.echo import RfpShingles
from bidproof.judging.evidence import Reading, State
from bidproof.judging.passages import Passage, PassageShelf
from bidproof.judging.predicate_judge import READERS, concept_stems, deviations_from, predicates_of
from bidproof.judging.topic import measure_of
from bidproof.judging.units import Unit
from bidproof.judging.withdrawn import withdrawals_from
from bidproof.judging.words import coverage, words_of
from bidproof.params import JudgingParams
from bidproof.records import Predicate, Requirement

PLAIN = 0.85  # strength from which evidence against counts although it was not chosen
SECOND_LOOK = 15  # candidates that are read where the passages settle nothing
_WHOLE = 0.9  # share of a concept that a denial must name


def shown_passages(
    requirement: Requirement,
    shelf: PassageShelf,
    chosen: Iterable[str],
    candidates: Iterable[str],
    params: JudgingParams,
    rfp: RfpShingles | None,
    *,
    attempt: int = 1,
) -> tuple[Passage, ...]:
    """All that is read for a rule: chosen passages, what belongs to them, and candidates that speak against it.

    Args:
        requirement: the rule.
        shelf: the pack's chunks.
        chosen: ids of the passages, in order of choice.
        candidates: ids of all candidates of the rule, best first.
        params: how strict to be.
        rfp: the RFP's runs of words, whose copies count for nothing.
        attempt: from the second on the best candidates are read as well.
    """
    ranked = list(candidates)
    more = ranked[:SECOND_LOOK] if attempt > 1 else []
    shown = shelf.chosen([*chosen, *more], form_codes(requirement))
    known = {passage.chunk_id for passage in shown}
    wider = [shelf.passage(c, context=True) for c in sorted(set(ranked) - known) if c in shelf]
    weights = shelf.weights(concept_stems(requirement))
    return (*shown, *contrary(requirement, wider, params, rfp, weights))


def form_codes(requirement: Requirement) -> tuple[str, ...]:
    """Codes of the forms that the rule asks for."""
    return tuple(dict.fromkeys(p.code for p in requirement.predicates if p.kind == "form" and p.code))


def contrary(
    requirement: Requirement,
    wider: Sequence[Passage],
    params: JudgingParams,
    rfp: RfpShingles | None,
    weights: Mapping[str, float],
) -> tuple[Passage, ...]:
    """Those of `wider` in which a figure, class, form or statement plainly fails a predicate, or a deviation is declared."""
    if not wider:
        return ()
    reading = Reading.of(requirement, wider, params, rfp, weights)
    against: set[str] = set()
    for predicate in predicates_of(requirement):
        pointed = _to_the_point(predicate, reading)
        # Whatever a reader finds is found in one of the units: where none is to the point, none need be read.
        if any(map(pointed, reading.units)):
            against |= {
                evidence.unit.passage.chunk_id
                for evidence in READERS[predicate.kind](predicate, reading).evidence
                if evidence.state is State.FAILS and evidence.strength >= PLAIN and pointed(evidence.unit)
            }
            if predicate.kind in ("quantity", "presence"):
                deviating = (u for u in reading.units if u.deviation == "declared" and pointed(u))
                against |= {unit.passage.chunk_id for unit in deviating}
        against |= {unit.passage.chunk_id for unit in deviations_from(predicate, reading)}
        against |= {unit.passage.chunk_id for unit in withdrawals_from(predicate, reading)}
    return tuple(passage for passage in wider if passage.chunk_id in against)


def _to_the_point(predicate: Predicate, reading: Reading) -> Callable[[Unit], bool]:
    """Whether a unit itself names what is measured or denied, in the rule's own words and not by its headings."""
    requirement = reading.requirement
    own = measure_of(predicate, requirement).own if predicate.kind == "quantity" else ()
    concept = concept_of(predicate, reading.requirement, reading.weights)

    def pointed(unit: Unit) -> bool:
        if unit.is_matrix:
            return False  # the row of another rule declares on that rule
        if predicate.kind in ("form", "standard"):
            return True
        stems = {w.stem for w in unit.own_words} | {w.stem for c in unit.cells for w in words_of(c.header)}
        if predicate.kind == "quantity":
            foreign = language_of(unit.own_text) not in ("", language_of(requirement.text))
            return bool(own) and (stems.issuperset(own) or (foreign and coverage(own, stems) == 1.0))
        if predicate.kind == "presence":
            named = {n for n, group in enumerate(concept.terms) if stems & set(group)}
            return concept.share(named) >= _WHOLE
        return False

    return pointed
