"""What a sound catalog file should still be looked at for: doubles, texts that predicates contradict, sources.

Warns, never refuses; what breaks the contract is refused when the file is read. Whether a bid satisfies a rule
plays no part here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from bidproof.catalog.formats.alternatives import oddities
from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.given import Problem
from bidproof.catalog.formats.predicate_lines import predicate_words
from bidproof.catalog.formats.rfp_record import SETTLED, open_conflicts
from bidproof.catalog.frames import catalog_version
from bidproof.catalog.lexicon import language_of
from bidproof.catalog.predicates.derivation import derive
from bidproof.catalog.versions.places import Places
from bidproof.facts import convert, find_facts, fold, same_standard
from bidproof.facts.units import DAY_UNITS, TIME_UNITS, TIME_WORDS
from bidproof.records import Fact, Predicate, Requirement, Source

_AMOUNTS = frozenset({"percent", "money", "days", "duration", "quantity", "class"})
_TIMES = DAY_UNITS | TIME_UNITS
_SLACK = 1e-9
_FIGURES = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


def warnings_of(catalog: CatalogFile, places: Mapping[str, str] | None = None) -> list[Problem]:
    """All warnings on a catalog, in the order of its rules.

    Args:
        catalog: a catalog as it was loaded.
        places: line or cell of each rule by id, as `files.read_catalog` gives it.
    """
    where = dict(places or {})
    found = list(_head_warnings(catalog))
    first: dict[str, str] = {}
    for rule in catalog.rules:
        place = where.get(rule.rule_id, f"rule {rule.rule_id}")
        words = re.sub(r"[\W_]+", " ", fold(rule.text)).strip()
        if words in first:
            other = first[words]
            at = f" ({where[other]})" if other in where else ""
            what = f"says the same as {other}{at}; keep one, or tell them apart"
            found.append(Problem(place, _named(rule.rule_id, place, what)))
        first.setdefault(words, rule.rule_id)
        said = (*contradictions(rule), *oddities(rule.predicates))
        found += [Problem(place, _of_rule(rule.rule_id, place, what)) for what in said]
    return found


def _of_rule(rule_id: str, place: str, what: str) -> str:
    """What is said of a rule, with its id where its place does not name it already."""
    return what if place == f"rule {rule_id}" else f"rule {rule_id}: {what}"


def _named(rule_id: str, place: str, what: str) -> str:
    return what if place == f"rule {rule_id}" else f"rule {rule_id} {what}"


def _head_warnings(catalog: CatalogFile) -> Iterator[Problem]:
    if catalog.status == "accepted" and not catalog.accepted_by.strip():
        yield Problem("status", "is accepted, but nobody is named in accepted_by")
    for said in open_conflicts(catalog.conflicts):
        yield Problem(
            "conflicts", f"{said}: mend the rules, then write `{SETTLED.strip()} which one holds` behind it"
        )
    if catalog.version:
        now = catalog_version([derive(r, submission_date=catalog.submission_date) for r in catalog.rules])
        if now != catalog.version:
            by = f" and accepted by {catalog.accepted_by}" if catalog.status == "accepted" else ""
            mend = (
                "accept it again" if catalog.status == "accepted" else "accepting it gives it a new version"
            )
            yield Problem("version", f"was edited after version {catalog.version} was written{by}; {mend}")


def contradictions(rule: Requirement) -> Iterator[str]:
    """Where a rule's predicates do not say what its text says, naming both."""
    for predicate in rule.predicates:
        if predicate.readings:
            both = " or ".join(predicate.readings)
            yield f"words and digits of `{predicate.text[:80]}` disagree ({both}); a bid passes only where both hold"
        for unit in (predicate.unit, predicate.per):
            if TIME_WORDS.get(unit, unit) != unit:
                yield f"unit `{unit}` matches nothing; write {TIME_WORDS[unit]}"
    if not rule.predicates:
        return
    facts = find_facts(rule.text, language=language_of(rule.text))
    derived = derive(rule.model_copy(update={"predicates": ()})).predicates
    cores = {_core(p) for p in derived}
    said = [
        _contradiction(p, rule, facts)
        for p in rule.predicates
        if p.kind in ("quantity", "standard", "form") and not p.readings and _core(p) not in cores
    ]
    yield from filter(None, said)
    yield from _untested(rule, derived, " ".join(said))


def _untested(rule: Requirement, derived: Sequence[Predicate], said: str) -> Iterator[str]:
    """Figures, dates, standards and forms of a rule's text that none of its predicates tests; `said` names others."""
    for name in dict.fromkeys(
        p.text for p in derived if p.kind != "presence" and not _tested(p, rule.predicates)
    ):
        if name and f"`{name}`" not in said:
            yield f"the text says `{name[:80]}`, which none of its predicates tests"


def _tested(wanted: Predicate, predicates: Sequence[Predicate]) -> bool:
    """Whether a predicate has the figure of another; whether it has its unit and side too is a contradiction."""
    for p in predicates:
        if p.readings and p.readings == wanted.readings:
            return True
        if p.kind == wanted.kind == "quantity" and wanted.value is not None:
            if all(
                _holds(p, value) or _holds(p, convert(value, wanted.unit, p.unit))
                for value in _values(wanted)
            ):
                return True
        elif p.kind == wanted.kind == "date" and wanted.date:
            if p.date == wanted.date:
                return True
        elif p.kind == wanted.kind == "standard":
            if same_standard(p.code, wanted.code):
                return True
        elif p.kind == wanted.kind and fold(p.code) == fold(wanted.code):
            return True
    return False


