"""What an amount is a rate of: `day` in "0.1% per day", `100 km` in "11 l/100 km", `km` in "95 g/km".

Anchored at the end of the amount; the cost of a number is bounded whatever the length of the text.
"""

from __future__ import annotations

import re

from bidproof.facts.terms import singular, word_set
from bidproof.facts.units import CALENDAR, TIME_WORDS, WORKING, counted_noun, denominator, with_power
from bidproof.facts.view import View

_WINDOW = 80

_PER = re.compile(
    r"[ \n]*(?:(?P<slash>/[ ]?)|(?P<each>(?:per|par|for each|for every|each and every|each|every|for any one|any one)[ \n]+)|"
    r"(?P<article>(?:an?)[ \n]+))"
    r"(?:(?P<adjective>calendar|working|business|full|started|commenced|single|complete)[ "
    r"\n]+)?(?P<noun>[a-z]+)"
    r"(?:[ \n]+(?P<after>ouvres?|ouvrables?|calendaires?)(?![a-z]))?"
)
_PER_ADVERB = re.compile(
    r"[ \n]*(?P<adverb>daily|weekly|monthly|quarterly|annually|yearly|annuellement|mensuellement)(?![a-z])"
)
# "in the annual aggregate" is a sum a year, whatever happens; "par sinistre" is per occurrence.
_AGGREGATE = re.compile(
    r"[ \n]*\(?(?:in[ \n]+)?(?:the[ \n]+)?(?:(?:annual|yearly|policy)[ \n]+)?aggregate(?![a-z])"
)
_EVENTS = {"sinistre": "occurrence", "evenement": "occurrence", "event": "occurrence", "claim": "occurrence"}
_ADVERBS = {
    "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "annually": "year",
    "yearly": "year",
    "annual": "year", "annuellement": "year", "mensuellement": "month", "annuel": "year", "annuelle": "year",
    "mensuel": "month", "mensuelle": "month",
}  # fmt: skip
_PERIODIC = re.compile(
    r"(?<![a-z])(daily|weekly|monthly|quarterly|annual|yearly|annuel(?:le)?|mensuel(?:le)?)[ "
    r"\n]+(?:[a-z]+[ \n]+){0,2}"
    r"(?:escalation|increase|increment|indexation|interest|growth|inflation|rate|penalty|revision|"
    r"availability|uptime)"
    r"[^.;%0-9|]{0,40}$"
)

_PERIODIC_BEHIND = re.compile(
    r"[ \n]+(?:d'|de |of )?(daily|weekly|monthly|quarterly|annual|yearly)[ \n]+"
    r"(?:price[ \n]+)?(?:escalation|increase|increment|indexation|interest|growth|revision)(?![a-z])"
)


_NO_RATE = word_set(
    "cent se the other of our your l la le les un une d voie courrier lettre rapport exemple mail ailleurs within in during "
    "over for with at to and by on"
)


def rate_at(view: View, start: int, end: int, *, percentage: bool) -> tuple[str, int]:
    """Rate base of the amount (`day` in "0.1% per day") or empty, and where it ends.

    So many of something are a base of their own (`100 km` in "11 l/100 km"), and so are two of them (`user month`).
    For a percentage a periodic adjective before counts as well ("annual escalation of 4%").
    """
    if match := _SUBSTANCE.match(view.plain, end):
        end = match.end()  # "95 g CO2/km"
    base, behind = per_many(view, end)
    if not base:
        base, behind = _single_rate(view, end, percentage=percentage)
    if not base and not percentage and (thing := _THING.match(view.low, end)):
        base, _ = _single_rate(view, thing.end(), percentage=True)  # a time only
        behind = end  # what is counted stays a word of the text
    if base:
        return _with_second(view, base, behind, percentage=percentage)
    if not percentage and (match := _AGGREGATE.match(view.low, end)):
        return "year", match.end()
    if match := _PER_ADVERB.match(view.low, end):
        return _ADVERBS[match["adverb"]], match.end()
    if percentage and (found := _PERIODIC.search(view.low[max(0, start - _WINDOW) : start])):
        return _ADVERBS[found[1]], end
    if percentage and (found := _PERIODIC_BEHIND.match(view.low, end)):
        return _ADVERBS[found[1]], end
    return "", end


def rate_behind_base(view: View, end: int, base: str) -> str:
    """Rate that follows the base, as in "0.1% of the contract price per day"."""
    last = base.split()[-1]
    position = view.low.find(last, end, end + 120)
    if position < 0:
        return ""
    return rate_at(view, end, position + len(last), percentage=False)[0]


