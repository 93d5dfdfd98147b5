"""All facts of one text: runs the finders in the order in which they may claim characters.

Dates, standards, classes and forms first: their digits are no amounts. Holds no pattern of its own.
"""

from __future__ import annotations

from bidproof.facts.clocks import find_clocks
from bidproof.facts.dates import find_dates
from bidproof.facts.headed import find_headed
from bidproof.facts.measures import find_measures
from bidproof.facts.named import find_classes, find_forms, find_standards
from bidproof.facts.obligations import find_obligations
from bidproof.facts.thousandths import find_thousandths
from bidproof.facts.view import View
from bidproof.records import Fact


def find_facts(text: str, *, language: str = "", day_first: bool | None = None) -> list[Fact]:
    """Typed facts of `text`, in order of start; facts of one kind never overlap.

    Args:
        text: any text; offsets of the facts are offsets into it and `fact.text` is that very slice.
        language: ISO 639-1 code where known. French settles `1,234` (a decimal) and `03/04/2027` (3 April).
        day_first: reading of numeric dates; None leaves an ambiguous date undecided, with both readings.

    Time is linear in the length of the text.
    """
    view = View.of(text)
    dates = find_dates(view, language=language, day_first=day_first)
    standards = find_standards(view)
    classes = [c for c in find_classes(view) if not _inside(c, standards)]
    thousandths = find_thousandths(view, language)
    clocks = [c for c in find_clocks(view) if not _overlaps(c, dates)]
    claimed = [*dates, *standards, *classes, *thousandths, *clocks]
    forms = find_forms(view.without([(f.start, f.end) for f in claimed]))
    rest = view.without([(f.start, f.end) for f in (*claimed, *forms)])
    measures = find_measures(rest, language)
    headed = [f for f in find_headed(rest, language) if not _overlaps(f, measures)]
    facts = [*claimed, *forms, *measures, *headed, *find_obligations(view)]
    return sorted(facts, key=lambda f: (f.start, f.end, f.kind))


def _inside(fact: Fact, others: list[Fact]) -> bool:
    return any(o.start <= fact.start < o.end for o in others)


def _overlaps(fact: Fact, others: list[Fact]) -> bool:
    return any(o.start < fact.end and fact.start < o.end for o in others)
