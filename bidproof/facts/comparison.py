"""Comparing what a bid states with what a rule asks: holds, fails, or cannot be compared.

One fact against one predicate. Which fact of a passage answers a predicate, and what a verdict follows,
is the judge's business.
"""

from __future__ import annotations

from typing import Literal

from bidproof.facts.named import edition_before, in_series, same_standard
from bidproof.facts.terms import terms_of
from bidproof.facts.units import UNIT_NAMES, convert
from bidproof.records import Fact, Predicate

Comparison = Literal["holds", "fails", "unlike"]

_AMOUNTS = frozenset({"percent", "money", "days", "duration", "quantity", "class"})
# Words that say "all of it" about a price, and so do not tell two bases apart.
_PRICE = frozenset(terms_of("price amount value sum cost total overall whole grand prix montant valeur"))
_BIDDING = frozenset(terms_of("bid tender offer proposal quoted offered evaluated soumission offre"))
# A base that covers a part only: a percentage of it is less than the same percentage of the whole.
_NARROW = frozenset(
    terms_of(
        "monthly invoice delayed undelivered unpaid item lot part portion balance remaining late affected "
        "line facture mensuelle partie"
    )
)
_ANNUAL = frozenset({"annual", "yearly", "annuel", "annuelle", "annuels", "annuelles"})
# French and English names of one base fall together.
_SAME_BID, _SAME_CONTRACT = "bid", "contract"
_CONTRACTING = frozenset(terms_of("contract marche"))


def compare(fact: Fact, predicate: Predicate) -> Comparison:
    """Whether `fact` satisfies `predicate`.

    A fact stands for a range: "at least 120 days" is 120 and more, "<38 ms" is below 38. `holds` when
    that whole range lies in what the rule allows, `fails` when it does not, and `unlike` when the two
    cannot be compared: other units (working against calendar days, months against days), another base or
    rate, bounds on opposite sides ("up to 120 days" where at least 90 are asked), an ambiguous date, or an
    edition
    that is not stated. Where words and digits disagree, be it in the bid or in the rule, all readings must
    give the same answer.
    """
    if predicate.readings:
        answers = {compare(fact, one) for one in readings_of(predicate)}
        return answers.pop() if len(answers) == 1 else "unlike"
    if predicate.kind == "quantity":
        return _amount(fact, predicate)
    if predicate.kind == "standard":
        return _standard(fact, predicate)
    if predicate.kind == "form":
        return "holds" if fact.kind == "form" and fact.code == predicate.code else "unlike"
    if predicate.kind == "date":
        return _date(fact, predicate)
    return "unlike"


def readings_of(predicate: Predicate) -> tuple[Predicate, ...]:
    """The predicate under each of its readings; itself alone where the rule has one reading only."""
    if not predicate.readings:
        return (predicate,)
    field = "date" if predicate.kind == "date" else "value"
    return tuple(
        predicate.model_copy(update={field: r if field == "date" else float(r), "readings": ()})
        for r in predicate.readings
    )


def same_base(base_a: str, base_b: str) -> bool:
    """Whether two bases mean the same sum; an unstated one agrees with any that covers the whole."""
    a, b = _basis(base_a), _basis(base_b)
    if not base_a or not base_b:
        return not (_narrow(base_a) or _narrow(base_b))
    if a == b:
        return True
    return (not a and b == {_SAME_BID}) or (not b and a == {_SAME_BID})


def _basis(base: str) -> frozenset[str]:
    named = (
        _SAME_BID if t in _BIDDING else _SAME_CONTRACT if t in _CONTRACTING else t for t in terms_of(base)
    )
    return frozenset(named) - _PRICE


def _narrow(base: str) -> bool:
    return bool(frozenset(terms_of(base)) & _NARROW)


def _amount(fact: Fact, predicate: Predicate) -> Comparison:
    if fact.kind not in _AMOUNTS or fact.value is None or predicate.value is None:
        return "unlike"
    if fact.unit == "percent" and not same_base(fact.base, predicate.base):
        return "unlike"
    if not _same_rate(fact, predicate):
        return "unlike"
    if fact.conflict and fact.readings:
        answers = {_bounded(fact, float(r), None, predicate) for r in fact.readings}
        return answers.pop() if len(answers) == 1 else "unlike"
    return _bounded(fact, fact.value, fact.value_max, predicate)


def _same_rate(fact: Fact, predicate: Predicate) -> bool:
    if fact.per == predicate.per:
        return True
    if not fact.per and predicate.per == "year" and fact.kind == "money" and _yearly_sum(predicate):
        return True  # "annual turnover": the sum of a year is given without "per year"
    if fact.unit == "percent" or (fact.per and predicate.per):
        return False
    return not (_physical(fact.per) or _physical(predicate.per))