def _single_rate(view: View, end: int, *, percentage: bool) -> tuple[str, int]:
    match = _PER.match(view.low, end)
    if not match:
        return "", end
    noun, stop = match["noun"], match.end()
    unit = TIME_WORDS.get(noun, "") if len(noun) > 1 else ""
    if not percentage and not unit and (match["slash"] or (match["each"] and noun not in _NO_RATE)):
        unit, power = _denominator_at(view, match.start("noun"), match.end("noun"))
        stop = max(stop, power)
    if unit == "day" and (match["adjective"] in WORKING or match["after"] in WORKING):
        unit = "working_day"
    elif unit == "day" and (match["adjective"] in CALENDAR or match["after"] in CALENDAR):
        unit = "calendar_day"
    if unit or (match["each"] and noun not in _NO_RATE):
        return unit or _EVENTS.get(singular(noun), singular(noun)), stop
    return "", end


def _denominator_at(view: View, start: int, end: int) -> tuple[str, int]:
    """The unit at `start:end` with its power: `m2` in "500 kg/m2", `MWh` in "120 EUR per MWh"; empty for none."""
    unit = denominator(view.plain[start:end]) or denominator(view.low[start:end])
    return with_power(unit, view.plain, end) if unit else ("", end)


_SUBSTANCE = re.compile(
    r"[ \n]?(?:of |de |d'|eq\.? )?(?:CO2|NOx|SO2)(?:[ -]?eq?(?![a-z]))?(?=[ \n]?/|[ \n]+p[ae]r[ \n])"
)
# "40 hours of cleaning per week": what is counted stands between the amount and its rate.
_THING = re.compile(
    r"[ \n]+(?:of[ \n]+|de[ \n]+|d')(?:(?:la|le|les|the)[ \n]+)?[a-z-]+(?:[ \n]+(?!(?:per|par|each|every|within|in|and|et|or|ou)[ \n])[a-z-]+){0,2}?"
    r"(?=[ \n]+(?:per|par|each|every)[ \n]+(?:calendar |working )?[a-z]+)"
)
_MANY = re.compile(
    r"[ \n]*(?:(?P<slash>/[ ]?)|(?P<each>(?:per|par|aux|pour|for every|for each|for|every|each|tous les|toutes les)[ \n]+))"
    r"(?P<count>[0-9]{1,3}(?:[ ,.'][0-9]{3})+|[0-9]+)(?P<gap>[ \n-]?)(?P<noun>[a-z]+)(?P<power>[23\u00b2\u00b3]?)(?![a-z0-9])"
)


def per_many(view: View, end: int) -> tuple[str, int]:
    """A rate of so many of a unit, `100 km` in "11 l/100 km" or "2 failures per 1,000 units"; empty for none.

    "For" and "every" also give a term or a rhythm ("EUR 5 million for 24 months"): they make a rate of a round
    number of things only.
    """
    match = _MANY.match(view.low, end)
    if not match or match["noun"] in _NO_RATE or match["noun"] in ("per", "and", "et", "ou", "or"):
        return "", end
    count, noun = re.sub(r"[^0-9]", "", match["count"]), match["noun"]
    word = (match["each"] or "").split()
    round_number = count.rstrip("0") == "1" and view.plain[match.start("noun") : match.end("noun")] != "M"
    if word and word[0] not in ("per", "par") and (noun in TIME_WORDS or not round_number):
        return "", end
    if match["slash"] and not (round_number and (denominator(noun) or noun in _PIECES)):
        return "", end  # "4 points/5 criteria", "200M / 250M subscribers", "24h/24"
    first, stop = match.start("noun"), match.end("noun")
    unit = "" if len(noun) == 1 and not match["slash"] and not word else TIME_WORDS.get(noun, "")
    if not unit:
        unit, stop = _denominator_at(view, first, stop)
    unit = unit or counted_noun(noun)
    return unit if int(count) == 1 else f"{int(count)} {unit}", max(stop, match.end("noun"))


_PIECES = frozenset({"units", "unites", "pieces"})
_SECOND = re.compile(
    r"(?:[ ]?[/.][ ]?|[ \n]+(?:and )?(?:per|par|each|every|et par)[ \n]+)(?P<noun>[a-z]+)(?![a-z0-9])"
)


def _with_second(view: View, base: str, end: int, *, percentage: bool) -> tuple[str, int]:
    """The base with a second one behind it, things before times: `m2 year` in "50 kWh/m2.an", `user month`."""
    match = _SECOND.match(view.low, end)
    if not match or percentage:
        return base, end
    noun = match["noun"]
    timed = base in TIME_WORDS.values()
    unit = TIME_WORDS.get(noun, "") if len(noun) > 1 else ""
    if timed and not unit and noun not in _NO_RATE and not match.group().startswith((".", " .")):
        thing = _denominator_at(view, match.start("noun"), match.end("noun"))[0] or singular(noun)
        return f"{thing} {base}", match.end()
    return (f"{base} {unit}", match.end()) if unit and not timed else (base, end)
