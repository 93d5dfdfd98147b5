"""Renders a catalog as one self-contained HTML page: each rule beside the words of the RFP that it came from.

For the person who reads a draft before accepting it. Everything is written out in the page, so it reads, prints
and is searched without scripts; the script only filters and moves by keys. Foreign text passes Jinja's autoescape
and nothing else, and the content policy allows exactly the one style and the one script, by their digests.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from bidproof.catalog import CatalogFile
from bidproof.catalog.annotating.asked_documents import asked_documents
from bidproof.catalog.formats.checking import contradictions, stated_sources
from bidproof.catalog.formats.predicate_lines import predicate_words
from bidproof.catalog.formats.rfp_record import open_conflicts
from bidproof.catalog.formats.working_copy import Omitted
from bidproof.facts import fold
from bidproof.records import Predicate, Requirement, Source
from bidproof.review.cleaning import clean, clean_tree
from bidproof.review.html import environment, page_policy, template_text

LONG_RULE = 60
"""Words from which a rule may well be two."""
_SENTENCE = re.compile(r"^[^|:\n]{60,}[.!]$")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class _Test:
    words: str
    source: str


@dataclass(frozen=True)
class _Document:
    """A document that rules ask for, and those rules as (id, anchor)."""

    name: str
    kind: str
    rules: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Rule:
    record: Requirement
    anchor: str
    alternatives: tuple[tuple[int, tuple[_Test, ...]], ...]
    words: tuple[_Test, ...]
    doubts: tuple[str, ...]
    looks: tuple[str, ...]
    conflict: bool
    remark: str

    @property
    def undecided(self) -> bool:
        """Whether words and digits disagree, or a predicate contradicts the text."""
        return bool(self.doubts)

    @property
    def kinds(self) -> str:
        """What the page's filter knows it by."""
        marks = {
            "scored": self.record.scored,
            "doubtful": self.undecided,
            "conflict": self.conflict,
            "look": bool(self.doubts or self.looks or self.conflict),
        }
        flags = [f"flag-{flag}" for flag in self.record.flags]
        duty = "mandatory" if self.record.mandatory else "optional"
        return " ".join([duty, *(name for name, holds in marks.items() if holds), *flags])


