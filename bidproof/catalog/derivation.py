"""From a rule's text to what code can test: predicates, sentry terms, synonyms, section hints, tag pools.

Reads the rule only. What a bid says, and whether it satisfies a predicate, is decided from `facts` on later.
"""

from __future__ import annotations

import re

from bidproof.catalog.lexicon import language_of, synonyms_of
from bidproof.catalog.wording import BOILERPLATE, default_comparator, is_condition, measure_of, without_rates
from bidproof.facts import attached_classes, class_label, find_facts, stem, surface, words_of
from bidproof.facts.frames import TAG_NAMES, bond_mentions
from bidproof.records import Comparator, Fact, Predicate, Requirement

_AMOUNTS = frozenset({"percent", "money", "days", "duration", "quantity"})
_IN_FORCE = re.compile(
    r"\b(?:certificates?|certifications?|polic(?:y|ies)|insurances?|powers? of attorney|attestations?|"
    r"licen[cs]es?|registrations?|accreditations?)\b"
    r"[^.;]{0,80}?\b(?:current|valid|in force|in effect|unexpired|en cours de validit[eé]|"
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
_EQUIVALENT = re.compile(r"\(?,?\s*\bor\s+(?:an?\s+)?equivalent(?:\s+one)?\b\s*,?\)?", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"[\s,(]*(?:\b(?:or|ou)\b)\s*(?:either\s+)?", re.IGNORECASE)
_MIN_LEFTOVER = 2


def derive(requirement: Requirement, *, submission_date: str = "") -> Requirement:
    """`requirement` with predicates, sentry terms, synonyms and section hints filled in where it has none.

    Predicates, in the order of the text, all in group 0 unless the rule says "or" between standards:

    - `quantity` for each amount, with what it measures, comparator (see `wording.default_comparator`), unit,
      base and rate. Amounts that are mere circumstances (see `wording.is_condition`) make none.
    - `quantity` with `unit` level, tier, class ... for a class that belongs to no standard.
    - `standard` with code and edition; the class that it must reach stands in `terms` as `class 1` or `type
      ii`.
    - `form` for each form.
    - `date` with `valid_on_submission` for a power, licence or policy that must be in force; on a rule with
      standards the flag stands on these instead.
    - `presence` with the concept words that no other predicate covers, if there are at least two of them or
      there is no other predicate. Words are folded, not stemmed; boilerplate ("provided", "bidder") is out,
      and
      so are conditions ("if the bidder is a consortium").

    Args:
        requirement: rule as loaded or mined.
        submission_date: ISO date of bid submission, taken over where the rule names none itself.
    """
    date = requirement.submission_date or submission_date
    facts = find_facts(requirement.text, language=language_of(requirement.text))
    predicates = requirement.predicates or tuple(_predicates(requirement.text, facts, date))
    synonyms = requirement.synonyms or tuple(synonyms_of(requirement.text))
    return requirement.model_copy(
        update={
            "submission_date": date,
            "predicates": predicates,
            "sentry_terms": requirement.sentry_terms or _sentry_terms(predicates, facts),
            "synonyms": synonyms,
            "section_hints": requirement.section_hints or section_hints(requirement.clause_ref),
        }
    )


def _predicates(text: str, facts: list[Fact], date: str) -> list[Predicate]:
    in_force = _IN_FORCE.search(text) is not None
    owned = attached_classes(facts, text)
    classes = {standard.start: grades for standard, grades in owned}
    attached = {grade.start for _, grades in owned for grade in grades}
    found: list[Predicate] = []
    group, previous = 0, None
    for fact in facts:
        if fact.kind == "standard":
            if previous is not None and _ALTERNATIVE.fullmatch(text[previous : fact.start]):
                group += 1
            grades = classes.get(fact.start, ())
            previous = max([fact.end, *(g.end for g in grades)])
            found.append(Predicate(
                kind="standard", group=group, code=fact.code, edition=fact.edition,
                valid_on_submission=in_force,
                date=date if in_force else "", terms=tuple(class_label(g) for g in grades),
                text=text[fact.start : previous],
            ))  # fmt: skip
        elif fact.kind == "form":
            found.append(Predicate(kind="form", code=fact.code, text=fact.text))
        elif fact.kind == "date":
            if single := _fixed_date(fact, text, facts):
                found.append(single)
        elif _testable(fact, attached) and not is_condition(fact, text, facts):
            found.append(_quantity(fact, text, facts))
    if "24x7" in words_of(text):
        found.append(Predicate(kind="presence", terms=("24x7",), text=text))
    if in_force and not any(p.kind == "standard" for p in found):
        found.append(_date_in_force(text, facts, date))
    if presence := _presence(text, facts, found):
        found.append(presence)
    if group:  # what the rule asks besides its alternatives holds in each of them
        shared = [p for p in found if p.kind != "standard"]
        found.extend(p.model_copy(update={"group": g}) for g in range(1, group + 1) for p in shared)
    return found


def _testable(fact: Fact, attached: set[int]) -> bool:
    """Whether a fact can be a quantity predicate: an amount, or a class that belongs to no standard."""
    free_class = fact.kind == "class" and fact.start not in attached and fact.unit != "severity"
    return fact.kind in _AMOUNTS or free_class


def _quantity(fact: Fact, text: str, facts: list[Fact]) -> Predicate:
    measure = measure_of(fact, text, facts)
    around = text[max(0, fact.start - 60) : fact.start] + " " + " ".join(measure)
    return Predicate(
        kind="quantity", measure=measure, comparator=default_comparator(fact, around), value=fact.value,
        value_max=fact.value_max,
        unit=fact.unit, base=fact.base, per=fact.per, code=fact.code, text=fact.text,
    )  # fmt: skip


def _fixed_date(fact: Fact, text: str, facts: list[Fact]) -> Predicate | None:
    """A date that the rule itself names: valid until it, or done by it."""
    if not fact.date:
        return None
    measure = measure_of(fact, text, facts)
    comparator: Comparator = ">=" if fact.role == "expiry" else "<="
    return Predicate(kind="date", measure=measure, comparator=comparator, date=fact.date, text=fact.text)


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
    covered = {
        stem(w)
        for p in found
        for phrase in (*p.measure, p.base, p.per, p.unit)
        if p.kind == "quantity"
        for w in words_of(phrase)
    }
    words = [w for w in _concept_words(text, facts) if stem(w) not in covered]
    if not words or (found and len(words) < _MIN_LEFTOVER):
        return None
    return Predicate(kind="presence", terms=tuple(words), text=text)


def _concept_words(text: str, facts: list[Fact]) -> list[str]:
    """Words of the rule that evidence should name: facts, conditions and boilerplate out, one word a stem."""
    blanked = list(text)
    for fact in facts:
        blanked[fact.start : fact.end] = " " * (fact.end - fact.start)
    bare = without_rates(_EQUIVALENT.sub(" ", "".join(blanked)))
    cut = _CONDITIONAL.sub(" ", bare)
    words = [w for w in words_of(cut) if w not in BOILERPLATE] or [
        w for w in words_of(bare) if w not in BOILERPLATE
    ]
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(stem(word), word)
    return list(first.values())


def _sentry_terms(predicates: tuple[Predicate, ...], facts: list[Fact]) -> tuple[str, ...]:
    """Tokens that evidence must not miss: numbers and codes in canonical wording, then key words."""
    terms = [surface(f) for f in facts if f.kind not in ("obligation", "date")]
    for predicate in predicates:
        terms.extend(predicate.measure[:1])
        terms.extend(predicate.terms if predicate.kind == "presence" else ())
    return tuple(dict.fromkeys(terms))


_HINT_SPLIT = re.compile(r"\s*(?:>|;|\||›|→)\s*")
_HINT_NUMBER = re.compile(
    r"^(?:§+\s*)?(?P<number>(?:(?:section|clause|article|annexe?|appendix|chapter|part|volume|"
    r"lot)\s+)?(?:[0-9]+(?:\.[0-9]+)*|[IVXLC]+|[A-Z](?:\.[0-9]+)*)\.?)(?:\s*[-–—:.]\s*|"
    r"\s+)(?P<title>\S.*)$",
    re.IGNORECASE,
)


def section_hints(clause_ref: str) -> tuple[str, ...]:
    """Headings and numbers of a clause reference, outermost first.

    `Section III > 3.2 Bid Security` gives `Section III`, `3.2`, `Bid Security`; `§8 Certifications` gives
    `8`, `Certifications`.
    """
    hints: list[str] = []
    for part in _HINT_SPLIT.split(clause_ref.strip()):
        match = _HINT_NUMBER.match(part)
        if match:
            hints += [match["number"].rstrip("."), match["title"].strip()]
        elif part:
            hints.append(part.lstrip("§ "))
    return tuple(dict.fromkeys(hints))


_PRICE_WORDS = re.compile(
    r"\b(?:prices?|pricing|price schedule|incoterms?|line items?|line totals?|unit rates?|bill of "
    r"quantities|prix|bordereau)\b",
    re.IGNORECASE,
)
_DAY_WORDS = re.compile(
    r"\b(?:validity|days|lead times?|delivery time|validit[eé]|d[eé]lais?|jours)\b", re.IGNORECASE
)
_FORM_WORDS = re.compile(r"\b(?:forms?|formulaires?)\b", re.IGNORECASE)


def tag_pools(requirement: Requirement) -> tuple[str, ...]:
    """Tags whose chunks are candidates for the rule, in the order of `facts.TAG_NAMES`; by default `must`.

    Routed by typed facts and whole words, never by letters inside words: "calendar days" is no EN standard.
    """
    text = requirement.text
    pools: set[str] = set()
    for predicate in requirement.predicates:
        if predicate.kind == "quantity":
            pools.add({"percent": "percent"}.get(predicate.unit, ""))
        elif predicate.kind == "standard":
            pools.update({"iso"} | ({"date"} if predicate.valid_on_submission else set()))
        elif predicate.kind in ("form", "date"):
            pools.add(predicate.kind)
    for fact in find_facts(text, language=language_of(text)):
        pools.add(
            {
                "money": "money",
                "percent": "percent",
                "days": "days",
                "standard": "iso",
                "form": "form",
                "date": "date",
            }.get(fact.kind, "")
        )
    if bond_mentions(text):
        pools.update(("bond", "percent", "money"))
    priced = text
    for predicate in requirement.predicates:
        if predicate.base:  # "2% of total price" is no price rule
            priced = re.sub(re.escape(predicate.base), " ", priced, flags=re.IGNORECASE)
    if _PRICE_WORDS.search(priced):
        pools.update(("table", "money"))
    if _DAY_WORDS.search(text):
        pools.add("days")
    if _FORM_WORDS.search(text):
        pools.add("form")
    return tuple(tag for tag in TAG_NAMES if tag in pools) or ("must",)
