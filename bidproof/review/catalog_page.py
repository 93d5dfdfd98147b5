"""Renders a catalog as one self-contained HTML page: each rule beside the words of the RFP that it came from.

For the person who reads a draft before accepting it. Everything is written out in the page, so it reads, prints
and is searched without scripts; the script only filters and moves by keys. Foreign text passes Jinja's autoescape
and nothing else, and the content policy allows exactly the one style and the one script, by their digests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bidproof.catalog import CatalogFile
from bidproof.catalog.annotating.asked_documents import asked_documents
from bidproof.catalog.formats.checking import contradictions, stated_sources
from bidproof.catalog.formats.predicate_lines import predicate_words
from bidproof.catalog.formats.working_copy import Omitted
from bidproof.facts import fold
from bidproof.records import Predicate, Requirement, Source
from bidproof.review.cleaning import clean, clean_tree
from bidproof.review.html import environment, page_policy, template_text


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
    sources: tuple[Source, ...]
    doubts: tuple[str, ...]
    remark: str

    @property
    def undecided(self) -> bool:
        """Whether words and digits disagree, or a predicate contradicts the text."""
        return bool(self.doubts)


def catalog_html(catalog: CatalogFile, left_out: Sequence[Omitted], notes: Sequence[str] = ()) -> str:
    """The catalog as the text of one HTML file. Same catalog, same bytes.

    Args:
        catalog: rules with their predicates derived.
        left_out: what mining made no rule of, listed at the end with page and reason.
        notes: what a reviewer must know first: pages that were not read, places of the RFP that disagree.
    """
    style, script = template_text("catalog.css"), template_text("catalog.js")
    catalog = CatalogFile.model_validate(clean_tree(catalog.model_dump(mode="json")))
    rules = [_rule(rule, number, catalog) for number, rule in enumerate(catalog.rules, 1)]
    areas: dict[str, list[_Rule]] = {}
    for rule in rules:
        areas.setdefault(rule.record.area, []).append(rule)
    omitted = [
        (clean(getattr(one, "file_name", "")), one.page, clean(one.why), clean(one.text)) for one in left_out
    ]
    return (
        environment()
        .get_template("catalog.html.j2")
        .render(
            catalog=catalog,
            areas=areas,
            mandatory=sum(rule.mandatory for rule in catalog.rules),
            scored=sum(rule.scored for rule in catalog.rules),
            undecided=sum(rule.undecided for rule in rules),
            flags=sorted({flag for rule in catalog.rules for flag in rule.flags}),
            documents=_documents(rules),
            omitted=omitted,
            notes=[clean(note) for note in notes],
            reasons=Counter(why.split(";")[0] for _, _, why, _ in omitted).most_common(),
            style=Markup(style),
            script=Markup(script),
            policy=page_policy(style, script),
        )
    )


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
    for predicate in rule.predicates:
        groups.setdefault(predicate.group, []).append(_test(predicate, rule.text))
    return _Rule(
        record=rule,
        anchor=f"rule-{number}",
        alternatives=tuple((group, tuple(tests)) for group, tests in groups.items()),
        sources=stated_sources(rule),
        doubts=tuple(contradictions(rule)),
        remark=catalog.remark(rule.rule_id),
    )


def _test(predicate: Predicate, rule_text: str) -> _Test:
    return _Test(
        words=predicate_words(predicate), source="" if predicate.text == rule_text else predicate.text
    )