def _values(predicate: Predicate) -> list[float]:
    return [value for value in (predicate.value, predicate.value_max) if value is not None]


def _holds(predicate: Predicate, value: float | None) -> bool:
    return value is not None and any(abs(v - value) <= _SLACK * max(1.0, abs(v)) for v in _values(predicate))


def _core(predicate: Predicate) -> tuple[object, ...]:
    p = predicate
    return p.kind, p.comparator, p.value, p.value_max, p.unit, p.code, p.edition


def _contradiction(predicate: Predicate, rule: Requirement, facts: Sequence[Fact]) -> str:
    words = predicate_words(predicate)
    if predicate.kind == "quantity":
        like = [f for f in facts if f.kind in _AMOUNTS and convert(1.0, f.unit, predicate.unit) is not None]
        same = [f for f in like if _equal(f, predicate)]
        if like and not same:
            said = ", ".join(f"`{f.text}`" for f in like)
            return f"the text says {said}, its predicate `{words}`"
        if not like and (said := _in_other_units(predicate, facts, rule.text)):
            return f"the text says {said}, its predicate `{words}`"
        other = [f for f in same if f.comparator and predicate.comparator]
        if other and all(_opposite(f.comparator, predicate.comparator) for f in other):
            return f"the text says `{_around(other[0], rule.text)}`, its predicate `{words}`"
        if same:
            return ""
    else:
        kind = "standard" if predicate.kind == "standard" else "form"
        like = [f for f in facts if f.kind == kind and same_standard(f.code, predicate.code)]
        editions = {f.edition for f in like if f.edition}
        if predicate.edition and editions and predicate.edition not in editions:
            return f"the text says `{like[0].text}`, its predicate `{words}`"
        if like:
            return ""
    gone = predicate.text and fold(predicate.text) not in fold(rule.text)
    if gone:
        return f"the text no longer says `{predicate.text[:80]}`, from which its predicate `{words}` came"
    return ""


def _in_other_units(predicate: Predicate, facts: Sequence[Fact], text: str) -> str:
    """The amounts of a text none of which a predicate can be: times in other units, or none with its value."""
    stated = [f for f in facts if f.kind in _AMOUNTS and f.value is not None]
    times = [f for f in stated if f.unit in _TIMES] if predicate.unit in _TIMES else []
    figures = {float(number.replace(",", "")) for number in _FIGURES.findall(text)}
    if not times and (
        predicate.value in figures or any(predicate.value in (f.value, f.value_max) for f in stated)
    ):
        return ""
    return ", ".join(f"`{f.text}`" for f in times or stated)


def _equal(fact: Fact, predicate: Predicate) -> bool:
    readings = [float(r) for r in fact.readings if re.fullmatch(r"-?[\d.]+", r)]
    values = [v for v in (fact.value, fact.value_max, *readings) if v is not None]
    wanted = [v for v in (predicate.value, predicate.value_max) if v is not None]
    told = [convert(v, fact.unit, predicate.unit) for v in values]
    return all(any(t is not None and abs(t - w) <= _SLACK * max(1.0, abs(w)) for t in told) for w in wanted)


def _opposite(one: str, other: str) -> bool:
    return {one[:1], other[:1]} == {"<", ">"}


def _around(fact: Fact, text: str) -> str:
    before = text[max(0, fact.start - 25) : fact.start]
    return " ".join((before[before.find(" ") + 1 :] + text[fact.start : fact.end]).split())


def sources_astray(
    catalog: CatalogFile, rfp_blocks: pl.DataFrame, places: Mapping[str, str] | None = None
) -> list[Problem]:
    """Source words that do not stand on the page named, with the page where they do stand if there is one."""
    where = dict(places or {})
    book = Places(rfp_blocks)
    files = sorted(set(rfp_blocks["file_name"]))
    pages = sorted(set(rfp_blocks.select("file_name", "page").iter_rows()))
    found = []
    for rule in catalog.rules:
        place = where.get(rule.rule_id, f"rule {rule.rule_id}")
        for source in stated_sources(rule):
            if book.stands(source):
                continue
            said = _astray(source, book, files, pages)
            found.append(Problem(place, _of_rule(rule.rule_id, place, said)))
    return found


def unsourced(catalog: CatalogFile, places: Mapping[str, str] | None = None) -> list[Problem]:
    """Rules that quote no words of the RFP, so that nothing of them can be looked up."""
    where = dict(places or {})
    bare = [rule.rule_id for rule in catalog.rules if not stated_sources(rule)]
    spots = [(name, where.get(name, f"rule {name}")) for name in bare]
    return [Problem(place, _named(name, place, "quotes no words of the RFP")) for name, place in spots]


def stated_sources(rule: Requirement) -> tuple[Source, ...]:
    """The places of a rule that can be looked up: its sources, or its page and words."""
    if rule.sources or not (rule.source_quote and rule.source_page):
        return rule.sources
    return (Source(page=rule.source_page, quote=rule.source_quote),)


def _astray(source: Source, book: Places, files: Sequence[str], pages: Sequence[tuple[str, int]]) -> str:
    words = f"`{' '.join(source.quote.split())[:80]}`"
    at = f"{source.file_name} p. {source.page}".strip()
    if source.file_name and source.file_name not in files:
        near = [f for f in files if book.stands(source.model_copy(update={"file_name": f}))]
        if near:
            return f"{source.file_name} is no file of this RFP; its words stand in {near[0]} p. {source.page}"
    for name, page in pages:
        if book.stands(source.model_copy(update={"file_name": name, "page": page})):
            return f"{words} does not stand on {at}, but on {name} p. {page}"
    return f"{words} does not stand on {at}, nor on any other page of the RFP"