def _physical(per: str) -> bool:
    """A rate that changes what is measured: 11 l per 100 km are no 11 l; a sum per file is a sum still."""
    return per[:1].isdigit() or any(word in UNIT_NAMES for word in per.split())


def _yearly_sum(predicate: Predicate) -> bool:
    return any(word in _ANNUAL for phrase in predicate.measure for word in phrase.split())


def _bounded(fact: Fact, low: float, high: float | None, predicate: Predicate) -> Comparison:
    first = convert(low, fact.unit, predicate.unit)
    last = convert(high if high is not None else low, fact.unit, predicate.unit)
    if first is None or last is None or predicate.value is None:
        return "unlike"
    if fact.kind == "class" and not predicate.comparator:
        # A finer accuracy class than the one asked for may do; a person decides.
        return (
            "holds"
            if _equal(first, predicate.value)
            else ("unlike" if first < predicate.value and fact.unit == "class" else "fails")
        )
    if predicate.value_max is not None and predicate.comparator in ("", "="):
        return _in_range(fact, first, last, predicate.value, predicate.value_max)
    if predicate.comparator in (">=", ">"):
        return _one_sided(
            fact.comparator,
            first,
            predicate.value,
            strict=predicate.comparator == ">",
            rising=True,
            other=last,
        )
    if predicate.comparator in ("<=", "<"):
        return _one_sided(
            fact.comparator,
            last,
            predicate.value,
            strict=predicate.comparator == "<",
            rising=False,
            other=first,
        )
    return _exactly(fact.comparator, first, last, predicate.value)


def _one_sided(
    stated: str, bound: float, limit: float, *, strict: bool, rising: bool, other: float
) -> Comparison:
    """A rule with one limit. `bound` is the fact's end that faces the limit, `other` its far end."""
    sign = 1 if rising else -1
    toward, against = ((">=", ">"), ("<=", "<")) if rising else (("<=", "<"), (">=", ">"))
    if stated in against:  # open towards the wrong side: only a disjoint range decides
        beyond = sign * (limit - other)
        disjoint = beyond > _slack(limit) or (_equal(other, limit) and (strict or stated in ("<", ">")))
        return "fails" if disjoint else "unlike"
    if _equal(bound, limit):
        return "holds" if not strict or stated == toward[1] else "fails"
    return "holds" if sign * (bound - limit) > 0 else "fails"


def _exactly(stated: str, first: float, last: float, value: float) -> Comparison:
    """A rule that fixes a value: the value itself or a promise of at least that much holds."""
    if stated in ("<=", "<"):
        below = last < value and not _equal(last, value)
        return "fails" if below or (stated == "<" and _equal(last, value)) else "unlike"
    if not _equal(first, last):
        return "unlike" if first <= value <= last else "fails"
    if stated == ">":
        return "fails"
    return "holds" if _equal(first, value) else "fails"


def _in_range(fact: Fact, first: float, last: float, low: float, high: float) -> Comparison:
    above, below = first >= low or _equal(first, low), last <= high or _equal(last, high)
    if fact.comparator in (">=", ">"):
        return "fails" if first > high and not _equal(first, high) else "unlike"
    if fact.comparator in ("<=", "<"):
        return "fails" if last < low and not _equal(last, low) else "unlike"
    if above and below:
        return "holds"
    return "fails" if first > high or last < low else "unlike"


def _slack(value: float) -> float:
    return 1e-9 * max(1.0, abs(value))


def _equal(a: float, b: float) -> bool:
    return abs(a - b) <= _slack(b)


def _standard(fact: Fact, predicate: Predicate) -> Comparison:
    if fact.kind != "standard" or not (
        same_standard(fact.code, predicate.code) or in_series(fact.code, predicate.code)
    ):
        return "unlike"
    if not predicate.edition or fact.edition == predicate.edition:
        return "holds"
    if not fact.edition:
        return "unlike"
    if edition_before(fact.edition, predicate.edition):
        return "fails"  # an older edition is superseded
    # A newer one than asked for is for a person to accept, unless the rule says that later ones do.
    return "holds" if predicate.comparator == ">=" else "unlike"


def _date(fact: Fact, predicate: Predicate) -> Comparison:
    """A date rule asks for validity on its day: an expiry must not be earlier, a start or issue not later."""
    days = fact.readings or ((fact.date,) if fact.date else ())
    if fact.kind != "date" or not days or not predicate.date:
        return "unlike"
    if fact.role == "expiry" or predicate.comparator in (">=", ">"):
        answers = {
            day > predicate.date or (day == predicate.date and predicate.comparator != ">") for day in days
        }
    elif fact.role in ("issued", "start") or predicate.comparator in ("<=", "<"):
        answers = {
            day < predicate.date or (day == predicate.date and predicate.comparator != "<") for day in days
        }
    else:
        return "unlike"
    if len(answers) > 1:
        return "unlike"
    return "holds" if answers.pop() else "fails"
