"""Reading a quantity predicate: is the figure asked for there, and is it enough.

Belongs here: which figures of a unit answer the predicate, why a figure cannot be compared, and what a
matrix row declares about a figure. Does not belong here: the arithmetic of comparison (`bidproof.facts`) and
the matching of measure words (`topic`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from bidproof.facts import compare, convert, fold, same_base
from bidproof.facts.units import TIME_UNITS
from bidproof.judging.caps import ASIDE, CAP_WORDS, before, is_aside, is_cap, label_of, strict
from bidproof.judging.evidence import (
    BARE,
    DECLARED,
    DEVIATES,
    STRONG,
    Evidence,
    Outcome,
    Reading,
    State,
    contradicted_by,
    tempered,
    weigh,
)
from bidproof.judging.polarity import denies, refuses
from bidproof.judging.ranges import in_range, is_clock, is_range
from bidproof.judging.rates import in_one_rate
from bidproof.judging.siblings import answers_sibling
from bidproof.judging.topic import (
    beyond,
    counted_from,
    designators,
    figure_fit,
    measure_of,
    measure_terms,
    of_other_paper,
    unit_fit,
    unsaid_terms,
)
from bidproof.judging.units import Unit
from bidproof.judging.words import MEASURE_GENERIC, concept_terms, coverage, same, words_of
from bidproof.records import Fact, Predicate

MIN_FIT = 0.4  # below it the figure measures something else
TOPIC = 0.75  # words of the measure that show that a unit speaks of it without a figure
_LONG = frozenset({"day", "calendar_day", "working_day", "week", "month", "quarter", "year"})
_EVERY = re.compile(r"\b(?:every|each|once\s+(?:in|every)|tous\s+les|toutes\s+les|chaque)\s*$", re.IGNORECASE)
_DAYS = {"month": (28.0, 31.0), "quarter": (90.0, 92.0), "year": (365.0, 366.0)}
_CLEAR = 0.1  # months against days are settled only when they differ by more than this share
_HISTORY = re.compile(
    r"\b(?:previously|formerly|former|in\s+the\s+past(?!\s+(?:[\w-]+\s+)?(?:\(\d+\)\s+)?(?:years?|months?)\b)|used\s+to|ancien\w*|autrefois|instead\s+of|au\s+lieu\s+d)",
    re.IGNORECASE,
)
_BASE_OF = re.compile(
    r"\b(?:calculated|computed|based|applied|levied|measured|calcul[ée]e?s?)\s+(?:up)?(?:on|sur)\s+(?:the\s+|that\s+|each\s+|la\s+|le\s+|les\s+)?(?P<base>[^.;,()|]{3,40})",
    re.IGNORECASE,
)


def in_words(predicate: Predicate) -> str:
    """The predicate as a person would write it, e.g. '>= 120 calendar days'."""
    values = [float(r) for r in predicate.readings] or [v for v in (predicate.value,) if v is not None]
    number = " or ".join(f"{value:,.10g}" for value in values)
    if predicate.value_max is not None:
        number += f" to {predicate.value_max:,.10g}"
    unit = {"percent": "%"}.get(predicate.unit, " " + predicate.unit.replace("_", " ")).rstrip()
    parts = [
        predicate.comparator,
        number + unit,
        f"of {predicate.base}" if predicate.base else "",
        f"per {predicate.per}" if predicate.per else "",
    ]
    return " ".join(part for part in parts if part)


def read_quantity(predicate: Predicate, reading: Reading) -> Outcome:
    """What the passages say about a figure: every comparable figure that fits the measure is weighed."""
    found: list[Evidence] = []
    for unit in reading.units:
        found += _figures(predicate, reading, unit)
        declared = _declared(predicate, reading, unit)
        if declared:
            found.append(declared)
    if not any(e.state is not State.ECHO for e in found):
        found += _unstated(predicate, reading)
    outcome = weigh(predicate, found, latest_wins=_one_of_many(predicate, reading))
    if outcome.state is not State.HOLDS:
        return outcome
    proven = {e.unit for e in outcome.evidence if e.state is State.HOLDS}
    others = [e for e in _unstated(predicate, reading) if e.unit not in proven]
    if against := next(filter(_takes_back, others), None):
        return contradicted_by(against, outcome)
    denied = not outcome.doubt and any(e.state is State.FAILS for e in others)
    return replace(outcome, doubt="another statement denies a part") if denied else outcome


def _takes_back(evidence: Evidence) -> bool:
    """The statement refuses the thing itself; one that only denies something of it ("not assignable") does not."""
    unit = evidence.unit
    refused = unit.answer == "no" or refuses(unit.own_text)
    return unit.deviation == "declared" or (evidence.state is State.FAILS and refused)


def _one_of_many(predicate: Predicate, reading: Reading) -> bool:
    """The figure qualifies each of so many things asked for ("2 references of 50M subscribers")."""
    others = [p for p in reading.requirement.predicates if p != predicate and p.kind == "quantity"]
    counted = any(
        p.unit.islower() and p.unit not in TIME_UNITS and p.unit != "percent" and p.comparator == ">="
        for p in others
    )
    return counted and predicate.comparator == ">="


def _same_dimension(fact: Fact, predicate: Predicate) -> bool:
    """The figure could answer: same unit, or one confused with it (months, working days, a currency)."""
    if fact.value is None or (fact.role == "clock") != is_clock(predicate):
        return False
    if convert(1.0, fact.unit, predicate.unit) is not None:
        return True
    if fact.unit in _LONG and predicate.unit in _LONG:
        return True
    money = fact.kind == "money"
    return money and predicate.unit.isupper() and len(predicate.unit) == 3


def _figures(predicate: Predicate, reading: Reading, unit: Unit) -> list[Evidence]:
    facts = [_own_base(f, unit) for f in unit.facts()]
    rivals = [f for f in facts if _same_dimension(f, predicate) and not _EVERY.search(before(unit, f))]
    if predicate.per and any(f.per == predicate.per for f in rivals):
        rivals = [f for f in rivals if f.per in ("", predicate.per)]  # the yearly sum stands beside it
    if not rivals:
        return []
    echo = reading.echo(unit)
    asked = strict(predicate, reading.requirement)
    clause = measure_of(predicate, reading.requirement).clause
    cap = bool(CAP_WORDS.search(clause))
    # The ceiling of a policy is the sum insured, which has to be so high at least.
    sum_asked = predicate.comparator in (">=", ">")
    split = len({is_cap(f, unit) for f in rivals}) > 1
    found = []
    for fact in rivals:
        fit = figure_fit(predicate, reading.requirement, unit, fact, rivals)
        if fit < MIN_FIT or _HISTORY.search(before(unit, fact)):
            continue
        if is_cap(fact, unit) != cap and (split or not cap) and not (sum_asked and fact.kind == "money"):
            continue  # the rate of a penalty says nothing of its cap
        aside = is_aside(fact, unit) and not ASIDE.search(reading.requirement.text)
        if aside or of_other_paper(reading.requirement.text, unit, fact):
            continue
        if answers_sibling(predicate, reading.requirement, unit, fact, rivals):
            continue
        focus = (fact.start - unit.start, fact.end - unit.start)
        if echo:
            found.append(Evidence(unit, State.ECHO, fit, echo, "echo", focus))
            continue
        state, note, doubt = judge_figure(fact, asked, unit, clause, reading.requirement.text)
        if state is State.HOLDS and (unsaid := unsaid_terms(predicate, reading.requirement, unit, fact)):
            state = State.UNCLEAR
            note = doubt = f"{note}, not said to be of {', '.join(unsaid)}"
        if state is State.HOLDS and (worse := _worse_beside(fact, rivals, asked)):
            state = State.UNCLEAR
            note = doubt = f"{note}, but {' '.join(worse.text.split())} stands beside it"
        found.append(
            tempered(
                Evidence(unit, state, fit, note, doubt, focus),
                [focus],
                rule=reading.requirement.text,
                day=reading.submission_date,
            )
        )
    return found


_SUM = re.compile(r"\s+(?:of|de|d')\s*(?:[a-z]{3}|rs|euros?)$", re.IGNORECASE)


def _worse_beside(fact: Fact, rivals: Iterable[Fact], asked: Predicate) -> Fact | None:
    """Another figure of the same statement and unit that fails: 62 dB at no load, 69 dB under load.

    Periods, sums and shares are left out: a sentence may well name two of them for different things.
    """
    if fact.kind != "quantity":
        return None
    same_unit = (r for r in rivals if r is not fact and r.kind == "quantity" and r.unit == fact.unit)
    return next((r for r in same_unit if compare(r, asked) == "fails"), None)


def _own_base(fact: Fact, unit: Unit) -> Fact:
    """The fact with its base cut where the unit ends and before the sum that follows ("of EUR 5,000")."""
    tail = fold(unit.passage.text[fact.end : unit.end])
    base = fact.base
    while base and fold(base) not in tail:
        base = base.rpartition(" ")[0]
    base = _SUM.sub("", base)
    return fact if base == fact.base else fact.model_copy(update={"base": base})


def judge_figure(
    fact: Fact, predicate: Predicate, unit: Unit, clause: str = "", rule: str = ""
) -> tuple[State, str, str]:
    """State, note and doubt of one figure that is taken to answer the predicate."""
    stated, asked = " ".join(fact.text.split()), in_words(predicate)
    if fact.conflict:
        return State.UNCLEAR, f"words and digits disagree: {stated}", "words and digits disagree"
    if predicate.unit == "percent" and (other := _other_base(fact, predicate, unit)):
        return State.UNCLEAR, f"{stated} of another base ({other})", "another base than asked"
    fact, unlike = in_one_rate(fact, predicate)
    if other := unlike or _other_anchor(fact, predicate, clause, unit):
        return State.UNCLEAR, f"{stated}, {other}", other
    if predicate.comparator == "=" and is_cap(fact, unit):
        fact = fact.model_copy(update={"comparator": ""})  # "capped at 10%" states the cap itself
    result: str = in_range(fact, predicate, rule) if is_range(predicate) else compare(fact, predicate)
    if (
        result == "unlike"
        and predicate.unit == "percent"
        and fact.per == ""
        and predicate.per
        and not fact.base
    ):
        return State.UNCLEAR, f"{stated} without its rate", "rate not stated"
    if result == "unlike":
        result = _by_clear_margin(fact, predicate) or "unlike"
    if result == "holds":
        doubt = (
            "base of the percentage not stated"
            if predicate.base and not fact.base and not _names_base(predicate, unit)
            else ""
        )
        return State.HOLDS, f"{stated} against {asked}", doubt
    if result == "fails":
        return State.FAILS, f"{stated} against {asked}", ""
    return State.UNCLEAR, f"{stated} cannot be compared with {asked}", "unit or bound cannot be compared"


def _by_clear_margin(fact: Fact, predicate: Predicate) -> str:
    """Months against days and the like, settled only when every reading gives the same answer by a margin."""
    spread = _spread(fact.unit, predicate.unit)
    if spread is None or fact.value is None or predicate.value is None or fact.comparator:
        return ""
    low, high = (
        fact.value * spread[0] * (1 - _CLEAR),
        (fact.value_max or fact.value) * spread[1] * (1 + _CLEAR),
    )
    plain = {"value_max": None, "unit": predicate.unit}
    answers = {compare(fact.model_copy(update={**plain, "value": value}), predicate) for value in (low, high)}
    return answers.pop() if len(answers) == 1 and predicate.comparator not in ("", "=") else ""


def _spread(unit: str, target: str) -> tuple[float, float] | None:
    """Least and greatest number of `target` days in one `unit`."""
    if unit in _DAYS and target in ("day", "calendar_day"):
        return _DAYS[unit]
    if target in _DAYS and unit in ("day", "calendar_day", "week"):
        days = convert(1.0, unit, "day") or 1.0
        return days / _DAYS[target][1], days / _DAYS[target][0]
    return None


def _names_base(predicate: Predicate, unit: Unit) -> bool:
    """The unit or its headings name the base that the rule asks for."""
    terms = concept_terms((predicate.base,), generic=MEASURE_GENERIC)
    return unit_fit(terms, unit) >= 0.5


def _other_base(fact: Fact, predicate: Predicate, unit: Unit) -> str:
    """The base that the bid states when it is another than the one asked for."""
    if not predicate.base:
        return ""
    if fact.base and not same_base(fact.base, predicate.base):
        return fact.base
    for match in _BASE_OF.finditer(unit.own_text):
        if not same_base(match["base"], predicate.base):
            return " ".join(match["base"].split())
    return ""


def _other_anchor(fact: Fact, predicate: Predicate, clause: str, unit: Unit) -> str:
    """Why the period of the bid does not run from or beyond what the rule says."""
    if fact.unit not in TIME_UNITS or fact.kind not in ("days", "duration"):
        return ""
    wanted = beyond(clause)
    if not wanted:
        behind = clause.partition(predicate.text)[2] if predicate.text else clause
        asked, said = counted_from(behind), counted_from(_behind(unit, fact))
        dated = any(f.kind == "date" and 0 <= f.start - fact.end < 30 for f in unit.facts())
        return (
            "counted from something else"
            if asked and said and not dated and not _overlap(asked, said)
            else ""
        )
    said = beyond(unit.own_text) | beyond(label_of(unit))
    if not said:
        return "not said to run beyond " + " ".join(sorted(wanted))
    return "" if _overlap(said, wanted) else "counted from something else"


def _overlap(a: set[str], b: set[str]) -> bool:
    return any(same(one, other) for one in a for other in b)


_STARTS_WITH = re.compile(
    r"\s*(?:\)\s*)?(?:calculated\s+|counted\s+|running\s+|[àa]\s+compter\s+)?(?:from|after|of|following|upon|since|as\s+of|beyond|d\w+|apr[èe]s)\b",
    re.IGNORECASE,
)


def _behind(unit: Unit, fact: Fact) -> str:
    """The words behind the figure when they say what the period is counted from; empty otherwise."""
    tail = unit.passage.text[fact.end : min(unit.end, fact.end + 80)]
    return re.split(r"[;|.,](?:\s|$)", tail)[0] if _STARTS_WITH.match(tail) else ""


def _declared(predicate: Predicate, reading: Reading, unit: Unit) -> Evidence | None:
    """What the status of a matrix row says, when the row repeats the very figure that is asked for."""
    if not unit.is_matrix or unit.status in ("", "noted"):
        return None
    terms = measure_terms(predicate, reading.requirement)
    marks = measure_of(predicate, reading.requirement).marks
    if marks - {(family, value) for family, value, _, _ in designators(unit.asked_text)}:
        return None  # the row speaks of another severity, class or lot, or of none
    fit = coverage(terms, [w.stem for w in words_of(unit.asked_text)], reading.requirement.synonyms)
    figures = [f for f in unit.asked_facts() if _same_dimension(f, predicate)]
    repeats = any(compare(f, predicate) == "holds" for f in figures)
    if repeats and any(f.kind == "quantity" for f in figures):
        fit = max(fit, STRONG)  # a counted noun says itself what it counts
    if fit < MIN_FIT or (figures and not repeats):
        return None
    return declared(
        unit, fit, unit_has_answer=bool([f for f in unit.facts() if _same_dimension(f, predicate)])
    )


def declared(unit: Unit, fit: float, *, unit_has_answer: bool) -> Evidence | None:
    """Evidence of a matrix row's status: a bare "Compliant" is a doubt, with a remark of substance it counts.

    Args:
        unit: the row.
        fit: how well the row fits the rule.
        unit_has_answer: the remark itself answers, so that a yes adds nothing.
    """
    if unit.status == "no":
        return Evidence(unit, State.FAILS, max(STRONG, fit), "declared non-compliant")
    if unit.status == "partly":
        return Evidence(
            unit, State.UNCLEAR, max(STRONG, fit), "declared partly compliant", "declared partly compliant"
        )
    if unit_has_answer:
        return None
    if not unit.substance:
        return Evidence(
            unit,
            State.UNCLEAR,
            BARE * fit,
            "declared compliant without substance",
            "bare declaration of compliance",
        )
    evidence = Evidence(
        unit,
        State.HOLDS,
        DECLARED * fit,
        "declared compliant with a remark",
        "figure stands only in the repeated requirement",
    )
    return tempered(evidence, [(w.start, w.end) for w in unit.own_words])


def _unstated(predicate: Predicate, reading: Reading) -> list[Evidence]:
    """Units that speak of the thing measured in the bidder's own words, without a figure."""
    terms = measure_terms(predicate, reading.requirement)
    found = []
    for unit in reading.units:
        if unit.status == "noted" or reading.echo(unit) or unit.is_matrix or unit.deviation == "none":
            continue
        own = sum(any(w.stem == t for w in unit.own_words) for t in terms)
        fit = unit_fit(terms, unit)
        if own * 2 < len(terms) or fit < TOPIC:
            continue
        places = [(w.start, w.end) for w in unit.own_words if w.stem in terms]
        if denies(unit.own_text, places):
            found.append(
                Evidence(unit, State.FAILS, fit, "denied by the bid", "denied without a figure", places[0])
            )
        else:
            note, doubt = f"spoken of, but {in_words(predicate)} is not stated", "figure not stated"
            if unit.deviation:
                note = doubt = DEVIATES
            found.append(Evidence(unit, State.UNCLEAR, fit * DECLARED, note, doubt, places[0]))
    return found
