"""From a rule's text to what code can test: predicates, sentry terms, synonyms, section hints, tag pools.

Reads the rule only. What a bid says, and whether it satisfies a predicate, is decided from `facts` on later.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bidproof.catalog.lexicon import language_of, synonyms_of
from bidproof.catalog.predicates.alternatives import sides_of
from bidproof.catalog.predicates.bounds import told_by_purpose
from bidproof.catalog.predicates.grades import top_grade
from bidproof.catalog.predicates.named_dates import date_predicate
from bidproof.catalog.predicates.named_years import years_named
from bidproof.catalog.predicates.polarity import asked_comparator, is_ground, is_negated, is_ruled_out
from bidproof.catalog.predicates.rhythms import rhythm_predicates, rhythms_in
from bidproof.catalog.predicates.routing import section_hints, tag_pools
from bidproof.catalog.predicates.wording import (
    BOILERPLATE,
    default_comparator,
    is_condition,
    measure_of,
    named_behind,
    without_rates,
)
from bidproof.facts import attached_classes, class_label, find_facts, stem, surface, words_of
from bidproof.records import Comparator, Fact, Predicate, Requirement

_AMOUNTS = frozenset({"percent", "money", "days", "duration", "quantity"})
_IN_FORCE = re.compile(
    r"\b(?:certificates?|certifications?|polic(?:y|ies)|insurances?|powers? of attorney|attestations?|"
    r"licen[cs]es?|registrations?|accreditations?|assurances?|certificats?|agr[ée]ments?|habilitations?)\b"
    r"[^.;]{0,80}?\b(?:current|valid|in force|in effect|unexpired|en cours de validit[eé]|en vigueur|"
    r"valables?)\b(?!\s+for\b)"
    r"|\b(?:current|valid|unexpired)\s+(?:\w+\s+){0,2}(?:certificates?|certifications?|polic(?:y|ies)|"
    r"attestations?|licen[cs]es?|registrations?|accreditations?)\b"
    r"|\b(?:current|valid|in force|valables?)\s+(?:on|at|as of|[àa])\s+(?:the\s+|"
    r"la\s+)?(?:date\s+of\s+)?(?:bid\s+|tender\s+|proposal\s+)?(?:submission|date limite|date de remise)",
    re.IGNORECASE,
)  # fmt: skip
_CONDITIONAL = re.compile(
    r"[,(]?\s*\b(?:if|where|when|unless|in (?:the )?(?:case|event)|should (?:the|any|an?)|si|lorsque|en cas)\b[^,;.)]*[,)]?",
    re.IGNORECASE,
)
_EQUIVALENT = re.compile(
    r"\(?,?\s*\b(?:or|ou)\s+(?:an?\s+|son\s+|une?\s+|similar\s+)?[eé]quivalente?s?(?:\s+one)?\b\s*,?\)?",
    re.IGNORECASE,
)
# The day on which a paper must be in force is no word that the paper itself would show.
_ON_THE_DAY = re.compile(
    r"\b(?:on|at|as\s+of|by|[àa]\s+la|au)\s+(?:the\s+)?(?:day|date|time|jour|moment)\s+(?:of\s+|de\s+|du\s+)?(?:the\s+|la\s+|l['’])?"
    r"(?:bid\s+|tender\s+|proposal\s+)?(?:submission|opening|closing|remise|d[ée]p[ôo]t|ouverture)"
    r"(?:\s+(?:of|des?)\s+(?:the\s+|its\s+|leurs?\s+)?(?:bids?|tenders?|proposals?|offers?|offres?|plis))?",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r"[\s,(]*(?:\b(?:or|ou)\b)\s*(?:either\s+)?", re.IGNORECASE)
_MIN_LEFTOVER = 2
_CERTIFIED_BY_NAME = frozenset({"NIST CSF", "PCI DSS", "CMMI", "COBIT", "HIPAA"})


def derive(requirement: Requirement, *, submission_date: str = "", context: str = "") -> Requirement:
    """`requirement` with predicates, sentry terms, synonyms and section hints filled in where it has none.

    Predicates, in the order of the text, all in group 0 unless the rule says "or" between standards:

    - `quantity` for each amount, with what it measures, comparator (see `wording.default_comparator`), unit,
      base and rate. Amounts that are mere circumstances (see `wording.is_condition`) make none. Where words and
      digits disagree both numbers stand in `readings`. `quantity` with `per` a period for what recurs.
    - `quantity` with `unit` level, tier, class ... for a class that belongs to no standard.
    - `standard` with code and edition; the class that it must reach stands in `terms` as `class 1` or `type
      ii`, and `>=` says that a later edition or a higher class may do. Laws that are only the ground of a clause
      and protocols that must not be used make none.
    - `form` for each form.
    - `date` for a date that bounds something (see `named_dates`), and with `valid_on_submission` for a power,
      licence or policy that must be in force; on a rule with standards the flag stands on these instead.
    - `presence` with the concept words that no other predicate covers, if there are at least two of them or
      there is no other predicate. Words are folded, not stemmed; boilerplate ("provided", "bidder") is out,
      and
      so are conditions ("if the bidder is a consortium").

    Args:
        requirement: rule as loaded or mined.
        submission_date: ISO date of bid submission, taken over where the rule names none itself.
        context: the sentence or row that the rule was cut from, if it is a slice; `source_quote` by default. It tells
            language, what a bare slice measures, and whether its lead-in rules things out; it adds no predicate.
    """
    date = requirement.submission_date or submission_date
    text, context = requirement.text, context or requirement.source_quote
    language = language_of(text) or language_of(context)
    facts = find_facts(text, language=language)
    predicates = requirement.predicates or tuple(_alternatives(text, facts, date, context, language))
    synonyms = requirement.synonyms or tuple(synonyms_of(text))
    return requirement.model_copy(
        update={
            "submission_date": date,
            "predicates": predicates,
            "sentry_terms": requirement.sentry_terms
            or _sentry_terms(predicates, facts, years_named(text, facts)),
            "synonyms": synonyms,
            "section_hints": requirement.section_hints or section_hints(requirement.clause_ref),
        }
    )


def _alternatives(text: str, facts: list[Fact], date: str, context: str, language: str) -> list[Predicate]:
    """Predicates of the rule; of each of its two sides in a group of its own where it asks for one or the other."""
    found: list[Predicate] = []
    for group, side in enumerate(sides_of(text, facts)):
        own = _predicates(side, find_facts(side, language=language), date, context)
        if any(p.group for p in own):
            return _predicates(text, facts, date, context)
        whole = {"group": group, "text": text}
        found += [p.model_copy(update=whole if p.text == side else {"group": group}) for p in own]
    return found or _predicates(text, facts, date, context)


def _predicates(text: str, facts: list[Fact], date: str, context: str) -> list[Predicate]:
    in_force = _IN_FORCE.search(text) is not None
    rhythms = rhythms_in(text)
    owned = attached_classes(facts, text)
    attached = {grade.start for _, grades in owned for grade in grades}
    found = _standards(text, facts, date if in_force else "", in_force=in_force)
    found += _forms(text, facts, alone=not any(p.group for p in found))
    grade = top_grade(text)
    for fact in facts:
        if any(r.start < fact.end and fact.start < r.end for r in rhythms):
            continue
        if grade and not grade[0] <= fact.start < grade[1]:
            continue
        if fact.kind == "date":
            if named := date_predicate(fact, text, measure_of(fact, text, facts)):
                found.append(named)
        elif _testable(fact, attached) and not is_condition(fact, text, facts):
            quantity = _quantity(fact, text, facts, context)
            if not is_negated(quantity.comparator, fact, text):  # no predicate says "any but this"
                found.append(quantity)
    found += rhythm_predicates(text, rhythms)
    found.sort(key=lambda p: text.find(p.text))
    if "24x7" in words_of(text):
        found.append(Predicate(kind="presence", terms=("24x7",), text=text))
    dated = any(p.kind == "standard" or (p.kind == "date" and p.comparator == ">=") for p in found)
    if in_force and not dated:
        found.append(_date_in_force(text, facts, date))
    if presence := _presence(text, facts, found):
        found.append(presence)
    if groups := max((p.group for p in found), default=0):
        # what the rule asks besides its alternatives holds in each of them
        kinds = {p.kind for p in found if p.group}
        shared = [p for p in found if p.kind not in kinds]
        found.extend(p.model_copy(update={"group": g}) for g in range(1, groups + 1) for p in shared)
    return found


def _standards(text: str, facts: list[Fact], date: str, *, in_force: bool) -> list[Predicate]:
    """Standards asked for; "or" between two of them opens the next group."""
    found: list[Predicate] = []
    group, previous = 0, None
    for fact, grades in attached_classes(facts, text):
        if is_ground(fact, text) or is_ruled_out(fact, text):
            continue
        if previous is not None and _ALTERNATIVE.fullmatch(text[previous : fact.start]):
            group += 1
        previous = max([fact.end, *(g.end for g in grades)])
        equivalent = _EQUIVALENT.match(text, previous)
        comparator: Comparator = fact.comparator or next((g.comparator for g in grades if g.comparator), "")
        found.append(Predicate(
            kind="standard", group=group, comparator=comparator, code=fact.code, edition=fact.edition,
            valid_on_submission=in_force, date=date, terms=tuple(class_label(g) for g in grades),
            text=text[fact.start : equivalent.end() if equivalent else previous].rstrip(" ,"),
        ))  # fmt: skip
    return list({(p.group, p.code, p.edition, p.terms): p for p in reversed(found)}.values())[::-1]


def _forms(text: str, facts: list[Fact], *, alone: bool) -> list[Predicate]:
    """Forms asked for; a group each where "or" stands between all of them and nothing else is in groups (`alone`)."""
    forms = [fact for fact in facts if fact.kind == "form"]
    between = [text[a.end : b.start] for a, b in pairwise(forms)]
    apart = alone and bool(between) and all(map(_ALTERNATIVE.fullmatch, between))
    return [
        Predicate(kind="form", group=number if apart else 0, code=fact.code, text=fact.text)
        for number, fact in enumerate(forms)
    ]


def _testable(fact: Fact, attached: set[int]) -> bool:
    """Whether a fact can be a quantity predicate: an amount, or a class that belongs to no standard."""
    free_class = fact.kind == "class" and fact.start not in attached and fact.unit != "severity"
    return fact.kind in _AMOUNTS or free_class


def _quantity(fact: Fact, text: str, facts: list[Fact], context: str) -> Predicate:
    measure = measure_of(fact, text, facts) or _label_of(context)
    before = text[max(0, fact.start - 60) : fact.start]
    around = " ".join((before, *measure, named_behind(fact, text)))
    comparator = told_by_purpose(fact, text, facts) or default_comparator(fact, around, before)
    if not fact.comparator and _listed(fact, text, facts):
        comparator = "="
    if comparator == "=" and fact.kind == "money" and _each_worth(fact, text, facts):
        comparator = ">="
    per = fact.per or ("year" if fact.kind == "money" and _ANNUAL.search(" ".join(measure)) else "")
    return Predicate(
        kind="quantity", measure=measure, comparator=asked_comparator(comparator, fact, text, context),
        value=fact.value, value_max=fact.value_max, unit=fact.unit, base=fact.base, per=per, code=fact.code,
        readings=fact.readings if fact.conflict else (), text=fact.text,
    )  # fmt: skip


def _listed(fact: Fact, text: str, facts: list[Fact]) -> bool:
    """One of several figures of a list ("200M / 250M / 300M subscribers"): points to be met, no limits."""
    return any(
        f.unit == fact.unit and text[min(f.end, fact.end) : max(f.start, fact.start)].strip() == "/"
        for f in facts
        if f is not fact
    )


_WORTH = re.compile(
    r"\b(?:of|worth|valued?|value|amount(?:ing)?|montant|d['’]un|valeur)\b[^.;|]{0,40}$", re.IGNORECASE
)


def _each_worth(fact: Fact, text: str, facts: list[Fact]) -> bool:
    """What each of so many references must be worth: "at least 2 contracts of KES 50 million"."""
    counted = [f for f in facts if f.end <= fact.start and f.kind == "quantity" and f.comparator == ">="]
    return bool(counted) and bool(_WORTH.search(text[counted[-1].end : fact.start]))


_ANNUAL = re.compile(r"\b(?:annual|annuel|annuelle|annuels|annuelles|yearly)\b")
_LABEL = re.compile(r"^(?P<label>[^|\n]{2,60}?)\s*[|\u2026:]")


def _label_of(context: str) -> tuple[str, ...]:
    """The label of the row that a bare slice was cut from."""
    label = _LABEL.match(context)
    words = [w for w in words_of(label["label"]) if w not in BOILERPLATE] if label else []
    return (" ".join(words[:4]),) if words else ()


def _date_in_force(text: str, facts: list[Fact], date: str) -> Predicate:
    words = _concept_words(text, facts)
    return Predicate(
        kind="date",
        measure=(" ".join(words[:4]),) if words else (),
        comparator=">=",
        date=date,
        valid_on_submission=True,
        text=text,
    )


def _presence(text: str, facts: list[Fact], found: list[Predicate]) -> Predicate | None:
    recurring = {text[r.start : r.end] for r in rhythms_in(text)}
    covered = {
        stem(w)
        for p in found
        for phrase in (*p.measure, p.base, p.per, p.unit)
        if p.kind == "quantity" and p.text not in recurring  # how often is asked beside what, not instead
        for w in words_of(phrase)
    }
    if any(p.group for p in found):  # one of several names is enough
        covered |= {stem(w) for p in found if p.kind == "standard" for w in words_of(p.code)}
    words = [w for w in _concept_words(text, facts) if stem(w) not in covered]
    years = years_named(text, facts)
    if not (words or years) or (found and len(words) + len(years) < _MIN_LEFTOVER):
        return None
    return Predicate(kind="presence", terms=(*words, *years), text=text)


def _concept_words(text: str, facts: list[Fact]) -> list[str]:
    """Words of the rule that evidence should name: facts, conditions and boilerplate out, one word a stem."""
    blanked = list(text)
    for fact in facts:
        # A protocol or body that is known by name is words as well: naming it must not be all that is asked.
        told = fact.edition or any(c.isdigit() for c in fact.code) or fact.code in _CERTIFIED_BY_NAME
        if fact.kind != "standard" or told:
            blanked[fact.start : fact.end] = " " * (fact.end - fact.start)
    bare = _ON_THE_DAY.sub(" ", without_rates(_EQUIVALENT.sub(" ", "".join(blanked))))
    cut = _CONDITIONAL.sub(" ", bare)
    words = [w for w in words_of(cut) if w not in BOILERPLATE] or [
        w for w in words_of(bare) if w not in BOILERPLATE
    ]
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(stem(word), word)
    return list(first.values())


def _readings_apart(fact: Fact) -> list[Fact]:
    """A fact whose words and digits disagree as one fact for each number."""
    if not fact.conflict:
        return [fact]
    return [fact.model_copy(update={"value": float(value)}) for value in fact.readings]


def _sentry_terms(
    predicates: tuple[Predicate, ...], facts: list[Fact], years: tuple[str, ...]
) -> tuple[str, ...]:
    """Tokens that evidence must not miss: numbers and codes in canonical wording, then key words and years."""
    terms = [
        surface(one) for f in facts if f.kind not in ("obligation", "date") for one in _readings_apart(f)
    ]
    for predicate in predicates:
        terms.extend(predicate.measure[:1])
        terms.extend(predicate.terms if predicate.kind == "presence" else ())
    return tuple(dict.fromkeys((*terms, *years)))


__all__ = ["derive", "section_hints", "tag_pools"]