@dataclass(frozen=True)
class _Pair:
    """Rules beside the words of the RFP that all of them come from."""

    rules: tuple[_Rule, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class _Clause:
    """Rules that follow one another under one heading of the RFP."""

    heading: str
    pages: str
    pairs: tuple[_Pair, ...]

    @property
    def count(self) -> int:
        """How many rules."""
        return sum(len(pair.rules) for pair in self.pairs)


def catalog_html(
    catalog: CatalogFile,
    left_out: Sequence[Omitted],
    notes: Sequence[str] = (),
    links: Mapping[str, str] | None = None,
) -> str:
    """The catalog as the text of one HTML file, rules in the order of the catalog. Same catalog, same bytes.

    Args:
        catalog: rules with their predicates derived.
        left_out: what mining made no rule of, listed at the end with page and reason.
        notes: what a reviewer must know first, beside conflicts and superseded rules: pages that were not read.
        links: address of a PDF of the RFP by its file name, so that a page is opened by a click.
    """
    style, script = template_text("catalog.css"), template_text("catalog.js")
    catalog = CatalogFile.model_validate(clean_tree(catalog.model_dump(mode="json")))
    rules = [_rule(rule, number, catalog) for number, rule in enumerate(catalog.rules, 1)]
    omitted = [
        (clean(getattr(one, "file_name", "")), one.page, clean(one.why), clean(one.text)) for one in left_out
    ]
    left = open_conflicts(catalog.conflicts)
    return (
        environment()
        .get_template("catalog.html.j2")
        .render(
            catalog=catalog,
            clauses=_clauses(rules),
            areas=Counter(rule.record.area for rule in rules),
            mandatory=sum(rule.mandatory for rule in catalog.rules),
            scored=sum(rule.scored for rule in catalog.rules),
            undecided=sum(rule.undecided for rule in rules),
            looks=sum("look" in rule.kinds.split() for rule in rules),
            torn=sum(rule.conflict for rule in rules),
            several_files=len({source.file_name for rule in rules for source in rule.record.sources}) > 1,
            flags=sorted({flag for rule in catalog.rules for flag in rule.flags}),
            documents=_documents(rules),
            omitted=omitted,
            notes=[clean(note) for note in notes],
            conflicts=[
                (said, said in left) for said in sorted(catalog.conflicts, key=lambda said: said not in left)
            ],
            anchors={rule.record.rule_id: rule.anchor for rule in rules},
            links={clean(name): where for name, where in (links or {}).items()},
            reasons=Counter(why.split(";")[0] for _, _, why, _ in omitted).most_common(),
            style=Markup(style),
            script=Markup(script),
            policy=page_policy(style, script),
        )
    )


def _clauses(rules: Sequence[_Rule]) -> list[_Clause]:
    """The rules as the RFP has them: those of one clause together, those of one sentence beside its words once."""
    clauses = []
    for heading, members in groupby(rules, key=_heading):
        of_clause = list(members)
        pairs = tuple(
            _Pair(tuple(told), sources)
            for sources, told in groupby(of_clause, key=lambda rule: stated_sources(rule.record))
        )
        pages = [source.page for pair in pairs for source in pair.sources[:1]]
        first, last = min(pages, default=0), max(pages, default=0)
        said = f"p. {first}" if first == last else f"p. {first}\u2013{last}"
        clauses.append(_Clause(heading, said if pages else "", pairs))
    return clauses


def _heading(rule: _Rule) -> str:
    sources = rule.record.sources
    return (sources[0].heading_path if sources else "") or rule.record.clause_ref or rule.record.area


def _looks(rule: Requirement, sources: Sequence[Source]) -> Iterator[str]:
    """Why a person should look at a mined rule before others, beside what contradicts it."""
    if not sources:
        yield "no words of the RFP are named"
    elif unlike := _unlike(rule.text, " ".join(source.quote for source in sources)):
        yield f"not in the words of the RFP: {', '.join(unlike)}"
    if rule.mandatory and not rule.obligation and any(_SENTENCE.search(source.quote) for source in sources):
        yield "a sentence without a word of duty: does it ask for anything?"
    if len(rule.text.split()) > LONG_RULE:
        yield "a long rule: does it ask for one thing?"


def _unlike(text: str, quote: str) -> list[str]:
    """Figures of a rule that its source has not."""
    there = set(_FIGURE.findall(fold(quote)))
    return [figure for figure in dict.fromkeys(_FIGURE.findall(fold(text))) if figure not in there]


def _documents(rules: Sequence[_Rule]) -> list[_Document]:
    """Forms, certificates, guarantees, statements and samples that the rules name, by kind and name."""
    found: dict[tuple[str, str], tuple[str, dict[str, str]]] = {}
    for rule in rules:
        for asked in asked_documents(rule.record.text):
            key = asked.kind, fold(asked.code or asked.name)
            _, places = found.setdefault(key, (asked.name, {}))
            places[rule.record.rule_id] = rule.anchor
    return [
        _Document(name, kind, tuple(places.items())) for (kind, _), (name, places) in sorted(found.items())
    ]


def _rule(rule: Requirement, number: int, catalog: CatalogFile) -> _Rule:
    groups: dict[int, list[_Test]] = {}
    words: list[_Test] = []
    one_way = len({predicate.group for predicate in rule.predicates}) == 1
    for predicate in rule.predicates:
        # What is only looked for by its words tells a reviewer nothing that the text does not.
        where = words if one_way and predicate.kind == "presence" else groups.setdefault(predicate.group, [])
        where.append(_test(predicate, rule.text))
    named = re.compile(rf"(?<![\w-]){re.escape(rule.rule_id)}(?![\w-])")
    return _Rule(
        record=rule,
        anchor=f"rule-{number}",
        alternatives=tuple((group, tuple(tests)) for group, tests in groups.items()),
        words=tuple(words),
        doubts=tuple(contradictions(rule)),
        looks=tuple(_looks(rule, stated_sources(rule))),
        conflict=any(named.search(said) for said in open_conflicts(catalog.conflicts)),
        remark=catalog.remark(rule.rule_id),
    )


def _test(predicate: Predicate, rule_text: str) -> _Test:
    return _Test(
        words=predicate_words(predicate), source="" if predicate.text == rule_text else predicate.text
    )
